// SPDX-License-Identifier: Apache-2.0
// Asserts that a type has one layout on all platforms, so that its blocks can be exchanged between
// them.
//
//   static_assert(ingot::same_layout_everywhere<Character>);
//
// If a part of the type has another layout somewhere, the compile error names this part and says
// what to write instead.
#pragma once

#include <ingot/live/detail/layout_difference.hpp>
#include <ingot/live/placeable.hpp>
#include <ingot/live/policy.hpp>
#include <ingot/reflect/sentence.hpp>

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <type_traits>
#include <utility>

namespace ingot { inline namespace INGOT_V1 {

/// The platforms among which `same_layout_everywhere` compares layouts. All have little-endian
/// numbers.
enum class platforms : std::uint8_t {
  /// Linux, Windows, macOS and wasm on 64-bit x86, on ARM of 32 and 64 bits and on others. All of
  /// these align a number of 64 bits to 8 bytes.
  common,
  /// Also Linux on 32-bit x86, which aligns such a number to 4 bytes. A type with such numbers
  /// fails.
  with_x86_32,
};

#if !INGOT_SENTENCES
/// These functions are never called: their names are error messages. `Path` is empty if the error
/// is in the type itself.
namespace rejected {
// clang-format off
template <class Type, fixed_string Path>
bool platform_integer_has_another_width_elsewhere__store_int32_t_or_int64_t() = delete;
template <class Type, fixed_string Path>
bool unfixed_enum_has_the_type_that_the_compiler_chooses__declare_it_as_in_enum_color_uint8_t() = delete;
template <class Type, fixed_string Path>
bool plain_char_is_signed_on_some_platforms_only__use_signed_char_or_unsigned_char() = delete;
template <class Type, fixed_string Path>
bool library_duration_of_minutes_or_more_has_the_width_that_the_library_chooses__store_seconds_or_an_integer() = delete;
template <class Type, fixed_string Path>
bool library_bitset_has_the_words_that_the_library_chooses__store_an_unsigned_integer_or_an_array_of_them() = delete;
template <class Type, fixed_string Path>
bool empty_array_has_the_size_that_the_library_chooses__leave_it_out() = delete;
template <class Type, fixed_string Path>
bool base_padding_is_where_some_compilers_put_members__make_the_base_a_member_or_fill_the_bytes_at_its_end_with_a_member() = delete;
template <class Type, fixed_string Path>
bool empty_base_beside_a_base_or_member_takes_bytes_with_some_compilers__leave_the_empty_base_out() = delete;
template <class Type, fixed_string Path>
bool shared_bytes_of_no_unique_address_are_shared_by_some_compilers_only__remove_the_attribute() = delete;
template <class Type, fixed_string Path>
bool hidden_bytes_belong_to_no_listed_member__list_all_members_and_store_integers_for_bit_fields() = delete;
template <class Type, fixed_string Path>
bool x86_32_alignment_of_64_bits_is_4_bytes__store_two_numbers_of_32_bits_or_compare_platforms_common() = delete;
// clang-format on
} // namespace rejected
#endif

namespace detail {

#if INGOT_SENTENCES

constexpr std::string_view text_of(layout_difference what) noexcept {
  switch (what) {
  case layout_difference::none: break;
  case layout_difference::platform_integer:
    return " is an integer with another width on other platforms: store std::int32_t or std::int64_t "
           "[platform_integer]";
  case layout_difference::unfixed_enum:
    return " is an enum whose type the compiler chooses: declare it, as in `enum color : std::uint8_t` "
           "[unfixed_enum]";
  case layout_difference::plain_char:
    return " has char as its number, which is signed on some platforms only: use signed char or unsigned "
           "char [plain_char]";
  case layout_difference::library_duration:
    return " is a duration in minutes or a longer unit, whose width the standard library chooses: store "
           "std::chrono::seconds or an integer [library_duration]";
  case layout_difference::library_bitset:
    return " is a std::bitset, whose words the standard library chooses: store an unsigned integer, or an "
           "array of them [library_bitset]";
  case layout_difference::empty_array:
    return " is an array without elements, whose size the standard library chooses: leave it out "
           "[empty_array]";
  case layout_difference::base_padding:
    return " has a base with unused bytes at its end, where some compilers put members: make the base a "
           "member, or fill these bytes with a member of the base [base_padding]";
  case layout_difference::empty_base:
    return " has an empty base beside another base, or before a member with this base, and some compilers "
           "add bytes for it: leave the empty base out [empty_base]";
  case layout_difference::shared_bytes:
    return " has members that share bytes by [[no_unique_address]], which some compilers ignore: remove the "
           "attribute [shared_bytes]";
  case layout_difference::hidden_bytes:
    return " has bytes that belong to no listed member: list all members, and store integers in place of "
           "bit-fields [hidden_bytes]";
  case layout_difference::x86_32_alignment:
    return " has 64 bits, which 32-bit x86 aligns to 4 bytes: store two numbers of 32 bits, or compare "
           "ingot::platforms::common [x86_32_alignment]";
  }
  return {};
}
template <layout_difference What, class Type, fixed_string Path>
consteval sentence layout_sentence() {
  return about<Type, Path>().add(text_of(What));
}
#if defined(__clang__)
#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wc++26-extensions" // static_assert with a computed message
#endif
template <layout_difference What, class Type, fixed_string Path>
consteval void reject_layout() {
  static_assert(What == layout_difference::none, layout_sentence<What, Type, Path>());
}
#if defined(__clang__)
#pragma clang diagnostic pop
#endif

#else

// clang-format off
template <layout_difference What, class Type, fixed_string Path>
consteval void reject_layout() {
  using namespace rejected;
  using enum layout_difference;
  if constexpr (What == platform_integer) platform_integer_has_another_width_elsewhere__store_int32_t_or_int64_t<Type, Path>();
  else if constexpr (What == unfixed_enum) unfixed_enum_has_the_type_that_the_compiler_chooses__declare_it_as_in_enum_color_uint8_t<Type, Path>();
  else if constexpr (What == plain_char) plain_char_is_signed_on_some_platforms_only__use_signed_char_or_unsigned_char<Type, Path>();
  else if constexpr (What == library_duration) library_duration_of_minutes_or_more_has_the_width_that_the_library_chooses__store_seconds_or_an_integer<Type, Path>();
  else if constexpr (What == library_bitset) library_bitset_has_the_words_that_the_library_chooses__store_an_unsigned_integer_or_an_array_of_them<Type, Path>();
  else if constexpr (What == empty_array) empty_array_has_the_size_that_the_library_chooses__leave_it_out<Type, Path>();
  else if constexpr (What == base_padding) base_padding_is_where_some_compilers_put_members__make_the_base_a_member_or_fill_the_bytes_at_its_end_with_a_member<Type, Path>();
  else if constexpr (What == empty_base) empty_base_beside_a_base_or_member_takes_bytes_with_some_compilers__leave_the_empty_base_out<Type, Path>();
  else if constexpr (What == shared_bytes) shared_bytes_of_no_unique_address_are_shared_by_some_compilers_only__remove_the_attribute<Type, Path>();
  else if constexpr (What == hidden_bytes) hidden_bytes_belong_to_no_listed_member__list_all_members_and_store_integers_for_bit_fields<Type, Path>();
  else if constexpr (What == x86_32_alignment) x86_32_alignment_of_64_bits_is_4_bytes__store_two_numbers_of_32_bits_or_compare_platforms_common<Type, Path>();
}
// clang-format on

#endif

template <class T>
consteval auto container_policy();

template <class... Ts>
consteval auto policy_among(type_pack<Ts...>) {
  return std::type_identity<void>{};
}
template <class First, class... Rest>
consteval auto policy_among(type_pack<First, Rest...>) {
  constexpr auto found = container_policy<std::remove_cv_t<First>>();
  if constexpr (!std::is_void_v<typename decltype(found)::type>) return found;
  else return policy_among(type_pack<Rest...>{});
}
/// Finds the policy of the first container in a `T`; `void` if there is none.
template <class T>
consteval auto container_policy() {
  if constexpr (live_container<T>) {
    return std::type_identity<typename T::live_policy>{};
  } else if constexpr (is_array_like<T>) {
    return container_policy<std::remove_cv_t<element_t<T>>>();
  } else if constexpr (is_specialization<T, std::pair>) {
    return policy_among(type_pack<typename T::first_type, typename T::second_type>{});
  } else if constexpr (kind_of<T> == kind::record) {
    return []<std::size_t... I>(std::index_sequence<I...>) {
      return policy_among(type_pack<member_type<T, I>...>{});
    }(std::make_index_sequence<member_count<T>>{});
  } else {
    return std::type_identity<void>{};
  }
}
/// The policy of the blocks of a `T`; that of `ingot::live` if it has no container.
template <class T>
using policy_for =
    std::conditional_t<std::is_void_v<typename decltype(container_policy<T>())::type>,
                       std::type_identity<narrow_policy>, decltype(container_policy<T>())>::type;

/// Returns true, or fails to compile with a sentence that names the part of `Declared`.
template <class Declared, platforms Which>
consteval bool require_same_layout() {
  using policy = policy_for<std::remove_const_t<Declared>>;
  using type = typename live_form<std::remove_const_t<Declared>, policy>::type;
  static_assert(require_storable<type>());
  if constexpr (require_placeable<type, policy>()) {
    constexpr auto& found = layout_difference_in<type, Which == platforms::with_x86_32>;
    if constexpr (found.what != layout_difference::none) {
      constexpr std::string_view path = found.path.view();
      reject_layout<found.what, type, fixed_string<path.size() + 1>(path)>();
    }
  }
  return true;
}

} // namespace detail

/// True if blocks of a `T` have one layout on all `platforms`. A block that one of these platforms
/// has written can then be opened on each of them. For other types a compile error: its sentence
/// names the first part of `T` that differs.
///
/// These differences can't be seen:
/// * `long` where it is the type of `std::int64_t`, and `std::size_t` where it is that of
///   `std::uint64_t`, as in Linux on 64 bits. The assertion fails on Windows and macOS.
/// * Types of <chrono> by name, such as `system_clock::time_point`, where they are the same type as
///   one that the program could have written with a period and an integer.
/// * Members that a `reflect` function leaves out and that fit in padding, and without C++26
///   reflection empty bases of classes that are no aggregates.
template <class T, platforms Which = platforms::common>
inline constexpr bool same_layout_everywhere = detail::require_same_layout<T, Which>();

}} // namespace ingot::INGOT_V1
