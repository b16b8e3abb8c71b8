// SPDX-License-Identifier: Apache-2.0
// Paths of values during a walk over bytes.
#pragma once

#include <ingot/dynamic/byte_visitor.hpp>

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace tool {

/// The path of the current value of a walk. `text` builds the text of the path when it is called.
/// The keys of entries must still exist at this call.
class byte_path {
public:
  byte_path() = default;
  /// All paths start with `begin`, which names a record of a log.
  explicit byte_path(std::string begin) : begin_(std::move(begin)) {}
  void enter(const ingot::byte_step& to) { steps_.push_back(to); }
  void leave() { steps_.pop_back(); }
  /// Returns the path. Long paths are cut, because the whole paths of deeply nested values would
  /// take memory quadratic in the depth.
  [[nodiscard]] std::string text() const;

private:
  std::string begin_;
  std::vector<ingot::byte_step> steps_;
};

/// The paths of many values of a walk as a tree. Common beginnings are stored once, and `text`
/// builds each path only when it is called.
class byte_paths {
public:
  void begin(const std::string& where);
  void enter(const ingot::byte_step& to) { stack_.push_back({to, none}); }
  void leave() { stack_.pop_back(); }
  /// Returns a number that identifies the current path of the walk. `text` accepts this number.
  [[nodiscard]] std::uint32_t here();
  [[nodiscard]] std::string text(std::uint32_t path_id) const;
  /// Removes all paths except those that `path_ids` refers to. Updates the numbers that `path_ids`
  /// refers to.
  void keep_only(std::span<std::uint32_t* const> path_ids);

private:
  static constexpr std::uint32_t none = static_cast<std::uint32_t>(-1);
  struct open_step {
    ingot::byte_step to;
    std::uint32_t known; ///< index in `steps_`, or `none`
  };
  struct known_step {
    std::uint32_t parent;
    /// For the first entry of a path, an index in `begins_`; such an entry is no step. For other
    /// entries, `none`.
    std::uint32_t begin;
    ingot::byte_step to;
  };
  std::vector<std::string> begins_;
  std::vector<open_step> stack_{{{}, none}};
  std::vector<known_step> steps_; ///< parents precede their children
};

/// Returns the part of a path for an entry, in brackets: a number, or quoted text.
[[nodiscard]] std::string key_text(const ingot::byte_step& to);

} // namespace tool
