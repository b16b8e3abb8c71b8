// SPDX-License-Identifier: Apache-2.0
// Tables that describe a record to functions in the compiled library. These functions match keys,
// find repeated and missing keys, and write names. They are the same for every type, so a type only
// adds its tables.
#pragma once

#include <ingot/json/detail/text_reader.hpp>
#include <ingot/json/detail/text_writer.hpp>
#include <ingot/json/upgrade.hpp>

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

namespace ingot { inline namespace INGOT_V1 { namespace json::detail {

/// Types of members that functions compiled in the library read and write themselves. For a member
/// of another type, `other`, these functions call the member's `read` or `write` in the table.
enum class scalar : std::uint8_t {
  other,
  boolean,
  i8,
  i16,
  i32,
  i64,
  u8,
  u16,
  u32,
  u64,
  f32,
  f64,
  string,
  optional_string,
};

/// An object and the offsets of its members in bytes from the start of the object. All objects of a
/// type have the same offsets.
struct record_location {
  std::byte* object;
  const std::size_t* offsets;

  [[nodiscard]] void* member(std::size_t i) const noexcept { return object + offsets[i]; }
};
struct const_record_location {
  const std::byte* object;
  const std::size_t* offsets;

  [[nodiscard]] const void* member(std::size_t i) const noexcept { return object + offsets[i]; }
};

struct member_reader {
  std::string_view name;
  /// The name in quotes, with its colon. If the name with quotes and colon has more than 32 bytes,
  /// or if the name needs escapes, points to bytes that no text contains. At least 32 bytes may be
  /// read.
  const char* quoted;
  bool (*read)(text_reader&, void*);
  /// Empties the member, for texts that lack it. Null unless the member may be absent.
  void (*clear)(void*);
  /// Gives the member its `default_value`. Null if the member has none.
  void (*preset)(void*);
  /// Applies `range`, `max_size` and `utf8`. Null if the member has none of them.
  bool (*check)(text_reader&, const void*, std::size_t offset);
  /// Moves the value of one member to another member; null if the type can't be moved.
  void (*move)(void* to, void* from);
  std::uint32_t since;
  scalar code;
  scalar quick; ///< type for the fast path: `code`; `other` if the member has a `check`
  bool skipped;
  bool plain;                ///< true if the name needs no escapes
  std::uint32_t quoted_bits; ///< one low bit for each byte of `quoted` to compare
};

/// A name that a member had in earlier versions of the record.
struct former_key {
  std::string_view name;
  std::uint32_t member;
};

struct record_reader_table {
  std::span<const member_reader> members;
  /// Creates a default object and passes it to `use`. Null if the type has no default constructor.
  void (*with_defaults)(void* context, void (*use)(void* context, std::byte* object));
  std::span<const upgrade> upgrades;
  std::uint32_t version;  ///< 0 if the type has no version
  bool version_is_member; ///< true: the first member has the version; false: the key "$version"
  /// One bit for each of the first 64 members. A bit is set if the member is an optional string
  /// that is empty if its key is absent.
  std::uint64_t quiet = 0;
  bool starts_quiet = false; ///< true if the optional strings are empty in a new object
  bool has_numbers = true;   ///< true if a member is a number
  /// One bit for each member; 0 if there are more than 64.
  std::uint64_t all = members.size() > 64 || members.empty() ? 0 : ~std::uint64_t{0} >> (64 - members.size());
  /// The former names, in the order of the members and of the names in their `renamed_from`.
  std::span<const former_key> former = {};
  /// Version of the `previous` type; 0 without a `previous` type.
  std::uint32_t previous = 0;
  /// True if a former name of a member is another member's name today.
  bool reuses_names = false;
  /// True if the object's other keys can't change which member a key means.
  bool is_simple = version == 0 && !reuses_names;
};

struct member_writer {
  std::string_view name;
  /// A comma, the key in quotes, a colon. At least 33 bytes may be read from its start.
  std::string_view quoted;
  bool (*write)(text_writer&, const void*);
  /// Returns true if the member is empty and may be omitted. Null if the member is always written.
  bool (*empty)(const void*);
  scalar code;
  bool skipped;
  bool may_be_omitted; ///< true if `skipped`, or if `empty` is not null
};

struct record_writer_table {
  std::span<const member_writer> members;
  std::uint32_t version;
  bool version_is_member;
};

/// Reads an object into the members of a record. If there are more than 64 members, `many` must
/// point to a zeroed bit for each member.
[[nodiscard]] bool read_record(text_reader& reader, const record_reader_table& table, record_location to,
                               std::uint64_t* many);

[[nodiscard]] bool write_record(text_writer& writer, const record_writer_table& table,
                                const const_record_location from);
/// Writes an array of `count` records, whose objects follow each other in memory. `first` is the
/// first record, and `size` the size of an object.
[[nodiscard]] bool write_records(text_writer& writer, const record_writer_table& table,
                                 const const_record_location first, std::size_t count, std::size_t size);
/// Writes an array of `count` values, which follow each other in memory from `first` on. `code` is
/// the type of the values, neither `other` nor `optional_string`.
[[nodiscard]] bool write_scalars(text_writer& writer, scalar code, const void* first, std::size_t count);

/// Sets `earlier` to true if the object at the cursor must be read as the `previous` type. This is
/// the case if the object's version is at most the version of that type, and if the table has no
/// upgrade step from a version between these two versions. The cursor does not move. Returns false
/// after an error.
[[nodiscard]] bool find_earlier(text_reader& reader, const record_reader_table& table, bool& earlier);

struct enumerator_text {
  std::string_view name;
  std::int64_t value; ///< for enums with a 64-bit unsigned type, the bits of the value
};

struct enum_table {
  std::span<const enumerator_text> enumerators;
  std::int64_t min; ///< the underlying type's limits
  std::uint64_t max;
  bool open;
  bool is_flags;
  std::uint64_t bits;                      ///< bitwise or of all enumerators
  std::span<const enumerator_text> former; ///< the names in `renamed_from`
};

/// Reads an enumerator by its name. A number is allowed if it is a value of the enum.
[[nodiscard]] bool read_enum(text_reader& reader, const enum_table& table, std::int64_t& out);
[[nodiscard]] bool write_enum(text_writer& writer, const enum_table& table, std::int64_t value);
/// As `read_enum`, for the key of an object.
[[nodiscard]] bool enum_from_key(text_reader& reader, const enum_table& table, std::string_view key,
                                 std::size_t offset, std::int64_t& out);
[[nodiscard]] bool write_enum_key(text_writer& writer, const enum_table& table, std::int64_t value);

[[nodiscard]] bool natural_from_key(text_reader& reader, std::string_view key, std::size_t offset,
                                    std::uint64_t max, std::uint64_t& out);
[[nodiscard]] bool integer_from_key(text_reader& reader, std::string_view key, std::size_t offset,
                                    std::int64_t min, std::int64_t max, std::int64_t& out);
/// Writes an integer as the key of an object.
[[nodiscard]] bool write_natural_key(text_writer& writer, std::uint64_t value);
[[nodiscard]] bool write_integer_key(text_writer& writer, std::int64_t value);

}}} // namespace ingot::INGOT_V1::json::detail
