// SPDX-License-Identifier: Apache-2.0
// Layout of a hash table's storage; search, placement and iteration.
//
//   seed (8 bytes) | `home_count`, `total_displacement` (an offset_type each)
//   | tags (slots + 16 bytes) | displacements (slots bytes) | entries (slots)
//
// The hash of a key times `home_count` is 128 bits wide. The upper half is the number of the
// entry's home slot. The next 7 bits, with a one bit before them, are the entry's tag. Entries are
// in the order of (hash, key). Each entry is in its home slot or, if that slot is taken, in the
// first slot after the previous entry. So all positions follow from the keys, the seed and
// `home_count`. They depend neither on the order of insertions nor on erased entries, and an
// untrusted table is validated in one walk.
//
// A slot's displacement is the distance of its entry from the home slot, `steps` in the code.
// `total_displacement` is the sum of them. Empty slots have a zero tag and displacement. The 16
// tags after the last slot are zero, too: the search in groups reads them.
//
// Keys chosen by an attacker do limited harm: none is above 63, and `total_displacement` is at
// most 4 for each entry of the capacity, plus 64. If a new key would exceed these limits, the table
// takes another seed (hash_rebuild.hpp), which is secret (table_seed.hpp).
#pragma once

#include <ingot/core/detail/lanes.hpp>
#include <ingot/core/detail/light_standard.hpp>
#include <ingot/core/hardening.hpp>
#include <ingot/live/detail/iterator_origin.hpp>
#include <ingot/live/hash.hpp>

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <type_traits>
#include <utility>

namespace ingot { inline namespace INGOT_V1 { namespace detail {

template <class Offset>
struct hash_head {
  std::uint64_t seed;
  Offset home_count;
  Offset total_displacement;
};

/// Maximum number of slots that a search reads.
inline constexpr std::size_t max_probe_length = 64;
/// Number of tags that are compared at once, on all machines.
inline constexpr std::size_t tag_group_size = 16;

/// Returns the maximum number of entries for `home_count` home slots. The load factor is 4/5.
/// Overflow slots follow the last home slot.
[[nodiscard]] constexpr std::size_t hash_capacity(std::size_t home_count) noexcept {
  return home_count - home_count / 5;
}
[[nodiscard]] constexpr std::size_t hash_home_count(std::size_t entries) noexcept {
  return entries == 0 ? 0 : entries + (entries - 1) / 4;
}
[[nodiscard]] INGOT_INLINE constexpr std::size_t hash_slots(std::size_t home_count) noexcept {
  return home_count + std::min<std::size_t>((home_count + 2) / 4, 12);
}
[[nodiscard]] constexpr std::size_t max_total_displacement(std::size_t home_count) noexcept {
  return 4 * hash_capacity(home_count) + 64;
}

struct home_position {
  std::size_t home;
  std::uint8_t tag;
};
[[nodiscard]] INGOT_INLINE constexpr home_position locate(std::uint64_t hash,
                                                          std::size_t home_count) noexcept {
  const wide_product both = multiply(hash, home_count);
  return {static_cast<std::size_t>(both.high), static_cast<std::uint8_t>(both.low >> 57 | 0x80)};
}

/// Returns true if an empty table has a slot for each entry. This depends only on the number of
/// entries per home slot, so colliding keys need not be sorted before the call. `each(count)`
/// passes the hashes of the entries to `count`, and stops at the first hash for which `count`
/// returns false. `at_home` has a zero byte for each home slot, and is zero again at the end.
template <class Each>
[[nodiscard]] bool entries_fit(std::uint8_t* at_home, std::size_t home_count, const Each& each) {
  bool fits =
      each([&](std::uint64_t hash) { return ++at_home[locate(hash, home_count).home] <= max_probe_length; });
  const std::size_t slots = hash_slots(home_count);
  std::size_t next = 0;
  std::size_t displacement = 0;
  for (std::size_t home = 0; fits && home < home_count; ++home) {
    const std::size_t here = at_home[home];
    if (here == 0) continue;
    const std::size_t step = std::max(home, next) - home; // displacement of the first entry
    next = home + step + here;
    displacement += here * step + here * (here - 1) / 2;
    fits = step + here <= max_probe_length && next <= slots;
  }
  std::memset(at_home, 0, home_count);
  return fits && displacement <= max_total_displacement(home_count);
}

/// Sixteen tags. Results are masks with bit i for tag i.
class portable_tag_group {
public:
  explicit INGOT_INLINE portable_tag_group(const std::uint8_t* tags) noexcept
      : low_(load_le<std::uint64_t>(reinterpret_cast<const std::byte*>(tags))),
        high_(load_le<std::uint64_t>(reinterpret_cast<const std::byte*>(tags) + 8)) {}
  [[nodiscard]] INGOT_INLINE std::uint32_t with(std::uint8_t tag) const noexcept {
    return marks(equal(low_, tag)) | marks(equal(high_, tag)) << 8;
  }
  [[nodiscard]] INGOT_INLINE std::uint32_t full() const noexcept { return marks(low_) | marks(high_) << 8; }

private:
  static constexpr std::uint64_t each = 0x0101010101010101;
  /// Returns a number in which the uppermost bit of each byte is set if this byte of `tags` equals
  /// `tag`.
  [[nodiscard]] static INGOT_INLINE std::uint64_t equal(std::uint64_t tags, std::uint8_t tag) noexcept {
    const std::uint64_t differs = tags ^ each * tag;
    return ~(((differs & each * 0x7F) + each * 0x7F) | differs);
  }
  [[nodiscard]] static INGOT_INLINE std::uint32_t marks(std::uint64_t bytes) noexcept {
    return static_cast<std::uint32_t>((bytes >> 7 & each) * 0x0102040810204080 >> 56);
  }

