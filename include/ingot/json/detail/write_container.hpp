// SPDX-License-Identifier: Apache-2.0
// Writes values that hold many elements of one type: sequences, arrays, sets and maps.
#pragma once

#include <ingot/core/detail/cancellable_sort.hpp>
#include <ingot/core/detail/light_standard.hpp>
#include <ingot/core/detail/progress_poll.hpp>
#include <ingot/json/detail/write_value.hpp>
#include <ingot/pack/detail/order.hpp>
#include <ingot/reflect/detail/links.hpp>

#include <compare>
#include <cstddef>
#include <string_view>
#include <type_traits>
#include <vector>

namespace ingot { inline namespace INGOT_V1 { namespace json::detail {

/// Number of elements written between checks for cancellation. Elements such as integers need the
/// checks, because `text_writer` does not report a cancellation when it writes an integer.
inline constexpr std::ptrdiff_t elements_between_asking = 1024;

template <class T, class Range>
[[nodiscard]] bool write_any_elements(text_writer& writer, const Range& range) {
  if (!writer.open_array()) return false;
  auto at = std::begin(range);
  const auto end = std::end(range);
  if constexpr (std::random_access_iterator<decltype(at)> &&
                std::is_same_v<std::remove_const_t<decltype(end)>, decltype(at)>) {
    const auto first = at;
    while (true) {
      auto until = end;
      if (end - at > elements_between_asking) [[unlikely]]
        until = at + elements_between_asking;
      for (; at != until; ++at) {
        writer.element();
        const T& element = *at;
        if (!write_value(writer, element)) [[unlikely]] {
          writer.error().in_element(static_cast<std::size_t>(at - first));
          return false;
        }
      }
      if (at == end) break;
      if (writer.cancelled()) return false;
    }
  } else {
    std::size_t index = 0;
    for (; at != end; ++at) {
      writer.element();
      const T& element = *at;
      if (!write_value(writer, element)) [[unlikely]] {
        writer.error().in_element(index);
        return false;
      }
      if (++index % elements_between_asking == 0 && writer.cancelled()) [[unlikely]]
        return false;
    }
  }
  writer.close_array();
  return true;
}
/// True if a function of the compiled library writes the elements of a range: records, numbers or
/// strings that follow each other in memory.
template <class T, class Iterator>
inline constexpr bool is_written_as_list = [] {
  if constexpr (!std::contiguous_iterator<Iterator>) return false;
  else if constexpr (!std::is_same_v<const T&,
                                     const std::remove_reference_t<std::iter_reference_t<Iterator>>&>)
    return false;
  else if constexpr (ingot::detail::has_valid<T>) return false;
  else return kind_of<T> == kind::record || scalar_of<T>() != scalar::other;
}();

template <class T, class Range>
[[nodiscard]] bool write_elements_as(text_writer& writer, const Range& range) {
  using iterator = decltype(std::begin(range));
  if constexpr (is_written_as_list<T, iterator> &&
                std::sized_sentinel_for<decltype(std::end(range)), iterator>) {
    if constexpr (unsupported_reason_of<T> != unsupported_reason::const_member) require_storable<T>();
    const auto begin = std::begin(range);
    const auto count = static_cast<std::size_t>(std::end(range) - begin);
    const T* const first = std::to_address(begin);
    if constexpr (kind_of<T> == kind::record) return writer_of<T>::write_list(writer, first, count);
    else return write_scalars(writer, scalar_of<T>(), first, count);
  } else {
    return write_any_elements<T>(writer, range);
  }
}
template <class Range>
[[nodiscard]] bool write_elements(text_writer& writer, const Range& range) {
  return write_elements_as<std::remove_cvref_t<decltype(*std::begin(range))>>(writer, range);
}

template <class T>
struct writer_of<T, kind::sequence> {
  static bool write(text_writer& writer, const T& value) {
    if constexpr (ingot::detail::provides_links<T>) {
      if (!value.was_only_filled()) return writer.fail(errc::invalid_value, ingot::detail::only_filled_pool);
    }
    return write_elements_as<element_t<T>>(writer,
                                           value); // elements of vector<bool> are proxies
  }
};

template <class T>
struct writer_of<T, kind::array> {
  static bool write(text_writer& writer, const T& value) {
    if constexpr (is_text_array<T>) {
      std::string_view text(reinterpret_cast<const char*>(std::data(value)), array_size<T>);
      while (!text.empty() && text.back() == '\0') text.remove_suffix(1);
      return writer.string(text);
    } else {
      return write_elements(writer, value);
    }
  }
};

/// True if the elements of an unordered container are written in the order of their keys. If the
/// keys have no order (floating point, classes without an order) or may be repeated, the elements
/// are written in the order of their text. So equal values always give equal text.
template <class T>
inline constexpr bool has_key_order = std::three_way_comparable<key_t<T>, std::weak_ordering> && !is_multi<T>;

/// Returns the elements in the order `less`; no elements if cancelled.
template <class T, class Less>
[[nodiscard]] auto sorted_elements(text_writer& writer, const T& value, Less less) {
  // Addresses of the elements, or iterators if the container creates elements on access.
  constexpr bool lie_still = std::is_lvalue_reference_v<decltype(*value.begin())>;
  std::vector<std::conditional_t<lie_still, const typename T::value_type*, decltype(value.begin())>> elements;
  elements.reserve(value.size());
  for (auto each = value.begin(); each != value.end(); ++each) {
    if constexpr (lie_still) elements.push_back(std::addressof(*each));
    else elements.push_back(each);
  }
  const auto before = [&](const auto& a, const auto& b) { return less(*a, *b); };
  const text_writer::listener ask{&writer};
  ingot::detail::listener_poll each(ask);
  auto* const first = elements.data();
  if (!ingot::detail::cancellable_sort(first, first + elements.size(), before, each)) elements.clear();
  each.rethrow();
  return elements;
}

/// Sorts pieces of the written text by their bytes. A piece begins at each of `starts`; the last
/// piece ends at the end of the text. Returns false if cancelled.
[[nodiscard]] bool sort_written(text_writer& writer, const std::vector<std::size_t>& starts);

/// Returns true if the key `a` is written before `b`. `char`s are ordered by code unit on every
/// platform.
template <class K>
[[nodiscard]] bool key_before(const K& a, const K& b) {
  if constexpr (ingot::detail::holds_char<K>() && ingot::detail::has_order<K>())
    return ingot::detail::order_of<K>(a, b) < 0;
  else return a < b;
}

template <class T>
struct writer_of<T, kind::set> {
  static bool write(text_writer& writer, const T& value) {
    if constexpr (ingot::detail::needs_code_unit_order<T>) {
      if (!writer.open_array()) return false;
      std::size_t index = 0;
      const bool all = ingot::detail::for_each_by_code_unit(value, [&](const key_t<T>& element) {
        writer.element();
        if (write_value(writer, element) && !writer.cancelled()) return ++index, true;
        writer.error().in_element(index);
        return false;
      });
      if (!all) return false;
      writer.close_array();
      return !writer.cancelled();
    } else {
      return write_elements(writer, value);
    }
  }
};

template <class T>
struct writer_of<T, kind::unordered_set> {
  static bool write(text_writer& writer, const T& value) {
    if (!writer.open_array()) return false;
    std::size_t index = 0;
    if constexpr (has_key_order<T>) {
      for (const auto& element : sorted_elements(writer, value, key_before<key_t<T>>)) {
        if (!write_one(writer, *element, index++)) return false;
      }
    } else {
      std::vector<std::size_t> starts;
      for (const auto& element : value) {
        starts.push_back(writer.size());
        if (!write_one(writer, element, index++)) return false;
      }
      if (!sort_written(writer, starts)) return false;
    }
    writer.close_array();
    return !writer.cancelled();
  }

private:
  static bool write_one(text_writer& writer, const key_t<T>& element, std::size_t index) {
    writer.element();
    if (write_value(writer, element) && !writer.cancelled()) return true;
    writer.error().in_element(index);
    return false;
  }
};

template <class K>
[[nodiscard]] bool write_key(text_writer& writer, const K& key) {
  if constexpr (kind_of<K> == kind::adapted) {
    const adapted_t<K>& stored = adapt<K>::to(key);
    return write_key(writer, stored);
  } else if constexpr (kind_of<K> == kind::string) {
    return with_text(key, [&writer](std::string_view text) { return writer.key(text); });
  } else if constexpr (kind_of<K> == kind::enumeration) {
    return write_enum_key(writer, enum_table_of<K>, static_cast<std::int64_t>(std::to_underlying(key)));
  } else if constexpr (std::is_signed_v<K>) {
    return write_integer_key(writer, key);
  } else {
    return write_natural_key(writer, key);
  }
}

/// Adds a key to the start of the error's path. The key is the first string in the text after
/// `start`.
void in_written_key(text_writer& writer, std::size_t start);

template <class T>
[[nodiscard]] bool write_entry(text_writer& writer, const auto& entry, std::size_t index) {
  const auto& [key, mapped] = entry;
  if constexpr (is_object_map<T>) {
    const std::size_t start = writer.size();
    if (!write_key(writer, key)) {
      if (writer.error().path().empty()) writer.error().in_element(index); // the key is not UTF-8
      return false;
    }
    if (check_stored(writer, key) && write_value(writer, mapped)) return true;
    in_written_key(writer, start);
    return false;
  } else {
    writer.element();
    if (!writer.open_array()) return false;
    writer.element();
    bool good = write_value(writer, key);
    if (!good) {
      writer.error().in_element(0);
    } else {
      writer.element();
      good = write_value(writer, mapped);
      if (!good) writer.error().in_element(1);
    }
    if (!good) {
      writer.error().in_element(index);
      return false;
    }
    writer.close_array();
    return true;
  }
}

template <class T, kind K>
  requires(K == kind::map || K == kind::unordered_map)
struct writer_of<T, K> {
  static bool write(text_writer& writer, const T& value) {
    if (!(is_object_map<T> ? writer.open_object() : writer.open_array())) return false;
    std::size_t index = 0;
    if constexpr (K == kind::unordered_map && has_key_order<T>) {
      const auto by_key = [](const auto& a, const auto& b) { return key_before<key_t<T>>(a.first, b.first); };
      for (const auto& entry : sorted_elements(writer, value, by_key)) {
        if (!write_entry<T>(writer, *entry, index++)) return false;
      }
    } else {
      std::vector<std::size_t> starts;
      const bool all = ingot::detail::for_each_by_code_unit(value, [&](const auto& entry) {
        if constexpr (K == kind::unordered_map) starts.push_back(writer.size());
        return write_entry<T>(writer, entry, index++);
      });
      if (!all) return false;
      if constexpr (K == kind::unordered_map) {
        if (!sort_written(writer, starts)) return false;
      }
    }
    if constexpr (is_object_map<T>) writer.close_object();
    else writer.close_array();
    return !writer.cancelled();
  }
};

}}} // namespace ingot::INGOT_V1::json::detail
