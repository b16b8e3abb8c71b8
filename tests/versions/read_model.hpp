// SPDX-License-Identifier: Apache-2.0
// Reads a document as another version of the type: a second implementation of the rules of
// docs/evolution.md.
#pragma once

#include "versions/document_node.hpp"

#include <algorithm>
#include <bit>
#include <charconv>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>
#include <type_traits>
#include <utility>
#include <vector>

namespace versions {

class read_model : public part_model {
public:
  /// Returns the default-constructed value of a record of the type that is read.
  using defaults = std::function<value(const known_type&, std::uint32_t)>;
  read_model(const known_type& now, defaults of) : now_(now), make_default_(std::move(of)) {}

  [[nodiscard]] std::optional<value> read(const node& from) {
    whole_ = true;
    return read(now_.schema.root, from);
  }

private:
  using outcome = std::optional<value>;
  static value of(std::uint64_t bits) {
    value v;
    v.bits = bits;
    return v;
  }
  outcome read_integer(const node& from, unsigned width, bool is_signed) {
    if (from.kind != node::is::integer || !fits(from, width, is_signed)) return {};
    return of(from.bits);
  }
  outcome read_enumerator(const schema_node& to, const node& from) {
    if (from.kind == node::is::text) {
      for (const auto& each : to.enumerators) {
        if (each.name == from.text) return of(each.value);
      }
      if (const outcome former = former_enumerator(to, from.text)) return former;
      tell(reason::former_enumerator);
      return {};
    }
    const outcome number = read_integer(from, to.attributes.width, to.attributes.has(schema_flag::is_signed));
    return number && takes(to, number->bits) ? number : outcome{};
  }
  static bool takes(const schema_node& to, std::uint64_t bits) {
    if (to.attributes.has(schema_flag::is_open)) return true;
    if (!to.attributes.has(schema_flag::is_flags)) return has_value(to, bits);
    for (const auto& each : to.enumerators) bits &= ~each.value;
    return bits == 0;
  }
  [[nodiscard]] outcome former_enumerator(const schema_node& to, const std::string& name) const {
    const auto& formers =
        now_.attributes[static_cast<std::size_t>(&to - now_.schema.nodes.data())].former_enumerators;
    for (std::size_t k = 0; k < formers.size(); ++k) {
      if (std::find(formers[k].begin(), formers[k].end(), name) != formers[k].end())
        return of(to.enumerators[k].value);
    }
    return {};
  }
  static bool has_value(const schema_node& to, std::uint64_t bits) {
    return std::any_of(to.enumerators.begin(), to.enumerators.end(),
                       [&](const auto& each) { return each.value == bits; });
  }
  outcome read_key(const schema_node& to, const std::string& from) {
    if (to.attributes.kind == schema_kind::string) {
      value v;
      v.bytes = from;
      return v;
    }
    for (const auto& each : to.enumerators) {
      if (each.name == from) return of(each.value);
    }
    if (const outcome former = former_enumerator(to, from)) return former;
    if (to.attributes.kind == schema_kind::enumeration && !to.attributes.has(schema_flag::is_open) &&
        !to.attributes.has(schema_flag::is_flags)) {
      tell(reason::former_enumerator);
      return {};
    }
    const bool is_negative = from.starts_with('-');
    const std::string_view digits = std::string_view(from).substr(is_negative ? 1 : 0);
    std::uint64_t magnitude = 0;
    const auto [end, failure] = std::from_chars(digits.data(), digits.data() + digits.size(), magnitude);
    const bool is_spelled = !digits.empty() && failure == std::errc{} &&
                            end == digits.data() + digits.size() &&
                            (digits[0] != '0' || (digits.size() == 1 && !is_negative));
    if (!is_spelled || (is_negative && magnitude > std::uint64_t{1} << 63)) {
      if (to.attributes.kind == schema_kind::enumeration) tell(reason::former_enumerator);
      return {};
    }
    const node number = integer(is_negative ? 0 - magnitude : magnitude, is_negative);
    if (!fits(number, to.attributes.width, to.attributes.has(schema_flag::is_signed)) ||
        has_value(to, number.bits))
      return {};
    if (to.attributes.kind == schema_kind::enumeration && !takes(to, number.bits)) return {};
    return of(number.bits);
  }
  /// Reads the elements of a list, an array or a tuple. With `by_index`, each element has its own
  /// type.
  outcome read_elements(const schema_node& to, const std::vector<node>& from, bool by_index) {
    value v;
    for (std::size_t k = 0; k < from.size(); ++k) {
      outcome one = read(to.children[by_index ? k : 0].node, from[k]);
      if (!one) return {};
      v.parts.push_back(std::move(*one));
    }
    return v;
  }
  /// Sorts the entries of a set or map, which may be in any order. Returns nothing if keys repeat
  /// and must not.
  outcome in_order(const schema_node& to, value v) {
    const auto order = [&](const value& a, const value& b) {
      return evolution_lab::key_order(now_.schema, to, a.parts[0], b.parts[0]);
    };
    std::stable_sort(v.parts.begin(), v.parts.end(),
                     [&](const value& a, const value& b) { return order(a, b) < 0; });
    const bool repeats =
        std::adjacent_find(v.parts.begin(), v.parts.end(),
                           [&](const value& a, const value& b) { return order(a, b) == 0; }) != v.parts.end();
    if (repeats && !to.attributes.has(schema_flag::is_multi)) return {};
    return v;
  }
  outcome read_map(const schema_node& to, const node& from) {
    const schema_node& key = now_.schema.nodes[to.children[0].node];
    value v;
    const auto add = [&](outcome k, outcome mapped) {
      if (!k || !mapped) return false;
      value entry;
      entry.parts = {std::move(*k), std::move(*mapped)};
      v.parts.push_back(std::move(entry));
      return true;
    };
    schema_node once = to;
    once.attributes.flags = 0;
    // also if keys of the current version may repeat
    if (from.kind == node::is::object && is_object(once, key)) {
      for (const auto& [name, held] : from.members) {
        if (!add(read_key(key, name), read(to.children[1].node, held))) return {};
      }
    } else if (from.kind == node::is::array && !is_object(to, key)) {
      for (const node& each : from.elements) {
        if (each.kind != node::is::array || each.elements.size() != 2) return {};
        if (!add(read(to.children[0].node, each.elements[0]), read(to.children[1].node, each.elements[1])))
          return {};
      }
    } else {
      return {};
    }
    return in_order(to, std::move(v));
  }
  outcome read_optional(const schema_node& to, const node& from) {
    const std::uint32_t held = to.children[0].node;
    if (from.kind == node::is::null) return value{};
    outcome inner;
    if (is_optional(now_.schema, held)) {
      tell(reason::twice_optional);
      if (from.kind != node::is::array || from.elements.size() != 1) return {};
      inner = read(held, from.elements[0]);
    } else {
      inner = read(held, from);
    }
    if (!inner) return {};
    value v = of(1);
    v.parts = {std::move(*inner)};
    return v;
  }
  outcome read_tagged(const schema_node& to, const node& from) {
    if (from.kind != node::is::object || from.members.size() != 1) return {};
    const auto& [tag, held] = *from.members.begin();
    for (std::uint64_t t = 0; t < evolution_lab::tags(to); ++t) {
      const int k = evolution_lab::child_of_tag(to, t);
      const std::string name = to.attributes.kind == schema_kind::variant ? tag_of(to, t)
                               : t == 0                                   ? "value"
                                                                          : "error";
      if (name != tag) continue;
      value v = of(t);
      if (k < 0) return held.kind == node::is::null ? outcome(v) : outcome{};
      outcome inner = read(to.children[static_cast<std::size_t>(k)].node, held);
      if (!inner) return {};
      v.parts = {std::move(*inner)};
      return v;
    }
    if (to.attributes.kind == schema_kind::variant) tell(reason::alternative_by_index);
    return {};
  }

