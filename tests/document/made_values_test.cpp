// SPDX-License-Identifier: Apache-2.0
// Types without a default constructor, read from documents: an adapted class is constructed from
// its stored form, a record from its members. Without this `as` of such a type did not compile,
// with three errors of the standard library and no explanation.
#include <ingot/document/archive_view.hpp>
#include <ingot/document/cbor.hpp>
#include <ingot/document/document.hpp>
#include <ingot/document/live_value.hpp>
#include <ingot/live/live.hpp>
#include <ingot/reflect/annotations.hpp>

#include "zoo/annotated.hpp"
#include "zoo/equal.hpp"

#include <array>
#include <cstdint>
#include <expected>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <tuple>
#include <utility>
#include <variant>
#include <vector>

#include <gtest/gtest.h>

namespace values_without_default {

using zoo::serial_number;

/// A class with a constructor that takes its members.
class point {
public:
  point(int x, int y) : x_(x), y_(y) {}
  [[nodiscard]] bool valid() const { return x_ <= y_; }
  bool operator==(const point&) const = default;
  constexpr auto reflect(auto&& f) { return f(x_, y_); }

private:
  int x_;
  int y_;
};
/// An aggregate with members of such types.
struct label {
  std::string name;
  serial_number number;
  point at;
  std::optional<int> weight;
  std::unique_ptr<point> other;
  std::int32_t made = 5; ///< skipped
};
/// A type with three versions.
struct label_before {
  serial_number number;
};
struct label_now {
  serial_number number;
  std::string kind;
};
struct by_number {
  bool operator()(const serial_number& a, const serial_number& b) const { return a.number() < b.number(); }
};
/// Such a type in every position that a type can have.
struct places {
  std::vector<serial_number> list;
  std::optional<point> maybe;
  std::optional<std::optional<point>> nested;
  std::unique_ptr<serial_number> box;
  std::variant<int, point, serial_number> either;
  std::expected<point, serial_number> good = point(1, 2);
  std::expected<point, serial_number> bad = std::unexpected(serial_number(3));
  std::set<serial_number, by_number> set;
  std::map<serial_number, point, by_number> map;
  std::map<std::string, label> labels;
  std::map<point, serial_number, decltype([](const point& a, const point& b) { return &a < &b; })> pairs;
  std::vector<std::pair<int, point>> tuples;
  std::vector<std::array<point, 2>> arrays;
};

label make_label() { return {"x", serial_number(4), point(1, 2), {}, std::make_unique<point>(3, 3)}; }
places make_sample() {
  places all;
  all.list = {serial_number(1), serial_number(2)};
  all.maybe = point(1, 1);
  all.nested = std::optional<point>(point(0, 7));
  all.box = std::make_unique<serial_number>(8);
  all.either = serial_number(9);
  all.set.insert(serial_number(2));
  all.map.emplace(serial_number(5), point(5, 6));
  all.labels.emplace("one", make_label());
  all.pairs.emplace(point(2, 2), serial_number(1));
  all.tuples.emplace_back(1, point(0, 1));
  all.arrays.push_back({point(1, 2), point(3, 4)});
  return all;
}

} // namespace values_without_default

template <>
inline constexpr auto ingot::annotations<values_without_default::label> =
    ingot::annotate(ingot::member<"weight">(ingot::range(0, 100)), ingot::member<"made">(ingot::skip));
template <>
inline constexpr auto ingot::annotations<values_without_default::label_before> =
    ingot::annotate(ingot::type(ingot::version(1)));
template <>
inline constexpr auto ingot::annotations<values_without_default::label_now> =
    ingot::annotate(ingot::type(ingot::version(2)), ingot::member<"kind">(ingot::default_value("usual")));
template <>
struct ingot::previous<values_without_default::label_now> {
  using type = values_without_default::label_before;
  static values_without_default::label_now upgrade(values_without_default::label_before&& old) {
    return {old.number, "upgraded"};
  }
};

