// SPDX-License-Identifier: Apache-2.0
// The types of a class's members, deduced with structured bindings. The table of arities
// (arity_table.hpp) passes them to the front end for aggregates. If the compiler has packs in
// structured bindings, aggregate.hpp deduces them with a pack and needs no table.
#pragma once

#include <ingot/core/detail/config.hpp>

namespace ingot { inline namespace INGOT_V1 { namespace detail {

/// The declared types of the members. `Referable` is true if references to all members can be
/// formed. It is false if a member is a bit-field.
template <bool Referable, class... Ts>
struct bound_types_if {};
template <class... Ts>
void refer_to(Ts&...);

}}} // namespace ingot::INGOT_V1::detail
