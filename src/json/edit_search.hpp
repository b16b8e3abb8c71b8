// SPDX-License-Identifier: Apache-2.0
// Finds the position of an edit in a text. `search` reads the tokens of the whole text once.
#pragma once

#include <ingot/document/detail/json_pointer.hpp>
#include <ingot/json/detail/text_reader.hpp>
#include <ingot/json/edit.hpp>

#include "characters.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace ingot { inline namespace INGOT_V1 { namespace json::detail::editing {

/// One part of the path to the edited value: a name or an index.
struct path_part {
  std::string name;
  std::uint32_t index = ingot::detail::doc::npos; ///< npos if `name` is no index
  bool is_member = false;                         ///< known after the container was found
};

/// An open container on the path. Its parts are members or elements; a member begins at its key.
struct level {
  bool is_object = false;
  bool found = false;
  step next = step::error;
  std::size_t open = 0;  ///< position of the opening bracket
  std::size_t count = 0; ///< number of complete parts
  std::size_t first = npos;
  std::size_t part = npos;  ///< beginning of the current part; npos if there is no current part
  std::size_t comma = npos; ///< the last comma
  std::size_t colon = npos; ///< the last colon
  extent last;              ///< the last complete part
};

/// The member or element to replace or erase, or the container of a new member or element.
struct target {
  bool exists = false;
  bool is_root = false;
  extent value;                    ///< the existing value
  extent part;                     ///< the existing value with its key
  std::size_t previous_end = npos; ///< end of the part before `part`
  std::size_t close = 0;           ///< position of the closing bracket
  level around;                    ///< the container, after all of its parts were read
  std::size_t around_part = npos;  ///< beginning of the member or element that the container is
  std::optional<std::string> unit; ///< indentation of one level, if known from a line
  std::string_view line_end = "\n";
  std::optional<bool> space_after_colon;
  std::optional<bool> space_after_comma;
};

/// Reads all of a text and finds the value at a path, or the position for a new value.
class search {
public:
  search(std::string_view text, const read_options& options) : text_(text), in_(options) {}

  /// Searches for the path `pointer`. If `may_add` is true, the last part of the path may be a new
  /// member or element. Returns false if there is an error.
  [[nodiscard]] bool run(std::string_view pointer, bool may_add);

  [[nodiscard]] const target& found() const noexcept { return found_; }
  /// Returns the number of parts of the path.
  [[nodiscard]] std::size_t steps() const noexcept { return parts_.size(); }
  /// Returns the last part of the path.
  [[nodiscard]] const std::string& last_name() const noexcept { return parts_.back().name; }
  /// Returns the error of the text or of the path.
  [[nodiscard]] error why() const noexcept;
  /// Returns the error of a new value, with the path of the value in the text.
  [[nodiscard]] error with_path(error err) const;

private:
  [[nodiscard]] bool split(std::string_view pointer);
  [[nodiscard]] bool read();
  /// Opens the container that the next part of the path needs.
  [[nodiscard]] bool open();
  [[nodiscard]] bool read_part();
  [[nodiscard]] bool end_part(std::size_t end);
  /// Ends the innermost container. Requires that its closing bracket was read.
  [[nodiscard]] bool close();
  [[nodiscard]] bool missing(const level& here, const path_part& wanted);
  [[nodiscard]] bool read_value(extent& out);
  /// Finds the indentation, line ends and spaces of the containers on the path. If containers
  /// differ, the innermost container decides. Requires that all these containers are open.
  void find_style();
  /// Adds the open containers to the path of the error.
  void add_path();

  std::string_view text_;
  text_reader in_;
  std::vector<path_part> parts_;
  std::vector<level> levels_;
  target found_;
  bool is_pointer_ = true;
  bool may_add_ = false;
};

}}} // namespace ingot::INGOT_V1::json::detail::editing
