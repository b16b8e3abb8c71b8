// SPDX-License-Identifier: Apache-2.0
// The layout of packed bytes, computed from a schema at run time, as layout.hpp computes it from a
// type. docs/format.md is the normative text for both computations.
#pragma once

#include <ingot/core/detail/light_standard.hpp>
#include <ingot/core/endian.hpp>
#include <ingot/pack/layout.hpp>
#include <ingot/schema/detail/bottom_up.hpp>
#include <ingot/schema/detail/evolving_graph.hpp>

#include <cstddef>
#include <cstdint>
#include <vector>

namespace ingot { inline namespace INGOT_V1 { namespace detail {

/// The alternative that `tag` selects among a tagged part's children.
struct selected {
  bool exists;
  bool holds; ///< false for "no value"
  std::size_t child;
};
inline selected select_alternative(const evolving_node& node, std::size_t tag) noexcept {
  const std::size_t n = node.children.size();
  if (node.attributes.kind == schema_kind::optional) return {tag < 2, tag == 1, 0};
  if (node.attributes.kind == schema_kind::expected && n == 1) return {tag < 2, tag == 1, 0};
  return {tag < n, true, tag};
}

struct packed_part {
  static constexpr std::uint64_t none = ~std::uint64_t{0};
  bool is_fixed = false;
  bool is_leaf = false;      ///< its slot is an end offset, and its bytes are in the tail
  bool is_plain = false;     ///< fixed, and every pattern of bytes is a value
  bool is_recursive = false; ///< it can contain itself, so its values can have any depth
  /// takes no bytes in the compact profile; for the packed profile see `slot`
  bool is_zero_size = false;
  std::uint64_t slot = 0;
  std::uint64_t fixed_part = 0;
  std::uint64_t last_end = none;      ///< position of the last end offset in the slot, or `none`
  std::vector<std::uint64_t> offsets; ///< positions of children in the slot (records and tuples)
  /// for each child, the position of the preceding end offset in the slot, or `none`
  std::vector<std::uint64_t> end_before;
  std::vector<std::uint32_t> with_slots; ///< children that take bytes
  /// children that take bytes and are not plain: validation reads them
  std::vector<std::uint32_t> checked_members;
  std::vector<std::uint32_t> variable_members; ///< children that are not fixed
  std::vector<std::uint32_t> with_compact_bytes;
};

/// The layout of every node of a graph. A description may require more bytes than can exist, so
/// computed sizes have a limit of 2^40. No message is so large.
class packed_layout {
public:
  explicit packed_layout(const evolving_graph& graph) : graph_(&graph), parts_(graph.nodes.size()) {
    find_recursive();
    find_fixed();
    find_sizes();
  }
  [[nodiscard]] const packed_part& operator[](std::uint32_t node) const noexcept { return parts_[node]; }
  [[nodiscard]] const evolving_graph& graph() const noexcept { return *graph_; }

  /// Returns the distance in bytes from one element's slot to the next.
  [[nodiscard]] std::uint64_t stride(std::uint32_t node) const noexcept {
    return is_evolvable(node) ? end_size + parts_[node].fixed_part : parts_[node].slot;
  }
  [[nodiscard]] bool is_evolvable(std::uint32_t node) const noexcept {
    const schema_attributes& attributes = graph_->nodes[node].attributes;
    return attributes.kind == schema_kind::record && attributes.has(schema_flag::is_evolvable);
  }

