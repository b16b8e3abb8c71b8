// SPDX-License-Identifier: Apache-2.0
// The entries of a hash map or set: lookup, insertion, erasure, copying. The layout is in
// hash_layout.hpp, changes of storage or seed in hash_rebuild.hpp, validation in
// hash_validator.hpp, the public interface in hash_map.hpp and hash_set.hpp.
#pragma once

#include <ingot/core/detail/invalidation.hpp>
#include <ingot/core/detail/light_standard.hpp>
#include <ingot/core/hardening.hpp>
#include <ingot/core/too_many_collisions.hpp>
#include <ingot/live/detail/assign.hpp>
#include <ingot/live/detail/hash_rebuild.hpp>
#include <ingot/live/detail/hash_validator.hpp>

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <type_traits>
#include <utility>

namespace ingot { inline namespace INGOT_V1 { namespace detail {

enum class table_outcome : std::uint8_t { done, there_already, no_space, not_a_key, too_many_collisions };
/// Returns true if, after an insertion with this outcome, the table has no entry with the key.
[[nodiscard]] constexpr bool is_failure(table_outcome outcome) noexcept {
  return outcome != table_outcome::done && outcome != table_outcome::there_already;
}

template <class K, class V, block_policy P>
class INGOT_DEBUG_TYPE hash_table {
protected:
  using offset_type = typename P::offset_type;
  using block_type = block_ref<P>;
  using entry = typename hash_entry<K, V>::type;
  using parts = hash_parts<entry, offset_type>;
  using head_type = hash_head<offset_type>;
  static constexpr bool is_map = !std::is_void_v<V>;

  struct found_entry {
    entry* at;
    table_outcome outcome;
  };

  [[nodiscard]] static INGOT_INLINE const K& key_of(const entry& one) noexcept {
    return hash_entry<K, V>::key(one);
  }
  [[nodiscard]] INGOT_INLINE parts here() const noexcept { return parts::of(at_.data()); }
  [[nodiscard]] static constexpr std::size_t max_entries() noexcept {
    return hash_capacity(parts::max_home_count);
  }
  [[nodiscard]] std::size_t entry_capacity() const noexcept {
    return at_.capacity() == 0 ? 0 : hash_capacity(here().head->home_count);
  }

  /// Returns the entry of a key in a table that is not empty; null if the key is absent.
  template <class Q>
  [[nodiscard]] static INGOT_INLINE entry* find_in(const parts& in, home_position expected,
                                                   const Q& key) noexcept {
    std::size_t at = expected.home;
    prefetch(in.entries + at); // before the tags are loaded
    for (std::size_t end = at + max_probe_length; at != end; at += tag_group_size) {
      const tag_group group(in.tags + at);
      for (std::uint32_t same = group.with(expected.tag); same != 0; same &= same - 1) {
        entry* const one = in.entries + at + std::countr_zero(same);
        if (equal_values(key_of(*one), key)) [[likely]]
          return one;
      }
      if (group.full() != 0xFFFF) [[likely]]
        break;
    }
    return nullptr;
  }
  template <class Q>
  [[nodiscard]] INGOT_INLINE entry* find_entry(const Q& query) const noexcept {
    if (size_ == 0) return nullptr;
    decltype(auto) key = as_key<K>(query);
    if constexpr (is_plain_key<K>()) return find_hashed(here(), key);
    else return find_called(here(), key);
  }
  template <class Q>
  [[nodiscard]] static INGOT_INLINE entry* find_hashed(const parts& in, const Q& key) noexcept {
    return find_in(in, locate(hash_key(in.head->seed, key), in.head->home_count), key);
  }
  /// Like `find_hashed`, but not inlined: for keys whose hash takes more than a few instructions.
  template <class Q>
  [[nodiscard]] INGOT_NOINLINE static entry* find_called(const parts& in, const Q& key) noexcept {
    return find_hashed(in, key);
  }

