// SPDX-License-Identifier: Apache-2.0
// Examples of the reference of document (scripts/site_reference.py).
#include <ingot/document/archive.hpp>
#include <ingot/document/archive_view.hpp>
#include <ingot/document/changes.hpp>
#include <ingot/document/document.hpp>
#include <ingot/document/key.hpp>
#include <ingot/document/live_value.hpp>
#include <ingot/document/peek.hpp>
#include <ingot/document/peek_editor.hpp>
#include <ingot/document/timestamp.hpp>
#include <ingot/document/validate.hpp>
#include <ingot/document/value_edit.hpp>
#include <ingot/document/value_view.hpp>
#include <ingot/document/writer.hpp>
#include <ingot/live/live.hpp>

#include "checks.hpp"
#include "reference.hpp"

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace pages::document_examples { namespace {

// example: value, document/value.hpp
void value_example() {
  ingot::document order;
  order["customer"] = "Ann";
  order["prices"] = std::vector<double>{2.5, 1.5};

  const ingot::value root = std::as_const(order).root();
  assert(root["customer"].as<std::string>() == "Ann");
  assert(root["discount"].value_or(0.0) == 0); // absent
  double sum = 0;
  for (ingot::value price : root["prices"].elements()) sum += price.value_or(0.0);
  assert(sum == 4);
  ingot::result<int> wrong = root["customer"].as<int>();
  assert(!wrong && wrong.error().path() == "customer");
}

// example: value_ref
void value_ref_example() {
  ingot::document order;
  order["state"] = "open";
  order["tags"] = std::vector<std::string>{"new"};
  ingot::value_ref state = order["state"];
  ingot::value_ref tags = order["tags"];
  for (int i = 0; i < 100; ++i) assert(tags.append("bulky")); // the array grows and moves
  assert(tags.size() == 101);                                 // a handle follows its value
  assert(state.set("paid") && order["state"].as<std::string>() == "paid");
  assert(order.root().erase("state"));
  assert(!state.exists()); // the value was erased
}

// example: member_ref
void member_ref_example() {
  ingot::document order;
  order["customer"]["name"] = "Ann"; // adds both members
  assert(order["customer"]["name"].as<std::string>() == "Ann");
  assert(!order["customer"]["city"].exists());       // reading adds nothing
  ingot::value_ref name = order["customer"]["name"]; // a handle that can be kept
  assert(name.set("Bob"));
}

// example: document_key, document/key.hpp
void document_key_example() {
  using namespace ingot::literals;
  ingot::document order;
  order["price"_key] = 2.5; // the compiler hashes the key
  const ingot::document_key price("price");
  assert(price.hash() == "price"_key.hash());
  assert(order[price].as<double>() == 2.5); // hashed once, for many lookups
  assert(price.text() == "price");
}

// example: document_snapshot
void document_snapshot_example() {
  ingot::document order;
  order["state"] = "open";
  ingot::document copy = ingot::document::open(order.bytes()).value(); // on another machine
  auto before = ingot::document_snapshot::of(order).value();

  order["state"] = "paid";
  ingot::buffer patch = before.changes(order).value(); // the changes since the last call
  assert(copy.apply(patch));
  assert(copy == order);
}

// example: document_receive_buffer
void document_receive_buffer_example() {
  ingot::document source;
  source["state"] = "open";
  const ingot::bytes_view arriving = source.bytes();

  auto buffer = ingot::document::receive_buffer(arriving.size());
  std::ranges::copy(arriving, buffer.bytes().begin());   // a program calls recv() here
  auto order = ingot::document::open(std::move(buffer)); // validates; without a copy
  assert(order && (*order)["state"].as<std::string>() == "open");
}

// example: document_peek, peek_value
void document_peek_example() {
  ingot::document order;
  order["customer"]["name"] = "Ann";
  order["count"] = 3;
  std::vector<std::byte> message(order.bytes().begin(), order.bytes().end());

  auto peek = ingot::document_peek::over(message); // O(1): validates nothing
  ingot::peek_value name = (*peek)["customer"]["name"];
  assert(name.as<std::string_view>() == "Ann"); // this access is checked
  assert(!(*peek)["price"].exists());

  auto edit = ingot::document_peek::edit(message);
  ingot::peek_value count = (*edit)["count"];
  assert(edit->set(count, 4)); // overwrites the number in the message
  assert((*peek)["count"].as<int>() == 4);
}

// example: peek_editor
void peek_editor_example() {
  ingot::document order;
  order["customer"]["name"] = "Ann";
  std::vector<std::byte> memory(order.bytes().begin(), order.bytes().end());
  memory.resize(memory.size() + 256); // free bytes, into which the document may grow

  auto message = ingot::peek_editor::over(memory); // O(1): validates nothing
  ingot::peek_value customer = (*message)["customer"];
  assert(message->set(customer, "address", "a text that needs more bytes than there were"));
  assert(ingot::document::open(message->bytes()).has_value()); // as a receiver does
}

// example: archive_view, archive_value
void archive_view_example() {
  ingot::document order;
  order["customer"]["name"] = "Ann";
  order["prices"] = std::vector<double>{2.5, 1.5};
  ingot::buffer bytes = ingot::archive(order).value();

  auto view = ingot::archive_view::open(bytes); // makes no document
  ingot::archive_value name = view->at("/customer/name");
  assert(name.as<std::string_view>() == "Ann");
  assert((*view)["prices"][1].value_or(0.0) == 1.5);
  assert(!view->contains("state"));
}

// example: archive_elements, archive_element_iterator
void archive_elements_example() {
  ingot::document prices(std::vector<double>{2.5, 1.5});
  ingot::buffer bytes = ingot::archive(prices).value();
  auto view = ingot::archive_view::open(bytes);
  double sum = 0;
  for (ingot::archive_value price : view->root().elements()) sum += price.value_or(0.0);
  assert(sum == 4);
}

// example: archive_members, archive_member_iterator, document/archive_view.hpp
void archive_members_example() {
  ingot::document prices;
  prices["apple"] = 1.5;
  prices["pear"] = 2.5;
  ingot::buffer bytes = ingot::archive(prices).value();
  auto view = ingot::archive_view::open(bytes);
  double sum = 0;
  for (const auto& [name, price] : view->root().members()) {
    assert(name == "apple" || name == "pear");
    sum += price.value_or(0.0);
  }
  assert(sum == 4);
}

// example: document/archive.hpp
void archive_example() {
  ingot::document order;
  order["customer"] = "Ann";
  order["count"] = 3;
  ingot::buffer bytes = ingot::archive(order).value(); // small, and the same on every machine
  assert(bytes.size() < order.bytes().size());
  ingot::result<ingot::document> back = ingot::unarchive(bytes); // validates
  assert(back && *back == order);
}

// example: live_value, live_value::member
struct order {
  std::uint32_t id = 0;
  ingot::live_value extra; // any value
};

void live_value_example() {
  ingot::live<order> block;
  block->extra["price"] = 3.5; // null becomes an object
  block->extra["customer"]["name"] = "Ann";
  assert(block->extra["price"].value_or(0.0) == 3.5);
  assert(block->extra.at("/customer/name").as<std::string>() == "Ann");
  block->extra = std::vector<int>{1, 2, 3};
  assert(block->extra.append(4) && block->extra.size() == 4);
}

// example: value_view
void value_view_example() {
  struct item {
    ingot::live_value data;
  };
  ingot::live<item> block;
  block->data["name"] = "lamp";
  block->data["sizes"] = std::vector<int>{3, 4};
  ingot::value_view data = block->data.root(); // valid until the value is changed
  assert(data["name"].as<std::string_view>() == "lamp");
  int sum = 0;
  for (ingot::value_view size : data["sizes"].elements()) sum += size.value_or(0);
  assert(sum == 7);
}

// example: value_edit
void value_edit_example() {
  struct item {
    ingot::live_value data;
  };
  ingot::live<item> block;
  block->data["name"] = "lamp";
  block->data["tags"] = std::vector<std::string>{"new"};
  {
    auto edit = block->data.edit();
    ingot::value_ref tags = edit["tags"];
    edit["name"] = "A name that needs more bytes."; // the value grows in the block
    assert(tags.append("bulky"));                   // the handle still refers to the tags
  } // the handles end here
  assert(block->data["tags"].size() == 2);
}

// example: document_writer, document/writer.hpp
void document_writer_example() {
  ingot::document_writer to;
  to.begin_object();
  to.key("name"), to.text("lamp");
  to.key("sizes"), to.begin_array();
  to.integer(3), to.integer(4);
  to.end();
  to.end();
  ingot::result<ingot::document> item = to.finish(); // or the first error
  assert(item && (*item)["sizes"][1].as<int>() == 4);
}

// example: document/key_policy.hpp
void key_policy_example() {
  ingot::document_writer to({.repeated_keys = ingot::key_policy::last_wins});
  to.begin_object();
  to.key("price"), to.number(2.5);
  to.key("price"), to.number(3.5); // an error by default
  to.end();
  ingot::result<ingot::document> item = to.finish();
  assert(item && (*item)["price"].as<double>() == 3.5);
}

// example: timestamp, document/timestamp.hpp
void timestamp_example() {
  using namespace std::chrono;
  const sys_seconds written = sys_days{2026y / November / 30} + 12h;
  ingot::document event;
  event["time"] = ingot::timestamp(written); // an object, which CBOR can store as a time
  assert(event["time"]["$seconds"].as<std::int64_t>() == written.time_since_epoch().count());
  assert(event["time"]["$nanoseconds"].as<int>() == 0);
}

// example: document/validate.hpp
void validate_example() {
  ingot::document order;
  order["state"] = "open";
  auto info = ingot::peek_document(order.bytes()); // reads the header
  assert(info && info->size == order.bytes().size());
}

// example: document/conversion.hpp
void conversion_example() {
  ingot::document number(3.0);
  assert(!number.root().as<int>()); // a real number
  assert(number.root().as<int>({.whole_reals = true}) == 3);
}

}} // namespace pages::document_examples

void pages::document_reference() {
  using namespace document_examples;
  value_example();
  value_ref_example();
  member_ref_example();
  document_key_example();
  document_snapshot_example();
  document_receive_buffer_example();
  document_peek_example();
  peek_editor_example();
  archive_view_example();
  archive_elements_example();
  archive_members_example();
  archive_example();
  live_value_example();
  value_view_example();
  value_edit_example();
  document_writer_example();
  key_policy_example();
  timestamp_example();
  validate_example();
  conversion_example();
}
