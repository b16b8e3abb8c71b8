// SPDX-License-Identifier: Apache-2.0
// Key columns, of an object or of a shape: keys in the order of (hash, bytes), each found by its hash of 16 bits.
//
//   hashes, 2 bytes each | index | lengths, 1 byte each | pool: the keys' bytes, one behind the other
//
// The index has numbers as wide as cells: where each bucket but the first begins, then where in the pool each group of 16 keys but
// the first begins. So a key costs its bytes and three; where it begins is a group's number and a sum of at most 15 lengths.
//
// Up to 16 keys one comparison of 16 lanes finds a hash; above, the bucket says where to begin. Equal hashes are ordered by
// the keys' bytes, so that keys made to collide cost a binary search. What is read here is not proved: a key whose bytes
// do not lie in the pool's room is no key.
#pragma once

#include <ingot/document/key.hpp>
#include <ingot/document/node.hpp>

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>

namespace ingot::inline v1::detail::doc {

#if defined(__SSE2__) && (defined(__GNUC__) || defined(__clang__))
inline constexpr bool has_lanes = true;
/// A bit for each of the eight numbers at `from` that is `hash`.
[[nodiscard]] INGOT_INLINE uint32_t match_eight(const std::byte* from, uint16_t hash) noexcept {
  using shorts [[gnu::vector_size(16)]] = short;
  using chars [[gnu::vector_size(16)]] = char;
  shorts lanes;
  std::memcpy(&lanes, from, sizeof lanes);
  const shorts equal = lanes == static_cast<short>(hash);
  return static_cast<uint32_t>(
      __builtin_ia32_pmovmskb128((chars)__builtin_ia32_packsswb128(equal, shorts{})));
}
#else
inline constexpr bool has_lanes = false;
[[nodiscard]] inline uint32_t match_eight(const std::byte* from, uint16_t hash) noexcept {
  uint32_t mask = 0;
  for (unsigned i = 0; i < 8; ++i)
    mask |= static_cast<uint32_t>(load<uint16_t>(from + std::size_t{2} * i) == hash) << i;
  return mask;
}
#endif

/// Whether texts of the same length are the same.
[[nodiscard]] INGOT_INLINE bool same_bytes(const std::byte* a, const char* b, std::size_t n) noexcept {
  const auto* const other = reinterpret_cast<const std::byte*>(b);
  if (n > 16) return std::memcmp(a, b, n) == 0;
  if (n >= 8) {
    return ((load<uint64_t>(a) ^ load<uint64_t>(other)) |
            (load<uint64_t>(a + n - 8) ^ load<uint64_t>(other + n - 8))) == 0;
  }
  if (n >= 4) {
    return ((load<uint32_t>(a) ^ load<uint32_t>(other)) |
            (load<uint32_t>(a + n - 4) ^ load<uint32_t>(other + n - 4))) == 0;
  }
  for (std::size_t i = 0; i < n; ++i) {
    if (a[i] != other[i]) return false;
  }
  return true;
}

/// The keys of an object, wherever they are.
class key_columns {
public:
  key_columns() = default;
  /// Of a node that has keys and was found in `in`.
  INGOT_INLINE key_columns(memory in, const node& of) noexcept
      : in_(in), count_(of.count), word_(static_cast<uint8_t>(of.word())) {
    hashes_ = of.cells() + (has_cells(of.kind) ? std::size_t{of.word()} * of.count : 0);
    index_ = hashes_ + std::size_t{2} * count_;
    lengths_ = index_ + std::size_t{word_} * index_count(count_);
    pool_ = lengths_ + count_;
    room_ = static_cast<uint32_t>(of.end() - pool_) - of.heap;
  }
  /// Of any object. False when its shape is none, or of another number of keys.
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

  [[nodiscard]] uint32_t count() const noexcept { return count_; }
  [[nodiscard]] INGOT_INLINE uint16_t hash(uint32_t i) const noexcept {
    return load<uint16_t>(hashes_ + std::size_t{2} * i);
  }
  [[nodiscard]] INGOT_INLINE uint8_t length_byte(uint32_t i) const noexcept {
    return std::to_integer<uint8_t>(lengths_[i]);
  }
  [[nodiscard]] const std::byte* hashes() const noexcept { return hashes_; }
  [[nodiscard]] const std::byte* index() const noexcept { return index_; }
  [[nodiscard]] const std::byte* lengths() const noexcept { return lengths_; }
  [[nodiscard]] const std::byte* pool() const noexcept { return pool_; }
  [[nodiscard]] bool wide() const noexcept { return word_ == 4; }

