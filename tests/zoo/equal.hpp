// SPDX-License-Identifier: Apache-2.0
// Equality for round trips: floats are compared by their bits (-0 is not 0, a NaN equals itself),
// unordered containers as sets, pointers by their objects. See sample.hpp for why this does not use
// ingot.
#pragma once

#include "sample.hpp"

#include <iterator>
#include <memory>

namespace zoo {

template <class T>
bool equal(const T& a, const T& b);

namespace rules {

/// Returns true if every element of `a` has its own equal in `b`. Quadratic; samples are small.
template <class C>
bool equal_as_sets(const C& a, const C& b) {
  if (a.size() != b.size()) return false;
  std::vector<const typename C::value_type*> left;
  for (const auto& element : b) left.push_back(&element);
  for (const auto& element : a) {
    bool found = false;
    for (auto& candidate : left) {
      if (candidate != nullptr && equal(element, *candidate)) {
        candidate = nullptr;
        found = true;
        break;
      }
    }
    if (!found) return false;
  }
  return true;
}

template <class T, class U, std::size_t... I>
bool equal_elements(const T& a, const U& b, std::index_sequence<I...>) {
  return (equal(std::get<I>(a), std::get<I>(b)) && ...);
}

} // namespace rules

template <class T>
bool equal(const T& a, const T& b) {
  if constexpr (requires { zoo_members(a); }) {
    const auto left = zoo_members(a);
    return rules::equal_elements(left, zoo_members(b),
                                 std::make_index_sequence<std::tuple_size_v<decltype(zoo_members(a))>>{});
  } else if constexpr (std::same_as<T, float> || std::same_as<T, double>) {
#if defined(__i386__)
    // On this processor, returning a floating-point number from a function makes signalling NaNs
    // quiet.
    if (a != a && b != b) return true;
#endif
    using bits = std::conditional_t<sizeof(T) == 4, std::uint32_t, std::uint64_t>;
    return std::bit_cast<bits>(a) == std::bit_cast<bits>(b);
  } else if constexpr (rules::is<T, std::complex>) {
    return equal(a.real(), b.real()) && equal(a.imag(), b.imag());
  } else if constexpr (rules::is<T, std::chrono::duration>) {
    return equal(a.count(), b.count());
  } else if constexpr (std::same_as<T, std::filesystem::path>) {
    return a.native() == b.native();
  } else if constexpr (rules::is<T, std::pair> || rules::is<T, std::tuple>) {
    return rules::equal_elements(a, b, std::make_index_sequence<std::tuple_size_v<T>>{});
  } else if constexpr (rules::is<T, std::unique_ptr> || rules::is<T, std::optional>) {
    return static_cast<bool>(a) == static_cast<bool>(b) && (!a || equal(*a, *b));
  } else if constexpr (rules::is<T, std::expected>) {
    if (a.has_value() != b.has_value()) return false;
    if (!a.has_value()) return equal(a.error(), b.error());
    if constexpr (std::is_void_v<typename T::value_type>) return true;
    else return equal(*a, *b);
  } else if constexpr (rules::is<T, std::variant>) {
    return a.index() == b.index() && [&]<std::size_t... I>(std::index_sequence<I...>) {
      return ((a.index() != I || equal(*std::get_if<I>(&a), *std::get_if<I>(&b))) && ...);
    }(std::make_index_sequence<std::variant_size_v<T>>{});
  } else if constexpr (requires { typename T::hasher; }) {
    return rules::equal_as_sets(a, b);
  } else if constexpr (requires { std::begin(a); }) {
    auto ia = std::begin(a);
    auto ib = std::begin(b);
    while (ia != std::end(a) && ib != std::end(b)) {
      // Converts elements that are proxies (vector<bool>) to values.
      const std::iter_value_t<decltype(ia)>& left = *ia;
      const std::iter_value_t<decltype(ib)>& right = *ib;
      if (!equal(left, right)) return false;
      ++ia;
      ++ib;
    }
    return ia == std::end(a) && ib == std::end(b);
  } else {
    return a == b;
  }
}

} // namespace zoo
