// SPDX-License-Identifier: Apache-2.0
// Kinds of the parts of live blocks and messages, for programs without the C++ types.
#pragma once

#include <ingot/core/detail/config.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace ingot { inline namespace INGOT_V1 {

/// Kind of a value. Descriptions of layouts store these numbers, so they never change. The number
/// of a container is 32 plus the number that `layout_id` hashes for the container.
enum class dynamic_kind : std::uint8_t {
  absent = 0, ///< no value
  boolean = 1,
  integer = 2,
  floating = 3,
  character = 4,
  byte = 5,
  enumeration = 6,
  duration = 7,   ///< stored as its count
  time_point = 8, ///< stored as its time since the epoch
  complex = 9,
  bitset = 10,
  array = 11,
  pair = 12,
  record = 13,
  text = 33,
  vector = 34,
  optional = 35,
  variant = 36,
  box = 37,
  map = 38,
  set = 39,
  multimap = 40,
  hash_map = 41,
  hash_set = 42,
  flat_map = 43,
  flat_set = 44,
  pool = 45,
  ref = 46, ///< a record of an index and a generation: a link to an object of a pool
  queue = 47,
  value = 48, ///< a value of any kind, see `dynamic_value::any`
  // The following kinds occur only in messages. Messages do not distinguish kinds of containers:
  // each sequence is a `vector`, each ordered map a `map`, each unordered map a `hash_map`.
  tuple = 64,    ///< has any number of parts; also a std::pair
  expected = 65, ///< alternative 0 is the value, alternative 1 the error
  multiset = 66,
  hash_multimap = 67,
  hash_multiset = 68,
};

/// Returns the name of a kind, such as "hash_map"; empty for a number that is not a kind.
[[nodiscard]] constexpr std::string_view to_string(dynamic_kind kind) noexcept {
  constexpr std::array<std::string_view, 14> first{
      "absent",   "boolean",    "integer", "floating", "character", "byte", "enumeration",
      "duration", "time_point", "complex", "bitset",   "array",     "pair", "record"};
  constexpr std::array<std::string_view, 16> containers{
      "text",     "vector",   "optional", "variant",  "box",  "map", "set",   "multimap",
      "hash_map", "hash_set", "flat_map", "flat_set", "pool", "ref", "queue", "value"};
  constexpr std::array<std::string_view, 5> of_messages{"tuple", "expected", "multiset", "hash_multimap",
                                                        "hash_multiset"};
  const auto number = static_cast<std::size_t>(kind);
  if (number >= 64 && number - 64 < of_messages.size()) return of_messages[number - 64];
  if (number < first.size()) return first[number];
  return number >= 33 && number - 33 < containers.size() ? containers[number - 33] : std::string_view{};
}

namespace detail::dyn {

[[nodiscard]] constexpr bool is_container(dynamic_kind kind) noexcept {
  return static_cast<unsigned>(kind) >= 33 && kind != dynamic_kind::ref &&
         static_cast<unsigned>(kind) <= static_cast<unsigned>(dynamic_kind::value);
}
[[nodiscard]] constexpr bool is_known(dynamic_kind kind) noexcept {
  return (static_cast<unsigned>(kind) >= 1 && static_cast<unsigned>(kind) <= 13) || is_container(kind) ||
         kind == dynamic_kind::ref;
}
/// Returns true for kinds with keys and values.
[[nodiscard]] constexpr bool is_map(dynamic_kind kind) noexcept {
  return kind == dynamic_kind::map || kind == dynamic_kind::multimap || kind == dynamic_kind::hash_map ||
         kind == dynamic_kind::flat_map || kind == dynamic_kind::hash_multimap;
}
[[nodiscard]] constexpr bool is_set(dynamic_kind kind) noexcept {
  return kind == dynamic_kind::set || kind == dynamic_kind::hash_set || kind == dynamic_kind::flat_set ||
         kind == dynamic_kind::multiset || kind == dynamic_kind::hash_multiset;
}
/// Returns true for kinds that hold one value or none.
[[nodiscard]] constexpr bool is_holder(dynamic_kind kind) noexcept {
  return kind == dynamic_kind::optional || kind == dynamic_kind::box || kind == dynamic_kind::variant ||
         kind == dynamic_kind::expected;
}
[[nodiscard]] constexpr bool is_tree(dynamic_kind kind) noexcept {
  return kind == dynamic_kind::map || kind == dynamic_kind::multimap || kind == dynamic_kind::set;
}
[[nodiscard]] constexpr bool is_hash(dynamic_kind kind) noexcept {
  return kind == dynamic_kind::hash_map || kind == dynamic_kind::hash_set;
}
[[nodiscard]] constexpr bool is_flat(dynamic_kind kind) noexcept {
  return kind == dynamic_kind::flat_map || kind == dynamic_kind::flat_set;
}
/// Returns true for kinds with a count and an anchor to a storage.
[[nodiscard]] constexpr bool is_counted(dynamic_kind kind) noexcept {
  return kind == dynamic_kind::vector || kind == dynamic_kind::queue || kind == dynamic_kind::pool ||
         is_map(kind) || is_set(kind);
}
[[nodiscard]] constexpr bool has_named_parts(dynamic_kind kind) noexcept {
  return kind == dynamic_kind::record || kind == dynamic_kind::ref || kind == dynamic_kind::variant;
}
[[nodiscard]] constexpr bool is_record(dynamic_kind kind) noexcept {
  return kind == dynamic_kind::record || kind == dynamic_kind::ref;
}

/// Flags of a type in a description.
enum type_flag : std::uint8_t {
  is_signed = 1, ///< for integers and enumerations
  is_open = 2,   ///< enumeration: numbers without an enumerator are valid
  /// variant: has a `json::tag_key`, which follows the alignment
  has_tag_key = 2,
  /// record: has its own check, `valid`, which only programs with the type can run
  asks_valid = 4,
  is_empty = 8,     ///< has no members; its size is still 1
  has_model = 16,   ///< optional: without a value, its bytes are not all zero
  has_version = 32, ///< record: the type's version follows the type's name
  has_tags = 64,    ///< variant: the program named its alternatives
  is_flags = 128,   ///< enumeration: zero and combinations of the enumerators' bits are values
  every_type_flag = 255,
};
/// Bits for the limits that a member has.
enum limit_flag : std::uint8_t { has_range = 1, has_max_size = 2, has_utf8 = 4, every_limit_flag = 7 };

} // namespace detail::dyn
}} // namespace ingot::INGOT_V1
