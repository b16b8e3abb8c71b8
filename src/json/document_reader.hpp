// SPDX-License-Identifier: Apache-2.0
// Text told as events. One loop: what is open is known by whoever takes the events.
#pragma once

#include <ingot/document/detail/events.hpp>
#include <ingot/json/detail/text_reader.hpp>

#include <cstddef>
#include <cstdint>

namespace ingot { inline namespace INGOT_V1 { namespace json::detail {

class document_reader {
public:
  /// The text is open in `from`.
  document_reader(text_reader& from, document_events& to) noexcept : in_(from), to_(to), first_(from.at_) {}

  /// Tells the next value. After false the reader has the error, with its path.
  [[nodiscard]] bool read() {
    if (run()) return true;
    add_path();
    return false;
  }

private:
  [[nodiscard]] bool run();
  [[nodiscard]] bool key();
  /// The innermost container, whose closing bracket was read.
  [[nodiscard]] bool end();
  [[nodiscard]] bool scalar(char first);
  [[nodiscard]] bool number();
  /// The events were stopped by the token before the next.
  [[nodiscard]] bool stopped();
  [[nodiscard]] std::size_t repeated_key() const;
  void add_path();

  text_reader& in_;
  document_events& to_;
  const std::uint32_t*
      first_; ///< token of what is told: the path begins there, and readers of what is around it add theirs
};

}}} // namespace ingot::INGOT_V1::json::detail
