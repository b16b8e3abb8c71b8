// SPDX-License-Identifier: Apache-2.0
// Reads values that hold many elements of one type: sequences, sets and maps.
#pragma once

#include <ingot/json/detail/read_value.hpp>
#include <ingot/reflect/detail/element_cost.hpp>
#include <ingot/reflect/detail/fixed_capacity.hpp>
#include <ingot/reflect/detail/key_filling.hpp>
#include <ingot/reflect/detail/links.hpp>

#include <array>
#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

namespace ingot { inline namespace INGOT_V1 { namespace json::detail {

/// Reads one element of an array. Adds the index of the element to the path of an error.
template <class T>
[[nodiscard]] bool read_element(text_reader& reader, T& out, std::size_t index) {
  if (read_value(reader, out)) [[likely]]
    return true;
  reader.error().in_element(index);
  return false;
}

template <class T>
inline constexpr bool starts_always_empty = false;
template <>
inline constexpr bool starts_always_empty<std::string> = true;
template <class T>
inline constexpr bool starts_always_empty<std::optional<T>> = true;
template <class T>
inline constexpr bool starts_always_empty<std::vector<T>> = true;

/// Returns true if the default constructors of the members initialise the whole record. A new
/// record's bytes then need not be zeroed before the constructor runs. Returns false for a class
/// with a description, because the class may have more members than the description names.
template <class T>
consteval bool starts_empty() {
  if constexpr (kind_of<T> == kind::record && std::is_aggregate_v<T> && !ingot::detail::described<T>) {
    return []<class... Slots>(ingot::detail::slot_list<Slots...>) {
      return (starts_always_empty<typename Slots::type> && ...);
    }(typename ingot::detail::member_table<T>::slots{});
  } else {
    return false;
  }
}

/// Reads elements of one container. If the elements are records, the offsets of their members are
/// computed once, for all elements.
template <class T>
struct record_measures {
  [[nodiscard]] bool read(text_reader& reader, T& out) const { return read_value(reader, out); }
};
template <class T>
  requires(kind_of<T> == kind::record && !ingot::detail::has_hooks<T>)
class record_measures<T> {
public:
  [[nodiscard]] bool read(text_reader& reader, T& out) {
    require_storable<T>();
    if (!measured_) [[unlikely]] {
      measured_ = true;
      measure_members(out, offsets_.data());
    }
    return reader_of<T>::read_at(reader, out, offsets_.data());
  }

private:
  std::array<std::size_t, member_count<T> + 1> offsets_; // at least one element
  bool measured_ = false;
};

/// True for lists that reserve memory for all their elements at once.
template <class T>
inline constexpr bool is_reserved = requires(T& list) {
  list.reserve(std::size_t{});
} && scalar_of<element_t<T>>() != scalar::other && !ingot::detail::has_fixed_capacity<T>;
/// Checks that the container can hold one more element, and counts the memory of this element.
template <class T>
[[nodiscard]] bool has_capacity(text_reader& reader, const T& out) {
  if (!ingot::detail::can_add(out)) return container_is_full(reader, reader.offset());
  return reader.take_memory(ingot::detail::element_cost<T>());
}
/// As `has_capacity(reader, out)`, for elements that are collected first and inserted into `out`
/// later. So far, `size` elements are collected.
template <class T>
[[nodiscard]] bool has_capacity(text_reader& reader, const T& out, std::size_t size) {
  if (!ingot::detail::can_hold(out, size + 1)) return container_is_full(reader, reader.offset());
  return reader.take_memory(ingot::detail::element_cost<T>());
}

template <class T>
struct reader_of<T, kind::sequence> {
  using element = element_t<T>;
  static_assert(!is_borrowed<T>,
                "ingot::json: a span can't be read into, as nothing would own its elements: use std::vector");
  /// True if the elements are proxies, as in vector<bool>.
  static constexpr bool has_proxies = !std::is_same_v<decltype(*std::declval<T&>().begin()), element&>;

