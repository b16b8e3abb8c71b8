// SPDX-License-Identifier: Apache-2.0
// Iterates over the parts of a value that is read without its type.
#pragma once

#include <ingot/core/detail/light_standard.hpp>
#include <ingot/core/hardening.hpp>
#include <ingot/dynamic/detail/value_lookup.hpp>
#include <ingot/dynamic/value.hpp>

#include <cstddef>
#include <string_view>

namespace ingot { inline namespace INGOT_V1 {

/// A part of a value. Members of records have a `name` and a `value`, and entries of maps a `key`
/// and a `value`. All other parts have only a `value`; for a set, this is the key.
struct dynamic_part {
  std::size_t index = 0;
  std::string_view name;
  dynamic_value key; ///< key of an entry
  dynamic_value value;
};

namespace detail::dyn {

/// Iterates over parts. Characters of text are not parts: read text with `as<std::string_view>()`.
class part_iterator {
public:
  using iterator_category = std::input_iterator_tag;
  using iterator_concept = std::forward_iterator_tag;
  using value_type = dynamic_part;
  using difference_type = std::ptrdiff_t;
  using reference = dynamic_part;
  using pointer = void;

  part_iterator() = default;
  explicit part_iterator(const dynamic_value& of) noexcept
      : of_(of), at_(has_parts(of) ? access::cursor_of(of) : cursor()) {}

  [[nodiscard]] INGOT_CHECKED dynamic_part operator*() const noexcept {
    INGOT_REQUIRE(!at_.done(),
                  broken_access("ingot::dynamic_value", "* of an iterator at the end of its parts"));
    const memory* const in = access::memory_of(of_);
    dynamic_part part;
    part.index = static_cast<std::size_t>(at_.index());
    part.name = of_.member_name(part.index);
    if (at_.has_key()) part.key = access::make(in, at_.key());
    part.value = access::make(in, at_.value());
    return part;
  }
  INGOT_CHECKED part_iterator& operator++() noexcept {
    INGOT_REQUIRE(!at_.done(),
                  broken_access("ingot::dynamic_value", "++ of an iterator at the end of its parts"));
    at_.next();
    return *this;
  }
  part_iterator operator++(int) noexcept {
    const part_iterator before = *this;
    at_.next();
    return before;
  }
  /// Compares two iterators over the same value.
  friend bool operator==(const part_iterator& a, const part_iterator& b) noexcept {
    return a.at_.done() == b.at_.done() && (a.at_.done() || a.at_.index() == b.at_.index());
  }
  friend bool operator==(const part_iterator& a, std::default_sentinel_t) noexcept { return a.at_.done(); }

private:
  /// Returns false for text and bitsets, whose characters and bits are not parts.
  [[nodiscard]] static bool has_parts(const dynamic_value& of) noexcept {
    return of.kind() != dynamic_kind::text && of.kind() != dynamic_kind::bitset;
  }

  dynamic_value of_;
  cursor at_;
};
class part_range {
public:
  explicit part_range(const dynamic_value& of) noexcept : of_(of) {}
  [[nodiscard]] part_iterator begin() const noexcept { return part_iterator(of_); }
  [[nodiscard]] std::default_sentinel_t end() const noexcept { return {}; }

private:
  dynamic_value of_;
};

} // namespace detail::dyn

inline dynamic_value::part_range dynamic_value::parts() const noexcept { return part_range(*this); }

}} // namespace ingot::INGOT_V1
