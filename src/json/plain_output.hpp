// SPDX-License-Identifier: Apache-2.0
// Output of a document's characters, and of a document's texts as JSON strings. Space is checked
// once for each element. Texts without escapes are copied and checked in one pass.
#pragma once

#include <ingot/core/bytes.hpp>
#include <ingot/core/progress.hpp>
#include <ingot/document/format.hpp>
#include <ingot/json/options.hpp>

#include "string_text.hpp"
#include "token_index.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>

namespace ingot { inline namespace INGOT_V1 { namespace json::detail::plain {

using namespace ingot::detail::doc; // NOLINT(google-build-using-namespace): used in the whole file

/// Maximum number of characters for an element: a comma, and a key and a value from the heap of a
/// node. Includes the bytes that fixed-size copies write after these.
constexpr std::size_t max_element_bytes = max_escape_size * (short_key + short_text) + 64;
/// Size of the internal buffer in which the output begins. A short document then needs none of the
/// space that the output string would reserve for a document of unknown size.
constexpr std::size_t initial_capacity = 4 * max_element_bytes;
/// Number of bytes that are read from the beginning of a text in a heap. The text itself is
/// shorter.
constexpr std::size_t long_look = short_text + 16;

/// Appends characters to a string. The destructor removes them unless `finish` succeeded.
class plain_output {
public:
  plain_output(const plain_output&) = delete;
  plain_output& operator=(const plain_output&) = delete;

protected:
  plain_output(std::string& out, const std::byte* document, std::size_t size,
               const write_options& options) noexcept
      : last_long_look_(size >= long_look ? document + (size - long_look) : nullptr), begin_(first_),
        at_(first_), last_ready_(first_ + (initial_capacity - max_element_bytes)),
        end_(first_ + initial_capacity), out_(out), max_bytes_(options.max_bytes), before_(out.size()),
        progress_(options.progress) {}
  ~plain_output() { out_.resize(before_ + written_); }

  [[nodiscard]] bool finish() {
    const auto size = static_cast<std::size_t>(at_ - begin_);
    // All characters outside of strings are ASCII. So all strings are well-formed if the whole text
    // is well-formed.
    if (size > max_bytes_ || (not_ascii_ != 0 && !valid_utf8({begin_, size}))) return false;
    if (!tell(size, size)) return false;
    if (begin_ == first_) out_.append(begin_, size);
    written_ = size;
    return true;
  }

  /// Writes a key in a heap, and its colon.
  [[nodiscard]] INGOT_INLINE char* key(char* at, const std::byte* text, uint32_t size, uint32_t& not_ascii) {
#if INGOT_LANES
    if (size <= 16 && text <= last_long_look_) [[likely]] {
      const auto bytes = load_lanes<byte_lanes>(text);
      store_lanes(at + 1, bytes);
      // The comparison is signed, so bytes above 127 also compare as less than a space.
      const auto other = ((signed_byte_lanes)bytes < (signed_byte_lanes)all_lanes(' ')) |
                         ((bytes == all_lanes('"')) | (bytes == all_lanes('\\')));
      if ((bits_of(other) & ((uint32_t{1} << size) - 1)) == 0) [[likely]] {
        *at = '"';
        at += size + 1;
        std::memcpy(at, "\":", 2);
        return at + 2;
      }
    }
#endif
    at = string(at, text, size, not_ascii);
    *at++ = ':';
    return at;
  }
  /// Writes a text that is in a heap. Requires space for the longest possible form of the text.
  [[nodiscard]] INGOT_INLINE char* string(char* at, const std::byte* text, uint32_t size,
                                          [[maybe_unused]] uint32_t& not_ascii) {
#if INGOT_LANES
    // For all texts except the last texts of the document, more bytes are readable than the text
    // has. There is also space to write these bytes.
    if (text <= last_long_look_) [[likely]] {
      char* const to = at + 1;
      uint32_t i = 0;
      while (true) {
        const auto bytes = load_lanes<byte_lanes>(text + i);
        store_lanes(to + i, bytes);
        const uint32_t escaped = bits_of(escaped_lanes(bytes));
        const uint32_t high = top_bits_of(bytes);
        const uint32_t left = size - i;
        if (left <= 16) {
          const uint32_t mine = (uint32_t{1} << left) - 1;
          if ((escaped & mine) != 0) [[unlikely]]
            break;
          not_ascii |= high & mine;
          *at = '"';
          to[size] = '"';
          return to + size + 1;
        }
        if (escaped != 0) [[unlikely]]
          break;
        not_ascii |= high;
        i += 16;
      }
    }
#endif
    *at++ = '"';
    at = escape(at, {reinterpret_cast<const char*>(text), size});
    *at++ = '"';
    return at;
  }
  /// Writes any text, and reserves space for an element after it.
  [[nodiscard]] INGOT_NOINLINE bool string(std::string_view text) {
    constexpr std::size_t part = 4096;
    *at_++ = '"';
    for (; !text.empty(); text.remove_prefix(std::min(part, text.size()))) {
      const std::string_view next = text.substr(0, part);
      // The one additional byte is for the closing quote.
      if (!ready(max_escape_size * next.size() + escape_slack + 1)) return false;
      const std::size_t done = put_unescaped(at_, next, not_ascii_);
      at_ += done;
      if (done != next.size()) at_ = put_escaped(at_, next.substr(done), not_ascii_);
    }
    *at_++ = '"';
    return ready();
  }
  /// Writes the content of a string, escaped.
  [[nodiscard]] INGOT_NOINLINE char* escape(char* to, std::string_view text) {
    return put_escaped(to, text, not_ascii_);
  }

