// SPDX-License-Identifier: Apache-2.0
// Plain structs need no description: every kind of member is counted as one member, named, and
// accessed in place. A wrong count would silently shift every later field.
#include <ingot/reflect/members.hpp>

#include <array>
#include <chrono>
#include <complex>
#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <unordered_map>
#include <utility>
#include <variant>
#include <vector>

#include <gtest/gtest.h>

namespace zoo {

struct none {};
struct one {
  int only;
};
struct point {
  float x, y;
};
struct arrays {
  char text[256];
  int row[3];
  double matrix[3][4][2];
  std::string words[2];
  point corners[4];
  std::uint8_t last;
};
struct nested {
  one first;
  none nothing;
  point at;
  struct inner {
    int deep;
  } in;
  none nothing_again;
};
struct standard {
  std::optional<int> maybe;
  std::optional<std::string> maybe_text;
  std::vector<int> list;
  std::vector<std::vector<std::string>> lists;
  std::vector<bool> bits;
  std::variant<int, std::string> either;
  std::unique_ptr<one> boxed;
  std::map<std::string, int> ordered;
  std::unordered_map<int, std::string> hashed;
  std::set<int> keys;
  std::pair<int, std::string> pair;
  std::tuple<int, float, std::string> triple;
  std::array<int, 5> five;
  std::chrono::milliseconds delay;
  std::chrono::system_clock::time_point when;
  std::complex<double> wave;
  std::filesystem::path file;
};
struct defaults {
  int a = 3;
  std::string b = "text";
  int c[2] = {1, 2};
  double d;
};
struct without_default {
  explicit without_default(int v) : value(v) {}
  int value;
};
struct holds_without_default {
  int a;
  without_default b = without_default(7);
  std::string c;
};
struct bytes_until_poll {
  std::string a;
  without_default b;
  without_default c;
  int d;
};
struct tag {};
struct other_tag {};
struct tagged : tag, other_tag {
  int a;
  std::string b;
};
struct tagged_part : tag {
  int x;
};
/// Without braces of its own, the base of the first element would be the next initialiser.
struct begins_with_tagged_parts : tag {
  std::array<tagged_part, 2> parts;
};
struct begins_with_tagged_part : tag {
  tagged_part part;
};
struct tagged_twice : tag, other_tag {
  tagged_part part;
  int y;
};
struct tree {
  int value;
  std::vector<tree> children;
  std::unique_ptr<tree> left;
};
template <class T, int N>
struct generic {
  T value;
  T values[N];
};
struct one_optional {
  std::optional<int> value;
};
struct one_vector {
  std::vector<one_vector> value;
};
struct one_string {
  std::string value;
};
struct moves_only {
  std::unique_ptr<int> a;
  std::unique_ptr<int> b;
};
struct aligned {
  alignas(32) int a;
  [[no_unique_address]] none empty;
  char b;
};
struct holds_pointers { // rejected by stores, but reflected
  int* pointer;
  void (*function)(int);
  const int constant;
  long double wide;
  volatile int device;
};
struct aggregate_of_aggregates {
  point points[2][2];
  std::array<point, 2> more;
  std::array<std::array<int, 2>, 3> grid;
};
// Names are stored unchanged.
struct camelCase_und3r_score { // NOLINT(readability-identifier-naming)
  int iAmHere;
  int _leading;
  int trailing_;
  int x9;
};
struct wide {
  int m000 = 0, m001 = 1, m002 = 2, m003 = 3, m004 = 4, m005 = 5, m006 = 6, m007 = 7;
  int m008 = 8, m009 = 9, m010 = 10, m011 = 11, m012 = 12, m013 = 13, m014 = 14, m015 = 15;
  int m016 = 16, m017 = 17, m018 = 18, m019 = 19, m020 = 20, m021 = 21, m022 = 22, m023 = 23;
  int m024 = 24, m025 = 25, m026 = 26, m027 = 27, m028 = 28, m029 = 29, m030 = 30, m031 = 31;
  int m032 = 32, m033 = 33, m034 = 34, m035 = 35, m036 = 36, m037 = 37, m038 = 38, m039 = 39;
  int m040 = 40, m041 = 41, m042 = 42, m043 = 43, m044 = 44, m045 = 45, m046 = 46, m047 = 47;
  int m048 = 48, m049 = 49, m050 = 50, m051 = 51, m052 = 52, m053 = 53, m054 = 54, m055 = 55;
  int m056 = 56, m057 = 57, m058 = 58, m059 = 59, m060 = 60, m061 = 61, m062 = 62, m063 = 63;
  int m064 = 64, m065 = 65, m066 = 66, m067 = 67, m068 = 68, m069 = 69, m070 = 70, m071 = 71;
  int m072 = 72, m073 = 73, m074 = 74, m075 = 75, m076 = 76, m077 = 77, m078 = 78, m079 = 79;
  int m080 = 80, m081 = 81, m082 = 82, m083 = 83, m084 = 84, m085 = 85, m086 = 86, m087 = 87;
  int m088 = 88, m089 = 89, m090 = 90, m091 = 91, m092 = 92, m093 = 93, m094 = 94, m095 = 95;
  int m096 = 96, m097 = 97, m098 = 98, m099 = 99, m100 = 100, m101 = 101, m102 = 102, m103 = 103;
  int m104 = 104, m105 = 105, m106 = 106, m107 = 107, m108 = 108, m109 = 109, m110 = 110, m111 = 111;
  int m112 = 112, m113 = 113, m114 = 114, m115 = 115, m116 = 116, m117 = 117, m118 = 118, m119 = 119;
  int m120 = 120, m121 = 121, m122 = 122, m123 = 123, m124 = 124, m125 = 125, m126 = 126, m127 = 127;
};

} // namespace zoo

