// SPDX-License-Identifier: Apache-2.0
// Random pairs of schemas. The second is made from the first by changes that are known to be
// readable or known not to be.
#pragma once

#include <ingot/pack/evolution.hpp>

#include "pack/evolution_lab.hpp"
#include "pack/evolution_lab_bytes.hpp"

#include <algorithm>
#include <cstdlib>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace evolution_lab {

// --- changes -------------------------------------------------------------------------------------

/// The parts that may be changed: reachable from the root, not within a key, each changed once.
struct changes {
  model_schema& s;
  dice& r;
  std::set<std::uint32_t> touched;
  std::vector<std::uint32_t> parts;
  std::vector<std::uint32_t> free_edges; ///< parts whose children may be wrapped

  void collect(std::uint32_t i) {
    if (s.nodes[i].attributes.kind == schema_kind::recursion) return;
    parts.push_back(i);
    const auto kind = s.nodes[i].attributes.kind;
    const std::size_t first = is_set(s.nodes[i]) ? 1 : is_map(s.nodes[i]) ? 1 : 0;
    if (kind != schema_kind::duration && kind != schema_kind::time_point && kind != schema_kind::complex)
      free_edges.push_back(i);
    for (std::size_t k = first; k < s.nodes[i].children.size(); ++k) collect(s.nodes[i].children[k].node);
  }
  template <class Suits>
  std::uint32_t pick(Suits suits) {
    parts.clear();
    free_edges.clear();
    collect(s.root);
    std::vector<std::uint32_t> found;
    for (const std::uint32_t i : parts) {
      if (!touched.contains(i) && suits(s.nodes[i])) found.push_back(i);
    }
    if (found.empty()) return nobody;
    const std::uint32_t chosen = found[below(r, found.size())];
    touched.insert(chosen);
    return chosen;
  }
  std::uint32_t pick_kind(schema_kind kind) {
    return pick([&](const schema_node& n) { return n.attributes.kind == kind; });
  }
  /// Excludes new parts from later changes, since an added part may be anything.
  void touch_from(std::size_t first) {
    for (std::size_t i = first; i < s.nodes.size(); ++i) touched.insert(static_cast<std::uint32_t>(i));
  }

