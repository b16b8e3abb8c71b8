// SPDX-License-Identifier: Apache-2.0
// Finds values that a type can hold, but that its readers reject. Writers also reject these values,
// with the error that a reader would give.
//
// There are two functions. `has_rejected` has few branches and runs for every value that is
// written; for types whose readers accept every value it is `false` at compile time.
// `rejection_search` runs only if `has_rejected` returned true: it finds the error.
#pragma once

#include <ingot/core/detail/float_tests.hpp>
#include <ingot/core/detail/pending_error.hpp>
#include <ingot/core/error.hpp>
#include <ingot/pack/layout.hpp>
#include <ingot/reflect/detail/own_checks.hpp>
#include <ingot/reflect/enums.hpp>
#include <ingot/reflect/hooks.hpp>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <type_traits>
#include <utility>

namespace ingot { inline namespace INGOT_V1 { namespace detail {

/// Checks that only the readers of some representations make.
struct reader_checks {
  bool valid_of_any_class = false; ///< call `valid` of every class, not only of records
  bool number_keys = false;        ///< reject NaN as a key
};

template <reader_checks Checks, class T>
inline constexpr bool asks_valid = [] {
  if constexpr (is_entry<T> || std::is_same_v<T, nothing>) return false;
  else return has_valid<T> && (Checks.valid_of_any_class || kind_of<T> == kind::record);
}();

template <reader_checks Checks, class T, class... Path>
consteval bool rejectable_in();
/// True if a type has values that readers reject, because of closed enums, limits of members,
/// `valid`, or a `from` that returns a result.
template <reader_checks Checks, class T>
inline constexpr bool can_be_rejected = rejectable_in<Checks, T>();

template <reader_checks Checks, class T, class... Path>
consteval bool rejectable_in() {
  if constexpr (std::is_same_v<T, nothing>) {
    return false;
  } else if constexpr (asks_valid<Checks, T>) {
    return true;
  } else if constexpr (has_parts<T>) {
    if constexpr (is_any_of<T, Path...>) return false; // an outer call examines `T`
    else {
      return []<std::size_t... I>(std::index_sequence<I...>) {
        [[maybe_unused]] const auto one = []<std::size_t J>(std::integral_constant<std::size_t, J>) {
          if constexpr (parts<T>::template skipped<J>) return false;
          else
            return is_limited_part<T, J>() ||
                   rejectable_in<Checks, typename parts<T>::template type<J>, Path..., T>();
        };
        return (one(std::integral_constant<std::size_t, I>{}) || ...);
      }(std::make_index_sequence<parts<T>::count>{});
    }
  } else if constexpr (kind_of<T> == kind::adapted) {
    if constexpr (document_like<T>) return false;
    else return from_may_reject<T> || rejectable_in<Checks, adapted_t<T>, Path...>();
  } else if constexpr (kind_of<T> == kind::enumeration) {
    return !enum_is_open<T>;
  } else if constexpr (kind_of<T> == kind::array) {
    return rejectable_in<Checks, element_t<T>, Path...>();
  } else if constexpr (is_list<T>) {
    if constexpr (is_sorted_list<T>) {
      if constexpr (Checks.number_keys && kind_of<key_t<T>> == kind::floating) return true;
    }
    return rejectable_in<Checks, list_element_t<T>, Path...>();
  } else if constexpr (is_tagged<T>) {
    return []<class... Ts>(alternatives<Ts...>) {
      return (rejectable_in<Checks, std::remove_const_t<Ts>, Path...>() || ...);
    }(tagged_alternatives<T>());
  } else {
    return false;
  }
}

/// Returns true if limits of the record's members, or its `valid`, reject the record. `bad` is true
/// if a member is rejected already.
template <reader_checks Checks, class T, class Pointers>
[[nodiscard]] INGOT_INLINE constexpr bool
is_rejected_itself(const T& value, [[maybe_unused]] const Pointers& pointers, bool bad) {
  [&]<std::size_t... I>(std::index_sequence<I...>) INGOT_INLINE_LAMBDA {
    [[maybe_unused]] const auto one =
        [&]<std::size_t J>(std::integral_constant<std::size_t, J>) INGOT_INLINE_LAMBDA {
          if constexpr (!parts<T>::template skipped<J> && is_limited_part<T, J>()) {
            limit_failure ignored;
            bad |= !check_member<T, J>(*pointer_at<J>(pointers), ignored);
          }
        };
    (one(std::integral_constant<std::size_t, I>{}), ...);
  }(std::make_index_sequence<parts<T>::count>{});
  // `valid` may require valid members, so it is not called for invalid members
  if constexpr (asks_valid<Checks, T>) bad = bad || !is_valid(value);
  return bad;
}

/// Maximum depth of the search in recursive types. Writers reject deeper values because of their
/// depth.
inline constexpr unsigned searched_levels = 4 * max_depth;

template <reader_checks Checks, class T>
constexpr bool has_rejected(const T& value, unsigned levels);

/// Returns true if a reader would reject a part of `value`. O(n) in the parts that a reader can
/// reject.
template <reader_checks Checks, class T>
INGOT_INLINE constexpr bool has_rejected_inline(const T& value, unsigned levels) {
  if constexpr (!can_be_rejected<Checks, T>) {
    return false;
  } else if constexpr (kind_of<T> == kind::enumeration) {
    return !enum_valid(value);
  } else if constexpr (is_recursive<T> && (is_list<T> || is_tagged<T>)) {
    return levels != 0 && has_rejected<Checks>(value, levels - 1);
  } else if constexpr (is_list<T> || is_tagged<T>) {
    return has_rejected<Checks>(value, levels);
  } else {
    bool bad = false;
    if constexpr (kind_of<T> == kind::adapted) {
      adapted_t<T> stored = adapt<T>::to(value);
      bad = has_rejected_inline<Checks>(stored, levels);
      if constexpr (from_may_reject<T>) bad = bad || !adapt_from<T>(std::move(stored)).has_value();
    } else if constexpr (kind_of<T> == kind::array) {
      for (std::size_t i = 0; i < array_size<T>; ++i)
        bad |= has_rejected_inline<Checks, element_t<T>>(value[i], levels);
    } else if constexpr (has_parts<T>) {
      const auto pointers = part_pointers(value);
      [&]<std::size_t... I>(std::index_sequence<I...>) INGOT_INLINE_LAMBDA {
        [[maybe_unused]] const auto one = [&]<std::size_t J>(
                                              std::integral_constant<std::size_t, J>) INGOT_INLINE_LAMBDA {
          if constexpr (!parts<T>::template skipped<J>) {
            bad |= has_rejected_inline<Checks, typename parts<T>::template type<J>>(*pointer_at<J>(pointers),
                                                                                    levels);
          }
        };
        (one(std::integral_constant<std::size_t, I>{}), ...);
      }(std::make_index_sequence<parts<T>::count>{});
      return is_rejected_itself<Checks>(value, pointers, bad);
    }
    if constexpr (asks_valid<Checks, T>) bad = bad || !is_valid(value);
    return bad;
  }
}
/// As `has_rejected_inline`, out of line, for containers and held values.
template <reader_checks Checks, class T>
constexpr bool has_rejected(const T& value, unsigned levels) {
  bool bad = false;
  if constexpr (!can_be_rejected<Checks, T>) {
    return false;
  } else if constexpr (is_list<T>) {
    using element = list_element_t<T>;
    for (const auto& item : value) {
      if constexpr (is_sorted_list<T>) {
        if constexpr (Checks.number_keys && kind_of<key_t<T>> == kind::floating) {
          if constexpr (is_map<T>) bad |= is_nan(item.first);
          else bad |= is_nan(item);
        }
      }
      if constexpr (is_map<T>) {
        bad |= has_rejected_inline<Checks, key_t<T>>(item.first, levels);
        bad |= has_rejected_inline<Checks, mapped_t<T>>(item.second, levels);
      } else {
        bad |= has_rejected_inline<Checks, element>(item, levels);
      }
    }
  } else if constexpr (is_tagged<T>) {
    visit_held(value, [&](auto, const auto& held) {
      using held_type = std::remove_cvref_t<decltype(held)>;
      bad = has_rejected_inline<Checks, held_type>(held, levels);
    });
  } else {
    return has_rejected_inline<Checks>(value, levels);
  }
  if constexpr (asks_valid<Checks, T>) bad = bad || !is_valid(value);
  return bad;
}

/// Position of a closed enum in a value: by itself, in a member, or in a key.
enum class enumerator_position : std::uint8_t { lone, member, key };

/// The rules by which `rejection_search` walks a value and reports positions. This struct has the
/// rules of most readers. Other representations derive from it, and replace the parts that differ.
struct rejection_form {
  static constexpr reader_checks checks{};
  /// True if readers check a record's whole fixed part before the payloads of its members.
  static constexpr bool checks_levels_first = false;

