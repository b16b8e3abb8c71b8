// SPDX-License-Identifier: Apache-2.0
// Hash and order of keys that come from a block or a message. The parameter `of` is the type that
// the keys will have in the new block. The results equal those of keys.hpp for the stored keys.
#pragma once

#include <ingot/core/detail/float_tests.hpp>
#include <ingot/dynamic/detail/keys.hpp>
#include <ingot/dynamic/value.hpp>

#include <bit>
#include <cstddef>
#include <cstdint>

namespace ingot { inline namespace INGOT_V1 { namespace detail::dyn {

/// Returns a part of a value.
[[nodiscard]] inline dynamic_value part_of(const dynamic_value& of, std::size_t i) noexcept { return of[i]; }
/// Returns the number of a key in 64 bits, sign-extended if it is signed.
[[nodiscard]] inline std::uint64_t raw_number(dynamic_value key) noexcept {
  while (key.kind() == dynamic_kind::time_point || key.kind() == dynamic_kind::duration)
    key = access::count_of(key);
  return access::number_of(key);
}

/// Adds a key to the hash state `s`. Recurses as deep as keys nest, at most 32.
template <class State>
[[nodiscard]] State put_value(State s, const tables& in, const type& of, const dynamic_value& key) {
  if (of.raw != 0) return s.number(raw_number(key));
  switch (of.kind) {
  case dynamic_kind::text: {
    const memory& from = *access::memory_of(key);
    const text_run text = access::text_of(key);
    if (from.message == nullptr) return put_units(s, from, text);
    const std::string_view bytes = from.view(text); // little-endian, as the hash requires
    return s.text(bytes.data(), bytes.size());
  }
  case dynamic_kind::floating: return s.number(real_bits(key.value_or(0.0)));
  case dynamic_kind::array:
  case dynamic_kind::vector:
  case dynamic_kind::queue: {
    const type& element = in.part_type(of, 0);
    const std::size_t count = key.size();
    if (element.raw == 1 && of.kind != dynamic_kind::queue) {
      const auto bytes = key.value_or(bytes_view());
      return s.text(reinterpret_cast<const char*>(bytes.data()), bytes.size());
    }
    for (std::size_t i = 0; i < count; ++i) s = put_value(s, in, element, part_of(key, i));
    return of.kind == dynamic_kind::array ? s : s.number(count);
  }
  default:
    for (std::size_t i = 0; i < of.parts; ++i) s = put_value(s, in, in.part_type(of, i), part_of(key, i));
    return s;
  }
}
/// Returns the hash of a key in a hash table with this seed.
[[nodiscard]] inline std::uint64_t hash_value(std::uint64_t seed, const tables& in, const type& of,
                                              const dynamic_value& key) {
  return hash_under(seed, [&](auto begin) { return put_value(begin, in, of, key); });
}

[[nodiscard]] inline int compare_values(const tables& in, const type& of, const dynamic_value& a,
                                        const dynamic_value& b) {
  if (of.raw != 0) {
    const std::uint64_t turn = of.raw_signed ? std::uint64_t{1} << 63 : 0;
    return compare_numbers(raw_number(a) ^ turn, raw_number(b) ^ turn);
  }
  switch (of.kind) {
  case dynamic_kind::text:
    return compare_texts(*access::memory_of(a), access::text_of(a), *access::memory_of(b),
                         access::text_of(b));
  case dynamic_kind::floating: return compare_floats(a.value_or(0.0), b.value_or(0.0));
  case dynamic_kind::array:
  case dynamic_kind::vector:
  case dynamic_kind::queue: {
    const std::size_t both = std::min(a.size(), b.size());
    for (std::size_t i = 0; i < both; ++i) {
      if (const int order = compare_values(in, in.part_type(of, 0), part_of(a, i), part_of(b, i)); order != 0)
        return order;
    }
    return compare_numbers(a.size(), b.size());
  }
  default:
    for (std::size_t i = 0; i < of.parts; ++i) {
      if (const int order = compare_values(in, in.part_type(of, i), part_of(a, i), part_of(b, i)); order != 0)
        return order;
    }
    return 0;
  }
}

}}} // namespace ingot::INGOT_V1::detail::dyn