  /// Returns false if there was nothing to change.
  bool readable_change() {
    const std::size_t before = s.nodes.size();
    const bool done = try_readable();
    touch_from(before);
    return done;
  }
  bool try_readable() {
    switch (below(r, 15)) {
    case 0:
    case 1: {
      const std::uint32_t i = pick_kind(schema_kind::record);
      if (i == nobody) return false;
      const std::uint32_t added = make_part(s, r, 2, nobody, false);
      auto& children = s.nodes[i].children;
      children.insert(children.begin() + static_cast<std::ptrdiff_t>(below(r, children.size() + 1)),
                      {s.new_name(), 0, added});
      return true;
    }
    case 2: {
      const std::uint32_t i = pick([](const schema_node& n) {
        return n.attributes.kind == schema_kind::record && !n.children.empty();
      });
      if (i == nobody) return false;
      auto& children = s.nodes[i].children;
      children.erase(children.begin() + static_cast<std::ptrdiff_t>(below(r, children.size())));
      return true;
    }
    case 3: {
      const std::uint32_t i = pick_kind(schema_kind::record);
      if (i == nobody) return false;
      std::shuffle(s.nodes[i].children.begin(), s.nodes[i].children.end(), r);
      return true;
    }
    case 4: {
      const std::uint32_t i = pick([](const schema_node& n) {
        return n.attributes.kind == schema_kind::integer && n.attributes.width < 8;
      });
      if (i == nobody) return false;
      auto& attributes = s.nodes[i].attributes;
      if (below(r, 3) == 0) {
        attributes = {schema_kind::floating,
                      static_cast<std::uint8_t>(attributes.width <= 2 && below(r, 2) == 0 ? 4 : 8), 0, 0, 0};
        return true;
      }
      attributes.width = static_cast<std::uint8_t>(attributes.width * 2);
      if (below(r, 2) == 0) attributes.flags = 1;
      return true;
    }
    case 5: {
      const std::uint32_t i = pick([](const schema_node& n) {
        return n.attributes.kind == schema_kind::floating && n.attributes.width == 4;
      });
      if (i == nobody) return false;
      s.nodes[i].attributes.width = 8;
      return true;
    }
    case 6: {
      pick([](const schema_node&) { return false; });
      const std::uint32_t i = free_edges.empty() ? nobody : free_edges[below(r, free_edges.size())];
      const std::size_t first = i == nobody ? 0 : is_set(s.nodes[i]) || is_map(s.nodes[i]) ? 1 : 0;
      if (i == nobody || s.nodes[i].children.size() <= first) return false;
      const std::size_t k = first + below(r, s.nodes[i].children.size() - first);
      const std::uint32_t held = s.nodes[i].children[k].node;
      if (s.at(held).attributes.kind == schema_kind::optional) return false;
      const std::uint32_t added = add(s, schema_kind::optional);
      adopt(s, added, held);
      s.nodes[i].children[k].node = added;
      return true;
    }
    case 7: {
      const std::uint32_t i = pick_kind(schema_kind::enumeration);
      if (i == nobody) return false;
      s.nodes[i].enumerators.push_back({s.new_name(), s.nodes[i].enumerators.back().value + 1 + below(r, 9)});
      return true;
    }
    case 8: {
      const std::uint32_t i = pick([](const schema_node& n) {
        return n.attributes.kind == schema_kind::enumeration && n.attributes.flags == 0;
      });
      if (i == nobody) return false;
      auto& all = s.nodes[i].enumerators;
      std::vector<std::string> names;
      for (const auto& each : all) names.push_back(each.name);
      std::shuffle(names.begin(), names.end(), r);
      for (std::size_t k = 0; k < all.size(); ++k) all[k] = {names[k], all[k].value + 3};
      if (s.nodes[i].attributes.width < 8 && below(r, 2) == 0)
        s.nodes[i].attributes.width = static_cast<std::uint8_t>(s.nodes[i].attributes.width * 2);
      return true;
    }
    case 9: {
      const std::uint32_t i = pick_kind(schema_kind::variant);
      if (i == nobody) return false;
      const std::uint32_t added = make_part(s, r, 1, nobody, false);
      const bool are_named = !s.nodes[i].children[0].name.empty();
      adopt(s, i, added, are_named ? s.new_name() : std::string());
      if (are_named) std::shuffle(s.nodes[i].children.begin(), s.nodes[i].children.end(), r);
      return true;
    }
    case 11: { // readers reject data that has it
      const std::uint32_t i = pick([](const schema_node& n) {
        return n.attributes.kind == schema_kind::variant && n.children.size() > 1;
      });
      if (i == nobody) return false;
      auto& all = s.nodes[i].children;
      if (all[0].name.empty()) all.pop_back();
      else all.erase(all.begin() + static_cast<std::ptrdiff_t>(below(r, all.size())));
      return true;
    }
    case 13: { // readers reject data that has it
      const std::uint32_t i = pick([](const schema_node& n) {
        return n.attributes.kind == schema_kind::enumeration && n.attributes.flags == 0 &&
               n.enumerators.size() > 1;
      });
      if (i == nobody) return false;
      auto& all = s.nodes[i].enumerators;
      all.erase(all.begin() + static_cast<std::ptrdiff_t>(below(r, all.size())));
      return true;
    }
    case 12: {
      const std::uint32_t i = pick([](const schema_node& n) {
        return n.attributes.kind == schema_kind::variant && !n.children[0].name.empty();
      });
      if (i == nobody) return false;
      std::shuffle(s.nodes[i].children.begin(), s.nodes[i].children.end(), r);
      return true;
    }
    case 10: {
      const std::uint32_t i = pick_kind(schema_kind::bitset);
      if (i == nobody) return false;
      s.nodes[i].attributes.extent += below(r, 12);
      return true;
    }
    default: {
      const std::uint32_t i = pick_kind(schema_kind::record);
      if (i == nobody) return false;
      constexpr unsigned styles[]{0, 8, 32, 64, 128};
      s.nodes[i].attributes.flags = static_cast<std::uint8_t>(styles[below(r, std::size(styles))]);
      return true;
    }
    }
  }
  bool unreadable_change() {
    switch (below(r, 10)) {
    case 0: {
      const std::uint32_t i = pick([](const schema_node& n) {
        return n.attributes.kind == schema_kind::integer && n.attributes.width > 1;
      });
      if (i == nobody) return false;
      s.nodes[i].attributes.width = static_cast<std::uint8_t>(s.nodes[i].attributes.width / 2);
      return true;
    }
    case 1: {
      const std::uint32_t i = pick_kind(schema_kind::integer);
      if (i == nobody) return false;
      s.nodes[i].attributes.flags ^= 1;
      return true;
    }
    case 2: {
      const std::uint32_t i = pick([](const schema_node& n) {
        return n.attributes.kind == schema_kind::string || n.attributes.kind == schema_kind::boolean ||
               n.attributes.kind == schema_kind::path;
      });
      if (i == nobody) return false;
      s.nodes[i].attributes = {schema_kind::byte, 1, 0, 0, 0};
      return true;
    }
    case 3: {
      const std::uint32_t i = pick([](const schema_node& n) {
        return n.attributes.kind == schema_kind::enumeration && n.attributes.flags != 0;
      });
      if (i == nobody) return false;
      for (auto& each : s.nodes[i].enumerators) ++each.value;
      return true;
    }
    case 4: { // new names for all alternatives
      const std::uint32_t i = pick([](const schema_node& n) {
        return n.attributes.kind == schema_kind::variant && !n.children[0].name.empty();
      });
      if (i == nobody) return false;
      for (auto& each : s.nodes[i].children) each.name = s.new_name();
      return true;
    }
    case 5: {
      const std::uint32_t i = pick([&](const schema_node& n) {
        return n.attributes.kind == schema_kind::array &&
               s.child(n, 0).attributes.kind != schema_kind::character;
      });
      if (i == nobody) return false;
      ++s.nodes[i].attributes.extent;
      return true;
    }
    case 6: {
      const std::uint32_t i = pick([](const schema_node& n) {
        return n.attributes.kind == schema_kind::bitset && n.attributes.extent != 0;
      });
      if (i == nobody) return false;
      --s.nodes[i].attributes.extent;
      return true;
    }
    case 7: {
      const std::uint32_t i = pick_kind(schema_kind::tuple);
      if (i == nobody) return false;
      adopt(s, i, add(s, schema_kind::boolean, 1));
      return true;
    }
    case 8: {
      const std::uint32_t i = pick_kind(schema_kind::duration);
      if (i == nobody) return false;
      s.nodes[i].attributes.divisor = 1; // floating-point numbers; integers would be converted
      s.nodes[s.nodes[i].children[0].node].attributes = {schema_kind::floating, 4};
      return true;
    }
    default: {
      const std::uint32_t i = pick([&](const schema_node& n) {
        return is_set(n) || is_map(n) || n.attributes.kind == schema_kind::sequence;
      });
      if (i == nobody) return false;
      if (s.nodes[i].attributes.kind == schema_kind::sequence)
        s.nodes[i].attributes = {schema_kind::optional, 0, 0, 0, 0};
      else if (s.nodes[s.nodes[i].children[0].node].attributes.kind == schema_kind::string)
        s.nodes[s.nodes[i].children[0].node].attributes.width = 2;
      else s.nodes[s.nodes[i].children[0].node].attributes = {schema_kind::floating, 8, 0, 0, 0};
      return true;
    }
    }
  }
};

