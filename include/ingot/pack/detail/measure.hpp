// SPDX-License-Identifier: Apache-2.0
// The pass before writing: computes the size of a value, and checks that the value can be written.
// So the writer can't fail and needs no checks of free space, and a message that is too large or
// invalid is rejected before the sink changes.
#pragma once

#include <ingot/core/detail/config.hpp>
#include <ingot/core/detail/float_tests.hpp>
#include <ingot/core/detail/pending_error.hpp>
#include <ingot/core/detail/progress_poll.hpp>
#include <ingot/core/error.hpp>
#include <ingot/pack/detail/key_floats.hpp>
#include <ingot/pack/detail/rejection.hpp>
#include <ingot/pack/layout.hpp>
#include <ingot/reflect/detail/links.hpp>

#include <bit>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <type_traits>
#include <utility>

namespace ingot { inline namespace INGOT_V1 { namespace detail {

/// The checks that all readers of packed and compact bytes make.
inline constexpr reader_checks packed_checks{};

/// Sums sizes, and stores the first error.
struct measurer {
  static constexpr bool reports_progress = false;
  bool failed = false;
  bool rejected = false; ///< readers reject a part of the value; `rejection_search` finds the part
  std::uint32_t empty_elements = 0;
  pending_error why;

  INGOT_COLD constexpr void stop(const error& with) noexcept {
    if (!failed) why = with;
    failed = true;
  }
  INGOT_COLD constexpr std::uint64_t fail(errc code, std::string_view expected) noexcept {
    stop(error{code}.with_expected(expected));
    return 0;
  }
  INGOT_COLD constexpr std::uint64_t fail(errc code, std::string_view expected,
                                          std::uint64_t found) noexcept {
    stop(error{code}.with_expected(expected).with_found(found));
    return 0;
  }
};

/// Measures with progress. All functions that measure are instantiated again for this type, and
/// then poll before each run of elements. If cancelled, the size is invalid.
struct polling_measurer : measurer {
  static constexpr bool reports_progress = true;
  progress_poll* by;

