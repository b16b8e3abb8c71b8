// SPDX-License-Identifier: Apache-2.0
// Iterates over the records of a log.
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
  /// Opens the log. Ends the command if the log has no schema.
  explicit records(const opened& of);

  /// Reads the next record. `value` returns this record until the next call. Returns false at the
  /// end.
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

/// Finds the value that a path leads to. In a log, the first step is the number of a record. `at`
/// then holds the record, and must outlive the result.
[[nodiscard]] node find(const opened& file, path& where, std::optional<records>& at);
/// Calls `found` for each value that a path leads to. Ends the command with the exit code `no` if
/// there is none.
void find_all(const opened& file, const path& where, const found_value& found);

} // namespace tool
