// SPDX-License-Identifier: Apache-2.0
// Damage that the option --unchecked finds in a file, and the repairs of parts of a copy of the
// file.
#pragma once

#include <ingot/core/bytes.hpp>
#include <ingot/core/error.hpp>
#include <ingot/dynamic/dynamic.hpp>
#include <ingot/dynamic/message.hpp>

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace tool {

/// A damaged place of a file.
struct damage {
  ingot::error why;        ///< its offset counts from the file's first byte
  std::string_view effect; ///< contents of the copy in this place
};

/// The damage of a file, in the order in which it was found. Only the first `max_listed` places are
/// stored; the others are counted.
class damages {
public:
  static constexpr std::size_t max_listed = 1000;

  void note(const ingot::error& why, std::string_view effect) {
    ++count_;
    if (is_full()) return;
    listed_.push_back({why, effect});
    listed_.back().why.with_offset(why.offset() + base_);
  }
  /// The offsets of the next errors count from this position.
  void begin_at(std::uint64_t position) noexcept { base_ = position; }
  [[nodiscard]] std::uint64_t begin() const noexcept { return base_; }
  [[nodiscard]] const std::vector<damage>& listed() const noexcept { return listed_; }
  [[nodiscard]] std::size_t count() const noexcept { return count_; }
  /// Returns true if the next place will only be counted, so that its error needs no path.
  [[nodiscard]] bool is_full() const noexcept { return listed_.size() == max_listed; }

private:
  std::vector<damage> listed_;
  std::size_t count_ = 0;
  std::uint64_t base_ = 0;
};

// Each of the following functions changes bytes so that the library's validation accepts them. The
// bytes may be malicious. If the bytes are valid, the functions change nothing. They return false
// if nothing of the value can be kept.

/// Repairs a document. Damaged members are left out, damaged elements become null. O(n log n).
[[nodiscard]] bool mend_document(std::span<std::byte> bytes, damages& found);

/// Repairs a live block: an object that can't be read becomes zero or empty. The number of passes
/// over the bytes is limited.
[[nodiscard]] bool mend_block(std::span<std::byte> bytes, const ingot::dynamic_layout& layout,
                              damages& found);

/// Repairs a packed or compact message, whose length may change. Values that can't be read become
/// zero or empty. O(n log n).
[[nodiscard]] bool mend_message(std::vector<std::byte>& bytes, const ingot::dynamic_schema& by,
                                damages& found);

/// Maximum number of bytes that the searches for damaged bytes of a file read.
inline constexpr std::uint64_t max_search = std::uint64_t{1} << 28;

/// Repairs a file of ingot's, whose length may change. Returns false if the value can't be read
/// afterwards, either.
[[nodiscard]] bool mend_bytes(std::vector<std::byte>& bytes, bool is_named_ingot, damages& found,
                              std::uint64_t max_bytes_searched = max_search);

/// Returns true if `bytes` begin with a header of a file of ingot's in which exactly one byte is
/// damaged.
[[nodiscard]] bool has_header(ingot::bytes_view bytes);

} // namespace tool