  explicit polling_measurer(progress_poll& who) noexcept : by(&who) {}
};
template <class T>
consteval bool compute_fallible();

/// True if writing a `T` can fail for another reason than its size. Its parts are then visited even
/// if their size is constant.
template <class T>
inline constexpr bool is_fallible = compute_fallible<T>();

template <class T, class... Path>
consteval bool fallible_in() {
  if constexpr (std::is_same_v<T, nothing>) return false;
  else if constexpr (has_parts<T>) {
    if constexpr (is_any_of<T, Path...>) return true; // recursive: depth is checked
    else {
      if constexpr (!is_entry<T>) {
        if constexpr (type_has<T, version_t>) return true;
        if constexpr (kind_of<T> == kind::record) {
          if constexpr (has_lossy_member<T>) return true;
        }
      }
      return []<std::size_t... I>(std::index_sequence<I...>) {
        return ((!parts<T>::template skipped<I> &&
                 fallible_in<typename parts<T>::template type<I>, Path..., T>()) ||
                ...);
      }(std::make_index_sequence<parts<T>::count>{});
    }
  } else if constexpr (kind_of<T> == kind::adapted)
    return may_not_fit<T> || fallible_in<adapted_t<T>, Path...>();
  else if constexpr (kind_of<T> == kind::array) return fallible_in<element_t<T>, Path...>();
  else if constexpr (kind_of<T> == kind::variant) return true; // may be valueless by exception
  else if constexpr (is_list<T>) {
    return provides_links<T> || key_has_float<T>() || element_stride<list_element_t<T>> == 0 ||
           fallible_in<list_element_t<T>, Path...>();
  } else if constexpr (is_tagged<T>) {
    return []<class... Ts>(alternatives<Ts...>) {
      return (fallible_in<Ts, Path...>() || ...);
    }(tagged_alternatives<T>());
  } else return false;
}
template <class T>
consteval bool compute_fallible() {
  return fallible_in<T>();
}

/// Checks a part that can be measured without a visit to its members.
template <class T>
INGOT_INLINE constexpr void check_whole_part(measurer& m, const T& value) {
  if constexpr (can_be_rejected<packed_checks, T>)
    m.rejected |= has_rejected_inline<packed_checks>(value, searched_levels);
}
/// Returns the stored form of an adapted class. Sets `rejected` if the class would reject that
/// form.
template <class T>
INGOT_INLINE constexpr decltype(auto) checked_stored(measurer& m, const T& value) {
  if constexpr (from_may_reject<T>) m.rejected |= !adapt_from<T>(adapt<T>::to(value)).has_value();
  return adapt<T>::to(value);
}

template <class T, class M>
constexpr std::uint64_t measure_payload(M& m, const T& value, unsigned depth);

template <class T>
INGOT_COLD constexpr void name_failed_member(measurer& m, std::size_t index) noexcept {
  if constexpr (kind_of<T> == kind::record) {
    m.why->in_member(public_name_table<T>[index]);
  } else {
    m.why->in_element(index);
  }
}

/// Returns true if the stored form of an adapted value can hold the value. Otherwise sets the error
/// in `m`.
template <class T, class M>
INGOT_INLINE constexpr bool fits_stored_form(M& m, const T& value) {
  if constexpr (may_not_fit<T>) {
    if (!adapt<T>::fits(value)) [[unlikely]] {
      m.fail(errc::out_of_range, adapt<T>::expected());
      return false;
    }
  }
  return true;
}

template <class T, class M>
constexpr std::uint64_t measure_tail(M& m, const T& value, unsigned depth);

/// Returns the number of bytes that the members of a record, tuple or entry add to the tail.
template <class T, class M>
INGOT_INLINE constexpr std::uint64_t measure_parts(M& m, const T& value, unsigned depth) {
  if constexpr (kind_of<T> == kind::record) {
    if constexpr (has_version_member<T>) {
      const auto found = *pointer_at<0>(part_pointers(value));
      if (!std::cmp_equal(found, type_get<T, version_t>.number)) {
        m.fail(errc::wrong_version, "the version that the type names", static_cast<std::uint64_t>(found));
        name_failed_member<T>(m, 0);
        return 0;
      }
    }
  }
  const auto pointers = part_pointers(value);
  return [&]<std::size_t... I>(std::index_sequence<I...>) INGOT_INLINE_LAMBDA {
    constexpr auto one = []<std::size_t J>(std::integral_constant<std::size_t, J>, M& measuring,
                                           const auto& all, unsigned at_depth)
                             INGOT_INLINE_LAMBDA -> std::uint64_t {
      if constexpr (parts<T>::template skipped<J>) {
        return 0;
      } else {
        using part = typename parts<T>::template type<J>;
        if constexpr (is_fallible<part>) {
          if (measuring.failed) return 0;
          const auto size = measure_tail<part>(measuring, *pointer_at<J>(all), at_depth);
          if (measuring.failed) [[unlikely]]
            name_failed_member<T>(measuring, J);
          return size;
        } else {
          return measure_tail<part>(measuring, *pointer_at<J>(all), at_depth);
        }
      }
    };
    const auto size =
        (std::uint64_t{0} + ... + one(std::integral_constant<std::size_t, I>{}, m, pointers, depth));
    if constexpr (can_be_rejected<packed_checks, T>)
      m.rejected = is_rejected_itself<packed_checks>(value, pointers, m.rejected);
    return size;
  }(std::make_index_sequence<parts<T>::count>{});
}

/// Returns the number of bytes that `value` adds to the tail, in addition to its slot.
template <class T, class M>
INGOT_INLINE constexpr std::uint64_t measure_tail(M& m, const T& value, unsigned depth) {
  if constexpr (is_variable_leaf<T>) {
    return measure_payload(m, value, depth);
  } else if constexpr (!is_fallible<T> && is_fixed<T>) {
    check_whole_part(m, value);
    return 0;
  } else if constexpr (kind_of<T> == kind::adapted) {
    if (!fits_stored_form(m, value)) return 0;
    return measure_tail(m, checked_stored(m, value), depth);
  } else if constexpr (kind_of<T> == kind::array) {
    std::uint64_t total = 0;
    for (std::size_t i = 0; i < array_size<T>; ++i) total += measure_tail(m, value[i], depth);
    return total;
  } else if constexpr (has_parts<T>) {
    return measure_parts(m, value, depth);
  } else if constexpr (is_tagged<T>) { // the size is fixed, but writing can fail
    if constexpr (kind_of<T> == kind::variant) {
      if (value.valueless_by_exception()) return m.fail(errc::invalid_value, "a variant that holds a value");
    }
    visit_held(value, [&](auto, const auto& held) {
      using held_type = std::remove_cvref_t<decltype(held)>;
      if constexpr (is_fallible<held_type>) static_cast<void>(measure_tail(m, held, depth));
      else check_whole_part(m, held);
    });
    return 0;
  } else {
    return 0;
  }
}

/// Returns true if `passes` accepts all floats in a key. In an unordered multimap, entries with
/// equal keys are ordered by the bytes of their values. So if a key contains such a multimap, the
/// floats in the multimap's values are passed to `passes.by_bytes` if it exists. The key was
/// measured or read before, which limits the depth of the recursion.
template <class K, bool ByBytes = false, class F>
constexpr bool for_all_key_floats(const K& key, const F& passes) {
  if constexpr (!has_float<K>()) {
    return true;
  } else if constexpr (kind_of<K> == kind::floating) {
    if constexpr (ByBytes && requires { passes.by_bytes(key); }) return passes.by_bytes(key);
    else return passes(key);
  } else if constexpr (kind_of<K> == kind::duration) {
    return for_all_key_floats<typename K::rep, ByBytes>(key.count(), passes);
  } else if constexpr (kind_of<K> == kind::time_point) {
    return for_all_key_floats<typename K::duration, ByBytes>(key.time_since_epoch(), passes);
  } else if constexpr (kind_of<K> == kind::complex) {
    using half = typename K::value_type;
    return for_all_key_floats<half, ByBytes>(key.real(), passes) &&
           for_all_key_floats<half, ByBytes>(key.imag(), passes);
  } else if constexpr (kind_of<K> == kind::adapted) {
    const auto& stored = adapt<K>::to(key);
    return for_all_key_floats<adapted_t<K>, ByBytes>(stored, passes);
  } else if constexpr (is_list<K> || kind_of<K> == kind::array) {
    for (const auto& element : key) {
      if constexpr (is_map<K>) {
        constexpr bool by_bytes = ByBytes || (kind_of<K> == kind::unordered_map && is_multi<K>);
        if (!for_all_key_floats<key_t<K>, ByBytes>(element.first, passes) ||
            !for_all_key_floats<mapped_t<K>, by_bytes>(element.second, passes))
          return false;
      } else {
        if (!for_all_key_floats<element_t<K>, ByBytes>(element, passes)) return false;
      }
    }
    return true;
  } else if constexpr (is_tagged<K>) {
    bool all = true;
    visit_held(key, [&](auto, const auto& held) {
      using held_type = std::remove_cvref_t<decltype(held)>;
      if constexpr (has_float<held_type>()) all = for_all_key_floats<held_type, ByBytes>(held, passes);
    });
    return all;
  } else {
    static_assert(!is_evolvable<K>, "ingot: a key can't be an evolvable record that holds floats");
    const auto pointers = part_pointers(key);
    return [&]<std::size_t... I>(std::index_sequence<I...>) {
      return ((parts<K>::template skipped<I> ||
               for_all_key_floats<std::remove_const_t<typename parts<K>::template type<I>>, ByBytes>(
                   *pointer_at<I>(pointers), passes)) &&
              ...);
    }(std::make_index_sequence<parts<K>::count>{});
  }
}

/// Tests whether a float in a key can be written. Rejects NaN, because NaN has no position in an
/// order. -0 is written as 0. This keeps the key's position in an order by value, but not in an
/// order by bytes, so `by_bytes` also rejects -0.
struct writable_in_key {
  measurer& m;
  template <class N>
  constexpr bool operator()(const N& number) const {
    return !is_nan(number) || reject();
  }
  template <class N>
  constexpr bool by_bytes(const N& number) const {
    return is_normal_key_float(number) || reject();
  }
  /// Sets the error that readers report.
  [[nodiscard]] INGOT_COLD constexpr bool reject() const {
    return m.fail(errc::not_canonical, "a key that is neither NaN nor -0") != 0;
  }
};
template <class K>
constexpr void measure_key(measurer& m, const K& key) {
  if (!m.failed) static_cast<void>(for_all_key_floats<K>(key, writable_in_key{m}));
}
/// Returns true if `wanted` can be a key. A value that contains NaN can't be a key, because it
/// would compare as equal to every key.
template <class K, class Q>
constexpr bool may_be_key(const Q& wanted) {
  if constexpr (!has_float<K>()) {
    return true;
  } else if constexpr (kind_of<K> == kind::adapted) {
    if constexpr (std::is_same_v<K, Q>) return may_be_key<adapted_t<K>>(adapt<K>::to(wanted));
    else return may_be_key<adapted_t<K>>(wanted);
  } else if constexpr (std::is_same_v<K, Q>) {
    return for_all_key_floats<K>(wanted, [](const auto& number) { return !is_nan(number); });
  } else {
    return may_be_key<K>(static_cast<K>(wanted));
  }
}

/// Returns false, with an error, if `list` is a pool from which objects were erased. Readers give
/// the elements of a pool new links, in order. These would differ from the links in such a pool.
template <class List>
constexpr bool keeps_links(measurer& m, const List& list) {
  if constexpr (provides_links<List>) {
    if (!list.was_only_filled()) return m.fail(errc::invalid_value, only_filled_pool), false;
  }
  return true;
}

INGOT_COLD constexpr bool name_failed_entry(measurer& m, std::string_view part, std::size_t index) noexcept {
  m.why->in_member(part).in_element(index);
  return false;
}

/// Calls `f` with every element until `f` returns false. Returns false if `f` returned false, or if
/// `m` polls and is cancelled. For random-access iterators, the inner loop needs no instruction for
/// polls.
template <class List, class M, class F>
INGOT_INLINE constexpr bool for_each_measured([[maybe_unused]] M& m, const List& list, F&& f) {
  auto each = list.begin();
  const auto last = list.end();
  if constexpr (!M::reports_progress) {
    for (; each != last; ++each) {
      if (!f(*each)) return false;
    }
  } else {
    for (std::size_t left = list.size(); left != 0;) {
      const std::size_t run = left < progress_poll::often ? left : progress_poll::often;
      left -= run;
      if (!m.by->steps_should_continue(run)) return false;
      if constexpr (requires { each + std::ptrdiff_t{1}; }) {
        for (const auto stop = each + static_cast<std::ptrdiff_t>(run); each != stop; ++each) {
          if (!f(*each)) return false;
        }
      } else {
        for (std::size_t i = 0; i < run; ++i, ++each) {
          if (!f(*each)) return false;
        }
      }
    }
  }
  return true;
}

template <class List, class M>
constexpr std::uint64_t measure_list(M& m, const List& list, unsigned depth) {
  using element = list_element_t<List>;
  if (!keeps_links(m, list)) return 0;
  static_assert(!(is_sorted_list<List> && is_evolvable<element>),
                "ingot: an evolvable record is no key: its order would change with its members");
  constexpr std::size_t stride = element_stride<element>;
  constexpr bool counted = !is_fixed<element> || stride == 0;
  std::uint64_t total = static_cast<std::uint64_t>(list.size()) * stride + (counted ? end_size : 0) +
                        (is_evolvable<element> ? end_size : 0);
  if constexpr (stride == 0) {
    if (list.size() > max_empty_elements - m.empty_elements) {
      return m.fail(errc::too_large, "at most 65536 elements of size zero in a message");
    }
    m.empty_elements += static_cast<std::uint32_t>(list.size());
  }
  if constexpr (!is_fixed<element> || is_fallible<element> || key_has_float<List>()) {
    [[maybe_unused]] std::size_t index = 0;
    const bool all = for_each_measured(m, list, [&](const auto& item) INGOT_INLINE_LAMBDA {
      if constexpr (is_map<List>) {
        total += measure_tail<key_t<List>>(m, item.first, depth);
        if constexpr (is_fallible<List>) {
          if (m.failed) [[unlikely]]
            return name_failed_entry(m, "key", index);
        }
        if constexpr (key_has_float<List>()) {
          measure_key<key_t<List>>(m, item.first);
          if (m.failed) [[unlikely]] { // a NaN: adds the entry to the path, as readers do
            m.why->in_element(index);
            return false;
          }
        }
        total += measure_tail<mapped_t<List>>(m, item.second, depth);
        if constexpr (is_fallible<List>) {
          if (m.failed) [[unlikely]]
            return name_failed_entry(m, "value", index);
        }
      } else {
        if constexpr (is_evolvable<element>) {
          total += measure_parts<element>(m, item, depth);
        } else {
          total += measure_tail<element>(m, item, depth);
        }
        if constexpr (key_has_float<List>()) measure_key<element>(m, item);
      }
      if constexpr (is_fallible<List>) {
        if (m.failed) [[unlikely]] {
          m.why->in_element(index);
          return false;
        }
        ++index;
      }
      return true;
    });
    if (!all) return 0;
  } else {
    check_whole_part(m, list);
  }
  return total;
}

/// Returns the size of `value` in bytes, as a message or as the payload of a variable field.
template <class T, class M>
constexpr std::uint64_t measure_payload(M& m, const T& value, unsigned depth) {
  if constexpr (is_recursive<T>) {
    if (depth > max_depth) return m.fail(errc::too_deep, "at most 128 levels of nesting");
  }
  if constexpr (kind_of<T> == kind::adapted) {
    if (!fits_stored_form(m, value)) return 0;
    return measure_payload(m, checked_stored(m, value), depth);
  } else if constexpr (kind_of<T> == kind::path) {
    return value.u8string().size();
  } else if constexpr (is_text<T>) {
    return static_cast<std::uint64_t>(value.size()) * sizeof(typename T::value_type);
  } else if constexpr (is_list<T>) {
    return measure_list(m, value, depth + 1);
  } else if constexpr (is_evolvable<T>) {
    return end_size + fixed_part<T> + measure_parts(m, value, depth + 1);
  } else if constexpr (is_tagged<T> && !is_fixed<T>) {
    std::uint64_t total = 0;
    if constexpr (kind_of<T> == kind::variant) {
      if (value.valueless_by_exception()) return m.fail(errc::invalid_value, "a variant that holds a value");
    }
    visit_held(value, [&](auto, const auto& held) {
      using held_type = std::remove_cvref_t<decltype(held)>;
      if constexpr (std::is_same_v<held_type, nothing>) total = 1;
      else total = 1 + measure_payload<held_type>(m, held, depth + 1);
    });
    return total;
  } else {
    return fixed_part<T> + measure_tail(m, value, depth);
  }
}

}}} // namespace ingot::INGOT_V1::detail
