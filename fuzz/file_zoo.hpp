// SPDX-License-Identifier: Apache-2.0
// Types of the values in the fuzz targets for files and logs.
#pragma once

#include <ingot/live/box.hpp>
#include <ingot/live/hash_map.hpp>
#include <ingot/live/live.hpp>
#include <ingot/live/map.hpp>
#include <ingot/live/optional.hpp>
#include <ingot/live/pool.hpp>
#include <ingot/live/string.hpp>
#include <ingot/live/variant.hpp>
#include <ingot/live/vector.hpp>

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace fuzz {

struct bough {
  bool green = true;
  std::string name;
  std::vector<bough> boughs;
  std::map<std::string, std::optional<std::int16_t>> leaves;
  std::variant<double, std::string> fruit;
};

struct log_entry {
  bool good = true;
  std::string text;
  std::vector<std::uint16_t> numbers;
};

/// The types of a block in an older version (`old_stem`) and in the current version (`stem`).
enum class old_wood : std::uint8_t { oak, elm };
enum class wood : std::uint16_t { elm = 7, ash = 8, oak = 9 };
struct old_ring {
  std::uint16_t year = 0;
  old_wood of = old_wood::oak;
  ingot::optional<ingot::string> note;
};
struct old_stem {
  ingot::string name;
  ingot::vector<old_ring> rings;
  ingot::hash_map<ingot::string, std::uint8_t> marks;
  ingot::map<std::int16_t, ingot::vector<ingot::string>> paths;
  ingot::pool<old_ring> loose;
  ingot::ref<old_ring> first;
  ingot::variant<std::int32_t, ingot::string> fruit;
  ingot::box<old_ring> core;
};
struct ring {
  wood of = wood::ash;
  ingot::optional<ingot::string> note;
  std::int32_t year = 1;
  float width = 0.5F;
};
struct stem {
  ingot::map<std::int64_t, ingot::vector<ingot::string>> paths;
  ingot::vector<ring> rings;
  ingot::hash_map<ingot::string, std::uint32_t> marks;
  ingot::pool<ring> loose;
  ingot::ref<ring> first;
  ingot::optional<ingot::string> name;
  ingot::variant<std::int32_t, ingot::string, double> fruit;
  ingot::box<ring> core;
};

} // namespace fuzz
