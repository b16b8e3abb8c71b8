// SPDX-License-Identifier: Apache-2.0
// Reads keys and values in their most common form, and leaves all other forms to the slow path.
// These functions are the inner part of the loop over a record's members.
#pragma once

#include <ingot/core/detail/lanes.hpp>
#include <ingot/json/detail/record_table.hpp>

#include "escape.hpp"
#include "number.hpp"
#include "token_number.hpp"

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>
#include <optional>
#include <string>

namespace ingot { inline namespace INGOT_V1 { namespace json::detail {

/// Returns true if the text begins with the member's key, quoted and without spaces. Thirty-two
/// bytes of the text must be readable.
[[nodiscard]] INGOT_INLINE bool begins_with(const char* text, const member_reader& member) noexcept {
#if INGOT_LANES
  using namespace ingot::detail; // NOLINT(google-build-using-namespace)
  const auto same = [&](std::size_t from) {
    return bits_of(load_lanes<byte_lanes>(text + from) == load_lanes<byte_lanes>(member.quoted + from));
  };
  const std::uint32_t bits = member.quoted_bits;
  if ((bits & 0xFFFF & ~same(0)) != 0) return false;
  return bits <= 0xFFFF || (bits >> 16 & ~same(16)) == 0;
#else
  return std::memcmp(text, member.quoted, static_cast<std::size_t>(std::popcount(member.quoted_bits))) == 0;
#endif
}

/// Maximum value of a member, for each `scalar` code.
inline constexpr std::uint64_t largest_of[] = {
    0,
    0,
    std::numeric_limits<std::int8_t>::max(),
    std::numeric_limits<std::int16_t>::max(),
    std::numeric_limits<std::int32_t>::max(),
    std::numeric_limits<std::int64_t>::max(),
    std::numeric_limits<std::uint8_t>::max(),
    std::numeric_limits<std::uint16_t>::max(),
    std::numeric_limits<std::uint32_t>::max(),
    std::numeric_limits<std::uint64_t>::max(),
};
static_assert(static_cast<int>(scalar::i8) == 2 && static_cast<int>(scalar::u8) == 6 &&
              static_cast<int>(scalar::u64) == 9 && static_cast<int>(scalar::f32) == 10 &&
              static_cast<int>(scalar::f64) == 11);

/// Stores a number in a member. The number has the `size` bytes before `end`. Returns false, and
/// changes nothing, if the number needs the slow path.
[[nodiscard]] INGOT_INLINE bool plain_number(const char* end, std::size_t size, scalar code,
                                             void* to) noexcept {
  if (code >= scalar::f32) {
    double wide = 0;
    if (!token_real(end, size, wide)) return false;
    if (code == scalar::f64) {
      std::memcpy(to, &wide, sizeof wide);
      return true;
    }
    float narrow = 0;
    if (!narrowed(wide, narrow)) return false;
    std::memcpy(to, &narrow, sizeof narrow);
    return true;
  }
  const bool negative = code < scalar::u8 && *(end - size) == '-';
  std::uint64_t wide = 0;
  if (!token_natural(end, size - negative, wide) ||
      wide > largest_of[static_cast<std::size_t>(code)] + negative)
    return false;
  if (negative) wide = std::uint64_t{0} - wide;
  // Copies the bytes of the value, because `long` and `long long` share a code, but are different
  // types for the compiler.
  const auto put = [&]<class T>(T value) { std::memcpy(to, &value, sizeof value); };
  switch (code) {
  case scalar::u64:
  case scalar::i64: put(wide); break;
  case scalar::u32:
  case scalar::i32: put(static_cast<std::uint32_t>(wide)); break;
  case scalar::u16:
  case scalar::i16: put(static_cast<std::uint16_t>(wide)); break;
  default: put(static_cast<std::uint8_t>(wide)); break;
  }
  return true;
}

/// Assigns a string of 16 to 31 bytes without escapes. Thirty-two bytes must be readable.
[[nodiscard]] INGOT_NOINLINE inline bool assign_medium([[maybe_unused]] const char* inside,
                                                       [[maybe_unused]] std::string& out) {
#if INGOT_LANES
  using namespace ingot::detail; // NOLINT(google-build-using-namespace)
  const auto where = [inside](std::uint8_t c) {
    const auto in = [&](std::size_t from) {
      return bits_of(load_lanes<byte_lanes>(inside + from) == all_lanes(c));
    };
    return in(0) | in(16) << 16;
  };
  const std::uint32_t quotes = where('"');
  if (quotes == 0 || (where('\\') & (quotes - 1)) != 0) return false;
  const auto length = static_cast<std::size_t>(std::countr_zero(quotes));
  // If the capacity is too small, a new string is cheaper than `assign`. `assign` would reserve
  // memory as if the old content had to be kept, and take three calls.
  if (out.capacity() >= length) out.assign(inside, length);
  else out = std::string(inside, length);
  return true;
#else
  return false;
#endif
}
[[nodiscard]] INGOT_INLINE bool assign_plain(const char* inside, std::string& out) {
  return assign_short(inside, 16, out) || assign_medium(inside, out);
}

/// Reads the value whose token is `*at`, if the value has the common form: a number directly
/// followed by its separator, or a short string. Returns false if the value needs the slow path. If
/// `Numbers` is false, the record has no numbers, and numbers in the text need the slow path too.
/// The code is then smaller and leaves more registers free.
template <bool Numbers>
[[nodiscard]] INGOT_INLINE bool plain_value(const char* text, const std::uint32_t* at, scalar code,
                                            void* to) {
  const char* const first = text + at[0];
  if (code >= scalar::string) [[likely]] {
    if (*first != '"') return false;
    if (code == scalar::string) return assign_plain(first + 1, *static_cast<std::string*>(to));
    auto& string = *static_cast<std::optional<std::string>*>(to);
    if (!string) string.emplace();
    return assign_plain(first + 1, *string);
  }
  if constexpr (Numbers) {
    const char* const end = text + at[1];
    if (code < scalar::i8 || (*end != ',' && *end != '}')) return false;
    return plain_number(end, static_cast<std::size_t>(end - first), code, to);
  } else {
    return false;
  }
}

}}} // namespace ingot::INGOT_V1::json::detail