  /// Returns true if an entry of this table is at the address.
  [[nodiscard]] bool holds_entry(const entry* one) const noexcept {
    if (size_ == 0 || one == nullptr) return false;
    const parts in = here();
    const auto bytes = reinterpret_cast<std::uintptr_t>(one) - reinterpret_cast<std::uintptr_t>(in.entries);
    return bytes % sizeof(entry) == 0 && bytes / sizeof(entry) < in.slots &&
           in.tags[bytes / sizeof(entry)] != 0;
  }
  template <class Iterator>
  [[nodiscard]] INGOT_INLINE Iterator iterator_at(entry* one) const noexcept {
    if (one == nullptr) return end_of<Iterator>();
    const parts in = here();
    return {INGOT_IN_DEBUG(iterator_origin(this), ) one, in.tags + (one - in.entries), in.tags + in.slots};
  }
  template <class Iterator>
  [[nodiscard]] INGOT_INLINE Iterator end_of() const noexcept {
    return Iterator(INGOT_IN_DEBUG(iterator_origin(this)));
  }
  template <class Iterator>
  [[nodiscard]] INGOT_INLINE Iterator first() const noexcept {
    return size_ == 0 ? end_of<Iterator>() : first_from<Iterator>(0);
  }
  template <class Iterator>
  [[nodiscard]] INGOT_INLINE Iterator first_from(std::size_t slot) const noexcept {
    const parts in = here();
    const std::size_t at = in.full_from(slot);
    if (at == in.slots) return end_of<Iterator>();
    return {INGOT_IN_DEBUG(iterator_origin(this), ) in.entries + at, in.tags + at, in.tags + in.slots};
  }

  /// Inserts an entry. Arguments may refer to entries, because the new entry is constructed before
  /// the others move.
  template <class Q, class... A>
  [[nodiscard]] found_entry insert_entry(Q&& key_input, A&&... arguments) {
    decltype(auto) key = as_key<K>(std::as_const(key_input));
    if (!is_key(key)) return {nullptr, table_outcome::not_a_key};
    if (size_ == 0 && at_.capacity() == 0) [[unlikely]]
      return insert_elsewhere(0, std::forward<Q>(key_input), std::forward<A>(arguments)...);
    const parts in = here();
    const std::uint64_t hash = hash_key(in.head->seed, key);
    const home_position expected = locate(hash, in.head->home_count);
    if (entry* const one = find_in(in, expected, key)) return {one, table_outcome::there_already};

    const bool is_home_free = in.tags[expected.home] == 0;
    const std::size_t at = is_home_free ? expected.home : slot_for(in, expected, hash, key);
    const std::size_t gap = is_home_free ? at : first_empty(in, at);
    const std::size_t step = at - expected.home;
    const std::size_t displacement = in.head->total_displacement + step + (gap - at);
    // The home slots of the entries that move are at `expected.home` or later. So an entry can get
    // too far from its home slot only if `gap` is at least `max_probe_length` slots after
    // `expected.home`.
    if (size_ >= hash_capacity(in.head->home_count) || gap >= in.slots || step >= max_probe_length ||
        displacement > max_total_displacement(in.head->home_count) || gap - at > longest_move ||
        (gap - expected.home >= max_probe_length && has_step_of_reach(in, at, gap))) [[unlikely]]
      return insert_elsewhere(at, std::forward<Q>(key_input), std::forward<A>(arguments)...);

    entry* const fresh = in.entries + gap;
    if (!construct_entry(fresh, block_type::of(at_.data()), std::forward<Q>(key_input),
                         std::forward<A>(arguments)...))
      return {nullptr, table_outcome::no_space};
    INGOT_NOTE(at_.data(), 1, inserted);
    if (gap != at) move_up(in, at, gap);
    in.tags[at] = expected.tag;
    in.steps[at] = static_cast<std::uint8_t>(step);
    in.head->total_displacement = static_cast<offset_type>(displacement);
    ++size_;
    return {in.entries + at, table_outcome::done};
  }

