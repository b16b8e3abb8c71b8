// SPDX-License-Identifier: Apache-2.0
// All bytes of a block are sent, so no member can be left out.
// expect: skipped_member
// expect: person
// expect: cache
#include <ingot/live/live.hpp>
#include <ingot/live/string.hpp>

struct person {
  ingot::string name;
  int cache;
};
#ifndef MUST_COMPILE
template <>
inline constexpr auto ingot::annotations<person> = ingot::annotate(ingot::member<"cache">(ingot::skip));
#endif

std::size_t size() { return ingot::live<person>()->name.size(); }
