// SPDX-License-Identifier: Apache-2.0
// Reads the sets and maps of the compact profile. Decodes each key, compares it with the previous
// key, and stores it if there is a target.
#pragma once

#include <ingot/core/detail/float_tests.hpp>
#include <ingot/pack/detail/compact_record.hpp>
#include <ingot/pack/detail/writer.hpp>
#include <ingot/reflect/detail/key_filling.hpp>
#include <ingot/reflect/detail/temporary.hpp>

#include <bit>
#include <cstddef>
#include <optional>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

namespace ingot { inline namespace INGOT_V1 { namespace detail {

/// Decodes a `T` and calls `accept` with it. Also decodes adapted types without a default
/// constructor.
template <encoding S, class T, class Accept>
INGOT_INLINE constexpr bool compact_read_value(reader& r, stream& in, unsigned depth, Accept&& accept) {
  if constexpr (std::is_default_constructible_v<T>) {
    // the argument is an upper bound of the value's bytes
    temporary<T> value(static_cast<std::size_t>(in.end - in.at));
    return compact_read_inline<S, T>(r, in, *value, depth) && accept(std::move(*value));
  } else {
    static_assert(
        kind_of<T> == kind::adapted,
        "ingot: an element of a list, a set or a map needs a default constructor, default initialisers "
        "of its members, or ingot::adapt");
    const std::byte* const from = in.at;
    scratch_value<adapted_t<T>> stored;
    bool accepted = false;
    return compact_read_inline<S, adapted_t<T>>(r, in, *stored, depth) &&
           adapt_into<T>(r, from, std::move(*stored),
                         [&](from_result<T>&& value) { accepted = accept(std::move(value)); }) &&
           accepted;
  }
}

/// Returns true if no float in a key is NaN or -0. NaN equals no key, and -0 equals +0 but has
/// other bytes.
template <class K>
constexpr bool key_value_is_normal(const K& key) {
  return for_all_key_floats<K>(key, [](const auto& number) { return is_normal_key_float(number); });
}

/// The key of the previous entry, to check the order of keys. In unordered multimaps also the value
/// of this entry, to check the order of entries with equal keys.
template <class List>
struct last_entry {
  using key_type = owning_t<key_t<List>>;
  static constexpr bool has_default = std::is_default_constructible_v<key_type>;
  std::optional<std::conditional_t<has_default, temporary<key_type>, std::optional<key_type>>> key;
  std::size_t max_bytes = 0; ///< upper bound of the list's bytes
  std::conditional_t<kind_of<List> == kind::unordered_map && is_multi<List>, std::vector<std::byte>, nothing>
      value;

