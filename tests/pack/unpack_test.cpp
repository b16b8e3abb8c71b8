// SPDX-License-Identifier: Apache-2.0
// Decoding untrusted bytes: what is rejected, at which offset, and with which message; which memory
// is reused and what may follow a value.
#include <ingot/pack/unpack.hpp>

#include "expect_error.hpp"
#include "hex.hpp"
#include "zoo/records.hpp"

#include <array>
#include <memory>
#include <new>
#include <optional>
#include <tuple>

#include <gtest/gtest.h>

namespace unpack_test {

using ingot::errc;
using pack_test::expect_rejected;
using pack_test::hex;
using pack_test::patched;

struct part {
  bool flag;
  std::string name;
  zoo::colour tint;
};
struct whole {
  std::uint16_t id;
  std::vector<part> parts;
  std::map<std::string, part> named;
  std::optional<std::uint32_t> maybe;
  std::variant<std::uint8_t, bool> either;
  std::bitset<12> bits;
};

/// 0 id, 2 and 6 the ends of parts and named, 10 maybe, 15 either, 17 bits; 19 parts: count, 23 and
/// 29 the fixed parts, 35 the names; 38 named: count, 42 and 52 the entries, 62 keys and names in
/// turn.
std::vector<std::byte> valid() {
  const whole value{7,
                    {{true, "ab", zoo::colour::red}, {false, "c", zoo::colour::blue}},
                    {{"k", {true, "x", zoo::colour::green}}, {"l", {false, "y", zoo::colour::red}}},
                    5,
                    true,
                    0xFFF};
  const auto packed = ingot::pack(value).value();
  return {packed.begin(), packed.end()};
}

TEST(unpack_errors, the_untouched_message_is_accepted) {
  EXPECT_EQ(valid().size(), 66U);
  EXPECT_TRUE(ingot::unpack<whole>(valid()));
  EXPECT_TRUE(ingot::view<whole>::open(valid()));
}

TEST(unpack_errors, stand_at_the_byte_with_the_path_of_the_member) {
  const auto rejected = [](std::size_t offset, std::string_view bytes, const pack_test::expectation& want) {
    SCOPED_TRACE(bytes);
    expect_rejected<whole>(patched(valid(), offset, bytes), want);
  };
  rejected(29, "07", {errc::bad_bool, 29, "parts[1].flag", "0 or 1", "7"});
  rejected(16, "02", {errc::bad_bool, 16, "either", "0 or 1", "2"});
  rejected(46, "ff", {errc::bad_bool, 46, "named[0].value.flag", "0 or 1", "255"});
  rejected(28, "03", {errc::bad_enum, 28, "parts[0].tint", "an enumerator", "3"});
  rejected(10, "02", {errc::bad_variant, 10, "maybe", "the tag of an alternative", "2"});
  rejected(15, "02", {errc::bad_variant, 15, "either", "the tag of an alternative", "2"});
  rejected(10, "00", {errc::bad_padding, 10, "maybe", "zeros after the alternative"});
  rejected(18, "1f", {errc::bad_padding, 17, "bits", "zeros after the last bit"});
  rejected(2, "30 00 00 00", {errc::truncated, 2, "parts", "an end inside the tail", "48"});
  rejected(6, "12 00 00 00", {errc::bad_length, 6, "named", "an end not before the previous field's", "18"});
  rejected(6, "2e 00 00 00", {errc::trailing_bytes, 65, "", "the end of the message", "1"});
  rejected(19, "03 00 00 00",
           {errc::bad_length, 19, "parts", "no more elements than there are bytes for", "3"});
  rejected(24, "04 00 00 00", {errc::bad_length, 24, "parts[0].name", "an end inside the tail", "4"});
  rejected(30, "01 00 00 00",
           {errc::bad_length, 30, "parts[1].name", "an end not before the previous field's", "1"});
  rejected(30, "02 00 00 00",
           {errc::bad_length, 37, "parts", "the last element to end where the list does", "1"});
  rejected(53, "04 00 00 00", {errc::bad_length, 52, "named[1].key", "an end inside the tail"});
  rejected(64, "'k'", {errc::duplicate_key, 52, "named[1]", "each key once"});
  rejected(64, "'j'", {errc::unsorted_keys, 52, "named[1]", "keys in ascending order"});
}

TEST(unpack_errors, tell_short_messages_from_long_ones) {
  auto bytes = valid();
  bytes.push_back(std::byte{0});
  expect_rejected<whole>(bytes, {errc::trailing_bytes, 66, "", "the end of the message", "1"});
  bytes.resize(18);
  expect_rejected<whole>(bytes, {errc::truncated, 18, "", "more bytes of the fixed part", "18"});
  bytes.clear();
  expect_rejected<whole>(bytes, {errc::truncated, 0, "", "more bytes of the fixed part", "0"});
  bytes = valid();
  bytes.pop_back();
  expect_rejected<whole>(bytes, {errc::truncated, 6, "named", "an end inside the tail", "47"});
}

TEST(unpack_errors, read_as_one_sentence) {
  const auto value = ingot::unpack<whole>(patched(valid(), 29, "07"));
  ASSERT_FALSE(value);
  EXPECT_EQ(value.error().message(),
            "bad bool at byte 29 (parts[1].flag): expected 0 or 1, found 7; the bytes are "
            "damaged or of another type");
}

TEST(unpack_errors, of_lists_standing_alone) {
  expect_rejected<std::vector<std::uint32_t>>(hex("01 00 00 00 02"),
                                              {errc::bad_length, 4, "", "whole elements", "5"});
  expect_rejected<std::u16string>(hex("'a' 00 'b'"), {errc::bad_length, 2, "", "whole elements", "3"});
  expect_rejected<std::map<std::uint8_t, std::uint16_t>>(hex("01 00 00 02"),
                                                         {errc::bad_length, 3, "", "whole elements"});
  expect_rejected<std::vector<std::string>>(hex("01 00"),
                                            {errc::truncated, 0, "", "the count of a list", "2"});
  expect_rejected<std::vector<std::string>>(hex("02 00 00 00 00 00 00 00"), {errc::bad_length, 0, ""});
  expect_rejected<std::vector<zoo::nothing>>(hex("02 00 00 00 00"),
                                             {errc::bad_length, 4, "", "no bytes after the count"});
  expect_rejected<std::optional<std::vector<std::uint32_t>>>(hex("01 01 00 00 00 02"),
                                                             {errc::bad_length, 5, ""});
  expect_rejected<std::variant<std::string, std::vector<double>>>(hex("01 00"), {errc::bad_length, 1, ""});
  expect_rejected<std::vector<std::vector<std::uint16_t>>>(hex("01 00 00 00 03 00 00 00 01 00 02"),
                                                           {errc::bad_length, 4, "[0]"});
  expect_rejected<std::vector<bool>>(hex("01 00 02"), {errc::bad_bool, 2, "[2]", "0 or 1", "2"});
}

TEST(unpack_errors, of_variable_alternatives) {
  expect_rejected<std::optional<std::string>>(hex("00"),
                                              {errc::bad_variant, 0, "", "the tag of an alternative", "0"});
  expect_rejected<std::optional<std::string>>(hex("02 'x'"),
                                              {errc::bad_variant, 0, "", "the tag of an alternative", "2"});
  expect_rejected<std::variant<std::string, std::uint8_t>>(
      {}, {errc::truncated, 0, "", "the tag of an alternative"});
  expect_rejected<std::variant<std::string, std::uint8_t>>(hex("01 05 06"), {errc::trailing_bytes, 2, ""});
  expect_rejected<std::expected<std::string, std::uint16_t>>(hex("01 05"), {errc::truncated, 2, ""});
  expect_rejected<std::expected<void, std::string>>(hex("00 00"), {errc::trailing_bytes, 1, ""});
  expect_rejected<std::unique_ptr<zoo::full_name>>(hex("01 00 00"), {errc::truncated, 3, ""});
}

TEST(unpack_errors, of_keys) {
  expect_rejected<std::set<std::int16_t>>(hex("01 00 ff ff"), {errc::unsorted_keys, 2, "[1]"});
  expect_rejected<std::set<zoo::mood>>(hex("05 01"), {errc::unsorted_keys, 1, "[1]"});
  expect_rejected<std::set<zoo::mood>>(hex("01 02"), {errc::bad_enum, 1, "[1]"});
  expect_rejected<std::unordered_set<std::uint16_t>>(hex("01 00 00 01"), {errc::unsorted_keys, 2, "[1]"});
  expect_rejected<std::unordered_map<std::uint8_t, bool>>(hex("01 00 01 01"),
                                                          {errc::duplicate_key, 2, "[1]"});
  expect_rejected<std::set<float>>(hex("00 00 00 80"),
                                   {errc::not_canonical, 0, "[0]", "a key that is neither NaN nor -0"});
  expect_rejected<std::set<float>>(hex("00 00 c0 7f"), {errc::not_canonical, 0, "[0]"});
  expect_rejected<std::map<std::pair<std::uint8_t, double>, bool>>(hex("01 00 00 00 00 00 00 00 80 01"),
                                                                   {errc::not_canonical, 0, "[0]"});
  expect_rejected<std::set<zoo::nothing, decltype([](auto, auto) { return false; })>>(
      hex("02 00 00 00"), {errc::duplicate_key, 0, ""});
  // keys whose bytes differ and that the container treats as equal
  struct same_letter {
    bool operator()(const std::string& a, const std::string& b) const {
      return (a[0] | 0x20) < (b[0] | 0x20);
    }
  };
  expect_rejected<std::tuple<std::set<std::string>>>(
      hex("0e 00 00 00 02 00 00 00 01 00 00 00 02 00 00 00 'ba'"), {errc::unsorted_keys, 12, "[0][1]"});
  using loose = std::set<std::string, same_letter>;
  const auto bytes = hex("02 00 00 00 01 00 00 00 02 00 00 00 'Aa'");
  const auto value = ingot::unpack<loose>(bytes);
  ASSERT_FALSE(value);
  EXPECT_EQ(value.error().code(), errc::duplicate_key);
  EXPECT_EQ(value.error().path(), "[1]");
}

TEST(unpack_errors, of_versions) {
  struct plain {
    std::int8_t version;
  };
  EXPECT_TRUE(ingot::unpack<plain>(hex("63")));
}

TEST(unpack_limits, elements_of_size_zero) {
  using list = std::vector<zoo::nothing>;
  EXPECT_EQ(ingot::unpack<list>(hex("00 00 01 00")).value().size(), 65'536U);
  expect_rejected<list>(hex("01 00 01 00"), {errc::too_large, 0, "",
                                             "at most 65536 elements of size zero in a message", "65537"});
  // the limit holds for the whole message
  expect_rejected<std::pair<list, list>>(hex("04 00 00 00 08 00 00 00 00 f0 00 00 01 10 00 00"),
                                         {errc::too_large, 12, "[1]"});
  EXPECT_TRUE((ingot::unpack<std::pair<list, list>>(hex("04 00 00 00 08 00 00 00 00 f0 00 00 00 10 00 00"))));
}

TEST(unpack_limits, messages_past_4_gib) {
  if constexpr (sizeof(std::size_t) > 4) {
    const std::byte one{};
    const ingot::bytes_view claimed(
        &one, static_cast<std::size_t>(5'000'000'000)); // rejected before a byte of it is read
    const auto value = ingot::unpack<std::string>(claimed);
    ASSERT_FALSE(value);
    pack_test::expect_error(value.error(),
                            {errc::too_large, 0, "", "a message of less than 4 GiB", "5000000000"}, "unpack");
    const auto seen = ingot::view<zoo::full_name>::open(claimed);
    ASSERT_FALSE(seen);
    pack_test::expect_error(seen.error(),
                            {errc::too_large, 0, "", "a message of less than 4 GiB", "5000000000"}, "view");
  }
}

// Readers access the fixed part before they check the size, so the test can claim the maximum size.
TEST(unpack_limits, the_longest_message_and_one_byte_more) {
  if constexpr (sizeof(std::size_t) > 4) {
    const auto slots = hex("01 00 00 00 f6 ff ff ff");
    const auto claimed = [&](std::uint64_t size) {
      return ingot::bytes_view(reinterpret_cast<const std::byte*>(slots.data()),
                               static_cast<std::size_t>(size));
    };
    const std::uint64_t longest = 0xffff'ffff;
    const auto left = ingot::view<zoo::full_name>::open(claimed(longest));
    ASSERT_FALSE(left);
    pack_test::expect_error(left.error(),
                            {errc::trailing_bytes, longest - 1, "", "the end of the message", "1"},
                            "one byte left over");
    EXPECT_TRUE(ingot::view<zoo::full_name>::open(claimed(longest), ingot::trailing::allow));
    EXPECT_TRUE(ingot::view<zoo::full_name>::open(claimed(longest - 1)));
    for (const std::uint64_t more : {longest + 1, longest + 8, longest + 9}) {
      for (const auto rest : {ingot::trailing::reject, ingot::trailing::allow}) {
        const auto seen = ingot::view<zoo::full_name>::open(claimed(more), rest);
        ASSERT_FALSE(seen);
        EXPECT_EQ(seen.error().code(), errc::too_large);
        zoo::full_name into;
        const auto read = ingot::unpack_into(into, claimed(more), {.rest = rest});
        ASSERT_FALSE(read);
        EXPECT_EQ(read.error().code(), errc::too_large);
      }
    }
  }
}

TEST(unpack_limits, types_past_4_gib_have_no_message) {
  if constexpr (sizeof(std::size_t) > 4) {
    constexpr auto size = static_cast<std::size_t>(5'000'000'000);
    using huge = std::array<std::uint8_t, size>;
    const std::byte one{};
    for (const auto rest : {false, true}) {
      for (const std::size_t claimed : {std::size_t{1}, size - 1'000'000'000, size - 1, size, size + 1}) {
        EXPECT_FALSE(ingot::detail::open_view<huge>(ingot::bytes_view(&one, claimed), rest)) << claimed;
      }
    }
  }
}

struct chain {
  std::unique_ptr<chain> next;
};

TEST(unpack_limits, depth_of_recursive_types) {
  const auto nested = [](std::size_t links) {
    auto bytes = hex("00 00 00 00");
    for (std::size_t i = 0; i < links; ++i) {
      const auto size = static_cast<unsigned>(bytes.size() + 1);
      bytes.insert(bytes.begin(), {static_cast<std::byte>(size), static_cast<std::byte>(size >> 8),
                                   std::byte{0}, std::byte{0}, std::byte{1}});
    }
    return bytes;
  };
  EXPECT_TRUE(ingot::unpack<chain>(nested(ingot::max_depth)));
  EXPECT_TRUE(ingot::view<chain>::open(nested(ingot::max_depth)));
  for (const std::size_t links : {ingot::max_depth + 1U, 1000U, 12'000U}) {
    const auto value = ingot::unpack<chain>(nested(links));
    ASSERT_FALSE(value) << links;
    EXPECT_EQ(value.error().code(), errc::too_deep);
    const auto seen = ingot::view<chain>::open(nested(links));
    ASSERT_FALSE(seen) << links;
    EXPECT_EQ(seen.error().code(), errc::too_deep);
  }
}

/// True if the functions that decode take `option` where their options are.
template <class Option>
concept is_an_option = requires(ingot::bytes_view bytes, const Option& option, int& out) {
  ingot::unpack<int>(bytes, option);
} || requires(ingot::bytes_view bytes, const Option& option, int& out) {
  ingot::unpack_into(out, bytes, option);
};

TEST(unpack_options, one_option_without_its_name_does_not_compile) {
  static_assert(is_an_option<ingot::unpack_options>);
  static_assert(!is_an_option<ingot::trailing>);
  static_assert(!is_an_option<ingot::read_limits>);
  static_assert(!is_an_option<ingot::progress_ref>);
}

TEST(unpack_options, apply_together) {
  const auto bytes = hex("01 00 00 00 'ab' ff");
  std::uint64_t reported = 0;
  const auto note = [&](std::uint64_t done, std::uint64_t) { return reported = done, true; };
  using pair = std::tuple<std::uint32_t, std::array<char, 2>>;
  EXPECT_TRUE(ingot::unpack<pair>(bytes, {.rest = ingot::trailing::allow, .progress = note}));
  EXPECT_EQ(reported, bytes.size());
  EXPECT_FALSE(ingot::unpack<pair>(bytes, {.progress = note}));
  const auto list = hex("01 02 03 04");
  const auto code = [&](const ingot::unpack_options& options) {
    const auto read = ingot::unpack<std::vector<std::uint16_t>>(list, options);
    return read ? std::optional<errc>() : read.error().code();
  };
  EXPECT_EQ(code({.limits = {.max_memory = 3}}), errc::too_much_memory);
  EXPECT_EQ(code({.limits = {.max_memory = 3}, .progress = note}), errc::too_much_memory);
  EXPECT_EQ(code({.limits = {.max_memory = 4}, .progress = note}), std::nullopt);
  std::vector<std::uint16_t> into;
  EXPECT_EQ(ingot::unpack_into(into, list, {.limits = {.max_memory = 3}}).error().code(),
            errc::too_much_memory);
}

TEST(unpack_trailing, is_rejected_unless_allowed) {
  struct fixed {
    std::uint32_t a;
    bool b;
  };
  EXPECT_FALSE(ingot::unpack<fixed>(hex("01 00 00 00 01 ff")));
  EXPECT_EQ(ingot::unpack<fixed>(hex("01 00 00 00 01 ff"), {.rest = ingot::trailing::allow}).value().a, 1U);
  EXPECT_FALSE(ingot::unpack<std::uint32_t>(hex("01 00 00 00 ff")));
  EXPECT_EQ(ingot::unpack<std::uint32_t>(hex("01 00 00 00 ff"), {.rest = ingot::trailing::allow}).value(),
            1U);
  const auto name = hex("01 00 00 00 02 00 00 00 'ab' ff");
  EXPECT_FALSE(ingot::unpack<zoo::full_name>(name));
  EXPECT_EQ(ingot::unpack<zoo::full_name>(name, {.rest = ingot::trailing::allow}).value().given, "b");
  EXPECT_EQ(ingot::view<zoo::full_name>::open(name, ingot::trailing::allow).value().get<"given">(), "b");
  zoo::full_name into;
  EXPECT_TRUE(ingot::unpack_into(into, name, {.rest = ingot::trailing::allow}));
  EXPECT_FALSE(ingot::unpack_into(into, name));
  // bytes after the message are allowed, missing bytes are not
  const auto cut = hex("01 00 00 00 03 00 00 00 'ab'");
  for (const auto rest : {ingot::trailing::reject, ingot::trailing::allow}) {
    const pack_test::expectation end{errc::truncated, 4, "given", "an end inside the tail", "3"};
    pack_test::expect_error(ingot::unpack<zoo::full_name>(cut, {.rest = rest}).error(), end, "unpack");
    pack_test::expect_error(ingot::view<zoo::full_name>::open(cut, rest).error(), end, "view");
  }
  // inside a message no trailing bytes are allowed, with or without the option
  const auto inner = hex("0c 00 00 00 01 01 00 00 00 02 00 00 00 'abc' ff");
  const auto value =
      ingot::unpack<std::tuple<std::optional<zoo::full_name>>>(inner, {.rest = ingot::trailing::allow});
  ASSERT_FALSE(value);
  EXPECT_EQ(value.error().path(), "[0]");
}

TEST(unpack_into, reuses_the_memory_there_is) {
  std::vector<std::string> strings{std::string(100, 'a'), std::string(100, 'b'), "c"};
  const std::vector<std::string> wanted{std::string(90, 'x'), std::string(80, 'y')};
  const auto bytes = ingot::pack(wanted).value();
  const auto* const vector = strings.data();
  const auto* const first = strings[0].data();
  const auto* const second = strings[1].data();
  ASSERT_TRUE(ingot::unpack_into(strings, bytes));
  EXPECT_EQ(strings, wanted);
  EXPECT_EQ(strings.data(), vector);
  EXPECT_EQ(strings[0].data(), first);
  EXPECT_EQ(strings[1].data(), second);

  auto box = std::make_unique<std::uint64_t>(1);
  const auto* const held = box.get();
  ASSERT_TRUE(ingot::unpack_into(box, ingot::pack(std::make_unique<std::uint64_t>(2)).value()));
  EXPECT_EQ(box.get(), held);
  EXPECT_EQ(*box, 2U);
}

/// Lists grow by blocks of 4 KiB and texts in place: tests each length near a block, over each
/// earlier length.
template <class List>
void expect_replaced(std::initializer_list<std::size_t> lengths) {
  const auto counted = [](std::size_t length, unsigned first) {
    List list;
    for (std::size_t i = 0; i < length; ++i) {
      list.push_back(static_cast<typename List::value_type>((i + first) % 97 + 1));
    }
    return list;
  };
  for (const std::size_t length : lengths) {
    const List written = counted(length, 0);
    const auto bytes = ingot::pack(written);
    ASSERT_TRUE(bytes);
    for (const std::size_t before : lengths) {
      List read = counted(before, 40);
      ASSERT_TRUE(ingot::unpack_into(read, *bytes));
      EXPECT_EQ(read, written) << before << " to " << length;
    }
  }
}
TEST(unpack_into, replaces_lists_and_texts_of_every_length) {
  expect_replaced<std::vector<float>>({0, 1, 500, 1023, 1024, 1025, 2049, 5000});
  expect_replaced<std::vector<unsigned char>>({0, 1, 15, 17, 4096, 4097, 9000});
  expect_replaced<std::string>({0, 1, 15, 16, 17, 31, 200, 4097});
}
TEST(unpack, takes_the_result_of_pack_and_passes_its_error_on) {
  EXPECT_EQ(ingot::unpack<std::string>(ingot::pack(std::string("x"))).value(), "x");
  const auto failed =
      ingot::unpack<std::string>(ingot::result<ingot::buffer>(ingot::fail(errc::too_deep, 3)));
  ASSERT_FALSE(failed);
  EXPECT_EQ(failed.error().code(), errc::too_deep);
  EXPECT_EQ(failed.error().offset(), 3U);
}

TEST(unpack, reads_any_range_of_bytes) {
  EXPECT_EQ(ingot::unpack<std::string>(std::string("abc")).value(), "abc");
  EXPECT_EQ(ingot::unpack<std::string>(std::vector<unsigned char>{'a'}).value(), "a");
  EXPECT_EQ(ingot::unpack<std::uint16_t>(std::array<std::byte, 2>{std::byte{1}, std::byte{2}}).value(),
            0x201);
  EXPECT_EQ(ingot::unpack<std::string>(ingot::bytes_view()).value(), "");
}

} // namespace unpack_test
