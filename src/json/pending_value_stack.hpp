// SPDX-License-Identifier: Apache-2.0
// Values whose container has not ended. Numbers are stored in binary form. Values with bytes, such
// as strings, are stored as positions in the text.
#pragma once

#include <ingot/document/detail/bulk.hpp>
#include <ingot/live/detail/move_bytes.hpp>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>

namespace ingot { inline namespace INGOT_V1 { namespace json::detail::plain {

using namespace ingot::detail::doc; // NOLINT(google-build-using-namespace): used in the whole file

/// A pending value and its key.
struct pending {
  uint64_t number; ///< as in an item; for text and packed arrays, the position of the bytes
  uint32_t length; ///< as in an item
  uint32_t size;   ///< size of the value in its container's heap, without the key
  uint32_t key_at; ///< object: position of the key; array: the cell, if a cell contains the value
  uint32_t key_length;
  uint16_t hash;
  bool key_aside; ///< the key's bytes are in `aside_`, not in the text
  uint8_t head;   ///< first byte in the heap, if the bytes of `number` follow it; otherwise 0
  value_kind kind;
  item::form is;
  uint8_t shift;
  bool is_aside; ///< the value's bytes are in `aside_`, not in the text
};

/// Stack of pending values. Values of an inner container follow those of the outer container.
class waiting_values {
public:
  waiting_values(const char* text, std::size_t size, memory_allowance& within) noexcept
      : text_(text), size_(size), values_({&within}) {}

protected:
  [[nodiscard]] bool reserve_space() noexcept {
    const std::size_t more = count_ == 0 ? 64 : count_;
    if (values_.extend(more) == nullptr) return false;
    capacity_ = values_.size();
    return true;
  }
  [[nodiscard]] INGOT_INLINE pending& slot() noexcept { return values_[count_]; }

  /// Returns the bytes of a pending value or key.
  [[nodiscard]] INGOT_INLINE const char* bytes_at(uint64_t at, bool is_aside) const noexcept {
    return (is_aside ? aside_.data() : text_) + static_cast<std::size_t>(at);
  }
  [[nodiscard]] std::string_view key_of(const pending& of) const noexcept {
    return {bytes_at(of.key_at, of.key_aside), of.key_length};
  }
  [[nodiscard]] INGOT_INLINE item item_of(const pending& from) const noexcept {
    item converted = item::of(from.kind, from.number);
    converted.is = from.is;
    converted.shift = from.shift;
    converted.length = from.length;
    if (from.is == item::form::packed || (from.is == item::form::plain && from.kind == value_kind::text)) {
      converted.bytes = reinterpret_cast<const std::byte*>(bytes_at(from.number, from.is_aside));
      converted.number = 0;
    }
    return converted;
  }

  /// Writes a value at `to` in a heap. The bytes from the value to `end` are not written yet, so
  /// `put` may overwrite them.
  INGOT_INLINE void put(std::byte* to, const std::byte* end, const pending& each) const noexcept {
    if (each.head != 0 && end - to > 8) [[likely]] {
      *to = static_cast<std::byte>(each.head);
      store(to + 1, each.number);
      return;
    }
    if (each.is == item::form::plain && each.kind == value_kind::text) {
      *to = static_cast<std::byte>(static_cast<uint32_t>(tag::text) + each.length);
      copy(to + 1, end, each.number, each.is_aside, each.length);
      return;
    }
    write_value(to, item_of(each));
  }
  INGOT_INLINE void copy(std::byte* to, const std::byte* end, uint64_t at, bool is_aside,
                         uint32_t size) const noexcept {
    if (!is_aside && size <= 16 && size_ - at >= 16 && end - to >= 16) [[likely]] {
      std::memcpy(to, text_ + at, 16);
      return;
    }
    ingot::detail::move_bytes(to, bytes_at(at, is_aside), size);
  }

  const char* text_;
  std::size_t size_;
  std::size_t count_ = 0; ///< number of pending values
  std::size_t capacity_ = 0;
  plain_list<pending, counted_growth> values_;
  std::string aside_; ///< bytes that differ from the text, such as unescaped strings
};

}}} // namespace ingot::INGOT_V1::json::detail::plain
