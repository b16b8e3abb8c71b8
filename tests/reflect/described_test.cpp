// SPDX-License-Identifier: Apache-2.0
// Private members, constructors and bases, which aggregates do not allow: a class describes them
// once, and is then reflected as an aggregate is.
#include <ingot/reflect/members.hpp>

#include <cstdint>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

namespace zoo {

class counter {
  std::uint32_t count_ = 0;
  std::string label_;

public:
  counter() = default;
  counter(std::uint32_t count, std::string label) : count_(count), label_(std::move(label)) {}
  [[nodiscard]] std::uint32_t count() const { return count_; }
  [[nodiscard]] const std::string& label() const { return label_; }
  constexpr auto reflect(auto&& f) { return f(count_, label_); }
};

class by_macro {
  int id_;
  std::vector<int> values_[2];
  char code_[4];

public:
  explicit by_macro(int id) : id_(id), code_{} {}
  [[nodiscard]] int id() const { return id_; }
  INGOT_REFLECT(by_macro, (), id_, values_, code_)
};

/// A class without bases may omit the parentheses for them. All members count.
class without_parentheses {
  bool open_ = true;
  double angle_ = 2;
  int level_ = 3;

public:
  INGOT_REFLECT(without_parentheses, open_, angle_, level_)
};
class with_nothing {
public:
  INGOT_REFLECT(with_nothing)
};

class outside {
public:
  outside() {} // NOLINT(modernize-use-equals-default): user-provided, so no aggregate
  int a = 1;
  std::string b;
};
INGOT_REFLECT(outside, (), a, b)

struct item {
  std::uint64_t id;
  std::string name;
};
struct stats {
  int strength;
};
class weapon : public item, private stats {
  float damage_ = 0;

public:
  [[nodiscard]] float damage() const { return damage_; }
  void train(int by) { strength += by; }
  constexpr auto reflect(auto&& f) { return f(ingot::base<item>(*this), ingot::base<stats>(*this), damage_); }
};
struct sword : weapon {
  bool sharp = true;
  INGOT_REFLECT(sword, (weapon), sharp)
};
struct magic {
  int mana = 0;
};
struct magic_sword : sword, magic {
  INGOT_REFLECT(magic_sword, (sword, magic))
};
struct tail_padding_base {
  int a;
  char b;
};
struct tail_padding : tail_padding_base {
  char c;
  INGOT_REFLECT(tail_padding, (tail_padding_base), c)
};
struct silent {
  INGOT_REFLECT(silent, ())
};
struct shape {
  virtual ~shape() = default;
  int sides = 0;
  INGOT_REFLECT(shape, (), sides)
};
struct square final : shape {
  int width = 0;
  INGOT_REFLECT(square, (shape), width)
};
struct cached {
  int value = 0;
  std::vector<int> cache;
  constexpr auto reflect(auto&& f) { return f(value); }
};
struct with_const {
  const int fixed = 4;
  int loose = 5;
  constexpr auto reflect(auto&& f) { return f(fixed, loose); }
};
struct reordered {
  int first = 1;
  int second = 2;
  INGOT_REFLECT(reordered, (), second, first)
};
struct many {
  int m[1];
  int a, b, c, d, e, f, g, h, i, j, k, l, n, o, p, q, r, s, t, u, v, w, x, y, z;
  INGOT_REFLECT(many, (), m, a, b, c, d, e, f, g, h, i, j, k, l, n, o, p, q, r, s, t, u, v, w, x, y, z)
};
template <class T>
class holder {
  T value_{};

public:
  T& value() { return value_; }
  constexpr auto reflect(auto&& f) { return f(value_); }
};

} // namespace zoo

template <>
inline constexpr auto ingot::annotations<zoo::cached> = ingot::annotate(ingot::type(ingot::partial));

