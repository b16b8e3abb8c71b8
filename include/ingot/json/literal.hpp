// SPDX-License-Identifier: Apache-2.0
// JSON in a program: `doc["limits"] = R"({"low": 1, "high": [2, 3]})"_json`. The compiler checks
// the text. A text that is not JSON is a compile error.
#pragma once

#include <ingot/document/detail/events.hpp>

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace ingot { inline namespace INGOT_V1 {

namespace json {

namespace detail {

/// Checks the grammar of RFC 8259 in one pass. Stores each open bracket as a bit instead of using
/// recursion.
class literal_check {
public:
  consteval explicit literal_check(std::string_view text) : text_(text) {}

  /// Returns true if the text is one value that `json::read_document` accepts with default options,
  /// apart from repeated keys: this check allows them.
  [[nodiscard]] consteval bool good() {
    while (true) {
      space();
      const char c = peek();
      if (c == '[' || c == '{') {
        if (depth_ == max_nesting) return false;
        object_[depth_++] = c == '{';
        ++at_;
        space();
        if (peek() != closer()) {
          if (c == '{' && !key()) return false;
          continue;
        }
        ++at_;
        --depth_;
      } else if (!scalar(c)) {
        return false;
      }
      while (true) { // each iteration begins after the end of a value
        space();
        if (depth_ == 0) return at_ == text_.size();
        if (peek() == ',') {
          ++at_;
          space();
          if (object_[depth_ - 1] && !key()) return false;
          break;
        }
        if (peek() != closer()) return false;
        ++at_;
        --depth_;
      }
    }
  }

private:
  static constexpr std::size_t max_nesting = 128;

  [[nodiscard]] consteval char peek() const { return at_ < text_.size() ? text_[at_] : '\0'; }
  [[nodiscard]] consteval char closer() const { return object_[depth_ - 1] ? '}' : ']'; }
  consteval void space() {
    while (peek() == ' ' || peek() == '\n' || peek() == '\r' || peek() == '\t') ++at_;
  }
  consteval bool take(std::string_view word) {
    if (!text_.substr(at_).starts_with(word)) return false;
    at_ += word.size();
    return true;
  }
  consteval bool scalar(char c) {
    switch (c) {
    case '"': return string();
    case 't': return take("true");
    case 'f': return take("false");
    case 'n': return take("null");
    default: return number();
    }
  }
  consteval bool key() {
    if (peek() != '"' || !string()) return false;
    space();
    return take(":");
  }
  [[nodiscard]] consteval static bool is_digit(char c) { return c >= '0' && c <= '9'; }
  consteval std::size_t digits() {
    const std::size_t from = at_;
    while (is_digit(peek())) ++at_;
    return at_ - from;
  }
  consteval bool number() {
    const bool negative = take("-");
    const std::size_t from = at_;
    const bool zero = peek() == '0';
    std::int64_t whole = static_cast<std::int64_t>(digits());
    if (whole == 0 || (zero && whole > 1)) return false;
    const std::string_view integer = text_.substr(from, at_ - from);
    bool real = take(".");
    if (real && digits() == 0) return false;
    std::int64_t exponent = 0;
    if (take("e") || take("E")) {
      real = true;
      const bool minus = take("-");
      if (!minus) take("+");
      if (!is_digit(peek())) return false;
      for (; is_digit(peek()); ++at_) {
        if (exponent < 1'000'000) exponent = exponent * 10 + (peek() - '0');
      }
      if (minus) exponent = -exponent;
    }
    if (real) return whole + exponent <= 308; // true if the number is less than 10^308
    const std::string_view largest = negative ? "9223372036854775808" : "18446744073709551615";
    return integer.size() < largest.size() || (integer.size() == largest.size() && integer <= largest);
  }
  consteval bool string() {
    ++at_;
    while (at_ < text_.size()) {
      const auto c = static_cast<unsigned char>(text_[at_]);
      if (c == '"') return ++at_, true;
      if (c < 0x20) return false;
      if (c == '\\' ? !escape() : c < 0x80 ? (++at_, false) : !character(c)) return false;
    }
    return false;
  }
  consteval bool escape() {
    ++at_;
    const char c = peek();
    ++at_;
    if (c != 'u') return std::string_view("\"\\/bfnrt").find(c) != std::string_view::npos;
    const std::int32_t unit = hex();
    if (unit < 0 || (unit >= 0xDC00 && unit < 0xE000)) return false;
    if (unit < 0xD800 || unit >= 0xE000) return true;
    if (!take("\\u")) return false;
    const std::int32_t low = hex();
    return low >= 0xDC00 && low < 0xE000;
  }
  consteval std::int32_t hex() {
    std::int32_t unit = 0;
    for (int i = 0; i < 4; ++i, ++at_) {
      const char c = peek();
      const int digit = is_digit(c)            ? c - '0'
                        : c >= 'a' && c <= 'f' ? c - 'a' + 10
                        : c >= 'A' && c <= 'F' ? c - 'A' + 10
                                               : -1;
      if (digit < 0) return -1;
      unit = unit * 16 + digit;
    }
    return unit;
  }
  /// Checks a character of UTF-8 that is not ASCII.
  consteval bool character(unsigned char lead) {
    const std::size_t size = lead >= 0xF0 ? 4 : lead >= 0xE0 ? 3 : 2;
    if (lead < 0xC2 || lead > 0xF4 || text_.size() - at_ < size) return false;
    std::uint32_t code = lead & (0x7FU >> size);
    for (std::size_t i = 1; i < size; ++i) {
      const auto next = static_cast<unsigned char>(text_[at_ + i]);
      if ((next & 0xC0) != 0x80) return false;
      code = code << 6 | (next & 0x3FU);
    }
    at_ += size;
    return size == 2 || (size == 3 ? code >= 0x800 && (code < 0xD800 || code > 0xDFFF)
                                   : code >= 0x10000 && code <= 0x10FFFF);
  }

  std::string_view text_;
  std::size_t at_ = 0;
  std::size_t depth_ = 0;
  bool object_[max_nesting] = {};
};

/// Not constexpr, so that the compiler's error about an invalid literal names this function.
void this_literal_is_not_json();

} // namespace detail

/// A JSON text in the program's source. A literal can be assigned like a value of a document. If a
/// key is repeated, its last value counts.
class literal {
public:
  /// Checks the text at compile time.
  consteval literal(const char* text, std::size_t size) : text_(text, size) {
    if (!detail::literal_check(text_).good()) detail::this_literal_is_not_json();
  }
  /// Returns the text.
  [[nodiscard]] constexpr std::string_view text() const noexcept { return text_; }
  /// Returns the policy for repeated keys: the last value of the key counts.
  [[nodiscard]] static constexpr key_policy repeated_keys() noexcept { return key_policy::last_wins; }
  /// Passes the text's value to `to` as events.
  void write_events(document_events& to) const;

private:
  std::string_view text_;
};

} // namespace json

inline namespace literals {

/// Returns a literal of the text: `doc["a"] = R"({"b": [1, 2.5, null]})"_json`
[[nodiscard]] consteval json::literal operator""_json(const char* text, std::size_t size) {
  return {text, size};
}

} // namespace literals
}} // namespace ingot::INGOT_V1
