// SPDX-License-Identifier: Apache-2.0
// Edits JSON text: sets or erases one value and keeps all other bytes, including the order of
// members, white space and comments.
//
// A path is a JSON Pointer (RFC 6901), as in `value_ref::set_at`. For example, `/servers/0/port`
// has the three steps `servers`, `0` and `port`. Each function validates the whole text as
// `json::read` does, in one pass and without a document. So an edited text is valid, and the edited
// value is the value that readers find at the path.
#pragma once

#include <ingot/core/error.hpp>
#include <ingot/core/progress.hpp>
#include <ingot/json/options.hpp>
#include <ingot/json/write.hpp>

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace ingot { inline namespace INGOT_V1 { namespace json {

/// Options for editing. A text is accepted or rejected as by `read` with these options.
struct edit_options {
  /// Policy for comments in the text.
  json::comments comments = json::comments::reject;
  /// Policy for trailing commas in the text.
  json::trailing_commas trailing_commas = json::trailing_commas::reject;
  /// Maximum depth of arrays and objects on the path, including those in the new value. Other
  /// values of the text may have any depth, because they are skipped without recursion.
  std::uint32_t max_depth = 128;
  /// Maximum size of the text in bytes; a longer text is `errc::too_large`. A text of 4 GiB or more
  /// is never accepted.
  std::size_t max_bytes = 0xFFFFFFFF;
  /// Options for writing the new value. `indent` has no effect, because the layout of the new value
  /// follows the text around it.
  write_options writing{};
  /// Progress in bytes of the text. If the callback returns false, the call ends with
  /// `errc::cancelled`.
  progress_ref progress{};
};

namespace detail {

/// Writes the value at `value` as JSON text without spaces.
using value_to_text = result<std::string> (*)(const void* value, const write_options& options);

template <class T>
[[nodiscard]] result<std::string> write_untyped(const void* value, const write_options& options) {
  return json::write(*static_cast<const T*>(value), options);
}

[[nodiscard]] result<std::string> edit(std::string_view text, std::string_view pointer, const void* value,
                                       value_to_text write, const edit_options& options);
[[nodiscard]] result<void> edit_in_place(std::string& text, std::string_view pointer, const void* value,
                                         value_to_text write, const edit_options& options);

} // namespace detail

/// Returns `text` with `value` at the path `pointer`. `T` is any type that `write` accepts,
/// including documents and their values. An existing value is replaced. A key that is missing in
/// its object becomes the last member. `-`, or the size of an array, adds the last element. The
/// containers before the last step must exist. The layout of `value` follows the text around it:
/// indentation, line ends, and spaces after commas and colons. All other bytes stay as they are. A
/// comment in the same line as the last member or element stays in this line. If the comment ends
/// the line, the new member or element has a line of its own.
///
/// O(n), without recursion. Takes up to 4 bytes of memory for each byte of text.
///
/// Errors: those of `read` for the text, with offset, line, column and path. `duplicate_key` if a
/// key of the path is repeated in its object, because readers differ on which value counts.
/// `missing_member` for a missing key before the last step; `out_of_range` for a step that is no
/// index of its array; `type_mismatch` for a step into a value that is no container. `syntax` if
/// `pointer` is no JSON Pointer. Also those of `write` for `value`, with the path in the text;
/// `no_memory`.
template <class T>
[[nodiscard]] result<std::string> edit(std::string_view text, std::string_view pointer, const T& value,
                                       const edit_options& options = {}) {
  return detail::edit(text, pointer, static_cast<const void*>(&value), detail::write_untyped<T>, options);
}

/// As `edit`, but changes `text` itself. Moves only the bytes after the value. After an error
/// `text` is unchanged. Invalidates views and iterators of `text`.
template <class T>
[[nodiscard]] result<void> edit_in_place(std::string& text, std::string_view pointer, const T& value,
                                         const edit_options& options = {}) {
  return detail::edit_in_place(text, pointer, static_cast<const void*>(&value), detail::write_untyped<T>,
                               options);
}

/// Returns `text` without the member or element at the path `pointer`. Removes the comma too, and
/// the line if nothing else is in it. Comments stay. Complexity and errors: as `edit`. Also
/// `missing_member` or `out_of_range` if there is no such value, and `invalid_value` for an empty
/// `pointer`, since the value of the whole text can't be erased.
[[nodiscard]] result<std::string> erase(std::string_view text, std::string_view pointer,
                                        const edit_options& options = {});

/// As `erase`, but changes `text` itself. After an error `text` is unchanged. Invalidates views and
/// iterators of `text`.
[[nodiscard]] result<void> erase_in_place(std::string& text, std::string_view pointer,
                                          const edit_options& options = {});

}}} // namespace ingot::INGOT_V1::json
