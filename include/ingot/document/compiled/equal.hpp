// SPDX-License-Identifier: Apache-2.0
// Definitions of detail/equal.hpp.
#pragma once

#include <ingot/document/detail/core.hpp>
#include <ingot/document/detail/equal.hpp>
#include <ingot/document/detail/keys.hpp>
#include <ingot/document/detail/position_map.hpp>
#include <ingot/document/detail/tree.hpp>

#include <cstddef>
#include <cstdint>

namespace ingot { inline namespace INGOT_V1 { namespace detail::doc {

bool equal(validated a_in, const item& a, validated b_in, const item& b) noexcept {
  struct pair {
    item a;
    item b;
  };
  plain_list<pair> left;
  position_map same_keys;
  if (!left.push({a, b})) return false;
  while (!left.empty()) {
    const pair two = left.pop();
    if (two.a.kind != two.b.kind) return false;
    switch (two.a.kind) {
    case value_kind::text:
    case value_kind::binary:
      if (text_of(a_in, two.a) != text_of(b_in, two.b)) return false;
      continue;
    case value_kind::array:
    case value_kind::object: break;
    default:
      if (two.a.number != two.b.number) return false;
      continue;
    }
    container x;
    container y;
    if (!find_container(a_in, two.a, x) || !find_container(b_in, two.b, y) || x.count() != y.count())
      return false;
    const auto element = [](const container& of, uint32_t i) {
      if (of.has_node) return of.n.value(i);
      const item& v = of.value;
      return item::of(load_packed(v.bytes + (std::size_t{i} << v.shift), v.shift));
    };
    if (two.a.kind == value_kind::object && x.count() != 0) {
      key_columns k;
      key_columns l;
      if (!key_columns::of_object(a_in, x.n, k) || !key_columns::of_object(b_in, y.n, l)) return false;
      for (uint32_t i = 0; k.hashes() != l.hashes() && i < k.count(); ++i) {
        if (k.hash(i) != l.hash(i)) return false;
        uint32_t one = 0;
        uint32_t other = 0;
        if (k.is_long(i) && l.is_long(i) && k.long_key_position(i, one) && l.long_key_position(i, other)) {
          // Compares a pair of long keys only once, since many objects may refer to these keys.
          if ((a_in.start == b_in.start && one == other) || same_keys.find(one) == other) continue;
          if (k.text(i) != l.text(i) || !same_keys.set(one, other)) return false;
        } else if (k.text(i) != l.text(i)) {
          return false;
        }
      }
    }
    for (uint32_t i = 0; i < x.count(); ++i) {
      const pair next{element(x, i), element(y, i)};
      if (next.a.kind != next.b.kind) return false;
      if (!left.push(next)) return false;
    }
  }
  return true;
}

}}} // namespace ingot::INGOT_V1::detail::doc
