// SPDX-License-Identifier: Apache-2.0
// Text of a closed enum without enumerators could never be read.
// expect: unknown_enum
// expect: identity
#include <ingot/json/json.hpp>

enum class identity : int;
#ifdef MUST_COMPILE
template <>
inline constexpr auto ingot::annotations<identity> = ingot::annotate(ingot::type(ingot::open_enum));
#endif

std::size_t print(std::string& out, const identity& value) {
  return ingot::json::write_to(out, value).value_or(0);
}
