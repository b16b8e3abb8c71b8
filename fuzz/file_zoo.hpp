// SPDX-License-Identifier: Apache-2.0
// The types that the fuzz targets of files and logs pack.
#pragma once

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

} // namespace fuzz
