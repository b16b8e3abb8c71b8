// SPDX-License-Identifier: Apache-2.0
// Functions for reading single values that don't depend on the type of the value.
#include <ingot/json/detail/read_record.hpp>
#include <ingot/reflect/detail/alternative_names.hpp>

#include "escape.hpp"
#include "number.hpp"

#include <cstring>
#include <string>

namespace ingot { inline namespace INGOT_V1 { namespace json::detail {

namespace {

/// Removes and returns the first scalar value of well-formed UTF-8.
[[nodiscard]] std::uint32_t take_scalar_value(std::string_view& text) noexcept {
  const auto lead = static_cast<unsigned char>(text[0]);
  const std::size_t size = lead < 0x80 ? 1 : lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : 4;
  std::uint32_t code = size == 1 ? lead : lead & (0x7Fu >> size);
  for (std::size_t i = 1; i < size; ++i) code = code << 6 | (static_cast<unsigned char>(text[i]) & 0x3Fu);
  text.remove_prefix(size);
  return code;
}

} // namespace

bool hook_rejected(text_reader& reader, const ingot::detail::hook_failure& failure, std::size_t offset) {
  if (failure.has_error) {
    error err = failure.why;
    return reader.fail(err.with_offset(offset));
  }
  return reader.fail(errc::invalid_value, offset, failure.what, reader.describe(offset));
}

bool reject_limit(text_reader& reader, const ingot::detail::limit_failure& failure, std::size_t offset) {
  return reader.fail(failure.code, offset, failure.expected, reader.describe(offset));
}

bool read_character(text_reader& reader, std::uint32_t max_text, std::uint32_t max_number,
                    std::uint32_t& out) {
  const std::size_t where = reader.offset();
  if (reader.peek() == '"') {
    std::string_view text;
    if (!reader.string(text)) return false;
    if (!text.empty()) {
      out = take_scalar_value(text);
      if (text.empty() && out <= max_text) return true;
    }
    return reader.fail(errc::out_of_range, where,
                       max_text == 0x7F ? "one ASCII character" : "one character that fits the type",
                       reader.describe(where));
  }
  if (reader.peek() != '-' && !is_digit(reader.peek())) return reader.mismatch("a string of one character");
  std::uint64_t number = 0;
  if (!reader.natural(number, max_number)) return false;
  out = static_cast<std::uint32_t>(number);
  return true;
}

bool reject_time(text_reader& reader, std::size_t offset, ingot::detail::time_outcome why) {
  using ingot::detail::time_outcome;
  const std::string found = reader.describe(offset);
  if (why == time_outcome::malformed)
    return reader.fail(errc::type_mismatch, offset, "a time such as \"2023-11-14T22:13:20.5Z\"", found);
  if (why == time_outcome::inexact)
    return reader.fail(errc::out_of_range, offset, "a time in whole units of the member's type", found);
  return reader.fail(errc::out_of_range, offset, "a time that the member's type can hold", found);
}

bool read_time(text_reader& reader, ingot::detail::instant& at) {
  const std::size_t where = reader.offset();
  std::string_view text;
  if (!reader.string(text)) return false;
  const auto outcome = ingot::detail::read_time_text(text, at);
  return outcome == ingot::detail::time_outcome::exact || reject_time(reader, where, outcome);
}

void widen(std::string_view text, std::u16string& out) {
  out.clear();
  while (!text.empty()) {
    std::uint32_t code = take_scalar_value(text);
    if (code >= 0x10000) {
      code -= 0x10000;
      out.push_back(static_cast<char16_t>(0xD800 + (code >> 10)));
      code = 0xDC00 + (code & 0x3FF);
    }
    out.push_back(static_cast<char16_t>(code));
  }
}

void widen(std::string_view text, std::u32string& out) {
  out.clear();
  while (!text.empty()) out.push_back(static_cast<char32_t>(take_scalar_value(text)));
}

bool read_bits(text_reader& reader, std::size_t size, void* bits,
               void (*set)(void* bits, std::size_t index, bool value)) {
  const std::size_t where = reader.offset();
  std::string_view text;
  if (!reader.string(text)) return false;
  if (text.size() != size || text.find_first_not_of("01") != std::string_view::npos) {
    return reader.fail(errc::bad_length, where,
                       "a string of " + std::to_string(size) + " digits, each 0 or 1",
                       reader.describe(where));
  }
  for (std::size_t i = 0; i < size; ++i) set(bits, i, text[size - 1 - i] == '1');
  return true;
}

bool wrong_count(text_reader& reader, std::size_t wanted, std::size_t found, bool more) {
  const std::string expected = "exactly " + std::to_string(wanted) + (wanted == 1 ? " element" : " elements");
  if (more) return reader.fail(errc::too_long, reader.offset(), expected, "more");
  return reader.fail(errc::bad_length, reader.last_offset(), expected, std::to_string(found));
}

bool too_many_collisions(text_reader& reader, std::size_t offset) {
  return reader.fail(errc::too_many_collisions, offset, ingot::detail::few_collisions);
}
bool container_is_full(text_reader& reader, std::size_t offset) {
  return reader.fail(errc::too_long, offset, ingot::detail::within_capacity, "more");
}

bool read_text_array(text_reader& reader, char* to, std::size_t size) {
  const std::size_t where = reader.offset();
  std::string_view text;
  if (!reader.string(text)) return false;
  if (text.size() > size) {
    return reader.fail(errc::too_long, where, "a string of at most " + std::to_string(size) + " bytes",
                       reader.describe(where));
  }
  if (!text.empty()) std::memcpy(to, text.data(), text.size());
  if (text.size() < size) std::memset(to + text.size(), 0, size - text.size());
  return true;
}

bool repetition_allowed(text_reader& reader, std::size_t offset, std::string_view what) {
  if (reader.options().duplicate_keys != duplicate_keys::error) return true;
  return reader.fail(errc::duplicate_key, offset, what, reader.describe(offset) + " again");
}

bool open_tagged(text_reader& reader, std::span<const std::string_view> tags, std::size_t& index,
                 std::span<const std::span<const std::string_view>> former) {
  const step next = reader.open_object();
  if (next == step::error) return false;
  const auto expected = [tags](std::string_view key) {
    return ingot::detail::expected_tags(key, tags.size(), [tags](std::size_t i) { return tags[i]; });
  };
  if (next == step::end)
    return reader.fail(errc::bad_variant, reader.last_offset(), expected({}).view(), "no key");
  const std::size_t where = reader.offset();
  std::string_view tag;
  if (!reader.key(tag)) return false;
  for (index = 0; index < tags.size(); ++index) {
    if (tags[index] == tag) return true;
  }
  for (index = 0; index < former.size(); ++index) {
    for (const std::string_view name : former[index]) {
      if (name == tag) return true;
    }
  }
  return reader.fail(errc::bad_variant, where, expected(tag).view(), "the key \"" + std::string{tag} + '"');
}

bool close_tagged(text_reader& reader) {
  const step next = reader.next_key();
  if (next == step::end) return true;
  if (next == step::error) return false;
  return reader.fail(errc::bad_variant, reader.offset(), "'}' after the only key",
                     reader.describe(reader.offset()));
}

}}} // namespace ingot::INGOT_V1::json::detail
