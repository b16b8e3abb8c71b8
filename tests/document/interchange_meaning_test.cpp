// SPDX-License-Identifier: Apache-2.0
// Values of MessagePack and CBOR for which documents have no kind, by their meaning: times, sets,
// typed arrays, decimal fractions, references. An error would turn a time in seconds into one in
// nanoseconds, or store an index instead of a value.
#include <ingot/document/cbor.hpp>
#include <ingot/document/msgpack.hpp>
#include <ingot/document/timestamp.hpp>

#include "document/interchange_tools.hpp"

#include <bit>
#include <chrono>
#include <cmath>
#include <complex>
#include <cstdint>
#include <deque>
#include <limits>
#include <map>
#include <optional>
#include <random>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include <gtest/gtest.h>

namespace interchange_meaning_test {

struct stamped {
  std::chrono::sys_time<std::chrono::nanoseconds> at;
  std::optional<std::chrono::sys_seconds> until;
  std::vector<std::chrono::sys_time<std::chrono::milliseconds>> seen;
  bool operator==(const stamped&) const = default;
};

} // namespace interchange_meaning_test
template <>
inline constexpr auto ingot::annotations<interchange_meaning_test::stamped> =
    ingot::annotate(ingot::member<"at">(ingot::as_timestamp), ingot::member<"until">(ingot::as_timestamp),
                    ingot::member<"seen">(ingot::as_timestamp));
