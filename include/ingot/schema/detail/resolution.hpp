// SPDX-License-Identifier: Apache-2.0
// Pairs old parts with the new parts that read them, and finds old parts that no new part can read.
// The pairs are the plan for reading old bytes. docs/evolution.md has the rules.
#pragma once

#include <ingot/schema/detail/empty_parts.hpp>
#include <ingot/schema/detail/evolving_graph.hpp>
#include <ingot/schema/detail/matching.hpp>
#include <ingot/schema/detail/number_ranges.hpp>
#include <ingot/schema/detail/part_name.hpp>
#include <ingot/schema/detail/period.hpp>
#include <ingot/schema/detail/resolved_pair.hpp>
#include <ingot/schema/detail/widening.hpp>
#include <ingot/schema/fingerprint.hpp>
#include <ingot/schema/schema_change.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

namespace ingot { inline namespace INGOT_V1 { namespace detail {

class resolver {
public:
  resolver(const evolving_graph& from, const evolving_graph& to) : from_(from), to_(to) {
    budget_ = 65'536;
    for (const evolving_graph* graph : {&from, &to}) {
      for (const evolving_node& node : graph->nodes) budget_ += 64 * work_of(node);
    }
  }

  [[nodiscard]] compatibility run() {
    link(resolved_link::none, from_.root, to_.root, {});
    for (std::uint32_t i = 0; i < pairs_.size() && budget_ != 0; ++i) resolve(i);
    if (budget_ == 0) reject(0, "there is too much to compare");
    // A pair that differs keeps its bytes only if lost enumerators (`lost`) are the difference.
    for (resolved_pair& each : pairs_) {
      if (each.lost.empty() && !each.is_same) each.keeps_bytes = false;
    }
    spread_differences(&resolved_pair::is_same);
    spread_differences(&resolved_pair::keeps_bytes);
    for (std::uint32_t i = 0; i < pairs_.size() && budget_ != 0; ++i) check_keys(i);
    check_elements();
    return compatibility(std::move(changes_), is_whole_, reads_, reads_every_);
  }
  /// Returns the plan; its first pair is the whole value. Call this only for compatible schemas.
  [[nodiscard]] std::vector<resolved_pair>&& take_pairs() noexcept { return std::move(pairs_); }

private:
  using step = resolved_pair::step;
  using kind = schema_change_kind;

  [[nodiscard]] const evolving_node& old_of(std::uint32_t pair) const {
    return from_.nodes[pairs_[pair].from];
  }
  [[nodiscard]] const evolving_node& new_of(std::uint32_t pair) const { return to_.nodes[pairs_[pair].to]; }
  void spend(std::size_t work) noexcept { budget_ -= std::min(budget_, work); }
  /// Returns the cost of a pass over all names of a part, in the unit of `budget_`.
  static std::size_t work_of(const evolving_node& node) noexcept {
    std::size_t work = 1;
    for (const evolving_child& each : node.children) work += each.name.size() / 16 + 1;
    for (const schema_enumerator& each : node.enumerators) work += each.name.size() / 16 + 1;
    return work;
  }

  std::uint32_t link(std::uint32_t parent, std::uint32_t from, std::uint32_t to, std::string label) {
    const auto next = static_cast<std::uint32_t>(pairs_.size());
    const auto [at, is_new] = known_.try_emplace(std::uint64_t{from} << 32 | to, next);
    if (!is_new) return at->second;
    spend(16);
    resolved_pair& linked = pairs_.emplace_back();
    linked.from = from;
    linked.to = to;
    linked.parent = parent;
    linked.label = std::move(label);
    return next;
  }
  void link_child(std::uint32_t pair, std::size_t k, std::string_view label) {
    const std::uint32_t child =
        link(pair, old_of(pair).children[k].node, new_of(pair).children[k].node, std::string(label));
    pairs_[pair].links.push_back({static_cast<std::uint32_t>(k), child});
  }

  // --- reports of changes -----------------------------------------------------------------------

