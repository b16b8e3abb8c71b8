// SPDX-License-Identifier: Apache-2.0
// The structure of a block: its header, the sentinel for empty containers, and storages with their
// prefixes.
//
//   allocator | header 64 bytes | root | storages ...
//
// The header, byte by byte (numbers in the machine's byte order, which bit 0 of the flags states):
//    0  "ingL"                 8  layout_id  24  bytes used, at the last call of bytes()
//    4  format version, 2     16  schema_id  32  zero
//    5  flags                                40  wide offsets: the sentinel's prefix (capacity 0)
//    6  zero                                 48  narrow offsets: the prefix, after eight zeros
//                                            56  the sentinel's eight bytes, zero
#pragma once

#include <ingot/core/detail/config.hpp>
#include <ingot/core/detail/invalidation.hpp>
#include <ingot/core/detail/poison.hpp>
#include <ingot/core/hardening.hpp>
#include <ingot/live/detail/block_growth.hpp>
#include <ingot/live/out_of_space.hpp>
#include <ingot/live/policy.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <type_traits>

namespace ingot { inline namespace INGOT_V1 { namespace detail {

struct block_header {
  static constexpr std::array<char, 4> expected_magic{'i', 'n', 'g', 'L'};
  static constexpr std::uint8_t current_version = 2;
  /// Flags.
  static constexpr std::uint8_t big_endian = 1;
  static constexpr std::uint8_t wide_offsets = 2;
  static constexpr std::uint8_t attached =
      4; ///< an allocator precedes the block; clear if the bytes were opened in place

  std::array<char, 4> magic = expected_magic;
  std::uint8_t version = current_version;
  std::uint8_t flags = 0;
  std::uint16_t zero = 0;
  std::uint64_t layout_id = 0;
  std::uint64_t schema_id = 0;
  std::uint64_t used = 0;
  std::array<std::byte, 32> tail{}; ///< ends with the sentinel
};
static_assert(sizeof(block_header) == 64 && std::is_trivially_copyable_v<block_header>);

/// Positions of the root and of the sentinel's data. These positions are the same in all blocks.
inline constexpr std::size_t root_position = sizeof(block_header);
inline constexpr std::size_t sentinel_position = sizeof(block_header) - 8;

template <class N>
[[nodiscard]] constexpr N round_up(N n, std::size_t step) noexcept {
  return static_cast<N>((n + (step - 1)) / step * step);
}

/// Refers to a block by its start. The header, the root and the allocator are at fixed distances
/// from the start.
template <block_policy P>
class INGOT_DEBUG_TYPE block_ref {
public:
  using offset_type = typename P::offset_type;
  using allocator_type = typename P::allocator_type;
  using prefix = storage_prefix<offset_type>;

  explicit block_ref(std::byte* start) noexcept : start_(start) {}

  /// Returns the block that contains `data`, the bytes of a storage.
  [[nodiscard]] static INGOT_INLINE block_ref of(std::byte* data) noexcept {
    return block_ref{
        at_address(data, -static_cast<std::ptrdiff_t>(sizeof(prefix) + prefix_of(data).distance))};
  }
  [[nodiscard]] static INGOT_INLINE prefix& prefix_of(std::byte* data) noexcept {
    return *reinterpret_cast<prefix*>(at_address(data, -static_cast<std::ptrdiff_t>(sizeof(prefix))));
  }
  [[nodiscard]] static INGOT_INLINE std::size_t capacity_of(std::byte* data) noexcept {
    return prefix_of(data).capacity;
  }

  [[nodiscard]] std::byte* start() const noexcept { return start_; }
  [[nodiscard]] block_header& header() const noexcept { return *reinterpret_cast<block_header*>(start_); }
  [[nodiscard]] INGOT_INLINE std::byte* sentinel() const noexcept { return start_ + sentinel_position; }
  [[nodiscard]] INGOT_INLINE bool attached() const noexcept {
    return (header().flags & block_header::attached) != 0;
  }
  [[nodiscard]] INGOT_INLINE allocator_type& allocator() const noexcept {
    return *reinterpret_cast<allocator_type*>(
        at_address(start_, -static_cast<std::ptrdiff_t>(sizeof(allocator_type))));
  }

  /// Returns the data of a new storage of at least `bytes`, all zero; null if memory runs out.
  [[nodiscard]] INGOT_INLINE std::byte* allocate(std::size_t bytes, std::size_t alignment) const noexcept {
    // Compares `bytes` before anything is added to `bytes`, so that the sum can't overflow.
    if (bytes > max_bytes || !attached()) [[unlikely]]
      return nullptr;
    const auto size = static_cast<offset_type>(round_up(bytes, 8) + sizeof(prefix));
    const auto run = alignment > 8 ? allocator().allocate_aligned(size) : allocator().allocate(size);
    return run ? start_ + run.at + sizeof(prefix) : nullptr;
  }
  /// Frees a storage; does nothing for the sentinel. Bytes opened in place have no allocator:
  /// there, only zeroes the storage and its prefix.
  INGOT_INLINE void release(std::byte* data) const noexcept {
    const auto capacity = prefix_of(data).capacity;
    if (capacity == 0) return;
    INGOT_NOTE(data, capacity, moved);
    const auto size = static_cast<offset_type>(capacity + sizeof(prefix));
    if (attached()) [[likely]]
      allocator().release_storage(data, size);
    else std::memset(&prefix_of(data), 0, size);
  }
  /// Makes a storage larger in place if the bytes after it are free. The new bytes are zero.
  [[nodiscard]] bool extend(std::byte* data, std::size_t bytes) const noexcept {
    const prefix& head = prefix_of(data);
    if (head.capacity == 0 || bytes > max_bytes || !attached()) return false;
    return allocator().extend(head.distance, static_cast<offset_type>(head.capacity + sizeof(prefix)),
                              static_cast<offset_type>(round_up(bytes, 8) + sizeof(prefix)));
  }
  /// Returns the tracker that reports progress while the block is filled; null if there is none.
  [[nodiscard]] progress_tracker* filling() const noexcept {
    return attached() ? filling_of(allocator()) : nullptr;
  }

