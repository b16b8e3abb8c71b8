// SPDX-License-Identifier: Apache-2.0
// C++ types to documents and back: the value is the same, and a value that doesn't fit is an error
// with a path.
#include <ingot/document/document.hpp>

#include <array>
#include <bitset>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <tuple>
#include <unordered_map>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

namespace document_test_types {

enum class side : std::uint8_t { buy, sell };

struct fill {
  std::int64_t quantity = 0;
  double price = 0;
  bool operator==(const fill&) const = default;
};
struct order {
  std::uint64_t id = 0;
  std::string symbol;
  side where = side::buy;
  std::optional<std::string> note;
  std::vector<fill> fills;
  std::map<std::string, std::vector<int>> tags;
  std::array<float, 2> range{};
  std::pair<int, bool> two;
  std::chrono::seconds time{};
  bool operator==(const order&) const = default;
};
struct tree {
  int value = 0;
  std::vector<tree> children;
};

} // namespace document_test_types

namespace document_read_test {

using namespace document_test_types;
using ingot::document;
using ingot::errc;

order sample() {
  return {7,
          "ABC",
          side::sell,
          "a note",
          {{100, 1.5}, {1, 0.1}},
          {{"x", {1, 2, 3}}, {"empty", {}}},
          {1, 2.5F},
          {3, true},
          std::chrono::seconds(99)};
}
template <class T>
void round_trip(const T& from) {
  document doc;
  doc = from;
  const auto back = doc.root().as<T>();
  ASSERT_TRUE(back.has_value()) << back.error().message();
  EXPECT_TRUE(*back == from);
  doc.compact();
  EXPECT_TRUE(*doc.root().as<T>() == from);
}

TEST(document_read, records_and_containers_come_back) {
  round_trip(sample());
  round_trip(std::vector<order>(20, sample()));
  round_trip(std::vector<bool>{true, false});
  round_trip(std::set<std::string>{"a", "b"});
  round_trip(std::unordered_map<std::string, double>{{"a", 1}, {"b", 0.1}});
  round_trip(std::tuple<int, std::string>{1, "two"});
  round_trip(std::vector<std::vector<int>>{{}, {1}, {70'000, -1}});
  round_trip(std::vector<std::uint64_t>{~std::uint64_t{0}, 1});
  round_trip(std::string(100'000, 'x'));
}

TEST(document_read, what_does_not_fit_says_where) {
  document doc;
  doc = std::vector<order>{sample(), sample()};
  const auto unsupported_reason = [&] {
    const auto read = doc.root().as<std::vector<order>>();
    return read ? std::string("read")
                : std::string(ingot::to_string(read.error().code())) + " at " +
                      std::string(read.error().path());
  };
  EXPECT_EQ(unsupported_reason(), "read");
  static_cast<void>(doc.at("/1/fills/0/quantity").set("many"));
  EXPECT_EQ(unsupported_reason(), "wrong type at [1].fills[0].quantity");
  static_cast<void>(doc.at("/1/fills/0/quantity").set(1));
  static_cast<void>(doc.at("/0/tags/x").append(std::int64_t{1} << 40));
  EXPECT_EQ(unsupported_reason(), "out of range at [0].tags[x][3]");
  static_cast<void>(doc.at("/0").set("tags", std::map<std::string, int>{}));
  static_cast<void>(doc.at("/0").set("where", "hold"));
  EXPECT_EQ(unsupported_reason(), "unknown enumerator at [0].where");
  static_cast<void>(doc.at("/0").set("where", 1));
  EXPECT_EQ(unsupported_reason(), "read");
  static_cast<void>(doc.at("/0").set("extra", 1));
  EXPECT_EQ(unsupported_reason(), "unknown member at [0]");
  static_cast<void>(doc.at("/0").erase("extra"));
  static_cast<void>(doc.at("/0").erase("note")); // optional
  EXPECT_EQ(unsupported_reason(), "read");
  static_cast<void>(doc.at("/0").erase("symbol"));
  EXPECT_EQ(unsupported_reason(), "missing member at [0]");
}

enum class letter : char { none = 0, a = 'a' };
enum class answer : bool { no, yes };
struct letters {
  letter first = letter::none;
  answer second = answer::no;
  bool operator==(const letters&) const = default;
};
} // namespace document_read_test
template <>
inline constexpr auto ingot::annotations<document_read_test::letter> =
    ingot::annotate(ingot::type(ingot::open_enum));
namespace document_read_test {

TEST(document_read, enumerations_may_be_over_characters_and_booleans) {
  round_trip(letters{letter::a, answer::yes});
  round_trip(letters{static_cast<letter>('b'), answer::no}); // a number
  document doc;
  doc = true;
  EXPECT_EQ(doc.root().as<answer>(), answer::yes);
  doc = 300;
  EXPECT_EQ(doc.root().as<letter>().error().code(), errc::out_of_range);
}

TEST(document_read, recursive_types_end_at_128_levels) {
  document doc;
  ingot::value_ref at = doc.root();
  for (int i = 0; i < 200; ++i) {
    static_cast<void>(at.set("value", i));
    static_cast<void>(at.set("children", std::vector<int>{}));
    at = at.find("children");
    static_cast<void>(at.append(nullptr));
    at = at[0];
  }
  EXPECT_EQ(doc.root().as<tree>().error().code(), errc::too_deep);
}

} // namespace document_read_test

namespace document_evolved_test {

using ingot::errc;

/// Documents read as another version of a type: members are matched as in the evolution of packed
/// values.
struct hero {
  std::string name = "nobody";
  int hp = 100;
};
struct party {
  hero leader;
  std::vector<hero> others;
};
struct place {
  int x = 0;
  int y = 0;
};
struct empty {};
/// Three members that took names from each other.
struct renamed {
  int a = 7;
  int b = 9;
  int c = 11;
  int d = 13;
};

/// Members that were added later, with their values where they are missing.
struct armour {
  std::string name;
  int weight = 3;
  int price = 0;
  std::optional<int> charge = 5;
  std::optional<int> wear = 1;
  std::unique_ptr<std::string> owner = std::make_unique<std::string>("a smith");
};
struct shares {
  std::optional<int> first;
  int second = 7;
};
struct holder {
  shares held{{}, 9};
};
struct knight {
  std::string name;
  armour worn{"plate", 40, 200, 9, 8, nullptr};
  std::array<armour, 1> kept{{{"leather", 8, 10, 9, 8, nullptr}}};
  std::vector<armour> more;
};

} // namespace document_evolved_test
template <>
inline constexpr auto ingot::annotations<document_evolved_test::armour> =
    ingot::annotate(ingot::member<"name">(ingot::default_value("cloth")),
                    ingot::member<"price">(ingot::default_value(7)),
                    ingot::member<"wear">(ingot::default_value(2)));
template <>
inline constexpr auto ingot::annotations<document_evolved_test::shares> =
    ingot::annotate(ingot::member<"first">(ingot::renamed_from("old")));
template <>
inline constexpr auto ingot::annotations<document_evolved_test::renamed> =
    ingot::annotate(ingot::member<"a">(ingot::renamed_from("b")),
                    ingot::member<"c">(ingot::renamed_from("old")),
                    ingot::member<"d">(ingot::renamed_from("older", "oldest")));
namespace document_evolved_test {

[[nodiscard]] std::vector<int> read(const ingot::document& doc) {
  const auto evolved = doc.root().as_evolved<renamed>();
  if (!evolved) return {};
  return {evolved->a, evolved->b, evolved->c, evolved->d};
}

TEST(document_evolved, gives_each_member_to_one) {
  ingot::document doc;
  doc["b"] = 1;
  const int b = renamed().b;
  // Without `a`, the document is older than its renaming.
  EXPECT_EQ(read(doc), (std::vector<int>{1, b, 11, 13}));
  doc["old"] = 2;
  EXPECT_EQ(read(doc), (std::vector<int>{1, b, 2, 13}));
  doc["oldest"] = 3;
  EXPECT_EQ(read(doc), (std::vector<int>{1, b, 2, 3}));
  doc["older"] = 6;
  EXPECT_EQ(read(doc), (std::vector<int>{1, b, 2, 6})); // the first of its former names
  doc["c"] = 4;
  EXPECT_EQ(read(doc), (std::vector<int>{1, b, 4, 6})); // its own name comes first
  doc["a"] = 5;
  // A document of the present version has both
  EXPECT_EQ(read(doc), (std::vector<int>{5, 1, 4, 6}));
}

/// A missing member would otherwise keep the value of the object that is read into.
TEST(document_evolved, gives_what_is_missing_the_default_of_its_own_record) {
  ingot::document doc;
  doc["name"] = "Ann";
  doc["worn"] = ingot::document();
  doc["worn"]["weight"] = 50;
  doc["kept"] = std::vector<int>{};
  static_cast<void>(doc["kept"].append(std::map<std::string, int>{{"weight", 60}}));
  doc["more"] = std::vector<int>{};
  static_cast<void>(doc["more"].append(std::map<std::string, int>{{"weight", 70}}));
  const auto read = doc.root().as_evolved<knight>();
  ASSERT_TRUE(read.has_value()) << read.error().message();
  EXPECT_EQ(read->worn.weight, 50);
  EXPECT_EQ(read->kept[0].weight, 60);
  EXPECT_EQ(read->more.at(0).weight, 70);
  for (const armour* each : {&read->worn, &read->kept[0], &read->more[0]}) {
    EXPECT_EQ(each->name, "cloth");
    EXPECT_EQ(each->price, 7);
    EXPECT_EQ(each->wear, 2);
    // An empty optional is not written, so a missing one is empty
    EXPECT_FALSE(each->charge.has_value());
    EXPECT_EQ(each->owner, nullptr);
  }
  EXPECT_EQ(doc.root().as_evolved<armour>()->weight, 3); // only the name is present

  ingot::document old;
  old["held"] = std::map<std::string, int>{{"old", 1}};
  const auto shared = old.root().as_evolved<holder>();
  ASSERT_TRUE(shared.has_value());
  EXPECT_EQ(shared->held.first, 1);
  EXPECT_EQ(shared->held.second, 7);

  ingot::document without;
  without["name"] = "Bob";
  const auto bob = without.root().as_evolved<knight>();
  ASSERT_TRUE(bob.has_value());
  EXPECT_EQ(bob->worn.weight, 40); // the whole record is missing
}
TEST(document_evolved, reads_what_is_nothing_as_nothing) {
  ingot::document doc;
  armour bare;
  bare.charge.reset();
  bare.wear.reset();
  bare.owner.reset();
  doc = bare;
  EXPECT_EQ(doc.root().find("charge").kind(), ingot::value_kind::absent);
  EXPECT_TRUE(doc.root().find("wear").is_null()); // a missing one would have its default
  for (const auto& read : {doc.root().as<armour>(), doc.root().as_evolved<armour>()}) {
    ASSERT_TRUE(read.has_value());
    EXPECT_FALSE(read->charge.has_value());
    EXPECT_FALSE(read->wear.has_value());
    EXPECT_EQ(read->owner, nullptr);
  }
}

/// A document with a form from which packed values can evolve is read as the present type, too.
TEST(document_evolved, reads_forms_of_before) {
  ingot::document doc;
  doc = std::bitset<3>(0b101);
  EXPECT_EQ(doc.root().as_evolved<std::bitset<70>>(), std::bitset<70>(0b101));
  EXPECT_EQ(doc.root().as<std::bitset<70>>().error().code(), errc::bad_length);
  EXPECT_EQ(doc.root().as_evolved<std::bitset<2>>().error().code(), errc::bad_length);
  struct flags {
    std::bitset<5> all{0b11111};
  };
  ingot::document object;
  object["all"] = std::bitset<3>(0b101);
  EXPECT_EQ(object.root().as_evolved<flags>()->all, std::bitset<5>(0b101));

  using once = std::map<std::string, int>;
  using often = std::multimap<std::string, int>;
  doc = once{{"a", 1}, {"b", 2}};
  EXPECT_EQ(doc.root().as_evolved<often>(), (often{{"a", 1}, {"b", 2}}));
  EXPECT_EQ(doc.root().as<often>().error().code(), errc::type_mismatch);
  EXPECT_EQ((doc.root().as_evolved<std::multimap<int, int>>().error().code()), errc::out_of_range);
  EXPECT_EQ((doc.root().as_evolved<std::multimap<double, int>>().error().code()), errc::type_mismatch);
  doc = often{{"a", 1}, {"a", 2}};
  EXPECT_EQ(doc.root().as_evolved<often>(), (often{{"a", 1}, {"a", 2}}));

  using plain = std::vector<std::byte>;
  using optional_or_box = std::vector<std::optional<std::byte>>;
  doc = plain{std::byte{0}, std::byte{255}};
  EXPECT_EQ(doc.root().as_evolved<optional_or_box>(), (optional_or_box{std::byte{0}, std::byte{255}}));
  EXPECT_EQ(doc.root().as<optional_or_box>().error().code(), errc::type_mismatch);
  EXPECT_EQ(doc.root().as_evolved<std::vector<std::optional<int>>>().error().code(), errc::type_mismatch);
}

TEST(document_evolved, rejects_a_whole_value_without_a_member_in_common) {
  ingot::document doc;
  EXPECT_EQ(doc.root().as_evolved<hero>().error().code(), errc::type_mismatch); // null
  doc["port"] = 8080;
  EXPECT_EQ(doc.root().as_evolved<hero>().error().code(), errc::schema_mismatch);
  EXPECT_TRUE(doc.root().as_evolved<empty>()); // it has nothing to lose
  doc["hp"] = 3;
  const auto some = doc.root().as_evolved<hero>();
  ASSERT_TRUE(some.has_value());
  EXPECT_EQ(some->hp, 3);

  doc["leader"] = place{}; // inside a value of the right kind all members may have changed
  doc["others"] = std::vector<place>{{1, 2}};
  const auto all = doc.root().as_evolved<party>();
  ASSERT_TRUE(all.has_value()) << all.error().message();
  EXPECT_EQ(all->leader.hp, 100);
  EXPECT_EQ(all->others.size(), 1u);
  EXPECT_EQ(doc["leader"].as_evolved<hero>().error().code(), errc::schema_mismatch);
}

} // namespace document_evolved_test
