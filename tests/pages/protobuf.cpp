// SPDX-License-Identifier: Apache-2.0
// What docs/protobuf.md shows.
#include <ingot/protobuf/document.hpp>
#include <ingot/protobuf/read.hpp>
#include <ingot/protobuf/write.hpp>
#include <ingot/schema/schema.hpp>

#include "pages.hpp"

#include <cstdint>
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

namespace pages {
namespace {

bool messages() {
  ingot::result<std::vector<std::byte>> bytes = ingot::protobuf::write(Item{7, "key"});
  ingot::result<Item> item = ingot::protobuf::read<Item>(*bytes);
  // Field 1: varint 7; field 12, of bytes: three of them.
  return bytes->size() == 7 && std::to_integer<int>((*bytes)[2]) == (12 << 3 | 2) && item && item->id == 7 &&
         item->name == "key";
}

bool messages_by_schema() {
  const auto bytes = ingot::protobuf::write(Plain{7, "key"}).value();
  const ingot::schema schema = ingot::schema_of<Plain>();
  ingot::result<ingot::document> doc = ingot::protobuf::read_document(bytes, schema);
  ingot::result<std::vector<std::byte>> back = ingot::protobuf::write_document(doc->root(), schema);
  return (*doc)["name"].value_or(std::string_view{}) == "key" && back && *back == bytes;
}

} // namespace

bool protobuf_page() { return messages() && messages_by_schema(); }

} // namespace pages
