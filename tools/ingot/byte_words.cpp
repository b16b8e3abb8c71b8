// SPDX-License-Identifier: Apache-2.0
#include "byte_words.hpp"

#include "text.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace tool {

namespace {

using ingot::byte_number;
using ingot::byte_piece;
using ingot::byte_use;
using ingot::dynamic_kind;

[[nodiscard]] std::string sized(std::string_view letter, std::uint64_t bytes) {
  return std::string(letter) + std::to_string(8 * bytes);
}
[[nodiscard]] bool is_value(const byte_piece& piece) noexcept {
  return (piece.use == byte_use::value || piece.use == byte_use::key) && piece.is == byte_number::none;
}
[[nodiscard]] std::string_view as_text(ingot::bytes_view bytes) noexcept {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}
[[nodiscard]] std::string elements(const byte_piece& piece, std::uint64_t first, std::uint64_t count,
                                   std::string_view between, bool as_json) {
  std::string out;
  for (std::uint64_t i = first; i < first + count; ++i) {
    if (i != first) out += between;
    const auto at = static_cast<std::size_t>(i);
    const node each = piece.plain.exists() ? node(piece.plain[at]) : node(piece.typed[at]);
    out += as_json ? each.held_json(0) : each.scalar(64);
  }
  return out;
}

} // namespace

node node_of(const byte_piece& piece) {
  if (piece.plain.exists()) return node(piece.plain);
  return node(piece.typed);
}

std::string type_of(const ingot::dynamic_value& scalar) {
  const auto& of = ingot::detail::dyn::access::type_of(scalar);
  const bool is_signed = of.has(ingot::detail::dyn::is_signed);
  switch (scalar.kind()) {
  case dynamic_kind::boolean: return "bool";
  case dynamic_kind::integer: return sized(is_signed ? "i" : "u", of.size);
  case dynamic_kind::floating: return sized("f", of.size);
  case dynamic_kind::character: return of.size == 1 ? "char" : sized("char", of.size);
  case dynamic_kind::enumeration: return scalar.type_name().empty() ? "enum" : printable(scalar.type_name());
  case dynamic_kind::time_point: return "time";
  case dynamic_kind::bitset: return "bits";
  default: return std::string(to_string(scalar.kind()));
  }
}

bool is_text(const byte_piece& piece) {
  if (piece.is == byte_number::text) return true;
  if (!is_value(piece)) return false;
  if (piece.plain.exists())
    return piece.count == 0 &&
           (piece.plain.kind() == ingot::value_kind::text || piece.plain.kind() == ingot::value_kind::binary);
  if (piece.typed.kind() == dynamic_kind::text) return piece.typed.as<std::string_view>().has_value();
  return piece.count != 0 && piece.typed.as<ingot::bytes_view>().has_value() &&
         piece.typed[static_cast<std::size_t>(piece.first)].kind() == dynamic_kind::byte;
}

std::string type_of(const byte_piece& piece) {
  if (is_value(piece)) {
    if (piece.plain.exists()) return piece.count != 0 ? "integer" : node(piece.plain).type();
    if (piece.count != 0) return type_of(piece.typed[static_cast<std::size_t>(piece.first)]);
    if (piece.typed.exists()) return type_of(piece.typed);
  }
  switch (piece.is) {
  case byte_number::natural:
    return piece.length == 1 || piece.length == 2 || piece.length == 4 || piece.length == 8
               ? sized("u", piece.length)
               : "varint";
  case byte_number::place: return "offset";
  case byte_number::id: return "id";
  case byte_number::text: return "text";
  case byte_number::none: break;
  }
  return "-";
}

std::string elements_of(const byte_piece& piece, std::uint64_t first, std::uint64_t count) {
  return elements(piece, first, count, ", ", false);
}

std::string value_of(const byte_piece& piece, ingot::bytes_view bytes, std::uint64_t base,
                     std::size_t max_text) {
  if (is_value(piece)) {
    if (piece.count != 0) return elements_of(piece, piece.first, piece.count);
    const node value = node_of(piece);
    return value.exists() ? value.scalar(max_text) : std::string();
  }
  switch (piece.is) {
  case byte_number::natural: return std::to_string(piece.number);
  case byte_number::place: {
    std::string digits = hexadecimal(base + piece.number).substr(2);
    digits.erase(0, std::min<std::size_t>(digits.find_first_not_of('0'), digits.size() - 1));
    return "0x" + digits;
  }
  case byte_number::id: return hexadecimal(piece.number);
  case byte_number::text: return quote(beginning(as_text(bytes), max_text));
  case byte_number::none: break;
  }
  return {};
}

std::string json_value_of(const byte_piece& piece, ingot::bytes_view bytes, std::uint64_t base) {
  if (is_value(piece)) {
    if (piece.count != 0) return '[' + elements(piece, piece.first, piece.count, ",", true) + ']';
    const node value = node_of(piece);
    return value.form() == node_form::absent ? "" : value.held_json(0);
  }
  switch (piece.is) {
  case byte_number::natural: return std::to_string(piece.number);
  case byte_number::place: return std::to_string(base + piece.number);
  case byte_number::id: return '"' + hexadecimal(piece.number) + '"';
  case byte_number::text: return json_string(as_text(bytes));
  case byte_number::none: break;
  }
  return {};
}

std::string hex(ingot::bytes_view bytes, bool spaced) {
  constexpr std::string_view digits = "0123456789abcdef";
  std::string out;
  out.reserve(3 * bytes.size());
  for (const std::byte each : bytes) {
    if (spaced && !out.empty()) out += ' ';
    out += digits[std::to_integer<unsigned>(each) >> 4];
    out += digits[std::to_integer<unsigned>(each) & 15];
  }
  return out;
}

} // namespace tool
