// SPDX-License-Identifier: Apache-2.0
// Pairs the members, alternatives and enumerators of an old part with those of a new part, by name.
#pragma once

#include <ingot/core/detail/light_standard.hpp>
#include <ingot/schema/detail/former_names.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

namespace ingot { inline namespace INGOT_V1 { namespace detail {

inline constexpr std::uint32_t no_match = 0xFFFFFFFF;

/// Finds for each new item the old item that it reads, or `no_match`. An item is a member, an
/// alternative or an enumerator. A new item reads the old item with the equal name. If there is
/// none, the data is older than a renaming, and the new item reads an old item with one of the new
/// item's former names. An old item with a former name belongs to the renamed item, even if another
/// new item has this name now. If names repeat, the n-th of equal new names reads the n-th of equal
/// old names. Items with empty names match nothing. O(names).
class name_matcher {
public:
  /// `old_name(k)` returns the old names for k < `old_count`; `new_name(j)` returns the new names
  /// for j < `new_count`. `former` is empty, or has a list of former names for each new name.
  template <class OldName, class NewName>
  [[nodiscard]] static std::vector<std::uint32_t> match(std::size_t old_count, OldName&& old_name,
                                                        std::size_t new_count, NewName&& new_name,
                                                        former_name_lists former) {
    name_matcher all(old_count, new_count);
    for (std::size_t k = old_count; k-- > 0;) {
      if (const std::string_view name = old_name(k); !name.empty()) all.add_old(name, k);
    }
    // for each name: index of the next old item that has this name and that no new item reads
    std::unordered_map<std::string_view, std::uint32_t> next = all.first_;
    std::vector<std::uint32_t> pending;
    for (std::size_t j = 0; j < new_count; ++j) {
      const auto at = next.find(new_name(j));
      if (at != next.end() && at->second != no_match) {
        all.take(j, at->second);
        at->second = all.same_name_[at->second];
      } else {
        pending.push_back(static_cast<std::uint32_t>(j));
      }
    }
    if (former.empty()) return std::move(all.sources_);
    all.is_former_.resize(new_count);
    for (std::size_t i = 0; i < pending.size(); ++i) {
      const std::uint32_t j = pending[i];
      const std::uint32_t found = all.find_former(former[j]);
      if (found == no_match) continue;
      const std::uint32_t loser = all.holders_[found];
      all.take(j, found);
      all.is_former_[j] = true;
      if (loser == no_match) continue;
      all.sources_[loser] = no_match;
      pending.push_back(loser);
    }
    return std::move(all.sources_);
  }

private:
  name_matcher(std::size_t old_count, std::size_t new_count)
      : sources_(new_count, no_match), holders_(old_count, no_match), same_name_(old_count, no_match) {}

  void add_old(std::string_view name, std::size_t k) {
    const auto index = static_cast<std::uint32_t>(k);
    const auto [at, is_new] = first_.try_emplace(name, index);
    if (!is_new) same_name_[k] = std::exchange(at->second, index);
  }
  void take(std::size_t j, std::uint32_t k) noexcept {
    sources_[j] = k;
    holders_[k] = static_cast<std::uint32_t>(j);
  }
  /// Returns the index of an old item that has one of these names: the first one that no new item
  /// reads. If new items read all of them, returns the first one whose new item reads it by its
  /// current name and not by a former name. If there is none, returns `no_match`.
  [[nodiscard]] std::uint32_t find_former(std::span<const std::string_view> names) const {
    std::uint32_t shared = no_match;
    for (const std::string_view name : names) {
      const auto at = first_.find(name);
      std::uint32_t k = at == first_.end() ? no_match : at->second;
      for (; k != no_match; k = same_name_[k]) {
        if (holders_[k] == no_match) return k;
        if (shared == no_match && !is_former_[holders_[k]]) shared = k;
      }
    }
    return shared;
  }

