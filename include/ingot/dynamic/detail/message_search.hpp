// SPDX-License-Identifier: Apache-2.0
// Finds and compares keys in messages, by their type at run time. pack/detail/order.hpp defines the
// order of keys.
#pragma once

#include <ingot/core/detail/float_tests.hpp>
#include <ingot/core/detail/light_standard.hpp>
#include <ingot/core/detail/widen_float.hpp>
#include <ingot/dynamic/detail/find.hpp>
#include <ingot/dynamic/detail/memory.hpp>

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>

namespace ingot { inline namespace INGOT_V1 { namespace detail::dyn {

/// Returns true for containers whose keys are in the order of their bytes.
[[nodiscard]] constexpr bool is_unordered(dynamic_kind kind) noexcept {
  return is_hash(kind) || kind == dynamic_kind::hash_multimap || kind == dynamic_kind::hash_multiset;
}
[[nodiscard]] constexpr bool keys_repeat(dynamic_kind kind) noexcept {
  return kind == dynamic_kind::multimap || kind == dynamic_kind::multiset ||
         kind == dynamic_kind::hash_multimap || kind == dynamic_kind::hash_multiset;
}

[[nodiscard]] inline const type& type_at(const memory& in, const spot& of) noexcept {
  return in.in->types[of.type];
}
/// Returns the count of a duration or a time; returns other values unchanged.
[[nodiscard]] inline spot number_in(const memory& in, spot of) noexcept {
  while (type_at(in, of).kind == dynamic_kind::duration || type_at(in, of).kind == dynamic_kind::time_point)
    of = in.message->part(of, 0);
  return of;
}
[[nodiscard]] inline double real_of(const memory& in, const spot& of) noexcept {
  const std::uint64_t bits = in.message->number(of);
  return std::bit_cast<double>(type_at(in, of).size == 4 ? widen_float(bits) : bits);
}
/// Converts a number to an unsigned number, so that two results compare as the two numbers compare.
[[nodiscard]] inline std::uint64_t ordered(const memory& in, const spot& of, const type& key) noexcept {
  return in.message->number(number_in(in, of)) ^ (key.raw_signed ? std::uint64_t{1} << 63 : 0);
}
/// Reverses the lowest `width` bytes of a number. Two reversed numbers compare as the stored bytes
/// of the two numbers compare, from the first byte on. The first stored byte is the least
/// significant.
[[nodiscard]] inline std::uint64_t turned(std::uint64_t number, std::uint64_t width) noexcept {
  std::uint64_t reversed = 0;
  for (std::uint64_t i = 0; i < width; ++i, number >>= 8) reversed = reversed << 8 | (number & 0xFF);
  return reversed;
}

/// Returns a number below, equal to or above zero, as `a` is less than, equal to or greater than
/// `b`. Recurses as deep as the validation of the message.
[[nodiscard]] inline int compare_values(const memory& a_in, const spot& a, const memory& b_in,
                                        const spot& b) noexcept {
  if (a.type == spot::nothing || b.type == spot::nothing)
    return static_cast<int>(a.type != spot::nothing) - static_cast<int>(b.type != spot::nothing);
  const type& of = type_at(a_in, a);
  if (of.raw != 0) return compare_numbers(ordered(a_in, a, of), ordered(b_in, b, of));
  switch (of.kind) {
  case dynamic_kind::text: return compare_texts(a_in, a_in.message->text(a), b_in, b_in.message->text(b));
  case dynamic_kind::floating: return compare_floats(real_of(a_in, a), real_of(b_in, b));
  case dynamic_kind::duration:
  case dynamic_kind::time_point:
    return compare_floats(real_of(a_in, number_in(a_in, a)), real_of(b_in, number_in(b_in, b)));
  case dynamic_kind::bitset: {
    const byte_run left = a_in.message->own(a);
    const byte_run right = b_in.message->own(b);
    return a_in.view({left.offset, left.length, 1}).compare(b_in.view({right.offset, right.length, 1}));
  }
  default: break;
  }
  if (is_holder(of.kind)) {
    if (const int order = compare_numbers(a_in.message->alternative(a), b_in.message->alternative(b));
        order != 0)
      return order;
  }
  if (of.kind == dynamic_kind::record || of.kind == dynamic_kind::tuple) {
    for (const std::uint32_t k : a_in.message->with_bytes(a)) {
      const int order = compare_values(a_in, a_in.message->part(a, k), b_in, b_in.message->part(b, k));
      if (order != 0) return order;
    }
    return 0;
  }
  const std::uint64_t left = of.kind == dynamic_kind::complex ? 2 : a_in.message->size(a);
  const std::uint64_t right = of.kind == dynamic_kind::complex ? 2 : b_in.message->size(b);
  for (std::uint64_t i = 0; i < std::min(left, right); ++i) {
    if (is_map(of.kind)) {
      const int order = compare_values(a_in, a_in.message->key(a, i), b_in, b_in.message->key(b, i));
      if (order != 0) return order;
    }
    const int order = compare_values(a_in, a_in.message->part(a, i), b_in, b_in.message->part(b, i));
    if (order != 0) return order;
  }
  return compare_numbers(left, right);
}

/// Returns true for keys whose packed bytes can be compared without writing them: numbers and text.
[[nodiscard]] inline bool has_bytes_of_its_own(const type& key) noexcept {
  return key.raw != 0 || key.kind == dynamic_kind::floating || key.kind == dynamic_kind::text;
}
/// Compares the packed bytes of two values. Returns a number below, equal to or above zero.
[[nodiscard]] inline int compare_bytes(const memory& a_in, const spot& a, const memory& b_in,
                                       const spot& b) noexcept {
  const type& of = type_at(a_in, a);
  if (of.kind == dynamic_kind::text)
    return a_in.view(a_in.message->text(a)).compare(b_in.view(b_in.message->text(b)));
  const spot left = number_in(a_in, a);
  const spot right = number_in(b_in, b);
  const std::uint64_t width = type_at(a_in, left).size;
  return compare_numbers(turned(a_in.message->number(left), width),
                         turned(b_in.message->number(right), width));
}

/// Compares a query with a stored key, in the order of the container.
[[nodiscard]] inline int compare_sought(const query& key, bool by_bytes, const memory& in,
                                        const spot& at) noexcept {
  const type& of = type_at(in, at);
  switch (key.is) {
  case query::form::number: {
    if (!by_bytes) return compare_numbers(key.ordered(of), ordered(in, at, of));
    return compare_numbers(turned(key.number, of.raw), turned(in.message->number(number_in(in, at)), of.raw));
  }
  case query::form::real: {
    if (!by_bytes) return compare_floats(key.real, real_of(in, at));
    const std::uint64_t real = real_bits(key.real); // writers replace -0 in keys by 0
    const std::uint64_t bits = of.size == 4 ? narrow_float(real) : real;
    return compare_numbers(turned(bits, of.size), turned(in.message->number(at), of.size));
  }
  case query::form::text: return key.text.compare(in.view(in.message->text(at)));
  case query::form::value:
    return by_bytes ? compare_bytes(*key.in, key.value, in, at) : compare_values(*key.in, key.value, in, at);
  default: return 1;
  }
}

/// Finds the entry whose key equals the query. Returns the value of the entry; in a set, the key.
/// Requires that `fit` has converted the query. O(log n) comparisons. O(n) in unordered containers
/// whose keys are neither numbers nor text, and in compact messages whose keys are or contain
/// records that may omit members with default values.
[[nodiscard]] inline spot find_in_message(const memory& in, const spot& of, const query& key) noexcept {
  const dynamic_kind kind = type_at(in, of).kind;
  const std::uint64_t count = in.message->size(of);
  if (count == 0) return {};
  const bool unordered = is_unordered(kind);
  std::uint64_t found = count;
  const spot first = in.message->key(of, 0);
  if (in.message->is_masked(first) || (unordered && !has_bytes_of_its_own(type_at(in, first)))) {
    for (found = 0; found < count && compare_values(*key.in, key.value, in, in.message->key(of, found)) != 0;)
      ++found;
  } else {
    std::uint64_t low = 0;
    while (low < found) { // finds the first key that is not less than the query
      const std::uint64_t middle = low + (found - low) / 2;
      if (compare_sought(key, unordered, in, in.message->key(of, middle)) > 0) low = middle + 1;
      else found = middle;
    }
    if (found != count && compare_sought(key, unordered, in, in.message->key(of, found)) != 0) found = count;
  }
  if (found == count) return {};
  return in.message->part(of, found);
}

}}} // namespace ingot::INGOT_V1::detail::dyn
