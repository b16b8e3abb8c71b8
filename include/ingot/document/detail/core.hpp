// SPDX-License-Identifier: Apache-2.0
// Memory of a document: its bytes in a slot or a span, the allocator before these bytes, and the
// log of changes, which handles need. Nodes are allocated without the allocator's prefix, because
// each node contains its own length.
//
// A document in a live struct is in a storage of the block, and has no allocator. New nodes take
// bytes that were released during the current editing, or bytes at the end of the storage. If
// neither has space, `reserve_space` asks the owner of the storage for a longer storage.
#pragma once

#include <ingot/core/bytes.hpp>
#include <ingot/core/detail/atomic_value.hpp>
#include <ingot/core/detail/pending_error.hpp>
#include <ingot/document/detail/change_log.hpp>
#include <ingot/document/detail/node.hpp>
#include <ingot/live/detail/block_memory.hpp>

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <type_traits>
#include <utility>

namespace ingot { inline namespace INGOT_V1 { namespace detail::doc {

/// Lets a list grow as long as there is memory.
struct free_growth {
  [[nodiscard]] static constexpr bool allows(uint64_t) noexcept { return true; }
};
/// A list of trivially copyable items. Its functions return false if there is no memory, or if
/// `Growth` does not allow more.
template <class T, class Growth = free_growth>
class plain_list {
  static_assert(std::is_trivially_copyable_v<T>);

public:
  plain_list() = default;
  explicit plain_list(Growth growth) noexcept : growth_(growth) {}
  plain_list(const plain_list&) = delete;
  plain_list& operator=(const plain_list&) = delete;
  ~plain_list() {
    if (items_ != nullptr) std::free(items_); // most lists are empty and skip the call
  }

  [[nodiscard]] bool push(const T& item) noexcept {
    if (count_ == capacity_) {
      const std::size_t capacity = capacity_ == 0 ? 32 : 2 * capacity_;
      if (capacity > static_cast<std::size_t>(-1) / sizeof(T)) return false;
      if (capacity_ != 0 && !growth_.allows(uint64_t{capacity - capacity_} * sizeof(T))) return false;
      void* const larger = std::realloc(static_cast<void*>(items_), capacity * sizeof(T));
      if (larger == nullptr) return false;
      items_ = static_cast<T*>(larger);
      capacity_ = capacity;
    }
    std::memcpy(static_cast<void*>(items_ + count_++), &item, sizeof item);
    return true;
  }
  [[nodiscard]] bool empty() const noexcept { return count_ == 0; }
  [[nodiscard]] std::size_t size() const noexcept { return count_; }
  T pop() noexcept { return items_[--count_]; }
  /// Appends `more` items, which the caller must write. Returns null if there is no memory.
  [[nodiscard]] T* extend(std::size_t more) noexcept {
    if (more > capacity_ - count_) {
      constexpr std::size_t largest = static_cast<std::size_t>(-1) / sizeof(T) / 2;
      if (more > largest || count_ > largest - more) return nullptr;
      const std::size_t needed = count_ + more;
      const std::size_t capacity = needed < 32 ? 32 : needed > largest / 2 ? needed : 2 * needed;
      if (!growth_.allows(uint64_t{capacity - (capacity_ == 0 ? 32 : capacity_)} * sizeof(T))) return nullptr;
      void* const larger = std::realloc(static_cast<void*>(items_), capacity * sizeof(T));
      if (larger == nullptr) return nullptr;
      items_ = static_cast<T*>(larger);
      capacity_ = capacity;
    }
    T* const first = items_ + count_;
    count_ += more;
    return first;
  }
  void truncate(std::size_t count) noexcept { count_ = count; }
  [[nodiscard]] T* begin() noexcept { return items_; }
  [[nodiscard]] T* end() noexcept { return items_ + count_; }
  [[nodiscard]] const T* begin() const noexcept { return items_; }
  [[nodiscard]] const T* end() const noexcept { return items_ + count_; }
  [[nodiscard]] T& operator[](std::size_t i) noexcept { return items_[i]; }
  [[nodiscard]] const T& operator[](std::size_t i) const noexcept { return items_[i]; }
  void clear() noexcept { count_ = 0; }

private:
  T* items_ = nullptr;
  std::size_t count_ = 0;
  std::size_t capacity_ = 0;
  INGOT_NO_UNIQUE_ADDRESS Growth growth_{};
};

/// Position of a value: an element of a node, or the root, which is not in a node.
struct spot {
  uint32_t position = 0; ///< position of the node; 0 for the root
  uint32_t index = 0;
};

class core;

/// Owner of the storage that contains a document.
struct storage_owner {
  /// Gives `of` a storage of at least `bytes` bytes, perhaps at another address, and calls
  /// `of.move_to`. `again` is true if the same change has already asked for a longer storage.
  /// Returns false and changes nothing if there is no space.
  bool (*lengthen)(storage_owner& by, core& of, uint64_t bytes, bool again) noexcept;
  out_of_space_reason (*failure)(const storage_owner& by) noexcept;
};

class core {
public:
  using arena_type = narrow_policy::allocator_type;

