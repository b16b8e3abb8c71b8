// SPDX-License-Identifier: Apache-2.0
// Checks the library's promises about edits of arbitrary text: the body of the fuzz target, and of
// the unit tests.
//
// An edit either ends with an error at a position in the text, or gives a new text. The new text
// must read as the document to which the edit changes the document of the old text. All bytes
// outside the edited value are kept. A simple scanner finds this value independently of the
// library. A broken promise ends the process, which a fuzzer detects.
#pragma once

#include <ingot/json/document.hpp>
#include <ingot/json/edit.hpp>
#include <ingot/json/read.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace json_edit_fuzz {

namespace json = ingot::json;

inline void require(bool promise, const char* what) {
  if (promise) return;
  std::fprintf(stderr, "broken promise: %s\n", what);
  std::abort();
}

/// Finds values in valid text, with or without comments.
struct scanner {
  std::string_view text;

  [[nodiscard]] char at(std::size_t i) const { return i < text.size() ? text[i] : '\0'; }
  [[nodiscard]] std::size_t skip_space(std::size_t i) const {
    for (;;) {
      while (at(i) == ' ' || at(i) == '\t' || at(i) == '\n' || at(i) == '\r' ||
             (i < 3 && static_cast<unsigned char>(at(i)) >= 0x80))
        ++i;
      if (at(i) != '/') return i;
      const bool is_line = at(i + 1) == '/';
      const std::size_t end = text.find(is_line ? "\n" : "*/", i + 2);
      i = end == std::string_view::npos ? text.size() : end + (is_line ? 1 : 2);
    }
  }
  [[nodiscard]] std::size_t skip_string(std::size_t i) const {
    for (++i; at(i) != '"'; ++i) i += at(i) == '\\' ? 1 : 0;
    return i + 1;
  }
  [[nodiscard]] std::size_t skip_value(std::size_t i) const {
    std::size_t depth = 0;
    do {
      i = skip_space(i);
      const char first = at(i);
      if (first == '"') i = skip_string(i);
      else if (first == '{' || first == '[') ++depth, ++i;
      else if (first == '}' || first == ']') --depth, ++i;
      else if (first == ',' || first == ':') ++i;
      else i = std::min(text.find_first_of(" \t\n\r,:{}[]\"/", i), text.size());
    } while (depth != 0);
    return i;
  }
  /// Returns the position of the first byte of a member's or an element's value, and the position
  /// after its last byte.
  [[nodiscard]] std::optional<std::pair<std::size_t, std::size_t>> find(std::string_view pointer) const {
    std::size_t begin = skip_space(0);
    ingot::detail::doc::pointer_parts parts(pointer);
    std::string plain;
    while (!parts.done()) {
      if (!parts.good()) return std::nullopt;
      const std::string_view part = parts.next(plain);
      if (!parts.good()) return std::nullopt;
      const bool is_object = at(begin) == '{';
      if (!is_object && at(begin) != '[') return std::nullopt;
      std::size_t i = skip_space(begin + 1);
      bool is_found = false;
      for (std::uint32_t index = 0; at(i) != '}' && at(i) != ']'; ++index) {
        is_found = index == ingot::detail::doc::pointer_index(part);
        if (is_object) {
          const std::size_t end = skip_value(i);
          is_found = json::read<std::string>(text.substr(i, end - i)) == std::string(part);
          i = skip_space(skip_space(end) + 1);
        }
        if (is_found) break;
        i = skip_space(skip_value(i));
        if (at(i) == ',') i = skip_space(i + 1);
      }
      if (!is_found) return std::nullopt;
      begin = i;
    }
    return std::pair(begin, skip_value(begin));
  }
};

/// Returns true if removing bytes from `whole` gives `part`.
[[nodiscard]] inline bool contains_in_order(std::string_view whole, std::string_view part) {
  std::size_t i = 0;
  for (const char c : whole) i += i < part.size() && part[i] == c ? 1 : 0;
  return i == part.size();
}

/// Erases a value of a document. Returns false if there is no such value.
[[nodiscard]] inline bool erase_from(ingot::document& doc, std::string_view pointer) {
  const std::size_t slash = pointer.rfind('/');
  if (slash == std::string_view::npos) return false;
  const auto around = doc.root().at(pointer.substr(0, slash));
  if (!doc.root().at(pointer).exists()) return false;
  ingot::detail::doc::pointer_parts parts(pointer.substr(slash));
  std::string plain;
  const std::string_view part = parts.next(plain);
  if (around.is_object()) return ingot::value_ref(around).erase(part).value_or(false);
  return ingot::value_ref(around).erase(ingot::detail::doc::pointer_index(part)).has_value();
}

