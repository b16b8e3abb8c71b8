// SPDX-License-Identifier: Apache-2.0
// The types that structured bindings find in a class. The table of arities, or packs, pass them to
// the front end.
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
