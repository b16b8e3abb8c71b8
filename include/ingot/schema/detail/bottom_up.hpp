// SPDX-License-Identifier: Apache-2.0
// Orders the nodes of a graph such that each node follows all nodes that it holds. Not recursive,
// linear time.
#pragma once

#include <ingot/core/detail/config.hpp>

#include <cstddef>
#include <cstdint>
#include <numeric>
#include <vector>

namespace ingot { inline namespace INGOT_V1 { namespace detail {

/// Returns the nodes in an order in which each node follows all nodes that it holds.
/// `for_each_held(f)` calls `f(holder, held)` for every edge. This function calls `for_each_held`
/// twice, and both calls must pass the same edges. The result lacks nodes that hold themselves,
/// directly or through other nodes, and all nodes that hold such a node.
template <class ForEachHeld>
[[nodiscard]] std::vector<std::uint32_t> bottom_up(std::size_t nodes, ForEachHeld&& for_each_held) {
  // for each node: number of nodes that it holds and that are not in the result yet
  std::vector<std::uint32_t> missing(nodes, 0);
  std::vector<std::uint32_t> first(nodes + 1, 0); // start of each node's holders in `holders`
  for_each_held([&](std::uint32_t holder, std::uint32_t held) {
    ++missing[holder];
    ++first[held + 1];
  });
  std::partial_sum(first.begin(), first.end(), first.begin());
  std::vector<std::uint32_t> holders(first.back());
  std::vector<std::uint32_t> filled(first.begin(), first.end() - 1);
  for_each_held([&](std::uint32_t holder, std::uint32_t held) { holders[filled[held]++] = holder; });
  std::vector<std::uint32_t> order;
  order.reserve(nodes);
  for (std::uint32_t i = 0; i < nodes; ++i) {
    if (missing[i] == 0) order.push_back(i);
  }
  for (std::size_t i = 0; i < order.size(); ++i) {
    for (std::uint32_t k = first[order[i]]; k < first[order[i] + 1]; ++k) {
      if (--missing[holders[k]] == 0) order.push_back(holders[k]);
    }
  }
  return order;
}

}}} // namespace ingot::INGOT_V1::detail
