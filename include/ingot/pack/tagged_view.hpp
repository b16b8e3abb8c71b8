// SPDX-License-Identifier: Apache-2.0
// An optional, variant, expected or unique_ptr in packed bytes.
#pragma once

#include <ingot/core/endian.hpp>
#include <ingot/core/hardening.hpp>
#include <ingot/pack/detail/view_access.hpp>
#include <ingot/pack/detail/view_description.hpp>
#include <ingot/pack/view_field.hpp>

#include <cstddef>
#include <type_traits>
#include <utility>

namespace ingot { inline namespace INGOT_V1 {

namespace detail {

template <std::size_t I, class List>
struct alternative_at;
template <std::size_t I, class... Ts>
struct alternative_at<I, alternatives<Ts...>> {
  using type = std::tuple_element_t<I, std::tuple<std::type_identity<Ts>...>>::type;
};

} // namespace detail

/// One of several alternatives. An optional or unique_ptr has alternative 0 if it is empty, and
/// alternative 1 for its value. An expected has alternative 0 for its value and alternative 1 for
/// its error. All functions are O(1).
template <class T>
class tagged_view {
  using list = decltype(detail::tagged_alternatives<T>());

public:
  using value_type = T;
  /// The type of the `I`-th alternative.
  template <std::size_t I>
  using alternative = typename detail::alternative_at<I, list>::type;

  /// Returns the index of the stored alternative.
  [[nodiscard]] constexpr std::size_t index() const noexcept { return tag_; }
  /// Returns true if there is a value. An expected without a value has an error.
  [[nodiscard]] constexpr bool has_value() const noexcept
    requires(kind_of<T> != kind::variant)
  {
    return detail::may_be_absent<T> ? tag_ != 0 : tag_ == 0;
  }
  explicit constexpr operator bool() const noexcept
    requires(kind_of<T> != kind::variant)
  {
    return has_value();
  }
  /// Returns a view of the `I`-th alternative. Requires that this alternative is stored.
  template <std::size_t I>
  [[nodiscard]] INGOT_CHECKED constexpr auto get() const noexcept {
    static_assert(I < list::size, "ingot: there is no alternative of this index");
    INGOT_REQUIRE(index() == I, broken_alternative("ingot::tagged_view", I, index()));
    using held = alternative<I>;
    if constexpr (std::is_same_v<held, detail::nothing>) return detail::nothing{};
    else if constexpr (detail::is_fixed<T>) return detail::view_field<held>({from_, from_, 0});
    else return view_alternative<held>();
  }
  /// Returns the value of an optional, unique_ptr or expected. Requires that there is a value.
  [[nodiscard]] INGOT_CHECKED constexpr auto operator*() const noexcept
    requires(kind_of<T> != kind::variant)
  {
    return get<detail::may_be_absent<T> ? 1 : 0>();
  }
  /// Accesses a member of the value's view: `hero.get<"guild">()->get<"name">()`.
  [[nodiscard]] INGOT_CHECKED constexpr auto operator->() const noexcept
    requires(kind_of<T> != kind::variant)
  {
    return detail::view_arrow<decltype(**this)>{**this};
  }
  /// Returns the error of an expected. Requires that there is an error.
  [[nodiscard]] INGOT_CHECKED constexpr auto error() const noexcept
    requires(kind_of<T> == kind::expected)
  {
    return get<1>();
  }
  /// Calls `f` with a view of the stored alternative. If there is no value, the argument is an
  /// empty object. All calls must return the same type.
  template <class F>
  constexpr decltype(auto) visit(F&& f) const {
    return visit_from<0>(f);
  }

private:
  friend struct detail::view_access;

  static constexpr tagged_view from_slot(const detail::field_ref& f) noexcept {
    return tagged_view{f.at + 1, 0, std::to_integer<std::size_t>(f.at[0])};
  }
  /// Views the payload of `size` bytes at `from`.
  static constexpr tagged_view from_payload(const std::byte* from, std::size_t size) noexcept {
    if (size == 0) return tagged_view{from, 0, 0};
    return tagged_view{from + 1, size - 1, std::to_integer<std::size_t>(from[0])};
  }

  constexpr tagged_view(const std::byte* from, std::size_t size, std::size_t tag) noexcept
      : from_(from), size_(size), tag_(tag) {
    // Taking the address instantiates the description.
    if constexpr (detail::describes_views) static_cast<void>(&ingot_described);
  }

  template <class Held>
  [[nodiscard]] constexpr auto view_alternative() const noexcept {
    if constexpr (detail::is_variable_leaf<Held>) return detail::view_payload<Held>(from_, size_);
    else return detail::view_field<Held>({from_, from_ + detail::fixed_part<Held>, 0});
  }
  template <std::size_t I, class F>
  constexpr decltype(auto) visit_from(F& f) const {
    if constexpr (I + 1 == list::size) return f(get<I>());
    else {
      if (tag_ == I) return f(get<I>());
      return visit_from<I + 1>(f);
    }
  }

  const std::byte* from_;
  std::size_t size_;
  std::size_t tag_;
  static const detail::view_description<tagged_view> ingot_described;
};

#if INGOT_DESCRIBES_VIEWS
/// Describes the view for debuggers.
template <class T>
INGOT_RETAINED constinit const detail::view_description<tagged_view<T>> tagged_view<T>::ingot_described =
    detail::describe_view<tagged_view<T>, T>();
#endif

}} // namespace ingot::INGOT_V1
