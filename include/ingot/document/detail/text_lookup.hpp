// SPDX-License-Identifier: Apache-2.0
// Finds members by text that is not yet a `document_key`, in validated bytes. The lookup is not
// inlined, because the words of the text, its hash and the lanes need more registers than callers
// have free. Three functions are for narrow objects with their own keys: for few keys, for up to 32
// keys, and for more keys. These are separate functions, so that each of them saves few registers
// on the stack, or none. Another function is for narrow objects whose keys are in a shape, and one
// for all other objects. These two are compiled once.
//
// With few keys, the text is compared with the keys whose hashes contain its length. This needs no
// hash of the text. A processor learns to predict the branches that select the key, and later
// branches that depend on the key. With more keys, several keys would have the same length, and
// these branches would be mispredicted.
#pragma once

#include <ingot/core/detail/wide_product.hpp>
#include <ingot/document/detail/keys.hpp>

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>
#include <utility>

namespace ingot { inline namespace INGOT_V1 { namespace detail::doc {

/// Bit of `text_member::index`: the value is in its cell, and `text_member::value` is null.
inline constexpr uint32_t in_cell = uint32_t{1} << 31;
/// Result of a lookup by text: the value, and the index as in `find_fast`. For a value in its cell,
/// the index has the bit `in_cell`, and is less than `lookup_unresolved`. For `lookup_unresolved`,
/// the result contains the text instead (`length` bytes at `value`), so that the caller need not
/// keep the text in registers.
struct text_member {
  const std::byte* value;
  uint32_t index;
  uint32_t length = 0;
  [[nodiscard]] static INGOT_INLINE text_member to_ask(std::size_t n, const char* text) noexcept {
    return {reinterpret_cast<const std::byte*>(text), lookup_unresolved, static_cast<uint32_t>(n)};
  }
  [[nodiscard]] INGOT_INLINE std::string_view text() const noexcept {
    return {reinterpret_cast<const char*>(value), length};
  }
};

/// Maximum number of keys for a comparison by length. With a maximum of eight, reading objects of
/// eight keys would be 2 to 3 % slower.
inline constexpr uint32_t few_keys = 6;

/// Constants for texts of one length.
struct alignas(16) length_info {
  uint64_t head_seed; ///< both seeds are XORed with the two words of a text, as in `fold`
  uint64_t tail_seed;
  std::array<uint16_t, 8> lanes; ///< the length in each lane
};
inline constexpr auto known_by_lengths = [] {
  std::array<length_info, length_mask + 1> all{};
  for (std::size_t n = 0; n < all.size(); ++n) {
    const uint64_t seed = first_seed ^ n * text_factor;
    all[n].head_seed = seed;
    all[n].tail_seed = std::rotl(seed, 32);
    for (auto& each : all[n].lanes) each = static_cast<uint16_t>(n);
  }
  return all;
}();

#if INGOT_LANES
/// A hash to search for. The hash is moved from the product directly to a vector. Moving the 16
/// bits of the hash through a general register would need three more operations.
class query_hash {
public:
  INGOT_INLINE query_hash(uint64_t hash, const length_info& known) noexcept {
    const auto all = (short_lanes)(long_lanes{hash, 0});
    constexpr uint16_t each = 0xFFFF & ~length_mask;
    const short_lanes upper = {each, each, each, each, each, each, each, each};
    lanes_ = (__builtin_shufflevector(all, all, 3, 3, 3, 3, 3, 3, 3, 3) & upper) | lengths(known);
  }
  /// Returns a mask with a bit for each of the 16 hashes at `from` that is equal to this hash.
  [[nodiscard]] INGOT_INLINE uint32_t match(const std::byte* from) const noexcept {
    return bits_of(load_lanes<short_lanes>(from) == lanes_, load_lanes<short_lanes>(from + 16) == lanes_);
  }
  /// Returns a mask with two bits for each of the 8 hashes at `from` that contains the length.
  [[nodiscard]] static INGOT_INLINE uint32_t match_lengths(const std::byte* from,
                                                           const length_info& known) noexcept {
    const short_lanes length_bits = {length_mask, length_mask, length_mask, length_mask,
                                     length_mask, length_mask, length_mask, length_mask};
    return twice_bits_of((load_lanes<short_lanes>(from) & length_bits) == lengths(known));
  }

private:
  [[nodiscard]] static INGOT_INLINE short_lanes lengths(const length_info& known) noexcept {
    return load_lanes<short_lanes>(known.lanes.data());
  }
  short_lanes lanes_;
};
#else
class query_hash {
public:
  query_hash(uint64_t hash, const length_info& known) noexcept
      : hash_(twice_hash::of(upper_bits(hash) | known.lanes[0])) {}
  [[nodiscard]] uint32_t match(const std::byte* from) const noexcept { return match_lanes(from, hash_); }
  [[nodiscard]] static uint32_t match_lengths(const std::byte* from, const length_info& known) noexcept {
    uint32_t mask = 0;
    for (unsigned i = 0; i < 8; ++i) {
      const uint32_t length = length_in(load<uint16_t>(from + std::size_t{2} * i));
      mask |= (length == known.lanes[0] ? 3U : 0U) << 2 * i;
    }
    return mask;
  }

private:
  twice_hash hash_;
};
#endif

/// Finds the member of the object at `at` whose key is the text of `n` bytes. Handles texts of any
/// length. The index in the result is `lookup_unresolved` if the node is no narrow object with its
/// own keys.
[[nodiscard]] INGOT_NOINLINE inline text_member find_odd_text(const std::byte* at, std::size_t n,
                                                              const char* text) noexcept {
  if (!std::in_range<uint32_t>(n)) return {nullptr, npos}; // documents have no such long keys
  if (std::to_integer<uint8_t>(*at) == static_cast<uint8_t>(node_kind::object)) {
    const std::byte* value = nullptr;
    const uint32_t index = find_fast(at, document_key(std::string_view(text, n)), value);
    if (index != lookup_unresolved) return {value, index};
  }
  return text_member::to_ask(n, text);
}
/// Result of a lookup that the fast path did not decide: the position of the node, and the value's
/// index and bytes; the bytes are null if the value is in its cell. The position is 0 if there is
/// no such member. The result then contains the text of the key (`index` bytes at `value`), so that
/// the caller need not keep the text in registers.
struct other_member {
  const std::byte* value;
  uint32_t position;
  uint32_t index;
  [[nodiscard]] INGOT_INLINE std::string_view text() const noexcept {
    return {reinterpret_cast<const char*>(value), index};
  }
};
/// Lookups that the fast path does not decide. These are static members of a struct, because g++
/// warns if other functions are both `inline` and `noinline`.
struct slow_lookup {
  /// Finds the member whose key is the text of `n` bytes in an object of the document that begins
  /// at `start`. If the object is the root, `container` is 0. Otherwise, `bytes` is the address of
  /// the value that refers to the object's node. Requires that the object has a node. Handles all
  /// texts and nodes. In wide nodes and in objects whose keys are in a shape, usually finds the
  /// member without a slower search.
  [[nodiscard]] INGOT_OPAQUE INGOT_COMPILED static other_member by_text(const std::byte* start,
                                                                        uint32_t container,
                                                                        const std::byte* bytes, std::size_t n,
                                                                        const char* text) noexcept;
  /// Does what `by_text` does, for a key with the hash `hash`. The parts of the key are passed one
  /// by one, since callers would store a whole key in memory on the fast path.
  [[nodiscard]] INGOT_OPAQUE INGOT_COMPILED static other_member
  by_key(const std::byte* start, uint32_t container, const std::byte* bytes, std::size_t n, const char* text,
         twice_hash hash) noexcept;
  /// Does what `by_key` does, in the node at `position`.
  [[nodiscard]] INGOT_COMPILED static other_member in_node(const std::byte* start, uint32_t position,
                                                           std::size_t n, const char* text,
                                                           twice_hash hash) noexcept;
  /// Finds the member whose key is the text of `n` bytes (4 to 15) in the node at `at`. If its
  /// value is in its cell, the index in the result has the bit `in_cell`. The index is
  /// `lookup_unresolved` if the node is no narrow object whose keys are in a narrow shape.
  [[nodiscard]] INGOT_OPAQUE INGOT_COMPILED static text_member
  in_shape(const std::byte* at, std::size_t n, const char* text, const std::byte* start) noexcept;
  /// Finds the element `index` of a node of any kind; the index in the result is npos if there is
  /// no such element.
  [[nodiscard]] INGOT_OPAQUE INGOT_COMPILED static text_member element(const std::byte* at,
                                                                       std::size_t index) noexcept;
};
/// Returns the result for a hash that was not found in the lanes from `first` on.
template <class Columns>
[[nodiscard]] INGOT_NOINLINE text_member tell_none(const std::byte* at, std::size_t n, const char* text,
                                                   uint32_t hash, uint32_t first) noexcept {
  const auto count = static_cast<uint32_t>(Columns::count(at));
  if (lanes_decide(at + Columns::head + std::size_t{2} * count, hash, first, count)) return {nullptr, npos};
  return text_member::to_ask(n, text);
}
/// Returns true if the `n` bytes (4 to 15) are equal. Compares the four groups of four bytes that
/// `words_of` also reads. No branch depends on `n`.
[[nodiscard]] INGOT_INLINE bool is_text_at(const std::byte* record, const std::byte* text, std::size_t n,
                                           std::size_t more) noexcept {
  const auto differ = [&](std::size_t i) { return load<uint32_t>(record + i) ^ load<uint32_t>(text + i); };
  return (differ(0) | differ(more) | differ(n - 4 - more) | differ(n - 4)) == 0;
}
/// Text with its hash: a key for `find_among` that needs few registers. Requires that the hash
/// contains the length of the text (see `length_mask`).
class hashed_text {
public:
  INGOT_INLINE hashed_text(const char* text, std::size_t n, twice_hash hash) noexcept
      : text_(reinterpret_cast<const std::byte*>(text)), length_(n), hash_(hash) {}
  [[nodiscard]] INGOT_INLINE twice_hash twice() const noexcept { return hash_; }
  [[nodiscard]] INGOT_INLINE uint16_t hash() const noexcept { return hash_.once(); }
  [[nodiscard]] INGOT_INLINE std::size_t length() const noexcept { return length_; }
  [[nodiscard]] INGOT_INLINE bool is_at(const std::byte* record) const noexcept {
    if (length_ >= 4) [[likely]]
      return is_text_at(record, text_, length_, more_than_four(length_));
    const auto differ = [&](std::size_t i) { return record[i] ^ text_[i]; };
    return (differ(0) | differ(length_ / 2) | differ(length_ - 1)) == std::byte{};
  }
  /// Reads only the bytes of the key at `record`, which must exist.
  [[nodiscard]] INGOT_INLINE bool is_between(const std::byte* record, const std::byte*) const noexcept {
    return is_at(record);
  }

private:
  const std::byte* text_;
  std::size_t length_;
  twice_hash hash_;
};
/// Finds the key that is the text of 4 to 15 bytes in the node at `at`. Requires that the node has
/// more than 32 keys if `Many`, otherwise more than `few_keys` and up to 32 keys. `value` of the
/// result is the end of the key.
template <class Columns, bool Many>
[[nodiscard]] INGOT_NOINLINE text_member find_by_hash(const std::byte* at, std::size_t n,
                                                      const char* text) noexcept {
  const std::size_t more = more_than_four(n);
  const key_words words = words_of(text, n, more);
  if ((words.head & 0xFF) == 0) [[unlikely]]
    return find_odd_text(at, n, text);
  const length_info& known = known_by_lengths[n];
  const wide_product both = multiply(words.head ^ known.head_seed, words.tail ^ known.tail_seed);
  const uint64_t hash = both.high ^ both.low;
  const query_hash wanted(hash, known);
  const std::size_t count = Columns::count(at);
  uint32_t i = 0;
  if constexpr (Many) {
    const std::byte* const hashes = at + Columns::head + 2 * count;
    const uint32_t whole = upper_bits(hash) | static_cast<uint32_t>(n);
    i = guess_lanes(hashes, whole, static_cast<uint32_t>(count));
    const uint32_t mask = wanted.match(hashes + std::size_t{2} * i);
    if (mask == 0) [[unlikely]]
      return tell_none<Columns>(at, n, text, whole, i);
    i += static_cast<uint32_t>(std::countr_zero(mask));
  } else {
    const std::byte* const end = at + Columns::head + 4 * count; // as in `match_quickly`
    uint32_t mask = wanted.match(end - std::size_t{2} * lanes) << lanes;
    if (count > lanes) mask |= wanted.match(end - std::size_t{4} * lanes);
    mask >>= 2 * lanes - count;
    if (mask == 0) [[unlikely]]
      return {nullptr, npos};
    i = static_cast<uint32_t>(std::countr_zero(mask));
  }
  const std::byte* const record = at + std::size_t{8} * load<uint16_t>(at + 2) - Columns::cell(at, i);
  // `in_register` makes the compiler load the text a second time. Otherwise the compiler would keep
  // the loaded `words` in registers during the whole search.
  if (!is_text_at(record, reinterpret_cast<const std::byte*>(in_register(text)), n, more)) [[unlikely]]
    return text_member::to_ask(n, text);
  return {record + n, i};
}
/// Finds the key that is the text of `n` bytes in the node at `at` of the validated document at
/// `start`. `Columns` are those of narrow objects with their own keys, or of narrow shapes. The
/// index in the result is as in `find_fast`, and `value` is the end of the key. For an object with
/// other columns, returns the result of `in_shape`.
template <class Columns>
[[nodiscard]] INGOT_NOINLINE text_member find_text(const std::byte* at, std::size_t n, const char* text,
                                                   const std::byte* start) noexcept {
  if (n - 4 > length_mask - 4) [[unlikely]]
    return find_odd_text(at, n, text);
  if (std::to_integer<uint8_t>(*at) != Columns::first_byte) [[unlikely]] {
    if constexpr (Columns::is_shape != 0) return text_member::to_ask(n, text);
    else return slow_lookup::in_shape(at, n, text, start);
  }
  const std::size_t count = Columns::count(at);
  if (count > few_keys)
    return count > std::size_t{2} * lanes ? find_by_hash<Columns, true>(at, n, text)
                                          : find_by_hash<Columns, false>(at, n, text);
  // The 16 bytes that are compared end where the hashes end. With fewer than two keys, these bytes
  // begin before the node. They are still within the document, which begins with a header.
  const std::byte* const end = at + Columns::head + 4 * count;
  const std::byte* const heap_end = in_register(at + std::size_t{8} * load<uint16_t>(at + 2));
  const auto* const wanted = reinterpret_cast<const std::byte*>(text);
  uint32_t mask = query_hash::match_lengths(end - 16, known_by_lengths[n]) >> (16 - 2 * count);
  for (; mask != 0; mask &= mask - 1, mask &= mask - 1) {
    const std::size_t twice = in_register(static_cast<uint32_t>(std::countr_zero(mask)));
    const std::byte* const record = heap_end - load<uint16_t>(at + Columns::head + twice);
    if (n >= 8) {
      if (load<uint64_t>(record) != load<uint64_t>(wanted)) continue;
      if (load<uint64_t>(record + n - 8) != load<uint64_t>(wanted + n - 8)) continue;
    } else {
      if (load<uint32_t>(record) != load<uint32_t>(wanted)) continue;
      if (load<uint32_t>(record + n - 4) != load<uint32_t>(wanted + n - 4)) continue;
    }
    return {record + n, static_cast<uint32_t>(twice / 2)};
  }
  if (*text == 0) [[unlikely]] // then the hash does not contain the length
    return find_odd_text(at, n, text);
  return {nullptr, npos};
}

}}} // namespace ingot::INGOT_V1::detail::doc

#if defined(INGOT_HEADER_ONLY)
#include <ingot/document/compiled/text_lookup.hpp>
#endif