  outcome read_record(std::uint32_t i, const node& from, bool is_complete) {
    const schema_node& to = now_.schema.nodes[i];
    const part_facts& attributes = now_.attributes[i];
    if (from.kind != node::is::object) return {};
    if (attributes.version != 0 && !attributes.tells_version) tell(reason::untold_version);
    if (attributes.tells_version) {
      const auto stated = from.members.find("version");
      std::uint64_t number = 0;
      if (stated != from.members.end()) {
        if (stated->second.kind != node::is::integer || !fits(stated->second, 4, false)) return {};
        number = stated->second.bits;
      }
      if (number > attributes.version) return {};
      if (attributes.previous != evolution_lab::nobody &&
          number <= now_.attributes[attributes.previous].version)
        return upgraded(i, from, is_complete);
    }
    std::vector<const node*> sources(to.children.size());
    for (std::size_t k = 0; k < sources.size(); ++k) {
      if (const auto own = from.members.find(to.children[k].name); own != from.members.end())
        sources[k] = &own->second;
    }
    // A member takes the value with its own name. Other members take a value with a former name:
    // first a value that no other member has, then one that another member has by its own name.
    std::vector<std::size_t> waiting;
    for (std::size_t k = 0; k < sources.size(); ++k) {
      if (sources[k] == nullptr) waiting.push_back(k);
    }
    for (std::size_t w = 0; w < waiting.size(); ++w) {
      const std::size_t k = waiting[w];
      if (from.lacks_nothings && !attributes.members[k].former.empty()) tell(reason::nothing_is_absent);
      for (const bool may_take : {false, true}) {
        for (const std::string& former : attributes.members[k].former) {
          const auto found = from.members.find(former);
          if (sources[k] != nullptr || found == from.members.end()) continue;
          const auto holder = std::find(sources.begin(), sources.end(), &found->second);
          if (holder != sources.end()) {
            const auto loser = static_cast<std::size_t>(holder - sources.begin());
            if (!may_take || to.children[loser].name != former) continue;
            *holder = nullptr;
            waiting.push_back(loser);
          }
          sources[k] = &found->second;
        }
      }
    }
    const value fresh = make_default_(now_, i);
    value v;
    bool has_any = false;
    for (std::size_t k = 0; k < sources.size(); ++k) {
      const member_facts& member = attributes.members[k];
      if (sources[k] == nullptr) {
        v.parts.push_back(missing(to.children[k].node, member, fresh.parts[k], from));
        continue;
      }
      has_any = true;
      if (sources[k]->kind == node::is::null && !is_optional(now_.schema, to.children[k].node))
        tell(reason::nothing_is_absent); // in packed form, it has the default
      outcome one = read(to.children[k].node, *sources[k]);
      if (!one) return {};
      const auto number = static_cast<std::int64_t>(one->bits);
      if (member.has_range && (number < member.low || number > member.high)) return {};
      v.parts.push_back(std::move(*one));
    }
    if (is_complete && !has_any && !from.members.empty() && !to.children.empty()) {
      tell(reason::nothing_in_common);
      return {};
    }
    if (attributes.tells_version) v.parts[0].bits = attributes.version;
    return v;
  }
  value missing(std::uint32_t part, const member_facts& member, const value& fresh, const node& from) {
    if (from.lacks_nothings) tell(reason::nothing_is_absent);
    if (member.default_value) return *member.default_value;
    if (!is_optional(now_.schema, part)) return fresh;
    if (fresh.bits != 0) tell(reason::nothing_is_absent);
    return {};
  }
  outcome upgraded(std::uint32_t i, const node& from, bool is_complete) {
    const schema_node& to = now_.schema.nodes[i];
    const part_facts& attributes = now_.attributes[i];
    const outcome old = read_record(attributes.previous, from, is_complete);
    if (!old) return {};
    const auto index_of = [](const schema_node& n, const std::string& name) {
      std::size_t k = 0;
      while (n.children[k].name != name) ++k;
      return k;
    };
    value v = make_default_(now_, i);
    const std::uint64_t number =
        old->parts[index_of(now_.schema.nodes[attributes.previous], attributes.old_number)].bits;
    const std::size_t k = index_of(to, attributes.new_number);
    v.parts[k].bits = evolution_lab::in_width(number * static_cast<std::uint64_t>(attributes.factor) +
                                                  static_cast<std::uint64_t>(attributes.more),
                                              now_.schema.nodes[to.children[k].node].attributes);
    v.parts[0].bits = attributes.version;
    return v;
  }