  void tell(kind what, std::uint32_t pair, std::string_view last, std::string before, std::string after,
            std::string reason = {}) {
    const bool is_first_failure = what == kind::incompatible && reads_;
    if (what == kind::incompatible) reads_ = false;
    if (what == kind::unless_used) reads_every_ = false;
    if (changes_.size() >= compatibility::max_changes) {
      is_whole_ = false;
      if (!is_first_failure) return;
      changes_.pop_back();
    }
    changes_.push_back(
        {what, path_of(pairs_, pair, last), std::move(before), std::move(after), std::move(reason)});
  }
  void tell(kind what, std::uint32_t pair) {
    tell(what, pair, {}, part_name(old_of(pair).attributes), part_name(new_of(pair).attributes));
  }
  void reject(std::uint32_t pair, std::string reason) {
    tell(kind::incompatible, pair, {}, part_name(old_of(pair).attributes), part_name(new_of(pair).attributes),
         std::move(reason));
  }

  // --- rules ------------------------------------------------------------------------------------

  void resolve(std::uint32_t pair) {
    const evolving_node& from = old_of(pair);
    const evolving_node& to = new_of(pair);
    const schema_attributes& old_facts = from.attributes;
    const schema_attributes& new_facts = to.attributes;
    if (new_facts.kind == schema_kind::optional && old_facts.kind != schema_kind::optional) {
      tell(kind::became_optional, pair);
      pairs_[pair].how = step::wrap;
      pairs_[pair].is_same = false;
      const std::uint32_t held = link(pair, pairs_[pair].from, to.children[0].node, {});
      pairs_[pair].links.push_back({0, held});
      return;
    }
    if (old_facts.kind != schema_kind::enumeration && widens(old_facts, new_facts)) {
      pairs_[pair].is_same = false;
      return tell(kind::widened, pair);
    }
    if (is_listed(from, to)) {
      tell(kind::extended, pair);
      return link_child(pair, 0, "[]");
    }
    if (old_facts.kind != new_facts.kind) return reject(pair, "they are of different kinds");
    switch (old_facts.kind) {
    case schema_kind::integer:
      if (old_facts.width != new_facts.width || old_facts.flags != new_facts.flags)
        reject(pair, "some old values don't fit the new type");
      return;
    case schema_kind::floating:
      if (old_facts.width != new_facts.width) reject(pair, "some old values don't fit the new type");
      return;
    case schema_kind::character:
    case schema_kind::string:
      if (old_facts.width != new_facts.width) reject(pair, "their characters differ in width");
      return;
    case schema_kind::enumeration: return resolve_enumeration(pair, from, to);
    case schema_kind::bitset:
      if (old_facts.extent > new_facts.extent) return reject(pair, "the new bitset is shorter");
      if (old_facts.extent < new_facts.extent) {
        pairs_[pair].is_same = false;
        tell(kind::extended, pair);
      }
      return;
    case schema_kind::duration:
      if (old_facts.extent != new_facts.extent || old_facts.divisor != new_facts.divisor)
        return resolve_period(pair, from, to);
      return link_child(pair, 0, {});
    case schema_kind::array:
      if (old_facts.extent != new_facts.extent) {
        const schema_attributes& element = to_.child(to, 0).attributes;
        if (element.kind != schema_kind::character || element != from_.child(from, 0).attributes)
          return reject(pair, "they have different numbers of elements");
        if (old_facts.extent > new_facts.extent) return reject(pair, "the new text is shorter");
        pairs_[pair].is_same = false; // the new array is longer, so more zeros follow the text
        tell(kind::extended, pair);
      }
      return link_child(pair, 0, "[]");
    case schema_kind::sequence:
    case schema_kind::document: return link_child(pair, 0, "[]"); // documents: bytes on both sides
    case schema_kind::time_point:
    case schema_kind::complex:
    case schema_kind::optional: return link_child(pair, 0, {});
    case schema_kind::set:
    case schema_kind::unordered_set:
    case schema_kind::map:
    case schema_kind::unordered_map:
      if (old_facts.has(schema_flag::is_multi) && !new_facts.has(schema_flag::is_multi))
        return reject(pair, "the old one may have repeated keys");
      if (old_facts.has(schema_flag::is_multi) != new_facts.has(schema_flag::is_multi))
        tell(kind::extended, pair);
      return link_child(pair, 0, is_set_kind(old_facts.kind) ? "[]" : "");
    case schema_kind::variant: return resolve_variant(pair, from, to);
    case schema_kind::expected:
    case schema_kind::tuple:
      if (from.children.size() != to.children.size())
        return reject(pair, "they have different numbers of parts");
      return link_children(pair, from);
    case schema_kind::record: return resolve_record(pair, from, to);
    default: return;
    }
  }
  /// Returns true if a set becomes a sequence of its elements, or a map a sequence of pairs. The
  /// bytes of both forms are equal.
  [[nodiscard]] bool is_listed(const evolving_node& from, const evolving_node& to) const {
    if (to.attributes.kind != schema_kind::sequence || to.is_pool) return false;
    if (is_set_kind(from.attributes.kind)) return true;
    const evolving_node& element = to_.child(to, 0);
    return is_map_kind(from.attributes.kind) && element.attributes.kind == schema_kind::tuple &&
           element.children.size() == 2;
  }
  void link_children(std::uint32_t pair, const evolving_node& from) {
    for (std::size_t k = 0; k < from.children.size(); ++k) {
      spend(1);
      if (from.is_entry) link_child(pair, k, k == 0 ? "[key]" : "[]");
      else link_child(pair, k, "[" + std::to_string(k) + "]");
    }
  }

