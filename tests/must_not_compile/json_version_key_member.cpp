// SPDX-License-Identifier: Apache-2.0
// JSON has the version of the type under the key that the member would have.
// expect: a member has the name $version, which is the key of the type's version
#include <ingot/json/json.hpp>

#include <string>

struct record {
  int value = 0;
};

template <>
#ifdef MUST_COMPILE
inline constexpr auto ingot::annotations<record> =
    ingot::annotate(ingot::type(ingot::version(2)), ingot::member<"value">(ingot::rename("version")));
#else
inline constexpr auto ingot::annotations<record> =
    ingot::annotate(ingot::type(ingot::version(2)), ingot::member<"value">(ingot::rename("$version")));
#endif

ingot::result<std::string> write(const record& value) { return ingot::json::write(value); }