  /// Where in the pool the bytes of key `i` begin, and their number; false when they don't lie there.
  [[nodiscard]] INGOT_INLINE bool extent(uint32_t i, uint32_t& at, uint32_t& bytes) const noexcept {
    const uint32_t group = i / 16;
    uint64_t begin = group == 0 ? 0 : index_word(bucket_count(count_) - 1 + group - 1);
    const std::byte* const first = lengths_ + std::size_t{16} * group;
    const uint32_t before = i % 16;
    begin += sum_of(first, before);
    bytes = length_byte(i) & 0x7FU;
    at = static_cast<uint32_t>(begin);
    return begin <= room_ && bytes <= room_ - begin;
  }
  /// Bytes of the pool; false when the last key lies outside.
  [[nodiscard]] bool pool_size(uint32_t& size) const noexcept {
    size = 0;
    if (count_ == 0) return true;
    uint32_t at = 0;
    uint32_t bytes = 0;
    if (!extent(count_ - 1, at, bytes)) return false;
    size = at + bytes;
    return true;
  }
  [[nodiscard]] INGOT_INLINE bool is_long(uint32_t i) const noexcept { return length_byte(i) >= 0x80; }
  /// The place of a long key's node.
  [[nodiscard]] bool long_place(uint32_t i, uint32_t& place) const noexcept {
    uint32_t at = 0;
    uint32_t bytes = 0;
    if (!extent(i, at, bytes) || length_byte(i) != long_key_mark) return false;
    place = load<uint32_t>(pool_ + at);
    return true;
  }
  /// False when key `i` is none.
  [[nodiscard]] bool text(uint32_t i, std::string_view& key) const noexcept {
    uint32_t at = 0;
    uint32_t bytes = 0;
    if (!extent(i, at, bytes)) return false;
    if (!is_long(i)) {
      key = {reinterpret_cast<const char*>(pool_ + at), bytes};
      return true;
    }
    bytes_node found;
    uint32_t place = 0;
    if (!long_place(i, place) || !find_bytes(in_, place, node_kind::long_key, found)) return false;
    key = found.text();
    return true;
  }
  [[nodiscard]] std::string_view text(uint32_t i) const noexcept {
    std::string_view key;
    static_cast<void>(text(i, key));
    return key;
  }

  /// The index of a key, or npos.
  [[nodiscard]] INGOT_INLINE uint32_t find(const document_key& key) const noexcept {
    const uint16_t wanted = key.hash();
    if (count_ <= 16) {
      uint32_t mask = 0;
      // Lanes behind the last are other columns; they have to lie in the bytes, and are not looked at.
      if (has_lanes && hashes_ + 32 <= in_.start + in_.size) [[likely]] {
        mask = match_eight(hashes_, wanted) | match_eight(hashes_ + 16, wanted) << 8;
        mask &= (uint32_t{1} << count_) - 1;
      } else {
        mask = match_one_by_one(hashes_, wanted, 0, count_);
      }
      for (; mask != 0; mask &= mask - 1) {
        const auto i = static_cast<uint32_t>(std::countr_zero(mask));
        if (is_key(i, key.text())) return i;
      }
      return npos;
    }
    return find_among_many(key);
  }
  /// Where a key that is not there would have to be inserted.
  [[nodiscard]] uint32_t place_for(const document_key& key) const noexcept {
    const auto [from, to] = bucket(key.hash());
    uint32_t i = first_not_below(key.hash(), from, to);
    if (i == count_ || hash(i) != key.hash()) return i;
    uint32_t end = i + 1;
    while (end < count_ && hash(end) == key.hash()) ++end;
    while (i < end) {
      const uint32_t middle = i + (end - i) / 2;
      if (text(middle) < key.text()) i = middle + 1;
      else end = middle;
    }
    return i;
  }

private:
  // What happens seldom is out of line: inlined it would take the registers of what happens always. By value: an object whose address is
  // taken lives in memory.
  [[nodiscard]] INGOT_NOINLINE static uint32_t match_one_by_one(const std::byte* hashes, uint16_t wanted,
                                                                uint32_t from, uint32_t to) noexcept {
    uint32_t mask = 0;
    for (uint32_t i = from; i < to; ++i) {
      const bool same = load<uint16_t>(hashes + std::size_t{2} * i) == wanted;
      mask |= static_cast<uint32_t>(same) << (i - from);
    }
    return mask;
  }
  [[nodiscard]] INGOT_NOINLINE static bool is_long_key(key_columns keys, uint32_t i,
                                                       std::string_view wanted) noexcept {
    std::string_view there;
    return keys.text(i, there) && there == wanted;
  }
  [[nodiscard]] INGOT_NOINLINE static uint32_t sum_one_by_one(const std::byte* lengths, uint32_t n) noexcept {
    uint32_t sum = 0;
    for (uint32_t i = 0; i < n; ++i) sum += std::to_integer<uint32_t>(lengths[i]) & 0x7F;
    return sum;
  }
  struct range {
    uint32_t from;
    uint32_t to;
  };