  /// Pairs alternatives. For each old alternative, `links` has the pair with its new alternative,
  /// and `numbers` the index of the new alternative.
  void resolve_variant(std::uint32_t pair, const evolving_node& from, const evolving_node& to) {
    spend(work_of(from) + work_of(to));
    if (budget_ == 0) return;
    const std::vector<std::uint32_t> targets = match_alternatives(from, to);
    if (from.children.size() < to.children.size())
      tell(kind::extended, pair, {}, std::to_string(from.children.size()) + " alternatives",
           std::to_string(to.children.size()));
    const std::vector<bool> stayed = members_in_order(targets);
    bool is_same = from.children.size() == to.children.size();
    bool has_any = false;
    for (std::size_t k = 0; k < targets.size(); ++k) {
      const std::uint32_t j = targets[k];
      is_same &= j == k;
      pairs_[pair].numbers.push_back(j);
      if (j == no_match) {
        pairs_[pair].links.push_back({});
        tell(kind::unless_used, pair, {}, "alternative " + alternative_name(from, k), {});
        continue;
      }
      has_any = true;
      const std::string label = "[" + std::to_string(j) + "]";
      if (!from.children[k].name.empty() && !to.children[j].name.empty() &&
          from.children[k].name != to.children[j].name)
        tell(kind::renamed, pair, label, truncated_name(from.children[k].name),
             truncated_name(to.children[j].name));
      if (!stayed[k]) tell(kind::moved, pair, label, {}, {});
      const std::uint32_t held = link(pair, from.children[k].node, to.children[j].node, label);
      pairs_[pair].links.push_back({static_cast<std::uint32_t>(k), held});
    }
    if (!is_same) pairs_[pair].is_same = false;
    if (!has_any) reject(pair, "they have no alternative in common");
  }
  [[nodiscard]] static std::string alternative_name(const evolving_node& of, std::size_t k) {
    return of.children[k].name.empty() ? std::to_string(k) : truncated_name(of.children[k].name);
  }

