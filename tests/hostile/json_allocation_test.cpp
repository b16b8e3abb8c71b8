// SPDX-License-Identifier: Apache-2.0
// Documents from JSON and to JSON, and edits of text, while each allocation fails in turn. Nothing
// is thrown, the error is `no_memory` or reports a full document, and earlier contents are
// unchanged.
#include <ingot/document/writer.hpp>
#include <ingot/json/document.hpp>
#include <ingot/json/edit.hpp>

#include "hostile/each_allocation.hpp"

#include <cstdio>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

namespace hostile_json_memory { namespace {

using namespace ingot::literals;
using failing::code_of;
using failing::memory;
using failing::outcome;
using ingot::document;
using ingot::errc;
namespace json = ingot::json;

template <class Attempt, class Then>
std::size_t walk(const char* name, Attempt&& attempt, Then&& then) {
  return failing::each_allocation(
      name, attempt, [&](const outcome& o, bool) { // the thread keeps some memory for the next text
        EXPECT_TRUE(!o || *o == errc::no_memory || *o == errc::no_space) << ingot::to_string(*o);
        then(o);
      });
}

/// Deep, wide, and with enough escapes to make every list grow.
std::string long_text() {
  std::string text = "[";
  for (int i = 0; i < 70; ++i)
    text += "{\"key " + std::to_string(i) + "\": [\"\\u00fc" + std::string(150, 't') + "\", 1.5, null]},";
  return text + std::string(60, '[') + std::string(60, ']') + "]";
}

TEST(json_memory, failing_anywhere_is_called_so_and_changes_nothing) {
  const std::string text = long_text();
  const document doc = json::read_document(text).value();
  const std::string written = json::write(doc, {.key_order = json::key_order::sorted}).value();
  std::size_t failures = 0;
  failures +=
      walk("read_document", [&] { return code_of(json::read_document(text)); }, [](const outcome&) {});
  const std::string bad = text.substr(0, text.size() - 1) + ",x]";
  failures += walk(
      "what is refused",
      [&] {
        const auto code = code_of(json::read_document(bad));
        return code == errc::syntax ? outcome() : code;
      },
      [](const outcome&) {});
  std::string out;
  failures += walk(
      "write_to",
      [&] {
        std::string("before").swap(out);
        out.shrink_to_fit();
        return code_of(json::write_to(out, doc, {.key_order = json::key_order::sorted}));
      },
      [&](const outcome& o) { EXPECT_EQ(out, o ? "before" : "before" + written); });
  failures += walk("write", [&] { return code_of(json::write(doc)); }, [](const outcome&) {});
  const std::string commented = "{\n  \"list\": " + text + " // last\n}";
  const json::edit_options options{.comments = json::comments::allow};
  failures += walk(
      "edit", [&] { return code_of(json::edit(commented, "/list/70/0", doc, options)); },
      [](const outcome&) {});
  const auto restore = [&] {
    out = commented;
    out.shrink_to_fit();
  };
  restore();
  failures += walk(
      "edit_in_place", // in two places: a comma, and the member after the comment
      [&] { return code_of(json::edit_in_place(out, "/new", written, options)); },
      [&](const outcome& o) {
        EXPECT_EQ(out == commented, o.has_value());
        EXPECT_TRUE(json::read_document(out, {.comments = json::comments::allow}));
        restore();
      });
  std::optional<document> target;
  const auto begin = [&] {
    const bool active = std::exchange(memory.active, false);
    target.emplace(std::map<std::string, int>{{"a", 1}});
    memory.active = active;
  };
  failures += walk(
      "read_into", [&] { return begin(), code_of(json::read_into(target->root()["a"], text)); },
      [&](const outcome& o) {
        if (o) {
          EXPECT_EQ(target->root()["a"].value_or(0), 1);
        } else {
          EXPECT_TRUE(std::as_const(*target)["a"] == doc.root());
        }
        EXPECT_TRUE(document::open(target->bytes()).has_value());
      });
  failures += walk(
      "a literal",
      [&] { return begin(), code_of(target->root().set("a", R"([{"a": [1.5, "text"]}])"_json)); },
      [&](const outcome& o) {
        if (o) {
          EXPECT_EQ(target->root()["a"].value_or(0), 1);
        }
        EXPECT_TRUE(document::open(target->bytes()).has_value());
      });
  failures += walk(
      "read_events",
      [&] {
        ingot::document_writer to;
        const auto events = json::read_events(to, text);
        const auto built = to.finish();
        EXPECT_TRUE(events.has_value() || !built.has_value()) << "incomplete events make no document";
        return events ? code_of(built) : code_of(events);
      },
      [](const outcome&) {});
  EXPECT_GT(failures, 50U);
  std::printf("[  counted ] %zu failures\n", failures);
}

}} // namespace hostile_json_memory
