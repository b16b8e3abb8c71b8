// SPDX-License-Identifier: Apache-2.0
// Equal values give equal bytes, whatever the order of a hash table, the comparison of a container
// or the contents of padding.
#include <ingot/pack/pack.hpp>
#include <ingot/pack/unpack.hpp>

#include "hex.hpp"
#include "zoo/records.hpp"

#include <algorithm>
#include <cstring>
#include <functional>
#include <memory>
#include <new>

#include <gtest/gtest.h>

namespace canonical_test {

using pack_test::hex;

std::vector<std::byte> bytes_of(const auto& value) {
  const auto packed = ingot::pack(value);
  EXPECT_TRUE(packed);
  return {packed->begin(), packed->end()};
}

TEST(canonical, hash_tables_pack_alike_whatever_their_history) {
  std::vector<std::string> words;
  for (int i = 0; i < 100; ++i) words.push_back("word " + std::to_string(i * 7919 % 1000));
  std::unordered_set<std::string> once(words.begin(), words.end());
  std::ranges::reverse(words);
  std::unordered_set<std::string> again(1);
  again.max_load_factor(20);
  for (const auto& word : words) {
    again.insert(word);
    again.insert("removed again");
    again.erase("removed again");
  }
  EXPECT_EQ(bytes_of(once), bytes_of(again));

  std::unordered_map<std::uint32_t, std::vector<std::string>> a{{1, {"x"}}, {256, {"y"}}, {65'536, {}}};
  std::unordered_map<std::uint32_t, std::vector<std::string>> b(1000);
  for (const std::uint32_t key : {65'536U, 1U, 256U}) b[key] = a[key];
  EXPECT_EQ(bytes_of(a), bytes_of(b));

  std::unordered_multimap<std::string, std::uint16_t> c{{"k", 256}, {"k", 1}, {"j", 2}, {"k", 1}};
  std::unordered_multimap<std::string, std::uint16_t> d{{"k", 1}, {"k", 1}, {"j", 2}, {"k", 256}};
  EXPECT_EQ(bytes_of(c), bytes_of(d));
  std::unordered_multiset<std::int16_t> e{1, 256, 1};
  std::unordered_multiset<std::int16_t> f{256, 1, 1};
  EXPECT_EQ(bytes_of(e), bytes_of(f));
}

TEST(canonical, the_containers_own_order_does_not_reach_the_bytes) {
  EXPECT_EQ(bytes_of(std::set<int, std::greater<>>{1, 2, 3}), bytes_of(std::set<int>{3, 2, 1}));
  EXPECT_EQ(bytes_of(std::map<std::string, int, std::greater<>>{{"a", 1}, {"b", 2}}),
            bytes_of(std::map<std::string, int>{{"b", 2}, {"a", 1}}));
  const auto by_length = [](const std::string& a, const std::string& b) { return a.size() < b.size(); };
  EXPECT_EQ(bytes_of(std::set<std::string, decltype(by_length)>({"zz", "a", "mmm"}, by_length)),
            bytes_of(std::set<std::string>{"a", "mmm", "zz"}));
  // readers restore the order of such a container
  const auto read = ingot::unpack<std::set<int, std::greater<>>>(bytes_of(std::set<int>{1, 2, 3}));
  ASSERT_TRUE(read);
  EXPECT_EQ(*read->begin(), 3);
  // the signedness of char depends on the platform; the format stores it unsigned
  EXPECT_EQ(bytes_of(std::set<char>{'\x80', 'a'}), hex("'a' 80"));
  EXPECT_EQ(bytes_of(std::set<char16_t>{u'\u8000', u'a'}), hex("'a' 00 00 80"));
}

TEST(canonical, the_same_value_packs_alike_in_any_container_of_its_kind) {
  const std::vector<std::string> words{"a", "", "bcd"};
  EXPECT_EQ(bytes_of(words), bytes_of(std::deque<std::string>(words.begin(), words.end())));
  EXPECT_EQ(bytes_of(words), bytes_of(std::list<std::string>(words.begin(), words.end())));
  EXPECT_EQ(bytes_of(words), bytes_of(std::vector<std::string_view>(words.begin(), words.end())));
  const std::vector<int> numbers{1, -1, 70'000};
  EXPECT_EQ(bytes_of(numbers), bytes_of(std::span<const int>(numbers)));
  EXPECT_EQ(bytes_of(numbers), bytes_of(std::deque<int>(numbers.begin(), numbers.end())));
  EXPECT_EQ(bytes_of(std::vector<bool>{true, false}), bytes_of(std::deque<bool>{true, false}));
  EXPECT_EQ(bytes_of(std::set<int>{1, 2}), bytes_of(std::multiset<int>{2, 1}));
  EXPECT_EQ(bytes_of(std::string("text")), bytes_of(std::string_view("text")));
  EXPECT_EQ(bytes_of(std::make_unique<std::uint16_t>(5)), bytes_of(std::optional<std::uint16_t>(5)));
}

TEST(canonical, multimaps_keep_the_order_of_equal_keys) {
  const std::multimap<int, std::string> first{{1, "b"}, {1, "a"}};
  const std::multimap<int, std::string> second{{1, "a"}, {1, "b"}};
  EXPECT_NE(bytes_of(first), bytes_of(second));
  EXPECT_EQ((ingot::unpack<std::multimap<int, std::string>>(bytes_of(first)).value()), first);
  EXPECT_EQ((ingot::unpack<std::multimap<int, std::string>>(bytes_of(second)).value()), second);
}

TEST(canonical, minus_zero_is_zero_as_a_key_and_itself_as_a_value) {
  EXPECT_EQ(bytes_of(std::set<double>{-0.0}), bytes_of(std::set<double>{0.0}));
  EXPECT_EQ(bytes_of(std::map<float, int>{{-0.0F, 1}}), bytes_of(std::map<float, int>{{0.0F, 1}}));
  EXPECT_EQ(bytes_of(std::set<std::pair<int, double>>{{1, -0.0}}),
            bytes_of(std::set<std::pair<int, double>>{{1, 0.0}}));
  EXPECT_EQ(bytes_of(std::unordered_set<double>{-0.0}), bytes_of(std::unordered_set<double>{0.0}));
  EXPECT_EQ(bytes_of(std::set<std::array<float, 2>>{{-0.0F, 1}}),
            bytes_of(std::set<std::array<float, 2>>{{0.0F, 1}}));
  EXPECT_NE(bytes_of(-0.0), bytes_of(0.0));
  EXPECT_NE(bytes_of(std::map<int, double>{{1, -0.0}}), bytes_of(std::map<int, double>{{1, 0.0}}));
}

/// Creates two equal objects in memory filled with 0xAA and 0x55, so that their padding differs,
/// and packs them.
template <class T, class Fill>
void expect_holes_hidden(Fill fill) {
  alignas(T) std::byte memory[2][sizeof(T)];
  std::memset(memory[0], 0xAA, sizeof(T));
  std::memset(memory[1], 0x55, sizeof(T));
  auto* const a = ::new (memory[0]) T;
  auto* const b = ::new (memory[1]) T;
  fill(*a);
  fill(*b);
  EXPECT_EQ(bytes_of(*a), bytes_of(*b));
  const auto packed = bytes_of(*a);
  EXPECT_EQ(std::ranges::count(packed, std::byte{0xAA}), 0);
  EXPECT_EQ(std::ranges::count(packed, std::byte{0x55}), 0);
  a->~T();
  b->~T();
}

struct holes_in_arrays {
  zoo::padded one[2];
  std::array<zoo::padded, 2> two;
  std::pair<std::uint8_t, std::uint64_t> pair;
  std::tuple<std::uint8_t, std::uint32_t, std::uint8_t> tuple;
};
struct alignas(32) aligned_beyond_its_members {
  std::uint32_t number;
};
struct holes_in_alternatives {
  std::optional<zoo::padded> absent;
  std::optional<zoo::padded> present;
  std::variant<std::uint8_t, zoo::padded> small;
  std::expected<std::uint8_t, zoo::padded> value;
};

TEST(canonical, holes_never_reach_the_bytes) {
  const auto fill_padded = [](zoo::padded& p) {
    p.a = 1;
    p.b = 2;
    p.c = true;
    p.d = 3;
    p.e = 4;
  };
  expect_holes_hidden<zoo::padded>(fill_padded);
  expect_holes_hidden<holes_in_arrays>([&](holes_in_arrays& h) {
    for (auto& p : h.one) fill_padded(p);
    for (auto& p : h.two) fill_padded(p);
    h.pair = {1, 2};
    h.tuple = {1, 2, 3};
  });
  expect_holes_hidden<aligned_beyond_its_members>([](auto& a) { a.number = 7; });
  expect_holes_hidden<holes_in_alternatives>([&](holes_in_alternatives& h) {
    fill_padded(h.present.emplace());
    h.small = std::uint8_t{3};
    h.value = std::uint8_t{4};
  });
}

TEST(canonical, holes_in_elements_never_reach_the_bytes) {
  std::vector<zoo::padded> first(3);
  std::vector<zoo::padded> second(3);
  std::memset(static_cast<void*>(first.data()), 0xAA, 3 * sizeof(zoo::padded));
  std::memset(static_cast<void*>(second.data()), 0x55, 3 * sizeof(zoo::padded));
  for (auto* list : {&first, &second}) {
    for (auto& p : *list) {
      p.a = 1;
      p.b = 2;
      p.c = false;
      p.d = 3;
      p.e = 4;
    }
  }
  EXPECT_EQ(bytes_of(first), bytes_of(second));
  EXPECT_EQ(bytes_of(first).size(), 45U);
}

TEST(canonical, what_was_in_the_sink_never_reaches_the_bytes) {
  const zoo::mixture value = zoo::sample<zoo::mixture>(4);
  const auto clean = bytes_of(value);
  ingot::buffer dirty;
  ASSERT_TRUE(dirty.resize(clean.size() + 64));
  std::ranges::fill(dirty, std::byte{0xAA});
  dirty.clear();
  ASSERT_TRUE(ingot::pack_to(dirty, value));
  EXPECT_TRUE(std::ranges::equal(dirty, clean));
  std::vector<std::byte> memory(clean.size() + 32, std::byte{0xAA});
  ASSERT_TRUE(ingot::pack_to(std::span(memory), value));
  EXPECT_TRUE(std::equal(clean.begin(), clean.end(), memory.begin()));
}

TEST(canonical, strings_pack_alike_for_any_bytes_after_their_end) {
  // short texts are moved as whole blocks: the following data must overwrite the bytes after the
  // terminator
  for (std::size_t size = 0; size <= 32; ++size) {
    std::string used(40, '\xAA');
    used.assign(size, 'x');
    const std::string fresh(size, 'x');
    const std::pair<std::string, std::string> a{used, used};
    const std::pair<std::string, std::string> b{fresh, fresh};
    EXPECT_EQ(bytes_of(a), bytes_of(b)) << size;
    std::string shrunk = "0123456789abcde";
    shrunk.resize(std::min<std::size_t>(size, 15));
    EXPECT_EQ(bytes_of(std::tuple(shrunk, std::uint8_t{1})),
              bytes_of(std::tuple(std::string(shrunk.c_str()), std::uint8_t{1})));
  }
}

} // namespace canonical_test
