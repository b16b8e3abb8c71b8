// SPDX-License-Identifier: Apache-2.0
// The zoo's strings, sequences, sets and maps, and types of variable size in optional, variant and
// similar types.
#pragma once

#include "sample.hpp"
#include "scalars.hpp"

#include <compare>
#include <deque>
#include <functional>
#include <list>
#include <map>
#include <memory>
#include <set>
#include <unordered_map>
#include <unordered_set>

namespace zoo {

/// A record as a key: ordered member by member.
struct grid_cell {
  std::int32_t column;
  std::int32_t row;
  auto operator<=>(const grid_cell&) const = default;
};
ZOO_MEMBERS(grid_cell, column, row)

/// A record of variable size as a key.
struct full_name {
  std::string family;
  std::string given;
  auto operator<=>(const full_name&) const = default;
};
ZOO_MEMBERS(full_name, family, given)

} // namespace zoo

template <>
struct std::hash<zoo::grid_cell> {
  std::size_t operator()(const zoo::grid_cell& cell) const noexcept {
    return std::hash<std::int32_t>{}(cell.column) * 31 + std::hash<std::int32_t>{}(cell.row);
  }
};

namespace zoo {

template <class F>
void for_each_sequence(F&& f) {
  f.template operator()<std::string>("string");
  f.template operator()<std::u8string>("u8string");
  f.template operator()<std::u16string>("u16string");
  f.template operator()<std::u32string>("u32string");
  f.template operator()<std::filesystem::path>("path");
  f.template operator()<std::vector<std::uint8_t>>("vector_uint8");
  f.template operator()<std::vector<std::byte>>("vector_byte");
  f.template operator()<std::vector<std::int64_t>>("vector_int64");
  f.template operator()<std::vector<float>>("vector_float");
  f.template operator()<std::vector<bool>>("vector_bool");
  f.template operator()<std::vector<char>>("vector_char");
  f.template operator()<std::vector<colour>>("vector_enum");
  f.template operator()<std::vector<std::string>>("vector_string");
  f.template operator()<std::vector<grid_cell>>("vector_fixed_record");
  f.template operator()<std::vector<full_name>>("vector_variable_record");
  f.template operator()<std::vector<std::vector<std::uint16_t>>>("vector_vector");
  f.template operator()<std::vector<std::vector<std::string>>>("vector_vector_string");
  f.template operator()<std::vector<std::array<double, 3>>>("vector_array");
  f.template operator()<std::vector<std::optional<std::uint32_t>>>("vector_optional_fixed");
  f.template operator()<std::vector<std::optional<std::string>>>("vector_optional_string");
  f.template operator()<std::vector<std::tuple<std::uint8_t, std::string>>>("vector_tuple");
  f.template operator()<std::vector<std::unique_ptr<std::string>>>("vector_unique_ptr");
  f.template operator()<std::vector<std::map<std::int32_t, std::string>>>("vector_map");
  f.template operator()<std::deque<std::int32_t>>("deque_int32");
  f.template operator()<std::deque<std::string>>("deque_string");
  f.template operator()<std::list<double>>("list_double");
  f.template operator()<std::list<full_name>>("list_record");
  f.template operator()<std::array<std::string, 3>>("array_string");
  f.template operator()<std::array<std::vector<std::uint32_t>, 2>>("array_vector");
  f.template operator()<std::pair<std::string, std::vector<std::int8_t>>>("pair_variable");
  f.template operator()<std::tuple<std::string, std::uint32_t, std::vector<std::string>>>("tuple_variable");
  f.template operator()<std::optional<std::string>>("optional_string");
  f.template operator()<std::optional<full_name>>("optional_record");
  f.template operator()<std::optional<std::vector<std::uint32_t>>>("optional_vector");
  f.template operator()<std::variant<std::string, std::uint32_t, std::vector<double>>>("variant_variable");
  f.template operator()<std::variant<std::monostate, full_name, grid_cell>>("variant_records");
  f.template operator()<std::expected<std::string, std::uint16_t>>("expected_string");
  f.template operator()<std::expected<std::uint64_t, std::string>>("expected_string_error");
  f.template operator()<std::unique_ptr<std::string>>("unique_ptr_string");
  f.template operator()<std::unique_ptr<full_name>>("unique_ptr_record");
}

template <class F>
void for_each_keyed(F&& f) {
  f.template operator()<std::set<std::int16_t>>("set_int16");
  f.template operator()<std::set<std::string>>("set_string");
  f.template operator()<std::set<mood>>("set_enum");
  f.template operator()<std::set<grid_cell>>("set_record");
  f.template operator()<std::multiset<std::uint8_t>>("multiset_uint8");
  f.template operator()<std::multiset<std::string>>("multiset_string");
  f.template operator()<std::map<std::int32_t, double>>("map_int32_fixed");
  f.template operator()<std::map<std::uint64_t, std::string>>("map_uint64_string");
  f.template operator()<std::map<std::string, std::uint32_t>>("map_string_fixed");
  f.template operator()<std::map<std::string, std::vector<std::string>>>("map_string_vector");
  f.template operator()<std::map<colour, full_name>>("map_enum_record");
  f.template operator()<std::map<grid_cell, std::uint8_t>>("map_record_fixed");
  f.template operator()<std::map<full_name, std::string>>("map_variable_record");
  f.template operator()<std::map<std::int8_t, std::map<std::string, bool>>>("map_map");
  f.template operator()<std::multimap<std::int16_t, std::string>>("multimap_int16");
  f.template operator()<std::multimap<std::string, float>>("multimap_string");
  f.template operator()<std::unordered_set<std::uint32_t>>("unordered_set_uint32");
  f.template operator()<std::unordered_set<std::string>>("unordered_set_string");
  f.template operator()<std::unordered_multiset<std::int8_t>>("unordered_multiset");
  f.template operator()<std::unordered_map<std::int64_t, std::string>>("unordered_map_int64");
  f.template operator()<std::unordered_map<std::string, full_name>>("unordered_map_string");
  f.template operator()<std::unordered_map<grid_cell, float>>("unordered_map_record");
  f.template operator()<std::unordered_map<mood, std::vector<std::uint8_t>>>("unordered_map_enum");
  f.template operator()<std::unordered_multimap<std::string, std::uint16_t>>("unordered_multimap");
}

} // namespace zoo
