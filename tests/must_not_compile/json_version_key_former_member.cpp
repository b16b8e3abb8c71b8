// SPDX-License-Identifier: Apache-2.0
// In text, the former name of the member would be read as the version.
// expect: a member had the name $version, which is the key of the type's version
#include <ingot/json/json.hpp>

#include <string_view>

struct record {
  int value = 0;
};

#ifdef MUST_COMPILE
#define INGOT_CASE "version"
#else
#define INGOT_CASE "$version"
#endif
template <>
inline constexpr auto ingot::annotations<record> =
    ingot::annotate(ingot::type(ingot::version(2)), ingot::member<"value">(ingot::renamed_from(INGOT_CASE)));

ingot::result<record> read(std::string_view text) { return ingot::json::read<record>(text); }
