// SPDX-License-Identifier: Apache-2.0
// A pointer that owns one object or an array. It has only the functions of std::unique_ptr that
// ingot needs. Compiling this header takes a twentieth of the time that <memory> takes.
#pragma once

#include <ingot/core/detail/config.hpp>

#include <cstddef>
#include <type_traits>
#include <utility>

namespace ingot { inline namespace INGOT_V1 { namespace detail {

/// Owns an object that `new` created. An `owned<T[]>` owns an array that `new[]` created.
template <class T>
class owned {
public:
  using element_type = std::remove_extent_t<T>;

  constexpr owned() noexcept = default;
  constexpr owned(std::nullptr_t) noexcept {} // NOLINT(*-explicit-constructor): as std::unique_ptr
  explicit constexpr owned(element_type* object) noexcept : object_(object) {}
  constexpr owned(owned&& from) noexcept : object_(from.release()) {}
  constexpr owned& operator=(owned&& from) noexcept {
    reset(from.release());
    return *this;
  }
  constexpr ~owned() { destroy(object_); }

  [[nodiscard]] constexpr element_type* get() const noexcept { return object_; }
  [[nodiscard]] constexpr element_type& operator*() const noexcept
    requires(!std::is_array_v<T>)
  {
    return *object_;
  }
  constexpr element_type* operator->() const noexcept
    requires(!std::is_array_v<T>)
  {
    return object_;
  }
  [[nodiscard]] constexpr element_type& operator[](std::size_t i) const noexcept
    requires(std::is_array_v<T>)
  {
    return object_[i];
  }
  [[nodiscard]] constexpr explicit operator bool() const noexcept { return object_ != nullptr; }
  [[nodiscard]] friend constexpr bool operator==(const owned& a, std::nullptr_t) noexcept {
    return a.object_ == nullptr;
  }

  /// Returns the object and gives up its ownership: the caller owns it.
  [[nodiscard]] constexpr element_type* release() noexcept { return std::exchange(object_, nullptr); }
  /// Owns `object`, then destroys the previous object.
  constexpr void reset(element_type* object = nullptr) noexcept { destroy(std::exchange(object_, object)); }

private:
  static constexpr void destroy(element_type* object) noexcept {
    static_assert(sizeof(element_type) > 0, "the destructor of an incomplete type would not be called");
    if constexpr (std::is_array_v<T>) delete[] object;
    else delete object;
  }
  element_type* object_ = nullptr;
};

/// Creates a `T` from `arguments`. Throws `std::bad_alloc` if there is no memory.
template <class T, class... A>
  requires(!std::is_array_v<T>)
[[nodiscard]] constexpr owned<T> make_owned(A&&... arguments) {
  return owned<T>(new T(std::forward<A>(arguments)...));
}

}}} // namespace ingot::INGOT_V1::detail
