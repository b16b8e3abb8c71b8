// SPDX-License-Identifier: Apache-2.0
// Types that the zoo does not need: combinations in which several checks interact. Each has the
// shape of a mistake that a reader could make.
#pragma once

#include "zoo/annotated.hpp"
#include "zoo/containers.hpp"
#include "zoo/equal.hpp"
#include "zoo/records.hpp"

#include <memory>

namespace hostile {

/// Evolvable and versioned: readers look for the version in a fixed part that may be empty.
struct stamped {
  std::uint16_t version = 3;
  std::string note;
  std::uint32_t extra = 7;
};
ZOO_MEMBERS(stamped, version, note, extra)

/// Recursive through a list of elements that carry their own size.
struct branch {
  std::uint8_t value = 0;
  std::vector<branch> kids;
};
ZOO_MEMBERS(branch, value, kids)

/// Recursive through keys, which are compared before they are read.
struct burrow {
  struct hash {
    std::size_t operator()(const std::unique_ptr<burrow>& b) const noexcept { return b ? b->depth : 0; }
  };
  struct same {
    bool operator()(const std::unique_ptr<burrow>& a, const std::unique_ptr<burrow>& b) const {
      return zoo::equal(a, b);
    }
  };
  std::uint8_t depth = 0;
  std::unordered_set<std::unique_ptr<burrow>, hash, same> below;
};
ZOO_MEMBERS(burrow, depth, below)

/// Limits on members whose elements have their own checks.
struct limited {
  std::vector<zoo::interval> intervals;
  std::vector<zoo::nothing> blanks;
  std::map<std::string, std::string> names;
  std::string text;
};
ZOO_MEMBERS(limited, intervals, blanks, names, text)

/// Recursive, limited at every level.
struct pruned {
  std::uint8_t value = 0;
  std::vector<pruned> kids;
};
ZOO_MEMBERS(pruned, value, kids)

/// A check at the end of a chain of tagged values.
struct wrapped {
  std::variant<std::monostate, std::optional<zoo::interval>, std::expected<zoo::rectangle, std::string>>
      content;
  std::expected<void, std::string> done;
  std::expected<void, zoo::colour> status;
  std::optional<std::unique_ptr<std::optional<std::string>>> nested;
};
ZOO_MEMBERS(wrapped, content, done, status, nested)

/// A record of floats as a key.
struct coordinate {
  float x = 0;
  double y = 0;
  auto operator<=>(const coordinate&) const = default;
};
ZOO_MEMBERS(coordinate, x, y)

/// Floats in all their forms, also in keys, and integers with and without annotations.
struct gauge {
  double exact = 0.1;
  std::vector<float> list;
  std::map<double, std::uint32_t> by_level;
  std::int64_t balance = -1;
  std::uint32_t hash = 0;
  double rounded = 0;
  std::vector<float> path;
};
ZOO_MEMBERS(gauge, exact, list, by_level, balance, hash, rounded, path)

/// Directions and rotations, whose bytes don't belong to single numbers.
struct compass {
  std::array<float, 3> needle{0, 1, 0};
  std::array<double, 4> turn{0, 0, 0, 1};
  std::vector<std::array<float, 3>> normals;
  std::optional<std::array<double, 3>> up;
  std::array<float, 4> rough[2]{};
};
ZOO_MEMBERS(compass, needle, turn, normals, up, rough)

/// Variable arrays after other variable members, and in lists.
struct shelves {
  std::string before;
  std::string labels[2];
  std::array<std::vector<std::uint16_t>, 2> rows;
  std::array<std::array<std::string, 2>, 2> grid;
  std::string after;
};
ZOO_MEMBERS(shelves, before, labels, rows, grid, after)

template <class F>
void for_each_crafted(F&& f) {
  f.template operator()<stamped>("stamped");
  f.template operator()<std::vector<stamped>>("vector_stamped");
  f.template operator()<std::map<std::uint8_t, stamped>>("map_stamped");
  f.template operator()<branch>("branch");
  f.template operator()<burrow>("burrow");
  f.template operator()<limited>("limited");
  f.template operator()<std::vector<limited>>("vector_limited");
  f.template operator()<pruned>("pruned");
  f.template operator()<wrapped>("wrapped");
  f.template operator()<std::vector<wrapped>>("vector_wrapped");
  f.template operator()<shelves>("shelves");
  f.template operator()<std::vector<shelves>>("vector_shelves");
  f.template operator()<std::set<coordinate>>("set_coordinate");
  f.template operator()<std::set<float>>("set_float");
  f.template operator()<std::map<double, std::string>>("map_double");
  f.template operator()<std::unordered_set<double>>("unordered_set_double");
  f.template operator()<std::set<std::chrono::duration<double>>>("set_duration_double");
  f.template operator()<std::map<char, std::string>>("map_char");
  f.template operator()<std::map<bool, std::string>>("map_bool");
  f.template operator()<std::map<std::u16string, std::uint8_t>>("map_u16string");
  f.template operator()<std::map<std::filesystem::path, std::uint8_t>>("map_path");
  f.template operator()<std::set<std::vector<std::uint8_t>>>("set_vector");
  f.template operator()<std::set<std::pair<std::string, std::vector<std::string>>>>("set_pair_variable");
  f.template operator()<std::set<std::array<std::string, 2>>>("set_array_variable");
  f.template operator()<std::unordered_multimap<std::string, std::string>>("unordered_multimap_string");
  f.template operator()<std::map<std::vector<float>, std::uint8_t>>("map_vector_float");
  f.template operator()<std::unordered_map<zoo::mood, std::set<std::string>>>("unordered_map_set");
  f.template operator()<std::map<std::string, zoo::sensor_v2>>("map_evolvable");
  f.template operator()<std::variant<zoo::sensor_v1, std::vector<zoo::sensor_v2>>>("variant_evolvable");
  f.template operator()<std::optional<zoo::reading>>("optional_evolvable");
  f.template operator()<std::vector<std::array<std::string, 0>>>("vector_empty_arrays");
  f.template operator()<std::vector<std::vector<zoo::nothing>>>("vector_vector_nothing");
  f.template operator()<std::tuple<std::string, std::array<std::string, 2>, std::string>>("tuple_array");
}

/// The types that are tested with damaged compact messages: together they use each encoding of the
/// profile.
template <class F>
void for_each_compact(F&& f) {
  f.template operator()<zoo::preferences>("preferences");
  f.template operator()<std::vector<zoo::sensor_v2>>("vector_sensor_v2");
  f.template operator()<zoo::mixture>("mixture");
  f.template operator()<limited>("limited");
  f.template operator()<shelves>("shelves");
#if !defined(INGOT_SUBJECTS_SAMPLE)
  f.template operator()<zoo::customer>("customer");
  f.template operator()<std::map<std::string, std::vector<std::string>>>("map_string_vector");
  f.template operator()<wrapped>("wrapped");
  f.template operator()<std::uint32_t>("uint32");
  f.template operator()<std::string>("string");
  f.template operator()<std::unordered_multimap<std::string, std::string>>("unordered_multimap_string");
  f.template operator()<stamped>("stamped");
#endif
  f.template operator()<gauge>("gauge");
  f.template operator()<compass>("compass");
  f.template operator()<std::map<std::vector<float>, std::uint8_t>>("map_vector_float");
}

} // namespace hostile

