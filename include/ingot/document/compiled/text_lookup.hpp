// SPDX-License-Identifier: Apache-2.0
// Definitions of detail/text_lookup.hpp.
#pragma once

#include <ingot/document/detail/text_lookup.hpp>

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <utility>

namespace ingot { inline namespace INGOT_V1 { namespace detail::doc {

/// Returns the element `index` of a node without keys of its own.
template <class Columns>
[[nodiscard]] INGOT_INLINE text_member element_in(const std::byte* at, std::size_t index) noexcept {
  const uint32_t cell = Columns::cell(at, index);
  const auto i = static_cast<uint32_t>(index);
  if (!Columns::is_in_heap(cell)) return {nullptr, i | in_cell};
  return {at + Columns::bytes(at) - cell, i};
}
[[nodiscard]] INGOT_INLINE other_member no_member(std::size_t n, const char* text) noexcept {
  // A length of 4 GiB or more becomes `npos`. The path of an absent value has only a few bytes of
  // the text, so the exact length does not matter.
  const auto length = static_cast<uint32_t>(std::in_range<uint32_t>(n) ? n : npos);
  return {reinterpret_cast<const std::byte*>(text), 0, length};
}
/// Finds a member by a search that handles all keys, also long keys and keys with equal hashes.
[[nodiscard]] INGOT_NOINLINE inline other_member find_slowly(const std::byte* start, uint32_t position,
                                                             std::size_t n, const char* text) noexcept {
  // The size is not known here, because the header has it only after a call of `document::bytes`.
  // The maximum size is safe, since all references in these bytes have valid targets.
  const validated in{{start, static_cast<uint32_t>(max_bytes)}};
  node object;
  key_columns keys;
  if (!find_node(in, position, object) || !key_columns::of_object(in, object, keys))
    return no_member(n, text);
  const uint32_t index = keys.find(std::string_view(text, n));
  if (index == npos) return no_member(n, text);
  return {object.at_index(index).value, position, index};
}
/// Finds a member of the object at `position` among its own keys, or among the keys `Keys` of its
/// shape.
template <class Object, class Keys = Object>
[[nodiscard]] INGOT_NOINLINE inline other_member find_in_columns(const std::byte* start, uint32_t position,
                                                                 std::size_t n, const char* text,
                                                                 twice_hash hash) noexcept {
  const std::byte* const object = start + position;
  const std::byte* keys = object;
  if constexpr (Keys::is_shape != 0) {
    keys = start + load<uint32_t>(object + Object::head - 4);
    if (std::to_integer<uint8_t>(*keys) != Keys::first_byte) [[unlikely]]
      return find_in_columns<Object, columns_of<node_kind::shape, true>>(start, position, n, text, hash);
  }
  const std::size_t count = Keys::count(keys);
  const std::byte* value = nullptr;
  const uint32_t index = find_among<Keys>(keys, keys + Keys::head + Keys::element * count, count,
                                          hashed_text(text, n, hash), value);
  if (index >= lookup_unresolved) [[unlikely]]
    return index == npos ? no_member(n, text) : find_slowly(start, position, n, text);
  if constexpr (Keys::is_shape != 0) value = element_in<Object>(object, index).value;
  return {value, position, index};
}
other_member slow_lookup::in_node(const std::byte* start, uint32_t position, std::size_t n, const char* text,
                                  twice_hash hash) noexcept {
  using narrow_shape = columns_of<node_kind::shape, false>;
  using shaped = columns_of<node_kind::shaped, false>;
  using wide_shaped = columns_of<node_kind::shaped, true>;
  using wide_object = columns_of<node_kind::object, true>;
  if (length_in(hash.both) != 0) [[likely]] {
    const auto first = std::to_integer<uint8_t>(start[position]);
    if (first == shaped::first_byte)
      return find_in_columns<shaped, narrow_shape>(start, position, n, text, hash);
    if (first == wide_object::first_byte) return find_in_columns<wide_object>(start, position, n, text, hash);
    if (first == wide_shaped::first_byte)
      return find_in_columns<wide_shaped, narrow_shape>(start, position, n, text, hash);
  }
  return find_slowly(start, position, n, text);
}
/// Returns the position of the node of an object or array. `bytes` is the value that refers to the
/// node. If `container` is 0, the node is the root, and `bytes` is not used.
[[nodiscard]] INGOT_INLINE uint32_t node_of(const std::byte* start, uint32_t container,
                                            const std::byte* bytes) noexcept {
  return load<uint32_t>(container == 0 ? start + offsetof(document_header, root) : bytes + 1);
}
other_member slow_lookup::by_text(const std::byte* start, uint32_t container, const std::byte* bytes,
                                  std::size_t n, const char* text) noexcept {
  const twice_hash hash = key_access::hash_twice(document_key(std::string_view(text, n)));
  return in_node(start, node_of(start, container, bytes), n, text, hash);
}
other_member slow_lookup::by_key(const std::byte* start, uint32_t container, const std::byte* bytes,
                                 std::size_t n, const char* text, twice_hash hash) noexcept {
  return in_node(start, node_of(start, container, bytes), n, text, hash);
}
text_member slow_lookup::in_shape(const std::byte* at, std::size_t n, const char* text,
                                  const std::byte* start) noexcept {
  using object = columns_of<node_kind::shaped, false>;
  using shape = columns_of<node_kind::shape, false>;
  if (std::to_integer<uint8_t>(*at) != object::first_byte) [[unlikely]]
    return text_member::to_ask(n, text);
  const std::byte* const keys = start + load<uint32_t>(at + object::head - 4);
  const text_member found = find_text<shape>(keys, n, text, start);
  return found.index < lookup_unresolved ? element_in<object>(at, found.index) : found;
}
text_member slow_lookup::element(const std::byte* at, std::size_t index) noexcept {
  using wide_array = columns_of<node_kind::array, true>;
  using shaped = columns_of<node_kind::shaped, false>;
  const auto first = std::to_integer<uint8_t>(*at);
  if (first == wide_array::first_byte) {
    if (index < wide_array::count(at)) [[likely]]
      return element_in<wide_array>(at, index);
    return {nullptr, npos};
  }
  if (first == shaped::first_byte) {
    if (index < shaped::count(at)) [[likely]]
      return element_in<shaped>(at, index);
    return {nullptr, npos};
  }
  node of;
  if (!find_node(validated{{at, 0}}, 0, of) || !of.is_container() || index >= of.count)
    return {nullptr, npos};
  const auto i = static_cast<uint32_t>(index);
  const std::byte* const value = of.at_index(i).value;
  return {value, value != nullptr ? i : i | in_cell};
}

}}} // namespace ingot::INGOT_V1::detail::doc
