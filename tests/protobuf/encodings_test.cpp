// SPDX-License-Identifier: Apache-2.0
// Encodings of integers, wire types, groups, and google.protobuf's own messages, byte by byte.
// Breaks when a field is read in another encoding than its annotation says, when a field of another
// wire type is accepted, or when a type and its schema read different values.
#include <ingot/document/live_value.hpp>
#include <ingot/dynamic/document.hpp>
#include <ingot/dynamic/layout_for.hpp>
#include <ingot/dynamic/schema_for.hpp>
#include <ingot/live/live.hpp>
#include <ingot/pack/pack.hpp>
#include <ingot/protobuf/document.hpp>
#include <ingot/protobuf/read.hpp>
#include <ingot/protobuf/value.hpp>
#include <ingot/protobuf/write.hpp>
#include <ingot/schema/to_proto.hpp>

#include "protobuf/bytes_of.hpp"
#include "protobuf/encoding_types.hpp"

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <expected>
#include <initializer_list>
#include <limits>
#include <map>
#include <optional>
#include <string>
#include <tuple>
#include <variant>
#include <vector>

#include <gtest/gtest.h>

namespace protobuf_encodings_test {

using encoding_types::encodings;
using encoding_types::filled;
using ingot::errc;
using protobuf_bytes::bytes_of;
using protobuf_bytes::stored_schema;
namespace pb = ingot::protobuf;

std::vector<std::byte> joined(std::initializer_list<std::vector<std::byte>> all) {
  std::vector<std::byte> bytes;
  for (const auto& each : all) bytes.insert(bytes.end(), each.begin(), each.end());
  return bytes;
}
/// A field of bytes, preceded by its length; all are shorter than 128.
std::vector<std::byte> field(int number, const std::vector<std::byte>& body) {
  return joined({bytes_of({number << 3 | 2, static_cast<int>(body.size())}), body});
}
std::vector<std::byte> text_field(int number, std::string_view text) {
  const auto bytes = ingot::as_bytes_view(text);
  return field(number, {bytes.begin(), bytes.end()});
}
/// Converts a message to a packed one by the schema alone.
ingot::result<ingot::buffer> packed_by(ingot::bytes_view bytes, const ingot::schema& by,
                                       const pb::options& how = {}) {
  const auto outcome = pb::read_document(bytes, by, how);
  if (!outcome) return ingot::fail(outcome.error());
  return ingot::pack_document(*outcome, ingot::dynamic_schema::from(by).value());
}
/// Reads by type and by schema; both must agree.
template <class T>
ingot::result<T> read_both(ingot::bytes_view bytes, const pb::options& how = {}) {
  const ingot::schema by = stored_schema<T>();
  auto typed = pb::read<T>(bytes, how);
  const auto untyped = packed_by(bytes, by, how);
  EXPECT_EQ(typed.has_value(), untyped.has_value())
      << (typed ? std::string() : typed.error().message()) << " / "
      << (untyped ? std::string() : untyped.error().message());
  if (typed && untyped) {
    EXPECT_TRUE(std::ranges::equal(*untyped, ingot::as_bytes_view(ingot::pack(*typed).value())));
  }
  if (!typed && !untyped) {
    EXPECT_EQ(typed.error().code(), untyped.error().code());
    // the path contains the members' names
    EXPECT_TRUE(typed.error().path().starts_with(untyped.error().path()))
        << typed.error().path() << " / " << untyped.error().path();
    EXPECT_EQ(typed.error().expected(), untyped.error().expected());
    EXPECT_EQ(typed.error().offset(), untyped.error().offset());
  }
  return typed;
}
/// Writes by type and by schema; both must agree.
template <class T>
ingot::buffer write_both(const T& value) {
  const auto typed = pb::write(value);
  EXPECT_TRUE(typed) << (typed ? std::string() : typed.error().message());
  if (!typed) return {};
  const ingot::schema by = stored_schema<T>();
  const auto packed = ingot::pack(value).value();
  const auto message = ingot::dynamic_message::open(packed, by);
  EXPECT_TRUE(message);
  const auto untyped = pb::write_message(*message, by);
  EXPECT_TRUE(untyped) << (untyped ? std::string() : untyped.error().message());
  if (untyped) {
    EXPECT_EQ(*typed, *untyped);
  }
  return *typed;
}

struct plain {
  std::int32_t i = 0;
  std::int64_t l = 0;
};
struct stamped {
  std::int64_t seconds = 0; // google.protobuf.Timestamp, as a struct of the program
  std::int32_t nanos = 0;
};
struct sints {
  std::int32_t i = 0;
  std::vector<std::int64_t> l;
};
struct fixeds {
  std::uint64_t u = 0;
  std::vector<std::int32_t> i;
};
struct labels {
  std::vector<std::uint32_t> numbers;
  std::vector<double> reals;
  std::vector<std::string> words;
  std::map<std::uint32_t, std::string> by_number;
  std::optional<float> ratio;
  std::variant<std::uint32_t, std::string> either;
  std::string text;
  std::expected<void, std::string> outcome;
};
struct at {
  encoding_types::time time;
};
struct at_seconds {
  encoding_types::seconds_time time;
};
struct takes {
  std::chrono::duration<std::int16_t> time{};
};
struct takes_days { // stored in 64 bits
  std::chrono::duration<std::int32_t, std::ratio<86'400>> time{};
};
struct at_microseconds { // stored in nanoseconds
  std::chrono::time_point<std::chrono::system_clock, std::chrono::duration<std::int64_t, std::micro>> time;
};
struct takes_frames {
  std::chrono::duration<std::int64_t, std::ratio<1'001, 30'000>> time{};
};
struct any_value {
  ingot::document value;
};
struct one_struct {
  ingot::document value;
};
struct one_list {
  ingot::document value;
};
struct wrapped {
  std::optional<std::int32_t> number;
};
struct text_or_none {
  std::optional<std::string> text;
};
struct live_note {
  ingot::live_value value;
};
enum class closed : std::uint8_t { none = 0, one = 1 };
enum class open_natural : std::uint32_t { none = 0, one = 1 };
struct moods {
  closed one = closed::none;
  encoding_types::open other = encoding_types::open::none;
};
struct naturals {
  std::vector<open_natural> all;
};

struct numbered {
  std::uint8_t n = 0;
};

} // namespace protobuf_encodings_test

