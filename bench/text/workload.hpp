// SPDX-License-Identifier: Apache-2.0
// TEXT: JSON into structs and documents, and back. `chars` are 1,000 characters of CHAR-1. `iso`
// are the languages, countries and their subdivisions of Debian's iso-codes, whose text is
// indented. `document` is both, without types. `twitter` is a generated text of the shape of
// twitter.json, indented. `document-read-small` and `-medium` read 64 objects of 15 and of 157
// members, each from a text of its own. `edit-one` changes one value in the text of `iso`.
// `strings` are in strings.hpp. Output has no spaces. Only ingot's output of `edit-one` keeps the
// spaces of the text.
#pragma once

#include "../char1/std_model.hpp"
#include "../harness/keep.hpp"
#include "../harness/suite.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace bench {

struct iso_country {
  std::string alpha_2, alpha_3;
  std::optional<std::string> common_name;
  std::string flag, name, numeric;
  std::optional<std::string> official_name;
  bool operator==(const iso_country&) const = default;
};
struct iso_subdivision {
  std::string code, name;
  std::optional<std::string> parent;
  std::string type;
  bool operator==(const iso_subdivision&) const = default;
};
struct iso_language {
  std::optional<std::string> alpha_2;
  std::string alpha_3;
  std::optional<std::string> bibliographic, common_name, inverted_name;
  std::string name, scope, type;
  bool operator==(const iso_language&) const = default;
};
/// The three files in one text. Each is an object with one list under its number; here the lists
/// are members of one object.
struct iso_codes {
  std::vector<iso_country> countries;
  std::vector<iso_subdivision> subdivisions;
  std::vector<iso_language> languages;
  bool operator==(const iso_codes&) const = default;
};
using characters = std::vector<std_character>;

/// A message, for the cases of strings in one script.
struct message {
  std::string subject, text;
  bool operator==(const message&) const = default;
};

inline constexpr std::size_t text_characters = 1'000;

/// The data of all contenders, read by ingot once from the files.
struct text_data {
  characters chars;
  iso_codes iso;
  std::string chars_text, iso_text;
  std::uint64_t chars_sum;
  std::string twitter_text;
  std::vector<std::string> small_texts, medium_texts; ///< rows of 15 and of 157 members
};
const text_data& text_values();
/// Reads text by ingot, to verify output.
bool read_back(std::string_view text, characters& out);
bool read_back(std::string_view text, iso_codes& out);
/// Returns the text of a document that ingot reads from `text`; empty after an error.
std::string normal_text(std::string_view text);
/// Returns FNV-1a over all characters.
std::uint64_t checksum_all(const characters& all);

/// Adds a contender for structs. `read(text, out)` returns false on failure, `write(value)` returns
/// text. ingot verifies the output.
template <class Codec>
void enter_text(suite& all, std::string_view who) {
  const auto enter = [&]<class T>(std::string_view name, const T& value, const std::string& text,
                                  auto equal) {
    struct state {
      Codec codec;
      T out;
    };
    auto* const p = &all.make<state>();
    // Reads into fresh objects, as most programs do.
    all.add(
        "read-" + std::string(name), who, text.size(),
        [p, &text](std::size_t) {
          T read_value;
          keep(p->codec.read(text, read_value));
          escape(&read_value);
        },
        [p, &text, &value, equal] { return p->codec.read(text, p->out) && equal(p->out, value); });
    const std::string written(p->codec.write(value));
    all.add(
        "write-" + std::string(name), who, written.size(),
        [p, &value](std::size_t) { escape(p->codec.write(value).data()); },
        [p, &value, &written, equal] {
          T back;
          return p->codec.read(written, back) && equal(back, value);
        });
  };
  const auto& data = text_values();
  if (all.wants("read-chars", true) || all.wants("write-chars", true) || all.wants("read-iso", true) ||
      all.wants("write-iso", true)) {
    enter("chars", data.chars, data.chars_text,
          [](const characters& a, const characters& b) { return checksum_all(a) == checksum_all(b); });
    enter("iso", data.iso, data.iso_text, [](const iso_codes& a, const iso_codes& b) { return a == b; });
  }
}

