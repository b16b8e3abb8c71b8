// SPDX-License-Identifier: Apache-2.0
// The code of docs/document.md.
#include <ingot/document/archive_view.hpp>
#include <ingot/document/cbor.hpp>
#include <ingot/document/changes.hpp>
#include <ingot/document/document.hpp>
#include <ingot/document/key_finder.hpp>
#include <ingot/document/merge_patch.hpp>
#include <ingot/document/msgpack.hpp>
#include <ingot/document/peek_editor.hpp>
#include <ingot/document/writer.hpp>
#include <ingot/json/document.hpp>
#include <ingot/json/literal.hpp>

#include "pages.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace pages::document_types {

struct Customer {
  std::string name;
  int since = 0;
};

using namespace ingot::literals;

bool order() {
  const Customer customer{"Ada", 1843};
  ingot::document order;
  order["id"] = 7;
  order["price"] = 3.25;
  order["fills"] = std::vector<int>{100, 250};
  order["customer"] = customer;      // any reflected struct
  order["address"]["city"] = "Rome"; // makes the object, too
  if (auto done = order["fills"][1].set(260); !done) return complain(done.error().message());
  send(order.bytes()); // nothing is encoded
  const std::vector<std::byte> received = wire;

  auto got = ingot::document::open(received); // validates: any bytes are safe
  if (!got) return complain(got.error().message());
  double price = (*got)["price"_key].value_or(0.0); // a key that knows its hash
  auto who = (*got)["customer"].as<Customer>();     // or an error that says where it doesn't fit
  (*got)["seen"] = true;
  return price == 3.25 && who && who->since == 1843 && (*got)["fills"][1].value_or(0) == 260 &&
         (*got)["seen"].value_or(false);
}

bool equal_objects() {
  ingot::document doc;
  doc["orders"] = nullptr;
  for (int i = 0; i < 20; ++i) {
    ingot::document order;
    order["price"] = 0.5;
    order["count"] = i;
    if (!doc["orders"].append(order)) return false;
  }
  ingot::key_finder price("price");
  ingot::key_finder count("count");
  double total = 0;
  for (const ingot::value order : doc["orders"].elements())
    total += price.find(order).value_or(0.0) * count.find(order).value_or(0);
  return total == 95;
}

bool grow_unvalidated() {
  ingot::document doc;
  doc["hops"] = std::vector<std::string>{"gateway 1"};
  std::vector<std::byte> memory(doc.bytes().begin(), doc.bytes().end());
  memory.resize(1024);

  auto message = ingot::peek_editor::over(memory); // the document, and free bytes after it
  if (!message) return complain(message.error().message());
  auto hops = (*message)["hops"];
  if (auto done = message->append(hops, "gateway 7"); !done) return complain(done.error().message());
  send(message->bytes()); // a document; the rest of it was not read
  return ingot::document::open(wire)->at("/hops/1").value_or("") == "gateway 7";
}

bool events() {
  ingot::document_writer to; // options: repeated_keys, max_depth, max_size, compact, progress
  to.begin_object();
  to.key("price"), to.number(3.25);
  to.key("fills"), to.begin_array(), to.integer(100), to.integer(250), to.end();
  to.end();
  ingot::result<ingot::document> order = to.finish(); // or the first error
  to.restart();                                       // the next one, in the same lists
  to.null();
  const auto next = to.finish();
  return order && (*order)["fills"].size() == 2 && (*order)["price"].value_or(0.0) == 3.25 && next &&
         next->root().is_null();
}

bool text() {
  const std::string_view text = R"({"a": [1, 2], "limits": 3})";
  using namespace ingot::literals;
  auto doc = ingot::json::read_document(text); // a result<document>
  if (!doc) return complain(doc.error().message());
  auto back = ingot::json::write(*doc);                      // or of a value of it: (*doc)["a"]
  (*doc)["limits"] = R"({"low": 1, "high": [2, 3.5]})"_json; // a mistake in it doesn't compile
  auto done = ingot::json::read_into((*doc)["a"], text);     // overwrites a value
  return back && *back == R"({"a":[1,2],"limits":3})" && done && (*doc)["a"]["limits"].value_or(0) == 3 &&
         (*doc)["limits"]["high"][1].value_or(0.0) == 3.5;
}

