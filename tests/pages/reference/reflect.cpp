// SPDX-License-Identifier: Apache-2.0
// Examples of the reference of reflect (scripts/site_reference.py). Specialisations are at global
// scope, so these types and functions are, too.
#include <ingot/ingot.hpp>
#include <ingot/json/json.hpp>

#include "checks.hpp"
#include "reference.hpp"

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

// example: reflect/annotations.hpp
struct Employee {
  std::int32_t age = 0;
  std::string mail;
  std::vector<std::int32_t> visits;
};
template <>
inline constexpr auto ingot::annotations<Employee> =
    ingot::annotate(ingot::type(ingot::version(2)),
                    ingot::member<"age">(ingot::rename("years"), ingot::range(0, 150)),
                    ingot::member<"mail">(ingot::utf8, ingot::max_size(200)), // in bytes
                    ingot::member<"visits">(ingot::since(2), ingot::varint));
void annotations_example() {
  auto text = ingot::json::write(Employee{36, "a@b.c", {1}});
  assert(text == R"({"$version":2,"years":36,"mail":"a@b.c","visits":[1]})");
  auto older = ingot::json::read<Employee>(R"({"$version": 1, "years": 36, "mail": ""})");
  assert(older && older->visits.empty());
  auto wrong = ingot::json::read<Employee>(R"({"$version": 1, "years": 151, "mail": ""})");
  assert(!wrong && wrong.error().code() == ingot::errc::out_of_range);
}

// example: bound, range_t, rename_t
void bound_example() {
  constexpr ingot::range_t percent = ingot::range(0, 100);
  assert(percent.contains(100) && !percent.contains(-1) && !percent.contains(100.5));
  // The comparison is exact: no operand is converted to the other's type.
  constexpr ingot::bound high = ingot::bound::of(std::uint64_t{1} << 63);
  assert(high.above(-1) && high.above(9.2e18) && high.below(~std::uint64_t{0}));
}

// example: base_ref, reflect/described.hpp
class Named {
public:
  explicit Named(std::string name = {}) : name_(std::move(name)) {}
  [[nodiscard]] const std::string& name() const { return name_; }
  constexpr auto reflect(auto&& f) { return f(name_); }

private:
  std::string name_;
};
class Account : public Named {
public:
  explicit Account(std::string name = {}, std::int64_t cents = 0) : Named(std::move(name)), cents_(cents) {}
  [[nodiscard]] std::int64_t cents() const { return cents_; }
  constexpr auto reflect(auto&& f) { return f(ingot::base<Named>(*this), cents_); }

private:
  std::int64_t cents_;
};
void described_example() {
  auto bytes = ingot::pack(Account("Ada", 250));
  auto again = ingot::unpack<Account>(bytes);
  assert(again && again->name() == "Ada" && again->cents() == 250);
  static_assert(ingot::member_count<Account> == 2); // the base's member comes first
}

// example: enumerator_info, reflect/enums.hpp
enum class Weather : std::uint8_t { sun = 1, rain = 2, snow = 8 };
enum class Rights : std::uint8_t { read = 1, write = 2 };
constexpr Rights operator|(Rights a, Rights b) { return Rights(std::uint8_t(a) | std::uint8_t(b)); }
void enums_example() {
  assert(ingot::enum_name(Weather::snow) == "snow");
  assert(ingot::enum_from_name<Weather>("rain") == Weather::rain);
  assert(!ingot::enum_valid(Weather{3}) && ingot::enum_name(Weather{3}).empty());
  std::string all;
  for (const auto& each : ingot::enumerators<Weather>) all += std::string(each.name) + " ";
  assert(all == "sun rain snow ");
  static_assert(ingot::enum_is_flags<Rights>); // operator| says so
  assert(ingot::enum_valid(Rights::read | Rights::write));
}

// example: fixed_string, reflect/fixed_string.hpp
template <ingot::fixed_string Key, class T>
std::string as_setting(const T& value) {
  return std::string(Key.view()) + "=" + std::to_string(value);
}
void fixed_string_example() {
  assert(as_setting<"volume">(11) == "volume=11"); // a literal as a template argument
}

