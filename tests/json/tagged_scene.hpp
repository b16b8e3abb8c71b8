// SPDX-License-Identifier: Apache-2.0
// Variants whose tag is a member in JSON, in lists, optionals and maps, with and without versions.
#pragma once

#include <ingot/reflect/annotations.hpp>
#include <ingot/reflect/variant_names.hpp>

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace tagged_scene {

struct circle {
  std::int32_t radius = 1;
  std::optional<std::string> label;
};
struct square {
  std::int16_t side = 0;
};
struct point {};
struct group;
using shape = std::variant<circle, square, point, group>;
struct group {
  std::vector<shape> shapes;
};
/// Has a version, and no member for it.
struct ball {
  std::int32_t size = 0;
};
/// Has a version as its first member.
struct cone {
  std::uint16_t version = 3;
  std::int32_t height = 0;
};
using solid = std::variant<ball, cone>;
using tile = std::variant<square, point>;
/// Its tags are given, and one of them is the key.
using named = std::variant<point, square>;
struct scene {
  std::vector<shape> list;
  std::optional<shape> maybe;
  std::map<std::string, shape> by_name;
  std::map<std::int32_t, solid> by_number;
  solid one;
  ball alone;
  tile floor;
  named last;
};
inline scene filled() {
  scene s;
  s.list = {circle{2, "c"}, circle{3, {}}, group{{square{1}, group{}, point{}}}};
  s.maybe = square{4};
  s.by_name = {{"a", point{}}, {"b", group{{circle{}}}}};
  s.by_number = {{-1, ball{5}}, {7, cone{3, 6}}};
  s.one = cone{3, 8};
  s.alone = {9};
  s.floor = point{};
  s.last = square{10};
  return s;
}

} // namespace tagged_scene

template <>
inline constexpr std::string_view ingot::json::tag_key<tagged_scene::shape> = "type";
template <>
inline constexpr std::string_view ingot::json::tag_key<tagged_scene::solid> = "kind \"of\" solid";
template <>
inline constexpr std::string_view ingot::json::tag_key<tagged_scene::tile> = "tile";
template <>
inline constexpr std::string_view ingot::json::tag_key<tagged_scene::named> = "eightchr";
template <>
inline constexpr std::string_view ingot::json::variant_names<tagged_scene::named>[] = {"nothing", "eightchr"};
template <>
inline constexpr auto ingot::annotations<tagged_scene::ball> =
    ingot::annotate(ingot::type(ingot::version(2)));
template <>
inline constexpr auto ingot::annotations<tagged_scene::cone> =
    ingot::annotate(ingot::type(ingot::version(3)));