  /// Calls `f` with the position of every end offset in the slot of `node`. The slot is at `at`.
  /// Requires the graph of a C++ type: a slot in an untrusted description can have any number of
  /// end offsets.
  template <class F>
  void for_each_end(std::uint32_t node, std::uint64_t at, F&& f) const {
    const packed_part& part = parts_[node];
    if (part.is_fixed) return;
    if (part.is_leaf) {
      f(at);
      return;
    }
    const evolving_node& what = graph_->nodes[node];
    if (what.attributes.kind == schema_kind::array) {
      const std::uint32_t element = what.children[0].node;
      for (std::uint64_t i = 0; i < what.attributes.extent; ++i)
        for_each_end(element, at + i * parts_[element].slot, f);
    } else {
      for (std::size_t k = 0; k < what.children.size(); ++k)
        for_each_end(what.children[k].node, at + part.offsets[k], f);
    }
  }

private:
  static constexpr std::uint64_t max_size = std::uint64_t{1} << 40;
  static std::uint64_t sum(std::uint64_t a, std::uint64_t b) noexcept { return std::min(a + b, max_size); }
  static std::uint64_t product(std::uint64_t a, std::uint64_t b) noexcept {
    return a == 0 || b == 0 ? 0 : a > max_size / b ? max_size : std::min(a * b, max_size);
  }
  [[nodiscard]] bool is_variable_kind(std::uint32_t node) const noexcept {
    const schema_kind kind = graph_->nodes[node].attributes.kind;
    return is_list_kind(kind) || is_text_kind(kind) || is_evolvable(node);
  }
  [[nodiscard]] bool is_nothing(const evolving_node& node) const noexcept {
    return node.attributes.kind == schema_kind::array && node.attributes.extent == 0;
  }

  void find_recursive() {
    for (packed_part& part : parts_) part.is_recursive = true;
    const auto holdings = [&](auto&& f) {
      for (std::uint32_t i = 0; i < parts_.size(); ++i) {
        for (const evolving_child& child : graph_->nodes[i].children) f(i, child.node);
      }
    };
    for (const std::uint32_t i : bottom_up(parts_.size(), holdings)) parts_[i].is_recursive = false;
  }
  void find_fixed() {
    const auto holdings = [&](auto&& f) {
      for (std::uint32_t i = 0; i < parts_.size(); ++i) {
        if (is_variable_kind(i) || is_nothing(graph_->nodes[i])) continue;
        for (const evolving_child& child : graph_->nodes[i].children) f(i, child.node);
      }
    };
    // `bottom_up` omits nodes that contain themselves, and nodes that contain such nodes. Such
    // nodes have no fixed size, so nothing is computed for them here.
    for (const std::uint32_t i : bottom_up(parts_.size(), holdings)) {
      const evolving_node& node = graph_->nodes[i];
      packed_part& part = parts_[i];
      part.is_fixed = !is_variable_kind(i);
      part.is_plain =
          part.is_fixed && !is_tagged_kind(node.attributes.kind) && is_plain_kind(node.attributes);
      if (is_nothing(node)) continue;
      for (const evolving_child& child : node.children) {
        if (is_list_kind(node.attributes.kind)) break;
        part.is_fixed = part.is_fixed && parts_[child.node].is_fixed;
        part.is_plain = part.is_plain && parts_[child.node].is_plain;
      }
    }
    for (std::uint32_t i = 0; i < parts_.size(); ++i)
      parts_[i].is_leaf =
          is_variable_kind(i) || (is_tagged_kind(graph_->nodes[i].attributes.kind) && !parts_[i].is_fixed);
  }
  static bool is_plain_kind(const schema_attributes& attributes) noexcept {
    switch (attributes.kind) {
    case schema_kind::boolean: return false;
    case schema_kind::enumeration: return attributes.has(schema_flag::is_open);
    case schema_kind::bitset: return attributes.extent % 8 == 0;
    default: return true;
    }
  }

