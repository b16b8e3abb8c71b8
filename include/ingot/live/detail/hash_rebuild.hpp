// SPDX-License-Identifier: Apache-2.0
// Moves a hash table to another storage: because the table grows, because colliding keys need
// another seed, or for a copy. First the marks of all entries (tags and steps) are computed, which
// needs only the hashes. Entries move only if all of them fit.
#pragma once

#include <ingot/live/detail/assign.hpp>
#include <ingot/live/detail/collision_watch.hpp>
#include <ingot/live/detail/hash_layout.hpp>
#include <ingot/live/detail/table_seed.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <new>
#include <type_traits>
#include <utility>

namespace ingot { inline namespace INGOT_V1 { namespace detail {

template <class K, class V, block_policy P>
struct hash_rebuild {
  using offset_type = typename P::offset_type;
  using block_type = block_ref<P>;
  using entry = typename hash_entry<K, V>::type;
  using parts = hash_parts<entry, offset_type>;
  using plan = hash_plan<parts>;

  /// Home slots of the first storage.
  static constexpr std::size_t first_homes = 4;

  /// Inserts an entry whose key is absent. `make(entry, block)` constructs the entry. In the order
  /// of the table, the entry precedes the entries in the slots from `before` on. Returns null if
  /// memory runs out or if no seed is found; the table is then unchanged. A collision_watch records
  /// that no seed was found.
  template <class Table, class Make>
  [[nodiscard]] static entry* insert(Table& table, std::size_t before, Make&& make) {
    const std::size_t count = table.size_ + std::size_t{1};
    const std::size_t home_count = table.at_.capacity() == 0 ? 0 : table.here().head->home_count;
    if (count > hash_capacity(parts::max_home_count)) return nullptr;
    // Growth takes less time than the search for another seed. But a few colliding keys must not be
    // enough to make the table grow.
    const bool grows = count > hash_capacity(home_count) / 2;
    const std::size_t ample =
        grows ? std::clamp(2 * home_count, first_homes, parts::max_home_count) : home_count;
    const std::size_t min_homes = std::max(hash_home_count(count), home_count);
    new_storage_guard fresh(table.at_.block(), std::max(ample, min_homes));
    if (fresh.data == nullptr && (ample <= min_homes || !fresh.allocate(min_homes))) return nullptr;
    // The other entries are still in place, because the arguments may refer to them.
    pending_entry added{nullptr, fresh.block};
    if (!make(fresh.spare(), fresh.block)) return nullptr;
    added.at = fresh.spare();
    return home_count == 0 ? start(table, fresh, added) : move(table, fresh, before, added);
  }

  /// Moves the entries to a storage of `home_count` home slots, which must be enough. Returns false
  /// if memory runs out. Keeps the table's seed if the entries fit with this seed. Otherwise tries
  /// the public seeds in the order of a canonical table, so that equal tables keep equal bytes.
  template <class Table>
  [[nodiscard]] static bool resize(Table& table, std::size_t home_count) {
    new_storage_guard fresh(table.at_.block(), home_count);
    if (fresh.data == nullptr) return false;
    pending_entry none{nullptr, fresh.block};
    if (table.at_.capacity() == 0) return start(table, fresh, none) != nullptr;
    if (entry* const any = move_in_order(table.here(), fresh, 0, none))
      return adopt(table, fresh, 0, any) != nullptr;
    by_seed sorted;
    for (std::uint64_t seed = first_seed; seed != 0; seed = next_public_seed(seed)) {
      switch (lay_out_under(sorted, table, fresh, seed, nullptr)) {
      case laid::out: return adopt(table, fresh, 0, move_sorted(sorted, fresh, none)) != nullptr;
      case laid::nowhere: break;
      case laid::without_memory: return false;
      }
    }
    return move(table, fresh, 0, none) != nullptr;
  }

