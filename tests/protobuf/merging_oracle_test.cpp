// SPDX-License-Identifier: Apache-2.0
// Messages in pieces, merged as protobuf's own code merges them. Breaks when a singular message
// field of any kind loses data of an earlier piece.
#include <ingot/protobuf/document.hpp>
#include <ingot/protobuf/read.hpp>
#include <ingot/protobuf/value.hpp>
#include <ingot/protobuf/write.hpp>

#include "protobuf/encoding_types.hpp"

#include <cstddef>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include <encodings.pb.h>
#include <gtest/gtest.h>

namespace protobuf_merging_oracle_test {

using encoding_types::encodings;
namespace pb = ingot::protobuf;

ingot::bytes_view view(const std::string& bytes) { return std::as_bytes(std::span(bytes)); }
std::string text(ingot::bytes_view bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

using piece = std::function<void(Encodings&)>;

std::vector<piece> documents() {
  const auto value = [](Encodings& to) { return to.mutable_messages()->mutable_value(); };
  const auto fields = [](google::protobuf::Struct* of) { return of->mutable_fields(); };
  return {
      [=](Encodings& to) { value(to)->set_number_value(1.5); },
      [=](Encodings& to) { value(to)->set_null_value(google::protobuf::NULL_VALUE); },
      [=](Encodings& to) { value(to); }, // has no data
      [=](Encodings& to) {
        auto& all = *fields(value(to)->mutable_struct_value());
        all["a"].set_number_value(1);
        (*fields(all["deep"].mutable_struct_value()))["x"].set_bool_value(true);
      },
      [=](Encodings& to) {
        auto& all = *fields(value(to)->mutable_struct_value());
        all["b"].set_string_value("two");
        // an entry with the same key is replaced
        (*fields(all["deep"].mutable_struct_value()))["y"].set_bool_value(false);
      },
      [=](Encodings& to) { value(to)->mutable_list_value()->add_values()->set_number_value(1); },
      [=](Encodings& to) { value(to)->mutable_list_value()->add_values()->set_string_value("2"); },
      [=](Encodings& to) { value(to)->mutable_list_value(); },
  };
}
std::vector<piece> members() {
  return {
      [](Encodings& to) {
        Known& all = *to.mutable_messages();
        (*all.mutable_structure()->mutable_fields())["a"].set_number_value(1);
        (*all.mutable_structure()->mutable_fields())["b"].set_number_value(2);
        all.mutable_list()->add_values()->set_number_value(1);
        all.mutable_maybe()->mutable_list_value()->add_values()->set_bool_value(true);
        (*all.mutable_by_name())["k"].mutable_list_value()->add_values()->set_bool_value(true);
        all.add_values()->set_string_value("1");
        all.mutable_at()->set_seconds(5);
        all.mutable_wait()->set_seconds(1);
        all.mutable_wait()->set_nanos(5);
        all.mutable_until()->set_seconds(-1);
        all.mutable_either()->mutable_alternative1()->set_seconds(3);
        all.mutable_int32()->set_value(7);
        all.mutable_uint64()->set_value(8);
        all.mutable_text()->set_value("text");
        all.mutable_any()->set_type_url("type");
        to.mutable_all()->mutable_pair()->set_part0(1);
        to.mutable_all()->mutable_either()->set_alternative0(1);
      },
      [](Encodings& to) {
        Known& all = *to.mutable_messages();
        (*all.mutable_structure()->mutable_fields())["b"].set_bool_value(true);
        (*all.mutable_structure()->mutable_fields())["c"].set_number_value(3);
        all.mutable_list()->add_values()->set_number_value(2);
        all.mutable_maybe()->mutable_list_value()->add_values()->set_bool_value(false);
        (*all.mutable_by_name())["k"].mutable_list_value()->add_values()->set_bool_value(false);
        all.add_values()->set_string_value("2");
        all.mutable_at()->set_nanos(6);
        // no valid duration together with the nanoseconds of the first piece
        all.mutable_wait()->set_seconds(-1);
        all.mutable_until();
        all.mutable_either()->mutable_alternative1()->set_nanos(4);
        all.mutable_int32();
        all.mutable_uint64();
        all.mutable_text();
        all.mutable_any()->set_value("value");
        to.mutable_all()->mutable_pair()->set_part1(2);
        to.mutable_all()->mutable_either()->set_alternative2(2);
      },
      [](Encodings& to) { // each by itself is not a valid time of the member
        to.mutable_messages()->mutable_wait()->set_nanos(-5);
        to.mutable_messages()->mutable_wait()->set_seconds(1);
        to.mutable_messages()->mutable_old()->set_seconds(1);
      },
      [](Encodings& to) {
        to.mutable_messages()->mutable_wait()->set_nanos(5);
        to.mutable_messages()->mutable_old()->set_seconds(86'400);
      },
      [](Encodings& to) { to.mutable_messages()->mutable_either()->set_alternative0(5); },
      [](Encodings& to) { to.mutable_messages(); },
  };
}
std::vector<piece> classes() {
  return {
      [](Encodings& to) {
        Classes& all = *to.mutable_adapted();
        all.mutable_pair()->set_first(1);
        all.add_list(1);
        all.mutable_at()->set_seconds(1);
        all.mutable_maybe()->set_first(2);
        all.mutable_box()->add_value(1);
        all.mutable_made()->set_first(3);
        all.mutable_made_box()->set_first(4);
        all.mutable_either()->mutable_made_of_pair()->set_first(5);
        all.mutable_outcome()->mutable_value()->set_first(6);
        (*all.mutable_by_name())["k"].set_first(7);
      },
      [](Encodings& to) {
        Classes& all = *to.mutable_adapted();
        all.mutable_pair()->set_second("1");
        all.add_list(2);
        all.mutable_at()->set_nanos(1);
        all.mutable_maybe()->set_second("2");
        all.mutable_box()->add_value(2);
        all.mutable_made()->set_second("3");
        all.mutable_made_box()->set_second("4");
        all.mutable_either()->mutable_made_of_pair()->set_second("5");
        all.mutable_outcome()->mutable_value()->set_second("6");
        (*all.mutable_by_name())["k"].set_second("7");
      },
      [](Encodings& to) {
        to.mutable_adapted()->mutable_either()->mutable_boxed()->set_first(8);
        to.mutable_adapted()->mutable_outcome()->mutable_error()->set_first(9);
      },
      [](Encodings& to) {
        to.mutable_adapted()->mutable_either()->mutable_boxed()->set_second("8");
        to.mutable_adapted()->mutable_outcome()->mutable_error()->set_second("9");
      },
      [](Encodings& to) {
        to.mutable_adapted()->mutable_either()->mutable_alternative3()->mutable_list_value()->add_values();
        to.mutable_adapted()->mutable_outcome();
      },
      [](Encodings& to) { to.mutable_adapted()->mutable_either()->set_alternative0(10); },
      [](Encodings& to) {
        to.mutable_adapted()->mutable_made();
        to.mutable_adapted()->mutable_made_box();
        to.mutable_adapted()->mutable_either()->mutable_made_of_pair();
      },
  };
}

/// Reads the pieces, and compares with the result of protobuf's code. `rejected` counts pieces that
/// both reject.
void compare(const std::string& pieces, std::size_t& rejected) {
  Encodings theirs;
  ASSERT_TRUE(theirs.ParseFromString(pieces));
  const std::string merged = theirs.SerializeAsString();
  const auto expected = pb::read<encodings>(view(merged));
  const auto found = pb::read<encodings>(view(pieces));
  ASSERT_EQ(found.has_value(), expected.has_value())
      << theirs.DebugString() << (found ? expected.error() : found.error()).message();
  static const ingot::schema by = ingot::schema_of<encodings>();
  const auto expected_document = pb::read_document(view(merged), by);
  const auto found_document = pb::read_document(view(pieces), by);
  ASSERT_EQ(found_document.has_value(), expected.has_value()) << theirs.DebugString();
  if (!expected) {
    ++rejected;
    EXPECT_EQ(found.error().code(), expected.error().code());
    EXPECT_EQ(found.error().path(), expected.error().path());
    EXPECT_EQ(found_document.error().code(), expected.error().code())
        << found_document.error().message() << '\n'
        << expected.error().message() << '\n'
        << theirs.DebugString();
    return;
  }
  EXPECT_EQ(text(pb::write(*found).value()), text(pb::write(*expected).value())) << theirs.DebugString();
  EXPECT_EQ(found_document->root(), expected_document->root()) << theirs.DebugString();
}
/// Every sequence of three of the pieces, as pieces of the whole.
std::size_t compare_all(const std::vector<piece>& all) {
  std::vector<std::string> bytes;
  for (const piece& each : all) {
    Encodings message;
    each(message);
    bytes.push_back(message.SerializeAsString());
  }
  std::size_t rejected = 0;
  for (const std::string& first : bytes) {
    for (const std::string& second : bytes) {
      for (const std::string& third : bytes) {
        compare(first + second + third, rejected);
        if (testing::Test::HasFailure()) return rejected;
      }
    }
  }
  return rejected;
}

TEST(protobuf_merging, documents_are_merged_as_their_code_does) { EXPECT_EQ(compare_all(documents()), 0U); }
TEST(protobuf_merging, members_of_each_kind_are_merged_as_their_code_does) {
  const std::size_t rejected = compare_all(members());
  EXPECT_GT(rejected, 0U);
  EXPECT_LT(rejected, 150U);
}
TEST(protobuf_merging, adapted_classes_are_merged_as_their_code_does) {
  EXPECT_EQ(compare_all(classes()), 0U);
}
TEST(protobuf_merging, a_field_that_comes_twice_in_one_message_is_merged) {
  std::vector<piece> all = documents();
  for (const auto& more : {members(), classes()}) all.insert(all.end(), more.begin(), more.end());
  std::size_t rejected = 0;
  for (const piece& first : all) {
    for (const piece& second : all) {
      Encodings one;
      first(one);
      Encodings other;
      second(other);
      // One message with the fields of both, which need not be next to each other.
      const auto field = [](int number, const std::string& body) {
        std::string tagged(1, static_cast<char>(number << 3 | 2));
        for (std::size_t n = body.size(); true; n >>= 7) {
          tagged.push_back(static_cast<char>(n > 127 ? n | 128 : n));
          if (n <= 127) break;
        }
        return tagged + body;
      };
      const std::string between = "\xa0\x06\x07"; // an unknown field, 100: 7
      compare(field(2, one.messages().SerializeAsString() + between + other.messages().SerializeAsString()) +
                  field(3, one.adapted().SerializeAsString() + between + other.adapted().SerializeAsString()),
              rejected);
      if (HasFailure()) return;
    }
  }
}

} // namespace protobuf_merging_oracle_test
