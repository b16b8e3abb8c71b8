// SPDX-License-Identifier: Apache-2.0
// An optional in a block is a std::optional: inline, copied and compared as one. No bytes of a
// former value stay in it.
#include <ingot/live/box.hpp>
#include <ingot/live/live.hpp>
#include <ingot/live/optional.hpp>
#include <ingot/live/string.hpp>
#include <ingot/live/vector.hpp>

#include "damaged.hpp"
#include "live/dice.hpp"

#include <array>
#include <cstdint>
#include <optional>
#include <random>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

namespace optional_test {

using ingot::optional;
using ingot::string;
using ingot::vector;
using namespace std::string_literals;

enum class color : std::uint8_t { red = 1, green = 2 };
struct paint {
  color shade = color::red;
  string name;
  int layers = 2;
  bool operator==(const paint&) const = default;
};
struct paint_std {
  color shade = color::red;
  std::string name;
  int layers = 2;
};

struct model {
  optional<int> number;
  optional<string> text;
  vector<optional<string>> texts;
  optional<optional<vector<int>>> nested;
  optional<paint> wall;
};
struct model_std {
  std::optional<int> number;
  std::optional<std::string> text;
  std::vector<std::optional<std::string>> texts;
  std::optional<std::optional<std::vector<int>>> nested;
  std::optional<paint_std> wall;
};

struct tree {
  int value = 0;
  optional<vector<tree>> children;
};

const std::string long_text = "a text that does not fit into the sixteen bytes";

model_std sample() {
  return {
      5, long_text, {"short", std::nullopt, long_text}, {{{1, 2, 3}}}, paint_std{color::green, long_text, 7}};
}

static_assert(sizeof(optional<bool>) == 2 && sizeof(optional<std::uint64_t>) == 16 &&
              sizeof(optional<string>) == 20);
static_assert(std::is_trivially_copyable_v<optional<std::array<int, 3>>>);
static_assert(!std::is_copy_constructible_v<optional<string>> &&
              !std::is_move_constructible_v<optional<string>>);
static_assert(ingot::kind_of<optional<string>> == ingot::kind::optional);
static_assert(sizeof(ingot::wide::optional<ingot::wide::vector<int>>) == 24);

TEST(live_optional, is_a_std_optional_of_a_plain_value) {
  optional<int> a;
  EXPECT_FALSE(a.has_value());
  EXPECT_EQ(a, std::nullopt);
  a = 5;
  EXPECT_EQ(*a, 5);
  EXPECT_EQ(a.value_or(1), 5);
  optional<int> b = a;
  EXPECT_EQ(a, b);
  b.reset();
  EXPECT_NE(a, b);
  EXPECT_LT(b, a);
  EXPECT_GT(a, std::nullopt);
  EXPECT_EQ(b.value_or(1), 1);
  EXPECT_EQ(a.transform([](int x) { return x + 1; }), std::optional<int>(6));
  EXPECT_EQ(a.and_then([](int x) { return std::optional<long>(x); }), 5L);
  EXPECT_EQ(b.or_else([] { return 9; }), 9);
  EXPECT_EQ(a, std::optional<int>(5));
  b = std::optional<short>(short{7});
  EXPECT_EQ(b, 7);
  a.swap(b);
  EXPECT_EQ(a, 7);
  EXPECT_EQ(b.emplace(*b + 1), 6);
  EXPECT_EQ(std::hash<optional<int>>{}(b), std::hash<std::optional<int>>{}(6));
  b = {};
  EXPECT_FALSE(b);
#if INGOT_EXCEPTIONS
  EXPECT_THROW(static_cast<void>(b.value()), std::bad_optional_access);
#endif
}

TEST(live_optional, takes_the_twin_whole) {
  const ingot::live<model> live(sample());
  EXPECT_EQ(live->number, 5);
  EXPECT_EQ(live->text->view(), long_text);
  ASSERT_EQ(live->texts.size(), 3U);
  EXPECT_EQ(live->texts[0], "short");
  EXPECT_EQ(live->texts[1], std::nullopt);
  EXPECT_EQ(live->texts[2], std::optional<std::string>(long_text));
  EXPECT_EQ((**live->nested)[2], 3);
  EXPECT_EQ(live->wall->shade, color::green);
  EXPECT_EQ(live->wall->layers, 7);
  EXPECT_TRUE(ingot_test::is_canonical(live));
  ingot_test::expect_whole(live);
  const ingot::live<model> empty;
  ingot_test::expect_whole(empty);
}

TEST(live_optional, leaves_no_bytes_when_it_is_reset) {
  ingot::live<model> live;
  live = sample();
  live->number.reset();
  live->text = std::nullopt;
  live->texts.clear();
  live->texts.shrink_to_fit();
  live->nested.reset();
  live->wall = {};
  ingot_test::expect_nothing_left(live);
}

TEST(live_optional, engages_with_the_defaults_of_its_type) {
  ingot::live<model> live;
  EXPECT_EQ(live->wall.emplace().layers, 2);
  EXPECT_EQ(live->wall->shade, color::red);
  EXPECT_EQ(live->wall.emplace(color::green, long_text).name, long_text);
  EXPECT_EQ(live->wall->layers, 2);
  ingot_test::expect_whole(live);
}

TEST(live_optional, is_constructed_from_its_own_value) {
  ingot::live<model> live;
  live->text = "0123456789";
  live->text.emplace(live->text->view().substr(2)); // in the bytes that are replaced
  EXPECT_EQ(live->text, "23456789");
  live->text = long_text;
  live->text.emplace(live->text->view().substr(2)); // in the storage that is freed
  EXPECT_EQ(live->text, std::string_view(long_text).substr(2));
  live->text = *live->text;
  live->text = live->text;
  EXPECT_EQ(live->text, std::string_view(long_text).substr(2));
  live->wall.emplace(color::green, "tiny", 3);
  live->wall.emplace(live->wall->shade, live->wall->name);
  EXPECT_EQ(live->wall->shade, color::green);
  EXPECT_EQ(live->wall->name, "tiny");
  live->nested = std::vector<int>{1, 2};
  live->nested.emplace(*live->nested);
  EXPECT_EQ((*live->nested)->size(), 2U);
  ingot_test::expect_whole(live);
}

TEST(live_optional, without_space_is_unchanged) {
  std::vector<std::byte> memory(1024);
  auto created = ingot::live<model>::in(memory);
  ASSERT_TRUE(created.has_value());
  auto& live = *created;
  live->text.emplace("before");
  live->wall.emplace(color::green, "before", 4);
  const std::string much(2000, 'x');
  EXPECT_EQ(live->text.try_emplace(much), nullptr);
  EXPECT_EQ(live->wall.try_emplace(color::red, much), nullptr);
  EXPECT_FALSE(live->nested.try_assign(std::vector<int>(1000)));
  EXPECT_EQ(live->text, "before");
  EXPECT_EQ(live->wall->name, "before");
  EXPECT_FALSE(live->nested.has_value());
#if INGOT_EXCEPTIONS
  EXPECT_THROW(live->text.emplace(much), ingot::out_of_space);
#endif
  ingot_test::expect_whole(live);
}

TEST(live_optional, is_what_it_was_when_making_a_value_throws) {
#if INGOT_EXCEPTIONS
  struct throwing {
    operator std::string_view() const { throw 1; }
  };
  ingot::live<model> live;
  EXPECT_THROW(live->text.emplace(throwing{}), int);
  EXPECT_FALSE(live->text.has_value());
  live->text = long_text;
  EXPECT_THROW(live->text.emplace(throwing{}), int);
  EXPECT_EQ(live->text, long_text);
  ingot_test::expect_whole(live);
#endif
}

TEST(live_optional, holds_outside_a_block_what_needs_no_storage) {
  model here{.number = 1, .text = "short", .texts = {}, .nested = {}, .wall = {}};
  EXPECT_EQ(here.text, "short");
  here.text = "other";
  here.text.emplace("third");
  EXPECT_EQ(here.text.value_or("none"), "third");
  here.wall.emplace();
  here.wall.reset();
  here.nested.emplace();
#if INGOT_EXCEPTIONS
  EXPECT_THROW(here.text = long_text, ingot::out_of_space);
  EXPECT_THROW((here.nested = std::vector<int>{1}), ingot::out_of_space);
#endif
  ingot::live<model> live;
  *live = here;
  EXPECT_EQ(live->text.has_value(), here.text.has_value());
}

TEST(live_optional, moves_within_a_block_by_exchange) {
  ingot::live<model> live(sample());
  const void* const data = live->text->data();
  live->texts[1] = std::move(live->text);
  EXPECT_EQ(live->texts[1]->data(), data);
  live->text.swap(live->texts[2]);
  EXPECT_EQ(live->text, long_text);
  live->texts.sort([](const auto& a, const auto& b) { return a.value_or("") < b.value_or(""); });
  EXPECT_EQ(live->texts[0], std::nullopt);
  EXPECT_EQ(live->texts[2], "short");
  ingot::live<model> other;
  other->text = std::move(live->text);
  EXPECT_EQ(other->text, long_text);
  ingot_test::expect_whole(live);
}

TEST(live_optional, holds_its_own_type_below_to_any_depth) {
  ingot::live<tree> live;
  tree* at = &*live;
  for (int i = 0; i < 20'000; ++i) {
    at->value = i;
    at = &at->children.emplace().emplace_back();
  }
  ingot::live<tree> copy;
  *copy = *live;
  EXPECT_TRUE(copy == live);
  ingot_test::expect_whole(live);
  live->children.reset();
  copy->children = std::nullopt;
  EXPECT_FALSE(live->children.has_value());
  ingot_test::expect_whole(live);
}

TEST(live_optional, follows_a_model_through_random_operations) {
  std::mt19937_64 random(1);
  ingot::live<model> live;
  model_std expected;
  const auto text = [&] { return std::string(random() % 40, static_cast<char>('a' + random() % 26)); };
  const int steps = live_test::operations(4000);
  for (int step = 0; step < steps; ++step) {
    const std::size_t n = expected.texts.size();
    switch (random() % 8) {
    case 0: live->text = expected.text = text(); break;
    case 1:
      live->text.reset();
      expected.text.reset();
      break;
    case 2: {
      auto value = random() % 2 == 0 ? std::optional(text()) : std::nullopt;
      live->texts.emplace_back(value);
      expected.texts.push_back(value);
      break;
    }
    case 3:
      if (n != 0) {
        const auto i = random() % n;
        live->texts[i] = live->texts[n - 1];
        expected.texts[i] = expected.texts[n - 1];
      }
      break;
    case 4:
      if (n > 20) {
        const auto i = static_cast<std::ptrdiff_t>(random() % n);
        live->texts.erase(live->texts.begin() + i);
        expected.texts.erase(expected.texts.begin() + i);
      }
      break;
    case 5:
      if (n != 0) {
        live->texts[0].swap(live->texts[n - 1]);
        expected.texts[0].swap(expected.texts[n - 1]);
      }
      break;
    case 6: live->nested.emplace(expected.nested.emplace(std::vector<int>(random() % 9, 3))); break;
    default:
      if (n != 0) {
        const auto i = random() % n;
        live->texts[i].emplace(live->text.value_or("none"));
        expected.texts[i].emplace(expected.text.value_or("none"));
      }
    }
    if (step % 500 == 0) ingot_test::expect_whole(live);
  }
  EXPECT_TRUE(live == ingot::live<model>(expected));
  ASSERT_EQ(live->texts.size(), expected.texts.size());
  for (std::size_t i = 0; i < expected.texts.size(); ++i) EXPECT_EQ(live->texts[i], expected.texts[i]);
  ingot_test::expect_whole(live);
}

TEST(live_optional, survives_damage) {
  model_std small = sample();
  small.texts.resize(2);
  const ingot::live<model> block(small);
  ingot_test::expect_damage_is_survived(block, [](model& m) {
    m.texts.emplace_back(m.text);
    m.texts.emplace_back("x");
    for (auto& each : m.texts) each.emplace(long_text + each.value_or("none").data());
    m.texts[0].swap(m.texts[1]);
    m.text.emplace(long_text);
    m.text = m.texts[0];
    m.text.reset();
    m.nested.emplace().emplace(std::vector<int>{4, 5});
    if (m.wall) m.wall->name += long_text;
    m.wall.emplace(color::red, long_text);
    m.wall.reset();
    m.number = m.number.value_or(1);
  });
}

// Members are counted by initialising them with a counting object. In an earlier version, an
// optional of an optional took that object as its value.
struct nested_first {
  ingot::optional<ingot::optional<std::uint8_t>> twice;
  ingot::optional<ingot::box<std::uint8_t>> pointer;
  ingot::optional<ingot::optional<ingot::optional<ingot::string>>> thrice;
  std::uint8_t last = 0;
};
TEST(live_optional, of_an_optional_is_a_member_like_others) {
  static_assert(ingot::member_count<nested_first> == 4);
  ingot::live<nested_first> block;
  block->thrice.emplace().emplace().emplace() = "text";
  EXPECT_EQ(***block->thrice, "text");
}

TEST(live_optional, names_what_is_wrong_with_its_bytes) {
  const ingot::live<model> block;
  auto bytes = ingot_test::bytes_of(block);
  const auto at = [&](const void* member) {
    return static_cast<std::size_t>(static_cast<const std::byte*>(member) - block.bytes().data());
  };
  const auto error_of = [](const std::vector<std::byte>& damaged) {
    return ingot::live<model>::open(damaged).error();
  };
  auto flag = bytes;
  flag[at(&block->number) + 4] = std::byte{2};
  EXPECT_EQ(error_of(flag).code(), ingot::errc::bad_variant);
  EXPECT_EQ(error_of(flag).path(), "number");
  auto hidden = bytes;
  hidden[at(&block->number)] = std::byte{1};
  EXPECT_EQ(error_of(hidden).code(), ingot::errc::bad_padding);
  auto padding = bytes;
  padding[at(&block->text) + 18] = std::byte{1};
  EXPECT_EQ(error_of(padding).code(), ingot::errc::bad_padding);
  EXPECT_EQ(error_of(padding).path(), "text");
  auto content = bytes;
  content[at(&block->wall)] = std::byte{1}; // a valid enumerator, but the optional is empty
  EXPECT_EQ(error_of(content).code(), ingot::errc::bad_padding);
}

} // namespace optional_test
