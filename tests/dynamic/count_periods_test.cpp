// SPDX-License-Identifier: Apache-2.0
// Times, durations and wrapped numbers of documents as messages of a schema: the same values, and
// the same errors, as with the type. Without this a text of ISO 8601 or a time from Jackson is
// rejected by schema, or becomes another time than with the type.
#include <ingot/document/cbor.hpp>
#include <ingot/document/msgpack.hpp>
#include <ingot/dynamic/pack.hpp>
#include <ingot/pack/compact.hpp>
#include <ingot/pack/unpack.hpp>
#include <ingot/schema/schema.hpp>

#include "pack/hex.hpp"

#include <chrono>
#include <cstdint>
#include <initializer_list>
#include <ratio>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

namespace count_periods_test {

using namespace std::chrono;
using ingot::document;
using ingot::message_profile;
using ingot::unsupported_values;
using pack_test::hex;

ingot::result<document> cbor(std::string_view bytes, unsupported_values how = unsupported_values::wrap,
                             ingot::fractions fractions = ingot::fractions::numbers) {
  return ingot::cbor::read_document(hex(bytes), {.unsupported_values = how, .fractions = fractions});
}
template <class D>
std::string count_of(const D& d) {
  if constexpr (requires { d.count(); }) return std::to_string(d.count());
  else return std::to_string(d);
}
template <class C, class D>
std::string count_of(const std::chrono::time_point<C, D>& t) {
  return count_of(t.time_since_epoch());
}
template <class T>
std::string outcome_of(const ingot::result<T>& read) {
  if (read) return count_of(*read);
  return "error: " + std::string(to_string(read.error().code())) + ": " +
         std::string(read.error().expected());
}
template <class T>
std::string by_schema(const document& from, message_profile profile) {
  const auto by = ingot::dynamic_schema::from(ingot::schema_of<T>(), profile).value();
  const auto packed = ingot::pack_document(from, by);
  if (!packed) return outcome_of<T>(ingot::fail(packed.error()));
  return outcome_of(profile == message_profile::pack ? ingot::unpack<T>(*packed)
                                                     : ingot::compact::unpack<T>(*packed));
}
/// Returns the result by type; also the result by schema if it differs.
template <class T>
std::string as(const document& from) {
  const std::string typed = outcome_of(from.root().as<T>());
  std::string texts = typed;
  for (const auto profile : {message_profile::pack, message_profile::compact}) {
    const std::string other = by_schema<T>(from, profile);
    if (other != typed) texts += ", but by schema " + other;
  }
  return texts;
}

using nano = sys_time<nanoseconds>;
using frames = duration<std::int64_t, std::ratio<1001, 30'000>>;
using pico = duration<std::int64_t, std::pico>;

template <class T>
void agrees(const document& from, std::string_view name) {
  const std::string typed = outcome_of(from.root().as<T>());
  for (const auto profile : {message_profile::pack, message_profile::compact})
    EXPECT_EQ(by_schema<T>(from, profile), typed) << name;
}
/// For numbers: compares the value or the error code, since messages differ.
template <class T>
void codes_agree(const document& from, std::string_view name) {
  const auto code_of = [](const std::string& said) { return said.substr(0, said.find(':', 7)); };
  const std::string typed = code_of(outcome_of(from.root().as<T>()));
  for (const auto profile : {message_profile::pack, message_profile::compact})
    EXPECT_EQ(code_of(by_schema<T>(from, profile)), typed) << name;
}
template <class... T>
void all_agree(const document& from, std::string_view name) {
  (agrees<T>(from, name), ...);
}

TEST(untyped_time, text_is_read_as_with_the_type) {
  EXPECT_EQ(as<nano>(document("2023-11-14T22:13:20.000000001Z")), "1700000000000000001");
  EXPECT_EQ(as<sys_seconds>(document("2023-11-14T23:13:20+01:00")), "1700000000");
  EXPECT_EQ(as<sys_days>(document("2023-12-01")), "19692");
  EXPECT_EQ(as<sys_days>(document("1969-12-31")), "-1");
  EXPECT_EQ(as<milliseconds>(document("PT1.25S")), "1250");
  EXPECT_EQ(as<hours>(document("-P1D")), "-24");
  EXPECT_EQ(as<frames>(document("PT33.366666666S")).substr(0, 20), "error: out of range:");
  EXPECT_EQ(as<frames>(document("PT1001S")), "30000");
  EXPECT_EQ(as<duration<double>>(document("PT1.25S")), "1.250000");
  EXPECT_EQ((as<duration<float, std::milli>>(document("-PT0.5S"))), "-500.000000");
  EXPECT_EQ(as<sys_seconds>(document("2023-11-14T22:13:20.5Z")),
            "error: out of range: a time that the type's period expresses exactly");
  EXPECT_EQ(as<sys_seconds>(document("PT1S")), "error: wrong type: a point in time, not a duration");
  EXPECT_EQ(as<sys_seconds>(document("later")).substr(0, 21), "error: invalid value:");
  EXPECT_EQ((as<duration<std::int16_t, std::milli>>(document("PT40S"))),
            "error: out of range: a time within the range of the type");
  EXPECT_EQ(as<sys_seconds>(document(5)), "5");
  struct logged {
    sys_time<milliseconds> at;
    std::vector<seconds> took;
  };
  document doc;
  doc["at"] = "2023-11-14T22:13:20.25Z";
  doc["took"] = std::vector<std::string>{"PT1S", "PT1.5S"};
  const auto by = ingot::dynamic_schema::from(ingot::schema_of<logged>()).value();
  const auto rejected = ingot::pack_document(doc, by);
  ASSERT_FALSE(rejected);
  EXPECT_EQ(rejected.error().path(), "took[1]");
  doc["took"] = std::vector<std::string>{"PT1S", "PT1M"};
  const auto read = ingot::unpack<logged>(ingot::pack_document(doc, by).value()).value();
  EXPECT_EQ(read.at.time_since_epoch().count(), 1'700'000'000'250);
  EXPECT_EQ(read.took.at(1).count(), 60);
}

TEST(untyped_time, every_text_and_type_agrees) {
  for (const char* text : {"2023-11-14T22:13:20Z",
                           "2023-11-14T22:13:20.5Z",
                           "2023-11-14T22:13:20.000000001Z",
                           "1969-12-31",
                           "1969-12-31T23:59:59.999999999Z",
                           "1677-09-21T00:12:43.145224192Z",
                           "1677-09-21T00:12:43.145224191Z",
                           "2262-04-11T23:47:16.854775807Z",
                           "2262-04-11T23:47:16.854775808Z",
                           "+292277026596-12-04T15:30:07Z",
                           "-292277022657-01-27T08:29:52Z",
                           "PT1S",
                           "-PT1.5S",
                           "PT0S",
                           "-PT0.000000001S",
                           "P1W",
                           "PT40S",
                           "PT9223372036854775807S",
                           "-PT9223372036854775808S",
                           "PT9223372036.854775807S",
                           "-PT9223372036.854775808S",
                           "-PT9223372036.854775809S",
                           "PT1001S",
                           "",
                           "P",
                           "2023",
                           "5",
                           "now",
                           "2023-02-29",
                           "PT1.0000000001S"})
    all_agree<nano, sys_seconds, sys_time<milliseconds>, system_clock::time_point, sys_days, sys_time<pico>,
              nanoseconds, seconds, minutes, hours, milliseconds, pico, frames, duration<double>,
              duration<float>, duration<double, std::nano>, duration<std::int16_t, std::milli>,
              duration<std::int8_t>, duration<std::uint32_t>, duration<std::uint64_t, std::milli>>(
        document(text), text);
}

TEST(untyped_time, wrapped_values_are_read_as_with_the_type) {
  for (const char* bytes :
       {"c11a6553f100", "c1fb41d954fc40200000", "c120", "c074 '2023-11-14T22:13:20Z'", "d8641a00004cec",
        "d903ec6a '2023-12-04'", "c48221196ab3", "c482281b17979cfe3d85cd15", "c5822003", "c201", "c24103",
        "d9010280", "c4820000", "a0", "81 01", "a161 'x' 01", "c48229 19 03e8", "c482 13 01", "c482 12 01"})
    all_agree<nano, sys_seconds, sys_time<milliseconds>, seconds, duration<double>, nanoseconds>(
        cbor(bytes).value_or(document("no")), bytes);
  const auto stamp = ingot::msgpack::read_document(hex("d7ff773594006553f100"),
                                                   {.unsupported_values = unsupported_values::wrap})
                         .value();
  EXPECT_EQ(as<nano>(stamp), "1700000000500000000");
  EXPECT_EQ(as<sys_seconds>(stamp).substr(0, 20), "error: out of range:");
}

// Java's Instant and Duration, as Jackson writes them by default: seconds with nine decimals.
TEST(untyped_time, decimal_fractions_are_seconds) {
  for (const auto how : {unsupported_values::wrap, unsupported_values::plain, unsupported_values::lossy}) {
    const auto read = [&](std::string_view bytes) {
      return cbor(bytes, how, ingot::fractions::wrap).value();
    };
    EXPECT_EQ(as<nano>(read("c482281b17979cfe3d85cd15")), "1700000000123456789");
    EXPECT_EQ(as<nano>(read("c482281b17979cfe362a0000")), "1700000000000000000"); // not an integer
    EXPECT_EQ(as<sys_seconds>(read("c482281b17979cfe362a0000")), "1700000000");
    EXPECT_EQ(as<nano>(read("c482283b17979cfe3d85cd14")), "-1700000000123456789");
    EXPECT_EQ(as<nano>(read("c48228c248 17979cfe3d85cd15")), "1700000000123456789");
    EXPECT_EQ(as<nanoseconds>(read("c482281a59682f00")), "1500000000"); // a duration of 1.5 s
    EXPECT_EQ(as<nano>(read("c4822820")), "-1");
    EXPECT_EQ(as<nano>(read("c482281b7fffffffffffffff")), "9223372036854775807");
    EXPECT_EQ(as<nano>(read("c482283b7fffffffffffffff")), "-9223372036854775808");
    EXPECT_EQ(as<nano>(read("c482281b8000000000000000")),
              "error: out of range: a time within the range of the type");
    EXPECT_EQ(as<nano>(read("c482283b8000000000000000")),
              "error: out of range: a time within the range of the type");
    EXPECT_EQ(as<nano>(read("c48228c249010000000000000000")),
              "error: out of range: a time within the range of the type");
    EXPECT_EQ(as<nano>(read("c4822901")),
              "error: out of range: a time that the type's period expresses exactly");
    EXPECT_EQ(as<sys_time<milliseconds>>(read("c482281b17979cfe3d85cd15")),
              "error: out of range: a time that the type's period expresses exactly");
    EXPECT_EQ(as<sys_seconds>(read("c482121864")),
              "error: out of range: a time within the range of the type");
    EXPECT_EQ(as<sys_seconds>(read("c4821209")), "9000000000000000000");
    EXPECT_EQ(as<sys_seconds>(read("c482394e1f01")),
              "error: out of range: a time that the type's period expresses exactly");
    EXPECT_EQ(as<sys_seconds>(read("c482194e2001")),
              "error: out of range: a time within the range of the type");
  }
  EXPECT_EQ(as<sys_seconds>(cbor("c4823a7fffffff01").value()),
            "error: out of range: a time within the range of the type");
  EXPECT_FALSE(cbor("c4823a7fffffff01", unsupported_values::plain, ingot::fractions::wrap));
  // Members, lists, and shared ones.
  struct event {
    nano at;
    std::vector<nanoseconds> took;
    double price;
    std::int64_t whole;
  };
  const auto doc =
      cbor("a4 62 'at' c4 82 28 1b 17979cfe3d85cd15 64 'took' 82 c4 d81c 82 28 1a 59682f00 c4 d81d00"
           "65 'price' c4 82 21 19 6ab3 65 'whole' c4 82 21 19 03e8",
           unsupported_values::plain, ingot::fractions::wrap)
          .value();
  const auto by = ingot::dynamic_schema::from(ingot::schema_of<event>()).value();
  const auto packed_message = ingot::pack_document(doc, by);
  ASSERT_TRUE(packed_message) << packed_message.error().message();
  const auto packed = ingot::unpack<event>(*packed_message).value();
  for (const event& each : {packed, doc.root().as<event>().value()}) {
    EXPECT_EQ(each.at.time_since_epoch().count(), 1'700'000'000'123'456'789);
    EXPECT_EQ(each.took.at(1).count(), 1'500'000'000);
    EXPECT_EQ(each.price, 273.15);
    EXPECT_EQ(each.whole, 10);
  }
}

TEST(untyped_number, wrapped_numbers_are_read_as_with_the_type) {
  for (const char* bytes :
       {"c48221196ab3", "c4820203", "c482211903e8", "c5822003", "c5820203", "c249010000000000000000",
        "c482 00 c248 ffffffffffffffff", "c4 82 01 3b 7fffffffffffffff", "d9010280", "c4 82 190fa0 01",
        "c482201b000462d53c8abac1"}) {
    const document from = cbor(bytes).value();
    codes_agree<std::int64_t>(from, bytes);
    codes_agree<std::uint8_t>(from, bytes);
    codes_agree<std::uint64_t>(from, bytes);
    codes_agree<double>(from, bytes);
    codes_agree<float>(from, bytes);
  }
  // A number that a double can't represent exactly was 0.0 by schema.
  EXPECT_EQ(as<double>(document(std::int64_t{9'007'199'254'740'993})),
            "error: out of range: an integer that a double holds exactly");
  EXPECT_EQ(as<double>(document(std::int64_t{-9'007'199'254'740'992})), "-9007199254740992.000000");
  EXPECT_EQ(as<double>(document(~std::uint64_t{0})),
            "error: out of range: an integer that a double holds exactly");
}

} // namespace count_periods_test
