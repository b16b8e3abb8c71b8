// SPDX-License-Identifier: Apache-2.0
// Random schemas, values and bytes, created at run time by code that shares nothing with the
// library: evolution is compared with them.
#pragma once

#include <ingot/schema/description.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <random>
#include <string>
#include <utility>
#include <vector>

namespace evolution_lab {

using ingot::schema_flag;
using ingot::schema_kind;
using ingot::schema_node;
using byte_vector = std::vector<std::byte>;
using dice = std::minstd_rand;
inline std::size_t below(dice& r, std::size_t n) { return r() % n; }

/// A tree of parts; a recursion refers to the enclosing record.
struct model_schema {
  std::vector<schema_node> nodes;
  std::uint32_t root = 0;
  unsigned names = 0;

  [[nodiscard]] const schema_node& at(std::uint32_t i) const {
    return nodes[i].attributes.kind == schema_kind::recursion ? nodes[nodes[i].target] : nodes[i];
  }
  [[nodiscard]] const schema_node& child(const schema_node& of, std::size_t k) const {
    return at(of.children[k].node);
  }
  [[nodiscard]] std::string new_name() { return "m" + std::to_string(names++); }
};

inline std::uint64_t id_of(model_schema& s, std::uint32_t i) {
  ingot::detail::fingerprint hash;
  hash.header(s.nodes[i].attributes, s.nodes[i].children.size() + s.nodes[i].enumerators.size());
  for (const auto& each : s.nodes[i].enumerators) hash.enumerator(each.value, each.name);
  for (std::size_t k = 0; k < s.nodes[i].children.size(); ++k) {
    const std::uint64_t id = id_of(s, s.nodes[i].children[k].node);
    const auto& child = s.nodes[i].children[k];
    if (s.nodes[i].attributes.kind == schema_kind::record) hash.member(child.name, child.annotations, id);
    else if (s.nodes[i].attributes.kind == schema_kind::variant) hash.alternative(child.name, id);
    else hash.word(id);
  }
  return s.nodes[i].id = hash.finish();
}
inline byte_vector describe(model_schema s) {
  id_of(s, s.root);
  const std::string text = ingot::detail::description_writer(s.nodes).write(s.root);
  byte_vector bytes;
  for (const char c : text) bytes.push_back(static_cast<std::byte>(c));
  return bytes;
}

// --- random schemas ------------------------------------------------------------------------------

inline constexpr std::uint32_t nobody = 0xFFFFFFFF;

inline std::uint32_t make_part(model_schema& s, dice& r, int depth, std::uint32_t record, bool indirect);

inline std::uint32_t add(model_schema& s, schema_kind kind, unsigned width = 0, unsigned flags = 0,
                         std::uint64_t extent = 0) {
  schema_node node;
  node.attributes = {kind, static_cast<std::uint8_t>(width), static_cast<std::uint8_t>(flags), extent, 0};
  s.nodes.push_back(std::move(node));
  return static_cast<std::uint32_t>(s.nodes.size() - 1);
}
inline void adopt(model_schema& s, std::uint32_t parent, std::uint32_t child, std::string name = {},
                  unsigned annotations = 0) {
  s.nodes[parent].children.push_back({std::move(name), static_cast<std::uint8_t>(annotations), child});
}
inline std::uint32_t make_key(model_schema& s, dice& r) {
  if (below(r, 3) == 0) return add(s, schema_kind::string, 1);
  return add(s, schema_kind::integer, 1U << below(r, 4), static_cast<unsigned>(below(r, 2)));
}
inline std::uint32_t make_enumeration(model_schema& s, dice& r) {
  const std::size_t values = below(r, 6);
  const std::uint32_t added = add(s, schema_kind::enumeration, 1U << below(r, 3),
                                  values == 0   ? 2
                                  : values == 1 ? 4
                                                : 0);
  const std::size_t n = 1 + below(r, 4);
  for (std::size_t i = 0; i < n; ++i)
    s.nodes[added].enumerators.push_back({s.new_name(), 5 * i + below(r, 5)});
  return added;
}
inline std::uint32_t make_scalar(model_schema& s, dice& r) {
  switch (below(r, 11)) {
  case 0: return add(s, schema_kind::boolean, 1);
  case 1: return add(s, schema_kind::floating, below(r, 2) == 0 ? 4 : 8);
  case 2: return add(s, schema_kind::character, 1U << below(r, 3));
  case 3: return add(s, schema_kind::byte, 1);
  case 4: return make_enumeration(s, r);
  case 5: return add(s, schema_kind::bitset, 0, 0, below(r, 20));
  case 6: return add(s, schema_kind::string, 1U << below(r, 3));
  case 7: return add(s, schema_kind::path);
  case 8: {
    const std::uint32_t added = add(s, schema_kind::duration, 0, 0, 1);
    s.nodes[added].attributes.divisor = 1000;
    adopt(s, added, add(s, schema_kind::integer, 4, 1));
    if (below(r, 2) == 0) return added;
    const std::uint32_t point = add(s, schema_kind::time_point);
    adopt(s, point, added);
    return point;
  }
  case 9: {
    const std::uint32_t added = add(s, schema_kind::complex);
    adopt(s, added, add(s, schema_kind::floating, 4));
    return added;
  }
  default: return add(s, schema_kind::integer, 1U << below(r, 4), static_cast<unsigned>(below(r, 2)));
  }
}
inline std::uint32_t make_record(model_schema& s, dice& r, int depth) {
  constexpr unsigned styles[]{0, 0, 0, 8, 32, 64, 128, 32 | 64 | 128, 64 | 8};
  const std::uint32_t added = add(s, schema_kind::record, 0, styles[below(r, std::size(styles))]);
  for (std::size_t n = below(r, 5); n != 0; --n) {
    constexpr unsigned annotations[]{0, 0, 0, 1, 2, 4, 5};
    const std::uint32_t part = make_part(s, r, depth - 1, added, false);
    adopt(s, added, part, s.new_name(), annotations[below(r, std::size(annotations))]);
  }
  return added;
}
inline std::uint32_t make_part(model_schema& s, dice& r, int depth, std::uint32_t record, bool indirect) {
  if (indirect && record != nobody && below(r, 6) == 0) {
    const std::uint32_t added = add(s, schema_kind::recursion);
    s.nodes[added].target = record;
    return added;
  }
  if (depth <= 0 || below(r, 3) == 0) return make_scalar(s, r);
  const auto one = [&](std::uint32_t added, bool through) {
    adopt(s, added, make_part(s, r, depth - 1, record, through));
    return added;
  };
  const unsigned multi = below(r, 3) == 0 ? 4 : 0;
  switch (below(r, 12)) {
  case 0: return one(add(s, schema_kind::sequence), true);
  case 1: return one(add(s, schema_kind::array, 0, 0, below(r, 4)), false);
  case 2: {
    const std::uint32_t added =
        add(s, below(r, 2) == 0 ? schema_kind::set : schema_kind::unordered_set, 0, multi);
    adopt(s, added, make_key(s, r));
    return added;
  }
  case 3:
  case 4: {
    const bool ordered = below(r, 2) == 0;
    const std::uint32_t added =
        add(s, ordered ? schema_kind::map : schema_kind::unordered_map, 0, ordered ? multi : 0);
    adopt(s, added, make_key(s, r));
    return one(added, true);
  }
  case 5: return one(add(s, schema_kind::optional), true);
  case 6: {
    const std::uint32_t added = add(s, schema_kind::variant);
    for (std::size_t n = 1 + below(r, 3); n != 0; --n) one(added, false);
    const std::uint64_t names = below(r, 3); // no names, names of classes, tags
    for (auto& each : s.nodes[added].children) each.name = names == 0 ? std::string() : s.new_name();
    s.nodes[added].attributes.flags = names == 2 ? 1 : 0;
    return added;
  }
  case 7: {
    const std::uint32_t added = add(s, schema_kind::expected);
    for (std::size_t n = 1 + below(r, 2); n != 0; --n) one(added, false);
    return added;
  }
  case 8: {
    const std::uint32_t added = add(s, schema_kind::tuple);
    for (std::size_t n = below(r, 3); n != 0; --n) one(added, false);
    return added;
  }
  default: return make_record(s, r, depth);
  }
}

// --- values --------------------------------------------------------------------------------------

struct value {
  std::uint64_t bits = 0; ///< scalars: sign-extended; tagged values: the tag
  std::string bytes;      ///< text and bitsets
  std::vector<value> parts;
  bool is_default = false; ///< members: a compact writer may omit it
  friend bool operator==(const value& a, const value& b) {
    return a.bits == b.bits && a.bytes == b.bytes && a.parts == b.parts;
  }
};

inline std::uint64_t in_width(std::uint64_t bits, const ingot::schema_attributes& attributes) {
  const unsigned unused = 64 - attributes.width * 8U;
  if (unused == 0) return bits;
  const bool is_signed = attributes.has(schema_flag::is_signed);
  return is_signed ? static_cast<std::uint64_t>(static_cast<std::int64_t>(bits << unused) >> unused)
                   : bits << unused >> unused;
}
/// Returns the bytes of a key in the packed profile, which define the order of unordered
/// containers.
inline std::string key_bytes(const schema_node& key, const value& v) {
  if (key.attributes.kind == schema_kind::string) return v.bytes;
  std::string bytes;
  for (unsigned i = 0; i < key.attributes.width; ++i) bytes += static_cast<char>(v.bits >> 8 * i);
  return bytes;
}
/// Returns a number below, equal to or above zero, in the order of keys.
inline int key_order(const model_schema& s, const schema_node& list, const value& a, const value& b) {
  const schema_node& key = s.child(list, 0);
  const bool by_bytes = list.attributes.kind == schema_kind::unordered_set ||
                        list.attributes.kind == schema_kind::unordered_map ||
                        key.attributes.kind == schema_kind::string;
  if (by_bytes) return key_bytes(key, a).compare(key_bytes(key, b));
  if (key.attributes.has(schema_flag::is_signed))
    return static_cast<std::int64_t>(a.bits) < static_cast<std::int64_t>(b.bits) ? -1 : a.bits != b.bits;
  return a.bits < b.bits ? -1 : a.bits != b.bits;
}
inline bool is_map(const schema_node& n) {
  return n.attributes.kind == schema_kind::map || n.attributes.kind == schema_kind::unordered_map;
}
inline bool is_set(const schema_node& n) {
  return n.attributes.kind == schema_kind::set || n.attributes.kind == schema_kind::unordered_set;
}
/// Returns the child for the tag, or -1 for none.
inline int child_of_tag(const schema_node& n, std::uint64_t tag) {
  const bool may_be_nothing = n.attributes.kind == schema_kind::optional ||
                              (n.attributes.kind == schema_kind::expected && n.children.size() == 1);
  return may_be_nothing ? static_cast<int>(tag) - 1 : static_cast<int>(tag);
}
inline std::uint64_t tags(const schema_node& n) {
  return n.children.size() + (child_of_tag(n, 0) < 0 ? 1 : 0);
}

inline value make_value(const model_schema& s, std::uint32_t index, dice& r, int fuel) {
  const schema_node& n = s.at(index);
  value v;
  const auto child = [&](std::size_t k) { return make_value(s, n.children[k].node, r, fuel - 1); };
  const std::uint64_t wild =
      below(r, 3) == 0 ? below(r, 20) : std::uint64_t{r()} << 33 ^ std::uint64_t{r()} << 11 ^ r();
  switch (n.attributes.kind) {
  case schema_kind::boolean: v.bits = wild & 1; break;
  case schema_kind::integer:
  case schema_kind::floating:
  case schema_kind::character:
  case schema_kind::byte: v.bits = in_width(wild, n.attributes); break;
  case schema_kind::enumeration:
    if (n.attributes.has(schema_flag::is_flags) && below(r, 2) == 0) {
      for (const auto& each : n.enumerators) v.bits |= each.value & wild;
      break;
    }
    v.bits = n.attributes.has(schema_flag::is_open) && below(r, 2) == 0
                 ? in_width(wild, n.attributes)
                 : n.enumerators[below(r, n.enumerators.size())].value;
    break;
  case schema_kind::bitset:
    for (std::uint64_t i = 0; i < (n.attributes.extent + 7) / 8; ++i) v.bytes += static_cast<char>(r());
    if (n.attributes.extent % 8 != 0)
      v.bytes.back() = static_cast<char>(v.bytes.back() & ((1 << n.attributes.extent % 8) - 1));
    break;
  case schema_kind::string:
  case schema_kind::path:
    for (std::size_t i = below(r, 5) * (n.attributes.kind == schema_kind::path ? 1 : n.attributes.width);
         i != 0; --i)
      v.bytes += static_cast<char>('a' + below(r, 4));
    break;
  case schema_kind::duration:
  case schema_kind::time_point: v.parts = {child(0)}; break;
  case schema_kind::complex: v.parts = {child(0), child(0)}; break;
  case schema_kind::array:
    for (std::uint64_t i = 0; i < n.attributes.extent; ++i) v.parts.push_back(child(0));
    break;
  case schema_kind::sequence:
    for (std::size_t i = fuel > 0 ? below(r, 4) : 0; i != 0; --i) v.parts.push_back(child(0));
    break;
  case schema_kind::set:
  case schema_kind::unordered_set:
  case schema_kind::map:
  case schema_kind::unordered_map: {
    for (std::size_t i = fuel > 0 ? below(r, 5) : 0; i != 0; --i) {
      value entry;
      for (std::size_t k = 0; k < n.children.size(); ++k) entry.parts.push_back(child(k));
      v.parts.push_back(std::move(entry));
    }
    const auto before = [&](const value& a, const value& b) {
      return key_order(s, n, a.parts[0], b.parts[0]) < 0;
    };
    std::stable_sort(v.parts.begin(), v.parts.end(), before);
    if (!n.attributes.has(schema_flag::is_multi)) {
      const auto same = [&](const value& a, const value& b) {
        return key_order(s, n, a.parts[0], b.parts[0]) == 0;
      };
      v.parts.erase(std::unique(v.parts.begin(), v.parts.end(), same), v.parts.end());
    }
    break;
  }
  case schema_kind::optional:
  case schema_kind::variant:
  case schema_kind::expected: {
    v.bits = fuel > 0 || n.attributes.kind != schema_kind::optional ? below(r, tags(n)) : 0;
    if (const int k = child_of_tag(n, v.bits); k >= 0) v.parts = {child(static_cast<std::size_t>(k))};
    break;
  }
  default:
    for (std::size_t k = 0; k < n.children.size(); ++k) {
      v.parts.push_back(child(k));
      // with any value: the writer decides what the default is
      v.parts.back().is_default = below(r, 3) == 0;
    }
    break;
  }
  return v;
}

/// Returns the value of a new member if the old data lack it.
inline value default_of(const model_schema& s, std::uint32_t index) {
  const schema_node& n = s.at(index);
  value v;
  switch (n.attributes.kind) {
  case schema_kind::enumeration: v.bits = n.enumerators[0].value; break;
  case schema_kind::bitset:
    v.bytes.assign(static_cast<std::size_t>((n.attributes.extent + 7) / 8), '\0');
    break;
  case schema_kind::duration:
  case schema_kind::time_point: v.parts = {default_of(s, n.children[0].node)}; break;
  case schema_kind::complex: v.parts = {value{}, value{}}; break;
  case schema_kind::array:
    for (std::uint64_t i = 0; i < n.attributes.extent; ++i)
      v.parts.push_back(default_of(s, n.children[0].node));
    break;
  case schema_kind::variant:
  case schema_kind::expected:
    if (const int k = child_of_tag(n, 0); k >= 0)
      v.parts = {default_of(s, n.children[static_cast<std::size_t>(k)].node)};
    break;
  case schema_kind::tuple:
  case schema_kind::record:
    for (const auto& child : n.children) v.parts.push_back(default_of(s, child.node));
    break;
  default: break;
  }
  return v;
}

} // namespace evolution_lab
