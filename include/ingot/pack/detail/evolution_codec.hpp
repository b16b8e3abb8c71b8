// SPDX-License-Identifier: Apache-2.0
// The functions that evolution needs from the type that it reads into: the encodings of defaults,
// and upgrades from the previous version of a record. Everything else depends on schemas and bytes
// alone.
#pragma once

#include <ingot/core/buffer.hpp>
#include <ingot/core/bytes.hpp>
#include <ingot/core/error.hpp>
#include <ingot/pack/pack.hpp>
#include <ingot/pack/unpack.hpp>
#include <ingot/reflect/detail/temporary.hpp>
#include <ingot/schema/detail/type_graph.hpp>
#include <ingot/schema/previous.hpp>

#include <array>
#include <cstddef>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

namespace ingot { inline namespace INGOT_V1 { namespace detail {

/// The functions of a record type that evolution calls.
struct record_codec {
  using make_default = std::vector<std::byte> (*)();
  /// for each stored member: a function that returns the payload of its default
  std::span<const make_default> defaults;
  result<std::vector<std::byte>> (*upgrade)(
      bytes_view); ///< converts a message of the previous type to one of this type; or null
};

template <class T, std::size_t I>
std::vector<std::byte> default_payload() {
  temporary<T> fresh;
  member_type<T, I>& member = *pointer_at<I>(part_pointers(*fresh));
  if constexpr (member_has<T, I, default_value_t>) assign_default<T, I>(member);
  return packed_key<member_type<T, I>>(member);
}
template <class T>
inline constexpr auto default_makers = []<std::size_t... I>(std::index_sequence<I...>) {
  std::array<record_codec::make_default, described_member_count<T>()> all{};
  if constexpr (std::is_default_constructible_v<T>) {
    [[maybe_unused]] std::size_t n = 0;
    [[maybe_unused]] const auto one = [&]<std::size_t J>(std::integral_constant<std::size_t, J>) {
      if constexpr (!member_has<T, J, skip_t>) all[n++] = default_payload<T, J>;
    };
    (one(std::integral_constant<std::size_t, I>{}), ...);
  }
  return all;
}(std::make_index_sequence<member_count<T>>{});

template <class T>
[[nodiscard]] result<std::vector<std::byte>> upgrade_message(bytes_view earlier) {
  using before = typename previous<T>::type;
  result<buffer> bytes = fail(errc::invalid_value);
  if constexpr (upgrades_in_place<T>) {
    temporary<before> old(earlier.size());
    if (auto read = unpack_into(*old, earlier); !read) return fail(read.error());
    temporary<T> upgraded(earlier.size());
    if (auto done = upgrade_previous<T>(std::as_const(*old), *upgraded); !done) return fail(done.error());
    bytes = pack(*upgraded);
  } else {
    static_assert(std::is_move_constructible_v<T> && std::is_move_constructible_v<before>,
                  "ingot: objects in a block are upgraded in place: give ingot::previous an upgrade(const "
                  "before& old, T& made)");
    result<before> old = unpack<before>(earlier);
    if (!old) return fail(old.error());
    const result<T> upgraded = upgrade_previous<T>(std::move(*old));
    if (!upgraded) return fail(upgraded.error());
    bytes = pack(*upgraded);
  }
  if (!bytes) return fail(bytes.error());
  const bytes_view view = as_bytes_view(*bytes);
  return std::vector<std::byte>(view.begin(), view.end());
}
template <class T>
consteval auto upgrade_of() -> result<std::vector<std::byte>> (*)(bytes_view) {
  if constexpr (has_previous<T>) return upgrade_message<T>;
  else return nullptr;
}

struct packed_codec {
  template <class T>
  static constexpr record_codec codec{default_makers<T>, upgrade_of<T>()};
  template <class T>
  static constexpr const record_codec* of = &codec<T>;
};

/// Draws the graph of a type that packed bytes are read into.
template <class T>
inline constexpr type_drawer draw_type = type_grapher<packed_codec>::draw<std::remove_const_t<T>>;

}}} // namespace ingot::INGOT_V1::detail