// example: adapt, valid, after_load, reflect/hooks.hpp
class Money { // a class whose members ingot can't list
public:
  explicit Money(std::int64_t cents) : cents_(cents) {}
  [[nodiscard]] std::int64_t cents() const { return cents_; }

private:
  std::int64_t cents_;
};
template <>
struct ingot::adapt<Money> { // stored as a number
  static std::int64_t to(const Money& money) { return money.cents(); }
  static Money from(std::int64_t cents) { return Money(cents); }
};
struct Even {
  std::int32_t value = 0;
  [[nodiscard]] bool valid() const { return value % 2 == 0; } // every reader asks
};
void hooks_example() {
  auto paid = ingot::unpack<Money>(ingot::pack(Money(250)));
  assert(paid && paid->cents() == 250);
  static_assert(std::is_same_v<ingot::adapted_t<Money>, std::int64_t>);
  auto odd = ingot::unpack<Even>(ingot::pack(std::int32_t{7})); // the same bytes as Even{7}
  assert(!odd && odd.error().code() == ingot::errc::invalid_value);
}

// example: reflect/kind.hpp
template <class T>
constexpr std::string_view shape_of() {
  if constexpr (ingot::kind_of<T> == ingot::kind::sequence) return "list";
  if constexpr (ingot::kind_of<T> == ingot::kind::record) return "object";
  return ingot::kind_of<T> == ingot::kind::none ? "not stored" : "other";
}
void kind_example() {
  static_assert(shape_of<std::vector<int>>() == "list");
  struct point {
    int x, y;
  };
  static_assert(shape_of<point>() == "object");
  static_assert(shape_of<int*>() == "not stored");
  static_assert(ingot::unsupported_reason_of<int*> == ingot::unsupported_reason::raw_pointer);
  static_assert(std::is_same_v<ingot::element_t<std::vector<int>>, int>);
}

// example: reflect/members.hpp
struct Point {
  std::int32_t x = 0;
  std::int32_t y = 0;
};
template <>
inline constexpr auto ingot::annotations<Point> =
    ingot::annotate(ingot::type(ingot::version(2)), ingot::member<"y">(ingot::varint));
void members_example() {
  Point point{3, 4};
  std::string text;
  ingot::for_each_member(point, [&](auto index, std::int32_t& value) {
    text += std::string(ingot::member_name<Point, index>) + "=" + std::to_string(value) + " ";
    value = 0;
  });
  assert(text == "x=3 y=4 " && point.y == 0);
  static_assert(ingot::member_count<Point> == 2 && ingot::member_index<Point>("y") == 1);
  static_assert(ingot::member_has<Point, 1, ingot::varint_t>);
  static_assert(ingot::type_get<Point, ingot::version_t>.number == 2);
}

// example: proto_form, reflect/proto_form.hpp
struct Reading {
  std::int32_t offset = 0;
};
template <>
inline constexpr auto ingot::annotations<Reading> =
    ingot::annotate(ingot::member<"offset">(ingot::proto_sint));
void proto_form_example() {
  const ingot::schema described = ingot::schema_of<Reading>();
  const ingot::proto_form form = described.root().children[0].form;
  assert(form.number == ingot::proto_number::sint); // a field of sint32
  assert(ingot::proto_form::from_byte(form.to_byte()) == form);
}

// example: reflect/variant_names.hpp
struct Disc {
  double radius = 0;
};
struct Tile {
  double side = 0;
};
using Shape = std::variant<Disc, Tile>;
template <>
inline constexpr std::string_view ingot::json::variant_names<Shape>[] = {"disc", "tile"};
template <>
inline constexpr std::string_view ingot::json::tag_key<Shape> = "type";
void variant_names_example() {
  auto text = ingot::json::write(Shape{Tile{2}});
  assert(text == R"({"type":"tile","side":2})");
  auto shape = ingot::json::read<Shape>(R"({"radius": 1, "type": "disc"})");
  assert(shape && std::get<Disc>(*shape).radius == 1);
}

void pages::reflect_reference() {
  annotations_example();
  bound_example();
  described_example();
  enums_example();
  fixed_string_example();
  hooks_example();
  kind_example();
  members_example();
  proto_form_example();
  variant_names_example();
}
