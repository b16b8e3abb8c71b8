// SPDX-License-Identifier: Apache-2.0
#include "complete.hpp"

#include "cli_support.hpp"
#include "node.hpp"
#include "opened_file.hpp"
#include "path.hpp"
#include "records.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>
#include <vector>

#include <sys/stat.h>

namespace tool {

namespace {

/// Maximum number of answers. No person reads more.
constexpr std::size_t max_answers = 1000;

struct typed_path {
  std::string_view parent; ///< path of a value
  std::string_view begun;  ///< beginning of a step; empty if the path ends with a complete step
};

/// Returns the position after the step in brackets at `at`; `npos` if the step is not complete.
[[nodiscard]] std::size_t end_of_brackets(std::string_view text, std::size_t at) noexcept {
  if (!text.substr(at).starts_with("[\"")) {
    const std::size_t end = text.find(']', at);
    return end == std::string_view::npos ? end : end + 1;
  }
  for (std::size_t i = at + 2; i < text.size(); ++i) {
    if (text[i] == '\\') ++i;
    else if (text[i] == '"') return text.substr(i + 1).starts_with(']') ? i + 2 : std::string_view::npos;
  }
  return std::string_view::npos;
}

[[nodiscard]] typed_path split(std::string_view text) noexcept {
  if (text.starts_with('/')) {
    const std::size_t slash = text.rfind('/');
    return {text.substr(0, slash), text.substr(slash)};
  }
  std::size_t begun = 0; // beginning of the last name
  bool is_complete = true;
  for (std::size_t i = 0; i < text.size();) {
    begun = i;
    is_complete = text[i] == '[' || text.substr(i).starts_with("{}");
    if (text[i] == '[') {
      i = end_of_brackets(text, i);
      if (i == std::string_view::npos) return {text.substr(0, begun), text.substr(begun)};
    } else {
      i = is_complete ? i + 2 : std::min(text.find_first_of(".[", i + 1), text.find("{}", i + 1));
    }
  }
  if (is_complete) return {text, {}};
  return {text.substr(0, begun), text.substr(begun)};
}

/// Returns the step to a part in its shortest form. The first step of a path has no dot.
[[nodiscard]] std::string step_to(const node& parent, const part& of, bool is_first, bool is_pointer) {
  std::string step;
  if (is_pointer) {
    path_step one = index_step(of.index);
    if (parent.form() == node_form::members)
      one = {.is = path_step::kind::name, .text = std::string(of.name)};
    else if (parent.form() == node_form::entries && of.key.form() == node_form::scalar)
      one = {.is = path_step::kind::key,
             .text = of.key.text() ? std::string(*of.key.text()) : of.key.scalar(longest_path)};
    return pointer_of({one});
  }
  if (!is_first) step = "."; // `append_name` adds a dot to text that is not empty
  if (parent.form() == node_form::members) {
    append_name(step, of.name);
  } else if (parent.form() == node_form::entries && of.key.text()) {
    append_name(step, *of.key.text());
  } else if (has_number_keys(parent)) {
    return '[' + of.key.scalar(longest_path) + ']';
  } else {
    return path_of({}, parent, of);
  }
  return is_first ? step : step.substr(1);
}

class completion {
public:
  explicit completion(std::string_view typed) : at_(split(typed)), is_pointer_(typed.starts_with('/')) {}

  [[nodiscard]] std::vector<std::string> of(const opened& file) {
    if (file.is_log() && at_.parent.empty()) {
      add_records(file.records);
      return std::move(answers_);
    }
    bool is_done = false; // `[]` leads to several values, which have parts of the same names
    find_all(file, parse_path(at_.parent), [&](const std::string&, const node& found) {
      if (!is_done) add_parts(found);
      is_done = true;
    });
    return std::move(answers_);
  }

private:
  void add(std::string path) {
    if (answers_.size() < max_answers) answers_.push_back(std::move(path));
  }
  void add_records(std::uint64_t count) {
    for (std::uint64_t i = 0; i < count && answers_.size() < max_answers; ++i) {
      std::string step = (is_pointer_ ? "/" : "[") + std::to_string(i) + (is_pointer_ ? "" : "]");
      if (step.starts_with(at_.begun)) add(std::move(step));
    }
  }
  void add_parts(const node& parent) {
    const bool is_first = at_.parent.empty() || at_.parent == ".";
    // a path may begin with a dot
    const std::string dot = at_.parent.empty() && at_.begun.starts_with('.') ? "." : "";
    const std::string whole(at_.parent);
    if (at_.begun.empty() && !whole.empty()) add(whole);
    node only;
    for (parts at(parent); !at.done() && answers_.size() < max_answers; at.next()) {
      const part one = *at;
      const std::string step = dot + step_to(parent, one, is_first, is_pointer_);
      if (!step.starts_with(at_.begun)) continue;
      only = one.value;
      add(whole + step);
    }
    if (answers_.size() != 1 || only.form() == node_form::absent) return;
    const std::string path = answers_.front();
    for (parts at(only); !at.done() && answers_.size() < max_answers; at.next())
      add(path + step_to(only, *at, false, is_pointer_));
  }

  typed_path at_;
  bool is_pointer_;
  std::vector<std::string> answers_;
};

} // namespace

std::string shell_unquoted(std::string_view word) {
  std::string text;
  char mark = '\0';
  for (std::size_t i = 0; i < word.size(); ++i) {
    const char c = word[i];
    if (mark == '\0' && (c == '"' || c == '\'')) mark = c;
    else if (c == mark) mark = '\0';
    else if (c == '\\' && mark != '\'' && i + 1 < word.size()) text += word[++i];
    else text += c;
  }
  return text;
}

std::vector<std::string> completed_paths(const std::string& file, std::string_view typed,
                                         std::string_view as) {
  constexpr std::uint64_t largest = std::uint64_t{1} << 26;
  struct ::stat found{};
  if (::stat(file.c_str(), &found) != 0 || !S_ISREG(found.st_mode) ||
      static_cast<std::uint64_t>(found.st_size) > largest)
    return {};
  try {
    const auto opened_file = open(file, format_named(as).value_or(format::automatic));
    if (!opened_file || !opened_file->is_validated()) return {};
    return completion(typed).of(*opened_file);
  } catch (const failure&) {
    return {}; // a path that is not complete; the shell shows no messages
  }
}

std::vector<std::string> completed_words(std::string_view file, std::string_view typed,
                                         std::string_view format) {
  std::string name = shell_unquoted(file);
  const char* const home = std::getenv("HOME"); // NOLINT(concurrency-mt-unsafe): one thread
  if (file.starts_with("~/") && home != nullptr) name.replace(0, 1, home);
  std::vector<std::string> words = completed_paths(name, shell_unquoted(typed), format);
  const char mark = typed.empty() ? '\0' : typed.front();
  if (mark == '\'' || mark == '"') return words; // the shell adds the quotation marks
  for (std::string& word : words) {
    std::string quoted;
    for (const char c : word) {
      // Brackets have no backslash, because people type numbers in brackets without one.
      if (std::string_view(" \t\n\"'\\$`!*?(){}<>|&;~#").find(c) != std::string_view::npos) quoted += '\\';
      quoted += c;
    }
    word = std::move(quoted);
  }
  return words;
}

} // namespace tool
