// SPDX-License-Identifier: Apache-2.0
// The keys of an object, in the order of the node: by hash, then by bytes. A column has the hashes.
// A hash has 16 bits; four of these bits are the length of the key. The heap has the bytes of the
// keys.
//
// With up to 16 keys, one comparison of 16 lanes finds a hash; with up to 32 keys, two comparisons.
// With more keys, the 16 hashes around a guessed index are compared. Hashes are distributed evenly,
// so a hash gives an approximate index. The hash that is stored at this index corrects the guess
// once (interpolation search: Peterson, "Addressing for random-access storage", 1957). If these
// comparisons do not decide, by chance or because an attacker chose the keys, a binary search
// decides. Equal hashes are ordered by the bytes of the keys, so a lookup among keys that collide
// is also a binary search. The bytes need not be validated: a key whose bytes are not within the
// heap (for `find_fast`: within the document) counts as absent.
#pragma once

#include <ingot/core/detail/lanes.hpp>
#include <ingot/document/detail/node.hpp>
#include <ingot/document/key.hpp>

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>
#include <type_traits>

namespace ingot { inline namespace INGOT_V1 { namespace detail::doc {

inline constexpr uint32_t lanes = 16;

/// Compares the 16 numbers at `from` with `hash`. Returns a mask with a bit for each equal number.
#if INGOT_LANES
[[nodiscard]] INGOT_INLINE uint32_t match_lanes(const std::byte* from, twice_hash hash) noexcept {
  const auto low = load_lanes<short_lanes>(from);
  const auto high = load_lanes<short_lanes>(from + sizeof low);
  const auto wanted = (short_lanes)(word_lanes{hash.both, hash.both, hash.both, hash.both});
  return bits_of(low == wanted, high == wanted);
}
/// Compares the 16 numbers at `from` with `hash`. Returns a mask with a bit for each smaller
/// number.
[[nodiscard]] INGOT_INLINE uint32_t lanes_below(const std::byte* from, uint32_t hash) noexcept {
  const auto low = load_lanes<short_lanes>(from);
  const auto high = load_lanes<short_lanes>(from + sizeof low);
  // The comparison is signed, so half of the range is subtracted from all numbers.
  const uint32_t half = 0x80008000U;
  const uint32_t twice = hash | hash << 16;
  const auto middle = (short_lanes)(word_lanes{half, half, half, half});
  const auto limit = (signed_short_lanes)((short_lanes)(word_lanes{twice, twice, twice, twice}) ^ middle);
  return bits_of((signed_short_lanes)(low ^ middle) < limit, (signed_short_lanes)(high ^ middle) < limit);
}
#else
[[nodiscard]] inline uint32_t match_lanes(const std::byte* from, twice_hash hash) noexcept {
  uint32_t mask = 0;
  for (unsigned i = 0; i < lanes; ++i)
    mask |= static_cast<uint32_t>(load<uint16_t>(from + std::size_t{2} * i) == hash.once()) << i;
  return mask;
}
[[nodiscard]] inline uint32_t lanes_below(const std::byte* from, uint32_t hash) noexcept {
  uint32_t mask = 0;
  for (unsigned i = 0; i < lanes; ++i)
    mask |= static_cast<uint32_t>(load<uint16_t>(from + std::size_t{2} * i) < hash) << i;
  return mask;
}
#endif

/// Returns the index of the first of 16 lanes that probably contain a hash. Requires that there are
/// more than 16 hashes.
[[nodiscard]] INGOT_INLINE uint32_t guess_lanes(const std::byte* hashes, uint32_t wanted,
                                                uint32_t n) noexcept {
  const auto many = static_cast<std::int64_t>(n);
  const std::int64_t expected = wanted * many >> 16;
  const std::int64_t there = load<uint16_t>(hashes + 2 * expected);
  const std::int64_t first = expected + ((wanted - there) * many >> 16) - (lanes / 2 - 1);
  // Limits the index by two conditional moves. Shifts and masks would need three more operations,
  // and all later instructions wait for the result.
  const std::int64_t last_start = many - lanes;
  const std::int64_t above = first < 0 ? 0 : first;
  return static_cast<uint32_t>(in_register(above < last_start ? above : last_start));
}
/// Returns true if the hash `wanted` can only be in the lanes from `first` on. This requires two
/// things: `wanted` is above the first lane, or there is no hash before that lane; and `wanted` is
/// below the last lane, or there is no hash after that lane.
[[nodiscard]] INGOT_INLINE bool lanes_decide(const std::byte* hashes, uint32_t wanted, uint32_t first,
                                             uint32_t n) noexcept {
  const uint32_t last = first + lanes - 1;
  return (first == 0 || load<uint16_t>(hashes + std::size_t{2} * first) < wanted) &&
         (last == n - 1 || load<uint16_t>(hashes + std::size_t{2} * last) > wanted);
}

/// Columns of the nodes of one kind, narrow or wide. `at` is the address of the node.
template <node_kind Kind, bool Wide>
struct columns_of {
  using word_type = std::conditional_t<Wide, uint32_t, uint16_t>;
  static constexpr auto first_byte =
      static_cast<uint8_t>(static_cast<unsigned>(Kind) | (Wide ? wide_bit : 0U));
  static constexpr std::size_t head = head_size(Kind, Wide);
  static constexpr uint64_t is_shape = Kind == node_kind::shape ? 1 : 0;
  static constexpr std::size_t word = sizeof(word_type);
  /// Size in bytes of the columns of one element.
  static constexpr std::size_t element = word + (has_keys(Kind) ? 2 : 0);

