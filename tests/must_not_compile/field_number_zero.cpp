// SPDX-License-Identifier: Apache-2.0
// Protobuf has no field 0.
// expect: field_number
// expect: a_field_number_is_from_1_to_536870911
#include <ingot/reflect/annotations.hpp>

#ifdef MUST_COMPILE
constexpr unsigned number = 1;
#else
constexpr unsigned number = 0;
#endif
constexpr auto annotation = ingot::field_number(number);
