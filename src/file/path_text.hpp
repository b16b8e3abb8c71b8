// SPDX-License-Identifier: Apache-2.0
// Folders and names in the text of a path. std::filesystem::path is not used: on Windows it has
// another character type than the paths of this library, which are UTF-8.
#pragma once

#include <ingot/core/detail/config.hpp>

#include <string>
#include <string_view>

namespace ingot { inline namespace INGOT_V1 { namespace detail {

/// Characters after which a name may begin. On Windows, a name may also follow a drive (`C:name`).
#if defined(_WIN32)
inline constexpr std::string_view name_separators = "/\\:";
#else
inline constexpr std::string_view name_separators = "/";
#endif

[[nodiscard]] constexpr bool has_separator(std::string_view text) noexcept {
  return text.find_first_of(name_separators) != std::string_view::npos;
}

/// The two parts of a path. `folder` is empty if the path is a name only, and `name` is empty if
/// the path ends with a separator.
struct path_parts {
  std::string_view folder;
  std::string_view name;
};
[[nodiscard]] constexpr path_parts split_path(std::string_view path) noexcept {
  const std::size_t last = path.find_last_of(name_separators);
  if (last == std::string_view::npos) return {{}, path};
  // The folder `/` and a drive keep their separator.
  std::size_t end = last + 1;
  while (end > 1 && path[end - 1] != ':' && name_separators.contains(path[end - 1])) --end;
  if (end < last + 1 && path[end - 1] == ':') ++end;
  return {path.substr(0, end), path.substr(last + 1)};
}

/// Returns the path of a file in a folder. `folder` may be empty.
[[nodiscard]] inline std::string path_in(std::string_view folder, std::string_view name) {
  std::string path(folder);
  if (!path.empty() && !name_separators.contains(path.back())) path += '/';
  return path += name;
}

}}} // namespace ingot::INGOT_V1::detail
