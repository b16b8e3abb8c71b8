// SPDX-License-Identifier: Apache-2.0
// Options for reading and writing protobuf messages.
#pragma once

#include <ingot/core/progress.hpp>
#include <ingot/core/read_limits.hpp>

#include <cstddef>
#include <cstdint>

namespace ingot { inline namespace INGOT_V1 { namespace protobuf {

/// Options of all readers and writers of protobuf messages.
struct options {
  /// Maximum nesting depth of messages, including the outermost, for reading and for writing.
  /// Unknown groups count too. Protobuf's own readers accept 100. For a message of a C++ type, each
  /// level takes machine stack: a few hundred bytes, and the largest local values of the type.
  std::uint32_t max_depth = 100;
  /// Maximum memory of a reader, as in `read_limits`.
  std::uint64_t max_memory = read_limits::by_input;
  /// Maximum collisions of keys in a reader, as in `read_limits`.
  std::uint32_t max_collisions = read_limits::default_collisions;
  /// Progress callback for bytes that are read or written. If the callback returns false, the error
  /// is `cancelled`. The callback is not called inside a list of scalars. While a writer sorts an
  /// unordered container, the callback gets the same number of bytes again. The total of a writer
  /// is unknown until the end.
  progress_ref progress{};
};

}}} // namespace ingot::INGOT_V1::protobuf
