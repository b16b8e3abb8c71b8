// SPDX-License-Identifier: Apache-2.0
// Reads and writes enumerators by name, and integers and enumerators as keys of objects.
#include <ingot/json/detail/record_table.hpp>

#include "format.hpp"
#include "number.hpp"
#include "same_text.hpp"

#include <bit>
#include <string>
#include <string_view>
#include <vector>

namespace ingot { inline namespace INGOT_V1 { namespace json::detail {

namespace {

[[nodiscard]] const enumerator_text* with_name(const enum_table& table, std::string_view name) noexcept {
  for (const enumerator_text& candidate : table.enumerators) {
    if (same_text(candidate.name, name)) return &candidate;
  }
  for (const enumerator_text& candidate : table.former) {
    if (same_text(candidate.name, name)) return &candidate;
  }
  return nullptr;
}

[[nodiscard]] const enumerator_text* with_value(const enum_table& table, std::int64_t value) noexcept {
  for (const enumerator_text& candidate : table.enumerators) {
    if (candidate.value == value) return &candidate;
  }
  return nullptr;
}

/// Returns true if a number that belongs to no enumerator is a valid value.
[[nodiscard]] bool takes_number(const enum_table& table, std::int64_t value) noexcept {
  return table.open || (table.is_flags && (static_cast<std::uint64_t>(value) & ~table.bits) == 0);
}

[[nodiscard]] std::string names_of(const enum_table& table) {
  std::string text;
  for (const enumerator_text& candidate : table.enumerators) {
    if (text.size() > 80) break;
    text.append(!text.empty()    ? ", "
                : table.is_flags ? "a combination of "
                                 : "one of ")
        .append(candidate.name);
  }
  if (text.empty()) text = ingot::detail::expected_enumerator(table.is_flags);
  return table.open ? text + " or a number" : text;
}

/// Reads an integer in canonical form, if the integer is the whole key. The byte after the key must
/// be readable. This byte is the closing quote, or the terminator of the unescaped string.
[[nodiscard]] number_status integer_key(std::string_view key, integer_text& out) noexcept {
  out.negative = key.starts_with('-');
  const std::string_view text = key.substr(out.negative ? 1 : 0);
  const char* const end = text.data() + text.size();
  if (take_digits(text.data(), end, out.magnitude) != end || text.empty()) return number_status::malformed;
  // Rejects "-0", which would be the same value as "0".
  if (text.front() == '0' && key.size() > 1) return number_status::malformed;
  return fits_64_bits(text.data(), end, out.magnitude) ? number_status::good : number_status::too_big;
}

[[nodiscard]] bool bad_key(text_reader& reader, number_status status, std::string_view key,
                           std::size_t offset, const std::string& expected) {
  const bool number = status == number_status::good || status == number_status::too_big;
  return reader.fail(number ? errc::out_of_range : errc::type_mismatch, offset, expected,
                     "the key \"" + std::string{key} + '"');
}

[[nodiscard]] std::string decimal(const enum_table& table, std::int64_t value) {
  char text[max_integer_size];
  char* const end =
      table.min < 0 ? put_integer(text, value) : put_natural(text, static_cast<std::uint64_t>(value));
  return std::string(text, end);
}

} // namespace

bool natural_from_key(text_reader& reader, std::string_view key, std::size_t offset, std::uint64_t max,
                      std::uint64_t& out) {
  integer_text number;
  const number_status status = integer_key(key, number);
  if (status != number_status::good || number.negative || number.magnitude > max) {
    return bad_key(reader, status, key, offset, "an integer from 0 to " + std::to_string(max) + " as key");
  }
  out = number.magnitude;
  return true;
}

bool integer_from_key(text_reader& reader, std::string_view key, std::size_t offset, std::int64_t min,
                      std::int64_t max, std::int64_t& out) {
  integer_text number;
  const number_status status = integer_key(key, number);
  const auto lowest = std::uint64_t{0} - static_cast<std::uint64_t>(min);
  const auto limit = number.negative ? lowest : static_cast<std::uint64_t>(max);
  if (status != number_status::good || number.magnitude > limit) {
    return bad_key(reader, status, key, offset,
                   "an integer from " + std::to_string(min) + " to " + std::to_string(max) + " as key");
  }
  out = static_cast<std::int64_t>(number.negative ? std::uint64_t{0} - number.magnitude : number.magnitude);
  return true;
}

namespace {

/// Reads a combination of flags as an array of their names.
[[nodiscard]] bool read_flags(text_reader& reader, const enum_table& table, std::int64_t& out) {
  std::uint64_t bits = 0;
  std::size_t index = 0;
  step next = reader.open_array();
  while (next == step::value) {
    const std::size_t offset = reader.offset();
    std::string_view name;
    bool good = reader.string(name);
    if (good) {
      const enumerator_text* const found = with_name(table, name);
      if (found != nullptr) bits |= static_cast<std::uint64_t>(found->value);
      else
        good = reader.fail(errc::unknown_enumerator, offset, names_of(table), '"' + std::string{name} + '"');
    }
    if (!good) {
      reader.error().in_element(index);
      return false;
    }
    ++index;
    next = reader.next_element();
  }
  out = static_cast<std::int64_t>(bits);
  return next == step::end;
}

/// Writes a combination of flags as an array of names; names of several bits come first. Returns
/// false and writes nothing if a bit has no name. Otherwise returns true, and sets `good` to false
/// if writing failed.
[[nodiscard]] bool write_flags(text_writer& writer, const enum_table& table, std::int64_t value, bool& good) {
  auto left = static_cast<std::uint64_t>(value);
  std::vector<std::string_view> names;
  for (const int several : {1, 0}) {
    for (const enumerator_text& each : table.enumerators) {
      const auto bits = static_cast<std::uint64_t>(each.value);
      if ((std::popcount(bits) > 1) != (several == 1) || bits == 0 || (bits & ~left) != 0) continue;
      names.push_back(each.name);
      left &= ~bits;
    }
  }
  if (left != 0) return false;
  good = writer.open_array();
  for (std::size_t i = 0; i < names.size() && good; ++i) {
    writer.element();
    good = writer.string(names[i]);
  }
  if (good) writer.close_array();
  return true;
}

} // namespace

bool read_enum(text_reader& reader, const enum_table& table, std::int64_t& out) {
  const std::size_t offset = reader.offset();
  const char first = reader.peek();
  if (first == '[' && table.is_flags) return read_flags(reader, table, out);
  if (first == '"') {
    std::string_view name;
    if (!reader.string(name)) return false;
    if (const enumerator_text* const found = with_name(table, name)) {
      out = found->value;
      return true;
    }
    return reader.fail(errc::unknown_enumerator, offset, names_of(table), '"' + std::string{name} + '"');
  }
  if (first != '-' && !is_digit(first)) return reader.mismatch(names_of(table));
  if (table.min < 0) {
    if (!reader.integer(out, table.min, static_cast<std::int64_t>(table.max))) return false;
  } else {
    std::uint64_t number = 0;
    if (!reader.natural(number, table.max)) return false;
    out = static_cast<std::int64_t>(number);
  }
  if (takes_number(table, out) || with_value(table, out) != nullptr) return true;
  return reader.fail(errc::unknown_enumerator, offset, names_of(table), decimal(table, out));
}

bool write_enum(text_writer& writer, const enum_table& table, std::int64_t value) {
  const enumerator_text* const found = with_value(table, value);
  if (found == nullptr && !takes_number(table, value)) {
    return writer.fail(errc::unknown_enumerator, names_of(table), decimal(table, value));
  }
  const auto style = writer.options().enum_style;
  if (found != nullptr && style != enum_style::numbers) return writer.string(found->name);
  if (bool good = true;
      style == enum_style::name_lists && table.is_flags && write_flags(writer, table, value, good))
    return good;
  if (table.min < 0) {
    writer.integer(value);
  } else {
    writer.natural(static_cast<std::uint64_t>(value));
  }
  return true;
}

bool enum_from_key(text_reader& reader, const enum_table& table, std::string_view key, std::size_t offset,
                   std::int64_t& out) {
  if (const enumerator_text* const found = with_name(table, key)) {
    out = found->value;
    return true;
  }
  integer_text number;
  if (integer_key(key, number) == number_status::good) {
    const auto lowest = std::uint64_t{0} - static_cast<std::uint64_t>(table.min);
    if (number.magnitude <= (number.negative ? lowest : table.max)) {
      out =
          static_cast<std::int64_t>(number.negative ? std::uint64_t{0} - number.magnitude : number.magnitude);
      if (takes_number(table, out) || with_value(table, out) != nullptr) return true;
    }
  }
  return reader.fail(errc::unknown_enumerator, offset, names_of(table),
                     "the key \"" + std::string{key} + '"');
}

bool write_enum_key(text_writer& writer, const enum_table& table, std::int64_t value) {
  const enumerator_text* const found = with_value(table, value);
  if (found != nullptr && writer.options().enum_style != enum_style::numbers) return writer.key(found->name);
  const std::string text = decimal(table, value);
  // The number is rejected if its digits are the name of an enumerator: a reader would read the key
  // as this enumerator.
  if ((found == nullptr && !takes_number(table, value)) || with_name(table, text) != nullptr) {
    (void)writer.fail(errc::unknown_enumerator, names_of(table), "the key \"" + text + '"');
    writer.error().in_key(text);
    return false;
  }
  return writer.key(text);
}

}}} // namespace ingot::INGOT_V1::json::detail