  /// Calls `f` with the elements in the order of the written bytes.
  template <class List, class F>
  static constexpr void for_each(const List& list, F&& f) {
    for (const auto& item : list) f(item);
  }
  /// Returns true if a member is not written, because readers assign this value to an absent
  /// member.
  template <class T, std::size_t I, class M>
  static constexpr bool is_left_out(const M&) {
    return false;
  }
  template <class Map>
  static constexpr enumerator_position position_of_key = enumerator_position::lone;
  template <class Map>
  static constexpr enumerator_position position_of_mapped = enumerator_position::lone;
  template <class E>
  INGOT_COLD static constexpr error enumerator_error(E value, enumerator_position) noexcept {
    return bad_enumerator(value);
  }
  INGOT_COLD static constexpr error nan_error(bool) noexcept { return error{errc::invalid_value}; }
  template <class Map, class Item>
  INGOT_COLD static constexpr void name_entry(error& err, const Item&, bool is_key, std::size_t index) {
    err.in_member(is_key ? "key" : "value").in_element(index);
  }
  /// Adds the step to a value inside an optional, a box, a variant or an expected to the error's
  /// path.
  template <class Tagged>
  INGOT_COLD static constexpr void name_held(error&, std::size_t) {}
};

/// Finds the first part of a value that readers reject, and the error that the readers give.
template <class Form>
class rejection_search {
public:
  static constexpr reader_checks checks = Form::checks;