  std::uint64_t low_;
  std::uint64_t high_;
};

#if INGOT_LANES
class tag_group {
public:
  explicit INGOT_INLINE tag_group(const std::uint8_t* tags) noexcept : tags_(load_lanes<byte_lanes>(tags)) {}
  [[nodiscard]] INGOT_INLINE std::uint32_t with(std::uint8_t tag) const noexcept {
    return bits_of(tags_ == all_lanes(tag));
  }
  [[nodiscard]] INGOT_INLINE std::uint32_t full() const noexcept { return top_bits_of(tags_); }

private:
  byte_lanes tags_;
};
#else
using tag_group = portable_tag_group;
#endif

INGOT_INLINE void prefetch(const void* at) noexcept {
#if defined(__GNUC__) || defined(__clang__)
  __builtin_prefetch(at);
#else
  static_cast<void>(at);
#endif
}

/// Type of a table's entries, and access to their keys: the first of a pair, or the entry itself.
template <class K, class V>
struct hash_entry {
  using type = std::pair<K, V>;
  [[nodiscard]] static INGOT_INLINE const K& key(const type& entry) noexcept { return entry.first; }
};
template <class K>
struct hash_entry<K, void> {
  using type = K;
  [[nodiscard]] static INGOT_INLINE const K& key(const type& entry) noexcept {
    return entry; // NOLINT(bugprone-return-const-ref-from-parameter): the entry is in a table
  }
};

/// Pointers to the parts of a storage.
template <class Entry, class Offset>
struct hash_parts {
  using head_type = hash_head<Offset>;

  head_type* head;
  std::uint8_t* tags;
  std::uint8_t* steps;
  Entry* entries;
  std::size_t slots;

  static constexpr std::size_t alignment = std::max<std::size_t>(alignof(Entry), 8);
  [[nodiscard]] static INGOT_INLINE constexpr std::size_t entries_at(std::size_t slots) noexcept {
    return (sizeof(head_type) + 2 * slots + tag_group_size + (alignof(Entry) - 1)) & ~(alignof(Entry) - 1);
  }
  [[nodiscard]] static constexpr std::size_t bytes(std::size_t home_count) noexcept {
    return entries_at(hash_slots(home_count)) + hash_slots(home_count) * sizeof(Entry);
  }
  /// Maximum number of home slots: close to what a block can hold, and few enough that no size
  /// computed from it overflows.
  static constexpr std::size_t max_home_count = static_cast<Offset>(-1) / 2 / (sizeof(Entry) + 2) - 64;

