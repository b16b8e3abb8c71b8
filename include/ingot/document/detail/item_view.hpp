// SPDX-License-Identifier: Apache-2.0
// Queries of a value in place. If `Memory` is `validated`, nothing is checked again; if it is
// `memory`, every access is checked. Both kinds of views find, count and name the same values.
#pragma once

#include <ingot/core/detail/catch_bad_alloc.hpp>
#include <ingot/document/detail/json_pointer.hpp>
#include <ingot/document/detail/kind_tests.hpp>
#include <ingot/document/detail/position_name.hpp>
#include <ingot/document/detail/read.hpp>

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
/// Finds a member of the object `of`, which is at `at`.
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
    auto read = catch_bad_alloc([&] { return self().template as_or_why<T, false>(); });
    return read ? std::move(*read) : std::move(otherwise);
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
  [[nodiscard]] View operator[](std::size_t index) const noexcept {
    container found;
    if (!find_container(in_, item_, found) || index >= found.count()) [[unlikely]] {
      if (at_.none()) return View(absent_path(at_, item_.number).with_element(index));
      error named;
      name_position(named, in_, at_);
      return View(absent_path(false).with_path(named.path()).with_element(index));
    }
    const auto i = static_cast<std::uint32_t>(index);
    const location where = element_of(at_, found, i);
    if (!found.has_node) return View(in_, where);
    return View(in_, where, found.n.value(i));
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
  [[nodiscard]] const View& self() const noexcept { return static_cast<const View&>(*this); }
};

}}} // namespace ingot::INGOT_V1::detail::doc

#if defined(INGOT_HEADER_ONLY)
#include <ingot/document/compiled/item_view.hpp>
#endif
