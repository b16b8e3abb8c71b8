// SPDX-License-Identifier: Apache-2.0
// Options for reading and writing protobuf's bytes.
#pragma once

#include <ingot/core/progress.hpp>
#include <ingot/core/read_limits.hpp>

#include <cstddef>
#include <cstdint>

namespace ingot { inline namespace INGOT_V1 { namespace protobuf {

struct options {
  /// How deep messages may nest, including the outermost, for reading and for writing; unknown
  /// groups count, too. Protobuf's own readers accept 100. For a message of a C++ type, each level
  /// takes machine stack: some hundred bytes, and the type's largest local values.
  std::size_t max_depth = 100;
  /// For reading, as in `read_limits`.
  std::uint64_t max_memory = read_limits::by_input;
  std::uint32_t max_collisions = read_limits::default_collisions;
  /// Told of the bytes that are read or written; false stops it with `cancelled`. A list of scalars is one step, and so
  /// is the sorting of an unordered container. How many bytes are written is only known at the end.
  progress_ref progress{};
};

}}} // namespace ingot::INGOT_V1::protobuf
