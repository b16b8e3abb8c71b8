// SPDX-License-Identifier: Apache-2.0
// Emits a text as events, in one loop. The receiver of the events stores the open containers.
#pragma once

#include <ingot/document/detail/events.hpp>
#include <ingot/json/detail/text_reader.hpp>

#include <cstddef>
#include <cstdint>

namespace ingot { inline namespace INGOT_V1 { namespace json::detail {

class document_reader {
public:
  /// Requires that the text is open in `from`.
  document_reader(text_reader& from, document_events& to) noexcept : in_(from), to_(to), first_(from.at_) {}

  /// Emits the next value. If it returns false, the reader contains the error, with its path.
  [[nodiscard]] bool read() {
    if (run()) return true;
    add_path();
    return false;
  }

private:
  [[nodiscard]] bool run();
  [[nodiscard]] bool key();
  /// Ends the innermost container, whose closing bracket was read.
  [[nodiscard]] bool end();
  [[nodiscard]] bool scalar(char first);
  [[nodiscard]] bool number();
  /// Records the error of an event that the previous token caused. Always returns false.
  [[nodiscard]] bool stopped();
  [[nodiscard]] std::size_t repeated_key() const;
  void add_path();

  text_reader& in_;
  document_events& to_;
  /// First token of the emitted value. The path begins there. Readers of outer values add their
  /// parts.
  const std::uint32_t* first_;
};

}}} // namespace ingot::INGOT_V1::json::detail
