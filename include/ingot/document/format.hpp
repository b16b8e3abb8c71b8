// SPDX-License-Identifier: Apache-2.0
// Bytes of a document, as docs/format.md describes them: header, nodes, cells and the values in a
// node's heap. The code here only calculates with untrusted numbers. node.hpp decides whether the
// resulting positions may be accessed.
#pragma once

#include <ingot/core/detail/config.hpp>
#include <ingot/core/detail/float_tests.hpp>
#include <ingot/core/detail/widen_float.hpp>
#include <ingot/document/detail/number_bytes.hpp>

#include <array>
#include <bit>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <type_traits>

namespace ingot { inline namespace INGOT_V1 {

/// Kind of a value of a document. Integers below 2^63 are always `integer`, even if they were set
/// from an unsigned type. Only larger integers are `large_integer`.
enum class value_kind : std::uint8_t {
  absent, ///< there is no such value, or the handle has ended (see value.hpp)
  null,
  boolean,
  integer,       ///< signed, 64 bits
  large_integer, ///< unsigned, 64 bits, 2^63 or more
  number,        ///< double
  text,
  binary,
  array,
  object,
};

namespace detail::doc {

using std::uint16_t;
using std::uint32_t;
using std::uint64_t;
using std::uint8_t;

struct document_header {
  static constexpr std::array<char, 4> expected_magic{'i', 'n', 'g', 'D'};
  static constexpr uint8_t current_version = 3;
  static constexpr uint8_t big_endian = 1;

