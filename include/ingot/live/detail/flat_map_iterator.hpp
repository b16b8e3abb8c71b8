// SPDX-License-Identifier: Apache-2.0
// The iterator of a flat map. A key and its value become a pair only on access.
#pragma once

#include <ingot/core/detail/config.hpp>
#include <ingot/core/detail/light_standard.hpp>
#include <ingot/core/hardening.hpp>
#include <ingot/live/detail/iterator_origin.hpp>

#include <compare>
#include <concepts>
#include <cstddef>
#include <type_traits>
#include <utility>

namespace ingot { inline namespace INGOT_V1 { namespace detail {

/// Random access; `V` may be const. Valid until the next insertion into or erasure from its map.
template <class K, class V>
class INGOT_DEBUG_TYPE flat_map_iterator {
  using entry = std::pair<K, std::remove_const_t<V>>;
  struct arrow {
    std::pair<const K&, V&> reference;
    [[nodiscard]] auto* operator->() noexcept { return std::addressof(reference); }
  };

public:
  using reference = std::pair<const K&, V&>;
  // `entry` if the standard library finds a common reference of `reference` and `entry`, otherwise
  // `reference`.
  using value_type = std::conditional_t<std::common_reference_with<reference&&, entry&>, entry, reference>;
  using difference_type = std::ptrdiff_t;
  using pointer = arrow;
  using iterator_concept = std::random_access_iterator_tag;
  using iterator_category = std::input_iterator_tag;

  flat_map_iterator() = default;
#if INGOT_HARDENING_MODE >= INGOT_HARDENING_DEBUG
  template <class C>
  flat_map_iterator(const C* container, const K* key, V* value) noexcept
      : key_(key), value_(value), origin_(container) {}
#else
  flat_map_iterator(const K* key, V* value) noexcept : key_(key), value_(value) {}
#endif
  template <std::same_as<std::remove_const_t<V>> Other>
    requires std::is_const_v<V>
  flat_map_iterator(const flat_map_iterator<K, Other>&
                        other) noexcept // NOLINT(google-explicit-constructor): as of any container
      : key_(other.key()), value_(other.value()) INGOT_IN_DEBUG(, origin_(other.origin())) {}

  [[nodiscard]] reference operator*() const noexcept {
    require_element(0);
    return {*key_, *value_};
  }
  [[nodiscard]] arrow operator->() const noexcept { return {**this}; }
  [[nodiscard]] reference operator[](difference_type n) const noexcept {
    require_element(n);
    return {key_[n], value_[n]};
  }

  flat_map_iterator& operator+=(difference_type n) noexcept {
    require_move(n);
    key_ += n;
    value_ += n;
    return *this;
  }
  flat_map_iterator& operator-=(difference_type n) noexcept { return *this += -n; }
  flat_map_iterator& operator++() noexcept { return *this += 1; }
  flat_map_iterator& operator--() noexcept { return *this += -1; }
  flat_map_iterator operator++(int) noexcept {
    const auto before = *this;
    ++*this;
    return before;
  }
  flat_map_iterator operator--(int) noexcept {
    const auto before = *this;
    --*this;
    return before;
  }
  friend flat_map_iterator operator+(flat_map_iterator at, difference_type n) noexcept { return at += n; }
  friend flat_map_iterator operator+(difference_type n, flat_map_iterator at) noexcept { return at += n; }
  friend flat_map_iterator operator-(flat_map_iterator at, difference_type n) noexcept { return at -= n; }
  friend difference_type operator-(const flat_map_iterator& a, const flat_map_iterator& b) noexcept {
    require_common(a, b);
    return a.key_ - b.key_;
  }
  friend bool operator==(const flat_map_iterator& a, const flat_map_iterator& b) noexcept {
    require_common(a, b);
    return a.key_ == b.key_;
  }
  friend auto operator<=>(const flat_map_iterator& a, const flat_map_iterator& b) noexcept {
    require_common(a, b);
    return a.key_ <=> b.key_;
  }

  // Used by the container.
  [[nodiscard]] const K* key() const noexcept { return key_; }
  [[nodiscard]] V* value() const noexcept { return value_; }
  INGOT_IN_DEBUG([[nodiscard]] const K* address() const noexcept { return key_; })
  INGOT_IN_DEBUG([[nodiscard]] const iterator_origin& origin() const noexcept { return origin_; })

private:
  INGOT_NOTED void require_element([[maybe_unused]] difference_type n) const noexcept {
    INGOT_IN_DEBUG(origin_.require_element(origin_.index_of(key_) + static_cast<std::size_t>(n), key_);)
  }
  INGOT_NOTED void require_move([[maybe_unused]] difference_type n) const noexcept {
    INGOT_IN_DEBUG(origin_.require_move(origin_.index_of(key_), n, key_);)
  }
  INGOT_NOTED static void require_common([[maybe_unused]] const flat_map_iterator& a,
                                         [[maybe_unused]] const flat_map_iterator& b) noexcept {
    INGOT_IN_DEBUG(a.origin_.require_common(b.origin_, a.key_, b.key_);)
  }

  const K* key_ = nullptr;
  V* value_ = nullptr;
  INGOT_IN_DEBUG(iterator_origin origin_;)
};

}}} // namespace ingot::INGOT_V1::detail
