// SPDX-License-Identifier: Apache-2.0
// What the bytes of each field take when they are compressed by themselves.
#pragma once

#include <ingot/file/compression.hpp>

#include "file_bytes.hpp"

#include <cstdint>
#include <string_view>
#include <vector>

namespace tool {

/// Bytes of each field of `byte_fields` after compression, by its number; of fields without bytes 0. The sum is not what the file has: there
/// fields lie among each other, or, by columns, beside each other in one block. O(bytes), and memory for as many; `name` is the file's, for
/// what is said if there is none.
[[nodiscard]] std::vector<std::uint64_t> compressed_by_field(byte_section& of, ingot::codec how,
                                                             std::string_view name);

} // namespace tool
