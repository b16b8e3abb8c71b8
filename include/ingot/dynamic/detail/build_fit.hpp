// SPDX-License-Identifier: Apache-2.0
// Checks whether values of the types of a message or block can become values of a layout's types.
// Checks each pair of types once, so that single values need no check. Names of members and widths
// of numbers must be equal. Kinds of containers and numbers of enumerators may differ.
#pragma once

#include <ingot/core/detail/pending_error.hpp>
#include <ingot/dynamic/detail/types.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

namespace ingot { inline namespace INGOT_V1 { namespace detail::dyn {

/// An enumerator whose number differs in the layout, or cannot be used in the layout.
struct renumbering {
  std::uint64_t from;
  std::uint64_t to;
  std::string_view name;
  bool is_lost; ///< the layout lacks the name, and gives the number to another name
};

class type_fit {
public:
  type_fit(const tables& to, const tables& from) noexcept : to_(to), from_(from) {}

  /// Compares all pairs of types. O(n) for n types of both sides. The error is `too_large` for more
  /// than about 64 pairs for each type; no program declares such types.
  [[nodiscard]] bool run(std::uint32_t to, std::uint32_t from) {
    add(to, from, false);
    const std::size_t max_meetings = 64 * (to_.types.size() + from_.types.size()) + 4096;
    while (!left_.empty()) {
      if (met_.size() + met_keys_.size() > max_meetings)
        return reject(errc::too_large, "two types that can be matched in a bounded number of steps");
      const meeting next = left_.back();
      left_.pop_back();
      if (!look_at(next)) return false;
    }
    return true;
  }
  /// Returns true if some enumerators have other numbers in the layout.
  [[nodiscard]] bool renumbers() const noexcept { return !numbers_.empty(); }
  /// Returns the new number of an enumerator of these types; null if the number does not change.
  [[nodiscard]] const renumbering* find(std::uint32_t to, std::uint32_t from,
                                        std::uint64_t number) const noexcept {
    const auto all = numbers_.find(std::uint64_t{to} << 32 | from);
    if (all == numbers_.end()) return nullptr;
    const auto at = std::ranges::lower_bound(all->second, number, {}, &renumbering::from);
    return at != all->second.end() && at->from == number ? &*at : nullptr;
  }
  [[nodiscard]] std::unexpected<error> failure() { return why_.failure(); }

private:
  [[nodiscard]] bool reject(errc code, std::string_view expected) {
    why_ = error{code}.with_expected(expected);
    return false;
  }
  struct meeting {
    std::uint32_t to;
    std::uint32_t from;
    bool in_key;
  };
  void add(std::uint32_t to, std::uint32_t from, bool in_key) {
    const std::uint64_t pair = std::uint64_t{to} << 32 | from;
    if ((in_key ? met_keys_ : met_).insert(pair).second) left_.push_back({to, from, in_key});
  }
  /// Returns one kind for each group of kinds that convert to each other.
  [[nodiscard]] static dynamic_kind family(dynamic_kind kind) noexcept {
    switch (kind) {
    case dynamic_kind::queue:
    case dynamic_kind::pool: return dynamic_kind::vector;
    case dynamic_kind::box: return dynamic_kind::optional;
    case dynamic_kind::flat_map: return dynamic_kind::map;
    case dynamic_kind::flat_set: return dynamic_kind::set;
    case dynamic_kind::tuple: return dynamic_kind::pair;
    case dynamic_kind::ref: return dynamic_kind::record;
    default: return kind;
    }
  }
  /// Matches enumerators by name, as evolution does. If the layout lacks a name, the enumerator
  /// keeps its number, unless this number has another name in the layout.
  [[nodiscard]] bool look_at_enumerators(const meeting& now, const type& to, const type& from) {
    looked_at_ += to.parts + from.parts;
    if (looked_at_ > 64 * (to_.enumerators.size() + from_.enumerators.size()))
      return reject(errc::too_large, "enumerations that can be matched in a bounded number of steps");
    const auto mine = to_.enumerators_of(to);
    std::vector<enumerator> by_name(mine.begin(), mine.end());
    std::ranges::sort(by_name, [](const enumerator& a, const enumerator& b) {
      return a.name != b.name ? a.name < b.name : a.value < b.value;
    });
    std::vector<renumbering> changed;
    bool is_moved = false;
    for (const enumerator& each : from_.enumerators_of(from)) {
      const auto found = std::ranges::lower_bound(by_name, each.name, {}, &enumerator::name);
      const bool is_known = found != by_name.end() && found->name == each.name;
      const std::uint64_t number = is_known ? found->value : each.value;
      const bool is_lost = !is_known && to_.find(to, number) != nullptr;
      if (number != each.value || is_lost) changed.push_back({each.value, number, each.name, is_lost});
      is_moved = is_moved || number != each.value;
    }
    if (changed.empty()) return true;
    if (now.in_key) return reject(errc::unsupported, "keys whose enumerators have the same numbers");
    if (is_moved && (from.has(is_open) || from.has(is_flags)))
      return reject(errc::schema_mismatch, "open enumerations and flags whose names keep their numbers");
    std::ranges::sort(changed, [](const renumbering& a, const renumbering& b) {
      return a.from != b.from ? a.from < b.from : a.name < b.name;
    });
    numbers_.emplace(std::uint64_t{now.to} << 32 | now.from, std::move(changed));
    return true;
  }
  [[nodiscard]] bool look_at(const meeting& now) {
    const type& to = to_.types[now.to];
    const type& from = from_.types[now.from];
    if (to.kind == dynamic_kind::value || from.is_archive) // values of any kind: bytes in messages
      return (to.kind == dynamic_kind::value && (from.kind == to.kind || from.is_archive)) || other(to);
    if (family(to.kind) != family(from.kind)) return other(to);
    const bool is_scalar =
        to.raw != 0 || to.kind == dynamic_kind::floating || to.kind == dynamic_kind::complex;
    if (is_scalar && to.size != from.size) return other(to);
    switch (to.kind) {
    case dynamic_kind::integer: // characters are not compared: schemas do not store their sign
      return to.has(is_signed) == from.has(is_signed) || other(to);
    case dynamic_kind::enumeration:
      if (to.has(is_signed) != from.has(is_signed)) return other(to);
      return look_at_enumerators(now, to, from);
    case dynamic_kind::complex: return true;
    case dynamic_kind::bitset: return to.extent == from.extent || other(to);
    case dynamic_kind::duration:
      if (to.extent != from.extent || to.divisor != from.divisor) return other(to);
      break;
    case dynamic_kind::array:
      if (to.extent != from.extent) return other(to);
      break;
    case dynamic_kind::text: return to_.part_type(to, 0).size == from_.part_type(from, 0).size || other(to);
    default: break;
    }
    // The third part of a hash map is the pair type of its entries. Only the key and the value are
    // compared.
    const std::uint32_t parts = to.kind == dynamic_kind::hash_map ? 2 : to.parts;
    if (parts != (from.kind == dynamic_kind::hash_map ? 2 : from.parts)) return other(to);
    for (std::uint32_t i = 0; i < parts; ++i) {
      const part& mine = to_.parts[to.first + i];
      const part& theirs = from_.parts[from.first + i];
      if (is_record(to.kind) && mine.name != theirs.name) return other(to);
      add(mine.type, theirs.type, now.in_key || (i == 0 && (is_map(to.kind) || is_set(to.kind))));
    }
    return true;
  }
  [[nodiscard]] bool other(const type& to) {
    why_ = error{errc::schema_mismatch}
               .with_expected("values of the layout's types")
               .with_found(to_string(to.kind));
    return false;
  }

  const tables& to_;
  const tables& from_;
  std::unordered_set<std::uint64_t> met_;
  std::unordered_set<std::uint64_t> met_keys_; ///< pairs of types that are parts of keys
  std::vector<meeting> left_;
  std::size_t looked_at_ = 0; ///< number of compared enumerators
  std::unordered_map<std::uint64_t, std::vector<renumbering>> numbers_;
  pending_error why_;
};

}}} // namespace ingot::INGOT_V1::detail::dyn
