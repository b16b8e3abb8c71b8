// SPDX-License-Identifier: Apache-2.0
// Objects that are created once and stay until the process ends: destructors of other static
// objects may still use them.
#pragma once

#include <ingot/core/detail/config.hpp>

#include <type_traits>

namespace ingot { inline namespace INGOT_V1 { namespace detail {

/// Holds a `T()`, or the result of `make`. Use it as a `static never_destroyed<T>` in a function.
/// The memory of the object is never freed.
template <class T>
class never_destroyed {
public:
  constexpr never_destroyed() : object_() {}
  template <class Make>
  constexpr explicit never_destroyed(Make make) : object_(make()) {}
  never_destroyed(const never_destroyed&) = delete;
  never_destroyed& operator=(const never_destroyed&) = delete;
  /// This destructor is trivial if possible, so that a `constinit` object in a function needs no
  /// guard.
  ~never_destroyed()
    requires std::is_trivially_destructible_v<T>
  = default;
  constexpr ~never_destroyed() {} // NOLINT(modernize-use-equals-default): it would be deleted

  [[nodiscard]] constexpr T& operator*() noexcept { return object_; }
  [[nodiscard]] constexpr const T& operator*() const noexcept { return object_; }

private:
  union {
    T object_;
  };
};

}}} // namespace ingot::INGOT_V1::detail
