// SPDX-License-Identifier: Apache-2.0
// The nodes of the ordered containers, as bytes:
//
//   leaf    count, capacity, level 0 | order (8) | keys | values
//   inner   count, capacity, level   | separators       | links (distances to the children)
//
// The order is a word of 16 nibbles. Nibble i is the slot of entry i; the nibbles from the count on
// are the free slots. So an insertion moves no value. After Mao, Kohler and Morris, "Cache
// craftiness for fast multicore key-value storage" (2012).
//
// Plain keys are numbers. They are stored sorted, without slots. The largest number of their type
// fills the unused positions after them, so that a search counts the smaller numbers in all
// positions without a branch. Inner nodes store separators for plain keys. Separator i is at least
// the last key of child i, and below the first key of child i + 1. In containers with repeated
// keys, the separator may equal this first key.
//
// Other keys are in slots, too, and are found by binary search. Inner nodes store no separators for
// them: the first keys of the children are the separators.
//
// The root is a storage with a prefix. All other nodes are runs without a prefix; their size
// depends only on the level.
#pragma once

#include <ingot/live/detail/key_order.hpp>
#include <ingot/live/detail/register_block.hpp>
#include <ingot/live/detail/slot_order.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>
#include <type_traits>
#include <utility>

namespace ingot { inline namespace INGOT_V1 { namespace detail {

struct node_meta {
  std::uint8_t count;
  std::uint8_t capacity;
  std::uint8_t level;
  std::array<std::uint8_t, 5> zero;
};
static_assert(sizeof(node_meta) == 8);

/// Layout of the nodes of a tree from `K` to `V` (void for sets).
template <class K, class V, block_policy P>
struct btree_node {
  static_assert(std::is_object_v<K> && std::is_same_v<K, std::remove_cv_t<K>> && !std::is_array_v<K>,
                "ingot: keys are objects, without const, and arrays std::array");

  using offset_type = typename P::offset_type;
  using signed_offset = std::make_signed_t<offset_type>;
  using block_type = block_ref<P>;
  using key_type = K;
  using mapped_type = V;

  static constexpr unsigned fanout = 16;
  static constexpr unsigned quarter = fanout / 4;
  static constexpr unsigned highest = 16; ///< maximum number of levels: a path has 16 nibbles
  static constexpr bool has_values = !std::is_void_v<V>;
  using value = std::conditional_t<has_values, V, std::byte>;

  static consteval bool is_plain() { return is_plain_key<K>(); }
  static consteval bool has_order() { return has_values || !is_plain(); }
  static consteval auto raw_of() {
    if constexpr (is_plain()) return raw_key_t<K>{};
    else return std::uint8_t{};
  }
  using raw = decltype(raw_of());
  static constexpr raw largest = std::numeric_limits<raw>::max();

  // Sizes.

  static consteval std::size_t leaf_alignment() {
    std::size_t max_alignment = alignof(K) > 8 ? alignof(K) : 8;
    if constexpr (has_values) max_alignment = alignof(V) > max_alignment ? alignof(V) : max_alignment;
    return max_alignment;
  }
  static consteval std::size_t keys_at() { return has_order() ? 16 : 8; }
  [[nodiscard]] static INGOT_INLINE constexpr std::size_t values_at(std::size_t capacity) noexcept {
    constexpr std::size_t step = alignof(value) > 8 ? alignof(value) : 8;
    return round_up(keys_at() + capacity * sizeof(K), step);
  }
  [[nodiscard]] static constexpr std::size_t leaf_size(std::size_t capacity) noexcept {
    return has_values ? round_up(values_at(capacity) + capacity * sizeof(value), 8) : values_at(capacity);
  }
  [[nodiscard]] static INGOT_INLINE constexpr std::size_t links_at(std::size_t capacity) noexcept {
    return is_plain() ? round_up(8 + capacity * sizeof(raw), sizeof(offset_type)) : 8;
  }
  [[nodiscard]] static constexpr std::size_t inner_size(std::size_t capacity) noexcept {
    return round_up(links_at(capacity) + capacity * sizeof(offset_type), 8);
  }
  /// Returns the number of bytes in front of a leaf that is not the root: the size of a prefix if
  /// the alignment needs it, otherwise 0.
  static consteval std::size_t front() {
    return leaf_alignment() > 8 ? sizeof(storage_prefix<offset_type>) : 0;
  }
  [[nodiscard]] static constexpr std::size_t run_size(std::size_t level) noexcept {
    constexpr std::size_t smallest = 2 * sizeof(storage_prefix<offset_type>);
    const std::size_t size = level == 0 ? front() + leaf_size(fanout) : inner_size(fanout);
    return size < smallest ? smallest : size;
  }
  /// Rounds the capacity of an inner root to a multiple of four.
  static constexpr std::size_t round_children(std::size_t count) noexcept { return round_up(count, 4); }

