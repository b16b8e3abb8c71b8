// SPDX-License-Identifier: Apache-2.0
// CBOR against its RFC: the examples of appendix A, the bytes that appendix F calls not
// well-formed, and the one form of each value that the deterministic encoding allows. An error here
// would give another program's bytes another meaning.
#include <ingot/document/cbor.hpp>

#include "document/interchange_tools.hpp"

#include <cmath>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include <gtest/gtest.h>

namespace cbor_test {

using namespace interchange_test;
using ingot::cbor::encoding;
using ingot::cbor::read_options;
using ingot::cbor::write_options;

constexpr read_options everything{.unsupported_values = unsupported_values::wrap,
                                  .non_text_keys = non_text_keys::as_text};
constexpr write_options everything_sorted{.order = ingot::member_order::sorted,
                                          .unsupported_values = unsupported_values::wrap};

struct example {
  std::string_view bytes;
  std::string_view meaning;          // with all options allowed
  std::string_view written = "";     // if the written bytes differ
  std::string_view rejected_as = ""; // by default
};

TEST(cbor, every_example_of_the_rfc_means_what_it_says) {
  const std::string no_type = "error: wrong type at 0";
  const example examples[] = {
      {"00", "0"},
      {"01", "1"},
      {"0a", "10"},
      {"17", "23"},
      {"1818", "24"},
      {"1819", "25"},
      {"1864", "100"},
      {"1903e8", "1000"},
      {"1a000f4240", "1000000"},
      {"1b000000e8d4a51000", "1000000000000"},
      {"1bffffffffffffffff", "18446744073709551615u"},
      {"c249010000000000000000", R"({"$tag": 2, "$value": h'010000000000000000'})", "",
       "error: out of range at 0"},
      {"3bffffffffffffffff", R"({"$tag": 3, "$value": h'ffffffffffffffff'})", "", "error: out of range at 0"},
      {"c349010000000000000000", R"({"$tag": 3, "$value": h'010000000000000000'})", "",
       "error: out of range at 0"},
      {"20", "-1"},
      {"29", "-10"},
      {"3863", "-100"},
      {"3903e7", "-1000"},
      {"f90000", "0.0"},
      {"f98000", "-0.0"},
      {"f93c00", "1.0"},
      {"fb3ff199999999999a", "1.1"},
      {"f93e00", "1.5"},
      {"f97bff", "65504.0"},
      {"fa47c35000", "1e+05"},
      {"fa7f7fffff", "3.4028234663852886e+38"},
      {"fb7e37e43c8800759c", "1e+300"},
      {"f90001", "5.960464477539063e-08"},
      {"f90400", "6.103515625e-05"},
      {"f9c400", "-4.0"},
      {"fbc010666666666666", "-4.1"},
      {"f97c00", "inf"},
      {"f97e00", "nan"},
      {"f9fc00", "-inf"},
      {"fa7f800000", "inf", "f97c00"},
      {"fa7fc00000", "nan", "f97e00"},
      {"faff800000", "-inf", "f9fc00"},
      {"fb7ff0000000000000", "inf", "f97c00"},
      {"fb7ff8000000000000", "nan", "f97e00"},
      {"fbfff0000000000000", "-inf", "f9fc00"},
      {"f4", "false"},
      {"f5", "true"},
      {"f6", "null"},
      {"f7", R"({"$simple": 23})", "", no_type},
      {"f0", R"({"$simple": 16})", "", no_type},
      {"f8ff", R"({"$simple": 255})", "", no_type},
      {"c0 74 '2013-03-21T20:04:00Z'", R"({"$tag": 0, "$value": "2013-03-21T20:04:00Z"})", "", no_type},
      {"c11a514b67b0", R"({"$tag": 1, "$value": 1363896240})", "", no_type},
      {"c1fb41d452d9ec200000", R"({"$tag": 1, "$value": 1363896240.5})", "", no_type},
      {"d74401020304", R"({"$tag": 23, "$value": h'01020304'})", "", no_type},
      {"d818456449455446", R"({"$tag": 24, "$value": h'6449455446'})", "", no_type},
      {"d82076 'http://www.example.com'", R"({"$tag": 32, "$value": "http://www.example.com"})", "", no_type},
      {"40", "h''"},
      {"4401020304", "h'01020304'"},
      {"60", R"("")"},
      {"6161", R"("a")"},
      {"6449455446", R"("IETF")"},
      {"62225c", "\"\"\\\""},
      {"62c3bc", "\"\xC3\xBC\""},
      {"63e6b0b4", "\"\xE6\xB0\xB4\""},
      {"64f0908591", "\"\xF0\x90\x85\x91\""},
      {"80", "[]"},
      {"83010203", "[1, 2, 3]"},
      {"8301820203820405", "[1, [2, 3], [4, 5]]"},
      {"98190102030405060708090a0b0c0d0e0f101112131415161718181819",
       "[1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25]"},
      {"a0", "{}"},
      {"a201020304", R"({"1": 2, "3": 4})", "a2613102613304", "error: wrong type at 1"},
      {"a26161016162820203", R"({"a": 1, "b": [2, 3]})"},
      {"826161a161626163", R"(["a", {"b": "c"}])"},
      {"a56161614161626142616361436164614461656145", R"({"a": "A", "b": "B", "c": "C", "d": "D", "e": "E"})"},
      {"5f42010243030405ff", "h'0102030405'", "450102030405"},
      {"7f657374726561646d696e67ff", R"("streaming")", "6973747265616d696e67"},
      {"9fff", "[]", "80"},
      {"9f018202039f0405ffff", "[1, [2, 3], [4, 5]]", "8301820203820405"},
      {"9f01820203820405ff", "[1, [2, 3], [4, 5]]", "8301820203820405"},
      {"83018202039f0405ff", "[1, [2, 3], [4, 5]]", "8301820203820405"},
      {"83019f0203ff820405", "[1, [2, 3], [4, 5]]", "8301820203820405"},
      {"9f0102030405060708090a0b0c0d0e0f101112131415161718181819ff",
       "[1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25]",
       "98190102030405060708090a0b0c0d0e0f101112131415161718181819"},
      {"bf61610161629f0203ffff", R"({"a": 1, "b": [2, 3]})", "a26161016162820203"},
      {"826161bf61626163ff", R"(["a", {"b": "c"}])", "826161a161626163"},
      {"bf6346756ef563416d7421ff", R"({"Amt": -2, "Fun": true})", "a263416d74216346756ef5"},
  };
  for (const example& each : examples) {
    SCOPED_TRACE(each.bytes);
    const auto bytes = hex(each.bytes);
    const auto read = ingot::cbor::read_document(bytes, everything);
    EXPECT_EQ(shown(read), each.meaning);
    EXPECT_EQ(shown(ingot::cbor::read_document(bytes)),
              each.rejected_as.empty() ? each.meaning : each.rejected_as);
    if (!read) continue;
    const auto written = ingot::cbor::write(*read, everything_sorted);
    const auto expected = each.written.empty() ? bytes : hex(each.written);
    ASSERT_TRUE(written);
    EXPECT_EQ(hex_of(*written), hex_of(expected));
    // The writer's output is deterministic. Input with other bytes is not. (Keys that are not text
    // become text.)
    read_options strict = everything;
    strict.encoding = encoding::deterministic;
    EXPECT_EQ(shown(ingot::cbor::read_document(*written, strict)), each.meaning);
    if (each.bytes != "a201020304") {
      EXPECT_EQ(ingot::cbor::read_document(bytes, strict).has_value(), each.written.empty());
    }
  }
}

TEST(cbor, ill_formed_bytes_are_rejected_with_all_options) {
  const std::string_view truncated[] = {// heads, strings, containers and tags that end too soon
                                        "",
                                        "18",
                                        "19",
                                        "1a",
                                        "1b",
                                        "1901",
                                        "1a0102",
                                        "1b01020304050607",
                                        "38",
                                        "58",
                                        "78",
                                        "98",
                                        "9a01ff00",
                                        "b8",
                                        "d8",
                                        "f8",
                                        "f900",
                                        "fa0000",
                                        "fb000000",
                                        "41",
                                        "61",
                                        "5affffffff00",
                                        "5bffffffffffffffff010203",
                                        "7affffffff00",
                                        "7b7fffffffffffffff010203",
                                        "81",
                                        "818181818181818181",
                                        "8200",
                                        "a1",
                                        "a20102",
                                        "a100",
                                        "a2000000",
                                        "5f4100",
                                        "7f6100",
                                        "9f",
                                        "9f0102",
                                        "bf",
                                        "bf01020102",
                                        "819f",
                                        "9f8000",
                                        "9f9f9f9f9fffffffff",
                                        "9f819f819f9fffffff",
                                        "c0",
                                        "c1c0",
                                        "c2",
                                        "c24101ff",
                                        "d9d9f7",
                                        "9b000000010000000080",
                                        "bb000000008000000100",
                                        "a1ff",
                                        "a20000ff"};
  const std::string_view malformed[] = {"1c",
                                        "1d",
                                        "1e",
                                        "3c",
                                        "3d",
                                        "3e",
                                        "5c",
                                        "5d",
                                        "5e",
                                        "7c",
                                        "7d",
                                        "7e",
                                        "9c",
                                        "9d",
                                        "9e",
                                        "bc",
                                        "bd",
                                        "be",
                                        "dc",
                                        "dd",
                                        "de",
                                        "fc",
                                        "fd",
                                        "fe", // reserved
                                        "f800",
                                        "f801",
                                        "f814",
                                        "f818",
                                        "f81f", // simple values that have a shorter form
                                        "5f00ff",
                                        "5f21ff",
                                        "5f6100ff",
                                        "5f80ff",
                                        "5fa0ff",
                                        "5fc000ff",
                                        "5fe0ff",
                                        "7f4100ff", // chunks that are no strings of this kind
                                        "5f5f4100ffff",
                                        "7f7f6100ffff", // chunks in chunks
                                        "ff",
                                        "81ff",
                                        "8200ff",
                                        "a1ff00",
                                        "a100ff",
                                        "9f81ff",
                                        "9f829f819f9fffffffff", // break bytes
                                        "bf00ff",
                                        "bf000000ff",
                                        "c0ff",
                                        "9fc0ff",
                                        "bfc0ff",
                                        "9fc1c0ff",
                                        "bf00c0ff",
                                        "1f",
                                        "3f",
                                        "df"};
  for (const auto how : {unsupported_values::reject, unsupported_values::lossy, unsupported_values::wrap}) {
    const read_options options{.unsupported_values = how,
                               .non_text_keys = non_text_keys::as_text,
                               .repeated_keys = ingot::key_policy::last_wins};
    for (const auto bytes : truncated) {
      const auto read = ingot::cbor::read_document(hex(bytes), options);
      ASSERT_FALSE(read) << bytes;
      // By default a tag is rejected before the reader notices that nothing follows.
      if (how != unsupported_values::reject) {
        // The value after a time tag is rejected before the reader notices that its end is missing.
        const bool is_time = how == unsupported_values::lossy && bytes == "c1c0";
        EXPECT_EQ(read.error().code(), bytes == "c24101ff" ? errc::trailing_bytes
                                       : is_time           ? errc::type_mismatch
                                                           : errc::truncated)
            << bytes;
      }
    }
    for (const auto bytes : malformed) {
      const auto read = ingot::cbor::read_document(hex(bytes), options);
      ASSERT_FALSE(read) << bytes;
      if (how != unsupported_values::reject) {
        const bool wrapped_key = how == unsupported_values::wrap && bytes == "bfc0ff";
        const bool is_time = how == unsupported_values::lossy && bytes == "9fc1c0ff";
        EXPECT_EQ(read.error().code(), wrapped_key || is_time ? errc::type_mismatch : errc::bad_variant)
            << bytes;
      }
    }
  }
}

TEST(cbor, deterministic_reading_takes_one_encoding_of_each_value) {
  const read_options strict{.unsupported_values = unsupported_values::wrap,
                            .encoding = encoding::deterministic};
  const std::string_view longer[] = {"1800",
                                     "1817",
                                     "190018",
                                     "1900ff",
                                     "1a0000ffff",
                                     "1b00000000ffffffff",
                                     "3817",
                                     "3900ff",
                                     "5800",
                                     "7817 'aaaaaaaaaaaaaaaaaaaaaaa'",
                                     "9800",
                                     "b800",
                                     "d801f6",
                                     "d9000100",
                                     "fa3fc00000",
                                     "fb3ff8000000000000",
                                     "fa7fc00000",
                                     "5f4100ff",
                                     "7fff",
                                     "9fff",
                                     "bfff",
                                     "c24101",
                                     "c2480100000000000000",
                                     "c24900ffffffffffffffff",
                                     "c34101",
                                     "8118 00",
                                     "d9d9f7 00"};
  for (const auto bytes : longer) {
    const auto read = ingot::cbor::read_document(hex(bytes), strict);
    ASSERT_FALSE(read) << bytes;
    EXPECT_EQ(read.error().code(), errc::not_canonical) << bytes;
    EXPECT_TRUE(ingot::cbor::read_document(hex(bytes), {.unsupported_values = unsupported_values::wrap}))
        << bytes;
  }
  const std::string_view unsorted[] = {"a2616200616100", "a262616100616200", "a2616100616100",
                                       "a361610061620061 61 00"};
  for (const auto bytes : unsorted)
    EXPECT_EQ(ingot::cbor::read_document(hex(bytes), strict).error().code(), errc::unsorted_keys) << bytes;
  EXPECT_EQ(shown(ingot::cbor::read_document(hex("a3 6162 00 626161 01 626162 a0"), strict)),
            R"({"aa": 1, "ab": {}, "b": 0})");
  EXPECT_EQ(shown(ingot::cbor::read_document(hex("c2490100000000000000ff"), strict)),
            R"({"$tag": 2, "$value": h'0100000000000000ff'})");
}

TEST(cbor, extras_are_reduced_to_what_is_nearest) {
  const auto reduced = [](std::string_view bytes) {
    return shown(ingot::cbor::read_document(hex(bytes), {.unsupported_values = unsupported_values::lossy,
                                                         .non_text_keys = non_text_keys::as_text}));
  };
  EXPECT_EQ(reduced("f7"), "null");
  EXPECT_EQ(reduced("c11a514b67b0"), R"("2013-03-21T20:04:00Z")");
  // A big integer becomes bytes
  EXPECT_EQ(reduced("c1c2c1fb41d452d9ec200000"), "error: wrong type at 0");
  EXPECT_EQ(reduced("c482 20 19 6ab3"), "2731.5");
  EXPECT_EQ(reduced("f0"), "error: wrong type at 0"); // no value is near
  EXPECT_EQ(reduced("c249010000000000000000"), "18446744073709551616.0");
  EXPECT_EQ(reduced("3bffffffffffffffff"), "-18446744073709551616.0");
  EXPECT_EQ(reduced("3b7fffffffffffffff"), "-9223372036854775808");
  EXPECT_EQ(reduced("3b8000000000000000"), "-9223372036854775808.0");
  EXPECT_EQ(reduced("a1 d9d9f7 6161 01"), R"({"a": 1})");
  for (const auto other_key : {"a1 c0 6161 01", "a1 c2 4101 00", "a1 c3 4101 00", "a1 d9d9f7 c2 4101 00"})
    // Without its tag the key is another key
    EXPECT_EQ(reduced(other_key), "error: wrong type at 1") << other_key;
  EXPECT_EQ(reduced("d9d9f7 83 01 d9d9f7 02 03"), "[1, 2, 3]");
  std::string huge = "c2 59 0080";
  for (int i = 0; i < 128; ++i) huge += "ff";
  EXPECT_EQ(reduced(huge), "error: out of range at 0"); // rounds to 2^1024
}

TEST(cbor, a_big_integer_of_few_bytes_is_an_integer) {
  EXPECT_EQ(shown(ingot::cbor::read_document(hex("c240"))), "0");
  EXPECT_EQ(shown(ingot::cbor::read_document(hex("c340"))), "-1");
  EXPECT_EQ(shown(ingot::cbor::read_document(hex("c2 4b 000000 0102030405060708"))), "72623859790382856");
  EXPECT_EQ(shown(ingot::cbor::read_document(hex("c248ffffffffffffffff"))), "18446744073709551615u");
  EXPECT_EQ(shown(ingot::cbor::read_document(hex("c3487fffffffffffffff"))), "-9223372036854775808");
  EXPECT_EQ(shown(ingot::cbor::read_document(hex("c25f4101410042ffffff"))), "16842751");
  EXPECT_EQ(shown(ingot::cbor::read_document(hex("81c201"))), "error: wrong type at 1 in [0]");
  EXPECT_EQ(shown(ingot::cbor::read_document(hex("c2c240"))), "error: wrong type at 0");
}

TEST(cbor, keys_that_are_no_text_are_written_on_request) {
  const auto spelled = [](std::string_view bytes) {
    return shown(ingot::cbor::read_document(hex(bytes), everything));
  };
  EXPECT_EQ(spelled("a7 00 00 20 01 f6 02 f5 03 f90000 04 42beef 05 fb3ff199999999999a 06"),
            R"({"-1": 1, "0": 0, "0.0": 4, "1.1": 6, "h'beef'": 5, "null": 2, "true": 3})");
  EXPECT_EQ(
      spelled("a6 f97c00 00 f9fc00 01 f97e00 02 fb7e37e43c8800759c 03 3bffffffffffffffff 04 "
              "1bffffffffffffffff 05"),
      R"({"-18446744073709551616": 4, "-Infinity": 1, "18446744073709551615": 5, "1e+300": 3, "Infinity": 0, "NaN": 2})");
  EXPECT_EQ(spelled("a2 f7 00 40 01"), R"({"h''": 1, "undefined": 0})");
  EXPECT_EQ(shown(ingot::cbor::read_document(hex("a1 f7 00"), {.non_text_keys = non_text_keys::as_text})),
            "error: wrong type at 1");
  EXPECT_EQ(spelled("bf 7f 6161 6162 ff 00 ff"), R"({"ab": 0})");
  EXPECT_EQ(spelled("a2 01 00 6131 00"), "error: duplicate key at 5");
  EXPECT_EQ(spelled("9f a1 07 bf 01 00 6131 00 ff ff"), "error: duplicate key at 9 in [0][7]");
  for (const auto no_scalar :
       {"a1 80 00", "a1 a0 00", "a1 c0 6161 00", "a1 c2 4101 00", "a1 f0 00", "a1 9fff 00"})
    EXPECT_EQ(spelled(no_scalar), "error: wrong type at 1") << no_scalar;
  for (const auto no_text : {"a1 00 00", "a1 f6 00", "a1 40 00", "a1 80 00"})
    EXPECT_EQ(shown(ingot::cbor::read_document(hex(no_text))), "error: wrong type at 1") << no_text;
}

TEST(cbor, text_is_utf8_and_no_piece_of_it_cuts_a_character) {
  EXPECT_EQ(shown(ingot::cbor::read_document(hex("61ff"))), "error: invalid UTF-8 at 0");
  EXPECT_EQ(shown(ingot::cbor::read_document(hex("81 62c328"))), "error: invalid UTF-8 at 1 in [0]");
  EXPECT_EQ(shown(ingot::cbor::read_document(hex("a1 61ff 00"))), "error: invalid UTF-8 at 1");
  EXPECT_EQ(shown(ingot::cbor::read_document(hex("7f 61c3 61bc ff"))), "error: invalid UTF-8 at 1");
  EXPECT_EQ(shown(ingot::cbor::read_document(hex("7f 62c3bc 60 ff"))), "\"\xC3\xBC\"");
}

TEST(cbor, keys_of_wrapped_values_are_escaped_in_maps) {
  const auto bytes = hex("a2 64 '$tag' 01 66 '$value' 02");
  EXPECT_EQ(shown(ingot::cbor::read_document(bytes)), R"({"$tag": 1, "$value": 2})");
  EXPECT_EQ(shown(ingot::cbor::read_document(bytes, everything)), R"({"$$tag": 1, "$value": 2})");
  EXPECT_EQ(shown(ingot::cbor::read_document(hex("a1 65 '$what' 01"), everything)), R"({"$what": 1})");
  for (const char* map :
       {"a1 64 '$tag' 01", "a1 67 '$simple' 01", "a1 64 '$ext' 01", "a1 68 '$seconds' 01", "a1 65 '$$tag' 01",
        "a1 66 '$$$ext' 01", "a1 66 '$what$' 01", "a1 61 '$' 01", "a2 65 '$$tag' 01 64 '$tag' 02"}) {
    const auto read = ingot::cbor::read_document(hex(map), everything);
    ASSERT_TRUE(read) << map;
    auto back = ingot::cbor::read_document(ingot::cbor::write(*read, everything_sorted).value());
    EXPECT_EQ(shown(back), shown(ingot::cbor::read_document(hex(map)))) << map;
  }
}

TEST(cbor, objects_that_wrap_nothing_are_rejected) {
  // Written as an object, such a document would not be read as the same value: the reader would add
  // another $ to the key.
  const auto written = [](const document& doc) {
    const auto bytes = ingot::cbor::write(doc, everything_sorted);
    return bytes ? hex_of(*bytes) : std::string(to_string(bytes.error().code()));
  };
  const std::string rejected(to_string(errc::invalid_value));
  document doc;
  doc["$simple"] = 21; // which is `true`
  EXPECT_EQ(written(doc), rejected);
  EXPECT_EQ(hex_of(ingot::cbor::write(doc).value()), hex_of(hex("a1 67 '$simple' 15")));
  doc["$simple"] = 256;
  EXPECT_EQ(written(doc), rejected);
  doc["$simple"] = 19;
  EXPECT_EQ(written(doc), "f3");
  doc["other"] = 1;
  EXPECT_EQ(written(doc), rejected);
  doc = nullptr;
  doc["$tag"] = -1;
  doc["$value"] = 1;
  EXPECT_EQ(written(doc), rejected);
  doc["$tag"] = ~std::uint64_t{0};
  EXPECT_EQ(written(doc), "dbffffffffffffffff01");
  for (const int tag : {2, 55799, 25, 28, 29, 256, 105, 0xe000}) { // tags that no reader produces
    doc["$tag"] = tag;
    EXPECT_EQ(written(doc), rejected) << tag;
  }
  doc["$tag"] = 3;
  doc["$value"] = std::vector<std::byte>(3, std::byte{1});
  EXPECT_EQ(written(doc), "3a00010101");
  doc["$tag"] = 2;
  EXPECT_EQ(written(doc), "1a00010101");
}

TEST(cbor, reals_take_the_fewest_bytes_that_hold_them) {
  using ingot::detail::interchange::half_real;
  using ingot::detail::interchange::single_real;
  for (std::uint32_t half = 0; half <= 0xffff; ++half) {
    const std::uint64_t wide = half_real::widen(half);
    ASSERT_EQ(half_real::narrow(wide), half);
    ASSERT_EQ(half_real::narrow(wide ^ 1), std::nullopt);
    const auto value = std::bit_cast<double>(wide);
    const auto exponent = static_cast<int>(half >> 10 & 31);
    if (exponent == 31) continue;
    const double fraction = half & 1023;
    const double magnitude =
        exponent == 0 ? std::ldexp(fraction, -24) : std::ldexp(1024 + fraction, exponent - 25);
    ASSERT_EQ(value, half >> 15 != 0 ? -magnitude : magnitude);
  }
  dice random(1);
  for (int i = 0; i < 20'000; ++i) {
    const auto bits = static_cast<std::uint32_t>(random());
    const auto single = std::bit_cast<float>(i % 4 == 0 ? bits & 0x807fffff : bits);
    const std::uint64_t wide = single_real::widen(std::bit_cast<std::uint32_t>(single));
    if (single == single) {
      ASSERT_EQ(wide, std::bit_cast<std::uint64_t>(static_cast<double>(single)));
    }
    ASSERT_EQ(single_real::narrow(wide), std::bit_cast<std::uint32_t>(single));
    const auto real = std::bit_cast<double>(wide ^ std::uint64_t{1} << random() % 64);
    if (real == real) {
      ASSERT_EQ(single_real::narrow(std::bit_cast<std::uint64_t>(real)).has_value(),
                std::abs(real) <= 3.4028234663852886e38 || std::abs(real) == HUGE_VAL
                    ? static_cast<double>(static_cast<float>(real)) == real
                    : false);
    }
  }
}

TEST(cbor, integers_of_any_length_come_to_the_nearest_real) {
  using ingot::detail::interchange::nearest_real;
  const auto nearest = [](std::string_view bytes, bool negative = false) {
    return nearest_real(hex(bytes), negative);
  };
  EXPECT_EQ(nearest(""), 0.0);
  EXPECT_EQ(nearest("", true), -1.0);
  EXPECT_EQ(nearest("0000ff"), 255.0);
  EXPECT_EQ(nearest("ffffffffffffffff", true), -0x1p64);
  EXPECT_EQ(nearest("ffffffffffffffffff", true), -0x1p72);
  EXPECT_EQ(nearest("fffffffffffffc0000"), 0x1p72); // 2^72 - 2^18, a tie, goes to the even one
  EXPECT_EQ(nearest("fffffffffffffbffff"), std::nextafter(0x1p72, 0));
  EXPECT_EQ(nearest("01000000000000 0800"), 0x1p64);                           // 2^64 + 2^11, a tie
  EXPECT_EQ(nearest("01000000000000 0801"), std::nextafter(0x1p64, HUGE_VAL)); // and past it
  EXPECT_EQ(nearest("01000000000000 0800", true), -std::nextafter(0x1p64, HUGE_VAL));
  EXPECT_EQ(nearest("01000000000000 07ff", true), -0x1p64);
  EXPECT_EQ(nearest("80000000000000000000"), 0x1p79);
  std::vector<std::byte> wide(128, std::byte{0});
  wide[0] = std::byte{0x80};
  EXPECT_EQ(nearest_real(wide, false), 0x1p1023);
  wide.assign(128, std::byte{0xff});
  EXPECT_EQ(nearest_real(wide, false), HUGE_VAL);
  wide.assign(100'000, std::byte{0xff});
  EXPECT_EQ(nearest_real(wide, true), -HUGE_VAL);
}

} // namespace cbor_test
