// SPDX-License-Identifier: Apache-2.0
// A container that is copied out of its block would have an invalid offset.
// expect: deleted
// expect: ingot: assign it, copy to a std:: one,
#include <ingot/live/live.hpp>
#include <ingot/live/string.hpp>

#include <string>

struct person {
  ingot::string name;
};

std::size_t size(const ingot::live<person>& who) {
#ifdef MUST_COMPILE
  const std::string name(who->name.view());
#else
  const ingot::string name(who->name);
#endif
  return name.size();
}
