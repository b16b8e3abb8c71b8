// SPDX-License-Identifier: Apache-2.0
// Describes errors for people. Also replaces comments and trailing commas by spaces, if the options
// allow them.
#include "diagnosis.hpp"

#include "escape.hpp"

#include <algorithm>

namespace ingot { inline namespace INGOT_V1 { namespace json::detail {

namespace {

/// Returns the position after the closing quote of the string that opens at `at`, or the size of
/// the text.
[[nodiscard]] std::size_t end_of_string(std::string_view text, std::size_t at) noexcept {
  for (++at; at < text.size(); ++at) {
    if (text[at] == '\\') {
      ++at;
    } else if (text[at] == '"') {
      return at + 1;
    }
  }
  return text.size();
}

[[nodiscard]] bool ends_token(char c) noexcept {
  return c == ',' || c == ':' || c == '[' || c == ']' || c == '{' || c == '}' || c == '"' || c == ' ' ||
         c == '\n' || c == '\r' || c == '\t';
}

/// Shortens a text to at most `size` bytes, at a character boundary.
[[nodiscard]] std::string shorten(std::string_view text, std::size_t size) {
  if (text.size() <= size) return std::string{text};
  while (size > 0 && (static_cast<unsigned char>(text[size]) & 0xC0) == 0x80) --size;
  return std::string{text.substr(0, size)} + "...";
}

} // namespace

error find_damage(std::string_view text) {
  const std::size_t well_formed = utf8_prefix(text);
  std::size_t open = std::string_view::npos;
  for (std::size_t i = 0; i < well_formed; ++i) {
    if (open == std::string_view::npos) {
      if (text[i] == '"') open = i;
    } else if (text[i] == '"') {
      open = std::string_view::npos;
    } else if (text[i] == '\\') {
      ++i;
      if (i < well_formed && static_cast<unsigned char>(text[i]) < 0x20) --i;
    } else if (static_cast<unsigned char>(text[i]) < 0x20) {
      const auto code = static_cast<unsigned char>(text[i]);
      constexpr std::string_view hex = "0123456789abcdef";
      const std::string spelled =
          std::string{"the control character \\u00"} + hex[code >> 4] + hex[code & 15];
      return error{errc::syntax, i}
          .with_expected("an escape for a control character in a string")
          .with_found(spelled);
    }
  }
  if (well_formed < text.size()) {
    const auto byte = static_cast<unsigned char>(text[well_formed]);
    constexpr std::string_view hex = "0123456789abcdef";
    const std::string spelled = std::string{"the byte 0x"} + hex[byte >> 4] + hex[byte & 15];
    return error{errc::invalid_utf8, well_formed}.with_expected("UTF-8").with_found(spelled);
  }
  if (open != std::string_view::npos) {
    return error{errc::truncated, open}.with_expected("a closing quote").with_found("the end of the text");
  }
  return error{errc::syntax, 0};
}

std::string describe_token(std::string_view text, std::size_t offset) {
  if (offset >= text.size()) return "the end of the text";
  switch (text[offset]) {
  case '{': return "an object";
  case '[': return "an array";
  case ',':
  case ':':
  case ']':
  case '}': return std::string{"'"} + text[offset] + "'";
  case '"': return "the string " + shorten(text.substr(offset, end_of_string(text, offset) - offset), 40);
  default: break;
  }
  std::size_t end = offset + 1;
  while (end < text.size() && !ends_token(text[end])) ++end;
  return shorten(text.substr(offset, end - offset), 40);
}

std::size_t find_comment(std::string_view text, std::size_t last) noexcept {
  bool in_string = false;
  for (std::size_t i = 0; i + 1 < text.size(); ++i) {
    const char c = text[i];
    if (in_string) {
      if (c == '\\') ++i;
      else if (c == '"') in_string = false;
      continue;
    }
    if (c == '/' && (text[i + 1] == '/' || text[i + 1] == '*')) return i;
    if (i >= last && ends_token(c)) break;
    if (c == '"') in_string = true;
  }
  return text.size();
}

std::size_t blank_comments(std::string& text) noexcept {
  std::size_t at = 0;
  while (at < text.size()) {
    if (text[at] == '"') {
      at = end_of_string(text, at);
      continue;
    }
    if (text[at] != '/' || at + 1 >= text.size() || (text[at + 1] != '/' && text[at + 1] != '*')) {
      ++at;
      continue;
    }
    const bool to_line_end = text[at + 1] == '/';
    std::size_t end = text.find(to_line_end ? "\n" : "*/", at + 2);
    if (end == std::string::npos) {
      if (!to_line_end) return at;
      end = text.size();
    } else if (!to_line_end) {
      end += 2;
    }
    for (; at < end; ++at) {
      if (text[at] != '\n') text[at] = ' ';
    }
  }
  return std::string::npos;
}

void blank_trailing_commas(std::string& text) noexcept {
  constexpr std::size_t none = std::string::npos;
  std::size_t comma = none; // a comma after a value, if only spaces have followed this comma
  bool value = false;       // true if the last token ends a value
  for (std::size_t at = 0; at < text.size();) {
    const char c = text[at];
    if (c == ' ' || c == '\n' || c == '\r' || c == '\t') {
      ++at;
      continue;
    }
    const bool closes = c == ']' || c == '}';
    if (closes && comma != none) text[comma] = ' ';
    comma = c == ',' && value ? at : none;
    value = c != ',' && c != ':' && c != '[' && c != '{';
    at = c == '"' ? end_of_string(text, at) : at + 1;
  }
}

}}} // namespace ingot::INGOT_V1::json::detail
