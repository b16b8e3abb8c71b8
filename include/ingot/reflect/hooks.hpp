// SPDX-License-Identifier: Apache-2.0
// Hooks: a type's own code for conversion to a stored form, and for checks that run when a value is
// read.
#pragma once

#include <ingot/core/detail/config.hpp>
#include <ingot/core/detail/found_number.hpp>
#include <ingot/core/detail/widen_float.hpp>
#include <ingot/core/error.hpp>
#include <ingot/reflect/detail/range_text.hpp>
#include <ingot/reflect/members.hpp>

#include <concepts>
#include <cstddef>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

namespace ingot { inline namespace INGOT_V1 {

/// Specialise this to store a class as another type, the stored form. This applies to every
/// representation except live blocks: a member of a live struct has the type of the stored form
/// itself. Views show the stored form.
///
///   template <> struct ingot::adapt<money> {
///     static std::int64_t to(const money& m);
///     static ingot::result<money> from(std::int64_t cents);
///     // or: static money from(std::int64_t cents);
///   };
///
/// `to` may return anything storable, by value; `from` may return an error. The class need not be
/// default-constructible, unless a program calls `unpack_into` with an object of the class.
template <class T>
struct adapt;

/// Specialise this, with the function `static bool check(const T&)`, for types that can't have a
/// member `bool valid() const`.
template <class T>
struct valid;

/// Specialise this for types that can't have a member `after_load()`. The specialisation has the
/// function `static result<void> run(T&)`, which may also return bool or void.
template <class T>
struct after_load;

namespace detail {

template <class T>
concept is_adapted = requires(const T& value) { adapt<T>::to(value); };

template <class T>
concept has_valid_member = std::is_class_v<T> && requires(const T& value) {
  { value.valid() } -> std::same_as<bool>;
};
template <class T>
concept has_valid_trait = requires(const T& value) {
  { valid<T>::check(value) } -> std::same_as<bool>;
};
template <class T>
concept has_after_load_member = std::is_class_v<T> && requires(T& value) { value.after_load(); };
template <class T>
concept has_after_load_trait = requires(T& value) { after_load<T>::run(value); };

/// True for types with hooks that readers call after they have read an object.
template <class T>
inline constexpr bool has_hooks =
    has_valid_member<T> || has_valid_trait<T> || has_after_load_member<T> || has_after_load_trait<T>;

struct hook_failure {
  std::string_view what; ///< the values that the check accepts, for `error::with_expected`
  error why{};           ///< set if the hook returned an error of its own
  bool has_error = false;
};

template <class Call>
constexpr bool hook_passes(Call&& call, hook_failure& failure, std::string_view what) {
  using returned = decltype(call());
  if constexpr (std::is_void_v<returned>) {
    call();
    return true;
  } else if constexpr (std::is_same_v<returned, bool>) {
    if (call()) return true;
    failure.what = what;
    return false;
  } else {
    auto outcome = call();
    if (outcome.has_value()) return true;
    failure.what = what;
    failure.why = outcome.error();
    failure.has_error = true;
    return false;
  }
}

} // namespace detail

/// The stored form of an adapted class.
template <detail::is_adapted T>
using adapted_t = std::remove_cvref_t<decltype(adapt<T>::to(std::declval<const T&>()))>;

namespace detail {

/// The value type of the result of `adapt<T>::from`. This is `T`, unless `adapt<T>` names another
/// `result_type`: if a `T` can't be moved, `from` returns a value that can be assigned to a `T`.
template <class T>
struct adapt_result {
  using type = T;
};
template <class T>
  requires requires { typename adapt<T>::result_type; }
struct adapt_result<T> {
  using type = typename adapt<T>::result_type;
};
template <class T>
using from_result = typename adapt_result<T>::type;

/// Calls `from`, which returns either the value or a result.
template <class T>
[[nodiscard]] constexpr result<from_result<T>> adapt_from(adapted_t<T>&& stored) {
  return adapt<T>::from(std::move(stored));
}

/// Runs `after_load`, then `valid`, on an object whose members are complete. Returns false if one
/// of these hooks rejects the object.
template <class T>
constexpr bool run_hooks(T& object, hook_failure& failure) {
  if constexpr (has_after_load_member<T>) {
    if (!hook_passes([&] { return object.after_load(); }, failure,
                     "a value that the type's after_load accepts"))
      return false;
  } else if constexpr (has_after_load_trait<T>) {
    if (!hook_passes([&] { return after_load<T>::run(object); }, failure,
                     "a value that the type's after_load accepts")) {
      return false;
    }
  }
  if constexpr (has_valid_member<T>) {
    return hook_passes([&] { return std::as_const(object).valid(); }, failure,
                       "a value that the type's valid() accepts");
  } else if constexpr (has_valid_trait<T>) {
    return hook_passes([&] { return valid<T>::check(object); }, failure,
                       "a value that the type's valid() accepts");
  } else {
    return true;
  }
}

/// Returns true if `text` is UTF-8 (RFC 3629: no surrogates, no overlong forms, nothing beyond
/// U+10FFFF).
constexpr bool is_utf8(std::string_view text) noexcept {
  std::size_t i = 0;
  const auto byte = [&](std::size_t at) { return static_cast<unsigned char>(text[at]); };
  while (i < text.size()) {
    const unsigned lead = byte(i);
    if (lead < 0x80) {
      ++i;
      continue;
    }
    std::size_t more = 0;
    unsigned low = 0x80;
    unsigned high = 0xBF;
    if (lead >= 0xC2 && lead <= 0xDF) {
      more = 1;
    } else if (lead >= 0xE0 && lead <= 0xEF) {
      more = 2;
      if (lead == 0xE0) low = 0xA0;
      if (lead == 0xED) high = 0x9F;
    } else if (lead >= 0xF0 && lead <= 0xF4) {
      more = 3;
      if (lead == 0xF0) low = 0x90;
      if (lead == 0xF4) high = 0x8F;
    } else {
      return false;
    }
    if (text.size() - i <= more) return false;
    if (byte(i + 1) < low || byte(i + 1) > high) return false;
    for (std::size_t k = 2; k <= more; ++k) {
      if (byte(i + k) < 0x80 || byte(i + k) > 0xBF) return false;
    }
    i += more + 1;
  }
  return true;
}

template <class T, std::size_t I>
inline constexpr bool member_is_limited =
    member_has<T, I, range_t> || member_has<T, I, max_size_t> || member_has<T, I, utf8_t>;

/// Text of the range of a member, composed at compile time.
template <class T, std::size_t I>
inline constexpr range_text expected_range{member_get<T, I, range_t>.low, member_get<T, I, range_t>.high};

/// Describes the limit that rejected a value: the error code, the text for `error::expected()`, and
/// the number or size for `error::found()`.
struct limit_failure {
  errc code = errc::out_of_range;
  std::string_view expected;
  bool has_number = false;
  bool is_single = false; ///< the number is a float of 32 bits
  bound number{};