  // Parts. Numbers are copied, not accessed through pointers, because a node has bytes of many
  // types.

  [[nodiscard]] static INGOT_INLINE node_meta& meta(std::byte* node) noexcept {
    return *reinterpret_cast<node_meta*>(node);
  }
  [[nodiscard]] static INGOT_INLINE const node_meta& meta(const std::byte* node) noexcept {
    return *reinterpret_cast<const node_meta*>(node);
  }
  [[nodiscard]] static INGOT_INLINE std::uint64_t order(const std::byte* leaf) noexcept {
    if constexpr (!has_order()) return slot_order::identity;
    std::uint64_t word = 0;
    std::memcpy(&word, leaf + 8, sizeof word);
    return word;
  }
  static INGOT_INLINE void set_order(std::byte* leaf, std::uint64_t word) noexcept {
    if constexpr (has_order()) std::memcpy(leaf + 8, &word, sizeof word);
  }
  /// Returns the `i`-th number of a leaf's keys or, if `first` is 8, of an inner node's separators.
  [[nodiscard]] static INGOT_INLINE raw raw_at(const std::byte* node, std::size_t first,
                                               std::size_t i) noexcept {
    raw number{};
    std::memcpy(&number, node + first + i * sizeof(raw), sizeof number);
    return number;
  }
  static INGOT_INLINE void set_raw(std::byte* node, std::size_t first, std::size_t i, raw number) noexcept {
    std::memcpy(node + first + i * sizeof(raw), &number, sizeof number);
  }
  [[nodiscard]] static INGOT_INLINE raw separator(const std::byte* inner, std::size_t i) noexcept {
    return raw_at(inner, 8, i);
  }
  static INGOT_INLINE void set_separator(std::byte* inner, std::size_t i, raw number) noexcept {
    set_raw(inner, 8, i, number);
  }

  /// Returns the address of the key with index `i` in the key array. The index is the rank for
  /// plain keys, and the slot for other keys.
  [[nodiscard]] static INGOT_INLINE K* key_position(std::byte* leaf, std::size_t i) noexcept {
    return reinterpret_cast<K*>(leaf + keys_at()) + i;
  }
  [[nodiscard]] static INGOT_INLINE const K& key(const std::byte* leaf, std::size_t i) noexcept {
    return *key_position(const_cast<std::byte*>(leaf), is_plain() ? i : slot_order::slot(order(leaf), i));
  }
  [[nodiscard]] static INGOT_INLINE value* value_position(std::byte* leaf, std::size_t slot) noexcept {
    return reinterpret_cast<value*>(leaf + values_at(meta(leaf).capacity)) + slot;
  }
  [[nodiscard]] static INGOT_INLINE value& mapped(std::byte* leaf, std::size_t i) noexcept {
    return *value_position(leaf, slot_order::slot(order(leaf), i));
  }

