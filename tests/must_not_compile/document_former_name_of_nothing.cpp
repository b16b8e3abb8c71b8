// SPDX-License-Identifier: Apache-2.0
// expect: documents leave out a member that is nothing
#include <ingot/document/document.hpp>

#include <optional>

struct person {
  std::optional<int> age;
  int years = 0;
};

template <>
#ifdef MUST_COMPILE
inline constexpr auto ingot::annotations<person> =
    ingot::annotate(ingot::member<"age">(ingot::renamed_from("years"), ingot::default_value(0)));
#else
inline constexpr auto ingot::annotations<person> =
    ingot::annotate(ingot::member<"age">(ingot::renamed_from("years")));
#endif

ingot::result<person> read(const ingot::document& from) { return from.root().as_evolved<person>(); }
