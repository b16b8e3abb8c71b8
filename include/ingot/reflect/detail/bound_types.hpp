// SPDX-License-Identifier: Apache-2.0
// The types of a class's members, as structured bindings find them. The table of arities
// (arity_table.hpp) returns them to the front end for aggregates; where the compiler has packs in
// structured bindings, aggregate.hpp finds them by a pack.
#pragma once

#include <ingot/core/detail/config.hpp>

namespace ingot { inline namespace INGOT_V1 { namespace detail {

/// The declared types of the members, and whether references to all of them can be formed (to
/// bit-fields they can't).
template <bool Referable, class... Ts>
struct bound_types_if {};
template <class... Ts>
void refer_to(Ts&...);

}}} // namespace ingot::INGOT_V1::detail