  /// Copies to the fewest home slots, with the first seed for which the entries fit. Tries the
  /// public seeds, the seed of the other table, and drawn seeds (table_seed.hpp). Returns false if
  /// memory runs out or no seed is found; the table is then unchanged.
  template <class Table>
  [[nodiscard]] static bool copy(Table& table, const Table& other) {
    const auto block = table.at_.block();
    const parts from = other.here();
    const std::uint64_t here = from.head->seed;
    by_seed sorted;
    std::size_t home_count = hash_home_count(other.size_);
    for (int size = 0; size < max_sizes && home_count <= parts::max_home_count; ++size, home_count *= 2) {
      new_storage_guard fresh(block, home_count);
      if (fresh.data == nullptr) return size != 0 && no_seed();
      const auto try_seed = [&](std::uint64_t seed) {
        if (seed != here) return lay_out_under(sorted, other, fresh, seed, nullptr);
        return lay_out(storage_order{from}, fresh, seed, nullptr) ? laid::out : laid::nowhere;
      };
      std::uint64_t seed = first_seed;
      laid so = try_seed(seed);
      while (so == laid::nowhere && (seed = next_public_seed(seed)) != 0) so = try_seed(seed);
      if (so == laid::nowhere && !is_public_seed(here)) so = try_seed(seed = here);
      for (int draws = 0; so == laid::nowhere && draws < max_draws; ++draws)
        so = try_seed(seed = draw_seed());
      if (so == laid::without_memory) return false;
      if (so == laid::out)
        return seed == here ? copy_entries(table, other, storage_order{from}, fresh)
                            : copy_entries(table, other, sorted, fresh);
    }
    return no_seed();
  }

private:
  [[nodiscard]] static INGOT_INLINE const K& key_of(const entry& one) noexcept {
    return hash_entry<K, V>::key(one);
  }

  /// The entries of a table in storage order.
  struct storage_order {
    parts from;
    template <class F>
    bool each_hash(F&& f) const {
      return from.each_full([&](std::size_t at) {
        const K& key = key_of(from.entries[at]);
        return f(hash_key(from.head->seed, key), key);
      });
    }
    template <class F>
    bool each_entry(F&& f) const {
      return from.each_full([&](std::size_t at) { return f(from.entries + at); });
    }
  };
  /// The entries of a table in the order that another seed gives.
  class by_seed {
  public:
    /// Hashes all entries. Returns false if the system has no memory.
    [[nodiscard]] bool hash(const parts& from, std::size_t count, std::uint64_t seed) {
      if (items_ == nullptr) items_.reset(new (std::nothrow) item[count]);
      if (items_ == nullptr) return false;
      end_ = items_.get();
      from.each_full([&](std::size_t at) {
        *end_++ = {hash_key(seed, key_of(from.entries[at])), from.entries + at};
        return true;
      });
      return true;
    }
    /// Returns true if the entries have slots in an empty table. If `added` is not null, one more
    /// entry with this hash must have a slot, too.
    [[nodiscard]] bool fit(const parts& to, std::size_t home_count, const std::uint64_t* added) const {
      return entries_fit(to.steps, home_count, [&](const auto& count) {
        return each([&](std::uint64_t hash, const entry*) { return count(hash); }) &&
               (added == nullptr || count(*added));
      });
    }
    void sort() {
      std::sort(items_.get(), end_, [](const item& a, const item& b) {
        return a.hash != b.hash ? a.hash < b.hash : compare_keys(key_of(*a.at), key_of(*b.at)) < 0;
      });
    }
    template <class F>
    bool each(F&& f) const {
      return std::all_of(items_.get(), end_, [&](const item& one) { return f(one.hash, one.at); });
    }
    template <class F>
    bool each_hash(F&& f) const {
      return each([&](std::uint64_t hash, const entry* one) { return f(hash, key_of(*one)); });
    }
    template <class F>
    bool each_entry(F&& f) const {
      return each([&](std::uint64_t, const entry* one) { return f(one); });
    }

  private:
    struct item {
      std::uint64_t hash;
      entry* at;
    };
    std::unique_ptr<item[]> items_;
    item* end_ = nullptr;
  };

  /// Releases a new storage unless it is taken.
  struct new_storage_guard {
    block_type block;
    std::size_t home_count = 0;
    std::byte* data = nullptr;
    new_storage_guard(block_type in, std::size_t count) : block(in) { static_cast<void>(allocate(count)); }
    new_storage_guard(const new_storage_guard&) = delete;
    new_storage_guard& operator=(const new_storage_guard&) = delete;
    ~new_storage_guard() {
      if (data != nullptr) block.release(data);
    }
    [[nodiscard]] bool allocate(std::size_t count) noexcept {
      home_count = count;
      data = count > parts::max_home_count ? nullptr : block.allocate(parts::bytes(count), parts::alignment);
      return data != nullptr;
    }
    [[nodiscard]] parts here() const noexcept { return parts::of(data, hash_slots(home_count)); }
    /// Returns the last slot, which holds a new entry until its final slot is known.
    [[nodiscard]] entry* spare() const noexcept {
      const parts in = here();
      return in.entries + (in.slots - 1);
    }
  };
  /// Holds the new entry, or null if there is none. The destructor destroys the entry unless it was
  /// moved to its final slot.
  struct pending_entry {
    entry* at;
    block_type block;
    pending_entry(entry* spare, block_type in) noexcept : at(spare), block(in) {}
    pending_entry(const pending_entry&) = delete;
    pending_entry& operator=(const pending_entry&) = delete;
    ~pending_entry() {
      if constexpr (holds_offsets<entry>) {
        if (at != nullptr) detail::destroy(*at, block);
      }
    }
    void settle(entry* slot) noexcept {
      if (slot != at) {
        relocate(slot, at, 1);
        scrub(at, 1);
      }
      at = nullptr;
    }
  };

