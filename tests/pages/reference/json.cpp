// SPDX-License-Identifier: Apache-2.0
// Examples of the reference of json (scripts/site_reference.py).
#include <ingot/core/sink.hpp>
#include <ingot/json/document.hpp>
#include <ingot/json/edit.hpp>
#include <ingot/json/json.hpp>
#include <ingot/json/literal.hpp>
#include <ingot/json/read_file.hpp>
#include <ingot/json/upgrade.hpp>

#include "checks.hpp"
#include "reference.hpp"

#include <cmath>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <limits>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

// example: json::object_editor, json::object_editor::entry, json::upgrade, json/upgrade.hpp
struct Panel {
  std::string title;
  int width = 0;
};
template <>
inline constexpr auto ingot::annotations<Panel> = ingot::annotate(ingot::type(ingot::version(2)));
template <>
inline constexpr ingot::json::upgrade ingot::json::upgrades<Panel>[] = {
    {1,
     [](ingot::json::object_editor& object) -> ingot::result<void> { // from version 1 to version 2
       object.rename("caption", "title");
       const ingot::result<int> half = object.get<int>("half_width");
       if (!half) return std::unexpected(half.error());
       object.remove("half_width");
       return object.set("width", *half * 2);
     }},
};
void upgrade_example() {
  auto old = ingot::json::read<Panel>(R"({"$version": 1, "caption": "Hall", "half_width": 9})");
  assert(old && old->title == "Hall" && old->width == 18);
  assert(ingot::json::write(*old) == R"({"$version":2,"title":"Hall","width":18})");
}

namespace pages::json_examples { namespace {

struct hero {
  std::string name;
  int level = 0;
};

// example: json/read.hpp
void read_example() {
  ingot::result<hero> read = ingot::json::read<hero>(R"({"name": "Ada", "level": 3})");
  assert(read && read->level == 3);
  ingot::result<hero> wrong = ingot::json::read<hero>(R"({"name": "Ada", "levle": 3})");
  assert(!wrong && wrong.error().code() == ingot::errc::unknown_member);
  assert(wrong.error().line() == 1 && wrong.error().column() == 17);

  std::vector<int> numbers; // an existing object, whose memory is used again
  assert(ingot::json::read_into(numbers, "[1, 2, 3]") && numbers.size() == 3);
}

// example: json/write.hpp
void write_example() {
  const hero ada{"Ada", 3};
  assert(ingot::json::write(ada) == R"({"name":"Ada","level":3})");
  assert(ingot::json::write(ada, ingot::json::pretty) == "{\n  \"name\": \"Ada\",\n  \"level\": 3\n}");
  std::ostringstream stream;
  ingot::ostream_sink out(stream);
  ingot::result<std::size_t> size = ingot::json::write_to(out, ada); // any sink; strings, too
  assert(size && *size == stream.str().size());
}

// example: json::read_options, json::write_options, json/options.hpp
void options_example() {
  const std::string_view text = R"({
    "name": "Ada", // no level, but a comment,
    "colour": "red", // members of later versions,
  })"; // and commas at the end
  ingot::result<hero> lenient =
      ingot::json::read<hero>(text, {.unknown_keys = ingot::json::unknown_keys::ignore,
                                     .missing_keys = ingot::json::missing_keys::use_defaults,
                                     .comments = ingot::json::comments::allow,
                                     .trailing_commas = ingot::json::trailing_commas::allow});
  assert(lenient && lenient->name == "Ada" && lenient->level == 0);

  const double none = std::numeric_limits<double>::quiet_NaN();
  assert(!ingot::json::write(none)); // by default, nothing is lost silently
  assert(ingot::json::write(none, {.non_finite = ingot::json::non_finite::null}) == "null");
}

// example: json/read_file.hpp
void read_file_example() {
  const auto path = std::filesystem::temp_directory_path() / "ingot_reference_json.json";
  std::ofstream(path) << R"({"name": "Ada", "level": 3})";
  ingot::result<hero> ada = ingot::json::read_file<hero>(path);
  ingot::result<ingot::document> doc = ingot::json::read_file(path); // without a type
  std::filesystem::remove(path);
  assert(ada && ada->level == 3);
  assert(doc && (*doc)["name"].as<std::string>() == "Ada");
  assert(ingot::json::read_file<hero>(path).error().code() == ingot::errc::io);
}

// example: json/document.hpp
void document_example() {
  ingot::result<ingot::document> doc = ingot::json::read_document(R"({"a": [1, 2.5, null]})");
  assert(doc && (*doc)["a"][1].as<double>() == 2.5);
  assert((*doc)["a"][2].set("three"));
  assert(ingot::json::write(*doc) == R"({"a":[1,2.5,"three"]})");

  const std::string text = "[" + std::string(2'000'000, ' ') + "]"; // for a large text, more space
  assert(ingot::json::read_document(text, ingot::json::max_block_size_for(text.size())));
}

// example: json::edit_options, json/edit.hpp
void edit_example() {
  const std::string_view text = R"({"sound": {"volume": 10}, /* mine */ "players": []})";
  const ingot::json::edit_options options = {.comments = ingot::json::comments::allow};
  ingot::result<std::string> louder = ingot::json::edit(text, "/sound/volume", 11, options);
  assert(louder == R"({"sound": {"volume": 11}, /* mine */ "players": []})");

  std::string config = *louder;
  assert(ingot::json::edit_in_place(config, "/players/-", "Ann", options)); // appends
  assert(ingot::json::erase_in_place(config, "/sound", options));
  assert(config == R"({/* mine */ "players": ["Ann"]})");
}

// example: json::literal, json/literal.hpp
void literal_example() {
  using namespace ingot::literals;
  ingot::document doc;
  doc["limits"] = R"({"low": 1, "high": [2, 3.5]})"_json; // the compiler checks the text
  assert(doc["limits"]["high"][1].as<double>() == 3.5);
  constexpr ingot::json::literal none = "[]"_json;
  assert(none.text() == "[]");
}

}} // namespace pages::json_examples

void pages::json_reference() {
  using namespace json_examples;
  upgrade_example();
  read_example();
  write_example();
  options_example();
  read_file_example();
  document_example();
  edit_example();
  literal_example();
}