template <>
inline constexpr auto ingot::annotations<protobuf_encodings_test::numbered> =
    ingot::annotate(ingot::member<"n">(ingot::field_number(5)));
template <>
inline constexpr auto ingot::annotations<protobuf_encodings_test::sints> =
    ingot::annotate(ingot::member<"i">(ingot::proto_sint), ingot::member<"l">(ingot::proto_sint));
template <>
inline constexpr auto ingot::annotations<protobuf_encodings_test::fixeds> =
    ingot::annotate(ingot::member<"u">(ingot::proto_fixed), ingot::member<"i">(ingot::proto_fixed));
template <>
inline constexpr auto ingot::annotations<protobuf_encodings_test::at> =
    ingot::annotate(ingot::member<"time">(ingot::proto_well_known));
template <>
inline constexpr auto ingot::annotations<protobuf_encodings_test::at_seconds> =
    ingot::annotate(ingot::member<"time">(ingot::proto_well_known));
template <>
inline constexpr auto ingot::annotations<protobuf_encodings_test::takes> =
    ingot::annotate(ingot::member<"time">(ingot::proto_well_known));
template <>
inline constexpr auto ingot::annotations<protobuf_encodings_test::takes_days> =
    ingot::annotate(ingot::member<"time">(ingot::proto_well_known));
template <>
inline constexpr auto ingot::annotations<protobuf_encodings_test::at_microseconds> =
    ingot::annotate(ingot::member<"time">(ingot::proto_well_known));
template <>
inline constexpr auto ingot::annotations<protobuf_encodings_test::takes_frames> =
    ingot::annotate(ingot::member<"time">(ingot::proto_well_known));
template <>
inline constexpr auto ingot::annotations<protobuf_encodings_test::any_value> =
    ingot::annotate(ingot::member<"value">(ingot::proto_well_known));
template <>
inline constexpr auto ingot::annotations<protobuf_encodings_test::one_struct> =
    ingot::annotate(ingot::member<"value">(ingot::proto_struct));
template <>
inline constexpr auto ingot::annotations<protobuf_encodings_test::one_list> =
    ingot::annotate(ingot::member<"value">(ingot::proto_list));
template <>
inline constexpr auto ingot::annotations<protobuf_encodings_test::wrapped> =
    ingot::annotate(ingot::member<"number">(ingot::proto_well_known));
