// SPDX-License-Identifier: Apache-2.0
// Can what was written with one version of a type be read with another? Answered from the schemas alone, before there is any
// data; docs/evolution.md has the rules.
#pragma once

#include <ingot/schema/detail/evolving_graph.hpp>
#include <ingot/schema/detail/resolution.hpp>
#include <ingot/schema/schema.hpp>
#include <ingot/schema/schema_change.hpp>

#include <string>
#include <type_traits>

namespace ingot::inline v1 {

namespace detail {

/// Nothing can be read only as nothing.
inline compatibility compare_nothing(const schema& before, const schema& after) {
  if (before.empty() && after.empty()) return {};
  const auto name = [](const schema& side) {
    return side.empty() ? std::string("nothing") : part_name(side.root().facts);
  };
  return compatibility(
      {{schema_change_kind::incompatible, {}, name(before), name(after), "a schema is empty"}}, true, false);
}

} // namespace detail

/// Whether data written with `before` are read with `after`, and all that differs. A description says neither what members
/// were called formerly nor what the type was before: members are matched by name alone. Time and memory linear in both schemas; of schemas made to take longer the answer is no. Throws `std::bad_alloc`.
[[nodiscard]] inline compatibility compatible(const schema& before, const schema& after) {
  if (before.empty() || after.empty()) return detail::compare_nothing(before, after);
  const detail::evolving_graph from = detail::graph_of(before);
  const detail::evolving_graph to = detail::graph_of(after);
  return detail::resolver(from, to).run();
}

/// The same for a type, with what it says of its past: `renamed_from`, `previous`.
template <class T>
[[nodiscard]] compatibility compatible(const schema& before) {
  static_assert(detail::require_storable<std::remove_const_t<T>>());
  if (before.empty()) return detail::compare_nothing(before, schema_of<T>());
  const detail::evolving_graph from = detail::graph_of(before);
  const detail::evolving_graph to = detail::type_grapher<detail::no_codec>::draw<std::remove_const_t<T>>();
  return detail::resolver(from, to).run();
}

} // namespace ingot::inline v1
