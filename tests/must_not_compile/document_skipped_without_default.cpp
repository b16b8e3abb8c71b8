// SPDX-License-Identifier: Apache-2.0
// expect: a skipped member needs a default constructor
#include <ingot/document/document.hpp>
#include <ingot/reflect/annotations.hpp>

struct meters {
  explicit meters(int n) : count(n) {}
  int count;
  constexpr auto reflect(auto&& f) { return f(count); }
};
struct path {
  meters length;
#ifdef MUST_COMPILE
  int measured;
#else
  meters measured;
#endif
};
template <>
inline constexpr auto ingot::annotations<path> = ingot::annotate(ingot::member<"measured">(ingot::skip));

ingot::result<path> read(const ingot::document& doc) { return doc.root().as<path>(); }