  static bool read(text_reader& reader, T& out) {
    step next = reader.open_array();
    std::size_t index = 0;
    // The objects of a pool get new links. If no object was ever removed, the new links equal the
    // old links. The writer rejects all other pools, so no other pool is in a text.
    if constexpr (ingot::detail::provides_links<T>) {
      if (next == step::error) return false;
      if (!out.empty() || out.capacity() != 0) static_cast<void>(out.try_assign(std::span<const element>()));
      for (; next == step::value; ++index, next = reader.next_element()) {
        if (!read_element(reader, *out.get(out.add()), index)) return false;
      }
    } else if constexpr (has_proxies || !std::is_default_constructible_v<element>) {
      out.clear();
      for (; next == step::value; ++index, next = reader.next_element()) {
        if (!has_capacity(reader, out) ||
            !read_new<element>(reader, [&out](element&& value) { out.push_back(std::move(value)); })) {
          reader.error().in_element(index);
          return false;
        }
      }
    } else {
      if constexpr (is_reserved<T>) {
        if (next == step::value) {
          const std::size_t ahead = reader.scalars_ahead();
          if (!reader.take_memory(std::uint64_t{ahead} * sizeof(element))) return false;
          out.reserve(ahead);
        }
      }
      const text_reader::mark first = reader.here();
      auto at = out.begin(); // existing elements keep their memory
      for (; next == step::value && at != out.end(); ++index, ++at, next = reader.next_element()) {
        if (!read_element(reader, *at, index)) return false;
      }
      if (at != out.end()) out.erase(at, out.end());
      const bool fresh = reader.fresh();
      reader.set_fresh(true); // new elements are fresh, even if the list was not fresh
      [[maybe_unused]] std::size_t known_capacity = 0;
      if constexpr (grows_by_guess) known_capacity = out.capacity();
      [[maybe_unused]] record_measures<element> measures;
      for (; next == step::value; ++index, next = reader.next_element()) {
        if constexpr (grows_by_guess) {
          if (index == known_capacity) [[unlikely]] {
            if (index != 0) reserve_space(reader, out, first);
            // If `reserve_space` reserved nothing, `emplace_back` makes the list grow. The next
            // element then calls `reserve_space` again.
            known_capacity = out.capacity() != index ? out.capacity() : index + 1;
          }
        }
        if constexpr (!is_reserved<T>) {
          if (!has_capacity(reader, out)) [[unlikely]] {
            reader.error().in_element(index);
            return false;
          }
        }
        if constexpr (starts_empty<element>()) out.emplace_back(empty_element{});
        else out.emplace_back();
        if (!measures.read(reader, out.back())) [[unlikely]] {
          reader.error().in_element(index);
          return false;
        }
      }
      reader.set_fresh(fresh);
    }
    return next == step::end;
  }

private:
  /// True if memory may be reserved for a guessed number of elements. False for containers in
  /// blocks, because the free bytes of a block are limited. A reservation that is too large would
  /// fail, while appending can use all free bytes.
  static constexpr bool grows_by_guess = requires(T& list) { list.reserve(list.capacity()); } &&
                                         !requires(T& list) { list.try_reserve(list.capacity()); } &&
                                         scalar_of<element>() == scalar::other &&
                                         !ingot::detail::has_fixed_capacity<T>;

  /// Argument of `emplace_back` that becomes a default-constructed record. Without an argument,
  /// `emplace_back` would first zero all bytes of the record. Zeroing takes as long as reading a
  /// member.
  struct empty_element {
    operator element() const {
      element empty;
      return empty;
    }
  };

