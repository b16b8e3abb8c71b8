// SPDX-License-Identifier: Apache-2.0
// Errors of a document's public operations have a path: from the root to the value, or to the
// position where a value was looked up. Without the path, `missing member: expected an integer`
// would not help in a document of a hundred integers.
#include <ingot/document/archive_view.hpp>
#include <ingot/document/document.hpp>
#include <ingot/document/live_value.hpp>
#include <ingot/document/peek.hpp>
#include <ingot/document/timestamp.hpp>
#include <ingot/document/writer.hpp>
#include <ingot/live/live.hpp>
#include <ingot/reflect/annotations.hpp>
#include <ingot/reflect/described.hpp>

#include <chrono>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include <gtest/gtest.h>

namespace paths {

enum class fruit : std::uint8_t { apple, pear };
struct limited {
  std::int32_t percent = 0;
  std::vector<std::int32_t> few;
  std::string text;
};
struct checked {
  std::int32_t even = 0;
  [[nodiscard]] bool valid() const { return even % 2 == 0; }
};
struct far_time { // not with the clock's own period, and so stored unchanged
  using years = std::chrono::duration<std::int64_t, std::ratio<31'556'952>>;
  std::int32_t first = 0;
  std::vector<std::chrono::time_point<std::chrono::system_clock, years>> at;
};
struct chain {
  std::unique_ptr<chain> next;
};

} // namespace paths

template <>
inline constexpr auto ingot::annotations<paths::limited> =
    ingot::annotate(ingot::member<"percent">(ingot::range(0, 100)), ingot::member<"few">(ingot::max_size(2)),
                    ingot::member<"text">(ingot::utf8));
template <>
inline constexpr auto ingot::annotations<paths::far_time> =
    ingot::annotate(ingot::member<"at">(ingot::as_timestamp));

namespace {

using ingot::document;
using ingot::errc;
using ingot::error;

template <class R>
std::string where(const R& outcome) {
  if (outcome) return "no error";
  return std::string(to_string(outcome.error().code())) + " in " + std::string(outcome.error().path());
}
#if INGOT_EXCEPTIONS
template <class F>
std::string thrown(F&& f) {
  try {
    f();
  } catch (const std::exception& why) {
    return why.what();
  }
  return "nothing thrown";
}
#endif

document orders() {
  document doc;
  doc["a"] = "text";
  doc["orders"] = std::vector<std::map<std::string, std::string>>{{{"price", "high"}}, {{"price", "low"}}};
  doc["numbers"] = std::vector<int>{1, 2, 300};
  static_cast<void>(doc.root().set_at("/deep/er/est/one", true));
  return doc;
}

} // namespace

TEST(error_path_of_an_absent_value, is_the_requested_path) {
  document doc = orders();
  const document& read = doc;
  EXPECT_EQ(where(doc["zz"]["y"].as<int>()), "missing member in zz.y");
  EXPECT_EQ(where(read["zz"]["y"].as<int>()), "missing member in zz.y");
  EXPECT_EQ(where(doc["zz"][3]["y"].as<int>()), "missing member in zz[3].y");
  EXPECT_EQ(where(read["zz"][3]["y"].as<int>()), "missing member in zz[3].y");
  EXPECT_EQ(where(read[2].as<int>()), "wrong type in deep"); // members have indices, too
  EXPECT_EQ(where(read[9].as<int>()), "missing member in [9]");
  EXPECT_EQ(where(read["orders"][7]["price"].as<int>()), "missing member in orders[7].price");
  EXPECT_EQ(where(doc.at("/orders/7/price").as<int>()), "missing member in orders[7].price");
  EXPECT_EQ(where(read.at("/a/b/c").as<int>()), "missing member in ...b.c");
  EXPECT_EQ(where(read.find("a").find("b").as<int>()), "missing member in ...b");
  EXPECT_EQ(where(read["zz"].as<std::string>()), "missing member in zz");
  EXPECT_EQ(where(read["zz"].as<paths::limited>()), "missing member in zz");
  EXPECT_EQ(where(read["zz"].as<ingot::bytes_view>()), "missing member in zz");
  EXPECT_EQ(where(read["zz"].as_evolved<int>()), "missing member in zz");
  EXPECT_EQ(where(read["zz"].as<int>(ingot::conversion_options{})), "missing member in zz");
  const ingot::value_ref handle = doc["zz"];
  EXPECT_EQ(where(handle.as<int>()), "missing member in zz");
  const ingot::value copied = handle;
  EXPECT_EQ(where(copied["y"].as<int>()), "missing member in zz.y");
  EXPECT_EQ(where(ingot::value().as<int>()), "missing member in ");
  EXPECT_EQ(where(read["zz"].as<int>()), "missing member in zz");
  EXPECT_FALSE(read.contains("zz"));
  EXPECT_FALSE(read["zz"].contains("a"));
  EXPECT_TRUE(read.contains("a"));
  EXPECT_TRUE(read["zz"] == ingot::value());
}

