// SPDX-License-Identifier: Apache-2.0
// A link to an object in a pool: the number of a slot, and the generation, which identifies one of
// the objects that this slot has held. A link contains no address and no offset, so it is copied,
// sent and stored like a number. A link finds only the object for which it was created.
#pragma once

#include <ingot/core/detail/light_standard.hpp>
#include <ingot/live/policy.hpp>
#include <ingot/reflect/detail/own_name.hpp>

#include <compare>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <type_traits>

namespace ingot { inline namespace INGOT_V1 {

/// The result of `pool::add`, and the argument of `pool::get`. A default-constructed `basic_ref`
/// links to nothing.
template <class T, block_policy P = narrow_policy>
struct basic_ref {
  std::uint32_t index = 0;
  std::uint32_t generation = 0; ///< odd; 0 means that this links to nothing

  /// Returns true if this is a link. Only the pool knows whether the object still exists.
  explicit constexpr operator bool() const noexcept { return generation != 0; }
  friend constexpr bool operator==(const basic_ref&, const basic_ref&) = default;
  friend constexpr auto operator<=>(const basic_ref&, const basic_ref&) = default;
};

/// Link to an object in a block with 32-bit offsets.
template <class T>
using ref = basic_ref<T, narrow_policy>;
namespace wide {
/// Link to an object in a block with 64-bit offsets.
template <class T>
using ref = basic_ref<T, wide_policy>;
} // namespace wide

template <class T, block_policy P>
inline constexpr std::string_view detail::alias_name<basic_ref<T, P>> = "ref";

static_assert(sizeof(ref<int>) == 8 && std::is_trivially_copyable_v<ref<int>>);

}} // namespace ingot::INGOT_V1

template <class T, ingot::block_policy P>
struct std::hash<ingot::basic_ref<T, P>> {
  [[nodiscard]] std::size_t operator()(const ingot::basic_ref<T, P>& link) const noexcept {
    return std::hash<std::uint64_t>{}(std::uint64_t{link.generation} << 32 | link.index);
  }
};
