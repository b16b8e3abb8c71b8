// SPDX-License-Identifier: Apache-2.0
// Bytes of a file by field and use, as a table for people and as JSON for programs.
#pragma once

#include "byte_fields.hpp"
#include "cli_support.hpp"

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace tool {

/// Bytes summed by groups of uses.
struct shares {
  std::uint64_t stored = 0;
  std::uint64_t structure = 0;
  std::uint64_t padding = 0;
  std::uint64_t spare = 0;
  std::uint64_t holes = 0;

  void add(ingot::byte_use use, std::uint64_t bytes) noexcept {
    switch (use) {
    case ingot::byte_use::value:
    case ingot::byte_use::key: stored += bytes; return;
    case ingot::byte_use::padding: padding += bytes; return;
    case ingot::byte_use::spare: spare += bytes; return;
    case ingot::byte_use::hole: holes += bytes; return;
    default: structure += bytes; return;
    }
  }
  [[nodiscard]] static shares of(const byte_field& field) {
    shares sums;
    for (std::size_t use = 0; use < ingot::byte_uses; ++use)
      sums.add(static_cast<ingot::byte_use>(use), field.bytes[use]);
    return sums;
  }
};

/// Prints the `max_rows` largest fields, and the share of `size` bytes that each field has.
/// `compressed` has the compressed size of each field, or is empty.
void show_fields(output& to, const byte_fields& fields, std::uint64_t size, std::size_t max_rows,
                 const std::vector<std::uint64_t>& compressed = {});
/// Returns all fields with their uses as a JSON array.
[[nodiscard]] std::string fields_json(const byte_fields& fields,
                                      const std::vector<std::uint64_t>& compressed = {});

} // namespace tool
