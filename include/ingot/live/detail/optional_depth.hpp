// SPDX-License-Identifier: Apache-2.0
// Types that hold a value or nothing, whoever wrote them: what an optional or a box can be assigned from.
#pragma once

#include <ingot/reflect/kind.hpp>

#include <cstddef>
#include <type_traits>

namespace ingot::inline v1::detail {

/// How many layers of "or nothing" a type is.
template <class T>
consteval std::size_t optional_depth() {
  if constexpr (kind_of<T> == kind::optional)
    return 1 + optional_depth<std::remove_cv_t<typename T::value_type>>();
  else if constexpr (kind_of<T> == kind::box)
    return 1 + optional_depth<std::remove_cv_t<typename T::element_type>>();
  else return 0;
}
template <class T>
concept perhaps = kind_of<T> == kind::optional || kind_of<T> == kind::box;

} // namespace ingot::inline v1::detail
