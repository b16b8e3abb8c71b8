// SPDX-License-Identifier: Apache-2.0
// Readers compare the version with the type's version, so it must be in the bytes.
// expect: the version that a type expects has to be stored, not skipped
#include <ingot/pack/unpack.hpp>

struct record {
  unsigned version;
  unsigned value;
};
#ifdef MUST_COMPILE
template <>
inline constexpr auto ingot::annotations<record> = ingot::annotate(ingot::type(ingot::version(2)));
#else
template <>
inline constexpr auto ingot::annotations<record> =
    ingot::annotate(ingot::type(ingot::version(2)), ingot::member<"version">(ingot::skip));
#endif

ingot::result<record> read(ingot::bytes_view bytes) { return ingot::unpack<record>(bytes); }
