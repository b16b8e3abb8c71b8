// SPDX-License-Identifier: Apache-2.0
// Types whose objects in documents may be of earlier versions. The version is in a member or under
// "$version". Upgrades reject some objects, and objects are nested.
#pragma once

#include <ingot/document/document.hpp>
#include <ingot/reflect/annotations.hpp>
#include <ingot/schema/previous.hpp>

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace fuzz {

struct room_v1 {
  std::uint32_t version = 1;
  std::string name;
  std::int32_t inches = 0;
};
struct room_v2 {
  std::uint32_t version = 2;
  std::string name;
  std::int64_t millimetres = 0;
};
/// Versions 3 and 4 are read in the same way.
struct room {
  std::uint32_t version = 4;
  std::string name;
  std::optional<std::int64_t> micrometres;
  std::vector<room> closets;
  bool operator==(const room&) const = default;
};
/// This version has no member for the version number.
struct pet_v1 {
  std::string kind;
};
struct pet {
  std::string species;
  std::uint8_t legs = 4;
  bool operator==(const pet&) const = default;
};
struct house {
  std::vector<room> rooms;
  std::map<std::string, pet> pets;
  std::optional<room> attic;
  bool operator==(const house&) const = default;
};

} // namespace fuzz

template <>
inline constexpr auto ingot::annotations<fuzz::room_v1> = ingot::annotate(ingot::type(ingot::version(1)));
template <>
inline constexpr auto ingot::annotations<fuzz::room_v2> = ingot::annotate(ingot::type(ingot::version(2)));
template <>
inline constexpr auto ingot::annotations<fuzz::room> = ingot::annotate(ingot::type(ingot::version(4)));
template <>
inline constexpr auto ingot::annotations<fuzz::pet_v1> = ingot::annotate(ingot::type(ingot::version(1)));
template <>
inline constexpr auto ingot::annotations<fuzz::pet> = ingot::annotate(ingot::type(ingot::version(2)));

template <>
struct ingot::previous<fuzz::room_v2> {
  using type = fuzz::room_v1;
  static result<fuzz::room_v2> upgrade(fuzz::room_v1&& old) {
    if (old.inches < 0) return fail(errc::invalid_value);
    return fuzz::room_v2{.name = std::move(old.name), .millimetres = old.inches * std::int64_t{254} / 10};
  }
};
template <>
struct ingot::previous<fuzz::room> {
  using type = fuzz::room_v2;
  static fuzz::room upgrade(fuzz::room_v2&& old) {
    fuzz::room current;
    current.name = std::move(old.name);
    if (old.millimetres > 0 && old.millimetres < 1'000'000) current.micrometres = old.millimetres * 1000;
    return current;
  }
};
template <>
struct ingot::previous<fuzz::pet> {
  using type = fuzz::pet_v1;
  static void upgrade(const fuzz::pet_v1& old, fuzz::pet& current) {
    current.species = old.kind;
    current.legs = old.kind == "bird" ? 2 : 4;
  }
};

namespace fuzz {

/// Checks a value read from a document: all its objects have the current version, and a round trip
/// through a document gives an equal value. Returns a contradiction, or empty text.
inline std::string read_former(const ingot::value& from) {
  const auto outcome = from.as_evolved<house>();
  static_cast<void>(from.as_evolved<std::vector<pet>>());
  if (!outcome) return {};
  const auto is_current = [](const auto& self, const room& each) -> bool {
    if (each.version != 4) return false;
    for (const room& closet : each.closets) {
      if (!self(self, closet)) return false;
    }
    return true;
  };
  for (const room& each : outcome->rooms) {
    if (!is_current(is_current, each)) return "an object of an earlier version was not brought up to date";
  }
  if (outcome->attic && !is_current(is_current, *outcome->attic))
    return "an object of an earlier version in an optional was not brought up to date";
  bool all_current = true;
  if (const auto strict = from.as<house>(); strict) {
    for (const room& each : strict->rooms) all_current = all_current && is_current(is_current, each);
    if (strict->attic) all_current = all_current && is_current(is_current, *strict->attic);
    if (all_current && *strict != *outcome) return "what is of today is read otherwise where it may be older";
  }
  ingot::document again(ingot::max_block_size{std::size_t{8} << 20});
  again = *outcome;
  const auto back = again.root().as<house>();
  if (!back) return "what was read can't be read back: " + back.error().message();
  return *back == *outcome ? "" : "what was read comes back otherwise";
}

/// Returns the seeds: objects of all versions, with and without a version, and objects that are
/// rejected.
inline std::vector<std::pair<std::string, ingot::document>> former_documents() {
  std::vector<std::pair<std::string, ingot::document>> all;
  const auto storage_capacity = [](std::uint32_t version) {
    ingot::document one;
    if (version == 1) one = room_v1{1, "hall", 120};
    else if (version == 2) one = room_v2{2, "hall", 3'000};
    else one = room{4, "hall", 3'000'000, {}};
    one["version"] = version;
    return one;
  };
  for (std::uint32_t version = 0; version <= 5; ++version) {
    ingot::document doc;
    doc = house{};
    static_cast<void>(doc["rooms"].append(storage_capacity(version)));
    static_cast<void>(doc["rooms"].append(storage_capacity(version % 4 + 1)));
    doc["attic"] = storage_capacity(4);
    static_cast<void>(doc["attic"]["closets"].append(storage_capacity(version)));
    all.emplace_back("version_" + std::to_string(version), doc);
  }
  ingot::document pets;
  pets = house{};
  pets["pets"]["old"] = std::map<std::string, std::string>{{"kind", "bird"}};
  pets["pets"]["old"]["$version"] = 1;
  pets["pets"]["new"] = pet{"cat", 4};
  pets["pets"]["new"]["$version"] = 2;
  all.emplace_back("pets", pets);
  pets["pets"]["new"]["$version"] = "2";
  all.emplace_back("version_of_text", pets);
  ingot::document rejected;
  rejected = house{};
  static_cast<void>(rejected["rooms"].append(room_v1{1, "cellar", -1}));
  all.emplace_back("refused", rejected);
  return all;
}

} // namespace fuzz
