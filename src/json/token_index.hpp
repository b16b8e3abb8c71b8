// SPDX-License-Identifier: Apache-2.0
// Only this header and its source use simdjson. The first stage of simdjson finds the tokens of a
// text, sixty-four bytes at a time, with the best instructions of the processor.
#pragma once

#include <ingot/core/detail/config.hpp>
#include <ingot/core/detail/owned.hpp>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string_view>

namespace ingot { inline namespace INGOT_V1 { namespace json::detail {

/// Result of scanning a whole text.
enum class scan : std::uint8_t { good, empty, damaged, too_large, no_memory };

class token_index {
public:
  token_index() noexcept;
  ~token_index();
  token_index(const token_index&) = delete;
  token_index& operator=(const token_index&) = delete;

  /// Finds the tokens of `text`. `damaged` means invalid UTF-8, a control character in a string, or
  /// a string without end.
  [[nodiscard]] scan build(std::string_view text) noexcept;

  /// Offsets of the tokens, in order: each of []{}:, and the first byte of each string and other
  /// scalar.
  [[nodiscard]] const std::uint32_t* begin() const noexcept;
  [[nodiscard]] const std::uint32_t* end() const noexcept;

  /// Returns an index. Reuses the memory of an earlier text of this thread, if there is any.
  [[nodiscard]] static ingot::detail::owned<token_index> borrow();
  /// Keeps the memory for the next text of this thread, unless it is large.
  static void give_back(ingot::detail::owned<token_index> index) noexcept;

private:
  struct implementation;
  std::unique_ptr<implementation> implementation_;
};

[[nodiscard]] bool valid_utf8(std::string_view text) noexcept;

}}} // namespace ingot::INGOT_V1::json::detail
