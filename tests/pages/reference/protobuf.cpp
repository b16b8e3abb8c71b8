// SPDX-License-Identifier: Apache-2.0
// Examples of the reference of protobuf (scripts/site_reference.py).
#include <ingot/pack/pack.hpp>
#include <ingot/protobuf/any.hpp>
#include <ingot/protobuf/document.hpp>
#include <ingot/protobuf/options.hpp>
#include <ingot/protobuf/read.hpp>
#include <ingot/protobuf/write.hpp>
#include <ingot/schema/schema.hpp>

#include "checks.hpp"
#include "reference.hpp"

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

// example: protobuf::any, protobuf/any.hpp
struct Started {
  std::uint32_t job = 0;
};
struct Event {
  ingot::protobuf::any payload;
};
template <>
inline constexpr auto ingot::annotations<Event> =
    ingot::annotate(ingot::member<"payload">(ingot::proto_well_known));
void any_example() {
  const ingot::buffer started = ingot::protobuf::write(Started{7}).value();
  Event event;
  event.payload.type_url = "type.googleapis.com/jobs.Started";
  event.payload.value.assign(started.begin(), started.end());
  auto again = ingot::protobuf::read<Event>(ingot::protobuf::write(event).value());
  assert(again && again->payload == event.payload);
  auto inner = ingot::protobuf::read<Started>(again->payload.value); // as `type_url` says
  assert(inner && inner->job == 7);
}

namespace pages::protobuf_examples { namespace {

struct item {
  std::uint32_t id = 0;
  std::string name;
};

// example: protobuf/write.hpp
void write_example() {
  // Field 1 is a varint, field 2 a text: message Item { uint32 id = 1; string name = 2; }
  ingot::result<ingot::buffer> bytes = ingot::protobuf::write(item{7, "key"});
  assert(bytes && bytes->size() == 7);
  std::vector<std::byte> out;
  ingot::result<std::size_t> size = ingot::protobuf::write_to(out, item{7, "key"}); // any sink
  assert(size == 7U && *bytes == ingot::bytes_view(out));
}

// example: protobuf/read.hpp
void read_example() {
  const std::string_view received = "\x08\x07\x12\x03key";
  ingot::result<item> read = ingot::protobuf::read<item>(ingot::as_bytes_view(received));
  assert(read && read->id == 7 && read->name == "key");
  auto cut = ingot::protobuf::read<item>(ingot::as_bytes_view(received.substr(0, 5)));
  assert(!cut && cut.error().path() == "name"); // the text ends too early
}

// example: protobuf::options, protobuf/options.hpp
struct tree {
  std::vector<tree> branches;
};
void options_example() {
  tree deep;
  deep.branches.resize(1);
  deep.branches[0].branches.resize(1); // three messages
  const ingot::buffer bytes = ingot::protobuf::write(deep).value();
  assert(ingot::protobuf::read<tree>(bytes, {.max_depth = 3}));
  auto too_deep = ingot::protobuf::read<tree>(bytes, {.max_depth = 2});
  assert(!too_deep && too_deep.error().code() == ingot::errc::too_deep);
}

// example: protobuf::write_document_options, protobuf/document.hpp
void document_example() {
  const ingot::schema by = ingot::schema_of<item>(); // or from a file: no type is needed
  const ingot::buffer bytes = ingot::protobuf::write(item{7, "key"}).value();
  ingot::result<ingot::document> doc = ingot::protobuf::read_document(bytes, by);
  assert(doc && (*doc)["name"].as<std::string>() == "key");
  (*doc)["name"] = "lock";
  ingot::result<ingot::buffer> changed = ingot::protobuf::write_document(doc->root(), by);
  assert(changed && ingot::protobuf::read<item>(*changed)->name == "lock");
}

}} // namespace pages::protobuf_examples

void pages::protobuf_reference() {
  using namespace protobuf_examples;
  any_example();
  write_example();
  read_example();
  options_example();
  document_example();
}
