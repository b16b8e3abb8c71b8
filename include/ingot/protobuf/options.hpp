// SPDX-License-Identifier: Apache-2.0
// What callers may decide about protobuf's bytes.
#pragma once

#include <cstddef>

namespace ingot::inline v1::protobuf {

struct options {
  /// Messages in each other, the outermost included, for reading and for writing. Protobuf's own readers take 100. Each level of a message of
  /// a C++ type takes machine stack, some hundred bytes and the type's largest local values.
  std::size_t max_depth = 100;
};

} // namespace ingot::inline v1::protobuf
