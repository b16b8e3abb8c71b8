// SPDX-License-Identifier: Apache-2.0
#include "text.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>
#include <vector>

namespace tool {

namespace {

constexpr std::string_view digits = "0123456789abcdef";

struct character {
  std::uint32_t code = 0;
  std::size_t size = 0; ///< 0 for a byte that does not begin a character
};

/// Returns the first character of non-empty text if it is well-formed UTF-8.
[[nodiscard]] character first_of(std::string_view text) noexcept {
  const auto byte = [&](std::size_t i) { return static_cast<std::uint8_t>(text[i]); };
  const std::uint8_t lead = byte(0);
  if (lead < 0x80) return {lead, 1};
  const std::size_t size = lead >= 0xF0 ? 4 : lead >= 0xE0 ? 3 : 2;
  if (lead < 0xC2 || lead > 0xF4 || text.size() < size) return {};
  std::uint32_t code = lead & (0xFFU >> (size + 1));
  for (std::size_t i = 1; i < size; ++i) {
    if ((byte(i) & 0xC0) != 0x80) return {};
    code = code << 6 | (byte(i) & 0x3FU);
  }
  constexpr std::array<std::uint32_t, 5> smallest{0, 0, 0x80, 0x800, 0x10000};
  if (code < smallest[size] || code > 0x10FFFF || (code >= 0xD800 && code < 0xE000)) return {};
  return {code, size};
}

/// Returns true if a terminal does not show the character, but changes its state, such as the
/// cursor or the writing direction.
[[nodiscard]] bool is_command(std::uint32_t code) noexcept {
  return code < 0x20 || (code >= 0x7F && code < 0xA0) || code == 0x61C ||
         (code >= 0x200B && code <= 0x200F) || (code >= 0x2028 && code <= 0x202E) ||
         (code >= 0x2060 && code <= 0x206F) || code == 0xFEFF || (code >= 0xFFF9 && code <= 0xFFFB) ||
         (code >= 0xE0000 && code < 0xE1000);
}

void append_hexadecimal(std::string& out, std::uint64_t number, unsigned width) {
  while (width-- != 0) out += digits[number >> 4 * width & 15];
}
void append_unit(std::string& out, std::uint32_t unit) {
  out += "\\u";
  append_hexadecimal(out, unit, 4);
}
/// Appends an escape. A character over 16 bits becomes a pair of surrogates, as in JSON.
void append_escape(std::string& out, std::uint32_t code) {
  if (code < 0x10000) return append_unit(out, code);
  append_unit(out, 0xD800 + ((code - 0x10000) >> 10));
  append_unit(out, 0xDC00 + (code & 0x3FF));
}

/// Removes `width` hexadecimal digits from the front of `left` and returns their value.
[[nodiscard]] std::optional<std::uint32_t> take_hexadecimal(std::string_view& left,
                                                            std::size_t width) noexcept {
  std::uint32_t number = 0;
  if (left.size() < width) return {};
  const auto [end, failed] = std::from_chars(left.data(), left.data() + width, number, 16);
  if (failed != std::errc{} || end != left.data() + width) return {};
  left.remove_prefix(width);
  return number;
}
/// Removes the digits after a `\u`. If the digits are half of a pair of surrogates, also removes
/// the escape of the second half.
[[nodiscard]] std::optional<std::uint32_t> take_unit_escape(std::string_view& left) noexcept {
  const auto unit = take_hexadecimal(left, 4);
  if (!unit || *unit < 0xD800 || *unit > 0xDFFF) return unit;
  if (*unit > 0xDBFF || !left.starts_with("\\u")) return {};
  left.remove_prefix(2);
  const auto low = take_hexadecimal(left, 4);
  if (!low || *low < 0xDC00 || *low > 0xDFFF) return {};
  return 0x10000 + ((*unit - 0xD800) << 10) + (*low - 0xDC00);
}
void append_utf8(std::string& out, std::uint32_t code) {
  const auto tail = [&](unsigned shift) { out += static_cast<char>(0x80 | (code >> shift & 0x3F)); };
  if (code < 0x80) {
    out += static_cast<char>(code);
  } else if (code < 0x800) {
    out += static_cast<char>(0xC0 | code >> 6);
    tail(0);
  } else if (code < 0x10000) {
    out += static_cast<char>(0xE0 | code >> 12);
    tail(6), tail(0);
  } else {
    out += static_cast<char>(0xF0 | code >> 18);
    tail(12), tail(6), tail(0);
  }
}

enum class marks : std::uint8_t { none, quotes, json };

void append(std::string& out, std::string_view text, marks which) {
  while (!text.empty()) {
    const character first = first_of(text);
    if (first.size == 0) {
      if (which == marks::json) {
        append_unit(out, 0xFFFD);
      } else {
        out += "\\x";
        append_hexadecimal(out, static_cast<std::uint8_t>(text.front()), 2);
      }
      text.remove_prefix(1);
      continue;
    }
    if (which != marks::none && (first.code == '"' || first.code == '\\'))
      (out += '\\') += static_cast<char>(first.code);
    else if (first.code == '\n') out += "\\n";
    else if (first.code == '\t') out += "\\t";
    else if (first.code == '\r') out += "\\r";
    else if (is_command(first.code)) append_escape(out, first.code);
    else out += text.substr(0, first.size);
    text.remove_prefix(first.size);
  }
}

/// Returns the edit distance: the number of letters that must be inserted, removed, replaced or
/// exchanged with the next letter to change `one` into `other`. O(product of the lengths).
[[nodiscard]] std::size_t distance(std::string_view one, std::string_view other) {
  const std::size_t width = other.size() + 1;
  std::vector<std::size_t> table((one.size() + 1) * width);
  for (std::size_t j = 0; j < width; ++j) table[j] = j;
  for (std::size_t i = 1; i <= one.size(); ++i) {
    std::size_t* const row = table.data() + i * width;
    row[0] = i;
    for (std::size_t j = 1; j < width; ++j) {
      const std::size_t* const above = row - width;
      const std::size_t replaced = above[j - 1] + (one[i - 1] == other[j - 1] ? 0 : 1);
      row[j] = std::min({above[j] + 1, row[j - 1] + 1, replaced});
      const bool are_exchanged = i > 1 && j > 1 && one[i - 1] == other[j - 2] && one[i - 2] == other[j - 1];
      if (are_exchanged) row[j] = std::min(row[j], (above - width)[j - 2] + 1);
    }
  }
  return table.back();
}

} // namespace

std::string printable(std::string_view text) {
  std::string out;
  append(out, text, marks::none);
  return out;
}

std::string quote(std::string_view text) {
  std::string out = "\"";
  append(out, text, marks::quotes);
  return out += '"';
}

std::optional<std::string> take_quoted(std::string_view& left) {
  std::string out;
  while (!left.empty() && left.front() != '"') {
    if (left.front() != '\\') {
      out += left.front();
      left.remove_prefix(1);
      continue;
    }
    if (left.size() < 2) return {};
    const char kind = left[1];
    left.remove_prefix(2);
    switch (kind) {
    case '"':
    case '\\': out += kind; break;
    case 'n': out += '\n'; break;
    case 't': out += '\t'; break;
    case 'r': out += '\r'; break;
    case 'x': {
      const auto byte = take_hexadecimal(left, 2);
      if (!byte) return {};
      out += static_cast<char>(static_cast<std::uint8_t>(*byte));
      break;
    }
    case 'u': {
      const auto code = take_unit_escape(left);
      if (!code) return {};
      append_utf8(out, *code);
      break;
    }
    default: return {};
    }
  }
  return out;
}

std::string json_string(std::string_view text) {
  std::string out = "\"";
  append(out, text, marks::json);
  return out += '"';
}

std::string printable_json(std::string_view json) {
  std::string out;
  out.reserve(json.size());
  while (!json.empty()) {
    // Bytes below 0x7F need no escape. Outside of strings, JSON has only line feeds and visible
    // ASCII. Inside of strings, control characters are escaped already.
    std::size_t plain = 0;
    while (plain < json.size() && static_cast<std::uint8_t>(json[plain]) < 0x7F) ++plain;
    out += json.substr(0, plain);
    json.remove_prefix(plain);
    if (json.empty()) break;
    const character first = first_of(json);
    if (first.size == 0) append_unit(out, 0xFFFD);
    else if (is_command(first.code)) append_escape(out, first.code);
    else out += json.substr(0, first.size);
    json.remove_prefix(first.size == 0 ? 1 : first.size);
  }
  return out;
}

std::string with_safe_integers(std::string_view json) {
  constexpr std::uint64_t largest = std::uint64_t{1} << 53;
  std::string out;
  out.reserve(json.size());
  const auto is_digit = [](char c) { return c >= '0' && c <= '9'; };
  for (std::size_t i = 0; i < json.size();) {
    const std::size_t begin = i;
    if (json[i] == '"') {
      for (++i; json[i] != '"'; ++i) i += json[i] == '\\' ? 1 : 0;
      ++i;
    } else if (json[i] == '-' || is_digit(json[i])) {
      i = std::min(json.find_first_not_of("+-.0123456789eE", i), json.size());
    } else {
      ++i;
    }
    const std::string_view token = json.substr(begin, i - begin);
    const std::string_view magnitude = token.substr(token.front() == '-' ? 1 : 0);
    std::uint64_t number = 0;
    const auto [end, failed] = std::from_chars(magnitude.data(), magnitude.data() + magnitude.size(), number);
    const bool is_integer = !magnitude.empty() && end == magnitude.data() + magnitude.size();
    if (is_integer && (failed != std::errc{} || number > largest))
      out.append(1, '"').append(token).append(1, '"');
    else out += token;
  }
  return out;
}

std::string_view beginning(std::string_view text, std::size_t max_size) noexcept {
  if (text.size() <= max_size) return text;
  std::size_t end = max_size;
  while (end != 0 && max_size - end < 4 && (static_cast<std::uint8_t>(text[end]) & 0xC0) == 0x80) --end;
  return text.substr(0, end);
}

std::string grouped(std::uint64_t number) {
  std::string out = std::to_string(number);
  for (std::size_t at = out.size(); at > 3;) out.insert(at -= 3, 1, ',');
  return out;
}

std::string counted(std::uint64_t number, std::string_view one) {
  std::string out = grouped(number);
  (out += ' ') += one;
  if (number != 1) out += one.ends_with('y') ? (out.pop_back(), "ies") : "s";
  return out;
}

std::string hexadecimal(std::uint64_t number) {
  std::string out = "0x";
  append_hexadecimal(out, number, 16);
  return out;
}

std::string nearest(std::string_view word, const std::vector<std::string>& among) {
  // longer words are not mistyped names, and the search is slow for long words
  constexpr std::size_t longest = 32;
  if (word.size() > longest) return {};
  std::size_t smallest = longest;
  const std::string* found = nullptr;
  for (const std::string& each : among) {
    const std::size_t max_distance = each.size() > 4 ? 2 : each.size() > 2 ? 1 : 0;
    if (each.size() > word.size() + max_distance || word.size() > each.size() + max_distance) continue;
    const std::size_t here = distance(word, each);
    if (here > max_distance || here >= smallest) continue;
    smallest = here;
    found = &each;
  }
  return found == nullptr ? std::string() : *found;
}

} // namespace tool
