// SPDX-License-Identifier: Apache-2.0
// Details of errors: line and column, and the text of the token. They are computed only after an
// error.
#pragma once

#include <ingot/core/error.hpp>

#include <cstddef>
#include <string>
#include <string_view>

namespace ingot { inline namespace INGOT_V1 { namespace json::detail {

/// Finds the first invalid part of `text`: invalid UTF-8, a control character inside a string, or a
/// string without end. O(n).
[[nodiscard]] error find_damage(std::string_view text);

/// Describes the token at `offset` for error messages: `the string "ab"`, `an object`, `1.5`,
/// `the end of the text`.
[[nodiscard]] std::string describe_token(std::string_view text, std::size_t offset);

/// Returns the position of the first comment outside of strings, if it begins before `last` or in
/// the token at `last`; otherwise the size of the text. O(last).
[[nodiscard]] std::size_t find_comment(std::string_view text, std::size_t last) noexcept;

/// Replaces comments by spaces, so that all offsets stay valid. Returns the offset of a comment
/// without end; npos if there is none.
[[nodiscard]] std::size_t blank_comments(std::string& text) noexcept;

/// Replaces each comma between a value and a closing bracket by a space. A comma after another
/// comma, a colon or an opening bracket stays, because it is an error. The text must have no
/// comments. O(n).
void blank_trailing_commas(std::string& text) noexcept;

}}} // namespace ingot::INGOT_V1::json::detail
