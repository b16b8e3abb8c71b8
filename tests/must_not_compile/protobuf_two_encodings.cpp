// SPDX-License-Identifier: Apache-2.0
// expect: a member is either proto_sint or proto_fixed
#include <ingot/protobuf/read.hpp>

#include <cstdint>

struct record {
  std::int32_t value;
};

template <>
inline constexpr auto ingot::annotations<record> =
#ifdef MUST_COMPILE
    ingot::annotate(ingot::member<"value">(ingot::proto_sint));
#else
    ingot::annotate(ingot::member<"value">(ingot::proto_sint, ingot::proto_fixed));
#endif
auto value(ingot::bytes_view bytes) { return ingot::protobuf::read<record>(bytes); }