  template <class Table>
  static entry* adopt(Table& table, new_storage_guard& fresh, std::size_t more, entry* result) noexcept {
    std::byte* const old = table.at_.data();
    table.at_.point_at(std::exchange(fresh.data, nullptr));
    table.size_ += static_cast<offset_type>(more);
    fresh.block.release(old);
    return result;
  }
  /// Sets up the first storage of a table.
  template <class Table>
  [[nodiscard]] static entry* start(Table& table, new_storage_guard& fresh, pending_entry& added) noexcept {
    const parts to = fresh.here();
    plan into(to, fresh.home_count);
    entry* mine = to.entries;
    const std::size_t more = added.at != nullptr ? 1 : 0;
    if (added.at != nullptr) {
      mine += into.take_slot(hash_key(first_seed, key_of(*added.at)));
      added.settle(mine);
    }
    into.write_head(first_seed);
    return adopt(table, fresh, more, mine);
  }

  /// Moves all entries to the new storage, or to a larger storage if their keys collide. Returns
  /// the new entry, or any entry if there is no new entry. Returns null if memory runs out or no
  /// seed is found; the table is then unchanged.
  template <class Table>
  [[nodiscard]] static entry* move(Table& table, new_storage_guard& fresh, std::size_t before,
                                   pending_entry& added) {
    const parts from = table.here();
    const std::size_t more = added.at != nullptr ? 1 : 0;
    by_seed sorted;
    for (int size = 0; size < max_sizes; ++size) {
      if (fresh.home_count != from.head->home_count) {
        if (entry* const mine = move_in_order(from, fresh, before, added))
          return adopt(table, fresh, more, mine);
      }
      // Public seeds (table_seed.hpp) are not tried: an attacker may have chosen keys that collide
      // under all of them. A drawn seed is secret.
      for (int draws = 0; draws < max_draws; ++draws) {
        switch (lay_out_under(sorted, table, fresh, draw_seed(), added.at)) {
        case laid::out: return adopt(table, fresh, more, move_sorted(sorted, fresh, added));
        case laid::nowhere: break;
        case laid::without_memory: return nullptr;
        }
      }
      new_storage_guard larger(fresh.block, 2 * fresh.home_count);
      if (larger.data == nullptr) break;
      if (added.at != nullptr) {
        relocate(larger.spare(), added.at, 1);
        added.at = larger.spare();
      }
      std::swap(fresh.data, larger.data);
      std::swap(fresh.home_count, larger.home_count);
    }
    static_cast<void>(no_seed());
    return nullptr;
  }
  /// Records that there was memory but no seed. Returns false.
  [[nodiscard]] INGOT_COLD static bool no_seed() noexcept {
    collision_watch::note();
    return false;
  }

  enum class laid : std::uint8_t { out, nowhere, without_memory };
  /// Computes the marks (tags and steps) with a seed that is not the table's. On success, `sorted`
  /// is in the order of this seed.
  template <class Table>
  [[nodiscard]] static laid lay_out_under(by_seed& sorted, const Table& table, new_storage_guard& fresh,
                                          std::uint64_t seed, const entry* added) {
    if (!sorted.hash(table.here(), table.size_, seed)) return laid::without_memory;
    const std::uint64_t wanted = added != nullptr ? hash_key(seed, key_of(*added)) : 0;
    if (!sorted.fit(fresh.here(), fresh.home_count, added != nullptr ? &wanted : nullptr))
      return laid::nowhere;
    sorted.sort();
    return lay_out(sorted, fresh, seed, added) ? laid::out : laid::nowhere;
  }

