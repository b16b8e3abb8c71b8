// SPDX-License-Identifier: Apache-2.0
// Every encoding of integers and google.protobuf's own messages, exchanged with code that
// protobuf's compiler generated from the output of `to_proto`. Breaks when the two sides read other
// values than were written.
#include <ingot/protobuf/document.hpp>
#include <ingot/protobuf/read.hpp>
#include <ingot/protobuf/value.hpp>
#include <ingot/protobuf/write.hpp>
#include <ingot/schema/to_proto.hpp>

#include "protobuf/encoding_types.hpp"

#include <chrono>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <fstream>
#include <iterator>
#include <limits>
#include <span>
#include <string>

#include <encodings.pb.h>
#include <google/protobuf/unknown_field_set.h>
#include <gtest/gtest.h>

namespace protobuf_encodings_oracle_test {

using encoding_types::encodings;
using encoding_types::filled;
namespace pb = ingot::protobuf;

ingot::bytes_view view(const std::string& bytes) { return std::as_bytes(std::span(bytes)); }
std::string text(ingot::bytes_view bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}
template <class Message>
bool knows_all(const Message& message) {
  return message.GetReflection()->GetUnknownFields(message).empty();
}

TEST(protobuf_encodings_exchange, the_message_is_the_one_that_is_printed) {
  std::ifstream file(INGOT_SOURCE_DIR "/tests/protobuf/encodings.proto");
  const std::string golden((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>());
  EXPECT_EQ(ingot::to_proto(ingot::schema_of<encodings>(), {.name = "encodings"}), golden);
}
TEST(protobuf_encodings_exchange, their_code_reads_the_integers_that_are_written) {
  Encodings theirs;
  ASSERT_TRUE(theirs.ParseFromString(text(pb::write(filled()).value())));
  const Numbers& all = theirs.all();
  EXPECT_TRUE(knows_all(all));
  constexpr std::int32_t least32 = std::numeric_limits<std::int32_t>::min();
  constexpr std::int64_t least64 = std::numeric_limits<std::int64_t>::min();
  EXPECT_EQ(all.plain32(), least32);
  EXPECT_EQ(all.plain64(), least64);
  EXPECT_EQ(all.natural32(), std::numeric_limits<std::uint32_t>::max());
  EXPECT_EQ(all.natural64(), std::numeric_limits<std::uint64_t>::max());
  EXPECT_EQ(all.sint32(), least32);
  EXPECT_EQ(all.sint64(), least64);
  EXPECT_EQ(all.fixed32(), std::numeric_limits<std::uint32_t>::max());
  EXPECT_EQ(all.fixed64(), std::numeric_limits<std::uint64_t>::max());
  EXPECT_EQ(all.sfixed32(), least32);
  EXPECT_EQ(all.sfixed64(), least64);
  EXPECT_EQ(all.narrow(), -128);
  EXPECT_EQ(all.narrow_fixed(), -32'768);
  ASSERT_EQ(all.plains_size(), 5);
  EXPECT_EQ(all.plains(1), -1);
  ASSERT_EQ(all.sints_size(), 5);
  EXPECT_EQ(all.sints(0), least64);
  ASSERT_EQ(all.fixeds_size(), 3);
  EXPECT_EQ(all.fixeds(2), std::numeric_limits<std::uint64_t>::max());
  ASSERT_EQ(all.sfixeds_size(), 2);
  EXPECT_EQ(all.sfixeds(0), -1);
  EXPECT_EQ(all.map_plain().at(-1), least64);
  EXPECT_EQ(all.map_sint_fixed().at(least32), -1);
  EXPECT_EQ(all.map_sint_fixed().at(7), std::numeric_limits<std::int64_t>::max());
  ASSERT_EQ(all.map_fixed().at(std::numeric_limits<std::uint64_t>::max()).value_size(), 2);
  EXPECT_EQ(all.map_fixed().at(std::numeric_limits<std::uint64_t>::max()).value(0), -1);
  EXPECT_EQ(all.sint_set(0), -64);
  EXPECT_EQ(all.maybe(), -2);
  EXPECT_EQ(all.either().alternative2(), -3);
  EXPECT_EQ(all.pair().part0(), -4);
  EXPECT_EQ(all.pair().part1(), 5U);
  EXPECT_EQ(all.count(), -6);
  EXPECT_EQ(all.count_fixed(), -7);
  EXPECT_EQ(all.far(), -(std::int64_t{1} << 40));
  EXPECT_EQ(all.far_sint(), -(std::int64_t{1} << 40));
  EXPECT_EQ(all.more(), -1'000'000); // an open enumeration, like those of proto3
  EXPECT_EQ(all.mores(1), std::numeric_limits<std::int32_t>::max());
}
TEST(protobuf_encodings_exchange, their_code_reads_the_messages_of_google_protobuf) {
  Encodings theirs;
  ASSERT_TRUE(theirs.ParseFromString(text(pb::write(filled()).value())));
  const Known& all = theirs.messages();
  EXPECT_TRUE(knows_all(all));
  EXPECT_EQ(all.at().seconds(), 1'700'000'000);
  EXPECT_EQ(all.at().nanos(), 123'456'789);
  EXPECT_EQ(all.wait().seconds(), -1);
  EXPECT_EQ(all.wait().nanos(), -500'000'000);
  EXPECT_EQ(all.old().seconds(), -3 * 86'400);
  EXPECT_EQ(all.until().seconds(), -62'135'596'800);
  ASSERT_EQ(all.times_size(), 4);
  EXPECT_EQ(all.times(0).seconds(), -1);
  EXPECT_EQ(all.times(0).nanos(), 999'999'999);
  EXPECT_EQ(all.waits().at("half").nanos(), 500'000'000);
  EXPECT_EQ(all.either().alternative1().nanos(), 5);
  EXPECT_EQ(all.value().list_value().values(1).number_value(), -3);
  EXPECT_EQ(all.value().list_value().values(2).number_value(), 1e300);
  EXPECT_EQ(all.structure().fields().at("name").string_value(), "x");
  EXPECT_EQ(all.structure().fields().at("deep").struct_value().fields().at("list").list_value().values_size(),
            2);
  EXPECT_EQ(all.list().values(1).string_value(), "a");
  ASSERT_EQ(all.values_size(), 3);
  EXPECT_TRUE(all.values(0).has_null_value());
  EXPECT_TRUE(all.values(1).bool_value());
  EXPECT_EQ(all.values(2).struct_value().fields().at("name").string_value(), "x");
  EXPECT_TRUE(all.by_name().at("none").has_null_value());
  EXPECT_EQ(all.by_name().at("count").number_value(), 9007199254740992.0);
  EXPECT_TRUE(all.maybe().has_null_value());
  EXPECT_TRUE(all.has_boolean());
  EXPECT_FALSE(all.boolean().value());
  EXPECT_EQ(all.int32().value(), -1);
  EXPECT_EQ(all.int64().value(), std::numeric_limits<std::int64_t>::min());
  EXPECT_TRUE(all.has_uint32());
  EXPECT_EQ(all.uint64().value(), std::numeric_limits<std::uint64_t>::max());
  EXPECT_TRUE(std::signbit(all.single().value()));
  EXPECT_EQ(all.real().value(), 0.5);
  EXPECT_TRUE(all.has_text());
  EXPECT_EQ(all.bytes().value(), std::string(1, '\0'));
  EXPECT_EQ(all.any().type_url(), "type.googleapis.com/google.protobuf.Int32Value");
  google::protobuf::Int32Value inner;
  ASSERT_TRUE(all.any().UnpackTo(&inner));
  EXPECT_EQ(inner.value(), 1);
  EXPECT_EQ(all.anys_size(), 2);
}
TEST(protobuf_encodings_exchange, what_their_code_writes_is_read_as_the_same_value) {
  const std::string ours = text(pb::write(filled()).value());
  Encodings theirs;
  ASSERT_TRUE(theirs.ParseFromString(ours));
  const std::string bytes = theirs.SerializeAsString();
  const auto back = pb::read<encodings>(view(bytes));
  ASSERT_TRUE(back) << back.error().message();
  EXPECT_EQ(text(pb::write(*back).value()), ours);
  // The schema alone gives the same result.
  const ingot::schema by = ingot::schema_of<encodings>();
  const auto doc = pb::read_document(view(bytes), by);
  ASSERT_TRUE(doc) << doc.error().message();
  const auto again = pb::write_document(doc->root(), by);
  ASSERT_TRUE(again) << again.error().message();
  EXPECT_EQ(text(*again), ours);
}
TEST(protobuf_encodings_exchange, what_their_code_makes_is_read) {
  Encodings theirs;
  Known& all = *theirs.mutable_messages();
  all.mutable_at()->set_seconds(-1);
  all.mutable_at()->set_nanos(1);
  all.mutable_wait()->set_nanos(-1);
  all.mutable_structure(); // present, and empty
  (*all.mutable_value()->mutable_struct_value()->mutable_fields())["n"].set_number_value(1.5);
  all.mutable_list()->add_values()->set_string_value("s");
  all.mutable_any()->PackFrom(all.at());
  all.mutable_int32();
  theirs.mutable_all()->set_plain32(-5);
  theirs.mutable_all()->set_more(static_cast<Open>(77));
  const auto back = pb::read<encodings>(view(theirs.SerializeAsString()));
  ASSERT_TRUE(back) << back.error().message();
  EXPECT_EQ(back->messages.at.time_since_epoch().count(), -999'999'999);
  EXPECT_EQ(back->messages.wait.count(), -1);
  EXPECT_TRUE(back->messages.structure.root().is_object());
  EXPECT_EQ(back->messages.structure.root().size(), 0U);
  EXPECT_EQ(back->messages.value["n"].as<double>(), 1.5);
  EXPECT_EQ(back->messages.list[0].as<std::string>(), "s");
  EXPECT_EQ(back->messages.any.type_url, "type.googleapis.com/google.protobuf.Timestamp");
  EXPECT_EQ(back->messages.int32, 0);
  EXPECT_FALSE(back->messages.int64);
  EXPECT_EQ(back->all.plain32, -5);
  EXPECT_EQ(static_cast<int>(back->all.more), 77);
}

} // namespace protobuf_encodings_oracle_test
