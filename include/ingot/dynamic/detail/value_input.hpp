// SPDX-License-Identifier: Apache-2.0
// Inputs from which parts of a message are written: values of documents and keys of objects.
#pragma once

#include <ingot/core/detail/config.hpp>
#include <ingot/core/detail/float_tests.hpp>
#include <ingot/core/error.hpp>
#include <ingot/document/value.hpp>
#include <ingot/dynamic/detail/key_step.hpp>

#include <charconv>
#include <cmath>
#include <cstdint>
#include <string_view>
#include <system_error>

namespace ingot { inline namespace INGOT_V1 { namespace detail::dyn {

/// Input for a part of a message: a value, the text of an object's key, or nothing (missing).
struct input {
  value of;
  /// If `is_key` is true: the text. Otherwise: the key of the object's member that is the tag of a
  /// variant, or empty.
  std::string_view key;
  bool is_key = false;

  [[nodiscard]] bool is_missing() const noexcept { return !is_key && !of.exists(); }
  [[nodiscard]] bool is_text() const noexcept { return is_key || of.is_string(); }
  [[nodiscard]] std::string_view text() const noexcept {
    return is_key ? key : of.value_or(std::string_view());
  }
};

/// Input of an entry of a set or map. The document may have entries in another order than the
/// message, and the order of the message may depend on a hash. So errors name an entry as the
/// document does.
struct entry_input {
  input key;
  input held;              ///< value, for maps
  std::uint64_t index = 0; ///< index of the entry in the document

  /// Prepends the step to an element of a set.
  void name_element(error& err) const noexcept { err.in_element(index); }
  /// Prepends the step to a value of a map: its key, if that is text or an integer, otherwise the
  /// index of the entry.
  void name_value(error& err) const noexcept {
    if (!name_by_key(err)) err.in_member("value").in_element(index);
  }
  /// Prepends the steps to a key of a map.
  void name_key(error& err) const noexcept {
    err.in_member("key");
    if (!name_by_key(err)) err.in_element(index);
  }

private:
  [[nodiscard]] bool name_by_key(error& err) const noexcept {
    if (key.is_text()) {
      add_key(err, key.text());
      return true;
    }
    if (const auto number = key.of.as<std::int64_t>()) {
      const auto bits = static_cast<std::uint64_t>(*number);
      err.in_key(decimal_text(*number < 0 ? 0 - bits : bits, *number < 0).view());
      return true;
    }
    if (const auto number = key.of.as<std::uint64_t>()) {
      err.in_element(*number);
      return true;
    }
    return false;
  }
};

/// Returns the kind of the input, for errors.
[[nodiscard]] inline std::string_view name_of(const input& from) noexcept {
  if (from.is_key) return "a key";
  switch (from.of.kind()) {
  case value_kind::absent: return "nothing";
  case value_kind::null: return "null";
  case value_kind::boolean: return "a boolean";
  case value_kind::integer:
  case value_kind::large_integer: return "an integer";
  case value_kind::number: return "a number";
  case value_kind::text: return "text";
  case value_kind::binary: return "bytes";
  case value_kind::array: return "an array";
  case value_kind::object: return "an object";
  }
  return "nothing";
}
/// Reads all of the text as a number.
template <class N>
[[nodiscard]] bool number_of(std::string_view text, N& number) noexcept {
  const char* const last = text.data() + text.size();
  const auto [end, failed] = std::from_chars(text.data(), last, number);
  return !text.empty() && end == last && failed == std::errc{};
}
/// Reads an integer of 64 bits. Sets `negative` if the bits are those of a negative number.
[[nodiscard]] inline bool whole(const input& from, std::uint64_t& bits, bool& negative) noexcept {
  negative = false;
  if (from.is_key) {
    if (number_of(from.key, bits)) return true;
    std::int64_t below = 0;
    if (!number_of(from.key, below)) return false;
    bits = static_cast<std::uint64_t>(below);
    return negative = true;
  }
  if (from.of.is_integer()) {
    if (const auto natural = from.of.as<std::uint64_t>()) return bits = *natural, true;
    bits = static_cast<std::uint64_t>(from.of.value_or(std::int64_t{0}));
    return negative = true;
  }
  if (!from.of.is_number()) return false;
  const double real = from.of.value_or(0.0);
  if (!is_whole(real) || real < -0x1p63 || real >= 0x1p64) return false;
  negative = real < 0;
  bits = negative ? static_cast<std::uint64_t>(static_cast<std::int64_t>(real))
                  : static_cast<std::uint64_t>(real);
  return true;
}

}}} // namespace ingot::INGOT_V1::detail::dyn
