// SPDX-License-Identifier: Apache-2.0
// NaN, infinities, signed zeros and subnormal numbers keep their meaning in every layer, also if
// the thread treats subnormal numbers as zero, and if the program is compiled with -ffast-math. All
// expectations are about bits, text or error codes, since other comparisons of floats have no
// meaning in such programs.
#include <ingot/core/detail/time_text.hpp>
#include <ingot/document/cbor.hpp>
#include <ingot/document/document.hpp>
#include <ingot/dynamic/detail/count_periods.hpp>
#include <ingot/dynamic/document.hpp>
#include <ingot/dynamic/dynamic.hpp>
#include <ingot/dynamic/layout_of.hpp>
#include <ingot/dynamic/print.hpp>
#include <ingot/json/document.hpp>
#include <ingot/json/json.hpp>
#include <ingot/live/flat_set.hpp>
#include <ingot/live/hash_set.hpp>
#include <ingot/live/live.hpp>
#include <ingot/live/set.hpp>
#include <ingot/live/vector.hpp>
#include <ingot/pack/compact.hpp>
#include <ingot/pack/pack.hpp>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <initializer_list>
#include <ratio>
#include <set>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#if defined(__SSE2__)
#include <xmmintrin.h>
#endif

namespace float_modes {

struct short_numbers {
  std::vector<double> wide;
  std::vector<float> narrow;
};
struct short_keys {
  std::set<double> keys;
};
struct limited {
  double value = 0;
};

} // namespace float_modes

template <>
inline constexpr auto ingot::annotations<float_modes::short_numbers> =
    ingot::annotate(ingot::type(ingot::short_float));
template <>
inline constexpr auto ingot::annotations<float_modes::short_keys> =
    ingot::annotate(ingot::type(ingot::short_float));
template <>
inline constexpr auto ingot::annotations<float_modes::limited> =
    ingot::annotate(ingot::member<"value">(ingot::range(0.0, 1.0)));

