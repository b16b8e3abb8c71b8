// SPDX-License-Identifier: Apache-2.0
// Examples of the reference of dynamic (scripts/site_reference.py).
#include <ingot/document/archive.hpp>
#include <ingot/dynamic/build.hpp>
#include <ingot/dynamic/byte_map.hpp>
#include <ingot/dynamic/document.hpp>
#include <ingot/dynamic/dynamic.hpp>
#include <ingot/dynamic/layout_for.hpp>
#include <ingot/dynamic/layout_of.hpp>
#include <ingot/dynamic/live_evolution.hpp>
#include <ingot/dynamic/message.hpp>
#include <ingot/dynamic/pack.hpp>
#include <ingot/dynamic/parts.hpp>
#include <ingot/dynamic/print.hpp>
#include <ingot/dynamic/same_layout.hpp>
#include <ingot/dynamic/schema_for.hpp>
#include <ingot/dynamic/validate_any.hpp>
#include <ingot/live/live.hpp>
#include <ingot/live/map.hpp>
#include <ingot/live/string.hpp>
#include <ingot/live/vector.hpp>
#include <ingot/pack/compact.hpp>
#include <ingot/pack/pack.hpp>
#include <ingot/pack/unpack.hpp>
#include <ingot/schema/description.hpp>

#include "checks.hpp"
#include "reference.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace pages::dynamic_examples { namespace {

struct item {
  std::uint32_t id = 0;
  std::uint32_t count = 0;
};
struct hero {
  ingot::string name;
  ingot::vector<item> bag;
  ingot::map<ingot::string, std::uint32_t> skills;
};
struct plain_hero {
  std::string name;
  std::vector<item> bag;
  std::map<std::string, std::uint32_t> skills;
};
const plain_hero ada{"Ada", {{7, 1}, {9, 3}}, {{"climb", 3}}};
ingot::live<hero> ada_block() { return ingot::live<hero>(ada); }

// example: dynamic_layout, dynamic/layout_of.hpp
void layout_of_example() {
  // A program with the type sends these bytes once.
  const ingot::bytes_view description = ingot::layout_of<hero>();
  // A program without the type: any bytes, from any source.
  ingot::result<ingot::dynamic_layout> layout = ingot::dynamic_layout::open(description);
  assert(layout && !layout->is_wide());
  assert(layout->schema_id() == ingot::schema_id<hero>);
  assert(!ingot::dynamic_layout::open(description.first(20)));
}

// example: dynamic_block, dynamic/dynamic.hpp
void dynamic_block_example() {
  const ingot::live<hero> sent = ada_block();
  auto layout = ingot::dynamic_layout::of<hero>();
  ingot::result<ingot::dynamic_block> block = ingot::dynamic_block::open(sent.bytes(), *layout);
  assert(block); // validated
  assert((*block)["name"].as<std::string>() == "Ada");
  assert(block->at("bag[1].count").as<int>() == 3);
  assert(block->at(R"(skills["climb"])").value_or(0) == 3);
}

// example: dynamic_value, dynamic/value.hpp
void dynamic_value_example() {
  auto block = ingot::dynamic_block::open(ada_block().bytes(), ingot::layout_of<hero>());
  const ingot::dynamic_value root = block->root();
  assert(root.kind() == ingot::dynamic_kind::record && root["bag"].size() == 2);
  assert(!root["none"].exists() && root["none"]["deeper"].value_or(7) == 7);
  ingot::result<std::int8_t> text = root["name"].as<std::int8_t>();
  assert(!text && text.error().code() == ingot::errc::type_mismatch && text.error().path() == "name");
  assert(root["skills"].find("climb").as<int>() == 3);
  const ingot::dynamic_range range = root["bag"][1]["count"].own_bytes(); // in the block
  assert(range.length == 4);
}

// example: dynamic_part, dynamic/parts.hpp
void dynamic_part_example() {
  auto block = ingot::dynamic_block::open(ada_block().bytes(), ingot::layout_of<hero>());
  std::string names;
  for (const ingot::dynamic_part& part : block->root().parts()) names += std::string(part.name) + " ";
  assert(names == "name bag skills ");
  for (const ingot::dynamic_part& entry : (*block)["skills"].parts()) { // entries have a key
    assert(entry.key.as<std::string>() == "climb" && entry.value.as<int>() == 3);
  }
}