namespace {

using namespace values_without_default;
using ingot::document;
using ingot::errc;

template <class R>
std::string said(const R& made) {
  if (made) return "no error";
  return std::string(to_string(made.error().code())) + " in " + std::string(made.error().path());
}

TEST(document_of_types_without_default, comes_back_in_every_container) {
  const places before = make_sample();
  const document doc(before);
  const auto after = doc.root().as<places>();
  ASSERT_TRUE(after) << after.error().message();
  EXPECT_EQ(after->list, before.list);
  EXPECT_EQ(after->maybe, before.maybe);
  EXPECT_EQ(after->nested, before.nested);
  ASSERT_TRUE(after->box);
  EXPECT_EQ(*after->box, *before.box);
  EXPECT_EQ(after->either, before.either);
  EXPECT_EQ(after->good, before.good);
  EXPECT_EQ(after->bad, before.bad);
  EXPECT_EQ(after->set, before.set);
  EXPECT_EQ(after->map, before.map);
  EXPECT_EQ(after->pairs.begin()->first, before.pairs.begin()->first);
  EXPECT_EQ(after->pairs.begin()->second, before.pairs.begin()->second);
  EXPECT_EQ(after->tuples, before.tuples);
  EXPECT_EQ(after->arrays, before.arrays);
  EXPECT_EQ(after->labels.at("one").number, serial_number(4));
  EXPECT_EQ(after->labels.at("one").made, 0) << "skipped";
  EXPECT_FALSE(after->labels.at("one").weight);
  EXPECT_EQ(*after->labels.at("one").other, point(3, 3));
}

TEST(document_of_types_without_default, gives_them_themselves_to_every_reader) {
  const document doc(make_sample());
  EXPECT_EQ(doc["list"][1].as<serial_number>(), serial_number(2));
  EXPECT_EQ(doc["maybe"].as<point>(), point(1, 1));
  using two = std::array<point, 2>;
  EXPECT_EQ(doc["arrays"][0].as<two>(), (two{point(1, 2), point(3, 4)}));
  using pair = std::tuple<int, point>;
  EXPECT_EQ(doc["tuples"][0].as<pair>(), pair(1, point(0, 1)));
  EXPECT_EQ(doc["maybe"].value_or(point(0, 0)), point(1, 1));
  EXPECT_EQ(doc["list"].value_or(point(0, 0)), point(0, 0));
  const auto bytes = ingot::archive(doc);
  const auto archived = ingot::archive_view::over(*bytes);
  EXPECT_EQ((*archived)["maybe"].as<point>(), point(1, 1));
  EXPECT_EQ((*archived)["labels"]["one"].as<label>()->number, serial_number(4));
  ingot::live<ingot::live_value> live;
  *live = doc;
  EXPECT_EQ(std::as_const(*live)["maybe"].as<point>(), point(1, 1));
  const auto cbor = ingot::cbor::write(doc);
  EXPECT_EQ(ingot::cbor::read_document(*cbor)->root().as<places>()->list, make_sample().list);
}

TEST(document_of_types_without_default, has_adapted_classes_of_the_zoo) {
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    const auto value = zoo::sample<zoo::invoice>(seed);
    const auto after = document(value).root().as<zoo::invoice>();
    ASSERT_TRUE(after) << after.error().message();
    EXPECT_TRUE(zoo::equal(*after, value)) << seed;
  }
}

TEST(document_of_types_without_default, may_be_in_large_arrays) {
  using large = std::array<point, 600>; // larger than values that are read on the stack
  const std::vector<point> points(600, point(3, 4));
  const auto read = document(points).root().as<large>();
  ASSERT_TRUE(read) << read.error().message();
  EXPECT_EQ(std::vector<point>(read->begin(), read->end()), points);
}

TEST(document_of_types_without_default, says_what_is_wrong_and_where) {
  document doc(make_sample());
  doc["labels"]["one"]["number"] = "7";
  EXPECT_EQ(said(doc.root().as<places>()), "invalid value in labels[one].number");
  doc["labels"]["one"]["number"] = "SN-4";
  doc["labels"]["one"]["at"]["x_"] = 9;
  EXPECT_EQ(said(doc.root().as<places>()), "invalid value in labels[one].at") << "its valid() says no";
  EXPECT_TRUE(*doc["labels"]["one"]["at"].erase("x_"));
  EXPECT_EQ(said(doc["labels"]["one"].as<label>()), "missing member in labels.one.at");
  EXPECT_EQ(said(doc["labels"]["one"].as_evolved<label>()), "missing member in labels.one.at")
      << "there is no default to take it from";
  doc["labels"]["one"]["at"] = point(1, 2);
  doc["labels"]["one"]["weight"] = 101;
  EXPECT_EQ(said(doc["labels"]["one"].as<label>()), "out of range in labels.one.weight");
  doc["labels"]["one"]["weight"] = 100;
  doc["labels"]["one"]["more"] = 1;
  EXPECT_EQ(said(doc["labels"]["one"].as<label>()), "unknown member in labels.one");
  EXPECT_TRUE(doc["labels"]["one"].as_evolved<label>());
  using points = std::array<point, 2>;
  using one = std::array<serial_number, 1>;
  using three = std::array<serial_number, 3>;
  EXPECT_EQ(said(doc["tuples"][0].as<points>()), "wrong type in tuples[0][0]");
  EXPECT_EQ(said(doc["list"].as<three>()), "bad length in list");
  EXPECT_EQ(said(doc["list"].as<one>()), "too long in list[1]");
  EXPECT_EQ(said(doc["list"].as<point>()), "wrong type in list");
}

TEST(document_of_types_without_default, is_read_by_its_values_alone) {
  document doc;
  doc["p"] = std::vector<int>{1, 2};
  const ingot::conversion_options by_values{.arrays_as_records = true};
  EXPECT_EQ(doc["p"].as<point>(by_values), point(1, 2));
  doc["p"] = std::vector<int>{1, 2, 3};
  EXPECT_EQ(said(doc["p"].as<point>(by_values)), "bad length in p");
  doc["p"] = std::vector<int>{3, 2};
  EXPECT_EQ(said(doc["p"].as<point>(by_values)), "invalid value in p");
}

TEST(document_of_types_without_default, may_be_of_another_version) {
  document doc;
  doc["$version"] = 1;
  doc["number"] = "SN-6";
  const auto upgraded = doc.root().as_evolved<label_now>();
  ASSERT_TRUE(upgraded) << upgraded.error().message();
  EXPECT_EQ(upgraded->number, serial_number(6));
  EXPECT_EQ(upgraded->kind, "upgraded");
  doc["$version"] = 2;
  const auto with_default = doc.root().as_evolved<label_now>();
  ASSERT_TRUE(with_default) << with_default.error().message();
  EXPECT_EQ(with_default->kind, "usual");
}

} // namespace
