// SPDX-License-Identifier: Apache-2.0
// Emits a text as events, in one loop. This reader does not store the open containers; the receiver
// of the events does.
#pragma once

#include <ingot/document/detail/events.hpp>
#include <ingot/json/detail/text_reader.hpp>

#include <cstddef>
#include <cstdint>

namespace ingot { inline namespace INGOT_V1 { namespace json::detail {

class document_reader {
public:
  /// Requires that `from` has opened the text.
  document_reader(text_reader& from, document_events& to) noexcept : in_(from), to_(to), first_(from.at_) {}

  /// Emits the next value. After a return of false, the `text_reader` contains the error, with its
  /// path.
  [[nodiscard]] bool read() {
    if (run()) return true;
    add_path();
    return false;
  }

private:
  [[nodiscard]] bool run();
  [[nodiscard]] bool key();
  /// Ends the innermost container. Requires that its closing bracket was read.
  [[nodiscard]] bool end();
  [[nodiscard]] bool scalar(char first);
  [[nodiscard]] bool number();
  /// Records the error of an event. The token before the cursor caused this event. Always returns
  /// false.
  [[nodiscard]] bool stopped();
  [[nodiscard]] std::size_t repeated_key() const;
  void add_path();

  text_reader& in_;
  document_events& to_;
  /// First token of the emitted value. The path that this reader records begins at this value.
  /// Readers of outer values add the first parts of the path.
  const std::uint32_t* first_;
};

}}} // namespace ingot::INGOT_V1::json::detail
