// SPDX-License-Identifier: Apache-2.0
// The checks of a type itself: adapt, valid, after_load, skip, range, max_size and utf8. Every
// reader calls each, and reports the path to the rejected member.
#include <ingot/pack/compact.hpp>
#include <ingot/pack/pack.hpp>
#include <ingot/pack/unpack.hpp>
#include <ingot/pack/view.hpp>

#include "expect_error.hpp"
#include "hex.hpp"
#include "unchecked.hpp"
#include "zoo/annotated.hpp"

#include <memory>
#include <new>

#include <gtest/gtest.h>

namespace hooked {

/// Not default-constructible, and can't represent every value of its stored form.
class even {
public:
  explicit even(std::uint16_t number) : number_(number) {}
  [[nodiscard]] std::uint16_t number() const { return number_; }
  friend auto operator<=>(const even&, const even&) = default;

private:
  std::uint16_t number_;
};

struct everywhere {
  even member{0};
  std::array<even, 2> array{even(0), even(0)};
  std::vector<even> vector;
  std::list<even> list;
  std::set<even> set;
  std::map<even, std::string> keyed;
  std::map<std::string, even> mapped;
  std::unordered_map<std::uint8_t, even> hashed;
  std::optional<even> optional;
  std::variant<std::uint8_t, even> variant;
  std::variant<std::string, even> variable_variant;
  std::expected<even, std::string> outcome{even(0)};
  std::expected<std::uint8_t, even> problem;
  std::pair<std::uint8_t, even> pair{0, even(0)};
  std::unique_ptr<std::vector<even>> boxed;
};

/// Stored as text that it may reject with its own error.
struct hostname {
  std::string text;
};

struct limits {
  std::uint8_t percent = 0;
  std::vector<double> ratios;
  std::optional<std::int32_t> shift;
  zoo::colour tint = zoo::colour::red;
  std::string name;
  std::vector<std::uint8_t> data;
  std::string text;
};
struct holds_limits {
  std::uint8_t before = 0;
  std::map<std::string, limits> table;
};

struct checked {
  std::uint8_t low = 0;
  std::uint8_t high = 0;
  [[nodiscard]] bool valid() const { return low <= high; }
};

struct with_trait {
  std::uint8_t odd = 1;
};
struct bounded {
  std::uint8_t number = 0;
};
struct runs {
  checked pair;
  std::uint8_t between = 0;
  hooked::bounded bounded;
};
struct runs_of_two {
  std::uint8_t before = 0;
  std::array<checked, 2> pairs{};
};

/// after_load in each of its forms.
struct counts_itself {
  std::vector<checked> children;
  std::size_t total = 0;
  void after_load() { total = children.size(); }
};
struct rejects_by_bool {
  std::string name;
  bool after_load() { return name != "bad"; }
};
struct rejects_by_result {
  std::uint8_t number = 0;
  ingot::result<void> after_load() {
    if (number == 13)
      return ingot::fail(ingot::error{ingot::errc::out_of_range}.with_expected("no unlucky number"));
    number = static_cast<std::uint8_t>(number + 1);
    return {};
  }
};
/// `valid` sees the result of `after_load`.
struct in_order {
  std::uint8_t value = 0;
  bool loaded = false;
  void after_load() { loaded = true; }
  [[nodiscard]] bool valid() const { return loaded; }
};

struct skips {
  std::uint8_t kept = 0;
  std::string cache = "initial";
  std::shared_ptr<int> shared;
  void (*callback)() = nullptr;
  std::uint16_t last = 0;
};

} // namespace hooked

template <>
struct std::hash<hooked::even> {
  std::size_t operator()(const hooked::even& e) const noexcept { return e.number(); }
};
template <>
struct ingot::adapt<hooked::even> {
  static std::uint16_t to(const hooked::even& e) { return e.number(); }
  static ingot::result<hooked::even> from(std::uint16_t number) {
    if (number % 2 != 0)
      return ingot::fail(ingot::error{ingot::errc::invalid_value}.with_expected("an even number"));
    return hooked::even(number);
  }
};
template <>
struct ingot::adapt<hooked::hostname> {
  static std::string to(const hooked::hostname& h) { return h.text; }
  static ingot::result<hooked::hostname> from(std::string&& text) {
    if (text.find('/') != text.npos) return ingot::fail(ingot::errc::invalid_value);
    return hooked::hostname{std::move(text)};
  }
};
template <>
struct ingot::valid<hooked::with_trait> {
  static bool check(const hooked::with_trait& w) { return w.odd % 2 == 1; }
};
template <>
inline constexpr auto ingot::annotations<hooked::limits> =
    ingot::annotate(ingot::member<"percent">(ingot::range(0, 100)),
                    ingot::member<"ratios">(ingot::range(-0.5, 0.5), ingot::max_size(2)),
                    ingot::member<"shift">(ingot::range(-5, 5)), ingot::member<"tint">(ingot::range(0, 1)),
                    ingot::member<"name">(ingot::max_size(4)), ingot::member<"data">(ingot::max_size(3)),
                    ingot::member<"text">(ingot::utf8));