struct global_record {
  int id;
};

namespace aggregate_test {

template <class T>
std::vector<std::string_view> names() {
  return []<std::size_t... I>(std::index_sequence<I...>) {
    return std::vector<std::string_view>{ingot::member_name<T, I>...};
  }(std::make_index_sequence<ingot::member_count<T>>{});
}
using expected_names = std::vector<std::string_view>;

TEST(aggregate, members_are_counted_whatever_their_type) {
  static_assert(ingot::member_count<zoo::none> == 0);
  static_assert(ingot::member_count<zoo::one> == 1);
  static_assert(ingot::member_count<zoo::arrays> == 6);
  static_assert(ingot::member_count<zoo::nested> == 5);
  static_assert(ingot::member_count<zoo::standard> == 17);
  static_assert(ingot::member_count<zoo::tree> == 3);
  static_assert(ingot::member_count<zoo::one_optional> == 1);
  static_assert(ingot::member_count<zoo::one_vector> == 1);
  static_assert(ingot::member_count<zoo::one_string> == 1);
  static_assert(ingot::member_count<zoo::moves_only> == 2);
  static_assert(ingot::member_count<zoo::aggregate_of_aggregates> == 3);
  static_assert(ingot::member_count<zoo::wide> == 128);
}

TEST(aggregate, members_without_a_default_are_counted) {
  static_assert(ingot::member_count<zoo::defaults> == 4);
  static_assert(ingot::member_count<zoo::holds_without_default> == 3);
  static_assert(ingot::member_count<zoo::bytes_until_poll> == 4);
  EXPECT_EQ(names<zoo::bytes_until_poll>(), (expected_names{"a", "b", "c", "d"}));
}

TEST(aggregate, empty_bases_are_no_members) {
  static_assert(ingot::member_count<zoo::tagged> == 2);
  EXPECT_EQ(names<zoo::tagged>(), (expected_names{"a", "b"}));
}

TEST(aggregate, a_member_with_the_same_empty_base_is_counted) {
  static_assert(ingot::member_count<zoo::begins_with_tagged_parts> == 1);
  EXPECT_EQ(names<zoo::begins_with_tagged_parts>(), (expected_names{"parts"}));
  EXPECT_EQ(names<zoo::begins_with_tagged_part>(), (expected_names{"part"}));
  EXPECT_EQ(names<zoo::tagged_twice>(), (expected_names{"part", "y"}));
}

TEST(aggregate, names_come_out_as_declared) {
  EXPECT_EQ(names<zoo::arrays>(), (expected_names{"text", "row", "matrix", "words", "corners", "last"}));
  EXPECT_EQ(names<zoo::nested>(), (expected_names{"first", "nothing", "at", "in", "nothing_again"}));
  EXPECT_EQ(names<zoo::tree>(), (expected_names{"value", "children", "left"}));
  EXPECT_EQ(names<zoo::camelCase_und3r_score>(), (expected_names{"iAmHere", "_leading", "trailing_", "x9"}));
  EXPECT_EQ(names<zoo::aligned>(), (expected_names{"a", "empty", "b"}));
  EXPECT_EQ(names<global_record>(), (expected_names{"id"}));
  EXPECT_EQ(names<zoo::none>(), expected_names{});
  EXPECT_EQ((names<zoo::generic<std::vector<int>, 3>>()), (expected_names{"value", "values"}));
  EXPECT_EQ(names<zoo::standard>(),
            (expected_names{"maybe", "maybe_text", "list", "lists", "bits", "either", "boxed", "ordered",
                            "hashed", "keys", "pair", "triple", "five", "delay", "when", "wave", "file"}));
}

TEST(aggregate, local_types_have_names) {
  struct local {
    int alpha;
    std::string beta;
  };
  EXPECT_EQ(names<local>(), (expected_names{"alpha", "beta"}));
}

template <class T>
int sum_in_a_function() {
  struct local {
    T alpha = 1;
  };
  local object;
  return ingot::visit_members(object, [](const auto&... of) { return static_cast<int>((of + ...)); });
}
int sum_in_a_namesake_of_its_class() {
  struct local {
    int alpha = 10;
  };
  local object;
  return ingot::visit_members(object, [](const auto&... of) { return (of + ...); });
}
TEST(aggregate, local_types_of_two_functions_may_have_one_name) {
  EXPECT_EQ(sum_in_a_function<int>(), 1);
  EXPECT_EQ(sum_in_a_function<long>(), 1);
  EXPECT_EQ(sum_in_a_namesake_of_its_class(), 10);
}

TEST(aggregate, all_128_members_keep_name_and_position) {
  zoo::wide object;
  ingot::for_each_member(object, [](auto index, int& member) {
    EXPECT_EQ(member, static_cast<int>(index));
    const std::string number = std::to_string(1000 + index).substr(1);
    EXPECT_EQ((ingot::member_name<zoo::wide, index>), "m" + number);
  });
}

TEST(aggregate, types_are_the_declared_ones) {
  static_assert(std::is_same_v<ingot::member_type<zoo::arrays, 0>, char[256]>);
  static_assert(std::is_same_v<ingot::member_type<zoo::arrays, 2>, double[3][4][2]>);
  static_assert(std::is_same_v<ingot::member_type<zoo::tree, 1>, std::vector<zoo::tree>>);
  static_assert(std::is_same_v<ingot::member_type<zoo::holds_pointers, 2>, const int>);
  static_assert(std::is_same_v<ingot::member_type<zoo::holds_pointers, 4>, volatile int>);
  static_assert(std::is_same_v<ingot::member_origin<zoo::tagged, 1>, zoo::tagged>);
  EXPECT_EQ(names<zoo::holds_pointers>(),
            (expected_names{"pointer", "function", "constant", "wide", "device"}));
}

TEST(visit_members, gives_references_to_the_members_themselves) {
  zoo::nested object{};
  ingot::visit_members(object, [&](auto& first, auto& nothing, auto& at, auto& in, auto& again) {
    EXPECT_EQ(static_cast<void*>(&first), &object.first);
    EXPECT_EQ(static_cast<void*>(&nothing), &object.nothing);
    EXPECT_EQ(static_cast<void*>(&again), &object.nothing_again);
    at.x = 2;
    in.deep = 5;
  });
  EXPECT_EQ(object.at.x, 2.0F);
  EXPECT_EQ(object.in.deep, 5);
}

TEST(visit_members, keeps_const_and_returns_what_the_function_returns) {
  const zoo::point object{1, 2};
  EXPECT_EQ(ingot::visit_members(object,
                                 [](auto& x, auto& y) {
                                   static_assert(std::is_const_v<std::remove_reference_t<decltype(x)>>);
                                   return x + y;
                                 }),
            3.0F);
  zoo::one other{4};
  static_assert(
      std::is_same_v<decltype(ingot::visit_members(other, [](auto& m) -> int& { return m; })), int&>);
}

TEST(visit_members, reaches_arrays_as_arrays) {
  zoo::arrays object{};
  ingot::visit_members(object, [](auto& text, auto&, auto& matrix, auto&, auto&, auto&) {
    static_assert(std::is_same_v<decltype(text), char (&)[256]>);
    matrix[2][3][1] = 6;
  });
  EXPECT_EQ(object.matrix[2][3][1], 6.0);
}

TEST(visit_members, works_in_constant_expressions) {
  static constexpr zoo::point object{1, 2};
  static_assert(ingot::visit_members(object, [](auto... m) { return (m + ...); }) == 3.0F);
  static_assert([] {
    zoo::nested changed{};
    ingot::for_each_member(changed, [](auto index, auto& m) {
      if constexpr (index == 0) m.only = 10;
    });
    return changed.first.only;
  }() == 10);
}

TEST(for_each_member, a_false_stops_the_walk) {
  zoo::wide object;
  int seen = 0;
  EXPECT_FALSE(ingot::for_each_member(object, [&](auto index, int&) { return ++seen, index < 5; }));
  EXPECT_EQ(seen, 6);
  EXPECT_TRUE(ingot::for_each_member(object, [&](auto, int&) { return true; }));
}

TEST(for_each_member, takes_functions_that_return_anything) {
  zoo::point object{};
  int calls = 0;
  EXPECT_TRUE(ingot::for_each_member(object, [&](auto, auto&) { ++calls; }));
  EXPECT_TRUE(ingot::for_each_member(object, [&](auto, auto&) { return ++calls, 0; }));
  EXPECT_EQ(calls, 4);
  zoo::none empty;
  EXPECT_TRUE(ingot::for_each_member(empty, [&](auto, auto&) { return false; }));
}

TEST(record, is_every_class_that_can_be_seen_and_nothing_else) {
  static_assert(ingot::record<zoo::none> && ingot::record<zoo::standard> &&
                ingot::record<zoo::bytes_until_poll>);
  static_assert(!ingot::record<int> && !ingot::record<std::string> && !ingot::record<std::vector<int>>);
  static_assert(!ingot::record<zoo::without_default>);
  union either {
    int a;
    float b;
  };
  static_assert(!ingot::record<either>);
}

TEST(member_index, finds_by_name) {
  static_assert(ingot::member_index<zoo::nested>("in") == 3);
  static_assert(ingot::member_index<zoo::nested>("out") == ingot::member_count<zoo::nested>);
}

} // namespace aggregate_test
