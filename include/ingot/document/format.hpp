// SPDX-License-Identifier: Apache-2.0
// The bytes of a document, as docs/format.md has them: header, nodes, cells and the values of a node's heap. Everything here is
// arithmetic on foreign numbers; whether they may be followed is asked in node.hpp.
#pragma once

#include <ingot/core/config.hpp>

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <type_traits>

namespace ingot::inline v1 {

/// What a value of a document is. Integers below 2^63 are `integer`, whoever wrote them; only larger ones are `large_integer`.
enum class value_kind : std::uint8_t {
  absent, ///< there is no such value, or the handle is not valid any more
  null,
  boolean,
  integer,       ///< of 64 bits with a sign
  large_integer, ///< of 64 bits without one, 2^63 or more
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
  static constexpr uint8_t current_version = 1;
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
/// Roots that need no node.
inline constexpr uint32_t root_null = 0;
inline constexpr uint32_t root_empty_array = 1;
inline constexpr uint32_t root_empty_object = 2;
/// Less than an arena of 32-bit offsets counts.
inline constexpr uint64_t most_bytes = (uint64_t{1} << 31) - 8192;
inline constexpr uint32_t npos = 0xFFFFFFFF;

/// The low three bits of a node's first byte.
enum class node_kind : uint8_t {
  array = 1,
  object = 2,   ///< with its own keys
  shaped = 3,   ///< an object whose keys are a shape's
  shape = 4,    ///< the keys of several objects
  blob = 5,     ///< text or bytes that are too long for a heap
  long_key = 6, ///< a key that is too long for key columns
  single = 7,   ///< an array of the one scalar that is the root
};
inline constexpr uint8_t wide_bit = 8;

/// Limits of narrow nodes, which are those that keep to them.
inline constexpr uint32_t narrow_heap = 0x7FFF;
inline constexpr uint32_t narrow_count = 0x1FFF;
inline constexpr uint32_t narrow_pool = 0xFFFF;
/// The longest text and binary in a heap, and the longest key in key columns.
inline constexpr uint32_t short_text = 127;
inline constexpr uint32_t short_key = 32;
inline constexpr uint8_t long_key_mark = 0x84; ///< in the column of lengths: four bytes of pool, a reference
/// What the elements of a packed array take at most.
inline constexpr uint32_t packed_bytes = 126;

inline constexpr uint32_t blob_head = 12;
inline constexpr uint32_t long_key_head = 16;

template <class N>
[[nodiscard]] INGOT_INLINE N load(const std::byte* from) noexcept {
  N n;
  std::memcpy(&n, from, sizeof n);
  return n;
}
template <class N>
INGOT_INLINE void store(std::byte* to, N n) noexcept {
  std::memcpy(to, &n, sizeof n);
}
/// A number as wide as a node's cells.
[[nodiscard]] INGOT_INLINE uint32_t load_word(const std::byte* from, bool wide) noexcept {
  return wide ? load<uint32_t>(from) : load<uint16_t>(from);
}
INGOT_INLINE void store_word(std::byte* to, uint32_t n, bool wide) noexcept {
  if (wide) store(to, n);
  else store(to, static_cast<uint16_t>(n));
}

/// Cells. Below the middle: where in the heap the value begins, counted from the node's end; 0 is null. Above: see `immediate`.
struct cell_bits {
  unsigned bits;
  explicit constexpr cell_bits(bool wide) noexcept : bits(wide ? 32 : 16) {}
  [[nodiscard]] constexpr uint32_t immediate() const noexcept { return uint32_t{1} << (bits - 1); }
  [[nodiscard]] constexpr uint32_t special() const noexcept { return uint32_t{3} << (bits - 2); }
  [[nodiscard]] constexpr uint32_t real() const noexcept { return uint32_t{7} << (bits - 3); }
};
/// What the lower bits of a special cell mean when it is no real number.
enum class special_cell : uint32_t {
  no = 0,
  yes = 1,
  empty_string = 2,
  empty_binary = 3,
  empty_array = 4,
  empty_object = 5,
};

/// The first byte of a value in a heap; 0x80 and above is text of that many bytes less 0x80, which follow.
enum class tag : uint8_t {
  int16 = 1,
  int24 = 2,
  int32 = 3,
  int64 = 4,
  uint64 = 5, ///< 2^63 or more
  real64 = 6,
  real32 = 7, ///< a double that a float holds exactly
  array = 8,  ///< a reference to a node, as all that follow
  object = 9,
  long_string = 10,
  long_binary = 11,
  binary = 12,  ///< a byte of length, the bytes
  packed8 = 16, ///< an array of integers: a byte of count, the integers of one byte each
  packed16 = 17,
  packed32 = 18,
  packed64 = 19,
};
inline constexpr uint8_t text_tag = 0x80;

/// A value, apart from where it is: what a cell and its heap bytes say, or are to say.
struct item {
  enum class form : uint8_t {
    plain,  ///< null, boolean, numbers; text, binary and empty containers: `bytes`, `length`
    blob,   ///< text or binary in a node of its own: `number` is its place
    node,   ///< a container in a node: `number` is its place
    packed, ///< an array of `length` integers of `1 << shift` bytes at `bytes`
  };

