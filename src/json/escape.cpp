// SPDX-License-Identifier: Apache-2.0
// Escapes and UTF-8. This code is not optimised for speed, because plain text does not use it.
#include "escape.hpp"

namespace ingot { inline namespace INGOT_V1 { namespace json::detail {

namespace {

[[nodiscard]] int hex_value(char c) noexcept {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return -1;
}

/// Returns the value of the four digits of a \u escape, or -1.
[[nodiscard]] std::int32_t four_hex(std::string_view raw, std::size_t at) noexcept {
  if (raw.size() - at < 4) return -1;
  std::int32_t value = 0;
  for (std::size_t i = 0; i < 4; ++i) {
    const int digit = hex_value(raw[at + i]);
    if (digit < 0) return -1;
    value = value * 16 + digit;
  }
  return value;
}

[[nodiscard]] char plain_escape(char c) noexcept {
  switch (c) {
  case '"':
  case '\\':
  case '/': return c;
  case 'b': return '\b';
  case 'f': return '\f';
  case 'n': return '\n';
  case 'r': return '\r';
  case 't': return '\t';
  default: return '\0';
  }
}

[[nodiscard]] bool continues(std::string_view text, std::size_t at, unsigned char low = 0x80,
                             unsigned char high = 0xBF) noexcept {
  if (at >= text.size()) return false;
  const auto byte = static_cast<unsigned char>(text[at]);
  return byte >= low && byte <= high;
}

/// Returns the size in bytes of the well-formed sequence at `at`. Returns 0 if the sequence is
/// ill-formed. Sets `valid` to the number of bytes at `at` that can begin a well-formed sequence.
[[nodiscard]] std::size_t sequence_size(std::string_view text, std::size_t at, std::size_t& valid) noexcept {
  const auto lead = static_cast<unsigned char>(text[at]);
  valid = 1;
  if (lead < 0x80) return 1;
  if (lead < 0xC2 || lead > 0xF4) return 0;
  const std::size_t size = lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : 4;
  // The second byte excludes overlong forms, surrogates and values above U+10FFFF.
  const unsigned char low = lead == 0xE0 ? 0xA0 : lead == 0xF0 ? 0x90 : 0x80;
  const unsigned char high = lead == 0xED ? 0x9F : lead == 0xF4 ? 0x8F : 0xBF;
  if (!continues(text, at + 1, low, high)) return 0;
  for (valid = 2; valid < size; ++valid) {
    if (!continues(text, at + valid)) return 0;
  }
  return size;
}

} // namespace

void append_utf8(std::string& out, std::uint32_t code) {
  const auto put = [&out](std::uint32_t byte) { out.push_back(static_cast<char>(byte)); };
  if (code < 0x80) {
    put(code);
  } else if (code < 0x800) {
    put(0xC0 | code >> 6);
    put(0x80 | (code & 0x3F));
  } else if (code < 0x10000) {
    put(0xE0 | code >> 12);
    put(0x80 | (code >> 6 & 0x3F));
    put(0x80 | (code & 0x3F));
  } else {
    put(0xF0 | code >> 18);
    put(0x80 | (code >> 12 & 0x3F));
    put(0x80 | (code >> 6 & 0x3F));
    put(0x80 | (code & 0x3F));
  }
}

const char* unescape(std::string_view raw, std::string* out) {
  std::size_t at = 0;
  while (true) {
    const std::size_t slash = raw.find('\\', at);
    if (out != nullptr) out->append(raw.substr(at, slash - at));
    if (slash == std::string_view::npos) return nullptr;
    const char* const bad = raw.data() + slash;
    if (slash + 1 == raw.size()) return bad;
    at = slash + 2;
    if (raw[slash + 1] != 'u') {
      const char plain = plain_escape(raw[slash + 1]);
      if (plain == '\0') return bad;
      if (out != nullptr) out->push_back(plain);
      continue;
    }
    std::int32_t code = four_hex(raw, at);
    if (code < 0) return bad;
    at += 4;
    if (code >= 0xD800 && code < 0xE000) {
      const bool pair = code < 0xDC00 && raw.size() - at >= 6 && raw[at] == '\\' && raw[at + 1] == 'u';
      const std::int32_t low = pair ? four_hex(raw, at + 2) : -1;
      if (low < 0xDC00 || low >= 0xE000) return bad;
      at += 6;
      code = 0x10000 + ((code - 0xD800) << 10) + (low - 0xDC00);
    }
    if (out != nullptr) append_utf8(*out, static_cast<std::uint32_t>(code));
  }
}

std::size_t utf8_prefix(std::string_view text) noexcept {
  std::size_t at = 0;
  std::size_t valid = 0;
  while (at < text.size()) {
    const std::size_t size = sequence_size(text, at, valid);
    if (size == 0) break;
    at += size;
  }
  return at;
}

std::size_t ill_formed_size(std::string_view text, std::size_t at) noexcept {
  std::size_t valid = 0;
  (void)sequence_size(text, at, valid);
  return valid;
}

}}} // namespace ingot::INGOT_V1::json::detail