  [[nodiscard]] INGOT_INLINE bool ready(std::size_t n) {
    if (static_cast<std::size_t>(end_ - at_) >= n) [[likely]]
      return true;
    return grow(n);
  }
  /// Reserves space for an element.
  [[nodiscard]] INGOT_INLINE bool ready() {
    if (at_ <= last_ready_) [[likely]]
      return true;
    return grow(max_element_bytes);
  }
  /// Reserves space for an element at `to`, and updates `to`.
  [[nodiscard]] INGOT_INLINE bool ready(char*& to) {
    if (to <= last_ready_) [[likely]]
      return true;
    at_ = to;
    const bool grown = grow(max_element_bytes);
    to = at_;
    return grown;
  }
  /// Moves the output from the internal buffer to the string, or grows the string. The output
  /// exceeds the limit by at most a few elements.
  [[nodiscard]] INGOT_NOINLINE bool grow(std::size_t n) {
    const auto used = static_cast<std::size_t>(at_ - begin_);
    if (used > max_bytes_) return false;
    if (used >= reported_ + report_interval && !tell(used, progress_ref::unknown)) return false;
    const std::size_t needed = before_ + used + n;
    std::size_t wanted = out_.capacity();
    if (wanted < needed) wanted = std::max({needed, out_.size() * 2, before_ + 2 * used});
    if (wanted != out_.size())
      out_.resize_and_overwrite(wanted, [](char*, std::size_t size) { return size; });
    char* const to = out_.data() + before_;
    if (begin_ == first_) std::memcpy(to, begin_, used);
    begin_ = to;
    at_ = begin_ + used;
    std::size_t usable = out_.size() - before_;
    // Beyond the limit, every request for space reaches this function, which rejects it.
    if (usable > max_bytes_ && usable - max_bytes_ > n) usable = max_bytes_ + n;
    if (progress_) usable = std::min(usable, used + std::max(n, max_element_bytes) + report_interval);
    end_ = begin_ + usable;
    // `last_ready_` is inside the output, even if `n` is less than the size of an element. `n` is
    // only that small if the output has more bytes than an element.
    last_ready_ = end_ - max_element_bytes;
    return true;
  }

  /// Returns true if the progress callback has cancelled.
  [[nodiscard]] bool cancelled() const noexcept { return cancelled_; }

  const std::byte* last_long_look_; ///< last position with `long_look` readable bytes; null if none
  char first_[initial_capacity];
  char* begin_;
  char* at_;
  char* last_ready_; ///< last position with space for an element
  char* end_;
  uint32_t not_ascii_ = 0; ///< not 0 if a byte was above 127

private:
  static constexpr std::size_t report_interval = std::size_t{256} << 10;

  [[nodiscard]] bool tell(std::size_t done, std::uint64_t total) {
    reported_ = done;
    cancelled_ = !progress_(done, total);
    return !cancelled_;
  }

  std::string& out_;
  std::size_t max_bytes_;
  std::size_t before_;
  std::size_t written_ = 0;
  progress_ref progress_;
  std::size_t reported_ = 0; ///< bytes reported as progress
  bool cancelled_ = false;
};

}}} // namespace ingot::INGOT_V1::json::detail::plain
