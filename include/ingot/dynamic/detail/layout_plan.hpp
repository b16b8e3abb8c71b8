// SPDX-License-Identifier: Apache-2.0
// Computes the layout of a schema's types for this machine, as if a program had declared the types;
// see layout_for.hpp.
#pragma once

#include <ingot/core/error.hpp>
#include <ingot/dynamic/detail/types.hpp>
#include <ingot/dynamic/kind.hpp>
#include <ingot/schema/detail/bottom_up.hpp>
#include <ingot/schema/detail/circles.hpp>
#include <ingot/schema/detail/evolving_graph.hpp>

#include <algorithm>
#include <array>
#include <bitset>
#include <complex>
#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace ingot { inline namespace INGOT_V1 { namespace detail::dyn {

/// A type as a program would declare it. Equal parts of a schema share one type.
struct planned_type {
  dynamic_kind kind = dynamic_kind::absent;
  std::uint32_t node = 0;           ///< index in the graph; unused for characters
  std::vector<std::uint32_t> parts; ///< indices of types
  std::vector<std::uint64_t> offsets;
  std::uint64_t size = 0;
  std::uint64_t alignment = 1;
  bool holds_offsets = false;
  bool is_empty = false;
  bool is_char = false; ///< a character of `size` bytes in text
};

class layout_plan {
public:
  layout_plan(const schema& described, unsigned offset)
      : graph_(detail::graph_of(described)), offset_(offset) {}

  /// Computes the layout. O(n log n) for n parts of a schema, times the depth at which two
  /// different parts first differ.
  [[nodiscard]] bool run() {
    if (graph_.nodes.size() > max_part_count)
      return reject(errc::too_large, "a schema of at most 2^20 parts");
    // Adds a part for each of the three widths of characters.
    const std::size_t count = graph_.nodes.size() + 3;
    find_parts(count);
    if (!find_classes(count)) return false;
    make_types();
    box_circles();
    return measure();
  }
  [[nodiscard]] const error& why() const noexcept { return why_; }
  [[nodiscard]] const std::vector<planned_type>& types() const noexcept { return types_; }
  [[nodiscard]] std::uint32_t root() const noexcept { return classes_[graph_.root]; }
  [[nodiscard]] const evolving_node& node(const planned_type& of) const noexcept {
    return graph_.nodes[of.node];
  }
  [[nodiscard]] unsigned offset() const noexcept { return offset_; }

private:
  static constexpr std::size_t max_part_count = std::size_t{1} << 20;
  static constexpr std::size_t max_steps = std::size_t{1} << 27;

  bool reject(errc code, std::string_view expected) {
    why_ = error{code}.with_expected(expected);
    return false;
  }

  // Parts.

