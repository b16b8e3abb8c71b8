// SPDX-License-Identifier: Apache-2.0
// Text in a block against std::string, with arguments that are parts of the text itself. Outside of
// a block: texts that fit inline.
#include <ingot/live/live.hpp>
#include <ingot/live/string.hpp>
#include <ingot/live/vector.hpp>

#include "live/block_tools.hpp"
#include "live/dice.hpp"
#include "live/failures.hpp"

#include <algorithm>
#include <array>
#include <cstring>
#include <functional>
#include <sstream>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

#include <gtest/gtest.h>

namespace string_test {

using namespace live_test;
using ingot::live;
using ingot::out_of_space_reason;

struct texts {
  ingot::string a;
  ingot::string b;
  ingot::string c;
  ingot::vector<ingot::string> more;
};

constexpr std::string_view eleven = "exactly 11!";
constexpr std::string_view twelve = "twelve chars";
static_assert(eleven.size() == 11 && twelve.size() == 12);

static_assert(sizeof(ingot::string) == 16 && ingot::string::inline_capacity == 11);
static_assert(sizeof(ingot::u16string) == 16 && ingot::u16string::inline_capacity == 5);
static_assert(sizeof(ingot::u32string) == 16 && ingot::u32string::inline_capacity == 2);
#if SIZE_MAX > 0xFFFFFFFF
static_assert(sizeof(ingot::wide::string) == 32 && ingot::wide::string::inline_capacity == 23);
#endif
static_assert(!std::is_copy_constructible_v<ingot::string> && !std::is_move_constructible_v<ingot::string>);
static_assert(std::is_trivially_destructible_v<ingot::string>);
static_assert(std::ranges::contiguous_range<ingot::string> && std::totally_ordered<ingot::string>);

/// Random operations on strings of one block and on their models.
class string_model {
public:
  explicit string_model(std::uint64_t seed) : random_(seed) { block_->more.resize(3); }

  void run(std::size_t steps) {
    for (std::size_t step = 0; step < steps && !testing::Test::HasFailure(); ++step) {
      const std::size_t i = random_() % count;
      operate(at(i), models_[i]);
      check(i);
      if (step % 500 == 499) expect_whole(step);
    }
  }

private:
  static constexpr std::size_t count = 6;

  ingot::string& at(std::size_t i) {
    const std::array<ingot::string*, count> all{&block_->a,       &block_->b,       &block_->c,
                                                &block_->more[0], &block_->more[1], &block_->more[2]};
    return *all[i];
  }
  std::size_t below(std::size_t n) { return n == 0 ? 0 : random_() % n; }
  std::string text() {
    std::string word(below(4) == 0 ? below(90) : below(16), ' ');
    for (char& c : word) c = static_cast<char>('a' + below(26));
    return word;
  }

