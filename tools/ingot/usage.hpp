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
  std::string list;
  for (const std::string& each : words)
    list += (list.empty() ? "" : &each == &words.back() ? " or " : ", ") + each;
  return list;
}

/// Returns a validator that accepts only these words. The description of the validator contains the
/// list, as in CLI11's own validators. Help, manuals and completions take the list from the
/// description.
[[nodiscard]] inline CLI::Validator one_of(const std::vector<std::string>& words) {
  std::string set = "{";
  for (const std::string& each : words) set += (set.size() > 1 ? "," : "") + each;
  return {[words](std::string& argument) {
            return std::ranges::find(words, argument) != words.end()
                       ? std::string()
                       : "expected " + listed(words) + ", found " + quote(argument);
          },
          set + "}"};
}

/// Returns a validator that accepts a whole number from `smallest` to `largest`.
template <class Number>
[[nodiscard]] CLI::Validator number_of(Number smallest, Number largest) {
  const auto spelled = [](Number of) {
    char digits[32];
    return std::string(digits, std::to_chars(digits, digits + sizeof digits, of).ptr);
  };
  const bool is_bounded = largest != std::numeric_limits<Number>::max();
  std::string expected = "a whole number";
  expected += is_bounded ? " from " + spelled(smallest) + " to " + spelled(largest)
                         : " no less than " + spelled(smallest);
  return {[=](std::string& argument) {
            Number number{};
            const char* const end = argument.data() + argument.size();
            const auto [stop, why] = std::from_chars(argument.data(), end, number);
            const bool is_good = why == std::errc() && stop == end && number >= smallest && number <= largest;
            return is_good ? std::string() : "expected " + expected + ", found " + quote(argument);
          },
          is_bounded ? spelled(smallest) + " to " + spelled(largest) : ""};
}

/// Returns the edit distance: the number of letters that must be inserted, removed or replaced to
/// change `one` into `other`. O(product of the lengths).
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
/// Returns the word of `among` that is most similar to `word`. Returns empty text if no word is
/// similar enough.
[[nodiscard]] inline std::string nearest(std::string_view word, const std::vector<std::string>& among) {
  // longer words are not mistyped options, and the search is slow for long words
  constexpr std::size_t longest = 32;
  if (word.size() > longest || among.empty()) return {};
  const auto found =
      std::ranges::min_element(among, {}, [&](const std::string& each) { return distance(word, each); });
  return distance(word, *found) <= (found->size() > 4 ? 2 : 1) ? *found : std::string();
}

/// Returns the usage of a command: "ingot get FILE PATH".
[[nodiscard]] inline std::string call_of(const CLI::App& verb) {
  std::string call = "ingot " + verb.get_name();
  for (const CLI::Option* each : verb.get_options()) {
    if (!each->get_positional()) continue;
    const std::string name = each->get_name(true) + (each->get_expected_max() > 1 ? "..." : "");
    call += each->get_required() ? " " + name : " [" + name + "]";
  }
  return call;
}
[[nodiscard]] inline std::vector<std::string> options_of_line(const CLI::App& verb) {
  std::vector<std::string> names;
  for (const CLI::Option* each : verb.get_options()) {
    for (const std::string& name : each->get_lnames()) names.push_back("--" + name);
  }
  return names;
}

/// Returns the message for an error that CLI11 found in the arguments of a command.
[[nodiscard]] inline std::string usage_sentence(const CLI::ParseError& why, const CLI::App& verb) {
  const std::string message = why.what();
  const std::string advice = "see ingot " + verb.get_name() + " --help";
  if (dynamic_cast<const CLI::ExtrasError*>(&why) != nullptr) {
    const std::string word = message.substr(message.find(": ") + 2);
    if (!word.starts_with('-')) return sentence("too many words", call_of(verb), quote(word), advice);
    const std::string meant = nearest(word.substr(0, word.find_first_of("= ")), options_of_line(verb));
    return sentence("no option " + quote(word), "", "",
                    (meant.empty() ? "" : "did you mean " + meant + "? ") + advice);
  }
  if (dynamic_cast<const CLI::RequiredError*>(&why) != nullptr) {
    const std::string name = message.substr(0, message.find(" is required"));
    return sentence("no " + name, call_of(verb) + (name.starts_with('-') ? " " + name + " ..." : ""), "",
                    advice);
  }
  if (const auto at = message.find(" excludes ");
      at != std::string::npos && dynamic_cast<const CLI::ExcludesError*>(&why) != nullptr)
    return sentence(message.substr(0, at) + " and " + message.substr(at + 10), "one of the two", "both",
                    advice);
  if (dynamic_cast<const CLI::ArgumentMismatch*>(&why) != nullptr)
    return sentence(message.substr(0, message.find_first_of(": ")), "a value after it", "none", advice);
  return sentence(message, "", "", advice); // our validators wrote the message
}

/// Breaks lines that are wider than a wide terminal. The continuation of a description is indented,
/// so that it is below the beginning of the description.
[[nodiscard]] inline std::string wrapped(std::string_view text) {
  constexpr std::size_t widest = 100;
  constexpr std::size_t column = 30; // column of the descriptions
  std::string lines;
  while (!text.empty()) {
    std::string_view line = text.substr(0, text.find('\n'));
    text.remove_prefix(std::min(text.size(), line.size() + 1));
    const bool has_column =
        line.starts_with("  ") && line.size() > column && line[column - 1] == ' ' && line[column] != ' ';
    const bool is_example = line.starts_with("  ") && !has_column;
    for (std::size_t columns = widest; !is_example && line.size() > columns;
         columns = widest - (has_column ? column : 0)) {
      const std::size_t space = line.substr(0, columns + 1).rfind(' ');
      if (space == std::string_view::npos || (columns == widest && has_column && space < column)) break;
      lines.append(line.substr(0, space)).append(1, '\n').append(has_column ? column : 0, ' ');
      line.remove_prefix(space + 1);
    }
    lines.append(line).append(1, '\n');
  }
  return lines;
}

} // namespace tool
