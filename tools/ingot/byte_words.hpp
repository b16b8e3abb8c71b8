// SPDX-License-Identifier: Apache-2.0
// Text for people about bytes: the type and the value of a piece. A piece is a range of bytes of a
// file with one meaning.
#pragma once

#include <ingot/core/bytes.hpp>
#include <ingot/dynamic/byte_visitor.hpp>

#include "node.hpp"

#include <cstddef>
#include <cstdint>
#include <string>

namespace tool {

/// Returns the type of a piece, printable: "u32", "f64", "text", "mood". For bytes that are not a
/// value, returns "u8", "offset" or "id".
[[nodiscard]] std::string type_of(const ingot::byte_piece& piece);
/// Returns the type of a scalar: "i16".
[[nodiscard]] std::string type_of(const ingot::dynamic_value& scalar);

/// Returns the value of a piece, printable. Returns empty text if the bytes have no meaning. Text
/// is cut after `max_text` bytes. Positions that offsets refer to count from `base`. `elements_of`
/// returns the elements [`first`, `first` + `count`) of a piece with several elements.
[[nodiscard]] std::string value_of(const ingot::byte_piece& piece, ingot::bytes_view bytes,
                                   std::uint64_t base, std::size_t max_text);
[[nodiscard]] std::string elements_of(const ingot::byte_piece& piece, std::uint64_t first,
                                      std::uint64_t count);
/// Returns the value of a piece as JSON: the value itself, a number or a position. Returns empty
/// text if the bytes have no meaning.
[[nodiscard]] std::string json_value_of(const ingot::byte_piece& piece, ingot::bytes_view bytes,
                                        std::uint64_t base);

/// Returns true if the piece is text or bytes of any length, not numbers.
[[nodiscard]] bool is_text(const ingot::byte_piece& piece);
/// Returns the value that the piece belongs to.
[[nodiscard]] node node_of(const ingot::byte_piece& piece);

/// Returns hexadecimal digits: "00 ff 1b", or "00ff1b" if `spaced` is false.
[[nodiscard]] std::string hex(ingot::bytes_view bytes, bool spaced);

} // namespace tool
