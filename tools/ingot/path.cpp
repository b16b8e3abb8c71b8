// SPDX-License-Identifier: Apache-2.0
#include "path.hpp"

#include "text.hpp"

#include <algorithm>
#include <charconv>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace tool {

namespace {

[[noreturn]] void reject(std::string_view text, std::string_view expected) {
  throw failure(sentence("path " + quote(text), expected, "",
                         R"(write equips[3].id, items["key"], equips[].id or a JSON Pointer, /equips/3/id)"),
                exit_code::usage);
}

/// Returns true if the name needs no quotation marks.
[[nodiscard]] bool is_name(std::string_view name) {
  const bool is_plain = std::ranges::all_of(name, [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
           c == '-' || static_cast<unsigned char>(c) >= 0x80;
  });
  // Names with letters beyond ASCII need no quotation marks. Names with characters that need an
  // escape also need quotation marks.
  return !name.empty() && is_plain && printable(name) == name;
}

void parse_pointer(std::string_view text, path& out) {
  for (std::string_view left = text; !left.empty();) {
    left.remove_prefix(1);
    const std::string_view raw = left.substr(0, left.find('/'));
    left.remove_prefix(raw.size());
    path_step step{.is = path_step::kind::any};
    for (std::size_t i = 0; i < raw.size(); ++i) {
      if (raw[i] != '~') {
        step.text += raw[i];
      } else {
        if (i + 1 == raw.size() || (raw[i + 1] != '0' && raw[i + 1] != '1'))
          reject(text, "~0 or ~1 after a ~");
        step.text += raw[++i] == '0' ? '~' : '/';
      }
    }
    out.push_back(std::move(step));
  }
}

/// Parses a number with an optional minus sign.
[[nodiscard]] std::optional<std::int64_t> signed_in(std::string_view text) noexcept {
  std::int64_t number = 0;
  const auto [end, failed] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (failed != std::errc{} || end != text.data() + text.size()) return {};
  return number;
}

/// Parses what is between brackets, if it is not in quotation marks.
[[nodiscard]] std::optional<path_step> unquoted_step(std::string_view inside) {
  if (inside.empty()) return path_step{.is = path_step::kind::all};
  if (const auto colon = inside.find(':'); colon != std::string_view::npos) {
    path_step step{.is = path_step::kind::range};
    const std::string_view first = inside.substr(0, colon);
    const std::string_view end = inside.substr(colon + 1);
    if (!first.empty()) {
      const auto number = signed_in(first);
      if (!number) return {};
      step.first = *number;
    }
    if (!end.empty()) {
      const auto number = signed_in(end);
      if (!number) return {};
      step.end = *number;
    }
    return step;
  }
  if (inside.front() == '-') {
    const auto index = index_in(inside.substr(1));
    if (!index || *index == 0) return {};
    return path_step{.is = path_step::kind::from_end, .text = std::string(inside), .index = *index};
  }
  const auto index = index_in(inside);
  return index ? std::optional(index_step(*index)) : std::nullopt;
}

/// Parses a key in brackets at the beginning of `left`.
[[nodiscard]] path_step parse_brackets(std::string_view text, std::string_view& left) {
  if (left.starts_with("[\"")) {
    left.remove_prefix(2);
    auto key = take_quoted(left);
    if (!key)
      reject(text, R"(one of \", \\, \n, \t, \r, \x and two digits, \u and four, after a \ in a key)");
    path_step step{.is = path_step::kind::key, .text = std::move(*key)};
    if (!left.starts_with("\"]")) reject(text, "\"] after a key");
    left.remove_prefix(2);
    return step;
  }
  const std::size_t end = left.find(']');
  if (end == std::string_view::npos) reject(text, "] after a number");
  auto step = unquoted_step(left.substr(1, end - 1));
  if (!step) reject(text, "a number, a range such as 0:2, or a key in quotation marks, in brackets");
  left.remove_prefix(end + 1);
  return std::move(*step);
}

/// Appends the text of one step to a path.
void append_step(std::string& out, const path_step& step) {
  switch (step.is) {
  case path_step::kind::index: out += '[' + std::to_string(step.index) + ']'; return;
  case path_step::kind::from_end: out += '[' + step.text + ']'; return;
  case path_step::kind::key: out += in_quotes(step.text); return;
  case path_step::kind::all: out += "[]"; return;
  case path_step::kind::range:
    out += '[' + (step.first == 0 ? std::string() : std::to_string(step.first)) + ':' +
           (step.end == path_step::no_end ? std::string() : std::to_string(step.end)) + ']';
    return;
  case path_step::kind::name:
  case path_step::kind::any: append_name(out, step.text); return;
  }
}

/// Returns the path of the part of `here` that the user may have meant by a step that leads
/// nowhere. Returns empty text if no name is similar.
[[nodiscard]] std::string meant_path(const node& here, const std::string& whole, const path_step& step) {
  if (here.form() == node_form::elements) {
    const auto index = index_in(step.text);
    const bool is_number = step.is == path_step::kind::name || step.is == path_step::kind::key;
    return is_number && index && *index < here.size() ? whole + '[' + step.text + ']' : std::string();
  }
  if (step.is == path_step::kind::index || step.is == path_step::kind::from_end || is_multiple(step))
    return {};
  // A value with more names has names that are data, and the search takes long.
  constexpr std::size_t max_names = 4096;
  std::vector<std::string> names;
  for (parts at(here); !at.done() && names.size() < max_names; at.next()) {
    const part one = *at;
    if (here.form() == node_form::members) names.emplace_back(one.name);
    else if (const auto text = one.key.text()) names.emplace_back(*text);
  }
  const std::string name = nearest(step.text, names);
  if (name.empty()) return {};
  std::string meant = whole;
  append_name(meant, name);
  return meant;
}

} // namespace

