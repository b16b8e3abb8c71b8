// SPDX-License-Identifier: Apache-2.0
// Text from files on its way to a terminal. Nothing in it may be a command there: what moves the cursor, names the window, paints, or
// turns the direction of writing is spelled out.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace tool {

/// As it stands if every character of it can be shown; control characters, marks of direction and bytes that are no UTF-8 as `\n`, `\u202e` and `\xff`.
[[nodiscard]] std::string printable(std::string_view text);

/// The same in quotation marks, with those inside and backslashes marked.
[[nodiscard]] std::string quote(std::string_view text);

/// Takes what `quote` made of a text off the front of `left`, up to the closing quotation mark, and
/// returns the text. The opening mark is not part of `left`; the closing one stays. Nothing if
/// there is an escape that `quote` doesn't make.
[[nodiscard]] std::optional<std::string> take_quoted(std::string_view& left);

/// JSON text in which no character is a command to a terminal: those that JSON lets stand in strings are spelled `\u009b`. The value is the same.
[[nodiscard]] std::string printable_json(std::string_view json);

/// A JSON string.
[[nodiscard]] std::string json_string(std::string_view text);

/// The longest beginning of at most so many bytes that ends between two characters.
[[nodiscard]] std::string_view beginning(std::string_view text, std::size_t most) noexcept;

/// "1,234,567".
[[nodiscard]] std::string grouped(std::uint64_t number);
/// "1 byte", "2,345 bytes".
[[nodiscard]] std::string counted(std::uint64_t number, std::string_view one);
/// "0x00c0ffee00c0ffee".
[[nodiscard]] std::string hexadecimal(std::uint64_t number);

} // namespace tool