// --- expected values -----------------------------------------------------------------------------

struct conversion {
  const model_schema& before;
  const model_schema& after;
  bool is_compact;
  mutable bool is_lost = false; ///< the value contains something that the new schema lacks

  /// Returns the index of the new variant's alternative for the `k`th alternative of the old one;
  /// `nobody` for none.
  static std::size_t alternative_of(const schema_node& a, const schema_node& b, std::size_t k) {
    if (a.attributes.kind != schema_kind::variant || a.children[k].name.empty())
      return k < b.children.size() ? k : nobody;
    for (std::size_t j = 0; j < b.children.size(); ++j) {
      if (b.children[j].name == a.children[k].name) return j;
    }
    return nobody;
  }
  value convert(std::uint32_t from, std::uint32_t to, const value& v) const {
    const schema_node& a = before.at(from);
    const schema_node& b = after.at(to);
    value converted;
    if (b.attributes.kind == schema_kind::optional && a.attributes.kind != schema_kind::optional) {
      converted.bits = 1;
      converted.parts = {convert(from, b.children[0].node, v)};
      return converted;
    }
    switch (a.attributes.kind) {
    case schema_kind::enumeration:
      converted.bits = v.bits;
      for (const auto& each : a.enumerators) {
        if (each.value != v.bits) continue;
        const auto now = std::find_if(b.enumerators.begin(), b.enumerators.end(),
                                      [&](const auto& other) { return other.name == each.name; });
        if (now != b.enumerators.end()) converted.bits = now->value;
        else is_lost = true;
      }
      return converted;
    case schema_kind::integer:
      converted.bits = v.bits;
      if (b.attributes.kind == schema_kind::floating) {
        const double number = a.attributes.has(schema_flag::is_signed)
                                  ? static_cast<double>(static_cast<std::int64_t>(v.bits))
                                  : static_cast<double>(v.bits);
        converted.bits = b.attributes.width == 8 ? std::bit_cast<std::uint64_t>(number)
                                                 : std::bit_cast<std::uint32_t>(static_cast<float>(number));
      }
      return converted;
    case schema_kind::floating:
      converted.bits = a.attributes.width == b.attributes.width ? v.bits : ingot::detail::widen_float(v.bits);
      return converted;
    case schema_kind::bitset:
      converted.bytes = v.bytes;
      converted.bytes.resize(static_cast<std::size_t>((b.attributes.extent + 7) / 8), '\0');
      return converted;
    case schema_kind::record:
      for (const auto& member : b.children) {
        value part = default_of(after, member.node);
        for (std::size_t k = 0; k < a.children.size(); ++k) {
          const bool is_left_out =
              is_compact && a.attributes.has(schema_flag::elides_defaults) && v.parts[k].is_default;
          if (a.children[k].name == member.name && !is_left_out)
            part = convert(a.children[k].node, member.node, v.parts[k]);
        }
        converted.parts.push_back(std::move(part));
      }
      return converted;
    case schema_kind::variant:
    case schema_kind::expected:
    case schema_kind::optional:
      converted.bits = v.bits;
      if (!v.parts.empty()) {
        const auto k = static_cast<std::size_t>(child_of_tag(a, v.bits));
        const std::size_t j = alternative_of(a, b, k);
        if (j == nobody) {
          is_lost = true;
          return converted;
        }
        if (a.attributes.kind == schema_kind::variant) converted.bits = j;
        converted.parts = {convert(a.children[k].node, b.children[j].node, v.parts[0])};
      }
      return converted;
    case schema_kind::tuple:
      for (std::size_t k = 0; k < v.parts.size(); ++k)
        converted.parts.push_back(convert(a.children[k].node, b.children[k].node, v.parts[k]));
      return converted;
    case schema_kind::set:
    case schema_kind::unordered_set:
    case schema_kind::map:
    case schema_kind::unordered_map:
      for (const value& entry : v.parts) {
        value now;
        for (std::size_t k = 0; k < entry.parts.size(); ++k)
          now.parts.push_back(convert(a.children[k].node, b.children[k].node, entry.parts[k]));
        converted.parts.push_back(std::move(now));
      }
      return converted;
    default:
      converted.bits = v.bits;
      converted.bytes = v.bytes;
      for (const value& part : v.parts)
        converted.parts.push_back(convert(a.children[0].node, b.children[0].node, part));
      return converted;
    }
  }
};

