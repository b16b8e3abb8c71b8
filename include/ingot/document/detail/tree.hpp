// SPDX-License-Identifier: Apache-2.0
// A document as a tree of values: reads, overwrites, inserts and erases values by location. The
// nodes of a replaced value are released after the change. If there is no space, nothing is
// changed.
#pragma once

#include <ingot/document/detail/core.hpp>
#include <ingot/document/detail/keys.hpp>

#include <cstddef>
#include <cstdint>

namespace ingot { inline namespace INGOT_V1 { namespace detail::doc {

/// Location of a value, and of the reference to the node that contains the value.
struct location {
  uint32_t position = 0; ///< node that contains the value; 0 for the root; npos for none
  uint32_t index = 0;
  /// node with the reference to the node at `position`; 0 if the header has the reference
  uint32_t parent = 0;
  uint32_t parent_index = 0;
  uint32_t packed = 0; ///< index in a packed array, plus 1

  [[nodiscard]] bool none() const noexcept { return position == npos; }
};

/// Result of a change.
enum class outcome : uint8_t {
  done,
  no_space,
  absent,
  wrong_kind,
  out_of_range,
  exists,
  rejected ///< a value that can't be stored; `core::unsupported_reason` has the error
};

/// Reads a root that is a scalar, from its node at `position`.
template <class Memory>
[[nodiscard]] INGOT_NOINLINE item read_single(Memory in, uint32_t position) noexcept {
  node n;
  return find_node(in, position, n) && n.count == 1 ? n.value(0) : item{};
}
template <class Memory>
[[nodiscard]] INGOT_INLINE item read_root_node(Memory in, uint32_t root) noexcept {
  node n;
  if (!find_node(in, root, n) || n.kind == node_kind::shape) return {};
  return item::at_node(n.is_object() ? value_kind::object : value_kind::array, root);
}
/// Reads the root. If a caller only needs a member of the root, the result of this function is
/// unused. The compiler then removes the code of this function, but not the function calls in it.
/// So this function first tests for an object, without a call, by words that the lookup reads
/// anyway. A root that is a scalar is read last, in a function that is not inlined.
template <class Memory>
[[nodiscard]] INGOT_INLINE item read_root(Memory in) noexcept {
  const auto root = load<uint32_t>(in.start + offsetof(document_header, root));
  if (!may_be_head(in, root)) [[unlikely]] {
    if (root == root_null) return item::null();
    if (root > root_empty_object) return {};
    return item::of(root == root_empty_array ? value_kind::array : value_kind::object, 0);
  }
  const auto first = std::to_integer<uint8_t>(in.start[root]);
  if (first == static_cast<uint8_t>(node_kind::object)) [[likely]]
    return read_root_node(in, root);
  if ((first & 7U) == static_cast<uint8_t>(node_kind::single)) [[unlikely]]
    return read_single(in, root);
  return read_root_node(in, root);
}

template <class Memory>
[[nodiscard]] INGOT_INLINE item read(Memory in, const location& at) noexcept {
  if (at.position == 0) return read_root(in);
  node n;
  if (at.none() || !find_node(in, at.position, n) || at.index >= n.count || n.kind == node_kind::shape)
    return {};
  const item value = n.value(at.index);
  if (at.packed == 0) return value;
  if (value.is != item::form::packed || at.packed > value.length) return {};
  const std::size_t offset = std::size_t{at.packed - 1} << value.shift;
  return item::of(load_packed(value.bytes + offset, value.shift));
}

/// An array or object, with its node if it has a node.
struct container {
  item value;
  node n;
  bool has_node = false;
  [[nodiscard]] uint32_t count() const noexcept {
    return has_node ? n.count : value.is == item::form::packed ? value.length : 0;
  }
};
/// Finds a container. Returns false if the value is no container, or if its node is not within the
/// bytes.
template <class Memory>
[[nodiscard]] INGOT_INLINE bool find_container(Memory in, const item& value, container& found) noexcept {
  found.value = value;
  found.has_node = false;
  if (value.is == item::form::node) {
    if (!find_node(in, value.position(), found.n)) return false;
    found.has_node = true;
    return value.kind == value_kind::object ? found.n.is_object() : found.n.kind == node_kind::array;
  }
  return value.kind == value_kind::array || value.kind == value_kind::object;
}
/// Returns the location of an element of a container.
[[nodiscard]] INGOT_INLINE location element_of(const location& at, const container& of,
                                               uint32_t index) noexcept {
  if (of.has_node) return {of.n.position, index, at.position, at.index, 0};
  return {at.position, at.index, at.parent, at.parent_index, index + 1};
}
/// Finds the node of the container at a location. Reads nothing else.
template <class Memory>
[[nodiscard]] INGOT_INLINE bool find_child(Memory in, const location& at, tag wanted, node& child) noexcept {
  uint32_t position = 0;
  if (at.position == 0) {
    position = load<uint32_t>(in.start + offsetof(document_header, root));
    if (position < first_node) return false;
  } else {
    node n;
    if (at.none() || at.packed != 0 || !find_node(in, at.position, n) || at.index >= n.count) return false;
    const element_bytes here = n.at_index(at.index);
    if (here.left < 5 || std::to_integer<uint8_t>(*here.value) != static_cast<uint8_t>(wanted)) return false;
    position = load<uint32_t>(here.value + 1);
  }
  return find_node(in, position, child) &&
         (wanted == tag::object ? child.is_object() : child.kind == node_kind::array);
}
/// Finds a member. Sets `object` to the node of the object that has the member.
template <class Memory>
[[nodiscard]] INGOT_INLINE location find_member(Memory in, const location& at, const document_key& key,
                                                node& object) noexcept {
  key_columns keys;
  if (!find_child(in, at, tag::object, object) || !key_columns::of_object(in, object, keys))
    return {.position = npos};
  const uint32_t index = keys.find(key);
  if (index == npos) return {.position = npos};
  return {object.position, index, at.position, at.index, 0};
}
template <class Memory>
[[nodiscard]] INGOT_INLINE location find_member(Memory in, const location& at,
                                                const document_key& key) noexcept {
  node object;
  return find_member(in, at, key, object);
}

class tree {
public:
  explicit tree(core& in) noexcept : in_(in) {}

