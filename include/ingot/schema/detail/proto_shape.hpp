// SPDX-License-Identifier: Apache-2.0
// How protobuf has the parts of a schema: what `to_proto` prints and what reads and writes protobuf's bytes by a schema agree on it here.
#pragma once

#include <ingot/schema/schema.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>

namespace ingot::inline v1::detail {

/// The numbers that protobuf has for fields.
inline constexpr std::uint32_t largest_field_number = 536'870'911;
[[nodiscard]] constexpr bool is_field_number(std::uint64_t number) noexcept {
  return number >= 1 && number <= largest_field_number && (number < 19'000 || number > 19'999);
}

/// Of the `i`-th member, from 1, without those that protobuf keeps for itself.
[[nodiscard]] constexpr std::uint32_t number_of_field(std::uint64_t i) noexcept {
  return static_cast<std::uint32_t>(i < 18'999 ? i + 1 : i + 1001);
}
/// Of a member, which may name its own.
[[nodiscard]] inline std::uint32_t number_of_field(const schema_node& record, std::size_t i) noexcept {
  const std::uint32_t own = record.children[i].field_number;
  return own != 0 ? own : number_of_field(i);
}

[[nodiscard]] inline bool is_proto_map(const schema_node& what) noexcept {
  return what.facts.kind == schema_kind::map || what.facts.kind == schema_kind::unordered_map;
}
[[nodiscard]] inline bool is_proto_list(const schema_node& what) noexcept {
  return what.facts.kind == schema_kind::sequence || what.facts.kind == schema_kind::array ||
         what.facts.kind == schema_kind::set || what.facts.kind == schema_kind::unordered_set;
}
/// What a list of is `bytes`: bytes, and characters of one byte, which need not be UTF-8.
[[nodiscard]] inline bool is_proto_byte(const schema_facts& facts) noexcept {
  return facts.kind == schema_kind::byte || (facts.kind == schema_kind::character && facts.width == 1);
}
[[nodiscard]] inline bool is_proto_bytes(const schema& of, const schema_node& what) noexcept {
  return (what.facts.kind == schema_kind::sequence || what.facts.kind == schema_kind::array) &&
         is_proto_byte(of.node(what.children[0]).facts);
}
/// What `map<,>` takes for a key, unless keys repeat.
[[nodiscard]] inline bool has_proto_key(const schema& of, const schema_node& map) noexcept {
  const schema_facts& key = of.node(map.children[0]).facts;
  return !map.facts.has(schema_flag::is_multi) &&
         (key.kind == schema_kind::integer || key.kind == schema_kind::boolean ||
          (key.kind == schema_kind::string && key.width == 1));
}
/// Whether a part is a field that has a label, or a map: neither can be in a list, in a map, or left out.
[[nodiscard]] inline bool has_proto_label(const schema& of, const schema_node& what) noexcept {
  return what.facts.kind == schema_kind::complex || what.facts.kind == schema_kind::optional ||
         is_proto_map(what) || (is_proto_list(what) && !is_proto_bytes(of, what));
}
/// Whether the numbers of an enumeration are none of protobuf's, which have 32 bits: then it is an integer.
[[nodiscard]] inline bool is_proto_integer(const schema_node& what) noexcept {
  const bool with_sign = what.facts.has(schema_flag::is_signed);
  return what.enumerators.empty() ||
         std::any_of(what.enumerators.begin(), what.enumerators.end(), [&](const schema_enumerator& each) {
           return with_sign ? static_cast<std::int64_t>(each.value) != static_cast<std::int32_t>(each.value)
                            : each.value > 0x7FFFFFFF;
         });
}

} // namespace ingot::inline v1::detail
