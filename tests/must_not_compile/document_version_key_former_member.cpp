// SPDX-License-Identifier: Apache-2.0
// The object of the previous type has a member where the version would be.
// expect: a member had the name $version, which is the key of the type's version
#include <ingot/document/document.hpp>

struct item_1 {
  int value = 0;
};
struct item {
  long long value = 0;
};

template <>
#ifdef MUST_COMPILE
inline constexpr auto ingot::annotations<item_1> = ingot::annotate(ingot::type(ingot::version(1)));
#else
inline constexpr auto ingot::annotations<item_1> =
    ingot::annotate(ingot::member<"value">(ingot::rename("$version")));
#endif
template <>
inline constexpr auto ingot::annotations<item> = ingot::annotate(ingot::type(ingot::version(2)));
template <>
struct ingot::previous<item> {
  using type = item_1;
  static item upgrade(const item_1& old) { return {old.value}; }
};

ingot::result<item> read(const ingot::document& document) { return document.root().as_evolved<item>(); }
