// SPDX-License-Identifier: Apache-2.0
// Runs contenders against each other. Absolute times drift with the machine's clock and its neighbours, so all
// contenders of a case take turns in short slices, and what is reported is the median over rounds of the ratio
// within a round.
#pragma once

#include "clock.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <deque>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

namespace bench {

/// The most that a row may show; 0 = nothing stated.
struct goal {
  double ratio = 0;
  double ns = 0;
  std::size_t bytes = 0;
};

/// One line of the result; `ratio` is to the contender named in `base`, `bytes` is the encoded size (0 = none).
struct row {
  std::string workload;
  std::string name;
  std::string contender;
  double ns = 0;
  std::string base;
  double ratio = 0;
  std::size_t bytes = 0;
  goal most;
};

inline double median(std::vector<double> values) {
  if (values.empty()) return 0;
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

class suite {
public:
  /// `base` is the contender that ratios refer to where a case names no other.
  suite(std::string workload, std::string base, std::size_t rounds)
      : workload_(std::move(workload)), base_(std::move(base)), rounds_(rounds) {}

  /// An object that lives as long as the suite. Turns refer to it; what they capture must be cheap to copy.
  template <class T>
  T& make() {
    auto made = std::make_shared<T>();
    owned_.push_back(made);
    return *made;
  }

  /// Enters a contender: `turn(i)` is one piece of work, called with i counting up; data is chosen by it.
  /// `proof()` tells whether the work is right and runs before anything is timed; a false ends the program.
  template <class Turn, class Proof>
    requires std::is_trivially_copyable_v<Turn>
  void add(std::string_view name, std::string_view contender, std::size_t bytes, Turn turn, Proof proof) {
    if (!proof()) {
      std::fprintf(stderr, "%s %.*s: %.*s does not give the right result\n", workload_.c_str(),
                   static_cast<int>(name.size()), name.data(), static_cast<int>(contender.size()),
                   contender.data());
      std::exit(EXIT_FAILURE);
    }
    auto& entered = enter(name, contender, bytes);
    // the loop is compiled together with the turn: one indirect call per slice; the copy keeps captures in registers
    entered.work = [turn](std::size_t first, std::size_t count) {
      Turn local = turn;
      for (std::size_t i = first; i != first + count; ++i) local(i);
    };
  }
  /// For what times itself: one figure in nanoseconds per round. Without any the ratios are those of the bytes.
  void add_measured(std::string_view name, std::string_view contender, std::size_t bytes,
                    std::vector<double> rounds) {
    enter(name, contender, bytes).times = std::move(rounds);
  }
  void base(std::string_view name, std::string_view contender) { find(name).base = contender; }
  void target(std::string_view name, std::string_view contender, goal most) {
    targets_.push_back({std::string(name), std::string(contender), most});
  }
  [[nodiscard]] std::size_t rounds() const { return rounds_; }

  /// Times every case and returns its rows, cases and contenders in the order of entry.
  std::vector<row> run() {
    std::vector<row> rows;
    for (auto& one : cases_) {
      if (one.contenders.front().work) time(one);
      report(one, rows);
    }
    return rows;
  }

private:
  struct contender {
    std::string name;
    std::size_t bytes = 0;
    std::function<void(std::size_t first, std::size_t count)> work;
    std::vector<double> times;  // nanoseconds a turn, one per round
    std::size_t next = 0;       // the next turn
    std::size_t turns = 1;      // in one slice
    std::size_t warm_turns = 0; // before the clock starts: other contenders have had the caches
  };
  struct bench_case {
    std::string name;
    std::string base;
    std::vector<contender> contenders;
  };
  struct target_entry {
    std::string name;
    std::string contender;
    goal most;
  };

  static constexpr double slice_ns = 200'000;
  static constexpr double warm_ns = 20'000;
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

  static double slice(contender& c, std::size_t turns) {
    const double start = thread_nanoseconds();
    c.work(c.next, turns);
    const double passed = thread_nanoseconds() - start;
    c.next += turns;
    return passed;
  }

  static void calibrate(contender& c) {
    double per_turn = 0;
    for (std::size_t turns = 1;; turns *= 4) { // doubles as the first warm-up
      const double passed = slice(c, turns);
      per_turn = passed / static_cast<double>(turns);
      if (passed > slice_ns) break;
    }
    c.turns = std::max<std::size_t>(1, static_cast<std::size_t>(slice_ns / per_turn));
    c.warm_turns = std::min<std::size_t>(64, static_cast<std::size_t>(warm_ns / per_turn));
  }

  void time(bench_case& one) const {
    for (auto& c : one.contenders) calibrate(c);
    for (std::size_t round = 0; round <= rounds_; ++round) {
      std::vector<std::vector<double>> taken(one.contenders.size());
      for (std::size_t s = 0; s < slices; ++s) {
        for (std::size_t k = 0; k < one.contenders.size(); ++k) {
          const std::size_t at =
              (k + s + round) % one.contenders.size(); // nobody is always after the same one
          contender& c = one.contenders[at];
          c.work(c.next, c.warm_turns);
          c.next += c.warm_turns;
          taken[at].push_back(slice(c, c.turns) / static_cast<double>(c.turns));
        }
      }
      if (round == 0) continue; // a whole round of warm-up
      // the median again: a slice that was interrupted found its caches and branch history gone
      for (std::size_t k = 0; k < taken.size(); ++k) one.contenders[k].times.push_back(median(taken[k]));
    }
  }

  void report(const bench_case& one, std::vector<row>& rows) const {
    const contender* reference = nullptr;
    for (const auto& c : one.contenders) {
      if (c.name == one.base) reference = &c;
    }
    for (const auto& c : one.contenders) {
      row r{workload_, one.name, c.name, median(c.times), one.base, 0, c.bytes, {}};
      if (reference != nullptr) {
        std::vector<double> ratios;
        for (std::size_t i = 0; i < std::min(c.times.size(), reference->times.size()); ++i) {
          ratios.push_back(c.times[i] / reference->times[i]);
        }
        r.ratio = median(std::move(ratios));
        if (c.times.empty() && reference->bytes != 0) { // what isn't timed is measured in bytes
          r.ratio = static_cast<double>(c.bytes) / static_cast<double>(reference->bytes);
        }
      }
      for (const auto& t : targets_) {
        if (t.name == r.name && t.contender == r.contender) r.most = t.most;
      }
      rows.push_back(std::move(r));
    }
  }

  std::string workload_;
  std::string base_;
  std::size_t rounds_;
  std::deque<bench_case> cases_; // a deque: references to cases stay valid while others are added
  std::vector<target_entry> targets_;
  std::vector<std::shared_ptr<void>> owned_;
};

} // namespace bench
