// SPDX-License-Identifier: Apache-2.0
// What every container of a block declares, and what the walks over a block's objects may do to it.
#pragma once

#include <ingot/live/detail/block.hpp>
// Before the containers: g++ says that their names are shadowed by enumerators which come later.
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

/// The kinds of storage. The numbers enter the layout_id: they never change.
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

/// What containers let the walks do to them:
///   bind(block)      after construction: point at the block's sentinel
///   shift(by)        the container's bytes were moved: `by` is the old address less the new one
///   destroy(block)   give the storage back, and what its elements hold; the container's own bytes are left as they are
///   destroy_storage(data, size, block)  the same, static, for containers that may hold others of their type
///   check(checker)   whether its bytes, which came from elsewhere, and all it holds can be worked with; see check.hpp
///   in_order(cursor) the same in a canonical block, of text and vectors; see check_in_order.hpp
/// Beside these they declare live_policy, live_parts (the types they hold), brand and, if it may be false, holds_offsets.
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
  /// What a text reads, found without a jump that depends on where it is: for keys, of which each may be elsewhere.
  template <class C>
  [[nodiscard]] static INGOT_INLINE auto steady_view(const C& text) noexcept {
    return text.steady_view();
  }
  /// The value of an optional, which is an object in either state.
  template <class C>
  [[nodiscard]] static INGOT_INLINE auto& value_of(C& optional) noexcept {
    return optional.value_here();
  }
  template <class C>
  [[nodiscard]] static INGOT_INLINE auto& anchor_of(C& container) noexcept {
    return container.at_;
  }
  /// The rank of a key; throws as `emplace` does.
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

/// One of the containers of this layer: its policy, and that it holds an offset to itself.
template <class T>
concept live_container = requires { typename std::remove_const_t<T>::live_policy; };

} // namespace detail
}} // namespace ingot::INGOT_V1