  void resolve_period(std::uint32_t pair, const evolving_node& from, const evolving_node& to) {
    const period_step scale = step_between(from.attributes, to.attributes);
    const auto why =
        period_obstacle(scale, from_.child(from, 0).attributes.kind, to_.child(to, 0).attributes.kind);
    if (!why.empty()) return reject(pair, std::string(why));
    pairs_[pair].period = scale;
    pairs_[pair].is_same = false;
    tell(kind::rescaled, pair);
  }
  void resolve_enumeration(std::uint32_t pair, const evolving_node& from, const evolving_node& to) {
    const bool was_open = from.attributes.has(schema_flag::is_open);
    const bool is_open = to.attributes.has(schema_flag::is_open);
    const bool were_flags = from.attributes.has(schema_flag::is_flags);
    const bool are_flags = to.attributes.has(schema_flag::is_flags);
    const bool as_wide =
        from.attributes.width == to.attributes.width &&
        from.attributes.has(schema_flag::is_signed) == to.attributes.has(schema_flag::is_signed);
    if (was_open && !as_wide && !widens(from.attributes, to.attributes))
      return reject(pair, "some old values don't fit the new type");
    spend(work_of(from) + work_of(to));
    if (budget_ == 0) return;
    const std::vector<std::uint32_t> targets = match_enumerators(from, to);
    bool is_renumbered = false;
    bool has_any = from.enumerators.empty() || (was_open && is_open);
    std::uint64_t lost_bits = 0;
    std::uint64_t remaining_bits = 0;
    for (std::size_t k = 0; k < targets.size(); ++k) {
      const schema_enumerator& each = from.enumerators[k];
      const bool is_found = targets[k] != no_match;
      const std::uint64_t value = is_found ? to.enumerators[targets[k]].value : each.value;
      // A number without a name is still a value if the new enumeration is open or has flags.
      const bool is_lost =
          !is_found && (!to.takes(value) || !holds_number(from.attributes, to.attributes, value) ||
                        has_enumerator(to, value));
      if (is_lost) tell(kind::unless_used, pair, {}, "enumerator " + truncated_name(each.name), {});
      else has_any = true;
      (is_lost ? lost_bits : remaining_bits) |= each.value;
      if (is_found && each.name != to.enumerators[targets[k]].name)
        tell(kind::renamed, pair, {}, truncated_name(each.name),
             truncated_name(to.enumerators[targets[k]].name));
      is_renumbered |= value != each.value;
      pairs_[pair].numbers.push_back(value);
      pairs_[pair].lost.push_back(is_lost);
    }
    if (was_open && is_renumbered) return reject(pair, "an open enumeration can't be renumbered");
    if (were_flags && is_renumbered) return reject(pair, "a set of flags can't be renumbered");
    const bool takes_fewer = (was_open && !is_open) || (were_flags && !are_flags && !is_open);
    if (takes_fewer)
      tell(kind::unless_used, pair, {}, was_open ? "a value without an enumerator" : "a combination of flags",
           {});
    if (!has_any) return reject(pair, "they have no enumerator in common");
    const bool rejects = takes_fewer || std::ranges::find(pairs_[pair].lost, true) != pairs_[pair].lost.end();
    if (were_flags) pairs_[pair].lost_bits = lost_bits & ~remaining_bits;
    pairs_[pair].keeps_bytes = as_wide && !is_renumbered;
    pairs_[pair].is_same = pairs_[pair].keeps_bytes && !rejects;
    if (!as_wide) tell(kind::widened, pair);
    if (is_renumbered) tell(kind::renumbered, pair);
    if (from.enumerators.size() < to.enumerators.size())
      tell(kind::extended, pair, {}, std::to_string(from.enumerators.size()) + " enumerators",
           std::to_string(to.enumerators.size()));
    else if ((is_open && !was_open) || (are_flags && !were_flags)) tell(kind::extended, pair);
  }
  static std::uint64_t version_of(const evolving_node& node) noexcept {
    return node.attributes.has(schema_flag::is_versioned) ? node.attributes.extent : 0;
  }
  /// Returns true if the first member holds the version of the type.
  static bool begins_with_version(const evolving_graph& graph, const evolving_node& node) noexcept {
    if (node.type != nullptr) return node.type->version_is_member;
    return node.attributes.has(schema_flag::is_versioned) && !node.children.empty() &&
           node.children[0].name == "version" && graph.child(node, 0).attributes.kind == schema_kind::integer;
  }

