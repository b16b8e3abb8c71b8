// SPDX-License-Identifier: Apache-2.0
// Memory to receive a message into. The received block can grow in this memory, without a copy.
#pragma once

#include <ingot/core/detail/light_standard.hpp>
#include <ingot/live/detail/block_memory.hpp>
#include <ingot/live/max_block_size.hpp>

#include <cstddef>
#include <span>
#include <utility>

namespace ingot { inline namespace INGOT_V1 {

template <class T, block_policy P>
class basic_live;

/// Memory for a message that is still to be received. Receive into `bytes()`, then move the object
/// into `open` or `open_unchecked` of the live type. These functions do not copy the bytes. The
/// object is empty if the system had no memory. Move only; moving is O(1) and keeps the address of
/// the bytes.
template <class T, block_policy P>
class basic_receive_buffer {
public:
  /// Reserves a slot (address space for one block) with `bytes` bytes to receive into. The block
  /// can later grow in this slot up to `max_size`. O(1).
  basic_receive_buffer(std::size_t bytes, max_block_size max_size)
      : memory_(detail::block_memory<P>::reserve_slot(std::max(max_size.bytes, bytes))),
        size_(memory_ && memory_.reaches(bytes) ? bytes : 0) {}
  basic_receive_buffer(basic_receive_buffer&& other) noexcept
      : memory_(std::move(other.memory_)), size_(std::exchange(other.size_, 0)) {}
  basic_receive_buffer& operator=(basic_receive_buffer&& other) noexcept {
    basic_receive_buffer taken(std::move(other));
    std::swap(memory_, taken.memory_);
    std::swap(size_, taken.size_);
    return *this;
  }
  basic_receive_buffer(const basic_receive_buffer&) = delete; // ingot: move it: a slot has one owner
  basic_receive_buffer& operator=(const basic_receive_buffer&) = delete;
  ~basic_receive_buffer() {
    // The destructor of `memory_` clears the bytes that the allocator counts as used. So the
    // allocator is started here, with the received bytes as the used bytes.
    if (memory_)
      memory_.block().allocator().start(static_cast<typename P::offset_type>(detail::round_up(size_, 8)),
                                        memory_.limit());
  }

  [[nodiscard]] std::byte* data() noexcept { return memory_.start(); }
  [[nodiscard]] std::size_t size() const noexcept { return size_; }
  /// Returns the bytes to receive into.
  [[nodiscard]] std::span<std::byte> bytes() noexcept { return {memory_.start(), size_}; }
  explicit operator bool() const noexcept { return size_ != 0; }

private:
  friend basic_live<T, P>;
  detail::block_memory<P> memory_;
  std::size_t size_;
};

}} // namespace ingot::INGOT_V1
