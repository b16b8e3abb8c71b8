// SPDX-License-Identifier: Apache-2.0
// Compile errors for types that can't be stored, with the name of the type and the member. Every
// representation checks a type here first. So its templates are never instantiated for a type that
// they can't handle.
#pragma once

#include <ingot/reflect/detail/annotation_types.hpp>
#include <ingot/reflect/detail/lossy_options.hpp>
#include <ingot/reflect/detail/parts_of.hpp>
#include <ingot/reflect/kind.hpp>
#include <ingot/reflect/sentence.hpp>

#include <cstddef>
#include <string_view>
#include <type_traits>
#include <utility>

namespace ingot { inline namespace INGOT_V1 {

#if !INGOT_SENTENCES
/// These functions are never called: their names are error messages. `Member` is empty if the error
/// is in the type itself.
namespace rejected {
// clang-format off
template <class Type, fixed_string Member, class Found>
bool a_raw_pointer_means_nothing_to_another_process__store_an_index_a_unique_ptr_or_the_value_itself() = delete;
template <class Type, fixed_string Member, class Found>
bool a_reference_means_nothing_to_another_process__store_an_index_or_the_value_itself() = delete;
template <class Type, fixed_string Member, class Found>
bool a_function_or_member_pointer_means_nothing_to_another_process__store_an_enum_or_a_name() = delete;
template <class Type, fixed_string Member, class Found>
bool a_long_double_differs_between_platforms__store_a_double() = delete;
template <class Type, fixed_string Member, class Found>
bool a_union_type_does_not_say_which_member_is_alive__store_a_variant() = delete;
template <class Type, fixed_string Member, class Found>
bool a_volatile_type_cannot_be_read_or_written_as_a_whole__store_it_without_volatile() = delete;
template <class Type, fixed_string Member, class Found>
bool a_const_member_cannot_be_read_into__store_it_without_const_or_annotate_it_skip() = delete;
template <class Type, fixed_string Member, class Found>
bool a_shared_pointer_would_be_duplicated__store_a_unique_ptr_an_index_or_the_value_itself() = delete;
template <class Type, fixed_string Member, class Found>
bool a_wide_character_differs_between_platforms__store_char_char16_t_or_char32_t() = delete;
template <class Type, fixed_string Member, class Found>
bool an_unsized_array_does_not_say_how_many_elements_it_has__store_a_vector() = delete;
template <class Type, fixed_string Member, class Found>
bool a_polymorphic_box_would_lose_what_derived_classes_add__store_a_variant() = delete;
template <class Type, fixed_string Member, class Found>
bool an_unknown_enum_has_no_enumerator_that_can_be_seen__name_them_in_its_annotations_or_make_it_open_enum() = delete;
template <class Type, fixed_string Member, class Found>
bool a_derived_class_adds_members_that_would_be_lost__make_the_base_a_member_or_specialise_adapt_or_annotate_it_partial() = delete;
template <class Type, fixed_string Member, class Found>
bool a_wide_integer_is_no_standard_type__store_one_of_at_most_64_bits_or_an_array_of_two() = delete;
template <class Type, fixed_string Member, class Found>
bool an_extended_float_is_not_stored__store_a_float_or_a_double() = delete;
template <class Type, fixed_string Member, class Found>
bool a_null_pointer_holds_no_value__store_a_monostate_or_leave_it_out() = delete;
template <class Type, fixed_string Member, class Found>
bool an_atomic_may_change_while_it_is_stored__store_a_copy_of_its_value() = delete;
template <class Type, fixed_string Member, class Found>
bool a_calendar_type_hides_its_members__store_sys_days_or_specialise_adapt() = delete;
template <class Type, fixed_string Member, class Found>
bool a_standard_class_hides_its_members__store_what_it_is_made_from_or_specialise_adapt() = delete;
template <class Type, fixed_string Member, class Found>
bool an_unknown_class_hides_its_members__give_it_reflect_or_INGOT_REFLECT_or_adapt() = delete;
// clang-format on
} // namespace rejected
#endif

namespace detail {

#if INGOT_SENTENCES

struct refusal_text {
  std::string_view code; ///< the enumerator's name, for a search in the documentation
  std::string_view noun;
  std::string_view reason;
};

constexpr refusal_text text_of(unsupported_reason reason) noexcept {
  switch (reason) {
  case unsupported_reason::none: break;
  case unsupported_reason::raw_pointer:
    return {"raw_pointer", "a raw pointer",
            "which means nothing to another process: store an index, a std::unique_ptr or the value itself"};
  case unsupported_reason::reference:
    return {"reference", "a reference",
            "which means nothing to another process: store an index or the value itself"};
  case unsupported_reason::function:
    return {"function", "a pointer to a function or member",
            "which means nothing to another process: store an enum or a name"};
  case unsupported_reason::long_double:
    return {"long_double", "a long double", "which differs between platforms: store a double"};
  case unsupported_reason::union_type:
    return {"union_type", "a union", "which does not say which member is alive: store a std::variant"};
  case unsupported_reason::volatile_type:
    return {"volatile_type", "volatile",
            "so it can't be read or written as a whole: store it without volatile"};
  case unsupported_reason::const_member:
    return {"const_member", "const",
            "so it can't be read into: remove const, or annotate the member ingot::skip"};
  case unsupported_reason::shared_pointer:
    return {"shared_pointer", "a shared pointer",
            "whose object would be duplicated: store a std::unique_ptr, an index or the value itself"};
  case unsupported_reason::wide_character:
    return {"wide_character", "a wchar_t",
            "which differs between platforms: store char, char16_t or char32_t"};
  case unsupported_reason::unsized_array:
    return {"unsized_array", "an array", "which does not say how many elements it has: store a std::vector"};
  case unsupported_reason::polymorphic_box:
    return {"polymorphic_box", "a pointer to a polymorphic class",
            "which would lose what derived classes add: store a std::variant"};
  case unsupported_reason::unknown_enum:
    return {"unknown_enum", "an enum without visible enumerators",
            "so every value would be rejected: name them in its ingot::annotations, or annotate it "
            "ingot::open_enum"};
  case unsupported_reason::derived_class:
    return {"derived_class", "of a class derived from one that is stored as a whole",
            "so its own members would be lost: make the base a member, specialise ingot::adapt, or annotate "
            "the class ingot::partial to leave them out"};
  case unsupported_reason::wide_integer:
    return {"wide_integer", "an integer of the compiler's own",
            "which is no standard type: store an integer of at most 64 bits, or an array of two"};
  case unsupported_reason::extended_float:
    return {"extended_float", "an extended floating-point number",
            "which ingot doesn't store: store a float or a double"};
  case unsupported_reason::null_pointer:
    return {"null_pointer", "a std::nullptr_t",
            "which holds no value: store a std::monostate, or leave it out"};
  case unsupported_reason::atomic:
    return {"atomic", "an atomic", "which may change while it is stored: store a copy of its value"};
  case unsupported_reason::calendar:
    return {"calendar", "a calendar type of std::chrono",
            "whose members ingot can't see: store std::chrono::sys_days, or specialise ingot::adapt"};
  case unsupported_reason::standard_class:
    return {"standard_class", "a class of the standard library",
            "whose members ingot can't see: store what it is made from, or specialise ingot::adapt"};
  case unsupported_reason::unknown_class:
    return {"unknown_class", "of a type whose members ingot can't see",
            "so it needs a `reflect` function, INGOT_REFLECT or ingot::adapt"};
  }
  return {};
}

template <unsupported_reason Why, class Type, fixed_string Member, class Found, bool Direct>
consteval sentence refusal_sentence() {
  constexpr auto text = text_of(Why);
  sentence result = about<Type, Member>();
  result.add(Direct ? " is " : " holds something that is ").add(text.noun);
  if (Why == unsupported_reason::unknown_class || Why == unsupported_reason::derived_class ||
      Why == unsupported_reason::standard_class || !Direct)
    result.add(" (").add(type_name<Found>()).add(")");
  result.add(", ").add(text.reason).add(" [").add(text.code).add("]");
  return result;
}

#if defined(__clang__)
#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wc++26-extensions" // computed messages, see INGOT_SENTENCES
#endif
template <unsupported_reason Why, class Type, fixed_string Member, class Found, bool Direct>
consteval void reject_type() {
  static_assert(Why == unsupported_reason::none, refusal_sentence<Why, Type, Member, Found, Direct>());
}
#if defined(__clang__)
#pragma clang diagnostic pop
#endif

#else

// clang-format off
template <unsupported_reason Why, class Type, fixed_string Member, class Found, bool Direct>
consteval void reject_type() {
  using namespace rejected;
  if constexpr (Why == unsupported_reason::raw_pointer) a_raw_pointer_means_nothing_to_another_process__store_an_index_a_unique_ptr_or_the_value_itself<Type, Member, Found>();
  else if constexpr (Why == unsupported_reason::reference) a_reference_means_nothing_to_another_process__store_an_index_or_the_value_itself<Type, Member, Found>();
  else if constexpr (Why == unsupported_reason::function) a_function_or_member_pointer_means_nothing_to_another_process__store_an_enum_or_a_name<Type, Member, Found>();
  else if constexpr (Why == unsupported_reason::long_double) a_long_double_differs_between_platforms__store_a_double<Type, Member, Found>();
  else if constexpr (Why == unsupported_reason::union_type) a_union_type_does_not_say_which_member_is_alive__store_a_variant<Type, Member, Found>();
  else if constexpr (Why == unsupported_reason::volatile_type) a_volatile_type_cannot_be_read_or_written_as_a_whole__store_it_without_volatile<Type, Member, Found>();
  else if constexpr (Why == unsupported_reason::const_member) a_const_member_cannot_be_read_into__store_it_without_const_or_annotate_it_skip<Type, Member, Found>();
  else if constexpr (Why == unsupported_reason::shared_pointer) a_shared_pointer_would_be_duplicated__store_a_unique_ptr_an_index_or_the_value_itself<Type, Member, Found>();
  else if constexpr (Why == unsupported_reason::wide_character) a_wide_character_differs_between_platforms__store_char_char16_t_or_char32_t<Type, Member, Found>();
  else if constexpr (Why == unsupported_reason::unsized_array) an_unsized_array_does_not_say_how_many_elements_it_has__store_a_vector<Type, Member, Found>();
  else if constexpr (Why == unsupported_reason::polymorphic_box) a_polymorphic_box_would_lose_what_derived_classes_add__store_a_variant<Type, Member, Found>();
  else if constexpr (Why == unsupported_reason::unknown_enum) an_unknown_enum_has_no_enumerator_that_can_be_seen__name_them_in_its_annotations_or_make_it_open_enum<Type, Member, Found>();
  else if constexpr (Why == unsupported_reason::derived_class) a_derived_class_adds_members_that_would_be_lost__make_the_base_a_member_or_specialise_adapt_or_annotate_it_partial<Type, Member, Found>();
  else if constexpr (Why == unsupported_reason::wide_integer) a_wide_integer_is_no_standard_type__store_one_of_at_most_64_bits_or_an_array_of_two<Type, Member, Found>();
  else if constexpr (Why == unsupported_reason::extended_float) an_extended_float_is_not_stored__store_a_float_or_a_double<Type, Member, Found>();
  else if constexpr (Why == unsupported_reason::null_pointer) a_null_pointer_holds_no_value__store_a_monostate_or_leave_it_out<Type, Member, Found>();
  else if constexpr (Why == unsupported_reason::atomic) an_atomic_may_change_while_it_is_stored__store_a_copy_of_its_value<Type, Member, Found>();
  else if constexpr (Why == unsupported_reason::calendar) a_calendar_type_hides_its_members__store_sys_days_or_specialise_adapt<Type, Member, Found>();
  else if constexpr (Why == unsupported_reason::standard_class) a_standard_class_hides_its_members__store_what_it_is_made_from_or_specialise_adapt<Type, Member, Found>();
  else an_unknown_class_hides_its_members__give_it_reflect_or_INGOT_REFLECT_or_adapt<Type, Member, Found>();
}
// clang-format on

#endif

/// The reason why a type can't be stored, and the type to which the reason applies: the type
/// itself, or one of its parts.
template <unsupported_reason Why, class Found>
struct fault {
  static constexpr unsupported_reason why = Why;
  using found = Found;
};

template <class T>
consteval auto find_fault();

template <class T>
using fault_of = decltype(find_fault<T>());

template <class... Ts>
consteval auto first_fault(type_pack<Ts...>) {
  return fault<unsupported_reason::none, void>{};
}
template <class First, class... Rest>
consteval auto first_fault(type_pack<First, Rest...>) {
  if constexpr (fault_of<First>::why != unsupported_reason::none) return fault_of<First>{};
  else return first_fault(type_pack<Rest...>{});
}
template <class T>
consteval auto find_fault() {
  if constexpr (unsupported_reason_of<T> != unsupported_reason::none)
    return fault<unsupported_reason_of<T>, T>{};
  else return first_fault(parts_of<T>());
}

/// The types that a walk has visited. With this list, the walk over a recursive type ends, and
/// visits no type twice.
class visited_types {
public:
  constexpr visited_types() = default;
  visited_types(const visited_types&) = delete;
  visited_types& operator=(const visited_types&) = delete;
  constexpr ~visited_types() {
    while (last_ != nullptr) delete std::exchange(last_, last_->before);
  }
  /// Returns false if `type` was visited before.
  constexpr bool add(std::string_view type) {
    for (const node* at = last_; at != nullptr; at = at->before) {
      if (at->type == type) return false;
    }
    last_ = new node{type, last_};
    return true;
  }

private:
  struct node {
    std::string_view type;
    node* before;
  };
  node* last_ = nullptr;
};
/// The use of a type. Types that are only written may have const members.
enum class use : bool { read, write };

template <class T, use Use>
constexpr void walk_type(visited_types& seen);

template <use Use, class... Ts>
constexpr void walk_types(visited_types& seen, type_pack<Ts...>) {
  (walk_type<std::remove_const_t<Ts>, Use>(seen), ...);
}
template <class T, std::size_t I, use Use>
constexpr void walk_member(visited_types& seen) {
  if constexpr (!member_has<T, I, skip_t>) {
    using declared = member_type<T, I>;
    using type = std::conditional_t<Use == use::write, std::remove_const_t<declared>, declared>;
    using found = fault_of<type>;
    if constexpr (found::why != unsupported_reason::none) {
      constexpr auto name = declared_name_table<T>[I];
      reject_type<found::why, T, fixed_string<name.size() + 1>(name), typename found::found,
                  std::is_same_v<type, typename found::found>>();
    } else {
      walk_type<type, Use>(seen);
    }
  }
}
/// The instantiation of this function reports the errors. The function is also called, so that
/// compilers instantiate its parts in order.
template <class T, use Use>
constexpr void walk_type(visited_types& seen) {
  if constexpr (kind_of<T> == kind::record) {
    if (!seen.add(type_tag<T>())) return;
    check_idle_annotations<T>();
    check_losses<T>();
    [&]<std::size_t... I>(std::index_sequence<I...>) {
      (walk_member<T, I, Use>(seen), ...);
    }(std::make_index_sequence<member_count<T>>{});
  } else if constexpr (kind_of<T> == kind::adapted) {
    if (!seen.add(type_tag<T>())) return;
    using found = fault_of<adapted_t<T>>;
    if constexpr (found::why != unsupported_reason::none) {
      reject_type<found::why, adapt<T>, "to", typename found::found, false>();
    } else {
      walk_type<adapted_t<T>, Use>(seen);
    }
  } else {
    walk_types<Use>(seen, parts_of<T>());
  }
}

template <class T, use Use>
inline constexpr bool is_storable = [] {
  using found = fault_of<T>;
  if constexpr (found::why != unsupported_reason::none) {
    reject_type<found::why, T, "", typename found::found, std::is_same_v<T, typename found::found>>();
  } else {
    visited_types seen;
    walk_type<T, Use>(seen);
  }
  return true;
}();

/// Returns true, or fails to compile with one sentence that names the type and the member that
/// can't be stored. Members with the annotation `skip` may have any type. Every entry point of a
/// representation asserts this.
template <class T>
consteval bool require_storable() {
  return is_storable<std::remove_const_t<T>, use::read>;
}
/// Like `require_storable`, for types that are only written.
template <class T>
consteval bool require_writable() {
  return is_storable<std::remove_const_t<T>, use::write>;
}

} // namespace detail
}} // namespace ingot::INGOT_V1
