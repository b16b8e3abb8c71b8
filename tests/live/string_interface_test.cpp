// SPDX-License-Identifier: Apache-2.0
// Text in a block has the interface of std::string: each call has the same effect, inline and in a
// storage. A position after the end throws the same exception. Otherwise code written for
// std::string would not compile, or would damage the block.
#include <ingot/live/live.hpp>
#include <ingot/live/optional.hpp>
#include <ingot/live/string.hpp>
#include <ingot/live/vector.hpp>

#include "live/block_tools.hpp"
#include "live/effort.hpp"
#include "live/text_operations.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstring>
#include <iterator>
#include <list>
#include <ranges>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>

#include <gtest/gtest.h>

namespace string_interface_test {

using namespace live_test;
using namespace std::string_view_literals;
using namespace std::string_literals;
using ingot::live;

struct note {
  ingot::string text;
  ingot::optional<ingot::string> title;
  ingot::vector<ingot::string> lines;
};

class live_string_interface : public testing::Test {
protected:
  /// Runs `f` on the text and on its model.
  template <class F>
  void both(F f) {
    f(text());
    f(model_);
    ASSERT_EQ(text().view(), model_);
    ASSERT_EQ(text().c_str()[model_.size()], '\0');
    ASSERT_TRUE(is_zero_after_elements(text()) || text().capacity() == ingot::string::inline_capacity);
  }
  /// Compares the answers of the text and its model.
  template <class F>
  void alike(F f) {
    EXPECT_TRUE(f(std::as_const(text())) == f(std::as_const(model_)));
  }
#if INGOT_EXCEPTIONS
  template <class F>
  void both_throw(F f) {
    EXPECT_THROW(f(text()), std::out_of_range);
    EXPECT_THROW(f(model_), std::out_of_range);
    EXPECT_EQ(text().view(), model_);
  }
#endif
  ingot::string& text() { return block_->text; }