  core() = default;
  core(const core&) = delete;
  core& operator=(const core&) = delete;

  /// Begins an empty document in new memory.
  void begin(block_memory<narrow_policy>&& fresh) noexcept {
    take(std::move(fresh));
    const document_header header;
    std::memcpy(start_, &header, sizeof header);
    arena_->start(first_node, limit_);
  }
  /// Takes memory that already contains a document. The caller must start the allocator.
  void take(block_memory<narrow_policy>&& filled) noexcept {
    owned_ = std::move(filled);
    start_ = owned_.start();
    limit_ = owned_.limit();
    arena_ = &owned_.block().allocator();
    if constexpr (poisons)
      arena_->leave_readable(); // lookups read several keys at a time, also after the end of a node
  }
  /// Uses bytes that have another owner, without an allocator.
  void borrow(std::byte* start, uint32_t used) noexcept {
    start_ = start;
    limit_ = used;
    arena_ = nullptr;
  }
  /// Uses a storage of `capacity` bytes. Its first `used` bytes are the document.
  void lodge(std::byte* start, uint32_t used, uint32_t capacity, storage_owner& lender) noexcept {
    borrow(start, used);
    capacity_ = capacity;
    owner_ = &lender;
  }
  /// Notes that the bytes have moved to another address.
  void move_to(std::byte* start, uint32_t capacity) noexcept {
    start_ = start;
    capacity_ = capacity;
    changes_.note_values();
  }
  /// Asks for a longer storage after a change that found no space. Returns true if the change can
  /// be tried again. `again` is true if the change has already asked.
  [[nodiscard]] INGOT_COLD bool reserve_space(bool again) noexcept {
    const uint64_t wanted = std::exchange(wanted_, 0);
    return owner_ != nullptr && wanted != 0 && owner_->lengthen(*owner_, *this, wanted, again);
  }
  /// Returns the number of bytes of a storage that were released and not used again.
  [[nodiscard]] uint32_t freed() const noexcept { return freed_; }
  [[nodiscard]] bool in_place() const noexcept { return arena_ == nullptr; }
  /// Returns the tracker that reports how far the document is filled; null if there is none.
  [[nodiscard]] progress_tracker* filling() const noexcept {
    return arena_ == nullptr ? nullptr : filling_of(*arena_);
  }
  /// Returns the tracker to poll while a container of `count` values is filled; null if `count` is
  /// small. Values that take new memory need no such poll, because each enlargement of the memory
  /// already calls the poll.
  [[nodiscard]] progress_tracker* filling_of_many(std::size_t count) const noexcept {
    return count < growth_poll::often ? nullptr : filling();
  }
  [[nodiscard]] block_memory<narrow_policy>& owned() noexcept { return owned_; }
  [[nodiscard]] arena_type& arena() noexcept { return *arena_; }
  [[nodiscard]] const arena_type& arena() const noexcept { return *arena_; }

  [[nodiscard]] INGOT_INLINE std::byte* start() noexcept { return start_; }
  [[nodiscard]] INGOT_INLINE uint32_t used() const noexcept {
    return arena_ != nullptr ? arena_->used() : limit_;
  }
  /// Returns the maximum size of the document. For a document in a storage, returns the maximum
  /// size that any document can have, since the owner may lengthen the storage.
  [[nodiscard]] uint32_t limit() const noexcept {
    return owner_ != nullptr ? static_cast<uint32_t>(max_bytes) : limit_;
  }
  [[nodiscard]] INGOT_INLINE validated mem() const noexcept { return {{start_, used()}}; }
  [[nodiscard]] INGOT_INLINE uint32_t root() const noexcept {
    return load<uint32_t>(start_ + offsetof(document_header, root));
  }
  void set_root(uint32_t position) noexcept { store(start_ + offsetof(document_header, root), position); }

  /// Returns the bytes of the document. Writes their number to the header first.
  [[nodiscard]] bytes_view bytes() const noexcept {
    const uint32_t size = used();
    auto& stored = *reinterpret_cast<uint32_t*>(start_ + offsetof(document_header, used));
    // Writes atomically, since several readers may call this at the same time.
    bring_to(stored, size);
    return {start_, size};
  }

