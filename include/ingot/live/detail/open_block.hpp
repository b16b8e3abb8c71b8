// SPDX-License-Identifier: Apache-2.0
// Copies and validates bytes to open them as a block, for `live`.
#pragma once

#include <ingot/core/bytes.hpp>
#include <ingot/core/detail/progress_poll.hpp>
#include <ingot/core/error.hpp>
#include <ingot/live/detail/block_memory.hpp>
#include <ingot/live/receive_buffer.hpp>
#include <ingot/live/validate.hpp>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <utility>

namespace ingot { inline namespace INGOT_V1 { namespace detail {

/// Memory with a block of `used` bytes.
template <block_policy P>
struct sized_memory {
  block_memory<P> memory;
  std::size_t used;
};

/// Copies a block into a new slot. Checks the header only.
template <class T, block_policy P>
[[nodiscard]] result<sized_memory<P>> copy_in(bytes_view bytes, max_block_size max_size) {
  auto size = check_whole<T, P>(bytes);
  if (!size) return fail(size.error());
  auto memory = block_memory<P>::reserve_slot(std::max(max_size.bytes, *size));
  if (!memory || !memory.reaches(*size)) return fail(errc::no_memory);
  std::memcpy(memory.start(), bytes.data(), *size);
  return sized_memory<P>{std::move(memory), *size};
}
/// Copies the bytes of a block to a receive buffer. Checks the header only.
template <class T, block_policy P, class Buffer>
[[nodiscard]] result<Buffer> receive_block(bytes_view bytes, max_block_size max_size,
                                           progress_tracker& tracker) {
  auto size = check_whole<T, P>(bytes);
  if (!size) return fail(size.error());
  Buffer copied(bytes.size(), max_size);
  if (!copied) return fail(errc::no_memory);
  if (!copy_with_progress(copied.data(), bytes, tracker)) return tracker.cancelled();
  tracker.begin_pass();
  return copied;
}

/// Checks the address and the header of a block that is to be opened in place.
template <class T, block_policy P>
[[nodiscard]] result<void> check_in_place(std::span<std::byte> bytes) {
  if (reinterpret_cast<std::uintptr_t>(bytes.data()) % block_alignment != 0) return fail(errc::misaligned);
  auto size = check_whole<T, P>(bytes);
  if (!size) return fail(size.error());
  return {};
}

/// Validates a block in its own memory, and sets the allocator's state. The bytes were copied
/// there, so no other code can change them during the validation.
template <class T, block_policy P>
[[nodiscard]] result<void> validate_memory(const sized_memory<P>& from, progress_tracker& tracker,
                                           block_growth* file) {
  using offset_type = typename P::offset_type;
  const auto used = static_cast<offset_type>(from.used);
  auto& allocator = from.memory.block().allocator();
  pending_error err;
  // The destructor sets the used part of the slot in the allocator, also if `valid` of a type
  // throws.
  struct commit_guard {
    typename P::allocator_type& allocator;
    offset_type used;
    offset_type limit;
    bool settled = false;
    ~commit_guard() {
      if (!settled) allocator.start(used, limit);
    }
  } settle{allocator, used, from.memory.limit()};
  std::byte* const start = from.memory.start();
  progress_poll poll(&tracker, from.used);
  const auto found = validate_into<T, P>(start, from.used, allocator.bitmap_end(), err, poll);
  if (poll.stopped()) return tracker.cancelled();
  if (found == block_state::none) return err.failure();
  if (auto reported = tracker.finish(); !reported) return fail(reported.error());
  if (file != nullptr && !file->begin(*file)) return fail(errc::io); // the caller has the reason
  if (found == block_state::edited) {
    allocator.adopt(used, from.memory.limit());
    settle.settled = true;
  }
  from.memory.block().header().flags |= block_header::attached;
  return {};
}

}}} // namespace ingot::INGOT_V1::detail