std::string in_quotes(std::string_view key) { return '[' + quote(key) + ']'; }

void append_name(std::string& out, std::string_view name) {
  if (!is_name(name)) {
    out += in_quotes(name);
    return;
  }
  if (!out.empty()) out += '.';
  out += name;
}

void append_short_name(std::string& out, std::string_view name) {
  constexpr std::size_t longest_name = 256;
  append_name(out, beginning(name, longest_name));
  if (name.size() > longest_name) out += "... (" + counted(name.size(), "byte") + ')';
}

std::optional<std::size_t> index_in(std::string_view text) noexcept {
  std::size_t index = 0;
  const auto [end, failed] = std::from_chars(text.data(), text.data() + text.size(), index);
  if (text.empty() || failed != std::errc{} || end != text.data() + text.size()) return {};
  return index;
}

path parse_path(std::string_view text) {
  path out;
  if (text.starts_with('/')) {
    parse_pointer(text, out);
    return out;
  }
  std::string_view left = text;
  if (left.starts_with('.') && !left.starts_with("..")) left.remove_prefix(1); // as jq writes paths
  while (!left.empty()) {
    if (left.front() == '[') {
      out.push_back(parse_brackets(text, left));
      continue;
    }
    if (left.starts_with("{}")) { // as stats writes all entries of a map
      left.remove_prefix(2);
      out.push_back({.is = path_step::kind::all});
      continue;
    }
    if (!out.empty()) {
      if (left.front() != '.') reject(text, "a dot before a name");
      left.remove_prefix(1);
      if (left.starts_with('[')) continue; // also as jq writes paths
    }
    const std::string_view name = left.substr(0, std::min(left.find_first_of(".["), left.find("{}")));
    if (name.empty()) reject(text, "a name");
    left.remove_prefix(name.size());
    out.push_back({.is = path_step::kind::name, .text = std::string(name)});
  }
  return out;
}

path parse_single_path(std::string_view text) {
  path out = parse_path(text);
  for (const path_step& each : out) {
    if (is_multiple(each))
      throw failure(sentence("path " + quote(text), "a path of one value",
                             each.is == path_step::kind::all ? "[], all parts" : "a range of parts",
                             "change one value at a time"),
                    exit_code::usage);
  }
  return out;
}

bool has_number_keys(const node& of) {
  if (of.as_value() != nullptr) return of.form() == node_form::members;
  return key_kind(of) == ingot::dynamic_kind::integer;
}

ingot::dynamic_kind key_kind(const node& of) {
  using ingot::detail::dyn::access;
  const auto* const typed = of.as_typed();
  if (typed == nullptr || of.form() != node_form::entries) return ingot::dynamic_kind::absent;
  return access::memory_of(*typed)->in->part_type(access::type_of(*typed), 0).kind;
}

node follow(const node& from, path_step& step) {
  switch (step.is) {
  case path_step::kind::name: {
    node found = from.member(step.text);
    if (found.exists() || from.form() != node_form::entries) return found;
    found = from.entry(step.text);
    if (found.exists()) step.is = path_step::kind::key;
    return found;
  }
  case path_step::kind::index:
  case path_step::kind::from_end: {
    if (has_number_keys(from)) {
      const node found = from.entry(step.text);
      if (found.exists()) step.is = path_step::kind::key;
      return found;
    }
    if (step.is == path_step::kind::index) return from.element(step.index);
    const std::size_t size = from.size();
    if (step.index > size) return {};
    step = index_step(size - step.index);
    return from.element(step.index);
  }
  case path_step::kind::key: return from.entry(step.text);
  case path_step::kind::all:
  case path_step::kind::range: return {};
  case path_step::kind::any: break;
  }
  if (node found = from.entry(step.text); found.exists()) {
    step.is = from.form() == node_form::members ? path_step::kind::name : path_step::kind::key;
    return found;
  }
  const auto index = index_in(step.text);
  if (!index || from.form() != node_form::elements) return {};
  step = index_step(*index);
  return from.element(*index);
}

