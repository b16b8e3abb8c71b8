// SPDX-License-Identifier: Apache-2.0
// The exception for writes into a block that cannot grow. Functions with the names of the standard
// library throw this exception. The `try_` forms return false or null instead, so programs without
// exceptions use the `try_` forms.
#pragma once

#include <ingot/core/detail/config.hpp>

#include <cstdint>
#include <new>
#if !INGOT_EXCEPTIONS
#include <cstdio>
#include <cstdlib>
#endif

namespace ingot { inline namespace INGOT_V1 {

/// The reason why a block could not grow.
enum class out_of_space_reason : std::uint8_t {
  full,            ///< the block has its maximum size
  offset_range,    ///< the block has the maximum size that 32-bit offsets permit
  in_place,        ///< the bytes were opened in place, without an allocator
  outside_block,   ///< the container is in no block: it is a temporary, or a member of a temporary
  no_memory,       ///< the system has no memory
  different_block, ///< the containers of a swap are in different blocks
  file,            ///< the block is in a file that could not be extended
};

/// Thrown if a block cannot grow. The container is unchanged, unless the function documents another
/// result.
class out_of_space : public std::bad_alloc {
public:
  /// Creates the exception for a reason.
  explicit out_of_space(out_of_space_reason reason) noexcept : why_(reason) {}

  /// Returns the reason.
  [[nodiscard]] out_of_space_reason why() const noexcept { return why_; }
  [[nodiscard]] const char* what() const noexcept override {
    switch (why_) {
    case out_of_space_reason::full:
      return "ingot: the block is full: create it with a larger maximum size, or reserve() the bytes it will "
             "need";
    case out_of_space_reason::offset_range:
      return "ingot: the block has reached the 2 GiB of 32-bit offsets: use the containers of ingot::wide";
    case out_of_space_reason::in_place:
      return "ingot: bytes opened in place can't grow: open() them, which copies them to where they can";
    case out_of_space_reason::outside_block:
      return "ingot: a container outside a block has no memory to grow into: build it in place inside a live "
             "object, or assign "
             "from a std:: container";
    case out_of_space_reason::different_block:
      return "ingot: containers of different blocks can't exchange what they hold: assign one to the other";
    case out_of_space_reason::file:
      return "ingot: the file that the block is in could not be made longer: its handle's last_error() says "
             "why";
    case out_of_space_reason::no_memory: break;
    }
    return "ingot: the system has no memory for another block";
  }

private:
  out_of_space_reason why_;
};

namespace detail {

[[noreturn]] INGOT_COLD inline void throw_out_of_space(out_of_space_reason reason) {
#if INGOT_EXCEPTIONS
  throw out_of_space(reason);
#else
  std::fputs(out_of_space(reason).what(), stderr);
  std::fputs(" (without exceptions: use the try_ form)\n", stderr);
  std::abort();
#endif
}

} // namespace detail
}} // namespace ingot::INGOT_V1