  void find_parts(std::size_t count) {
    parts_.resize(count);
    for (std::uint32_t i = 0; i < graph_.nodes.size(); ++i) {
      const evolving_node& of = graph_.nodes[i];
      std::vector<std::uint32_t>& parts = parts_[i];
      switch (of.attributes.kind) {
      case schema_kind::enumeration:
      case schema_kind::document:
      case schema_kind::complex: continue;
      case schema_kind::string:
        parts.push_back(static_cast<std::uint32_t>(graph_.nodes.size()) +
                        (of.attributes.width == 4 ? 2U : of.attributes.width - 1U));
        continue;
      case schema_kind::map:
      case schema_kind::unordered_map: {
        const std::uint32_t entry = of.children[0].node;
        for (const evolving_child& each : graph_.nodes[entry].children) parts.push_back(each.node);
        // The third part is the pair type of the entries in the slots.
        if (of.attributes.kind == schema_kind::unordered_map) parts.push_back(entry);
        continue;
      }
      default:
        for (const evolving_child& each : of.children) parts.push_back(each.node);
      }
    }
  }
  /// Returns the attributes of a part as bytes, without the attributes of its own parts. Equal
  /// parts have equal results.
  [[nodiscard]] std::string words_of(std::size_t i) const {
    std::string words;
    const auto add = [&](std::uint64_t number) {
      words.append(reinterpret_cast<const char*>(&number), sizeof number);
    };
    const auto text = [&](std::string_view name) {
      add(name.size());
      words += name;
    };
    if (i >= graph_.nodes.size()) {
      add(static_cast<std::uint64_t>(schema_kind::character));
      add(std::uint64_t{1} << (i - graph_.nodes.size()));
      for (int k = 0; k < 4; ++k) add(0);
      return words;
    }
    const evolving_node& of = graph_.nodes[i];
    add(static_cast<std::uint64_t>(of.attributes.kind));
    for (const std::uint64_t each :
         {std::uint64_t{of.attributes.width}, std::uint64_t{of.attributes.flags}, of.attributes.extent,
          of.attributes.divisor, std::uint64_t{of.enumerators.size()}})
      add(each);
    for (const schema_enumerator& each : of.enumerators) {
      add(each.value);
      text(each.name);
    }
    if (of.attributes.kind == schema_kind::complex) add(graph_.child(of, 0).attributes.width);
    if (of.attributes.kind != schema_kind::record && of.attributes.kind != schema_kind::variant) return words;
    if (of.attributes.kind == schema_kind::variant) text(of.name);
    for (const evolving_child& each : of.children) {
      text(each.name);
      add(each.annotations);
    }
    return words;
  }
  /// Finds classes of equal parts. Initially a class has all parts with equal attributes. Then
  /// parts are separated by the classes of their own parts, until nothing changes.
  [[nodiscard]] bool find_classes(std::size_t count) {
    classes_.resize(count);
    std::map<std::string, std::uint32_t> by_words;
    for (std::size_t i = 0; i < count; ++i)
      classes_[i] =
          by_words.try_emplace(words_of(i), static_cast<std::uint32_t>(by_words.size())).first->second;
    std::size_t found = by_words.size();
    by_words.clear();
    std::size_t one_round = count;
    for (const auto& each : parts_) one_round += each.size();
    for (std::size_t steps = 0;; steps += one_round) {
      if (steps > max_steps)
        return reject(errc::too_large,
                      "a schema whose equal parts can be found in a bounded number of steps");
      std::map<std::vector<std::uint32_t>, std::uint32_t> by_parts;
      std::vector<std::uint32_t> next(count);
      std::vector<std::uint32_t> words;
      for (std::size_t i = 0; i < count; ++i) {
        words.assign(1, classes_[i]);
        for (const std::uint32_t each : parts_[i]) words.push_back(classes_[each]);
        next[i] = by_parts.try_emplace(words, static_cast<std::uint32_t>(by_parts.size())).first->second;
      }
      classes_ = std::move(next);
      if (by_parts.size() == found) return true;
      found = by_parts.size();
    }
  }

  // Types.

