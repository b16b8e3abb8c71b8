// SPDX-License-Identifier: Apache-2.0
// Compares two versions of a type: can data written with one version be read with the other
// version? Only the schemas are compared, so no data is needed. docs/evolution.md has the rules.
#pragma once

#include <ingot/schema/detail/evolving_graph.hpp>
#include <ingot/schema/detail/resolution.hpp>
#include <ingot/schema/schema.hpp>
#include <ingot/schema/schema_change.hpp>

#include <string>
#include <type_traits>

namespace ingot { inline namespace INGOT_V1 {

namespace detail {

/// Compares two schemas if at least one is empty. An empty schema is compatible only with another
/// empty schema.
inline compatibility compare_nothing(const schema& before, const schema& after) {
  if (before.empty() && after.empty()) return {};
  const auto name = [](const schema& side) {
    return side.empty() ? std::string("nothing") : part_name(side.root().attributes);
  };
  return compatibility(
      {{schema_change_kind::incompatible, {}, name(before), name(after), "a schema is empty"}}, true, false);
}

} // namespace detail

/// Returns whether data written with `before` can be read with `after`, and all differences.
/// Members are matched by their present names alone, because a description contains neither former
/// names nor earlier versions of the type. Time and memory are linear in the sizes of both schemas,
/// because the number of steps is limited: schemas that need more steps are reported as
/// incompatible. Throws `std::bad_alloc`.
[[nodiscard]] inline compatibility compatible(const schema& before, const schema& after) {
  if (before.empty() || after.empty()) return detail::compare_nothing(before, after);
  const detail::evolving_graph from = detail::graph_of(before);
  const detail::evolving_graph to = detail::graph_of(after);
  return detail::resolver(from, to).run();
}

/// Compares a schema with the schema of a type. Uses the type's `renamed_from` and `previous`. Time
/// and memory are linear in the sizes of both schemas.
template <class T>
[[nodiscard]] compatibility compatible(const schema& before) {
  static_assert(detail::require_storable<std::remove_const_t<T>>());
  if (before.empty()) return detail::compare_nothing(before, schema_of<T>());
  const detail::evolving_graph from = detail::graph_of(before);
  const detail::evolving_graph to =
      detail::graph_of_type(detail::type_grapher<detail::no_codec>::draw<std::remove_const_t<T>>);
  return detail::resolver(from, to).run();
}

}} // namespace ingot::INGOT_V1
