// SPDX-License-Identifier: Apache-2.0
// What structured bindings tell about a class: handed from the table of arities, or from packs, to the front end.
#pragma once

#include <ingot/core/detail/config.hpp>

namespace ingot { inline namespace INGOT_V1 { namespace detail {

/// Whether references to all members can be formed (to bit-fields they can't), and the members' declared types.
template <bool Referable, class... Ts>
struct bound_types_if {};
template <class... Ts>
void refer_to(Ts&...);

}}} // namespace ingot::INGOT_V1::detail