  constexpr void keep(key_type&& next) {
    if constexpr (has_default) {
      if (!key) key.emplace(max_bytes);
      **key = std::move(next);
    } else {
      key.emplace(std::move(next));
    }
  }
};

template <class List, class Key>
INGOT_INLINE constexpr bool compact_key_follows(reader& r, const std::byte* from, last_entry<List>& last,
                                                const Key& key) {
  if (!key_value_is_normal(key)) return r.fail(errc::not_canonical, from, "a key that is neither NaN nor -0");
  if (!last.key) return true;
  const auto order = [&] {
    if constexpr (kind_of<List> == kind::set || kind_of<List> == kind::map)
      return order_of<Key>(**last.key, key);
    else return byte_order_of<Key>(**last.key, key);
  }();
  if (order > 0) return r.fail(errc::unsorted_keys, from, "keys in ascending order");
  return order < 0 || is_multi<List> || r.fail(errc::duplicate_key, from, "each key once");
}

/// Compares an entry of an unordered multimap with the entry before it. If their keys are equal,
/// the packed bytes of their values must be in ascending order.
template <class List, class Key, class Value>
constexpr bool compact_value_follows(reader& r, const std::byte* from, last_entry<List>& last, const Key& key,
                                     const Value& value) {
  std::vector<std::byte> bytes = packed_key<Value>(value);
  const bool follows =
      !last.key || byte_order_of<Key>(**last.key, key) != 0 || order_of_bytes(bytes, last.value) >= 0;
  last.value = std::move(bytes);
  return follows || r.fail(errc::unsorted_keys, from, "values of one key in ascending order");
}

/// Returns true if an entry was inserted, and the keys of the container don't collide too often.
/// Otherwise sets the error.
INGOT_INLINE constexpr bool compact_is_inserted(reader& r, const std::byte* from, bool inserted,
                                                bool is_accepted) {
  if (!inserted) [[unlikely]]
    return r.fail(errc::duplicate_key, from, "keys that differ for the container's comparison");
  return is_accepted || r.fail(errc::too_many_collisions, from, few_collisions);
}

/// Reads sets and maps. Decodes keys before it compares them, because their bytes have no fixed
/// positions in this profile.
template <encoding S, class List, class Out>
constexpr bool compact_read_sorted(reader& r, stream& in, std::size_t count, Out& out, unsigned depth) {
  using key = owning_t<key_t<List>>;
  constexpr bool keep = keeps<Out>;
  if constexpr (keep) {
    out.clear();
    if (!take_memory(r, in.at, count * element_cost<Out>())) [[unlikely]]
      return false;
  }
  [[maybe_unused]] key_adder<Out> adder(out);
  last_entry<List> last;
  last.max_bytes = static_cast<std::size_t>(in.end - in.at);
  const std::uint64_t bytes = last.max_bytes; // upper bound of the list's bytes
  std::size_t next_report = keep ? next_report_index(r, 0, count, bytes) : count;
  for (std::size_t i = 0; i < count; ++i) {
    const std::byte* const from = in.at;
    bool has_key = false;
    const bool well = compact_read_value<S, key>(r, in, depth, [&](key&& k) INGOT_INLINE_LAMBDA {
      has_key = true;
      if (!compact_key_follows(r, from, last, k)) return false;
      if constexpr (is_map<List>) {
        using entry = map_entry<key_t<List>, mapped_t<List>>;
        using value = owning_t<mapped_t<List>>;
        constexpr bool by_value = kind_of<List> == kind::unordered_map && is_multi<List> && !borrows<value>();
        const std::byte* const value_from = in.at;
        bool inserted = true;
        bool is_accepted = true;
        if constexpr (!keep && !by_value) {
          if (!compact_read_inline<S, mapped_t<List>>(r, in, out, depth)) return name_part<entry>(r, 1);
        } else if (!compact_read_value<S, value>(r, in, depth, [&](value&& v) INGOT_INLINE_LAMBDA {
                     if constexpr (by_value) {
                       if (!compact_value_follows(r, value_from, last, k, v)) return false;
                     }
                     if constexpr (keep) {
                       const auto added = adder.add(r.max_collisions, std::as_const(k), std::move(v));
                       inserted = added.is_new;
                       is_accepted = added.is_accepted;
                     }
                     return true;
                   })) {
          return name_part<entry>(r, 1);
        }
        last.keep(std::move(k));
        return compact_is_inserted(r, from, inserted, is_accepted);
      } else {
        bool inserted = true;
        bool is_accepted = true;
        if constexpr (keep) {
          const auto added = adder.add(r.max_collisions, std::as_const(k));
          inserted = added.is_new;
          is_accepted = added.is_accepted;
        }
        last.keep(std::move(k));
        return compact_is_inserted(r, from, inserted, is_accepted);
      }
    });
    if (!well) [[unlikely]] {
      if constexpr (is_map<List>) {
        if (!has_key) name_part<map_entry<key_t<List>, mapped_t<List>>>(r, 0);
      }
      return name_element<List>(r, i);
    }
    if (i + 1 == next_report && next_report != count) [[unlikely]] {
      if (!tell(r, in.at)) return false;
      next_report = next_report_index(r, next_report, count, bytes);
    }
  }
  if constexpr (keep) adder.finish();
  return true;
}

}}} // namespace ingot::INGOT_V1::detail
