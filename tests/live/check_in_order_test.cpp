// SPDX-License-Identifier: Apache-2.0
// Runs of text, vectors and scalars in a canonical block are validated by a cursor that stays in a
// register. Bytes that this walk accepts must also be accepted by a walk that visits one container
// at a time. Otherwise `open` would accept a block with an unchecked part, or take another block
// for a canonical one.
#include <ingot/live/live.hpp>
#include <ingot/live/string.hpp>
#include <ingot/live/vector.hpp>

#include "live/offering.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <initializer_list>
#include <string>
#include <utility>

#include <gtest/gtest.h>

namespace check_in_order_test {

enum class tint : std::uint8_t { red, green, blue };
enum class far_apart : std::int16_t { low = -100, middle = 5, high = 90 };

/// Every type that is validated in runs, for one width of offsets.
template <template <class> class Vector, class Text, class Text16, class Text32>
struct berry {
  std::uint64_t weight;
  bool ripe;
  tint colour;
  far_apart distance;
  Text name;
  Vector<float> depths;
  Vector<Text> names;
  std::pair<Text, bool> owner;
  std::array<Text, 2> both;
  Vector<Vector<bool>> bits;
  Text16 wider;
  Text32 widest;
};
using narrow_berry = berry<ingot::vector, ingot::string, ingot::u16string, ingot::u32string>;
#if SIZE_MAX > 0xFFFFFFFF
using wide_berry =
    berry<ingot::wide::vector, ingot::wide::string, ingot::wide::u16string, ingot::wide::u32string>;
#endif

/// Checks the order of storages without the cursor in a register, with the interface that other
/// claims have.
class one_by_one {
public:
  explicit one_by_one(std::size_t begin) noexcept : at_(begin) {}
  [[nodiscard]] bool take(std::size_t at, std::size_t size) noexcept {
    if (size != 0 && at != at_) return false; // size 0 is the storage of the sentinel
    at_ += size;
    return true;
  }
  [[nodiscard]] std::size_t end() const noexcept { return at_; }

private:
  std::size_t at_;
};

template <class T, class P>
bool is_valid_one_by_one(const live_test::byte_vector& bytes) {
  using namespace ingot::detail;
  block_validator<P, one_by_one> validator(bytes.data(), bytes.size(), first_storage<T>,
                                           one_by_one(first_storage<T>));
  return check_object(*reinterpret_cast<const T*>(bytes.data() + root_position), validator) &&
         validator.claims().end() == bytes.size();
}

template <class B>
void plant(B& all) {
  for (int i = 0; i < 3; ++i) {
    auto& one = all.emplace_back();
    one.ripe = i == 1;
    one.distance = far_apart::high;
    one.name = i == 0 ? "in place" : "a text in a storage";
    if (i != 1) one.depths = {1.5F, -2.0F, 0.25F};
    for (int k = 0; k < i; ++k) one.names.emplace_back(k == 0 ? "nearby" : "another one, not so near");
    one.owner.first = std::string(static_cast<std::size_t>(11 * i), 'o');
    one.both[1] = "the second of both";
    one.bits.resize(2);
    one.bits[1] = {true, false, true};
    one.wider = i == 0 ? u"four" : u"a text in a storage";
    one.widest = i == 0 ? U"2" : U"in a storage";
  }
}

template <class T, class P>
class comparison {
public:
  explicit comparison(const live_test::byte_vector& whole) : whole_(whole) {}