  [[nodiscard]] static INGOT_INLINE hash_parts of(std::byte* data) noexcept {
    return of(data, hash_slots(reinterpret_cast<head_type*>(data)->home_count));
  }
  [[nodiscard]] static INGOT_INLINE hash_parts of(std::byte* data, std::size_t slots) noexcept {
    auto* const tags = reinterpret_cast<std::uint8_t*>(data + sizeof(head_type));
    return {reinterpret_cast<head_type*>(data), tags, tags + slots + tag_group_size,
            reinterpret_cast<Entry*>(data + entries_at(slots)), slots};
  }

  /// Returns the first full slot from `at` on, or `slots`.
  [[nodiscard]] INGOT_INLINE std::size_t full_from(std::size_t at) const noexcept {
    for (; at < slots; at += tag_group_size) {
      if (const std::uint32_t full = tag_group(tags + at).full(); full != 0)
        return at + static_cast<std::size_t>(std::countr_zero(full));
    }
    return slots;
  }
  /// Calls `f(slot)` for each full slot in order until `f` returns false. Returns true if `f` never
  /// returned false.
  template <class F>
  INGOT_INLINE bool each_full(F&& f) const {
    return each_full_in(0, slots, f);
  }
  template <class F>
  INGOT_INLINE bool each_full_in(std::size_t from, std::size_t to, F&& f) const {
    for (std::size_t at = from; at < to; at += tag_group_size) {
      std::uint32_t full = tag_group(tags + at).full();
      if (to - at < tag_group_size) full &= (std::uint32_t{1} << (to - at)) - 1;
      for (; full != 0; full &= full - 1) {
        if (!f(at + static_cast<std::size_t>(std::countr_zero(full)))) return false;
      }
    }
    return true;
  }
  void wipe_marks() const noexcept { std::memset(tags, 0, 2 * slots + tag_group_size); }
};

/// Computes the positions of a table's entries. Takes the hashes of the entries in order, and
/// writes tags and displacements.
template <class Parts>
class hash_plan {
public:
  static constexpr std::size_t nowhere = static_cast<std::size_t>(-1);

  hash_plan(const Parts& parts, std::size_t home_count) noexcept : parts_(parts), homes_(home_count) {}
  /// Returns the slot for the next hash. Returns `nowhere` if this slot is too far from its home
  /// slot, or past the last slot.
  [[nodiscard]] INGOT_INLINE std::size_t take_slot(std::uint64_t hash) noexcept {
    const home_position wanted = locate(hash, homes_);
    const std::size_t at = std::max(wanted.home, next_);
    const std::size_t step = at - wanted.home;
    if (step >= max_probe_length || at >= parts_.slots) [[unlikely]]
      return nowhere;
    parts_.tags[at] = wanted.tag;
    parts_.steps[at] = static_cast<std::uint8_t>(step);
    total_displacement_ += step;
    next_ = at + 1;
    return at;
  }
  [[nodiscard]] bool fits() const noexcept { return total_displacement_ <= max_total_displacement(homes_); }
  void write_head(std::uint64_t seed) const noexcept {
    parts_.head->seed = seed;
    parts_.head->home_count = static_cast<decltype(parts_.head->home_count)>(homes_);
    parts_.head->total_displacement =
        static_cast<decltype(parts_.head->total_displacement)>(total_displacement_);
  }

private:
  Parts parts_;
  std::size_t homes_;
  std::size_t next_ = 0;
  std::size_t total_displacement_ = 0;
};

/// Visits the full slots of a table by their tags, sixteen at a time. At the end, the pointer to
/// the entry is null.
template <class Entry, class Reference>
class INGOT_DEBUG_TYPE hash_iterator {
public:
  using iterator_concept = std::forward_iterator_tag;
  using iterator_category =
      std::conditional_t<std::is_reference_v<Reference>, std::forward_iterator_tag, std::input_iterator_tag>;
  using value_type = std::remove_cvref_t<Reference>;
  using difference_type = std::ptrdiff_t;
  using reference = Reference;
  struct arrow {
    Reference value;
    [[nodiscard]] std::remove_reference_t<Reference>* operator->() noexcept { return std::addressof(value); }
  };
  using pointer =
      std::conditional_t<std::is_reference_v<Reference>, std::remove_reference_t<Reference>*, arrow>;