template <>
inline constexpr auto ingot::annotations<hooked::bounded> =
    ingot::annotate(ingot::member<"number">(ingot::range(0, 8)));
template <>
inline constexpr auto ingot::annotations<hooked::counts_itself> =
    ingot::annotate(ingot::member<"total">(ingot::skip));
template <>
inline constexpr auto ingot::annotations<hooked::in_order> =
    ingot::annotate(ingot::member<"loaded">(ingot::skip));
template <>
inline constexpr auto ingot::annotations<hooked::skips> =
    ingot::annotate(ingot::member<"cache">(ingot::skip, ingot::default_value("annotated")),
                    ingot::member<"shared">(ingot::skip), ingot::member<"callback">(ingot::skip));

namespace hooks_test {

using namespace hooked;
using ingot::errc;
using pack_test::expect_rejected;
using pack_test::hex;

using pack_test::unchecked;

std::vector<std::byte> bytes_of(const auto& value) {
  const auto packed = ingot::pack(value);
  EXPECT_TRUE(packed);
  return {packed->begin(), packed->end()};
}

everywhere some_of_everything() {
  everywhere e;
  e.member = even(2);
  e.array = {even(4), even(6)};
  e.vector = {even(8), even(10)};
  e.list = {even(12)};
  e.set = {even(14), even(300)};
  e.keyed.emplace(even(16), "key");
  e.mapped.emplace("value", even(18));
  e.hashed.emplace(1, even(20));
  e.optional = even(22);
  e.variant.emplace<1>(24);
  e.variable_variant.emplace<1>(26);
  e.outcome = even(28);
  e.problem = std::unexpected(even(30));
  e.pair.second = even(32);
  e.boxed = std::make_unique<std::vector<even>>(2, even(34));
  return e;
}

TEST(pack_adapt, classes_without_a_default_are_read_in_every_position) {
  const auto bytes = bytes_of(some_of_everything());
  const auto read = ingot::unpack<everywhere>(bytes);
  ASSERT_TRUE(read) << read.error().message();
  EXPECT_EQ(bytes_of(*read), bytes);
  EXPECT_EQ(read->member.number(), 2);
  EXPECT_EQ(read->array[1].number(), 6);
  EXPECT_EQ(read->vector.at(1).number(), 10);
  EXPECT_EQ(read->list.front().number(), 12);
  EXPECT_EQ(read->set.rbegin()->number(), 300);
  EXPECT_EQ(read->keyed.at(even(16)), "key");
  EXPECT_EQ(read->mapped.at("value").number(), 18);
  EXPECT_EQ(read->hashed.at(1).number(), 20);
  EXPECT_EQ(read->optional->number(), 22); // NOLINT(bugprone-unchecked-optional-access)
  EXPECT_EQ(std::get<1>(read->variant).number(), 24);
  EXPECT_EQ(std::get<1>(read->variable_variant).number(), 26);
  EXPECT_EQ(read->outcome.value().number(), 28);
  EXPECT_EQ(read->problem.error().number(), 30);
  EXPECT_EQ(read->pair.second.number(), 32);
  EXPECT_EQ(read->boxed->at(1).number(), 34);
  auto warm = some_of_everything();
  ASSERT_TRUE(ingot::unpack_into(warm, bytes));
  EXPECT_EQ(bytes_of(warm), bytes);
}

TEST(pack_adapt, views_show_the_stored_form_and_find_keys_by_either) {
  const auto bytes = bytes_of(some_of_everything());
  const auto seen = ingot::view<everywhere>::open(bytes).value();
  EXPECT_EQ(seen.get<"member">(), 2);
  EXPECT_EQ(seen.get<"vector">()[1], 10);
  EXPECT_EQ(*seen.get<"optional">(), 22);
  EXPECT_TRUE(seen.get<"keyed">().contains(even(16)));
  EXPECT_TRUE(seen.get<"set">().contains(300));
  EXPECT_FALSE(seen.get<"set">().contains(even(16)));
}

TEST(pack_adapt, from_may_reject_in_every_position) {
  // each even number above is once in the bytes: make one odd at a time and compare the reported
  // path
  const auto bytes = bytes_of(some_of_everything());
  const std::vector<std::pair<int, std::string_view>> positions{{2, "member"},
                                                                {4, "array[0]"},
                                                                {6, "array[1]"},
                                                                {8, "vector[0]"},
                                                                {10, "vector[1]"},
                                                                {12, "list[0]"},
                                                                {14, "set[0]"},
                                                                {16, "keyed[0].key"},
                                                                {18, "mapped[0].value"},
                                                                {20, "hashed[0].value"},
                                                                {22, "optional"},
                                                                {24, "variant"},
                                                                {26, "variable_variant"},
                                                                {28, "outcome"},
                                                                {30, "problem"},
                                                                {32, "pair[1]"},
                                                                {34, "boxed[0]"}};
  for (const auto& [number, path] : positions) {
    SCOPED_TRACE(path);
    bool found = false;
    for (std::size_t at = 0; at + 1 < bytes.size() && !found; ++at) {
      if (bytes[at] != static_cast<std::byte>(number) || bytes[at + 1] != std::byte{0}) continue;
      auto odd = bytes;
      odd[at] = static_cast<std::byte>(number + 1);
      const auto read = ingot::unpack<everywhere>(odd);
      if (read || read.error().path() != path || read.error().code() != errc::invalid_value) continue;
      found = true;
      expect_rejected<everywhere>(odd, {errc::invalid_value, at, path, "an even number"});
    }
    EXPECT_TRUE(found);
  }
}

TEST(pack_adapt, standing_alone) {
  EXPECT_EQ(ingot::unpack<even>(hex("04 00")).value().number(), 4);
  const auto odd = ingot::unpack<even>(hex("05 00"));
  ASSERT_FALSE(odd);
  EXPECT_EQ(odd.error().expected(), "an even number");
  EXPECT_FALSE(ingot::unpack<even>(hex("04 00 00")));
  EXPECT_EQ(ingot::unpack<hostname>(hex("'host'")).value().text, "host");
  EXPECT_FALSE(ingot::unpack<hostname>(hex("'a/b'")));
  expect_rejected<std::vector<hostname>>(hex("02 00 00 00 01 00 00 00 02 00 00 00 'a/'"),
                                         {errc::invalid_value, 13, "[1]"});
}

template <class M>
limits with(M limits::* member, const std::type_identity_t<M>& value) {
  limits l;
  l.*member = value;
  return l;
}

TEST(pack_limits, are_checked_by_every_reader) {
  // 0 percent, 1 ratios, 5 shift, 10 tint, 11 name, 15 data, 19 text; 23 the tail
  const auto rejected = [](const limits& value, const pack_test::expectation& want) {
    expect_rejected<limits>(unchecked(value), want);
    const auto packed = ingot::pack(value); // every writer rejects it, too
    ASSERT_FALSE(packed);
    EXPECT_EQ(packed.error().code(), want.code);
    EXPECT_EQ(packed.error().path(), want.path);
    EXPECT_EQ(packed.error().expected(), want.expected);
  };
  constexpr std::string_view ratio = "a value from -0.5 to 0.5";
  constexpr std::string_view size = "no more elements than the member's max_size";
  EXPECT_TRUE(ingot::unpack<limits>(
      bytes_of(limits{100, {0.5, -0.5}, -5, zoo::colour::green, "four", {1, 2, 3}, "\xC3\xA9"})));
  rejected(with(&limits::percent, 101), {errc::out_of_range, 0, "percent", "a value from 0 to 100"});
  rejected(with(&limits::ratios, {0.1, 0.51}), {errc::out_of_range, 1, "ratios", ratio});
  rejected(with(&limits::ratios, {std::numeric_limits<double>::quiet_NaN()}),
           {errc::out_of_range, 1, "ratios", ratio});
  rejected(with(&limits::ratios, {0, 0, 0}), {errc::too_long, 1, "ratios", size});
  rejected(with(&limits::shift, 6), {errc::out_of_range, 5, "shift", "a value from -5 to 5"});
  rejected(with(&limits::tint, zoo::colour::blue), {errc::out_of_range, 10, "tint", "a value from 0 to 1"});
  rejected(with(&limits::name, "fiver"), {errc::too_long, 11, "name", size});
  rejected(with(&limits::data, {1, 2, 3, 4}), {errc::too_long, 15, "data", size});
  rejected(with(&limits::text, "\xC3"), {errc::invalid_utf8, 19, "text", "UTF-8"});
  rejected(with(&limits::text, "\xED\xA0\x80"), {errc::invalid_utf8, 19, "text", "UTF-8"});
  // name is bytes: only `utf8` checks
  EXPECT_TRUE(ingot::unpack<limits>(bytes_of(with(&limits::name, "\xFF"))));
}

TEST(pack_limits, say_what_was_found) {
  const auto message = [](const limits& value) {
    const auto read = ingot::unpack<limits>(unchecked(value));
    EXPECT_FALSE(read);
    const auto packed = ingot::pack(value);
    EXPECT_FALSE(packed);
    if (read || packed) return std::string();
    EXPECT_EQ(packed.error().found(), read.error().found());
    return read.error().message();
  };
  EXPECT_EQ(
      message(with(&limits::percent, 101)),
      "out of range at byte 0 (percent): expected a value from 0 to 100, found 101; correct the value, or "
      "choose a type or a range that has it");
  EXPECT_EQ(message(with(&limits::shift, -6)),
            "out of range at byte 5 (shift): expected a value from -5 to 5, found -6; correct the value, or "
            "choose a type or a range that has it");
  // the first element that is outside
  EXPECT_EQ(
      message(with(&limits::ratios, {0.1, 0.51})),
      "out of range at byte 1 (ratios): expected a value from -0.5 to 0.5, found 0.51; correct the value, or "
      "choose a type or a range that has it");
  EXPECT_EQ(
      message(with(&limits::ratios, {std::numeric_limits<double>::infinity()})),
      "out of range at byte 1 (ratios): expected a value from -0.5 to 0.5, found inf; correct the value, or "
      "choose a type or a range that has it");
  EXPECT_EQ(
      message(with(&limits::tint, zoo::colour::blue)),
      "out of range at byte 10 (tint): expected a value from 0 to 1, found 2; correct the value, or choose a "
      "type or a range that has it");
  EXPECT_EQ(
      message(with(&limits::name, "fiver")),
      "too long at byte 11 (name): expected no more elements than the member's max_size, found 5; check the "
      "sender, or raise the limit");
}

TEST(pack_limits, are_checked_inside_other_types) {
  const holds_limits value{1, {{"a", {}}, {"b", with(&limits::percent, 200)}}};
  const auto read = ingot::unpack<holds_limits>(unchecked(value));
  ASSERT_FALSE(read);
  EXPECT_EQ(read.error().path(), "table[1].value.percent");
  expect_rejected<holds_limits>(unchecked(value),
                                {errc::out_of_range, read.error().offset(), "table[1].value.percent"});
  expect_rejected<std::vector<limits>>(unchecked(std::vector<limits>{{}, with(&limits::name, "too long")}),
                                       {errc::too_long, 38, "[1].name"});
}

TEST(pack_valid, rejects_with_the_path_of_the_record) {
  EXPECT_TRUE(ingot::unpack<checked>(hex("01 02")));
  expect_rejected<checked>(hex("02 01"),
                           {errc::invalid_value, 0, "", "a value that the type's valid() accepts"});
  expect_rejected<std::vector<checked>>(hex("01 02 03 02"), {errc::invalid_value, 2, "[1]"});
  expect_rejected<std::array<checked, 2>>(hex("01 02 03 02"), {errc::invalid_value, 2, "[1]"});
  expect_rejected<std::tuple<std::uint8_t, std::optional<checked>>>(hex("00 01 03 02"),
                                                                    {errc::invalid_value, 2, "[1]"});
  expect_rejected<std::map<std::uint8_t, checked>>(hex("07 02 01"), {errc::invalid_value, 1, "[0].value"});
  expect_rejected<with_trait>(hex("02"),
                              {errc::invalid_value, 0, "", "a value that the type's valid() accepts"});
  expect_rejected<std::vector<with_trait>>(hex("01 03 04"), {errc::invalid_value, 2, "[2]"});
}

/// Adjacent members without padding are moved together. Their own checks still run.
TEST(pack_valid, is_called_for_members_that_are_moved_together) {
  expect_rejected<runs>(hex("02 01 05 06"),
                        {errc::invalid_value, 0, "pair", "a value that the type's valid() accepts"});
  expect_rejected<runs>(hex("01 02 05 09"), {errc::out_of_range, 3, "bounded.number"});
  expect_rejected<runs_of_two>(hex("00 01 02 02 01"), {errc::invalid_value, 3, "pairs[1]"});
  const auto packed = ingot::compact::unpack<runs>(hex("02 01 05 06"));
  ASSERT_FALSE(packed);
  EXPECT_EQ(packed.error().path(), "pair");
  EXPECT_EQ(ingot::compact::unpack<runs>(hex("01 02 05 09")).error().path(), "bounded.number");
  EXPECT_EQ(ingot::unpack<runs>(hex("01 02 05 06")).value().bounded.number, 6);
}

TEST(pack_after_load, runs_once_the_children_are_complete) {
  const auto read = ingot::unpack<counts_itself>(ingot::pack(counts_itself{{{1, 2}, {3, 4}}, 99}));
  ASSERT_TRUE(read);
  EXPECT_EQ(read->total, 2U);
  EXPECT_EQ(ingot::unpack<rejects_by_result>(hex("05")).value().number, 6); // once, not twice
  EXPECT_TRUE(ingot::unpack<in_order>(hex("05")));
  EXPECT_TRUE(ingot::view<in_order>::open(hex("05")));
  // a child was rejected: the parent's after_load is not called
  expect_rejected<counts_itself>(hex("02 00 00 00 02 01"), {errc::invalid_value, 4, "children[0]"});
}

TEST(pack_after_load, may_reject) {
  EXPECT_TRUE(ingot::unpack<rejects_by_bool>(bytes_of(rejects_by_bool{"good"})));
  expect_rejected<rejects_by_bool>(
      bytes_of(rejects_by_bool{"bad"}),
      {errc::invalid_value, 0, "", "a value that the type's after_load accepts"});
  expect_rejected<rejects_by_result>(hex("0d"), {errc::out_of_range, 0, "", "no unlucky number"});
  expect_rejected<std::vector<rejects_by_result>>(hex("01 0d"),
                                                  {errc::out_of_range, 1, "[1]", "no unlucky number"});
}

TEST(pack_skip, members_never_reach_the_bytes_and_take_their_default) {
  skips value;
  value.kept = 1;
  value.cache = "secret";
  value.shared = std::make_shared<int>(5);
  value.callback = [] {};
  value.last = 2;
  EXPECT_EQ(bytes_of(value), hex("01 02 00"));
  const auto fresh = ingot::unpack<skips>(hex("01 02 00")).value();
  EXPECT_EQ(fresh.cache, "annotated");
  EXPECT_EQ(fresh.shared, nullptr);
  EXPECT_EQ(fresh.callback, nullptr);
  EXPECT_EQ(fresh.last, 2);
  ASSERT_TRUE(ingot::unpack_into(value, hex("03 04 00"))); // also into an object in use
  EXPECT_EQ(value.cache, "annotated");
  EXPECT_EQ(value.shared, nullptr);
  EXPECT_EQ(value.kept, 3);
}

TEST(pack_version, is_checked_on_reading) {
  expect_rejected<zoo::save_header>(
      hex("04 00 00 00 00 00 01 00 00 00"),
      {errc::wrong_version, 0, "version", "the version that the type names", "4"});
  expect_rejected<std::vector<zoo::save_header>>(
      hex("02 00 00 00 03 00 00 00 00 00 01 00 00 00 02 00 00 00 00 00 01 00 00 00"),
      {errc::wrong_version, 14, "[1].version"});
  // names no version: plain data
  EXPECT_TRUE(ingot::unpack<zoo::package>(hex("00 00 00 00 04 00 00 00")));
}

#if defined(__cpp_exceptions)
struct exhausting {
  std::uint8_t number = 0;
  void after_load() { throw std::bad_alloc(); }
};

TEST(pack_hooks, running_out_of_memory_is_an_error) {
  const auto read = ingot::unpack<exhausting>(hex("01"));
  ASSERT_FALSE(read);
  EXPECT_EQ(read.error().code(), errc::no_memory);
}
#endif

} // namespace hooks_test