  /// Moves the entries with the same seed, which keeps their order. The old bytes stay intact, so
  /// if the entries don't fit, nothing has to be moved back.
  [[nodiscard]] static entry* move_in_order(const parts& from, new_storage_guard& fresh, std::size_t before,
                                            pending_entry& added) noexcept {
    const parts to = fresh.here();
    const std::uint64_t seed = from.head->seed;
    plan into(to, fresh.home_count);
    entry* mine = to.entries;
    const auto move_one = [&](std::size_t slot) INGOT_INLINE_LAMBDA {
      const std::size_t at = into.take_slot(hash_key(seed, key_of(from.entries[slot])));
      if (at == plan::nowhere || to.entries + at == added.at) [[unlikely]]
        return false;
      relocate(to.entries + at, from.entries + slot, 1);
      return true;
    };
    bool fits = true;
    if (added.at != nullptr) {
      entry* const waiting = added.at;
      fits = from.each_full_in(0, before, move_one);
      const std::size_t free_slot = fits ? into.take_slot(hash_key(seed, key_of(*waiting))) : plan::nowhere;
      if (free_slot == plan::nowhere) {
        fits = false;
      } else {
        mine = to.entries + free_slot;
        added.settle(mine);
        fits = from.each_full_in(before, from.slots, move_one) && into.fits();
        if (!fits && mine != waiting) relocate(waiting, mine, 1);
        if (!fits) added.at = waiting;
      }
    } else {
      fits = from.each_full_in(0, from.slots, move_one) && into.fits();
    }
    if (fits) {
      into.write_head(seed);
      return mine;
    }
    to.wipe_marks();
    scrub(to.entries, added.at != nullptr ? to.slots - 1 : to.slots);
    return nullptr;
  }
  /// Writes the head, and the marks (tags and steps) for the entries of `order` and for the new
  /// entry. If the entries don't fit, sets all marks to zero and returns false.
  template <class Order>
  [[nodiscard]] static bool lay_out(const Order& order, new_storage_guard& fresh, std::uint64_t seed,
                                    const entry* added) {
    const parts to = fresh.here();
    plan into(to, fresh.home_count);
    const entry* waiting = added;
    const std::uint64_t wanted = added != nullptr ? hash_key(seed, key_of(*added)) : 0;
    bool fits = order.each_hash([&](std::uint64_t hash, const K& other) {
      if (waiting != nullptr && (wanted != hash ? wanted < hash : compare_keys(other, key_of(*added)) > 0)) {
        waiting = nullptr;
        if (into.take_slot(wanted) == plan::nowhere) return false;
      }
      const std::size_t at = into.take_slot(hash);
      return at != plan::nowhere && (waiting == nullptr || to.entries + at != waiting);
    });
    if (fits && waiting != nullptr) fits = into.take_slot(wanted) != plan::nowhere;
    if (fits && into.fits()) {
      into.write_head(seed);
      return true;
    }
    to.wipe_marks();
    return false;
  }
  [[nodiscard]] static entry* move_sorted(const by_seed& order, new_storage_guard& fresh,
                                          pending_entry& added) noexcept {
    const parts to = fresh.here();
    const std::uint64_t seed = to.head->seed;
    entry* mine = to.entries;
    std::size_t slot = 0;
    const std::uint64_t wanted = added.at != nullptr ? hash_key(seed, key_of(*added.at)) : 0;
    order.each([&](std::uint64_t hash, const entry* from) {
      slot = to.full_from(slot);
      if (added.at != nullptr &&
          (wanted != hash ? wanted < hash : compare_keys(key_of(*from), key_of(*added.at)) > 0)) {
        mine = to.entries + slot;
        added.settle(mine);
        slot = to.full_from(slot + 1);
      }
      relocate(to.entries + slot++, from, 1);
      return true;
    });
    if (added.at != nullptr) {
      mine = to.entries + to.full_from(slot);
      added.settle(mine);
    }
    return mine;
  }

  template <class Table, class Order>
  [[nodiscard]] static bool copy_entries(Table& table, const Table& other, const Order& order,
                                         new_storage_guard& fresh) {
    const parts to = fresh.here();
    copy_guard guard{to, fresh.block};
    const bool whole = order.each_entry([&](const entry* from) {
      const std::size_t slot = to.full_from(guard.end);
      if constexpr (std::is_void_v<V>) {
        if (!Table::construct_entry(to.entries + slot, fresh.block, *from)) return false;
      } else {
        if (!Table::construct_entry(to.entries + slot, fresh.block, from->first, from->second)) return false;
      }
      guard.end = slot + 1;
      return true;
    });
    if (!whole) return false;
    guard.end = 0;
    const auto size = other.size_; // `other` may be a part of what is destroyed next
    table.destroy(fresh.block);
    table.at_.point_at(std::exchange(fresh.data, nullptr));
    table.size_ = size;
    return true;
  }
  /// The destructor destroys the entries copied so far, which are in the slots below `end`. Slots
  /// from `end` on may have tags, but no entries are constructed there.
  struct copy_guard {
    parts to;
    block_type block;
    std::size_t end = 0;
    copy_guard(const parts& in, block_type of) noexcept : to(in), block(of) {}
    copy_guard(const copy_guard&) = delete;
    copy_guard& operator=(const copy_guard&) = delete;
    ~copy_guard() {
      for (std::size_t at = 0; (at = to.full_from(at)) < end; ++at) detail::destroy(to.entries[at], block);
    }
  };
};

}}} // namespace ingot::INGOT_V1::detail
