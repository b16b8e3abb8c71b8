// SPDX-License-Identifier: Apache-2.0
// Queries of a value in place. If `Memory` is `validated`, nothing is checked again; if it is
// `memory`, every access is checked. Both kinds of views find, count and name the same values.
#pragma once

#include <ingot/core/detail/catch_bad_alloc.hpp>
#include <ingot/document/detail/json_pointer.hpp>
#include <ingot/document/detail/kind_tests.hpp>
#include <ingot/document/detail/position_name.hpp>
#include <ingot/document/detail/read.hpp>
#include <ingot/document/detail/text_lookup.hpp>

#include <bit>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <type_traits>
#include <utility>

namespace ingot { inline namespace INGOT_V1 { namespace detail::doc {

/// Calls `find_fast` of keys.hpp for the object at `position`, and sets `found` to the value.
/// Returns `lookup_unresolved` for unusual objects, and for bytes that are not a document.
[[nodiscard]] INGOT_INLINE uint32_t find_fast(validated in, uint32_t position, const document_key& key,
                                              item& found) noexcept {
  if (!may_be_head(in, position)) [[unlikely]]
    return lookup_unresolved;
  const std::byte* value = nullptr;
  uint32_t taken = 0;
  const uint32_t i = find_fast(in.start + position, key, value);
  if (i < lookup_unresolved) [[likely]]
    found = read_value(value, 0xFFFFU, taken);
  return i;
}
[[nodiscard]] INGOT_INLINE uint32_t find_fast(const visited_object& object, const document_key& key,
                                              item& found) noexcept {
  value_range range;
  uint32_t taken = 0;
  const uint32_t i = find_among(object, key, range);
  if (i < lookup_unresolved) [[likely]]
    found = read_value(object.first + range.begin, range, taken);
  return i;
}
[[nodiscard]] INGOT_INLINE uint32_t find_fast(memory in, uint32_t position, const document_key& key,
                                              item& found) noexcept {
  visited_object object;
  if (!meet_object(in, position, object)) [[unlikely]]
    return lookup_unresolved;
  return find_fast(object, key, found);
}

/// The value of a member; `at.none()` if there is no such member.
struct found_value {
  location at{.position = npos};
  item is;
};
/// Finds a member of the node at `position`, which may be a node of any kind. `at` is the location
/// of the value that refers to the node. The arguments are passed by value, since a variable whose
/// address is passed to another function is stored in memory.
[[nodiscard]] INGOT_COMPILED found_value find_other_value(memory in, location at, uint32_t position,
                                                          document_key key) noexcept;
[[nodiscard]] INGOT_COMPILED found_value find_other_value(validated in, location at, uint32_t position,
                                                          document_key key) noexcept;
/// Reads element `index` of the node `of`, which `meet_object` has set. The value is in the node's
/// heap or in a cell. Returns false if the value is not within the bytes.
template <class Columns>
[[nodiscard]] INGOT_INLINE bool read_element(const visited_object& of, uint32_t index, item& value) noexcept {
  const uint32_t cell = Columns::cell(of.at, index);
  if (!Columns::is_in_heap(cell)) {
    value = read_immediate(cell, Columns::word == 4);
    return true;
  }
  value_range range;
  range.begin = static_cast<uint64_t>(of.position - 16 + Columns::stored_bytes(of.at) - cell);
  range.end = of.position_count;
  if (range.begin >= range.end) [[unlikely]]
    return false;
  uint32_t taken = 0;
  value = read_value(of.first + range.begin, range, taken);
  return true;
}
/// Lookups in objects whose keys are in a shape, in bytes that were not validated.
struct shared_lookup {
  /// Finds a member of the narrow object at `position` by the text of `n` bytes, among the keys of
  /// a narrow shape. If the value is in its cell, `length` of the result is the cell. The index is
  /// `lookup_unresolved` for other objects and keys. The parts of the key are passed one by one, as
  /// to `slow_lookup::by_key`.
  [[nodiscard]] INGOT_COMPILED static text_member in_node(memory in, uint32_t position, std::size_t n,
                                                          const char* text, twice_hash hash) noexcept;
};
/// Reads a narrow cell in which there is a value. The common values are small integers.
[[nodiscard]] INGOT_NOINLINE inline item read_other_cell(uint32_t cell) noexcept {
  return read_immediate(cell, false);
}
[[nodiscard]] INGOT_INLINE item read_cell(uint32_t cell) noexcept {
  constexpr cell_bits in(false);
  if (cell - in.immediate() >= in.special() - in.immediate()) return read_other_cell(cell);
  return read_immediate(cell, false);
}
/// Finds a member of the object `of`, which is at `at`.
[[nodiscard]] INGOT_INLINE found_value find_value(memory in, const location& at, const item& of,
                                                  const document_key& key) noexcept {
  uint32_t position = 0;
  if (at.position == 0) position = load<uint32_t>(in.start + offsetof(document_header, root));
  else if (of.is == item::form::node && of.kind == value_kind::object) position = of.position();
  visited_object object;
  value_range range;
  uint32_t index = lookup_unresolved;
  if (meet_object(in, position, object)) [[likely]]
    index = find_among(object, key, range);
  if (index >= lookup_unresolved) [[unlikely]] {
    if (index == npos) return {};
    const text_member other = shared_lookup::in_node(in, position, key.text().size(), key.text().data(),
                                                     key_access::hash_twice(key));
    index = other.index;
    if (index >= in_cell) {
      if (index == npos) return {};
      if (index == lookup_unresolved) [[unlikely]]
        return find_other_value(in, at, position, key);
      return {{position, index & ~in_cell, at.position, at.index, 0}, read_cell(other.length)};
    }
    range = {static_cast<uint64_t>(other.value - in.start) - first_quick_value,
             static_cast<uint64_t>(last_quick_position(in))};
  }
  uint32_t taken = 0;
  return {{position, index, at.position, at.index, 0},
          read_value(in.start + first_quick_value + range.begin, range, taken)};
}
template <class Memory>
[[nodiscard]] INGOT_INLINE found_value find_value(Memory in, const location& at, const item& of,
                                                  const document_key& key) noexcept {
  uint32_t position = 0;
  if (at.position == 0) position = load<uint32_t>(in.start + offsetof(document_header, root));
  else if (of.is == item::form::node && of.kind == value_kind::object) position = of.position();
  item found;
  const uint32_t index = find_fast(in, position, key, found);
  if (index < lookup_unresolved) [[likely]]
    return {{position, index, at.position, at.index, 0}, found};
  if (index == npos) return {};
  return find_other_value(in, at, position, key);
}

/// Reads the element `index` of the array `of`, if the array has a node with so many elements.
/// Otherwise returns false.
template <class Memory>
[[nodiscard]] INGOT_INLINE bool read_element(Memory in, const item& of, std::size_t index,
                                             item& value) noexcept {
  using narrow = columns_of<node_kind::array, false>;
  using wide = columns_of<node_kind::array, true>;
  if (of.is != item::form::node || of.kind != value_kind::array) [[unlikely]]
    return false;
  // `find_node` knows the kind after each comparison, so that its code has no branches on the kind.
  node found;
  const uint32_t position = of.position();
  if (!may_be_head(in, position)) [[unlikely]]
    return false;
  const auto first = std::to_integer<uint8_t>(in.start[position]);
  uint32_t cell = 0;
  if (first == narrow::first_byte) [[likely]] {
    if (!find_node(in, position, found) || index >= found.count) [[unlikely]]
      return false;
    cell = narrow::cell(found.at, index);
  } else if (first == wide::first_byte) {
    if (!find_node(in, position, found) || index >= found.count) [[unlikely]]
      return false;
    cell = wide::cell(found.at, index);
  } else {
    return false;
  }
  if (cell - 1 >= found.heap) [[unlikely]] {
    value = found.value(static_cast<uint32_t>(index));
    return true;
  }
  uint32_t taken = 0;
  value = read_value(found.end() - cell, cell, taken);
  return true;
}

[[nodiscard]] INGOT_INLINE visited_object meet_root(memory in) noexcept {
  visited_object root;
  static_cast<void>(meet_object(in, load<uint32_t>(in.start + offsetof(document_header, root)), root));
  return root;
}
[[nodiscard]] INGOT_NOINLINE inline found_value find_in_root_again(const memory& in,
                                                                   document_key key) noexcept {
  return find_other_value(in, location{}, load<uint32_t>(in.start + offsetof(document_header, root)), key);
}
/// Finds a member of the root. `root` is the result of `meet_root`. `in` is passed by reference,
/// since it is rarely used.
[[nodiscard]] INGOT_INLINE found_value find_value(const memory& in, const visited_object& root,
                                                  const document_key& key) noexcept {
  item found;
  const uint32_t index = find_fast(root, key, found);
  if (index < lookup_unresolved) [[likely]]
    return {{static_cast<uint32_t>(root.position + first_node), index, 0, 0, 0}, found};
  if (index == npos && root.at != nullptr) return {};
  return find_in_root_again(in, key);
}

/// Base of views that have `as`. A default-constructed view is absent.
template <class View, class Memory>
class item_view : public kind_tests<View> {
public:
  /// Returns the kind. O(1), as are all functions here for which no other complexity is stated.
  [[nodiscard]] INGOT_INLINE value_kind kind() const noexcept { return item_.kind; }

