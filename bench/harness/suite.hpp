// SPDX-License-Identifier: Apache-2.0
// Runs contenders against each other. Absolute times change with the machine's clock and other
// processes, so all contenders of a case alternate in short slices. The result is the median over
// rounds of the ratio within a round.
#pragma once

#include "clock.hpp"

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <deque>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

namespace bench {

/// Maximum values of a row; 0 = no target.
struct goal {
  double ratio = 0;
  double ns = 0;
  std::size_t bytes = 0;
};

/// One row of the result. `ratio` is to the contender named in `base`; `bytes` is the encoded size
/// (0 = none).
struct row {
  std::string workload;
  std::string name;
  std::string contender;
  double ns = 0;
  std::string base;
  double ratio = 0;
  std::size_t bytes = 0;
  goal limits;
  double cpu_ratio = 0; ///< if `ns` is wall time: the ratio of CPU time; 0 = not measured
  std::string note{};   ///< why the case could not be timed
};

inline double median(std::vector<double> values) {
  if (values.empty()) return 0;
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

class suite {
public:
  /// `base` is the contender that ratios refer to in cases that name no other. `only` is a prefix
  /// of the cases to run, or the name of one followed by `$`.
  suite(std::string workload, std::string base, std::size_t rounds, std::string only = {})
      : workload_(std::move(workload)), base_(std::move(base)), only_(std::move(only)), rounds_(rounds) {}

  /// Returns true if a case with that name is to be run; with `is_prefix`, a case that begins with
  /// `name`. The data of other cases need not be created.
  [[nodiscard]] bool wants(std::string_view name, bool is_prefix = false) const {
    if (is_prefix && std::string_view(only_).starts_with(name)) return true;
    return only_.ends_with('$') ? std::string_view(only_).substr(0, only_.size() - 1) == name
                                : name.starts_with(only_);
  }

  /// Creates an object that lives as long as the suite. Turns refer to it, since their captures
  /// must be cheap to copy.
  template <class T>
  T& make() {
    auto object = std::make_shared<T>();
    owned_.push_back(object);
    return *object;
  }

  /// Adds a contender. `turn(i)` is one piece of work; `i` counts up and chooses the data.
  /// `check()` returns true if the work is correct. It runs before anything is timed, and false
  /// ends the program.
  template <class Turn, class Check>
    requires std::is_trivially_copyable_v<Turn>
  void add(std::string_view name, std::string_view contender, std::size_t bytes, Turn turn, Check check) {
    if (!wants(name)) return;
    demand(check(), name, contender);
    auto& entered = enter(name, contender, bytes);
    // The loop is compiled together with the turn: one indirect call per slice. The copy keeps
    // captures in registers.
    entered.work = [turn](std::size_t first, std::size_t count) {
      Turn local = turn;
      for (std::size_t i = first; i != first + count; ++i) local(i);
    };
  }
  /// Same as `add`, but for work that waits for other threads or devices: one turn at a time, in
  /// wall time. Before each turn `before()` is called, which is not timed. If `before()` returns
  /// text, it is the reason why the case can't be timed, and the row shows it.
  template <class Before, class Turn, class Check>
    requires std::is_trivially_copyable_v<Turn>
  void add_waiting(std::string_view name, std::string_view contender, std::size_t bytes, Before before,
                   Turn turn, Check check) {
    if (!wants(name)) return;
    demand(check(), name, contender);
    auto& entered = enter(name, contender, bytes);
    if constexpr (std::is_void_v<decltype(before())>) {
      entered.before = [before]() -> std::string_view {
        before();
        return {};
      };
    } else {
      entered.before = before;
    }
    entered.work = [turn](std::size_t first, std::size_t) { turn(first); };
  }
  /// Adds results that were measured elsewhere: one time in nanoseconds per round. Without times,
  /// ratios compare bytes.
  void add_measured(std::string_view name, std::string_view contender, std::size_t bytes,
                    std::vector<double> rounds) {
    if (!wants(name)) return;
    enter(name, contender, bytes).times = std::move(rounds);
  }
  void base(std::string_view name, std::string_view contender) {
    if (wants(name)) find(name).base = contender;
  }
  void target(std::string_view name, std::string_view contender, goal limits) {
    targets_.push_back({std::string(name), std::string(contender), limits});
  }
  [[nodiscard]] std::size_t rounds() const { return rounds_; }

  /// Stops cases of `add_waiting` after this time, but not before three rounds: for a first
  /// overview of many cases.
  void hurry(double nanoseconds_a_case) { max_ns_ = nanoseconds_a_case; }
  [[nodiscard]] bool hurries() const { return max_ns_ != 0; }
  /// Returns true if `only` chose the cases.
  [[nodiscard]] bool is_chosen() const { return !only_.empty(); }

  /// Times every case and returns the rows, with cases and contenders in the order of their
  /// addition. Calls `done` with the rows of each case when the case ends.
  template <class Done>
  std::vector<row> run(Done done) {
    std::vector<row> rows;
    for (auto& one : cases_) {
      if (one.contenders.empty()) continue; // only its base was set
      if (one.contenders.front().work) time(one);
      const std::size_t first = rows.size();
      report(one, rows);
      done(std::span<const row>(rows).subspan(first));
    }
    return rows;
  }

private:
  struct contender {
    std::string name;
    std::size_t bytes = 0;
    std::function<void(std::size_t first, std::size_t count)> work;
    std::function<std::string_view()> before; // only for `add_waiting`; times are wall times then
    std::string note;                         // why it can't be timed
    std::vector<double> times;                // nanoseconds per turn, one for each round
    std::vector<double> cpu;                  // only for `add_waiting`
    std::size_t next = 0;                     // the next turn
    std::size_t turns = 1;                    // number in one slice
    bool long_turns = false;
    // before the clock starts, since other contenders have used the caches
    std::size_t warm_turns = 0;
  };
  struct bench_case {
    std::string name;
    std::string base;
    std::vector<contender> contenders;
  };
  struct target_entry {
    std::string name;
    std::string contender;
    goal limits;
  };

  static constexpr double slice_ns = 200'000;
  static constexpr double warm_ns = 20'000;
  static constexpr double long_ns = 1e7;
  static constexpr std::size_t slices = 9;

  bench_case& find(std::string_view name) {
    for (auto& one : cases_) {
      if (one.name == name) return one;
    }
    return cases_.emplace_back(bench_case{std::string(name), base_, {}});
  }

  contender& enter(std::string_view name, std::string_view who, std::size_t bytes) {
    auto& entered = find(name).contenders.emplace_back();
    entered.name = who;
    entered.bytes = bytes;
    return entered;
  }

  void demand(bool right, std::string_view name, std::string_view who) const {
    if (right) return;
    std::fprintf(stderr, "%s %.*s: %.*s does not give the right result\n", workload_.c_str(),
                 static_cast<int>(name.size()), name.data(), static_cast<int>(who.size()), who.data());
    std::exit(EXIT_FAILURE);
  }

  static double slice(contender& c, std::size_t turns) {
    const double start = thread_nanoseconds();
    c.work(c.next, turns);
    const double passed = thread_nanoseconds() - start;
    c.next += turns;
    return passed;
  }

  static void calibrate(contender& c) {
    double per_turn = 0;
    for (std::size_t turns = 1;; turns *= 4) { // also the first warm-up
      const double passed = slice(c, turns);
      per_turn = passed / static_cast<double>(turns);
      if (passed > slice_ns) break;
    }
    c.long_turns = per_turn >= long_ns;
    c.turns = std::max<std::size_t>(1, static_cast<std::size_t>(slice_ns / per_turn));
    c.warm_turns = std::min<std::size_t>(64, static_cast<std::size_t>(warm_ns / per_turn));
  }

  struct waited {
    double wall = 0, cpu = 0;
  };
  static waited waiting_slice(contender& c) {
    if (c.note.empty()) c.note = c.before();
    if (!c.note.empty()) return {};
    const auto start = std::chrono::steady_clock::now();
    const double cpu = thread_nanoseconds();
    c.work(c.next++, 1);
    const double own = thread_nanoseconds() - cpu;
    return {std::chrono::duration<double, std::nano>(std::chrono::steady_clock::now() - start).count(), own};
  }
  /// Times cases of `add_waiting`. A round has one turn if turns take 10 ms or more.
  void time_waiting(bench_case& one) const {
    double longest = 0;
    for (auto& c : one.contenders) longest = std::max(longest, waiting_slice(c).wall);
    const std::size_t in_round = longest >= long_ns ? 1 : max_ns_ != 0 ? 3 : slices;
    const auto start = std::chrono::steady_clock::now();
    // For long turns, the first turns above were the warm-up.
    for (std::size_t round = max_ns_ != 0 && in_round == 1 ? 1 : 0; round <= rounds_; ++round) {
      const std::chrono::duration<double, std::nano> passed = std::chrono::steady_clock::now() - start;
      if (max_ns_ != 0 && round > 3 && passed.count() > max_ns_) break;
      std::vector<std::vector<double>> wall(one.contenders.size()), cpu(one.contenders.size());
      for (std::size_t s = 0; s < in_round; ++s) {
        for (std::size_t k = 0; k < one.contenders.size(); ++k) {
          const std::size_t at = (k + s + round) % one.contenders.size();
          const waited taken = waiting_slice(one.contenders[at]);
          wall[at].push_back(taken.wall);
          cpu[at].push_back(taken.cpu);
        }
      }
      if (round == 0) continue;
      for (std::size_t k = 0; k < wall.size(); ++k) {
        if (!one.contenders[k].note.empty())
          // can't be timed any more; its earlier rounds have the same numbers as the base's
          continue;
        one.contenders[k].times.push_back(median(wall[k]));
        one.contenders[k].cpu.push_back(median(cpu[k]));
      }
    }
  }

  void time(bench_case& one) const {
    if (one.contenders.front().before) return time_waiting(one);
    for (auto& c : one.contenders) calibrate(c);
    // A round has one turn if turns take 10 ms or more.
    const bool is_long = std::ranges::any_of(one.contenders, [](const contender& c) { return c.long_turns; });
    const std::size_t in_round = is_long ? 1 : slices;
    for (std::size_t round = 0; round <= rounds_; ++round) {
      std::vector<std::vector<double>> taken(one.contenders.size());
      for (std::size_t s = 0; s < in_round; ++s) {
        for (std::size_t k = 0; k < one.contenders.size(); ++k) {
          const std::size_t at =
              // the order changes, so each contender runs after different ones
              (k + s + round) % one.contenders.size();
          contender& c = one.contenders[at];
          c.work(c.next, c.warm_turns);
          c.next += c.warm_turns;
          taken[at].push_back(slice(c, c.turns) / static_cast<double>(c.turns));
        }
      }
      if (round == 0) continue; // a round of warm-up
      // The median of the slices: an interrupted slice has lost its caches and branch history.
      for (std::size_t k = 0; k < taken.size(); ++k) one.contenders[k].times.push_back(median(taken[k]));
    }
  }

  static double median_ratio(const std::vector<double>& times, const std::vector<double>& reference) {
    std::vector<double> ratios;
    for (std::size_t i = 0; i < std::min(times.size(), reference.size()); ++i)
      ratios.push_back(times[i] / reference[i]);
    return median(std::move(ratios));
  }

  void report(const bench_case& one, std::vector<row>& rows) const {
    const contender* reference = nullptr;
    for (const auto& c : one.contenders) {
      if (c.name == one.base) reference = &c;
    }
    for (const auto& c : one.contenders) {
      row r{workload_, one.name, c.name, 0, one.base, 0, c.bytes, {}, 0, c.note};
      if (c.note.empty()) r.ns = median(c.times);
      if (reference != nullptr && c.note.empty() && reference->note.empty()) {
        r.ratio = median_ratio(c.times, reference->times);
        r.cpu_ratio = median_ratio(c.cpu, reference->cpu);
        if (c.times.empty() && reference->bytes != 0) { // rows without times compare bytes
          r.ratio = static_cast<double>(c.bytes) / static_cast<double>(reference->bytes);
        }
      }
      for (const auto& t : targets_) {
        if (t.name == r.name && t.contender == r.contender) r.limits = t.limits;
      }
      rows.push_back(std::move(r));
    }
  }

  std::string workload_;
  std::string base_;
  std::string only_;
  std::size_t rounds_;
  double max_ns_ = 0; ///< limit of a case of `add_waiting` in nanoseconds; 0: all rounds
  // a deque, so that references to cases stay valid while others are added
  std::deque<bench_case> cases_;
  std::vector<target_entry> targets_;
  std::vector<std::shared_ptr<void>> owned_;
};

} // namespace bench
