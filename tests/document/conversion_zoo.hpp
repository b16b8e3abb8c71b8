// SPDX-License-Identifier: Apache-2.0
// One member of each of the less common types.
#pragma once

#include <ingot/reflect/variant_names.hpp>

#include <algorithm>
#include <array>
#include <bitset>
#include <complex>
#include <cstdint>
#include <expected>
#include <filesystem>
#include <limits>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <unordered_map>
#include <utility>
#include <variant>
#include <vector>

namespace document_conversion_types {

struct circle {
  double radius = 0;
  bool operator==(const circle&) const = default;
};
struct square {
  double side = 0;
  bool operator==(const square&) const = default;
};
using shape = std::variant<circle, square>;
enum class colour : std::uint8_t { red = 1, green };
struct everything {
  shape what;
  std::variant<std::monostate, int, std::string> any;
  std::expected<int, std::string> good;
  std::expected<std::vector<int>, int> bad;
  std::expected<void, std::string> nothing;
  std::complex<double> z;
  std::bitset<12> bits;
  std::filesystem::path where;
  std::optional<std::optional<int>> maybe;
  std::unique_ptr<std::optional<int>> box;
  char name[8] = {};
  std::array<char, 3> code{};
  char letter = 'x';
  std::map<int, std::string> by_number;
  std::map<colour, int> by_colour;
  std::map<std::pair<int, int>, std::string> by_place;
  std::multimap<std::string, int> many;
  std::multiset<int> numbers;
  std::unordered_map<std::uint64_t, bool> flags;
};

inline everything sample() {
  everything e;
  e.what = square{2.5};
  e.any = "text";
  e.good = 5;
  e.bad = std::unexpected(7);
  e.z = {1.5, -2};
  e.bits = 0b1010'0000'0011;
  e.where = "a/folder/file";
  e.maybe = std::optional<int>{};
  e.box = std::make_unique<std::optional<int>>(3);
  std::copy_n("12345678", 8, e.name); // no byte is left for a NUL
  e.code = {'a', 'b', '\0'};
  e.by_number = {{-5, "minus five"}, {0, "zero"}, {1'000'000, "million"}};
  e.by_colour = {{colour::green, 2}};
  e.by_place = {{{1, 2}, "here"}, {{3, 4}, "there"}};
  e.many = {{"a", 1}, {"a", 2}};
  e.numbers = {1, 1, 2};
  e.flags = {{std::numeric_limits<std::uint64_t>::max(), true}};
  return e;
}

} // namespace document_conversion_types

template <>
inline constexpr std::string_view ingot::json::variant_names<document_conversion_types::shape>[] = {"circle",
                                                                                                    "square"};
