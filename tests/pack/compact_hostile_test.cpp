// SPDX-License-Identifier: Apache-2.0
// Damaged compact bytes: whatever they contain, the result is an error or a value that has exactly
// these bytes, and decoder, validator and view agree.
#include <ingot/pack/compact_view.hpp>

#include "compact_agrees.hpp"
#include "compact_expect.hpp"
#include "zoo/annotated.hpp"
#include "zoo/containers.hpp"

#include <memory>

#include <gtest/gtest.h>

namespace hostile {

/// One member of each kind that can be invalid.
struct mixture {
  bool flag = false;
  std::uint32_t number = 0;
  float small = 0;
  zoo::colour colour{};
  std::string text;
  std::optional<std::vector<std::string>> maybe;
  std::variant<std::uint8_t, std::string, zoo::grid_cell> either;
  std::expected<std::u16string, bool> outcome;
  std::map<std::string, std::int64_t> table;
  std::unordered_multimap<std::uint8_t, std::string> unordered;
  std::set<std::pair<float, bool>> floats;
  std::bitset<5> bits;
  std::array<std::optional<std::uint8_t>, 2> pair;
  std::vector<zoo::preferences> settings;
  std::unique_ptr<zoo::interval> range;
};
ZOO_MEMBERS(mixture, flag, number, small, colour, text, maybe, either, outcome, table, unordered, floats,
            bits, pair, settings, range)

} // namespace hostile