TEST(error_path_of_an_absent_value, is_cut_between_names) {
  const document read = orders();
  EXPECT_EQ(where(read["twenty_three_bytes_long"].as<int>()), "missing member in twenty_three_bytes_long");
  EXPECT_EQ(where(read.find(std::string("a key of more than twenty-three")).as<int>()),
            "missing member in a key of more than t...");
  EXPECT_EQ(where(read["x"]["a key of more than twenty-three"].as<int>()),
            "missing member in ...a key of more than t...");
  EXPECT_EQ(where(read["a key of more than twenty-three"]["x"].as<int>()), "missing member in ...x");
  EXPECT_EQ(where(read["0123456789"]["0123456789"]["0123456789"].as<int>()),
            "missing member in ...0123456789.0123456789");
  EXPECT_EQ(where(read["address"]["street_and_number"]["x"].as<int>()),
            "missing member in ...street_and_number.x");
  EXPECT_EQ(where(read["zz"][100'000'000][2'000'000'000].as<int>()),
            "missing member in ...[100000000][2000000000]");
  EXPECT_EQ(where(read["zz"]["twenty_three_bytes_long"].as<int>()),
            "missing member in ...twenty_three_bytes_long");
  // A letter of two bytes is not split.
  EXPECT_EQ(where(read["1234567890123456789\xC3\xA4 and more"].as<int>()),
            "missing member in 1234567890123456789...");
  // The names of an existing value precede an index: the last names if there are many.
  EXPECT_EQ(where(read["deep"]["er"]["est"]["one"][7].as<int>()), "missing member in deep.er.est.one[7]");
  document doc;
  ASSERT_TRUE(doc.root().set_at("/street_and_number/of_the_owner", std::vector<int>{1}));
  EXPECT_EQ(where(std::as_const(doc)["street_and_number"]["of_the_owner"][7].as<int>()),
            "missing member in ...of_the_owner[7]");
}

TEST(error_path_of_a_value, leads_from_the_root) {
  document doc = orders();
  const document& read = doc;
  EXPECT_EQ(where(read.root().as<int>()), "wrong type in ");
  EXPECT_EQ(where(read["a"].as<int>()), "wrong type in a");
  EXPECT_EQ(where(doc["a"].as<int>()), "wrong type in a");
  EXPECT_EQ(where(read["orders"][1]["price"].as<int>()), "wrong type in orders[1].price");
  EXPECT_EQ(where(doc["orders"][1]["price"].as<int>()), "wrong type in orders[1].price");
  EXPECT_EQ(where(doc.at("/orders/1/price").as<int>()), "wrong type in orders[1].price");
  EXPECT_EQ(where(read["numbers"][2].as<std::int8_t>()), "out of range in numbers[2]");
  EXPECT_EQ(where(read["numbers"].as<std::vector<std::int8_t>>()), "out of range in numbers[2]");
  EXPECT_EQ(where(read["deep"]["er"]["est"]["one"].as<int>()), "wrong type in deep.er.est.one");
  for (const auto& each : read["orders"].elements())
    EXPECT_TRUE(where(each.as<int>()).starts_with("wrong type in orders["));
  // A handle that follows its value through other changes.
  const ingot::value_ref price = doc["orders"][0]["price"];
  for (int i = 0; i < 20; ++i) doc["more " + std::to_string(i)] = i;
  EXPECT_EQ(where(price.as<int>()), "wrong type in orders[0].price");
  // A handle that has ended has no path.
  doc["orders"] = nullptr;
  EXPECT_EQ(where(price.as<int>()), "missing member in ");
}

TEST(error_path_of_a_value, leaves_out_names_that_take_a_search) {
  document doc;
  auto wide = std::vector<std::vector<std::vector<std::string>>>(100);
  for (auto& each : wide) each = {{"x"}, {"y"}};
  doc["wide"] = wide;
  EXPECT_EQ(where(doc["wide"][1][1][0].as<int>()), "wrong type in wide[1][1][0]");
  EXPECT_EQ(where(doc["wide"][99][1][0].as<int>()), "wrong type in ...[1][0]");
}

TEST(error_path_of_a_view, leads_from_the_root_of_its_value) {
  ingot::live<ingot::live_value> live;
  *live = orders();
  const ingot::live_value& read = *live;
  EXPECT_EQ(where(read["orders"][1]["price"].as<int>()), "wrong type in orders[1].price");
  EXPECT_EQ(where(read["zz"]["y"].as<int>()), "missing member in zz.y");
  EXPECT_EQ(where(read["orders"][7]["y"].as<int>()), "missing member in orders[7].y");
  EXPECT_EQ(where(read["deep"]["y"].as<int>()), "missing member in ...y");
  EXPECT_EQ(where(live->erase(std::size_t{9})), "out of range in [9]");
  EXPECT_EQ(where(live->rename("zz", "y")), "missing member in zz");
  EXPECT_EQ(where(live->set_at("/a/b", 1)), "wrong type in a");
  const document doc = orders();
  const auto peek = ingot::document_peek::over(doc.bytes());
  EXPECT_EQ(where((*peek)["orders"][1]["price"].as<int>()), "wrong type in orders[1].price");
  EXPECT_EQ(where((*peek)["zz"]["y"].as<int>()), "missing member in zz.y");
}

TEST(error_path_of_an_archive, leads_from_the_root) {
  const document doc = orders();
  const auto bytes = ingot::archive(doc);
  const auto read = ingot::archive_view::over(*bytes);
  ASSERT_TRUE(read);
  EXPECT_EQ(where(read->root().as<int>()), "wrong type in ");
  EXPECT_EQ(where((*read)["a"].as<int>()), "wrong type in a");
  EXPECT_EQ(where((*read)["orders"][1]["price"].as<int>()), "wrong type in orders[1].price");
  EXPECT_EQ(where(read->at("/orders/0/price").as<int>()), "wrong type in orders[0].price");
  EXPECT_EQ(where((*read)["deep"]["er"]["est"]["one"].as<std::string>()), "wrong type in deep.er.est.one");
  EXPECT_EQ(where((*read)["deep"]["er"]["est"].as<ingot::bytes_view>()), "wrong type in deep.er.est");
  // Elements of a packed array, and errors within a container that is read as a whole.
  EXPECT_EQ(where((*read)["numbers"][2].as<std::int8_t>()), "out of range in numbers[2]");
  EXPECT_EQ(where((*read)["numbers"][0].as<std::string>()), "wrong type in numbers[0]");
  EXPECT_EQ(where((*read)["numbers"].as<std::vector<std::int8_t>>()), "out of range in numbers[2]");
  EXPECT_EQ(where((*read)["orders"][1].as<std::map<std::string, int>>()), "wrong type in orders[1][price]");
  int i = 0;
  for (const auto& each : (*read)["orders"].elements())
    EXPECT_EQ(where(each.as<int>()), "wrong type in orders[" + std::to_string(i++) + "]");
  for (const auto& [key, value] : (*read)["orders"][1].members())
    EXPECT_EQ(where(value.as<int>()), "wrong type in orders[1].price");
}

TEST(error_path_of_an_archive, is_the_requested_path) {
  const auto bytes = ingot::archive(orders());
  const auto read = ingot::archive_view::over(*bytes);
  ASSERT_TRUE(read);
  EXPECT_EQ(where((*read)["zz"]["y"].as<int>()), "missing member in zz.y");
  EXPECT_EQ(where((*read)["zz"][3]["y"].as<int>()), "missing member in zz[3].y");
  EXPECT_EQ(where((*read)["zz"].as<std::vector<int>>()), "missing member in zz");
  EXPECT_EQ(where((*read)["zz"].as<ingot::bytes_view>()), "missing member in zz");
  EXPECT_EQ(where((*read)["zz"].to_document()), "missing member in zz");
  EXPECT_EQ(where((*read)[9].as<int>()), "missing member in [9]");
  EXPECT_EQ(where((*read)["deep"]["y"].as<int>()), "missing member in ...y");
  EXPECT_EQ(where((*read)["numbers"][3].as<int>()), "missing member in ...[3]");
  EXPECT_EQ(where((*read)["fifteen letters"].as<int>()), "missing member in fifteen letters");
  EXPECT_EQ(where((*read)["sixteen letters!"].as<int>()), "missing member in sixteen lett...");
  EXPECT_EQ(where((*read)["address"]["street"]["number"].as<int>()), "missing member in ...street.number");
  EXPECT_EQ(where(ingot::archive_value().as<int>()), "missing member in ");
  EXPECT_FALSE((*read)["zz"]["y"].exists());
  EXPECT_TRUE((*read)["zz"]["y"].empty());
  EXPECT_EQ((*read)["zz"]["y"].value_or(7), 7);
  static_assert(sizeof(ingot::archive_value) <= 24);
}

TEST(error_path_of_an_archive, of_many_levels_has_the_innermost) {
  document doc;
  std::string pointer;
  for (int i = 0; i < 100; ++i) pointer += "/n";
  ASSERT_TRUE(doc.root().set_at(pointer, true));
  const auto bytes = ingot::archive(doc);
  const auto read = ingot::archive_view::over(*bytes);
  ASSERT_TRUE(read);
  const std::string path = where(read->at(pointer).as<int>());
  EXPECT_TRUE(path.starts_with("wrong type in ...")) << path;
  EXPECT_TRUE(path.ends_with("n.n.n.n")) << path;
}

TEST(error_path_of_a_reading, has_every_code) {
  document doc;
  const auto as = [&]<class T>(const char* key, std::type_identity<T>) {
    return where(doc[key].template as<T>());
  };
  using std::type_identity;
  doc["o"] = std::map<std::string, int>{{"percent", 101}};
  doc["o"]["few"] = std::vector<int>{1, 2};
  doc["o"]["text"] = "x";
  EXPECT_EQ(as("o", type_identity<paths::limited>()), "out of range in o.percent");
  doc["o"]["percent"] = 100;
  doc["o"]["few"] = std::vector<int>{1, 2, 3};
  EXPECT_EQ(as("o", type_identity<paths::limited>()), "too long in o.few");
  doc["o"]["few"] = nullptr;
  EXPECT_EQ(as("o", type_identity<paths::limited>()), "wrong type in o.few");
  doc["o"]["few"] = std::vector<int>{};
  doc["o"]["text"] = "\xFF";
  EXPECT_EQ(as("o", type_identity<paths::limited>()), "invalid UTF-8 in o.text");
  doc["o"]["text"] = "x";
  doc["o"]["more"] = 1;
  EXPECT_EQ(as("o", type_identity<paths::limited>()), "unknown member in o");
  EXPECT_TRUE(*doc["o"].erase("more"));
  EXPECT_TRUE(*doc["o"].erase("text"));
  EXPECT_EQ(as("o", type_identity<paths::limited>()), "missing member in o");
  EXPECT_EQ(where(doc["o"]["few"].as_evolved<paths::limited>()), "wrong type in o.few");
  doc["e"] = std::vector<std::string>{"apple", "plum"};
  EXPECT_EQ(as("e", type_identity<std::vector<paths::fruit>>()), "unknown enumerator in e[1]");
  doc["e"] = std::vector<int>{0, 9};
  EXPECT_EQ(as("e", type_identity<std::vector<paths::fruit>>()), "bad enumerator in e[1]");
  doc["c"] = std::map<std::string, int>{{"even", 1}};
  EXPECT_EQ(as("c", type_identity<paths::checked>()), "invalid value in c");
  doc["p"] = std::vector<int>{1};
  EXPECT_EQ(as("p", type_identity<std::pair<int, int>>()), "bad length in p");
  doc["s"] = std::vector<int>{1, 1};
  EXPECT_EQ(as("s", type_identity<std::set<int>>()), "duplicate key in s[1]");
  doc["v"] = std::map<std::string, int>{{"7", 1}};
  EXPECT_EQ(as("v", type_identity<std::variant<int, bool>>()), "bad tag in v");
  doc["x"] = std::map<std::string, int>{{"y", 1}};
  EXPECT_EQ(where(doc["x"].as_evolved<paths::limited>()), "other type in x");
  doc["chain"] = nullptr;
  ingot::value_ref at = doc["chain"];
  for (int i = 0; i < 200; ++i) at = *at.set("next", nullptr);
  EXPECT_TRUE(as("chain", type_identity<paths::chain>()).starts_with("too deep in ...")) << "";
}

TEST(error_path_of_a_change, has_every_code) {
  using ingot::range;
  document doc = orders();
  const auto too_late = std::chrono::time_point<std::chrono::system_clock, paths::far_time::years>(
      paths::far_time::years(INT64_C(1) << 60));
  const paths::far_time late{1, {{}, too_late}};
  // Assignment creates it, `set` does not
  EXPECT_EQ(where(doc["t"].set(late)), "missing member in t");
  EXPECT_EQ(where(doc.root().set("t", late)), "out of range in t.at[1]");
  EXPECT_EQ(where(doc["a"].set(late)), "out of range in a.at[1]");
  EXPECT_EQ(where(doc["orders"].append(late)), "out of range in orders[2].at[1]");
  EXPECT_EQ(where(doc["orders"].insert(0, late)), "out of range in orders[0].at[1]");
  EXPECT_EQ(where(doc.root().set_at("/orders/1/price", late)), "out of range in orders[1].price.at[1]");
  EXPECT_EQ(where(doc.try_assign(late)), "out of range in at[1]");
  EXPECT_EQ(where(doc.root().set("t", ingot::timestamp(too_late))), "out of range in t");
  const std::map<std::string, std::pair<int, std::optional<std::vector<paths::far_time>>>> many{
      {"k", {1, std::vector{late}}}};
  EXPECT_EQ(where(doc["a"].set(many)), "out of range in a[k][1][0].at[1]");

  paths::chain deep;
  for (int i = 0; i < 200; ++i) {
    auto outer = std::make_unique<paths::chain>(std::move(deep));
    deep.next = std::move(outer);
  }
  const std::string path = where(doc["a"].set(deep));
  EXPECT_TRUE(path.starts_with("too deep in ...") && path.ends_with("next.next")) << path;
  std::vector<std::vector<paths::fruit>> bad{{}, {paths::fruit::apple, paths::fruit{9}}};
  EXPECT_EQ(where(doc["a"].set(bad)), "bad enumerator in a[1][1]");
  EXPECT_EQ(where(doc.root().set("new", bad)), "bad enumerator in new[1][1]");
  EXPECT_EQ(where(doc["orders"].append(bad)), "bad enumerator in orders[2][1][1]");
  EXPECT_EQ(where(doc["a"].set(paths::limited{.percent = 101, .few = {}, .text = {}})),
            "out of range in a.percent");
  EXPECT_EQ(where(doc["a"].set(paths::checked{1})), "invalid value in a");

  EXPECT_EQ(where(doc["a"].set("k", 1)), "wrong type in a");
  EXPECT_EQ(where(doc["a"].append(1)), "wrong type in a");
  EXPECT_EQ(where(doc["zz"].set("k", 1)), "missing member in zz");
  EXPECT_EQ(where(doc["zz"]["y"].append(1)), "missing member in zz.y");
  EXPECT_EQ(where(doc["numbers"].insert(9, 1)), "out of range in numbers[9]");
  EXPECT_EQ(where(doc["numbers"].erase(std::size_t{9})), "out of range in numbers[9]");
  EXPECT_EQ(where(doc["a"].erase(std::size_t{0})), "wrong type in a[0]");
  EXPECT_EQ(where(doc["orders"][0].rename("cost", "x")), "missing member in orders[0].cost");
  EXPECT_EQ(where(doc["deep"].set("er2", 1)), "no error");
  EXPECT_EQ(where(doc["deep"].rename("er", "er2")), "duplicate key in deep.er2");
  EXPECT_EQ(where(doc["zz"].clear()), "missing member in zz");
  EXPECT_EQ(where(doc.root().set_at("/numbers/9", 1)), "out of range in numbers[9]");
  EXPECT_EQ(where(doc.root().set_at("/numbers/x", 1)), "out of range in numbers.x");
  EXPECT_EQ(where(doc.root().set_at("/a/x", 1)), "wrong type in a");

  std::vector<std::byte> storage(4096);
  document small = std::move(*document::in(storage));
  small["list"] = std::vector<int>{1};
  const std::string long_text(10'000, 'x');
  EXPECT_EQ(where(small["list"].set(long_text)), "no space in list");
  EXPECT_EQ(where(small.root().set("more", long_text)), "no space in more");
  EXPECT_EQ(where(small["list"].append(long_text)), "no space in list");
}

#if INGOT_EXCEPTIONS
TEST(error_path_of_an_assignment, is_in_what_it_throws) {
  document doc = orders();
  EXPECT_NE(thrown([&] { doc["zz"][0]["y"] = 1; }).find("(zz[0].y)"), std::string::npos);
  EXPECT_NE(thrown([&] { doc["a"]["y"] = 1; }).find("(a.y)"), std::string::npos);
  EXPECT_NE(thrown([&] { doc["orders"][0]["price"] = paths::fruit{9}; }).find("(orders[0].price)"),
            std::string::npos);
  EXPECT_NE(thrown([&] { doc["new"] = std::vector{paths::fruit{9}}; }).find("(new[0])"), std::string::npos);
  const paths::far_time late{1,
                             {std::chrono::time_point<std::chrono::system_clock, paths::far_time::years>(
                                 paths::far_time::years(INT64_C(1) << 60))}};
  EXPECT_NE(thrown([&] { doc["new"] = late; }).find("out of range at byte 0 (new.at[0])"), std::string::npos);
  EXPECT_NE(thrown([&] { doc = late; }).find("out of range at byte 0 (at[0])"), std::string::npos);
}
#endif

TEST(error_path_of_events, is_where_the_next_value_was_to_be) {
  ingot::document_writer to(ingot::document_writer_options{.max_depth = 3});
  to.begin_object();
  to.key("a"), to.begin_array();
  to.integer(1);
  to.begin_array(), to.begin_array();
  EXPECT_EQ(where(to.finish()), "too deep in a[1][0]");
  to.restart();
  to.begin_array(), to.begin_object();
  to.key("x"), to.integer(1), to.key("x"), to.integer(2);
  to.end();
  EXPECT_EQ(where(to.finish()), "duplicate key in [0].x");
  to.restart();
  to.begin_object();
  to.key("b"), to.begin_object();
  to.integer(7);
  EXPECT_EQ(where(to.finish()), "invalid value in b");
  to.restart();
  to.begin_array(), to.null(), to.begin_array();
  EXPECT_EQ(where(to.finish()), "invalid value in [1][0]");
}
