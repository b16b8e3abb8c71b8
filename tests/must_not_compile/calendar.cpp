// SPDX-License-Identifier: Apache-2.0
// ingot can't list the members of calendar types.
// expect: calendar
// expect: person
// expect: value
#include <ingot/reflect/storable.hpp>

#include <chrono>

#ifdef MUST_COMPILE
struct person {
  int age;
  std::chrono::sys_days value;
};
#else
struct person {
  int age;
  std::chrono::year_month_day value;
};
#endif
static_assert(ingot::detail::require_storable<person>());