  outcome read(std::uint32_t i, const node& from) {
    const schema_node& to = now_.schema.nodes[i];
    const part_facts& attributes = now_.attributes[i];
    const bool is_complete = std::exchange(whole_, false);
    switch (to.attributes.kind) {
    case schema_kind::boolean: return from.kind == node::is::boolean ? outcome(of(from.bits)) : outcome{};
    case schema_kind::integer:
      return read_integer(from, to.attributes.width, to.attributes.has(schema_flag::is_signed));
    case schema_kind::byte: return read_integer(from, 1, false);
    case schema_kind::character: {
      if (from.kind == node::is::text) {
        if (from.text.size() != 1 || static_cast<unsigned char>(from.text[0]) >= 0x80) return {};
        return of(static_cast<unsigned char>(from.text[0]));
      }
      const outcome number =
          read_integer(from, to.attributes.width, to.attributes.width == 1 && std::is_signed_v<char>);
      return number ? outcome(of(evolution_lab::in_width(number->bits, to.attributes))) : outcome{};
    }
    case schema_kind::floating: return read_floating(to.attributes.width, from);
    case schema_kind::enumeration: return read_enumerator(to, from);
    case schema_kind::bitset: {
      if (from.kind != node::is::text || from.text.size() > to.attributes.extent) return {};
      value v;
      v.bytes.assign(static_cast<std::size_t>((to.attributes.extent + 7) / 8), '\0');
      for (std::size_t k = 0; k < from.text.size(); ++k) {
        const char digit = from.text[from.text.size() - 1 - k];
        if (digit != '0' && digit != '1') return {};
        if (digit == '1') v.bytes[k / 8] = static_cast<char>(v.bytes[k / 8] | 1 << k % 8);
      }
      return v;
    }
    case schema_kind::string:
    case schema_kind::path: {
      if (from.kind != node::is::text) return {};
      value v;
      v.bytes = from.text;
      return v;
    }
    case schema_kind::duration:
    case schema_kind::time_point: {
      outcome count = read(to.children[0].node, from);
      if (!count) return {};
      value v;
      v.parts = {std::move(*count)};
      return v;
    }
    case schema_kind::complex:
      if (from.kind != node::is::array || from.elements.size() != 2) return {};
      return read_elements(to, from.elements, false);
    case schema_kind::array:
      if (attributes.is_text) {
        if (from.kind != node::is::text) {
          if (from.kind == node::is::array) tell(reason::text_of_array);
          return {};
        }
        if (from.text.size() > to.attributes.extent) return {};
        value v;
        for (std::size_t k = 0; k < to.attributes.extent; ++k)
          v.parts.push_back(of(k < from.text.size() ? static_cast<unsigned char>(from.text[k]) : 0));
        return v;
      }
      if (from.kind == node::is::text) tell(reason::text_of_array);
      if (from.kind != node::is::array || from.elements.size() != to.attributes.extent) return {};
      return read_elements(to, from.elements, false);
    case schema_kind::sequence: {
      if (from.kind == node::is::array) return read_elements(to, from.elements, false);
      if (from.kind != node::is::binary || !holds_bytes(to.children[0].node)) return {};
      std::vector<node> bytes;
      for (const char c : from.text) bytes.push_back(integer(static_cast<unsigned char>(c), false));
      return read_elements(to, bytes, false);
    }
    case schema_kind::set:
    case schema_kind::unordered_set: {
      if (from.kind != node::is::array) return {};
      const outcome all = read_elements(to, from.elements, false);
      if (!all) return {};
      value v;
      for (const value& each : all->parts) {
        value entry;
        entry.parts = {each};
        v.parts.push_back(std::move(entry));
      }
      return in_order(to, std::move(v));
    }
    case schema_kind::map:
    case schema_kind::unordered_map: return read_map(to, from);
    case schema_kind::optional: return read_optional(to, from);
    case schema_kind::variant:
    case schema_kind::expected: return read_tagged(to, from);
    case schema_kind::tuple:
      if (from.kind != node::is::array || from.elements.size() != to.children.size()) return {};
      return read_elements(to, from.elements, true);
    default: return read_record(i, from, is_complete);
    }
  }
  [[nodiscard]] bool holds_bytes(std::uint32_t i) const {
    while (is_optional(now_.schema, i)) i = now_.schema.nodes[i].children[0].node;
    return now_.schema.nodes[i].attributes.kind == schema_kind::byte;
  }
  outcome read_floating(unsigned width, const node& from) {
    if (from.kind == node::is::integer) {
      const std::uint64_t magnitude = from.is_negative ? 0 - from.bits : from.bits;
      std::uint64_t digits = magnitude; // a double has 53 significant bits, at any position
      while (digits != 0 && digits % 2 == 0) digits /= 2;
      if (digits >> 53 != 0) return {};
      double d = static_cast<double>(magnitude);
      if (from.is_negative) d = -d;
      if (width == 8) return of(std::bit_cast<std::uint64_t>(d));
      // the nearest float, as for text
      return of(std::bit_cast<std::uint32_t>(static_cast<float>(d)));
    }
    if (from.kind != node::is::real) return {};
    if (width == 8) return of(from.bits);
    const auto narrow = narrowed(from.bits);
    return narrow ? outcome(of(*narrow)) : outcome{};
  }

  const known_type& now_;
  defaults make_default_;
  bool whole_ = false;
};

} // namespace versions
