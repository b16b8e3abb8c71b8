// SPDX-License-Identifier: Apache-2.0
// Compile errors of one sentence: the type and member, the mistake, and a remedy.
//
// If static_assert accepts a computed message (C++26; clang also in C++23), the sentence is
// composed here. Otherwise the sentence is the name of a deleted function. The compiler prints this
// name in its error "use of deleted function", with the template arguments: the type, the member,
// and the type that was found.
#pragma once

#include <ingot/reflect/detail/names.hpp>
#include <ingot/reflect/fixed_string.hpp>

#include <cstddef>
#include <string_view>
#include <type_traits>

#if defined(__cpp_static_assert) && __cpp_static_assert >= 202306L
#define INGOT_SENTENCES 1
#else
#define INGOT_SENTENCES 0
#endif

namespace ingot { inline namespace INGOT_V1 {

namespace detail {

/// Mistakes in what a program tells ingot about a class (`reflect`, INGOT_REFLECT, annotations).
/// For types that can't be stored, see storable.hpp.
enum class misuse : unsigned char {
  none,
  missing_member, ///< `reflect` or INGOT_REFLECT omits a member
  not_a_member,   ///< `reflect` or INGOT_REFLECT lists something that is no member of the class
  /// INGOT_REFLECT lists a name that is no member, or a member that can't be referred to
  misspelt_member,
  unknown_annotation,   ///< an annotation for a member that does not exist
  repeated_annotation,  ///< two annotations of the same kind
  misplaced_annotation, ///< an annotation for members on a type, or vice versa
  annotated_base,       ///< an annotation in the list of bases
  range_nothing,        ///< `range` on a type without numbers
  max_size_nothing,     ///< `max_size` on a type without a size
  utf8_nothing,         ///< `utf8` on a type that is no text
  varint_nothing,       ///< `varint` or `fixed` on a type without numbers
  float_nothing,        ///< `short_float` or `tight_float` on a type without floats
  repeated_name,        ///< `rename` gives a member the name of another member
  repeated_enumerator,  ///< `rename` gives an enumerator the name of another enumerator
  too_many_members,     ///< an aggregate with more members than C++23 can bind
  base_with_members,    ///< an aggregate whose bases hide members from structured bindings
  bit_field,            ///< a bit-field: a reference to it can't be formed
  packed_member,        ///< a packed class, whose members are not aligned
  anonymous_member,     ///< a member without a name
  virtual_base,         ///< a virtual base, which is at no fixed offset
  opaque_base,          ///< a base that is stored as a whole, or whose members ingot can't list
  quantized_type,       ///< `quantize` or `unit_vector` on a whole type
  quantized_nothing,    ///< `quantize` on a member without floats of its own
  quantized_key,        ///< `quantize` or `unit_vector` on a member of a key in a set or map
  quantize_step,        ///< a step that no call of `quantize` returns
  /// `transform` on a member, or on a type whose floats are no position, rotation and scale
  transform_shape,
  unit_nothing, ///< `unit_vector` on a member without directions and rotations of its own
  /// `unit_vector` on a member with an array of three or four classes that are each adapted to a
  /// float
  unit_adapted,
};

} // namespace detail

#if INGOT_SENTENCES

namespace detail {

/// A message for static_assert. The compiler calls `data()` and `size()` in a constant expression.
struct sentence {
  char chars[1024]{};
  std::size_t length = 0;