inline void check_error(const ingot::error& err, std::string_view text) {
  require(err.offset() <= text.size(), "an error lies inside the text");
  require(!err.message().empty(), "an error has a message");
}

/// Checks one edit. Returns true if the text was changed.
inline bool check(std::string_view text, std::string_view pointer, const ingot::document& value,
                  const json::edit_options& options) {
  const json::read_options reading{.comments = options.comments,
                                   .trailing_commas = options.trailing_commas,
                                   .large_integers = json::large_integers::nearest,
                                   .max_depth = 1'000'000};
  const auto before = json::read_document(text, reading);
  const auto edited = json::edit(text, pointer, value, options);
  const auto erased = json::erase(text, pointer, options);
  std::string in_place(text);
  require(json::edit_in_place(in_place, pointer, value, options).has_value() == edited.has_value() &&
              in_place == edited.value_or(std::string(text)),
          "an edit in place gives the same text");
  in_place = text;
  require(json::erase_in_place(in_place, pointer, options).has_value() == erased.has_value() &&
              in_place == erased.value_or(std::string(text)),
          "erasing in place gives the same text");
  if (!edited) check_error(edited.error(), text);
  if (!erased) check_error(erased.error(), text);
  if (!before) { // documents also reject repeated keys and large numbers
    const bool is_valid = before.error().code() == ingot::errc::duplicate_key ||
                          before.error().code() == ingot::errc::out_of_range;
    require(is_valid || (!edited && !erased), "what readers reject is not edited");
    return false;
  }
  const auto old = scanner{text}.find(pointer);
  if (edited) {
    ingot::document expected = *before;
    require(expected.root().set_at(pointer, value.root()).has_value(), "a document takes the same edit");
    const auto after = json::read_document(*edited, reading);
    require(after.has_value(), "edited text can be read");
    require(*after == expected, "edited text has the value at the path, and all other values");
    if (old) {
      require(edited->starts_with(text.substr(0, old->first)) &&
                  edited->ends_with(text.substr(old->second)) &&
                  edited->size() >= text.size() - (old->second - old->first),
              "all bytes before and after the value are kept");
      const auto again = json::edit(*edited, pointer, value, options);
      require(again && *again == *edited, "the same edit changes nothing more");
    } else {
      require(contains_in_order(*edited, text), "all bytes are kept beside a new value");
    }
  }
  require(!erased || old, "only an existing value is erased");
  if (erased) {
    ingot::document expected = *before;
    require(erase_from(expected, pointer), "a document erases the same value");
    const auto after = json::read_document(*erased, reading);
    require(after.has_value(), "text without the value can be read");
    require(*after == expected, "text without the value has all other values");
    require(contains_in_order(text, *erased), "erasing adds nothing");
  } else if (old && !pointer.empty()) {
    require(erased.error().code() == ingot::errc::too_deep, "an existing value can be erased");
  }
  if (edited && !old) { // a new member or element
    std::string added(pointer);
    if (added.ends_with("/-") && before->root().at(added.substr(0, added.size() - 2)).is_array())
      added.replace(added.size() - 1, 1,
                    std::to_string(before->root().at(added.substr(0, added.size() - 2)).size()));
    const auto back = json::erase(*edited, added, options);
    require(back && json::read_document(*back, reading) == *before, "a new value can be erased again");
  }
  return edited.has_value();
}

/// Runs the checks. The first byte chooses the options and the value. Then comes the path, which
/// ends at a NUL, and then the text.
inline void run(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return;
  static const std::vector<ingot::document> values = [] {
    std::vector<ingot::document> all;
    for (const std::string_view text :
         {"null", "-7", R"("a \"b\", c: {d}")", "[]", R"([1,[2.5],{}])", R"({"k":{"a":[true]},"l":""})"})
      all.push_back(json::read_document(text).value());
    return all;
  }();
  const unsigned bits = data[0];
  json::edit_options options;
  if ((bits & 1) != 0) options.comments = json::comments::allow;
  if ((bits & 2) != 0) options.trailing_commas = json::trailing_commas::allow;
  if ((bits & 4) != 0) options.max_depth = 4;
  // A copy of exactly the text's size, so that a sanitizer detects any read past the end.
  const std::string_view input(reinterpret_cast<const char*>(data) + 1, size - 1);
  const std::size_t end = std::min(input.find('\0'), input.size());
  const std::string_view rest = input.substr(std::min(end + 1, input.size()));
  const std::vector<char> pointer(input.begin(), input.begin() + static_cast<std::ptrdiff_t>(end));
  const std::vector<char> text(rest.begin(), rest.end());
  static_cast<void>(check({text.data(), text.size()}, {pointer.data(), pointer.size()},
                          values[(bits >> 3) % values.size()], options));
}

} // namespace json_edit_fuzz
