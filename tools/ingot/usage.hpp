// SPDX-License-Identifier: Apache-2.0
// Messages about an invalid command line, in the tool's own form, and line breaks of the help.
// CLI11 takes seconds to compile: include this header in command_line.cpp only.
#pragma once

#include "cli_support.hpp"
#include "text.hpp"

#include <algorithm>
#include <charconv>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

#include <CLI/CLI.hpp>

namespace tool {

/// Returns a list: "a, b or c".
[[nodiscard]] inline std::string listed(const std::vector<std::string>& words) {
  std::string made;
  for (const std::string& each : words)
    made += (made.empty() ? "" : &each == &words.back() ? " or " : ", ") + each;
  return made;
}

/// Accepts one of these words. The list is in the description, where help, manuals and completions
/// find it, as with CLI11's own validators.
[[nodiscard]] inline CLI::Validator one_of(const std::vector<std::string>& words) {
  std::string set = "{";
  for (const std::string& each : words) set += (set.size() > 1 ? "," : "") + each;
  return {[words](std::string& given) {
            return std::ranges::find(words, given) != words.end()
                       ? std::string()
                       : "expected " + listed(words) + ", found " + quote(given);
          },
          set + "}"};
}

/// Accepts a whole number from `least` to `most`.
template <class Number>
[[nodiscard]] CLI::Validator number_of(Number least, Number most) {
  const auto spelled = [](Number of) {
    char room[32];
    return std::string(room, std::to_chars(room, room + sizeof room, of).ptr);
  };
  const bool is_bounded = most != std::numeric_limits<Number>::max();
  std::string expected = "a whole number";
  expected +=
      is_bounded ? " from " + spelled(least) + " to " + spelled(most) : " no less than " + spelled(least);
  return {[=](std::string& given) {
            Number number{};
            const char* const end = given.data() + given.size();
            const auto [stop, why] = std::from_chars(given.data(), end, number);
            const bool is_good = why == std::errc() && stop == end && number >= least && number <= most;
            return is_good ? std::string() : "expected " + expected + ", found " + quote(given);
          },
          is_bounded ? spelled(least) + " to " + spelled(most) : ""};
}

/// Returns the edit distance: how many letters must be inserted, removed or replaced to make one
/// word of the other. O(product of the lengths).
[[nodiscard]] inline std::size_t distance(std::string_view one, std::string_view other) {
  std::vector<std::size_t> row(other.size() + 1);
  for (std::size_t j = 0; j < row.size(); ++j) row[j] = j;
  for (std::size_t i = 0; i < one.size(); ++i) {
    std::size_t corner = std::exchange(row[0], i + 1);
    for (std::size_t j = 0; j < other.size(); ++j) {
      const std::size_t above = row[j + 1];
      row[j + 1] = std::min({above + 1, row[j] + 1, corner + (one[i] == other[j] ? 0 : 1)});
      corner = above;
    }
  }
  return row.back();
}
/// Returns the most similar of the words, if it is similar enough; else empty text.
[[nodiscard]] inline std::string nearest(std::string_view word, const std::vector<std::string>& among) {
  // longer words are no mistyped options, and a command line may be long
  constexpr std::size_t longest = 32;
  if (word.size() > longest || among.empty()) return {};
  const auto found =
      std::ranges::min_element(among, {}, [&](const std::string& each) { return distance(word, each); });
  return distance(word, *found) <= (found->size() > 4 ? 2 : 1) ? *found : std::string();
}

/// Returns the usage of a command: "ingot get FILE PATH".
[[nodiscard]] inline std::string call_of(const CLI::App& verb) {
  std::string made = "ingot " + verb.get_name();
  for (const CLI::Option* each : verb.get_options()) {
    if (!each->get_positional()) continue;
    const std::string name = each->get_name(true) + (each->get_expected_max() > 1 ? "..." : "");
    made += each->get_required() ? " " + name : " [" + name + "]";
  }
  return made;
}
[[nodiscard]] inline std::vector<std::string> options_of_line(const CLI::App& verb) {
  std::vector<std::string> made;
  for (const CLI::Option* each : verb.get_options()) {
    for (const std::string& name : each->get_lnames()) made.push_back("--" + name);
  }
  return made;
}

/// Returns the message for an error that CLI11 found in the arguments of a command.
[[nodiscard]] inline std::string usage_sentence(const CLI::ParseError& why, const CLI::App& verb) {
  const std::string told = why.what();
  const std::string advice = "see ingot " + verb.get_name() + " --help";
  if (dynamic_cast<const CLI::ExtrasError*>(&why) != nullptr) {
    const std::string word = told.substr(told.find(": ") + 2);
    if (!word.starts_with('-')) return sentence("too many words", call_of(verb), quote(word), advice);
    const std::string meant = nearest(word.substr(0, word.find_first_of("= ")), options_of_line(verb));
    return sentence("no option " + quote(word), "", "",
                    (meant.empty() ? "" : "did you mean " + meant + "? ") + advice);
  }
  if (dynamic_cast<const CLI::RequiredError*>(&why) != nullptr) {
    const std::string name = told.substr(0, told.find(" is required"));
    return sentence("no " + name, call_of(verb) + (name.starts_with('-') ? " " + name + " ..." : ""), "",
                    advice);
  }
  if (const auto at = told.find(" excludes ");
      at != std::string::npos && dynamic_cast<const CLI::ExcludesError*>(&why) != nullptr)
    return sentence(told.substr(0, at) + " and " + told.substr(at + 10), "one of the two", "both", advice);
  if (dynamic_cast<const CLI::ArgumentMismatch*>(&why) != nullptr)
    return sentence(told.substr(0, told.find_first_of(": ")), "a value after it", "none", advice);
  return sentence(told, "", "", advice); // our validators wrote the message
}

/// Breaks lines that are wider than a wide terminal. The rest of a description continues below its
/// first line.
[[nodiscard]] inline std::string wrapped(std::string_view text) {
  constexpr std::size_t widest = 100;
  constexpr std::size_t column = 30; // column of the descriptions
  std::string made;
  while (!text.empty()) {
    std::string_view line = text.substr(0, text.find('\n'));
    text.remove_prefix(std::min(text.size(), line.size() + 1));
    const bool has_column =
        line.starts_with("  ") && line.size() > column && line[column - 1] == ' ' && line[column] != ' ';
    const bool is_example = line.starts_with("  ") && !has_column;
    for (std::size_t room = widest; !is_example && line.size() > room;
         room = widest - (has_column ? column : 0)) {
      const std::size_t space = line.substr(0, room + 1).rfind(' ');
      if (space == std::string_view::npos || (room == widest && has_column && space < column)) break;
      made.append(line.substr(0, space)).append(1, '\n').append(has_column ? column : 0, ' ');
      line.remove_prefix(space + 1);
    }
    made.append(line).append(1, '\n');
  }
  return made;
}

} // namespace tool
