// SPDX-License-Identifier: Apache-2.0
// Functions for writing single values that don't depend on the type of the value.
#include <ingot/core/detail/cancellable_sort.hpp>
#include <ingot/core/detail/progress_poll.hpp>
#include <ingot/json/detail/write_compound.hpp>

#include "diagnosis.hpp"
#include "escape.hpp"

#include <functional>
#include <string>
#include <vector>

namespace ingot { inline namespace INGOT_V1 { namespace json::detail {

namespace {

[[nodiscard]] bool is_scalar_value(std::uint32_t code) noexcept {
  return code < 0xD800 || (code >= 0xE000 && code < 0x110000);
}

/// Appends a code unit. If the unit is a surrogate without its partner, appends an ill-formed byte.
/// The writer's policy for ill-formed text then handles this byte.
void append_unit(std::string& out, std::uint32_t code) {
  if (is_scalar_value(code)) {
    append_utf8(out, code);
  } else {
    out.append("\xED\xA0\x80", 1); // one ill-formed byte is replaced by one U+FFFD
  }
}

} // namespace

bool reject_written(text_writer& writer, std::size_t start, errc code, std::string_view expected) {
  const std::string found = describe_token(writer.since(start), 0);
  return writer.fail(code, expected, found);
}

bool write_character(text_writer& writer, std::uint32_t code, bool is_byte) {
  if ((is_byte && code >= 0x80) || !is_scalar_value(code)) {
    writer.natural(code);
    return true;
  }
  std::string text;
  append_utf8(text, code);
  return writer.string(text);
}

bool write_time(text_writer& writer, const ingot::detail::instant& at, ingot::detail::time_outcome outcome) {
  constexpr std::int64_t year_0 = -62'167'219'200;
  constexpr std::int64_t year_10000 = 253'402'300'800;
  if (outcome == ingot::detail::time_outcome::inexact)
    return writer.fail(errc::out_of_range, "a time in whole nanoseconds, to be written as text");
  if (outcome != ingot::detail::time_outcome::exact || at.seconds < year_0 || at.seconds >= year_10000)
    return writer.fail(errc::out_of_range, "a time between the years 0 and 9999, to be written as text");
  char text[ingot::detail::max_time_text];
  const char* const end = ingot::detail::write_time_text(text, at);
  return writer.string({text, static_cast<std::size_t>(end - text)});
}

std::string narrow(std::u16string_view text) {
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const std::uint32_t unit = text[i];
    const bool pair = unit >= 0xD800 && unit < 0xDC00 && i + 1 < text.size() && text[i + 1] >= 0xDC00 &&
                      text[i + 1] < 0xE000;
    if (pair) {
      ++i;
      append_utf8(out, 0x10000 + ((unit - 0xD800) << 10) + (text[i] - 0xDC00u));
    } else {
      append_unit(out, unit);
    }
  }
  return out;
}

std::string narrow(std::u32string_view text) {
  std::string out;
  for (const char32_t unit : text) append_unit(out, unit);
  return out;
}

void write_bits(text_writer& writer, std::size_t size, const void* bits,
                bool (*test)(const void* bits, std::size_t index)) {
  std::string digits(size, '0');
  for (std::size_t i = 0; i < size; ++i) {
    if (test(bits, i)) digits[size - 1 - i] = '1';
  }
  (void)writer.string(digits); // ASCII: cannot fail
}

void in_written_key(text_writer& writer, std::size_t start) {
  std::string_view written = writer.since(start);
  const std::size_t open = written.find('"');
  if (open == std::string_view::npos) return;
  written.remove_prefix(open + 1);
  std::size_t end = 0;
  while (end < written.size() && written[end] != '"') end += written[end] == '\\' ? 2 : 1;
  writer.error().in_key(written.substr(0, end));
}

bool sort_written(text_writer& writer, const std::vector<std::size_t>& starts) {
  if (starts.size() < 2) return true;
  const std::string copy{writer.since(starts.front())};
  std::vector<std::string_view> pieces;
  for (std::size_t i = 0; i < starts.size(); ++i) {
    const std::size_t begin = starts[i] - starts.front();
    const std::size_t end = i + 1 == starts.size() ? copy.size() : starts[i + 1] - starts.front();
    pieces.push_back(std::string_view{copy}.substr(begin, end - begin));
    if (i != 0) pieces.back().remove_prefix(1); // the comma before each piece except the first
  }
  const text_writer::listener ask{&writer};
  ingot::detail::listener_poll each(ask);
  const bool is_complete =
      ingot::detail::cancellable_sort(pieces.data(), pieces.data() + pieces.size(), std::less(), each);
  each.rethrow();
  if (!is_complete) return false;
  writer.truncate(starts.front());
  for (std::size_t i = 0; i < pieces.size(); ++i) {
    if (i != 0) writer.verbatim(",");
    writer.verbatim(pieces[i]);
  }
  return true;
}

bool reject_null(text_writer& writer, std::size_t start) {
  if (writer.options().non_finite != non_finite::null || writer.since(start) != "null") [[likely]]
    return true;
  return writer.fail(errc::out_of_range, "a finite number inside an optional, or non_finite::strings",
                     "null for NaN");
}

}}} // namespace ingot::INGOT_V1::json::detail