  /// Sets `error::found()`, unless it is unknown or the error is made at compile time.
  INGOT_COLD constexpr void name_found(error& err) const noexcept {
    if (!has_number) return;
    if (number.which == bound::kind::natural) {
      err.with_found(number.natural);
    } else if (number.which == bound::kind::negative) {
      err.with_found(number_text(static_cast<std::uint64_t>(number.negative), true).view());
    } else {
      if !consteval {
        if (is_single) found_number(err, nearest_float<float>(number.real));
        else found_number(err, number.real);
      }
    }
  }
};

/// Returns true if a number is in the range. Otherwise sets the number of `failure`.
template <class N>
constexpr bool contains(const range_t& limits, N number, limit_failure& failure) {
  if (limits.contains(number)) return true;
  failure.has_number = true;
  failure.is_single = std::is_same_v<N, float>;
  failure.number = bound::of(number);
  return false;
}
/// Returns true if all numbers in the value are in the range. Otherwise sets the number of
/// `failure` to the first that is not.
template <class V>
constexpr bool in_range(const range_t& limits, const V& value, limit_failure& failure) {
  if constexpr (requires { typename adapt<V>::is_platform_form; } && !std::is_arithmetic_v<V>) {
    // the limits apply to the stored form, whose unit is the same on every platform
    return in_range(limits, adapt<V>::to(value), failure);
  } else if constexpr (std::is_same_v<V, char>) {
    // the number of a code unit, which must not depend on the platform: `char` is signed on some
    // platforms only
    return contains(limits, static_cast<unsigned char>(value), failure);
  } else if constexpr (std::is_arithmetic_v<V>) {
    return contains(limits, value, failure);
  } else if constexpr (std::is_enum_v<V>) {
    return contains(limits, std::to_underlying(value), failure);
  } else if constexpr (requires { value.time_since_epoch().count(); }) {
    return contains(limits, value.time_since_epoch().count(), failure);
  } else if constexpr (requires {
                         typename V::period;
                         value.count();
                       }) {
    return contains(limits, value.count(), failure);
  } else if constexpr (requires {
                         value.has_value();
                         *value;
                       }) {
    return !value.has_value() || in_range(limits, *value, failure);
  } else if constexpr (requires {
                         value.begin();
                         value.end();
                       }) {
    for (const auto& element : value) {
      if (!in_range(limits, element, failure)) return false;
    }
    return true;
  } else {
    static_assert(std::is_arithmetic_v<V>,
                  "ingot::range is for numbers and sequences or optionals of numbers");
    return false;
  }
}

/// Checks `range`, `max_size` and `utf8` of the member. Every reader calls this for every member
/// with limits. Returns false, and sets `failure`, if a limit rejects the value.
template <class T, std::size_t I, class V>
constexpr bool check_member(const V& value, limit_failure& failure) {
  if constexpr (member_has<T, I, range_t>) {
    constexpr range_t limits = member_get<T, I, range_t>;
    bool inside = true;
    if constexpr (std::is_array_v<V>) {
      for (const auto& element : value) inside = inside && in_range(limits, element, failure);
    } else {
      inside = in_range(limits, value, failure);
    }
    if (!inside) {
      failure.code = errc::out_of_range;
      failure.expected = expected_range<T, I>.view();
      return false;
    }
  }
  if constexpr (member_has<T, I, max_size_t>) {
    if (static_cast<std::uint64_t>(std::size(value)) > member_get<T, I, max_size_t>.count) {
      failure = {.code = errc::too_long,
                 .expected = "no more elements than the member's max_size",
                 .has_number = true,
                 .number = bound::of(static_cast<std::uint64_t>(std::size(value)))};
      return false;
    }
  }
  if constexpr (member_has<T, I, utf8_t>) {
    bool text_is_utf8 = true;
    if constexpr (requires {
                    value.data();
                    value.size();
                  }) {
      using char_type = std::remove_cvref_t<decltype(*value.data())>;
      static_assert(sizeof(char_type) == 1, "ingot::utf8 is for strings of bytes");
      if consteval {
        std::string copy(value.begin(), value.end());
        text_is_utf8 = is_utf8(copy);
      } else {
        text_is_utf8 = is_utf8({reinterpret_cast<const char*>(value.data()), value.size()});
      }
    } else {
      static_assert(requires { value.data(); }, "ingot::utf8 is for strings");
    }
    if (!text_is_utf8) {
      failure = {.code = errc::invalid_utf8, .expected = "UTF-8"};
      return false;
    }
  }
  return true;
}

} // namespace detail
}} // namespace ingot::INGOT_V1