  /// Poisons unused bytes of storages. In bytes opened in place nothing is poisoned, because the
  /// caller may read them without `bytes()`.
  void poison(const void* at, std::size_t n) const noexcept {
    if constexpr (poisons && requires(allocator_type& a) { a.poisons_free_bytes(); }) {
      if (attached() && allocator().poisons_free_bytes()) detail::poison(at, n);
    }
  }

  friend bool operator==(block_ref a, block_ref b) noexcept { return a.start_ == b.start_; }

private:
  /// Maximum size of a storage in bytes. Rounding it up and adding a prefix does not overflow.
  static constexpr std::size_t max_bytes = static_cast<std::size_t>(static_cast<offset_type>(-1) / 2 - 64);

  // Computed with integers: an optimiser may assume that a pointer stays within its object.
  [[nodiscard]] static INGOT_INLINE std::byte* at_address(std::byte* from, std::ptrdiff_t distance) noexcept {
    return reinterpret_cast<std::byte*>(reinterpret_cast<std::uintptr_t>(from) +
                                        static_cast<std::uintptr_t>(distance));
  }

  std::byte* start_;
};

/// A self-relative pointer to a storage. A container in a block consists of an anchor and the
/// container's size. The offset is zero outside a block. Inside a block the offset is never zero:
/// an empty container points to the sentinel, whose capacity is zero.
template <block_policy P>
class anchor {
public:
  using offset_type = typename P::offset_type;
  using signed_offset = std::make_signed_t<offset_type>;

  [[nodiscard]] INGOT_INLINE bool bound() const noexcept { return offset_ != 0; }
  /// Returns the bytes of the storage.
  [[nodiscard]] INGOT_INLINE std::byte* data() const noexcept {
    return reinterpret_cast<std::byte*>(reinterpret_cast<std::uintptr_t>(this) +
                                        static_cast<std::uintptr_t>(static_cast<std::intptr_t>(offset_)));
  }
  INGOT_INLINE void point_at(const std::byte* data) noexcept {
    offset_ = static_cast<signed_offset>(reinterpret_cast<std::uintptr_t>(data) -
                                         reinterpret_cast<std::uintptr_t>(this));
  }
  /// Adjusts the offset after the enclosing object was moved. `by` is the old address minus the new
  /// address.
  INGOT_INLINE void shift(std::ptrdiff_t by) noexcept {
    offset_ = static_cast<signed_offset>(static_cast<offset_type>(offset_) + static_cast<offset_type>(by));
  }
  /// Returns the capacity in bytes; 0 outside a block.
  [[nodiscard]] INGOT_INLINE std::size_t capacity() const noexcept {
    return bound() ? block_ref<P>::capacity_of(data()) : 0;
  }
  /// Returns the block that contains this anchor. Requires `bound()`.
  [[nodiscard]] INGOT_INLINE block_ref<P> block() const noexcept { return block_ref<P>::of(data()); }

  /// Returns the reason why the storage could not grow.
  [[nodiscard]] INGOT_COLD out_of_space_reason failure() const noexcept {
    if (!bound()) return out_of_space_reason::outside_block;
    const auto in = block();
    if (!in.attached()) return out_of_space_reason::in_place;
    if (in.allocator().growth_failed()) return out_of_space_reason::file;
    if (in.allocator().memory_failed()) return out_of_space_reason::no_memory;
    constexpr auto half = static_cast<offset_type>(-1) / 2;
    return sizeof(offset_type) == 4 && in.allocator().limit() > half - half / 64
               ? out_of_space_reason::offset_range
               : out_of_space_reason::full;
  }
  [[noreturn]] INGOT_COLD void throw_failure() const { throw_out_of_space(failure()); }
  /// Throws the reason why this anchor and `other` could not exchange their contents. Requires that
  /// at least one of them has a storage or elements.
  [[noreturn]] INGOT_COLD void throw_apart(const anchor& other) const {
    throw_out_of_space(bound() && other.bound() ? out_of_space_reason::different_block
                                                : out_of_space_reason::outside_block);
  }

  /// Poisons `n` bytes at `from`, which are no longer in use, and the bytes after them up to a
  /// multiple of eight.
  void leave(const void* from, std::size_t n) const noexcept {
    const auto begin = reinterpret_cast<std::uintptr_t>(from);
    if (n != 0) block().poison(from, round_up(begin + n, 8) - begin);
  }
  /// Poisons all bytes after the first `taken` bytes of a storage, which is new or was extended.
  void poison_spare(std::size_t taken) const noexcept {
    const std::size_t all = capacity();
    if (all > taken) block().poison(data() + taken, all - taken);
  }

  /// Returns the offset itself, for readers of bytes that are not validated.
  [[nodiscard]] signed_offset raw() const noexcept { return offset_; }

private:
  signed_offset offset_ = 0;
};

}}} // namespace ingot::INGOT_V1::detail