  /// Reserves memory for the expected number of elements. The list then moves its elements once or
  /// twice, not each time that its capacity doubles.
  static void reserve_space(text_reader& reader, T& out, text_reader::mark first) {
    const std::size_t wanted = reader.elements_expected(first, out.size(), sizeof(element));
    if (wanted > 2 * out.size()) out.reserve(wanted);
  }
};

/// Records the error for an array in the text whose number of elements differs from that of the
/// array in memory.
[[nodiscard]] bool wrong_count(text_reader& reader, std::size_t wanted, std::size_t found, bool more);

/// Returns true if `key` collides with few keys of `out`.
template <class T, class Key>
[[nodiscard]] bool keys_differ(text_reader& reader, T& out, const Key& key) {
  return ingot::detail::has_few_collisions(reader.collisions(), reader.options().max_collisions, out, key);
}
[[nodiscard]] bool too_many_collisions(text_reader& reader, std::size_t offset);

/// Returns true if the options allow a repeated key or element. Otherwise records an error.
[[nodiscard]] bool repetition_allowed(text_reader& reader, std::size_t offset, std::string_view what);

template <class T, kind K>
  requires(K == kind::set || K == kind::unordered_set)
struct reader_of<T, K> {
  static bool read(text_reader& reader, T& out) {
    using element = key_t<T>;
    out.clear();
    if constexpr (ingot::detail::moves_entries<T>) return fill(reader, out);
    step next = reader.open_array();
    for (std::size_t index = 0; next == step::value; ++index, next = reader.next_element()) {
      const std::size_t where = reader.offset();
      const std::size_t before = out.size();
      bool has_few = true;
      bool good = has_capacity(reader, out) && read_new<element>(reader, [&](element&& value) {
                    const auto hint = ingot::detail::insertion_hint(reader.collisions(), out, value);
                    const auto at = out.emplace_hint(hint, std::move(value));
                    has_few = keys_differ(reader, out, *at);
                  });
      good = good && (has_few || too_many_collisions(reader, where));
      if (!good || (out.size() == before && !repetition_allowed(reader, where, "each element once"))) {
        reader.error().in_element(index);
        return false;
      }
    }
    return next == step::end;
  }

private:
  static bool fill(text_reader& reader, T& out) {
    using element = key_t<T>;
    ingot::detail::key_filling<T> filling(out);
    step next = reader.open_array();
    for (std::size_t index = 0; next == step::value; ++index, next = reader.next_element()) {
      const std::size_t where = reader.offset();
      bool is_new = true;
      const bool good = has_capacity(reader, out, filling.size()) &&
                        read_new<element>(reader, [&](element&& value) INGOT_INLINE_LAMBDA {
                          is_new = filling.add(std::move(value));
                        });
      if (!good || (!is_new && !repetition_allowed(reader, where, "each element once"))) {
        reader.error().in_element(index);
        return false;
      }
    }
    if (next != step::end) return false;
    filling.finish();
    return true;
  }
};

/// Converts `text`, the key of an object, to a key of the type `K`.
template <class K>
[[nodiscard]] bool key_from_text(text_reader& reader, std::string_view text, std::size_t offset, K& out) {
  if constexpr (kind_of<K> == kind::string) {
    return string_from(text, out);
  } else if constexpr (kind_of<K> == kind::enumeration) {
    std::int64_t value = 0;
    if (!enum_from_key(reader, enum_table_of<K>, text, offset, value)) return false;
    out = static_cast<K>(value);
    return true;
  } else if constexpr (std::is_signed_v<K>) {
    std::int64_t value = 0;
    using limits = std::numeric_limits<K>;
    if (!integer_from_key(reader, text, offset, limits::min(), limits::max(), value)) return false;
    out = static_cast<K>(value);
    return true;
  } else {
    std::uint64_t value = 0;
    if (!natural_from_key(reader, text, offset, std::numeric_limits<K>::max(), value)) return false;
    out = static_cast<K>(value);
    return true;
  }
}

template <class K, class Take>
[[nodiscard]] bool read_key(text_reader& reader, Take&& take) {
  if constexpr (kind_of<K> == kind::integer && !std::is_signed_v<K>) {
    std::uint64_t value = 0;
    if (reader.natural_key(value, std::numeric_limits<K>::max())) [[likely]] {
      std::forward<Take>(take)(static_cast<K>(value));
      return true;
    }
  }
  const std::size_t where = reader.offset();
  std::string_view text;
  if (!reader.key(text)) return false;
  if constexpr (kind_of<K> == kind::adapted) {
    using stored = adapted_t<K>;
    result<K> new_key = fail(errc::invalid_value);
    if constexpr (is_borrowed<stored>) {
      new_key = ingot::detail::adapt_from<K>(stored(text.data(), text.size()));
    } else {
      ingot::detail::scratch_value<stored> value_storage;
      stored& value = *value_storage;
      if (!key_from_text(reader, text, where, value)) return reader.in_key_at(where), false;
      new_key = ingot::detail::adapt_from<K>(std::move(value));
    }
    if (!new_key) {
      error err = new_key.error();
      (void)reader.fail(err.with_offset(where));
      return reader.in_key_at(where), false;
    }
    std::forward<Take>(take)(std::move(*new_key));
  } else {
    ingot::detail::temporary<K> key(text.size());
    if (!key_from_text(reader, text, where, *key)) return reader.in_key_at(where), false;
    std::forward<Take>(take)(std::move(*key));
  }
  return true;
}

template <class T, kind K>
  requires(K == kind::map || K == kind::unordered_map)
struct reader_of<T, K> {
  using key = key_t<T>;
  using mapped = mapped_t<T>;