  /// Returns the error without an offset, or nothing if readers accept the value.
  template <class T>
  INGOT_COLD [[nodiscard]] static constexpr std::optional<error> find(const T& value,
                                                                      unsigned levels = searched_levels) {
    rejection_search search;
    if (!search.in_payload<T>(value, levels, enumerator_position::member)) return std::nullopt;
    return *search.why_;
  }

private:
  constexpr bool reject(const error& err) noexcept {
    why_ = err;
    return true;
  }
  template <class T>
  constexpr bool name_part(std::size_t index) noexcept {
    if constexpr (kind_of<T> == kind::record) why_->in_member(public_name_table<T>[index]);
    else why_->in_element(index);
    return true;
  }
  template <class E>
  constexpr bool enumerator(E value, enumerator_position where) noexcept {
    return !enum_valid(value) && reject(Form::enumerator_error(value, where));
  }
  template <class T>
  constexpr bool own_check(const T& value) {
    if constexpr (asks_valid<checks, T>) {
      return !is_valid(value) && reject(error{errc::invalid_value}.with_expected(what_valid_accepts));
    } else {
      return false;
    }
  }
  template <class T>
  constexpr bool from_check(adapted_t<T>&& stored) {
    if constexpr (from_may_reject<T>) {
      const auto value = adapt_from<T>(std::move(stored));
      return !value.has_value() && reject(value.error());
    } else {
      return false;
    }
  }