  std::array<char, 4> magic = expected_magic;
  uint8_t version = current_version;
  uint8_t flags = little_endian ? 0 : big_endian;
  uint16_t zero = 0;
  uint32_t used = sizeof(uint64_t) * 2;
  uint32_t root = 0;
};
static_assert(sizeof(document_header) == 16 && std::is_trivially_copyable_v<document_header>);

inline constexpr uint32_t first_node = sizeof(document_header);
/// Values of the root that need no node.
inline constexpr uint32_t root_null = 0;
inline constexpr uint32_t root_empty_array = 1;
inline constexpr uint32_t root_empty_object = 2;
/// Maximum size of a document in bytes. It is less than the maximum of an arena with 32-bit
/// offsets.
inline constexpr uint64_t max_bytes = (uint64_t{1} << 31) - 8192;
inline constexpr uint32_t npos = 0xFFFFFFFF;

/// Kind of a node: the low three bits of its first byte.
enum class node_kind : uint8_t {
  array = 1,
  object = 2,   ///< has its own keys
  shaped = 3,   ///< an object whose keys are in a shape
  shape = 4,    ///< the keys of several objects
  blob = 5,     ///< text or bytes that are too long for a heap
  long_key = 6, ///< a key that is too long for a heap
  single = 7,   ///< an array of one scalar; only for a root that is a scalar
};
inline constexpr uint8_t wide_bit = 8;

/// Maximum bytes in the heap of a narrow node, and maximum count. Nodes that need more are wide.
inline constexpr uint32_t narrow_heap = 0x7FFF;
inline constexpr uint32_t narrow_count = 0x1FFF;
/// Maximum length of text, binary or a key in a heap.
inline constexpr uint32_t short_text = 127;
inline constexpr uint32_t short_key = 32;
/// First byte of the record of a long key. If the hash of a key contains the key's length (see
/// `length_mask`), the record has only the key's text. Otherwise one byte comes first. For a short
/// key, this byte is 1 plus the key's length. For a long key, it is this mark, and the next four
/// bytes are the position of the long key's node. The lower seven bits of this byte are always the
/// length of the record. No record begins with zero: zeros mark unused bytes.
inline constexpr uint8_t long_key_mark = 0x85;
/// Maximum size in bytes of all elements of a packed array.
inline constexpr uint32_t packed_bytes = 126;

inline constexpr uint32_t blob_head = 12;
inline constexpr uint32_t long_key_head = 16;

/// Bounds between the meanings of a cell. A cell below `immediate()` is the position of a value in
/// the heap, counted from the node's end; the cell 0 is null. Any other cell contains the value: an
/// integer below `special()`, a `special_cell` below `real()`, and otherwise a real number. See
/// `immediate_cell`.
struct cell_bits {
  unsigned bits;
  explicit constexpr cell_bits(bool wide) noexcept : bits(wide ? 32 : 16) {}
  [[nodiscard]] constexpr uint32_t immediate() const noexcept { return uint32_t{1} << (bits - 1); }
  [[nodiscard]] constexpr uint32_t special() const noexcept { return uint32_t{3} << (bits - 2); }
  [[nodiscard]] constexpr uint32_t real() const noexcept { return uint32_t{7} << (bits - 3); }
};
/// Meaning of the lower bits of a special cell that is no real number.
enum class special_cell : uint32_t {
  no = 0,
  yes = 1,
  empty_string = 2,
  empty_binary = 3,
  empty_array = 4,
  empty_object = 5,
};

/// First byte of a value in a heap. A tag of 1 to 8 means an integer of that many bytes. Tags from
/// `small_integer` on are integers. Tags from `text` on mean text of length tag - `text`.
enum class tag : uint8_t {
  int8 = 1,
  int64 = 8,
  uint64 = 9, ///< 2^63 or more
  real64 = 10,
  real32 = 11, ///< a double that a float holds exactly
  null = 12,
  no = 13,
  yes = 14,
  empty_array = 15,
  empty_object = 16,
  array = 17, ///< a reference to a node, like the next three tags
  object = 18,
  long_string = 19,
  long_binary = 20,
  binary = 21,  ///< one byte for the length, then the bytes
  packed8 = 24, ///< an array of integers: one byte for the count, then integers of one byte each
  packed16 = 25,
  packed32 = 26,
  packed64 = 27,
  small_integer = 64,
  text = 128,
};
/// Range of the integers that a tag itself contains (see `tag`).
inline constexpr int min_small = -16;
inline constexpr int max_small = 47;

/// Properties of a value that its tag determines: the kind, and usually the size.
struct tag_meaning {
  value_kind kind = value_kind::absent;
  uint8_t size = 0;    ///< bytes, with the tag; 0 if the next byte determines the size
  uint8_t integer = 0; ///< bytes of an integer; 1 for a small integer, which is the tag
  bool plain = false;  ///< any bytes after the tag are valid, and they are no reference
};
inline constexpr auto tag_meanings = [] {
  std::array<tag_meaning, 256> all{};
  const auto is = [&](tag t, value_kind kind, uint8_t size, bool plain = false) {
    all[static_cast<uint8_t>(t)] = {kind, size, 0, plain};
  };
  for (uint8_t n = 1; n <= 8; ++n) all[n] = {value_kind::integer, static_cast<uint8_t>(1 + n), n, true};
  is(tag::uint64, value_kind::large_integer, 9);
  is(tag::real64, value_kind::number, 9, true);
  is(tag::real32, value_kind::number, 5);
  is(tag::null, value_kind::null, 1, true);
  is(tag::no, value_kind::boolean, 1, true);
  is(tag::yes, value_kind::boolean, 1, true);
  is(tag::empty_array, value_kind::array, 1, true);
  is(tag::empty_object, value_kind::object, 1, true);
  is(tag::array, value_kind::array, 5);
  is(tag::object, value_kind::object, 5);
  is(tag::long_string, value_kind::text, 5);
  is(tag::long_binary, value_kind::binary, 5);
  is(tag::binary, value_kind::binary, 0);
  for (unsigned n = 0; n < 4; ++n) all[static_cast<uint8_t>(tag::packed8) + n].kind = value_kind::array;
  for (unsigned n = static_cast<uint8_t>(tag::small_integer); n < static_cast<uint8_t>(tag::text); ++n)
    all[n] = {value_kind::integer, 1, 1, true};
  for (unsigned n = 0; n < 128; ++n)
    all[static_cast<uint8_t>(tag::text) + n] = {value_kind::text, static_cast<uint8_t>(1 + n), 0, true};
  return all;
}();

/// A value without the position at which it is stored. Cells and heaps are decoded to this form,
/// and written from this form.
struct item {
  enum class form : uint8_t {
    plain,  ///< null, boolean, number; or text, binary, empty container: `bytes`, `length`
    blob,   ///< text or binary in a node of its own: `number` is the node's position
    node,   ///< a container in a node: `number` is the node's position
    packed, ///< an array of `length` integers of `1 << shift` bytes at `bytes`
  };

