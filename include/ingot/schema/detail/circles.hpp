// SPDX-License-Identifier: Apache-2.0
// Finds the nodes of a graph that hold themselves. Not recursive, linear time.
#pragma once

#include <ingot/core/detail/config.hpp>
#include <ingot/core/detail/light_standard.hpp>

#include <cstddef>
#include <cstdint>
#include <numeric>
#include <vector>

namespace ingot { inline namespace INGOT_V1 { namespace detail {

/// Returns for each node whether it holds itself, directly or through other nodes. `for_each_held`
/// is as in `bottom_up`. The algorithm is Tarjan's, from "Depth-first search and linear graph
/// algorithms" (1972).
template <class ForEachHeld>
[[nodiscard]] std::vector<bool> in_circles(std::size_t nodes, ForEachHeld&& for_each_held) {
  std::vector<std::uint32_t> first(nodes + 1, 0); // start of each node's held nodes in `held`
  std::vector<bool> found(nodes, false);
  for_each_held([&](std::uint32_t holder, std::uint32_t) { ++first[holder + 1]; });
  std::partial_sum(first.begin(), first.end(), first.begin());
  std::vector<std::uint32_t> held(first.back());
  std::vector<std::uint32_t> next(first.begin(), first.end() - 1);
  for_each_held([&](std::uint32_t holder, std::uint32_t what) {
    held[next[holder]++] = what;
    if (holder == what) found[holder] = true;
  });
  next.assign(first.begin(), first.end() - 1);
  std::vector<std::uint32_t> met(nodes, 0); // time of the first visit, from 1; 0: not visited
  // for each node: `met` of the earliest visited node that is known to be in a cycle with the node
  std::vector<std::uint32_t> lowest(nodes, 0);
  std::vector<bool> waits(nodes, false);
  std::vector<std::uint32_t> waiting; // nodes whose cycle is not completely known
  std::vector<std::uint32_t> path;
  std::uint32_t time = 0;
  const auto enter = [&](std::uint32_t node) {
    met[node] = lowest[node] = ++time;
    path.push_back(node);
    waiting.push_back(node);
    waits[node] = true;
  };
  for (std::uint32_t start = 0; start < nodes; ++start) {
    if (met[start] != 0) continue;
    enter(start);
    while (!path.empty()) {
      const std::uint32_t at = path.back();
      if (next[at] != first[at + 1]) {
        const std::uint32_t what = held[next[at]++];
        if (met[what] == 0) enter(what);
        else if (waits[what]) lowest[at] = std::min(lowest[at], met[what]);
        continue;
      }
      path.pop_back();
      if (!path.empty()) lowest[path.back()] = std::min(lowest[path.back()], lowest[at]);
      if (lowest[at] != met[at]) continue;
      const bool alone = waiting.back() == at;
      for (std::uint32_t one = at + 1; one != at;) {
        one = waiting.back();
        waiting.pop_back();
        waits[one] = false;
        if (!alone) found[one] = true;
      }
    }
  }
  return found;
}

}}} // namespace ingot::INGOT_V1::detail
