// SPDX-License-Identifier: Apache-2.0
// The iso-codes package as structs: countries, their subdivisions, languages, currencies, scripts.
#pragma once

#include <ingot/json/json.hpp>
#include <ingot/reflect/annotations.hpp>

#include <fstream>
#include <optional>
#include <sstream>
#include <string>
#include <vector>

namespace demo {

struct Country {
  std::string alpha_2;
  std::string alpha_3;
  std::string flag;
  std::string name;
  std::string numeric;
  std::optional<std::string> official_name;
  std::optional<std::string> common_name;
  bool operator==(const Country&) const = default;
};
struct Subdivision {
  std::string code;
  std::string name;
  std::string type;
  std::optional<std::string> parent;
  bool operator==(const Subdivision&) const = default;
};
enum class Scope : std::uint8_t { I, M, S }; // individual, macrolanguage, special
enum class Life : std::uint8_t {
  L,
  E,
  A,
  H,
  C,
  S
}; // living, extinct, ancient, historical, constructed, special
struct Language {
  std::string alpha_3;
  std::string name;
  Scope scope;
  Life type;
  std::optional<std::string> alpha_2;
  std::optional<std::string> inverted_name;
  std::optional<std::string> common_name;
  std::optional<std::string> bibliographic;
  bool operator==(const Language&) const = default;
};
struct Currency {
  std::string alpha_3;
  std::string name;
  std::string numeric;
  bool operator==(const Currency&) const = default;
};
struct Script {
  std::string alpha_4;
  std::string name;
  std::string numeric;
  bool operator==(const Script&) const = default;
};
struct Atlas {
  std::vector<Country> countries;
  std::vector<Subdivision> subdivisions;
  std::vector<Language> languages;
  std::vector<Currency> currencies;
  std::vector<Script> scripts;
  bool operator==(const Atlas&) const = default;

  std::size_t records() const {
    return countries.size() + subdivisions.size() + languages.size() + currencies.size() + scripts.size();
  }
};

// Each file is an object with one member, whose name is the standard's number.
template <class Record>
struct File {
  std::vector<Record> records;
};

} // namespace demo

template <>
inline constexpr auto ingot::annotations<demo::File<demo::Country>> =
    ingot::annotate(ingot::member<"records">(ingot::rename("3166-1")));
template <>
inline constexpr auto ingot::annotations<demo::File<demo::Subdivision>> =
    ingot::annotate(ingot::member<"records">(ingot::rename("3166-2")));
template <>
inline constexpr auto ingot::annotations<demo::File<demo::Language>> =
    ingot::annotate(ingot::member<"records">(ingot::rename("639-3")));
template <>
inline constexpr auto ingot::annotations<demo::File<demo::Currency>> =
    ingot::annotate(ingot::member<"records">(ingot::rename("4217")));
template <>
inline constexpr auto ingot::annotations<demo::File<demo::Script>> =
    ingot::annotate(ingot::member<"records">(ingot::rename("15924")));

namespace demo {

template <class Record>
ingot::result<std::vector<Record>> read_file(const std::string& path) {
  std::ifstream file(path);
  if (!file)
    return ingot::fail(ingot::error{ingot::errc::io}.with_expected("a readable file").with_found(path));
  std::ostringstream text;
  text << file.rdbuf();
  auto whole = ingot::json::read<File<Record>>(text.str());
  if (!whole) return ingot::fail(whole.error());
  return std::move(whole->records);
}

inline ingot::result<Atlas> read_atlas(const std::string& folder) {
  Atlas atlas;
  const auto read = [&]<class Record>(std::vector<Record>& into, const char* name) -> ingot::result<void> {
    auto records = read_file<Record>(folder + "/" + name);
    if (!records) return ingot::fail(records.error());
    into = std::move(*records);
    return {};
  };
  if (auto r = read(atlas.countries, "iso_3166-1.json"); !r) return ingot::fail(r.error());
  if (auto r = read(atlas.subdivisions, "iso_3166-2.json"); !r) return ingot::fail(r.error());
  if (auto r = read(atlas.languages, "iso_639-3.json"); !r) return ingot::fail(r.error());
  if (auto r = read(atlas.currencies, "iso_4217.json"); !r) return ingot::fail(r.error());
  if (auto r = read(atlas.scripts, "iso_15924.json"); !r) return ingot::fail(r.error());
  return atlas;
}

} // namespace demo