namespace float_modes_test {

using float_modes::limited;
using float_modes::short_keys;
using float_modes::short_numbers;
using ingot::errc;
namespace json = ingot::json;

template <class F>
using word_of = std::conditional_t<sizeof(F) == 4, std::uint32_t, std::uint64_t>;

template <class F>
std::vector<F> numbers(const std::vector<word_of<F>>& words) {
  std::vector<F> all(words.size());
  std::memcpy(all.data(), words.data(), words.size() * sizeof(F));
  return all;
}
template <class F>
std::vector<word_of<F>> words(const std::vector<F>& of) {
  std::vector<word_of<F>> all(of.size());
  std::memcpy(all.data(), of.data(), of.size() * sizeof(F));
  return all;
}
template <class F>
word_of<F> word(const F& of) {
  word_of<F> bits{};
  std::memcpy(&bits, &of, sizeof bits);
  return bits;
}

constexpr std::uint64_t nan = 0x7FF8'0000'0000'0000;
constexpr std::uint64_t negative_nan = 0xFFF8'0000'0000'0000;
constexpr std::uint64_t infinity = 0x7FF0'0000'0000'0000;
constexpr std::uint64_t minus_zero = 0x8000'0000'0000'0000;
constexpr std::uint64_t one = 0x3FF0'0000'0000'0000;
constexpr std::uint64_t smallest = 1;                           // 5e-324
constexpr std::uint64_t tiny = 0x0000'1268'8B70'E62B;           // 1e-310
constexpr std::uint64_t smallest_float = 0x36A0'0000'0000'0000; // 2^-149 as a double

/// Runs each test twice: as the program starts, and in a thread that treats subnormal numbers as
/// zero, if the machine has such a mode that a program can set by a header.
class float_modes_test : public testing::TestWithParam<bool> {
protected:
#if defined(__SSE2__)
  void SetUp() override {
    before_ = _mm_getcsr();
    if (GetParam()) _mm_setcsr(before_ | 0x8040U); // flush to zero, denormals are zeros
  }
  void TearDown() override { _mm_setcsr(before_); }

private:
  unsigned before_ = 0;
#endif
};
INSTANTIATE_TEST_SUITE_P(json, float_modes_test, testing::Bool());

/// Returns the code with which a block is rejected when the key 1.0 is overwritten by these bits.
template <class T>
errc opened_with(const ingot::live<T>& block, std::uint64_t bits) {
  std::vector<std::byte> bytes(block.bytes().begin(), block.bytes().end());
  std::array<std::byte, 8> from{};
  std::memcpy(from.data(), &one, 8);
  const auto found = std::ranges::search(bytes, from);
  EXPECT_EQ(found.size(), 8U);
  if (found.size() == 8) std::memcpy(&*found.begin(), &bits, 8);
  const auto opened = ingot::live<T>::open(bytes);
  const auto dynamic = ingot::dynamic_block::open(bytes, ingot::layout_of<T>());
  EXPECT_EQ(opened.has_value(), dynamic.has_value());
  return opened ? errc{} : opened.error().code();
}

TEST_P(float_modes_test, blocks_with_nan_or_negative_zero_as_a_key_are_rejected) {
  const auto keys = numbers<double>({one});
  ingot::live<ingot::set<double>> set;
  ingot::live<ingot::hash_set<double>> hash_set;
  ingot::live<ingot::flat_set<double>> flat;
  set->insert(keys[0]);
  hash_set->insert(keys[0]);
  flat->insert(keys[0]);
  for (const std::uint64_t bad : {nan, negative_nan, minus_zero}) {
    EXPECT_EQ(opened_with(set, bad), errc::not_canonical) << bad;
    EXPECT_EQ(opened_with(hash_set, bad), errc::not_canonical) << bad;
    EXPECT_EQ(opened_with(flat, bad), errc::not_canonical) << bad;
  }
  EXPECT_EQ(opened_with(set, infinity), errc{});
  EXPECT_EQ(opened_with(set, smallest), errc{});
}

template <class C>
void expect_ordinary_keys() {
  ingot::live<C> block;
  const auto bad = numbers<double>({nan, negative_nan});
  for (const double& each : bad) {
    EXPECT_EQ(block->try_insert(each).first, block->end());
#if defined(__cpp_exceptions)
    EXPECT_THROW(block->insert(each), std::domain_error);
#endif
  }
  const auto good = numbers<double>({minus_zero, smallest, smallest | minus_zero, tiny, infinity, one});
  for (const double& each : good) EXPECT_TRUE(block->insert(each).second) << word(each);
  EXPECT_EQ(block->size(), 6U);
  const auto zero = numbers<double>({0});
  EXPECT_FALSE(block->insert(zero[0]).second);
  for (const double& each : good) {
    const auto found = block->find(each);
    ASSERT_NE(found, block->end());
    EXPECT_EQ(word(*found), word(each) == minus_zero ? 0 : word(each));
  }
  for (const double& each : bad) EXPECT_FALSE(block->contains(each));
  EXPECT_TRUE(ingot::live<C>::open(block.bytes()));
  EXPECT_TRUE(ingot::dynamic_block::open(block.bytes(), ingot::layout_of<C>()));
}
TEST_P(float_modes_test, keys_are_ordered_by_value_and_nan_is_no_key) {
  expect_ordinary_keys<ingot::set<double>>();
  expect_ordinary_keys<ingot::hash_set<double>>();
  expect_ordinary_keys<ingot::flat_set<double>>();
}

TEST_P(float_modes_test, packed_keys_have_no_nan) {
  const auto bad = numbers<double>({nan});
  const auto bad_float = numbers<float>({0x7FC0'0000});
  EXPECT_EQ(ingot::pack(std::set<double>{bad[0]}).error().code(), errc::not_canonical);
  EXPECT_EQ(ingot::compact::pack(std::set<float>{bad_float[0]}).error().code(), errc::not_canonical);
  const auto zeros = numbers<double>({minus_zero, 0});
  EXPECT_EQ(*ingot::compact::pack(short_keys{{zeros[0]}}), *ingot::compact::pack(short_keys{{zeros[1]}}));
  EXPECT_EQ(ingot::compact::pack(short_keys{{bad[0]}}).error().code(), errc::not_canonical);
  // Sets, as the bytes of lists.
  const auto packed = ingot::pack(numbers<double>({smallest, one}));
  ASSERT_TRUE(packed);
  const auto read = ingot::unpack<std::set<double>>(*packed);
  EXPECT_TRUE(read) << read.error().message();
  const auto twice = ingot::pack(numbers<double>({smallest, smallest}));
  EXPECT_FALSE(ingot::unpack<std::set<double>>(*twice));
  const auto with_nan = ingot::pack(numbers<double>({one, nan}));
  EXPECT_FALSE(ingot::unpack<std::set<double>>(*with_nan));
  EXPECT_FALSE(ingot::compact::unpack<std::set<double>>(*ingot::compact::pack(numbers<double>({one, nan}))));
}

TEST_P(float_modes_test, compact_floats_keep_all_bits) {
  short_numbers from{numbers<double>({nan, negative_nan, infinity, minus_zero, smallest, tiny, smallest_float,
                                      0x3F60'0000'0000'0000, 0xBF8C'0000'0000'0000}),
                     numbers<float>({0x7FC0'0000, 0xFFC0'0000, 0x7F80'0000, 0x8000'0000, 1, 0x0001'16C2,
                                     0x3B00'0000, 0xBC60'0000})};
  const auto packed = ingot::compact::pack(from);
  ASSERT_TRUE(packed);
  // The last numbers are 2^-9 and -7 * 2^-9, which take one byte each.
  EXPECT_EQ(packed->size(), std::size_t{(1 + 7 * 9 + 2) + (1 + 6 * 5 + 2)});
  const auto read = ingot::compact::unpack<short_numbers>(*packed);
  ASSERT_TRUE(read) << read.error().message();
  EXPECT_EQ(words(read->wide), words(from.wide));
  EXPECT_EQ(words(read->narrow), words(from.narrow));
}

TEST_P(float_modes_test, ranges_compare_by_value) {
  const auto outside = numbers<double>({nan, negative_nan, infinity, smallest | minus_zero});
  const auto inside = numbers<double>({0, minus_zero, smallest, one});
  for (const double& each : outside) {
    const auto packed = ingot::pack(limited{each});
    EXPECT_FALSE(packed && ingot::unpack<limited>(*packed)) << word(each);
  }
  for (const double& each : inside) {
    const auto packed = ingot::pack(limited{each});
    ASSERT_TRUE(packed);
    EXPECT_TRUE(ingot::unpack<limited>(*packed)) << word(each);
  }
}

TEST_P(float_modes_test, text_has_the_shortest_digits_of_every_number) {
  const auto wide = numbers<double>({minus_zero, smallest, tiny | minus_zero, smallest_float,
                                     0x3FB9'9999'9999'999A, 0x000F'FFFF'FFFF'FFFF, 0x7FEF'FFFF'FFFF'FFFF});
  const std::string text = "[-0,5e-324,-1e-310,1.401298464324817e-45,0.1,2.225073858507201e-308,"
                           "1.7976931348623157e+308]";
  EXPECT_EQ(json::write(wide).value(), text);
  EXPECT_EQ(words(json::read<std::vector<double>>(text).value()), words(wide));
  EXPECT_EQ(words(json::read<std::vector<double>>("[-0.0,-0e5,-0.0e0,-1e-400]").value()),
            (std::vector<std::uint64_t>{minus_zero, minus_zero, minus_zero, minus_zero}));
  const auto narrow = numbers<float>({1, 0x8001'16C2, 0x3DCC'CCCD, 0x8000'0000});
  EXPECT_EQ(json::write(narrow).value(), "[1e-45,-1e-40,0.1,-0]");
  EXPECT_EQ(words(json::read<std::vector<float>>("[1e-45,-1e-40,0.1,-0]").value()), words(narrow));
}

TEST_P(float_modes_test, text_has_no_nan_or_infinity_without_the_option) {
  const json::write_options strings{.non_finite = json::non_finite::strings};
  const json::read_options from_strings{.non_finite = json::non_finite::strings};
  const auto wide = numbers<double>({nan, infinity, infinity | minus_zero});
  const auto narrow = numbers<float>({0x7FC0'0000, 0x7F80'0000, 0xFF80'0000});
  ingot::document document;
  for (const double& each : wide) {
    const std::vector<double> alone{each};
    EXPECT_EQ(json::write(alone).error().code(), errc::out_of_range);
    EXPECT_EQ(json::write(limited{each}).has_value(), false);
    ASSERT_TRUE(document.root().append(each));
  }
  for (const float& each : narrow)
    EXPECT_EQ(json::write(std::vector<float>{each}).error().code(), errc::out_of_range);
  const std::string text = R"(["NaN","Infinity","-Infinity"])";
  EXPECT_EQ(json::write(wide, strings).value(), text);
  EXPECT_EQ(json::write(narrow, strings).value(), text);
  EXPECT_EQ(json::write(document, strings).value(), text);
  EXPECT_FALSE(json::write(document));
  EXPECT_EQ(words(json::read<std::vector<double>>(text, from_strings).value()), words(wide));
  EXPECT_EQ(words(json::read<std::vector<float>>(text, from_strings).value()), words(narrow));
  EXPECT_FALSE(json::read<double>("1e309"));
  EXPECT_FALSE(json::read<float>("3.5e38"));
}

TEST_P(float_modes_test, documents_convert_floats_without_loss) {
  const auto narrow = numbers<float>({1, 0x8001'16C2, 0x7FC0'0001, 0x8000'0000, 0x3F80'0000});
  ingot::document of_floats;
  ASSERT_TRUE(of_floats.root().set(narrow));
  EXPECT_EQ(words(of_floats.root().as<std::vector<float>>().value()), words(narrow));
  EXPECT_EQ(word(of_floats.root()[0].as<double>().value()), smallest_float);
  EXPECT_EQ(json::write(of_floats, {.non_finite = json::non_finite::null}).value().substr(0, 24),
            "[1.401298464324817e-45,-");
  const auto wide = numbers<double>({nan, infinity, smallest, tiny, 0x47EF'FFFF'FFFF'FFFF});
  ingot::document document;
  ASSERT_TRUE(document.root().set(wide));
  EXPECT_EQ(words(document.root().as<std::vector<double>>().value()), words(wide));
  for (const std::size_t i : {0U, 1U, 2U, 3U}) {
    EXPECT_FALSE(document.root()[i].as<std::int64_t>()) << i;
    EXPECT_FALSE(document.root()[i].as<std::int64_t>(ingot::conversion_options{.whole_reals = true})) << i;
  }
  EXPECT_EQ(document.root()[4].as<float>().error().code(), errc::out_of_range);
  EXPECT_EQ(word(document.root()[1].as<float>().value()), 0x7F80'0000U);
  EXPECT_EQ(document.root().as<std::set<double>>().error().code(), errc::out_of_range);
}

TEST_P(float_modes_test, cbor_keeps_nan_and_computes_subnormal_numbers) {
  const auto hex = [](std::initializer_list<int> of) {
    std::vector<std::byte> bytes;
    for (const int each : of) bytes.push_back(static_cast<std::byte>(each));
    return bytes;
  };
  const auto whole = ingot::cbor::read_document(hex({0xFB, 0x7F, 0xF8, 0, 0, 0, 0, 0, 0}),
                                                {.whole_reals = ingot::whole_reals::integers});
  ASSERT_TRUE(whole);
  EXPECT_EQ(word(whole->root().as<double>().value()), nan);
  const ingot::cbor::read_options lossy{.unsupported_values = ingot::unsupported_values::lossy};
  // the bigfloat 1 * 2^-1074
  const auto binary = ingot::cbor::read_document(hex({0xC5, 0x82, 0x39, 0x04, 0x31, 0x01}), lossy);
  ASSERT_TRUE(binary) << binary.error().message();
  EXPECT_EQ(word(binary->root().as<double>().value()), smallest);
  // the decimal fraction 1 * 10^-310
  const auto decimal = ingot::cbor::read_document(hex({0xC4, 0x82, 0x39, 0x01, 0x35, 0x01}), lossy);
  ASSERT_TRUE(decimal) << decimal.error().message();
  EXPECT_EQ(word(decimal->root().as<double>().value()), tiny);
}

TEST_P(float_modes_test, values_without_their_type_have_the_same_text_and_numbers) {
  ingot::live<ingot::vector<float>> block;
  const auto narrow = numbers<float>({1, 0x8001'16C2, 0x8000'0000, 0x3DCC'CCCD});
  for (const float& each : narrow) block->push_back(each);
  const auto opened = ingot::dynamic_block::open(block.bytes(), ingot::layout_of<ingot::vector<float>>());
  ASSERT_TRUE(opened);
  EXPECT_EQ(word(opened->root()[std::size_t{0}].as<double>().value()), smallest_float);
  EXPECT_EQ(word(opened->root()[std::size_t{1}].as<float>().value()), 0x8001'16C2U);
  EXPECT_EQ(ingot::to_string(opened->root()), "[1e-45, -1e-40, -0, 0.1]");
  const auto document = ingot::to_document(opened->root(), {.form = ingot::value_format::json});
  ASSERT_TRUE(document);
  EXPECT_EQ(json::write(*document).value(), "[1e-45,-1e-40,-0.0,0.1]");
  EXPECT_FALSE(opened->root()[std::size_t{0}].as<std::int32_t>());
}

/// Returns a number of periods, computed step by step: no step is joined with another.
template <class Duration>
typename Duration::rep counted(const ingot::detail::instant& from) {
  using number = typename Duration::rep;
  const volatile number den = static_cast<number>(Duration::period::den);
  const volatile number num = static_cast<number>(Duration::period::num);
  const volatile number in_second = static_cast<number>(ingot::detail::nanoseconds_in_second);
  volatile number whole = static_cast<number>(from.seconds) * den;
  whole = whole / num;
  volatile number rest = static_cast<number>(from.nanoseconds) * den;
  rest = rest / num;
  rest = rest / in_second;
  return whole + rest;
}
template <class Duration>
void expect_counts() {
  for (std::int64_t i = 1; i < 3000; ++i) {
    const ingot::detail::instant from{i * 7919, static_cast<std::uint32_t>(i * 333'331 % 1'000'000'000)};
    Duration found{};
    ASSERT_EQ(ingot::detail::to_duration(from, found), ingot::detail::time_outcome::exact);
    ASSERT_EQ(word(found.count()), word(counted<Duration>(from))) << i;
    const auto without_type = ingot::detail::dyn::count_periods<typename Duration::rep>(
        from, std::uint64_t{Duration::period::num}, std::uint64_t{Duration::period::den});
    ASSERT_EQ(word(without_type), word(found.count())) << i;
  }
}
TEST_P(float_modes_test, times_are_rounded_step_by_step) {
  expect_counts<std::chrono::duration<double, std::milli>>();
  expect_counts<std::chrono::duration<double, std::ratio<1, 3>>>();
  expect_counts<std::chrono::duration<float, std::ratio<86'400>>>();
}

} // namespace float_modes_test