  [[nodiscard]] static INGOT_INLINE std::byte* link_position(std::byte* inner, std::size_t i) noexcept {
    return inner + links_at(meta(inner).capacity) + i * sizeof(offset_type);
  }
  [[nodiscard]] static INGOT_INLINE signed_offset link(const std::byte* inner, std::size_t i) noexcept {
    signed_offset distance = 0;
    std::memcpy(&distance, link_position(const_cast<std::byte*>(inner), i), sizeof distance);
    return distance;
  }
  [[nodiscard]] static INGOT_INLINE std::byte* child(std::byte* inner, std::size_t i) noexcept {
    return reinterpret_cast<std::byte*>(
        reinterpret_cast<std::uintptr_t>(inner) +
        static_cast<std::uintptr_t>(static_cast<std::intptr_t>(link(inner, i))));
  }
  static INGOT_INLINE void set_child(std::byte* inner, std::size_t i, const std::byte* child) noexcept {
    const auto distance = static_cast<signed_offset>(reinterpret_cast<std::uintptr_t>(child) -
                                                     reinterpret_cast<std::uintptr_t>(inner));
    std::memcpy(link_position(inner, i), &distance, sizeof distance);
  }
  static void clear_links(std::byte* inner, std::size_t first, std::size_t last) noexcept {
    std::memset(link_position(inner, first), 0, (last - first) * sizeof(offset_type));
  }

  // Search.

  // Searches don't branch on the count of numbers. The unused positions hold the largest number
  // (see `fill`), so searches compare all positions. If `Upper`, searches count the numbers that
  // are not above the query, otherwise the numbers below the query.

  /// Returns how many of `Count` numbers precede `number`. The first of these numbers is at
  /// `numbers`; they are `Step` positions apart.
  template <bool Upper, std::size_t Count, std::size_t Step>
  [[nodiscard]] static INGOT_INLINE std::size_t count_each(const std::byte* numbers, raw number) noexcept {
    return [&]<std::size_t... I>(std::index_sequence<I...>) INGOT_INLINE_LAMBDA {
      return (static_cast<std::size_t>(precedes<Upper>(raw_at(numbers, 0, I * Step), number)) + ...);
    }(std::make_index_sequence<Count>{});
  }
  /// Counts the separators of a node that precede `number`. The last position is always unused, so
  /// it is not compared.
  template <bool Upper>
  [[nodiscard]] static INGOT_INLINE std::size_t count_separators(const std::byte* inner,
                                                                 raw number) noexcept {
    const std::byte* const numbers = inner + 8;
    const std::size_t capacity = meta(inner).capacity;
    if (capacity == fanout / 2) return count_each<Upper, 7, 1>(numbers, number);
    std::size_t fours = 0;
    for (std::size_t i = 3; i + 1 < capacity; i += 4) {
      fours += static_cast<std::size_t>(precedes<Upper>(raw_at(numbers, 0, i), number));
    }
    return 4 * fours + count_each<Upper, 3, 1>(numbers + 4 * fours * sizeof(raw), number);
  }
  /// Counts how many of the first 15 numbers of a leaf precede `number`. The leaf has 16 numbers.
  template <bool Upper>
  [[nodiscard]] static INGOT_INLINE std::size_t count_fifteen(const std::byte* leaf, raw number) noexcept {
    const std::byte* const numbers = leaf + keys_at();
    const std::size_t fours = count_each<Upper, 3, 4>(numbers + 3 * sizeof(raw), number);
    return 4 * fours + count_each<Upper, 3, 1>(numbers + 4 * fours * sizeof(raw), number);
  }
  template <bool Upper>
  [[nodiscard]] static INGOT_INLINE bool precedes(raw here, raw number) noexcept {
    if constexpr (Upper) return here <= number;
    else return here < number;
  }
  /// Returns the first key under a node of `level`.
  [[nodiscard]] static const K& first_key(std::byte* node, std::size_t level) noexcept {
    for (; level != 0; --level) node = child(node, 0);
    return key(node, 0);
  }

