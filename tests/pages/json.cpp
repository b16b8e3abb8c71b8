// SPDX-License-Identifier: Apache-2.0
// The code of docs/json.md.
#include <ingot/document/writer.hpp>
#include <ingot/json/document.hpp>
#include <ingot/json/edit.hpp>
#include <ingot/json/json.hpp>
#include <ingot/json/literal.hpp>
#include <ingot/json/read_file.hpp>
#include <ingot/json/upgrade.hpp>

#include "pages.hpp"

#include <cstdint>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <string_view>
#include <variant>

struct hero {
  std::string name;
  int level = 0;
};
struct circle {
  double radius = 0;
};
struct square {
  double side = 0;
};
using shape = std::variant<circle, square>;
template <>
inline constexpr std::string_view ingot::json::variant_names<shape>[] = {"circle", "square"};
using figure = std::variant<square, circle>;
template <>
inline constexpr std::string_view ingot::json::tag_key<figure> = "type";

struct window {
  std::string title;
  int width = 0;
};
template <>
inline constexpr auto ingot::annotations<window> = ingot::annotate(ingot::type(ingot::version(2)));
template <>
inline constexpr ingot::json::upgrade ingot::json::upgrades<window>[] = {
    {1,
     [](ingot::json::object_editor& object) -> ingot::result<void> {
       object.rename("caption", "title"); // from version 1 to version 2
       const auto size = object.get<int>("size");
       if (!size) return std::unexpected(size.error());
       object.remove("size");
       return object.set("width", *size);
     }},
};

namespace pages {
namespace {

bool files() {
  const auto path = std::filesystem::temp_directory_path() / "ingot_page_json.json";
  std::ofstream(path) << R"({"name": "Ada", "level": 3})";
  std::ostringstream stream;
  auto ada = ingot::json::read_file<hero>(path); // or read_file(path): a document
  ingot::ostream_sink sink(stream);              // for any std::ostream
  auto written = ingot::json::write_to(sink, *ada);
  std::filesystem::remove(path);
  return written && stream.str() == R"({"name":"Ada","level":3})" && !ingot::json::read_file(path);
}

bool texts() {
  const std::string_view text = R"({"name": "Ada", "level": 3})";
  hero h2;
  std::string sink;
  ingot::result<hero> h = ingot::json::read<hero>(text);    // all of `text` is one value
  ingot::result<void> r = ingot::json::read_into(h2, text); // uses the object's memory again
  ingot::result<std::string> t = ingot::json::write(*h);    // one line
  ingot::result<std::string> p = ingot::json::write(*h, ingot::json::pretty);
  ingot::result<std::size_t> n = ingot::json::write_to(sink, *h); // appends to a string or a sink
  return r && h2.level == 3 && t && *t == R"({"name":"Ada","level":3})" && p &&
         *p == "{\n  \"name\": \"Ada\",\n  \"level\": 3\n}" && n && sink == *t && *n == sink.size();
}

bool policies() {
  const std::string_view text = R"({"name": "Ada" /* no level */})";
  auto lenient = ingot::json::read<hero>(text, {.missing_keys = ingot::json::missing_keys::use_defaults,
                                                .comments = ingot::json::comments::allow});
  return lenient && lenient->name == "Ada" && lenient->level == hero{}.level;
}

bool edits() {
  const std::string_view text = R"({"sound": {"volume": 10}})";
  std::string config = R"({"sound": {"volume": 10, "muted": true}, "players": []})";
  ingot::result<std::string> louder = ingot::json::edit(text, "/sound/volume", 11);
  ingot::result<void> more = ingot::json::edit_in_place(config, "/players/-", hero{"Eve", 1});
  ingot::result<void> less =
      ingot::json::erase_in_place(config, "/sound/muted", {.comments = ingot::json::comments::allow});
  return louder && *louder == R"({"sound": {"volume": 11}})" && more && less &&
         config == R"({"sound": {"volume": 10}, "players": [{"name": "Eve", "level": 1}]})";
}

bool variants_and_versions() {
  const auto one = ingot::json::read<shape>(R"({"square": {"side": 2}})");
  const auto old = ingot::json::read<window>(R"({"$version": 1, "caption": "Hall", "size": 9})");
  const auto tagged = ingot::json::write(figure{circle{1}});
  if (!tagged || *tagged != R"({"type":"circle","radius":1})" || !ingot::json::read<figure>(*tagged))
    return false;
  return one && std::get<square>(*one).side == 2 && old && old->title == "Hall" && old->width == 9;
}

bool progress() {
  const std::string_view text = R"({"name": "Ada", "level": 3})";
  struct {
    std::uint64_t shown = 0;
    bool show(std::uint64_t done, std::uint64_t total) {
      shown += done;
      return done == total;
    }
  } bar;
  auto progress = [&](std::uint64_t done, std::uint64_t total) { return bar.show(done, total); };
  auto read = ingot::json::read<hero>(text, {.progress = progress});
  auto written = ingot::json::write(*read, {.progress = progress});
  return read && written && bar.shown == text.size() + written->size();
}

bool text_of_documents() {
  const std::string_view text = R"({"a": [1, 2]})";
  ingot::document doc;
  doc["a"] = 1;
  ingot::value_ref value = doc["a"];
  ingot::document_writer writer;
  using namespace ingot::literals;
  ingot::result<ingot::document> d = ingot::json::read_document(text); // in one pass
  ingot::result<std::string> t = ingot::json::write(*d);               // or a value; or write_to
  ingot::result<void> r = ingot::json::read_into(value, text);         // replaces `value`
  ingot::result<void> e = ingot::json::read_events(writer, text);      // calls `writer`
  doc["limits"] = R"({"low": 1, "high": [2, 3.5]})"_json;              // the compiler reads it
  const auto written = writer.finish();
  return t && *t == R"({"a":[1,2]})" && r && doc["a"]["a"][1].value_or(0) == 2 && e && written &&
         *written == *d && doc["limits"]["low"].value_or(0) == 1;
}

} // namespace

bool json_page() {
  return texts() && files() && policies() && variants_and_versions() && edits() && progress() &&
         text_of_documents();
}

} // namespace pages
