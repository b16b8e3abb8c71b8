// SPDX-License-Identifier: Apache-2.0
// Whether values of one set of types, of a message or of blocks, can become values of a layout's: asked of the types once, so that nothing of it has to
// be asked of values. What is called what, and how wide numbers are, has to be the same; brands of containers need not.
#pragma once

#include <ingot/core/pending_error.hpp>
#include <ingot/document/dynamic_types.hpp>

#include <cstddef>
#include <cstdint>
#include <unordered_set>
#include <utility>
#include <vector>

namespace ingot::inline v1::detail::dyn {

class type_fit {
public:
  type_fit(const tables& to, const tables& from) noexcept : to_(to), from_(from) {}

  /// O(n) in the types of both, which meet each other in some pairs; more than 64 for each is `too_large`, and what no program declares.
  [[nodiscard]] bool run(std::uint32_t to, std::uint32_t from) {
    add(to, from);
    const std::size_t most = 64 * (to_.types.size() + from_.types.size()) + 4096;
    while (!left_.empty()) {
      if (met_.size() > most) return refuse(errc::too_large, "types that meet in a few pairs");
      const auto [a, b] = left_.back();
      left_.pop_back();
      if (!look_at(to_.types[a], from_.types[b])) return false;
    }
    return true;
  }
  [[nodiscard]] std::unexpected<error> failure() { return why_.failure(); }

private:
  [[nodiscard]] bool refuse(errc code, std::string_view expected) {
    why_ = error{code}.with_expected(expected);
    return false;
  }
  void add(std::uint32_t to, std::uint32_t from) {
    if (met_.insert(std::uint64_t{to} << 32 | from).second) left_.emplace_back(to, from);
  }
  /// Kinds that hold the same, whatever holds it.
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
  [[nodiscard]] bool look_at(const type& to, const type& from) {
    if (to.kind == dynamic_kind::value || from.is_archive) // which a message has as bytes
      return (to.kind == dynamic_kind::value && (from.kind == to.kind || from.is_archive)) || other(to);
    if (family(to.kind) != family(from.kind)) return other(to);
    const bool is_scalar =
        to.raw != 0 || to.kind == dynamic_kind::floating || to.kind == dynamic_kind::complex;
    if (is_scalar && to.size != from.size) return other(to);
    switch (to.kind) {
    case dynamic_kind::integer: // characters have signs that no schema knows
    case dynamic_kind::enumeration: return to.has(is_signed) == from.has(is_signed) || other(to);
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
    // A table's third part is how its entries lie.
    const std::uint32_t parts = to.kind == dynamic_kind::hash_map ? 2 : to.parts;
    if (parts != (from.kind == dynamic_kind::hash_map ? 2 : from.parts)) return other(to);
    for (std::uint32_t i = 0; i < parts; ++i) {
      const part& mine = to_.parts[to.first + i];
      const part& theirs = from_.parts[from.first + i];
      if (is_record(to.kind) && mine.name != theirs.name) return other(to);
      add(mine.type, theirs.type);
    }
    return true;
  }
  [[nodiscard]] bool other(const type& to) {
    why_ =
        error{errc::other_type}.with_expected("values of the layout's types").with_found(to_string(to.kind));
    return false;
  }

  const tables& to_;
  const tables& from_;
  std::unordered_set<std::uint64_t> met_;
  std::vector<std::pair<std::uint32_t, std::uint32_t>> left_;
  pending_error why_;
};

} // namespace ingot::inline v1::detail::dyn