  void resolve_record(std::uint32_t pair, const evolving_node& from, const evolving_node& to) {
    const std::uint64_t was = version_of(from);
    const std::uint64_t is = version_of(to);
    if (to.attributes.has(schema_flag::is_versioned)) {
      if (was > is) return reject(pair, "it was written by a newer version");
      if (to.previous != evolving_node::none && was <= version_of(to_.nodes[to.previous])) {
        tell(kind::upgraded, pair, {}, part_name(from.attributes), part_name(to.attributes));
        pairs_[pair].how = step::upgrade;
        pairs_[pair].is_same = false;
        const std::uint32_t before = link(pair, pairs_[pair].from, to.previous, {});
        pairs_[pair].links.push_back({0, before});
        return;
      }
    }
    if (from.attributes.has(schema_flag::elides_defaults) && !from.children.empty() && to.type != nullptr &&
        !to.type->has_defaults)
      return reject(pair, "its class has no default for members left out");
    spend(work_of(from) + work_of(to));
    if (budget_ == 0) return;
    const std::vector<std::uint32_t> sources = match_members(pair, from, to);
    const auto is_new = [](std::uint32_t source) { return source == resolved_link::none; };
    // Checks only the pair of the two roots: if the new root reads no member of the old root, the
    // data is most likely of another type.
    if (pair == 0 && !from.children.empty() && !sources.empty() &&
        std::all_of(sources.begin(), sources.end(), is_new))
      reject(pair, std::string(no_common_member));
    bool is_same =
        from.children.size() == to.children.size() &&
        from.attributes.has(schema_flag::is_evolvable) == to.attributes.has(schema_flag::is_evolvable);
    const std::vector<bool> stayed = members_in_order(sources);
    std::vector<resolved_link> links(to.children.size());
    const bool sets_version = begins_with_version(to_, to) && was != is;
    for (std::size_t j = 0; j < sources.size(); ++j) {
      const std::uint32_t k = sources[j];
      const std::string label = "." + truncated_name(to.children[j].name);
      is_same &= k == j;
      if (j == 0 && sets_version) continue;
      if (k == resolved_link::none) {
        const std::string after(part_name(to_.child(to, j).attributes));
        if (to.type == nullptr || to.type->has_defaults) tell(kind::added, pair, label, {}, after);
        else tell(kind::incompatible, pair, label, "nothing", after, "its class has no default");
        continue;
      }
      if (from.children[k].name != to.children[j].name)
        tell(kind::renamed, pair, label, truncated_name(from.children[k].name),
             truncated_name(to.children[j].name));
      if (!stayed[j]) tell(kind::moved, pair, label, {}, {});
      if (from.attributes.has(schema_flag::elides_defaults) &&
          (was != is || is_wrapped(from, k, to, j) || is_unwrapped(from, k, to, j)))
        tell(kind::maybe_omitted, pair, label, {}, part_name(to_.child(to, j).attributes));
      if (is_unwrapped(from, k, to, j) && (to.type == nullptr || to.type->has_defaults)) {
        tell(kind::became_required, pair, label, part_name(from_.child(from, k).attributes),
             part_name(to_.child(to, j).attributes));
        is_same = false;
        const std::uint32_t held = from_.child(from, k).children[0].node;
        links[j] = {k, link(pair, held, to.children[j].node, label), true};
        continue;
      }
      links[j] = {k, link(pair, from.children[k].node, to.children[j].node, label)};
    }
    pairs_[pair].links = std::move(links);
    pairs_[pair].sets_version = sets_version;
    pairs_[pair].is_same = is_same && !sets_version;
  }

  /// Returns true if a member becomes optional. The default of the new member is an absent value.
  [[nodiscard]] bool is_wrapped(const evolving_node& from, std::size_t k, const evolving_node& to,
                                std::size_t j) const {
    return to_.child(to, j).attributes.kind == schema_kind::optional &&
           from_.child(from, k).attributes.kind != schema_kind::optional;
  }
  [[nodiscard]] bool is_unwrapped(const evolving_node& from, std::size_t k, const evolving_node& to,
                                  std::size_t j) const {
    return from_.child(from, k).attributes.kind == schema_kind::optional &&
           to_.child(to, j).attributes.kind != schema_kind::optional;
  }
  /// Returns for each new member the index of the old member that it reads.
  std::vector<std::uint32_t> match_members(std::uint32_t pair, const evolving_node& from,
                                           const evolving_node& to) {
    const auto sources = name_matcher::match(
        from.children.size(), [&](std::size_t k) -> std::string_view { return from.children[k].name; },
        to.children.size(), [&](std::size_t j) -> std::string_view { return to.children[j].name; },
        to.type == nullptr ? former_name_lists() : to.type->former_names);
    std::vector<bool> taken(from.children.size());
    for (const std::uint32_t k : sources) {
      if (k != no_match) taken[k] = true;
    }
    for (std::size_t k = 0; k < from.children.size(); ++k) {
      if (!taken[k])
        tell(kind::removed, pair, "." + truncated_name(from.children[k].name),
             part_name(from_.child(from, k).attributes), {});
    }
    return sources;
  }

  // --- conclusions from all pairs ---------------------------------------------------------------