namespace interchange_meaning_test {

using namespace interchange_test;
using namespace std::chrono;
using ingot::foreign_values;

constexpr unsupported_values meanings[] = {unsupported_values::plain, unsupported_values::lossy,
                                           unsupported_values::wrap};

ingot::result<document> cbor(std::string_view bytes, unsupported_values how) {
  return ingot::cbor::read_document(hex(bytes), {.unsupported_values = how});
}
ingot::result<document> msgpack(std::string_view bytes, unsupported_values how) {
  return ingot::msgpack::read_document(hex(bytes), {.unsupported_values = how});
}
/// Reads the bytes as a `T` under each of `meanings`. Returns "error: code" if they can't be read,
/// and both results if two results differ.
template <class T, class Show>
std::string as(ingot::result<document> (*read)(std::string_view, unsupported_values), std::string_view bytes,
               const Show& show) {
  std::string agreed;
  for (const auto how : meanings) {
    const auto doc = read(bytes, how);
    if (!doc) return shown(doc);
    const auto value = doc->root().as<T>();
    const std::string one = value ? show(*value) : "error: " + std::string(to_string(value.error().code()));
    if (!agreed.empty() && one != agreed) return agreed + " and " + one;
    agreed = one;
  }
  return agreed;
}
struct event {
  system_clock::time_point at;
};
struct event_count {
  int x;
};
template <class D>
std::string count_of(const D& d) {
  return std::to_string(d.count());
}

TEST(interchange_time, is_read_by_its_meaning) {
  const auto when = [](const event& e) {
    return count_of(duration_cast<milliseconds>(e.at.time_since_epoch()));
  };
  // An earlier reader: 1795 milliseconds
  EXPECT_EQ(as<event>(msgpack, "81a26174d6ff6b0ac240", when), "1795867200000");
  EXPECT_EQ(as<event>(msgpack, "81a26174d7ff773594006553f100", when), "1700000000500");
  EXPECT_EQ(as<event>(msgpack, "81a26174c70cff1dcd6500ffffffffffffffff", when), "-500");
  EXPECT_EQ(as<event>(cbor, "a1626174c11a6553f100", when), "1700000000000");
  EXPECT_EQ(as<event>(cbor, "a1626174c1fb41d954fc40200000", when), "1700000000500");
  EXPECT_EQ(as<event>(cbor, "a1626174c120", when), "-1000");
  EXPECT_EQ(as<event>(cbor, "a1626174c074 '2023-11-14T22:13:20Z'", when), "1700000000000");
  EXPECT_EQ(as<event>(cbor, "a162617474 '2023-11-14T22:13:20Z'", when), "1700000000000");
  EXPECT_EQ(as<event>(cbor, "a1626174d8641a00004cec", when), "1701388800000"); // days
  EXPECT_EQ(as<event>(cbor, "a1626174d903ec6a '2023-12-04'", when), "1701648000000");
  // Whole seconds can't hold half a second, and a text has to be the text of a time.
  const auto seconds_of = [](const sys_seconds& t) { return count_of(t.time_since_epoch()); };
  EXPECT_EQ(as<sys_seconds>(msgpack, "d6ff6553f100", seconds_of), "1700000000");
  EXPECT_EQ(as<sys_seconds>(msgpack, "d7ff773594006553f100", seconds_of), "error: out of range");
  EXPECT_EQ(
      as<sys_days>(cbor, "d8641a00004cec", [](const sys_days& t) { return count_of(t.time_since_epoch()); }),
      "19692");
  EXPECT_EQ(as<sys_seconds>(cbor, "65 'later'", seconds_of), "error: invalid value");
  EXPECT_EQ(as<sys_seconds>(cbor, "64 'PT1S'", seconds_of), "error: wrong type");
  const auto nano = [](const sys_time<nanoseconds>& t) { return count_of(t.time_since_epoch()); };
  EXPECT_EQ(as<sys_time<nanoseconds>>(msgpack, "c70cff00000000ffffffff00000000", nano),
            "-4294967296000000000");
  EXPECT_EQ(as<sys_time<nanoseconds>>(msgpack, "c70cff000000007fffffffffffffff", nano),
            "error: out of range");
}

TEST(interchange_time, is_written_as_a_timestamp_on_request) {
  const stamped sent{sys_time<nanoseconds>(nanoseconds(1'700'000'000'000'000'001)),
                     sys_seconds(seconds(-1)),
                     {sys_time<milliseconds>(milliseconds(500))}};
  const document doc(sent);
  EXPECT_EQ(shown(doc.root()), R"({"at": {"$nanoseconds": 1, "$seconds": 1700000000}, )"
                               R"("seen": [{"$nanoseconds": 500000000, "$seconds": 0}], )"
                               R"("until": {"$nanoseconds": 0, "$seconds": -1}})");
  EXPECT_EQ(doc.root().as<stamped>(), sent);
  const auto packed = ingot::msgpack::write(
      doc, {.order = ingot::member_order::sorted, .unsupported_values = unsupported_values::wrap});
  EXPECT_EQ(hex_of(packed.value()),
            hex_of(hex("83 a2 'at' d7ff000000046553f100 a4 'seen' 91 d7ff7735940000000000"
                       "a5 'until' c70cff00000000ffffffffffffffff")));
  const auto coded = ingot::cbor::write(
      doc, {.order = ingot::member_order::sorted, .unsupported_values = unsupported_values::wrap});
  for (const auto how : meanings) {
    EXPECT_EQ(ingot::msgpack::read_document(*packed, {.unsupported_values = how})->root().as<stamped>(),
              sent);
    EXPECT_EQ(ingot::cbor::read_document(*coded, {.unsupported_values = how})->root().as<stamped>(), sent);
  }
  document one;
  one["at"] = ingot::timestamp(sent.at);
  EXPECT_EQ(one["at"].as<sys_time<nanoseconds>>(), sent.at);
  EXPECT_EQ(hex_of(ingot::msgpack::write(one, {.unsupported_values = unsupported_values::wrap}).value()),
            "81a26174d7ff000000046553f100");
  using pico = sys_time<duration<std::int64_t, std::pico>>;
  const auto rejected = one["at"].set(ingot::timestamp(pico(duration<std::int64_t, std::pico>(1))));
  EXPECT_FALSE(rejected);
  EXPECT_EQ(one["at"].as<sys_time<nanoseconds>>(), sent.at);
}

TEST(interchange_time, is_no_time_of_a_clock_without_dates) {
  const auto doc = msgpack("d6ff6553f100", unsupported_values::plain).value();
  const auto rejected = doc.root().as<steady_clock::time_point>();
  ASSERT_FALSE(rejected);
  EXPECT_EQ(rejected.error().code(), errc::type_mismatch);
  EXPECT_EQ(document(5).root().as<steady_clock::time_point>().value().time_since_epoch().count(), 5);
}

TEST(interchange_time, reads_into_durations) {
  EXPECT_EQ(as<nanoseconds>(msgpack, "d7ff773594006553f100", count_of<nanoseconds>), "1700000000500000000");
  EXPECT_EQ(as<milliseconds>(cbor, "67 'PT1.25S'", count_of<milliseconds>), "1250");
  EXPECT_EQ(as<hours>(cbor, "65 '-P1DT'", count_of<hours>), "error: invalid value");
  EXPECT_EQ(as<hours>(cbor, "64 '-P1D'", count_of<hours>), "-24");
  EXPECT_EQ(as<seconds>(cbor, "67 'PT1.25S'", count_of<seconds>), "error: out of range");
  EXPECT_EQ(as<duration<double>>(cbor, "67 'PT1.25S'", count_of<duration<double>>), "1.250000");
}

TEST(interchange_time, as_text_keeps_what_it_was) {
  EXPECT_EQ(shown(cbor("c11a6553f100", unsupported_values::plain)), R"("2023-11-14T22:13:20Z")");
  EXPECT_EQ(shown(cbor("c1fb41d954fc4007e6b4", unsupported_values::plain)),
            R"("2023-11-14T22:13:20.123456Z")");
  EXPECT_EQ(shown(cbor("d86439ffff", unsupported_values::lossy)), R"("1790-07-27")");
  EXPECT_EQ(shown(cbor("c1 f97e00", unsupported_values::lossy)), "error: out of range at 0");
  EXPECT_EQ(shown(cbor("c1 1bffffffffffffffff", unsupported_values::lossy)), "error: out of range at 0");
  EXPECT_EQ(shown(cbor("c1 61 'x'", unsupported_values::lossy)), "error: wrong type at 0");
  EXPECT_EQ(shown(cbor("c0 01", unsupported_values::plain)), "error: wrong type at 0");
  EXPECT_EQ(shown(cbor("d864 3b7fffffffffffffff", unsupported_values::lossy)), "error: out of range at 0");
}

std::string ints(const std::vector<std::int64_t>& of) {
  std::string joined;
  for (const auto each : of) joined += std::to_string(each) + " ";
  return joined;
}
std::string reals(const std::vector<double>& of) {
  std::string joined;
  for (const auto each : of) joined += std::to_string(each) + " ";
  return joined;
}

TEST(interchange_arrays, of_sets_and_typed_arrays_are_arrays) {
  EXPECT_EQ(as<std::vector<float>>(cbor, "d855480000803f0000003f",
                                   [](const std::vector<float>& v) { return reals({v.begin(), v.end()}); }),
            "1.000000 0.500000 ");
  EXPECT_EQ(as<std::vector<std::int64_t>>(cbor, "d9010283010203", ints), "1 2 3 ");
  EXPECT_EQ(
      (as<std::set<int>>(cbor, "d9010283010203", [](const auto& s) { return std::to_string(s.size()); })),
      "3");
  EXPECT_EQ((as<std::array<int, 2>>(cbor, "d84142ffff", [](const auto&) { return std::string(); })),
            "error: bad length");
  EXPECT_EQ((as<std::array<int, 1>>(cbor, "d84142ffff", [](const auto& a) { return std::to_string(a[0]); })),
            "65535");
  EXPECT_EQ((as<std::deque<bool>>(cbor, "d84041 01", [](const auto&) { return std::string(); })),
            "error: wrong type");
  const std::pair<const char*, const char*> integers[] = {
      {"d840 42 01ff", "1 255 "},
      {"d844 42 01ff", "1 255 "}, // clamped
      {"d848 42 01ff", "1 -1 "},
      {"d841 44 0001ff00", "1 65280 "},
      {"d845 44 010000ff", "1 65280 "},
      {"d849 44 0001ff00", "1 -256 "},
      {"d84d 44 010000ff", "1 -256 "},
      {"d842 48 00000001ffffffff", "1 4294967295 "},
      {"d84a 48 00000001ffffffff", "1 -1 "},
      {"d84e 48 01000000feffffff", "1 -2 "},
      {"d84b 50 0000000000000001ffffffffffffffff", "1 -1 "},
      {"d84f 50 0100000000000000feffffffffffffff", "1 -2 "},
      {"d847 48 0100000000000000", "1 "},
      {"d843 48 ffffffffffffffff", "error: out of range"},
      {"d840 40", ""},
  };
  for (const auto& [bytes, shown_as] : integers)
    EXPECT_EQ(as<std::vector<std::int64_t>>(cbor, bytes, ints), shown_as) << bytes;
  const std::pair<const char*, const char*> numbers[] = {
      {"d850 44 3c00c000", "1.000000 -2.000000 "}, {"d854 44 003c00c0", "1.000000 -2.000000 "},
      {"d851 44 3fc00000", "1.500000 "},           {"d852 48 3ff8000000000000", "1.500000 "},
      {"d856 48 000000000000f83f", "1.500000 "},
  };
  for (const auto& [bytes, shown_as] : numbers)
    EXPECT_EQ(as<std::vector<double>>(cbor, bytes, reals), shown_as) << bytes;
  // A reserved type, 128 bits, a length that is not a multiple, and content that isn't bytes.
  EXPECT_EQ(shown(cbor("d84c4100", unsupported_values::plain)), "error: wrong type at 0");
  EXPECT_EQ(shown(cbor("d8534100", unsupported_values::plain)), "error: wrong type at 0");
  EXPECT_EQ(shown(cbor("81d84143010203", unsupported_values::plain)), "error: bad length at 1 in [0]");
  EXPECT_EQ(shown(cbor("d84180", unsupported_values::plain)), "error: wrong type at 0");
  EXPECT_EQ(shown(cbor("d90102a0", unsupported_values::plain)), "error: wrong type at 0");
  const auto wrapped = cbor("d84143010203", unsupported_values::wrap);
  EXPECT_EQ(wrapped->root().as<std::vector<int>>().error().code(), errc::bad_length);
}

// A document that was read in this way and written is read as the same document.
TEST(interchange_arrays, whole_reals_in_typed_arrays_are_integers_on_request) {
  const auto read = [](std::string_view bytes) {
    return shown(ingot::cbor::read_document(hex(bytes), {.unsupported_values = unsupported_values::plain,
                                                         .whole_reals = ingot::whole_reals::integers}));
  };
  EXPECT_EQ(read("d855480000803f0000003f"), "[1, 0.5]");
  EXPECT_EQ(read("82 f93c00 d85044 3c008000"), "[1, [1, -0.0]]");
}

TEST(interchange_numbers, of_decimals_and_big_integers_are_numbers) {
  const auto real = [](double d) { return std::to_string(d); };
  const auto integer = [](std::int64_t i) { return std::to_string(i); };
  const auto natural = [](std::uint64_t i) { return std::to_string(i); };
  EXPECT_EQ(as<double>(cbor, "c48221196ab3", real), "273.150000");
  EXPECT_EQ(as<double>(cbor, "c48220396ab3", real), "-2731.600000");
  EXPECT_EQ(as<std::int64_t>(cbor, "c4820203", integer), "300");
  EXPECT_EQ(as<std::int64_t>(cbor, "c482211903e8", integer), "10");
  EXPECT_FALSE(cbor("c48221196ab3", unsupported_values::plain)->root().as<std::int64_t>());
  EXPECT_FALSE(cbor("c48221196ab3", unsupported_values::wrap)->root().as<std::int64_t>());
  EXPECT_FALSE(cbor("c5822003", unsupported_values::wrap)->root().as<std::int64_t>()); // 1.5
  EXPECT_EQ(as<double>(cbor, "c5822003", real), "1.500000");
  EXPECT_EQ(as<std::int64_t>(cbor, "c5820203", integer), "12");
  EXPECT_EQ(as<std::uint64_t>(cbor, "c248ffffffffffffffff", natural), "18446744073709551615");
  EXPECT_EQ(as<std::uint64_t>(cbor, "c48200c248ffffffffffffffff", natural), "18446744073709551615");
  EXPECT_EQ(as<std::int64_t>(cbor, "c48200c3487fffffffffffffff", integer), "-9223372036854775808");
  EXPECT_EQ(as<double>(cbor, "c4820000", real), "0.000000");
  // 10^20 with an exponent of -20. With more than 15 digits a fraction is not exactly a double.
  EXPECT_EQ(as<std::int64_t>(cbor, "c48233c249056bc75e2d63100000", integer), "1");
  EXPECT_EQ(shown(cbor("c482201b000462d53c8abac1", unsupported_values::plain)), "error: out of range at 0");
  EXPECT_EQ(shown(cbor("c482201b000462d53c8abac1", unsupported_values::lossy)),
            "123456789012345.7"); // from 1234567890123457e-1
  // 10^4000
  EXPECT_EQ(shown(cbor("c482190fa001", unsupported_values::lossy)), "error: out of range at 0");
  EXPECT_EQ(shown(cbor("c4821bffffffffffffffff01", unsupported_values::lossy)), "error: out of range at 0");
  EXPECT_EQ(shown(cbor("c483010203", unsupported_values::plain)), "error: wrong type at 0");
  EXPECT_EQ(shown(cbor("c482f503", unsupported_values::plain)), "error: wrong type at 0");
  EXPECT_EQ(shown(cbor("c49f0203ff", unsupported_values::plain)), "error: wrong type at 0");
  EXPECT_EQ(cbor("c249010000000000000000", unsupported_values::wrap)->root().as<double>(), 0x1p64);
  EXPECT_EQ(
      cbor("c249010000000000000000", unsupported_values::wrap)->root().as<std::uint64_t>().error().code(),
      errc::out_of_range);
  EXPECT_EQ(cbor("d82001", unsupported_values::wrap)->root().as<int>().error().code(), errc::type_mismatch);
}

TEST(interchange_plain, rejects_what_has_no_form) {
  for (const char* bytes :
       {"f7", "e0", "f8ff", "c249010000000000000000", "3bffffffffffffffff", "d82000", "d818 4101"})
    EXPECT_FALSE(cbor(bytes, unsupported_values::plain)) << bytes;
  EXPECT_EQ(shown(msgpack("d40501", unsupported_values::plain)), "error: wrong type at 0");
  EXPECT_EQ(shown(cbor("a2 64 '$tag' 01 66 '$value' 02", unsupported_values::plain)),
            R"({"$tag": 1, "$value": 2})");
}

TEST(cbor_references, are_followed) {
  for (const auto how : meanings) {
    // Bytes that cbor2 writes for `[{"x": 1}, the same]`. An earlier reader stored an index instead
    // of the value.
    EXPECT_EQ(shown(cbor("d81c82d81ca1617801d81d01", how)), R"([{"x": 1}, {"x": 1}])");
    // Strings in a namespace, as keys and as values.
    EXPECT_EQ(
        shown(cbor("d9010083a3 64 'rank' 04 65 'count' 19 01a1 64 'name' 68 'Cocktail'"
                   "a3 d81902 64 'Bath' d81901 19 0138 d81900 04"
                   "a3 d81902 64 'Food' d81901 19 02b3 d81900 04",
                   how)),
        R"([{"count": 417, "name": "Cocktail", "rank": 4}, {"count": 312, "name": "Bath", "rank": 4}, {"count": 691, "name": "Food", "rank": 4}])");
    // Bytes, and short strings that get no index.
    EXPECT_EQ(shown(cbor("d9010084 62 'ab' 43 010203 d81900 63 'abc'", how)),
              R"(["ab", h'010203', h'010203', "abc"])");
    EXPECT_EQ(shown(cbor("d9010083 7f 63 'abc' ff 63 'xyz' d81900", how)), R"(["abc", "xyz", "xyz"])");
    // Shared values in shared values, in a namespace that stays the same.
    EXPECT_EQ(shown(cbor("82 d90100 82 63 'abc' d81c 81 d81900 d81d00", how)),
              R"([["abc", ["abc"]], ["abc"]])");
    EXPECT_EQ(shown(cbor("83 d81c d90100 82 63 'abc' d81900 d81d00 d81d00", how)),
              R"([["abc", "abc"], ["abc", "abc"], ["abc", "abc"]])");
    EXPECT_EQ(shown(cbor("82 d81c 07 82 d81d00 d81c d81d00", how)), "[7, [7, 7]]");
    EXPECT_EQ(shown(cbor("9f d81c 9f 01 ff d81d00 ff", how)), "[[1], [1]]");
  }
}

// Bytes that cbor2 writes for sets and decimals with value_sharing=True, and other encoders for
// anything that they share: the tag of references is between another tag and its content. An
// earlier reader rejected it.
TEST(cbor_references, between_a_tag_and_its_content_are_followed) {
  const auto seconds_of = [](const sys_seconds& t) { return count_of(t.time_since_epoch()); };
  const auto real = [](double d) { return std::to_string(d); };
  using lists = std::vector<std::vector<std::int64_t>>;
  const auto all = [](const lists& of) {
    std::string joined;
    for (const auto& each : of) joined += ints(each) + "/ ";
    return joined;
  };
  EXPECT_EQ(as<lists>(cbor, "81d90102d81c820102", all), "1 2 / ");
  EXPECT_EQ(as<std::vector<double>>(cbor, "81c4d81c8221196ab3", reals), "273.150000 ");
  EXPECT_EQ(as<lists>(cbor, "82d90102d81c820102d90102d81d00", all), "1 2 / 1 2 / ");
  EXPECT_EQ(as<lists>(cbor, "82d81c820102d90102d81d00", all), "1 2 / 1 2 / ");
  EXPECT_EQ(as<std::vector<double>>(cbor, "82c4d81c8221196ab3c4d81d00", reals), "273.150000 273.150000 ");
  EXPECT_EQ(as<std::vector<double>>(cbor, "82c5d81c822003c5d81d00", reals), "1.500000 1.500000 ");
  // References in the parts of a fraction, and after the tag of a big integer in a fraction.
  EXPECT_EQ(as<double>(cbor, "c4 82 d81c 21 d81c 196ab3", real), "273.150000");
  EXPECT_EQ(as<std::vector<double>>(cbor, "82 c4 82 d81c 21 19012c c4 82 d81d00 19012c", reals),
            "3.000000 3.000000 ");
  EXPECT_EQ(as<double>(cbor, "c4 82 21 d81c c2 d81c 42 6ab3", real), "273.150000");
  EXPECT_EQ(as<double>(cbor, "d81c c4 d81c d81c 82 21 d81c d81c 196ab3", real), "273.150000");
  EXPECT_EQ(as<std::vector<std::int64_t>>(cbor, "82 c2 d81c 42 0100 c2 d81d00", ints), "256 256 ");
  EXPECT_EQ(as<std::vector<std::int64_t>>(cbor, "82 c3 d81c 42 0100 c3 d81d00", ints), "-257 -257 ");
  // Times, and a text in a namespace of its own.
  EXPECT_EQ(as<sys_seconds>(cbor, "c1 d81c 1a6553f100", seconds_of), "1700000000");
  EXPECT_EQ(as<sys_seconds>(cbor, "c0 d81c 74 '2023-11-14T22:13:20Z'", seconds_of), "1700000000");
  EXPECT_EQ(as<sys_seconds>(cbor, "c0 d90100 74 '2023-11-14T22:13:20Z'", seconds_of), "1700000000");
  EXPECT_EQ(as<sys_seconds>(cbor, "d903ec d81c 6a '2023-12-04'", seconds_of), "1701648000");
  EXPECT_EQ(as<sys_seconds>(cbor, "d864 d81c 194cec", seconds_of), "1701388800");
  using times = std::vector<sys_seconds>;
  const auto two = [&](const times& t) { return seconds_of(t.at(0)) + " " + seconds_of(t.at(1)); };
  EXPECT_EQ(as<times>(cbor, "82 c1 d81c 1a6553f100 c1 d81d00", two), "1700000000 1700000000");
  EXPECT_EQ(as<times>(cbor, "d90100 82 c0 d81c 74 '2023-11-14T22:13:20Z' c0 d81900", two),
            "1700000000 1700000000");
  EXPECT_EQ(as<times>(cbor, "d90100 82 c0 74 '2023-11-14T22:13:20Z' c0 d81c d81900", two),
            "1700000000 1700000000");
  EXPECT_EQ(as<lists>(cbor, "82 d840 d81c 42 01ff d840 d81d00", all), "1 255 / 1 255 / ");
  EXPECT_EQ(as<std::vector<std::int64_t>>(cbor, "d855 d81c 44 0000803f", ints), "error: wrong type");
  // Reference tags around both tags, and nested ones.
  EXPECT_EQ(as<lists>(cbor, "82 d81c d90102 d81c 81 05 d81d00", all), "5 / 5 / ");
  EXPECT_EQ(as<lists>(cbor, "82 d90102 d90100 d81c 81 05 d90102 d81d00", all), "5 / 5 / ");
  EXPECT_EQ(as<lists>(cbor, "9f d90102 d81c 9f 05 ff d90102 d81d00 ff", all), "5 / 5 / ");
  for (const auto how : {unsupported_values::plain, unsupported_values::lossy}) {
    EXPECT_EQ(shown(cbor("82 d90102 d81c 82 01 d90102 d81d00 00", how)),
              "error: unsupported at 8 in [0][1]"); // a reference to its own container
    EXPECT_EQ(shown(cbor("81 d90102 d81c 05", how)), "error: wrong type at 1 in [0]");
    EXPECT_EQ(shown(cbor("81 d90102 d81d00", how)), "error: invalid value at 1 in [0]");
    EXPECT_EQ(shown(cbor("81 c4 d81c 82 21 d81c 61 'x'", how)), "error: wrong type at 1 in [0]");
    EXPECT_EQ(shown(cbor("81 c4 d81c 82 21", how)), "error: truncated at 6 in [0]");
    EXPECT_EQ(shown(cbor("81 c2 d81c 01", how)), "error: wrong type at 1 in [0]");
  }
  EXPECT_EQ(shown(cbor("c2 d81c 41 01", unsupported_values::reject)), "error: wrong type at 0");
  // A long sequence of tags between a tag and its content.
  std::vector<std::byte> tags(200'000, std::byte{0xd8});
  tags[0] = std::byte{0xc1};
  for (std::size_t i = 2; i < tags.size(); i += 2) tags[i] = std::byte{0x1c};
  EXPECT_EQ(
      ingot::cbor::read_document(tags, {.unsupported_values = unsupported_values::plain}).error().code(),
      errc::too_deep);
}

// cbor-x writes a Map as tag 259 and a map, and plain objects without a tag.
TEST(cbor_map_tag, is_read_as_a_map) {
  const auto with_keys = [](std::string_view bytes, unsupported_values how) {
    return ingot::cbor::read_document(hex(bytes),
                                      {.unsupported_values = how, .non_text_keys = non_text_keys::as_text});
  };
  // new Map([[1, 2], ['a', {b: 1}]])
  const std::string_view written = "d90103a201026161b90001616201";
  for (const auto how : {unsupported_values::plain, unsupported_values::lossy}) {
    EXPECT_EQ(shown(with_keys(written, how)), R"({"1": 2, "a": {"b": 1}})");
    EXPECT_EQ(shown(with_keys("d90103 a5 01 00 20 00 f5 00 f6 00 fb3ff8000000000000 00", how)),
              R"({"-1": 0, "1": 0, "1.5": 0, "null": 0, "true": 0})");
    EXPECT_EQ(shown(cbor("a161 'm' d90103 a0", how)), R"({"m": {}})");
    EXPECT_EQ(shown(cbor("d90103 80", how)), "error: wrong type at 0");
    EXPECT_EQ(shown(with_keys("d90103 a2 01 00 61 '1' 00", how)), "error: duplicate key at 8");
    EXPECT_EQ(shown(cbor("82 d81c d90103 d81c a161 'x' 01 d81d00", how)), R"([{"x": 1}, {"x": 1}])");
  }
  const auto rejected = cbor(written, unsupported_values::plain);
  ASSERT_FALSE(rejected);
  EXPECT_NE(rejected.error().message().find("see non_text_keys"), std::string::npos);
  EXPECT_EQ(shown(with_keys("d90103a10102", unsupported_values::wrap)),
            R"({"$tag": 259, "$value": {"1": 2}})");
  // By type, with every option.
  using numbers = std::map<int, int>;
  for (const auto how : meanings) {
    const auto doc = with_keys("d90103a10102", how);
    EXPECT_EQ(doc.value().root().as<numbers>(), (numbers{{1, 2}}));
    const auto labels = cbor("d90103 a161 'x' 01", how);
    EXPECT_EQ(labels.value().root().as<event_count>().value().x, 1);
  }
  const auto twice = cbor("d90103 d90103 a161 'x' 01", unsupported_values::wrap);
  EXPECT_EQ(twice.value().root().as<event_count>().error().code(), errc::missing_member);
  EXPECT_EQ((twice->root().as<std::map<std::string, int>>().error().code()), errc::type_mismatch);
  const auto wrapped = with_keys("d90103a10102", unsupported_values::wrap).value();
  EXPECT_EQ(hex_of(ingot::cbor::write(wrapped, {.unsupported_values = unsupported_values::wrap,
                                                .integer_keys = ingot::integer_keys::integers})
                       .value()),
            "d90103a10102");
  EXPECT_EQ(hex_of(ingot::msgpack::write(wrapped, {.unsupported_values = unsupported_values::wrap,
                                                   .integer_keys = ingot::integer_keys::integers})
                       .value()),
            "810102");
}

TEST(cbor_references, that_lead_nowhere_are_rejected) {
  for (const auto how : meanings) {
    EXPECT_EQ(shown(cbor("d81d00", how)), "error: invalid value at 0");
    EXPECT_EQ(shown(cbor("82d81c01d81d01", how)), "error: invalid value at 4 in [1]");
    EXPECT_EQ(shown(cbor("d81900", how)), "error: invalid value at 0");
    EXPECT_EQ(shown(cbor("d90100 d81900", how)), "error: invalid value at 0");
    EXPECT_EQ(shown(cbor("d90100 82 63 'abc' d8191bffffffffffffffff", how)),
              "error: invalid value at 8 in [1]");
    // An array in itself
    EXPECT_EQ(shown(cbor("d81c81d81d00", how)), "error: unsupported at 3 in [0]");
    EXPECT_EQ(shown(cbor("d81cd81d00", how)), "error: unsupported at 0");
    EXPECT_EQ(shown(cbor("d90100 d90100 01", how)), "error: unsupported at 0");
    // The namespace has ended
    EXPECT_EQ(shown(cbor("82 d90100 63 'abc' d81900", how)), "error: invalid value at 8 in [1]");
    EXPECT_EQ(shown(cbor("81d81d20", how)), "error: wrong type at 1 in [0]");
    EXPECT_EQ(shown(cbor("81 d8196161", how)), "error: wrong type at 1 in [0]");
    EXPECT_EQ(shown(cbor("a1 d81c 6161 00", how)), "error: wrong type at 1");
    EXPECT_EQ(shown(cbor("d81c", how)), "error: truncated at 2");
    EXPECT_EQ(shown(cbor("d81cff", how)), "error: bad tag at 0");
    // cbor-x's records
    EXPECT_EQ(shown(cbor("d869 82 18ff 81 61 'a'", how)), "error: unsupported at 0");
  }
  EXPECT_EQ(shown(cbor("d81c01", unsupported_values::reject)), "error: wrong type at 0");
  // The deterministic encoding has equal bytes for equal values: references are rejected.
  for (const char* bytes : {"d81c01", "d9010001", "82d81c01d81d00"})
    EXPECT_EQ(ingot::cbor::read_document(hex(bytes), {.unsupported_values = unsupported_values::wrap,
                                                      .encoding = ingot::cbor::encoding::deterministic})
                  .error()
                  .code(),
              errc::not_canonical);
}

TEST(cbor_references, are_bounded) {
  // Each array holds the previous one twice: 2^n copies of the first from 8 bytes per step.
  std::string bytes = "9820 d81c8100";
  for (int i = 0; i < 31; ++i) {
    const std::string number = i < 24 ? "" : "18";
    char index[3];
    std::snprintf(index, sizeof index, "%02x", i);
    bytes += "d81c82d81d" + number + index + "d81d" + number + index;
  }
  for (const auto how : meanings) {
    const auto read = cbor(bytes, how);
    ASSERT_FALSE(read);
    EXPECT_TRUE(read.error().code() == errc::too_large || read.error().code() == errc::no_space)
        << read.error().message();
    const auto limited =
        ingot::cbor::read_document(hex(bytes), {.unsupported_values = how, .max_repeated = 1000});
    EXPECT_EQ(limited.error().code(), errc::too_large);
  }
  // A long string, many times.
  std::string often = "d90100 9f 59 0400" + std::string(2048, '0');
  for (int i = 0; i < 100; ++i) often += "d81900";
  often += "ff";
  EXPECT_TRUE(ingot::cbor::read_document(
      hex(often), {.unsupported_values = unsupported_values::lossy, .max_repeated = 104'000}));
  EXPECT_EQ(ingot::cbor::read_document(
                hex(often), {.unsupported_values = unsupported_values::lossy, .max_repeated = 103'999})
                .error()
                .code(),
            errc::too_large);
  // Nested tags, without a container.
  std::vector<std::byte> tags(200'000, std::byte{0xd8});
  for (std::size_t i = 1; i < tags.size(); i += 2) tags[i] = std::byte{0x1c};
  tags.push_back(std::byte{0});
  EXPECT_EQ(
      ingot::cbor::read_document(tags, {.unsupported_values = unsupported_values::lossy}).error().code(),
      errc::too_deep);
  // The depth of a shared value counts at each reference to it.
  const auto nested = [](int levels, std::string_view inner) {
    std::string tagged;
    for (int i = 0; i < levels; ++i) tagged += "81";
    return tagged + std::string(inner);
  };
  EXPECT_TRUE(cbor("82 d81c" + nested(60, "00") + nested(67, "d81d00"), unsupported_values::lossy));
  EXPECT_EQ(
      cbor("82 d81c" + nested(60, "00") + nested(68, "d81d00"), unsupported_values::lossy).error().code(),
      errc::too_deep);
}

/// Returns the code, what was expected and what was found.
std::string why(const ingot::result<document>& read) {
  if (read) return shown(read->root());
  return std::string(to_string(read.error().code())) + ": " + std::string(read.error().expected()) + ": " +
         std::string(read.error().found());
}

// Bytes that msgpackr 2.1.4 wrote, with structuredClone, moreTypes and bundleStrings.
TEST(msgpackr, sets_are_arrays_and_what_else_it_has_is_named) {
  EXPECT_EQ(shown(msgpack("91d47300920102", unsupported_values::plain)), "[[1, 2]]");
  EXPECT_EQ(shown(msgpack("91d47300920102", unsupported_values::lossy)), "[[1, 2]]");
  EXPECT_EQ(shown(msgpack("91d47300920102", unsupported_values::wrap)),
            R"([{"$ext": 115, "$value": [1, 2]}])");
  EXPECT_EQ(as<std::vector<std::int64_t>>(msgpack, "d47300920102", ints), "1 2 ");
  EXPECT_EQ(
      (as<std::set<int>>(msgpack, "d47300920102", [](const auto& s) { return std::to_string(s.size()); })),
      "2");
  EXPECT_EQ(shown(msgpack("92d47300dc000105d4730090", unsupported_values::plain)), "[[5], []]");
  EXPECT_EQ(why(msgpack("d47300920102", unsupported_values::reject)),
            "wrong type: no extension types: see unsupported_values: 115, of msgpackr a set");
  EXPECT_EQ(why(msgpack("92d473000102", unsupported_values::plain)),
            "wrong type: no extension types: see unsupported_values: 115, of msgpackr a set");
  EXPECT_EQ(why(msgpack("92d4730105", unsupported_values::plain)),
            "wrong type: no extension types: see unsupported_values: 115");
  // An error object and a regular expression.
  const std::string_view error = "91d4650093a9547970654572726f72a3626164d40000";
  EXPECT_EQ(shown(msgpack(error, unsupported_values::lossy)), R"([["TypeError", "bad", null]])");
  EXPECT_EQ(shown(msgpack(error, unsupported_values::wrap)),
            R"([{"$ext": 101, "$value": ["TypeError", "bad", {"$ext": 0, "$value": h'00'}]}])");
  EXPECT_EQ(why(msgpack(error, unsupported_values::plain)),
            "wrong type: no extension types: see unsupported_values: 101, of msgpackr an error");
  EXPECT_EQ(shown(msgpack("91d4780092a2612ba167", unsupported_values::lossy)), R"([["a+", "g"]])");
  EXPECT_EQ(why(msgpack("91d4780092a2612ba167", unsupported_values::plain)),
            "wrong type: no extension types: see unsupported_values: 120, of msgpackr a regular expression");
  // `undefined`, handled by the option for CBOR's `undefined`.
  EXPECT_EQ(why(msgpack("91d40000", unsupported_values::plain)),
            "wrong type: no `undefined`: see unsupported_values: 0, of msgpackr `undefined`");
  EXPECT_EQ(shown(msgpack("91d40000", unsupported_values::lossy)), "[null]");
  EXPECT_EQ(shown(msgpack("91d40001", unsupported_values::lossy)), "[h'01']");
  // Extensions without a meaning here, in every position.
  const std::string_view shared = "92d66900000001de0001a17801d67000000001";
  EXPECT_EQ(why(msgpack(shared, unsupported_values::plain)),
            "wrong type: no extension types: see unsupported_values: 105, of msgpackr a shared value: "
            "structuredClone: false");
  EXPECT_EQ(why(msgpack(shared, unsupported_values::lossy)),
            "trailing bytes: one value: a value after extension 105: see structuredClone of msgpackr");
  EXPECT_EQ(why(msgpack("82 a161 d66900000001 81a17801 a162 05", unsupported_values::wrap)),
            "wrong type: a key that is text: see non_text_keys: a value after extension 105: see "
            "structuredClone of msgpackr");
  EXPECT_EQ(why(msgpack("d67000000001", unsupported_values::plain)),
            "wrong type: no extension types: see unsupported_values: 112, of msgpackr a reference: "
            "structuredClone: false");
  // From another encoder
  EXPECT_EQ(shown(msgpack("92d6690000000105", unsupported_values::lossy)), "[h'00000001', 5]");
  const std::string_view bundled =
      "92d66200000008c111c111a0d92268656c6c6f20746865726520776f726c6468656c6c6f20746865726520776f726c64";
  EXPECT_EQ(why(msgpack(bundled, unsupported_values::plain)),
            "wrong type: no extension types: see unsupported_values: 98, of msgpackr bundled strings: "
            "bundleStrings: false");
  EXPECT_EQ(why(msgpack(bundled, unsupported_values::wrap)),
            "bad tag: a byte that begins a value; msgpackr has 193 with bundleStrings: true: 193");
  EXPECT_EQ(
      why(msgpack("81 d66200000008 c1", unsupported_values::wrap)),
      "wrong type: a key that is text: see non_text_keys: 98, of msgpackr bundled strings: bundleStrings: "
      "false");
  EXPECT_EQ(why(msgpack("91c70974070000803f00002040", unsupported_values::plain)),
            "wrong type: no extension types: see unsupported_values: 116, of msgpackr a typed array: "
            "moreTypes: false");
  EXPECT_EQ(why(msgpack("91d84200000000000000400000000000000000", unsupported_values::plain)),
            "wrong type: no extension types: see unsupported_values: 66, of msgpackr a big integer");
}

TEST(msgpackr, sets_come_back_as_sets) {
  const auto again = [](std::string_view bytes) {
    const auto doc = msgpack(bytes, unsupported_values::wrap);
    if (!doc) return shown(doc);
    const auto written = ingot::msgpack::write(*doc, {.unsupported_values = unsupported_values::wrap});
    return written ? hex_of(*written) : "error: " + std::string(written.error().expected());
  };
  for (const char* bytes : {"91d47300920102", "91d4650093a9547970654572726f72a3626164d40000",
                            "91d4780092a2612ba167", "92d4730005", "92d47301920102", "92d47300d4730090"})
    EXPECT_EQ(again(bytes), bytes) << bytes;
  // A document that would have an array right after such an extension when it is written.
  document one;
  one["$ext"] = 's';
  one["$value"] = std::vector<std::byte>(1);
  document lists(std::vector<std::vector<document>>{{one}, {document(1)}});
  const auto rejected = ingot::msgpack::write(lists, {.unsupported_values = unsupported_values::wrap});
  ASSERT_FALSE(rejected);
  EXPECT_EQ(rejected.error().code(), errc::unsupported);
  EXPECT_EQ(rejected.error().path(), "[1]");
  one["$value"] = std::vector<std::byte>(1, std::byte{1});
  EXPECT_TRUE(ingot::msgpack::write(document(std::vector<std::vector<document>>{{one}, {document(1)}}),
                                    {.unsupported_values = unsupported_values::wrap}));
}

TEST(cbor_x, advice_is_the_option_that_helps) {
  // Written with pack: true, bundleStrings: true, and records.
  EXPECT_EQ(
      why(cbor("d83384817168656c6c6f20746865726520776f726c64808082e0e0", unsupported_values::plain)),
      "unsupported: values that refer to no others: write them with pack: false: a packed value of cbor-x");
  EXPECT_EQ(
      why(cbor("82d9dff9821a00000009cf11cf1160782268656c6c6f", unsupported_values::plain)),
      "unsupported: text where it belongs: write it with bundleStrings: false: bundled strings of cbor-x");
  EXPECT_EQ(why(cbor("82d9dfff8319e00081617801d9e0008101", unsupported_values::wrap)),
            "unsupported: values that refer to no others: write them with useRecords: false: "
            "a record or packed value of cbor-x");
}

TEST(interchange_between, formats_values_keep_their_meaning) {
  const auto to_cbor = [](std::string_view bytes, foreign_values how = foreign_values::reject) {
    const auto doc = msgpack(bytes, unsupported_values::wrap);
    if (!doc) return shown(doc);
    const auto written = ingot::cbor::write(*doc, {.order = ingot::member_order::sorted,
                                                   .unsupported_values = unsupported_values::wrap,
                                                   .foreign = how});
    return written ? hex_of(*written)
                   : "error: " + std::string(to_string(written.error().code())) + " in " +
                         std::string(written.error().path());
  };
  const auto to_msgpack = [](std::string_view bytes, foreign_values how = foreign_values::reject) {
    const auto doc = cbor(bytes, unsupported_values::wrap);
    if (!doc) return shown(doc);
    const auto written = ingot::msgpack::write(*doc, {.order = ingot::member_order::sorted,
                                                      .unsupported_values = unsupported_values::wrap,
                                                      .foreign = how});
    return written ? hex_of(*written)
                   : "error: " + std::string(to_string(written.error().code())) + " in " +
                         std::string(written.error().path());
  };
  EXPECT_EQ(to_cbor("d6ff6553f100"), "c11a6553f100");
  EXPECT_EQ(to_cbor("d7ff773594006553f100"), "c1fb41d954fc40200000");
  EXPECT_EQ(to_cbor("c70cff1dcd6500ffffffffffffffff"), "c1f9b800"); // half a second before 1970
  EXPECT_EQ(to_cbor("d7ff000000046553f100"), hex_of(hex("c0781e '2023-11-14T22:13:20.000000001Z'")));
  EXPECT_EQ(to_cbor("c70cff00000001 7fffffffffffffff"), "error: out of range in ");
  EXPECT_EQ(to_cbor("81a161d40501"), "error: unsupported in a");
  EXPECT_EQ(to_cbor("81a161d40501", foreign_values::lossy), "a161614101");
  EXPECT_EQ(to_cbor("81 a4 '$tag' 01"), hex_of(hex("a1 64 '$tag' 01")));
  EXPECT_EQ(to_cbor("91d47300920102"), "81d90102820102");
  EXPECT_EQ(to_cbor("91d4780092a2612ba167"), "error: unsupported in [0]");
  EXPECT_EQ(to_cbor("91d4780092a2612ba167", foreign_values::lossy), "818262612b6167");
  EXPECT_EQ(to_cbor("91d40000"), "error: unsupported in [0]");
  EXPECT_EQ(to_cbor("91d40000", foreign_values::lossy), "81f7");
  EXPECT_EQ(to_msgpack("c11a6553f100"), "d6ff6553f100");
  EXPECT_EQ(to_msgpack("c1fb41d954fc40200000"), "d7ff773594006553f100");
  EXPECT_EQ(to_msgpack("c0781e '2023-11-14T22:13:20.000000001Z'"), "d7ff000000046553f100");
  EXPECT_EQ(to_msgpack("c065 'later'"), "error: invalid value in ");
  EXPECT_EQ(to_msgpack("d8641a00004cec"), "d6ff65692200");
  EXPECT_EQ(to_msgpack("d9010283010203"), "93010203");
  EXPECT_EQ(to_msgpack("d855480000803f0000003f"), "92ca3f800000ca3f000000");
  EXPECT_EQ(to_msgpack("d8494401ffff00"), "92cd01ffd1ff00");
  EXPECT_EQ(to_msgpack("c48221196ab3"), "cb4071126666666666");
  EXPECT_EQ(to_msgpack("81c249010000000000000000"), "error: out of range in [0]");
  EXPECT_EQ(to_msgpack("81c249010000000000000000", foreign_values::lossy), "91ca5f800000");
  EXPECT_EQ(to_msgpack("81f7"), "error: unsupported in [0]");
  EXPECT_EQ(to_msgpack("81f7", foreign_values::lossy), "91c0");
  EXPECT_EQ(to_msgpack("81e0", foreign_values::lossy), "error: unsupported in [0]");
  EXPECT_EQ(to_msgpack("81d82061 'a'"), "error: unsupported in [0]");
  EXPECT_EQ(to_msgpack("81d82061 'a'", foreign_values::lossy), "91a161");
}

struct reading {
  std::int64_t at;
  std::string name;
  std::vector<int> values;
  std::map<int, std::string> labels;
  std::optional<double> limit;
  bool operator==(const reading&) const = default;
};

TEST(conversion, takes_forms_of_other_encoders_on_request) {
  using ingot::conversion_options;
  const auto doc = [](std::string_view bytes) { return cbor(bytes, unsupported_values::plain).value(); };
  const auto rejected = [](const document& from) {
    const auto read = from.root().as<reading>();
    return read ? std::string("read") : read.error().message();
  };
  // Date.now() as msgpackr and cbor-x write it.
  const auto date = msgpack("de0001a26174cb4279a22206ca0000", unsupported_values::plain).value();
  EXPECT_EQ(date["at"].as<std::int64_t>({.whole_reals = true}), 1761509141664);
  EXPECT_NE(date["at"].as<std::int64_t>().error().message().find("conversion_options::whole_reals"),
            std::string::npos);
  EXPECT_EQ(date["at"].as<std::int8_t>({.whole_reals = true}).error().code(), errc::out_of_range);
  for (const double odd : {1.5, -0.0, 0x1p60, 1e300})
    EXPECT_EQ(document(odd).root().as<std::int64_t>({.whole_reals = true}).error().code(),
              errc::type_mismatch);
  const auto read_so = ingot::msgpack::read_document(hex("de0001a26174cb4279a22206ca0000"),
                                                     {.whole_reals = ingot::whole_reals::integers});
  EXPECT_EQ((*read_so)["at"].as<std::int64_t>(), 1761509141664);
  // The values of a struct's members in a row.
  const auto row = doc("85 05 61 'x' 82 01 02 a1 61 '7' 61 'y' f6");
  const reading wanted{5, "x", {1, 2}, {{7, "y"}}, {}};
  EXPECT_EQ(row.root().as<reading>({.arrays_as_records = true}), wanted);
  EXPECT_NE(rejected(row).find("conversion_options::arrays_as_records"), std::string::npos);
  EXPECT_EQ(doc("84 05 61 'x' 80 a0").root().as<reading>({.arrays_as_records = true}).error().code(),
            errc::bad_length);
  EXPECT_EQ(doc("86 05 61 'x' 80 a0 f6 f6").root().as<reading>({.arrays_as_records = true}).error().code(),
            errc::bad_length);
  EXPECT_EQ(doc("85 05 61 'x' 81 f5 a0 f6").root().as<reading>({.arrays_as_records = true}).error().path(),
            "[2][0]");
  EXPECT_EQ(doc("82 01 02").root().as<std::vector<reading>>({.arrays_as_records = true}).error().code(),
            errc::type_mismatch);
  // Null for an empty list, text or map.
  const auto nil = doc("85 05 f6 f6 f6 f6");
  const reading empty{5, "", {}, {}, {}};
  EXPECT_EQ(nil.root().as<reading>({.null_as_empty = true, .arrays_as_records = true}), empty);
  for (const char* nothing : {"85 05 f6 80 a0 f6", "85 05 60 f6 a0 f6", "85 05 60 80 f6 f6"}) {
    const auto why = doc(nothing).root().as<reading>({.arrays_as_records = true});
    ASSERT_FALSE(why);
    EXPECT_NE(why.error().message().find("conversion_options::null_as_empty"), std::string::npos) << nothing;
  }
}

TEST(conversion, integer_keys_go_in_both_directions) {
  const auto read = ingot::cbor::read_document(hex("a201020304"), {.non_text_keys = non_text_keys::as_text});
  using numbers = std::map<int, int>;
  EXPECT_EQ(read.value().root().as<numbers>(), (numbers{{1, 2}, {3, 4}}));
  const ingot::cbor::write_options sorted{.order = ingot::member_order::sorted,
                                          .integer_keys = ingot::integer_keys::integers};
  EXPECT_EQ(hex_of(ingot::cbor::write(document(numbers{{1, 2}, {3, 4}}), sorted).value()), "a201020304");
  EXPECT_EQ(hex_of(ingot::msgpack::write(document(numbers{{-1, 2}}),
                                         {.integer_keys = ingot::integer_keys::integers})
                       .value()),
            "81ff02");
  // In the deterministic order: non-negative numbers, then negative ones, then text. A text is a
  // number only if it is the one text form of that number.
  document mixed;
  for (const char* key : {"10", "9", "-1", "-300", "007", "-0", "+1", "1.0", "", "-", "18446744073709551615",
                          "18446744073709551616", "-9223372036854775808", "-9223372036854775809"})
    mixed[key] = 0;
  const auto bytes = ingot::cbor::write(mixed, sorted).value();
  const auto back = ingot::cbor::read_document(
      bytes, {.non_text_keys = non_text_keys::as_text, .encoding = ingot::cbor::encoding::deterministic});
  EXPECT_EQ(back, mixed);
  EXPECT_EQ(hex_of(bytes).substr(0, 30), "ae09000a001bffffffffffffffff00");
}

TEST(conversion, reals_stay_wide_on_request) {
  using ingot::real_width;
  const auto as_cbor = [](double d, real_width min_width) {
    return hex_of(ingot::cbor::write(document(d), {.min_real = min_width}).value());
  };
  const auto as_msgpack = [](double d, real_width min_width) {
    return hex_of(ingot::msgpack::write(document(d), {.min_real = min_width}).value());
  };
  EXPECT_EQ(as_cbor(1, real_width::shortest), "f93c00");
  EXPECT_EQ(as_cbor(1, real_width::single), "fa3f800000");
  EXPECT_EQ(as_cbor(1, real_width::whole), "fb3ff0000000000000");
  EXPECT_EQ(as_cbor(0.1, real_width::single), "fb3fb999999999999a");
  EXPECT_EQ(as_msgpack(1, real_width::single), "ca3f800000");
  EXPECT_EQ(as_msgpack(1, real_width::whole), "cb3ff0000000000000");
}

TEST(interchange_number, a_number_times_a_power_of_two_is_rounded_once) {
  using ingot::detail::interchange::scaled;
  EXPECT_EQ(scaled(0, 5), 0.0);
  EXPECT_EQ(scaled(3, -1), 1.5);
  EXPECT_EQ(scaled(1, 1023), 0x1p1023);
  EXPECT_EQ(scaled(1, 1024), std::numeric_limits<double>::infinity());
  EXPECT_EQ(scaled(~std::uint64_t{0}, 960), std::numeric_limits<double>::infinity());
  EXPECT_EQ(scaled((std::uint64_t{1} << 53) + 1, 0), 0x1p53); // ties to even
  EXPECT_EQ(scaled((std::uint64_t{1} << 53) + 3, 0), 0x1p53 + 4);
  EXPECT_EQ(std::bit_cast<std::uint64_t>(scaled(1, -1074)), 1U);
  EXPECT_EQ(std::bit_cast<std::uint64_t>(scaled(3, -1075)), 2U);
  EXPECT_EQ(std::bit_cast<std::uint64_t>(scaled(1, -1075)), 0U); // half of the least number
  EXPECT_EQ(std::bit_cast<std::uint64_t>(scaled((std::uint64_t{1} << 63) + 1, -1138)), 1U);
  EXPECT_EQ(scaled(1, -1'000'000), 0.0);
  std::mt19937_64 random(7);
  for (int i = 0; i < 20'000; ++i) {
    // at most 53 bits: of normal results, std::ldexp rounds none
    const std::uint64_t magnitude = random() >> (11 + random() % 53);
    const auto power = static_cast<int>(random() % 2'200) - 1'130;
    ASSERT_EQ(scaled(magnitude, power), std::ldexp(static_cast<double>(magnitude), power))
        << magnitude << " * 2^" << power;
  }
}

} // namespace interchange_meaning_test
