// SPDX-License-Identifier: Apache-2.0
// A float in a key, at any depth, is neither NaN nor -0. Without this two equal values have two
// forms, or a set contains elements that no lookup finds.
#include <ingot/pack/checked_view.hpp>
#include <ingot/pack/compact_view.hpp>
#include <ingot/pack/pack.hpp>
#include <ingot/pack/unpack.hpp>
#include <ingot/pack/view.hpp>

#include "compact_expect.hpp"
#include "constant_containers.hpp"
#include "expect_error.hpp"
#include "hex.hpp"
#include "kinds_of_keys.hpp"
#include "zoo/agreement.hpp"

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <unordered_map>
#include <utility>
#include <variant>
#include <vector>

#include <gtest/gtest.h>

namespace key_floats {

struct elided {
  std::uint8_t id = 0;
  float at = -0.0F; ///< an omitted member can't be a key
  std::vector<float> points;
  auto operator<=>(const elided&) const = default;
};
struct tight {
  std::vector<double> points;
  float weight = 0;
  auto operator<=>(const tight&) const = default;
};
struct holder {
  std::map<std::vector<float>, std::uint8_t> by_curve;
};
struct cached {
  float cache = 0; ///< not a part of the key's bytes
  std::uint32_t id = 0;
  std::vector<std::uint8_t> tags;
  auto operator<=>(const cached&) const = default;
};
/// It is a key without floats, next to members with floats.
struct marker {
  std::uint32_t id = 0;
  bool operator==(const marker&) const = default;
};
struct less {
  bool operator()(const auto& a, const auto& b) const { return std::ranges::lexicographical_compare(a, b); }
};

} // namespace key_floats

template <>
inline constexpr auto ingot::annotations<key_floats::elided> =
    ingot::annotate(ingot::type(ingot::elide_defaults));
template <>
inline constexpr auto ingot::annotations<key_floats::tight> =
    ingot::annotate(ingot::type(ingot::tight_float));
template <>
inline constexpr auto ingot::annotations<key_floats::cached> =
    ingot::annotate(ingot::member<"cache">(ingot::skip));

template <>
inline constexpr auto ingot::annotations<key_floats::marker> = ingot::annotate(ingot::type(ingot::evolvable));