template <>
inline constexpr auto ingot::annotations<hostile::mixture> =
    ingot::annotate(ingot::type(ingot::varint, ingot::short_float),
                    ingot::member<"text">(ingot::max_size(40), ingot::utf8),
                    ingot::member<"number">(ingot::range(0, 100'000)));

namespace compact_hostile_test {

using compact_test::expect_rejected;
using compact_test::hex;
using hostile::mixture;
using ingot::errc;

mixture sample() {
  mixture m;
  m.flag = true;
  m.number = 300;
  m.small = 1.5F;
  m.text = "h\xC3\xA9llo";
  m.maybe = {{"a", "bc"}};
  m.either = zoo::grid_cell{-1, 2};
  m.outcome = u"hi";
  m.table = {{"k", -3}, {"l", 500}};
  m.unordered = {{1, "b"}, {1, "a"}, {7, ""}};
  m.floats = {{-1.0F, false}, {0.1F, true}};
  m.bits = 21;
  m.pair = {std::nullopt, 9};
  m.settings.resize(2);
  m.settings[1].language = "fr";
  m.settings[1].recent = {"x"};
  m.range = std::make_unique<zoo::interval>(zoo::interval{1, 2});
  return m;
}

/// All three readers agree on `bytes`. If they accept the bytes, these are the only encoding of the
/// value.
template <class T>
bool accepted_by_all(const std::vector<std::byte>& bytes) {
  const pack_test::exact_copy copy(bytes);
  const auto value = ingot::compact::unpack<T>(copy.bytes());
  const auto checked = ingot::compact::validate<T>(copy.bytes());
  const auto seen = ingot::compact::view<T>::open(copy.bytes());
  EXPECT_EQ(value.has_value(), checked.has_value()) << (value ? checked.error() : value.error()).message();
  EXPECT_EQ(value.has_value(), seen.has_value());
  if (value && seen) {
    EXPECT_TRUE(pack_test::same_bytes(ingot::compact::pack(*value).value(), bytes));
    EXPECT_TRUE(compact_test::shows(*seen, *value));
  }
  return value.has_value();
}

template <class T>
void expect_sound(const T& value) {
  const auto packed = ingot::compact::pack(value).value();
  const std::vector<std::byte> bytes(packed.begin(), packed.end());
  ASSERT_TRUE(accepted_by_all<T>(bytes));
  for (std::size_t size = 0; size < bytes.size(); ++size) {
    EXPECT_FALSE(accepted_by_all<T>({bytes.begin(), bytes.begin() + static_cast<std::ptrdiff_t>(size)}))
        << size;
  }
  for (std::size_t bit = 0; bit < 8 * bytes.size(); ++bit) {
    std::vector<std::byte> flipped = bytes;
    flipped[bit / 8] ^= std::byte{1} << (bit % 8);
    accepted_by_all<T>(flipped);
  }
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    for (const unsigned replacement : {0x00U, 0x01U, 0x7FU, 0x80U, 0xFFU}) {
      std::vector<std::byte> changed = bytes;
      changed[i] = static_cast<std::byte>(replacement);
      accepted_by_all<T>(changed);
    }
  }
}

TEST(compact_hostile, every_prefix_and_every_flipped_bit_of_a_mixture) { expect_sound(sample()); }

TEST(compact_hostile, every_prefix_and_every_flipped_bit_of_an_annotated_record) {
  for (const std::uint64_t seed : {1U, 2U, 5U}) expect_sound(zoo::sample<zoo::customer>(seed));
}

TEST(compact_hostile, bytes_at_random) {
  zoo::source random(7);
  std::size_t accepted = 0;
  for (int round = 0; round < 3000; ++round) {
    std::vector<std::byte> bytes(static_cast<std::size_t>(random.between(0, 24)));
    for (auto& byte : bytes)
      byte = static_cast<std::byte>(random.chance(2) ? random.between(0, 3) : random.between(0, 255));
    using message = std::map<std::string, std::vector<zoo::preferences>>;
    accepted += accepted_by_all<message>(bytes) ? 1 : 0;
  }
  EXPECT_GT(accepted, 0U);
}

TEST(compact_hostile, what_is_wrong_is_said) {
  using text_map = std::map<std::string, std::uint8_t>;
  expect_rejected<bool>(hex("02"), {errc::bad_bool, 0, "", "0 or 1", "2"});
  expect_rejected<std::optional<std::uint8_t>>(hex("02 00"), {errc::bad_variant, 0, "", "", "2"});
  expect_rejected<std::bitset<5>>(hex("20"), {errc::bad_padding, 0});
  expect_rejected<text_map>(hex("02 01 'b' 00 01 'a' 00"), {errc::unsorted_keys, 4, "[1]"});
  expect_rejected<text_map>(hex("02 01 'a' 00 01 'a' 00"), {errc::duplicate_key, 4, "[1]"});
  expect_rejected<std::set<float>>(hex("01 00 00 00 80"), {errc::not_canonical, 1, "[0]"});
  expect_rejected<std::set<double>>(hex("01 00 00 00 00 00 00 f8 7f"), {errc::not_canonical, 1, "[0]"});
  expect_rejected<std::map<std::pair<float, std::uint8_t>, bool>>(hex("01 00 00 00 80 00 01"),
                                                                  {errc::not_canonical, 1, "[0]"});
  expect_rejected<std::unordered_multimap<std::uint8_t, std::string>>(hex("02 01 01 'b' 01 01 'a'"),
                                                                      {errc::unsorted_keys, 5, "[1].value"});
  expect_rejected<std::vector<zoo::interval>>(hex("02 01 00 00 00 02 00 00 00 02 00 00 00 01 00 00 00"),
                                              {errc::invalid_value, 9, "[1]"});
  expect_rejected<zoo::save_header>(hex("04 00 00 00 00 00 00"), {errc::wrong_version, 0, "version"});
}

TEST(compact_hostile, a_written_nan_key_or_wrong_version_is_rejected) {
  EXPECT_EQ(ingot::compact::pack(std::set<float>{std::numeric_limits<float>::quiet_NaN()}).error().code(),
            errc::not_canonical);
  zoo::save_header header;
  header.version = 4;
  const auto rejected = ingot::compact::pack(std::vector<zoo::save_header>{header});
  ASSERT_FALSE(rejected);
  EXPECT_EQ(rejected.error().code(), errc::wrong_version);
  EXPECT_EQ(rejected.error().path(), "[0].version");
  EXPECT_TRUE(
      pack_test::same_bytes(ingot::compact::pack(std::set<float>{-0.0F}).value(), hex("01 00 00 00 00")));
}

TEST(compact_hostile, nesting_has_an_end) {
  std::vector<std::byte> deep(4000, std::byte{1});
  EXPECT_EQ(ingot::compact::unpack<zoo::outline>(deep).error().code(), errc::too_deep);
  EXPECT_EQ(ingot::compact::view<zoo::outline>::open(deep).error().code(), errc::too_deep);
}

} // namespace compact_hostile_test
