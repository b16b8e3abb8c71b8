// SPDX-License-Identifier: Apache-2.0
// The way to a value as a walk over bytes goes it, spelled as paths are.
#pragma once

#include <ingot/document/byte_visitor.hpp>

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

/// What of an entry stands in brackets: a number, or text in quotation marks.
[[nodiscard]] std::string key_text(const ingot::byte_step& to);

} // namespace tool
