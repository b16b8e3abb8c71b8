// SPDX-License-Identifier: Apache-2.0
// The memory of blocks: slots of reserved address space, each a power of two in size. Pages take
// memory only once they are used (for Windows, see committed_memory.hpp). A block grows inside its
// slot and never moves. Freed slots are saved for later blocks, a few of them per thread. The
// memory of a freed slot is given back to the system, except for the first pages.
//
//   slot: far part of the bitmap ... | page: near part of the bitmap | allocator | block ... limit
//
// The near part of the bitmap, the allocator and the start of the block share one page, so that a
// small block takes one page of memory.
#pragma once

#include <ingot/core/detail/atomic_value.hpp>
#include <ingot/core/detail/light_standard.hpp>
#include <ingot/core/detail/never_destroyed.hpp>
#include <ingot/core/detail/poison.hpp>
#include <ingot/core/detail/thread_cache.hpp>
#include <ingot/live/detail/block.hpp>
#include <ingot/live/detail/committed_memory.hpp>
#if defined(__wasm__)
#include <ingot/live/detail/system_wasm.hpp>
#elif !INGOT_COMMITS
#include <ingot/live/detail/system_posix.hpp>
#endif

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <new>
#include <vector>

namespace ingot { inline namespace INGOT_V1 { namespace detail {

/// The address range of one slot. `slot_layout` gives the position of the block in this range.
struct raw_slot {
  std::byte* start = nullptr;
  unsigned size_class = 0;
  explicit operator bool() const noexcept { return start != nullptr; }
};

/// The page of a slot in which its block begins. The part of the bitmap that does not fit in this
/// page precedes the page. Each bit is for eight bytes.
inline constexpr std::size_t slot_page = 4096;
inline constexpr std::size_t near_bitmap = 128; ///< bytes of bitmap in the block's own page
[[nodiscard]] constexpr std::size_t near_page(std::size_t slot) noexcept {
  const std::size_t bitmap = slot / 64;
  return bitmap <= near_bitmap ? 0 : round_up(bitmap - near_bitmap, slot_page);
}

/// The slots of a process. All bytes of a slot that `acquire` returns are zero. If memory must be
/// requested (see committed_memory.hpp), then the page in which the block begins has memory, and
/// other pages of the slot may have memory.
class slot_pool {
public:
  static constexpr unsigned smallest_class = 16; ///< 64 KiB
  static constexpr unsigned largest_class = sizeof(std::size_t) == 8 ? 40 : 28;

  [[nodiscard]] static constexpr unsigned class_of(std::size_t bytes) noexcept {
    const auto power = bytes <= 1 ? 0U : static_cast<unsigned>(std::bit_width(bytes - 1));
    return std::max(power, smallest_class);
  }

  /// Returns a slot of class `size_class`. If addresses are scarce, returns a slot of the largest
  /// smaller class that is available. Returns no slot if there is no memory.
  [[nodiscard]] static raw_slot acquire(unsigned size_class) noexcept {
    thread_slots* const mine = cache::get();
    for (size_class = std::min(size_class, largest_class); size_class >= smallest_class; --size_class) {
      if (mine != nullptr) [[likely]] {
        if (std::byte* const start = mine->take(size_class)) {
          if constexpr (poisons) unpoison_slot(start, size_class);
          return {start, size_class};
        }
      }
      bool has_memory = true;
      if (std::byte* const start = global().take(size_class, has_memory)) {
        if constexpr (poisons) unpoison_slot(start, size_class);
        return {start, size_class};
      }
      if (!has_memory) return {};
    }
    return {};
  }
  /// Takes back a slot. The caller has set all bytes of the slot to zero again.
  static void release(raw_slot slot) noexcept {
    thread_slots* const mine = cache::get();
    if (mine == nullptr || !mine->put(slot.start, slot.size_class)) global().put(slot.start, slot.size_class);
  }

  /// Returns the number of free slots that no thread holds; for tests.
  [[nodiscard]] static std::size_t idle(unsigned size_class) noexcept { return global().count(size_class); }

private:
  /// Unpoisons the part of a slot that may be poisoned. The previous block may have begun at
  /// another position, because policies have allocators of different sizes.
  static void unpoison_slot(std::byte* start, unsigned size_class) noexcept {
    const std::size_t size = std::size_t{1} << size_class;
    const std::size_t from = near_page(size);
    unpoison(start + from, std::min(size - from, poisoned_slot + slot_page));
  }

  static constexpr std::size_t class_count = largest_class - smallest_class + 1;
  /// Minimum bytes to reserve at a time: enough that page tables and mappings are few. WebAssembly
  /// has neither, and an engine may provide all of it at once.
#if defined(__wasm__)
  static constexpr std::size_t extent_size = std::size_t{1} << 22;
#else
  static constexpr std::size_t extent_size = std::size_t{1} << 26;
#endif

