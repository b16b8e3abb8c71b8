// SPDX-License-Identifier: Apache-2.0
// Random values of the model's types: often limits of numbers, texts that are also numbers, and
// empty values.
#pragma once

#include "versions/parts.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <iterator>
#include <limits>
#include <string>
#include <utility>

namespace versions {

using evolution_lab::below;
using evolution_lab::dice;

class value_maker {
public:
  value_maker(const known_type& type, dice& r) : type_(type), s_(type.schema), r_(r) {}
  value make() { return part(s_.root); }

private:
  std::uint64_t wild() { return std::uint64_t{r_()} << 33 ^ std::uint64_t{r_()} << 11 ^ r_(); }
  std::uint64_t integer(const ingot::schema_attributes& attributes) {
    const unsigned bits = 1U << (3 + below(r_, 4));
    switch (below(r_, 8)) {
    case 0: return evolution_lab::in_width(wild(), attributes);
    case 1:
      // the maximum of an unsigned width
      return evolution_lab::in_width(~std::uint64_t{0} >> (64 - bits), attributes);
    // the minimum of a signed width
    case 2: return evolution_lab::in_width(std::uint64_t{1} << (bits - 1), attributes);
    case 3:
      // the maximum of a signed width
      return evolution_lab::in_width((std::uint64_t{1} << (bits - 1)) - 1, attributes);
    case 4:
      return evolution_lab::in_width((std::uint64_t{1} << (below(r_, 2) == 0 ? 24 : 53)) + below(r_, 3) - 1,
                                     attributes);
    case 5: return evolution_lab::in_width(~std::uint64_t{0} - below(r_, 3), attributes);
    default: return below(r_, 100);
    }
  }
  std::uint64_t floating(unsigned width) {
    constexpr std::array<double, 16> ends{0.0,
                                          -0.0,
                                          1.0,
                                          0.1,
                                          -2.5,
                                          std::numeric_limits<double>::infinity(),
                                          -std::numeric_limits<double>::infinity(),
                                          std::numeric_limits<double>::quiet_NaN(),
                                          std::numeric_limits<double>::max(),
                                          std::numeric_limits<double>::denorm_min(),
                                          double{std::numeric_limits<float>::max()},
                                          3.4028235677973366e38, // rounds to infinity as a float
                                          3.4028235677973362e38,
                                          double{std::numeric_limits<float>::denorm_min()},
                                          9007199254740993.0,
                                          16777217.0};
    if (below(r_, 3) == 0) return width == 4 ? wild() & 0xFFFFFFFF : wild();
    const double one = ends[below(r_, ends.size())];
    if (width == 8) return std::bit_cast<std::uint64_t>(one);
    const bool is_finite = one - one == 0;
    const bool fits = !is_finite || (one <= double{std::numeric_limits<float>::max()} &&
                                     one >= -double{std::numeric_limits<float>::max()});
    return std::bit_cast<std::uint32_t>(fits ? static_cast<float>(one) : std::numeric_limits<float>::max());
  }
  value part(std::uint32_t index) {
    const schema_node& n = s_.nodes[index];
    const part_facts& attributes = type_.attributes[index];
    value v;
    const auto child = [&](std::size_t k) { return part(n.children[k].node); };
    switch (n.attributes.kind) {
    case schema_kind::boolean: v.bits = below(r_, 2); break;
    case schema_kind::integer: v.bits = integer(n.attributes); break;
    case schema_kind::floating: v.bits = floating(n.attributes.width); break;
    case schema_kind::character:
    case schema_kind::byte:
      v.bits = evolution_lab::in_width(below(r_, 3) == 0 ? wild() : below(r_, 128), n.attributes);
      break;
    case schema_kind::enumeration:
      v.bits = n.attributes.has(schema_flag::is_open) && below(r_, 3) == 0
                   ? integer(n.attributes)
                   : n.enumerators[below(r_, n.enumerators.size())].value;
      if (n.attributes.has(schema_flag::is_flags)) { // with other flags, or none
        for (const auto& each : n.enumerators) v.bits |= below(r_, 3) == 0 ? each.value : 0;
        if (below(r_, 6) == 0) v.bits = 0;
      }
      break;
    case schema_kind::bitset:
      for (std::uint64_t i = 0; i < (n.attributes.extent + 7) / 8; ++i) v.bytes += static_cast<char>(r_());
      if (n.attributes.extent % 8 != 0)
        v.bytes.back() = static_cast<char>(v.bytes.back() & ((1 << n.attributes.extent % 8) - 1));
      break;
    case schema_kind::string: {
      constexpr const char* texts[] = {
          "",         "7",  "-1", "300", "e1", "x", "a longer text, which takes bytes of its own",
          "\xC3\xA4", "+5", "007"};
      v.bytes = texts[below(r_, std::size(texts))];
      break;
    }
    case schema_kind::path: v.bytes = below(r_, 2) == 0 ? "a/b.txt" : "c"; break;
    case schema_kind::duration:
    case schema_kind::time_point: v.parts = {child(0)}; break;
    case schema_kind::complex: v.parts = {child(0), child(0)}; break;
    case schema_kind::array:
      for (std::uint64_t i = 0; i < n.attributes.extent; ++i) v.parts.push_back(child(0));
      break;
    case schema_kind::sequence:
      for (std::size_t i = below(r_, 4); i != 0; --i) v.parts.push_back(child(0));
      break;
    case schema_kind::set:
    case schema_kind::unordered_set:
    case schema_kind::map:
    case schema_kind::unordered_map:
      for (std::size_t i = below(r_, 4); i != 0; --i) {
        value entry;
        for (std::size_t k = 0; k < n.children.size(); ++k) entry.parts.push_back(child(k));
        v.parts.push_back(std::move(entry));
      }
      sort_keys(n, v);
      if (!n.attributes.has(schema_flag::is_multi)) {
        const auto same = [&](const value& a, const value& b) {
          return evolution_lab::key_order(s_, n, a.parts[0], b.parts[0]) == 0;
        };
        v.parts.erase(std::unique(v.parts.begin(), v.parts.end(), same), v.parts.end());
      }
      break;
    case schema_kind::optional:
    case schema_kind::variant:
    case schema_kind::expected:
      v.bits = below(r_, evolution_lab::tags(n));
      if (const int k = evolution_lab::child_of_tag(n, v.bits); k >= 0)
        v.parts = {child(static_cast<std::size_t>(k))};
      break;
    default:
      for (std::size_t k = 0; k < n.children.size(); ++k) {
        v.parts.push_back(child(k));
        if (k < attributes.members.size() &&
            attributes.members[k].has_range) // a value out of the range could not be read
          v.parts.back().bits =
              static_cast<std::uint64_t>(attributes.members[k].low) +
              below(r_, static_cast<std::size_t>(attributes.members[k].high - attributes.members[k].low + 1));
        if (k == 0 && attributes.tells_version) v.parts.back().bits = attributes.version;
      }
      break;
    }
    return v;
  }
  void sort_keys(const schema_node& n, value& v) {
    std::stable_sort(v.parts.begin(), v.parts.end(), [&](const value& a, const value& b) {
      return evolution_lab::key_order(s_, n, a.parts[0], b.parts[0]) < 0;
    });
  }

  const known_type& type_;
  const model_schema& s_;
  dice& r_;
};

} // namespace versions
