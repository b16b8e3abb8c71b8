// SPDX-License-Identifier: Apache-2.0
// MessagePack against its specification: each format at its boundaries, read and written, extension
// types and timestamps. An error here would give another program's bytes another meaning.
#include <ingot/document/msgpack.hpp>

#include "document/interchange_tools.hpp"

#include <cstdint>
#include <limits>
#include <string>
#include <string_view>
#include <vector>

#include <gtest/gtest.h>

namespace msgpack_test {

using namespace interchange_test;
using ingot::msgpack::raw_text;
using ingot::msgpack::read_options;
using ingot::msgpack::write_options;

constexpr read_options wrapping{.unsupported_values = unsupported_values::wrap};

std::string read(std::string_view bytes, const read_options& options = {}) {
  return shown(ingot::msgpack::read_document(hex(bytes), options));
}
template <class T>
std::string written(const T& value) {
  return hex_of(ingot::msgpack::write(document(value)).value());
}
/// Returns `written(read(bytes))`, with unsupported values kept.
std::string again(std::string_view bytes) {
  const auto doc = ingot::msgpack::read_document(hex(bytes), wrapping);
  return doc ? hex_of(ingot::msgpack::write(*doc, {.unsupported_values = unsupported_values::wrap}).value())
             : doc.error().message();
}

TEST(msgpack, integers_take_the_fewest_bytes_and_are_read_in_any_of_them) {
  const struct {
    std::string_view bytes;
    std::int64_t value;
  } shortest[] = {{"00", 0},
                  {"7f", 127},
                  {"cc80", 128},
                  {"ccff", 255},
                  {"cd0100", 256},
                  {"cdffff", 65535},
                  {"ce00010000", 65536},
                  {"ceffffffff", 4294967295},
                  {"cf0000000100000000", 4294967296},
                  {"cf7fffffffffffffff", std::numeric_limits<std::int64_t>::max()},
                  {"ff", -1},
                  {"e0", -32},
                  {"d0df", -33},
                  {"d080", -128},
                  {"d1ff7f", -129},
                  {"d18000", -32768},
                  {"d2ffff7fff", -32769},
                  {"d280000000", -2147483648LL},
                  {"d3ffffffff7fffffff", -2147483649LL},
                  {"d38000000000000000", std::numeric_limits<std::int64_t>::min()}};
  for (const auto& [bytes, value] : shortest) {
    EXPECT_EQ(written(value), bytes);
    EXPECT_EQ(read(bytes), std::to_string(value));
  }
  EXPECT_EQ(written(std::uint64_t{1} << 63), "cf8000000000000000");
  EXPECT_EQ(read("cfffffffffffffffff"), "18446744073709551615u");
  for (const auto seven : {"07", "cc07", "cd0007", "ce00000007", "cf0000000000000007", "d007", "d10007",
                           "d200000007", "d30000000000000007"})
    EXPECT_EQ(read(seven), "7");
  EXPECT_EQ(read("d0ff"), "-1");
  EXPECT_EQ(read("d3ffffffffffffffff"), "-1");
}

TEST(msgpack, reals_take_four_bytes_when_those_hold_them) {
  EXPECT_EQ(written(1.5), "ca3fc00000");
  EXPECT_EQ(written(0.1), "cb3fb999999999999a");
  EXPECT_EQ(written(-0.0), "ca80000000");
  EXPECT_EQ(written(0x1p-149), "ca00000001");
  EXPECT_EQ(written(0x1p-150), "cb3690000000000000");
  EXPECT_EQ(written(std::numeric_limits<double>::infinity()), "ca7f800000");
  EXPECT_EQ(written(1e39), "cb48078287f49c4a1d");
  EXPECT_EQ(read("ca3fc00000"), "1.5");
  EXPECT_EQ(read("cb3ff8000000000000"), "1.5");
  EXPECT_EQ(read("ca00000001"), "1.401298464324817e-45");
  EXPECT_EQ(read("ca7fc00000"), "nan");
}

TEST(msgpack, scalars_without_a_length) {
  EXPECT_EQ(read("c0"), "null");
  EXPECT_EQ(read("c2"), "false");
  EXPECT_EQ(read("c3"), "true");
  EXPECT_EQ(written(nullptr) + written(false) + written(true), "c0c2c3");
  EXPECT_EQ(read("c1"), "error: bad tag at 0");
}

TEST(msgpack, lengths_of_text_and_bytes_at_each_boundary) {
  const auto head_of = [](const std::string& all, std::size_t length) {
    return all.substr(0, all.size() - 2 * length);
  };
  const struct {
    std::size_t length;
    std::string_view text;
    std::string_view binary;
  } heads[] = {{0, "a0", "c400"},           {1, "a1", "c401"},
               {31, "bf", "c41f"},          {32, "d920", "c420"},
               {255, "d9ff", "c4ff"},       {256, "da0100", "c50100"},
               {65535, "daffff", "c5ffff"}, {65536, "db00010000", "c600010000"}};
  for (const auto& each : heads) {
    const std::string text(each.length, 'x');
    const std::vector<std::byte> bytes(each.length, std::byte{'x'});
    EXPECT_EQ(head_of(written(text), each.length), each.text);
    EXPECT_EQ(head_of(written(bytes), each.length), each.binary);
    for (const auto& message : {written(text), written(bytes)}) EXPECT_EQ(again(message), message);
  }
  for (const auto longer : {"a16b", "d9016b", "da00016b", "db000000016b"}) EXPECT_EQ(read(longer), R"("k")");
  for (const auto longer : {"c4016b", "c500016b", "c6000000016b"}) EXPECT_EQ(read(longer), "h'6b'");
}

TEST(msgpack, lengths_of_arrays_and_maps_at_each_boundary) {
  const struct {
    std::size_t count;
    std::string_view array;
    std::string_view map;
  } heads[] = {{0, "90", "80"},
               {1, "91", "81"},
               {15, "9f", "8f"},
               {16, "dc0010", "de0010"},
               {65535, "dcffff", "deffff"},
               {65536, "dd00010000", "df00010000"}};
  for (const auto& each : heads) {
    ingot::document_writer array;
    ingot::document_writer map;
    array.begin_array();
    map.begin_object();
    for (std::size_t i = 0; i < each.count; ++i) {
      array.null();
      map.key(std::to_string(i));
      map.null();
    }
    array.end();
    map.end();
    const auto a = hex_of(ingot::msgpack::write(array.finish().value()).value());
    const auto m = hex_of(ingot::msgpack::write(map.finish().value()).value());
    EXPECT_EQ(a.substr(0, each.array.size()), each.array);
    EXPECT_EQ(a.size(), each.array.size() + 2 * each.count);
    EXPECT_EQ(m.substr(0, each.map.size()), each.map);
    EXPECT_TRUE(again(a) == a && again(m) == m) << each.count;
  }
  for (const auto longer : {"9107", "dc000107", "dd0000000107"}) EXPECT_EQ(read(longer), "[7]");
  for (const auto longer : {"81a16b07", "de0001a16b07", "df00000001a16b07"})
    EXPECT_EQ(read(longer), R"({"k": 7})");
}

TEST(msgpack, extension_types_are_rejected_reduced_or_wrapped) {
  EXPECT_EQ(read("d40501"), "error: wrong type at 0");
  EXPECT_EQ(ingot::msgpack::read_document(hex("d48001")).error().found(), "-128");
  EXPECT_EQ(read("d40501", {.unsupported_values = unsupported_values::lossy}), "h'01'");
  EXPECT_EQ(read("d40501", wrapping), R"({"$ext": 5, "$value": h'01'})");
  EXPECT_EQ(read("d58001 02", wrapping), R"({"$ext": -128, "$value": h'0102'})");
  const std::string payload(600, '0');
  for (const auto head : {"d405:1", "d5fe:2", "d67f:4", "d780:8", "d805:16", "c70005:0", "c70305:3",
                          "c71105:17", "c7ff05:255", "c8010005:256"}) {
    const std::string_view text = head;
    const auto colon = text.find(':');
    const auto bytes = static_cast<std::size_t>(std::stoi(std::string(text.substr(colon + 1))));
    const std::string message = std::string(text.substr(0, colon)) + payload.substr(0, 2 * bytes);
    EXPECT_EQ(again(message), message);
  }
  const std::string large = "c9 00010000 7f" + std::string(2 * 65536, '0');
  EXPECT_EQ(again(large), hex_of(hex(large)));
  for (const auto longer : {"c7010501", "c800010501", "c9000000010501"}) EXPECT_EQ(again(longer), "d40501");
  // Wrapped extensions that can't be valid are rejected.
  for (const int type : {128, -1, 114}) {
    document doc;
    doc["$ext"] = type;
    doc["$value"] = std::vector<std::byte>(1);
    const auto rejected = ingot::msgpack::write(doc, {.unsupported_values = unsupported_values::wrap});
    ASSERT_FALSE(rejected);
    EXPECT_EQ(rejected.error().code(), errc::invalid_value);
  }
}

TEST(msgpack, records_of_msgpackr_are_rejected_by_name) {
  // The keys of a record follow the extension, and its values follow the keys: read as an extension
  // it would be one value too few.
  for (const auto how : {unsupported_values::reject, unsupported_values::lossy, unsupported_values::wrap,
                         unsupported_values::plain}) {
    const auto read =
        ingot::msgpack::read_document(hex("d47240 92 a161 a162 01 02"), {.unsupported_values = how});
    ASSERT_FALSE(read);
    EXPECT_EQ(read.error().code(), errc::unsupported);
    EXPECT_NE(read.error().message().find("msgpackr"), std::string::npos);
    EXPECT_NE(read.error().message().find("useRecords: false"), std::string::npos);
  }
}

TEST(msgpack, timestamps_keep_every_nanosecond) {
  const struct {
    std::string_view bytes;
    std::string_view wrapped;
    std::string_view reduced;
  } times[] = {
      {"d6ff00000000", R"({"$nanoseconds": 0, "$seconds": 0})", R"("1970-01-01T00:00:00Z")"},
      {"d6ffffffffff", R"({"$nanoseconds": 0, "$seconds": 4294967295})", R"("2106-02-07T06:28:15Z")"},
      {"d7ff0000000100000000", R"({"$nanoseconds": 0, "$seconds": 4294967296})", R"("2106-02-07T06:28:16Z")"},
      {"d7ff0000000400000000", R"({"$nanoseconds": 1, "$seconds": 0})",
       R"("1970-01-01T00:00:00.000000001Z")"},
      {"d7ffee6b27ffffffffff", R"({"$nanoseconds": 999999999, "$seconds": 17179869183})",
       R"("2514-05-30T01:53:03.999999999Z")"},
      {"c70cff000000000000000400000000", R"({"$nanoseconds": 0, "$seconds": 17179869184})",
       R"("2514-05-30T01:53:04Z")"},
      {"c70cff1dcd6500ffffffffffffffff", R"({"$nanoseconds": 500000000, "$seconds": -1})",
       R"("1969-12-31T23:59:59.500Z")"},
      {"c70cff3b9ac9ff8000000000000000", R"({"$nanoseconds": 999999999, "$seconds": -9223372036854775808})",
       R"("-292277022657-01-27T08:29:52.999999999Z")"},
  };
  for (const auto& each : times) {
    EXPECT_EQ(read(each.bytes, wrapping), each.wrapped);
    EXPECT_EQ(read(each.bytes, {.unsupported_values = unsupported_values::lossy}), each.reduced);
    EXPECT_EQ(again(each.bytes), each.bytes);
    EXPECT_EQ(read(each.bytes), "error: wrong type at 0");
  }
  EXPECT_EQ(again("c70cff000000000000000000000001"), "d6ff00000001"); // not its shortest form
  EXPECT_EQ(again("c708ff0000000000000001"), "d6ff00000001");
  EXPECT_EQ(read("d7ffee6b280000000000", wrapping), "error: out of range at 0"); // 10^9 nanoseconds
  EXPECT_EQ(read("d4ff00", wrapping), "error: bad length at 0");
  EXPECT_EQ(read("c700ff", wrapping), "error: bad length at 0");
}

TEST(msgpack, text_that_is_no_text_is_bytes_on_request) {
  EXPECT_EQ(read("a1ff"), "error: invalid UTF-8 at 0");
  EXPECT_EQ(read("a1ff", {.raw_text = raw_text::binary}), "h'ff'");
  EXPECT_EQ(read("92 a2c3bc a2bcc3", {.raw_text = raw_text::binary}), "[\"\xC3\xBC\", h'bcc3']");
  EXPECT_EQ(read("81 a1ff 00", {.raw_text = raw_text::binary}), "error: invalid UTF-8 at 1");
}

TEST(msgpack, keys_that_are_no_text_are_written_on_request) {
  const read_options encoding{.unsupported_values = unsupported_values::wrap,
                              .non_text_keys = non_text_keys::as_text};
  EXPECT_EQ(read("85 07 00 ff 01 c0 02 c2 03 ca3fc00000 04", encoding),
            R"({"-1": 1, "1.5": 4, "7": 0, "false": 3, "null": 2})");
  EXPECT_EQ(read("82 c402beef 00 cfffffffffffffffff 01", encoding),
            R"({"18446744073709551615": 1, "h'beef'": 0})");
  EXPECT_EQ(read("82 07 00 a137 00", encoding), "error: duplicate key at 5");
  for (const auto no_scalar : {"81 90 00", "81 80 00", "81 d40501 00", "81 d6ff00000000 00"})
    EXPECT_EQ(read(no_scalar, encoding), "error: wrong type at 1") << no_scalar;
  EXPECT_EQ(read("81 07 00"), "error: wrong type at 1");
}

} // namespace msgpack_test