  /// Removes an entry. Returns its slot, which now holds the next entry or is empty.
  std::size_t erase_entry(entry* one) noexcept {
    const parts in = here();
    const auto at = static_cast<std::size_t>(one - in.entries);
    INGOT_NOTE(at_.data(), 1, erased);
    if constexpr (holds_offsets<entry>) detail::destroy(*one, block_type::of(at_.data()));
    in.head->total_displacement -= in.steps[at];
    std::size_t next = at + 1;
    for (; next < in.slots && in.steps[next] != 0; ++next) {
      relocate(in.entries + (next - 1), in.entries + next, 1);
      in.tags[next - 1] = in.tags[next];
      in.steps[next - 1] = static_cast<std::uint8_t>(in.steps[next] - 1);
    }
    in.head->total_displacement -= static_cast<offset_type>(next - at - 1);
    in.tags[next - 1] = 0;
    in.steps[next - 1] = 0;
    scrub(in.entries + (next - 1), 1);
    --size_;
    return at;
  }
  template <class Predicate>
  std::size_t erase_matching(Predicate& remove) {
    const std::size_t before = size_;
    if (before == 0) return 0;
    const parts in = here();
    for (std::size_t at = in.full_from(0); at < in.slots;)
      at = in.full_from(remove(in.entries[at]) ? erase_entry(in.entries + at) : at + 1);
    return before - size_;
  }
  void erase_all() noexcept {
    if (size_ == 0) return;
    const parts in = here();
    INGOT_NOTE(at_.data(), 1, erased);
    destroy_entries(in, block_type::of(at_.data()));
    in.wipe_marks();
    scrub(in.entries, in.slots);
    in.head->total_displacement = 0;
    size_ = 0;
  }

  /// Reserves capacity for `count` entries in total. After that, an insertion needs another storage
  /// only if keys collide.
  [[nodiscard]] bool reserve_space(std::size_t count) {
    if (count == 0 || count <= entry_capacity()) return true;
    if (!at_.bound() || count > max_entries()) return false;
    return rebuild::resize(*this, hash_home_count(count));
  }
  void shrink_storage() {
    if (at_.capacity() == 0) return;
    if (size_ == 0) {
      std::byte* const old = at_.data();
      const auto block = block_type::of(old);
      at_.point_at(block.sentinel());
      block.release(old);
    } else if (hash_home_count(size_) < here().head->home_count) {
      static_cast<void>(rebuild::resize(*this, hash_home_count(size_)));
    }
  }

  /// Assigns a copy in canonical form. Returns false if memory runs out; the table is then
  /// unchanged.
  [[nodiscard]] bool copy_table(const hash_table& other) {
    if (this == &other) return true;
    if (other.size_ == 0) return erase_all(), true;
    return at_.bound() && rebuild::copy(*this, other);
  }
  /// Assigns the keys of a range. Of equal keys, the first is used. Unless the outcome is `done`,
  /// the table is unchanged.
  template <class R>
  [[nodiscard]] table_outcome assign_all(R& range) {
    // The iterator is taken before the change, because the range may be a view of this table.
    auto first = std::ranges::begin(range);
    const auto last = std::ranges::end(range);
    if (!at_.bound()) return first == last ? table_outcome::done : table_outcome::no_space;
    const collision_watch watch;
    replacement before(*this);
    if constexpr (std::ranges::forward_range<R>) {
      const auto count = static_cast<std::size_t>(std::ranges::distance(first, last));
      if (!reserve_space(count)) return why_not(watch);
      if (count >= growth_poll::often) [[unlikely]] {
        if (progress_tracker* const by = at_.block().filling()) {
          const table_outcome outcome = cancellable_insert(first, last, *by);
          if (outcome == table_outcome::done) before.give_up();
          return outcome;
        }
      }
    }
    for (; first != last; ++first) {
      const table_outcome outcome = insert_value(*first);
      if (is_failure(outcome)) return outcome;
    }
    before.give_up();
    return table_outcome::done;
  }
  template <class I, class Last>
  [[nodiscard]] INGOT_COLD table_outcome cancellable_insert(I first, const Last& last, progress_tracker& by) {
    growth_poll each(&by);
    for (; first != last; ++first) {
      if (!each.step_should_continue()) return table_outcome::no_space;
      const table_outcome outcome = insert_value(*first);
      if (is_failure(outcome)) return outcome;
    }
    return table_outcome::done;
  }
  template <class Element>
  [[nodiscard]] table_outcome insert_value(Element&& element) {
    if constexpr (is_map)
      return insert_entry(std::forward<Element>(element).first, std::forward<Element>(element).second)
          .outcome;
    else return insert_entry(std::forward<Element>(element)).outcome;
  }