  /// Calls `look(index, part)` for the members that are written, until `look` returns true.
  template <class T, class Look>
  constexpr bool any_part(const T& value, const Look& look) {
    const auto pointers = part_pointers(value);
    return [&]<std::size_t... I>(std::index_sequence<I...>) {
      [[maybe_unused]] const auto one = [&]<std::size_t J>(std::integral_constant<std::size_t, J> index) {
        if constexpr (parts<T>::template skipped<J>) {
          return false;
        } else {
          const auto& part = *pointer_at<J>(pointers);
          return !Form::template is_left_out<T, J>(part) && look(index, part);
        }
      };
      return (one(std::integral_constant<std::size_t, I>{}) || ...);
    }(std::make_index_sequence<parts<T>::count>{});
  }

  /// Searches one level (level.hpp) of a value for an invalid enumerator: the slots, but not the
  /// payloads of variable fields.
  template <class T>
  constexpr bool in_level(const T& value) {
    if constexpr (!Form::checks_levels_first || !can_be_rejected<checks, T>) {
      return false;
    } else if constexpr (is_variable_leaf<T>) {
      return false;
    } else if constexpr (kind_of<T> == kind::enumeration) {
      return enumerator(value, enumerator_position::lone);
    } else if constexpr (kind_of<T> == kind::adapted) {
      return in_level<adapted_t<T>>(adapt<T>::to(value));
    } else if constexpr (kind_of<T> == kind::array) {
      for (std::size_t i = 0; i < array_size<T>; ++i) {
        if (in_level<element_t<T>>(value[i])) return why_->in_element(i), true;
      }
      return false;
    } else if constexpr (has_parts<T>) {
      return in_level_of_parts(value);
    } else {
      bool bad = false;
      if constexpr (is_tagged<T>) {
        visit_held(value, [&](auto, const auto& held) { bad = in_level(held); });
      }
      return bad;
    }
  }
  template <class T>
  constexpr bool in_level_of_parts(const T& value) {
    return any_part(value, [&](auto index, const auto& part) {
      return in_level<typename parts<T>::template type<index>>(part) && name_part<T>(index);
    });
  }

  /// Searches a value for a part that readers reject. `in_level` has found nothing in its slot.
  template <class T>
  constexpr bool in_slot(const T& value, unsigned levels, enumerator_position where) {
    if constexpr (!can_be_rejected<checks, T>) {
      return false;
    } else if constexpr (is_variable_leaf<T>) {
      return in_payload<T>(value, levels, where);
    } else if constexpr (kind_of<T> == kind::enumeration) {
      return !Form::checks_levels_first && enumerator(value, where);
    } else if constexpr (kind_of<T> == kind::adapted) {
      adapted_t<T> stored = adapt<T>::to(value);
      return in_slot(stored, levels, where) || from_check<T>(std::move(stored)) || own_check(value);
    } else if constexpr (kind_of<T> == kind::array) {
      for (std::size_t i = 0; i < array_size<T>; ++i) {
        if (in_slot<element_t<T>>(value[i], levels, enumerator_position::lone))
          return why_->in_element(i), true;
      }
      return own_check(value);
    } else if constexpr (has_parts<T>) {
      return in_parts(value, levels);
    } else {
      bool bad = false;
      if constexpr (is_tagged<T>) {
        visit_held(value, [&](auto index, const auto& held) {
          bad = in_slot(held, levels, enumerator_position::lone);
          if (bad) Form::template name_held<T>(*why_, index);
        });
      }
      return bad || own_check(value);
    }
  }
  template <class T>
  constexpr bool in_parts(const T& value, unsigned levels) {
    const bool bad = any_part(value, [&](auto index, const auto& part) {
      using part_type = typename parts<T>::template type<index>;
      if (in_slot<part_type>(part, levels, enumerator_position::member)) return name_part<T>(index);
      if constexpr (is_limited_part<T, index>()) {
        limit_failure failure;
        if (!check_member<T, index>(part, failure)) {
          error rejected = error{failure.code}.with_expected(failure.expected);
          failure.name_found(rejected);
          reject(rejected);
          return name_part<T>(index);
        }
      }
      return false;
    });
    return bad || own_check(value);
  }

