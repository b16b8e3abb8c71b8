// SPDX-License-Identifier: Apache-2.0
// Appends values to the text of a `text_writer`, for loops over many values. The position is in a
// local variable of these loops. As a member of `text_writer`, the position would be stored and
// loaded for each value, because a compiler must assume that written characters overwrite members.
#pragma once

#include <ingot/core/detail/float_tests.hpp>
#include <ingot/json/detail/record_table.hpp>

#include "format.hpp"
#include "string_text.hpp"

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <optional>
#include <string>
#include <string_view>

namespace ingot { inline namespace INGOT_V1 { namespace json::detail {

template <class T>
[[nodiscard]] INGOT_INLINE T load(const void* from) noexcept {
  T value{};
  std::memcpy(&value, from, sizeof value);
  return value;
}

/// Space for any number, and for the bytes that fixed-size copies write after a key.
inline constexpr std::size_t number_space = max_real_size;
/// A string without escapes needs space for its bytes, and for this number of additional bytes.
inline constexpr std::size_t string_slack = 32;

/// All functions must be inlined, so that the position can be in a register.
class direct_output {
public:
  INGOT_INLINE explicit direct_output(text_writer& writer) noexcept : writer_(writer), at_(writer.at_) {}

  /// Passes the position to the writer. Call this before functions of the writer, and call `resume`
  /// after these functions.
  INGOT_INLINE void suspend() noexcept { writer_.at_ = at_; }
  INGOT_INLINE void resume() noexcept { at_ = writer_.at_; }
  /// As `text_writer::reserve`.
  [[nodiscard]] INGOT_INLINE bool reserve(std::size_t n) {
    if (static_cast<std::size_t>(writer_.end_ - at_) >= n) [[likely]]
      return true;
    suspend();
    const bool is_good = writer_.grow(n);
    resume();
    return is_good;
  }
  [[nodiscard]] INGOT_INLINE bool is_indented() const noexcept { return writer_.options_.indent != 0; }

  /// Enters an object. Requires space for the bracket.
  [[nodiscard]] INGOT_INLINE bool enter_object() {
    if (writer_.depth_ >= writer_.options_.max_depth) [[unlikely]] {
      suspend();
      return writer_.open_object(); // reports the error
    }
    ++writer_.depth_;
    *at_++ = '{';
    return true;
  }
  /// Leaves an object. Requires space for the bracket.
  INGOT_INLINE void leave_object() noexcept {
    --writer_.depth_;
    *at_++ = '}';
  }

  // The functions below require that the caller has reserved space.
  INGOT_INLINE void put(char character) noexcept { *at_++ = character; }
  INGOT_INLINE void put_null() noexcept {
    std::memcpy(at_, "null", 4);
    at_ += 4;
  }
  INGOT_INLINE void put_boolean(bool value) noexcept {
    std::memcpy(at_, value ? "true " : "false", 5);
    at_ += value ? 4 : 5;
  }
  /// Writes the `size` bytes of a key. Requires 32 readable bytes at `quoted`, and space for 32
  /// bytes.
  INGOT_INLINE void put_key(const char* quoted, std::size_t size) noexcept {
    std::memcpy(at_, quoted, 16);
    std::memcpy(at_ + 16, quoted + 16, 16);
    if (size > 32) [[unlikely]]
      std::memcpy(at_, quoted, size);
    at_ += size;
  }
  /// Writes the key of an object. `put` writes the key's text and returns the end of this text.
  template <class Put>
  INGOT_INLINE void put_integer_key(Put put) noexcept {
    if (at_[-1] != '{') *at_++ = ',';
    *at_ = '"';
    at_ = put(at_ + 1);
    std::memcpy(at_, "\":", 2);
    at_ += 2;
  }
  /// Writes any number of a floating-point type.
  template <class Float>
  [[nodiscard]] INGOT_INLINE bool put_float(Float value) {
    if (ingot::detail::is_finite(value)) [[likely]] {
      at_ = put_real(at_, value);
      return true;
    }
    suspend();
    const bool is_good = writer_.real(value);
    resume();
    return is_good;
  }
  /// Writes a value with a `scalar` code other than `other`. Requires space for `number_space`
  /// bytes.
  [[nodiscard]] INGOT_INLINE bool put_scalar(scalar code, const void* from) {
    std::int64_t integer = 0;
    std::uint64_t natural = 0;
    switch (code) {
    case scalar::string: return put_string(*static_cast<const std::string*>(from));
    case scalar::optional_string: {
      const auto& text = *static_cast<const std::optional<std::string>*>(from);
      if (text.has_value()) return put_string(*text);
      put_null();
      return true;
    }
    case scalar::f32: return put_float(load<float>(from));
    case scalar::f64: return put_float(load<double>(from));
    case scalar::boolean: put_boolean(load<bool>(from)); return true;
    case scalar::u8: natural = load<std::uint8_t>(from); break;
    case scalar::u16: natural = load<std::uint16_t>(from); break;
    case scalar::u32: natural = load<std::uint32_t>(from); break;
    case scalar::u64: natural = load<std::uint64_t>(from); break;
    // NOLINTNEXTLINE(bugprone-signed-char-misuse,cert-str34-c): the value is a number
    case scalar::i8: integer = load<std::int8_t>(from); break;
    case scalar::i16: integer = load<std::int16_t>(from); break;
    case scalar::i32: integer = load<std::int32_t>(from); break;
    case scalar::i64: integer = load<std::int64_t>(from); break;
    default: return true;
    }
    if (code < scalar::u8) at_ = put_integer(at_, integer);
    else at_ = put_natural(at_, natural);
    return true;
  }
  [[nodiscard]] INGOT_INLINE bool put_string(const std::string& value) {
    if (!reserve(value.size() + string_slack)) return false;
    std::uint32_t high = 0;
    if (put_content(at_ + 1, value, high) && (high & writer_.at_once_) == 0) [[likely]] {
      writer_.high_ |= high;
      *at_ = '"';
      at_ += value.size() + 2;
      at_[-1] = '"';
      return true;
    }
    suspend();
    const bool is_good = writer_.string(value);
    resume();
    return is_good;
  }

private:
  /// Writes a string's content. Returns false if a character needs an escape.
  [[nodiscard]] static INGOT_INLINE bool put_content(char* to, const std::string& value,
                                                     std::uint32_t& high) noexcept {
#if INGOT_JSON_SHORT_STRINGS
    if (value.size() <= 16 && value.capacity() >= 15) return put_short(to, value.data(), value.size(), high);
#endif
    return put_unescaped(to, value, high) == value.size();
  }

  text_writer& writer_;
  char* at_;
};

}}} // namespace ingot::INGOT_V1::json::detail
