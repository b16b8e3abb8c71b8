// SPDX-License-Identifier: Apache-2.0
// Checks the library's promises about arbitrary text as a document: the body of the fuzz target,
// and of the unit test that replays its seeds.
//
// A text is rejected with an error at a position in the text, or becomes a document that passes
// validation. The document's text, in any layout, reads back as an equal document. A broken promise
// ends the process, which a fuzzer detects.
#pragma once

#include <ingot/document/merge_patch.hpp>
#include <ingot/json/document.hpp>

#include "limits.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>
#include <vector>

namespace json_document_fuzz {

inline void require(bool promise, const char* what) {
  if (promise) return;
  std::fprintf(stderr, "broken promise: %s\n", what);
  std::abort();
}

/// Reads text into a member of a small document. The other members must not change. If the text is
/// rejected, this member must not change either.
inline void read_into_little(std::string_view text, const ingot::json::read_options& options, bool is_good) {
  alignas(16) std::array<std::byte, 2048> memory;
  auto little = ingot::document::in(memory);
  require(little.has_value(), "a document fits in 2 KB");
  require(little->root().set("kept", 7).has_value() && little->root().set("there", "before").has_value(),
          "two members fit");
  const auto there = little->root().find("there");
  const auto done = ingot::json::read_into(there, text, options);
  require(is_good || !done.has_value(), "a text is good or not, wherever it is read to");
  require(done.has_value() || there.value_or(std::string_view()) == "before", "what fails changes nothing");
  require((*little)["kept"].value_or(0) == 7, "what is beside it stays");
  require(ingot::document::open(little->bytes()).has_value(), "the edited document is valid");
}

/// Runs the checks. The first byte chooses the options; the rest is the text.
inline void run(const std::uint8_t* data, std::size_t size) {
  namespace json = ingot::json;
  if (size == 0) return;
  const unsigned bits = data[0];
  json::read_options options;
  if ((bits & 1) != 0) options.duplicate_keys = json::duplicate_keys::last_wins;
  if ((bits & 2) != 0) options.duplicate_keys = json::duplicate_keys::first_wins;
  if ((bits & 4) != 0) options.comments = json::comments::allow;
  if ((bits & 8) != 0) options.large_integers = json::large_integers::nearest;
  if ((bits & 16) != 0) options.max_depth = 4;
  if ((bits & 32) != 0) options.trailing_commas = json::trailing_commas::allow;
  // A copy of exactly the text's size, so that a sanitizer detects any read past the end.
  const std::vector<char> copy(data + 1, data + size);
  const std::string_view text(copy.data(), copy.size());
  const auto doc = json::read_document(text, options);
  const auto said = fuzz::read_with_limit(
      std::uint64_t{size} * (1 + bits / 8),
      [&](std::uint64_t limit) {
        auto limited = options;
        limited.max_memory = limit;
        return json::read_document(text, limited);
      },
      [](const ingot::document& a, const ingot::document& b) { return a == b; });
  require(said.empty(), said.c_str());
  if ((bits & 32) != 0) read_into_little(text, options, doc.has_value());
  if (!doc) {
    require(doc.error().offset() <= text.size(), "an error lies inside the text");
    require(doc.error().line() > 0 && doc.error().column() > 0, "an error has a line and a column");
    require(!doc.error().message().empty(), "an error has a message");
    return;
  }
  const auto validated =
      ingot::document::open(doc->bytes(), {.max_size = json::max_block_size_for(text.size())});
  require(validated.has_value(), "the document that was read is valid");
  json::write_options writing;
  const auto max_size = json::max_block_size_for(size);
  const auto stripped = ingot::merge_patch(ingot::value(), doc->root(), max_size);
  require(stripped.has_value(), "any value is a patch");
  const auto again = ingot::merge_patch(stripped->root(), doc->root(), max_size);
  require(again.has_value() && *again == *stripped, "a patch that is applied twice changes nothing more");
  if ((bits & 64) != 0) writing.key_order = json::key_order::sorted;
  if ((bits & 128) != 0) writing.indent = 1;
  const auto written = json::write(*doc, writing);
  require(written.has_value(), "what was read can be written");
  const auto back = json::read_document(*written);
  require(back.has_value(), "what was written can be read");
  require(*back == *doc && *back == *validated, "what was read again is the same document");
  const auto plain = json::write(*doc);
  require(plain.has_value() && json::write(*back) == *plain, "equal documents are equal texts");
}

} // namespace json_document_fuzz
