// SPDX-License-Identifier: Apache-2.0
#include "byte_range.hpp"

#include "cli_support.hpp"
#include "text.hpp"

#include <charconv>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace tool {

namespace {

[[nodiscard]] std::uint64_t number_of(std::string_view text, std::string_view whole,
                                      std::uint64_t otherwise) {
  if (text.empty()) return otherwise;
  const bool is_hex = text.starts_with("0x") || text.starts_with("0X");
  const std::string_view digits = is_hex ? text.substr(2) : text;
  std::uint64_t number = 0;
  const auto [end, failed] =
      std::from_chars(digits.data(), digits.data() + digits.size(), number, is_hex ? 16 : 10);
  if (digits.empty() || failed != std::errc{} || end != digits.data() + digits.size())
    throw failure(sentence("range " + quote(whole), "FROM..TO, positions in bytes, without TO", "",
                           "write 64..128, or 0x40..0x80"),
                  exit_code::usage);
  return number;
}

} // namespace

byte_range parse_range(const std::string& whole) {
  byte_range parsed;
  if (whole.empty()) return parsed;
  const std::string_view text = whole;
  const std::size_t dots = text.find("..");
  parsed.from = number_of(text.substr(0, dots), text, 0);
  if (dots == std::string_view::npos) parsed.to = parsed.from + 1;
  else parsed.to = number_of(text.substr(dots + 2), text, parsed.to);
  if (parsed.from >= parsed.to)
    throw failure(sentence("range " + quote(whole), "FROM..TO, with FROM less than TO", "",
                           "write 64..128, or 0x40..0x80"),
                  exit_code::usage);
  return parsed;
}

void expect_in(const byte_range& range, std::uint64_t size, const std::string& name) {
  if (range.from == 0 || range.from < size) return;
  throw failure(
      sentence("range from " + std::to_string(range.from), "an offset in " + name, counted(size, "byte"), ""),
      exit_code::usage);
}

} // namespace tool