  [[nodiscard]] INGOT_INLINE uint32_t index_word(uint32_t i) const noexcept {
    const std::byte* const at = index_ + std::size_t{word_} * i;
    return word_ == 4 ? load<uint32_t>(at) : load<uint16_t>(at);
  }
  /// The sum of the lengths of `n` keys, at most 15.
  [[nodiscard]] INGOT_INLINE uint32_t sum_of(const std::byte* lengths, uint32_t n) const noexcept {
    if (little_endian && lengths + 16 <= in_.start + in_.size) [[likely]] {
      constexpr uint64_t marks = 0x7F7F7F7F7F7F7F7F;
      constexpr uint64_t even = 0x00FF00FF00FF00FF;
      const auto add = [](uint64_t eight) {
        return static_cast<uint32_t>(((eight & even) + (eight >> 8 & even)) * 0x0001000100010001 >> 48);
      };
      uint64_t first = load<uint64_t>(lengths) & marks;
      if (n < 8) return add(first & ((uint64_t{1} << 8 * n) - 1));
      const uint64_t second = load<uint64_t>(lengths + 8) & marks;
      return add(first) + add(second & ((uint64_t{1} << 8 * (n - 8)) - 1));
    }
    return sum_one_by_one(lengths, n);
  }
  [[nodiscard]] INGOT_INLINE range bucket(uint16_t wanted) const noexcept {
    const uint32_t buckets = bucket_count(count_);
    if (buckets == 1) return {0, count_};
    const auto b = static_cast<uint32_t>(wanted * uint64_t{buckets} >> 16);
    const uint32_t from = b == 0 ? 0 : index_word(b - 1);
    const uint32_t to = b + 1 == buckets ? count_ : index_word(b);
    if (from > to || to > count_) [[unlikely]]
      return {0, 0};
    return {from, to};
  }
  /// The first of [from, to) whose hash is not below `wanted`; `to` if there is none.
  [[nodiscard]] uint32_t first_not_below(uint16_t wanted, uint32_t from, uint32_t to) const noexcept {
    while (from < to) {
      const uint32_t middle = from + (to - from) / 2;
      if (hash(middle) < wanted) from = middle + 1;
      else to = middle;
    }
    return from;
  }
  [[nodiscard]] INGOT_INLINE bool is_key(uint32_t i, std::string_view wanted) const noexcept {
    const uint32_t length = length_byte(i);
    if (length != wanted.size()) [[unlikely]]
      return length >= 0x80 && is_long_key(*this, i, wanted);
    if (length > short_key) [[unlikely]]
      return is_long_key(*this, i, wanted);
    uint32_t at = 0;
    uint32_t bytes = 0;
    return extent(i, at, bytes) && same_bytes(pool_ + at, wanted.data(), bytes);
  }
  [[nodiscard]] INGOT_INLINE uint32_t find_among_many(const document_key& key) const noexcept {
    const uint16_t wanted = key.hash();
    auto [from, to] = bucket(wanted);
    // A bucket holds eight on average: what is far above was made to be, or is one of many equal hashes.
    if (to - from > 32) [[unlikely]]
      return find_in_long_bucket(*this, key, from, to);
    for (; from < to; from += 8) {
      uint32_t mask = 0;
      if (hashes_ + std::size_t{2} * from + 16 <= in_.start + in_.size) [[likely]] {
        mask = match_eight(hashes_ + std::size_t{2} * from, wanted);
      } else {
        mask = match_one_by_one(hashes_, wanted, from, to - from < 8 ? to : from + 8);
      }
      if (to - from < 8) mask &= (uint32_t{1} << (to - from)) - 1;
      for (; mask != 0; mask &= mask - 1) {
        const auto i = from + static_cast<uint32_t>(std::countr_zero(mask));
        if (is_key(i, key.text())) return i;
      }
    }
    return npos;
  }
  [[nodiscard]] INGOT_NOINLINE static uint32_t find_in_long_bucket(key_columns keys, const document_key& key,
                                                                   uint32_t from, uint32_t to) noexcept {
    const uint16_t wanted = key.hash();
    from = keys.first_not_below(wanted, from, to);
    to = wanted == 0xFFFF ? to : keys.first_not_below(static_cast<uint16_t>(wanted + 1), from, to);
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

  memory in_;
  const std::byte* hashes_ = nullptr;
  const std::byte* index_ = nullptr;
  const std::byte* lengths_ = nullptr;
  const std::byte* pool_ = nullptr;
  uint32_t count_ = 0;
  uint32_t room_ = 0;
  uint8_t word_ = 2;
};

} // namespace ingot::inline v1::detail::doc