  /// Returns the result of `as`, or `otherwise` if `as` would return an error.
  template <class T>
  [[nodiscard]] INGOT_INLINE T value_or(T otherwise) const {
    if constexpr (std::integral<T> && !std::same_as<T, bool>) {
      if (item_.kind == value_kind::integer && std::in_range<T>(item_.integer()))
        return static_cast<T>(item_.integer());
    } else if constexpr (std::same_as<T, double>) {
      if (item_.kind == value_kind::number) return item_.real();
    } else if constexpr (std::same_as<T, std::string_view>) {
      return item_.kind == value_kind::text ? text_of(in_, item_) : otherwise;
    }
    if (item_.kind == value_kind::absent) return otherwise;
    return other_value_or<T>(self(), std::move(otherwise));
  }
  [[nodiscard]] std::string_view value_or(const char* text) const { return value_or(std::string_view(text)); }

  /// Returns the number of elements or members; 0 for other values. Even in bytes that were not
  /// validated, the number never exceeds what the bytes can hold.
  [[nodiscard]] std::size_t size() const noexcept {
    container found;
    return find_container(in_, item_, found) ? found.count() : 0;
  }
  [[nodiscard]] bool empty() const noexcept { return size() == 0; }
  /// Returns the length of text or bytes, in bytes; 0 for other values.
  [[nodiscard]] std::size_t length() const noexcept {
    return item_.kind == value_kind::text || item_.kind == value_kind::binary ? text_of(in_, item_).size()
                                                                              : 0;
  }