bool other_bytes() {
  ingot::document built;
  built["name"] = "Ada";
  built["since"] = 1843;
  built["part"] = 5;
  const auto bytes = ingot::msgpack::write(built).value();
  const auto in_cbor = ingot::cbor::write(built.root()["since"]).value();
  std::vector<std::byte> two(in_cbor.begin(), in_cbor.end());
  two.insert(two.end(), in_cbor.begin(), in_cbor.end());
  ingot::bytes_view sequence = two;
  ingot::buffer sink;
  auto doc = ingot::msgpack::read_document(bytes);
  auto one = ingot::cbor::read_next(sequence); // the first value; `sequence` then begins after it
  if (!doc || !one) return complain("neither");
  auto in = ingot::cbor::read_into((*doc)["part"], sequence); // overwrites a value or fails
  auto out = ingot::cbor::write(*doc, ingot::cbor::deterministic);
  auto n = ingot::msgpack::write_to(sink, (*doc)["part"]);
  auto since = one->root().as<int>(); // or any type: structs go both ways, too
  return in && out && n && *n == sink.size() && since && *since == 1843 && (*doc)["part"].value_or(0) == 1843;
}

bool changes() {
  ingot::document doc;
  doc["orders"] = std::vector<Customer>(20);
  for (int i = 0; i < 20; ++i) doc["orders"][static_cast<std::size_t>(i)]["state"] = "open";
  ingot::document copy = ingot::document::open(doc.bytes()).value();
  auto since = ingot::document_snapshot::of(doc); // result: a copy of the current document
  if (!since) return complain(since.error().message());
  doc["orders"][17]["state"] = "filled";
  auto patch = since->changes(doc); // 34 bytes, and up to 10 for each changed eight
  if (!patch) return complain(patch.error().message());
  auto done = copy.apply(*patch); // at the receiver: copy equals doc
  return done && copy["orders"][17]["state"].value_or(std::string_view{}) == "filled" && copy == doc;
}

bool merges() {
  using namespace ingot::literals;
  ingot::document doc;
  doc["settings"] = R"({"sound": 1, "light": 2})"_json;
  auto patch = ingot::json::read_document(R"({"sound": 5, "light": null, "speed": 3})");
  if (!patch) return complain(patch.error().message());
  auto done = ingot::apply_merge_patch(doc["settings"], patch->root()); // sound, speed, no light
  auto merged = ingot::merge_patch(doc.root(), patch->root());          // doc is unchanged
  return done && doc["settings"]["sound"].value_or(0) == 5 && !doc["settings"]["light"].exists() && merged &&
         (*merged)["speed"].value_or(0) == 3 && !doc["speed"].exists();
}

bool archives() {
  ingot::document order;
  order["orders"] = std::vector<Customer>(20);
  order["orders"][17]["price"] = 2.5;
  order["orders"][17]["state"] = "open";
  ingot::buffer packed = *ingot::archive(order); // or archive_to(sink, order.root())
  auto back = ingot::unarchive(packed);          // validates, so any bytes are safe

  auto view = ingot::archive_view::over(packed); // O(1); no document is made. `open` validates
  if (!view) return complain(view.error().message());
  double price = (*view)["orders"][17]["price"_key].value_or(0.0);
  auto next = view->replace((*view)["orders"][17]["state"], "filled"); // one value changed
  if (!back || !next || !(*back == order) || price != 2.5) return false;
  const auto changed = ingot::unarchive(*next);
  return changed && (*changed)["orders"][17]["state"].value_or(std::string_view{}) == "filled";
}

} // namespace pages::document_types

bool pages::document_page() {
  using namespace document_types;
  return order() && equal_objects() && grow_unvalidated() && events() && text() && other_bytes() &&
         changes() && merges() && archives();
}