  [[nodiscard]] static INGOT_INLINE std::size_t count(const std::byte* at) noexcept {
    return load<word_type>(at + 2 * word);
  }
  [[nodiscard]] static INGOT_INLINE uint32_t bytes(const std::byte* at) noexcept {
    return uint32_t{8} * load<word_type>(at + word);
  }
  /// Returns the size in bytes that the head states. In bytes that were not validated, this may be
  /// any number.
  [[nodiscard]] static INGOT_INLINE std::int64_t stored_bytes(const std::byte* at) noexcept {
    return std::int64_t{8} * load<word_type>(at + word);
  }
  [[nodiscard]] static INGOT_INLINE uint32_t cell(const std::byte* at, std::size_t index) noexcept {
    return load<word_type>(at + head + word * index);
  }
  /// Returns true if the value of a cell is in the heap; false for null, and if the cell contains
  /// the value.
  [[nodiscard]] static INGOT_INLINE bool is_in_heap(uint32_t cell) noexcept {
    return cell - 1 < cell_bits(Wide).immediate() - 1;
  }
};
using narrow_object = columns_of<node_kind::object, false>;

/// Result of `find_fast` if only a slower search can decide.
inline constexpr uint32_t lookup_unresolved = npos - 1;

/// Returns the index of the key's hash among the `n` hashes of the object at `at`; npos if there is
/// none, or `lookup_unresolved` if only a slower search can decide. For few keys, the lanes end
/// where the hashes end, so the lanes are within the document without a check. Lanes before the
/// first hash are shifted out of the mask. They contain cells, the head and, for two to five keys,
/// up to 16 bytes before the node. These bytes exist, because the document's header precedes each
/// node.
template <class Columns = narrow_object, class Key = document_key>
[[nodiscard]] INGOT_INLINE uint32_t match_quickly(const std::byte* at, const std::byte* end, const Key& key,
                                                  std::size_t n) noexcept {
  if (n - 2 <= lanes - 2) {
    const uint32_t mask =
        match_lanes(end - std::size_t{2} * lanes, key_access::hash_twice(key)) >> (lanes - n);
    if (mask == 0) [[unlikely]]
      return npos;
    return static_cast<uint32_t>(std::countr_zero(mask));
  }
  if (n <= std::size_t{2} * lanes) {
    if (n < 2) [[unlikely]]
      return n == 1 && load<uint16_t>(at + Columns::head + Columns::word) == key.hash() ? 0 : npos;
    const std::byte* const from = end - std::size_t{4} * lanes;
    const uint32_t low = match_lanes(from, key_access::hash_twice(key));
    const uint32_t mask =
        (low | match_lanes(from + std::size_t{2} * lanes, key_access::hash_twice(key)) << lanes) >>
        (2 * lanes - n);
    if (mask == 0) [[unlikely]]
      return npos;
    return static_cast<uint32_t>(std::countr_zero(mask));
  }
  const std::byte* const hashes = at + Columns::head + Columns::word * n;
  const uint32_t i = guess_lanes(hashes, key.hash(), static_cast<uint32_t>(n));
  const uint32_t mask = match_lanes(hashes + std::size_t{2} * i, key_access::hash_twice(key));
  if (mask == 0) [[unlikely]]
    return lanes_decide(hashes, key.hash(), i, static_cast<uint32_t>(n)) ? npos : lookup_unresolved;
  return i + static_cast<uint32_t>(std::countr_zero(mask));
}

/// Finds a key as `find_fast` does, among the `n` keys of the object at `at`, in validated bytes.
/// `end` is the end of the columns. For a shape, `value` is the end of the key.
template <class Columns = narrow_object, class Key = document_key>
[[nodiscard]] INGOT_INLINE uint32_t find_among(const std::byte* at, const std::byte* end, std::size_t n,
                                               const Key& key, const std::byte*& value) noexcept {
  const uint32_t i = match_quickly<Columns>(at, end, key, n);
  if (i >= lookup_unresolved) [[unlikely]]
    return i;
  const uint32_t cell = Columns::cell(at, i);
  // Loaded only now, since an earlier load would occupy a register.
  const uint32_t bytes = Columns::bytes(at);
  // The hash contains the length, so the key in the record has the same length.
  const std::size_t size = key.length();
  const std::byte* const record = at + bytes - cell;
  value = record + size;
  return key.is_at(record) ? i : lookup_unresolved;
}
/// Returns the index of a key in the object at `at`, in validated bytes; npos if there is no such
/// key. Sets `value` to the beginning of the value. Handles nearly all lookups: lookups in a narrow
/// object with its own keys, if the hash contains the length of the key (see `length_mask`).
/// Returns `lookup_unresolved` for other lookups.
[[nodiscard]] INGOT_INLINE uint32_t find_fast(const std::byte* at, const document_key& key,
                                              const std::byte*& value) noexcept {
  if (std::to_integer<uint8_t>(*at) != static_cast<uint8_t>(node_kind::object)) [[unlikely]]
    return lookup_unresolved;
  const std::size_t n = load<uint16_t>(at + 4);
  return find_among(at, at + 8 + 4 * n, n, key, value);
}

/// An object for `find_fast` in bytes that were not validated. The checks ensure that accesses are
/// within the document, but not that they are within the node. `meet_object` checks the head and
/// the columns. Each lookup checks the beginning and the end of its value. Positions of values
/// count from 16 bytes after the header, so that each check is one comparison with
/// `position_count`. Values before this position need a slower search; they exist only in objects
/// with a single short key.
struct visited_object {
  const std::byte* at = nullptr;    ///< null if there is no such object
  const std::byte* end = nullptr;   ///< end of the columns
  const std::byte* first = nullptr; ///< position 0 of values
  std::int64_t position = 0;        ///< position of the object, counted from `first` - 16
  uint64_t position_count = 0;      ///< number of positions
  std::size_t count = 0;            ///< number of keys
};
/// Sets `object` to the node at `position`. Returns false if the node there does not have the
/// columns `Columns`.
template <class Columns = narrow_object>
[[nodiscard]] INGOT_INLINE bool meet_object(memory in, uint32_t position, visited_object& object) noexcept {
  if (!may_be_head(in, position)) [[unlikely]]
    return false;
  const std::int64_t last_position = last_quick_position(in);
  const std::int64_t head = std::int64_t{position - first_node};
  const std::byte* const at = in.start + position;
  if (std::to_integer<uint8_t>(*at) != Columns::first_byte) [[unlikely]]
    return false;
  const std::size_t n = Columns::count(at);
  // Position of the end of the columns. `may_be_head` has checked the 16 bytes of a head.
  const std::int64_t columns =
      in_register(head + static_cast<std::int64_t>(Columns::element) * static_cast<std::int64_t>(n) +
                  static_cast<std::int64_t>(Columns::head) - 16);
  if (columns > last_position) [[unlikely]]
    return false;
  const std::byte* const first = in.start + first_quick_value;
  object = {at, first + columns, first, head, static_cast<uint64_t>(last_position), n};
  return true;
}
/// Returns true if the key of member `i` is `key`. Sets `range` to the bytes from the value on. A
/// key has at most 15 bytes and is directly before its value, so the key is within the document
/// without a check. For a shape, `range` begins at the end of the key, which may be the end of the
/// bytes.
template <class Columns = narrow_object, class Key = document_key>
[[nodiscard]] INGOT_INLINE bool find_value_at(const visited_object& object, uint32_t i, const Key& key,
                                              value_range& range) noexcept {
  const auto cell = std::int64_t{Columns::cell(object.at, in_register(std::size_t{i}))};
  const auto bytes = Columns::stored_bytes(object.at);
  const auto size = static_cast<std::int64_t>(key.length());
  const std::int64_t record = in_register(object.position - 16 + bytes - cell);
  // For a value before position 0, this number is far greater than any position.
  range.begin = in_register(static_cast<uint64_t>(record + size));
  range.end = object.position_count;
  if (range.begin >= range.end + Columns::is_shape) [[unlikely]]
    return false;
  return key.is_between(object.first + record, object.first + range.begin);
}
/// Finds a key as `find_fast` does. Sets `range` as `find_value_at` does.
template <class Columns = narrow_object, class Key = document_key>
[[nodiscard]] INGOT_INLINE uint32_t find_among(const visited_object& object, const Key& key,
                                               value_range& range) noexcept {
  const uint32_t i = match_quickly<Columns>(object.at, object.end, key, object.count);
  if (i >= lookup_unresolved) [[unlikely]]
    return i;
  return find_value_at<Columns>(object, i, key, range) ? i : lookup_unresolved;
}

/// The keys of an object. They are in its node or in its shape.
class key_columns {
public:
  key_columns() = default;
  /// Uses the keys of the node `of`. Requires that the node has keys of its own and is in `in`.
  INGOT_INLINE key_columns(memory in, const node& of) noexcept : in_(in), of_(of) { hashes_ = of.hashes(); }
  /// Sets `keys` to the keys of any object. Returns false if its shape is invalid or has another
  /// number of keys.
  template <class Memory>
  [[nodiscard]] static INGOT_INLINE bool of_object(Memory in, const node& object,
                                                   key_columns& keys) noexcept {
    if (object.kind == node_kind::object) [[likely]] {
      keys = key_columns(in, object);
      return true;
    }
    node shape;
    if (object.kind != node_kind::shaped || !find_node(in, object.extra(), shape) ||
        shape.kind != node_kind::shape || shape.count != object.count)
      return false;
    keys = key_columns(in, shape);
    return true;
  }

