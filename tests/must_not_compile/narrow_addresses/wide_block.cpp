// SPDX-License-Identifier: Apache-2.0
// A block of wide offsets where addresses have 32 bits. This is the first error, before the
// errors for numbers that do not fit.
// expect: ingot: a block of wide offsets needs 64 bits of address
#include <ingot/live/live.hpp>
#include <ingot/live/string.hpp>

struct person {
#ifdef MUST_COMPILE
  ingot::string name;
#else
  ingot::wide::string name;
#endif
};

#ifdef MUST_COMPILE
std::size_t size(const ingot::live<person>& who) { return who.size(); }
#else
std::size_t size(const ingot::wide::live<person>& who) { return who.size(); }
#endif
