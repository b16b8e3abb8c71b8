// SPDX-License-Identifier: Apache-2.0
// Paths of values. A path has the form of paths in error messages (`equips[3].id`,
// `items["55884"]`), or is a JSON Pointer (`/equips/3/id`).
#pragma once

#include "node.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace tool {

struct path_step {
  enum class kind : std::uint8_t {
    name,  ///< name of a member
    index, ///< number of any part
    key,   ///< key of an entry, or name of a member if the name has dots or brackets
    any,   ///< a step of a JSON Pointer: a name, an index or a key
  };
  kind is = kind::name;
  std::string text;
  std::size_t index = 0;
};

using path = std::vector<path_step>;

/// Parses a path. Empty text and `.` are the root. Ends the command with a usage error for
/// malformed text.
[[nodiscard]] path parse_path(std::string_view text);

/// Follows one step. Returns an absent node if the step leads nowhere.
[[nodiscard]] node follow(const node& from, path_step& step);
/// Follows a whole path. Each step of a JSON Pointer gets the kind of the part that was found for
/// it. If a step leads nowhere, ends the command with the exit code `no` and names this step.
[[nodiscard]] node follow(const node& from, path& steps);

/// Maximum length of a path. A longer path is cut and ends in "...". Without this limit, a key of a
/// megabyte would be in the paths of all values inside its value.
inline constexpr std::size_t longest_path = 4096;

/// Returns the path of a part in printable form. `whole` is the path of the part's parent.
/// `parse_path` accepts this form for any key.
[[nodiscard]] std::string path_of(std::string_view whole, const node& parent, const part& of);
/// Returns the text of the first `count` steps.
[[nodiscard]] std::string spelled(const path& steps, std::size_t count);

/// Returns a key in brackets, `["key"]`, in printable form. `parse_path` accepts this form.
[[nodiscard]] std::string in_quotes(std::string_view key);
/// Appends the step to a member to the path `out`.
void append_name(std::string& out, std::string_view name);
/// As `append_name`, for lists of members. A name over 256 bytes is cut, and its length follows.
void append_short_name(std::string& out, std::string_view name);

/// Returns the number that the text is; nothing if the whole text is not a number.
[[nodiscard]] std::optional<std::size_t> index_in(std::string_view text) noexcept;

/// Returns the JSON Pointer of a path. Requires that the steps of the path were found in a
/// document.
[[nodiscard]] std::string pointer_of(const path& steps);

} // namespace tool
