// SPDX-License-Identifier: Apache-2.0
// Fast paths for nearly all edits of validated bytes. They require a narrow array or a narrow
// object with its own keys, space in this node, and values that own no nodes. Each function reads
// the node once. If a requirement is not met, the function changes nothing and reports this. Then
// tree.hpp makes the edit.
#pragma once

#include <ingot/document/detail/core.hpp>
#include <ingot/document/detail/keys.hpp>
#include <ingot/reflect/kind.hpp>

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <type_traits>

namespace ingot { inline namespace INGOT_V1 { namespace detail::doc {

/// True for C++ types whose values can be converted without an allocation of memory. Only long text
/// then needs a node.
template <class T>
inline constexpr bool is_simple =
    kind_of<T> == kind::boolean || kind_of<T> == kind::integer || kind_of<T> == kind::floating;
template <class T>
  requires(kind_of<T> == kind::string)
inline constexpr bool is_simple<T> = sizeof(typename T::value_type) == 1;

/// Converts a simple value to a type that is passed in registers.
template <class T>
[[nodiscard]] INGOT_INLINE auto simple_of(const T& from) noexcept {
  if constexpr (kind_of<T> == kind::boolean) return static_cast<bool>(from);
  else if constexpr (kind_of<T> == kind::floating) return from;
  else if constexpr (kind_of<T> == kind::string)
    return std::string_view(reinterpret_cast<const char*>(from.data()), from.size());
  else if constexpr (std::is_signed_v<T>) return static_cast<std::int64_t>(from);
  else return static_cast<uint64_t>(from);
}
/// Converts a value. Returns false for text that needs a node. Also returns false for text in the
/// document, which could move during the edit.
template <class T>
[[nodiscard]] INGOT_INLINE bool make_simple(memory in, const T& from, item& new_item) noexcept {
  if constexpr (kind_of<T> == kind::boolean) {
    new_item = item::of(static_cast<bool>(from));
  } else if constexpr (kind_of<T> == kind::floating) {
    new_item = item::of(from);
  } else if constexpr (kind_of<T> == kind::string) {
    const auto at = reinterpret_cast<std::uintptr_t>(from.data());
    if (from.size() > short_text || at - reinterpret_cast<std::uintptr_t>(in.start) < in.size) [[unlikely]]
      return false;
    new_item = item::text(value_kind::text, from.data(), static_cast<uint32_t>(from.size()));
  } else if constexpr (std::is_signed_v<T>) {
    new_item = item::of(static_cast<std::int64_t>(from));
  } else {
    new_item = item::of(static_cast<uint64_t>(from));
  }
  return true;
}

/// Sets `n` bytes of a heap to zero; `n` is usually small. Requires at least seven bytes before
/// these bytes. For up to eight bytes, there is only one branch, since `n` can't be predicted.
INGOT_INLINE void clear_few(std::byte* at, std::size_t n) noexcept {
  if (n <= 8) [[likely]] {
    std::byte* const last = at + n - 8;
    const std::size_t bits_left = 32 - 4 * n; // two shifts, since a shift by 64 is undefined
    store_le(last, load_le<uint64_t>(last) & ~(~uint64_t{0} << bits_left << bits_left));
  } else if (n < 16) {
    store(at, uint64_t{0});
    store(at + n - 8, uint64_t{0});
  } else {
    clear_bytes(at, n);
  }
}

/// For each tag: size in bytes of a value in a heap, including the tag. 0 for a value that owns a
/// node, or if the tag does not determine the size.
inline constexpr auto plain_sizes = [] {
  std::array<uint8_t, 256> all{};
  for (std::size_t first = 0; first < all.size(); ++first) {
    constexpr auto references = static_cast<std::size_t>(tag::array); // the first of four tags
    all[first] = first - references < 4 ? uint8_t{0} : tag_meanings[first].size;
  }
  return all;
}();
[[nodiscard]] INGOT_INLINE uint32_t plain_size(const std::byte* value) noexcept {
  return plain_sizes[std::to_integer<uint32_t>(*value)];
}

/// Result of a search for element `index` of the node at `at`. `found`: `value` is the beginning of
/// its value, or null if the value is in its cell. `none`: there is no such element. `ask`: the
/// node is neither a narrow array nor a narrow object with its own keys.
enum class quick_element : uint8_t { found, none, ask };
[[nodiscard]] INGOT_INLINE quick_element element_quickly(const std::byte* at, std::size_t index,
                                                         const std::byte*& value) noexcept {
  const auto kind = std::to_integer<uint8_t>(*at);
  if (kind != static_cast<uint8_t>(node_kind::array) && kind != static_cast<uint8_t>(node_kind::object))
      [[unlikely]]
    return quick_element::ask;
  const narrow_head n(at);
  if (index >= n.count) [[unlikely]]
    return quick_element::none;
  const uint32_t cell = load<uint16_t>(at + 8 + 2 * index);
  const std::byte* const record = at + n.bytes - cell;
  if (kind == static_cast<uint8_t>(node_kind::object))
    value = record + key_bytes(load<uint16_t>(at + 8 + 2 * (n.count + index)), record);
  else value = cell - 1 <= narrow_heap - 1 ? record : nullptr;
  return quick_element::found;
}

/// Returns the cell of element `index` of the node at `at`, if this is a narrow node of kind
/// `Kind` (without keys of its own) and the cell contains the value. Otherwise, and for null,
/// returns 0; the caller then uses the slow path.
template <node_kind Kind>
[[nodiscard]] INGOT_INLINE uint32_t immediate_quickly(const std::byte* at, uint32_t index) noexcept {
  if (std::to_integer<uint8_t>(*at) != static_cast<uint8_t>(Kind)) return 0;
  if (index >= load<uint16_t>(at + 4)) return 0;
  const uint32_t cell = load<uint16_t>(at + head_size(Kind, false) + std::size_t{2} * index);
  return cell > narrow_heap ? cell : 0;
}

/// Makes space for a longer value of an element. Uses the bytes after the value, moves the heap
/// before the value, or moves the value with its key to the gap. Returns the position for the
/// value. If there is no space, returns null and changes nothing.
[[nodiscard]] INGOT_COMPILED std::byte* move_element(core& in, uint32_t position, uint32_t index,
                                                     const std::byte* value, uint32_t old,
                                                     uint32_t size) noexcept;
/// Overwrites a value of up to eight bytes in an object with an integer of up to eight bytes. If
/// the integer is longer than the old value, unused bytes (zeros) must follow the old value. No
/// branch depends on the lengths, since the lengths of integers can't be predicted. If the slow
/// path is needed, returns false and changes nothing.
[[nodiscard]] INGOT_INLINE bool overwrite_integer(const std::byte* at, std::byte* value, uint32_t old,
                                                  std::int64_t n) noexcept {
  if constexpr (!little_endian) return false;
  const auto fits = static_cast<uint32_t>(is_small(n));
  const uint32_t bytes = integer_bytes(n);
  const uint32_t size = 1 + (bytes & (fits - 1));
  const uint32_t all = size > old ? size : old;
  if (all > 8 || all > static_cast<uint32_t>(at + narrow_head(at).bytes - value)) [[unlikely]]
    return false;
  // The eight bytes that end where the longer of both values ends. Bytes before the value stay
  // unchanged. Bytes after the old value must be unused.
  std::byte* const last = value + all - 8;
  const unsigned before = 64 - 8 * all;
  const uint64_t ours = ~uint64_t{0} << before;
  const uint64_t there = load_le<uint64_t>(last);
  // Two shifts, since `8 * old` may be 64, and a shift by 64 is undefined.
  if ((there & (ours << 4 * old << 4 * old)) != 0) return false;
  const uint32_t tag_byte =
      fits != 0
          ? static_cast<uint32_t>(static_cast<int>(tag::small_integer) - min_small) + static_cast<uint32_t>(n)
          : bytes;
  const uint64_t encoded =
      ((tag_byte & 0xFF) | static_cast<uint64_t>(n) << 8) & ~uint64_t{0} >> (64 - 8 * size);
  store_le(last, (there & ~ours) | encoded << before);
  return true;
}

/// Copies up to 31 bytes between ranges that don't overlap. Eight bytes or more are copied by four
/// copies of eight bytes, which may overlap each other.
INGOT_INLINE void move_few(std::byte* to, const std::byte* from, std::size_t n) noexcept {
  if (n >= 8) [[likely]] {
    const std::size_t last = n - 8;
    const std::size_t second = last < 8 ? last : 8;
    const std::size_t third = last < 16 ? last : 16;
    store(to, load<uint64_t>(from));
    store(to + second, load<uint64_t>(from + second));
    store(to + third, load<uint64_t>(from + third));
    store(to + last, load<uint64_t>(from + last));
  } else {
    move_bytes(to, from, n);
  }
}
/// Maximum size in bytes of the text and of the old value for `overwrite_text`.
inline constexpr uint32_t max_overwrite_size = 32;
/// `max_overwrite_size` zero bytes, then `max_overwrite_size` bytes 0xFF.
inline constexpr auto overlay_masks = [] {
  std::array<uint8_t, std::size_t{2} * max_overwrite_size> all{};
  for (std::size_t i = max_overwrite_size; i < all.size(); ++i) all[i] = 0xFF;
  return all;
}();
/// Overwrites a value in an object with text, if both are short. If the text is longer than the old
/// value, unused bytes (zeros) must follow the old value. No branch depends on the lengths, since
/// the lengths of texts can't be predicted. If the slow path is needed, returns false and changes
/// nothing.
[[nodiscard]] INGOT_INLINE bool overwrite_text(core& in, const std::byte* at, std::byte* value, uint32_t old,
                                               std::string_view text) noexcept {
#if defined(__GNUC__) || defined(__clang__)
  const auto size = static_cast<uint32_t>(text.size()) + 1;
  const uint32_t all = size > old ? size : old;
  if (all > max_overwrite_size || all > static_cast<uint32_t>(at + narrow_head(at).bytes - value) ||
      value - in.start() < std::ptrdiff_t{max_overwrite_size}) [[unlikely]]
    return false;
  // The `max_overwrite_size` bytes that end where the longer of both values ends. Bytes before the
  // value stay unchanged. Bytes after the old value must be unused.
  using half [[gnu::vector_size(16)]] = uint64_t;
  std::byte* const last = value + all - max_overwrite_size;
  half low;
  half high;
  std::memcpy(&low, last, sizeof low);
  std::memcpy(&high, last + sizeof low, sizeof high);
  const uint8_t* const ours = overlay_masks.data() + all;
  half low_mask;
  half high_mask;
  std::memcpy(&low_mask, ours - old, sizeof low_mask);
  std::memcpy(&high_mask, ours - old + sizeof low_mask, sizeof high_mask);
  const half alive = (low & low_mask) | (high & high_mask);
  if ((alive[0] | alive[1]) != 0) return false;
  std::memcpy(&low_mask, ours, sizeof low_mask);
  std::memcpy(&high_mask, ours + sizeof low_mask, sizeof high_mask);
  low &= ~low_mask;
  high &= ~high_mask;
  std::memcpy(last, &low, sizeof low);
  std::memcpy(last + sizeof low, &high, sizeof high);
  *value = static_cast<std::byte>(static_cast<uint32_t>(tag::text) + size - 1);
  move_few(value + 1, reinterpret_cast<const std::byte*>(text.data()), size - 1);
  return true;
#else
  static_cast<void>(in), static_cast<void>(at), static_cast<void>(value), static_cast<void>(old),
      static_cast<void>(text);
  return false;
#endif
}

/// Overwrites the value at `value`, which belongs to element `index` of the node at `position`.
/// Returns the new beginning of the value. If the slow path is needed, returns null and changes
/// nothing.
[[nodiscard]] INGOT_INLINE const std::byte* overwrite_quickly(core& in, uint32_t position, uint32_t index,
                                                              const std::byte* value,
                                                              const item& new_item) noexcept {
  const auto kind = std::to_integer<uint8_t>(in.start()[position]);
  if (kind != static_cast<uint8_t>(node_kind::object)) {
    if (kind != static_cast<uint8_t>(node_kind::array) || immediate_cell(new_item, false) != 0)
      return nullptr;
  }
  const uint32_t old = plain_size(value);
  if (old == 0) [[unlikely]]
    return nullptr;
  std::byte* to = in.start() + (value - in.start());
  if (new_item.kind == value_kind::integer && kind == static_cast<uint8_t>(node_kind::object)) {
    if (overwrite_integer(in.start() + position, to, old, new_item.integer())) return to;
  }
  if (new_item.kind == value_kind::text && new_item.is == item::form::plain &&
      kind == static_cast<uint8_t>(node_kind::object)) {
    const std::string_view text(reinterpret_cast<const char*>(new_item.bytes), new_item.length);
    if (overwrite_text(in, in.start() + position, to, old, text)) return to;
  }
  const uint32_t size = value_size(new_item);
  if (size > old) {
    to = move_element(in, position, index, value, old, size);
    if (to == nullptr) return nullptr;
  } else {
    clear_few(to + size, old - size);
  }
  write_value(to, new_item);
  return to;
}

/// Adds a member to a narrow object with its own keys. Requires that `find_fast` has searched the
/// object without finding the key. Returns the position at which the caller must write the value of
/// `size` bytes, and sets `index`. Returns null and changes nothing if there is no space, or if the
/// hash in `key` does not contain the key's length (see `length_in`).
[[nodiscard]] INGOT_COMPILED std::byte* insert_quickly(core& in, uint32_t position, const document_key& key,
                                                       uint32_t size, uint32_t& index) noexcept;
/// Removes a member that `find_fast` has found. Returns false and changes nothing if the value owns
/// a node.
[[nodiscard]] INGOT_COMPILED bool erase_quickly(core& in, uint32_t position, uint32_t index,
                                                const std::byte* value) noexcept;

/// Appends an element to a narrow array. Returns false for other nodes, and if there is no space.
/// Sets `value` to the beginning of the value in the heap, or to null if the value is in its cell.
[[nodiscard]] INGOT_INLINE bool append_quickly(core& in, uint32_t position, const item& new_item,
                                               uint32_t& index, const std::byte*& value) noexcept {
  std::byte* const at = in.start() + position;
  if (std::to_integer<uint8_t>(*at) != static_cast<uint8_t>(node_kind::array)) return false;
  const narrow_head n(at);
  uint32_t cell = immediate_cell(new_item, false);
  const uint32_t heap = n.heap + (cell == 0 ? value_size(new_item) : 0);
  if (n.count >= narrow_count || heap > narrow_heap || 8 + 2 * (n.count + 1) + heap > n.bytes) return false;
  index = n.count;
  value = nullptr;
  if (cell == 0) {
    std::byte* const to = at + n.bytes - heap;
    write_value(to, new_item);
    store(at + 6, static_cast<uint16_t>(heap));
    value = to;
    cell = heap;
  }
  store(at + 8 + std::size_t{2} * index, static_cast<uint16_t>(cell));
  store(at + 4, static_cast<uint16_t>(index + 1));
  return true;
}
/// Removes the element `index` if it is the last element of a narrow array, and owns no node.
/// Otherwise returns false and changes nothing.
[[nodiscard]] INGOT_INLINE bool erase_last_quickly(core& in, uint32_t position, std::size_t index) noexcept {
  std::byte* const at = in.start() + position;
  if (std::to_integer<uint8_t>(*at) != static_cast<uint8_t>(node_kind::array)) return false;
  const narrow_head n(at);
  if (index + 1 != n.count) return false;
  std::byte* const cell = at + 8 + std::size_t{2} * index;
  const uint32_t c = load<uint16_t>(cell);
  if (c - 1 <= narrow_heap - 1) {
    std::byte* const value = at + n.bytes - c;
    const uint32_t size = plain_size(value);
    if (size == 0) return false;
    clear_few(value, size);
    if (c == n.heap) store(at + 6, static_cast<uint16_t>(n.heap - size));
  }
  store(cell, uint16_t{0});
  store(at + 4, static_cast<uint16_t>(n.count - 1));
  in.changes().note_shift(position);
  return true;
}

}}} // namespace ingot::INGOT_V1::detail::doc

#if defined(INGOT_HEADER_ONLY)
#include <ingot/document/compiled/quick_edit.hpp>
#endif
