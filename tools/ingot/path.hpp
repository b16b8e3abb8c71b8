// SPDX-License-Identifier: Apache-2.0
// Where a value is, as errors say it: `equips[3].id`, `items["55884"]`; and as JSON Pointers say it: `/equips/3/id`.
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
    name,  ///< of a member
    index, ///< of any part
    key,   ///< of an entry, or a member whose name has dots or brackets in it
    any,   ///< a JSON Pointer's: whichever of these there is
  };
  kind is = kind::name;
  std::string text;
  std::size_t index = 0;
};

using path = std::vector<path_step>;

/// Ends the verb with a usage error if it is no path. Empty, or `/`-less and dot-less as `.`: the root.
[[nodiscard]] path parse_path(std::string_view text);

/// One step from a value; absent if it leads nowhere.
[[nodiscard]] node follow(const node& from, path_step& step);
/// All of a path; the steps of a JSON Pointer become what they were found to be. Ends the verb with the answer no, and says which step was the
/// first that leads nowhere.
[[nodiscard]] node follow(const node& from, path& steps);

/// A longer path is cut, and ends in "...": members may share one key of a megabyte, and each would
/// have it in its path.
inline constexpr std::size_t longest_path = 4096;

/// Returns the path of a part, given the path of its parent. `parse_path` reads it back, whatever
/// the keys hold; it is printable.
[[nodiscard]] std::string path_of(std::string_view whole, const node& parent, const part& of);
/// Of a path, or its beginning.
[[nodiscard]] std::string spelled(const path& steps, std::size_t count);

/// Returns a key in brackets: `["key"]`, printable, as `parse_path` reads it.
[[nodiscard]] std::string in_quotes(std::string_view key);
/// One more step, to a member, behind the path of what has it.
void append_name(std::string& out, std::string_view name);
/// The same for lists of members: of a name beyond 256 bytes the beginning, and how long it is.
void append_short_name(std::string& out, std::string_view name);

/// The number that a text is, if all of it is one.
[[nodiscard]] std::optional<std::size_t> index_in(std::string_view text) noexcept;

/// As a JSON Pointer into a document in which the steps were found.
[[nodiscard]] std::string pointer_of(const path& steps);

} // namespace tool