  std::vector<std::uint32_t> sources_;   ///< for each new item: the old item that it reads
  std::vector<std::uint32_t> holders_;   ///< for each old item: the new item that reads it
  std::vector<std::uint32_t> same_name_; ///< for each old item: the next one of the same name
  std::vector<bool> is_former_;          ///< for each new item: true if it reads by a former name
  std::unordered_map<std::string_view, std::uint32_t> first_;
};

/// Returns for each old alternative the new alternative that it becomes, or `no_match`.
/// Alternatives with names match by name. Alternatives without a name on both sides are paired in
/// order. If only one side has a name, alternatives with the same index are paired.
template <class Node>
[[nodiscard]] std::vector<std::uint32_t> match_alternatives(const Node& from, const Node& to) {
  const auto sources = name_matcher::match(
      from.children.size(), [&](std::size_t k) -> std::string_view { return from.children[k].name; },
      to.children.size(), [&](std::size_t j) -> std::string_view { return to.children[j].name; },
      to.former_names);
  std::vector<std::uint32_t> targets(from.children.size(), no_match);
  std::vector<std::uint32_t> unnamed; // indices of new alternatives without a name, in reverse
  std::vector<bool> is_taken(to.children.size());
  for (std::size_t j = to.children.size(); j-- > 0;) {
    if (sources[j] != no_match) {
      targets[sources[j]] = static_cast<std::uint32_t>(j);
      is_taken[j] = true;
    } else if (to.children[j].name.empty()) {
      unnamed.push_back(static_cast<std::uint32_t>(j));
    }
  }
  for (std::size_t k = 0; k < targets.size() && !unnamed.empty(); ++k) {
    if (targets[k] != no_match || !from.children[k].name.empty()) continue;
    targets[k] = unnamed.back();
    is_taken[unnamed.back()] = true;
    unnamed.pop_back();
  }
  for (std::size_t k = 0; k < std::min(targets.size(), is_taken.size()); ++k) {
    if (targets[k] != no_match || is_taken[k]) continue;
    if (from.children[k].name.empty() || to.children[k].name.empty())
      targets[k] = static_cast<std::uint32_t>(k);
  }
  return targets;
}

/// Returns for each old enumerator the new enumerator that it becomes, or `no_match`. Enumerators
/// match by name or by a former name. Several old enumerators may become the same new enumerator.
template <class Node>
[[nodiscard]] std::vector<std::uint32_t> match_enumerators(const Node& from, const Node& to) {
  const auto sources = name_matcher::match(
      from.enumerators.size(), [&](std::size_t k) -> std::string_view { return from.enumerators[k].name; },
      to.enumerators.size(), [&](std::size_t j) -> std::string_view { return to.enumerators[j].name; },
      to.former_names);
  std::vector<std::uint32_t> targets(from.enumerators.size(), no_match);
  for (std::size_t j = 0; j < sources.size(); ++j) {
    if (sources[j] != no_match) targets[sources[j]] = static_cast<std::uint32_t>(j);
  }
  std::unordered_map<std::string_view, std::uint32_t> merged;
  for (std::size_t j = 0; j < to.former_names.size(); ++j) {
    for (const std::string_view name : to.former_names[j])
      merged.try_emplace(name, static_cast<std::uint32_t>(j));
  }
  for (std::size_t k = 0; k < targets.size() && !merged.empty(); ++k) {
    if (targets[k] != no_match) continue;
    if (const auto at = merged.find(from.enumerators[k].name); at != merged.end()) targets[k] = at->second;
  }
  return targets;
}

/// Returns true for each member that counts as not moved. These members form the longest ascending
/// subsequence of `sources`, so that as few members as possible count as moved. O(n log n).
[[nodiscard]] inline std::vector<bool> members_in_order(const std::vector<std::uint32_t>& sources) {
  // for each length: the last member of an ascending subsequence of this length; of all such
  // subsequences, the one that ends with the smallest value
  std::vector<std::size_t> ends;
  std::vector<std::size_t> before(sources.size());
  constexpr std::size_t none = ~std::size_t{0};
  for (std::size_t j = 0; j < sources.size(); ++j) {
    if (sources[j] == no_match) continue;
    const auto at = std::lower_bound(ends.begin(), ends.end(), sources[j],
                                     [&](std::size_t end, std::uint32_t k) { return sources[end] < k; });
    before[j] = at == ends.begin() ? none : *(at - 1);
    if (at == ends.end()) ends.push_back(j);
    else *at = j;
  }
  std::vector<bool> stayed(sources.size());
  for (std::size_t j = ends.empty() ? none : ends.back(); j != none; j = before[j]) stayed[j] = true;
  return stayed;
}

}}} // namespace ingot::INGOT_V1::detail