  hash_iterator() = default;
  /// Starts at the entry whose tag is at `tag`. `end` is after the last slot's tag.
  INGOT_INLINE hash_iterator(Entry* entry, const std::uint8_t* tag, const std::uint8_t* end) noexcept
      : at_(entry), group_(entry), tags_(tag), end_(end), ahead_(tag_group(tag).full() & ~1U) {}
#if INGOT_HARDENING_MODE >= INGOT_HARDENING_DEBUG
  /// The end of a table.
  explicit hash_iterator(const iterator_origin& origin) noexcept : origin_(origin) {}
  hash_iterator(const iterator_origin& origin, Entry* entry, const std::uint8_t* tag,
                const std::uint8_t* end) noexcept
      : hash_iterator(entry, tag, end) {
    origin_ = origin;
  }
#endif
  /// Converts to a const iterator.
  template <class E, class R>
    requires(std::is_same_v<const E, Entry> && !std::is_same_v<E, Entry>)
  INGOT_INLINE hash_iterator(const hash_iterator<E, R>& other) noexcept // NOLINT(*-explicit-*)
      : at_(other.at_), group_(other.group_), tags_(other.tags_), end_(other.end_),
        ahead_(other.ahead_) INGOT_IN_DEBUG(, origin_(other.origin_)) {}

  [[nodiscard]] INGOT_CHECKED INGOT_INLINE reference operator*() const noexcept {
    require_entry("* of end()");
    if constexpr (std::is_reference_v<Reference>) return *at_;
    else return Reference(at_->first, at_->second);
  }
  [[nodiscard]] INGOT_CHECKED INGOT_INLINE pointer operator->() const noexcept {
    require_entry("-> of end()");
    if constexpr (std::is_reference_v<Reference>) return at_;
    else return arrow{**this};
  }
  INGOT_CHECKED INGOT_INLINE hash_iterator& operator++() noexcept {
    require_entry("++ of end()");
    while (ahead_ == 0) [[unlikely]] {
      tags_ += tag_group_size;
      group_ += tag_group_size;
      if (tags_ >= end_) {
        at_ = nullptr;
        return *this;
      }
      ahead_ = tag_group(tags_).full();
    }
    at_ = group_ + std::countr_zero(ahead_);
    ahead_ &= ahead_ - 1;
    return *this;
  }
  INGOT_CHECKED INGOT_INLINE hash_iterator operator++(int) noexcept {
    const hash_iterator before = *this;
    ++*this;
    return before;
  }
  INGOT_NOTED friend INGOT_INLINE bool operator==(const hash_iterator& a, const hash_iterator& b) noexcept {
    // The ends of all tables are equal, so an end may be of another storage. For example, if a
    // table is assigned from a view of itself, the view compares iterators of the old storage with
    // the table's present end.
    INGOT_IN_DEBUG(a.origin_.require_fresh(nullptr);)
    INGOT_IN_DEBUG(b.origin_.require_fresh(nullptr);)
    INGOT_IN_DEBUG(if (a.at_ != nullptr && b.at_ != nullptr)
                       a.origin_.require_common(b.origin_, nullptr, nullptr);)
    return a.at_ == b.at_;
  }

  /// Returns the current entry; null at the end.
  [[nodiscard]] INGOT_INLINE Entry* at() const noexcept { return at_; }
  INGOT_IN_DEBUG([[nodiscard]] Entry* address() const noexcept { return at_; })
  INGOT_IN_DEBUG([[nodiscard]] const iterator_origin& origin() const noexcept { return origin_; })

private:
  template <class, class>
  friend class hash_iterator;
  INGOT_CHECKED INGOT_INLINE void require_entry([[maybe_unused]] const char* call) const noexcept {
    INGOT_IN_DEBUG(origin_.require_fresh(nullptr);)
    INGOT_REQUIRE(
        at_ != nullptr,
        broken_access(std::is_reference_v<Reference> ? "ingot::hash_set" : "ingot::hash_map", call));
  }

  Entry* at_ = nullptr;
  Entry* group_ = nullptr; ///< entry of the slot that `tags_` points to
  const std::uint8_t* tags_ = nullptr;
  const std::uint8_t* end_ = nullptr;
  std::uint32_t ahead_ = 0; ///< mask of the full slots in the current group that are left to visit
  INGOT_IN_DEBUG(iterator_origin origin_;)
};

}}} // namespace ingot::INGOT_V1::detail