  /// Searches a value that has its own payload for a part that readers reject. Such a value is a
  /// whole message, an element, or a variable member.
  template <class T>
  constexpr bool in_payload(const T& value, unsigned levels, enumerator_position where) {
    if constexpr (!can_be_rejected<checks, T>) {
      return false;
    } else if constexpr (kind_of<T> == kind::adapted) {
      adapted_t<T> stored = adapt<T>::to(value);
      return in_payload<adapted_t<T>>(stored, levels, where) || from_check<T>(std::move(stored)) ||
             own_check(value);
    } else if constexpr (is_list<T>) {
      return (levels != 0 && in_list(value, levels - 1)) || own_check(value);
    } else if constexpr (is_tagged<T> && !is_fixed<T>) {
      bool bad = false;
      visit_held(value, [&](auto index, const auto& held) {
        bad = levels != 0 && in_payload(held, levels - 1, enumerator_position::lone);
        if (bad) Form::template name_held<T>(*why_, index);
      });
      return bad || own_check(value);
    } else if constexpr (has_parts<T>) {
      if constexpr (Form::checks_levels_first) {
        if (in_level_of_parts(value)) return true;
      }
      return in_parts(value, levels);
    } else {
      return in_level<T>(value) || in_slot<T>(value, levels, where);
    }
  }
  template <class List>
  constexpr bool in_list(const List& list, unsigned levels) {
    bool bad = false;
    std::size_t index = 0;
    Form::for_each(list, [&](const auto& item) {
      if (bad) return;
      if constexpr (is_map<List>) bad = in_entry<List>(item, index, levels);
      else bad = in_element<List>(item, index, levels);
      ++index;
    });
    return bad;
  }
  template <class List, class Item>
  constexpr bool in_element(const Item& item, std::size_t index, unsigned levels) {
    using element = element_t<List>;
    bool bad = in_payload<element>(item, levels, enumerator_position::lone);
    if constexpr (is_sorted_list<List> && checks.number_keys && kind_of<element> == kind::floating)
      bad = bad || (is_nan(item) && reject(Form::nan_error(false)));
    if (bad) why_->in_element(index);
    return bad;
  }
  template <class Map, class Item>
  constexpr bool in_entry(const Item& item, std::size_t index, unsigned levels) {
    using key = key_t<Map>;
    using mapped = mapped_t<Map>;
    bool of_key = false;
    bool bad = false;
    if constexpr (Form::checks_levels_first) { // key and value of an entry are in one level
      of_key = !is_variable_leaf<key> && in_level<key>(item.first);
      bad = of_key || in_level<mapped>(item.second);
    }
    if (!bad) bad = of_key = in_slot<key>(item.first, levels, Form::template position_of_key<Map>);
    if (!bad) bad = in_slot<mapped>(item.second, levels, Form::template position_of_mapped<Map>);
    if (bad) Form::template name_entry<Map>(*why_, item, of_key, index);
    if constexpr (checks.number_keys && kind_of<key> == kind::floating) {
      if (!bad && is_nan(item.first)) {
        bad = reject(Form::nan_error(true));
        why_->in_element(index);
      }
    }
    return bad;
  }

  pending_error why_;
};

/// Returns the error with which readers of the form reject `value`, or nothing. Searches recursive
/// types `levels` deep.
template <class Form, class T>
[[nodiscard]] INGOT_INLINE constexpr std::optional<error> rejection_of(const T& value,
                                                                       unsigned levels = searched_levels) {
  if constexpr (can_be_rejected<Form::checks, T>) {
    if (has_rejected<Form::checks>(value, levels)) [[unlikely]]
      return rejection_search<Form>::find(value, levels);
  }
  return std::nullopt;
}

}}} // namespace ingot::INGOT_V1::detail
