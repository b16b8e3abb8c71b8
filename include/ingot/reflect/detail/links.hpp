// SPDX-License-Identifier: Apache-2.0
// Containers whose elements refer to each other by links (pools). Layers that do not include these
// containers recognise them by their operations.
#pragma once

#include <ingot/core/detail/config.hpp>

#include <concepts>

namespace ingot { inline namespace INGOT_V1 { namespace detail {

/// A container that can be stored as a list. Such a list has no free slots, so a reader that fills
/// a container from the list assigns links by position. These links equal the original links only
/// if no element was ever erased.
template <class C>
concept provides_links = requires(const C& from) {
  typename C::ref_type;
  { from.was_only_filled() } -> std::same_as<bool>;
};

/// The expectation of the error for a pool that can't be stored as a list, because an object was
/// erased from it.
inline constexpr const char* only_filled_pool =
    "a pool that never had an object erased: its links would lead to other objects";

}}} // namespace ingot::INGOT_V1::detail