  live<note> block_;
  std::string model_;
  const std::list<char> list_{'x', 'y', 'z'};
};

TEST_F(live_string_interface, is_assigned_and_appended_to_as_a_standard_one) {
  for (int round = 0; round < 2; ++round) { // first inline, then in a storage
    both([](auto& s) { s.assign("abc"sv, 1, 1); });
    both([](auto& s) { s.assign({'a', 'b'}); });
    both([&](auto& s) { s.assign(list_.begin(), list_.end()); });
    both([](auto& s) { s = 'q'; });
    both([](auto& s) { s = {'a', 'b', 'c'}; });
    both([](auto& s) { s.append("0123456789"sv, 3, 3); });
    both([](auto& s) { s = {}; });
    both([](auto& s) { s = "a long text that is in a storage"; });
    both([](auto& s) { s.append({'!', '?'}); });
    both([](auto& s) { s.append(s.begin() + 2, s.begin() + 6); });
    both([&](auto& s) { s.append(list_.begin(), list_.end()); });
    both([](auto& s) { s += {'-', '+'}; });
    both([](auto& s) { s.assign(40, 'k'); });
    both([](auto& s) { s.assign(4, 'k'); });
    both([](auto& s) { s.assign(s.begin() + 1, s.begin() + 3); });
    both([](auto& s) {
      s.resize_and_overwrite(5, [](char* data, std::size_t count) {
        std::memset(data, 'w', count);
        return count - 1;
      });
    });
  }
  expect_accounted(block_);
}

TEST_F(live_string_interface, is_changed_in_its_middle_as_a_standard_one) {
  for (const std::string_view start : {"short"sv, "a long text that is in a storage"sv}) {
    both([&](auto& s) { s = start; });
    both([](auto& s) { s.insert(3, "xyz", 2); });
    both([](auto& s) { s.insert(0, 3, 'c'); });
    both([](auto& s) { EXPECT_EQ(s.insert(s.begin() + 2, 'd') - s.begin(), 2); });
    both([](auto& s) { EXPECT_EQ(s.insert(s.begin(), 2, 'e') - s.begin(), 0); });
    both([](auto& s) {
      const auto there = s.insert(s.end(), {'f', 'g'});
      EXPECT_EQ(s.end() - there, 2);
    });
    both([](auto& s) { s.insert(s.begin() + 1, s.begin() + 3, s.begin() + 9); });
    both([&](auto& s) { s.insert(s.begin() + 1, list_.begin(), list_.end()); });
    both([](auto& s) { s.insert(2, "abc"sv, 1); });
    both([](auto& s) { s.insert(s.size(), "end"); });
    both([](auto& s) { s.replace(2, 3, 5, 'x'); });
    both([](auto& s) { s.replace(2, 9, 2, 'y'); });
    both([](auto& s) { s.replace(1, 2, 2, 'z'); });
    both([](auto& s) { s.replace(1, 2, "abcdef", 3); });
    both([](auto& s) { s.replace(s.begin(), s.begin() + 2, "hello"); });
    both([](auto& s) { s.replace(s.begin(), s.begin() + 1, 3, 'r'); });
    both([](auto& s) { s.replace(s.begin(), s.begin() + 1, "abc", 2); });
    both([](auto& s) { s.replace(2, 200, "tail"sv, 1, 2); });
    both([&](auto& s) { s.replace(s.begin(), s.end(), list_.begin(), list_.end()); });
    both([](auto& s) { s = "some more text, longer than eleven, with e's"; });
    both([](auto& s) { EXPECT_EQ(s.erase(s.begin() + 3) - s.begin(), 3); });
    both([](auto& s) { EXPECT_EQ(s.erase(s.begin() + 1, s.begin() + 4) - s.begin(), 1); });
    both([](auto& s) { EXPECT_EQ(erase(s, 'e'), 7U); });
    both([](auto& s) { EXPECT_EQ(erase_if(s, [](char c) { return c < 'c'; }), 10U); });
    both([](auto& s) { s.erase(s.size()); });
    both([](auto& s) { s.erase(); });
  }
  expect_accounted(block_);
}

TEST_F(live_string_interface, is_read_as_a_standard_one) {
  both([](auto& s) { s = "what is looked for in here"; });
  alike([](const auto& s) { return s.find("oo"); });
  alike([](const auto& s) { return s.find("is", 0, 2); });
  alike([](const auto& s) { return s.find('o', 10); });
  alike([](const auto& s) { return s.rfind('o'); });
  alike([](const auto& s) { return s.rfind("o", 12); });
  alike([](const auto& s) { return s.rfind("ox", 30, 1); });
  alike([](const auto& s) { return s.find(s); });
  alike([](const auto& s) { return s.find_first_of("kl"); });
  alike([](const auto& s) { return s.find_last_of("kl"sv); });
  alike([](const auto& s) { return s.find_first_not_of("what"s); });
  alike([](const auto& s) { return s.find_last_not_of('e'); });
  alike([](const auto& s) { return s.starts_with('w') && s.starts_with("what") && !s.starts_with("x"sv); });
  alike([](const auto& s) { return s.ends_with('e') && s.ends_with("here") && !s.ends_with("x"sv); });
  alike([](const auto& s) { return s.contains('z') || s.contains("xx") || !s.contains("in"); });
  alike([](const auto& s) { return s.compare("x") < 0; });
  alike([](const auto& s) { return s.compare(0, 4, "what"); });
  alike([](const auto& s) { return s.compare(0, 4, "whatever", 4); });
  alike([](const auto& s) { return s.compare(5, 2, "this is"sv, 5, 2); });
  alike([](const auto& s) { return "start: " + s + '.' + s + "\n"s + s; });
  alike([](const auto& s) { return s + s; });
  alike([](const auto& s) { return 'x' + s + 'y'; });
  alike([](const auto& s) { return "q"s + s + "w"sv.data(); });
  alike(
      [](const auto& s) { return std::string(s.rbegin(), s.rend()) + std::string(s.crbegin(), s.crend()); });
  alike([](const auto& s) {
    return s.at(3) == s[3] && s.front() == 'w' && s.back() == 'e' && s.length() == s.size();
  });
  alike([](const auto& s) {
    char part[8]{};
    const std::size_t copied = s.copy(part, 4, 5);
    return std::string(part, copied);
  });
  static_assert(std::ranges::contiguous_range<ingot::string> &&
                std::ranges::sized_range<const ingot::string>);
  static_assert(std::is_same_v<decltype(text() + "x"), std::string>);
}

TEST_F(live_string_interface, one_character_is_a_text) {
  block_->title = 'x';
  block_->lines.emplace_back('y');
  EXPECT_EQ(*block_->title, "x");
  EXPECT_EQ(block_->lines[0], "y");
  static_assert(!std::is_assignable_v<ingot::string&, int>, "as std::string regrets");
}

TEST_F(live_string_interface, fills_its_capacity_and_is_unchanged_beyond_it) {
  alignas(16) std::array<std::byte, 1200> memory;
  auto full = live<note>::in(memory).value();
  full->text = "0123456789abcdef";
  while (full->text.try_append("x")) {
  }
  const std::string before(full->text);
  ASSERT_EQ(before.size(), full->text.capacity());
  full->text.replace(2, 3, 3, '!'); // the same length: this needs no free bytes
  EXPECT_EQ(full->text, std::string(before).replace(2, 3, 3, '!'));
  EXPECT_FALSE(full->text.try_replace(0, 1, "two"));
#if INGOT_EXCEPTIONS
  const std::string now(full->text);
  EXPECT_THROW(full->text.insert(3, 1, 'x'), ingot::out_of_space);
  EXPECT_THROW(full->text.replace(3, 1, 2, 'x'), ingot::out_of_space);
  EXPECT_THROW(full->text.insert(full->text.begin(), list_.begin(), list_.end()), ingot::out_of_space);
  EXPECT_THROW(full->text.append(4000, 'x'), ingot::out_of_space);
  EXPECT_EQ(full->text, now);
#endif
}

TEST_F(live_string_interface, positions_after_the_end_are_rejected) {
  for (const std::string_view start : {""sv, "short"sv, "a long text that is in a storage"sv}) {
    both([&](auto& s) { s = start; });
    EXPECT_FALSE(text().try_replace(start.size() + 1, 0, "x"));
    EXPECT_TRUE(text().try_replace(start.size(), 99, ""));
#if INGOT_EXCEPTIONS
    const std::size_t past_end = start.size() + 1;
    both_throw([&](auto& s) { static_cast<void>(s.at(start.size())); });
    both_throw([&](auto& s) { s.insert(past_end, "x"); });
    both_throw([&](auto& s) { s.insert(past_end, 3, 'x'); });
    both_throw([&](auto& s) { s.replace(past_end, 1, "x"); });
    both_throw([&](auto& s) { s.replace(past_end, 1, 3, 'x'); });
    both_throw([&](auto& s) { s.erase(past_end); });
    both_throw([&](auto& s) { static_cast<void>(s.substr(past_end)); });
    both_throw([&](auto& s) { static_cast<void>(s.compare(past_end, 1, "x")); });
    both_throw([&](auto& s) { s.append("abc"sv, 4, 1); });
    both_throw([&](auto& s) {
      char part[4];
      static_cast<void>(s.copy(part, 1, past_end));
    });
#endif
  }
  expect_accounted(block_);
}

struct wide_text {
  ingot::u16string text;
};

/// The oracle of the fuzz target, on texts of many lengths. Blocks have free bytes for all changes,
/// for some, or for none.
TEST(live_string_oracle, text_does_what_a_standard_one_does_or_nothing) {
  const std::array<std::size_t, 12> lengths{0, 1, 2, 7, 10, 11, 12, 15, 16, 40, 100, 256};
  std::array<std::size_t, 3> failures{};
  for (const std::size_t length : lengths) {
    for (const char* repeated : {"a", "ab", "The quick brown fox"}) {
      std::string value;
      while (value.size() < length) value += repeated;
      value.resize(length);
      effort e;
      live<note> roomy;
      roomy->text = value;
      text_oracle(roomy->text, e).read();
      text_oracle(roomy->text, e).change();
      expect_opens_again(roomy);
      failures[0] += std::exchange(e.failures, 0);

      alignas(16) std::array<std::byte, 900> memory;
      auto tight = live<note>::in(memory).value();
      tight->text = value;
      text_oracle(tight->text, e).change();
      expect_opens_again(tight);
      failures[1] += std::exchange(e.failures, 0);

      roomy->text = value;
      roomy.compact();
      alignas(16) std::array<std::byte, 1024> bytes;
      std::ranges::copy(roomy.bytes(), bytes.begin());
      auto in_place = live<note>::open_in_place(std::span(bytes).first(roomy.size())).value();
      text_oracle(in_place->text, e).read();
      text_oracle(in_place->text, e).change();
      EXPECT_TRUE(live<note>::open(in_place.bytes()).has_value());
      failures[2] += e.failures;

      live<wide_text> wide;
      wide->text.assign(value.begin(), value.end());
      text_oracle(wide->text, e).read();
      text_oracle(wide->text, e).change();
      expect_opens_again(wide);
    }
  }
#if INGOT_EXCEPTIONS
  EXPECT_EQ(failures[0], 0U);
  EXPECT_GT(failures[1], 0U);
  EXPECT_GT(failures[2], failures[1]);
#endif
}

} // namespace string_interface_test
