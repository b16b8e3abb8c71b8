// SPDX-License-Identifier: Apache-2.0
// expect: google.protobuf.Timestamp counts from 1970
#include <ingot/protobuf/write.hpp>

#include <chrono>

struct record {
#ifdef MUST_COMPILE
  std::chrono::system_clock::time_point at;
#else
  std::chrono::steady_clock::time_point at;
#endif
};

template <>
inline constexpr auto ingot::annotations<record> =
    ingot::annotate(ingot::member<"at">(ingot::proto_well_known));
auto bytes(const record& value) { return ingot::protobuf::write(value); }
