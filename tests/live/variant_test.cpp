// SPDX-License-Identifier: Apache-2.0
// A variant in a block is a std::variant that always has a value. It has the same choice of
// alternatives, one layout on every machine, and zeros in bytes that the current alternative does
// not use.
#include <ingot/live/box.hpp>
#include <ingot/live/live.hpp>
#include <ingot/live/optional.hpp>
#include <ingot/live/string.hpp>
#include <ingot/live/variant.hpp>
#include <ingot/live/vector.hpp>
#include <ingot/pack/pack.hpp>
#include <ingot/pack/unpack.hpp>
#include <ingot/schema/schema_id.hpp>

#include "damaged.hpp"
#include "live/dice.hpp"

#include <cstdint>
#include <random>
#include <string>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include <gtest/gtest.h>

namespace variant_test {

using ingot::box;
using ingot::string;
using ingot::variant;
using ingot::vector;

struct point {
  string name;
  std::int16_t x = 1;
};
namespace standard {
struct point { // alternatives are matched by the name of their class, which the twin has, too
  std::string name;
  std::int16_t x = 1;
};
} // namespace standard
using point_std = standard::point;
using any = variant<int, string, vector<int>, point, double>;
using any_std = std::variant<int, std::string, std::vector<int>, point_std, double>;

struct model {
  any first;
  vector<any> all;
  variant<std::monostate, bool, std::uint64_t> plain;
};
struct model_std {
  any_std first;
  std::vector<any_std> all;
  std::variant<std::monostate, bool, std::uint64_t> plain;
};
struct term {
  variant<int, vector<term>, box<term>> value;
};

const std::string long_text = "a text that does not fit into the sixteen bytes";

model_std sample() {
  return {point_std{long_text, 7},
          {1, "short", long_text, std::vector<int>{1, 2, 3}, point_std{"p", 2}, 2.5},
          std::uint64_t{9}};
}

static_assert(sizeof(variant<string, vector<int>, point>) == 4 + 4 + 20);
static_assert(sizeof(variant<std::monostate, char>) == 2 && sizeof(variant<char, double>) == 16);
static_assert(!std::is_copy_constructible_v<any> && std::is_trivially_copyable_v<variant<int, char>>);
static_assert(ingot::kind_of<any> == ingot::kind::variant);
static_assert(std::variant_size_v<any> == 5 && std::is_same_v<std::variant_alternative_t<1, any>, string>);
static_assert(ingot::schema_id<model> == ingot::schema_id<model_std>);

TEST(live_variant, is_a_std_variant_of_plain_values) {
  variant<int, double, bool> a;
  EXPECT_EQ(a.index(), 0U);
  a = 2.5;
  EXPECT_TRUE(ingot::holds_alternative<double>(a));
  EXPECT_EQ(ingot::get<1>(a), 2.5);
  EXPECT_EQ(*ingot::get_if<double>(&a), 2.5);
  EXPECT_EQ(ingot::get_if<0>(&a), nullptr);
  auto b = a;
  EXPECT_EQ(a, b);
  b = true;
  EXPECT_EQ(ingot::get<bool>(b), true);
  EXPECT_LT(a, b);
  b = short{4};
  EXPECT_EQ(b.index(), 0U);
  a.swap(b);
  EXPECT_EQ(ingot::get<int>(a), 4);
  EXPECT_EQ(
      ingot::visit([](auto x, auto y) { return static_cast<double>(x) + static_cast<double>(y); }, a, b),
      6.5);
  EXPECT_EQ(a.visit([](const auto& x) { return sizeof x; }), 4U);
#if INGOT_EXCEPTIONS
  EXPECT_THROW(static_cast<void>(ingot::get<bool>(a)), std::bad_variant_access);
#endif
}

TEST(live_variant, chooses_as_std_variant_does) {
  ingot::live<model> live;
  auto& v = live->first;
  v = 5;
  EXPECT_TRUE(v.holds<int>());
  v = "text";
  EXPECT_TRUE(v.holds<string>());
  v = 5.0;
  EXPECT_TRUE(v.holds<double>());
  v = 5.0F;
  EXPECT_TRUE(v.holds<double>());
  v = std::string_view("view");
  EXPECT_EQ(ingot::get<string>(v), "view");
  v = std::vector<int>{1, 2};
  EXPECT_EQ(ingot::get<vector<int>>(v).size(), 2U);
  v = point_std{long_text, 3};
  EXPECT_EQ(ingot::get<point>(v).name, long_text);
  v = ingot::get<point>(v).name; // a part of the value that is replaced
  EXPECT_EQ(ingot::get<string>(v), long_text);
  using flag = variant<string, bool>;
  static_assert(std::is_constructible_v<flag, const char*> && std::is_constructible_v<flag, bool>);
  const flag text("a literal is text"[0] == 'a' ? "text" : "");
  EXPECT_TRUE(text.holds<string>());
  static_assert(!std::is_constructible_v<variant<int, long>, double>);
  ingot_test::expect_whole(live);
}

TEST(live_variant, takes_the_twin_whole) {
  const ingot::live<model> live(sample());
  EXPECT_EQ(ingot::get<point>(live->first).name, long_text);
  ASSERT_EQ(live->all.size(), 6U);
  EXPECT_EQ(ingot::get<int>(live->all[0]), 1);
  EXPECT_EQ(ingot::get<string>(live->all[1]), "short");
  EXPECT_EQ(ingot::get<vector<int>>(live->all[3])[2], 3);
  EXPECT_EQ(ingot::get<point>(live->all[4]).x, 2);
  EXPECT_EQ(ingot::get<2>(live->plain), 9U);
  EXPECT_EQ(live->plain, sample().plain);
  EXPECT_TRUE(ingot_test::is_canonical(live));
  ingot_test::expect_whole(live);
  ingot_test::expect_whole(ingot::live<model>());
}

TEST(live_variant, packs_as_its_twin) {
  const ingot::live<model> live(sample());
  const auto packed = ingot::pack(*live);
  ASSERT_TRUE(packed.has_value());
  const auto twin = ingot::pack(sample());
  ASSERT_TRUE(twin.has_value());
  EXPECT_TRUE(*packed == *twin);
  ingot::live<model> read;
  const auto done = ingot::unpack_into(*read, *packed);
  ASSERT_TRUE(done.has_value()) << done.error().message();
  EXPECT_TRUE(read == live);
}

TEST(live_variant, is_constructed_from_its_own_value) {
  ingot::live<model> live;
  auto& v = live->first;
  v = "0123456789";
  v.emplace<string>(ingot::get<string>(v).view().substr(2)); // in the bytes that are replaced
  EXPECT_EQ(ingot::get<string>(v), "23456789");
  v.emplace<point>(ingot::get<string>(v), std::int16_t{4});
  EXPECT_EQ(ingot::get<point>(v).name, "23456789");
  v.emplace<vector<int>>(std::vector<int>{4, 5});
  v.emplace<int>(ingot::get<vector<int>>(v)[1]);
  EXPECT_EQ(ingot::get<int>(v), 5);
  v = std::as_const(v);
  v.emplace<double>(ingot::get<int>(v));
  EXPECT_EQ(ingot::get<double>(v), 5.0);
  ingot_test::expect_whole(live);
}

TEST(live_variant, keeps_its_value_without_space) {
  std::vector<std::byte> memory(1024);
  auto created = ingot::live<model>::in(memory);
  ASSERT_TRUE(created.has_value());
  auto& live = *created;
  live->first = point_std{"a text in its own storage", 2};
  const std::string much(2000, 'x');
  EXPECT_EQ(live->first.try_emplace<string>(much), nullptr);
  EXPECT_EQ((live->first.try_emplace<point>(much, std::int16_t{3})), nullptr);
  EXPECT_FALSE(live->first.try_assign(std::vector<int>(2000)));
  EXPECT_EQ(ingot::get<point>(live->first).name, "a text in its own storage");
#if INGOT_EXCEPTIONS
  struct throwing {
    operator std::string_view() const { throw 1; }
  };
  EXPECT_THROW(live->first = much, ingot::out_of_space);
  EXPECT_THROW(live->first.emplace<string>(throwing{}), int);
  EXPECT_EQ(ingot::get<point>(live->first).name, "a text in its own storage");
#endif
  ingot_test::expect_whole(live);
}

TEST(live_variant, leaves_no_bytes) {
  ingot::live<model> live(sample());
  live->first = 0;
  live->all.clear();
  live->all.shrink_to_fit();
  live->plain = std::monostate{};
  ingot_test::expect_nothing_left(live);
}

TEST(live_variant, holds_outside_a_block_what_needs_no_storage) {
  any here("short");
  EXPECT_EQ(ingot::get<string>(here), "short");
  here = 4;
  here.emplace<point>();
  here.emplace<vector<int>>();
#if INGOT_EXCEPTIONS
  EXPECT_THROW(here = long_text, ingot::out_of_space);
  EXPECT_THROW((here.emplace<vector<int>>(std::vector<int>{1})), ingot::out_of_space);
#endif
  EXPECT_TRUE(here.holds<vector<int>>());
}

TEST(live_variant, holds_its_own_type_below_to_any_depth) {
  ingot::live<term> live(ingot::max_block_size{std::size_t{16} << 20});
  term* at = &*live;
  for (int i = 0; i < 20'000; ++i) {
    if (i % 2 == 0) at = &at->value.emplace<1>().emplace_back();
    else at = &at->value.emplace<2>().emplace();
  }
  at->value = 5;
  ingot::live<term> copy;
  copy = *live;
  EXPECT_TRUE(copy == live);
  ingot_test::expect_whole(live);
  auto below = &ingot::get<1>(live->value)[0];
  live->value = ingot::get<2>(below->value)->value; // two levels fewer
  EXPECT_EQ(live->value.index(), 1U);
  ingot_test::expect_whole(live);
  live->value = 0;
  ingot_test::expect_nothing_left(live);
}

TEST(live_variant, follows_a_model_through_random_operations) {
  std::mt19937_64 random(3);
  ingot::live<model> live;
  model_std expected;
  const auto value = [&]() -> any_std {
    switch (random() % 5) {
    case 0: return static_cast<int>(random() % 100);
    case 1: return std::string(random() % 40, static_cast<char>('a' + random() % 26));
    case 2: return std::vector<int>(random() % 9, 3);
    case 3: return point_std{std::string(random() % 30, 'p'), static_cast<std::int16_t>(random() % 99)};
    default: return 0.5;
    }
  };
  const int steps = live_test::operations(4000);
  for (int step = 0; step < steps; ++step) {
    const std::size_t n = expected.all.size();
    const auto pick = [&] { return static_cast<std::ptrdiff_t>(random() % n); };
    switch (n < 4 ? 0 : random() % 7) {
    case 0: {
      const auto drawn = value();
      live->all.emplace_back(drawn);
      expected.all.push_back(drawn);
      break;
    }
    case 1: {
      const auto i = pick();
      live->all.erase(live->all.begin() + i);
      expected.all.erase(expected.all.begin() + i);
      break;
    }
    case 2: {
      const auto i = static_cast<std::size_t>(pick());
      const auto j = static_cast<std::size_t>(pick());
      live->all[i] = live->all[j];
      expected.all[i] = expected.all[j];
      break;
    }
    case 3: {
      const auto i = static_cast<std::size_t>(pick());
      const auto j = static_cast<std::size_t>(pick());
      live->all[i].swap(live->all[j]);
      std::swap(expected.all[i], expected.all[j]);
      break;
    }
    case 4: live->first = expected.first = value(); break;
    case 5: {
      const auto i = static_cast<std::size_t>(pick());
      live->all[i].emplace<1>(long_text);
      expected.all[i].emplace<1>(long_text);
      break;
    }
    default: {
      const auto i = static_cast<std::size_t>(pick());
      live->all[i] = expected.all[i] = value();
    }
    }
    if (step % 500 == 0) ingot_test::expect_whole(live);
  }
  EXPECT_TRUE(live == ingot::live<model>(expected));
  ingot_test::expect_whole(live);
}

TEST(live_variant, survives_damage) {
  const ingot::live<model> block(sample());
  ingot_test::expect_damage_is_survived(block, [](model& m) {
    std::size_t sum = 0;
    for (auto& each : m.all) {
      each.visit([&]<class T>(T& held) {
        if constexpr (std::is_same_v<T, string>) held += long_text;
        else if constexpr (std::is_same_v<T, vector<int>>) held.emplace_back(4);
        else if constexpr (std::is_same_v<T, point>) held.name += long_text;
        else sum += static_cast<std::size_t>(sizeof held);
      });
      each.emplace<1>(long_text);
    }
    m.all.emplace_back(m.first);
    m.all[0].swap(m.first);
    m.first = std::move(m.all.back());
    m.first.emplace<3>("x");
    m.first = m.all[0];
    m.all.clear();
    m.plain = m.plain.index() == 0 ? variant<std::monostate, bool, std::uint64_t>(true) : m.plain;
    EXPECT_LT(m.plain.index(), 3U);
  });
  const ingot::live<term> terms([] {
    ingot::live<term> created;
    created->value.emplace<1>().emplace_back().value.emplace<2>().emplace().value = 7;
    return created;
  }());
  ingot_test::expect_damage_is_survived(terms, [](term& t) {
    if (t.value.index() == 1 && !ingot::get<1>(t.value).empty()) t.value = ingot::get<1>(t.value)[0].value;
    t.value.emplace<1>().emplace_back().value = 6;
    t.value = 4;
  });
}

TEST(live_variant, names_what_is_wrong_with_its_bytes) {
  const ingot::live<model> block;
  const auto bytes = ingot_test::bytes_of(block);
  const auto at =
      static_cast<std::size_t>(reinterpret_cast<const std::byte*>(&block->first) - block.bytes().data());
  const auto error_of = [&](std::size_t position, unsigned value) {
    auto damaged = bytes;
    damaged[at + position] = static_cast<std::byte>(value);
    return ingot::live<model>::open(damaged).error();
  };
  EXPECT_EQ(error_of(4, 5).code(), ingot::errc::bad_variant);
  EXPECT_EQ(error_of(4, 5).path(), "first");
  EXPECT_EQ(error_of(5, 1).code(), ingot::errc::bad_padding);
  EXPECT_EQ(error_of(12, 1).code(), ingot::errc::bad_padding);
  EXPECT_EQ(error_of(0, 1).code(), ingot::errc::bad_length);
}

} // namespace variant_test