  /// Returns the child in which to search for a key or, if `Upper`, for the end of the keys that
  /// are equal to it. The query is a `raw` or something that compares with a key.
  template <bool Upper, class Sought>
  [[nodiscard]] static INGOT_INLINE unsigned find_child(std::byte* inner, std::size_t level,
                                                        const Sought& query) {
    if constexpr (is_plain()) {
      const auto found = static_cast<unsigned>(count_separators<Upper>(inner, query));
      if constexpr (!Upper) return found;
      const unsigned last = meta(inner).count - 1U;
      return found < last ? found : last;
    } else {
      return search_by<Upper, K>(query, [&](const auto& is_before) INGOT_INLINE_LAMBDA {
        unsigned low = 0; // last child whose first key precedes the query, or 0
        unsigned high = meta(inner).count;
        while (high - low > 1) {
          const unsigned middle = (low + high) / 2;
          if (is_before(first_key(child(inner, middle), level - 1))) low = middle;
          else high = middle;
        }
        return low;
      });
    }
  }
  /// Returns the rank of the first key of a leaf that is not below the query or, if `Upper`, of the
  /// first key above the query. In a full leaf a rank of 15 may be one too low: see
  /// `complete_rank`. Only the root may be a leaf below full size.
  template <bool Upper, class Sought>
  [[nodiscard]] static INGOT_INLINE unsigned find_rank(const std::byte* leaf, const Sought& query,
                                                       bool below_root) {
    if constexpr (is_plain()) {
      const std::size_t capacity = meta(leaf).capacity;
      if (below_root && capacity != fanout) std::unreachable();
      std::size_t found = 0;
      if (capacity == fanout) [[likely]] {
        found = count_fifteen<Upper>(leaf, query);
      } else {
        for (std::size_t i = 0; i < capacity; ++i) {
          found += static_cast<std::size_t>(precedes<Upper>(raw_at(leaf, keys_at(), i), query));
        }
      }
      if constexpr (!Upper) return static_cast<unsigned>(found);
      const std::size_t count = meta(leaf).count;
      // unused positions are counted, too, if the query is the largest key
      return static_cast<unsigned>(found < count ? found : count);
    } else {
      return search_by<Upper, K>(query, [&](const auto& is_before) INGOT_INLINE_LAMBDA {
        unsigned low = 0;
        unsigned high = meta(leaf).count;
        while (low < high) {
          const unsigned middle = (low + high) / 2;
          if (is_before(key(leaf, middle))) low = middle + 1;
          else high = middle;
        }
        return low;
      });
    }
  }
  template <bool Upper, class Sought>
  [[nodiscard]] static INGOT_INLINE unsigned complete_rank(const std::byte* leaf, unsigned rank,
                                                           const Sought& query) {
    if constexpr (is_plain()) {
      if (rank == fanout - 1 && meta(leaf).count == fanout) {
        rank += static_cast<unsigned>(precedes<Upper>(raw_at(leaf, keys_at(), fanout - 1), query));
      }
    }
    return rank;
  }
  /// Returns true if the key at a rank that `find_rank` returned equals the query.
  template <class Sought>
  [[nodiscard]] static INGOT_INLINE bool holds(const std::byte* leaf, std::size_t rank, const Sought& query) {
    if constexpr (is_plain()) {
      if (meta(leaf).capacity == fanout) [[likely]] {
        // The rank need not be compared with the count first: every position has a number. Only the
        // largest number may be in an unused position.
        return raw_at(leaf, keys_at(), rank) == query && (query != largest || rank < meta(leaf).count);
      }
      return rank < meta(leaf).count && raw_at(leaf, keys_at(), rank) == query;
    } else {
      return rank < meta(leaf).count && compare_keys(key(leaf, rank), query) == 0;
    }
  }

  // Changes.

  static void begin_leaf(std::byte* leaf, std::size_t capacity) noexcept {
    meta(leaf) = {0, static_cast<std::uint8_t>(capacity), 0, {}};
    set_order(leaf, slot_order::identity);
    fill(leaf, keys_at(), 0, capacity);
  }
  static void begin_inner(std::byte* inner, std::size_t capacity, std::size_t level) noexcept {
    meta(inner) = {0, static_cast<std::uint8_t>(capacity), static_cast<std::uint8_t>(level), {}};
    fill(inner, 8, 0, capacity);
  }
  /// Stores the largest number in unused positions.
  static void fill(std::byte* node, std::size_t first, std::size_t from, std::size_t to) noexcept {
    if constexpr (is_plain()) {
      for (std::size_t i = from; i < to; ++i) set_raw(node, first, i, largest);
    }
  }

