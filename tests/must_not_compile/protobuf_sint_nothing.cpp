// SPDX-License-Identifier: Apache-2.0
// expect: proto_sint is for signed integers
// expect: record
#include <ingot/protobuf/write.hpp>

#include <cstdint>
#include <vector>

struct record {
#ifdef MUST_COMPILE
  std::vector<std::int32_t> values;
#else
  std::vector<std::uint32_t> values;
#endif
};

template <>
inline constexpr auto ingot::annotations<record> =
    ingot::annotate(ingot::member<"values">(ingot::proto_sint));
auto bytes(const record& value) { return ingot::protobuf::write(value); }
