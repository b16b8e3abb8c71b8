// SPDX-License-Identifier: Apache-2.0
// The way to a value as a walk over bytes goes it, spelled as paths are.
#pragma once

#include <ingot/dynamic/byte_visitor.hpp>

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace tool {

/// The path of a value, kept while a walk enters and leaves, and spelled when it is asked for. What keys refer to has to be there then.
class byte_path {
public:
  byte_path() = default;
  /// Of what is in a record of a log.
  explicit byte_path(std::string begin) : begin_(std::move(begin)) {}
  void enter(const ingot::byte_step& to) { steps_.push_back(to); }
  void leave() { steps_.pop_back(); }
  /// Of values that lie very deep how it begins: whole paths would take memory in the square of the depth.
  [[nodiscard]] std::string text() const;

private:
  std::string begin_;
  std::vector<ingot::byte_step> steps_;
};

/// The paths of many values of a walk, as a tree: what they have in common is kept once, and each is spelled when it is asked for.
class byte_paths {
public:
  void begin(const std::string& where);
  void enter(const ingot::byte_step& to) { way_.push_back({to, none}); }
  void leave() { way_.pop_back(); }
  /// The way to where the walk is: a number for `text`.
  [[nodiscard]] std::uint32_t here();
  [[nodiscard]] std::string text(std::uint32_t way) const;
  /// Forgets all ways but those, which get new numbers.
  void keep_only(std::span<std::uint32_t* const> ways);

private:
  static constexpr std::uint32_t none = static_cast<std::uint32_t>(-1);
  struct way_step {
    ingot::byte_step to;
    std::uint32_t known; ///< its number in `steps_`, if it has one
  };
  struct known_step {
    std::uint32_t parent;
    std::uint32_t begin; ///< of the first step of a way, which isn't one: where it begins
    ingot::byte_step to;
  };
  std::vector<std::string> begins_;
  std::vector<way_step> way_{{{}, none}};
  std::vector<known_step> steps_; ///< parents in front of what is in them
};

/// What of an entry stands in brackets: a number, or text in quotation marks.
[[nodiscard]] std::string key_text(const ingot::byte_step& to);

} // namespace tool
