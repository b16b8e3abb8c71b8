// SPDX-License-Identifier: Apache-2.0
// Containers whose elements refer to each other by links (pools). Layers that do not include these
// containers recognise them by their operations.
#pragma once

#include <ingot/core/detail/config.hpp>

#include <concepts>

namespace ingot { inline namespace INGOT_V1 { namespace detail {

/// A container with links, such as a pool. Messages store its objects as a list without free slots,
/// and a reader assigns links by the position in the list. These links equal the original links
/// only if no element was ever erased.
template <class C>
concept provides_links = requires(const C& from) {
  typename C::ref_type;
  { from.was_only_filled() } -> std::same_as<bool>;
};

/// The text of `error::expected()` for a pool that can't be stored as a list, because an object was
/// erased from the pool.
inline constexpr const char* only_filled_pool =
    "a pool that never had an object erased: its links would lead to other objects";

}}} // namespace ingot::INGOT_V1::detail