  [[nodiscard]] static bool equal_tables(const hash_table& a, const hash_table& b) {
    if (a.size_ != b.size_) return false;
    if (a.size_ == 0) return true;
    const parts left = a.here();
    const parts right = b.here();
    if (left.head->seed == right.head->seed) { // then both have the same order
      std::size_t there = 0;
      return left.each_full([&](std::size_t at) {
        there = right.full_from(there);
        return equal_values(left.entries[at], right.entries[there++]);
      });
    }
    return left.each_full([&](std::size_t at) {
      const entry* const other = b.find_entry(key_of(left.entries[at]));
      if (other == nullptr) return false;
      if constexpr (is_map) return equal_values(left.entries[at].second, other->second);
      else return true;
    });
  }

  [[nodiscard]] bool shares_block(const hash_table& other) const noexcept {
    return at_.bound() && other.at_.bound() && at_.block() == other.at_.block();
  }
  [[nodiscard]] static table_outcome why_not(const collision_watch& watch) noexcept {
    return watch.any() ? table_outcome::too_many_collisions : table_outcome::no_space;
  }
  [[noreturn]] INGOT_COLD void throw_outcome(table_outcome outcome) const {
    if (outcome == table_outcome::not_a_key) throw_not_a_key();
    if (outcome == table_outcome::too_many_collisions) throw_too_many_collisions();
    at_.throw_failure();
  }

  void bind(block_type block) noexcept { at_.point_at(block.sentinel()); }
  void shift(std::ptrdiff_t by) noexcept { at_.shift(by); }
  void destroy(block_type block) noexcept { destroy_storage(at_.data(), size_, block); }
  static void destroy_storage(std::byte* data, std::size_t size, block_type block) noexcept {
    if (size != 0) destroy_entries(parts::of(data), block);
    block.release(data);
  }

  template <class Validator>
  [[nodiscard]] bool check(Validator& validator) const {
    return hash_check<K, V, P>::table(validator, at_, size_);
  }

  anchor<P> at_;
  offset_type size_ = 0;

private:
  friend struct hash_rebuild<K, V, P>;
  using rebuild = hash_rebuild<K, V, P>;
  INGOT_HAS_ITERATORS(is_map ? "ingot::hash_map" : "ingot::hash_set", at_.data(), size_);

  static constexpr std::size_t longest_move = 1024;

  /// Returns the slot for an absent key. The slot follows the keys with a smaller hash, which are
  /// adjacent from the home slot on.
  template <class Q>
  [[nodiscard]] static INGOT_INLINE std::size_t slot_for(const parts& in, home_position expected,
                                                         std::uint64_t hash, const Q& key) noexcept {
    std::size_t at = expected.home;
    for (std::size_t step = 0; in.tags[at] != 0 && step < max_probe_length; ++at, ++step) {
      if (in.steps[at] > step) continue; // has an earlier home slot
      if (in.steps[at] < step || in.tags[at] > expected.tag) break;
      if (in.tags[at] == expected.tag && !precedes(in, in.entries[at], hash, key)) break;
    }
    return at;
  }
  template <class Q>
  [[nodiscard]] INGOT_COLD static bool precedes(const parts& in, const entry& one, std::uint64_t hash,
                                                const Q& key) noexcept {
    const std::uint64_t other = hash_key(in.head->seed, key_of(one));
    return other != hash ? other < hash : compare_keys(key_of(one), key) < 0;
  }
  /// Returns the first empty slot from `at` on, or a slot past the longest possible move. The
  /// result is at most `slots`, because the tags after the last slot are zero.
  [[nodiscard]] static INGOT_INLINE std::size_t first_empty(const parts& in, std::size_t at) noexcept {
    const std::size_t start = at;
    for (; at - start <= longest_move; at += tag_group_size) {
      if (const std::uint32_t full = tag_group(in.tags + at).full(); full != 0xFFFF)
        return at + static_cast<std::size_t>(std::countr_one(full));
    }
    return at;
  }
  [[nodiscard]] INGOT_COLD static bool has_step_of_reach(const parts& in, std::size_t from,
                                                         std::size_t to) noexcept {
    return std::find(in.steps + from, in.steps + to, max_probe_length - 1) != in.steps + to;
  }
  /// Moves the entry at `gap` to `at`, and the entries in between one slot up.
  static INGOT_INLINE void move_up(const parts& in, std::size_t at, std::size_t gap) noexcept {
    alignas(entry) std::byte saved[sizeof(entry)];
    std::memcpy(saved, static_cast<const void*>(in.entries + gap), sizeof(entry));
    for (std::size_t i = gap; i != at; --i) {
      relocate(in.entries + i, in.entries + (i - 1), 1);
      in.tags[i] = in.tags[i - 1];
      in.steps[i] = static_cast<std::uint8_t>(in.steps[i - 1] + 1);
    }
    std::memcpy(static_cast<void*>(in.entries + at), saved, sizeof(entry));
    detail::shift(in.entries + at, in.entries + gap, 1);
  }