  /// Allocates zeroed bytes for a node, and sets `bytes` to their number. Returns 0 if there is no
  /// space.
  [[nodiscard]] uint32_t allocate(uint64_t& bytes) noexcept {
    if (bytes > max_bytes) return 0;
    if (uint64_t{used()} + bytes > end_limit_) [[unlikely]] {
      is_beyond_ = true;
      return 0;
    }
    if (arena_ == nullptr) return owner_ != nullptr ? allocate_lodged(bytes) : 0;
    const auto run = arena_->allocate(round_up(static_cast<uint32_t>(bytes), 8));
    if (!run) return 0;
    std::memset(start_ + run.at, 0, 8);
    bytes = run.size;
    return run.at;
  }
  /// Releases the bytes of a node. Without an allocator, only sets them to zero.
  void release(uint32_t position, uint32_t bytes) noexcept {
    if (arena_ != nullptr) {
      arena_->release(position, bytes);
    } else {
      std::memset(start_ + position, 0, bytes);
      if (owner_ != nullptr) release_lodged(position, bytes);
    }
  }
  /// Called after a node has left its position. If more than a sixteenth of the document is free,
  /// requests a defragmentation, which runs after the change.
  void note_hole() noexcept {
    if (patience_ != 0) {
      --patience_;
      return;
    }
    if (arena_ == nullptr || held_ || unsettled_ || !changes_.may_defragment(moving_)) return;
    const uint32_t free = arena_->free_bytes();
    unsettled_ = free > used() / 16;
    // `free_bytes` visits each fastbin entry; an entry has at least 16 bytes. So the more entries
    // there are, the more relocations must precede the next call.
    if (!unsettled_) patience_ = (free - arena_->free_run_bytes()) / 4096;
  }
  /// While `held`, there may be nodes to which nothing refers yet. A defragmentation would not find
  /// such nodes, so no defragmentation is requested while `held`.
  void hold(bool held) noexcept {
    held_ = held;
    unsettled_ = false;
  }
  [[nodiscard]] INGOT_INLINE bool unsettled() const noexcept { return unsettled_; }
  /// Called after a defragmentation, when no free bytes are left between the nodes. `used` is the
  /// end of the last node.
  void gather(uint32_t used) noexcept {
    const uint32_t before = arena_->used();
    std::memset(start_ + used, 0, before - used);
    const std::size_t bits = arena_type::bitmap_size(before);
    std::memset(reinterpret_cast<std::byte*>(arena_->bitmap_end()) - bits, 0, bits);
    arena_->start(used, limit_, arena_->peak());
    unsettled_ = false;
    moving_ = 0;
  }
  /// Called if a defragmentation moved nothing. `moving` is the number of nodes that would have
  /// moved; 0 if the document has too many nodes to count, or if there is no memory. The next
  /// attempt waits for more relocations. It waits longer if this attempt visited more elements.
  void leave_unsettled(uint32_t moving, uint64_t looked_at) noexcept {
    unsettled_ = false;
    moving_ = moving;
    patience_ = static_cast<uint32_t>(looked_at / 1024) + (moving == 0 ? 64 : 0);
  }
  /// Enlarges a node in place, if the bytes after it are free.
  [[nodiscard]] bool extend(uint32_t position, uint32_t bytes, uint64_t wanted) noexcept {
    if (wanted > max_bytes) return false;
    if (arena_ == nullptr) return owner_ != nullptr && extend_lodged(position, bytes, wanted);
    // saved, since the allocator overwrites the first bytes with its prefix
    const auto head = load<uint64_t>(start_ + position);
    const bool longer = arena_->extend(position, bytes, static_cast<uint32_t>(wanted));
    store(start_ + position, head);
    return longer;
  }
  /// Returns the reason why there was no space.
  [[nodiscard]] out_of_space_reason failure() const noexcept {
    if (owner_ != nullptr) return owner_->failure(*owner_);
    if (arena_ == nullptr) return out_of_space_reason::in_place;
    if (arena_->growth_failed()) return out_of_space_reason::file;
    if (arena_->memory_failed()) return out_of_space_reason::no_memory;
    return limit_ / 8 >= slot_layout<narrow_policy>::max_size / 8 ? out_of_space_reason::offset_range
                                                                  : out_of_space_reason::full;
  }

  /// Returns the reason why a value was rejected; set only after the outcome `rejected`.
  [[nodiscard]] pending_error& unsupported_reason() noexcept { return refusal_; }

  /// Makes `allocate` fail if the document would end beyond `end`.
  void limit_end(uint64_t end) noexcept { end_limit_ = end; }
  void clear_limit() noexcept {
    end_limit_ = std::numeric_limits<uint64_t>::max();
    is_beyond_ = false;
  }
  /// Returns true if `allocate` has failed because of the limit that `limit_end` set.
  [[nodiscard]] bool is_beyond_limit() const noexcept { return is_beyond_; }

  [[nodiscard]] change_log& changes() noexcept { return changes_; }
  [[nodiscard]] const change_log& changes() const noexcept { return changes_; }

private:
  struct hole {
    uint32_t position;
    uint32_t bytes;
  };