  /// Clears `flag` in each pair that contains, at any depth, a pair whose flag is false.
  void spread_differences(bool resolved_pair::* flag) {
    std::vector<std::vector<std::uint32_t>> holders(pairs_.size());
    std::vector<std::uint32_t> differing;
    for (std::uint32_t i = 0; i < pairs_.size(); ++i) {
      if (!(pairs_[i].*flag)) differing.push_back(i);
      for (const resolved_link& each : pairs_[i].links) {
        if (each.pair != resolved_link::none) holders[each.pair].push_back(i);
      }
    }
    for (std::size_t i = 0; i < differing.size(); ++i) {
      for (const std::uint32_t holder : holders[differing[i]]) {
        if (std::exchange(pairs_[holder].*flag, false)) differing.push_back(holder);
      }
    }
  }
  /// Checks that keys keep their order. Ordered containers compare keys by value; unordered
  /// containers compare packed bytes. Integers that become wider keep both orders.
  void check_keys(std::uint32_t pair) {
    const schema_attributes& attributes = old_of(pair).attributes;
    if (pairs_[pair].links.empty() || pairs_[pair].how != step::convert ||
        attributes.kind != new_of(pair).attributes.kind ||
        !(is_set_kind(attributes.kind) || is_map_kind(attributes.kind)))
      return;
    std::uint32_t key = pairs_[pair].links[0].pair;
    if (is_map_kind(attributes.kind)) {
      const std::vector<resolved_link>& entry = pairs_[key].links;
      if (attributes.kind == schema_kind::unordered_map && attributes.has(schema_flag::is_multi) &&
          !pairs_[entry[1].pair].keeps_bytes)
        reject(pair, "the values of equal keys can't change");
      key = entry[0].pair;
    }
    const bool by_value = attributes.kind == schema_kind::set || attributes.kind == schema_kind::map;
    if (!keeps_order(key, 0) && !(by_value && is_rescaled(key)))
      reject(key, "keys can't change, but integers may widen, and times of ordered keys change their period");
  }
  /// Returns true if keys keep both orders, by value and by packed bytes. Unchanged keys and
  /// integers that become wider keep both. Tuples and arrays of such keys are compared part by
  /// part.
  [[nodiscard]] bool keeps_order(std::uint32_t pair, unsigned depth) {
    spend(1);
    if (pairs_[pair].keeps_bytes) return true;
    const schema_attributes& was = old_of(pair).attributes;
    const schema_attributes& is = new_of(pair).attributes;
    if (was.kind != is.kind || pairs_[pair].how != step::convert || depth > 16 || budget_ == 0) return false;
    if (was.kind == schema_kind::integer) return true;
    if (was.kind != schema_kind::tuple && (was.kind != schema_kind::array || was.extent != is.extent))
      return false;
    return std::all_of(pairs_[pair].links.begin(), pairs_[pair].links.end(),
                       [&](const resolved_link& each) { return keeps_order(each.pair, depth + 1); });
  }
  /// Returns true if a key is a duration or time point whose period changes. The conversion is
  /// exact, so keys that are sorted by value stay sorted.
  [[nodiscard]] bool is_rescaled(std::uint32_t pair) const {
    if (old_of(pair).attributes.kind == schema_kind::time_point && !pairs_[pair].links.empty())
      pair = pairs_[pair].links[0].pair;
    return static_cast<bool>(pairs_[pair].period);
  }
  /// Rejects elements that take no bytes in the new version but took bytes in the old version: the
  /// number of elements without bytes in a message is limited, the number of other elements is not.
  void check_elements() {
    const std::vector<bool> was_empty = empty_parts(from_);
    const std::vector<bool> is_empty = empty_parts(to_);
    for (std::uint32_t i = 0; i < pairs_.size() && budget_ != 0; ++i) {
      if (pairs_[i].links.empty() || pairs_[i].how != step::convert ||
          !is_list_kind(old_of(i).attributes.kind))
        continue;
      if (!was_empty[old_of(i).children[0].node] && is_empty[new_of(i).children[0].node])
        reject(i, "a message holds at most 65536 empty elements");
    }
  }
  const evolving_graph& from_;
  const evolving_graph& to_;
  std::size_t budget_ = 0;
  std::unordered_map<std::uint64_t, std::uint32_t> known_;
  std::vector<resolved_pair> pairs_;
  std::vector<schema_change> changes_;
  bool is_whole_ = true;
  bool reads_ = true;
  bool reads_every_ = true;
};

}}} // namespace ingot::INGOT_V1::detail
