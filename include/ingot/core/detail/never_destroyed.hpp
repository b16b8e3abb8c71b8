// SPDX-License-Identifier: Apache-2.0
// Objects that are made once and stay until the process ends: destructors of other static objects may still use them.
#pragma once

#include <utility>

namespace ingot::inline INGOT_V1::detail {

/// A `static never_destroyed<T>` in a function holds a `T()`, or what `make` returns. Its memory is never given back.
template <class T>
class never_destroyed {
public:
  constexpr never_destroyed() : object_() {}
  template <class Make>
  constexpr explicit never_destroyed(Make&& make) : object_(std::forward<Make>(make)()) {}
  never_destroyed(const never_destroyed&) = delete;
  never_destroyed& operator=(const never_destroyed&) = delete;
  constexpr ~never_destroyed() {} // NOLINT(modernize-use-equals-default): deleted, as the union's would be

  [[nodiscard]] constexpr T& operator*() noexcept { return object_; }
  [[nodiscard]] constexpr const T& operator*() const noexcept { return object_; }

private:
  union {
    T object_;
  };
};

} // namespace ingot::inline INGOT_V1::detail
