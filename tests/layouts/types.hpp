// SPDX-License-Identifier: Apache-2.0
// The types whose layouts the leg `layouts` compares: each container of a block, and the records of
// the zoo that blocks can hold.
#pragma once

#include <ingot/document/live_value.hpp>
#include <ingot/live/box.hpp>
#include <ingot/live/flat_map.hpp>
#include <ingot/live/flat_set.hpp>
#include <ingot/live/hash_map.hpp>
#include <ingot/live/hash_set.hpp>
#include <ingot/live/live.hpp>
#include <ingot/live/map.hpp>
#include <ingot/live/multimap.hpp>
#include <ingot/live/optional.hpp>
#include <ingot/live/pool.hpp>
#include <ingot/live/queue.hpp>
#include <ingot/live/ref.hpp>
#include <ingot/live/set.hpp>
#include <ingot/live/string.hpp>
#include <ingot/live/variant.hpp>
#include <ingot/live/vector.hpp>
#include <ingot/reflect/described.hpp>
#include <ingot/schema/schema_id.hpp>

#include <array>
#include <chrono>
#include <complex>
#include <cstdint>
#include <utility>

#include <zoo/live.hpp>

namespace layouts {

enum class color : std::uint8_t { red, green, blue };
enum plain_color : std::int16_t { plain_red, plain_green };

struct numbers {
  bool a;
  char b;
  std::int16_t c;
  std::uint8_t d;
  float e;
  std::int32_t f;
  char16_t g;
  std::byte h;
  char32_t i;
};
struct arrays {
  std::uint8_t a[3];
  std::array<std::int16_t, 3> b;
  std::array<std::array<char, 3>, 2> c;
  numbers d[2];
};
struct enums {
  color a;
  plain_color b;
  std::array<color, 5> c;
};
struct pairs {
  std::pair<std::uint8_t, std::uint32_t> a;
  std::pair<ingot::string, std::uint16_t> b;
};
struct complexes {
  char a;
  std::complex<float> b;
};
struct full_base {
  std::uint32_t a;
  std::uint32_t b;
};
struct derived_from_full : full_base {
  std::uint16_t c = 0;
  constexpr auto reflect(auto&& f) { return f(ingot::base<full_base>(*this), c); }
};
struct alignas(16) wide_record {
  std::uint32_t a;
};
struct choices {
  ingot::variant<std::uint32_t, ingot::string> a;
  ingot::variant<std::uint8_t, color> b;
  ingot::optional<ingot::string> c;
  ingot::optional<std::uint16_t> d;
  ingot::box<numbers> e;
};
struct node {
  ingot::string name;
  ingot::vector<node> children;
};
struct graph {
  ingot::pool<numbers> all;
  ingot::ref<numbers> first;
  ingot::queue<std::uint16_t> waiting;
};
struct tables {
  ingot::map<std::uint32_t, ingot::string> a;
  ingot::multimap<std::uint16_t, numbers> b;
  ingot::set<ingot::string> c;
  ingot::flat_map<std::uint8_t, color> d;
  ingot::flat_set<std::uint32_t> e;
  ingot::hash_map<ingot::string, numbers> f;
  ingot::hash_set<std::uint32_t> g;
};
struct texts {
  ingot::string a;
  ingot::u8string b;
  ingot::u16string c;
  ingot::u32string d;
};
struct wide_numbers {
  std::uint8_t a;
  std::uint64_t b;
  double c;
  std::complex<double> d;
};
struct times {
  std::chrono::nanoseconds a;
  std::uint32_t b;
  std::chrono::sys_time<std::chrono::microseconds> c;
};
struct wide_choices {
  ingot::optional<std::int64_t> a;
  ingot::variant<std::uint8_t, double> b;
};
struct values {
  std::uint32_t a;
  ingot::live_value b;
};

} // namespace layouts

// Types with 64-bit numbers, which 32-bit x86 aligns to 4 bytes:
// wide: wide_numbers
// wide: times
// wide: wide_choices
// wide: zoo_cabinet

// clang-format off
/// X(name, type) for each type.
#define LAYOUT_TYPES(X)                                                                                      \
  X(vector, ingot::vector<std::uint32_t>)                                                                    \
  X(vector_of_bool, ingot::vector<bool>)                                                                     \
  X(string, ingot::string)                                                                                   \
  X(u8string, ingot::u8string)                                                                               \
  X(u16string, ingot::u16string)                                                                             \
  X(u32string, ingot::u32string)                                                                             \
  X(map, LAYOUT_TYPE(ingot::map<std::uint32_t, float>))                                                      \
  X(multimap, LAYOUT_TYPE(ingot::multimap<std::uint32_t, float>))                                            \
  X(set, ingot::set<std::uint32_t>)                                                                          \
  X(flat_map, LAYOUT_TYPE(ingot::flat_map<std::uint32_t, float>))                                            \
  X(flat_set, ingot::flat_set<std::uint32_t>)                                                                \
  X(hash_map, LAYOUT_TYPE(ingot::hash_map<std::uint32_t, float>))                                            \
  X(hash_set, ingot::hash_set<std::uint32_t>)                                                                \
  X(queue, ingot::queue<std::uint16_t>)                                                                      \
  X(box, ingot::box<std::uint32_t>)                                                                          \
  X(optional, ingot::optional<std::uint16_t>)                                                                \
  X(optional_string, ingot::optional<ingot::string>)                                                         \
  X(variant, LAYOUT_TYPE(ingot::variant<std::uint8_t, std::uint32_t>))                                       \
  X(variant_of_texts, LAYOUT_TYPE(ingot::variant<ingot::string, std::uint8_t>))                              \
  X(pool, ingot::pool<std::uint32_t>)                                                                        \
  X(ref, ingot::ref<std::uint32_t>)                                                                          \
  X(live_value, ingot::live_value)                                                                           \
  X(numbers, layouts::numbers)                                                                               \
  X(arrays, layouts::arrays)                                                                                 \
  X(enums, layouts::enums)                                                                                   \
  X(pairs, layouts::pairs)                                                                                   \
  X(complexes, layouts::complexes)                                                                           \
  X(derived_from_full, layouts::derived_from_full)                                                           \
  X(wide_record, layouts::wide_record)                                                                       \
  X(choices, layouts::choices)                                                                               \
  X(node, layouts::node)                                                                                     \
  X(graph, layouts::graph)                                                                                   \
  X(tables, layouts::tables)                                                                                 \
  X(texts, layouts::texts)                                                                                   \
  X(wide_numbers, layouts::wide_numbers)                                                                     \
  X(times, layouts::times)                                                                                   \
  X(wide_choices, layouts::wide_choices)                                                                     \
  X(values, layouts::values)                                                                                 \
  X(zoo_card, zoo::live_card)                                                                                \
  X(zoo_cabinet, zoo::live_cabinet)
// clang-format on
#define LAYOUT_TYPE(...) __VA_ARGS__
