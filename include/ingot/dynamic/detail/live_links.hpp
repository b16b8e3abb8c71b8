// SPDX-License-Identifier: Apache-2.0
// Checks whether links of an older block find the same objects in the new block. A link consists of
// an index and a generation, and these are equal for the first objects of all pools. So if a pool
// were dropped, its links would find objects of another pool.
#pragma once

#include <ingot/core/error.hpp>
#include <ingot/pack/detail/evolution_plan.hpp>
#include <ingot/schema/detail/resolution.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace ingot { inline namespace INGOT_V1 { namespace detail::dyn {

/// Returns for each part whether it is or contains a pool.
[[nodiscard]] inline std::vector<bool> parts_with_pools(const evolving_graph& graph) {
  std::vector<std::vector<std::uint32_t>> holders(graph.nodes.size());
  std::vector<bool> with(graph.nodes.size());
  std::vector<std::uint32_t> found;
  for (std::uint32_t i = 0; i < graph.nodes.size(); ++i) {
    for (const evolving_child& each : graph.nodes[i].children) holders[each.node].push_back(i);
    if (!graph.nodes[i].is_pool) continue;
    with[i] = true;
    found.push_back(i);
  }
  while (!found.empty()) {
    const std::uint32_t part = found.back();
    found.pop_back();
    for (const std::uint32_t holder : holders[part]) {
      if (with[holder]) continue;
      with[holder] = true;
      found.push_back(holder);
    }
  }
  return with;
}

/// Returns an error if links would be lost or would find wrong objects. The first check rejects a
/// plan that reads only one of a link's two members, or none. If the plan reads links, the second
/// check rejects a pool that is dropped or becomes another sequence. Links don't store to which
/// pool they belong, so they would find objects of another pool.
[[nodiscard]] inline result<void> preserves_links(const evolution_plan& plan) {
  const auto reject = [&](std::uint32_t pair, std::string_view last, std::string_view expected,
                          std::string_view found) {
    error err(errc::schema_mismatch);
    err.with_expected(expected).with_found(found);
    if (const std::string path = path_of(plan.pairs, pair, last); !path.empty()) err.in_member(path);
    return fail(err);
  };
  const auto takes = [](const resolved_pair& pair, std::size_t member) {
    return std::any_of(pair.links.begin(), pair.links.end(),
                       [&](const resolved_link& each) { return each.source == member; });
  };
  bool reads_links = false;
  for (std::uint32_t i = 0; i < plan.pairs.size(); ++i) {
    const resolved_pair& pair = plan.pairs[i];
    if (!plan.from.nodes[pair.from].is_link || pair.how != resolved_pair::step::convert) continue;
    if (!takes(pair, 0) || !takes(pair, 1))
      return reject(i, {}, "a type that a link can be read as: a ref, or a record with its two members",
                    "ref");
    reads_links = true;
  }
  if (!reads_links) return {};
  const std::vector<bool> with_pools = parts_with_pools(plan.from);
  constexpr std::string_view wanted = "a pool here too: without it, links would lead to other objects";
  for (std::uint32_t i = 0; i < plan.pairs.size(); ++i) {
    const resolved_pair& pair = plan.pairs[i];
    if (pair.how != resolved_pair::step::convert) continue;
    const evolving_node& before = plan.from.nodes[pair.from];
    if (before.is_pool && !plan.to.nodes[pair.to].is_pool) return reject(i, {}, wanted, "another sequence");
    if (before.attributes.kind != schema_kind::record) continue;
    std::vector<bool> is_read(before.children.size());
    for (const resolved_link& each : pair.links) {
      if (each.source != resolved_link::none) is_read[each.source] = true;
    }
    for (std::size_t k = 0; k < before.children.size(); ++k) {
      if (!is_read[k] && with_pools[before.children[k].node])
        return reject(i, "." + truncated_name(before.children[k].name), wanted, "no such member");
    }
  }
  return {};
}

}}} // namespace ingot::INGOT_V1::detail::dyn
