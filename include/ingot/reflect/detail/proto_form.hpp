// SPDX-License-Identifier: Apache-2.0
// The protobuf encoding of a member, according to its annotations.
#pragma once

#include <ingot/reflect/members.hpp>

#include <cstddef>
#include <cstdint>

namespace ingot { inline namespace INGOT_V1 { namespace detail {

/// Encodings of integers: `int32` or `uint32`, `sint32`, and `fixed32` or `sfixed32`, or those of
/// 64 bits.
enum class proto_number : std::uint8_t { varint, sint, fixed };
/// Encodings of times, documents and optionals: nothing special, or a message of google.protobuf.
enum class proto_known : std::uint8_t { none, well_known, structure, list };

/// The annotations of a member, which also apply to its elements.
struct proto_form {
  proto_number number{};
  proto_number key{}; ///< for the keys of maps
  proto_known known{};

  /// Returns the form as one byte of a description: `number` in bits 0 and 1, `key` in 2 and 3,
  /// `known` in 4 and 5. 0 if there is no annotation.
  [[nodiscard]] constexpr std::uint8_t to_byte() const noexcept {
    return static_cast<std::uint8_t>(static_cast<unsigned>(number) | static_cast<unsigned>(key) << 2U |
                                     static_cast<unsigned>(known) << 4U);
  }
  /// Returns true if `to_byte` returns this byte for a form other than the default.
  [[nodiscard]] static constexpr bool is_byte(std::uint8_t byte) noexcept {
    return byte != 0 && (byte & 3U) != 3 && (byte >> 2U & 3U) != 3 && byte < 64;
  }
  /// Returns the form for which `to_byte` returns `byte`.
  [[nodiscard]] static constexpr proto_form from_byte(std::uint8_t byte) noexcept {
    return {static_cast<proto_number>(byte & 3U), static_cast<proto_number>(byte >> 2U & 3U),
            static_cast<proto_known>(byte >> 4U & 3U)};
  }

  /// Returns the form of the keys of a map.
  [[nodiscard]] constexpr proto_form of_key() const noexcept { return {key, {}, {}}; }
  friend constexpr bool operator==(const proto_form&, const proto_form&) = default;
};

template <class T, std::size_t I>
consteval proto_form proto_form_of() {
  proto_form made;
  if constexpr (member_has<T, I, proto_sint_t>) made.number = proto_number::sint;
  if constexpr (member_has<T, I, proto_fixed_t>) {
    static_assert(!member_has<T, I, proto_sint_t>,
                  "ingot::protobuf: a member is either proto_sint or proto_fixed");
    made.number = proto_number::fixed;
  }
  if constexpr (member_has<T, I, proto_key_t>)
    made.key = member_get<T, I, proto_key_t>.is_fixed ? proto_number::fixed : proto_number::sint;
  static_assert(member_has<T, I, proto_well_known_t> + member_has<T, I, proto_struct_t> +
                        member_has<T, I, proto_list_t> <=
                    1,
                "ingot::protobuf: a member is one of proto_well_known, proto_struct and proto_list");
  if constexpr (member_has<T, I, proto_well_known_t>) made.known = proto_known::well_known;
  else if constexpr (member_has<T, I, proto_struct_t>) made.known = proto_known::structure;
  else if constexpr (member_has<T, I, proto_list_t>) made.known = proto_known::list;
  return made;
}

/// True for a member whose protobuf encoding is changed by an annotation.
template <class T, std::size_t I>
inline constexpr bool has_proto_annotations =
    member_has<T, I, field_number_t> || proto_form_of<T, I>() != proto_form();

}}} // namespace ingot::INGOT_V1::detail