  template <class Q, class... A>
  [[nodiscard]] static INGOT_INLINE bool construct_entry(entry* at, block_type block, Q&& key,
                                                         A&&... arguments) {
    if constexpr (is_map) {
      if (!construct(&at->first, block, std::forward<Q>(key))) return false;
      normalize_key(at->first);
      entry_guard<K> half{&at->first, block};
      if (!construct(&at->second, block, std::forward<A>(arguments)...)) return false;
      half.key = nullptr;
    } else {
      if (!construct(at, block, std::forward<Q>(key))) return false;
      normalize_key(*at);
    }
    return true;
  }
  /// The destructor destroys the key unless its value was constructed.
  template <class Key>
  struct entry_guard {
    Key* key;
    block_type block;
    entry_guard(Key* constructed, block_type in) noexcept : key(constructed), block(in) {}
    entry_guard(const entry_guard&) = delete;
    entry_guard& operator=(const entry_guard&) = delete;
    INGOT_INLINE ~entry_guard() {
      if (key != nullptr) [[unlikely]] {
        detail::destroy(*key, block);
        scrub(key, 1);
      }
    }
  };

  /// Inserts an entry and moves the table to another storage: to its first storage, to a larger
  /// storage, or to a storage with another seed.
  template <class Q, class... A>
  [[nodiscard]] INGOT_NOINLINE found_entry insert_elsewhere(std::size_t before, Q&& key_input,
                                                            A&&... arguments) {
    if (!at_.bound()) return {nullptr, table_outcome::no_space};
    const collision_watch watch;
    entry* const added = rebuild::insert(*this, before, [&](entry* at, block_type block) {
      return construct_entry(at, block, std::forward<Q>(key_input), std::forward<A>(arguments)...);
    });
    return {added, added != nullptr ? table_outcome::done : why_not(watch)};
  }

  static void destroy_entries(const parts& in, block_type block) noexcept {
    if constexpr (holds_offsets<entry>) {
      in.each_full([&](std::size_t at) {
        detail::destroy(in.entries[at], block);
        return true;
      });
    }
  }

  /// Holds the old content of a table. The destructor restores it unless `give_up` was called.
  struct replacement {
    hash_table& table;
    std::byte* old;
    offset_type size;
    explicit replacement(hash_table& of) noexcept : table(of), old(of.at_.data()), size(of.size_) {
      table.bind(block_type::of(old));
      table.size_ = 0;
    }
    replacement(const replacement&) = delete;
    replacement& operator=(const replacement&) = delete;
    void give_up() noexcept {
      destroy_storage(old, size, block_type::of(old));
      old = nullptr;
    }
    ~replacement() {
      if (old == nullptr) return;
      table.destroy(block_type::of(old));
      table.at_.point_at(old);
      table.size_ = size;
    }
  };
};

}}} // namespace ingot::INGOT_V1::detail