/// Returns true if elements take bytes. Lists whose elements took bytes and no longer do are not
/// read, since a message may contain any number of the new elements and only few of the old.
inline bool takes_bytes(const model_schema& s, std::uint32_t i) {
  const schema_node& n = s.at(i);
  const auto any = [&] {
    return std::any_of(n.children.begin(), n.children.end(),
                       [&](const auto& child) { return takes_bytes(s, child.node); });
  };
  switch (n.attributes.kind) {
  case schema_kind::bitset: return n.attributes.extent != 0;
  case schema_kind::array: return n.attributes.extent != 0 && any();
  case schema_kind::tuple: return any();
  case schema_kind::record: return n.attributes.has(schema_flag::is_evolvable) || any();
  default: return true;
  }
}
inline bool loses_elements(const model_schema& old, const model_schema& now, std::uint32_t from,
                           std::uint32_t to) {
  if (old.nodes[from].attributes.kind == schema_kind::recursion) return false;
  const schema_node& a = old.at(from);
  const schema_node& b = now.at(to);
  if (b.attributes.kind == schema_kind::optional && a.attributes.kind != schema_kind::optional)
    return loses_elements(old, now, from, b.children[0].node);
  if (a.attributes.kind == schema_kind::sequence && takes_bytes(old, a.children[0].node) &&
      !takes_bytes(now, b.children[0].node))
    return true;
  for (std::size_t k = 0; k < a.children.size(); ++k) {
    for (std::size_t j = 0; j < b.children.size(); ++j) {
      const bool is_read_as = a.children[k].name.empty() ? k == j : a.children[k].name == b.children[j].name;
      if (is_read_as && loses_elements(old, now, a.children[k].node, b.children[j].node)) return true;
    }
  }
  return false;
}

