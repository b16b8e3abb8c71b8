// SPDX-License-Identifier: Apache-2.0
// Checks the library's promises about arbitrary text: the body of the fuzz target, and of the unit
// test that replays its seeds.
//
// A text is either rejected with an error at a position in the text, or read as a value. The value
// is written, read again and written again; both texts must be equal. Reading into a new object and
// into a used object give the same results. A broken promise ends the process, which a fuzzer
// detects.
#pragma once

#include <ingot/json/json.hpp>

#include "limits.hpp"

#include <array>
#include <bitset>
#include <chrono>
#include <complex>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <expected>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <tuple>
#include <unordered_map>
#include <variant>
#include <vector>

namespace json_fuzz {

enum class colour : std::uint8_t { red, green, blue };
enum class rights : std::uint16_t { read = 1, write = 2, run = 256 }; ///< flags
enum class code : std::int32_t { none, some = -7 };                   ///< open

struct tree {
  std::int16_t value = 0;
  std::vector<tree> children;
  std::unique_ptr<tree> next;
};

/// The older version of this type has another name for `b`.
struct upgraded {
  int a = 0;
  std::string b;
};

enum class mood : std::uint8_t { glad, unhappy }; ///< `unhappy` was named `sad` before
/// Version 1 had a member `a`. Version 2 renamed it to `b`. Version 3 has a new member `a` with
/// another meaning.
struct renamed {
  std::int64_t b = 0;
  std::int64_t a = 7;
  std::string title;
  std::optional<std::string> theme;
  mood feels = mood::glad;
};
struct earlier {
  std::int32_t kilometres = 0;
};
/// The upgrade to this type may fail.
struct later {
  std::int32_t metres = 0;
  std::vector<std::string> words;
};
struct deposit_2 {
  std::int32_t cents = 0;
};
struct evolved {
  std::vector<renamed> names;
  std::vector<later> versions;
  std::variant<later, deposit_2> either;
  std::map<mood, renamed> by_mood;
};

/// Alternatives of a variant whose tag is a member.
struct circle {
  float radius = 0;
  std::optional<std::string> name;
};
struct group;
struct nothing {};
/// The older version of this type has another member.
struct square {
  int side = 0;
};
struct square_1 {
  int half = 0;
};
using shape = std::variant<circle, square, nothing, group>;
struct group {
  std::vector<shape> shapes;
  renamed label;
};

struct everything {
  bool flag = false;
  std::int8_t i8 = 0;
  std::uint64_t u64 = 0;
  std::int64_t i64 = 0;
  float f = 0;
  double d = 0;
  char32_t character = U'a';
  colour tint = colour::red;
  std::string text;
  std::u16string wide;
  char name[8] = {};
  std::array<int, 2> pair{};
  std::vector<float> floats;
  std::vector<bool> bits;
  std::map<std::string, std::optional<int>> by_text;
  std::map<int, std::string> by_number;
  std::multimap<colour, int> many;
  std::unordered_map<std::string, std::vector<std::string>> hashed;
  std::set<std::string> words;
  std::optional<std::optional<bool>> nested;
  std::variant<std::monostate, int, std::string> either;
  std::expected<int, std::string> outcome;
  std::tuple<int, bool> tuple;
  std::complex<double> complex;
  std::bitset<5> set_bits;
  std::chrono::milliseconds time{};
  tree root;
  std::vector<upgraded> upgrades;
  rights may{};
  std::vector<rights> rights_of;
  std::map<rights, int> by_rights;
  code number{};
  std::map<code, int> by_code;
  std::chrono::sys_time<std::chrono::milliseconds> at;
  std::optional<std::chrono::sys_days> day;
  char unit = 0;
  std::map<char, int> by_unit;
  std::vector<shape> shapes;
};

} // namespace json_fuzz

template <>
inline constexpr auto ingot::annotations<json_fuzz::rights> = ingot::annotate(ingot::type(ingot::flags));
template <>
inline constexpr auto ingot::annotations<json_fuzz::code> = ingot::annotate(ingot::type(ingot::open_enum));
template <>
inline constexpr auto ingot::annotations<json_fuzz::mood> =
    ingot::annotate(ingot::enumerator<json_fuzz::mood::unhappy>(ingot::renamed_from("sad")));
template <>
inline constexpr auto ingot::annotations<json_fuzz::renamed> =
    ingot::annotate(ingot::member<"b">(ingot::renamed_from("a")),
                    ingot::member<"title">(ingot::renamed_from("caption", "name")),
                    ingot::member<"theme">(ingot::renamed_from("skin")));
template <>
inline constexpr auto ingot::annotations<json_fuzz::deposit_2> =
    ingot::annotate(ingot::type(ingot::renamed_from("deposit")));
template <>
inline constexpr auto ingot::annotations<json_fuzz::earlier> =
    ingot::annotate(ingot::type(ingot::version(1)));
template <>
inline constexpr auto ingot::annotations<json_fuzz::later> =
    ingot::annotate(ingot::type(ingot::version(3)), ingot::member<"metres">(ingot::range(-100000, 100000)),
                    ingot::member<"words">(ingot::since(3)));
