// SPDX-License-Identifier: Apache-2.0
// Damage that the option --unchecked finds in a file, and the repairs of parts of a copy of the
// file.
#pragma once

#include <ingot/core/bytes.hpp>
#include <ingot/core/error.hpp>
#include <ingot/dynamic/byte_visitor.hpp>
#include <ingot/dynamic/dynamic.hpp>
#include <ingot/dynamic/message.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace tool {

/// A damaged place of a file.
struct damage {
  /// Its offset counts from the file's first byte or, if `is_decompressed`, from the first byte of
  /// the decompressed payload.
  ingot::error why;
  std::string_view effect; ///< contents of the copy in this place
  /// Position in the copy. Empty if the copy lacks the place, or has it at another position that is
  /// not known.
  std::optional<std::uint64_t> at;
  /// True if the path of `why` leads to a value of the copy.
  bool has_value = true;
  bool is_decompressed = false;
};

/// The effect of damage whose value the copy lacks.
inline constexpr std::string_view left_out = "left out";
/// The part of a file that offsets inside a compressed payload count from.
inline constexpr std::string_view decompressed_payload = "the decompressed payload";

/// The damage of a file, in the order in which it was found. Only the first `max_listed` places are
/// stored; the others are counted.
class damages {
public:
  static constexpr std::size_t max_listed = 1000;

  /// Adds a place. `at` is its position in the copy, if that differs from the offset of `why`.
  void note(const ingot::error& why, std::string_view effect, std::optional<std::uint64_t> at = {}) {
    ++count_;
    if (is_full()) return;
    damage& added = listed_.emplace_back(why, effect, at, effect != left_out, is_decompressed_);
    added.why.with_offset(why.offset() + base_);
    if (!at) added.at = added.why.offset() + shift_; // modulo 2^64
    if (record_) added.why.in_element(*record_);
  }
  /// Returns the position in the copy of the place with this offset in the next errors.
  [[nodiscard]] std::uint64_t in_copy(std::uint64_t offset) const noexcept { return offset + base_ + shift_; }
  /// The next errors are about the record of this number, which begins at `from` in the file and at
  /// `to` in the copy.
  void begin_record(std::uint64_t number, std::uint64_t from, std::uint64_t to) noexcept {
    record_ = number;
    shift_ = to - from;
  }
  void end_record() noexcept {
    record_.reset();
    shift_ = 0;
  }
  /// The copy no longer has the places from this position on where they were.
  void moved(std::uint64_t from) noexcept {
    for (damage& each : listed_) {
      if (each.at && *each.at >= from) each.at.reset();
    }
  }
  /// The copy lacks the values of the places from `first` on, a number of listed places.
  void lost(std::size_t first) noexcept {
    for (; first < listed_.size(); ++first) {
      listed_[first].at.reset();
      listed_[first].has_value = false;
    }
  }
  /// The offsets of the next errors count from this position.
  void begin_at(std::uint64_t position) noexcept { base_ = position; }
  /// The offsets of the next errors count from the first byte of the decompressed payload, which is
  /// at `to` in the copy.
  void begin_decompressed(std::uint64_t to) noexcept {
    is_decompressed_ = true;
    shift_ = to;
  }
  void end_decompressed() noexcept {
    is_decompressed_ = false;
    shift_ = 0;
  }
  /// The size of the file in bytes. The copy may have another one.
  void set_file_size(std::uint64_t bytes) noexcept { file_size_ = bytes; }
  [[nodiscard]] std::uint64_t file_size() const noexcept { return file_size_; }
  /// The version in the header of the file. The copy may have another one.
  void set_version(std::uint32_t version) noexcept { version_ = version; }
  /// Returns the version of the file; nothing if it is no file of ingot's, or has no header.
  [[nodiscard]] std::optional<std::uint32_t> version() const noexcept { return version_; }
  [[nodiscard]] const std::vector<damage>& listed() const noexcept { return listed_; }
  [[nodiscard]] std::size_t count() const noexcept { return count_; }
  /// Returns true if the next place will only be counted, so that its error needs no path.
  [[nodiscard]] bool is_full() const noexcept { return listed_.size() == max_listed; }

private:
  std::vector<damage> listed_;
  std::size_t count_ = 0;
  std::uint64_t base_ = 0;
  std::uint64_t shift_ = 0; ///< from the offset of an error to the position in the copy
  bool is_decompressed_ = false;
  std::optional<std::uint64_t> record_;
  std::uint64_t file_size_ = 0;
  std::optional<std::uint32_t> version_;
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

/// Reports the bytes of a packed message that was not validated. Values that can't be read have no
/// bytes. Reports nothing if the values share bytes. O(n).
void map_damaged(ingot::bytes_view bytes, const ingot::dynamic_schema& by, ingot::byte_visitor& to);

/// Maximum size in bytes of a payload that is decompressed for a damaged file of `file_size` bytes.
/// A short malicious file may state any size.
[[nodiscard]] constexpr std::uint64_t max_decompressed(std::uint64_t file_size) noexcept {
  return std::max(std::uint64_t{1} << 28, 64 * file_size);
}

/// Maximum number of bytes that the searches for damaged bytes of a file read.
inline constexpr std::uint64_t max_search = std::uint64_t{1} << 28;

/// The description of a type from another file, in place of a damaged one.
struct spare_schema {
  std::vector<std::byte> bytes;
  bool is_rejected = false; ///< set if it was needed, but is not the description that the file had
  /// Set if, in addition, it describes the type of the file, but for another form: a block's layout
  /// for a message, or a message's schema for a block.
  bool has_other_form = false;
};

/// Repairs a file of ingot's, whose length may change. If the description of the type is damaged,
/// takes that of `spare` if there is one and the header has its checksum or its ids. Returns false
/// if the value can't be read afterwards, either.
[[nodiscard]] bool mend_bytes(std::vector<std::byte>& bytes, bool is_named_ingot, damages& found,
                              std::uint64_t max_bytes_searched = max_search, spare_schema* spare = nullptr);

/// Returns true if `bytes` begin with a header of a file of ingot's in which exactly one byte is
/// damaged.
[[nodiscard]] bool has_header(ingot::bytes_view bytes);

} // namespace tool