/// Adds a contender for documents. `read(text)` returns a value that is false on failure,
/// `write(document)` returns text. Text is read and written again, and ingot verifies its values.
template <class Codec>
void enter_documents(suite& all, std::string_view who) {
  struct state {
    Codec codec;
    decltype(codec.read(std::string())) chars, iso;
  };
  if (!all.wants("read-document", true) && !all.wants("write-document", true)) return;
  const auto& data = text_values();
  auto* const p = &all.make<state>();
  p->chars = p->codec.read(data.chars_text);
  p->iso = p->codec.read(data.iso_text);
  const auto holds = [p, &data] {
    characters chars;
    iso_codes iso;
    return read_back(std::string(p->codec.write(p->chars)), chars) && checksum_all(chars) == data.chars_sum &&
           read_back(std::string(p->codec.write(p->iso)), iso) && iso == data.iso;
  };
  all.add(
      "read-document", who, data.chars_text.size() + data.iso_text.size(),
      [p, &data](std::size_t) {
        const auto chars = p->codec.read(data.chars_text);
        escape(&chars);
        const auto iso = p->codec.read(data.iso_text);
        escape(&iso);
      },
      holds);
  const std::size_t written = p->codec.write(p->chars).size() + p->codec.write(p->iso).size();
  all.add(
      "write-document", who, written,
      [p](std::size_t) {
        escape(p->codec.write(p->chars).data());
        escape(p->codec.write(p->iso).data());
      },
      holds);
}

/// Adds a contender for documents from the text of twitter.json's shape, and from texts of rows.
/// ingot verifies the output: it reads the expected document and the contender's output, and writes
/// both.
template <class Codec>
void enter_twitter(suite& all, std::string_view who) {
  using document = decltype(Codec().read(std::string()));
  struct state {
    Codec codec;
    document read;
  };
  const auto holds = [](Codec& codec, const std::string& text) {
    return normal_text(std::string(codec.write(codec.read(text)))) == normal_text(text);
  };
  const auto& data = text_values();
  if (all.wants("document-read-twitter") || all.wants("document-write-twitter")) {
    auto* const p = &all.make<state>();
    p->read = p->codec.read(data.twitter_text);
    const auto is_equal = [p, &data, holds] { return holds(p->codec, data.twitter_text); };
    all.add(
        "document-read-twitter", who, data.twitter_text.size(),
        [p, &data](std::size_t) {
          const auto read = p->codec.read(data.twitter_text);
          escape(&read);
        },
        is_equal);
    all.add(
        "document-write-twitter", who, p->codec.write(p->read).size(),
        [p](std::size_t) { escape(p->codec.write(p->read).data()); }, is_equal);
  }
  const auto enter_rows = [&](const char* name, const std::vector<std::string>& texts) {
    if (!all.wants(name)) return;
    auto* const p = &all.make<state>();
    std::size_t size = 0;
    for (const std::string& text : texts) size += text.size();
    all.add(
        name, who, size,
        [p, &texts](std::size_t) {
          for (const std::string& text : texts) {
            const auto read = p->codec.read(text);
            escape(&read);
          }
        },
        [p, &texts, holds] {
          return std::ranges::all_of(texts, [&](const std::string& text) { return holds(p->codec, text); });
        });
  };
  enter_rows("document-read-small", data.small_texts);
  enter_rows("document-read-medium", data.medium_texts);
}

inline constexpr std::size_t edited_language = 4'000;
inline constexpr const char* edited_path = "/languages/4000/name";
inline constexpr const char* edited_name = "another name";

/// Adds a contender for an edit of one value. `edit(text)` returns the text with `edited_name` at
/// `edited_path`. ingot verifies the output.
template <class Edit>
void enter_edit(suite& all, std::string_view who, Edit edit) {
  if (!all.wants("edit-one")) return;
  const auto& data = text_values();
  all.add(
      "edit-one", who, data.iso_text.size(),
      [edit, &data](std::size_t) { escape(edit(data.iso_text).data()); },
      [edit, &data] {
        iso_codes iso, expected = data.iso;
        expected.languages[edited_language].name = edited_name;
        return read_back(edit(data.iso_text), iso) && iso == expected;
      });
}

void enter_text_nlohmann(suite& all);
void enter_text_rapidjson(suite& all);
void enter_text_simdjson(suite& all);
void enter_text_ingot(suite& all);

} // namespace bench