namespace described_test {

template <class T>
std::vector<std::string_view> names() {
  return []<std::size_t... I>(std::index_sequence<I...>) {
    return std::vector<std::string_view>{ingot::member_name<T, I>...};
  }(std::make_index_sequence<ingot::member_count<T>>{});
}
using expected_names = std::vector<std::string_view>;

TEST(reflect_function, reaches_private_members) {
  static_assert(ingot::record<zoo::counter> && ingot::member_count<zoo::counter> == 2);
  EXPECT_EQ(names<zoo::counter>(), (expected_names{"count_", "label_"}));
  zoo::counter object(3, "three");
  ingot::visit_members(object, [](auto& count, auto& label) {
    count = 4;
    label = "four";
  });
  EXPECT_EQ(object.count(), 4U);
  EXPECT_EQ(object.label(), "four");
}

TEST(reflect_function, need_not_be_written_twice_for_const) {
  const zoo::counter object(3, "three");
  ingot::visit_members(object, [](auto& count, auto& label) {
    static_assert(std::is_same_v<decltype(count), const std::uint32_t&>);
    static_assert(std::is_same_v<decltype(label), const std::string&>);
    EXPECT_EQ(label, "three");
  });
}

TEST(reflect_function, const_members_stay_const) {
  static_assert(std::is_same_v<ingot::member_type<zoo::with_const, 0>, const int>);
  static_assert(std::is_same_v<ingot::member_type<zoo::with_const, 1>, int>);
}

TEST(reflect_function, may_leave_members_out_when_the_type_is_partial) {
  EXPECT_EQ(names<zoo::cached>(), (expected_names{"value"}));
}

TEST(reflect_function, serves_templates) {
  EXPECT_EQ(names<zoo::holder<std::string>>(), (expected_names{"value_"}));
  static_assert(std::is_same_v<ingot::member_type<zoo::holder<int[3]>, 0>, int[3]>);
}

TEST(macro, works_inside_the_class_and_outside) {
  EXPECT_EQ(names<zoo::by_macro>(), (expected_names{"id_", "values_", "code_"}));
  static_assert(std::is_same_v<ingot::member_type<zoo::by_macro, 2>, char[4]>);
  static_assert(std::is_same_v<ingot::member_type<zoo::by_macro, 1>, std::vector<int>[2]>);
  EXPECT_EQ(names<zoo::outside>(), (expected_names{"a", "b"}));
  const zoo::by_macro object(9);
  ingot::visit_members(object, [](auto& id, auto&, auto&) {
    static_assert(std::is_same_v<decltype(id), const int&>);
    EXPECT_EQ(id, 9);
  });
}

TEST(macro, takes_members_without_parentheses_for_bases) {
  using type = zoo::without_parentheses;
  static_assert(ingot::member_count<type> == 3 && ingot::member_count<zoo::with_nothing> == 0);
  static_assert(ingot::member_name<type, 0> == "open_" && ingot::member_name<type, 2> == "level_");
  static_assert(std::is_same_v<ingot::member_type<type, 0>, bool>);
  type object;
  ingot::visit_members(object, [](bool open, double angle, int level) {
    EXPECT_TRUE(open);
    EXPECT_EQ(angle, 2);
    EXPECT_EQ(level, 3);
  });
}

TEST(macro, names_members_in_the_order_of_its_arguments) {
  EXPECT_EQ(names<zoo::reordered>(), (expected_names{"second", "first"}));
  zoo::reordered object;
  ingot::for_each_member(object, [](auto index, int& m) { EXPECT_EQ(m, index == 0 ? 2 : 1); });
}

TEST(macro, takes_many_members_and_none) {
  static_assert(ingot::member_count<zoo::many> == 26);
  EXPECT_EQ(names<zoo::many>().back(), "z");
  static_assert(ingot::member_count<zoo::silent> == 0);
}

TEST(bases, members_come_first_in_the_order_of_the_bases) {
  EXPECT_EQ(names<zoo::weapon>(), (expected_names{"id", "name", "strength", "damage_"}));
  EXPECT_EQ(names<zoo::sword>(), (expected_names{"id", "name", "strength", "damage_", "sharp"}));
  EXPECT_EQ(names<zoo::magic_sword>(),
            (expected_names{"id", "name", "strength", "damage_", "sharp", "mana"}));
  static_assert(std::is_same_v<ingot::member_origin<zoo::magic_sword, 0>, zoo::item>);
  static_assert(std::is_same_v<ingot::member_origin<zoo::magic_sword, 3>, zoo::weapon>);
  static_assert(std::is_same_v<ingot::member_origin<zoo::magic_sword, 5>, zoo::magic>);
}

TEST(bases, members_are_those_of_the_object) {
  zoo::magic_sword object;
  ingot::for_each_member(object, [&](auto index, auto& member) {
    if constexpr (index == 1) {
      EXPECT_EQ(static_cast<void*>(&member), static_cast<void*>(&object.name));
      member = "Excalibur";
    }
    if constexpr (index == 3) member = 2.5F;
    if constexpr (index == 5) member = 11;
  });
  EXPECT_EQ(object.name, "Excalibur");
  EXPECT_EQ(object.damage(), 2.5F);
  EXPECT_EQ(object.mana, 11);
  const zoo::magic_sword& fixed = object;
  ingot::for_each_member(fixed, [](auto, auto& member) {
    static_assert(std::is_const_v<std::remove_reference_t<decltype(member)>>);
  });
}

TEST(bases, tail_padding_is_not_taken_for_a_missing_member) {
  EXPECT_EQ(names<zoo::tail_padding>(), (expected_names{"a", "b", "c"}));
}

TEST(bases, polymorphic_classes_are_records_of_their_members) {
  EXPECT_EQ(names<zoo::square>(), (expected_names{"sides", "width"}));
}

#if INGOT_REFLECTION
struct plain_derived : zoo::item, zoo::stats {
  int rank = 0;
};
class[[= ingot::reflectable]] annotated_derived : zoo::item {
  int secret_ = 7;

public:
  void rename(std::string to) { name = std::move(to); }
};
struct mixed : zoo::counter {
  int more = 0;
};

TEST(reflection, flattens_bases_without_an_annotation) {
  EXPECT_EQ(names<plain_derived>(), (expected_names{"id", "name", "strength", "rank"}));
  plain_derived object{};
  ingot::for_each_member(object, [](auto index, auto& member) {
    if constexpr (index == 2) member = 9;
  });
  EXPECT_EQ(object.strength, 9);
  static_assert(std::is_same_v<ingot::member_origin<plain_derived, 2>, zoo::stats>);
}

TEST(reflection, reaches_private_members_and_bases_of_annotated_classes) {
  EXPECT_EQ(names<annotated_derived>(), (expected_names{"id", "name", "secret_"}));
  annotated_derived object;
  object.rename("Bob");
  const annotated_derived& fixed = object;
  ingot::visit_members(fixed, [](auto&, auto& name, auto& secret) {
    static_assert(std::is_same_v<decltype(secret), const int&>);
    EXPECT_EQ(name, "Bob");
    EXPECT_EQ(secret, 7);
  });
}
#endif

} // namespace described_test
