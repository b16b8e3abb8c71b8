// SPDX-License-Identifier: Apache-2.0
// The types that can be stored in a block: all storable types, except those that keep their data
// elsewhere or have a layout that depends on the standard library. For each of the excepted types,
// the compile error names the member and the type to use instead:
//
//   std::string, string_view, path   ingot::string
//   std::vector, list, span          ingot::vector
//   std::deque                       ingot::queue
//   std::map, set, multimap          ingot::map, set, multimap
//   std::unordered_map, set          ingot::hash_map, hash_set
//   std::optional                    ingot::optional
//   std::variant                     ingot::variant
//   std::expected                    ingot::variant of value and error
//   std::unique_ptr                  ingot::box
//   std::tuple                       a struct, or std::pair
//   ingot::document                  ingot::live_value
#pragma once

#include <ingot/live/detail/element.hpp>
#include <ingot/reflect/sentence.hpp>
#include <ingot/reflect/storable.hpp>

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <type_traits>
#include <utility>

namespace ingot { inline namespace INGOT_V1 {

/// The reason why a storable type cannot be in a block.
enum class displacement : std::uint8_t {
  none,
  string_elsewhere,
  sequence_elsewhere,
  map_elsewhere,
  hash_elsewhere,
  optional_elsewhere,
  variant_elsewhere,
  box_elsewhere,
  expected_elsewhere,
  tuple_elsewhere,
  adapted_class,
  document_elsewhere,
  skipped_member,
  virtual_functions,
  wide_alignment,
  other_policy,
};

#if !INGOT_SENTENCES
/// These functions are never called: their names are error messages.
namespace rejected {
// clang-format off
template <class Type, fixed_string Member, class Found>
bool string_elsewhere_than_in_the_block__use_ingot_string() = delete;
template <class Type, fixed_string Member, class Found>
bool sequence_elsewhere_than_in_the_block__use_ingot_vector_or_ingot_queue() = delete;
template <class Type, fixed_string Member, class Found>
bool map_elsewhere_than_in_the_block__use_ingot_map_set_or_multimap() = delete;
template <class Type, fixed_string Member, class Found>
bool hash_elsewhere_than_in_the_block__use_ingot_hash_map_or_hash_set() = delete;
template <class Type, fixed_string Member, class Found>
bool optional_elsewhere_than_in_the_block__use_ingot_optional() = delete;
template <class Type, fixed_string Member, class Found>
bool variant_elsewhere_than_in_the_block__use_ingot_variant() = delete;
template <class Type, fixed_string Member, class Found>
bool box_elsewhere_than_in_the_block__use_ingot_box() = delete;
template <class Type, fixed_string Member, class Found>
bool expected_elsewhere_than_in_the_block__use_an_ingot_variant_of_value_and_error() = delete;
template <class Type, fixed_string Member, class Found>
bool tuple_elsewhere_laid_out_by_each_standard_library__use_a_struct_or_std_pair() = delete;
template <class Type, fixed_string Member, class Found>
bool adapted_class_has_a_stored_form_of_its_own__use_that_form_in_live_types() = delete;
template <class Type, fixed_string Member, class Found>
bool document_elsewhere_than_in_the_block__use_ingot_live_value() = delete;
template <class Type, fixed_string Member, class Found>
bool skipped_member_would_be_sent_with_the_block__move_it_out_of_the_live_type() = delete;
template <class Type, fixed_string Member, class Found>
bool virtual_functions_are_addresses_of_one_process__use_an_ingot_variant() = delete;
template <class Type, fixed_string Member, class Found>
bool wide_alignment_of_more_than_16_does_not_fit_blocks__align_it_to_16() = delete;
template <class Type, fixed_string Member, class Found>
bool other_policy_than_the_blocks__use_the_containers_of_one_namespace_ingot_or_ingot_wide() = delete;
// clang-format on
} // namespace rejected
#endif

namespace detail {

#if INGOT_SENTENCES

constexpr std::string_view text_of(displacement why) noexcept {
  switch (why) {
  case displacement::none: break;
  case displacement::string_elsewhere: return "keeps its text outside the block: use ingot::string";
  case displacement::sequence_elsewhere:
    return "keeps its elements outside the block: use ingot::vector or ingot::queue";
  case displacement::map_elsewhere:
    return "keeps its entries outside the block: use ingot::map, set or multimap";
  case displacement::hash_elsewhere:
    return "keeps its entries outside the block: use ingot::hash_map or hash_set";
  case displacement::optional_elsewhere:
    return "is laid out differently by each standard library: use ingot::optional";
  case displacement::variant_elsewhere:
    return "is laid out differently by each standard library: use ingot::variant";
  case displacement::box_elsewhere: return "keeps its object outside the block: use ingot::box";
  case displacement::expected_elsewhere:
    return "is laid out differently by each standard library: use an ingot::variant of value and error";
  case displacement::tuple_elsewhere:
    return "is laid out differently by each standard library: use a struct or std::pair";
  case displacement::adapted_class: return "has a stored form of its own: use that form in live types";
  case displacement::document_elsewhere: return "keeps its value outside the block: use ingot::live_value";
  case displacement::skipped_member:
    return "is annotated ingot::skip, but would be sent with the block: move it out of the live type";
  case displacement::virtual_functions:
    return "has virtual functions, which are addresses of one process: use an ingot::variant";
  case displacement::wide_alignment:
    return "is aligned to more than 16, which blocks are not: align it to 16";
  case displacement::other_policy:
    return "has another width of offsets than the block: use the containers of one namespace, ingot or "
           "ingot::wide";
  }
  return {};
}
constexpr std::string_view code_of(displacement why) noexcept {
  constexpr std::string_view codes[] = {"none",
                                        "string_elsewhere",
                                        "sequence_elsewhere",
                                        "map_elsewhere",
                                        "hash_elsewhere",
                                        "optional_elsewhere",
                                        "variant_elsewhere",
                                        "box_elsewhere",
                                        "expected_elsewhere",
                                        "tuple_elsewhere",
                                        "adapted_class",
                                        "document_elsewhere",
                                        "skipped_member",
                                        "virtual_functions",
                                        "wide_alignment",
                                        "other_policy"};
  return codes[static_cast<std::size_t>(why)];
}

template <displacement Why, class Type, fixed_string Member, class Found>
consteval sentence displacement_sentence() {
  sentence result = about<Type, Member>();
  result.add(Member.view().empty() ? " " : ", of type ");
  if (!Member.view().empty()) result.add(type_name<Found>()).add(", ");
  return result.add(text_of(Why)).add(" [").add(code_of(Why)).add("]");
}
#if defined(__clang__)
#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wc++26-extensions" // static_assert with a computed message
#endif
template <displacement Why, class Type, fixed_string Member, class Found>
constexpr void displace() {
  static_assert(Why == displacement::none, displacement_sentence<Why, Type, Member, Found>());
}
#if defined(__clang__)
#pragma clang diagnostic pop
#endif

#else

// clang-format off
template <displacement Why, class Type, fixed_string Member, class Found>
constexpr void displace() {
  using namespace rejected;
  if constexpr (Why == displacement::string_elsewhere) string_elsewhere_than_in_the_block__use_ingot_string<Type, Member, Found>();
  else if constexpr (Why == displacement::sequence_elsewhere) sequence_elsewhere_than_in_the_block__use_ingot_vector_or_ingot_queue<Type, Member, Found>();
  else if constexpr (Why == displacement::map_elsewhere) map_elsewhere_than_in_the_block__use_ingot_map_set_or_multimap<Type, Member, Found>();
  else if constexpr (Why == displacement::hash_elsewhere) hash_elsewhere_than_in_the_block__use_ingot_hash_map_or_hash_set<Type, Member, Found>();
  else if constexpr (Why == displacement::optional_elsewhere) optional_elsewhere_than_in_the_block__use_ingot_optional<Type, Member, Found>();
  else if constexpr (Why == displacement::variant_elsewhere) variant_elsewhere_than_in_the_block__use_ingot_variant<Type, Member, Found>();
  else if constexpr (Why == displacement::box_elsewhere) box_elsewhere_than_in_the_block__use_ingot_box<Type, Member, Found>();
  else if constexpr (Why == displacement::expected_elsewhere) expected_elsewhere_than_in_the_block__use_an_ingot_variant_of_value_and_error<Type, Member, Found>();
  else if constexpr (Why == displacement::tuple_elsewhere) tuple_elsewhere_laid_out_by_each_standard_library__use_a_struct_or_std_pair<Type, Member, Found>();
  else if constexpr (Why == displacement::adapted_class) adapted_class_has_a_stored_form_of_its_own__use_that_form_in_live_types<Type, Member, Found>();
  else if constexpr (Why == displacement::document_elsewhere) document_elsewhere_than_in_the_block__use_ingot_live_value<Type, Member, Found>();
  else if constexpr (Why == displacement::skipped_member) skipped_member_would_be_sent_with_the_block__move_it_out_of_the_live_type<Type, Member, Found>();
  else if constexpr (Why == displacement::virtual_functions) virtual_functions_are_addresses_of_one_process__use_an_ingot_variant<Type, Member, Found>();
  else if constexpr (Why == displacement::wide_alignment) wide_alignment_of_more_than_16_does_not_fit_blocks__align_it_to_16<Type, Member, Found>();
  else if constexpr (Why == displacement::other_policy) other_policy_than_the_blocks__use_the_containers_of_one_namespace_ingot_or_ingot_wide<Type, Member, Found>();
}
// clang-format on

#endif

/// Returns the problem with the type itself, regardless of its parts.
template <class T, class P>
consteval displacement displacement_of() {
  if constexpr (live_container<T>) {
    return std::is_same_v<typename T::live_policy, P> ? displacement::none : displacement::other_policy;
  } else if constexpr (document_like<T>) {
    return displacement::document_elsewhere;
  } else {
    switch (memory_kind_of<T>) {
    case kind::string:
    case kind::path: return displacement::string_elsewhere;
    case kind::sequence: return displacement::sequence_elsewhere;
    case kind::map:
    case kind::set: return displacement::map_elsewhere;
    case kind::unordered_map:
    case kind::unordered_set: return displacement::hash_elsewhere;
    case kind::optional: return displacement::optional_elsewhere;
    case kind::variant: return displacement::variant_elsewhere;
    case kind::box: return displacement::box_elsewhere;
    case kind::expected: return displacement::expected_elsewhere;
    case kind::adapted: return displacement::adapted_class;
    case kind::tuple:
      return is_specialization<T, std::pair> ? displacement::none : displacement::tuple_elsewhere;
    default: break;
    }
    if (std::is_polymorphic_v<T>) return displacement::virtual_functions;
    if (alignof(T) > block_alignment) return displacement::wide_alignment;
    return displacement::none;
  }
}

template <class P, class Type, fixed_string Member, class T>
constexpr void check_placement(visited_types& seen);

template <class P, class Type, fixed_string Member, class... Ts>
constexpr void check_placements(visited_types& seen, type_pack<Ts...>) {
  (check_placement<P, Type, Member, std::remove_cv_t<Ts>>(seen), ...);
}
template <class P, class T, std::size_t I>
constexpr void check_member_placement(visited_types& seen) {
  using type = std::remove_cv_t<member_type<T, I>>;
  constexpr auto name = declared_name_table<T>[I];
  if constexpr (member_has<T, I, skip_t>)
    displace<displacement::skipped_member, T, fixed_string<name.size() + 1>(name), type>();
  else check_placement<P, T, fixed_string<name.size() + 1>(name), type>(seen);
}
/// Fails to compile if a `T` cannot be in a block. The instantiation of this function reports the
/// error; a call does nothing else.
template <class P, class Type, fixed_string Member, class T>
constexpr void check_placement(visited_types& seen) {
  constexpr displacement why = displacement_of<T, P>();
  if constexpr (why != displacement::none) {
    displace<why, Type, Member, T>();
  } else if constexpr (live_container<T>) {
    if (seen.add(type_tag<T>())) check_placements<P, Type, Member>(seen, typename T::live_parts{});
  } else if constexpr (is_array_like<T>) {
    check_placement<P, Type, Member, std::remove_cv_t<element_t<T>>>(seen);
  } else if constexpr (is_specialization<T, std::pair>) {
    check_placements<P, Type, Member>(seen, type_pack<typename T::first_type, typename T::second_type>{});
  } else if constexpr (kind_of<T> == kind::record) {
    if (!seen.add(type_tag<T>())) return;
    [&]<std::size_t... I>(std::index_sequence<I...>) {
      (check_member_placement<P, T, I>(seen), ...);
    }(std::make_index_sequence<member_count<T>>{});
  }
}

template <class T, class P>
inline constexpr bool is_placeable = [] {
  visited_types seen;
  check_placement<P, T, "", T>(seen);
  return true;
}();

/// The type at the root of a block that is declared to hold a `T`: `T`, or its twin (see twin.hpp).
template <class T, block_policy P>
struct live_form {
  using type = T;
};
/// The type of a `T` member in a twin. A higher layer specializes this template for its own
/// classes, with the member `type`.
template <class T, block_policy P>
struct form_in_twin {};

/// Returns true, or fails to compile with a sentence that names the type, the member and the type
/// to use instead.
template <class T, class P>
consteval bool require_placeable() {
  return is_placeable<std::remove_const_t<T>, P>;
}

} // namespace detail
}} // namespace ingot::INGOT_V1
