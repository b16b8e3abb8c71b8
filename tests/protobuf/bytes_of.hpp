// SPDX-License-Identifier: Apache-2.0
// Messages of protobuf's, byte by byte, and schemas as files have them.
#pragma once

#include <ingot/schema/description.hpp>

#include <cstddef>
#include <initializer_list>
#include <vector>

namespace protobuf_bytes {

inline std::vector<std::byte> bytes_of(std::initializer_list<int> all) {
  std::vector<std::byte> made;
  for (const int each : all) made.push_back(static_cast<std::byte>(each));
  return made;
}

/// The type's schema after it was written and read, as by a file.
template <class T>
ingot::schema stored_schema() {
  return ingot::read_schema(ingot::schema_bytes<T>()).value();
}

} // namespace protobuf_bytes
