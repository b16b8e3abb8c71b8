// SPDX-License-Identifier: Apache-2.0
// The lifetime of an object in a block: construction, binding of the object's containers to the
// block, relocation, destruction. Each of these is one walk over the members of the object, which
// compiles to nothing for types without containers.
#pragma once

#include <ingot/core/detail/light_standard.hpp>
#include <ingot/live/container.hpp>
#include <ingot/live/detail/recursion.hpp>
#include <ingot/live/detail/user_code.hpp>
#include <ingot/reflect/kind.hpp>
#include <ingot/reflect/storable.hpp>

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <new>
#include <type_traits>
#include <utility>

namespace ingot { inline namespace INGOT_V1 { namespace detail {

template <class T>
consteval bool finds_offsets() {
  if constexpr (live_container<T>) {
    if constexpr (requires { T::holds_offsets; }) return T::holds_offsets;
    else return true;
  } else if constexpr (is_array_like<T>) {
    return finds_offsets<std::remove_cv_t<element_t<T>>>();
  } else if constexpr (is_specialization<T, std::pair>) {
    return finds_offsets<typename T::first_type>() || finds_offsets<typename T::second_type>();
  } else if constexpr (kind_of<T> == kind::record) {
    return []<std::size_t... I>(std::index_sequence<I...>) {
      return (finds_offsets<std::remove_cv_t<member_type<T, I>>>() || ...);
    }(std::make_index_sequence<member_count<T>>{});
  } else {
    return false;
  }
}

/// True if a `T` holds containers of a block. A plain copy of its bytes is then invalid at another
/// address.
template <class T>
inline constexpr bool holds_offsets = finds_offsets<std::remove_cv_t<T>>();

template <class T>
consteval bool finds_padding() {
  if constexpr (live_container<T>) {
    return false; // containers keep their padding zero
  } else if constexpr (is_array_like<T>) {
    // an array without elements still has one byte, which is padding
    return array_size<T> == 0 || finds_padding<std::remove_cv_t<element_t<T>>>();
  } else if constexpr (is_specialization<T, std::pair>) {
    using first = typename T::first_type;
    using second = typename T::second_type;
    return sizeof(first) + sizeof(second) != sizeof(T) || finds_padding<first>() || finds_padding<second>();
  } else if constexpr (kind_of<T> == kind::record) {
    return []<std::size_t... I>(std::index_sequence<I...>) {
      return (sizeof(member_type<T, I>) + ... + std::size_t{0}) != sizeof(T) ||
             (finds_padding<std::remove_cv_t<member_type<T, I>>>() || ...);
    }(std::make_index_sequence<member_count<T>>{});
  } else {
    return false;
  }
}

/// True if a `T` has bytes that belong to no member. A copy of the whole object would copy their
/// arbitrary values.
template <class T>
inline constexpr bool has_padding = finds_padding<std::remove_cv_t<T>>();

/// Calls `f` with `object` if it is a container. Otherwise calls `f` with each container in the
/// members, array elements and pairs of `object`. Does not visit the elements of containers.
template <class T, class F>
INGOT_INLINE void for_each_container(T& object, F&& f) {
  if constexpr (!holds_offsets<T>) {
    return;
  } else if constexpr (live_container<T>) {
    f(object);
  } else if constexpr (is_array_like<std::remove_const_t<T>>) {
    for (auto& element : object) for_each_container(element, f);
  } else if constexpr (is_specialization<std::remove_const_t<T>, std::pair>) {
    for_each_container(object.first, f);
    for_each_container(object.second, f);
  } else {
    visit_members(object,
                  [&](auto&... members) INGOT_INLINE_LAMBDA { (for_each_container(members, f), ...); });
  }
}

/// Makes the containers in a new object part of the block.
template <class T, block_policy P>
INGOT_INLINE void bind(T& object, block_ref<P> block) noexcept {
  for_each_container(object,
                     [block](auto& each) INGOT_INLINE_LAMBDA { container_access::bind(each, block); });
}

/// Releases the storages of a container. If the container may hold containers of its own type,
/// they are destroyed one after the other, from a list. If there is no memory for the list, the
/// storages of these containers stay as holes, which `reclaim_holes` finds.
template <live_container C, block_policy P>
INGOT_INLINE void destroy_container(C& container, block_ref<P> block) noexcept {
  if constexpr (contains_itself<C> && C::container_kind != live_container_kind::optional &&
                // optionals and variants have no storage
                C::container_kind != live_container_kind::variant) {
    const auto& at = container_access::anchor_of(container);
    if (!at.bound() || at.data() == block.sentinel()) return;
    const destroy_entry entry{[](const destroy_entry& one) {
                                container_access::destroy_storage<C>(one.data, one.size,
                                                                     block_ref<P>(one.block));
                                return true;
                              },
                              at.data(), container_access::size_of(container), block.start()};
    static_cast<void>(walk_later(entry));
  } else {
    container_access::destroy(container, block);
  }
}

/// Releases everything that an object holds. The caller overwrites or zeroes the object's own
/// bytes.
template <class T, block_policy P>
INGOT_INLINE void destroy(T& object, block_ref<P> block) noexcept {
  for_each_container(object, [block](auto& each) INGOT_INLINE_LAMBDA { destroy_container(each, block); });
}
template <class T, block_policy P>
INGOT_INLINE void destroy(T* first, std::size_t count, block_ref<P> block) noexcept {
  if constexpr (holds_offsets<T>) {
    for (std::size_t i = 0; i < count; ++i) destroy(first[i], block);
  }
}

/// Corrects the offsets in objects whose bytes were moved from `from` to `to`.
template <class T>
INGOT_INLINE void shift(T* to, const void* from, std::size_t count) noexcept {
  if constexpr (holds_offsets<T>) {
    const auto by = static_cast<std::ptrdiff_t>(reinterpret_cast<std::uintptr_t>(from) -
                                                reinterpret_cast<std::uintptr_t>(to));
    for (std::size_t i = 0; i < count; ++i) {
      for_each_container(to[i], [by](auto& each) INGOT_INLINE_LAMBDA { container_access::shift(each, by); });
    }
  }
}
/// Moves `count` objects; the ranges may overlap. The old bytes are not zeroed.
template <class T>
INGOT_INLINE void relocate(T* to, const T* from, std::size_t count) noexcept {
  std::memmove(static_cast<void*>(to), static_cast<const void*>(from), count * sizeof(T));
  shift(to, from, count);
}
/// Exchanges two objects of one block.
template <class T>
void swap_objects(T& a, T& b) noexcept {
  if (std::addressof(a) == std::addressof(b)) return;
  alignas(T) std::byte saved[sizeof(T)];
  std::memcpy(saved, static_cast<const void*>(std::addressof(a)), sizeof(T));
  relocate(std::addressof(a), std::addressof(b), 1);
  std::memcpy(static_cast<void*>(std::addressof(b)), saved, sizeof(T));
  shift(std::addressof(b), std::addressof(a), 1);
}

/// Zeroes bytes that are no longer in use. So the bytes of erased objects don't stay in a block:
/// freed bytes are zero, and so are the bytes after a container's last element.
template <class T>
INGOT_INLINE void scrub(T* first, std::size_t count) noexcept {
  std::memset(static_cast<void*>(first), 0, count * sizeof(T));
}

/// Guards an object under construction: zeroes its bytes if the constructor throws.
template <class T>
class emplace_guard {
public:
  explicit emplace_guard(T* at) noexcept : at_(at) {}
  emplace_guard(const emplace_guard&) = delete;
  emplace_guard& operator=(const emplace_guard&) = delete;
  ~emplace_guard() {
    if (at_ != nullptr) scrub(at_, 1);
  }
  void fill() noexcept { at_ = nullptr; }

private:
  T* at_;
};

/// Like `scrub` for one element. Assigns a `T{}` if this writes all bytes. Compilers know that this
/// store doesn't change the container's own members. So a loop of such stores keeps these members
/// in registers.
template <class T>
INGOT_INLINE void scrub_one(T* object) noexcept {
  if constexpr (!holds_offsets<T> && !has_padding<T> && std::is_trivially_copyable_v<T> &&
                std::is_trivially_default_constructible_v<T> && std::is_copy_assignable_v<T> &&
                sizeof(T) <= 64) {
    *object = T{};
  } else {
    std::memset(static_cast<void*>(object), 0, sizeof(T));
  }
}

/// The default value of a new `T` if it is not `T{}`. For example, a twin that the compiler
/// generated has no initialisers; see twin.hpp.
template <class T>
struct default_source {
  static constexpr bool differs = false;
};
template <class T>
void assign_defaults(T& to);

/// Constructs an object at `at` as if declared `T object{};`, and binds it.
template <class T, block_policy P>
INGOT_INLINE T* construct_default(T* at, block_ref<P> block) {
  if constexpr (noexcept(T{})) {
    make_default(at);
  } else {
    emplace_guard<T> guard(at);
    make_default(at);
    guard.fill();
  }
  bind(*at, block);
  if constexpr (default_source<T>::differs) assign_defaults(*at);
  return at;
}

}}} // namespace ingot::INGOT_V1::detail
