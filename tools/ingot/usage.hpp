// SPDX-License-Identifier: Apache-2.0
// Messages about an invalid command line, in the tool's own form, and layout of the help.
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

/// Returns a validator that accepts every word. Completions offer these words.
[[nodiscard]] inline CLI::Validator suggested(const std::vector<std::string>& words) {
  CLI::Validator listed_words = one_of(words);
  listed_words.operation([](std::string&) { return std::string(); });
  return listed_words;
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

/// Returns the options that the command requires, with a space before each: " --html OUT".
[[nodiscard]] inline std::string required_options_of(const CLI::App& verb) {
  std::string options;
  for (const CLI::Option* each : verb.get_options()) {
    if (each->nonpositional() && each->get_required())
      options += " " + each->get_name() + " " + each->get_type_name();
  }
  return options;
}
/// Returns the usage of a command: "ingot get FILE PATH".
[[nodiscard]] inline std::string call_of(const CLI::App& verb) {
  std::string call = "ingot " + verb.get_name();
  for (const CLI::Option* each : verb.get_options()) {
    if (!each->get_positional()) continue;
    const std::string name = each->get_name(true) + (each->get_expected_max() > 1 ? "..." : "");
    call += each->get_required() ? " " + name : " [" + name + "]";
  }
  return call + required_options_of(verb);
}
[[nodiscard]] inline std::vector<std::string> options_of_line(const CLI::App& verb) {
  std::vector<std::string> names{"--no-pager"}; // which stands before and after the verb
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
    // The message of CLI11 lists all these words, in reverse order.
    const std::vector<std::string> words = verb.remaining();
    const auto option =
        std::ranges::find_if(words, [](const std::string& each) { return each.starts_with('-'); });
    const std::string word = option != words.end() ? *option : words.empty() ? message : words.front();
    if (option == words.end()) return sentence("too many words", call_of(verb), quote(word), advice);
    const std::string meant = nearest(word.substr(0, word.find_first_of("= ")), options_of_line(verb));
    return sentence("no option " + quote(word), "", "",
                    (meant.empty() ? "" : "did you mean " + meant + "? ") + advice);
  }
  if (dynamic_cast<const CLI::RequiredError*>(&why) != nullptr) {
    const std::string name = message.substr(0, message.find(" is required"));
    return sentence("no " + name, call_of(verb), "", advice);
  }
  if (const auto at = message.find(" excludes ");
      at != std::string::npos && dynamic_cast<const CLI::ExcludesError*>(&why) != nullptr)
    return sentence(message.substr(0, at) + " and " + message.substr(at + 10), "one of the two", "both",
                    advice);
  if (dynamic_cast<const CLI::ArgumentMismatch*>(&why) != nullptr)
    return sentence(message.substr(0, message.find_first_of(": ")), "a value after it", "none", advice);
  return sentence(message, "", "", advice); // our validators wrote the message
}

/// Layout of the help. The names of options are beside their descriptions, or above them on a
/// narrow terminal. The descriptions contain the choices, so the choices of CLI11's own layout are
/// left out.
class help_layout : public CLI::Formatter {
public:
  help_layout() { column_width(column_for(80)); }
  /// Returns the column of the descriptions.
  [[nodiscard]] static constexpr std::size_t column_for(std::size_t width) noexcept {
    return width >= 72 ? 30 : 14;
  }
  [[nodiscard]] std::string make_usage(const CLI::App* of, std::string name) const override {
    std::string usage = CLI::Formatter::make_usage(of, std::move(name));
    usage.resize(usage.find_last_not_of('\n') + 1);
    return usage + required_options_of(*of) + "\n\n";
  }
  [[nodiscard]] std::string make_option(const CLI::Option* of, bool is_positional) const override {
    std::string line = "  " + make_option_name(of, is_positional) + make_option_opts(of);
    // two spaces are between the name and the description, as `description_column` expects
    if (line.size() + 2 > column_width_) line += '\n' + std::string(column_width_, ' ');
    else line.resize(column_width_, ' ');
    return line + make_option_desc(of) + '\n';
  }
  [[nodiscard]] std::string make_option_opts(const CLI::Option* of) const override {
    std::string type = of->get_type_name();
    // a validator adds its choices after a colon
    type.resize(std::min(type.size(), type.find(':')));
    return (type.empty() || of->get_items_expected_max() == 0 ? "" : " " + type) +
           (of->get_expected_max() > 1 ? " ..." : "");
  }
  [[nodiscard]] std::string make_subcommand(const CLI::App* of) const override {
    constexpr std::size_t longest_name = 10;
    const std::string name = of->get_name();
    return "  " + name + std::string(longest_name - std::min(longest_name - 1, name.size()), ' ') + " " +
           of->get_description() + "\n";
  }
  [[nodiscard]] std::string make_option_desc(const CLI::Option* of) const override {
    const std::string preset = of->get_default_str();
    return of->get_description() + (preset.empty() ? "" : " (default: " + preset + ")");
  }
};

/// Returns the column of the description in a line of the help: after the name of an option or
/// verb and at least two spaces. Returns 0 for other lines, such as examples.
[[nodiscard]] inline std::size_t description_column(std::string_view line) noexcept {
  const std::size_t name = line.find_first_not_of(' ');
  if (name == std::string_view::npos || name < 2) return 0;
  if (name > 4) return name; // the name is in the line before
  const std::size_t gap = line.find("  ", name);
  const std::size_t column = gap == std::string_view::npos ? gap : line.find_first_not_of(' ', gap);
  return column == std::string_view::npos ? 0 : column;
}

/// Breaks lines that are wider than `width`. The continuation of a description is indented, so that
/// it is below the beginning of the description. Examples are not broken, because people copy them.
[[nodiscard]] inline std::string wrapped(std::string_view text, std::size_t width) {
  std::string lines;
  while (!text.empty()) {
    std::string_view line = text.substr(0, text.find('\n'));
    text.remove_prefix(std::min(text.size(), line.size() + 1));
    if (line.empty() && lines.ends_with("\n\n")) continue;
    const std::size_t column = description_column(line);
    const bool is_example = line.starts_with("  ") && column == 0;
    std::size_t begin = column; // the line is not broken before this position
    for (std::size_t columns = width; !is_example && line.size() > columns; columns = width - column) {
      const std::size_t space = line.substr(0, columns + 1).rfind(' ');
      if (space == std::string_view::npos || space < begin) break;
      lines.append(line.substr(0, space)).append(1, '\n').append(column, ' ');
      line.remove_prefix(space + 1);
      begin = 0;
    }
    lines.append(line).append(1, '\n');
  }
  return lines;
}

} // namespace tool