  value_kind kind = value_kind::absent;
  form is = form::plain;
  uint8_t shift = 0;
  uint32_t length = 0;
  uint64_t number = 0; ///< bits of a number or boolean, or the position of a node
  const std::byte* bytes = nullptr;

  [[nodiscard]] INGOT_INLINE std::int64_t integer() const noexcept {
    return static_cast<std::int64_t>(number);
  }
  [[nodiscard]] INGOT_INLINE double real() const noexcept { return std::bit_cast<double>(number); }
  [[nodiscard]] INGOT_INLINE uint32_t position() const noexcept { return static_cast<uint32_t>(number); }
  [[nodiscard]] bool owns_node() const noexcept { return is == form::node || is == form::blob; }

  [[nodiscard]] static INGOT_INLINE item null() noexcept { return of(value_kind::null, 0); }
  [[nodiscard]] static INGOT_INLINE item of(value_kind kind, uint64_t number) noexcept {
    item created;
    created.kind = kind;
    created.number = number;
    return created;
  }
  [[nodiscard]] static INGOT_INLINE item of(bool b) noexcept { return of(value_kind::boolean, b ? 1 : 0); }
  [[nodiscard]] static INGOT_INLINE item of(std::int64_t i) noexcept {
    return of(value_kind::integer, static_cast<uint64_t>(i));
  }
  [[nodiscard]] static INGOT_INLINE item of(uint64_t u) noexcept {
    return of(u >> 63 != 0 ? value_kind::large_integer : value_kind::integer, u);
  }
  /// Takes the number by reference, because some machines change a signalling NaN that is passed by
  /// value.
  template <std::floating_point F>
  [[nodiscard]] static INGOT_INLINE item of(const F& number) noexcept {
    if constexpr (std::is_same_v<F, double>) return of(value_kind::number, std::bit_cast<uint64_t>(number));
    else return of(float_to_double(number));
  }
  [[nodiscard]] static INGOT_INLINE item text(value_kind kind, const void* data, uint32_t length) noexcept {
    item created;
    created.kind = kind;
    created.bytes = static_cast<const std::byte*>(data);
    created.length = length;
    return created;
  }
  [[nodiscard]] static item at_node(value_kind kind, uint32_t position, bool blob = false) noexcept {
    item created = of(kind, position);
    created.is = blob ? form::blob : form::node;
    return created;
  }
  /// Returns a container. `position` is 0 for an empty container, which has no node.
  [[nodiscard]] static item container(value_kind kind, uint32_t position) noexcept {
    return position == 0 ? of(kind, 0) : at_node(kind, position);
  }
};

[[nodiscard]] INGOT_INLINE bool is_small(std::int64_t n) noexcept { return n >= min_small && n <= max_small; }
/// Returns the integer whose tag is at `from`. At least seven bytes before `from` must be readable.
[[nodiscard]] INGOT_INLINE std::int64_t read_integer(const std::byte* from) noexcept {
  const auto first = std::to_integer<uint8_t>(*from);
  const bool fits = first >= static_cast<uint8_t>(tag::small_integer);
  const std::int64_t n = load_integer(from + (fits ? 0 : 1), fits ? 1 : first);
  return n - (fits ? static_cast<int>(tag::small_integer) - min_small : 0);
}

/// Returns the cell that contains the value. Returns 0 for null, and if the value needs a heap.
[[nodiscard]] INGOT_INLINE uint32_t immediate_cell(const item& value, bool wide) noexcept {
  const cell_bits in(wide);
  const auto special = [&](special_cell s) { return in.special() | static_cast<uint32_t>(s); };
  switch (value.kind) {
  case value_kind::boolean: return special(value.number != 0 ? special_cell::yes : special_cell::no);
  case value_kind::integer:
    if (!fits_signed(value.integer(), in.bits - 2)) return 0;
    return in.immediate() | (static_cast<uint32_t>(value.number) & (in.immediate() / 2 - 1));
  case value_kind::number: {
    constexpr auto limit = std::bit_cast<uint64_t>(2048.0);
    // The first condition is also true for NaN.
    if ((value.number & ~sign_word<double>) > limit || value.number == limit) return 0;
    const auto whole = static_cast<std::int32_t>(value.real());
    if (std::bit_cast<uint64_t>(static_cast<double>(whole)) != value.number) return 0;
    return in.real() | (static_cast<uint32_t>(whole) & 0xFFF);
  }
  case value_kind::text:
    return value.is == item::form::plain && value.length == 0 ? special(special_cell::empty_string) : 0;
  case value_kind::binary:
    return value.is == item::form::plain && value.length == 0 ? special(special_cell::empty_binary) : 0;
  case value_kind::array: return value.is == item::form::plain ? special(special_cell::empty_array) : 0;
  case value_kind::object: return value.is == item::form::plain ? special(special_cell::empty_object) : 0;
  default: return 0;
  }
}

/// Returns the value that a cell contains; `absent` if the cell is invalid.
[[nodiscard]] INGOT_INLINE item read_immediate(uint32_t cell, bool wide) noexcept {
  const cell_bits in(wide);
  if (cell == 0) return item::null();
  if (cell < in.special()) {
    const unsigned unused = 34 - in.bits;
    return item::of(std::int64_t{static_cast<std::int32_t>(cell << unused) >> unused});
  }
  if (cell >= in.real()) {
    const uint32_t low = cell - in.real();
    if (low > 0xFFF) return {};
    return item::of(static_cast<double>(static_cast<std::int32_t>(low << 20) >> 20));
  }
  switch (static_cast<special_cell>(cell - in.special())) {
  case special_cell::no: return item::of(false);
  case special_cell::yes: return item::of(true);
  case special_cell::empty_string: return item::text(value_kind::text, "", 0);
  case special_cell::empty_binary: return item::text(value_kind::binary, "", 0);
  case special_cell::empty_array: return item::of(value_kind::array, 0);
  case special_cell::empty_object: return item::of(value_kind::object, 0);
  }
  return {};
}

/// Returns true if the double with these bits is equal to a normal float. Uses no arithmetic,
/// because the results of arithmetic with NaN differ between machines.
[[nodiscard]] INGOT_INLINE bool is_float(uint64_t bits) noexcept {
  if ((bits & 0x1FFFFFFF) != 0) return false;
  const auto exponent = static_cast<unsigned>(bits >> 52 & 0x7FF);
  return exponent > 1023 - 127 && exponent < 1023 + 128;
}

/// Returns the size of a value in a heap in bytes, including its tag.
[[nodiscard]] INGOT_INLINE uint32_t value_size(const item& value) noexcept {
  if (value.owns_node()) return 5;
  switch (value.kind) {
  case value_kind::integer: return is_small(value.integer()) ? 1 : 1 + integer_bytes(value.integer());
  case value_kind::large_integer: return 9;
  case value_kind::number: return is_float(value.number) ? 5 : 9;
  case value_kind::text: return 1 + value.length;
  case value_kind::binary: return 2 + value.length;
  case value_kind::array: return value.is == item::form::packed ? 2 + (value.length << value.shift) : 1;
  default: return 1;
  }
}
/// Returns the size that a value takes in the heap of a node with cells; 0 if the cell contains the
/// value.
[[nodiscard]] INGOT_INLINE uint32_t cell_heap_size(const item& value, bool wide) noexcept {
  return value.kind == value_kind::null || immediate_cell(value, wide) != 0 ? 0 : value_size(value);
}

/// Writes the `value_size` bytes of a value. Text must not overlap with the target.
inline void write_value(std::byte* to, const item& value) noexcept {
  const auto begin = [&](tag t) { *to++ = static_cast<std::byte>(t); };
  if (value.owns_node()) {
    begin(value.kind == value_kind::array    ? tag::array
          : value.kind == value_kind::object ? tag::object
          : value.kind == value_kind::text   ? tag::long_string
                                             : tag::long_binary);
    store(to, value.position());
    return;
  }
  switch (value.kind) {
  case value_kind::integer: {
    const std::int64_t n = value.integer();
    if (is_small(n)) {
      *to = static_cast<std::byte>(static_cast<int>(tag::small_integer) + (n - min_small));
      return;
    }
    const unsigned bytes = integer_bytes(n);
    *to++ = static_cast<std::byte>(bytes);
    store_integer(to, n, bytes);
    return;
  }
  case value_kind::large_integer:
    begin(tag::uint64);
    store(to, value.number);
    return;
  case value_kind::number:
    if (is_float(value.number)) {
      begin(tag::real32);
      store(to, static_cast<float>(value.real()));
    } else {
      begin(tag::real64);
      store(to, value.number);
    }
    return;
  case value_kind::text:
    *to++ = static_cast<std::byte>(static_cast<uint32_t>(tag::text) + value.length);
    // The address of empty text may be null.
    if (value.length != 0) std::memcpy(to, value.bytes, value.length);
    return;
  case value_kind::binary:
    begin(tag::binary);
    *to++ = static_cast<std::byte>(value.length);
    if (value.length != 0) std::memcpy(to, value.bytes, value.length);
    return;
  case value_kind::array:
    if (value.is != item::form::packed) {
      begin(tag::empty_array);
      return;
    }
    begin(static_cast<tag>(static_cast<unsigned>(tag::packed8) + value.shift));
    *to++ = static_cast<std::byte>(value.length);
    std::memcpy(to, value.bytes, std::size_t{value.length} << value.shift);
    return;
  case value_kind::object: begin(tag::empty_object); return;
  case value_kind::boolean: begin(value.number != 0 ? tag::yes : tag::no); return;
  default: begin(tag::null); return;
  }
}

/// Reads a value with one of the tags that `read_value` does not handle itself.
[[nodiscard]] INGOT_INLINE item read_other_value(const std::byte* from, uint32_t left,
                                                 uint32_t& size) noexcept {
  const auto first = std::to_integer<uint8_t>(*from);
  const tag_meaning meaning = tag_meanings[first];
  const std::byte* const payload = from + 1;
  size = meaning.size;
  if (size > left) [[unlikely]]
    return {};
  switch (static_cast<tag>(first)) {
  case tag::real32: {
    const auto bits = load<uint32_t>(payload);
    const uint32_t exponent = bits >> 23 & 0xFF;
    return exponent != 0 && exponent != 0xFF ? item::of(value_kind::number, widen_float(bits)) : item{};
  }
  case tag::uint64: {
    const auto n = load<uint64_t>(payload);
    return n >> 63 != 0 ? item::of(n) : item{};
  }
  case tag::null: return item::null();
  case tag::no: return item::of(false);
  case tag::yes: return item::of(true);
  case tag::empty_array:
  case tag::empty_object: return item::of(meaning.kind, 0);
  case tag::array:
  case tag::object: return item::at_node(meaning.kind, load<uint32_t>(payload));
  case tag::long_string:
  case tag::long_binary: return item::at_node(meaning.kind, load<uint32_t>(payload), true);
  default: break;
  }
  if (meaning.kind == value_kind::absent) {
    size = 1;
    return {};
  }
  // The remaining kinds have their length in the next byte.
  if (left < 2) return {};
  item created = item::text(meaning.kind, payload + 1, std::to_integer<uint32_t>(*payload));
  if (meaning.kind == value_kind::array) {
    created.is = item::form::packed;
    created.shift = static_cast<uint8_t>(first - static_cast<uint8_t>(tag::packed8));
  }
  size = 2 + (created.length << created.shift);
  const bool empty = created.length == 0 && meaning.kind == value_kind::array;
  if (empty || size > 2 + (meaning.kind == value_kind::array ? packed_bytes : short_text) || size > left)
    return {};
  return created;
}

[[nodiscard]] INGOT_NOINLINE inline item read_seldom_value(const std::byte* from, uint32_t left,
                                                           uint32_t& size) noexcept {
  return read_other_value(from, left, size);
}

/// The available bytes from the beginning of a value. Stored as begin and end, so that the
/// difference is computed only if it is needed.
struct value_range {
  uint64_t begin = 0;
  uint64_t end = 0;
};
[[nodiscard]] INGOT_INLINE bool lacks(value_range range, uint32_t size) noexcept {
  return range.begin + (size - 1) >= range.end;
}
[[nodiscard]] INGOT_INLINE uint32_t bytes_in(value_range range) noexcept {
  return static_cast<uint32_t>(range.end - range.begin);
}
/// Overloads of `lacks` and `bytes_in` for a number of available bytes.
[[nodiscard]] INGOT_INLINE bool lacks(uint32_t left, uint32_t size) noexcept { return size > left; }
[[nodiscard]] INGOT_INLINE uint32_t bytes_in(uint32_t left) noexcept { return left; }

/// Reads the value at `from`; `absent` if the bytes are no value. `range` is the available space,
/// at least one byte. At least seven bytes before `from` must be readable. Sets `size` to the size
/// of the value. Branches on the tag, since a processor predicts branches. With a table of kinds
/// and an indirect jump, all later instructions would wait for the table and the jump.
template <class Range>
[[nodiscard]] INGOT_INLINE item read_value(const std::byte* from, Range range, uint32_t& size) noexcept {
  const auto first = std::to_integer<uint32_t>(*from);
  const auto from_tag = [first](tag t) { return first - static_cast<uint32_t>(t); };
  const std::byte* const payload = from + 1;
  if (first >= static_cast<uint32_t>(tag::text)) {
    size = 1 + from_tag(tag::text);
    if (lacks(range, size)) [[unlikely]]
      return {};
    return item::text(value_kind::text, payload, from_tag(tag::text));
  }
  if (first >= static_cast<uint32_t>(tag::small_integer) || from_tag(tag::int8) < 8) {
    size = first >= static_cast<uint32_t>(tag::small_integer) ? 1 : 1 + first;
    if (lacks(range, size)) [[unlikely]]
      return {};
    return item::of(read_integer(from));
  }
  if (first == static_cast<uint32_t>(tag::real64)) {
    size = 9;
    if (lacks(range, size)) [[unlikely]]
      return {};
    return item::of(value_kind::number, load<uint64_t>(payload));
  }
  if (from_tag(tag::array) < 2) {
    size = 5;
    if (lacks(range, size)) [[unlikely]]
      return {};
    return item::at_node(from_tag(tag::array) == 0 ? value_kind::array : value_kind::object,
                         load<uint32_t>(payload));
  }
  return read_seldom_value(from, bytes_in(range), size);
}

} // namespace detail::doc
}} // namespace ingot::INGOT_V1