template <>
struct ingot::previous<json_fuzz::later> {
  using type = json_fuzz::earlier;
  static ingot::result<json_fuzz::later> upgrade(json_fuzz::earlier&& old) {
    if (old.kilometres < 0) return std::unexpected(ingot::error{ingot::errc::invalid_value});
    return json_fuzz::later{static_cast<std::int32_t>(std::int64_t{old.kilometres} * 1000 % 1'000'000),
                            {"upgraded"}};
  }
};
template <>
inline constexpr std::string_view ingot::json::tag_key<json_fuzz::shape> = "type";
template <>
inline constexpr auto ingot::annotations<json_fuzz::nothing> =
    ingot::annotate(ingot::type(ingot::renamed_from("void")));
template <>
inline constexpr auto ingot::annotations<json_fuzz::square_1> =
    ingot::annotate(ingot::type(ingot::version(1)));
template <>
inline constexpr auto ingot::annotations<json_fuzz::square> = ingot::annotate(ingot::type(ingot::version(2)));
template <>
struct ingot::previous<json_fuzz::square> {
  using type = json_fuzz::square_1;
  static ingot::result<json_fuzz::square> upgrade(json_fuzz::square_1&& old) {
    return json_fuzz::square{static_cast<int>(2U * static_cast<unsigned>(old.half))};
  }
};
template <>
inline constexpr auto ingot::annotations<json_fuzz::upgraded> =
    ingot::annotate(ingot::type(ingot::version(2)));
template <>
inline constexpr ingot::json::upgrade ingot::json::upgrades<json_fuzz::upgraded>[] = {
    {1,
     [](ingot::json::object_editor& object) -> ingot::result<void> {
       object.rename("old", "b");
       return {};
     }},
};

namespace json_fuzz {

inline void require(bool promise, const char* what) {
  if (promise) return;
  std::fprintf(stderr, "broken promise: %s\n", what);
  std::abort();
}

template <class T>
void check(std::string_view text, const ingot::json::read_options& options) {
  namespace json = ingot::json;
  constexpr json::write_options writing{.non_finite = json::non_finite::strings, .max_depth = 256};
  constexpr json::read_options reading{.non_finite = json::non_finite::strings, .max_depth = 256};

  const auto value = json::read<T>(text, options);
  T used{};
  if (value) (void)json::read_into(used, json::write(*value, writing).value_or(""), reading);
  const auto again = json::read_into(used, text, options);
  require(value.has_value() == again.has_value() || options.missing_keys == json::missing_keys::keep,
          "fresh and used objects accept the same texts");
  const auto said = fuzz::read_with_limit(
      8 * std::uint64_t{text.size()},
      [&](std::uint64_t limit) {
        auto limited = options;
        limited.max_memory = limit;
        return json::read<T>(text, limited);
      },
      [&](const T& a, const T& b) { return *json::write(a, writing) == *json::write(b, writing); });
  require(said.empty(), said.c_str());
  if (!value) {
    require(value.error().offset() <= text.size(), "an error lies inside the text");
    require(value.error().line() > 0 && value.error().column() > 0, "an error has a line and a column");
    require(!value.error().message().empty(), "an error has a message");
    return;
  }
  const auto written = json::write(*value, writing);
  require(written.has_value(), "what was read can be written");
  require(json::write(used, writing) == *written || options.missing_keys == json::missing_keys::keep,
          "fresh and used objects hold the same value");
  const auto back = json::read<T>(*written, reading);
  require(back.has_value(), "what was written can be read");
  require(json::write(*back, writing) == *written, "what was read again is the same value");
}

/// Runs the checks. The first byte chooses the options; the rest is the text.
inline void run(const std::uint8_t* data, std::size_t size) {
  namespace json = ingot::json;
  if (size == 0) return;
  const unsigned bits = data[0];
  json::read_options options;
  if ((bits & 1) != 0) options.unknown_keys = json::unknown_keys::ignore;
  if ((bits & 2) != 0)
    options.missing_keys = (bits & 128) != 0 ? json::missing_keys::keep : json::missing_keys::use_defaults;
  if ((bits & 4) != 0) options.duplicate_keys = json::duplicate_keys::last_wins;
  if ((bits & 8) != 0) options.duplicate_keys = json::duplicate_keys::first_wins;
  if ((bits & 16) != 0) options.non_finite = json::non_finite::strings;
  if ((bits & 32) != 0) options.non_finite = json::non_finite::null;
  if ((bits & 64) != 0) options.comments = json::comments::allow;
  if ((bits & 96) == 96) options.trailing_commas = json::trailing_commas::allow;
  // A copy of exactly the text's size, so that a sanitizer detects any read past the end.
  const std::vector<char> copy(data + 1, data + size);
  const std::string_view text(copy.data(), copy.size());
  check<everything>(text, options);
  check<evolved>(text, options);
  check<tree>(text, options);
  check<std::vector<double>>(text, options);
}

} // namespace json_fuzz