  void each_byte(std::initializer_list<int> values) {
    for (std::size_t at = ingot::detail::root_position; at < whole_.size(); at += step_) {
      for (const int value : values) {
        auto damaged = whole_;
        damaged[at] = static_cast<std::byte>(value);
        ask(damaged, at);
      }
    }
  }
  void each_bit() {
    for (std::size_t bit = 8 * ingot::detail::root_position; bit < 8 * whole_.size(); bit += step_) {
      auto damaged = whole_;
      damaged[bit / 8] ^= std::byte{1} << bit % 8;
      ask(damaged, bit / 8);
    }
  }
  void each_word(std::initializer_list<std::uint32_t> values) {
    for (std::size_t at = ingot::detail::root_position; at < whole_.size(); at += 4 * step_) {
      std::uint32_t word = 0;
      std::memcpy(&word, whole_.data() + at, sizeof word);
      for (const std::uint32_t value : values) {
        for (const std::uint32_t wrong : {value, word + value, word - value}) {
          auto damaged = whole_;
          std::memcpy(damaged.data() + at, &wrong, sizeof wrong);
          ask(damaged, at);
        }
      }
    }
  }
  /// Offers the bytes with more bytes counted in, and cut short.
  void each_length() {
    auto longer = whole_;
    for (int i = 0; i < 4; ++i) {
      longer.insert(longer.end(), 8, std::byte{0});
      ask(longer, whole_.size());
    }
    for (std::size_t size = ingot::detail::first_storage<T>; size < whole_.size(); size += 8)
      ask({whole_.begin(), whole_.begin() + static_cast<std::ptrdiff_t>(size)}, size);
  }
  std::size_t accepted = 0;
  std::size_t rejected = 0;

private:
  void ask(const live_test::byte_vector& bytes, std::size_t at) {
    const bool in_order = ingot::detail::is_canonical_block<T, P>(bytes.data(), bytes.size());
    EXPECT_EQ(in_order, (is_valid_one_by_one<T, P>(bytes))) << "byte " << at;
    ++(in_order ? accepted : rejected);
  }