  [[nodiscard]] uint32_t count() const noexcept { return of_.count; }
  [[nodiscard]] INGOT_INLINE uint16_t hash(uint32_t i) const noexcept {
    return load<uint16_t>(hashes_ + std::size_t{2} * i);
  }
  [[nodiscard]] const std::byte* hashes() const noexcept { return hashes_; }

  /// Returns the record of key `i` in the heap; null if the record is not within the heap.
  [[nodiscard]] INGOT_INLINE const std::byte* record(uint32_t i) const noexcept {
    const uint32_t c = of_.cell(i);
    if (c - 1 >= of_.heap) [[unlikely]]
      return nullptr;
    const std::byte* const at = of_.end() - c;
    return key_bytes(hash(i), at) - 1 < c ? at : nullptr;
  }
  /// Returns the size in bytes of the record of key `i`, which must exist.
  [[nodiscard]] INGOT_INLINE uint32_t record_size(uint32_t i) const noexcept {
    return key_bytes(hash(i), of_.end() - of_.cell(i));
  }
  [[nodiscard]] INGOT_INLINE bool is_long(uint32_t i) const noexcept {
    if (length_in(hash(i)) != 0) [[likely]]
      return false;
    const std::byte* const at = record(i);
    return at != nullptr && std::to_integer<uint8_t>(*at) == long_key_mark;
  }
  /// Finds the position of the node of a long key. Returns false if key `i` is not a long key.
  [[nodiscard]] bool long_key_position(uint32_t i, uint32_t& position) const noexcept {
    if (!is_long(i)) return false;
    position = load<uint32_t>(record(i) + 1);
    return true;
  }
  /// Sets `key` to the text of key `i`. Returns false if key `i` is invalid.
  [[nodiscard]] bool text(uint32_t i, std::string_view& key) const noexcept {
    const std::byte* const at = record(i);
    if (at == nullptr) return false;
    if (const uint32_t known_length = length_in(hash(i)); known_length != 0) [[likely]] {
      key = {reinterpret_cast<const char*>(at), known_length};
      return true;
    }
    const auto first = std::to_integer<uint32_t>(*at);
    if (first < 0x80) { // 1 plus the length, since no record begins with 0
      key = {reinterpret_cast<const char*>(at + 1), first - 1};
      return true;
    }
    bytes_node found;
    uint32_t position = 0;
    if (!long_key_position(i, position) || !find_bytes(in_, position, node_kind::long_key, found))
      return false;
    key = found.text();
    return true;
  }
  [[nodiscard]] std::string_view text(uint32_t i) const noexcept {
    std::string_view key;
    static_cast<void>(text(i, key));
    return key;
  }

