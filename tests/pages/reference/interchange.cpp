// SPDX-License-Identifier: Apache-2.0
// Examples of the reference of document: other formats, patches and lookups
// (scripts/site_reference.py).
#include <ingot/document/cbor.hpp>
#include <ingot/document/document.hpp>
#include <ingot/document/format.hpp>
#include <ingot/document/interchange.hpp>
#include <ingot/document/key_finder.hpp>
#include <ingot/document/merge_patch.hpp>
#include <ingot/document/msgpack.hpp>

#include "checks.hpp"
#include "reference.hpp"

#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace pages::interchange_examples { namespace {

// example: document, document/document.hpp
void document_example() {
  ingot::document order;
  order["customer"] = "Ann";
  order["items"] = std::vector<std::string>{"rope"};
  assert(order["items"].append("lamp")); // arrays grow
  order["paid"] = true;
  // Nothing is encoded: the bytes of the document are the message.
  ingot::result<ingot::document> received = ingot::document::open(order.bytes()); // validates
  assert(received && *received == order);
  assert((*received)["items"][1].as<std::string>() == "lamp");
}

// example: cbor::read_options, cbor::write_options, document/cbor.hpp
void cbor_example() {
  ingot::document reading;
  reading["sensor"] = 7;
  reading["celsius"] = 21.5;
  // Equal documents give equal bytes, as signatures require.
  ingot::result<ingot::buffer> bytes = ingot::cbor::write(reading, ingot::cbor::deterministic);
  assert(bytes && bytes->size() == 20);
  ingot::result<ingot::document> again =
      ingot::cbor::read_document(*bytes, {.encoding = ingot::cbor::encoding::deterministic});
  assert(again && *again == reading);
}

// example: document/format.hpp
void value_kind_example() {
  ingot::document doc;
  doc["n"] = std::uint64_t{1} << 63;
  assert(doc["n"].kind() == ingot::value_kind::large_integer);
  doc["n"] = 7U; // below 2^63: `integer`, also from an unsigned type
  assert(doc["n"].kind() == ingot::value_kind::integer);
  assert(doc["none"].kind() == ingot::value_kind::absent);
}

// example: document/interchange.hpp
void interchange_example() {
  // CBOR: {"at": 0("2026-11-30T12:00:00Z")}, a text with the tag of a time.
  const std::string text = "\xa1\x62"
                           "at\xc0\x74"
                           "2026-11-30T12:00:00Z";
  const ingot::bytes_view bytes = ingot::as_bytes_view(text);
  assert(!ingot::cbor::read_document(bytes)); // documents have no tags: an error
  auto wrapped = ingot::cbor::read_document(bytes, {.unsupported_values = ingot::unsupported_values::wrap});
  assert(wrapped);
  auto again = ingot::cbor::write(*wrapped, {.unsupported_values = ingot::unsupported_values::wrap});
  assert(again && *again == bytes); // nothing is lost
}

// example: key_finder
void key_finder_example() {
  ingot::document doc;
  doc["points"] = std::vector<int>{};
  for (int i = 0; i < 100; ++i) {
    ingot::document point;
    point["x"] = i;
    assert(doc["points"].append(point));
  }
  ingot::key_finder x("x"); // remembers where the last object had the key
  int sum = 0;
  for (ingot::value point : std::as_const(doc)["points"].elements()) sum += x.find(point).value_or(0);
  assert(sum == 4950);
}

// example: document/merge_patch.hpp
void merge_patch_example() {
  ingot::document settings;
  settings["volume"] = 10;
  settings["muted"] = true;
  ingot::document patch;
  patch["volume"] = 11;
  patch["muted"] = nullptr; // null removes
  assert(ingot::apply_merge_patch(settings.root(), std::as_const(patch).root()));
  assert(settings["volume"].as<int>() == 11 && !settings.contains("muted"));
}

// example: msgpack::read_options, msgpack::write_options, document/msgpack.hpp
void msgpack_example() {
  const std::vector<unsigned char> received = {0x81, 0xa1, 'a', 0x07}; // {"a": 7}
  ingot::result<ingot::document> doc = ingot::msgpack::read_document(ingot::as_bytes_view(received));
  assert(doc && (*doc)["a"].as<int>() == 7);
  ingot::result<ingot::buffer> bytes = ingot::msgpack::write(*doc);
  assert(bytes && *bytes == ingot::as_bytes_view(received));
}

}} // namespace pages::interchange_examples

void pages::interchange_reference() {
  using namespace interchange_examples;
  document_example();
  cbor_example();
  value_kind_example();
  interchange_example();
  key_finder_example();
  merge_patch_example();
  msgpack_example();
}
