// SPDX-License-Identifier: Apache-2.0
// Finds C++ values that `value::as` would reject when it reads them back as their type. Setting
// such a value returns the error that `value::as` would return.
#pragma once

#include <ingot/core/detail/config.hpp>
#include <ingot/core/error.hpp>
#include <ingot/document/detail/member_key.hpp>
#include <ingot/pack/detail/order.hpp>
#include <ingot/pack/detail/rejection.hpp>
#include <ingot/reflect/detail/alternative_names.hpp>

#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <optional>
#include <stdexcept>
#include <string_view>
#include <type_traits>

namespace ingot { inline namespace INGOT_V1 {

/// Thrown by assignments such as `doc["a"] = 1` if readers of the type would reject the value, or
/// if the value nests more than 128 levels. `set` returns the error instead.
class bad_document_value : public std::runtime_error {
public:
  explicit bad_document_value(const error& err) : std::runtime_error(err.message()), why_(err) {}
  [[nodiscard]] const error& why() const noexcept { return why_; }

private:
  error why_;
};

namespace detail::doc {

/// The errors that `value::as` returns for rejected values.
struct document_form : rejection_form {
  static constexpr reader_checks checks{.number_keys = true};

  template <class List, class F>
  static void for_each(const List& list, F&& f) {
    for_each_by_code_unit(list, [&](const auto& item) { return f(item), true; });
  }
  template <class E>
  INGOT_COLD static error enumerator_error(E value, enumerator_position where) noexcept {
    if (where == enumerator_position::key)
      return error{errc::unknown_enumerator}.with_expected("an enumerator as key");
    return bad_enumerator(value);
  }
  INGOT_COLD static error nan_error(bool is_key) noexcept {
    return error{errc::out_of_range}.with_expected(is_key ? "a key that is not NaN"
                                                          : "an element that is not NaN");
  }
  template <class Map>
  static constexpr enumerator_position position_of_key =
      is_member_map<Map>() ? enumerator_position::key : enumerator_position::lone;
  template <class Map, class Item>
  INGOT_COLD static void name_entry(error& err, const Item& item, bool is_key, std::size_t index) {
    if constexpr (is_member_map<Map>())
      with_key_text(item.first, [&](std::string_view text) { err.in_key(text); });
    else err.in_element(is_key ? 0 : 1).in_element(index);
  }
  template <class Tagged>
  INGOT_COLD static void name_held(error& err, std::size_t index) {
    if constexpr (kind_of<Tagged> == kind::variant) {
      err.in_member(variant_tag<Tagged>(index));
    } else if constexpr (kind_of<Tagged> == kind::expected) {
      err.in_member(index == 0 ? "value" : "error");
    } else {
      using inner = std::remove_cvref_t<decltype(*std::declval<const Tagged&>())>;
      if constexpr (may_be_null<inner>()) err.in_element(0);
    }
  }
};

/// Returns the error of a value that is to be stored; nothing if it is valid.
template <class T>
[[nodiscard]] INGOT_INLINE std::optional<error> rejected(const T& from) {
  return rejection_of<document_form>(from);
}

[[noreturn]] INGOT_COLD inline void throw_rejected(const error& err) {
#if INGOT_EXCEPTIONS
  throw bad_document_value(err);
#else
  std::fputs(err.message().c_str(), stderr);
  std::fputs(" (without exceptions: use set)\n", stderr);
  std::abort();
#endif
}

} // namespace detail::doc
}} // namespace ingot::INGOT_V1
