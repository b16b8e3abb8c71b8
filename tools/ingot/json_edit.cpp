// SPDX-License-Identifier: Apache-2.0
#include "json_edit.hpp"

#include <ingot/json/json.hpp>

#include "writing.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace tool {

namespace {

struct extent {
  std::size_t begin = 0;
  std::size_t end = 0;
};

/// Scans valid JSON text.
class json_text {
public:
  explicit json_text(std::string_view text) noexcept : text_(text) {}

  [[nodiscard]] char at(std::size_t i) const noexcept { return i < text_.size() ? text_[i] : '\0'; }
  [[nodiscard]] std::string_view piece(extent of) const noexcept {
    return text_.substr(of.begin, of.end - of.begin);
  }
  [[nodiscard]] std::size_t size() const noexcept { return text_.size(); }

  /// Skips white space and comments.
  [[nodiscard]] std::size_t skip_space(std::size_t i) const noexcept {
    for (;;) {
      while (at(i) == ' ' || at(i) == '\t' || at(i) == '\n' || at(i) == '\r') ++i;
      const std::string_view mark = text_.substr(i < text_.size() ? i : text_.size(), 2);
      if (mark == "//") i = end_of(i, "\n");
      else if (mark == "/*") i = end_of(i + 2, "*/");
      else return i;
    }
  }
  /// Returns the end of the value that begins at `i`. The value may also be the name of a member.
  [[nodiscard]] std::size_t skip_value(std::size_t i) const noexcept {
    std::size_t depth = 0;
    do {
      i = skip_space(i);
      const char first = at(i);
      if (first == '"') {
        i = skip_string(i);
      } else if (first == '{' || first == '[') {
        ++depth, ++i;
      } else if (first == '}' || first == ']') {
        --depth, ++i;
      } else if (first == ',' || first == ':') {
        ++i;
      } else {
        const std::size_t begin = i;
        while (i < text_.size() &&
               std::string_view(" \t\n\r,:{}[]\"/").find(text_[i]) == std::string_view::npos)
          ++i;
        if (i == begin) return text_.size(); // not JSON
      }
    } while (depth != 0 && i < text_.size());
    return i;
  }

private:
  [[nodiscard]] std::size_t end_of(std::size_t from, std::string_view mark) const noexcept {
    const std::size_t found = text_.find(mark, from);
    return found == std::string_view::npos ? text_.size() : found + mark.size();
  }
  [[nodiscard]] std::size_t skip_string(std::size_t i) const noexcept {
    for (++i; i < text_.size() && text_[i] != '"'; ++i) {
      if (text_[i] == '\\') ++i;
    }
    return i < text_.size() ? i + 1 : text_.size();
  }

