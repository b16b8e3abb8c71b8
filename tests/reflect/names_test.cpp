// SPDX-License-Identifier: Apache-2.0
// Names are extracted from the text that compilers print. Each form that they print is a case here.
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

} // namespace names_test
