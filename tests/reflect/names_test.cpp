// SPDX-License-Identifier: Apache-2.0
// Names are extracted from the text that compilers print. Each form that they print is a case here.
#include <ingot/reflect/detail/enum_scan.hpp>
#include <ingot/reflect/detail/names.hpp>

#include <array>
#include <string_view>

#include <gtest/gtest.h>

namespace names_test {

using ingot::detail::split_identifiers;
using ingot::detail::trailing_identifier;

TEST(trailing_identifier, ignores_closing_brackets) {
  static_assert(trailing_identifier("(& source.holder<a>::value.my::type::age)") == "age");
  static_assert(trailing_identifier("&source.value.age") == "age");
  static_assert(trailing_identifier("") == "" && trailing_identifier("()") == "");
  static_assert(trailing_identifier("x._9a$") == "_9a$");
}

TEST(split_identifiers, steps_over_alike_entries) {
  using names = std::array<std::string_view, 3>;
  static_assert(split_identifiers<3>("&s.v.a, &s.v.bb, &s.v.c") == names{"a", "bb", "c"});
  static_assert(split_identifiers<3>("(& s<int>.v.t::a), (& s<int>.v.t::bb), (& s<int>.v.t::c)") ==
                names{"a", "bb", "c"});
}

TEST(split_identifiers, notices_entries_of_another_class) {
  using names = std::array<std::string_view, 4>;
  static_assert(split_identifiers<4>("(& s.v.base::a), (& s.v.base::b), (& s.v.t::c), (& s.v.t::d)") ==
                names{"a", "b", "c", "d"});
  static_assert(split_identifiers<4>("(& s.v.t::c), (& s.v.base::a), ((x*)(& s.v.t::d)), (& s.v.t::e)") ==
                names{"c", "a", "d", "e"});
  static_assert(split_identifiers<4>(
                    "(& s<a, b>.v.t<c, d>::a), (& s<a, b>.v.t<c, d>::b), (& s.v.q<e>::z), (& s.v.q<e>::y)") ==
                names{"a", "b", "z", "y"});
}

TEST(name_table, keeps_names_and_nothing_else) {
  constexpr std::array<std::string_view, 3> names{"a", "", "ccc"};
  constexpr auto table = ingot::detail::make_name_table<ingot::detail::total_length(names)>(names);
  static_assert(table[0] == "a" && table[1] == "" && table[2] == "ccc" && sizeof(table.chars) == 4);
}

TEST(numbered, stands_for_names_that_cannot_be_had) {
  static_assert(std::string_view(ingot::detail::numbered<128>.chars,
                                 sizeof(ingot::detail::numbered<128>.chars)) == "member_128");
}

// Microsoft's compiler has no names of template parameters, separates arguments by "," alone,
// writes keywords before classes, and "->" before members.
constexpr std::string_view microsoft_empty =
    "class std::basic_string_view<char,struct std::char_traits<char> > __cdecl "
    "ingot::v1::detail::signature_of_values<>(void) noexcept";
constexpr std::string_view microsoft_members =
    "class std::basic_string_view<char,struct std::char_traits<char> > __cdecl "
    "ingot::v1::detail::signature_of_values<"
    "&ingot::v1::detail::name_source<struct game::hero>->value->name,"
    "&ingot::v1::detail::name_source<struct game::hero>->value->age,"
    "&ingot::v1::detail::name_source<struct game::pair<int,struct game::hero> >->value->second"
    ">(void) noexcept";

TEST(signature_arguments, are_found_in_the_form_of_microsofts_compiler) {
  using names = std::array<std::string_view, 3>;
  constexpr auto frame = ingot::detail::frame_of(microsoft_empty);
  static_assert(split_identifiers<3>(ingot::detail::signature_arguments(microsoft_members, frame)) ==
                names{"name", "age", "second"});
}
TEST(signature_arguments, are_found_in_the_forms_of_gxx_and_clang) {
  using ingot::detail::frame_of;
  using ingot::detail::signature_arguments;
  static_assert(signature_arguments("std::string_view signature_of_values() [Args = <&a.b, &a.c>]",
                                    frame_of("std::string_view signature_of_values() [Args = <>]")) ==
                "&a.b, &a.c");
  static_assert(
      signature_arguments("constexpr X signature_of_values() [with auto ...Args = {(& a.b)}; X = Y]",
                          frame_of("constexpr X signature_of_values() [with auto ...Args = {}; X = Y]")) ==
      "(& a.b)");
}
TEST(leading_argument, is_found_in_the_form_of_each_compiler) {
  constexpr auto argument = [](std::string_view signature) {
    return ingot::detail::leading_argument(ingot::detail::from_argument(signature, "T = ", "type_tag<"));
  };
  static_assert(argument("auto __cdecl ingot::v1::detail::type_tag<struct game::hero>(void) noexcept") ==
                "game::hero");
  static_assert(argument("auto __cdecl ingot::v1::detail::type_tag<enum game::color>(void) noexcept") ==
                "game::color");
  static_assert(argument("auto __cdecl ingot::v1::detail::type_tag<int>(void) noexcept") == "int");
  static_assert(
      argument("auto __cdecl ingot::v1::detail::type_tag<class std::vector<int,class std::allocator<int> > >"
               "(void) noexcept") == "std::vector<int,class std::allocator<int> > ");
  static_assert(argument("std::string_view type_tag() [T = game::hero]") == "game::hero");
  static_assert(argument("constexpr X type_tag() [with T = game::hero; X = Y]") == "game::hero");
  static_assert(argument("constexpr X type_tag() [with T = f() [with U = int]::local; X = Y]") ==
                "f() [with U = int]::local");
}
TEST(find_named, finds_enumerators_in_the_form_of_microsofts_compiler) {
  constexpr std::string_view text =
      "(enum game::color)0xffffffff,game::color::red,(enum game::color)0x1,game::color::blue,"
      "(enum game::color)0x3";
  static constexpr auto found = ingot::detail::find_named<5>(text, ingot::detail::enum_run{-1, 5, false});
  static_assert(found.count == 2 && found.index[0] == 1 && found.index[1] == 3);
  static_assert(text.substr(found.begin[0], found.end[0] - found.begin[0]) == "red");
  static_assert(text.substr(found.begin[1], found.end[1] - found.begin[1]) == "blue");
}

} // namespace names_test