  static bool read(text_reader& reader, T& out) {
    out.clear();
    if constexpr (ingot::detail::moves_entries<T>) {
      ingot::detail::key_filling<T> filling(out);
      if (!read_entries(reader, out, filled_adder<decltype(filling)>{reader, filling})) return false;
      filling.finish();
      return true;
    } else {
      return read_entries(reader, out, mapped_adder{reader});
    }
  }

private:
  struct mapped_adder {
    text_reader& reader;
    bool operator()(T& out, key&& name, std::size_t offset) const {
      return read_mapped(reader, out, std::move(name), offset);
    }
  };

  template <class Filling>
  struct filled_adder {
    text_reader& reader;
    Filling& filling;
    bool operator()(T& out, key&& name, std::size_t offset) const {
      return read_filled(reader, out, filling, std::move(name), offset);
    }
  };

  template <class Add>
  static bool read_entries(text_reader& reader, T& out, const Add& add) {
    if constexpr (is_object_map<T>) return read_object(reader, out, add);
    else return read_pairs(reader, out, add);
  }

  /// As `read_mapped`, but adds the entry to `filling`, which inserts all entries into the map
  /// later (see key_filling.hpp).
  template <class Filling>
  static bool read_filled(text_reader& reader, T& out, Filling& filling, key&& name, std::size_t offset) {
    if (!has_capacity(reader, out, filling.size())) return false;
    if constexpr (is_multi<T> || !std::is_default_constructible_v<mapped>) {
      if constexpr (!is_multi<T>) {
        if (mapped* const known = filling.find(name); known != nullptr) {
          if (!repetition_allowed(reader, offset, "each key once")) return false;
          if (reader.options().duplicate_keys == duplicate_keys::first_wins) return reader.skip();
          return read_new<mapped>(reader, [&](mapped&& value) { *known = std::move(value); });
        }
      }
      return read_new<mapped>(reader,
                              [&](mapped&& value) { filling.add(std::move(name), std::move(value)); });
    } else {
      const auto found = filling.find_or_add(std::move(name));
      if (found.is_new) [[likely]]
        return read_value(reader, *found.value);
      return read_repeated(reader, *found.value, offset);
    }
  }
  static bool read_repeated(text_reader& reader, mapped& value, std::size_t offset) {
    if (!repetition_allowed(reader, offset, "each key once")) return false;
    if (reader.options().duplicate_keys == duplicate_keys::first_wins) return reader.skip();
    const bool fresh = reader.fresh();
    reader.set_fresh(false);
    const bool good = read_value(reader, value);
    reader.set_fresh(fresh);
    return good;
  }

