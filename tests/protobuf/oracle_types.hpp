// SPDX-License-Identifier: Apache-2.0
// Types whose messages are exchanged with protobuf's own code.
#pragma once

#include <ingot/reflect/annotations.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <tuple>
#include <unordered_map>
#include <variant>
#include <vector>

namespace oracle_types {

enum class mood : std::int8_t { angry = -1, calm = 0, glad = 70 };

struct item {
  std::uint32_t id = 0;
  std::optional<std::string> name;
  mood of = mood::calm;
  friend bool operator==(const item&, const item&) = default;
};
struct world {
  bool open = false;
  std::int8_t least = 0;
  std::int64_t balance = 0;
  std::uint64_t most = 0;
  float ratio = 0;
  double exact = 0;
  std::string title;
  std::u16string wide;
  std::vector<std::byte> blob;
  char code[4] = {};
  std::array<std::int32_t, 3> steps{};
  std::vector<mood> moods;
  std::vector<double> samples;
  std::vector<std::string> words;
  std::vector<item> items;
  std::vector<std::vector<std::uint32_t>> rows;
  item first;
  std::optional<item> second;
  std::optional<std::uint32_t> zero;
  std::map<std::string, item> by_name;
  std::unordered_map<std::int32_t, std::string> by_number;
  std::map<mood, std::vector<bool>> by_mood;
  std::variant<std::uint32_t, std::string, item> choice;
  std::tuple<std::int32_t, std::string> pair;
  std::unique_ptr<world> inner;
};

} // namespace oracle_types

template <>
inline constexpr auto ingot::annotations<oracle_types::world> =
    ingot::annotate(ingot::member<"title">(ingot::field_number(100)));