  /// Sets the size, also in the header, because the block that contains the storage may be sent at
  /// any time during the editing.
  void end_at(uint32_t used) noexcept {
    limit_ = used;
    store(start_ + offsetof(document_header, used), used);
  }
  [[nodiscard]] uint32_t allocate_lodged(uint64_t& bytes) noexcept {
    const auto size = static_cast<uint32_t>(round_up(bytes, 8));
    // Searches only the 16 free runs that were released last. Compaction removes the other runs.
    const std::size_t count = holes_.size();
    for (std::size_t i = count; i > 0 && count - i < 16; --i) {
      hole& each = holes_[i - 1];
      if (each.bytes != size && each.bytes < size + 16) continue;
      const uint32_t position = each.position;
      each.position += size;
      each.bytes -= size;
      if (each.bytes == 0) {
        each = holes_[count - 1];
        static_cast<void>(holes_.pop());
      }
      freed_ -= size;
      bytes = size;
      return position; // these bytes were set to zero when they were released
    }
    if (size > capacity_ - limit_) {
      // Counts the bytes that this change has already allocated (they are in `limit_`), since
      // another try allocates them again.
      wanted_ = uint64_t{limit_} + size;
      return 0;
    }
    const uint32_t position = limit_;
    // Bytes after the end of a document from untrusted input may have any value.
    std::memset(start_ + position, 0, size);
    end_at(position + size);
    bytes = size;
    return position;
  }
  void release_lodged(uint32_t position, uint32_t bytes) noexcept {
    if (position + bytes == limit_) {
      end_at(position);
    } else {
      freed_ += bytes;
      // if there is no memory for the list, compaction finds these bytes
      static_cast<void>(holes_.push({position, bytes}));
    }
  }
  [[nodiscard]] bool extend_lodged(uint32_t position, uint32_t bytes, uint64_t wanted) noexcept {
    if (position + bytes != limit_ || wanted - bytes > capacity_ - limit_) return false;
    std::memset(start_ + limit_, 0, static_cast<std::size_t>(wanted - bytes));
    end_at(position + static_cast<uint32_t>(wanted));
    return true;
  }

  block_memory<narrow_policy> owned_;
  std::byte* start_ = nullptr;
  arena_type* arena_ = nullptr;
  uint32_t limit_ = 0;
  change_log changes_;
  storage_owner* owner_ = nullptr;
  uint32_t capacity_ = 0; ///< size of the storage; the document uses `limit_` bytes of it
  uint32_t freed_ = 0;
  bool unsettled_ = false;
  bool held_ = false;
  bool is_beyond_ = false;
  uint64_t end_limit_ = std::numeric_limits<uint64_t>::max();
  uint32_t moving_ = 0;   ///< number of nodes that the last attempt to defragment would have moved
  uint32_t patience_ = 0; ///< number of relocations before the next attempt
  uint64_t wanted_ = 0;   ///< required size of the storage
  plain_list<hole> holes_;
  pending_error refusal_;
};

/// Memory that a reader may take for a document and for the lists of values whose containers are
/// not complete. See `read_limits::max_memory`. The count includes the bytes by which the document
/// grows, and for each list the capacity beyond the first 32 items.
struct memory_allowance {
  static constexpr uint64_t unlimited = std::numeric_limits<uint64_t>::max();

  uint64_t max_size = unlimited;
  uint64_t lists = 0; ///< number of bytes that lists have taken
  uint64_t begin = 0; ///< size of the document when the count began
  core* in = nullptr; ///< the document, if there is one
  bool is_list_rejected = false;

  [[nodiscard]] INGOT_NOINLINE bool take(uint64_t bytes) noexcept {
    if (max_size == unlimited) return true;
    const uint64_t grown = in != nullptr && in->used() > begin ? in->used() - begin : 0;
    if (grown > max_size - lists || bytes > max_size - lists - grown) [[unlikely]]
      return is_list_rejected = true, false;
    lists += bytes;
    limit_document();
    return true;
  }
  /// Limits the document to the memory that the lists have not taken.
  void limit_document() const noexcept {
    if (in == nullptr) return;
    const uint64_t left = max_size - lists;
    in->limit_end(left < unlimited - begin ? begin + left : unlimited);
  }
  [[nodiscard]] bool is_exceeded() const noexcept {
    return is_list_rejected || (in != nullptr && in->is_beyond_limit());
  }
};

/// Lets a list grow within an allowance; without an allowance, as long as there is memory.
struct counted_growth {
  memory_allowance* of = nullptr;
  [[nodiscard]] bool allows(uint64_t bytes) const noexcept { return of == nullptr || of->take(bytes); }
};

}}} // namespace ingot::INGOT_V1::detail::doc
