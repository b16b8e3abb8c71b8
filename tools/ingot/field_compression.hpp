// SPDX-License-Identifier: Apache-2.0
// Compressed size of each field.
#pragma once

#include <ingot/file/compression.hpp>

#include "file_bytes.hpp"

#include <cstdint>
#include <string_view>
#include <vector>

namespace tool {

/// Compresses the bytes of each field of `byte_fields` separately. Returns the compressed sizes in
/// bytes, in the order of the field numbers; 0 for fields without bytes. The sum of the sizes
/// differs from the size of a compressed file, because a file compresses the bytes of different
/// fields together. O(bytes) time and memory. `name` is the file's name for error messages.
[[nodiscard]] std::vector<std::uint64_t> compressed_by_field(byte_section& of, ingot::codec how,
                                                             std::string_view name);

} // namespace tool
