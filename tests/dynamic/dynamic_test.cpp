// SPDX-License-Identifier: Apache-2.0
// A live block that is read without its type gives the same values as with the type, and is
// rejected in the same cases.
#include <ingot/dynamic/dynamic.hpp>
#include <ingot/dynamic/print.hpp>
#include <ingot/live/live_view.hpp>
#include <ingot/live/print.hpp>

#include "dynamic/byte_map.hpp"
#include "dynamic/hostile.hpp"
#include "dynamic/zoo.hpp"
#include "live/dice.hpp"

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <iterator>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <gtest/gtest.h>

namespace dynamic_test {

using namespace dynamic_zoo;
using ingot::dynamic_block;
using ingot::dynamic_kind;
using ingot::dynamic_layout;
using ingot::dynamic_value;
using ingot::narrow_policy;
using ingot::wide_policy;
using byte_vector = std::vector<std::byte>;

/// A copy at a multiple of 16, one byte before the end of its memory: sanitizers detect reads
/// beyond that byte.
class exact_copy {
public:
  explicit exact_copy(ingot::bytes_view from)
      : memory_(std::malloc(from.size() + 1)), bytes_(static_cast<std::byte*>(memory_), from.size()) {
    std::memcpy(memory_, from.data(), from.size());
  }
  exact_copy(const exact_copy&) = delete;
  exact_copy& operator=(const exact_copy&) = delete;
  ~exact_copy() { std::free(memory_); }
  [[nodiscard]] ingot::bytes_view view() const { return bytes_; }

private:
  void* memory_;
  std::span<std::byte> bytes_;
};

template <class T, class P>
byte_vector bytes_of() {
  ingot::basic_live<T, P> block;
  fill(*block);
  const auto bytes = block.bytes();
  return {bytes.begin(), bytes.end()};
}

/// Expects the verdict of typed validation, and the same reason.
template <class T, class P>
struct offering {
  explicit offering(const dynamic_layout& by) : layout(by) {}
  bool offer(ingot::bytes_view bytes) {
    ++tried;
    const exact_copy there(bytes);
    const auto typed = ingot::basic_live_view<T, P>::open(there.view());
    const auto dynamic = dynamic_block::open_in_place(there.view(), layout);
    EXPECT_EQ(typed.has_value(), dynamic.has_value())
        << (typed ? dynamic.error().message() : typed.error().message());
    if (!typed) {
      if (!dynamic && compares_reasons) {
        EXPECT_EQ(typed.error().message(), dynamic.error().message());
      }
      return false;
    }
    ++accepted;
    if (!dynamic) return true;
    dynamic_hostile::exercise all(bytes.size());
    all(dynamic->root());
    EXPECT_EQ(all.failure(), "");
    EXPECT_EQ(byte_map_test::cover(*dynamic).verdict(), "");
    return true;
  }
  const dynamic_layout& layout;
  bool compares_reasons = true; ///< false for recursive types, which are validated in another order
  std::size_t tried = 0;
  std::size_t accepted = 0;
};

[[nodiscard]] bool sampled() { return std::getenv("INGOT_TEST_SAMPLED") != nullptr; }

/// Flipped bits, words set to the ends of what they count, copied words, random damage.
template <class T, class P>
void damage(std::size_t count, bool compares_reasons = true) {
  const byte_vector whole = bytes_of<T, P>();
  const auto layout = dynamic_layout::of<T, P>().value();
  offering<T, P> all(layout);
  all.compares_reasons = compares_reasons;
  ASSERT_TRUE(all.offer(whole));
  live_test::dice random(7);
  if (sampled()) count /= 8;
  for (std::size_t i = 0; i < count && !testing::Test::HasFailure(); ++i) {
    SCOPED_TRACE(i);
    byte_vector mutant = whole;
    const std::size_t words = mutant.size() / 4;
    const std::size_t at = 4 * (16 + random() % (words - 16));
    const auto remaining = static_cast<std::uint32_t>(mutant.size() - at);
    const std::uint32_t ends[]{0,
                               1,
                               8,
                               ~0U,
                               ~0U / 2,
                               ~0U / 2 - 64,
                               remaining,
                               remaining - 8,
                               0U - static_cast<std::uint32_t>(at) + 56};
    switch (random() % 4) {
    case 0: mutant[at + random() % 4] ^= std::byte{1} << random() % 8; break;
    case 1: std::memcpy(mutant.data() + at, ends + random() % std::size(ends), 4); break;
    case 2: std::memcpy(mutant.data() + at, whole.data() + 4 * (16 + random() % (words - 16)), 4); break;
    default:
      for (auto n = random() % 4 + 1; n != 0; --n)
        mutant[64 + random() % (mutant.size() - 64)] = static_cast<std::byte>(random());
    }
    all.offer(mutant);
  }
  for (std::size_t size = 0; size < whole.size(); size += 97)
    EXPECT_FALSE(dynamic_block::open(ingot::bytes_view(whole).first(size), layout).has_value());
  EXPECT_GT(all.accepted, all.tried / 200);
  EXPECT_LT(all.accepted, all.tried);
}

template <class T, class P = narrow_policy>
std::string typed_text() {
  ingot::basic_live<T, P> block;
  fill(*block);
  return ingot::to_string(block);
}
template <class T, class P = narrow_policy>
std::string dynamic_text() {
  const auto block = dynamic_block::open(bytes_of<T, P>(), ingot::layout_of<T, P>());
  return block ? to_string(block->root()) : block.error().message();
}

TEST(dynamic, a_block_reads_as_its_type_does) {
  EXPECT_EQ((dynamic_text<scalars>()), (typed_text<scalars>()));
  EXPECT_EQ((dynamic_text<singles<narrow_policy>>()), (typed_text<singles<narrow_policy>>()));
  EXPECT_EQ((dynamic_text<trees<narrow_policy>>()), (typed_text<trees<narrow_policy>>()));
  EXPECT_EQ((dynamic_text<tables<narrow_policy>>()), (typed_text<tables<narrow_policy>>()));
  EXPECT_EQ((dynamic_text<rings<narrow_policy>>()), (typed_text<rings<narrow_policy>>()));
}

TEST(dynamic, damage_is_rejected_as_the_type_rejects_it) {
  damage<scalars, narrow_policy>(400);
  damage<singles<narrow_policy>, narrow_policy>(1500);
  damage<trees<narrow_policy>, narrow_policy>(3000);
  damage<tables<narrow_policy>, narrow_policy>(2000);
  damage<rings<narrow_policy>, narrow_policy>(1500);
  damage<branch<narrow_policy>, narrow_policy>(1500, false);
  damage<limited, narrow_policy>(800);
}
#if UINTPTR_MAX > 0xFFFFFFFF // other machines have no wide blocks
TEST(dynamic, a_wide_block_reads_as_its_type_does) {
  EXPECT_EQ((dynamic_text<singles<wide_policy>, wide_policy>()),
            (typed_text<singles<wide_policy>, wide_policy>()));
  EXPECT_EQ((dynamic_text<trees<wide_policy>, wide_policy>()),
            (typed_text<trees<wide_policy>, wide_policy>()));
}
TEST(dynamic, damage_of_wide_blocks_is_rejected_as_the_type_rejects_it) {
  damage<singles<wide_policy>, wide_policy>(1000);
  damage<trees<wide_policy>, wide_policy>(1500);
}
#endif

} // namespace dynamic_test
