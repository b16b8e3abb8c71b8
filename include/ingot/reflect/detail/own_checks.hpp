// SPDX-License-Identifier: Apache-2.0
// The checks by a type's own code that writers can run on a value: `valid`, and `adapt<T>::from`.
#pragma once

#include <ingot/reflect/hooks.hpp>
#include <ingot/reflect/kind.hpp>
#include <ingot/reflect/platform_form.hpp>

#include <expected>
#include <type_traits>
#include <utility>

namespace ingot { inline namespace INGOT_V1 { namespace detail {

/// The text of `error::expected()` after `valid` has returned false.
inline constexpr std::string_view what_valid_accepts = "a value that the type's valid() accepts";

template <class T>
inline constexpr bool has_valid = has_valid_member<T> || has_valid_trait<T>;

template <class T>
  requires has_valid<T>
[[nodiscard]] constexpr bool is_valid(const T& value) {
  if constexpr (has_valid_member<T>) return value.valid();
  else return valid<T>::check(value);
}

/// True for an adapted class whose `from` may return an error.
template <class T>
inline constexpr bool from_may_reject = [] {
  // readers of these types accept every value that was written
  if constexpr (document_like<T> || has_platform_form<T>) {
    return false;
  } else {
    using returned = decltype(adapt<T>::from(std::declval<adapted_t<T>&&>()));
    return is_specialization<returned, std::expected> && !std::is_same_v<returned, from_result<T>>;
  }
}();

}}} // namespace ingot::INGOT_V1::detail