namespace key_floats_test {

using ingot::errc;
using pack_test::hex;
using pack_test::same_bytes;
using bytes = std::vector<std::byte>;

constexpr float nan_f = std::numeric_limits<float>::quiet_NaN();

/// Replaces the bytes of 1.5, which only the tested float contains.
template <std::size_t Width>
bytes with_bits(bytes from, std::uint64_t bits) {
  constexpr std::uint64_t marker = Width == 4 ? 0x3FC0'0000 : 0x3FF8'0000'0000'0000;
  const auto spelled = [](std::uint64_t number) {
    bytes out;
    for (std::size_t i = 0; i < Width; ++i) out.push_back(static_cast<std::byte>(number >> (8 * i)));
    return out;
  };
  const auto found = std::ranges::search(from, spelled(marker));
  EXPECT_EQ(found.size(), Width);
  if (found.size() == Width) std::ranges::copy(spelled(bits), found.begin());
  return from;
}
template <std::size_t Width>
constexpr std::uint64_t sign = std::uint64_t{1} << (Width * 8 - 1);
template <std::size_t Width>
constexpr std::uint64_t nan = Width == 4 ? 0x7FC0'0000 : 0x7FF8'0000'0000'0000;

template <class T>
bytes packed(const T& value) {
  const auto outcome = ingot::pack(value);
  return outcome ? bytes(outcome->begin(), outcome->end()) : bytes();
}
template <class T>
bytes compact(const T& value) {
  const auto outcome = ingot::compact::pack(value);
  return outcome ? bytes(outcome->begin(), outcome->end()) : bytes();
}
template <class Result>
void expect_no_nan(const Result& written, std::string_view name) {
  EXPECT_FALSE(written) << name;
  if (written) return;
  EXPECT_EQ(written.error().code(), errc::not_canonical) << name;
  EXPECT_TRUE(written.error().path().starts_with("[0]")) << name << written.error().path();
}
template <class T>
void expect_each_rejects(const bytes& in, std::string_view name) {
  const pack_test::exact_copy copy(in);
  const auto is_right = [&](const auto& read, std::string_view who) {
    ASSERT_FALSE(read) << name << ": " << who;
    EXPECT_EQ(read.error().code(), errc::not_canonical) << name << ": " << who << read.error().message();
    EXPECT_TRUE(read.error().path().starts_with("[0]")) << name << ": " << who << read.error().path();
  };
  is_right(ingot::unpack<T>(copy.bytes()), "unpack");
  is_right(ingot::view<T>::open(copy.bytes()), "view");
}
template <class T>
void expect_each_compact_rejects(const bytes& in, std::string_view name) {
  const pack_test::exact_copy copy(in);
  const auto is_right = [&](const auto& read, std::string_view who) {
    ASSERT_FALSE(read) << name << ": " << who;
    EXPECT_EQ(read.error().code(), errc::not_canonical) << name << ": " << who << read.error().message();
    EXPECT_TRUE(read.error().path().starts_with("[0]")) << name << ": " << who << read.error().path();
  };
  is_right(ingot::compact::unpack<T>(copy.bytes()), "compact::unpack");
  is_right(ingot::compact::validate<T>(copy.bytes()), "compact::check");
  is_right(ingot::compact::view<T>::open(copy.bytes()), "compact::view");
}

template <class T, std::size_t Width>
void expect_normal(const T& usual, const T& zero, const T& minus, const T& with_nan, std::string_view name) {
  EXPECT_EQ(packed(minus), packed(zero)) << name;
  EXPECT_EQ(compact(minus), compact(zero)) << name;
  expect_no_nan(ingot::pack(with_nan), name);
  expect_no_nan(ingot::compact::pack(with_nan), name);
  EXPECT_EQ(packed(ingot::unpack<T>(packed(usual)).value()), packed(usual)) << name;
  EXPECT_EQ(with_bits<Width>(packed(usual), 0), packed(zero)) << name;
  // Writers report the same error that readers report for the bytes.
  const auto read = ingot::unpack<T>(with_bits<Width>(packed(usual), nan<Width>));
  zoo::expect_same_error(ingot::pack(with_nan).error(), read.error(), name);
  const auto compact_read = ingot::compact::unpack<T>(with_bits<Width>(compact(usual), nan<Width>));
  zoo::expect_same_error(ingot::compact::pack(with_nan).error(), compact_read.error(), name);
  for (const std::uint64_t bits : {sign<Width>, nan<Width>, nan<Width> | sign<Width> | 1}) {
    expect_each_rejects<T>(with_bits<Width>(packed(usual), bits), name);
    expect_each_compact_rejects<T>(with_bits<Width>(compact(usual), bits), name);
  }
}

TEST(pack_key_floats, none_is_nan_and_zero_has_no_sign_wherever_they_lie) {
  kinds_of_keys::each([]<std::size_t Width>(std::string_view name, kinds_of_keys::width<Width>,
                                            auto is_ordered, const auto& make) {
    using number = std::conditional_t<Width == 4, float, double>;
    using key = decltype(make(number{}));
    constexpr number nan_number = std::numeric_limits<number>::quiet_NaN();
    const auto all_of = [&]<class T>(std::type_identity<T>) {
      const auto one = [&](number x) {
        T container;
        if constexpr (requires { typename T::mapped_type; }) container.emplace(make(x), std::uint8_t{7});
        else container.insert(make(x));
        return container;
      };
      expect_normal<T, Width>(one(number{1.5}), one(number{0}), one(-number{0}), one(nan_number), name);
    };
    if constexpr (decltype(is_ordered)::value) all_of(std::type_identity<std::set<key>>());
    else all_of(std::type_identity<std::unordered_map<key, std::uint8_t, kinds_of_keys::hash>>());
  });
}

TEST(pack_key_floats, ordered_and_unordered_sets_and_maps_agree) {
  const auto one = []<class T>(std::type_identity<T>, float x) {
    T container;
    if constexpr (requires { typename T::mapped_type; })
      container.emplace(std::vector{1.0F, x}, std::uint8_t{7});
    else container.insert({1.0F, x});
    return container;
  };
  const auto all_of = [&]<class T>(std::type_identity<T> type) {
    expect_normal<T, 4>(one(type, 1.5F), one(type, 0.0F), one(type, -0.0F), one(type, nan_f), "vector");
  };
  using key = std::vector<float>;
  all_of(std::type_identity<std::map<key, std::uint8_t>>());
  all_of(std::type_identity<std::multiset<key>>());
  all_of(std::type_identity<kinds_of_keys::hashed_set<key>>());
  all_of(std::type_identity<std::unordered_multimap<key, std::uint8_t, kinds_of_keys::hash>>());
}

TEST(pack_key_floats, sets_of_borrowed_sequences_are_written_so_too) {
  const std::vector<float> minus{-0.0F, 1};
  const std::vector<float> zero{0, 1};
  using borrowed = std::set<std::span<const float>, key_floats::less>;
  EXPECT_EQ(packed(borrowed{minus}), packed(std::set<std::vector<float>>{zero}));
  EXPECT_EQ(compact(borrowed{minus}), compact(std::set<std::vector<float>>{zero}));
}

TEST(pack_key_floats, the_order_of_unordered_containers_is_that_of_what_is_written) {
  using set = kinds_of_keys::hashed_set<std::vector<float>>;
  const set minus{{-0.0F}, {1e-44F}, {0, 1}}; // an unchanged -0 would come last
  const set zero{{0.0F}, {1e-44F}, {0, 1}};
  EXPECT_EQ(packed(minus), packed(zero));
  EXPECT_EQ(compact(minus), compact(zero));
  EXPECT_EQ(ingot::unpack<set>(packed(minus)).value(), zero);
  EXPECT_EQ(ingot::compact::unpack<set>(compact(minus)).value(), zero);
}

TEST(pack_key_floats, values_keep_their_sign_and_their_nan) {
  using map = std::map<std::vector<float>, std::vector<float>>;
  EXPECT_NE(packed(map{{{0}, {-0.0F}}}), packed(map{{{0}, {0}}}));
  EXPECT_NE(compact(map{{{0}, {-0.0F}}}), compact(map{{{0}, {0}}}));
  EXPECT_TRUE(ingot::pack(map{{{0}, {nan_f}}}));
  EXPECT_TRUE(ingot::compact::pack(map{{{0}, {nan_f}}}));
}

TEST(pack_key_floats, where_a_nan_is_is_said) {
  const key_floats::holder wrong{{{{1}, 1}, {{2, nan_f}, 2}}};
  EXPECT_EQ(ingot::pack(wrong).error().path(), "by_curve[1]");
  EXPECT_EQ(ingot::compact::pack(wrong).error().path(), "by_curve[1]");
}

TEST(pack_key_floats, order_is_said_of_keys_that_are_normal) {
  using set = std::set<std::vector<float>>;
  pack_test::expect_rejected<set>(hex("02 00 00 00 04 00 00 00 08 00 00 00 00 00 80 3f 00 00 00 80"),
                                  {errc::not_canonical, 8, "[1]"});
  pack_test::expect_rejected<set>(hex("02 00 00 00 04 00 00 00 08 00 00 00 00 00 80 3f 00 00 00 3f"),
                                  {errc::unsorted_keys, 8, "[1]"});
  pack_test::expect_rejected<set>(hex("02 00 00 00 04 00 00 00 08 00 00 00 00 00 80 3f 00 00 80 3f"),
                                  {errc::duplicate_key, 8, "[1]"});
}

TEST(pack_key_floats, encoded_floats_are_as_short_as_those_of_zero) {
  using tight = std::set<key_floats::tight>;
  EXPECT_TRUE(same_bytes(compact(tight{{{-0.0, 2}, -0.0F}}), hex("01 02 00 02 00")));
  EXPECT_EQ(compact(std::map<std::string, tight>{{"a", {{{-0.0}, 0}}}}),
            compact(std::map<std::string, tight>{{"a", {{{0.0}, 0}}}}));
  compact_test::expect_rejected<tight>(hex("01 01 fc 00 80 00"), {errc::not_canonical, 1, "[0]"});
}

TEST(pack_key_floats, a_default_that_no_key_can_be_is_never_left_out) {
  using set = std::set<key_floats::elided>;
  EXPECT_EQ(compact(set{{0, -0.0F, {-0.0F}}}), compact(set{{0, 0, {0}}}));
  EXPECT_TRUE(same_bytes(compact(set{{0, -0.0F, {}}}), hex("01 02 00 00 00 00")));
  EXPECT_EQ(ingot::compact::unpack<set>(compact(set{{0, -0.0F, {}}})).value(), (set{{0, 0, {}}}));
  compact_test::expect_rejected<set>(hex("01 00"), {errc::not_canonical, 1, "[0]"});
}

TEST(pack_key_floats, a_member_that_is_skipped_is_no_part_of_a_key) {
  using set = std::set<key_floats::cached>;
  const set with{{nan_f, 0x8000'0000U, {1}}};
  EXPECT_TRUE(ingot::unpack<set>(packed(with)));
  EXPECT_TRUE(ingot::compact::unpack<set>(compact(with)));
  const set two{{1, 2, {}}, {2, 1, {}}}; // ordered by a member that is not written
  EXPECT_EQ(ingot::unpack<set>(packed(two)).value().size(), 2U);
  EXPECT_EQ(ingot::compact::unpack<set>(compact(two)).value().size(), 2U);
}

TEST(pack_key_floats, evolvable_records_without_them_may_lie_beside_them) {
  using key = std::variant<std::vector<float>, key_floats::marker>;
  using set = kinds_of_keys::hashed_set<key>;
  const set minus{key(std::vector{-0.0F}), key(key_floats::marker{7})};
  const set zero{key(std::vector{0.0F}), key(key_floats::marker{7})};
  EXPECT_EQ(packed(minus), packed(zero));
  EXPECT_EQ(compact(minus), compact(zero));
  EXPECT_EQ(ingot::unpack<set>(packed(minus)).value(), zero);
  EXPECT_EQ(ingot::compact::unpack<set>(compact(minus)).value(), zero);
}

/// Values of one key are in the order of their bytes, and -0 would be written at a position where 0
/// must not be.
TEST(pack_key_floats, what_an_order_of_bytes_depends_on_is_rejected_with_minus_zero) {
  using key = std::unordered_multimap<std::uint8_t, std::pair<std::uint8_t, float>>;
  using set = kinds_of_keys::hashed_set<key>;
  const auto with = [](float x) { return set{key{{1, {2, x}}, {1, {2, 0.5F}}}}; };
  for (const auto& written : {ingot::pack(with(-0.0F)), ingot::compact::pack(with(-0.0F))}) {
    ASSERT_FALSE(written);
    EXPECT_EQ(written.error().code(), errc::not_canonical);
    EXPECT_EQ(written.error().path(), "[0]");
    EXPECT_EQ(written.error().expected(), "a key that is neither NaN nor -0");
  }
  EXPECT_TRUE(ingot::unpack<set>(packed(with(0.0F))));
  EXPECT_TRUE(ingot::compact::unpack<set>(compact(with(0.0F))));
  expect_no_nan(ingot::pack(with(nan_f)), "values");
  // Outside of keys no float loses its sign.
  EXPECT_TRUE(ingot::unpack<key>(packed(*with(-0.0F).begin())));
}

template <class Key>
void expect_found_in_each_view(const std::vector<Key>& keys, const Key& with_nan) {
  std::map<Key, std::uint8_t> all;
  for (const auto& each : keys) all.emplace(each, std::uint8_t{7});
  using map = std::map<Key, std::uint8_t>;
  const auto message = packed(all);
  const auto short_message = compact(all);
  const auto view = ingot::view<map>::open(message).value();
  const auto compact_view = ingot::compact::view<map>::open(short_message).value();
  const auto checked = ingot::checked_list_view<map>::over(message).value();
  for (const auto& each : keys) {
    EXPECT_TRUE(view.contains(each));
    EXPECT_TRUE(compact_view.contains(each));
    EXPECT_NE(checked.find(each).value(), keys.size());
  }
  EXPECT_FALSE(view.contains(with_nan));
  EXPECT_FALSE(compact_view.contains(with_nan));
  EXPECT_EQ(checked.find(with_nan).value(), keys.size());
}
TEST(pack_key_floats, no_view_finds_a_nan) {
  using seconds = std::chrono::duration<double>;
  expect_found_in_each_view<double>({-1, 0, 2}, nan_f);
  expect_found_in_each_view<seconds>({seconds(1), seconds(3)}, seconds(nan_f));
  expect_found_in_each_view<std::vector<float>>({{}, {1, 2}, {1, 2, 3}}, {1, nan_f});
  expect_found_in_each_view<std::pair<std::string, float>>({{"a", 1.0F}, {"b", 2.0F}}, {"b", nan_f});
  expect_found_in_each_view(std::vector{kinds_of_keys::meters(1), kinds_of_keys::meters(2)},
                            kinds_of_keys::meters(nan_f));
  const auto set = packed(std::set<float>{1, 2});
  EXPECT_FALSE(ingot::view<std::set<float>>::open(set).value().contains(static_cast<double>(nan_f)));
}
TEST(pack_key_floats, a_nan_in_unchecked_bytes_is_found_at_no_cost) {
  const auto message = packed(std::map<float, std::uint8_t>{{1.0F, 1}, {1.5F, 2}, {3.0F, 3}});
  const auto forged = with_bits<4>(message, nan<4>);
  const auto found =
      ingot::checked_list_view<std::map<float, std::uint8_t>>::over(forged).value().find(1.25F);
  ASSERT_FALSE(found);
  EXPECT_EQ(found.error().code(), errc::not_canonical);
  EXPECT_EQ(found.error().path(), "[1]");
}

/// Constant if vectors are.
constexpr auto written_at_compile_time = [] {
  const std::vector<float> key{-0.0F};
  const auto at_it = ingot::detail::packed_key(key);
  std::vector<std::byte> normal = at_it;
  ingot::detail::normalise_lone_key<std::vector<float>>(normal.data(), normal.size());
  return at_it[3] == std::byte{0x80} && normal[3] == std::byte{0};
};
TEST(pack_key_floats, are_written_at_compile_time) { INGOT_EXPECT_CONSTANT(written_at_compile_time()); }

} // namespace key_floats_test
