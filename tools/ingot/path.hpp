// SPDX-License-Identifier: Apache-2.0
// Paths of values. A path has the form of paths in error messages (`equips[3].id`,
// `items["55884"]`), or is a JSON Pointer (`/equips/3/id`). docs/tool.md has the grammar.
#pragma once

#include "node.hpp"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace tool {

struct path_step {
  enum class kind : std::uint8_t {
    name,     ///< name of a member, or key of an entry
    index,    ///< number of any part, or a key that is a number
    from_end, ///< `[-1]`: number of a part from the end, or a key that is a negative number
    key,      ///< key of an entry, or name of a member if the name has dots or brackets
    any,      ///< a step of a JSON Pointer: a name, an index or a key
    all,      ///< `[]` or `{}`: all parts
    range,    ///< `[0:2]`: the parts from a number up to another number
  };
  kind is = kind::name;
  std::string text{};        ///< for `index` and `from_end`, the number as text: "3", "-1"
  std::size_t index = 0;     ///< for `from_end`, 1 is the last part
  std::int64_t first = 0;    ///< for `range`: the first part; negative numbers count from the end
  std::int64_t end = no_end; ///< for `range`: the part after the last part

  static constexpr std::int64_t no_end = std::numeric_limits<std::int64_t>::max();
};
/// Returns the step to the part with this number.
[[nodiscard]] inline path_step index_step(std::size_t index) {
  return {.is = path_step::kind::index, .text = std::to_string(index), .index = index};
}
/// Returns true for steps that may lead to several values.
[[nodiscard]] inline bool is_multiple(const path_step& step) noexcept {
  return step.is == path_step::kind::all || step.is == path_step::kind::range;
}

using path = std::vector<path_step>;

/// Parses a path. Empty text and `.` are the root. Ends the command with a usage error for
/// malformed text.
[[nodiscard]] path parse_path(std::string_view text);
/// As `parse_path`, but also ends the command if a step may lead to several values.
[[nodiscard]] path parse_single_path(std::string_view text);
[[nodiscard]] inline bool is_multiple(const path& steps) noexcept {
  for (const path_step& each : steps) {
    if (is_multiple(each)) return true;
  }
  return false;
}

/// Returns true if a number in brackets is a key of this value, not the number of a part: for maps
/// whose keys are integers, and for objects of documents.
[[nodiscard]] bool has_number_keys(const node& of);
/// Returns the kind of the keys of a typed map, which may be empty; `absent` for all other values.
[[nodiscard]] ingot::dynamic_kind key_kind(const node& of);

/// Follows one step. Returns an absent node if the step leads nowhere.
[[nodiscard]] node follow(const node& from, path_step& step);
/// Follows a path from the step `begin` on; the steps before it lead to `from`. Each step of a JSON
/// Pointer gets the kind of the part that was found for it. If a step leads nowhere, ends the
/// command with the exit code `no` and names this step.
[[nodiscard]] node follow(const node& from, path& steps, std::size_t begin = 0);
/// Returns the message if the step `steps[i]` leads from `here` to no value.
[[nodiscard]] std::string
no_value_message(const node& here, const path& steps, std::size_t i,
                 std::string_view advice = "ingot inspect shows which paths there are");

/// Receives the path of a value and the value.
using found_value = std::function<void(const std::string&, const node&)>;
/// Calls `found` for each value that a path leads to, in order. The path of `from` is `whole`, and
/// the path of the values begins with the step `at`. Values without one of the members are left
/// out. Returns the number of values. If there is none, `why` has the reason.
std::size_t follow_all(const node& from, const path& steps, std::size_t at, const std::string& whole,
                       const found_value& found, std::string& why);
/// Returns the numbers of the parts that a step of the kind `range` selects from `size` parts: the
/// first number, and the number after the last.
[[nodiscard]] std::pair<std::size_t, std::size_t> bounds_of(const path_step& range,
                                                            std::size_t size) noexcept;

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