  [[nodiscard]] static dynamic_kind kind_in_blocks(const evolving_node& of) noexcept {
    const bool multi = of.attributes.has(schema_flag::is_multi);
    switch (of.attributes.kind) {
    case schema_kind::string: return dynamic_kind::text;
    case schema_kind::sequence: return dynamic_kind::vector;
    case schema_kind::array: return dynamic_kind::array;
    case schema_kind::set: return multi ? dynamic_kind::absent : dynamic_kind::set;
    case schema_kind::unordered_set: return multi ? dynamic_kind::absent : dynamic_kind::hash_set;
    case schema_kind::map: return multi ? dynamic_kind::multimap : dynamic_kind::map;
    case schema_kind::unordered_map: return multi ? dynamic_kind::absent : dynamic_kind::hash_map;
    case schema_kind::optional: return dynamic_kind::optional;
    case schema_kind::variant: return dynamic_kind::variant;
    case schema_kind::tuple: return of.children.size() == 2 ? dynamic_kind::pair : dynamic_kind::absent;
    case schema_kind::record: return dynamic_kind::record;
    case schema_kind::document: return dynamic_kind::value;
    case schema_kind::none:
    case schema_kind::path:
    case schema_kind::expected:
    case schema_kind::recursion: return dynamic_kind::absent;
    default: return static_cast<dynamic_kind>(of.attributes.kind); // scalars have equal numbers
    }
  }
  void make_types() {
    const std::uint32_t count = 1 + *std::max_element(classes_.begin(), classes_.end());
    types_.resize(count);
    for (std::size_t i = classes_.size(); i-- != 0;) {
      planned_type& planned = types_[classes_[i]];
      planned.parts.clear();
      for (const std::uint32_t each : parts_[i]) planned.parts.push_back(classes_[each]);
      planned.is_char = i >= graph_.nodes.size();
      if (planned.is_char) {
        planned.kind = dynamic_kind::character;
        planned.size = std::uint64_t{1} << (i - graph_.nodes.size());
        continue;
      }
      planned.node = static_cast<std::uint32_t>(i);
      planned.kind = kind_in_blocks(graph_.nodes[i]);
    }
  }
  [[nodiscard]] static bool is_inside(dynamic_kind kind) noexcept {
    return kind == dynamic_kind::array || kind == dynamic_kind::pair || kind == dynamic_kind::record ||
           kind == dynamic_kind::optional || kind == dynamic_kind::variant ||
           kind == dynamic_kind::duration || kind == dynamic_kind::time_point;
  }
  /// Calls `f(holder, held)` for each part that is stored in the bytes of the type that holds it.
  template <class F>
  void each_inside(F&& f) const {
    for (std::uint32_t i = 0; i < types_.size(); ++i) {
      if (!is_inside(types_[i].kind)) continue;
      for (const std::uint32_t each : types_[i].parts) f(i, each);
    }
  }
  /// Replaces each optional that would contain itself by a box. Schemas do not distinguish
  /// optionals from pointers.
  void box_circles() {
    const std::vector<bool> circles = in_circles(types_.size(), [this](auto&& f) { each_inside(f); });
    for (std::uint32_t i = 0; i < types_.size(); ++i) {
      if (circles[i] && types_[i].kind == dynamic_kind::optional) types_[i].kind = dynamic_kind::box;
    }
  }

  // Sizes of types, as this machine's compiler would choose them.

