// SPDX-License-Identifier: Apache-2.0
// expect: a member has the name $version, which is the key of the type's version
#include <ingot/schema/schema_id.hpp>

#include <cstdint>

struct record {
  int value = 0;
};

template <>
#ifdef MUST_COMPILE
inline constexpr auto ingot::annotations<record> =
    ingot::annotate(ingot::type(ingot::version(2)), ingot::member<"value">(ingot::rename("version of it")));
#else
inline constexpr auto ingot::annotations<record> =
    ingot::annotate(ingot::type(ingot::version(2)), ingot::member<"value">(ingot::rename("$version")));
#endif

std::uint64_t id() { return ingot::schema_id<record>; }