  /// Inserts a number at `i` among `n` numbers; the position after the last must be unused. Moves
  /// the numbers from `i` on in pairs, from the end. If an odd count of numbers moves, the last
  /// pair also copies the bytes before position `i` to position `i`. The new number then overwrites
  /// this copy.
  static INGOT_INLINE void insert_raw(std::byte* node, std::size_t first, std::size_t i, std::size_t n,
                                      raw number) noexcept {
    using two = std::array<std::byte, 2 * sizeof(raw)>;
    static_assert(sizeof(raw) <= 8);
    std::byte* const here = node + first + i * sizeof(raw);
    for (std::byte* to = node + first + n * sizeof(raw); to > here; to -= sizeof(two)) {
      two moved;
      std::memcpy(&moved, to - sizeof(two), sizeof moved);
      std::memcpy(to - sizeof(raw), &moved, sizeof moved);
    }
    std::memcpy(here, &number, sizeof number);
  }
  /// Removes number `i`. The numbers after it move down by one; the loop begins at the last number.
  /// A loop that begins at the first number would be compiled to memmove. memmove would have to
  /// wait for numbers that were stored just before.
  static INGOT_INLINE void erase_raw(std::byte* node, std::size_t first, std::size_t i,
                                     std::size_t n) noexcept {
    raw number = largest;
    for (std::size_t to = n; to-- > i;) {
      const raw next = raw_at(node, first, to);
      set_raw(node, first, to, number);
      number = next;
    }
  }

  /// Enters an entry of a full-size leaf at its rank. The parts of the entry are in the last free
  /// slot. `take_out` is the reverse.
  static INGOT_INLINE void enter_last(std::byte* leaf, std::size_t rank, raw number) noexcept {
    node_meta& head = meta(leaf);
    if constexpr (is_plain()) insert_into_sixteen(leaf + keys_at(), rank, number);
    if constexpr (has_order()) set_order(leaf, slot_order::inserted_last(order(leaf), rank));
    ++head.count;
  }
  static INGOT_INLINE void take_out(std::byte* leaf, std::size_t rank) noexcept {
    node_meta& head = meta(leaf);
    const std::size_t n = head.count;
    if constexpr (has_order()) {
      const std::uint64_t before = order(leaf);
      scrub_slot(leaf, slot_order::slot(before, rank));
      set_order(leaf, head.capacity == fanout ? slot_order::erased_to_last(before, rank)
                                              : slot_order::erased(before, rank, n));
    }
    if constexpr (is_plain()) {
      if (head.capacity == fanout) [[likely]]
        erase_from_sixteen(leaf + keys_at(), rank, largest);
      else erase_raw(leaf, keys_at(), rank, n);
    }
    head.count = static_cast<std::uint8_t>(n - 1);
  }
  /// Enters an entry at its rank. The parts of the entry are in the first free slot of the leaf. If
  /// keys are plain, `number` is the entry's key.
  static INGOT_INLINE void enter(std::byte* leaf, std::size_t rank, raw number) noexcept {
    node_meta& head = meta(leaf);
    if constexpr (is_plain()) insert_raw(leaf, keys_at(), rank, head.count, number);
    if constexpr (has_order()) set_order(leaf, slot_order::inserted(order(leaf), rank, head.count));
    ++head.count;
  }

