// SPDX-License-Identifier: Apache-2.0
// Order and hash of validated keys, by their type at run time. The results equal those of
// key_order.hpp and hash.hpp for C++ types. The functions recurse; the validation of descriptions
// limits the depth.
#pragma once

#include <ingot/core/detail/float_tests.hpp>
#include <ingot/core/detail/light_standard.hpp>
#include <ingot/dynamic/detail/memory.hpp>
#include <ingot/live/hash.hpp>

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>

namespace ingot { inline namespace INGOT_V1 { namespace detail::dyn {

[[nodiscard]] inline int compare_texts(const memory& a_in, const text_run& a, const memory& b_in,
                                       const text_run& b) noexcept {
  if (a.width == 1 && b.width == 1) return a_in.view(a).compare(b_in.view(b));
  const std::uint64_t both = std::min(a.units, b.units);
  for (std::uint64_t i = 0; i < both; ++i) {
    if (const int order = compare_numbers(a_in.unit(a, i), b_in.unit(b, i)); order != 0) return order;
  }
  return compare_numbers(a.units, b.units);
}

/// Returns a number below, equal to or above zero, as `a` is less than, equal to or greater than
/// `b`. The keys may be in different blocks with the same types.
[[nodiscard]] inline int compare(const memory& a_in, std::uint64_t a, const memory& b_in, std::uint64_t b,
                                 const type& of) noexcept {
  if (of.raw != 0) return compare_numbers(a_in.ordered(of, a), b_in.ordered(of, b));
  switch (of.kind) {
  case dynamic_kind::text: return compare_texts(a_in, a_in.text(of, a), b_in, b_in.text(of, b));
  case dynamic_kind::floating: return compare_floats(a_in.real(a, of.size), b_in.real(b, of.size));
  case dynamic_kind::array:
  case dynamic_kind::vector:
  case dynamic_kind::queue: {
    const memory::run left = a_in.elements(of, a);
    const memory::run right = b_in.elements(of, b);
    const type& element = a_in.in->types[left.type];
    const std::uint64_t both = std::min(left.count, right.count);
    for (std::uint64_t i = 0; i < both; ++i) {
      if (const int order = compare(a_in, left.at(i), b_in, right.at(i), element); order != 0) return order;
    }
    return compare_numbers(left.count, right.count);
  }
  default:
    for (const part& each : a_in.in->parts_of(of)) {
      const type& member = a_in.in->types[each.type];
      if (const int order = compare(a_in, a + each.offset, b_in, b + each.offset, member); order != 0)
        return order;
    }
    return 0;
  }
}

/// Returns true if a key contains neither NaN nor negative zero.
[[nodiscard]] inline bool is_normal(const memory& in, std::uint64_t position, const type& of) noexcept {
  if (of.raw != 0 || of.kind == dynamic_kind::text) return true;
  if (of.kind == dynamic_kind::floating) {
    return is_normal_key_float(in.real(position, of.size));
  }
  if (of.kind == dynamic_kind::array || of.kind == dynamic_kind::vector || of.kind == dynamic_kind::queue) {
    const memory::run all = in.elements(of, position);
    const type& element = in.in->types[all.type];
    if (element.raw != 0) return true;
    for (std::uint64_t i = 0; i < all.count; ++i) {
      if (!is_normal(in, all.at(i), element)) return false;
    }
    return true;
  }
  for (const part& each : in.in->parts_of(of)) {
    if (!is_normal(in, position + each.offset, in.in->types[each.type])) return false;
  }
  return true;
}

/// Loads `count` bytes, beginning with byte `from`, as a little-endian number. Reads the bytes of
/// each code unit of `width` bytes in reverse order, because the most significant byte of a unit is
/// stored first. `at` needs no alignment.
[[nodiscard]] inline std::uint64_t load_turned(const std::byte* at, std::size_t width, std::size_t from,
                                               std::size_t count) noexcept {
  std::uint64_t word = 0;
  for (std::size_t i = 0; i < count; ++i) {
    const std::size_t byte = (from + i) / width * width + (width - 1 - (from + i) % width);
    word |= std::to_integer<std::uint64_t>(at[byte]) << 8 * i;
  }
  return word;
}
[[nodiscard]] inline fold_state put_turned(fold_state before, const std::byte* at, std::size_t units,
                                           std::size_t width) noexcept {
  const std::size_t n = units * width;
  const auto load = [&](std::size_t from, std::size_t count) { return load_turned(at, width, from, count); };
  std::uint64_t s = before.s ^ n * text_factor;
  if (n > 16) {
    for (std::size_t from = 0; n - from > 16; from += 16) s = fold(s, load(from, 8), load(from + 8, 8));
    return {fold(s, load(n - 16, 8), load(n - 8, 8))};
  }
  if (n >= 8) return {fold(s, load(0, 8), load(n - 8, 8))};
  if (n >= 4) return {fold(s, load(0, 4), load(n - 4, 4))};
  if (n == 0) return {fold(s, 0, 0)};
  return {fold(s, load(0, 1) | load(n / 2, 1) << 8 | load(n - 1, 1) << 16, 0)};
}
[[nodiscard]] inline keyed_state put_turned(keyed_state s, const std::byte* at, std::size_t units,
                                            std::size_t width) noexcept {
  const std::size_t n = units * width;
  for (std::size_t from = 0; from < n; from += 8)
    s = s.number(load_turned(at, width, from, std::min<std::size_t>(n - from, 8)));
  return s.number(n);
}
template <class State>
[[nodiscard]] State put_units(State s, const memory& in, const text_run& text) noexcept {
  const std::byte* const at = in.start + text.position;
  const auto units = static_cast<std::size_t>(text.units);
  if (little_endian || text.width == 1) return s.text(reinterpret_cast<const char*>(at), units * text.width);
  return put_turned(s, at, units, text.width);
}
/// Returns the bits of a double; for -0, the bits of +0, because the two keys are equal.
[[nodiscard]] inline std::uint64_t real_bits(const double& number) noexcept {
  return is_zero(number) ? 0 : float_bits_of(number);
}
template <class State>
[[nodiscard]] State put_key(State s, const memory& in, std::uint64_t position, const type& of) noexcept {
  if (of.raw != 0) return s.number(in.number(position, of.raw, of.raw_signed));
  switch (of.kind) {
  case dynamic_kind::text: return put_units(s, in, in.text(of, position));
  case dynamic_kind::floating: return s.number(real_bits(in.real(position, of.size)));
  case dynamic_kind::array:
  case dynamic_kind::vector:
  case dynamic_kind::queue: {
    const memory::run all = in.elements(of, position);
    const type& element = in.in->types[all.type];
    // Adjacent elements of one byte each are hashed as text. Elements of a queue are not adjacent.
    if (element.raw == 1 && of.kind != dynamic_kind::queue)
      return s.text(reinterpret_cast<const char*>(in.start + all.base), static_cast<std::size_t>(all.count));
    for (std::uint64_t i = 0; i < all.count; ++i) s = put_key(s, in, all.at(i), element);
    return of.kind == dynamic_kind::array ? s : s.number(all.count);
  }
  default:
    for (const part& each : in.in->parts_of(of))
      s = put_key(s, in, position + each.offset, in.in->types[each.type]);
    return s;
  }
}
/// Returns the hash of a key in a hash table with this seed.
[[nodiscard]] inline std::uint64_t hash(std::uint64_t seed, const memory& in, std::uint64_t position,
                                        const type& of) noexcept {
  return hash_under(seed, [&](auto begin) { return put_key(begin, in, position, of); });
}

}}} // namespace ingot::INGOT_V1::detail::dyn
