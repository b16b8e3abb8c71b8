// SPDX-License-Identifier: Apache-2.0
// The code of docs/protobuf.md.
#include <ingot/protobuf/any.hpp>
#include <ingot/protobuf/document.hpp>
#include <ingot/protobuf/read.hpp>
#include <ingot/protobuf/value.hpp>
#include <ingot/protobuf/write.hpp>
#include <ingot/schema/schema.hpp>

#include "pages.hpp"

#include <chrono>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

struct Item {
  std::uint32_t id;
  std::optional<std::string> name;
};
template <>
inline constexpr auto ingot::annotations<Item> =
    ingot::annotate(ingot::member<"name">(ingot::field_number(12)));
struct Plain {
  std::uint32_t id;
  std::optional<std::string> name;
};

struct Sample {
  std::int64_t taken;
  std::int32_t offset;
  std::uint64_t hash;
  std::map<std::int32_t, std::int64_t> by_row;
};
template <>
inline constexpr auto ingot::annotations<Sample> =
    ingot::annotate(ingot::member<"offset">(ingot::proto_sint), ingot::member<"hash">(ingot::proto_fixed),
                    ingot::member<"by_row">(ingot::proto_key(ingot::proto_sint), ingot::proto_fixed));
struct Visit {
  std::chrono::sys_time<std::chrono::nanoseconds> at;
  std::optional<std::chrono::milliseconds> took;
  std::optional<std::string> referrer;
  ingot::document cookies;
  ingot::protobuf::any payload;
};
template <>
inline constexpr auto ingot::annotations<Visit> = ingot::annotate(
    ingot::member<"at">(ingot::proto_well_known), ingot::member<"took">(ingot::proto_well_known),
    ingot::member<"referrer">(ingot::proto_well_known), ingot::member<"cookies">(ingot::proto_struct),
    ingot::member<"payload">(ingot::proto_well_known));

namespace pages {
namespace {

bool messages() {
  ingot::result<ingot::buffer> bytes = ingot::protobuf::write(Item{7, "key"});
  ingot::result<Item> item = ingot::protobuf::read<Item>(*bytes);
  // Field 1: varint 7; field 12, of bytes: three of them.
  return bytes->size() == 7 && std::to_integer<int>((*bytes)[2]) == (12 << 3 | 2) && item && item->id == 7 &&
         item->name == "key";
}

bool encodings() {
  const auto bytes = ingot::protobuf::write(Sample{1, -1, 2, {{-1, 3}}}).value();
  const auto sample = ingot::protobuf::read<Sample>(bytes);
  // Fields 1 and 2 take two bytes each, field 3 nine; field 4 has a key of two and a value of nine.
  return bytes.size() == 2 + 2 + 9 + 2 + 2 + 9 && std::to_integer<int>(bytes[3]) == 1 && sample &&
         sample->by_row.at(-1) == 3;
}

bool known_messages() {
  Visit visit{};
  visit.took = std::chrono::milliseconds(1500);
  visit.cookies["id"] = 7;
  const auto bytes = ingot::protobuf::write(visit).value();
  const auto again = ingot::protobuf::read<Visit>(bytes);
  return again && again->took == visit.took && !again->referrer && again->cookies["id"].value_or(0) == 7;
}

bool messages_by_schema() {
  const auto bytes = ingot::protobuf::write(Plain{7, "key"}).value();
  const ingot::schema schema = ingot::schema_of<Plain>();
  ingot::result<ingot::document> doc = ingot::protobuf::read_document(bytes, schema);
  ingot::result<ingot::buffer> back = ingot::protobuf::write_document(doc->root(), schema);
  return (*doc)["name"].value_or(std::string_view{}) == "key" && back && *back == bytes;
}

} // namespace

bool protobuf_page() { return messages() && encodings() && known_messages() && messages_by_schema(); }

} // namespace pages
