// SPDX-License-Identifier: Apache-2.0
// What is only computed once something is wrong: where it is in lines and columns, and how it looks.
#pragma once

#include <ingot/core/error.hpp>

#include <cstddef>
#include <string>
#include <string_view>

namespace ingot { inline namespace INGOT_V1 { namespace json::detail {

/// The first thing in `text` that no JSON may have: invalid UTF-8, a control character inside a string, or a
/// string without end. O(n).
[[nodiscard]] error find_damage(std::string_view text);

/// The token at `offset` as a person would name it: `the string "ab"`, `an object`, `1.5`, `the end of the text`.
[[nodiscard]] std::string describe_token(std::string_view text, std::size_t offset);

/// Replaces comments by spaces, so that every offset keeps its meaning. The offset of a comment without end, or npos.
[[nodiscard]] std::size_t blank_comments(std::string& text) noexcept;

/// Replaces each comma by a space that stands between a value and a closing bracket. A comma that follows another comma,
/// a colon or an opening bracket stays: it is an error. The text has no comments. O(n).
void blank_trailing_commas(std::string& text) noexcept;

}}} // namespace ingot::INGOT_V1::json::detail
