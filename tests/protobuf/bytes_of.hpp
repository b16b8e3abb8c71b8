// SPDX-License-Identifier: Apache-2.0
// Messages of protobuf's, byte by byte.
#pragma once

#include <cstddef>
#include <initializer_list>
#include <vector>

namespace protobuf_bytes {

inline std::vector<std::byte> bytes_of(std::initializer_list<int> all) {
  std::vector<std::byte> made;
  for (const int each : all) made.push_back(static_cast<std::byte>(each));
  return made;
}

} // namespace protobuf_bytes