  /// Reads the value of the key `name` into the map. Keys in ascending order are inserted at the
  /// end.
  static bool read_mapped(text_reader& reader, T& out, key&& name, std::size_t offset) {
    if (!has_capacity(reader, out)) return false;
    const std::size_t before = out.size();
    if constexpr (is_multi<T> || !std::is_default_constructible_v<mapped>) {
      if constexpr (!is_multi<T>) {
        if (const auto at = out.find(name); at != out.end()) {
          if (!keys_differ(reader, out, at->first)) return too_many_collisions(reader, offset);
          return read_again(reader, out, std::move(name), offset);
        }
      }
      bool has_few = true;
      return read_new<mapped>(reader,
                              [&](mapped&& value) {
                                const auto hint =
                                    ingot::detail::insertion_hint(reader.collisions(), out, name);
                                const auto at = out.emplace_hint(hint, std::move(name), std::move(value));
                                has_few = keys_differ(reader, out, at->first);
                              }) &&
             (has_few || too_many_collisions(reader, offset));
    } else {
      const auto at = out.try_emplace(out.end(), std::move(name));
      if (!keys_differ(reader, out, at->first)) [[unlikely]]
        return too_many_collisions(reader, offset);
      if (out.size() != before) [[likely]]
        return read_value(reader, at->second);
      return read_repeated(reader, at->second, offset);
    }
  }

  static bool read_again(text_reader& reader, T& out, key&& name, std::size_t offset) {
    if (!repetition_allowed(reader, offset, "each key once")) return false;
    if (reader.options().duplicate_keys == duplicate_keys::first_wins) return reader.skip();
    return read_new<mapped>(reader, [&](mapped&& value) {
      out.erase(name);
      out.emplace(std::move(name), std::move(value));
    });
  }

  /// Reads the members of an object. Calls `add` for each member. `add` reads the value and inserts
  /// the value with the key.
  template <class Add>
  static bool read_object(text_reader& reader, T& out, const Add& add) {
    step next = reader.open_object();
    for (; next == step::value; next = reader.next_key()) {
      const std::size_t where = reader.offset();
      bool good = false;
      const bool named = read_key<key>(reader, [&](key&& name) { good = add(out, std::move(name), where); });
      if (!named) return false;
      if (!good) {
        reader.in_key_at(where);
        return false;
      }
    }
    return next == step::end;
  }

  template <class Add>
  static bool read_pairs(text_reader& reader, T& out, const Add& add) {
    step next = reader.open_array();
    for (std::size_t index = 0; next == step::value; ++index, next = reader.next_element()) {
      if (!read_pair(reader, out, add)) {
        reader.error().in_element(index);
        return false;
      }
    }
    return next == step::end;
  }

  template <class Add>
  static bool read_pair(text_reader& reader, T& out, const Add& add) {
    const std::size_t where = reader.offset();
    step next = reader.open_array();
    if (next == step::error) return false;
    if (next == step::end) return wrong_count(reader, 2, 0, false);
    bool good = false;
    const bool has_key = read_new<key>(reader, [&](key&& name) {
      next = reader.next_element();
      if (next != step::value) return;
      good = add(out, std::move(name), where);
      if (!good) reader.error().in_element(1);
    });
    if (!has_key) {
      reader.error().in_element(0);
      return false;
    }
    if (next == step::end) return wrong_count(reader, 2, 1, false);
    if (!good) return false;
    next = reader.next_element();
    if (next == step::value) return wrong_count(reader, 2, 2, true);
    return next == step::end;
  }
};

}}} // namespace ingot::INGOT_V1::json::detail