  value_kind kind = value_kind::absent;
  form is = form::plain;
  uint8_t shift = 0;
  uint32_t length = 0;
  uint64_t number = 0; ///< the bits of the number, 0 or 1, or the place of a node
  const std::byte* bytes = nullptr;

  [[nodiscard]] INGOT_INLINE std::int64_t integer() const noexcept {
    return static_cast<std::int64_t>(number);
  }
  [[nodiscard]] INGOT_INLINE double real() const noexcept { return std::bit_cast<double>(number); }
  [[nodiscard]] INGOT_INLINE uint32_t place() const noexcept { return static_cast<uint32_t>(number); }
  [[nodiscard]] bool owns_node() const noexcept { return is == form::node || is == form::blob; }

  [[nodiscard]] static INGOT_INLINE item null() noexcept { return of(value_kind::null, 0); }
  [[nodiscard]] static INGOT_INLINE item of(value_kind kind, uint64_t number) noexcept {
    item made;
    made.kind = kind;
    made.number = number;
    return made;
  }
  [[nodiscard]] static INGOT_INLINE item of(bool b) noexcept { return of(value_kind::boolean, b ? 1 : 0); }
  [[nodiscard]] static INGOT_INLINE item of(std::int64_t i) noexcept {
    return of(value_kind::integer, static_cast<uint64_t>(i));
  }
  [[nodiscard]] static INGOT_INLINE item of(uint64_t u) noexcept {
    return of(u >> 63 != 0 ? value_kind::large_integer : value_kind::integer, u);
  }
  [[nodiscard]] static INGOT_INLINE item of(double d) noexcept {
    return of(value_kind::number, std::bit_cast<uint64_t>(d));
  }
  [[nodiscard]] static INGOT_INLINE item text(value_kind kind, const void* data, uint32_t length) noexcept {
    item made;
    made.kind = kind;
    made.bytes = static_cast<const std::byte*>(data);
    made.length = length;
    return made;
  }
  [[nodiscard]] static item at_node(value_kind kind, uint32_t place, bool blob = false) noexcept {
    item made = of(kind, place);
    made.is = blob ? form::blob : form::node;
    return made;
  }
  /// `place` is 0 for an empty container, which has no node.
  [[nodiscard]] static item container(value_kind kind, uint32_t place) noexcept {
    return place == 0 ? of(kind, 0) : at_node(kind, place);
  }
};

[[nodiscard]] INGOT_INLINE bool fits_signed(std::int64_t n, unsigned bits) noexcept {
  const std::int64_t half = std::int64_t{1} << (bits < 64 ? bits - 1 : 0);
  return bits >= 64 || (n >= -half && n < half);
}
/// Bytes that an integer needs in a packed array, as a power of two.
[[nodiscard]] constexpr uint8_t packed_shift(std::int64_t least, std::int64_t most) noexcept {
  if (least >= -0x80 && most < 0x80) return 0;
  if (least >= -0x8000 && most < 0x8000) return 1;
  if (least >= -0x80000000LL && most < 0x80000000LL) return 2;
  return 3;
}
[[nodiscard]] INGOT_INLINE std::int64_t load_packed(const std::byte* from, unsigned shift) noexcept {
  switch (shift) {
  case 0: return load<std::int8_t>(from);
  case 1: return load<std::int16_t>(from);
  case 2: return load<std::int32_t>(from);
  default: return load<std::int64_t>(from);
  }
}
INGOT_INLINE void store_packed(std::byte* to, std::int64_t n, unsigned shift) noexcept {
  switch (shift) {
  case 0: store(to, static_cast<std::int8_t>(n)); break;
  case 1: store(to, static_cast<std::int16_t>(n)); break;
  case 2: store(to, static_cast<std::int32_t>(n)); break;
  default: store(to, n); break;
  }
}

/// The cell of a value that needs no heap; 0 for null and for all that does need it.
[[nodiscard]] INGOT_INLINE uint32_t immediate_cell(const item& value, bool wide) noexcept {
  const cell_bits in(wide);
  const auto special = [&](special_cell s) { return in.special() | static_cast<uint32_t>(s); };
  switch (value.kind) {
  case value_kind::boolean: return special(value.number != 0 ? special_cell::yes : special_cell::no);
  case value_kind::integer:
    if (!fits_signed(value.integer(), in.bits - 2)) return 0;
    return in.immediate() | (static_cast<uint32_t>(value.number) & (in.immediate() / 2 - 1));
  case value_kind::number: {
    const double d = value.real();
    if (!(d >= -2048 && d < 2048)) return 0;
    const auto whole = static_cast<std::int32_t>(d);
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

/// The value of a cell that is not in the heap; `absent` for a cell that is none.
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

[[nodiscard]] INGOT_INLINE bool is_float(double d) noexcept {
  // By the bits, so that a NaN's are kept.
  const uint64_t bits = std::bit_cast<uint64_t>(d);
  if ((bits & 0x1FFFFFFF) != 0) return false;
  const auto exponent = static_cast<unsigned>(bits >> 52 & 0x7FF);
  return exponent > 1023 - 127 && exponent < 1023 + 128;
}

/// Bytes of a value in a heap; 0 when its cell says all.
[[nodiscard]] INGOT_INLINE uint32_t heap_size(const item& value, bool wide) noexcept {
  if (value.kind == value_kind::null || immediate_cell(value, wide) != 0) return 0;
  if (value.owns_node()) return 5;
  switch (value.kind) {
  case value_kind::integer:
    return fits_signed(value.integer(), 16)   ? 3
           : fits_signed(value.integer(), 24) ? 4
           : fits_signed(value.integer(), 32) ? 5
                                              : 9;
  case value_kind::large_integer: return 9;
  case value_kind::number: return is_float(value.real()) ? 5 : 9;
  case value_kind::text: return 1 + value.length;
  case value_kind::binary: return 2 + value.length;
  case value_kind::array: return 2 + (value.length << value.shift);
  default: return 0;
  }
}

/// Writes the `heap_size` bytes of a value. Text must not overlap with where it goes.
inline void write_value(std::byte* to, const item& value) noexcept {
  const auto begin = [&](tag t) { *to++ = static_cast<std::byte>(t); };
  if (value.owns_node()) {
    begin(value.kind == value_kind::array    ? tag::array
          : value.kind == value_kind::object ? tag::object
          : value.kind == value_kind::text   ? tag::long_string
                                             : tag::long_binary);
    store(to, value.place());
    return;
  }
  switch (value.kind) {
  case value_kind::integer: {
    const std::int64_t n = value.integer();
    if (fits_signed(n, 16)) {
      begin(tag::int16);
      store(to, static_cast<std::int16_t>(n));
    } else if (fits_signed(n, 24)) {
      begin(tag::int24);
      store(to, static_cast<uint16_t>(n));
      to[2] = static_cast<std::byte>(n >> 16);
    } else if (fits_signed(n, 32)) {
      begin(tag::int32);
      store(to, static_cast<std::int32_t>(n));
    } else {
      begin(tag::int64);
      store(to, n);
    }
    return;
  }
  case value_kind::large_integer:
    begin(tag::uint64);
    store(to, value.number);
    return;
  case value_kind::number:
    if (is_float(value.real())) {
      begin(tag::real32);
      store(to, static_cast<float>(value.real()));
    } else {
      begin(tag::real64);
      store(to, value.number);
    }
    return;
  case value_kind::text:
    *to++ = static_cast<std::byte>(text_tag | value.length);
    std::memcpy(to, value.bytes, value.length);
    return;
  case value_kind::binary:
    begin(tag::binary);
    *to++ = static_cast<std::byte>(value.length);
    std::memcpy(to, value.bytes, value.length);
    return;
  case value_kind::array:
    begin(static_cast<tag>(static_cast<unsigned>(tag::packed8) + value.shift));
    *to++ = static_cast<std::byte>(value.length);
    std::memcpy(to, value.bytes, std::size_t{value.length} << value.shift);
    return;
  default: return;
  }
}

/// Reads the value that begins at `from`, of which `left` bytes at least one, may be looked at; `absent` if it is none. `size` is
/// how many it takes.
[[nodiscard]] INGOT_INLINE item read_value(const std::byte* from, uint32_t left, uint32_t& size) noexcept {
  const auto first = std::to_integer<uint8_t>(*from);
  const std::byte* const payload = from + 1;
  if (first >= text_tag) {
    const uint32_t length = first - text_tag;
    size = 1 + length;
    if (length == 0 || size > left) return {};
    return item::text(value_kind::text, payload, length);
  }
  const auto needs = [&](uint32_t bytes) { return (size = bytes) <= left; };
  switch (static_cast<tag>(first)) {
  case tag::int16: return needs(3) ? item::of(std::int64_t{load<std::int16_t>(payload)}) : item{};
  case tag::int24:
    if (!needs(4)) return {};
    return item::of(std::int64_t{load<uint16_t>(payload)} |
                    std::int64_t{load<std::int8_t>(payload + 2)} * 0x10000);
  case tag::int32: return needs(5) ? item::of(std::int64_t{load<std::int32_t>(payload)}) : item{};
  case tag::int64: return needs(9) ? item::of(load<std::int64_t>(payload)) : item{};
  case tag::uint64:
    return needs(9) && load<uint64_t>(payload) >> 63 != 0 ? item::of(load<uint64_t>(payload)) : item{};
  case tag::real64: return needs(9) ? item::of(load<double>(payload)) : item{};
  case tag::real32: {
    if (!needs(5)) return {};
    const auto f = load<float>(payload);
    const auto exponent = std::bit_cast<uint32_t>(f) >> 23 & 0xFF;
    return exponent != 0 && exponent != 0xFF ? item::of(static_cast<double>(f)) : item{};
  }
  case tag::array: return needs(5) ? item::at_node(value_kind::array, load<uint32_t>(payload)) : item{};
  case tag::object: return needs(5) ? item::at_node(value_kind::object, load<uint32_t>(payload)) : item{};
  case tag::long_string:
    return needs(5) ? item::at_node(value_kind::text, load<uint32_t>(payload), true) : item{};
  case tag::long_binary:
    return needs(5) ? item::at_node(value_kind::binary, load<uint32_t>(payload), true) : item{};
  case tag::binary: {
    if (!needs(2)) return {};
    const auto length = std::to_integer<uint32_t>(*payload);
    if (length == 0 || length > short_text || !needs(2 + length)) return {};
    return item::text(value_kind::binary, payload + 1, length);
  }
  case tag::packed8:
  case tag::packed16:
  case tag::packed32:
  case tag::packed64: {
    if (!needs(2)) return {};
    item made = item::text(value_kind::array, payload + 1, std::to_integer<uint32_t>(*payload));
    made.is = item::form::packed;
    made.shift = static_cast<uint8_t>(first - static_cast<uint8_t>(tag::packed8));
    if (made.length == 0 || made.length << made.shift > packed_bytes ||
        !needs(2 + (made.length << made.shift)))
      return {};
    return made;
  }
  }
  size = 1;
  return {};
}

} // namespace detail::doc
} // namespace ingot::inline v1