  constexpr sentence& add(std::string_view text) noexcept {
    for (const char c : text) {
      if (length < sizeof(chars)) chars[length++] = c;
    }
    return *this;
  }
  [[nodiscard]] constexpr const char* data() const noexcept { return chars; }
  [[nodiscard]] constexpr std::size_t size() const noexcept { return length; }
};

template <class Type>
constexpr auto signature_of_type() noexcept {
  return std::string_view{INGOT_SIGNATURE};
}

/// Returns the compiler's name of the type.
template <class Type>
constexpr std::string_view type_name() noexcept {
  return leading_argument(from_argument(signature_of_type<Type>(), "Type = ", "signature_of_type<"));
}

/// Returns `ingot: person::next`, or `ingot: person` if `Member` is empty.
template <class Type, fixed_string Member>
consteval sentence about() {
  sentence text;
  text.add("ingot: ").add(type_name<Type>());
  if (!Member.view().empty()) text.add("::").add(Member.view());
  return text;
}

constexpr std::string_view text_of(misuse what) noexcept {
  switch (what) {
  case misuse::none: break;
  case misuse::missing_member:
    return " misses members in its `reflect` function or INGOT_REFLECT (or inherits those from a base): name "
           "them "
           "all, or annotate the type ingot::partial [missing_member]";
  case misuse::not_a_member:
    return " has a `reflect` function or INGOT_REFLECT that is not constexpr or names what is not_a_member "
           "of its own, "
           "such as a reference or a static member: make it constexpr, leave that out and annotate the type "
           "ingot::partial";
  case misuse::misspelt_member:
    return " is named in INGOT_REFLECT, but is no member that can be referred to: correct its name; "
           "inside "
           "the class it may be private; a bit-field can't be stored [misspelt_member]";
  case misuse::unknown_annotation:
    return " does not exist, but ingot::annotations names it: name members as they are declared "
           "[unknown_annotation]";
  case misuse::repeated_annotation:
    return " has two annotations of one kind, and only the first would count: leave one out "
           "[repeated_annotation]";
  case misuse::misplaced_annotation:
    return " has an annotation that is for members on a type, or one that is for types on a member, where it "
           "would be ignored: move it [misplaced_annotation]";
  case misuse::annotated_base:
    return " has an annotation on a base, where it would be ignored: annotate the members of the base "
           "[annotated_base]";
  case misuse::range_nothing:
    return " is annotated range, which is for numbers, and for sequences and optionals of numbers "
           "[range_nothing]";
  case misuse::max_size_nothing:
    return " is annotated max_size, which is for texts and containers [max_size_nothing]";
  case misuse::utf8_nothing: return " is annotated utf8, which is for texts of bytes [utf8_nothing]";
  case misuse::varint_nothing:
    return " is annotated varint or fixed, which are for numbers and containers of numbers: those of records "
           "are annotated in the record [varint_nothing]";
  case misuse::float_nothing:
    return " is annotated short_float or tight_float, which are for floats and containers of floats: those "
           "of records are annotated in the record [float_nothing]";
  case misuse::repeated_name:
    return " has the name of another member once ingot::rename is applied: give each a name of its own "
           "[repeated_name]";
  case misuse::repeated_enumerator:
    return " has the name of another enumerator once ingot::rename is applied: give each a name of its own "
           "[repeated_enumerator]";
  case misuse::too_many_members:
    return " has more members than this compiler is asked to bind: define INGOT_MAX_MEMBERS=128 for the "
           "whole program, name them with INGOT_REFLECT, or group them into nested structs "
           "[too_many_members]";
  case misuse::base_with_members:
    return " has a base with members, which structured bindings can't see, or a base that converts to its "
           "only "
           "member: give it a `reflect` function or INGOT_REFLECT [base_with_members]";
  case misuse::bit_field:
    return " has a bit-field, which nothing can refer to: store an integer and give the bits accessors "
           "[bit_field]";
  case misuse::packed_member:
    return " is a packed class, to whose members nothing can refer, since they are not aligned: store a "
           "class "
           "that is not packed, or specialise ingot::adapt [packed_member]";
  case misuse::anonymous_member:
    return " has a member without a name, such as an anonymous union: name it, or store a std::variant "
           "[anonymous_member]";
  case misuse::virtual_base:
    return " has a virtual base, whose offset is not fixed: use a non-virtual base [virtual_base]";
  case misuse::opaque_base:
    return " has a base that is stored as a whole, or whose members ingot can't see: make it a member, or "
           "describe the base [opaque_base]";
  case misuse::quantized_type:
    return " is annotated quantize or unit_vector, which are for members: annotate each member with the "
           "precision that it may lose "
           "[quantized_type]";
  case misuse::quantized_nothing:
    return " is annotated quantize, but has no floats that it reaches: those of records are annotated in the "
           "record, those of keys are exact [quantized_nothing]";
  case misuse::quantized_key:
    return " is annotated quantize or unit_vector, but is part of a key in a set or map, where two keys "
           "might become one: "
           "make the key another type, or store a vector [quantized_key]";
  case misuse::quantize_step:
    return " is annotated with a quantize_t that no call of quantize makes: units from 1, at most 9 digits, "
           "and no more of them than needed [quantize_step]";
  case misuse::transform_shape:
    return " is annotated transform, which is for types whose floats are an array of three, one of four and "
           "perhaps a scale of one or three: adapt other types to std::array, and annotate members one by "
           "one where "
           "there are "
           "more [transform_shape]";
  case misuse::unit_nothing:
    return " is annotated unit_vector, but has no array of three or four floats that it reaches and that its "
           "bits "
           "fit: 16 to 40 for three, 24 to 64 for four; those of records are annotated in the record, those "
           "of keys "
           "are exact [unit_nothing]";
  case misuse::unit_adapted:
    return " is annotated unit_vector, and has an array of classes that are adapted to floats one by one: "
           "adapt "
           "the whole to an array of floats, or give it to another member [unit_adapted]";
  }
  return {};
}

#if defined(__clang__)
#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wc++26-extensions" // computed messages, see INGOT_SENTENCES
#endif
/// Fails to compile unless `What` is `none`.
template <misuse What, class Type, fixed_string Member = "">
consteval void complain() {
  static_assert(What == misuse::none, about<Type, Member>().add(text_of(What)));
}
#if defined(__clang__)
#pragma clang diagnostic pop
#endif

} // namespace detail

#else

/// These functions are never called: their names are error messages.
namespace rejected {
// The two most common errors of new users are static assertions, not deleted functions. Compilers
// report a static assertion once for each type and member, but a deleted function at each call.

/// The error of `misuse::misspelt_member`.
template <class Type, fixed_string Member>
struct misspelt_member {
  static_assert(!std::is_same_v<Type, Type>,
                "ingot: INGOT_REFLECT names what is no member that can be referred to: correct its name; "
                "inside the class it may be private; a bit-field can't be stored [misspelt_member]");
};
/// The error of `misuse::too_many_members`.
template <class Type, fixed_string Member>
struct too_many_members {
  static_assert(
      !std::is_same_v<Type, Type>,
      "ingot: an aggregate has more members than this compiler is asked to bind: define "
      "INGOT_MAX_MEMBERS=128 for the whole program, name them with INGOT_REFLECT, or group them into "
      "nested structs [too_many_members]");
};
// clang-format off
template <class Type, fixed_string Member>
void missing_member_in_the_reflect_function_or_INGOT_REFLECT__name_them_all_or_annotate_the_type_partial() = delete;
template <class Type, fixed_string Member>
void not_a_member_or_reflect_is_not_constexpr__make_it_constexpr_leave_references_and_static_members_out_and_annotate_the_type_partial() = delete;
template <class Type, fixed_string Member>
void unknown_annotation_for_a_member_that_does_not_exist__name_members_as_they_are_declared() = delete;
template <class Type, fixed_string Member>
void repeated_annotation__only_the_first_would_count_leave_one_out() = delete;
template <class Type, fixed_string Member>
void misplaced_annotation_of_a_type_on_a_member_or_of_a_member_on_a_type__move_it() = delete;
template <class Type, fixed_string Member>
void annotated_base__annotations_on_a_base_would_be_ignored_annotate_its_members() = delete;
template <class Type, fixed_string Member>
void range_nothing__range_is_for_numbers_and_for_sequences_and_optionals_of_numbers() = delete;
template <class Type, fixed_string Member>
void max_size_nothing__max_size_is_for_texts_and_containers() = delete;
template <class Type, fixed_string Member>
void utf8_nothing__utf8_is_for_texts_of_bytes() = delete;
template <class Type, fixed_string Member>
void varint_nothing__varint_and_fixed_are_for_numbers_and_containers_of_numbers_annotate_those_of_records_in_the_record() = delete;
template <class Type, fixed_string Member>
void float_nothing__short_float_and_tight_float_are_for_floats_and_containers_of_floats_annotate_those_of_records_in_the_record() = delete;
template <class Type, fixed_string Member>
void repeated_name_of_members_once_rename_is_applied__give_each_a_name_of_its_own() = delete;
template <class Type, fixed_string Member>
void repeated_enumerator_name_once_rename_is_applied__give_each_enumerator_a_name_of_its_own() = delete;
template <class Type, fixed_string Member>
void base_with_members_is_invisible_to_structured_bindings__give_the_class_reflect_or_INGOT_REFLECT() = delete;
template <class Type, fixed_string Member>
void bit_field_cannot_be_referred_to__store_an_integer_and_give_the_bits_accessors() = delete;
template <class Type, fixed_string Member>
void packed_member_is_not_aligned_so_nothing_can_refer_to_it__store_a_class_that_is_not_packed_or_specialise_adapt() = delete;
template <class Type, fixed_string Member>
void anonymous_member_has_no_name_to_go_by__name_it_or_store_a_variant() = delete;
template <class Type, fixed_string Member>
void virtual_base_has_no_fixed_offset__use_a_non_virtual_base() = delete;
template <class Type, fixed_string Member>
void opaque_base_hides_its_members_or_is_stored_as_a_whole__make_it_a_member_or_describe_the_base() = delete;
template <class Type, fixed_string Member>
void quantized_type__quantize_and_unit_vector_are_for_members__annotate_each_member_with_the_precision_that_it_may_lose() = delete;
template <class Type, fixed_string Member>
void quantized_nothing__the_member_has_no_floats_that_quantize_reaches_annotate_those_of_records_in_the_record() = delete;
template <class Type, fixed_string Member>
void quantized_key__two_keys_might_become_one_make_the_key_another_type_or_store_a_vector() = delete;
template <class Type, fixed_string Member>
void quantize_step_that_no_call_of_quantize_makes__units_from_1_and_at_most_9_digits_no_more_than_needed() = delete;
template <class Type, fixed_string Member>
void transform_shape__it_is_for_types_whose_floats_are_an_array_of_three_one_of_four_and_perhaps_a_scale_of_one_or_three() = delete;
template <class Type, fixed_string Member>
void unit_nothing__the_member_has_no_array_of_three_or_four_floats_that_unit_vector_reaches_and_its_bits_fit() = delete;
template <class Type, fixed_string Member>
void unit_adapted__the_member_has_an_array_of_classes_adapted_to_floats_one_by_one_adapt_the_whole_to_an_array_of_floats() = delete;
// clang-format on
} // namespace rejected

namespace detail {

// clang-format off
template <misuse What, class Type, fixed_string Member = "">
consteval void complain() {
  using namespace rejected;
  if constexpr (What == misuse::missing_member) missing_member_in_the_reflect_function_or_INGOT_REFLECT__name_them_all_or_annotate_the_type_partial<Type, Member>();
  if constexpr (What == misuse::not_a_member) not_a_member_or_reflect_is_not_constexpr__make_it_constexpr_leave_references_and_static_members_out_and_annotate_the_type_partial<Type, Member>();
  if constexpr (What == misuse::misspelt_member) static_cast<void>(sizeof(misspelt_member<Type, Member>));
  if constexpr (What == misuse::unknown_annotation) unknown_annotation_for_a_member_that_does_not_exist__name_members_as_they_are_declared<Type, Member>();
  if constexpr (What == misuse::repeated_annotation) repeated_annotation__only_the_first_would_count_leave_one_out<Type, Member>();
  if constexpr (What == misuse::misplaced_annotation) misplaced_annotation_of_a_type_on_a_member_or_of_a_member_on_a_type__move_it<Type, Member>();
  if constexpr (What == misuse::annotated_base) annotated_base__annotations_on_a_base_would_be_ignored_annotate_its_members<Type, Member>();
  if constexpr (What == misuse::range_nothing) range_nothing__range_is_for_numbers_and_for_sequences_and_optionals_of_numbers<Type, Member>();
  if constexpr (What == misuse::max_size_nothing) max_size_nothing__max_size_is_for_texts_and_containers<Type, Member>();
  if constexpr (What == misuse::utf8_nothing) utf8_nothing__utf8_is_for_texts_of_bytes<Type, Member>();
  if constexpr (What == misuse::varint_nothing) varint_nothing__varint_and_fixed_are_for_numbers_and_containers_of_numbers_annotate_those_of_records_in_the_record<Type, Member>();
  if constexpr (What == misuse::float_nothing) float_nothing__short_float_and_tight_float_are_for_floats_and_containers_of_floats_annotate_those_of_records_in_the_record<Type, Member>();
  if constexpr (What == misuse::repeated_name) repeated_name_of_members_once_rename_is_applied__give_each_a_name_of_its_own<Type, Member>();
  if constexpr (What == misuse::repeated_enumerator) repeated_enumerator_name_once_rename_is_applied__give_each_enumerator_a_name_of_its_own<Type, Member>();
  if constexpr (What == misuse::too_many_members) static_cast<void>(sizeof(too_many_members<Type, Member>));
  if constexpr (What == misuse::base_with_members) base_with_members_is_invisible_to_structured_bindings__give_the_class_reflect_or_INGOT_REFLECT<Type, Member>();
  if constexpr (What == misuse::bit_field) bit_field_cannot_be_referred_to__store_an_integer_and_give_the_bits_accessors<Type, Member>();
  if constexpr (What == misuse::packed_member) packed_member_is_not_aligned_so_nothing_can_refer_to_it__store_a_class_that_is_not_packed_or_specialise_adapt<Type, Member>();
  if constexpr (What == misuse::anonymous_member) anonymous_member_has_no_name_to_go_by__name_it_or_store_a_variant<Type, Member>();
  if constexpr (What == misuse::virtual_base) virtual_base_has_no_fixed_offset__use_a_non_virtual_base<Type, Member>();
  if constexpr (What == misuse::opaque_base) opaque_base_hides_its_members_or_is_stored_as_a_whole__make_it_a_member_or_describe_the_base<Type, Member>();
  if constexpr (What == misuse::quantized_type) quantized_type__quantize_and_unit_vector_are_for_members__annotate_each_member_with_the_precision_that_it_may_lose<Type, Member>();
  if constexpr (What == misuse::quantized_nothing) quantized_nothing__the_member_has_no_floats_that_quantize_reaches_annotate_those_of_records_in_the_record<Type, Member>();
  if constexpr (What == misuse::quantized_key) quantized_key__two_keys_might_become_one_make_the_key_another_type_or_store_a_vector<Type, Member>();
  if constexpr (What == misuse::quantize_step) quantize_step_that_no_call_of_quantize_makes__units_from_1_and_at_most_9_digits_no_more_than_needed<Type, Member>();
  if constexpr (What == misuse::transform_shape) transform_shape__it_is_for_types_whose_floats_are_an_array_of_three_one_of_four_and_perhaps_a_scale_of_one_or_three<Type, Member>();
  if constexpr (What == misuse::unit_adapted) unit_adapted__the_member_has_an_array_of_classes_adapted_to_floats_one_by_one_adapt_the_whole_to_an_array_of_floats<Type, Member>();
  if constexpr (What == misuse::unit_nothing) unit_nothing__the_member_has_no_array_of_three_or_four_floats_that_unit_vector_reaches_and_its_bits_fit<Type, Member>();
}
// clang-format on

} // namespace detail

#endif

}} // namespace ingot::INGOT_V1
