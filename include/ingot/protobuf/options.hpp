// SPDX-License-Identifier: Apache-2.0
// Options for reading and writing protobuf's bytes.
#pragma once

#include <cstddef>

namespace ingot::inline v1::protobuf {

struct options {
  /// How deep messages may nest, including the outermost, for reading and for writing. Protobuf's own readers accept
  /// 100. For a message of a C++ type, each level takes machine stack: some hundred bytes, and the type's largest
  /// local values.
  std::size_t max_depth = 100;
};

} // namespace ingot::inline v1::protobuf
