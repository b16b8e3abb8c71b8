// SPDX-License-Identifier: Apache-2.0
// Containers whose elements are found by links, for layers that know containers only by what they can do.
#pragma once

#include <ingot/core/detail/config.hpp>

#include <concepts>

namespace ingot { inline namespace INGOT_V1 { namespace detail {

/// A list of its elements has no holes, so that what has read it gives them the links they had only if they had come one after the other,
/// and none was ever erased.
template <class C>
concept provides_links = requires(const C& from) {
  typename C::ref_type;
  { from.was_only_filled() } -> std::same_as<bool>;
};

/// What is asked of one before it becomes a list.
inline constexpr const char* only_filled_pool =
    "a pool that never had an object erased: its links would lead to other objects";

}}} // namespace ingot::INGOT_V1::detail