  /// Overwrites the value at `at`, and takes ownership of the nodes of `new_value`. If there is no
  /// space, the caller still owns these nodes.
  [[nodiscard]] INGOT_COMPILED outcome write(location& at, const item& new_value) noexcept;

  /// Finds the node of the array or object at `at`, or makes a node. Null first becomes an empty
  /// container.
  [[nodiscard]] INGOT_COMPILED outcome open_container(location& at, value_kind kind,
                                                      uint32_t& position) noexcept;

  /// Called if there was no space for the new element. A container that was null before becomes
  /// null again.
  [[nodiscard]] INGOT_COLD INGOT_COMPILED outcome not_opened(location& at, value_kind before) noexcept;

  /// Inserts into the array at `at`, before `index`; npos appends. Sets `index` to the index of the
  /// new element.
  [[nodiscard]] INGOT_COMPILED outcome insert(location& at, uint32_t& index, const item& new_value) noexcept;

  /// Adds a member to the object at `at`, or overwrites the member. Sets `member` to the location
  /// of the member.
  [[nodiscard]] INGOT_COMPILED outcome set(location& at, const document_key& new_key, const item& new_value,
                                           location& member) noexcept;

  /// Erases the element `index` of the container at `at`, and everything in it.
  [[nodiscard]] INGOT_COMPILED outcome erase(location& at, uint32_t index) noexcept;

  /// Gives the member `index` of the object at `at` another key, and keeps its value.
  [[nodiscard]] INGOT_COMPILED outcome rename(location& at, uint32_t index,
                                              const document_key& new_key) noexcept;

private:
  [[nodiscard]] static item packed_at(const item& packed, uint32_t i) noexcept {
    return item::of(load_packed(packed.bytes + (std::size_t{i} << packed.shift), packed.shift));
  }
  INGOT_COMPILED void moved(uint32_t link, location& at, uint32_t position) noexcept;
  [[nodiscard]] INGOT_COMPILED outcome write_root(const item& value) noexcept;
  [[nodiscard]] INGOT_COMPILED uint32_t size_of(uint32_t position) const noexcept;
  /// Makes a node for an empty container, or for the elements of a packed array. Returns 0 if there
  /// is no space.
  [[nodiscard]] INGOT_COMPILED uint32_t make_container(const item& from, value_kind kind) noexcept;
  /// Makes a node for a root that is a scalar. Returns 0 if there is no space.
  [[nodiscard]] INGOT_COMPILED uint32_t make_single(const item& value) noexcept;

  core& in_;
};

}}} // namespace ingot::INGOT_V1::detail::doc

#if defined(INGOT_HEADER_ONLY)
#include <ingot/document/compiled/tree.hpp>
#endif