  /// Returns the index of a key; npos if there is none.
  [[nodiscard]] INGOT_INLINE uint32_t find(const document_key& key) const noexcept {
    if (of_.wide) [[unlikely]]
      return find_wide(*this, key);
    return find_in<false>(key);
  }
  /// Returns the index at which a new key would be inserted.
  [[nodiscard]] uint32_t insertion_index(const document_key& key) const noexcept {
    uint32_t i = first_not_below(key.hash());
    if (i == count() || hash(i) != key.hash()) return i;
    uint32_t end = i + 1;
    while (end < count() && hash(end) == key.hash()) ++end;
    while (i < end) {
      const uint32_t middle = i + (end - i) / 2;
      if (text(middle) < key.text()) i = middle + 1;
      else end = middle;
    }
    return i;
  }

private:
  template <bool Wide>
  [[nodiscard]] INGOT_INLINE uint32_t find_in(const document_key& key) const noexcept {
    const uint32_t n = count();
    const uint16_t wanted = key.hash();
    if (n > lanes) {
      const uint32_t first = guess_lanes(hashes_, wanted, n);
      uint32_t mask = match_lanes(hashes_ + std::size_t{2} * first, key_access::hash_twice(key));
      for (; mask != 0; mask &= mask - 1) {
        const auto i = first + static_cast<uint32_t>(std::countr_zero(mask));
        if (is_key<Wide>(i, key)) [[likely]]
          return i;
      }
      return lanes_decide(hashes_, wanted, first, n) ? npos : search(*this, key);
    }
    uint32_t mask = 0;
    // Lanes after the last hash contain the gap and the heap. These lanes must be within the node,
    // and are ignored.
    if (of_.end() - hashes_ >= std::ptrdiff_t{2 * lanes}) [[likely]] {
      mask = match_lanes(hashes_, key_access::hash_twice(key)) & ((uint32_t{1} << n) - 1);
    } else {
      mask = match_one_by_one(hashes_, wanted, n);
    }
    for (; mask != 0; mask &= mask - 1) {
      const auto i = static_cast<uint32_t>(std::countr_zero(mask));
      if (is_key<Wide>(i, key)) return i;
    }
    return npos;
  }
  template <bool Wide>
  [[nodiscard]] INGOT_INLINE bool is_key(uint32_t i, const document_key& key) const noexcept {
    const std::byte* const cell =
        of_.at + head_size_of<Wide>() + (Wide ? std::size_t{4} : std::size_t{2}) * i;
    const uint32_t c = Wide ? load<uint32_t>(cell) : load<uint16_t>(cell);
    if (c - 1 >= of_.heap) [[unlikely]]
      return false;
    // The hashes are equal, so the stored key has the length in the hash. If the length exceeds the
    // bytes from the record to the end of the node, the slow path decides.
    if (length_in(key.hash()) - 1 >= c) [[unlikely]] // also if the hash has no length
      return is_other_key(*this, i, key);
    return key.is_at(of_.end() - c);
  }
  /// Returns the size of the head of an object with its own keys, or of a shape. The head of a
  /// shape also has the number of objects that use it.
  template <bool Wide>
  [[nodiscard]] INGOT_INLINE uint32_t head_size_of() const noexcept {
    return (Wide ? 16U : 8U) + (of_.kind == node_kind::shape ? 4U : 0U);
  }