  void find_sizes() {
    const auto holdings = [&](auto&& f) {
      for (std::uint32_t i = 0; i < parts_.size(); ++i) {
        if ((parts_[i].is_leaf && !is_evolvable(i)) || is_nothing(graph_->nodes[i])) continue;
        for (const evolving_child& child : graph_->nodes[i].children) f(i, child.node);
      }
    };
    for (const std::uint32_t i : bottom_up(parts_.size(), holdings)) find_size(i);
  }
  void find_size(std::uint32_t index) {
    const evolving_node& node = graph_->nodes[index];
    packed_part& part = parts_[index];
    const schema_attributes& attributes = node.attributes;
    if (attributes.kind == schema_kind::record || attributes.kind == schema_kind::tuple)
      return find_record(index);
    const auto child = [&]() -> const packed_part& { return parts_[node.children[0].node]; };
    if (part.is_leaf) part.slot = end_size;
    else if (attributes.kind == schema_kind::array)
      part.slot = is_nothing(node) ? 0 : product(attributes.extent, child().slot);
    else if (attributes.kind == schema_kind::duration || attributes.kind == schema_kind::time_point)
      part.slot = child().slot;
    else if (attributes.kind == schema_kind::complex) part.slot = 2 * child().slot;
    else if (attributes.kind == schema_kind::bitset)
      part.slot = std::min(attributes.extent / 8 + (attributes.extent % 8 != 0), max_size);
    else if (is_tagged_kind(attributes.kind)) {
      for (const evolving_child& each : node.children)
        part.slot = std::max(part.slot, parts_[each.node].slot);
      part.slot = sum(part.slot, 1);
    } else part.slot = attributes.width;
    part.fixed_part = part.slot;
    if (part.is_leaf) part.last_end = 0;
    else if (!part.is_fixed)
      part.last_end = sum(product(attributes.extent - 1, child().slot), child().last_end);
    // In the compact profile, a record that elides defaults has a mask, even if all its members are
    // empty. So an array of such records takes bytes, even if its slot size is 0.
    if (attributes.kind == schema_kind::array) part.is_zero_size = is_nothing(node) || child().is_zero_size;
    else part.is_zero_size = !part.is_leaf && !is_tagged_kind(attributes.kind) && part.slot == 0;
  }
  void find_record(std::uint32_t index) {
    const evolving_node& node = graph_->nodes[index];
    packed_part& part = parts_[index];
    std::uint64_t size = 0;
    part.is_zero_size = true;
    for (std::uint32_t k = 0; k < node.children.size(); ++k) {
      const packed_part& child = parts_[node.children[k].node];
      part.offsets.push_back(size);
      part.end_before.push_back(part.last_end);
      if (!child.is_fixed) part.last_end = sum(size, child.last_end);
      if (child.slot != 0) part.with_slots.push_back(k);
      if (child.slot != 0 && !child.is_plain) part.checked_members.push_back(k);
      if (child.slot != 0 && !child.is_fixed) part.variable_members.push_back(k);
      if (!child.is_zero_size) part.with_compact_bytes.push_back(k);
      size = sum(size, child.slot);
    }
    part.fixed_part = size;
    part.is_zero_size = part.with_compact_bytes.empty() && !is_evolvable(index) &&
                        !(node.attributes.has(schema_flag::elides_defaults) && !node.children.empty());
    if (is_evolvable(index)) part.last_end = 0;
    part.slot = part.is_leaf ? end_size : size;
  }

  const evolving_graph* graph_;
  std::vector<packed_part> parts_;
};

inline std::uint64_t load_number(const std::byte* at, std::size_t width) noexcept {
  std::uint64_t n = 0;
  for (std::size_t i = width; i-- > 0;) n = n << 8 | std::to_integer<std::uint64_t>(at[i]);
  return n;
}
inline void store_number(std::byte* at, std::uint64_t n, std::size_t width) noexcept {
  for (std::size_t i = 0; i < width; ++i, n >>= 8) at[i] = static_cast<std::byte>(n & 0xFF);
}
/// Sign-extends `n` to 64 bits if the attributes are those of a signed number.
inline std::uint64_t extend_number(std::uint64_t n, const schema_attributes& attributes) noexcept {
  if (!attributes.has(schema_flag::is_signed) || attributes.width == 8) return n;
  const unsigned unused = 64 - attributes.width * 8U;
  return static_cast<std::uint64_t>(static_cast<std::int64_t>(n << unused) >> unused);
}
/// Returns the index of the enumerator with the extended number `n`, or the number of enumerators
/// if there is none.
inline std::size_t find_number(const evolving_node& node, std::uint64_t n) noexcept {
  const std::uint64_t turn = node.attributes.has(schema_flag::is_signed) ? std::uint64_t{1} << 63 : 0;
  const auto at = std::lower_bound(
      node.enumerators.begin(), node.enumerators.end(), n ^ turn,
      [&](const schema_enumerator& each, std::uint64_t query) { return (each.value ^ turn) < query; });
  return at != node.enumerators.end() && at->value == n
             ? static_cast<std::size_t>(at - node.enumerators.begin())
             : node.enumerators.size();
}

}}} // namespace ingot::INGOT_V1::detail
