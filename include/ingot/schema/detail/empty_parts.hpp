// SPDX-License-Identifier: Apache-2.0
// Finds the parts of a schema that take no bytes. Readers limit the number of such elements in a
// message.
#pragma once

#include <ingot/schema/detail/bottom_up.hpp>
#include <ingot/schema/detail/evolving_graph.hpp>
#include <ingot/schema/fingerprint.hpp>

#include <algorithm>
#include <cstdint>
#include <vector>

namespace ingot { inline namespace INGOT_V1 { namespace detail {

/// Returns for each part whether it takes no bytes in packed messages.
[[nodiscard]] inline std::vector<bool> empty_parts(const evolving_graph& graph) {
  const auto may_be_empty = [&](const evolving_node& node) {
    return node.attributes.kind == schema_kind::tuple || node.attributes.kind == schema_kind::array ||
           (node.attributes.kind == schema_kind::record && !node.attributes.has(schema_flag::is_evolvable));
  };
  std::vector<bool> empty(graph.nodes.size());
  const auto holdings = [&](auto&& f) {
    for (std::uint32_t i = 0; i < graph.nodes.size(); ++i) {
      if (!may_be_empty(graph.nodes[i])) continue;
      for (const evolving_child& child : graph.nodes[i].children) f(i, child.node);
    }
  };
  for (const std::uint32_t i : bottom_up(graph.nodes.size(), holdings)) {
    const evolving_node& node = graph.nodes[i];
    empty[i] = (may_be_empty(node) && std::all_of(node.children.begin(), node.children.end(),
                                                  [&](const auto& child) { return empty[child.node]; })) ||
               ((node.attributes.kind == schema_kind::array || node.attributes.kind == schema_kind::bitset) &&
                node.attributes.extent == 0);
  }
  return empty;
}

}}} // namespace ingot::INGOT_V1::detail
