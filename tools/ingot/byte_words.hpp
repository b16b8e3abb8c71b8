// SPDX-License-Identifier: Apache-2.0
// What bytes say, for people: the type and the value of a piece of a file.
#pragma once

#include <ingot/core/bytes.hpp>
#include <ingot/dynamic/byte_visitor.hpp>

#include "node.hpp"

#include <cstddef>
#include <cstdint>
#include <string>

namespace tool {

/// "u32", "f64", "text", "mood"; of what is no value "u8", "offset", "id". Printable.
[[nodiscard]] std::string type_of(const ingot::byte_piece& piece);
/// The type of a scalar: "i16".
[[nodiscard]] std::string type_of(const ingot::dynamic_value& scalar);

/// The value of a piece, or of the elements [`first`, `first` + `count`) of one that is several; empty for what means nothing. Of text at most so
/// many bytes. `base` is where the offsets of the walk begin. Printable.
[[nodiscard]] std::string value_of(const ingot::byte_piece& piece, ingot::bytes_view bytes,
                                   std::uint64_t base, std::size_t most_text);
[[nodiscard]] std::string elements_of(const ingot::byte_piece& piece, std::uint64_t first,
                                      std::uint64_t count);
/// The same as JSON: the value itself, a number, a place; nothing for what means nothing.
[[nodiscard]] std::string json_value_of(const ingot::byte_piece& piece, ingot::bytes_view bytes,
                                        std::uint64_t base);

/// Whether the piece is characters or bytes, of any number, not numbers.
[[nodiscard]] bool is_text(const ingot::byte_piece& piece);
/// The value that a piece is of.
[[nodiscard]] node node_of(const ingot::byte_piece& piece);

/// "00 ff 1b".
[[nodiscard]] std::string hex(ingot::bytes_view bytes, bool spaced);

} // namespace tool
