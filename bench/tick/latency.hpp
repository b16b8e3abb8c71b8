// SPDX-License-Identifier: Apache-2.0
// latency-p50 to p999: a million messages timed one by one. The times include reading the clock,
// which the contender `null` shows alone. They are wall time, since no CPU-time clock is fine
// enough for one message.
#pragma once

#include "../harness/clock.hpp"
#include "workload.hpp"

#include <algorithm>
#include <cstdint>
#include <functional>
#include <string>
#include <utility>
#include <vector>

namespace bench {

/// A contender. Times `count` messages from number `first`, and adds one sample (clock units) for
/// each.
struct latency_contender {
  std::string name;
  std::function<void(std::size_t first, std::size_t count, std::vector<std::uint32_t>& samples)> work;
};

inline std::vector<latency_contender>& latency_contenders() {
  static std::vector<latency_contender> all;
  return all;
}

/// Adds a contender whose message is one tick, written into a buffer with enough capacity and read
/// back.
template <class C>
void enter_tick_latency(suite& all, std::string_view name) {
  struct state {
    std::vector<tick> values = draw_many<tick>(tick_values, 3);
    typename C::growable growable;
  };
  auto* const p = &all.make<state>();
  C::reserve(p->growable, 4096);
  latency_contenders().push_back(
      {std::string(name), [p](std::size_t first, std::size_t count, std::vector<std::uint32_t>& samples) {
         for (std::size_t i = first; i != first + count; ++i) {
           tick back;
           const std::uint64_t start = fine_ticks();
           p->growable.clear();
           keep(C::put(p->growable, p->values[i % tick_values]));
           escape(p->growable.data());
           keep(C::get(content<C>(p->growable, p->values[i % tick_values]), back));
           escape(&back);
           samples.push_back(static_cast<std::uint32_t>(fine_ticks() - start));
         }
       }});
}

/// Times all contenders in alternating blocks, and adds the percentiles of each round.
inline void enter_latencies(suite& all) {
  constexpr std::size_t messages = 1'000'000;
  constexpr std::size_t block = 10'000;
  constexpr std::array<std::pair<const char*, double>, 4> points{
      {{"latency-p50", 0.50}, {"latency-p95", 0.95}, {"latency-p99", 0.99}, {"latency-p999", 0.999}}};
  auto& contenders = latency_contenders();
  std::vector<std::vector<std::uint32_t>> samples(contenders.size());
  std::vector<std::array<std::vector<double>, points.size()>> figures(contenders.size());
  for (std::size_t round = 0; round <= all.rounds(); ++round) { // round 0 is the warm-up
    for (auto& list : samples) {
      list.clear();
      list.reserve(messages);
    }
    for (std::size_t first = 0; first < messages; first += block) {
      for (std::size_t k = 0; k < contenders.size(); ++k) {
        const std::size_t at = (k + first / block) % contenders.size();
        contenders[at].work(first, block, samples[at]);
      }
    }
    if (round == 0) continue;
    for (std::size_t k = 0; k < contenders.size(); ++k) {
      for (std::size_t p = 0; p < points.size(); ++p) {
        const auto rank = static_cast<std::ptrdiff_t>(points[p].second * messages);
        std::nth_element(samples[k].begin(), samples[k].begin() + rank, samples[k].end());
        figures[k][p].push_back(samples[k][static_cast<std::size_t>(rank)] * ticks_to_nanoseconds());
      }
    }
  }
  for (std::size_t p = 0; p < points.size(); ++p) {
    for (std::size_t k = 0; k < contenders.size(); ++k) {
      all.add_measured(points[p].first, contenders[k].name, 0, figures[k][p]);
    }
  }
}

} // namespace bench