  /// Appends `n` entries, from rank `from` on, to another leaf that has space for them. The caller
  /// then removes them from `leaf` with `drop_entries`.
  static void move_entries(std::byte* to, std::byte* leaf, std::size_t from, std::size_t n) noexcept {
    node_meta& target = meta(to);
    for (std::size_t i = from; i < from + n; ++i) {
      const unsigned old_slot = slot_order::slot(order(leaf), i);
      const unsigned new_slot = slot_order::slot(order(to), target.count);
      if constexpr (is_plain()) set_raw(to, keys_at(), target.count, raw_at(leaf, keys_at(), i));
      else relocate(key_position(to, new_slot), key_position(leaf, old_slot), 1);
      if constexpr (has_values) relocate(value_position(to, new_slot), value_position(leaf, old_slot), 1);
      ++target.count;
    }
  }
  /// Drops the entries from rank `from` on, which were moved elsewhere.
  static void drop_entries(std::byte* leaf, std::size_t from) noexcept {
    for (std::size_t i = from; i < meta(leaf).count; ++i) scrub_slot(leaf, slot_order::slot(order(leaf), i));
    fill(leaf, keys_at(), from, meta(leaf).count);
    meta(leaf).count = static_cast<std::uint8_t>(from);
  }
  static INGOT_INLINE void scrub_slot(std::byte* leaf, std::size_t slot) noexcept {
    if constexpr (!is_plain()) scrub(key_position(leaf, slot), 1);
    if constexpr (has_values) scrub(value_position(leaf, slot), 1);
  }

  /// Inserts a child after the `i`-th, with the separator between the two.
  static void insert_child(std::byte* inner, std::size_t i, raw between, const std::byte* child) noexcept {
    node_meta& head = meta(inner);
    if constexpr (is_plain()) insert_raw(inner, 8, i, head.count - 1U, between);
    std::byte* const link = link_position(inner, i + 1);
    std::memmove(link + sizeof(offset_type), link, (head.count - 1U - i) * sizeof(offset_type));
    set_child(inner, i + 1, child);
    ++head.count;
  }
  /// Removes the `i`-th child, and the separator with index `between`.
  static void erase_child(std::byte* inner, std::size_t i, std::size_t between) noexcept {
    node_meta& head = meta(inner);
    if constexpr (is_plain()) {
      if (head.count > 1) erase_raw(inner, 8, between, head.count - 1U);
    }
    std::byte* const link = link_position(inner, i);
    std::memmove(link, link + sizeof(offset_type), (head.count - 1U - i) * sizeof(offset_type));
    --head.count;
    clear_links(inner, head.count, head.count + 1U);
  }
  /// Appends `n` children, from `from` on, to another node, with the separators between them. The
  /// caller then removes them from `inner` with `drop_children`.
  static void move_children(std::byte* to, std::byte* inner, std::size_t from, std::size_t n) noexcept {
    node_meta& target = meta(to);
    for (std::size_t i = from; i < from + n; ++i) {
      if constexpr (is_plain()) {
        if (i + 1 < from + n) set_separator(to, target.count, separator(inner, i));
      }
      set_child(to, target.count, child(inner, i));
      ++target.count;
    }
  }
  static void drop_children(std::byte* inner, std::size_t from) noexcept {
    clear_links(inner, from, meta(inner).count);
    fill(inner, 8, from == 0 ? 0 : from - 1, meta(inner).capacity);
    meta(inner).count = static_cast<std::uint8_t>(from);
  }

  // Memory of the nodes other than the root.

  /// Returns a zeroed node; null if memory runs out.
  [[nodiscard]] static std::byte* allocate(block_type block, std::size_t level) noexcept {
    static_assert(sizeof(value) < std::size_t{1} << 26 && sizeof(K) < std::size_t{1} << 26,
                  "ingot: an entry is too large for a map or set: keep it in a vector, or hold it in a box");
    if (!block.attached()) return nullptr;
    const auto size = static_cast<offset_type>(run_size(level));
    const bool aligned = level == 0 && front() != 0;
    const auto run = aligned ? block.allocator().allocate_aligned(size) : block.allocator().allocate(size);
    if (!run) return nullptr;
    std::byte* const at = block.start() + run.at;
    if (aligned) return at + front();
    std::memset(at, 0, sizeof(storage_prefix<offset_type>));
    return at;
  }
  static void release(block_type block, std::byte* node, std::size_t level) noexcept {
    std::byte* const at = level == 0 ? node - front() : node;
    if (block.attached()) [[likely]] {
      block.allocator().release(static_cast<offset_type>(at - block.start()),
                                static_cast<offset_type>(run_size(level)));
    } else {
      std::memset(at, 0, run_size(level));
    }
  }
};

}}} // namespace ingot::INGOT_V1::detail
