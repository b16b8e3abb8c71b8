// SPDX-License-Identifier: Apache-2.0
// CBOR's references to strings of a namespace (tags 25 and 256), and to shared values (tags 28 and
// 29). A reader resolves a reference by reading the bytes again. The reader counts these bytes
// against a limit, so that a small input can't expand to a large document.
#pragma once

#include <ingot/core/bytes.hpp>
#include <ingot/document/detail/core.hpp>
#include <ingot/document/detail/interchange_javascript.hpp>
#include <ingot/document/detail/interchange_token.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>

namespace ingot { inline namespace INGOT_V1 { namespace detail::interchange {

inline constexpr std::uint64_t string_reference = 25;
inline constexpr std::uint64_t shareable = 28;
inline constexpr std::uint64_t shared_reference = 29;
inline constexpr std::uint64_t string_namespace = 256;

/// Returns true for tags that every reader resolves or rejects. So no wrapped value has such a tag.
[[nodiscard]] constexpr bool is_resolved_tag(std::uint64_t number) noexcept {
  return number == self_described || number == string_reference || number == shareable ||
         number == shared_reference || number == string_namespace || is_record_tag(number);
}
/// A namespace of strings. Its first string has the index `first` in the list of strings.
struct string_space {
  std::size_t at; ///< position after the tag of the namespace
  std::size_t first;
};
struct noted_string {
  bytes_view bytes;
  bool is_text;
};
struct shared_value {
  std::size_t begin;
  std::size_t end;   ///< 0 while the value is being read
  std::size_t space; ///< index of the namespace that contains the value
};

class references {
public:
  static constexpr std::size_t outside = std::numeric_limits<std::size_t>::max();

  /// The three lists of this object share the memory limit `within`.
  explicit references(doc::memory_allowance& within) noexcept
      : spaces_({&within}), strings_({&within}), values_({&within}) {}

  /// Returns true inside a namespace of strings. Inside a namespace, strings get numbers.
  /// Namespaces are not nested, so the strings of each namespace are consecutive in the list.
  [[nodiscard]] bool in_space() const noexcept { return space_ != outside; }
  [[nodiscard]] std::size_t space() const noexcept { return space_; }
  void go_to(std::size_t space) noexcept { space_ = space; }
  [[nodiscard]] bool enter_space(std::size_t at) noexcept {
    if (replays_ != 0) { // read again: find the known namespace
      const auto* const found = std::partition_point(spaces_.begin(), spaces_.end(),
                                                     [&](const string_space& each) { return each.at < at; });
      if (found == spaces_.end()) return false; // can't happen, since the tag was read before
      space_ = static_cast<std::size_t>(found - spaces_.begin());
      return true;
    }
    space_ = spaces_.size();
    return spaces_.push({at, strings_.size()});
  }
  void leave_space() noexcept { space_ = outside; }

  /// Gives a string the next number, but only if a reference with this number is shorter than the
  /// string (as CBOR's tag 25 requires). Returns false if there is no memory.
  [[nodiscard]] bool note(bytes_view string, bool is_text) noexcept {
    if (replays_ != 0) return true;
    const std::uint64_t next =
        // 64 bits, since the largest bound below (2^32) may exceed size_t
        strings_.size() - spaces_[space_].first;
    const std::size_t min_size = next < 24              ? 3
                                 : next < 256           ? 4
                                 : next < 65'536        ? 5
                                 : next < 0x1'0000'0000 ? 7
                                                        : 11;
    return string.size() < min_size || strings_.push({string, is_text});
  }
  /// Returns the string with the number `number`; null if there is no such string.
  [[nodiscard]] const noted_string* string(std::uint64_t number) const noexcept {
    const std::size_t first = spaces_[space_].first;
    const std::size_t end = space_ + 1 < spaces_.size() ? spaces_[space_ + 1].first : strings_.size();
    return number < end - first ? strings_.begin() + first + static_cast<std::size_t>(number) : nullptr;
  }

  /// Begins a value to which references may refer. Returns false if there is no memory.
  [[nodiscard]] bool begin_shared(std::size_t at, std::size_t& number) noexcept {
    number = replays_ != 0 ? outside : values_.size();
    return replays_ != 0 || values_.push({at, 0, space_});
  }
  void end_shared(std::size_t number, std::size_t at) noexcept {
    if (number != outside) values_[number].end = at;
  }
  [[nodiscard]] const shared_value* shared(std::uint64_t number) const noexcept {
    return number < values_.size() ? values_.begin() + static_cast<std::size_t>(number) : nullptr;
  }
  void begin_replay() noexcept { ++replays_; }
  void end_replay() noexcept { --replays_; }

  /// Counts bytes that are read again. Returns false if the sum exceeds `max_bytes`.
  [[nodiscard]] bool charge(std::size_t bytes, std::size_t max_bytes) noexcept {
    constexpr std::size_t each = 16; // even a reference to a short value takes time
    if (repeated_ > max_bytes || bytes > max_bytes - repeated_ || each > max_bytes - repeated_ - bytes)
      return false;
    repeated_ += bytes + each;
    return true;
  }
  [[nodiscard]] std::size_t repeated() const noexcept { return repeated_; }

private:
  std::size_t space_ = outside;
  std::size_t repeated_ = 0;
  std::size_t replays_ = 0; ///< nesting depth of shared values that are being read again
  doc::plain_list<string_space, doc::counted_growth> spaces_;
  doc::plain_list<noted_string, doc::counted_growth> strings_;
  doc::plain_list<shared_value, doc::counted_growth> values_;
};

}}} // namespace ingot::INGOT_V1::detail::interchange
