// SPDX-License-Identifier: Apache-2.0
// The members that every container of a block declares. Walks over the objects of a block access
// the private members through `container_access`.
#pragma once

#include <ingot/live/detail/block.hpp>
// Included before the containers, because otherwise g++ warns that the names of containers shadow
// later enumerators.
#include <ingot/reflect/kind.hpp>
#include <ingot/schema/fingerprint.hpp>

#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <utility>

namespace ingot { inline namespace INGOT_V1 {

template <class Char, block_policy P>
class basic_string;

namespace detail {

/// Container kinds. The numbers enter the layout_id, so they never change. A new container gets the
/// next number. Layouts contain a kind as a `dynamic_kind`. For a container, this is its number
/// plus 32. The values from 64 on are other kinds, so the numbers stay below 32.
enum class live_container_kind : std::uint8_t {
  string = 1,
  vector = 2,
  optional = 3,
  variant = 4,
  box = 5,
  map = 6,
  set = 7,
  multimap = 8,
  hash_map = 9,
  hash_set = 10,
  flat_map = 11,
  flat_set = 12,
  pool = 13,
  ref = 14,
  queue = 15,
  value = 16,
};

/// Private operations of containers, called by walks over a block:
///   bind(block)      called after construction: points the container to the block's sentinel
///   shift(by)        called after the container's bytes moved: corrects the offsets; `by` is the
///                    old minus the new address
///   destroy(block)   releases the storage and all that its elements own; leaves the container's
///                    own bytes unchanged
///   destroy_storage(data, size, block)
///                    static form of `destroy`, for containers that may hold containers of their
///                    own type
///   check(validator) validates the container and its contents, which are untrusted; see
///                    block_validator.hpp
///   in_order(cursor) validates the container in a canonical block. Only strings and vectors have
///                    this operation; see canonical_check.hpp
/// The member `at_` is the anchor of the storage. The member `size_`, if declared, is the number of
/// elements. Containers also declare `live_policy`, `live_parts` (the types that they contain),
/// `container_kind`, `friend container_access` and, if it may be false, `holds_offsets`.
struct container_access {
  template <class C, block_policy P>
  static INGOT_INLINE void bind(C& container, block_ref<P> block) noexcept {
    container.bind(block);
  }
  template <class C>
  static INGOT_INLINE void shift(C& container, std::ptrdiff_t by) noexcept {
    container.shift(by);
  }
  template <class C, block_policy P>
  static INGOT_INLINE void destroy(C& container, block_ref<P> block) noexcept {
    container.destroy(block);
  }
  template <class C, block_policy P>
  static void destroy_storage(std::byte* data, std::size_t size, block_ref<P> block) noexcept {
    C::destroy_storage(data, size, block);
  }
  template <class C>
  [[nodiscard]] static std::size_t size_of(const C& container) noexcept {
    if constexpr (requires { container.size_; }) return container.size_;
    else return 1;
  }
  template <class C, class Validator>
  [[nodiscard]] static bool check(const C& container, Validator& validator) {
    return container.check(validator);
  }
  template <class C, class Cursor>
  [[nodiscard]] static INGOT_INLINE bool in_order(const C& container, Cursor& cursor) {
    return container.in_order(cursor);
  }
  /// Returns the text as a view, without a branch on its location. For comparisons of many keys:
  /// some keys are stored inline and others not, so such a branch would be mispredicted.
  template <class C>
  [[nodiscard]] static INGOT_INLINE auto steady_view(const C& text) noexcept {
    return text.steady_view();
  }
  /// Returns the object in an optional, which contains an object even if it has no value.
  template <class C>
  [[nodiscard]] static INGOT_INLINE auto& value_of(C& optional) noexcept {
    return optional.value_here();
  }
  template <class C>
  [[nodiscard]] static INGOT_INLINE auto& anchor_of(C& container) noexcept {
    return container.at_;
  }
  /// Inserts a key if the key is new, and returns its rank. Throws as `emplace` does.
  template <class C, class Q, class... A>
  [[nodiscard]] static INGOT_INLINE std::size_t insert(C& container, Q&& key, A&&... arguments) {
    return container.insert_rank(std::forward<Q>(key), std::forward<A>(arguments)...);
  }
  template <class C, class... A>
  static void add_last(C& container, A&&... arguments) {
    if (!container.add_last(std::forward<A>(arguments)...)) [[unlikely]]
      container.at_.throw_failure();
  }
  template <class C, class Order>
  static void arrange(C& container, Order& order) {
    container.arrange_entries(order);
  }
};

/// A class of containers of a block, const or not. Each such class declares `live_policy`.
template <class T>
concept live_container = requires { typename std::remove_const_t<T>::live_policy; };

} // namespace detail
}} // namespace ingot::INGOT_V1
