// SPDX-License-Identifier: Apache-2.0
// One object that is stored inside an optional or variant. An optional may have no value, and a
// variant may hold an object of another type. The object is replaced in place, because a
// self-relative offset is valid only at its own address. The bytes of the old object are saved
// first. If the new object can't be constructed, the saved bytes are restored. If it was
// constructed, the saved bytes are put back only while the old object is destroyed.
#pragma once

#include <ingot/core/detail/light_standard.hpp>
#include <ingot/live/detail/assign.hpp>
#include <ingot/live/detail/block_validator.hpp>

#include <array>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <new>
#include <type_traits>
#include <utility>

namespace ingot { inline namespace INGOT_V1 { namespace detail {

/// Index of the first member that holds offsets, in a record with such a member.
template <class T>
inline constexpr std::size_t first_holder = []<std::size_t... I>(std::index_sequence<I...>) {
  constexpr std::array<bool, sizeof...(I)> holds{holds_offsets<std::remove_cv_t<member_type<T, I>>>...};
  std::size_t first = 0;
  while (!holds[first]) ++first;
  return first;
}(std::make_index_sequence<member_count<T>>{});

/// Returns the anchor of the first container in an object that holds containers. `block()` of this
/// anchor is the block of the object.
template <class T>
[[nodiscard]] INGOT_INLINE const auto& first_anchor(const T& object) noexcept {
  static_assert(holds_offsets<T>);
  if constexpr (live_container<T>) {
    if constexpr (T::container_kind == live_container_kind::optional)
      return first_anchor(container_access::value_of(object));
    else return container_access::anchor_of(object);
  } else if constexpr (is_array_like<T>) {
    return first_anchor(object[0]);
  } else if constexpr (is_specialization<T, std::pair>) {
    if constexpr (holds_offsets<typename T::first_type>) return first_anchor(object.first);
    else return first_anchor(object.second);
  } else {
    return first_anchor(std::get<first_holder<T>>(member_references(object)));
  }
}

/// Sets the bytes of an absent object: zeros, and empty containers in place of its containers. The
/// caller binds these containers to the block.
template <class T>
INGOT_INLINE void make_vacant(T& object) noexcept {
  scrub(std::addressof(object), 1);
  for_each_container(object, []<class C>(C& each) INGOT_INLINE_LAMBDA {
    ::new (static_cast<void*>(std::addressof(each))) C{};
  });
}
/// Returns true if the bytes of `object` are those of an absent object after `make_vacant` and
/// `bind`.
template <class T, class Validator>
[[nodiscard]] bool is_vacant(const T& object, const Validator& validator) noexcept {
  alignas(T) std::byte bytes[sizeof(T)];
  T& model = *reinterpret_cast<T*>(bytes);
  make_vacant(model);
  // Binds the model as if it were at the address of `object`. Offsets wrap around, so any distance
  // between the model and `object` is possible.
  bind(model, block_ref<typename Validator::policy>(const_cast<std::byte*>(validator.start())));
  const auto by = static_cast<std::ptrdiff_t>(reinterpret_cast<std::uintptr_t>(bytes) -
                                              reinterpret_cast<std::uintptr_t>(std::addressof(object)));
  for_each_container(model, [by](auto& each) INGOT_INLINE_LAMBDA { container_access::shift(each, by); });
  return std::memcmp(bytes, static_cast<const void*>(std::addressof(object)), sizeof(T)) == 0;
}

[[nodiscard]] inline bool all_zero(const std::byte* first, std::size_t count) noexcept {
  for (std::size_t i = 0; i < count; ++i) {
    if (first[i] != std::byte{0}) return false;
  }
  return true;
}

/// Returns true if an argument is in the bytes that are about to be replaced, refers to these
/// bytes, or may read them later.
template <class A>
[[nodiscard]] INGOT_INLINE bool refers_into(const std::byte* first, std::size_t size,
                                            const A& argument) noexcept {
  const auto inside = [first, size](const volatile void* at) INGOT_INLINE_LAMBDA {
    return reinterpret_cast<std::uintptr_t>(at) - reinterpret_cast<std::uintptr_t>(first) < size;
  };
  if constexpr (std::is_function_v<A>) {
    return false;
  } else {
    if (inside(std::addressof(argument))) return true;
    if constexpr (std::is_pointer_v<A>) {
      if constexpr (std::is_object_v<std::remove_pointer_t<A>>) return inside(argument);
      else return false;
    } else if constexpr (std::ranges::contiguous_range<const A>) {
      return inside(std::ranges::data(argument));
    } else {
      return std::ranges::view<A>; // a view may compute its elements from any object
    }
  }
}

/// Returns the block that an anchor is in; null outside of blocks.
template <block_policy P>
[[nodiscard]] INGOT_INLINE block_ref<P> block_or_null(const anchor<P>& at) noexcept {
  return at.bound() ? at.block() : block_ref<P>(nullptr);
}

/// Returns true if two objects are in one block, or both outside all blocks, or if they have no
/// containers.
template <block_policy P, class T>
[[nodiscard]] bool share_block(const T& a, const T& b) noexcept {
  if constexpr (holds_offsets<T>)
    return block_or_null<P>(first_anchor(a)) == block_or_null<P>(first_anchor(b));
  else return true;
}

/// Constructs a `T` outside of all blocks. Returns false if it would need a storage.
template <class T, class... A>
[[nodiscard]] bool construct_unbound(T* at, A&&... arguments) {
  if constexpr (!holds_offsets<T>) {
    return construct(at, block_ref<narrow_policy>(nullptr), std::forward<A>(arguments)...);
  } else {
    make_default(at);
    if constexpr (sizeof...(A) == 0) return true;
    else if constexpr (sizeof...(A) == 1 && (assigns_whole<T, A> && ...))
      return assign_value(*at, std::forward<A>(arguments)...);
    else return false;
  }
}

/// Saves bytes, and restores them unless `let_go` is called.
template <std::size_t Size>
class byte_restore_guard {
public:
  explicit byte_restore_guard(std::byte* from) noexcept : from_(from) { std::memcpy(bytes_, from, Size); }
  byte_restore_guard(const byte_restore_guard&) = delete;
  byte_restore_guard& operator=(const byte_restore_guard&) = delete;
  ~byte_restore_guard() {
    if (from_ != nullptr) std::memcpy(from_, bytes_, Size);
  }
  /// Exchanges the saved bytes with the present bytes.
  void exchange() noexcept {
    std::byte now[Size];
    std::memcpy(now, from_, Size);
    std::memcpy(from_, bytes_, Size);
    std::memcpy(bytes_, now, Size);
  }
  void let_go() noexcept { from_ = nullptr; }

private:
  std::byte* from_;
  std::byte bytes_[Size];
};

/// A storage of the block for the lifetime of this object.
template <block_policy P>
class temporary_storage {
public:
  temporary_storage(block_ref<P> block, std::size_t bytes, std::size_t alignment) noexcept
      : block_(block), data_(block.allocate(bytes, alignment)) {}
  temporary_storage(const temporary_storage&) = delete;
  temporary_storage& operator=(const temporary_storage&) = delete;
  ~temporary_storage() {
    if (data_ != nullptr) block_.release(data_);
  }
  [[nodiscard]] std::byte* data() const noexcept { return data_; }

private:
  block_ref<P> block_;
  std::byte* data_;
};

/// Replaces the object in the `Size` bytes of `payload` by a `T` made of the arguments. Calls
/// `destroy_old` while the old bytes are in place. Returns false if memory runs out; then, and
/// after an exception, everything is as before. `block` is null outside of blocks.
template <class T, std::size_t Size, block_policy P, class F, class... A>
[[nodiscard]] bool replace_object(std::byte* payload, block_ref<P> block, F&& destroy_old, A&&... arguments) {
  T* const at = reinterpret_cast<T*>(payload);
  const bool bound = block.start() != nullptr;
  if ((refers_into(payload, Size, arguments) || ...)) [[unlikely]] {
    if constexpr (!holds_offsets<T>) {
      alignas(T) std::byte fresh[sizeof(T)]{};
      if (!construct(reinterpret_cast<T*>(fresh), block, std::forward<A>(arguments)...)) return false;
      destroy_old();
      std::memset(payload, 0, Size);
      std::memcpy(payload, fresh, sizeof(T));
      return true;
    } else {
      if (!bound) return false;
      const temporary_storage<P> aside(block, sizeof(T), alignof(T));
      T* const fresh = reinterpret_cast<T*>(aside.data());
      if (fresh == nullptr || !construct(fresh, block, std::forward<A>(arguments)...)) return false;
      destroy_old();
      std::memset(payload, 0, Size);
      relocate(at, fresh, 1);
      return true;
    }
  }
  byte_restore_guard<Size> old(payload);
  std::memset(payload, 0, Size);
  if (bound ? !construct(at, block, std::forward<A>(arguments)...)
            : !construct_unbound(at, std::forward<A>(arguments)...))
    return false;
  old.exchange();
  destroy_old();
  old.exchange();
  old.let_go();
  return true;
}

}}} // namespace ingot::INGOT_V1::detail