  void operate(ingot::string& s, std::string& m) {
    const std::size_t from = below(m.size() + 1);
    const std::size_t length = below(3) == 0 ? m.size() - from : below(m.size() - from + 1);
    const std::string other = text();
    const std::string part = m.substr(from, length);
    const std::size_t at_other = below(m.size() + 1);
    const std::size_t instead = below(m.size() - at_other + 1);
    if (m.size() > 400) {
      s.erase(40);
      m.erase(40);
      return;
    }
    switch (random_() % 27) {
    case 0: s.assign(other), m = other; break;
    case 1: s = other.c_str(), m = other; break;
    case 2: s.append(other), m += other; break;
    case 3: s += 'q', m += 'q'; break;
    case 4: s.push_back('r'), m.push_back('r'); break;
    case 5:
      if (!m.empty()) s.pop_back(), m.pop_back();
      break;
    case 6: s.insert(from, other), m.insert(from, other); break;
    case 7: s.replace(from, length, other), m.replace(from, length, other); break;
    case 8: s.erase(from, length), m.erase(from, length); break;
    case 9: s.resize(from), m.resize(from); break;
    case 10: s.resize(m.size() + length, 's'), m.resize(m.size() + length, 's'); break;
    case 11: s.resize(m.size() + 3), m.resize(m.size() + 3); break;
    case 12: s.append(length % 20, 't'), m.append(length % 20, 't'); break;
    case 13: s.assign(length, 'u'), m.assign(length, 'u'); break;
    case 14: s.reserve(from + 20); break;
    case 15: s.shrink_to_fit(); break;
    case 16: s.clear(), m.clear(); break;
    case 17: s = std::as_const(s); break;
    case 18: s.swap(s); break;
    // Arguments that are parts of the string itself.
    case 19: s.assign(s.view().substr(from, length)), m = part; break;
    case 20: s.append(s.view().substr(from, length)), m += part; break;
    case 21: s.insert(at_other, s.view().substr(from, length)), m.insert(at_other, part); break;
    case 22:
    case 23:
      s.replace(at_other, instead, s.view().substr(from, length)), m.replace(at_other, instead, part);
      break;
    // Operations on two strings.
    case 24: {
      const std::size_t j = below(count);
      s = at(j);
      m = std::string(models_[j]);
      break;
    }
    case 25: {
      const std::size_t j = below(count);
      s.swap(at(j));
      m.swap(models_[j]);
      check(j);
      break;
    }
    case 26: {
      const std::size_t j = below(count);
      if (&s == &at(j)) break;
      s = std::move(at(j));
      m = models_[j];
      models_[j] = std::string(at(j).view()); // valid, with any value
      check(j);
      break;
    }
    default: break;
    }
  }
  void check(std::size_t i) {
    const ingot::string& s = at(i);
    ASSERT_EQ(s.view(), models_[i]);
    ASSERT_EQ(s.c_str()[s.size()], '\0') << "a zero after the text";
    ASSERT_GE(s.capacity(), s.size());
    ASSERT_TRUE(is_zero_after_elements(s) || s.capacity() == ingot::string::inline_capacity);
  }
  void expect_whole(std::size_t step) {
    SCOPED_TRACE(step);
    expect_accounted(block_);
    EXPECT_TRUE(is_zero_after(block_, 4096));
    if (step % 5000 == 4999) {
      expect_opens_again(block_);
      block_.compact();
      for (std::size_t i = 0; i < count; ++i) check(i);
    } else if (step % 2500 == 2499) {
      block_.trim();
      EXPECT_EQ(stale_bytes(block_), 0U);
      block_.reclaim();
    } else {
      const auto opened = live<texts>::open(block_.bytes());
      ASSERT_TRUE(opened.has_value()) << opened.error().message();
      EXPECT_TRUE(*opened == block_);
    }
  }

