// SPDX-License-Identifier: Apache-2.0
// Prepares text from files for output to a terminal. The text must not control the terminal:
// characters that move the cursor, set the window's title or colours, or change the writing
// direction are escaped.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace tool {

/// Returns the text in printable form: control characters, direction marks and bytes that are not
/// UTF-8 become escapes such as `\n`, `\u202e` and `\xff`.
[[nodiscard]] std::string printable(std::string_view text);

/// As `printable`, in quotation marks. Quotation marks and backslashes in the text are escaped.
[[nodiscard]] std::string quote(std::string_view text);

/// Reverses `quote`. `left` begins after the opening quotation mark. Removes the text up to the
/// closing quotation mark, and returns the original text. The closing quotation mark stays in
/// `left`. Returns nothing for an escape that `quote` doesn't write.
[[nodiscard]] std::optional<std::string> take_quoted(std::string_view& left);

/// Returns JSON text of the same value without characters that control a terminal. JSON allows some
/// of these characters in strings; here such characters are escaped, for example as `\u009b`. Bytes
/// that are not UTF-8 become U+FFFD.
[[nodiscard]] std::string printable_json(std::string_view json);

/// Returns JSON text in which integers beyond 2^53 are strings, because many readers of JSON keep
/// only 53 bits. For programs that read the output of `--json`.
[[nodiscard]] std::string with_safe_integers(std::string_view json);

/// Returns a JSON string.
[[nodiscard]] std::string json_string(std::string_view text);

/// Returns the longest prefix of at most `max_size` bytes that ends between two characters.
[[nodiscard]] std::string_view beginning(std::string_view text, std::size_t max_size) noexcept;

/// Returns a number with commas: "1,234,567".
[[nodiscard]] std::string grouped(std::uint64_t number);
/// Returns a number with a noun: "1 byte", "2,345 bytes".
[[nodiscard]] std::string counted(std::uint64_t number, std::string_view one);
/// Returns 16 hexadecimal digits: "0x00c0ffee00c0ffee".
[[nodiscard]] std::string hexadecimal(std::uint64_t number);

/// Returns the word of `among` that is most similar to `word`: few letters must be inserted,
/// removed or replaced to change one into the other. Returns empty text if no word is similar
/// enough.
[[nodiscard]] std::string nearest(std::string_view word, const std::vector<std::string>& among);

} // namespace tool
