// SPDX-License-Identifier: Apache-2.0
// The protobuf form of a schema's parts. `to_proto` uses it, and so does the code that reads and
// writes protobuf messages by a schema.
#pragma once

#include <ingot/schema/detail/field_numbers.hpp>
#include <ingot/schema/schema.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <vector>

namespace ingot { inline namespace INGOT_V1 { namespace detail {

/// Returns the field number of the `i`-th member: the number that the member specifies, or the
/// default number.
[[nodiscard]] inline std::uint32_t number_of_field(const schema_node& record, std::size_t i) noexcept {
  const std::uint32_t own = record.children[i].field_number;
  return own != 0 ? own : number_of_field(i);
}

/// Returns true if two members of a record have the same field number. Default numbers are all
/// different, so only records with a specified number are searched.
[[nodiscard]] inline bool repeats_field_number(const schema_node& record) {
  const auto& members = record.children;
  if (std::none_of(members.begin(), members.end(), [](const auto& each) { return each.field_number != 0; }))
    return false;
  std::vector<std::uint32_t> numbers;
  numbers.reserve(members.size());
  for (std::size_t i = 0; i < members.size(); ++i) numbers.push_back(number_of_field(record, i));
  std::sort(numbers.begin(), numbers.end());
  return std::adjacent_find(numbers.begin(), numbers.end()) != numbers.end();
}

[[nodiscard]] inline bool is_proto_map(const schema_node& what) noexcept {
  return what.attributes.kind == schema_kind::map || what.attributes.kind == schema_kind::unordered_map;
}
[[nodiscard]] inline bool is_proto_list(const schema_node& what) noexcept {
  return what.attributes.kind == schema_kind::sequence || what.attributes.kind == schema_kind::array ||
         what.attributes.kind == schema_kind::set || what.attributes.kind == schema_kind::unordered_set;
}
/// Returns true if a list of elements with these attributes is written as one `bytes` field: the
/// elements are bytes, or characters of one byte. Such characters need not be UTF-8, so the field
/// is no `string`.
[[nodiscard]] inline bool is_proto_byte(const schema_attributes& attributes) noexcept {
  return attributes.kind == schema_kind::byte ||
         (attributes.kind == schema_kind::character && attributes.width == 1);
}
[[nodiscard]] inline bool is_proto_bytes(const schema& of, const schema_node& what) noexcept {
  return (what.attributes.kind == schema_kind::sequence || what.attributes.kind == schema_kind::array) &&
         is_proto_byte(of.node(what.children[0]).attributes);
}
/// Returns true if a map can be protobuf's `map<,>`: its keys have a type that protobuf accepts,
/// and do not repeat.
[[nodiscard]] inline bool has_proto_key(const schema& of, const schema_node& map) noexcept {
  const schema_attributes& key = of.node(map.children[0]).attributes;
  return !map.attributes.has(schema_flag::is_multi) &&
         (key.kind == schema_kind::integer || key.kind == schema_kind::boolean ||
          (key.kind == schema_kind::string && key.width == 1));
}
/// Returns true if a part becomes a map or a field with a label. In protobuf, such a field can't be
/// an element of a list or map, and can't be optional.
[[nodiscard]] inline bool has_proto_label(const schema& of, const schema_node& what) noexcept {
  return what.attributes.kind == schema_kind::complex || what.attributes.kind == schema_kind::optional ||
         is_proto_map(what) || (is_proto_list(what) && !is_proto_bytes(of, what));
}
/// Returns true if an enumeration must be an integer in protobuf: it has no enumerators, or an
/// enumerator whose number does not fit in 32 bits.
[[nodiscard]] inline bool is_proto_integer(const schema_node& what) noexcept {
  const bool with_sign = what.attributes.has(schema_flag::is_signed);
  return what.enumerators.empty() ||
         std::any_of(what.enumerators.begin(), what.enumerators.end(), [&](const schema_enumerator& each) {
           return with_sign ? static_cast<std::int64_t>(each.value) != static_cast<std::int32_t>(each.value)
                            : each.value > 0x7FFFFFFF;
         });
}

/// Returns true if a part is written as an integer, to which `proto_sint` and `proto_fixed` apply.
[[nodiscard]] inline bool is_proto_number(const schema_node& what) noexcept {
  return what.attributes.kind == schema_kind::integer ||
         (what.attributes.kind == schema_kind::enumeration && is_proto_integer(what));
}

/// The messages of google.protobuf that represent times, durations and values of any kind.
enum class known_message : std::uint8_t { none, timestamp, duration, value, structure, list };

[[nodiscard]] constexpr known_message known_document(const proto_form& as) noexcept {
  switch (as.known) {
  case proto_known::well_known: return known_message::value;
  case proto_known::structure: return known_message::structure;
  case proto_known::list: return known_message::list;
  default: return known_message::none;
  }
}
/// Returns true if counts of a period of num/den seconds can be converted to seconds and
/// nanoseconds in 64-bit arithmetic.
[[nodiscard]] constexpr bool has_known_period(std::uint64_t num, std::uint64_t den) noexcept {
  constexpr std::uint64_t largest = std::uint64_t{1} << 62;
  if (num == 0 || den == 0 || num > largest || den > largest / num) return false;
  return den / std::gcd(den, std::uint64_t{1'000'000'000}) <= largest / 1'000'000'000;
}
/// Returns the google.protobuf message that represents `what`, a duration, a time or a document;
/// `none` if there is no such message.
[[nodiscard]] inline known_message known_of(const schema& by, const schema_node& what,
                                            const proto_form& as) noexcept {
  if (as.known == proto_known::none) return known_message::none;
  if (what.attributes.kind == schema_kind::document) return known_document(as);
  if (as.known != proto_known::well_known) return known_message::none;
  const bool is_time = what.attributes.kind == schema_kind::time_point;
  const schema_node& duration = is_time ? by.node(what.children[0]) : what;
  if (duration.attributes.kind != schema_kind::duration ||
      by.node(duration.children[0]).attributes.kind != schema_kind::integer ||
      !has_known_period(duration.attributes.extent, duration.attributes.divisor))
    return known_message::none;
  return is_time ? known_message::timestamp : known_message::duration;
}
/// Returns true if an optional that holds `held` becomes a wrapper message of google.protobuf, such
/// as Int32Value.
[[nodiscard]] inline bool is_known_wrapper(const schema& by, const schema_node& held,
                                           const proto_form& as) noexcept {
  if (as.known != proto_known::well_known) return false;
  switch (held.attributes.kind) {
  case schema_kind::boolean:
  case schema_kind::integer:
  case schema_kind::floating:
  case schema_kind::string: return true;
  default: return is_proto_bytes(by, held);
  }
}

/// Returns true if a record has the members of google.protobuf.Any.
[[nodiscard]] inline bool is_known_any(const schema& by, const schema_node& what) noexcept {
  return what.attributes.kind == schema_kind::record && what.children.size() == 2 &&
         by.node(what.children[0]).attributes.kind == schema_kind::string &&
         is_proto_bytes(by, by.node(what.children[1])) && number_of_field(what, 0) == 1 &&
         number_of_field(what, 1) == 2;
}

}}} // namespace ingot::INGOT_V1::detail