  /// Returns the member with the key; absent if there is none, or if the value is no object. O(1)
  /// on average, O(log n) at worst.
  [[nodiscard]] INGOT_INLINE View find(const document_key& key) const noexcept {
    const found_value found = find_value(in_, at_, item_, key);
    return found.at.none() ? View(absent_key(key.text())) : View(in_, found.at, found.is);
  }
  [[nodiscard]] INGOT_INLINE View operator[](const document_key& key) const noexcept { return find(key); }
  [[nodiscard]] bool contains(const document_key& key) const noexcept { return find(key).exists(); }
  /// Returns an element of an array, or a member of an object in the order of its keys; absent if
  /// `index >= size()`.
  [[nodiscard]] INGOT_INLINE View operator[](std::size_t index) const noexcept {
    item element;
    if (read_element(in_, item_, index, element)) [[likely]]
      return View(in_, {item_.position(), static_cast<std::uint32_t>(index), at_.position, at_.index, 0},
                  element);
    return element_again(self(), index);
  }
  /// Returns the key of a member of this object, by its index; empty if there is none.
  [[nodiscard]] std::string_view key(std::size_t index) const noexcept {
    container found;
    key_columns keys;
    std::string_view text;
    if (!find_container(in_, item_, found) || !found.has_node || index >= found.n.count ||
        !key_columns::of_object(in_, found.n, keys))
      return {};
    return keys.text(static_cast<std::uint32_t>(index), text) ? text : std::string_view{};
  }
  /// Returns the value at a JSON Pointer (RFC 6901); absent if there is none. O(parts).
  [[nodiscard]] View at(std::string_view pointer) const { return follow_pointer(self(), pointer); }

protected:
  item_view() noexcept = default;
  INGOT_INLINE item_view(Memory in, const location& at) noexcept : in_(in), at_(at), item_(read(in, at)) {}
  INGOT_INLINE item_view(Memory in, const location& at, const item& is) noexcept
      : in_(in), at_(at), item_(is) {}

  INGOT_INLINE explicit item_view(const absent_path& wanted) noexcept : at_(wanted.at()) {
    item_.number = wanted.rest();
  }
  /// Prepends the path of the value to the path of an error.
  INGOT_COLD void name(error& err) const noexcept {
    if (at_.none()) absent_path(at_, item_.number).name(err);
    else name_position(err, in_, at_);
  }

  Memory in_;
  location at_{.position = npos};
  item item_;

private:
  [[nodiscard]] INGOT_INLINE absent_path absent_key(std::string_view key) const noexcept {
    if (at_.none()) [[unlikely]]
      return absent_path(at_, item_.number).with_member(key);
    return absent_member(at_.position != 0, key.data(), key.size());
  }
  /// Does what `operator[]` does, for all containers. Views are passed to rare functions by value,
  /// since a view whose address is passed is stored in memory, even on paths without the call.
  [[nodiscard]] INGOT_NOINLINE static View element_again(View of, std::size_t index) noexcept {
    container found;
    if (!find_container(of.in_, of.item_, found) || index >= found.count()) [[unlikely]] {
      if (of.at_.none()) return View(absent_path(of.at_, of.item_.number).with_element(index));
      error named;
      name_position(named, of.in_, of.at_);
      return View(absent_path(false).with_path(named.path()).with_element(index));
    }
    const auto i = static_cast<std::uint32_t>(index);
    const location where = doc::element_of(of.at_, found, i);
    if (!found.has_node) return View(of.in_, where);
    return View(of.in_, where, found.n.value(i));
  }
  template <class T>
  [[nodiscard]] INGOT_NOINLINE static T other_value_or(View of, T otherwise) {
    auto read = catch_bad_alloc([&] { return of.template as_or_why<T, false>(); });
    return read ? std::move(*read) : std::move(otherwise);
  }
  [[nodiscard]] INGOT_INLINE const View& self() const noexcept { return static_cast<const View&>(*this); }
};

}}} // namespace ingot::INGOT_V1::detail::doc

#if defined(INGOT_HEADER_ONLY)
#include <ingot/document/compiled/item_view.hpp>
#endif