// example: dynamic/kind.hpp
void dynamic_kind_example() {
  auto block = ingot::dynamic_block::open(ada_block().bytes(), ingot::layout_of<hero>());
  assert((*block)["bag"].kind() == ingot::dynamic_kind::vector);
  assert(ingot::to_string((*block)["skills"].kind()) == "map");
  assert((*block)["none"].kind() == ingot::dynamic_kind::absent);
}

// example: dynamic/print.hpp
void print_example() {
  auto block = ingot::dynamic_block::open(ada_block().bytes(), ingot::layout_of<hero>());
  assert(ingot::to_string((*block)["name"]) == R"("Ada")");
  assert(ingot::to_string(block->root(), 12).ends_with("...")); // at most 12 bytes of the value
}

// example: dynamic_schema, dynamic_message, dynamic/message.hpp
void dynamic_message_example() {
  const ingot::bytes_view description = ingot::schema_bytes<plain_hero>(); // sent or stored once
  const ingot::buffer received = ingot::pack(ada).value();
  auto by = ingot::dynamic_schema::open(description); // once for any number of messages
  assert(by);
  ingot::result<ingot::dynamic_message> message = ingot::dynamic_message::open(received, *by);
  assert(message);
  assert(message->at("bag[1].count").as<int>() == 3);
  assert((*message)["skills"].find("climb").value_or(0) == 3);
}

// example: dynamic/message_types.hpp
void message_profile_example() {
  const ingot::buffer received = ingot::compact::pack(ada).value();
  auto by = ingot::dynamic_schema::open(ingot::schema_bytes<plain_hero>(), ingot::message_profile::compact);
  auto message = ingot::dynamic_message::open(received, *by);
  assert(message && (*message)["name"].as<std::string>() == "Ada");
}

// example: to_document_options, dynamic/document.hpp
void to_document_example() {
  auto block = ingot::dynamic_block::open(ada_block().bytes(), ingot::layout_of<hero>());
  ingot::result<ingot::document> doc = ingot::to_document(block->root());
  assert(doc && (*doc)["bag"][1]["count"].as<int>() == 3);
  ingot::document team;
  team["leader"] = (*block)["name"]; // a part, assigned like any value
  assert(team["leader"].as<std::string>() == "Ada");
}

// example: pack_document_options, dynamic/pack.hpp, dynamic/value_encoder.hpp
void pack_document_example() {
  ingot::document doc;
  doc["name"] = "Eve";
  doc["bag"] = std::vector<int>{};
  doc["age"] = 36; // no member of the type
  auto by = ingot::dynamic_schema::open(ingot::schema_bytes<plain_hero>());
  auto strict = ingot::pack_document(doc, *by);
  assert(!strict && strict.error().code() == ingot::errc::unknown_member);
  auto bytes = ingot::pack_document(doc, *by, {.unknown_is_ignored = true});
  ingot::result<plain_hero> eve = ingot::unpack<plain_hero>(*bytes); // a program with the type
  assert(eve && eve->name == "Eve" && eve->skills.empty());
}

// example: build_block_options, dynamic/build.hpp
void build_block_example() {
  auto layout = ingot::dynamic_layout::open(ingot::layout_of<hero>());
  ingot::document doc;
  doc["name"] = "Eve";
  doc["skills"]["swim"] = 2;
  ingot::result<ingot::dynamic_block> block = ingot::build_block(doc, *layout);
  assert(block);                                        // validated
  auto typed = ingot::live<hero>::open(block->bytes()); // a program with the type
  assert(typed && (*typed)->name == "Eve" && (*typed)->skills.at("swim") == 2);
}

// example: dynamic/layout_for.hpp
void layout_for_example() {
  // A program without the type, and with a schema, as files contain it.
  auto described = ingot::read_schema(ingot::schema_bytes<plain_hero>());
  ingot::result<ingot::dynamic_layout> layout = ingot::layout_for(*described);
  assert(layout && layout->layout_id() == ingot::dynamic_layout::of<hero>()->layout_id());
}

