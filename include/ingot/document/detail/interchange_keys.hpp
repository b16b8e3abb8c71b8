// SPDX-License-Identifier: Apache-2.0
// Converts keys of maps to keys of objects. Scalars that are not text become text. Keys that look
// like the keys of a wrapped value get one more `$`.
#pragma once

#include <ingot/core/buffer.hpp>
#include <ingot/core/detail/float_chars.hpp>
#include <ingot/core/detail/float_tests.hpp>
#include <ingot/core/detail/light_standard.hpp>
#include <ingot/document/detail/interchange_token.hpp>
#include <ingot/document/interchange.hpp>

#include <bit>
#include <charconv>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>
#include <string_view>

namespace ingot { inline namespace INGOT_V1 { namespace detail::interchange {

/// Returns true for the first key of a wrapped value, with one or more `$`: `$tag`, `$$ext`. With
/// `unsupported_values::wrap`, a reader adds one `$` to such a key of a map, and a writer removes
/// this `$`.
[[nodiscard]] inline bool is_reserved_key(std::string_view name) noexcept {
  if (!name.starts_with('$')) [[likely]]
    return false;
  name.remove_prefix(std::min(name.find_first_not_of('$'), name.size()));
  return name == "tag" || name == "simple" || name == "ext" || name == "seconds";
}

class key_speller {
public:
  /// Sets `name` to the key with one more `$`, valid until the next call. Returns false if there is
  /// no memory.
  [[nodiscard]] bool escape(std::string_view key, std::string_view& name) {
    spelled_.clear();
    const auto target = spelled_.prepare(key.size() + 1);
    if (target.empty()) return false;
    auto* to = reinterpret_cast<char*>(target.data());
    *to = '$';
    std::memcpy(to + 1, key.data(), key.size());
    name = {to, key.size() + 1};
    return true;
  }
  /// Sets `name` to the text of a key in CBOR's diagnostic notation, valid until the next call.
  /// Returns false if there is no memory, or if the token has no such text.
  [[nodiscard]] bool spell(const token& t, unsupported_values how, std::string_view& name) {
    if (t.kind == token::binary) {
      constexpr std::string_view digits = "0123456789abcdef";
      spelled_.clear();
      const auto storage = spelled_.prepare(2 * t.bytes.size() + 3);
      if (storage.empty()) return false;
      auto* to = reinterpret_cast<char*>(storage.data());
      *to++ = 'h';
      *to++ = '\'';
      for (const std::byte b : t.bytes) {
        *to++ = digits[std::to_integer<unsigned>(b) >> 4];
        *to++ = digits[std::to_integer<unsigned>(b) & 15];
      }
      *to = '\'';
      name = {reinterpret_cast<const char*>(storage.data()), 2 * t.bytes.size() + 3};
      return true;
    }
    switch (t.kind) {
    case token::null: name = "null"; return true;
    case token::undefined:
      name = "undefined";
      return how != unsupported_values::reject && how != unsupported_values::plain;
    case token::boolean: name = t.number != 0 ? "true" : "false"; return true;
    case token::natural: name = decimal(t.number); return true;
    case token::negative:
      if (t.number == std::numeric_limits<std::uint64_t>::max()) name = "-18446744073709551616";
      else name = decimal(t.number + 1, true);
      return true;
    case token::real: name = decimal(std::bit_cast<double>(t.number)); return true;
    default: return false;
    }
  }
  [[nodiscard]] std::string_view decimal(std::uint64_t number, bool negative = false) noexcept {
    chars_[0] = '-';
    const auto end = std::to_chars(chars_ + 1, chars_ + sizeof chars_, number).ptr;
    return {chars_ + (negative ? 0 : 1), end};
  }
  [[nodiscard]] std::string_view decimal(const double& number) noexcept {
    if (is_nan(number)) return "NaN";
    if (!is_finite(number)) return is_negative(number) ? "-Infinity" : "Infinity";
    auto* end = float_to_chars(chars_, chars_ + sizeof chars_ - 2, number).ptr; // at most 24 bytes
    if (std::string_view(chars_, end).find_first_of(".e") == std::string_view::npos) {
      *end++ = '.'; // without a point, the text would be that of an integer
      *end++ = '0';
    }
    return {chars_, end};
  }

private:
  buffer spelled_;
  char chars_[32];
};

}}} // namespace ingot::INGOT_V1::detail::interchange
