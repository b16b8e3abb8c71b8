// SPDX-License-Identifier: Apache-2.0
// expect: proto_well_known is for times, durations, documents, optional scalars and protobuf::any
// expect: record
#include <ingot/protobuf/write.hpp>

#include <cstdint>
#include <optional>

struct record {
#ifdef MUST_COMPILE
  std::optional<std::int32_t> value;
#else
  std::int32_t value;
#endif
};

template <>
inline constexpr auto ingot::annotations<record> =
    ingot::annotate(ingot::member<"value">(ingot::proto_well_known));
auto bytes(const record& value) { return ingot::protobuf::write(value); }