template <>
inline constexpr auto ingot::annotations<protobuf_encodings_test::text_or_none> =
    ingot::annotate(ingot::member<"text">(ingot::proto_well_known));
template <>
inline constexpr auto ingot::annotations<protobuf_encodings_test::live_note> =
    ingot::annotate(ingot::member<"value">(ingot::proto_well_known));
template <>
inline constexpr auto ingot::annotations<protobuf_encodings_test::open_natural> =
    ingot::annotate(ingot::type(ingot::open_enum));

namespace protobuf_encodings_test {

TEST(protobuf_encodings, integers_without_annotations_are_twos_complement) {
  EXPECT_EQ(write_both(plain{-2, 1}),
            bytes_of({0x08, 254, 255, 255, 255, 255, 255, 255, 255, 255, 1, 0x10, 1}));
  // google.protobuf.Timestamp{1700000000, 123456789}
  const auto time =
      read_both<stamped>(bytes_of({0x08, 0x80, 0xe2, 0xcf, 0xaa, 0x06, 0x10, 0x95, 0x9a, 0xef, 0x3a}));
  ASSERT_TRUE(time);
  EXPECT_EQ(time->seconds, 1'700'000'000);
  EXPECT_EQ(time->nanos, 123'456'789);
  // 2^31 is not an int32
  const auto why = read_both<plain>(bytes_of({0x08, 0x80, 0x80, 0x80, 0x80, 0x08})).error();
  EXPECT_EQ(why.code(), errc::out_of_range);
  EXPECT_EQ(why.path(), "i");
}
TEST(protobuf_encodings, annotations_choose_zigzag_and_fixed_widths) {
  EXPECT_EQ(write_both(sints{-2, {-1, 1}}), bytes_of({0x08, 3, 0x12, 2, 1, 2}));
  EXPECT_EQ(write_both(fixeds{5, {-1}}),
            bytes_of({0x09, 5, 0, 0, 0, 0, 0, 0, 0, 0x12, 4, 255, 255, 255, 255}));
  EXPECT_EQ(read_both<fixeds>(bytes_of({0x15, 254, 255, 255, 255, 0x12, 4, 1, 0, 0, 0}))->i,
            (std::vector<std::int32_t>{-2, 1})); // one by one, and packed
  EXPECT_EQ(read_both<fixeds>(bytes_of({0x12, 3, 1, 0, 0})).error().code(), errc::truncated);
  const auto same = read_both<encodings>(write_both(filled()));
  ASSERT_TRUE(same);
  EXPECT_EQ(write_both(*same), write_both(filled()));
  EXPECT_EQ(same->all.map_sint_fixed, filled().all.map_sint_fixed);
  EXPECT_EQ(same->all.either, filled().all.either);
  EXPECT_EQ(same->messages.times, filled().messages.times);
}
TEST(protobuf_encodings, annotations_are_no_part_of_the_schema) {
  struct bare {
    std::int32_t i = 0;
    std::vector<std::int64_t> l;
  };
  EXPECT_EQ(ingot::schema_id<sints>, ingot::schema_id<bare>);
}
TEST(protobuf_encodings, a_known_field_of_another_wire_type_is_an_error) {
  const auto wrong = [](std::initializer_list<int> bytes, std::string_view path) {
    const auto read = read_both<labels>(bytes_of(bytes));
    ASSERT_FALSE(read);
    EXPECT_EQ(read.error().code(), errc::type_mismatch);
    EXPECT_EQ(read.error().path(), path);
    EXPECT_NE(read.error().message().find("wire type"), std::string::npos) << read.error().message();
  };
  wrong({0x0d, 1, 0, 0, 0}, "numbers");
  wrong({0x10, 1}, "reals");
  wrong({0x18, 1}, "words");
  wrong({0x20, 1}, "by_number");
  wrong({0x22, 2, 0x10, 1}, "by_number[0].value");
  wrong({0x22, 2, 0x0a, 0}, "by_number[0].key");
  wrong({0x29, 1, 0, 0, 0, 0, 0, 0, 0}, "ratio");
  wrong({0x32, 2, 0x0a, 0}, "either[0]");
  wrong({0x32, 2, 0x10, 1}, "either[1]");
  wrong({0x3b, 0x3c}, "text");
  wrong({0x42, 2, 0x0a, 0}, "outcome.value");
  EXPECT_EQ(read_both<labels>(bytes_of({0x0a, 1, 7, 0x08, 8}))->numbers, (std::vector<std::uint32_t>{7, 8}));
  const auto why = pb::read<labels>(bytes_of({0x3d, 1, 0, 0, 0})).error();
  EXPECT_EQ(why.expected(), "wire type 2 (length-delimited)");
  EXPECT_EQ(why.found(), "wire type 5 (32 bits)");
}
TEST(protobuf_encodings, unknown_groups_are_skipped) {
  EXPECT_EQ(read_both<plain>(bytes_of({0x2b, 0x08, 1, 0x2c, 0x08, 1}))->i, 1);
  // Groups in a group, and fields of all types
  EXPECT_EQ(read_both<plain>(bytes_of({0x2b, 0x33, 0x2b, 0x2c, 0x34, 0x09, 1, 2, 3, 4,    5,    6, 7,
                                       8,    0x12, 1,    'x',  0x1d, 1,    2, 3, 4, 0x2c, 0x08, 9}))
                ->i,
            9);
  // In an entry of a map, and in a message of google.protobuf
  EXPECT_EQ(read_both<labels>(bytes_of({0x22, 7, 0x2b, 0x2c, 0x08, 3, 0x12, 1, 'x'}))->by_number.at(3), "x");
  EXPECT_EQ(read_both<at>(bytes_of({0x0a, 4, 0x1b, 0x1c, 0x10, 7}))->time.time_since_epoch().count(), 7);
  const auto code = [](std::initializer_list<int> bytes) {
    return read_both<plain>(bytes_of(bytes)).error().code();
  };
  EXPECT_EQ(code({0x2b, 0x08, 1}), errc::truncated);
  EXPECT_EQ(code({0x2b}), errc::truncated);
  EXPECT_EQ(code({0x2c}), errc::bad_variant);                   // an end without a beginning
  EXPECT_EQ(code({0x2b, 0x34}), errc::bad_variant);             // the end of another group
  EXPECT_EQ(code({0x2b, 0x33, 0x2c, 0x34}), errc::bad_variant); // crosswise
  EXPECT_EQ(code({0x2b, 0x12, 5, 0x2c}), errc::truncated);
}
TEST(protobuf_encodings, groups_are_only_so_deep) {
  const auto nested = [](int levels) {
    std::vector<std::byte> bytes;
    for (int i = 0; i < levels; ++i) bytes.push_back(std::byte{0x2b});
    for (int i = 0; i < levels; ++i) bytes.push_back(std::byte{0x2c});
    return bytes;
  };
  EXPECT_TRUE(read_both<plain>(nested(99)));
  EXPECT_EQ(read_both<plain>(nested(100)).error().code(), errc::too_deep);
  // needs no machine stack
  EXPECT_TRUE(read_both<plain>(nested(200'000), {.max_depth = 1'000'000}));
}
TEST(protobuf_encodings, open_enumerations_keep_numbers_and_closed_ones_reject_them) {
  const auto moods_read = read_both<moods>(bytes_of({0x10, 77}));
  ASSERT_TRUE(moods_read);
  EXPECT_EQ(static_cast<int>(moods_read->other), 77);
  EXPECT_EQ(write_both(*moods_read), bytes_of({0x10, 77}));
  const auto why = pb::read<moods>(bytes_of({0x08, 77})).error();
  EXPECT_EQ(why.code(), errc::bad_enum);
  EXPECT_EQ(why.path(), "one");
  EXPECT_NE(why.message().find("open_enum"), std::string::npos);
  // Values that protobuf's enumerations can't represent are not written.
  const auto wide = pb::write(naturals{{open_natural::one, static_cast<open_natural>(0x80000000U)}});
  ASSERT_FALSE(wide);
  EXPECT_EQ(wide.error().code(), errc::out_of_range);
  EXPECT_EQ(wide.error().path(), "all[1]");
  const auto by = stored_schema<naturals>();
  const auto packed =
      ingot::pack(naturals{{open_natural::one, static_cast<open_natural>(0x80000000U)}}).value();
  const auto untyped = pb::write_message(ingot::dynamic_message::open(packed, by).value(), by);
  ASSERT_FALSE(untyped);
  EXPECT_EQ(untyped.error().code(), errc::out_of_range);
  EXPECT_EQ(untyped.error().path(), "all[1]");
}
TEST(protobuf_encodings, times_are_seconds_and_nanoseconds) {
  using namespace std::chrono;
  EXPECT_EQ(write_both(at{encoding_types::time(encoding_types::nanoseconds(1'500'000'000))}),
            bytes_of({0x0a, 8, 0x08, 1, 0x10, 0x80, 0xca, 0xb5, 0xee, 0x01}));
  EXPECT_EQ(write_both(at{}), bytes_of({0x0a, 0}));
  EXPECT_EQ(read_both<at>({})->time.time_since_epoch().count(), 0);
  // Pieces of a message are merged.
  EXPECT_EQ(read_both<at>(bytes_of({0x0a, 2, 0x08, 2, 0x0a, 2, 0x10, 3}))->time.time_since_epoch().count(),
            2'000'000'003);
  EXPECT_EQ(read_both<takes_days>(bytes_of({0x0a, 4, 0x08, 0x80, 0xa3, 0x05, 0x0a, 0}))->time.count(), 1);
  const at_microseconds far{decltype(at_microseconds::time)(std::chrono::hours(24 * 365 * 1'000))};
  // nanoseconds since 1970 end in 2262
  EXPECT_EQ(pb::write(far).error().code(), errc::out_of_range);
  const std::vector<decltype(at_microseconds::time)> many{far.time};
  EXPECT_EQ(pb::write(many).error().path(), "[0]");
  const auto code = [](const auto& read) {
    EXPECT_FALSE(read);
    return read ? errc::truncated : read.error().code();
  };
  // Half a second is not an integral number of seconds; a time's nanoseconds can't be negative;
  // year 10000; int16.
  EXPECT_EQ(code(read_both<at_seconds>(bytes_of({0x0a, 6, 0x10, 0x80, 0xca, 0xb5, 0xee, 0x01}))),
            errc::out_of_range);
  EXPECT_EQ(code(read_both<at>(bytes_of({0x0a, 11, 0x10, 255, 255, 255, 255, 255, 255, 255, 255, 255, 1}))),
            errc::out_of_range);
  EXPECT_EQ(code(read_both<at_seconds>(bytes_of({0x0a, 7, 0x08, 0x80, 0x83, 0xd1, 0xff, 0xaf, 0x07}))),
            errc::out_of_range);
  EXPECT_EQ(code(read_both<takes>(bytes_of({0x0a, 4, 0x08, 0x80, 0x80, 0x02}))), errc::out_of_range);
  EXPECT_EQ(code(read_both<takes>(bytes_of({0x0a, 8, 0x08, 1, 0x10, 255, 255, 255, 255, 255}))),
            errc::truncated);
  // Seconds of one sign and nanoseconds of the other are not a valid duration.
  EXPECT_EQ(code(read_both<takes_frames>(
                bytes_of({0x0a, 13, 0x08, 1, 0x10, 255, 255, 255, 255, 255, 255, 255, 255, 255, 1}))),
            errc::out_of_range);
  // 30000 frames of 1001/30000 s take 1001 s; a single frame is not a whole number of nanoseconds.
  EXPECT_EQ(write_both(takes_frames{decltype(takes_frames::time)(-30'000)}),
            bytes_of({0x0a, 11, 0x08, 0x97, 0xf8, 255, 255, 255, 255, 255, 255, 255, 1}));
  EXPECT_EQ(read_both<takes_frames>(bytes_of({0x0a, 3, 0x08, 0xe9, 0x07}))->time.count(), 30'000);
  EXPECT_EQ(pb::write(takes_frames{decltype(takes_frames::time)(1)}).error().path(), "time");
  EXPECT_EQ(pb::write(at_seconds{encoding_types::seconds_time(seconds(253'402'300'800))}).error().code(),
            errc::out_of_range);
  for (const std::int64_t each :
       {std::numeric_limits<std::int64_t>::min(), std::int64_t{-1'000'000'001}, std::int64_t{-1'000'000'000},
        std::int64_t{-1}, std::int64_t{999'999'999}, std::numeric_limits<std::int64_t>::max()})
    EXPECT_EQ(read_both<at>(write_both(at{encoding_types::time(encoding_types::nanoseconds(each))}))
                  ->time.time_since_epoch()
                  .count(),
              each);
}
TEST(protobuf_encodings, nan_is_no_key) {
  const std::map<double, bool> read{{std::numeric_limits<double>::quiet_NaN(), true}};
  const auto written = pb::write(read);
  ASSERT_FALSE(written);
  EXPECT_EQ(written.error().code(), errc::not_canonical);
  EXPECT_FALSE(pb::write(std::set<double>{std::numeric_limits<double>::quiet_NaN()}));
  const auto nan = bytes_of({0x0a, 9, 0x09, 0, 0, 0, 0, 0, 0, 0xf8, 0x7f});
  const auto why = pb::read<std::map<double, bool>>(nan).error();
  EXPECT_EQ(why.code(), errc::not_canonical);
  EXPECT_EQ(why.path(), "[0].key");
  EXPECT_EQ(pb::read<std::set<double>>(bytes_of({0x09, 0, 0, 0, 0, 0, 0, 0xf8, 0x7f})).error().code(),
            errc::not_canonical);
}
TEST(protobuf_encodings, wrappers_tell_zero_from_nothing) {
  EXPECT_EQ(write_both(wrapped{0}), bytes_of({0x0a, 0}));
  EXPECT_EQ(write_both(wrapped{5}), bytes_of({0x0a, 2, 0x08, 5}));
  EXPECT_EQ(write_both(wrapped{}), bytes_of({}));
  EXPECT_EQ(read_both<wrapped>(bytes_of({0x0a, 0}))->number, 0);
  EXPECT_FALSE(read_both<wrapped>({})->number);
  EXPECT_EQ(read_both<wrapped>(bytes_of({0x08, 5})).error().code(), errc::type_mismatch);
  EXPECT_EQ(read_both<text_or_none>(bytes_of({0x0a, 3, 0x0a, 1, 'x'}))->text, "x");
  EXPECT_EQ(read_both<text_or_none>(bytes_of({0x0a, 3, 0x0a, 1, 0xff})).error().path(), "text");
}
TEST(protobuf_encodings, documents_are_values) {
  const auto read = [](const std::vector<std::byte>& value) {
    const auto outcome = read_both<any_value>(field(1, value));
    EXPECT_TRUE(outcome) << (outcome ? std::string() : outcome.error().message());
    return outcome ? outcome->value : ingot::document();
  };
  EXPECT_TRUE(read(bytes_of({})).root().is_null());
  EXPECT_TRUE(read(bytes_of({0x08, 0})).root().is_null());
  EXPECT_EQ(read(bytes_of({0x20, 1})).root(), ingot::document(true).root());
  EXPECT_EQ(read(bytes_of({0x1a, 1, 'x'})).root(), ingot::document("x").root());
  EXPECT_EQ(read(bytes_of({0x11, 0, 0, 0, 0, 0, 0, 0xf0, 0x3f})).root().as<int>(),
            1); // whole numbers are integers
  EXPECT_EQ(read(bytes_of({0x11, 0, 0, 0, 0, 0, 0, 0xf8, 0x3f})).root().as<double>(), 1.5);
  EXPECT_TRUE(std::signbit(read(bytes_of({0x11, 0, 0, 0, 0, 0, 0, 0, 0x80})).root().as<double>().value()));
  EXPECT_TRUE(std::isnan(read(bytes_of({0x11, 0, 0, 0, 0, 0, 0, 0xf8, 0x7f})).root().as<double>().value()));
  // the last one
  EXPECT_EQ(read(bytes_of({0x1a, 1, 'x', 0x20, 0})).root(), ingot::document(false).root());
  // Structs and lists of one value are merged; for a repeated key the last entry counts.
  const auto entry = [](std::string_view key, const std::vector<std::byte>& value) {
    return field(1, joined({text_field(1, key), field(2, value)}));
  };
  const auto twice =
      read(joined({field(5, joined({entry("a", bytes_of({0x20, 1})), entry("b", bytes_of({}))})),
                   field(5, entry("a", bytes_of({0x20, 0})))}));
  ASSERT_EQ(twice.root().size(), 2U);
  EXPECT_FALSE(twice["a"].as<bool>().value());
  EXPECT_TRUE(twice["b"].is_null());
  EXPECT_EQ(
      read(joined({field(6, field(1, bytes_of({0x20, 1}))), field(6, field(1, bytes_of({})))})).root().size(),
      2U);
  EXPECT_EQ(read(joined({field(6, field(1, bytes_of({}))), bytes_of({0x08, 0}), field(6, {})})).root().size(),
            0U);
  // an entry without key and value
  EXPECT_EQ(read(field(5, field(1, bytes_of({}))))[""].is_null(), true);
}
TEST(protobuf_encodings, wrong_values_are_rejected_by_path) {
  const auto why = [](const std::vector<std::byte>& value) {
    const auto outcome = read_both<any_value>(field(1, value));
    EXPECT_FALSE(outcome);
    return outcome ? ingot::error() : outcome.error();
  };
  EXPECT_EQ(why(bytes_of({0x10, 1})).code(), errc::type_mismatch);
  EXPECT_EQ(why(bytes_of({0x1a, 1, 0xff})).code(), errc::invalid_utf8);
  EXPECT_EQ(why(bytes_of({0x1a, 2, 'x'})).code(), errc::truncated);
  const auto deep = why(
      field(5, field(1, joined({text_field(1, "k"), field(2, field(6, field(1, bytes_of({0x10, 1}))))}))));
  EXPECT_EQ(deep.code(), errc::type_mismatch);
  EXPECT_EQ(deep.path(), "value.k[0]");
  EXPECT_EQ(why(field(5, field(1, bytes_of({0x08, 1})))).code(),
            errc::type_mismatch); // a key that is a number
}
TEST(protobuf_encodings, documents_that_are_no_values_are_not_written) {
  const auto why = [](ingot::document value) {
    any_value some;
    some.value = std::move(value);
    const auto outcome = pb::write(some);
    EXPECT_FALSE(outcome);
    return outcome ? ingot::error() : outcome.error();
  };
  ingot::document large;
  large["n"] = std::vector<std::int64_t>{1, (std::int64_t{1} << 53) + 1};
  EXPECT_EQ(why(large).code(), errc::out_of_range);
  EXPECT_EQ(why(large).path(), "value.n[1]");
  EXPECT_EQ(why(ingot::document(std::uint64_t{1} << 63)).code(), errc::out_of_range);
  ingot::document raw;
  raw["raw"] = ingot::as_bytes_view(std::string_view("\1\2"));
  EXPECT_EQ(why(raw).code(), errc::type_mismatch);
  EXPECT_EQ(why(raw).path(), "value.raw");
  one_struct no_object;
  no_object.value = ingot::document(std::vector<int>{1});
  EXPECT_EQ(pb::write(no_object).error().path(), "value");
  one_list no_array;
  no_array.value = ingot::document("x");
  EXPECT_EQ(pb::write(no_array).error().code(), errc::type_mismatch);
}
TEST(protobuf_encodings, structs_and_lists_are_fields_of_their_own) {
  one_struct some;
  EXPECT_EQ(write_both(some), bytes_of({}));
  some.value = ingot::document(std::map<std::string, bool>{});
  EXPECT_EQ(write_both(some), bytes_of({0x0a, 0}));
  EXPECT_TRUE(read_both<one_struct>(bytes_of({0x0a, 0}))->value.root().is_object());
  EXPECT_TRUE(read_both<one_struct>({})->value.root().is_null());
  some.value["a"] = true;
  EXPECT_EQ(write_both(some), bytes_of({0x0a, 9, 0x0a, 7, 0x0a, 1, 'a', 0x12, 2, 0x20, 1}));
  EXPECT_EQ(read_both<one_struct>(write_both(some))->value.root(), some.value.root());
  one_list list;
  list.value = ingot::document(std::vector<bool>{true});
  EXPECT_EQ(write_both(list), bytes_of({0x0a, 4, 0x0a, 2, 0x20, 1}));
  EXPECT_EQ(read_both<one_list>(write_both(list))->value.root(), list.value.root());
  // Pieces are merged.
  EXPECT_EQ(read_both<one_list>(bytes_of({0x0a, 4, 0x0a, 2, 0x20, 1, 0x0a, 0}))->value.root().size(), 1U);
  EXPECT_EQ(read_both<one_list>(bytes_of({0x0a, 4, 0x0a, 2, 0x20, 1, 0x0a, 4, 0x0a, 2, 0x20, 0}))
                ->value[1]
                .as<bool>()
                .value(),
            false);
  std::vector<std::byte> many; // would take minutes if each piece were merged with all before it
  for (int i = 0; i < 100'000; ++i) {
    for (const int each : {0x0a, 4, 0x0a, 2, 0x20, 1}) many.push_back(static_cast<std::byte>(each));
  }
  EXPECT_EQ(pb::read<one_list>(many)->value.root().size(), 100'000U);
}
TEST(protobuf_encodings, values_in_blocks_are_values) {
  ingot::live<live_note> block;
  ASSERT_TRUE(pb::read_into(*block, bytes_of({0x0a, 3, 0x1a, 1, 'x'})));
  EXPECT_EQ(pb::write(*block).value(), bytes_of({0x0a, 3, 0x1a, 1, 'x'}));
}
TEST(protobuf_encodings, values_are_only_so_deep) {
  // A list in a list counts as two messages; the value and the outermost message count as one each.
  ingot::document deep(true);
  for (int i = 0; i < 49; ++i) deep = ingot::document(std::vector<ingot::document>(1, deep));
  any_value some;
  some.value = deep;
  const auto fits = write_both(some);
  EXPECT_TRUE(read_both<any_value>(fits));
  EXPECT_EQ(read_both<any_value>(fits, {.max_depth = 99}).error().code(), errc::too_deep);
  some.value = ingot::document(std::vector<ingot::document>(1, deep));
  EXPECT_EQ(pb::write(some).error().code(), errc::too_deep);
  const auto deeper = pb::write(some, {.max_depth = 102});
  ASSERT_TRUE(deeper);
  EXPECT_EQ(read_both<any_value>(*deeper).error().code(), errc::too_deep);
}
TEST(protobuf_encodings, every_prefix_and_every_flipped_bit_is_read_or_rejected_by_both) {
  const auto whole = pb::write(filled()).value();
  const ingot::schema by = stored_schema<encodings>();
  const auto ready = ingot::dynamic_schema::from(by).value();
  const bool is_full = std::getenv("INGOT_TEST_FULL") != nullptr; // NOLINT(concurrency-mt-unsafe)
  std::size_t read = 0;
  const auto try_bytes = [&](ingot::bytes_view bytes) {
    const auto typed = pb::read<encodings>(bytes);
    const auto doc = pb::read_document(bytes, by);
    if (!typed) {
      EXPECT_LE(typed.error().offset(), bytes.size());
      return;
    }
    ++read;
    ASSERT_TRUE(doc) << doc.error().message();
    const auto packed = ingot::pack_document(*doc, ready);
    ASSERT_TRUE(packed) << packed.error().message();
    ASSERT_TRUE(std::ranges::equal(*packed, ingot::as_bytes_view(ingot::pack(*typed).value())));
    const auto written = pb::write(*typed);
    ASSERT_TRUE(written) << written.error().message();
    const auto again = pb::read<encodings>(*written);
    ASSERT_TRUE(again) << again.error().message();
    ASSERT_EQ(pb::write(*again).value(), *written);
  };
  for (std::size_t n = 0; n < whole.size(); n += is_full ? 1 : 5)
    try_bytes(ingot::bytes_view(whole).first(n));
  for (std::size_t bit = 0; bit < 8 * whole.size(); bit += is_full ? 1 : 11) {
    auto flipped = whole;
    flipped[bit / 8] ^= static_cast<std::byte>(1U << bit % 8);
    try_bytes(flipped);
  }
  EXPECT_GT(read, 100U);
}

TEST(protobuf_encodings, a_layout_of_a_type_with_annotations_is_rejected_by_name) {
  struct narrow {
    static void expect_rejected(const ingot::schema& by) {
      EXPECT_TRUE(by.lacks_protobuf());
      const auto read = pb::read_document({}, by);
      ASSERT_FALSE(read);
      EXPECT_EQ(read.error().code(), errc::unsupported);
      EXPECT_NE(read.error().message().find("the type's annotations for protobuf"), std::string::npos)
          << read.error().message();
      const auto written = pb::write_document(ingot::document().root(), by);
      ASSERT_FALSE(written);
      EXPECT_EQ(written.error().code(), errc::unsupported);
      EXPECT_NE(ingot::to_proto(by).find("// The type has annotations"), std::string::npos);
    }
  };
  narrow::expect_rejected(ingot::schema_for(ingot::dynamic_layout::of<at>().value()).value());
  narrow::expect_rejected(ingot::schema_for(ingot::layout_for(stored_schema<numbered>()).value()).value());
  const auto plain = ingot::schema_for(ingot::dynamic_layout::of<stamped>().value()).value();
  EXPECT_FALSE(plain.lacks_protobuf());
  EXPECT_TRUE(pb::read_document({}, plain));
}

} // namespace protobuf_encodings_test
