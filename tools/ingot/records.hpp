// SPDX-License-Identifier: Apache-2.0
// The records of a log, one after the other.
#pragma once

#include <ingot/dynamic/message.hpp>
#include <ingot/file/detail/log_file.hpp>

#include "node.hpp"
#include "opened_file.hpp"
#include "path.hpp"

#include <cstdint>
#include <optional>
#include <string>

namespace tool {

class records {
public:
  /// Ends the verb if the log doesn't say what its records are.
  explicit records(const opened& of);

  /// Whether there is one more, which `value` gives until the next call.
  [[nodiscard]] bool next();
  [[nodiscard]] node value() const { return node(message_->root()); }
  [[nodiscard]] std::uint64_t number() const noexcept { return number_; }

private:
  ingot::detail::log_input log_;
  ingot::dynamic_schema by_;
  std::string name_;
  std::optional<ingot::dynamic_message> message_;
  std::uint64_t number_ = 0;
};

/// What a path leads to in a file: of a log its first step is the number of a record, which `at` then has to keep.
[[nodiscard]] node find(const opened& file, path& where, std::optional<records>& at);

} // namespace tool