std::string no_value_message(const node& here, const path& steps, std::size_t i, std::string_view advice) {
  std::string what = here.form() == node_form::scalar ? here.scalar(40) : here.type();
  if (here.form() != node_form::scalar) what += " of " + counted(here.size(), "part");
  const std::string whole = spelled(steps, i);
  const std::string meant = meant_path(here, whole, steps[i]);
  return "no value at " + spelled(steps, i + 1) + ": " + (i == 0 ? "the root" : whole) + " is " + what +
         "; " + (meant.empty() ? "" : "did you mean " + meant + "? ") + std::string(advice);
}

node follow(const node& from, path& steps, std::size_t begin) {
  node here = from;
  for (std::size_t i = begin; i < steps.size(); ++i) {
    const node next = follow(here, steps[i]);
    if (!next.exists()) throw failure(no_value_message(here, steps, i), exit_code::no);
    here = next;
  }
  return here;
}

std::pair<std::size_t, std::size_t> bounds_of(const path_step& range, std::size_t size) noexcept {
  const auto from_begin = [&](std::int64_t number) {
    if (number >= 0)
      return static_cast<std::size_t>(std::min<std::uint64_t>(static_cast<std::uint64_t>(number), size));
    const std::uint64_t from_end = std::uint64_t{0} - static_cast<std::uint64_t>(number);
    return from_end >= size ? std::size_t{0} : size - static_cast<std::size_t>(from_end);
  };
  const std::size_t first = from_begin(range.first);
  return {first, std::max(first, from_begin(range.end))};
}

std::size_t follow_all(const node& from, const path& steps, std::size_t at, const std::string& whole,
                       const found_value& found, std::string& why) {
  struct branch {
    node parent;
    parts left;
    std::size_t number; ///< number of the next part
    std::size_t end;    ///< number after the last part that is selected
    std::size_t step;
    std::string whole;
  };
  std::vector<branch> stack;
  std::size_t count = 0;
  const auto take = [&](node here, std::size_t i, std::string where) {
    for (; i < steps.size(); ++i) {
      if (is_multiple(steps[i])) {
        const bool has_order = here.as_typed() != nullptr || here.form() == node_form::elements;
        if (here.size() == 0 || (steps[i].is == path_step::kind::range && !has_order)) {
          if (why.empty()) why = no_value_message(here, steps, i);
          return;
        }
        const auto [first, end] = bounds_of(steps[i], here.size());
        if (first == end && why.empty()) why = no_value_message(here, steps, i);
        branch next{here, parts(here), 0, end, i + 1, std::move(where)};
        for (; next.number < first; ++next.number) next.left.next();
        stack.push_back(std::move(next));
        return;
      }
      path_step step = steps[i];
      const node next = follow(here, step);
      if (!next.exists()) {
        if (why.empty()) why = no_value_message(here, steps, i);
        return;
      }
      append_step(where, step);
      here = next;
    }
    found(where, here);
    ++count;
  };
  take(from, at, whole);
  while (!stack.empty()) {
    branch& here = stack.back();
    if (here.left.done() || here.number >= here.end) {
      stack.pop_back();
      continue;
    }
    const part next = *here.left;
    std::string where = path_of(here.whole, here.parent, next);
    const std::size_t step = here.step;
    here.left.next(); // called before `take` pushes, because a push may move this object
    ++here.number;
    take(next.value, step, std::move(where));
  }
  if (count == 0 && why.empty()) why = "no value at " + spelled(steps, steps.size());
  return count;
}

std::string path_of(std::string_view whole, const node& parent, const part& of) {
  std::string out(whole);
  if (out.size() > longest_path) return out.ends_with("...") ? out : out += "...";
  if (parent.form() == node_form::members) {
    append_name(out, beginning(of.name, longest_path));
    return of.name.size() > longest_path ? out += "..." : out;
  }
  if (parent.form() == node_form::entries && of.key.form() == node_form::scalar) {
    const auto text = of.key.text();
    if (text && text->size() > longest_path) return out += in_quotes(beginning(*text, longest_path)) + "...";
    const std::string key = text ? std::string(*text) : of.key.scalar(64);
    // Numbers and enumerators are found by their text. In a multimap, the text finds only the first
    // entry with the key.
    if (text || parent.entry(key).exists()) return out += in_quotes(key);
  }
  return out += '[' + std::to_string(of.index) + ']';
}

std::string spelled(const path& steps, std::size_t count) {
  std::string out;
  for (std::size_t i = 0; i < count; ++i) append_step(out, steps[i]);
  return out;
}

std::string pointer_of(const path& steps) {
  std::string out;
  for (const path_step& each : steps) {
    out += '/';
    if (each.is == path_step::kind::index) {
      out += std::to_string(each.index);
      continue;
    }
    for (const char c : each.text) {
      if (c == '~') out += "~0";
      else if (c == '/') out += "~1";
      else out += c;
    }
  }
  return out;
}

} // namespace tool