  // Rare cases are not inlined, since they would occupy registers that the common cases need. Keys
  // are passed by value, since an object whose address is taken is stored in memory.
  [[nodiscard]] INGOT_NOINLINE static uint32_t find_wide(key_columns keys, const document_key& key) noexcept {
    return keys.find_in<true>(key);
  }
  [[nodiscard]] INGOT_NOINLINE static bool is_other_key(key_columns keys, uint32_t i,
                                                        const document_key& key) noexcept {
    std::string_view there;
    return keys.text(i, there) && there == key.text();
  }
  [[nodiscard]] INGOT_NOINLINE static uint32_t match_one_by_one(const std::byte* hashes, uint16_t wanted,
                                                                uint32_t n) noexcept {
    uint32_t mask = 0;
    for (uint32_t i = 0; i < n; ++i) {
      const bool same = load<uint16_t>(hashes + std::size_t{2} * i) == wanted;
      mask |= static_cast<uint32_t>(same) << i;
    }
    return mask;
  }
  [[nodiscard]] INGOT_NOINLINE static uint32_t search(key_columns keys, const document_key& key) noexcept {
    uint32_t from = keys.first_not_below(key.hash());
    uint32_t to =
        key.hash() == 0xFFFF ? keys.count() : keys.first_not_below(static_cast<uint16_t>(key.hash() + 1));
    while (from < to) {
      const uint32_t middle = from + (to - from) / 2;
      std::string_view there;
      if (!keys.text(middle, there)) return npos;
      const int order = there.compare(key.text());
      if (order == 0) return middle;
      if (order < 0) from = middle + 1;
      else to = middle;
    }
    return npos;
  }
  /// Returns the index of the first hash that is at least `wanted`; the count if there is none.
  [[nodiscard]] INGOT_INLINE uint32_t first_not_below(uint16_t wanted) const noexcept {
    uint32_t base = 0;
    for (uint32_t left = count(); left != 0;) {
      // The addition needs no branch. A branch would be taken half of the time, so it would often
      // be mispredicted.
      const uint32_t half = (left + 1) / 2;
      const auto below = static_cast<uint32_t>(hash(base + half - 1) < wanted);
      base += below * half;
      left -= half;
    }
    return base;
  }

  memory in_;
  node of_;
  const std::byte* hashes_ = nullptr;
};

}}} // namespace ingot::INGOT_V1::detail::doc
