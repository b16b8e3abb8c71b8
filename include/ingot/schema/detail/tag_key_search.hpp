// SPDX-License-Identifier: Apache-2.0
// Checks the keys that JSON adds to records, in untrusted descriptions: no member of the record may
// have the name of such a key. The keys are the `json::tag_key` of a variant and "$version".
#pragma once

#include <ingot/core/detail/config.hpp>
#include <ingot/schema/schema_node.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <numeric>
#include <span>
#include <string_view>
#include <vector>

namespace ingot { inline namespace INGOT_V1 { namespace detail {

/// Searches the members of alternatives for the keys of their variants. Many variants may hold one
/// record. So the members of each record are visited once, and each name is looked up among the
/// keys of the variants that hold the record. O(n log n) for n bytes of a description.
class tag_key_search {
public:
  static constexpr std::uint32_t none = std::numeric_limits<std::uint32_t>::max();

  /// Adds a variant. The text of `key` must stay valid until the search.
  void add_variant(std::uint32_t variant, std::string_view key) { variants_.push_back({key, variant, 0}); }
  /// Adds an alternative, which is a record, to the variant that was added last.
  void add_alternative(std::uint32_t record) {
    alternatives_.push_back({record, static_cast<std::uint32_t>(variants_.size() - 1)});
  }

  /// Returns a variant whose key is the name of a member of an alternative, or `none`.
  /// `each_name(record, look)` must call `look(name)` for each member of the record, until `look`
  /// returns true.
  template <class EachName>
  [[nodiscard]] std::uint32_t run(EachName&& each_name) {
    rank_keys();
    std::sort(alternatives_.begin(), alternatives_.end(), [this](const alternative& a, const alternative& b) {
      return a.record != b.record ? a.record < b.record : rank_of(a) < rank_of(b);
    });
    std::uint32_t found = none;
    for (auto at = alternatives_.cbegin(); at != alternatives_.cend() && found == none;) {
      const auto begin = at;
      while (at != alternatives_.cend() && at->record == begin->record) ++at;
      each_name(begin->record, [&](std::string_view name) {
        const auto first =
            std::lower_bound(begin, at, name, [this](const alternative& each, std::string_view query) {
              return variants_[each.variant].key < query;
            });
        if (first == at || variants_[first->variant].key != name) return false;
        found = variants_[first->variant].number;
        return true;
      });
    }
    return found;
  }

private:
  struct tagged_variant {
    std::string_view key;
    std::uint32_t number = 0;
    std::uint32_t rank = 0; ///< equal keys have equal ranks
  };
  struct alternative {
    std::uint32_t record = 0;
    std::uint32_t variant = 0; ///< index in `variants_`
  };

  [[nodiscard]] std::uint32_t rank_of(const alternative& of) const noexcept {
    return variants_[of.variant].rank;
  }
  /// Sorts the keys once. Later steps compare ranks, since a key may be long and a variant may have
  /// 256 alternatives.
  void rank_keys() {
    std::vector<std::uint32_t> order(variants_.size());
    std::iota(order.begin(), order.end(), 0U);
    std::sort(order.begin(), order.end(),
              [this](std::uint32_t a, std::uint32_t b) { return variants_[a].key < variants_[b].key; });
    std::uint32_t rank = 0;
    for (std::size_t i = 0; i < order.size(); ++i) {
      if (i != 0 && variants_[order[i - 1]].key != variants_[order[i]].key) ++rank;
      variants_[order[i]].rank = rank;
    }
  }

  std::vector<tagged_variant> variants_;
  std::vector<alternative> alternatives_;
};

/// Returns true if JSON would have two values under "$version": the record has a version, no member
/// for it, and a member of this name.
[[nodiscard]] inline bool repeats_version_key(std::span<const schema_node> nodes, const schema_node& record) {
  if (record.attributes.kind != schema_kind::record || !record.attributes.has(schema_flag::is_versioned))
    return false;
  const auto& members = record.children;
  if (!members.empty() && members[0].name == "version" &&
      nodes[members[0].node].attributes.kind == schema_kind::integer)
    return false;
  return std::any_of(members.begin(), members.end(),
                     [](const schema_child& each) { return each.name == "$version"; });
}

/// A variant whose `tag_key` is rejected, or `none`.
struct tag_key_fault {
  std::uint32_t variant = tag_key_search::none;
  bool is_taken = false; ///< true: a member has the name; false: an alternative is no record
};
/// Finds a `tag_key` that a schema can't have.
[[nodiscard]] inline tag_key_fault find_tag_key_fault(std::span<const schema_node> nodes) {
  tag_key_search search;
  for (std::uint32_t i = 0; i < nodes.size(); ++i) {
    if (nodes[i].tag_key().empty()) continue;
    search.add_variant(i, nodes[i].tag_key());
    for (const schema_child& each : nodes[i].children) {
      const schema_node& held = nodes[each.node];
      const bool is_recursion = held.attributes.kind == schema_kind::recursion;
      if (!is_recursion && held.attributes.kind != schema_kind::record) return {i, false};
      search.add_alternative(is_recursion ? held.target : each.node);
    }
  }
  const std::uint32_t taken = search.run([&](std::uint32_t record, auto&& look) {
    for (const schema_child& each : nodes[record].children) {
      if (look(each.name)) return;
    }
  });
  return {taken, true};
}

}}} // namespace ingot::INGOT_V1::detail
