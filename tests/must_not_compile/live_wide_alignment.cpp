// SPDX-License-Identifier: Apache-2.0
// Blocks are aligned to 16 bytes, so no member can have a larger alignment.
// expect: wide_alignment
// expect: person
// expect: detail
#include <ingot/live/live.hpp>
#include <ingot/live/string.hpp>
#include <ingot/live/vector.hpp>

struct alignas(32) wide_number {
  int value;
};
struct person {
  ingot::string name;
#ifdef MUST_COMPILE
  int detail;
#else
  wide_number detail;
#endif
};

std::size_t size() { return ingot::live<person>()->name.size(); }
