// SPDX-License-Identifier: Apache-2.0
// expect: an upgrade that is given the new object needs a class with a default constructor
#include <ingot/document/document.hpp>
#include <ingot/reflect/annotations.hpp>

struct meters {
  explicit meters(int n) : count(n) {}
  int count;
  constexpr auto reflect(auto&& f) { return f(count); }
};
struct path_before {
  int length;
};
struct path {
  meters length;
};
template <>
inline constexpr auto ingot::annotations<path_before> = ingot::annotate(ingot::type(ingot::version(1)));
template <>
inline constexpr auto ingot::annotations<path> = ingot::annotate(ingot::type(ingot::version(2)));
template <>
struct ingot::previous<path> {
  using type = path_before;
#ifdef MUST_COMPILE
  static path upgrade(path_before&& old) { return {meters(old.length)}; }
#else
  static void upgrade(const path_before& old, path& to) { to.length = meters(old.length); }
#endif
};

ingot::result<path> read(const ingot::document& doc) { return doc.root().as_evolved<path>(); }
