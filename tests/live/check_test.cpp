// SPDX-License-Identifier: Apache-2.0
// Bytes that were made to mislead are rejected with a reason, or every operation works on their
// value. Mutants: prefixes, every bit, boundary values in every word, words copied onto each other,
// and false claims about storages.
#include <ingot/live/live.hpp>
#include <ingot/live/string.hpp>
#include <ingot/live/vector.hpp>

#include "live/block_tools.hpp"
#include "live/dice.hpp"
#include "live/offering.hpp"
#include "live/operations.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <memory>
#include <new>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

namespace live_test_types {

enum class tint : std::uint8_t { red, green, blue };

struct leaf {
  ingot::string name;
  ingot::vector<std::uint16_t> numbers;
  bool ripe = false;
  tint colour = tint::green;
  [[nodiscard]] bool valid() const { return name.view() != "forbidden" && numbers.size() < 1000; }
};

struct garden {
  std::int32_t age = 3;
  ingot::string title;
  ingot::vector<leaf> leaves;
  ingot::vector<ingot::vector<ingot::string>> nested;
  bool open[3]{};
  std::pair<std::uint32_t, ingot::string> owner;
  ingot::vector<bool> bits;
  std::array<tint, 2> tints{};
  ingot::vector<float> depths;
};

struct tree {
  ingot::string name;
  ingot::vector<tree> children;
  /// Looks two levels down: a validation that called `valid` too early would not have checked that
  /// level.
  [[nodiscard]] bool valid() const {
    for (const auto& child : children) {
      for (const auto& grandchild : child.children) {
        if (grandchild.name.view().starts_with("forbidden")) return false;
      }
    }
    return true;
  }
};

} // namespace live_test_types

template <>
inline constexpr auto ingot::annotations<live_test_types::garden> =
    ingot::annotate(ingot::member<"age">(ingot::range(0, 150)), ingot::member<"bits">(ingot::max_size(20)),
                    ingot::member<"title">(ingot::utf8));

