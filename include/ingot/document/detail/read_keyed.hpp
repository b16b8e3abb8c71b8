// SPDX-License-Identifier: Apache-2.0
// Reads sets and maps. A map is an object if its keys can be keys of an object, otherwise an array
// of pairs.
#pragma once

#include <ingot/core/detail/float_tests.hpp>
#include <ingot/document/detail/meaning.hpp>
#include <ingot/document/detail/member_key.hpp>
#include <ingot/document/detail/previous_members.hpp>
#include <ingot/document/detail/read_new.hpp>
#include <ingot/document/detail/reading.hpp>
#include <ingot/document/detail/wrapped.hpp>
#include <ingot/reflect/detail/fixed_capacity.hpp>
#include <ingot/reflect/detail/temporary.hpp>
#include <ingot/reflect/hooks.hpp>
#include <ingot/reflect/kind.hpp>

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <type_traits>
#include <utility>

namespace ingot { inline namespace INGOT_V1 { namespace detail::doc {

/// Returns false for NaN, which can't be a key, because no lookup would find it.
template <class K>
[[nodiscard]] constexpr bool is_itself(const K& key) noexcept {
  if constexpr (kind_of<K> == kind::floating) return !is_nan(key);
  else return true;
}
template <class T>
[[nodiscard]] bool read_set(reading& r, const item& from, T& to) {
  to.clear();
  return fill_keys(to, [&](auto& filling) {
    return for_each_element(r, from, [&](uint32_t, const item& each) {
      if (!has_capacity(r, to, filling.size())) return false;
      return read_new<typename T::key_type>(r, each, [&](auto&& element) {
        if (!is_itself(element)) return r.reject(errc::out_of_range, "an element that is not NaN");
        return add_key(r, filling, "each element once", std::forward<decltype(element)>(element));
      });
    });
  });
}
template <class K>
[[nodiscard]] bool read_plain_key(reading& r, std::string_view text, K& to) {
  if (key_from_text(text, to)) return true;
  if constexpr (kind_of<K> == kind::enumeration) {
    if (r.evolves && find_former_enumerator(text, to)) return true;
  }
  if constexpr (kind_of<K> == kind::enumeration) {
    return r.reject(errc::unknown_enumerator, "an enumerator as key");
  } else {
    static_cast<void>(
        r.reject(errc::out_of_range, integer_range_text(sizeof(K), std::is_signed_v<K>, " as key").view()));
    r.why->with_found(text);
    return false;
  }
}
/// Reads a key, and passes it to `take`.
template <class K, class Take>
[[nodiscard]] bool read_key(reading& r, std::string_view text, Take&& take) {
  if constexpr (kind_of<K> == kind::adapted) {
    return read_key<adapted_t<K>>(r, text, [&](auto&& stored) {
      auto new_key = adapt_from<K>(std::forward<decltype(stored)>(stored));
      if (!new_key) return r.why = new_key.error(), false;
      return take(std::move(*new_key));
    });
  } else {
    scratch_value<K> key;
    return read_plain_key(r, text, *key) && take(std::move(*key));
  }
}
/// Finds the content of CBOR's tag 259, which marks a Map of JavaScript.
[[nodiscard]] INGOT_COLD inline bool find_tagged_map(const reading& r, const item& from, item& to) noexcept {
  wrapped_value found;
  if (!find_wrapped(r.in, from, found) || found.is_time || found.tag != cbor_tag::map ||
      found.content.kind != value_kind::object)
    return false;
  to = found.content;
  return true;
}
/// Reads the members of an object as entries of `to`. `filling` is `to` itself, or a `key_filling`
/// through which keys are added to `to` (see `fill_keys`).
template <class T, class Filling>
[[nodiscard]] bool read_entries_of(reading& r, const container& object, const key_columns& keys, T& to,
                                   Filling& filling) {
  const uint32_t count = object.count();
  for (uint32_t i = 0, end = r.until_poll(0, count); i < count; ++i) {
    if (i == end) { // a poll is due
      if (!r.should_continue(object)) return false;
      end = r.until_poll(i, count);
    }
    const auto text = keys.text(i);
    if (text.size() > r.key_bytes)
      return r.reject(errc::too_large, "keys whose text stays within the limit once each object has its own");
    r.key_bytes -= text.size();
    if (!has_capacity(r, to, filling.size())) return r.why->in_key(text), false;
    // Two texts may be the same key, for example two names of an enumerator, or two texts of an
    // adapted type.
    const auto add = [&](auto& key, auto& mapped) {
      return add_key(r, filling, "each key once", std::move(key), std::move(mapped));
    };
    using key_type = std::remove_const_t<typename T::key_type>;
    bool good = false;
    if constexpr (kind_of<key_type> != kind::adapted && std::is_default_constructible_v<mapped_t<T>>) {
      scratch_value<key_type> key;
      scratch_value<mapped_t<T>> mapped;
      good = read_plain_key(r, text, *key) && read_as(r, object.n.value(i), *mapped) && add(*key, *mapped);
    } else {
      good = read_key<key_type>(r, text, [&](auto&& key) {
        return read_new<mapped_t<T>>(r, object.n.value(i), [&](auto&& mapped) { return add(key, mapped); });
      });
    }
    if (!good) return r.why->in_key(text), false;
  }
  return true;
}
template <class T>
[[nodiscard]] bool read_entries(reading& r, const item& from, T& to) {
  to.clear();
  if (from.kind == value_kind::null) [[unlikely]] {
    if (r.how.null_as_empty) return true;
    return r.mismatch("an object: see conversion_options::null_as_empty", from.kind);
  }
  container object;
  key_columns keys;
  if (!read_keys(r, from, object, keys)) return false;
  return fill_keys(to, [&](auto& filling) { return read_entries_of(r, object, keys, to, filling); });
}
template <class T>
[[nodiscard]] bool read_mapping(reading& r, const item& from, T& to) {
  if (read_entries(r, from, to)) [[likely]]
    return true;
  item tagged; // used only if the object itself is not the map
  return find_tagged_map(r, from, tagged) && read_entries(r, tagged, to);
}
template <class T>
[[nodiscard]] bool read_pairs(reading& r, const item& from, T& to) {
  if constexpr (is_multi<T> && is_member_key<std::remove_const_t<typename T::key_type>>()) {
    if (from.kind == value_kind::object && r.evolves)
      return read_mapping(r, from, to); // written by a version whose map had unique keys
  }
  to.clear();
  return fill_keys(to, [&](auto& filling) {
    return for_each_element(r, from, [&](uint32_t, const item& each) {
      if (!has_capacity(r, to, filling.size())) return false;
      return read_new<std::pair<typename T::key_type, mapped_t<T>>>(r, each, [&](auto&& entry) {
        if (!is_itself(entry.first)) return r.reject(errc::out_of_range, "a key that is not NaN");
        return add_key(r, filling, "each key once", std::move(entry.first), std::move(entry.second));
      });
    });
  });
}

}}} // namespace ingot::INGOT_V1::detail::doc