template <>
inline constexpr auto ingot::annotations<hostile::stamped> =
    ingot::annotate(ingot::type(ingot::evolvable, ingot::version(3)));
template <>
inline constexpr auto ingot::annotations<hostile::branch> = ingot::annotate(ingot::type(ingot::evolvable));
template <>
inline constexpr auto ingot::annotations<hostile::limited> =
    ingot::annotate(ingot::member<"intervals">(ingot::max_size(9)),
                    ingot::member<"blanks">(ingot::max_size(60'000)),
                    ingot::member<"names">(ingot::max_size(9)), ingot::member<"text">(ingot::utf8));
template <>
inline constexpr auto ingot::annotations<hostile::pruned> =
    ingot::annotate(ingot::member<"kids">(ingot::max_size(9)));
template <>
inline constexpr auto ingot::annotations<hostile::gauge> =
    ingot::annotate(ingot::type(ingot::tight), ingot::member<"hash">(ingot::fixed),
                    ingot::member<"rounded">(ingot::quantize(0.01)),
                    ingot::member<"path">(ingot::quantize(0.25)));
template <>
inline constexpr auto ingot::annotations<hostile::compass> =
    ingot::annotate(ingot::type(ingot::tight), ingot::member<"needle">(ingot::unit_vector(16)),
                    ingot::member<"turn">(ingot::unit_vector),
                    ingot::member<"normals">(ingot::unit_vector(24)), ingot::member<"up">(ingot::unit_vector),
                    ingot::member<"rough">(ingot::unit_vector(40)));

namespace zoo {
template <>
struct sampler<hostile::compass> {
  // along axes and diagonals, which are read back unchanged
  static hostile::compass make(source& s) {
    hostile::compass v;
    const auto along = [&s]<class A>(A& all) {
      all = {};
      all[static_cast<std::size_t>(s.between(0, 2))] = 1;
    };
    along(v.needle);
    if (s.between(0, 1) != 0) v.turn = {0.5, -0.5, 0.5, 0.5};
    v.normals.resize(s.size());
    for (auto& normal : v.normals) along(normal);
    if (s.between(0, 1) != 0) along(v.up.emplace());
    along(v.rough[1]);
    return v;
  }
};
template <>
struct sampler<hostile::gauge> {
  // already rounded, so that the read value equals the written one
  static hostile::gauge make(source& s) {
    hostile::gauge v;
    v.exact = static_cast<double>(s.between(0, 400)) / 10;
    fill(v.list, s);
    fill(v.by_level, s);
    fill(v.balance, s);
    fill(v.hash, s);
    v.rounded = static_cast<double>(s.between(0, 100'000)) / 100;
    v.path.resize(s.size());
    for (auto& step : v.path) step = static_cast<float>(s.between(0, 4'000)) / 4 - 500;
    return v;
  }
};
template <>
struct sampler<hostile::stamped> {
  static hostile::stamped make(source& s) {
    hostile::stamped v;
    fill(v.note, s);
    fill(v.extra, s);
    return v;
  }
};
} // namespace zoo
