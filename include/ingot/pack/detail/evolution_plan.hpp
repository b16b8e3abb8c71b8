// SPDX-License-Identifier: Apache-2.0
// Computes the plan for reading old bytes into a type, from the old schema and the type.
#pragma once

#include <ingot/core/error.hpp>
#include <ingot/pack/detail/evolution_writer.hpp>
#include <ingot/schema/compatible.hpp>
#include <ingot/schema/detail/part_name.hpp>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace ingot { inline namespace INGOT_V1 { namespace detail {

/// Stores the default of each member that old data may lack. Old data lacks members that did not
/// exist yet, and members that were left out because they equal their default.
inline void make_defaults(evolution_plan& plan) {
  plan.defaults.resize(plan.to.nodes.size());
  for (const resolved_pair& pair : plan.pairs) {
    const evolving_node& target = plan.to.nodes[pair.to];
    if (pair.how != resolved_pair::step::convert || target.type == nullptr || !target.type->has_defaults)
      continue;
    const bool may_lack_any = plan.from.nodes[pair.from].attributes.has(schema_flag::elides_defaults);
    auto& defaults = plan.defaults[pair.to];
    defaults.resize(target.children.size());
    for (std::size_t j = 0; j < pair.links.size(); ++j) {
      const bool is_set = j == 0 && pair.sets_version;
      if (defaults[j].empty() && !is_set &&
          (may_lack_any || pair.links[j].unwraps || pair.links[j].source == resolved_link::none))
        defaults[j] = target.type->codec->make_default(j);
    }
  }
}

/// Returns the number of members and the first names: "3 members: name, level, items".
[[nodiscard]] inline std::string members_text(const evolving_node& record) {
  std::string text = std::to_string(record.children.size());
  text += record.children.size() == 1 ? " member: " : " members: ";
  for (std::size_t i = 0; i < record.children.size() && text.size() < 60; ++i)
    (text += i == 0 ? "" : ", ") += truncated_name(record.children[i].name);
  return text;
}
/// Returns the error for two records without a common member: the data has another type.
[[nodiscard]] INGOT_COLD inline error unlike_records(const evolving_graph& before,
                                                     const evolving_graph& current) {
  const evolving_node& written = before.nodes[before.root];
  const std::string name = written.name.empty() ? "none of them, but " : written.name + " with ";
  return error(errc::schema_mismatch)
      .with_expected("any of " + members_text(current.nodes[current.root]))
      .with_found(name + members_text(written));
}
/// Returns an error about the first difference that prevents reading, with the old and the new
/// part.
inline error first_obstacle(const compatibility& answer, const evolving_graph& before,
                            const evolving_graph& current) {
  for (const schema_change& each : answer.changes()) {
    if (each.kind != schema_change_kind::incompatible) continue;
    if (each.path.empty() && each.reason == no_common_member) return unlike_records(before, current);
    error err(errc::schema_mismatch);
    err.with_expected("a type readable as " + each.after + ": " + each.reason).with_found(each.before);
    if (!each.path.empty()) err.in_member(each.path);
    return err;
  }
  return error(errc::schema_mismatch);
}

/// Returns the plan for reading old data into a type. `before` is the graph of the old schema, and
/// `current` the graph of the type. Errors: `schema_mismatch` if the data can't be read as the
/// type.
[[nodiscard]] inline result<std::shared_ptr<const evolution_plan>> plan_evolution(evolving_graph&& before,
                                                                                  evolving_graph&& current) {
  auto plan = std::make_shared<evolution_plan>();
  plan->from = std::move(before);
  plan->to = std::move(current);
  resolver resolver(plan->from, plan->to);
  const compatibility answer = resolver.run();
  if (!answer) return fail(first_obstacle(answer, plan->from, plan->to));
  plan->pairs = resolver.take_pairs();
  make_defaults(*plan);
  plan->before.emplace(plan->from);
  plan->after.emplace(plan->to);
  return plan;
}

}}} // namespace ingot::INGOT_V1::detail