  std::string_view text_;
};

[[nodiscard]] bool is_key(std::string_view quoted, std::string_view key) {
  if (quoted.find('\\') == std::string_view::npos)
    return quoted.size() == key.size() + 2 && quoted.substr(1, key.size()) == key;
  const auto plain = ingot::json::read<std::string>(quoted);
  return plain && *plain == key;
}

/// The value that a path step leads to in an object or an array, and the position for a new value.
struct step_target {
  std::optional<extent> value;
  extent last;            ///< the last member or element; empty if there is none
  std::size_t count = 0;  ///< number of members or elements
  std::size_t inside = 0; ///< position after the opening bracket
  bool is_object = false;
  bool is_tall = false; ///< each part has a line of its own
};

[[nodiscard]] std::optional<step_target> enter(const json_text& in, extent around, const path_step& step) {
  step_target to;
  to.is_object = in.at(around.begin) == '{';
  if (!to.is_object && in.at(around.begin) != '[') return {};
  if (to.is_object == (step.is == path_step::kind::index)) return {};
  to.inside = around.begin + 1;
  std::size_t i = in.skip_space(to.inside);
  while (i < around.end && in.at(i) != '}' && in.at(i) != ']') {
    const std::size_t begin = i;
    bool is_wanted = to.count == step.index;
    if (to.is_object) {
      const std::size_t end = in.skip_value(i);
      is_wanted = is_key(in.piece({i, end}), step.text);
      i = in.skip_space(in.skip_space(end) + 1); // skips the colon
    }
    const std::size_t end = in.skip_value(i);
    if (is_wanted && !to.value) to.value = extent{i, end};
    to.last = {begin, end};
    ++to.count;
    i = in.skip_space(end);
    if (in.at(i) == ',') i = in.skip_space(i + 1);
  }
  to.is_tall = in.piece({to.inside, to.last.end > to.inside ? to.last.end : to.inside}).find('\n') !=
               std::string_view::npos;
  return to;
}

/// Returns the indentation of the line that contains `i`: spaces and tabs.
[[nodiscard]] std::string_view indent_at(const json_text& in, std::size_t i) noexcept {
  std::size_t begin = i;
  while (begin != 0 && in.at(begin - 1) != '\n') --begin;
  std::size_t end = begin;
  while (end < i && (in.at(end) == ' ' || in.at(end) == '\t')) ++end;
  return in.piece({begin, end});
}

/// Returns the number of spaces at the beginning of the first indented line, at most 16. Returns 0
/// if the text has one line.
[[nodiscard]] std::uint32_t indent_of(std::string_view text) noexcept {
  for (std::size_t i = text.find('\n'); i != std::string_view::npos; i = text.find('\n', i + 1)) {
    const std::size_t end = text.find_first_not_of(' ', i + 1);
    if (end != std::string_view::npos && end > i + 1 && text[end] != '\n')
      return static_cast<std::uint32_t>(end - i - 1 < 16 ? end - i - 1 : 16);
  }
  return 0;
}

[[nodiscard]] std::string json_lines(const ingot::value& put, std::uint32_t indent, std::string_view before) {
  const std::string plain = json_of(put, {.indent = indent});
  std::string out;
  for (const char c : plain) {
    out += c;
    if (c == '\n') out += before;
  }
  return out;
}

[[nodiscard]] std::string spliced(std::string_view text, extent out, std::string_view in) {
  std::string joined(text.substr(0, out.begin));
  joined += in;
  return joined += text.substr(out.end);
}

[[nodiscard]] std::string inserted(std::string_view text, const json_text& in, const step_target& to,
                                   const path_step& step, const ingot::value& put, std::uint32_t indent) {
  std::string_view margin;
  if (to.is_tall) margin = indent_at(in, to.last.begin);
  std::string insertion(to.count == 0 ? "" : to.is_tall ? ",\n" : indent != 0 ? ", " : ",");
  insertion += margin;
  if (to.is_object) {
    insertion += ingot::json::write(step.text).value_or("\"\"");
    insertion += indent != 0 || text.find("\": ") != std::string_view::npos ? ": " : ":";
  }
  insertion += json_lines(put, to.is_tall ? indent : 0, margin);
  const std::size_t where = to.count == 0 ? to.inside : to.last.end;
  return spliced(text, {where, where}, insertion);
}

} // namespace

std::optional<std::string> replaced_in_json(std::string_view text, bool lines, const path& steps,
                                            const ingot::value& put) {
  const json_text in(text);
  extent here{in.skip_space(0), text.size()};
  std::size_t first = 0;
  if (lines) { // the lines are the elements of an array without brackets
    if (steps.empty() || steps[0].is != path_step::kind::index) return {};
    for (std::size_t left = steps[0].index; left != 0; --left)
      here.begin = in.skip_space(in.skip_value(here.begin));
    if (here.begin >= text.size()) return {};
    first = 1;
  }
  here.end = in.skip_value(here.begin);
  const std::uint32_t indent = lines ? 0 : indent_of(text);
  bool is_tall = true; // a replacement of the whole text has a line for each part
  for (std::size_t i = first; i < steps.size(); ++i) {
    const auto to = enter(in, here, steps[i]);
    if (!to) return {};
    if (!to->value) {
      const bool is_new = to->is_object || steps[i].index == to->count;
      if (i + 1 != steps.size() || !is_new) return {};
      return inserted(text, in, *to, steps[i], put, indent);
    }
    here = *to->value;
    is_tall = to->is_tall;
  }
  return spliced(text, here, json_lines(put, is_tall ? indent : 0, indent_at(in, here.begin)));
}

} // namespace tool