  dice random_;
  live<texts> block_;
  std::array<std::string, count> models_;
};

TEST(live_string, agrees_with_a_model_over_a_hundred_thousand_operations) {
  const std::size_t half = live_test::operations(std::size_t{100'000}) / 2;
  string_model(1).run(half);
  string_model(2).run(half);
}

TEST(live_string, holds_eleven_characters_in_place_and_the_twelfth_in_a_storage) {
  live<texts> block;
  const std::size_t empty = block.size();
  block->a.assign(eleven);
  EXPECT_EQ(block.size(), empty);
  EXPECT_EQ(std::strlen(block->a.c_str()), 11U);
  block->a.assign(twelve);
  EXPECT_GT(block.size(), empty);
  block->a.pop_back();
  EXPECT_EQ(block->a.view(), "twelve char");
  block->a.shrink_to_fit();
  EXPECT_EQ(block->a.capacity(), 11U);
  EXPECT_EQ(block->a.view(), "twelve char");
  expect_accounted(block);
}

TEST(live_string, outside_a_block_holds_what_fits_in_place_and_says_why_it_can_not_hold_more) {
  ingot::string alone("short");
  EXPECT_EQ(alone.view(), "short");
  alone += " text!";
  EXPECT_EQ(alone.view(), "short text!");
  EXPECT_EQ(alone.size(), 11U);
  EXPECT_EQ(std::strlen(alone.c_str()), 11U);
  EXPECT_FALSE(alone.try_append("x"));
  EXPECT_EQ(failure_of([&] { alone.push_back('x'); }), out_of_space_reason::outside_block);
  EXPECT_EQ(failure_of([&] { alone.reserve(12); }), out_of_space_reason::outside_block);
  EXPECT_EQ(failure_of([&] { alone.assign(twelve); }), out_of_space_reason::outside_block);
  EXPECT_EQ(failure_of([&] { alone.assign(12, 'x'); }), out_of_space_reason::outside_block);
  EXPECT_EQ(failure_of([] { ingot::string too_long(twelve); }), out_of_space_reason::outside_block);
  EXPECT_EQ(alone.view(), "short text!");
  alone.insert(0, alone.substr(0, 0));
  alone.replace(0, 5, alone.substr(6, 5));
  EXPECT_EQ(alone.view(), "text! text!");
  alone.erase(4, 3);
  EXPECT_EQ(alone.view(), "textext!");
  alone.shrink_to_fit();
  ingot::string other;
  other = alone;
  alone.swap(other);
  alone.swap(alone);
  EXPECT_EQ(other, alone);
  other = std::move(alone);
  EXPECT_EQ(other, "textext!");
}

TEST(live_string, moves_between_blocks_and_out_of_them_by_copy) {
  live<texts> first;
  live<texts> second;
  first->a.assign(twelve);
  second->a = std::move(first->a);
  EXPECT_EQ(second->a, twelve);
  EXPECT_EQ(first->a, twelve) << "nothing can be taken over from another block";
  second->b = "here";
  first->b = std::move(second->b);
  EXPECT_EQ(first->b, "here");
  ingot::string alone("temporary");
  first->c = std::move(alone);
  EXPECT_EQ(first->c, "temporary");
  EXPECT_EQ(failure_of([&] { alone = first->a; }), out_of_space_reason::outside_block);
  EXPECT_EQ(alone.view(), "temporary");
  expect_accounted(first);
  expect_accounted(second);
}

TEST(live_string, of_two_blocks_are_not_exchanged_unless_both_are_in_place) {
  live<texts> first;
  live<texts> second;
  ingot::string alone("alone");
  first->a.assign(twelve);
  second->a = "in place";
  EXPECT_EQ(failure_of([&] { first->a.swap(second->a); }), out_of_space_reason::different_block);
  EXPECT_EQ(failure_of([&] { alone.swap(first->a); }), out_of_space_reason::outside_block);
  first->b = "here";
  first->b.swap(second->a);
  alone.swap(second->a);
  EXPECT_EQ(first->b, "in place");
  EXPECT_EQ(second->a, "alone");
  EXPECT_EQ(alone, "here");
  expect_opens_again(first);
  expect_opens_again(second);
}

TEST(live_string, in_one_block_a_move_takes_the_storage_over) {
  live<texts> block;
  block->a.assign(1000, 'a');
  const char* const there = block->a.data();
  block->b = std::move(block->a);
  EXPECT_EQ(block->b.data(), there);
  EXPECT_EQ(block->b.size(), 1000U);
  expect_accounted(block);
}

TEST(live_string, swaps_in_one_block_whatever_both_hold) {
  live<texts> block;
  block->a.assign("in place");
  block->b.assign(300, 'b');
  swap(block->a, block->b);
  EXPECT_EQ(block->b, "in place");
  EXPECT_EQ(block->a.size(), 300U);
  block->a.swap(block->a);
  EXPECT_EQ(block->a.size(), 300U);
  expect_accounted(block);
}

TEST(live_string, a_part_of_itself_put_into_its_middle_fits_into_the_capacity) {
  live<texts> block;
  std::string model(200, '.');
  for (std::size_t i = 0; i < model.size(); ++i) model[i] = static_cast<char>('a' + i % 26);
  block->a.assign(model);
  const std::size_t before = block->a.capacity();
  for (int i = 0; i < 50; ++i) {
    const std::string part = model.substr(100, 67);
    block->a.replace(1, 66, block->a.substr(100, 67));
    model.replace(1, 66, part);
    ASSERT_EQ(block->a.view(), model);
    block->a.pop_back();
    model.pop_back();
  }
  EXPECT_EQ(block->a.capacity(), before);
}

TEST(live_string, every_replacement_by_a_part_of_itself_is_as_if_copied_first) {
  live<texts> block;
  const std::string text = "0123456789ABCDEFGHIJ";
  for (std::size_t from = 0; from <= text.size(); from += 2) {
    for (std::size_t count = 0; from + count <= text.size(); ++count) {
      for (std::size_t part = 0; part <= text.size(); part += 3) {
        for (std::size_t length = 0; part + length <= text.size(); length += 2) {
          for (const std::size_t capacity : {std::size_t{0}, std::size_t{64}}) {
            block->a.clear();
            block->a.shrink_to_fit();
            block->a.reserve(capacity);
            block->a.assign(text);
            std::string model = text;
            model.replace(from, count, text.substr(part, length));
            block->a.replace(from, count, block->a.substr(part, length));
            ASSERT_EQ(block->a.view(), model) << from << ' ' << count << ' ' << part << ' ' << length;
            ASSERT_EQ(std::strlen(block->a.c_str()), model.size());
          }
        }
      }
    }
  }
}

TEST(live_string, lengths_that_no_block_has_are_rejected) {
  live<texts> block;
  block->a.assign("text");
  constexpr auto max = static_cast<std::size_t>(-1);
  EXPECT_FALSE(block->a.try_reserve(max));
  EXPECT_FALSE(block->a.try_reserve(ingot::string::max_size() + 1));
  EXPECT_EQ(failure_of([&] { block->a.append(max, 'x'); }), out_of_space_reason::full);
  EXPECT_EQ(failure_of([&] { block->a.append(max - 3, 'x'); }), out_of_space_reason::full);
  EXPECT_EQ(failure_of([&] { block->a.resize(max); }), out_of_space_reason::full);
  EXPECT_EQ(failure_of([&] { block->a.assign(max, 'x'); }), out_of_space_reason::full);
  EXPECT_EQ(block->a, "text");
  expect_accounted(block);
}

TEST(live_string, without_space_is_unchanged) {
  alignas(16) std::array<std::byte, 1400> memory;
  auto block = live<texts>::in(memory).value();
  block->a.assign(twelve);
  block->b.assign(std::string(block.stats().max_size - block.size() - 16, 'b'));
  const std::string before(block->a.view());
  const std::string large(500, 'x');
  EXPECT_FALSE(block->a.try_assign(large));
  EXPECT_FALSE(block->a.try_append(large));
  EXPECT_FALSE(block->a.try_replace(1, 3, large));
  EXPECT_FALSE(block->a.try_reserve(500));
  EXPECT_EQ(failure_of([&] { block->a.assign(500, 'x'); }), out_of_space_reason::full);
  EXPECT_EQ(failure_of([&] { block->a.append(500, 'x'); }), out_of_space_reason::full);
  EXPECT_EQ(failure_of([&] { block->a.resize(500); }), out_of_space_reason::full);
  EXPECT_EQ(failure_of([&] { block->a.insert(3, large); }), out_of_space_reason::full);
  EXPECT_EQ(block->a.view(), before);
  expect_accounted(block);
}

TEST(live_string, grows_by_half_a_dozen_storages_to_a_thousand_characters) {
  live<texts> block;
  std::size_t storages = 0;
  for (const char* at = nullptr; block->a.size() < 1000; block->a.append(1, 'x')) {
    if (block->a.data() != at) ++storages;
    at = block->a.data();
  }
  EXPECT_LE(storages, 9U);
}

TEST(live_string, wider_characters_hold_less_in_place_and_end_with_a_zero) {
  struct wide_texts {
    ingot::u8string eight;
    ingot::u16string sixteen;
    ingot::u32string thirtytwo;
  };
  live<wide_texts> block;
  for (std::size_t n = 0; n < 40; ++n) {
    const std::u8string eight(n, u8'x');
    const std::u16string sixteen(n, u'\x1234');
    const std::u32string thirtytwo(n, U'\x12345');
    block->eight.assign(eight);
    block->sixteen.assign(sixteen);
    block->thirtytwo.assign(thirtytwo);
    ASSERT_TRUE(block->eight.view() == eight);
    ASSERT_TRUE(block->sixteen.view() == sixteen);
    ASSERT_TRUE(block->thirtytwo.view() == thirtytwo);
    ASSERT_EQ(block->eight.c_str()[n], u8'\0');
    ASSERT_EQ(block->sixteen.c_str()[n], u'\0');
    ASSERT_EQ(block->thirtytwo.c_str()[n], U'\0');
    block->sixteen.push_back(u'y');
    block->thirtytwo.insert(0, U"zz");
    ASSERT_EQ(block->sixteen.size(), n + 1);
    ASSERT_EQ(block->thirtytwo.c_str()[n + 2], U'\0');
    expect_opens_again(block);
  }
}

#if SIZE_MAX > 0xFFFFFFFF
TEST(live_string, of_wide_offsets_holds_twenty_three_characters_in_place) {
  struct wide_text {
    ingot::wide::string text;
  };
  ingot::wide::live<wide_text> block;
  std::string model;
  for (std::size_t n = 0; n < 100; ++n) {
    block->text.push_back(static_cast<char>('a' + n % 26));
    model.push_back(static_cast<char>('a' + n % 26));
    ASSERT_EQ(block->text.view(), model);
    ASSERT_EQ(block.size() == ingot::detail::first_storage<wide_text>, n < 23);
    ASSERT_EQ(std::strlen(block->text.c_str()), n + 1);
  }
  expect_opens_again(block);
}
#endif

TEST(live_string, compares_searches_hashes_and_prints_as_its_view) {
  live<texts> block;
  block->a = "needle in a haystack";
  block->b = "needle";
  const ingot::string& a = block->a;
  EXPECT_TRUE(a.starts_with(block->b));
  EXPECT_TRUE(a.ends_with("stack"));
  EXPECT_TRUE(a.contains("hay"));
  EXPECT_EQ(a.find('i'), 7U);
  EXPECT_EQ(a.find("in", 8), ingot::string::npos);
  EXPECT_EQ(a.rfind("a"), 17U);
  EXPECT_LT(block->b, a);
  EXPECT_GT(a, "need");
  EXPECT_EQ(block->b, std::string("needle"));
  EXPECT_EQ(std::string_view("needle"), block->b);
  EXPECT_LT(a.compare("x"), 0);
  EXPECT_EQ(a.substr(7, 2), "in");
  EXPECT_EQ(std::hash<ingot::string>{}(block->b), std::hash<std::string_view>{}("needle"));
  std::ostringstream out;
  out << block->b;
  EXPECT_EQ(out.str(), "needle");
  EXPECT_EQ(std::string(a.begin(), a.end()), a.view());
  EXPECT_EQ(a.front(), 'n');
  EXPECT_EQ(a.back(), 'k');
}

TEST(live_string, bytes_from_elsewhere_get_their_terminator_when_they_grow) {
  // `open` requires a terminator after the text, and no zeros after the terminator.
  live<texts> block;
  block->a.assign(15, 'x');
  block->a.erase(12);
  std::vector<std::byte> bytes(block.bytes().begin(), block.bytes().end());
  const auto at =
      static_cast<std::size_t>(reinterpret_cast<const std::byte*>(block->a.data()) - block.bytes().data());
  ASSERT_EQ(at + 16, bytes.size());
  for (std::size_t i = 13; i < 16; ++i) bytes[at + i] = std::byte{'?'};
  auto opened = live<texts>::open(bytes);
  ASSERT_TRUE(opened.has_value());
  auto& text = (*opened)->a;
  for (std::size_t n = 12; n < 15; ++n) {
    ASSERT_EQ(std::strlen(text.c_str()), n);
    text.push_back('y');
  }
  EXPECT_EQ(text, "xxxxxxxxxxxxyyy");
  EXPECT_EQ(std::strlen(text.c_str()), 15U);
}

template <template <class> class Live, class Text>
void expect_each_byte_after_is_zero() {
  Live<Text> block;
  const std::size_t size = sizeof(typename Text::value_type);
  for (std::size_t n = 0; n <= Text::inline_capacity; ++n) {
    block->resize(n, static_cast<typename Text::value_type>('x'));
    std::vector<std::byte> bytes(block.bytes().begin(), block.bytes().end());
    ASSERT_TRUE(Live<Text>::open(bytes).has_value());
    const auto text =
        static_cast<std::size_t>(reinterpret_cast<const std::byte*>(block->data()) - block.bytes().data());
    const std::size_t mark = ingot::detail::root_position + sizeof(Text) - 1;
    for (std::size_t at = text; at < mark; ++at) {
      const std::byte was = std::exchange(bytes[at], std::byte{1});
      ASSERT_EQ(Live<Text>::open(bytes).has_value(), at < text + n * size) << n << " characters, byte " << at;
      bytes[at] = was;
    }
  }
}
TEST(live_string, in_place_has_only_zeros_after_its_text) {
  expect_each_byte_after_is_zero<live, ingot::string>();
  expect_each_byte_after_is_zero<live, ingot::u16string>();
  expect_each_byte_after_is_zero<live, ingot::u32string>();
#if SIZE_MAX > 0xFFFFFFFF
  expect_each_byte_after_is_zero<ingot::wide::live, ingot::wide::string>();
  expect_each_byte_after_is_zero<ingot::wide::live, ingot::wide::u16string>();
#endif
}

TEST(live_string, of_foreign_bytes_in_a_small_storage_can_do_everything) {
  // A storage of eight bytes, which ingot would never allocate for a string.
  live<texts> block;
  block->a.assign(twelve);
  std::vector<std::byte> bytes(block.bytes().begin(), block.bytes().end());
  const std::size_t root = ingot::detail::root_position;
  const std::uint32_t length = 5;
  std::memcpy(bytes.data() + root + 4, &length, sizeof length);
  const std::size_t storage = bytes.size() - 16;
  const std::uint32_t capacity = 8;
  std::memcpy(bytes.data() + storage - 8, &capacity, sizeof capacity);
  bytes[storage + 5] = std::byte{0};
  auto opened = live<texts>::open(bytes);
  ASSERT_TRUE(opened.has_value()) << opened.error().message();
  EXPECT_EQ((*opened)->a, "twelv");
  EXPECT_EQ((*opened)->a.capacity(), 7U);
  (*opened)->a.reserve(9);
  EXPECT_EQ((*opened)->a, "twelv");
  EXPECT_EQ((*opened)->a.capacity(), 11U);
  (*opened)->a.append("e and more than fits");
  EXPECT_EQ((*opened)->a, "twelve and more than fits");
  expect_accounted(*opened, 8); // the bytes after the small storage
}

} // namespace string_test
