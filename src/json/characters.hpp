// SPDX-License-Identifier: Apache-2.0
// White space, comments and lines between the tokens of a valid text.
#pragma once

#include <ingot/core/detail/config.hpp>

#include <algorithm>
#include <cstddef>
#include <string_view>

namespace ingot { inline namespace INGOT_V1 { namespace json::detail::editing {

inline constexpr std::size_t npos = std::string_view::npos;

struct extent {
  std::size_t begin = 0;
  std::size_t end = 0;
};

[[nodiscard]] inline bool is_blank(char c) noexcept { return c == ' ' || c == '\t'; }
[[nodiscard]] inline bool is_white(char c) noexcept { return is_blank(c) || c == '\n' || c == '\r'; }

/// Functions on the characters of a text that is known to be valid.
class characters {
public:
  explicit characters(std::string_view text) noexcept : text_(text) {}

  [[nodiscard]] char at(std::size_t i) const noexcept { return i < text_.size() ? text_[i] : '\0'; }
  [[nodiscard]] std::string_view piece(std::size_t begin, std::size_t end) const noexcept {
    return text_.substr(begin, end - begin);
  }
  [[nodiscard]] bool has_line_end(extent in) const noexcept {
    return piece(in.begin, in.end).find('\n') != npos;
  }

  [[nodiscard]] std::size_t line_begin(std::size_t i) const noexcept {
    return i == 0 ? 0 : text_.rfind('\n', i - 1) + 1; // npos + 1 is 0
  }
  [[nodiscard]] std::size_t skip_blanks(std::size_t i) const noexcept {
    while (is_blank(at(i))) ++i;
    return i;
  }
  /// Returns true if only blanks are before `i` in its line, and another line is before that line.
  [[nodiscard]] bool begins_line(std::size_t i) const noexcept {
    // Searches only blanks. A search of the whole line for each level of a path would be quadratic.
    while (i != 0 && is_blank(text_[i - 1])) --i;
    return i != 0 && text_[i - 1] == '\n';
  }
  /// Returns the blanks at the beginning of the line of `i`.
  [[nodiscard]] std::string_view indentation(std::size_t i) const noexcept {
    const std::size_t begin = line_begin(i);
    return piece(begin, std::min(i, skip_blanks(begin)));
  }
  /// Returns the position after the line end at `i`; `i` if no line ends there.
  [[nodiscard]] std::size_t skip_line_end(std::size_t i) const noexcept {
    if (at(i) == '\n') return i + 1;
    return at(i) == '\r' && at(i + 1) == '\n' ? i + 2 : i;
  }

  /// Returns the end of the comment at `i`; `i` if there is no comment. A `//` comment does not
  /// include the line end.
  [[nodiscard]] std::size_t skip_comment(std::size_t i) const noexcept {
    if (at(i) != '/') return i;
    if (at(i + 1) == '*') {
      const std::size_t end = text_.find("*/", i + 2);
      return end == npos ? text_.size() : end + 2;
    }
    std::size_t end = std::min(text_.find('\n', i), text_.size());
    if (at(end) == '\n' && text_[end - 1] == '\r') --end;
    return end;
  }
  /// Skips the comments after `i` that are in the line of `i`, and the blanks before each of them.
  /// Returns the end of the last comment; `i` if there are no comments. Sets `to_line_end` if the
  /// last comment goes to the end of the line.
  [[nodiscard]] std::size_t skip_comments_of_line(std::size_t i, bool& to_line_end) const noexcept {
    to_line_end = false;
    for (;;) {
      const std::size_t begin = skip_blanks(i);
      const std::size_t end = skip_comment(begin);
      if (end == begin || has_line_end({begin, end})) return i;
      i = end;
      if (at(begin + 1) == '/') {
        to_line_end = true;
        return i;
      }
    }
  }
  /// Returns the position of the next token.
  [[nodiscard]] std::size_t skip_space(std::size_t i) const noexcept {
    for (;;) {
      while (is_white(at(i))) ++i;
      const std::size_t end = skip_comment(i);
      if (end == i) return i;
      i = end;
    }
  }
  /// Returns the position of the comma after a part that ends at `i`; npos if there is no comma.
  [[nodiscard]] std::size_t comma_after(std::size_t i) const noexcept {
    const std::size_t next = skip_space(i);
    return at(next) == ',' ? next : npos;
  }
  /// Returns true if all of the extent is white space.
  [[nodiscard]] bool is_space(extent of) const noexcept {
    const std::string_view all = piece(of.begin, of.end);
    return std::all_of(all.begin(), all.end(), is_white);
  }

private:
  std::string_view text_;
};

}}} // namespace ingot::INGOT_V1::json::detail::editing
