// SPDX-License-Identifier: Apache-2.0
// Types of the model. They are read only from the words that make_versions.py writes beside the C++
// types:
//
//   part    bool | int WIDTH SIGNED | flt WIDTH | chr WIDTH | byte | str | path | bits N
//           | enum WIDTH SIGNED|c TAKES N (NAME VALUE N FORMER*)*
//           | dur NUM DEN part | time part | cplx part | opt part | arr N part
//           | var N TAG* part* | exp N part* | tup N part*
//           | vector part | deque part | list part | set part | ... | map part part | ... | record
//   record  rec NAME EVOLVABLE VERSION HAS_VERSION N (NAME N FORMER* default limits part)*
//           (0 | 1 OLD NEW FACTOR MORE record)
//   default - | i NUMBER | s TEXT | o NUMBER
//   limits  0 | 1 LOW HIGH
#pragma once

#include "pack/evolution_lab.hpp"

#include <cstdint>
#include <optional>
#include <sstream>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

namespace versions {

using evolution_lab::model_schema;
using evolution_lab::value;
using ingot::schema_flag;
using ingot::schema_kind;
using ingot::schema_node;

struct member_facts {
  std::vector<std::string> former;
  std::optional<value> default_value;
  bool has_range = false;
  std::int64_t low = 0;
  std::int64_t high = 0;
};
/// Attributes that documents depend on and descriptions lack.
struct part_facts {
  std::vector<member_facts> members;
  std::vector<std::vector<std::string>> former_enumerators;
  std::string record;
  bool is_text = false;  ///< an array of characters
  bool is_bytes = false; ///< a contiguous list of bytes
  std::uint64_t version = 0;
  bool tells_version = false; ///< the first member is the version
  std::uint32_t previous = evolution_lab::nobody;
  std::string old_number, new_number; ///< for upgrades: new = old * `factor` + `more`
  std::int64_t factor = 1;
  std::int64_t more = 0;
};
struct known_type {
  model_schema schema;
  std::vector<part_facts> attributes;

  explicit known_type(std::string_view words) : in_{std::string(words)} { schema.root = part(); }

private:
  std::string word() {
    std::string one;
    in_ >> one;
    return one;
  }
  std::int64_t number() { return std::stoll(word()); }
  unsigned small() { return static_cast<unsigned>(number()); }