  class global_slots {
  public:
    /// Returns null if addresses are scarce, or if there is no memory: then sets `has_memory` to
    /// false.
    [[nodiscard]] std::byte* take(unsigned size_class, [[maybe_unused]] bool& has_memory) noexcept {
      const holding hold(mutex_);
      auto& mine = classes_[size_class - smallest_class];
      if (mine.free != nullptr) {
        std::byte* const start = mine.free;
        std::byte* const link = start + near_page(std::size_t{1} << size_class);
        std::memcpy(static_cast<void*>(&mine.free), link, sizeof mine.free);
        std::memset(link, 0, 8);
        --mine.free_count;
        return start;
      }
      if (mine.fresh == mine.fresh_end && !extend(mine, size_class)) return nullptr;
      std::byte* const start = mine.fresh;
#if INGOT_COMMITS
      std::byte* const used = start + near_page(std::size_t{1} << size_class);
      has_memory = commit_pages(used, used + slot_page);
      if (!has_memory) return nullptr;
#endif
      mine.fresh += std::size_t{1} << size_class;
      return start;
    }
    void put(std::byte* start, unsigned size_class) noexcept {
      const holding hold(mutex_);
      auto& mine = classes_[size_class - smallest_class];
      std::memcpy(start + near_page(std::size_t{1} << size_class), static_cast<const void*>(&mine.free),
                  sizeof mine.free);
      mine.free = start;
      ++mine.free_count;
    }
    [[nodiscard]] std::size_t count(unsigned size_class) noexcept {
      const holding hold(mutex_);
      return classes_[size_class - smallest_class].free_count;
    }

    /// Makes `fork` wait for the lock. A child of `fork` has one thread, so a lock that another
    /// thread held would stay locked in the child. If another thread is registering the two
    /// functions, the caller does not wait for that thread, which doesn't exist in a child of
    /// `fork`.
    void watch_forks() noexcept {
      if (!watched_.load_relaxed() && !watched_.exchange(true))
        system::around_forks([] { global().mutex_.lock(); }, [] { global().mutex_.unlock(); });
    }

  private:
    class holding {
    public:
      explicit holding(system::mutex& held) noexcept : held_(held) { held_.lock(); }
      holding(const holding&) = delete;
      holding& operator=(const holding&) = delete;
      ~holding() { held_.unlock(); }

    private:
      system::mutex& held_;
    };
    struct slots_of_class {
      std::byte* free = nullptr; // list; links are in the page that every block uses
      std::byte* fresh = nullptr;
      std::byte* fresh_end = nullptr;
      std::size_t free_count = 0;
    };

    [[nodiscard]] static bool extend(slots_of_class& mine, unsigned size_class) noexcept {
      const std::size_t one = std::size_t{1} << size_class;
      for (std::size_t size = std::max(one, extent_size);; size = std::max(one, size / 4)) {
        if (std::byte* const start = system::reserve(size)) {
          mine.fresh = start;
          mine.fresh_end = start + size;
          return true;
        }
        if (size == one) return false;
      }
    }

    system::mutex mutex_;
    atomic_value<bool> watched_;
    std::array<slots_of_class, class_count> classes_;
  };

  /// Free slots that a thread released, at most `slots_per_class` of each class. Only this thread
  /// can take them. When the thread ends, the destructor makes them available to all threads. If
  /// the thread releases a slot even later, the slot is immediately available to all threads.
  class thread_slots {
  public:
    thread_slots() = default;
    thread_slots(const thread_slots&) = delete;
    thread_slots& operator=(const thread_slots&) = delete;
    ~thread_slots() {
      for (unsigned c = 0; c < class_count; ++c) {
        for (std::size_t i = 0; i < counts_[c]; ++i) global().put(slots_[c][i], c + smallest_class);
      }
    }
    [[nodiscard]] std::byte* take(unsigned size_class) noexcept {
      auto& count = counts_[size_class - smallest_class];
      return count == 0 ? nullptr : slots_[size_class - smallest_class][--count];
    }
    [[nodiscard]] bool put(std::byte* start, unsigned size_class) noexcept {
      auto& count = counts_[size_class - smallest_class];
      if (count == slots_per_class) return false;
      slots_[size_class - smallest_class][count++] = start;
      return true;
    }

  private:
    static constexpr std::size_t slots_per_class = 8;
    std::array<std::array<std::byte*, slots_per_class>, class_count> slots_{};
    std::array<std::size_t, class_count> counts_{};
  };
  using cache = thread_cache<thread_slots, slot_pool>;

  /// Never destroyed, because blocks in static objects may be released after the destructors of
  /// this file's other objects have run.
  [[nodiscard]] static global_slots& global() noexcept {
    static constinit never_destroyed<global_slots> all;
    (*all).watch_forks();
    return *all;
  }
};

/// Layout of a block of policy `P` in a slot.
template <block_policy P>
struct slot_layout {
  using allocator_type = typename P::allocator_type;

  /// Half the range of an offset, minus the bytes that are added to a size later.
  static constexpr std::size_t max_size = static_cast<typename P::offset_type>(-1) / 2 - 4096;

  /// Returns the position of the block in a slot.
  [[nodiscard]] static constexpr std::size_t block_at(std::size_t slot) noexcept {
    return near_page(slot) + round_up(near_bitmap + sizeof(allocator_type), block_alignment);
  }
  /// Returns the maximum size of a block in a slot.
  [[nodiscard]] static constexpr std::size_t limit(std::size_t slot) noexcept {
    const std::size_t front = block_at(slot);
    return slot <= front ? 0 : std::min((slot - front) / 8 * 8, max_size);
  }
  /// Returns the class of slots that hold a block of `max_block_size` bytes.
  [[nodiscard]] static constexpr unsigned class_for(std::size_t max_block_size) noexcept {
    max_block_size = std::min(max_block_size, max_size); // more is never used
    unsigned size_class = slot_pool::class_of(max_block_size);
    while (size_class < slot_pool::largest_class && limit(std::size_t{1} << size_class) < max_block_size)
      ++size_class;
    return size_class;
  }
};

}}} // namespace ingot::INGOT_V1::detail
