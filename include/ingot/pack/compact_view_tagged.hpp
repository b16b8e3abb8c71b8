// SPDX-License-Identifier: Apache-2.0
// An optional, variant, expected or unique_ptr in an indexed compact message. See tagged_view.hpp.
#pragma once

#include <ingot/core/hardening.hpp>
#include <ingot/pack/compact_view_field.hpp>
#include <ingot/pack/detail/view_access.hpp>
#include <ingot/pack/detail/view_description.hpp>
#include <ingot/pack/tagged_view.hpp>

#include <cstddef>
#include <type_traits>

namespace ingot { inline namespace INGOT_V1 { namespace compact {

/// One of several alternatives. An optional or unique_ptr has alternative 0 if it is empty, and
/// alternative 1 for its value. An expected has alternative 0 for its value and alternative 1 for
/// its error. All functions are O(1).
template <class T, detail::encoding S>
class tagged_view {
  using list = decltype(detail::tagged_alternatives<T>());

public:
  using value_type = T;
  /// The type of the `I`-th alternative.
  template <std::size_t I>
  using alternative = typename detail::alternative_at<I, list>::type;

  /// Returns the index of the stored alternative.
  [[nodiscard]] std::size_t index() const noexcept { return std::to_integer<std::size_t>(*ref_.bytes()); }
  /// Returns true if there is a value. An expected without a value has an error.
  [[nodiscard]] bool has_value() const noexcept
    requires(kind_of<T> != kind::variant)
  {
    return detail::may_be_absent<T> ? index() != 0 : index() == 0;
  }
  explicit operator bool() const noexcept
    requires(kind_of<T> != kind::variant)
  {
    return has_value();
  }
  /// Returns a view of the `I`-th alternative. Requires that this alternative is stored.
  template <std::size_t I>
  [[nodiscard]] INGOT_CHECKED auto get() const noexcept {
    static_assert(I < list::size, "ingot: there is no alternative of this index");
    INGOT_REQUIRE(index() == I, broken_alternative("ingot::compact::tagged_view", I, index()));
    using held = alternative<I>;
    if constexpr (std::is_same_v<held, detail::nothing>) {
      return detail::nothing{};
    } else {
      detail::slot_type slots = 0;
      if constexpr (!detail::alternatives_are_plain<T, S>()) slots = ref_.slot_at(0);
      return detail::compact_view_at<held, S>({ref_.in, ref_.at + 1, slots});
    }
  }
  /// Returns the value of an optional, unique_ptr or expected. Requires that there is a value.
  [[nodiscard]] INGOT_CHECKED auto operator*() const noexcept
    requires(kind_of<T> != kind::variant)
  {
    return get<detail::may_be_absent<T> ? 1 : 0>();
  }
  /// Accesses a member of the value's view: `hero.get<"guild">()->get<"name">()`.
  [[nodiscard]] INGOT_CHECKED auto operator->() const noexcept
    requires(kind_of<T> != kind::variant)
  {
    return detail::view_arrow<decltype(**this)>{**this};
  }
  /// Returns the error of an expected. Requires that there is an error.
  [[nodiscard]] INGOT_CHECKED auto error() const noexcept
    requires(kind_of<T> == kind::expected)
  {
    return get<1>();
  }
  /// Calls `f` with a view of the stored alternative. If there is no value, the argument is an
  /// empty object. All calls must return the same type.
  template <class F>
  decltype(auto) visit(F&& f) const {
    return visit_from<0>(f);
  }

protected:
  explicit tagged_view(const detail::indexed_ref& f) noexcept : ref_(f) {
    // Taking the address instantiates the description.
    if constexpr (detail::describes_views) static_cast<void>(&ingot_described);
  }

private:
  friend struct detail::view_access;

  static tagged_view from_slot(const detail::indexed_ref& f) noexcept { return tagged_view{f}; }
  template <std::size_t I, class F>
  decltype(auto) visit_from(F& f) const {
    if constexpr (I + 1 == list::size) {
      return f(get<I>());
    } else {
      if (index() == I) return f(get<I>());
      return visit_from<I + 1>(f);
    }
  }

  detail::indexed_ref ref_;
  static const detail::view_description<tagged_view> ingot_described;
};

#if INGOT_DESCRIBES_VIEWS
/// Describes the view for debuggers.
template <class T, detail::encoding S>
INGOT_RETAINED constinit const detail::view_description<tagged_view<T, S>>
    tagged_view<T, S>::ingot_described = detail::describe_view<tagged_view<T, S>, T>(std::to_underlying(S));
#endif

}}} // namespace ingot::INGOT_V1::compact
