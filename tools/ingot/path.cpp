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

namespace tool {

namespace {

[[noreturn]] void reject(std::string_view text, std::string_view expected) {
  throw failure(sentence("path " + quote(text), expected, "",
                         R"(write equips[3].id, items["key"], or a JSON Pointer: /equips/3/id)"),
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
    path_step step{path_step::kind::any, {}, 0};
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

/// Parses a key in brackets at the beginning of `left`.
[[nodiscard]] path_step parse_brackets(std::string_view text, std::string_view& left) {
  if (left.starts_with("[\"")) {
    left.remove_prefix(2);
    auto key = take_quoted(left);
    if (!key)
      reject(text, R"(one of \", \\, \n, \t, \r, \x and two digits, \u and four, after a \ in a key)");
    path_step step{path_step::kind::key, std::move(*key), 0};
    if (!left.starts_with("\"]")) reject(text, "\"] after a key");
    left.remove_prefix(2);
    return step;
  }
  const std::size_t end = left.find(']');
  if (end == std::string_view::npos) reject(text, "] after a number");
  const auto index = index_in(left.substr(1, end - 1));
  if (!index) reject(text, "a number, or a key in quotation marks, in brackets");
  left.remove_prefix(end + 1);
  return {path_step::kind::index, {}, *index};
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
  if (text == ".") return out;
  for (std::string_view left = text; !left.empty();) {
    if (left.front() == '[') {
      out.push_back(parse_brackets(text, left));
      continue;
    }
    if (!out.empty()) {
      if (left.front() != '.') reject(text, "a dot before a name");
      left.remove_prefix(1);
    }
    const std::string_view name = left.substr(0, left.find_first_of(".["));
    if (name.empty()) reject(text, "a name");
    left.remove_prefix(name.size());
    out.push_back({path_step::kind::name, std::string(name), 0});
  }
  return out;
}

node follow(const node& from, path_step& step) {
  switch (step.is) {
  case path_step::kind::name: return from.member(step.text);
  case path_step::kind::index: return from.element(step.index);
  case path_step::kind::key: return from.entry(step.text);
  case path_step::kind::any: break;
  }
  if (node found = from.entry(step.text); found.exists()) {
    step.is = from.form() == node_form::members ? path_step::kind::name : path_step::kind::key;
    return found;
  }
  const auto index = index_in(step.text);
  if (!index || from.form() != node_form::elements) return {};
  step = {path_step::kind::index, {}, *index};
  return from.element(*index);
}

node follow(const node& from, path& steps) {
  node here = from;
  for (std::size_t i = 0; i < steps.size(); ++i) {
    const node next = follow(here, steps[i]);
    if (!next.exists()) {
      std::string what = here.form() == node_form::scalar ? here.scalar(40) : here.type();
      if (here.form() != node_form::scalar) what += " of " + counted(here.size(), "part");
      throw failure("no value at " + spelled(steps, i + 1) + ": " +
                        (i == 0 ? "the root" : spelled(steps, i)) + " is " + what +
                        "; ingot inspect shows which paths there are",
                    exit_code::no);
    }
    here = next;
  }
  return here;
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
  for (std::size_t i = 0; i < count; ++i) {
    const path_step& each = steps[i];
    if (each.is == path_step::kind::index) out += '[' + std::to_string(each.index) + ']';
    else if (each.is == path_step::kind::key) out += in_quotes(each.text);
    else append_name(out, each.text);
  }
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