namespace check_test {

using namespace live_test;
using namespace live_test_types;
using ingot::errc;
using ingot::live;

void plant(garden& root) {
  root.age = 42;
  root.title.assign("the title of a garden");
  root.leaves.emplace_back("oak", std::vector<std::uint16_t>{1, 2, 3}, true, tint::red);
  root.leaves.emplace_back("a leaf with a longer name", std::vector<std::uint16_t>{}, false, tint::blue);
  root.nested.emplace_back(std::vector<std::string>{"short", "and one that is not short"});
  root.nested.emplace_back();
  root.open[1] = true;
  root.owner = std::pair<std::uint32_t, std::string>(7, "a person with a name");
  root.bits = {true, false, true};
  root.depths = {1.5F, -2.0F, 3.25F};
}

byte_vector canonical_garden() {
  live<garden> block;
  plant(*block);
  block.compact();
  return bytes_of(block);
}
/// A garden with free runs, and with storages in the order of their creation.
byte_vector edited_garden() {
  live<garden> block;
  plant(*block);
  block->leaves.erase(block->leaves.begin());
  block->nested[0].push_back("another text, that is long");
  block->depths.clear();
  block->depths.shrink_to_fit();
  block->leaves.emplace_back("a third leaf of the garden", std::vector<std::uint16_t>{9}, true, tint::red);
  return bytes_of(block);
}

std::vector<byte_vector> gardens() { return {canonical_garden(), edited_garden()}; }

TEST(live_check, the_untouched_bytes_are_accepted_canonical_and_edited) {
  offering<garden> all("untouched");
  for (const auto& bytes : gardens()) EXPECT_TRUE(all.offer(bytes));
  EXPECT_TRUE((ingot::detail::is_canonical_block<garden, ingot::narrow_policy>(canonical_garden().data(),
                                                                               canonical_garden().size())));
  const auto edited = edited_garden();
  EXPECT_FALSE(
      (ingot::detail::is_canonical_block<garden, ingot::narrow_policy>(edited.data(), edited.size())));
}

TEST(live_check, every_prefix_is_rejected) {
  for (const auto& bytes : gardens()) {
    for (std::size_t size = 0; size < bytes.size(); ++size) {
      exact_bytes prefix(std::span<const std::byte>(bytes).first(size));
      EXPECT_FALSE(live<garden>::open(prefix.span()).has_value()) << size;
      EXPECT_FALSE(live<garden>::open_unchecked(prefix.span()).has_value()) << size;
      EXPECT_TRUE(!prefix.is_aligned() || !live<garden>::open_in_place(prefix.span()).has_value()) << size;
    }
    auto longer = bytes;
    longer.resize(bytes.size() + 8);
    EXPECT_EQ(live<garden>::open(longer).error().code(), errc::trailing_bytes);
  }
}

TEST(live_check, a_shortened_length_leaves_nothing_outside_reachable) {
  // The header gives a smaller size than the bytes have: bytes after that size must not be reached.
  offering<garden> all("shortened");
  for (auto bytes : gardens()) {
    for (std::uint64_t used = 0; used < bytes.size(); used += 4) {
      std::memcpy(bytes.data() + 24, &used, sizeof used);
      all.offer(std::span(bytes).first(used < bytes.size() ? static_cast<std::size_t>(used) : bytes.size()));
    }
  }
}

TEST(live_check, every_flipped_bit_is_rejected_or_usable) {
  offering<garden> all("flipped bits");
  for (const auto& bytes : gardens()) offer_flips(all, bytes, sampled() ? 13 : 1);
  EXPECT_GT(all.accepted, all.tried / 20); // numbers and text
  EXPECT_LT(all.accepted,
            // Numbers and text are just below one half
            sampled() ? all.tried * 2 / 3 : all.tried / 2);
}

TEST(live_check, boundary_values_in_every_word_are_rejected_or_usable) {
  offering<garden> all("boundary values");
  for (const auto& bytes : gardens()) offer_boundary_values(all, bytes, sampled() ? 3 : 1);
  EXPECT_GT(all.accepted, 0U);
}

TEST(live_check, every_two_bits_of_every_word_set_cleared_and_flipped_are_rejected_or_usable) {
  offering<garden> all("two bits");
  const auto whole = canonical_garden();
  offer_two_bits(all, whole, std::getenv("INGOT_TEST_FULL") != nullptr ? 1 : sampled() ? 101 : 5);
  EXPECT_GT(all.tried, sampled() ? 1'000U : 25'000U);
}

TEST(live_check, words_copied_onto_each_other_are_rejected_or_usable) {
  offering<garden> all("copied words");
  const std::size_t step = sampled() ? 29 : 1;
  for (const auto& bytes : gardens()) offer_copied_words(all, bytes, step);
  EXPECT_GT(all.tried, 25'000 / step);
}

TEST(live_check, offsets_redirected_to_every_position_are_rejected_or_usable) {
  offering<garden> all("redirected offsets");
  offer_redirected_offsets(all, canonical_garden(), sampled() ? 17 : 1);
}

TEST(live_check, random_damage_at_many_positions_is_rejected_or_usable) {
  offering<garden> all("random damage");
  dice random(11);
  for (const auto& bytes : gardens()) offer_random_damage(all, bytes, sampled() ? 300 : 10'000, random);
}

/// A block of three strings in consecutive storages. Tests put false claims into it.
struct three {
  ingot::string a;
  ingot::string b;
  ingot::vector<std::uint32_t> c;
};
constexpr std::size_t root = ingot::detail::root_position;
constexpr std::size_t first = ingot::detail::first_storage<three>;

class lies {
public:
  lies() {
    live<three> block;
    block->a.assign("the first text!"); // 16 bytes with the terminator
    block->b.assign("the second text"); // likewise
    block->c = {1, 2, 3, 4};
    bytes = bytes_of(block);
  }
  template <class N>
  lies& put(std::size_t at, N value) {
    std::memcpy(bytes.data() + at, &value, sizeof value);
    return *this;
  }
  lies& offset(std::size_t at, std::size_t position) {
    return put(at, static_cast<std::int32_t>(position) - static_cast<std::int32_t>(at));
  }
  [[nodiscard]] ingot::error unsupported_reason() const {
    const auto opened = live<three>::open(bytes);
    return opened ? ingot::error{} : opened.error();
  }
  byte_vector bytes;
};
constexpr std::size_t storage_a = first + 8;
constexpr std::size_t storage_b = first + 32;
constexpr std::size_t storage_c = first + 56;

TEST(live_validation, unmodified_block_is_valid) {
  const lies truth;
  const auto opened = live<three>::open(truth.bytes);
  ASSERT_TRUE(opened.has_value());
  EXPECT_EQ(reinterpret_cast<const std::byte*>((*opened)->b.data()) - opened->bytes().data(),
            static_cast<std::ptrdiff_t>(storage_b));
  EXPECT_EQ(reinterpret_cast<const std::byte*>((*opened)->c.data()) - opened->bytes().data(),
            static_cast<std::ptrdiff_t>(storage_c));
}

TEST(live_check, says_what_is_wrong_where_and_in_which_member) {
  const auto expect_rejected = [](const lies& bytes, errc code, std::size_t offset, std::string_view path) {
    const auto why = bytes.unsupported_reason();
    EXPECT_EQ(why.code(), code) << why.message();
    EXPECT_EQ(why.offset(), offset) << why.message();
    EXPECT_EQ(why.path(), path) << why.message();
    EXPECT_FALSE(why.expected().empty());
  };
  // Two containers, one storage
  expect_rejected(lies().offset(root + 16, storage_a), errc::overlap, root + 16, "b");
  expect_rejected(lies().offset(root + 16, 0), errc::bad_length, root + 16, "b");
  // A text in a storage needs a storage
  expect_rejected(lies().offset(root + 16, 56), errc::bad_length, root + 16, "b");
  // Header and root are not a storage
  expect_rejected(lies().offset(root + 16, root), errc::bad_length, root + 16, "b");
  expect_rejected(lies().offset(root + 16, storage_b + 4), errc::bad_length, root + 16, "b");
  expect_rejected(lies().offset(root + 16, storage_c + 1000), errc::bad_length, root + 16, "b");
  expect_rejected(lies().offset(root + 16, std::size_t{0} - 8), errc::bad_length, root + 16, "b");
  expect_rejected(lies().put(root + 16, std::numeric_limits<std::int32_t>::min()), errc::bad_length,
                  root + 16, "b");
  expect_rejected(lies().put(root + 16, std::numeric_limits<std::int32_t>::max()), errc::bad_length,
                  root + 16, "b");
  // Rejected as an offset outside the block is
  expect_rejected(lies().put(root + 16, 0), errc::bad_length, root + 16, "b");
  // Reserved bits in a header.
  expect_rejected(lies().put(32, 1U), errc::bad_padding, 32, "");
  expect_rejected(lies().put(44, 0x01010101U), errc::bad_padding, 32, "");
  // Capacities.
  expect_rejected(lies().put(storage_b - 8, 0U), errc::bad_length, root + 16, "b");
  expect_rejected(lies().put(storage_b - 8, 8U), errc::bad_length, root + 16, "b");
  expect_rejected(lies().put(storage_b - 8, 20U), errc::bad_length, root + 16, "b");
  expect_rejected(lies().put(storage_b - 8, 48U), errc::bad_length, root + 16, "b");
  expect_rejected(lies().put(storage_b - 8, 0xFFFFFFF8U), errc::bad_length, root + 16, "b");
  // a reaches into the prefix of b
  expect_rejected(lies().put(storage_a - 8, 24U), errc::overlap, root + 16, "b");
  expect_rejected(lies().put(storage_a - 8, 40U), errc::overlap, root + 16, "b");
  // Distances.
  expect_rejected(lies().put(storage_b - 4, 0U), errc::bad_length, root + 16, "b");
  expect_rejected(lies().put(storage_b - 4, static_cast<std::uint32_t>(storage_b)), errc::bad_length,
                  root + 16, "b");
  expect_rejected(lies().put(storage_b - 4, 0xFFFFFFFFU), errc::bad_length, root + 16, "b");
  // Lengths.
  // no byte for the terminator
  expect_rejected(lies().put(root + 20, 16U), errc::bad_length, root + 16, "b");
  expect_rejected(lies().put(root + 20, 0xFFFFFFFFU), errc::bad_length, root + 16, "b");
  expect_rejected(lies().put(root + 20, 0x7FFFFFFFU), errc::bad_length, root + 16, "b");
  // No terminator after the text
  expect_rejected(lies().put(root + 20, 3U), errc::bad_padding, root + 16, "b");
  expect_rejected(lies().put(root + 36, 5U), errc::bad_length, root + 32, "c");
  expect_rejected(lies().put(root + 36, 0x3FFFFFFFU), errc::bad_length, root + 32, "c");
  expect_rejected(lies().put(root + 36, 0xFFFFFFFFU), errc::bad_length, root + 32, "c");
  // Elements in the sentinel
  expect_rejected(lies().offset(root + 32, 56), errc::bad_length, root + 32, "c");
  // Inline text.
  expect_rejected(lies().offset(root, 56).put(root + 15, std::uint8_t{12}), errc::bad_length, root, "a");
  expect_rejected(lies().offset(root, 56).put(root + 15, std::uint8_t{11}), errc::bad_padding, root, "a");
  // Inline, but with a storage
  expect_rejected(lies().put(root + 15, std::uint8_t{0}), errc::bad_length, root, "a");
  // Two errors: the first reason is the one that is reported, without the type, too.
  EXPECT_EQ(lies().put(root + 15, std::uint8_t{12}).unsupported_reason().expected(),
            "an offset to the block's sentinel");
}

template <class Text>
struct last_text {
  ingot::vector<std::uint32_t> before;
  Text text;
};

/// Sets each byte after an inline text to one, in a canonical block that ends with the member
/// before the text.
template <class Text>
void each_byte_after_a_text_in_place() {
  using char_type = typename Text::value_type;
  constexpr std::size_t capacity = sizeof(Text) - sizeof(std::int32_t) - 1;
  for (std::size_t size = 0; size <= Text::inline_capacity; ++size) {
    live<last_text<Text>> block;
    block->before.assign({1, 2, 3});
    block->text = std::basic_string<char_type>(size, char_type{0x41});
    block.compact();
    auto bytes = bytes_of(block);
    const std::size_t text = root + 8;
    ASSERT_TRUE(live<last_text<Text>>::open(bytes).has_value()) << size;
    for (std::size_t i = size * sizeof(char_type); i < capacity; ++i) {
      bytes[text + 4 + i] = std::byte{1};
      const auto opened = live<last_text<Text>>::open(bytes);
      ASSERT_FALSE(opened.has_value()) << size << ", byte " << i;
      EXPECT_EQ(opened.error().code(), errc::bad_padding);
      EXPECT_EQ(opened.error().offset(), text);
      EXPECT_EQ(opened.error().path(), "text");
      bytes[text + 4 + i] = std::byte{0};
    }
    bytes[text + 4 + capacity] = static_cast<std::byte>(Text::inline_capacity + 1);
    EXPECT_FALSE(live<last_text<Text>>::open(bytes).has_value());
  }
}
TEST(live_check, what_lies_after_a_text_in_place_is_zero) {
  each_byte_after_a_text_in_place<ingot::string>();
  each_byte_after_a_text_in_place<ingot::u16string>();
  each_byte_after_a_text_in_place<ingot::u32string>();
}

TEST(live_check, a_text_with_unused_capacity_is_validated_among_those_without) {
  live<three> block;
  block->a = "the first one, in a storage of its own";
  block->b = "another one";
  block->b.reserve(100);
  block->b = "another one, and much of it was erased afterwards";
  block->c.assign({1, 2, 3});
  const auto opened = live<three>::open(block.bytes());
  ASSERT_TRUE(opened.has_value());
  EXPECT_EQ((*opened)->b.view(), "another one, and much of it was erased afterwards");
  auto bytes = bytes_of(block);
  const auto end =
      static_cast<std::size_t>(reinterpret_cast<const std::byte*>(block->b.data()) - block.bytes().data()) +
      block->b.size();
  bytes[end] = std::byte{'x'};
  EXPECT_EQ(live<three>::open(bytes).error().code(), errc::bad_padding);
}

TEST(live_check, a_storage_claimed_with_its_own_prefix_inside_another_is_rejected) {
  // Forges the prefix of a storage in the middle of another storage.
  lies forged;
  forged.put(storage_c, 8U)
      .put(storage_c + 4, static_cast<std::uint32_t>(storage_c)); // capacity and distance
  forged.offset(root + 16, storage_c + 8).put(root + 20, 0U);
  forged.put(storage_c + 8, std::uint64_t{0});
  EXPECT_EQ(forged.unsupported_reason().code(), errc::overlap);
  EXPECT_EQ(forged.unsupported_reason().path(), "c"); // the second container that claims it
}

TEST(live_check, containers_that_lie_in_their_own_storage_are_rejected) {
  live<tree> block;
  block->children.emplace_back("child").children.emplace_back("grandchild");
  const auto whole = bytes_of(block);
  const auto position_of = [&](const void* at) {
    return static_cast<std::size_t>(static_cast<const std::byte*>(at) - block.bytes().data());
  };
  const std::size_t child = position_of(&block->children[0].children);
  const std::size_t grandchild = position_of(&block->children[0].children[0].children);
  for (const std::size_t at : {child, grandchild}) {
    for (const std::size_t to :
         {position_of(block->children.data()), position_of(block->children[0].children.data())}) {
      auto mutant = whole;
      const auto offset = static_cast<std::int32_t>(to) - static_cast<std::int32_t>(at);
      const std::uint32_t one = 1;
      std::memcpy(mutant.data() + at, &offset, 4);
      std::memcpy(mutant.data() + at + 4, &one, 4);
      const auto opened = live<tree>::open(mutant);
      const bool itself = at == child && to == position_of(block->children[0].children.data());
      EXPECT_EQ(opened.has_value(), itself);
      EXPECT_TRUE(opened.has_value() || opened.error().code() == errc::overlap);
    }
  }
  offering<tree> all("trees");
  offer_flips(all, whole, sampled() ? 7 : 1);
  offer_copied_words(all, whole, sampled() ? 13 : 1);
}

TEST(live_check, valid_is_called_after_all_its_bytes_are_validated) {
  live<tree> block;
  auto& grandchild =
      block->children.emplace_back("child").children.emplace_back("a grandchild with a long name");
  auto bytes = bytes_of(block);
  EXPECT_TRUE(live<tree>::open(bytes).has_value());
  // The `name` that `valid` would read points far outside the block.
  const std::size_t name =
      static_cast<std::size_t>(reinterpret_cast<const std::byte*>(&grandchild.name) - block.bytes().data());
  auto outside = bytes;
  const std::int32_t far = 0x7000'0000;
  std::memcpy(outside.data() + name, &far, sizeof far);
  EXPECT_EQ(live<tree>::open(outside).error().code(), errc::bad_length);
  grandchild.name.assign("forbidden, and long");
  EXPECT_EQ(live<tree>::open(block.bytes()).error().code(), errc::invalid_value);
  block.compact();
  EXPECT_EQ(live<tree>::open(block.bytes()).error().code(), errc::invalid_value);
}

TEST(live_check, values_of_members_are_rejected_by_name) {
  const auto unsupported_reason = [](auto change) {
    live<garden> block;
    plant(*block);
    change(*block);
    const auto opened = live<garden>::open(block.bytes());
    return opened ? std::string("accepted")
                  : std::string(ingot::to_string(opened.error().code())) + " at " +
                        std::string(opened.error().path());
  };
  EXPECT_EQ(unsupported_reason([](garden&) {}), "accepted");
  EXPECT_EQ(unsupported_reason([](garden& g) { g.age = 151; }), "out of range at age");
  EXPECT_EQ(unsupported_reason([](garden& g) { g.age = -1; }), "out of range at age");
  EXPECT_EQ(unsupported_reason([](garden& g) { g.bits.resize(21); }), "too long at bits");
  EXPECT_EQ(unsupported_reason([](garden& g) { g.title.assign("no UTF-8 \xFF"); }), "invalid UTF-8 at title");
  EXPECT_EQ(unsupported_reason([](garden& g) { g.leaves[1].name.assign("forbidden"); }),
            "invalid value at leaves[1]");
  EXPECT_EQ(unsupported_reason([](garden& g) { std::memset(&g.leaves[1].ripe, 2, 1); }),
            "bad bool at leaves[1].ripe");
  EXPECT_EQ(unsupported_reason([](garden& g) { std::memset(&g.leaves[0].colour, 3, 1); }),
            "bad enumerator at leaves[0].colour");
  EXPECT_EQ(unsupported_reason([](garden& g) { std::memset(&g.open[2], 0xFF, 1); }), "bad bool at open[2]");
  EXPECT_EQ(unsupported_reason([](garden& g) { std::memset(&g.bits[1], 2, 1); }), "bad bool at bits[1]");
  EXPECT_EQ(unsupported_reason([](garden& g) { std::memset(&g.tints[1], 3, 1); }),
            "bad enumerator at tints[1]");
}

TEST(live_check, takes_time_and_claims_in_proportion_to_the_bytes) {
  // As many containers as fit, all with one storage: the second container is rejected, for any
  // number of containers.
  struct rows {
    ingot::vector<ingot::vector<std::uint64_t>> all;
  };
  live<rows> block;
  block->all.resize(10'000);
  block->all[0] = std::vector<std::uint64_t>(10'000, 1);
  auto bytes = bytes_of(block);
  const auto position_of = [&](const void* at) {
    return static_cast<std::size_t>(static_cast<const std::byte*>(at) - block.bytes().data());
  };
  for (std::size_t i = 1; i < 10'000; ++i) {
    const std::size_t at = position_of(&block->all[i]);
    const auto offset =
        static_cast<std::int32_t>(position_of(block->all[0].data())) - static_cast<std::int32_t>(at);
    const std::uint32_t size = 10'000;
    std::memcpy(bytes.data() + at, &offset, 4);
    std::memcpy(bytes.data() + at + 4, &size, 4);
  }
  const auto opened = live<rows>::open(bytes);
  ASSERT_FALSE(opened.has_value());
  EXPECT_EQ(opened.error().code(), errc::overlap);
  EXPECT_EQ(opened.error().path(), "all[1]");
}

#if SIZE_MAX > 0xFFFFFFFF
struct wide_pair {
  ingot::wide::vector<std::uint64_t> a;
  ingot::wide::vector<ingot::wide::string> b;
};

TEST(live_check, a_wide_storage_too_small_to_be_a_hole_is_rejected) {
  ingot::wide::live<wide_pair> block;
  block->a = {1, 2};
  block->b.emplace_back("a text of more than twenty-three characters");
  std::vector<std::byte> bytes(block.bytes().begin(), block.bytes().end());
  // Eight bytes: freeing them would write a free run's links over the bytes after them.
  const std::uint64_t eight = 8;
  const std::uint64_t one = 1;
  std::memcpy(bytes.data() + ingot::detail::first_storage<wide_pair>, &eight, sizeof eight);
  std::memcpy(bytes.data() + root + 8, &one, sizeof one);
  const auto opened = ingot::wide::live<wide_pair>::open(bytes);
  ASSERT_FALSE(opened.has_value());
  EXPECT_EQ(opened.error().path(), "a");
}

struct two_wide {
  ingot::wide::string a;
  ingot::wide::string b;
};

TEST(live_check, a_wide_text_is_in_a_storage_that_can_be_freed) {
  // A storage shorter than any that a text creates: when it is freed, the links of the free run
  // would be in the next storage.
  constexpr std::size_t text = ingot::detail::first_storage<two_wide> + 16;
  ingot::wide::live<two_wide> block;
  block->a = "a first text, 31 bytes in length";
  block->b = "another text, not less in length";
  const std::size_t next =
      text + static_cast<std::size_t>(reinterpret_cast<const char*>(block->b.data()) - block->a.data());
  for (const std::size_t capacity : {std::size_t{8}, std::size_t{16}}) {
    for (const std::size_t hole : {std::size_t{0}, std::size_t{8}}) { // in order, and by bitmap
      const auto whole = bytes_of(block);
      byte_vector bytes(whole.begin(), whole.begin() + static_cast<std::ptrdiff_t>(text + capacity));
      bytes.insert(bytes.end(), whole.begin() + static_cast<std::ptrdiff_t>(next - 16), whole.end());
      bytes.resize(bytes.size() + hole);
      const auto put = [&](std::size_t at, std::uint64_t value) {
        std::memcpy(bytes.data() + at, &value, sizeof value);
      };
      put(24, bytes.size());
      put(root + 8, 7); // the length of the first text, its position and its capacity
      bytes[text + 7] = std::byte{0};
      put(text - 16, capacity);
      put(text + capacity + 8, text + capacity); // the new position of the second text
      put(root + 32, text + capacity + 16 - (root + 32));
      const auto opened = ingot::wide::live<two_wide>::open(bytes);
      ASSERT_EQ(opened.has_value(), capacity == 16) << hole;
      if (opened) EXPECT_EQ((*opened)->b, block->b);
      else EXPECT_EQ(opened.error().code(), errc::bad_length);
    }
  }
}

TEST(live_check, every_flipped_bit_of_wide_offsets_is_rejected_or_usable) {
  ingot::wide::live<wide_pair> block;
  block->a = {1, 2, 3};
  block->b.emplace_back("a text of more than twenty-three characters");
  block->b.emplace_back("in place");
  const std::vector<std::byte> bytes(block.bytes().begin(), block.bytes().end());
  std::size_t accepted = 0;
  for (std::size_t bit = 0; bit < 8 * bytes.size(); ++bit) {
    auto mutant = bytes;
    mutant[bit / 8] ^= std::byte{1} << bit % 8;
    auto opened = ingot::wide::live<wide_pair>::open(mutant);
    if (!opened) continue;
    ++accepted;
    exercise(*opened);
  }
  EXPECT_GT(accepted, 100U);
}
#endif

} // namespace check_test
