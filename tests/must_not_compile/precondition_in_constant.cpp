// SPDX-License-Identifier: Apache-2.0
// A violated precondition in a constant expression is a compile error.
// expect: constexpr
// expect: broken_index
#include <ingot/core/fixed_buffer.hpp>

consteval std::byte first_of() {
  ingot::fixed_buffer<4> bytes;
#ifdef MUST_COMPILE
  bytes.commit(1);
#endif
  return bytes[0];
}
constexpr std::byte first = first_of();
