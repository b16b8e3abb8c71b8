// SPDX-License-Identifier: Apache-2.0
// The functions of the target type that evolution calls: encodings of defaults, and upgrades from
// the previous version of a record. All other code of evolution depends only on schemas and bytes.
#pragma once

#include <ingot/core/buffer.hpp>
#include <ingot/core/bytes.hpp>
#include <ingot/core/error.hpp>
#include <ingot/pack/detail/encoder.hpp>
#include <ingot/pack/pack.hpp>
#include <ingot/pack/unpack.hpp>
#include <ingot/reflect/detail/temporary.hpp>
#include <ingot/schema/detail/type_graph.hpp>
#include <ingot/schema/previous.hpp>

#include <array>
#include <cstddef>
#include <type_traits>
#include <utility>
#include <vector>

namespace ingot { inline namespace INGOT_V1 { namespace detail {

/// The functions of a record type that evolution calls.
struct record_codec {
  /// returns the payload of the default of a stored member; null if the type has no defaults
  std::vector<std::byte> (*make_default)(std::size_t member);
  result<std::vector<std::byte>> (*upgrade)(
      bytes_view); ///< converts a message of the previous type; null if there is no previous type
};

/// Returns the payload of `value`. Requires that the value can be encoded.
[[nodiscard]] inline std::vector<std::byte> encoded_payload(const encoder& type, const void* value) {
  progress_poll silent;
  polling_measurer m(silent);
  const auto size = static_cast<std::size_t>(type.measure(m, value));
  std::vector<std::byte> bytes(size + write_slack);
  output_report report(bytes, silent);
  type.write({bytes.data(), &report}, value);
  bytes.resize(size);
  return bytes;
}
template <class T, std::size_t I>
consteval const encoder* encoder_of_member() {
  if constexpr (member_has<T, I, skip_t>) return nullptr;
  else return &packed_encoder<member_type<T, I>>;
}
template <class T, std::size_t I, class M>
void assign_annotated_default([[maybe_unused]] M& member) {
  if constexpr (member_has<T, I, default_value_t>) assign_default<T, I>(member);
}
template <class T>
std::vector<std::byte> default_payload(std::size_t wanted) {
  temporary<T> fresh;
  const auto pointers = part_pointers(*fresh);
  return [&]<std::size_t... I>(std::index_sequence<I...>) {
    if constexpr ((member_has<T, I, default_value_t> || ...))
      (assign_annotated_default<T, I>(*pointer_at<I>(pointers)), ...);
    static constexpr bool skips[]{member_has<T, I, skip_t>...};
    static constexpr const encoder* member_encoders[]{encoder_of_member<T, I>()...};
    const void* const members[]{pointer_at<I>(pointers)...};
    std::size_t at = 0; // index among all members, while `wanted` counts only the stored members
    for (;; ++at) {
      if (!skips[at] && wanted-- == 0) break;
    }
    return encoded_payload(*member_encoders[at], members[at]);
  }(std::make_index_sequence<member_count<T>>{});
}
template <class T>
consteval auto maker_of_defaults() -> std::vector<std::byte> (*)(std::size_t) {
  if constexpr (std::is_default_constructible_v<T> && described_member_count<T>() != 0)
    return default_payload<T>;
  else return nullptr;
}

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
  static constexpr record_codec codec{maker_of_defaults<T>(), upgrade_of<T>()};
  template <class T>
  static constexpr const record_codec* of = &codec<T>;
};

/// The function that adds `T` to a graph. `T` is the type into which packed bytes are decoded.
template <class T>
inline constexpr type_drawer draw_type = type_grapher<packed_codec>::draw<std::remove_const_t<T>>;

}}} // namespace ingot::INGOT_V1::detail
