// SPDX-License-Identifier: Apache-2.0
// Documents built from events. An error would make a parser's document differ from the same value
// set member by member, or would allow events in an order that makes no value.
#include <ingot/document/writer.hpp>

#include "document/exercise.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include <gtest/gtest.h>

namespace document_writer_test {

using document_test::dice;
using ingot::document_writer;
using ingot::errc;
using ingot::key_policy;

/// Returns a random key. The functions below build the same value by events and by handles.
std::string key_of(dice& random) {
  std::string key = "k" + std::to_string(random() % 60);
  if (random() % 16 == 0) key.append(30 + random() % 8, 'k');
  return random() % 32 == 0 ? std::string() : key;
}
void scalar(document_writer& to, ingot::value_ref same, dice& random) {
  switch (random() % 8) {
  case 0:
    to.null();
    ASSERT_TRUE(same.set(nullptr));
    break;
  case 1:
    to.boolean(true);
    ASSERT_TRUE(same.set(true));
    break;
  case 2: {
    const auto n = static_cast<std::int64_t>(random()) >> random() % 63;
    to.integer(n);
    ASSERT_TRUE(same.set(n));
    break;
  }
  case 3: {
    const auto n = random() >> random() % 3;
    to.unsigned_integer(n);
    ASSERT_TRUE(same.set(n));
    break;
  }
  case 4: {
    const double d = static_cast<double>(random() % 5000) / (random() % 2 == 0 ? 1 : 7);
    to.number(d);
    ASSERT_TRUE(same.set(d));
    break;
  }
  case 5: {
    const std::vector<std::byte> bytes(random() % 200, std::byte{7});
    to.binary(bytes);
    ASSERT_TRUE(same.set(bytes));
    break;
  }
  default: {
    const std::string text(random() % 4 == 0 ? random() % 300 : random() % 20, 't');
    to.text(text);
    ASSERT_TRUE(same.set(text));
  }
  }
}
void grow(document_writer& to, ingot::value_ref same, dice& random, unsigned depth) {
  const auto form = depth == 0 ? 2 + random() % 3 : random() % 10;
  if (form == 2 || form == 3) {
    to.begin_object();
    ASSERT_TRUE(same.set(std::map<std::string, int>{}));
    for (auto left = random() % (depth < 2 ? 40 : 6); left != 0; --left) {
      const std::string key = key_of(random);
      to.key(key); // the last of each key wins
      auto member = same.set(ingot::document_key(key), nullptr);
      ASSERT_TRUE(member.has_value());
      grow(to, *member, random, depth + 1);
    }
    to.end();
  } else if (form == 4) {
    to.begin_array();
    ASSERT_TRUE(same.set(std::vector<int>{}));
    const bool integers = random() % 2 == 0;
    for (auto left = random() % (integers ? 150 : 12); left != 0; --left) {
      auto element = same.append(nullptr);
      ASSERT_TRUE(element.has_value());
      if (integers) {
        const auto n = static_cast<int>(random() % 300);
        to.integer(n);
        ASSERT_TRUE(element->set(n));
      } else {
        grow(to, *element, random, depth + 1);
      }
    }
    to.end();
  } else {
    scalar(to, same, random);
  }
}

/// Returns the error code of a result, or nothing if it has a value.
template <class T>
std::optional<ingot::errc> code_of(const ingot::result<T>& of) {
  return of ? std::nullopt : std::optional(of.error().code());
}

TEST(document_writer, makes_what_handles_make) {
  document_writer to({.repeated_keys = key_policy::last_wins});
  for (unsigned seed = 0; seed < 120; ++seed) {
    dice random(seed);
    ingot::document same;
    grow(to, same.root(), random, 0);
    ASSERT_FALSE(testing::Test::HasFatalFailure());
    auto finished = to.finish();
    ASSERT_TRUE(finished.has_value()) << finished.error().message();
    ASSERT_TRUE(*finished == same) << seed;
    // The document is validated as untrusted bytes are, and its canonical form is that of the other
    // one.
    const auto validated = ingot::document::open(finished->bytes());
    ASSERT_TRUE(validated.has_value()) << validated.error().message();
    finished->compact();
    same.compact();
    ASSERT_TRUE(std::ranges::equal(finished->bytes(), same.bytes())) << seed;
    to.restart();
  }
}

TEST(document_writer, a_container_is_as_canonical_form_has_it_at_once) {
  for (const int members : {1, 16, 17, 300, 9000}) {
    document_writer to;
    to.begin_object();
    for (int i = 0; i < members; ++i) to.key("key" + std::to_string(i)), to.number(i * 0.1);
    to.end();
    auto finished = to.finish().value();
    const std::vector<std::byte> before(finished.bytes().begin(), finished.bytes().end());
    finished.compact();
    EXPECT_TRUE(std::ranges::equal(finished.bytes(), before)) << members;
  }
  document_writer to({.compact = true});
  to.begin_array();
  for (int i = 0; i < 20; ++i)
    to.begin_object(), to.key("a"), to.integer(i), to.key("b"), to.null(), to.end();
  to.end();
  auto finished = to.finish().value();
  const auto before = finished.bytes().size();
  EXPECT_EQ(finished.compact(), 0u);
  EXPECT_EQ(finished.bytes().size(), before);
  EXPECT_EQ(finished[19]["a"].value_or(0), 19);
}

TEST(document_writer, roots_may_be_anything) {
  const auto root = [](auto&& tell) {
    document_writer to;
    tell(to);
    auto finished = to.finish().value();
    EXPECT_TRUE(ingot::document::open(finished.bytes()).has_value());
    return finished;
  };
  EXPECT_TRUE(root([](auto& to) { to.null(); }).root().is_null());
  EXPECT_EQ(root([](auto& to) { to.text("text"); }).root().template value_or<std::string>(""), "text");
  EXPECT_EQ(root([](auto& to) { to.text(std::string(1000, 'x')); }).root().length(), 1000u);
  EXPECT_EQ(root([](auto& to) { to.begin_array(), to.end(); }).root().kind(), ingot::value_kind::array);
  EXPECT_EQ(root([](auto& to) { to.begin_object(), to.end(); }).root().kind(), ingot::value_kind::object);
  auto integers = root([](auto& to) { to.begin_array(), to.integer(1), to.integer(2), to.end(); });
  EXPECT_EQ(integers[1].value_or(0), 2);
  EXPECT_EQ(integers.compact(), 0u);
}

TEST(document_writer, events_that_make_no_value_are_errors) {
  using step = void (*)(document_writer&);
  const step wrong[] = {
      [](document_writer&) {},
      [](document_writer& to) { to.end(); },
      [](document_writer& to) { to.key("a"); },
      [](document_writer& to) { to.null(), to.null(); },
      [](document_writer& to) { to.null(), to.begin_array(); },
      [](document_writer& to) { to.null(), to.end(); },
      [](document_writer& to) { to.begin_array(); },
      [](document_writer& to) { to.begin_array(), to.key("a"); },
      [](document_writer& to) { to.begin_array(), to.end(), to.end(); },
      [](document_writer& to) { to.begin_object(), to.null(); },
      [](document_writer& to) { to.begin_object(), to.begin_object(); },
      [](document_writer& to) { to.begin_object(), to.text(std::string(1000, 'x')); },
      [](document_writer& to) { to.begin_object(), to.key("a"), to.key("b"); },
      [](document_writer& to) { to.begin_object(), to.key("a"), to.end(); },
      [](document_writer& to) { to.begin_object(), to.key("a"), to.null(), to.null(); },
      [](document_writer& to) { to.begin_object(), to.key("a"), to.begin_array(), to.key("b"), to.end(); },
  };
  for (const step& each : wrong) {
    document_writer to;
    each(to);
    const auto at = &each - wrong;
    const auto finished = to.finish();
    ASSERT_FALSE(finished.has_value()) << at;
    EXPECT_EQ(finished.error().code(), errc::invalid_value) << at;
    EXPECT_FALSE(finished.error().expected().empty()) << at;
    EXPECT_FALSE(to.good());
    EXPECT_FALSE(to.null()) << "after an error nothing is taken";
    to.restart();
    EXPECT_TRUE(to.null());
    EXPECT_TRUE(to.finish().has_value());
    EXPECT_FALSE(to.null()) << "nor when all is finished";
  }
}

TEST(document_writer, repeated_keys_are_as_requested) {
  const auto tell = [](key_policy policy) {
    document_writer to({.repeated_keys = policy});
    to.begin_object();
    for (int i = 0; i < 3; ++i) {
      to.key("a"), to.begin_array(), to.text(std::string(200, static_cast<char>('0' + i))), to.end();
      to.key("only" + std::to_string(i)), to.integer(i);
    }
    to.end();
    EXPECT_EQ(to.repeated_member(), 2u);
    return to.finish();
  };
  const auto rejected = tell(key_policy::error);
  ASSERT_FALSE(rejected.has_value());
  EXPECT_EQ(rejected.error().code(), errc::duplicate_key);
  EXPECT_EQ(rejected.error().found(), "a");
  for (const auto policy : {key_policy::first_wins, key_policy::last_wins}) {
    const auto finished = tell(policy).value();
    EXPECT_EQ(finished.root().size(), 4u);
    EXPECT_EQ(finished["a"][0].value_or(std::string())[0], policy == key_policy::first_wins ? '0' : '2');
    EXPECT_EQ(finished["only2"].value_or(-1), 2);
    EXPECT_LT(finished.stats().used - finished.stats().free_bytes, 2 * 200u) << "the others are given back";
  }
}

TEST(document_writer, depth_costs_no_stack_and_has_a_limit) {
  constexpr int deep = 200'000;
  document_writer to({.max_size = ingot::max_block_size{16u << 20}});
  for (int i = 0; i < deep; ++i) to.begin_object(), to.key("");
  to.null();
  for (int i = 0; i < deep; ++i) to.end();
  auto finished = to.finish();
  ASSERT_TRUE(finished.has_value()) << finished.error().message();
  ingot::value at = finished->root();
  int levels = 0;
  for (; at.is_object(); at = at[""]) ++levels;
  EXPECT_EQ(levels, deep);

  document_writer shallow({.max_depth = 2});
  shallow.begin_array(), shallow.begin_array();
  EXPECT_TRUE(shallow.good());
  EXPECT_FALSE(shallow.begin_object());
  EXPECT_EQ(code_of(shallow.finish()), errc::too_deep);
}

TEST(document_writer, without_space_it_says_so_and_keeps_nothing) {
  alignas(16) std::array<std::byte, 4096> storage;
  unsigned failed = 0;
  for (int size = 0; size < 400; ++size) {
    auto in = ingot::document::in(storage).value();
    in["before"] = std::vector<int>{1, 2, 3};
    const auto used = in.stats();
    document_writer to(std::move(in));
    to.begin_object();
    for (int i = 0; i < size; ++i) {
      to.key("a key that is too long to lie with others " + std::to_string(i));
      to.begin_array(), to.text(std::string(static_cast<std::size_t>(size) % 200, 'x')), to.end();
    }
    to.end();
    if (auto finished = to.finish()) {
      EXPECT_EQ(finished->root().size(), static_cast<std::size_t>(size));
      continue;
    }
    ++failed;
    EXPECT_EQ(to.why().code(), errc::no_space);
    const ingot::document back = to.give_back();
    EXPECT_EQ(back["before"][2].value_or(0), 3);
    EXPECT_EQ(back.stats().used - back.stats().free_bytes, used.used - used.free_bytes)
        << "a leak at " << size;
  }
  EXPECT_GT(failed, 0u);
}

TEST(document_writer, many_keys_are_sorted_once) {
  std::map<std::string, int> many;
  for (int i = 0; i < 100'000; ++i) many.emplace("key" + std::to_string(i * 7919), i);
  ingot::document doc(ingot::max_block_size{16u << 20});
  doc["many"] = many; // inserted one by one this would take ten seconds
  EXPECT_EQ(doc["many"].size(), many.size());
  EXPECT_EQ(doc["many"]["key7919"].value_or(0), 1);
  // In another order, so that keys with one hash are not emitted in the order of the keys.
  document_writer to({.max_size = ingot::max_block_size{16u << 20}});
  to.begin_object();
  for (auto each = many.rbegin(); each != many.rend(); ++each) to.key(each->first), to.integer(each->second);
  to.end();
  const auto with_many_keys = to.finish().value();
  EXPECT_TRUE(with_many_keys.root() == doc["many"]);
  EXPECT_TRUE(ingot::document::open(with_many_keys.bytes(), {.max_size = {16u << 20}}).has_value());
}

struct counting {
  int to;
  void write_events(ingot::document_events& events) const {
    events.begin_array();
    for (int i = 0; i < to; ++i) events.integer(i);
    if (to >= 0) events.end();
  }
};

TEST(document_writer, accepts_any_source_of_events) {
  ingot::document doc;
  doc["a"] = counting{3};
  doc["b"] = std::map<std::string, counting>{{"c", {200}}};
  EXPECT_EQ(doc["a"][2].value_or(0), 2);
  EXPECT_EQ(doc.at("/b/c/199").value_or(0), 199);
  const auto rejected = doc.root().set("a", counting{-1});
  ASSERT_FALSE(rejected.has_value());
  EXPECT_EQ(rejected.error().code(), errc::invalid_value);
  EXPECT_EQ(doc["a"].size(), 3u);
}

} // namespace document_writer_test
