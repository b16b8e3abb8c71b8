// SPDX-License-Identifier: Apache-2.0
// Protobuf messages, byte by byte, and schemas as stored in files.
#pragma once

#include <ingot/schema/description.hpp>

#include <cstddef>
#include <initializer_list>
#include <vector>

namespace protobuf_bytes {

inline std::vector<std::byte> bytes_of(std::initializer_list<int> all) {
  std::vector<std::byte> bytes;
  for (const int each : all) bytes.push_back(static_cast<std::byte>(each));
  return bytes;
}

/// Returns the type's schema after it was written and read, as in a file.
template <class T>
ingot::schema stored_schema() {
  return ingot::read_schema(ingot::schema_bytes<T>()).value();
}

} // namespace protobuf_bytes
