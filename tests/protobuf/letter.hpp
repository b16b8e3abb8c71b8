// SPDX-License-Identifier: Apache-2.0
// A type with values of any kind in every position that a message can have for them, and a value of
// it.
#pragma once

#include <ingot/core/bytes.hpp>
#include <ingot/document/archive.hpp>
#include <ingot/document/document.hpp>

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <variant>
#include <vector>

namespace protobuf_letter {

struct letter {
  std::uint32_t id = 0;
  ingot::document body;
  std::vector<ingot::document> pages;
  std::optional<ingot::document> note;
  std::map<std::string, ingot::document> by_name;
  std::variant<std::uint32_t, ingot::document> either;
  std::tuple<ingot::document, bool> pair;
  std::array<ingot::document, 2> both;
};
inline letter filled_letter() {
  letter value;
  value.id = 7;
  value.body["to"] = "Ann";
  value.body["count"] = 300;
  value.body["raw"] = ingot::as_bytes_view(std::string_view("\1\2"));
  value.body["deep"] = std::map<std::string, std::vector<double>>{{"list", {0.5, -1}}};
  value.pages.resize(3);
  value.pages[1] = ingot::document("second");
  value.pages[2] = value.body;
  value.by_name["none"];
  value.by_name["some"] = value.body;
  value.either = ingot::document(std::uint64_t{1} << 63);
  std::get<0>(value.pair) = ingot::document(true);
  value.both[1] = ingot::document("");
  return value;
}

} // namespace protobuf_letter