  [[nodiscard]] bool measure() {
    const auto order = bottom_up(types_.size(), [this](auto&& f) { each_inside(f); });
    if (order.size() != types_.size())
      return reject(errc::invalid_value, "types that do not contain themselves directly");
    for (const std::uint32_t i : order) {
      if (!measure(types_[i])) return false;
      if (types_[i].size > largest_size) return reject(errc::too_large, "objects of at most 2^40 bytes");
    }
    return true;
  }
  template <class T>
  static void take(planned_type& to) noexcept {
    to.size = sizeof(T);
    to.alignment = alignof(T);
  }
  [[nodiscard]] bool measure(planned_type& of) {
    const schema_attributes& attributes = graph_.nodes[of.node].attributes;
    const std::uint64_t width = of.is_char ? of.size : attributes.width;
    switch (of.kind) {
    case dynamic_kind::absent: of.size = 1; return true; // rejected later, if a walk reaches it
    case dynamic_kind::boolean: take<bool>(of); return true;
    case dynamic_kind::byte: take<std::byte>(of); return true;
    case dynamic_kind::floating: width == 4 ? take<float>(of) : take<double>(of); return true;
    case dynamic_kind::character:
    case dynamic_kind::integer:
    case dynamic_kind::enumeration:
      if (width == 1) take<std::uint8_t>(of);
      else if (width == 2) take<std::uint16_t>(of);
      else if (width == 4) take<std::uint32_t>(of);
      else take<std::uint64_t>(of);
      return true;
    case dynamic_kind::complex:
      graph_.child(graph_.nodes[of.node], 0).attributes.width == 4 ? take<std::complex<float>>(of)
                                                                   : take<std::complex<double>>(of);
      return true;
    case dynamic_kind::bitset: {
      if (attributes.extent > 8 * largest_size)
        return reject(errc::too_large, "objects of at most 2^40 bytes");
      const std::uint64_t word =
          attributes.extent <= 32 ? alignof(std::bitset<32>) : alignof(std::bitset<64>);
      of.alignment = attributes.extent == 0 ? alignof(std::bitset<0>) : word;
      of.size = attributes.extent == 0 ? sizeof(std::bitset<0>) : align_up((attributes.extent + 7) / 8, word);
      of.is_empty = attributes.extent == 0 && std::is_empty_v<std::bitset<0>>;
      return true;
    }
    case dynamic_kind::duration:
    case dynamic_kind::time_point:
      of.size = types_[of.parts[0]].size;
      of.alignment = types_[of.parts[0]].alignment;
      return true;
    case dynamic_kind::array: return measure_array(of, attributes.extent);
    case dynamic_kind::pair:
    case dynamic_kind::record: return measure_members(of);
    case dynamic_kind::optional: {
      const planned_type& value = types_[of.parts[0]];
      of.alignment = value.alignment;
      of.size = align_up(value.size + 1, of.alignment);
      of.holds_offsets = value.holds_offsets;
      return true;
    }
    case dynamic_kind::variant: {
      std::uint64_t largest = 0;
      for (const std::uint32_t each : of.parts) {
        largest = std::max(largest, types_[each].size);
        of.alignment = std::max(of.alignment, types_[each].alignment);
        of.holds_offsets = of.holds_offsets || types_[each].holds_offsets;
      }
      of.size =
          align_up(align_up((of.holds_offsets ? offset_ : 0U) + 1U, of.alignment) + largest, of.alignment);
      return true;
    }
    default:
      of.alignment = offset_ == 8 ? alignof(std::uint64_t) : alignof(std::uint32_t);
      of.size = of.kind == dynamic_kind::text  ? 4U * offset_
                : of.kind == dynamic_kind::box ? offset_
                                               : 2U * offset_;
      of.holds_offsets = true;
      return true;
    }
  }
  /// Sets the size of an array. For an array without elements, the standard library determines the
  /// size.
  [[nodiscard]] bool measure_array(planned_type& of, std::uint64_t extent) {
    using none = std::array<std::uint64_t, 0>;
    const planned_type& each = types_[of.parts[0]];
    if (extent == 0) {
      of.is_empty = std::is_empty_v<none>;
      of.size = of.is_empty ? 1 : each.size;
      of.alignment = of.is_empty ? 1 : each.alignment;
      return !each.holds_offsets || reject(errc::unsupported, "no array of containers without elements");
    }
    if (extent > largest_size / each.size) return reject(errc::too_large, "objects of at most 2^40 bytes");
    of.size = extent * each.size;
    of.alignment = each.alignment;
    of.holds_offsets = each.holds_offsets;
    return true;
  }
  [[nodiscard]] bool measure_members(planned_type& of) {
    of.is_empty = of.parts.empty();
    for (const std::uint32_t each : of.parts) {
      const planned_type& member = types_[each];
      of.offsets.push_back(align_up(of.size, member.alignment));
      of.size = of.offsets.back() + member.size;
      of.alignment = std::max(of.alignment, member.alignment);
      of.holds_offsets = of.holds_offsets || member.holds_offsets;
      if (of.size > largest_size) return reject(errc::too_large, "objects of at most 2^40 bytes");
    }
    of.size = of.is_empty ? 1 : align_up(of.size, of.alignment);
    return true;
  }

  evolving_graph graph_;
  unsigned offset_;
  std::vector<std::vector<std::uint32_t>> parts_; ///< parts of the nodes and characters
  std::vector<std::uint32_t> classes_;            ///< the type of each node
  std::vector<planned_type> types_;
  error why_{errc::unsupported};
};

}}} // namespace ingot::INGOT_V1::detail::dyn
