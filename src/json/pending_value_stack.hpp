// SPDX-License-Identifier: Apache-2.0
// Values that wait for the container to end that they are in: numbers as they are, what has bytes still in the text.
#pragma once

#include <ingot/document/detail/bulk.hpp>
#include <ingot/live/detail/move_bytes.hpp>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>

namespace ingot { inline namespace INGOT_V1 { namespace json::detail::plain {

using namespace ingot::detail::
    doc; // NOLINT(google-build-using-namespace): its names are what a value becomes

/// A value that waits, and its key.
struct pending {
  uint64_t number; ///< as in an item; of text and packed arrays where the bytes begin
  uint32_t length; ///< as in an item
  uint32_t size;   ///< in the heap of its container, without its key
  uint32_t key_at; ///< in an array: its cell, when that says all
  uint32_t key_length;
  uint16_t hash;
  bool key_aside; ///< the key's bytes are in `aside_`, not in the text
  uint8_t head;   ///< the first byte in the heap, when those of `number` follow it; otherwise 0
  value_kind kind;
  item::form is;
  uint8_t shift;
  bool is_aside; ///< as `key_aside`
};

/// Where they wait, those of an inner container behind those of the outer.
class waiting_values {
public:
  waiting_values(const char* text, std::size_t size, memory_allowance& within) noexcept
      : text_(text), size_(size), values_({&within}) {}

protected:
  [[nodiscard]] bool reserve_space() noexcept {
    const std::size_t more = count_ == 0 ? 64 : count_;
    if (values_.extend(more) == nullptr) return false;
    room_ = values_.size();
    return true;
  }
  [[nodiscard]] INGOT_INLINE pending& slot() noexcept { return values_[count_]; }

  /// Where the bytes of a value or key are that waits.
  [[nodiscard]] INGOT_INLINE const char* bytes_at(uint64_t at, bool is_aside) const noexcept {
    return (is_aside ? aside_.data() : text_) + static_cast<std::size_t>(at);
  }
  [[nodiscard]] std::string_view key_of(const pending& of) const noexcept {
    return {bytes_at(of.key_at, of.key_aside), of.key_length};
  }
  [[nodiscard]] INGOT_INLINE item item_of(const pending& from) const noexcept {
    item made = item::of(from.kind, from.number);
    made.is = from.is;
    made.shift = from.shift;
    made.length = from.length;
    if (from.is == item::form::packed || (from.is == item::form::plain && from.kind == value_kind::text)) {
      made.bytes = reinterpret_cast<const std::byte*>(bytes_at(from.number, from.is_aside));
      made.number = 0;
    }
    return made;
  }

  /// A value into its bytes of a heap, of which those up to `end` are not written yet or may be written again.
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
  std::size_t count_ = 0; ///< of values that wait
  std::size_t room_ = 0;
  plain_list<pending, counted_growth> values_;
  std::string aside_; ///< bytes that are not as they stand in the text
};

}}} // namespace ingot::INGOT_V1::json::detail::plain