// example: dynamic/schema_for.hpp
void schema_for_example() {
  auto layout = ingot::dynamic_layout::open(ingot::layout_of<hero>());
  ingot::result<ingot::schema> described = ingot::schema_for(*layout);
  assert(described && *described == ingot::schema_of<plain_hero>());
}

// example: dynamic/same_layout.hpp
void same_layout_example() {
  struct other_hero {
    ingot::string name;
    ingot::vector<std::uint32_t> bag;
    ingot::map<ingot::string, std::uint32_t> skills;
  };
  auto theirs = ingot::dynamic_layout::open(ingot::layout_of<other_hero>());
  ingot::result<void> same = ingot::same_layout<hero>(*theirs);
  assert(!same && same.error().path() == "bag[]"); // the first member that differs
}

struct hero_v1 {
  ingot::string name;
  ingot::vector<item> bag;
};

// example: live_evolution, dynamic/live_evolution.hpp
void live_evolution_example() {
  ingot::live<hero_v1> old;
  old->name = "Ada";
  auto from_v1 = ingot::live_evolution<hero>::from(ingot::layout_of<hero_v1>()); // once
  assert(from_v1 && !from_v1->is_identity());
  ingot::result<ingot::live<hero>> now = from_v1->open(old.bytes());
  assert(now && (*now)->name == "Ada" && (*now)->skills.empty());
}

// example: byte_visitor, byte_piece, byte_step, dynamic/byte_visitor.hpp
struct holes final : ingot::byte_visitor {
  std::uint64_t count = 0;
  void enter(const ingot::byte_step&) override {} // a step of the path to the pieces that follow
  void leave() override {}
  void bytes(const ingot::byte_piece& piece) override {
    if (piece.use == ingot::byte_use::hole) count += piece.length;
  }
};
void byte_visitor_example() {
  ingot::live<hero> changed = ada_block();
  changed->skills.clear(); // frees the bytes of its nodes
  auto block = ingot::dynamic_block::open(changed.bytes(), ingot::layout_of<hero>());
  holes found;
  assert(ingot::map_bytes(found, *block));
  assert(found.count > 0 && found.count < changed.bytes().size()); // freed bytes
}

// example: dynamic/byte_map.hpp
struct uses final : ingot::byte_visitor {
  std::array<std::uint64_t, ingot::byte_uses> of{};
  void enter(const ingot::byte_step&) override {}
  void leave() override {}
  void bytes(const ingot::byte_piece& piece) override { of[std::size_t(piece.use)] += piece.length; }
};
void byte_map_example() {
  const ingot::buffer bytes = ingot::pack(ada).value();
  auto message = ingot::dynamic_message::open(bytes, ingot::schema_of<plain_hero>());
  uses found;
  assert(ingot::map_bytes(found, *message)); // each byte once
  std::uint64_t all = 0;
  for (const std::uint64_t each : found.of) all += each;
  assert(all == bytes.size());
  assert(found.of[std::size_t(ingot::byte_use::value)] > 0);
}

struct letter {
  std::string to;
  ingot::document body; // a value of any kind
};

// example: dynamic/validate_any.hpp
void validate_any_example() {
  letter sent{"Ann", {}};
  sent.body["text"] = "hello";
  const ingot::buffer bytes = ingot::pack(sent).value();
  auto message = ingot::dynamic_message::open(bytes, ingot::schema_of<letter>());
  assert(message && (*message)["body"].is_any());
  assert(ingot::validate_any(message->root())); // `open` takes the body for bytes
}

}} // namespace pages::dynamic_examples

void pages::dynamic_reference() {
  using namespace dynamic_examples;
  layout_of_example();
  dynamic_block_example();
  dynamic_value_example();
  dynamic_part_example();
  dynamic_kind_example();
  print_example();
  dynamic_message_example();
  message_profile_example();
  to_document_example();
  pack_document_example();
  build_block_example();
  layout_for_example();
  schema_for_example();
  same_layout_example();
  live_evolution_example();
  byte_visitor_example();
  byte_map_example();
  validate_any_example();
}
