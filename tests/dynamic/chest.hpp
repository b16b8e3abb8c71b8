// SPDX-License-Identifier: Apache-2.0
// A type with a member of every kind that messages have, and a value of it.
#pragma once

#include <ingot/reflect/annotations.hpp>

#include <array>
#include <bitset>
#include <chrono>
#include <complex>
#include <cstddef>
#include <cstdint>
#include <expected>
#include <limits>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <tuple>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <variant>
#include <vector>

namespace dynamic_chest {

enum class metal : std::int16_t { lead = -2, copper = 0, gold = 70 };
enum class mark : std::uint8_t { none, seal = 7 };

struct coin {
  metal of = metal::copper;
  std::uint64_t worth = 0;
  friend bool operator==(const coin&, const coin&) = default;
  friend auto operator<=>(const coin&, const coin&) = default;
};
struct label {
  std::string text;
  std::uint32_t year = 0;
  friend bool operator==(const label&, const label&) = default;
  friend auto operator<=>(const label&, const label&) = default;
};
struct box { // contains itself
  std::string name;
  std::vector<box> inner;
  std::unique_ptr<box> lid;
};
struct note { // evolvable
  std::string text;
  std::uint16_t page = 0;
  std::vector<std::string> margins;
};
struct tally { // integers with the necessary number of bytes
  std::uint32_t count = 0;
  std::int64_t balance = 0;
  float ratio = 0;
  double exact = 0;
  std::uint32_t plain = 0;
  std::vector<std::int32_t> steps;
  std::array<std::uint16_t, 3> three{};
};
struct taste { // omits members that equal their default
  bool loud = true;
  std::uint8_t level = 50;
  std::string tongue = "en";
  std::optional<std::uint32_t> depth = 24;
  label last;
};

struct gauge { // minimum number of bytes, some with fewer digits
  double tenth = 0.1;
  double third = 1.0 / 3;
  float whole = 159;
  double large = 1e300;
  std::uint64_t count = 7;
  std::uint32_t hash = 0;
  double rounded = 0;
  std::vector<float> path;
  std::map<double, float> levels;
};

struct chest {
  bool shut = true;
  char letter = 'x';
  char32_t rune = U'\u20AC';
  std::byte raw{0xA5};
  std::int8_t least = -128;
  std::uint64_t most = std::numeric_limits<std::uint64_t>::max();
  float third = 1.0F / 3;
  double tenth = 0.1;
  metal of = metal::gold;
  mark sign = static_cast<mark>(99);
  std::chrono::milliseconds wait{-5};
  std::chrono::sys_time<std::chrono::seconds> when{std::chrono::seconds{1'700'000'000}};
  std::complex<float> wave{1.5F, -2};
  std::bitset<11> flags{0x55A};
  std::array<std::array<std::int16_t, 2>, 2> matrix{{{1, -2}, {3, -4}}};
  char code[4] = {'a', 'b', 0, 0};
  std::string name = "chest";
  std::u16string wide = u"w\u00EFde \U0001F5DD";
  std::vector<std::byte> blob{std::byte{1}, std::byte{255}};
  std::vector<coin> coins{{metal::lead, 1}, {metal::gold, 1'000'000}};
  std::vector<label> labels{{"one", 1}, {"", 2}, {"three", 3}};
  std::vector<std::vector<std::string>> rows{{"a"}, {}, {"b", "cc"}};
  std::array<std::string, 2> ends{"first", "last"};
  std::optional<coin> lucky = coin{metal::gold, 7};
  std::optional<std::string> absent;
  std::optional<std::optional<std::uint8_t>> maybe = std::optional<std::uint8_t>();
  std::variant<std::monostate, std::uint32_t, label> choice = label{"chosen", 5};
  std::variant<std::uint8_t, double> small = 2.5;
  std::expected<std::string, std::uint16_t> outcome = std::unexpected(std::uint16_t{404});
  std::expected<void, std::string> done;
  std::tuple<std::uint8_t, std::string, std::pair<std::int32_t, bool>> triple{9, "t", {-1, true}};
  std::set<std::string> words{"b", "", "a"};
  std::multiset<std::int16_t> dice{6, -1, 6};
  std::unordered_set<std::uint32_t> numbers{1, 256, 65'536};
  std::map<metal, label> by_metal{{metal::lead, {"heavy", 1}}, {metal::gold, {"dear", 2}}};
  std::map<std::string, std::vector<std::uint16_t>> by_name{{"x", {1, 2}}, {"a", {}}};
  std::map<label, std::uint8_t> by_label{{{"b", 1}, 1}, {{"a", 2}, 2}, {{"a", 1}, 3}};
  std::multimap<double, std::string> by_weight{{1.5, "a"}, {-2, "b"}, {1.5, "c"}};
  std::unordered_map<std::string, std::uint8_t> by_word{{"zz", 1}, {"a", 2}, {"aa", 3}};
  std::unordered_multimap<std::int64_t, std::string> by_number{{-1, "y"}, {5, "b"}, {5, "a"}, {5, "b"}};
  box nest;
  std::vector<note> notes{{"n", 1, {"m"}}, {"", 2, {}}};
  note last{"last", 3, {}};
  tally sums{300, -70'000, 0.5F, 0.1, 5, {0, -1, 1000}, {1, 200, 40'000}};
  std::vector<taste> tastes;
  std::vector<std::monostate> nothing{3};
  std::vector<gauge> gauges;
};

inline chest filled() {
  chest chest_value;
  chest_value.nest.name = "outer";
  chest_value.nest.inner.push_back({"inner", {}, nullptr});
  chest_value.nest.inner.push_back({"other", {}, std::make_unique<box>()});
  chest_value.nest.inner[1].lid->name = "deep";
  chest_value.tastes.resize(3);
  chest_value.tastes[1].level = 1;
  chest_value.tastes[1].depth = std::nullopt;
  chest_value.gauges.resize(2);
  chest_value.gauges[1] = {
      -273.15, -0.0, 0.1F, 1.0F / 3, 300, 0xCAFE, 12.34, {0.25F, -1'000, 0.5F}, {{-1.5, 1e-6F}, {0.1, 160}}};
  chest_value.tastes[2] = {false, 0, "de", 8, {"x", 1}};
  return chest_value;
}

} // namespace dynamic_chest

template <>
inline constexpr auto ingot::annotations<dynamic_chest::mark> =
    ingot::annotate(ingot::type(ingot::open_enum));
template <>
inline constexpr auto ingot::annotations<dynamic_chest::note> =
    ingot::annotate(ingot::type(ingot::evolvable));
template <>
inline constexpr auto ingot::annotations<dynamic_chest::taste> =
    ingot::annotate(ingot::type(ingot::elide_defaults));
template <>
inline constexpr auto ingot::annotations<dynamic_chest::tally> =
    ingot::annotate(ingot::type(ingot::varint, ingot::short_float), ingot::member<"plain">(ingot::fixed));
template <>
inline constexpr auto ingot::annotations<dynamic_chest::gauge> =
    ingot::annotate(ingot::type(ingot::tight), ingot::member<"hash">(ingot::fixed),
                    ingot::member<"rounded">(ingot::quantize(0.01)),
                    ingot::member<"path">(ingot::quantize(0.25)));
