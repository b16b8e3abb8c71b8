// SPDX-License-Identifier: Apache-2.0
// Examples of the reference of schema (scripts/site_reference.py).
#include <ingot/ingot.hpp>

#include "checks.hpp"
#include "reference.hpp"

#include <cstdint>
#include <optional>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

// example: previous, schema/previous.hpp
struct WindowV1 {
  std::string caption;
  std::int32_t millimetres = 0;
};
struct Window {
  std::string title;
  double metres = 0;
};
template <>
inline constexpr auto ingot::annotations<WindowV1> = ingot::annotate(ingot::type(ingot::version(1)));
template <>
inline constexpr auto ingot::annotations<Window> = ingot::annotate(ingot::type(ingot::version(2)));
template <>
struct ingot::previous<Window> {
  using type = WindowV1;
  static Window upgrade(WindowV1&& old) { return {std::move(old.caption), old.millimetres / 1000.0}; }
};
void previous_example() {
  const ingot::buffer old = ingot::pack(WindowV1{"Hall", 1500}).value();
  auto now = ingot::unpack_evolved<Window>(old, ingot::schema_bytes<WindowV1>());
  assert(now && now->title == "Hall" && now->metres == 1.5);
}

namespace pages::schema_examples { namespace {

struct item_v1 {
  std::uint32_t id = 0;
  std::string label;
};
struct item {
  std::uint64_t id = 0;
  std::string label;
  std::optional<std::string> note;
};
enum class colour : std::uint8_t { red = 1, green = 2 };
struct car {
  std::string name;
  colour paint = colour::red;
};

// example: compatibility, schema/compatible.hpp
void compatible_example() {
  ingot::compatibility result = ingot::compatible<item>(ingot::schema_of<item_v1>());
  assert(result && result.reads_every_value());
  assert(result.changes().size() == 2); // id was widened, note was added
  ingot::compatibility back = ingot::compatible<item_v1>(ingot::schema_of<item>());
  assert(!back); // a uint64_t does not fit
  std::puts(back.to_text().c_str());
}

// example: schema_change, schema/schema_change.hpp
void schema_change_example() {
  ingot::compatibility result = ingot::compatible<item>(ingot::schema_of<item_v1>());
  for (const ingot::schema_change& change : result.changes()) {
    if (change.kind == ingot::schema_change_kind::widened) assert(change.path == "id");
    assert(change.kind != ingot::schema_change_kind::incompatible);
  }
}

// example: schema/description.hpp
void description_example() {
  // The writer stores or sends the description once, beside its messages.
  const ingot::bytes_view description = ingot::schema_bytes<item>();
  // The reader may be another program. The bytes are untrusted.
  ingot::result<ingot::schema> read = ingot::read_schema(description);
  assert(read && *read == ingot::schema_of<item>());
  assert(!ingot::read_schema(description.first(description.size() - 1)));
}

// example: schema, schema/schema.hpp
void schema_example() {
  const ingot::schema described = ingot::schema_of<car>();
  assert(described.id() == ingot::schema_id<car>);
  assert(described.root().type_name() == "car");
  const ingot::schema_child& paint = described.root().children[1];
  assert(paint.name == "paint" && described.node(paint).enumerators.size() == 2);
  std::puts(described.to_text_with_names().c_str()); // a line for each part
}

// example: schema_attributes, schema/fingerprint.hpp
void fingerprint_example() {
  const ingot::schema described = ingot::schema_of<car>();
  const ingot::schema_attributes& paint = described.node(described.root().children[1]).attributes;
  assert(paint.kind == ingot::schema_kind::enumeration && paint.width == 1);
  assert(!paint.has(ingot::schema_flag::is_signed) && !paint.has(ingot::schema_flag::is_open));
}

// example: schema_child
void schema_child_example() {
  const ingot::schema described = ingot::schema_of<item>();
  std::string names;
  for (const ingot::schema_child& member : described.root().children) {
    names += member.name + " ";
    assert(!member.has(ingot::schema_annotation::is_varint));
  }
  assert(names == "id label note ");
}

// example: schema_node, schema_enumerator, schema/schema_node.hpp
std::size_t strings_in(const ingot::schema& described) {
  std::size_t count = 0;
  for (const ingot::schema_node& node : described.nodes()) {
    count += node.attributes.kind == ingot::schema_kind::string;
  }
  return count;
}
void schema_node_example() {
  const ingot::schema described = ingot::schema_of<car>();
  assert(strings_in(described) == 1);
  const ingot::schema_node& paint = described.node(described.root().children[1]);
  assert(paint.type_name() == "colour" && paint.enumerators[1].name == "green");
  assert(paint.enumerators[1].value == 2 && paint.id == ingot::schema_id<colour>);
}

// example: schema/schema_id.hpp
void schema_id_example() {
  struct named {
    std::string name;
  };
  struct live_named { // another class, the same meaning of the bytes
    ingot::string name;
  };
  struct titled {
    std::string title;
  };
  static_assert(ingot::schema_id<named> == ingot::schema_id<live_named>);
  static_assert(ingot::schema_id<named> != ingot::schema_id<titled>);
}

// example: schema_print_options, schema/schema_print_options.hpp
void schema_print_options_example() {
  const ingot::schema described = ingot::schema_of<std::vector<std::uint32_t>>();
  const ingot::schema_print_options options = {.name = "Scores", .max_bytes = 10'000};
  assert(ingot::to_cpp(described, options).contains("Scores"));
}

// example: schema/to_cpp.hpp
void to_cpp_example() {
  const std::string code = ingot::to_cpp(ingot::schema_of<car>());
  assert(code.contains("enum class colour : std::uint8_t {"));
  assert(code.contains("struct car {") && code.contains("  std::string name;"));
}

// example: schema/to_json_schema.hpp
void to_json_schema_example() {
  ingot::result<std::string> text = ingot::to_json_schema(ingot::schema_of<car>());
  assert(text && text->contains(R"("$schema":"https://json-schema.org/draft/2020-12/schema")"));
  assert(text->contains(R"("red")")); // enumerators by their names
}

// example: schema/to_proto.hpp
void to_proto_example() {
  const std::string file = ingot::to_proto(ingot::schema_of<car>());
  assert(file.contains("syntax = \"proto3\";") && file.contains("message Car {"));
  assert(file.contains("string name = 1;"));
}

}} // namespace pages::schema_examples

void pages::schema_reference() {
  using namespace schema_examples;
  previous_example();
  compatible_example();
  schema_change_example();
  description_example();
  schema_example();
  fingerprint_example();
  schema_child_example();
  schema_node_example();
  schema_id_example();
  schema_print_options_example();
  to_cpp_example();
  to_json_schema_example();
  to_proto_example();
}
