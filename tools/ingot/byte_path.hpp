// SPDX-License-Identifier: Apache-2.0
// The way to a value as a walk over bytes goes it, spelled as paths are.
#pragma once

#include <ingot/document/byte_visitor.hpp>

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace tool {

/// The path of a value, kept while a walk enters and leaves. Of values that lie very deep only how it ends is kept.
class byte_path {
public:
  byte_path() = default;
  /// Of what is in a record of a log.
  explicit byte_path(std::string begin) : text_(std::move(begin)) {}
  void enter(const ingot::byte_step& to);
  void leave();
  [[nodiscard]] const std::string& text() const noexcept { return text_; }
  [[nodiscard]] std::size_t depth() const noexcept { return lengths_.size() + hidden_; }

private:
  std::string text_;
  std::vector<std::size_t> lengths_; ///< before each step
  std::size_t hidden_ = 0;           ///< steps that are not in the text
};

/// What of an entry stands in brackets: a number, or text in quotation marks.
[[nodiscard]] std::string key_text(const ingot::byte_step& to);

} // namespace tool