  const live_test::byte_vector& whole_;
  std::size_t step_ = live_test::sampled() ? 13 : 1;
};

template <class Live>
void runs_are_validated_as_one_by_one() {
  using root = typename Live::value_type;
  using policy = typename root::live_policy;
  Live block;
  plant(*block);
  block.compact();
  const live_test::byte_vector whole(block.bytes().begin(), block.bytes().end());
  ASSERT_TRUE((ingot::detail::is_canonical_block<root, policy>(whole.data(), whole.size())));
  ASSERT_TRUE((is_valid_one_by_one<root, policy>(whole)));
  comparison<root, policy> ask(whole);
  ask.each_bit();
  ask.each_byte({0, 1, 2, 3, 5, 10, 11, 12, 22, 23, 24, 127, 128, 129, 255});
  ask.each_word({1, 4, 8, 16, 24, 0x1FFFFFFF, 0x7FFFFFBF, 0x7FFFFFC0, 0x7FFFFFFF, 0x80000000, 0xFFFFFFF0});
  ask.each_length();
  EXPECT_GT(ask.accepted, whole.size() / 13); // letters and numbers
  EXPECT_GT(ask.rejected, whole.size() / 13);
}

TEST(live_check_in_order, runs_are_validated_as_one_container_after_the_other) {
  runs_are_validated_as_one_by_one<ingot::live<ingot::vector<narrow_berry>>>();
}

#if SIZE_MAX > 0xFFFFFFFF
TEST(live_check_in_order, runs_with_wide_offsets_are_validated_as_one_container_after_the_other) {
  runs_are_validated_as_one_by_one<ingot::wide::live<ingot::wide::vector<wide_berry>>>();
}
#endif

// The loop handles each text of a row at a place of its own. An error there would skip a text, or
// take a row of some length for another.
TEST(live_check_in_order, a_text_is_validated_wherever_in_its_row_it_is) {
  using root = ingot::vector<ingot::vector<ingot::string>>;
  ingot::live<root> block;
  for (std::size_t length = 0; length <= 9; ++length) {
    auto& row = block->emplace_back();
    for (std::size_t i = 0; i < length; ++i)
      row.emplace_back(std::string((length + i) % 2 == 0 ? 7 : 12, 't'));
  }
  block.compact();
  const live_test::byte_vector whole(block.bytes().begin(), block.bytes().end());
  ASSERT_TRUE((ingot::detail::is_canonical_block<root, ingot::narrow_policy>(whole.data(), whole.size())));
  comparison<root, ingot::narrow_policy> ask(whole);
  ask.each_bit();
  ask.each_word({1, 8, 16, 0x7FFFFFFF});
  EXPECT_GT(ask.accepted, whole.size() / 13);
  EXPECT_GT(ask.rejected, whole.size() / 13);
}

template <class Live>
void text_in_place_is_in_order_after_the_last_storage() {
  using namespace ingot::detail;
  using text = typename Live::value_type;
  using policy = typename text::live_policy;
  Live block;
  *block = "in place";
  const ingot::bytes_view bytes = block.bytes();
  ASSERT_EQ(bytes.size(), first_storage<text>);
  const block_validator<policy, edge_claims> validator(
      bytes.data(), bytes.size(), first_storage<text>,
      edge_claims(first_storage<text>, bytes.size(), nullptr));
  order_cursor<policy> cursor(validator);
  EXPECT_TRUE((in_order<text>(*block, cursor))) << "else each such text is validated twice";
}
TEST(live_check_in_order, text_in_place_needs_no_bytes_after_the_last_storage) {
  text_in_place_is_in_order_after_the_last_storage<ingot::live<ingot::string>>();
#if SIZE_MAX > 0xFFFFFFFF
  text_in_place_is_in_order_after_the_last_storage<ingot::wide::live<ingot::wide::string>>();
#endif
}

/// The last byte of each text has a value that the text's own rule allows. Validation collects the
/// bits of all texts of an object and tests them once.
template <template <class> class Live, class Vector>
void each_mark_is_requested() {
  using text = typename Vector::value_type;
  using policy = typename text::live_policy;
  using letter = typename text::value_type;
  constexpr std::size_t texts = 3;
  for (std::size_t length = 0; length <= text::inline_capacity; ++length) {
    Live<Vector> block;
    for (std::size_t i = 0; i < texts; ++i) block->emplace_back().resize(length, letter{'x'});
    block.compact();
    const live_test::byte_vector whole(block.bytes().begin(), block.bytes().end());
    const std::size_t first = whole.size() - texts * sizeof(text);
    for (std::size_t which = 0; which < texts; ++which) {
      for (unsigned mark = 0; mark < 256; ++mark) {
        auto marked = whole;
        marked[first + (which + 1) * sizeof(text) - 1] = static_cast<std::byte>(mark);
        // A mark for more letters than the text has would need zeros after the text. A mark for a
        // storage would need that storage next in the block: there is none.
        const bool right = mark <= text::inline_capacity - length;
        EXPECT_EQ((ingot::detail::is_canonical_block<Vector, policy>(marked.data(), marked.size())), right)
            << mark;
        EXPECT_EQ(Live<Vector>::open(marked).has_value(), right) << "text " << which << ", mark " << mark;
      }
    }
  }
}
TEST(live_check_in_order, each_mark_of_a_text_is_checked) {
  each_mark_is_requested<ingot::live, ingot::vector<ingot::string>>();
  each_mark_is_requested<ingot::live, ingot::vector<ingot::u16string>>();
  each_mark_is_requested<ingot::live, ingot::vector<ingot::u32string>>();
#if SIZE_MAX > 0xFFFFFFFF
  each_mark_is_requested<ingot::wide::live, ingot::wide::vector<ingot::wide::string>>();
  each_mark_is_requested<ingot::wide::live, ingot::wide::vector<ingot::wide::u16string>>();
#endif
}
TEST(live_check_in_order, one_wrong_text_of_an_object_is_found_whatever_follows) {
  ingot::live<ingot::vector<narrow_berry>> block;
  plant(*block);
  block.compact();
  for (auto& one : *block) {
    for (ingot::string* const text : {&one.name, &one.owner.first, &one.both[0]}) {
      auto* const mark = reinterpret_cast<std::byte*>(text) + sizeof(ingot::string) - 1;
      if ((*mark & std::byte{0x80}) != std::byte{0}) continue;
      const std::byte right = std::exchange(*mark, std::byte{12});
      const auto bytes = block.bytes();
      EXPECT_FALSE((ingot::detail::is_canonical_block<ingot::vector<narrow_berry>, ingot::narrow_policy>(
          bytes.data(), bytes.size())));
      EXPECT_FALSE((ingot::live<ingot::vector<narrow_berry>>::open(bytes).has_value()));
      *mark = right;
    }
  }
}

TEST(live_check_in_order, unused_capacity_is_in_order_among_full_storages) {
  // A vector may have more capacity than it uses and still be at its canonical position: the run
  // continues after it.
  using root = ingot::vector<narrow_berry>;
  ingot::live<root> block;
  plant(*block);
  block.compact();
  live_test::byte_vector bytes(block.bytes().begin(), block.bytes().end());
  const auto& last = (*block)[2].depths; // the other storages follow it
  const auto taken = static_cast<std::uint32_t>(last.size());
  std::uint32_t fewer = taken - 2;
  const auto at = reinterpret_cast<const std::byte*>(&last) - block.bytes().data() + 4;
  std::memcpy(bytes.data() + at, &fewer, sizeof fewer);
  EXPECT_TRUE((ingot::detail::is_canonical_block<root, ingot::narrow_policy>(bytes.data(), bytes.size())));
}

} // namespace check_in_order_test