  std::uint32_t add(schema_kind kind, unsigned width = 0, unsigned flags = 0, std::uint64_t extent = 0) {
    attributes.resize(schema.nodes.size() + 1);
    return evolution_lab::add(schema, kind, width, flags, extent);
  }
  std::uint32_t holder(std::uint32_t added, std::size_t count) {
    for (std::size_t i = 0; i < count; ++i) {
      const std::uint32_t child = part();
      evolution_lab::adopt(schema, added, child);
    }
    return added;
  }
  std::uint32_t part() {
    const std::string what = word();
    constexpr unsigned multi = static_cast<unsigned>(schema_flag::is_multi);
    if (what == "bool") return add(schema_kind::boolean, 1);
    if (what == "byte") return add(schema_kind::byte, 1);
    if (what == "str") return add(schema_kind::string, 1);
    if (what == "path") return add(schema_kind::path);
    if (what == "flt") return add(schema_kind::floating, small());
    if (what == "chr") return add(schema_kind::character, small());
    if (what == "bits") return add(schema_kind::bitset, 0, 0, small());
    if (what == "int") {
      const unsigned width = small();
      return add(schema_kind::integer, width, small());
    }
    if (what == "enum") return enumeration();
    if (what == "rec") return record();
    if (what == "dur") {
      const std::uint64_t numerator = small();
      const std::uint64_t denominator = small();
      const std::uint32_t added = add(schema_kind::duration, 0, 0, numerator);
      schema.nodes[added].attributes.divisor = denominator;
      return holder(added, 1);
    }
    if (what == "time") return holder(add(schema_kind::time_point), 1);
    if (what == "cplx") return holder(add(schema_kind::complex), 1);
    if (what == "opt") return holder(add(schema_kind::optional), 1);
    if (what == "arr") {
      const std::uint64_t count = small();
      const std::uint32_t added = holder(add(schema_kind::array, 0, 0, count), 1);
      const auto& element = schema.child(schema.nodes[added], 0).attributes;
      attributes[added].is_text = element.kind == schema_kind::character && element.width == 1;
      return added;
    }
    if (what == "var") {
      const std::size_t count = small();
      // `-`: no name, `=name`: the name of the alternative's class
      std::vector<std::string> tags(count);
      for (std::string& each : tags) each = word();
      const std::uint32_t added = holder(add(schema_kind::variant), count);
      for (std::size_t k = 0; k < count; ++k) {
        if (tags[k] == "-") continue;
        const bool is_class = tags[k].starts_with('=');
        schema.nodes[added].children[k].name = tags[k].substr(is_class ? 1 : 0);
        if (!is_class)
          schema.nodes[added].attributes.flags = static_cast<std::uint8_t>(schema_flag::names_tags);
      }
      return added;
    }
    if (what == "exp" || what == "tup") {
      const std::size_t count = small();
      return holder(add(what == "exp" ? schema_kind::expected : schema_kind::tuple), count);
    }
    if (what == "set" || what == "multiset")
      return holder(add(schema_kind::set, 0, what == "set" ? 0 : multi), 1);
    if (what == "unordered_set") return holder(add(schema_kind::unordered_set), 1);
    if (what == "map" || what == "multimap")
      return holder(add(schema_kind::map, 0, what == "map" ? 0 : multi), 2);
    if (what == "unordered_map") return holder(add(schema_kind::unordered_map), 2);
    const std::uint32_t added = holder(add(schema_kind::sequence), 1);
    attributes[added].is_bytes =
        what == "vector" && schema.child(schema.nodes[added], 0).attributes.kind == schema_kind::byte;
    return added;
  }
  std::uint32_t enumeration() {
    const unsigned width = small();
    const std::string sign = word();
    const bool is_signed = sign == "c" ? std::is_signed_v<char> : sign == "1";
    const unsigned takes = small(); // 1: any number, 2: flags
    const std::uint32_t added = add(schema_kind::enumeration, width, (is_signed ? 1U : 0U) | takes << 1);
    for (unsigned n = small(); n != 0; --n) {
      std::string name = word();
      schema.nodes[added].enumerators.push_back({std::move(name), static_cast<std::uint64_t>(number())});
      auto& formers = attributes[added].former_enumerators.emplace_back();
      for (unsigned k = small(); k != 0; --k) formers.push_back(word());
    }
    return added;
  }
  std::uint32_t record() {
    const std::uint32_t added = add(schema_kind::record);
    attributes[added].record = word();
    if (number() != 0)
      schema.nodes[added].attributes.flags = static_cast<std::uint8_t>(schema_flag::is_evolvable);
    attributes[added].version = small();
    attributes[added].tells_version = number() != 0;
    for (unsigned n = small(); n != 0; --n) {
      const std::string name = word();
      member_facts member;
      for (unsigned formers = small(); formers != 0; --formers) member.former.push_back(word());
      if (const std::string kind = word(); kind != "-") {
        value one;
        if (kind == "s") one.bytes = word();
        else one.bits = static_cast<std::uint64_t>(number());
        if (kind == "o") {
          value held = std::move(one);
          one = {};
          one.bits = 1;
          one.parts = {std::move(held)};
        }
        member.default_value = std::move(one);
      }
      if (number() != 0) {
        member.has_range = true;
        member.low = number();
        member.high = number();
      }
      const std::uint32_t child = part();
      evolution_lab::adopt(schema, added, child, name);
      attributes[added].members.push_back(std::move(member));
    }
    if (number() != 0) {
      attributes[added].old_number = word();
      attributes[added].new_number = word();
      attributes[added].factor = number();
      attributes[added].more = number();
      word(); // skips `rec`
      attributes[added].previous = record();
    }
    return added;
  }

  std::istringstream in_;
};

} // namespace versions