/// Returns the plan that a type would have, with the defaults of the lab.
inline ingot::detail::evolution_plan plan_of(ingot::detail::evolving_graph before, const ingot::schema& after,
                                             const model_schema& changed, bool& reads) {
  ingot::detail::evolution_plan plan;
  plan.from = std::move(before);
  plan.to = ingot::detail::graph_of(after);
  ingot::detail::resolver resolver(plan.from, plan.to);
  reads = static_cast<bool>(resolver.run());
  plan.pairs = resolver.take_pairs();
  plan.defaults.resize(plan.to.nodes.size());
  // Names are unique, since a member's default is found by its name.
  for (std::size_t i = 0; i < plan.to.nodes.size(); ++i) {
    for (const auto& child : plan.to.nodes[i].children) {
      byte_vector bytes;
      for (const schema_node& n : changed.nodes) {
        for (const auto& member : n.children) {
          if (!member.name.empty() && member.name == child.name)
            bytes = packed_writer(changed).write(member.node, default_of(changed, member.node));
        }
      }
      plan.defaults[i].push_back(std::move(bytes));
    }
  }
  return plan;
}

/// A schema and its changed form: readable changes, and perhaps one that is not readable.
struct changed_schema {
  model_schema old;
  model_schema now;
  bool is_readable = true;
};
inline changed_schema make_changed(dice& r) {
  changed_schema pair;
  pair.old.root = below(r, 4) == 0 ? make_part(pair.old, r, 4, nobody, false) : make_record(pair.old, r, 4);
  pair.now = pair.old;
  changes change{pair.now, r, {}, {}, {}};
  for (std::size_t n = below(r, 5); n != 0; --n) change.readable_change();
  for (std::size_t tries = below(r, 2) * 6; tries != 0 && pair.is_readable; --tries)
    pair.is_readable = !change.unreadable_change();
  return pair;
}

inline std::size_t pairs_to_try() { return std::getenv("INGOT_TEST_FULL") != nullptr ? 100'000 : 2'000; }

} // namespace evolution_lab
