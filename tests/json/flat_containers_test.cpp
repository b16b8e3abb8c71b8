// SPDX-License-Identifier: Apache-2.0
// Every reader fills containers that move their entries, with keys in any order: the right value,
// each rule for repeated keys, and at most one move for each entry. See flat_shapes.hpp.
#include <ingot/document/document.hpp>
#include <ingot/json/document.hpp>
#include <ingot/json/json.hpp>
#include <ingot/live/flat_map.hpp>
#include <ingot/live/flat_set.hpp>
#include <ingot/live/live.hpp>
#include <ingot/live/string.hpp>
#include <ingot/pack/compact.hpp>
#include <ingot/pack/evolution.hpp>
#include <ingot/pack/unpack.hpp>
#include <ingot/protobuf/read.hpp>
#include <ingot/protobuf/write.hpp>

#include "flat_shapes.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <numeric>
#include <random>
#include <set>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>
#include <version>
#ifdef __cpp_lib_flat_map
#include <flat_map>
#endif
#ifdef __cpp_lib_flat_set
#include <flat_set>
#endif

#include <gtest/gtest.h>

namespace flat_containers_test {

using flat_shapes::moved;
using flat_shapes::shape;
using ingot::errc;
using json_options = ingot::json::read_options;
using ingot::json::duplicate_keys;
using pair = std::pair<int, int>;

/// Families of containers, with and without repeated keys.
template <shape Shape>
struct shaped {
  template <class K, class Less = std::less<K>>
  using set = flat_shapes::set<K, Less, Shape>;
  template <class K, class V, class Less = std::less<K>>
  using map = flat_shapes::map<K, V, Less, Shape>;
  template <class K, class Less = std::less<K>>
  using multiset = flat_shapes::set<K, Less, Shape, true>;
  template <class K, class V, class Less = std::less<K>>
  using multimap = flat_shapes::map<K, V, Less, Shape, true>;
};
#if defined(__cpp_lib_flat_map) && defined(__cpp_lib_flat_set)
struct of_the_standard {
  template <class K, class Less = std::less<K>>
  using set = std::flat_set<K, Less>;
  template <class K, class V, class Less = std::less<K>>
  using map = std::flat_map<K, V, Less>;
  template <class K, class Less = std::less<K>>
  using multiset = std::flat_multiset<K, Less>;
  template <class K, class V, class Less = std::less<K>>
  using multimap = std::flat_multimap<K, V, Less>;
};
#endif
/// The containers that they are compared with.
struct in_nodes {
  template <class K, class Less = std::less<K>>
  using set = std::set<K, Less>;
  template <class K, class V, class Less = std::less<K>>
  using map = std::map<K, V, Less>;
  template <class K, class Less = std::less<K>>
  using multiset = std::multiset<K, Less>;
  template <class K, class V, class Less = std::less<K>>
  using multimap = std::multimap<K, V, Less>;
};

struct note {
  std::vector<std::string> lines;
  friend bool operator==(const note&, const note&) = default;
};
template <class Family>
struct record {
  typename Family::template set<int> set;
  typename Family::template map<std::string, note> map;
  typename Family::template map<int, int> numbers;
  typename Family::template map<pair, std::string> pairs;
  typename Family::template multiset<int> multiset;
  typename Family::template multimap<int, std::string> multimap;
};
/// The same entries in the order of the sender.
struct in_lists {
  std::vector<int> set;
  std::vector<std::pair<std::string, note>> map;
  std::vector<std::pair<int, int>> numbers;
  std::vector<std::pair<pair, std::string>> pairs;
  std::vector<int> multiset;
  std::vector<std::pair<int, std::string>> multimap;
};
struct in_greater_order {
  std::set<int> set;
  std::map<int, std::string> map;
  std::multimap<int, int> multimap;
};
template <class Family>
struct greater_record {
  typename Family::template set<int, std::greater<int>> set;
  typename Family::template map<int, std::string, std::greater<int>> map;
  typename Family::template multimap<int, int, std::greater<int>> multimap;
};

in_lists lists(const std::vector<int>& order) {
  in_lists in_order;
  for (const int i : order) {
    const std::string text = "a text with a storage of its own " + std::to_string(i);
    in_order.set.push_back(i);
    in_order.map.push_back({text, {{text, "and more"}}});
    in_order.numbers.push_back({i, 7 * i});
    in_order.pairs.push_back({{i / 3, i}, text});
    in_order.multiset.push_back(i / 2);
    in_order.multimap.push_back({i / 3, text});
  }
  return in_order;
}
std::string json_of(const in_lists& value) {
  const auto pairs = [](const auto& of, const char* open, const char* middle, const char* close) {
    std::string text;
    for (const auto& [key, mapped] : of)
      text += (text.empty() ? open : std::string(",") + open) + ingot::json::write(key).value() + middle +
              ingot::json::write(mapped).value() + close;
    return text;
  };
  std::string text = R"({"set":)" + ingot::json::write(value.set).value();
  text += R"(,"map":{)" + pairs(value.map, "", ":", "") + R"(},"numbers":{)";
  text += pairs(value.numbers, "", ":", "") + "}";
  for (std::size_t at = text.find("numbers"); (at = text.find_first_of("{,", at)) != std::string::npos;) {
    const std::size_t end = text.find(':', ++at);
    text.insert(end, "\"");
    text.insert(at, "\"");
    at = end + 2;
  }
  text += R"(,"pairs":[)" + pairs(value.pairs, "[", ",", "]") + R"(],"multiset":)";
  text += ingot::json::write(value.multiset).value() + R"(,"multimap":[)";
  return text + pairs(value.multimap, "[", ",", "]") + "]}";
}

std::vector<std::vector<int>> orders(int count) {
  std::vector<int> ascending(static_cast<std::size_t>(count));
  std::iota(ascending.begin(), ascending.end(), 0);
  std::vector<std::vector<int>> all{ascending, ascending, ascending, ascending};
  std::ranges::reverse(all[1]);
  std::ranges::shuffle(all[2], std::mt19937(3)); // NOLINT: the same order each time
  std::ranges::rotate(all[3], all[3].begin() + 1);
  return all;
}

/// Equal to the contents of containers of nodes, entry by entry.
template <class A, class B>
void expect_equal(const A& flat_container, const B& expected, const char* what) {
  ASSERT_EQ(flat_container.size(), expected.size()) << what;
  auto at = flat_container.begin();
  for (const auto& each : expected) {
    if constexpr (requires { each.first; }) {
      EXPECT_EQ((*at).first, each.first) << what;
      EXPECT_EQ((*at).second, each.second) << what;
    } else {
      EXPECT_EQ(*at, each) << what;
    }
    ++at;
  }
}
template <class A, class B>
void expect_equal_records(const A& flat_container, const B& expected) {
  expect_equal(flat_container.set, expected.set, "set");
  expect_equal(flat_container.map, expected.map, "map");
  expect_equal(flat_container.numbers, expected.numbers, "numbers");
  expect_equal(flat_container.pairs, expected.pairs, "pairs");
  expect_equal(flat_container.multiset, expected.multiset, "multiset");
  expect_equal(flat_container.multimap, expected.multimap, "multimap");
}

template <class Family>
class flat_containers : public testing::Test {};
using families = testing::Types<shaped<shape::bare>, shaped<shape::standard>, shaped<shape::sequence>
#if defined(__cpp_lib_flat_map) && defined(__cpp_lib_flat_set)
                                ,
                                of_the_standard
#endif
                                >;
TYPED_TEST_SUITE(flat_containers, families, );

constexpr int count = 600;
/// The six containers of a record move their entries at most once.
constexpr std::uint64_t max_moved = 6 * count;

TYPED_TEST(flat_containers, of_json_and_protobuf_and_documents_hold_the_right_entries) {
  using flat = record<TypeParam>;
  using nodes = record<in_nodes>;
  for (const std::vector<int>& order : orders(count)) {
    const in_lists source = lists(order);
    moved = 0;
    const auto text = json_of(source);
    const auto from_text = ingot::json::read<flat>(text);
    ASSERT_TRUE(from_text) << from_text.error().message();
    expect_equal_records(*from_text, ingot::json::read<nodes>(text).value());
    EXPECT_LE(moved, max_moved);
    moved = 0;
    const auto bytes = ingot::protobuf::write(source).value();
    const auto from_bytes = ingot::protobuf::read<flat>(bytes);
    ASSERT_TRUE(from_bytes) << from_bytes.error().message();
    expect_equal_records(*from_bytes, ingot::protobuf::read<nodes>(bytes).value());
    EXPECT_LE(moved, max_moved);
    moved = 0;
    const auto doc = ingot::json::read_document(text).value();
    const auto from_doc = doc.root().template as<flat>();
    ASSERT_TRUE(from_doc) << from_doc.error().message();
    expect_equal_records(*from_doc, doc.root().template as<nodes>().value());
    EXPECT_LE(moved, max_moved);
  }
}

TYPED_TEST(flat_containers, of_another_order_than_the_formats_are_read_from_messages) {
  in_greater_order source;
  for (int i = 0; i < count; ++i) {
    source.set.insert(i);
    source.map[i] = "text " + std::to_string(i);
    source.multimap.insert({i / 3, i});
  }
  using flat = greater_record<TypeParam>;
  const auto check = [&](const auto& converted, const auto& expected) {
    ASSERT_TRUE(converted) << converted.error().message();
    expect_equal(converted->set, expected->set, "set");
    expect_equal(converted->map, expected->map, "map");
    expect_equal(converted->multimap, expected->multimap, "multimap");
    EXPECT_EQ(*converted->set.begin(), count - 1);
    EXPECT_LE(moved, max_moved);
  };
  using nodes = greater_record<in_nodes>;
  moved = 0;
  const auto packed = ingot::pack(source).value();
  check(ingot::unpack<flat>(packed), ingot::unpack<nodes>(packed));
  moved = 0;
  const auto compact = ingot::compact::pack(source).value();
  check(ingot::compact::unpack<flat>(compact), ingot::compact::unpack<nodes>(compact));
  moved = 0;
  const auto conversion = ingot::evolution<flat>::from(ingot::schema_of<in_greater_order>()).value();
  check(conversion.unpack(packed), ingot::unpack<nodes>(packed));
}

// Classes that are reflected are in the namespace: g++ 16 finds no members of one that is local to
// a template.
template <class Record>
struct outer {
  Record inside;
};

// Protobuf merges messages: another piece of the message may have keys that sort before the
// existing ones.
TYPED_TEST(flat_containers, of_merged_messages_are_sorted_once) {
  std::vector<std::byte> bytes;
  for (int i = count; i-- > 0;) {
    const auto piece = ingot::protobuf::write(outer<in_lists>{lists({i})}).value();
    bytes.insert(bytes.end(), piece.begin(), piece.end());
  }
  moved = 0;
  const auto merged = ingot::protobuf::read<outer<record<TypeParam>>>(bytes);
  ASSERT_TRUE(merged) << merged.error().message();
  expect_equal_records(merged->inside, ingot::protobuf::read<outer<record<in_nodes>>>(bytes).value().inside);
  EXPECT_LE(moved, max_moved);
}

/// Returns the error of a reader, with its position.
template <class Result>
std::string why(const Result& outcome) {
  if (outcome) return "none";
  return std::to_string(static_cast<int>(outcome.error().code())) + ' ' +
         std::to_string(outcome.error().offset()) + ' ' + std::string(outcome.error().path()) + ' ' +
         outcome.error().message();
}

TYPED_TEST(flat_containers, reject_repeated_keys_as_containers_of_nodes_do) {
  using flat = record<TypeParam>;
  using nodes = record<in_nodes>;
  in_lists of_set = lists({5, 3, 4, 1});
  of_set.set.push_back(3);
  of_set.set.push_back(5);
  in_lists of_pairs = lists({5, 3, 4, 1});
  of_pairs.pairs.push_back(of_pairs.pairs[2]);
  in_lists of_map = lists({5, 3, 4, 1});
  of_map.map.push_back({of_map.map[1].first, {{"again"}}});
  of_map.numbers.push_back({4, 1000});
  for (const in_lists& source : {of_set, of_pairs, of_map}) {
    const auto text = json_of(source);
    const auto read = ingot::json::read<flat>(text);
    EXPECT_FALSE(read);
    EXPECT_EQ(why(read), why(ingot::json::read<nodes>(text)));
    for (const auto rule : {duplicate_keys::first_wins, duplicate_keys::last_wins}) {
      const json_options how{.duplicate_keys = rule};
      auto parsed = ingot::json::read<flat>(text, how);
      ASSERT_TRUE(parsed) << parsed.error().message();
      expect_equal_records(*parsed, ingot::json::read<nodes>(text, how).value());
      if (source.numbers.size() == 5) {
        EXPECT_EQ((*parsed->numbers.find(4)).second, rule == duplicate_keys::first_wins ? 28 : 1000);
      }
    }
    const auto bytes = ingot::protobuf::write(source).value();
    const auto from_bytes = ingot::protobuf::read<flat>(bytes);
    const auto expected = ingot::protobuf::read<nodes>(bytes);
    EXPECT_EQ(why(from_bytes), why(expected));
    if (expected) expect_equal_records(*from_bytes, *expected); // the last entry of a map counts
    EXPECT_EQ(static_cast<bool>(expected), source.numbers.size() == 5);
    const auto doc = ingot::document(source.set);
    using set = decltype(flat::set);
    using node_set = decltype(nodes::set);
    EXPECT_EQ(why(doc.root().template as<set>()), why(doc.root().template as<node_set>()));
    const auto pairs = ingot::document(source.pairs);
    EXPECT_EQ(why(pairs.root().template as<decltype(flat::pairs)>()),
              why(pairs.root().template as<decltype(nodes::pairs)>()));
  }
}

// `first_wins` skips the values of repeated keys, and each error is the first one.
TYPED_TEST(flat_containers, meet_errors_in_the_order_of_the_text) {
  using map = typename TypeParam::template map<int, int>;
  using nodes = std::map<int, int>;
  for (const char* const text :
       {R"({"3":1,"1":2,"3":"no number"})", R"({"3":1,"1":2,"1":3,"0":"no number"})",
        R"({"3":1,"1":2,"0":"no number","1":3})", R"({"3":1,"1":"no number"})", R"({"3":1,"1":2)"}) {
    for (const auto rule : {duplicate_keys::error, duplicate_keys::first_wins, duplicate_keys::last_wins}) {
      const json_options how{.duplicate_keys = rule};
      EXPECT_EQ(why(ingot::json::read<map>(text, how)), why(ingot::json::read<nodes>(text, how))) << text;
    }
  }
  EXPECT_TRUE(ingot::json::read<map>(R"({"3":1,"1":2,"3":"no number"})",
                                     json_options{.duplicate_keys = duplicate_keys::first_wins}));
}

/// Keys that are equal for the container and different for the format.
struct less_by_tens {
  bool operator()(int a, int b) const noexcept { return a / 10 > b / 10; }
};

TYPED_TEST(flat_containers, reject_keys_that_are_equal_to_the_container_alone) {
  using set = typename TypeParam::template set<int, less_by_tens>;
  using nodes = std::set<int, less_by_tens>;
  const auto packed = ingot::pack(std::set<int>{1, 12, 23, 25, 34}).value();
  EXPECT_EQ(why(ingot::unpack<set>(packed)), why(ingot::unpack<nodes>(packed)));
  EXPECT_EQ(ingot::unpack<set>(packed).error().code(), errc::duplicate_key);
  const auto compact = ingot::compact::pack(std::set<int>{1, 12, 23, 25, 34}).value();
  EXPECT_EQ(why(ingot::compact::unpack<set>(compact)), why(ingot::compact::unpack<nodes>(compact)));
  EXPECT_EQ(ingot::compact::unpack<set>(compact).error().code(), errc::duplicate_key);
}

/// A comparison that contradicts itself, and throws after this number of calls.
int calls_left = 0;
std::mt19937 dice(5); // NOLINT: the same answers each time
struct lying_less {
  bool operator()(int, int) const {
#if defined(__cpp_exceptions)
    if (calls_left-- == 0) throw 7;
#endif
    return dice() % 2 == 0;
  }
};

template <class Family>
struct lying {
  typename Family::template set<int, lying_less> set;
  typename Family::template map<int, std::string, lying_less> map;
};
struct plain {
  std::vector<int> set;
  std::vector<std::pair<int, std::string>> map;
};

TEST(flat_containers_of_a_lying_comparison, end_within_their_bounds) {
  const auto check = [&]<class Family>(Family) {
    plain source;
    const std::vector<int> shuffled = orders(40)[2];
    for (const int i : shuffled) {
      source.set.push_back(i);
      source.map.push_back({i, "a text that has a storage of its own"});
    }
    const auto text = ingot::json::write(source.set).value();
    const auto bytes = ingot::protobuf::write(source).value();
    const ingot::document doc(source.set);
    for (int round = 0; round < 60; ++round) {
      const auto attempt = [&](const auto& read) {
        calls_left = round < 30 ? -1 : round * 4;
#if defined(__cpp_exceptions)
        try {
          read();
        } catch (int) {
        }
#else
        read();
#endif
      };
      attempt([&] { static_cast<void>(ingot::json::read<decltype(lying<Family>::set)>(text)); });
      attempt([&] { static_cast<void>(ingot::protobuf::read<lying<Family>>(bytes)); });
      attempt([&] { static_cast<void>(doc.root().as<decltype(lying<Family>::set)>()); });
    }
  };
  check(shaped<shape::bare>{});
  check(shaped<shape::standard>{});
  check(shaped<shape::sequence>{});
}

// --- blocks --------------------------------------------------------------------------------------

struct live_record {
  ingot::flat_set<int> set;
  ingot::flat_map<ingot::string, ingot::string> map;
  ingot::flat_map<int, int> numbers;
};
struct live_source {
  std::vector<int> set;
  std::vector<std::pair<std::string, std::string>> map;
  std::vector<std::pair<int, int>> numbers;
};
struct live_nodes {
  std::set<int> set;
  std::map<std::string, std::string> map;
  std::map<int, int> numbers;
};

TEST(flat_containers_of_blocks, hold_the_right_entries_of_protobuf_messages) {
  for (const std::vector<int>& order : orders(300)) {
    live_source source;
    for (const int i : order) {
      source.set.push_back(i);
      source.map.push_back({"a text with a storage of its own " + std::to_string(i), std::to_string(i)});
      source.numbers.push_back({i, i + 1});
    }
    source.map.push_back({source.map[7].first, "last"});
    source.numbers.push_back({source.numbers[9].first, -1});
    auto bytes = ingot::protobuf::write(source).value();
    ingot::live<live_record> live;
    const auto read = ingot::protobuf::read_into(*live, bytes);
    ASSERT_TRUE(read) << read.error().message();
    const auto nodes = ingot::protobuf::read<live_nodes>(bytes).value();
    expect_equal(live->set, nodes.set, "set");
    expect_equal(live->map, nodes.map, "map");
    expect_equal(live->numbers, nodes.numbers, "numbers");
    EXPECT_TRUE(ingot::live<live_record>::open(live.bytes()));
    source.set.push_back(source.set[3]);
    bytes = ingot::protobuf::write(source).value();
    const auto again = ingot::protobuf::read_into(*live, bytes);
    EXPECT_EQ(why(again), why(ingot::protobuf::read<live_nodes>(bytes)));
    EXPECT_TRUE(ingot::live<live_record>::open(live.bytes()));
  }
}

TEST(flat_containers_of_blocks, follow_the_rule_for_repeated_keys) {
  const std::string text =
      R"({"set":[5,3,4,3,5],"map":{"z":"1","a":"2","z":"3"},"numbers":{"9":1,"1":2,"1":3}})";
  for (const auto rule : {duplicate_keys::first_wins, duplicate_keys::last_wins}) {
    const json_options how{.duplicate_keys = rule};
    ingot::live<live_record> live;
    const auto read = ingot::json::read_into(*live, text, how);
    ASSERT_TRUE(read) << read.error().message();
    const auto nodes = ingot::json::read<live_nodes>(text, how).value();
    expect_equal(live->set, nodes.set, "set");
    expect_equal(live->map, nodes.map, "map");
    expect_equal(live->numbers, nodes.numbers, "numbers");
    EXPECT_EQ(live->numbers.at(1), rule == duplicate_keys::first_wins ? 2 : 3);
    EXPECT_TRUE(ingot::live<live_record>::open(live.bytes()));
  }
}

// The tree that computes their order counts, too.
TEST(flat_containers_of_blocks, count_the_memory_of_their_order) {
  std::string text = R"({"set":[)";
  for (int i = 2'000; i-- > 0;) text += std::to_string(i) + (i == 0 ? "" : ",");
  text += R"(],"map":{},"numbers":{}})";
  ingot::live<live_record> live;
  const auto read = ingot::json::read_into(*live, text, json_options{.max_memory = 2'000 * 16});
  ASSERT_FALSE(read);
  EXPECT_EQ(read.error().code(), errc::too_much_memory);
  EXPECT_TRUE(ingot::json::read_into(*live, text, json_options{.max_memory = 2'000 * 24}));
}

} // namespace flat_containers_test
