// SPDX-License-Identifier: Apache-2.0
// Names for the records and enumerations of a schema: those of their types. Records and
// enumerations of types without a name get the names of the members in which they are first found.
#pragma once

#include <ingot/schema/schema.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace ingot { inline namespace INGOT_V1 { namespace detail {

[[nodiscard]] constexpr bool is_ascii_letter(char c) noexcept {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}
[[nodiscard]] constexpr bool is_ascii_digit(char c) noexcept { return c >= '0' && c <= '9'; }

/// Returns an identifier of letters, digits and underscores that begins with a letter. Other
/// characters of the name become underscores.
[[nodiscard]] inline std::string identifier_of(std::string_view name) {
  std::string identifier;
  for (const char c : name.substr(0, 128)) identifier += is_ascii_letter(c) || is_ascii_digit(c) ? c : '_';
  if (identifier.empty() || !is_ascii_letter(identifier.front())) identifier.insert(identifier.begin(), 'x');
  return identifier;
}
/// Returns true if C++ reserves the word, or if a type of this name would hide `std` or `ingot`.
[[nodiscard]] inline bool is_cpp_keyword(std::string_view word) noexcept {
  static constexpr std::array<std::string_view, 94> keywords{
      "alignas",     "alignof",  "and",        "and_eq",    "asm",       "auto",         "bitand",
      "bitor",       "bool",     "break",      "case",      "catch",     "char",         "char16_t",
      "char32_t",    "char8_t",  "class",      "co_await",  "co_return", "co_yield",     "compl",
      "concept",     "const",    "const_cast", "consteval", "constexpr", "constinit",    "continue",
      "decltype",    "default",  "delete",     "do",        "double",    "dynamic_cast", "else",
      "enum",        "explicit", "export",     "extern",    "false",     "float",        "for",
      "friend",      "goto",     "if",         "inline",    "int",       "long",         "mutable",
      "namespace",   "new",      "noexcept",   "not",       "not_eq",    "nullptr",      "operator",
      "or",          "or_eq",    "private",    "protected", "public",    "register",     "reinterpret_cast",
      "requires",    "return",   "short",      "signed",    "sizeof",    "static",       "static_assert",
      "static_cast", "struct",   "switch",     "template",  "this",      "thread_local", "throw",
      "true",        "try",      "typedef",    "typeid",    "typename",  "union",        "unsigned",
      "using",       "virtual",  "void",       "volatile",  "wchar_t",   "while",        "xor",
      "xor_eq",      "std",      "ingot"};
  return std::find(keywords.begin(), keywords.end(), word) != keywords.end();
}
/// Returns an identifier of letters, digits and underscores that is no keyword of C++.
[[nodiscard]] inline std::string cpp_identifier_of(std::string_view name) {
  std::string identifier = identifier_of(name);
  // `identifier_of` puts an `x` before a leading underscore. A C++ name may begin with an
  // underscore, so remove the `x`.
  if (!name.empty() && name.front() == '_') identifier.erase(0, 1);
  if (is_cpp_keyword(identifier)) identifier += '_';
  return identifier;
}
/// Returns `FirstItem` for `first_item`.
[[nodiscard]] inline std::string type_name_of(std::string_view name) {
  std::string type_name;
  bool is_first = true;
  for (const char c : identifier_of(name)) {
    if (c == '_') {
      is_first = true;
      continue;
    }
    type_name += is_first && c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c;
    is_first = false;
  }
  return type_name.empty() ? "X" : type_name;
}

/// The names in use, each with the number to append to the next equal name. The container is
/// sorted: an untrusted schema could choose names whose hashes collide.
using used_names = std::map<std::string, std::size_t>;

/// Returns a new name, and marks it as used. Amortised O(log n) for any number of equal names.
[[nodiscard]] inline std::string unique_name(const std::string& name, used_names& names) {
  const auto [at, is_new] = names.try_emplace(name, 2);
  if (is_new) return name;
  for (std::size_t& next = at->second;;) { // the reference stays valid when names are added
    std::string numbered = name + std::to_string(next++);
    if (!names.contains(numbered)) {
      names.emplace(numbered, 2);
      return numbered;
    }
  }
}

/// The form of names of types in a printed schema.
enum class name_style : std::uint8_t {
  as_declared, ///< the names of the types; only characters that no identifier has are replaced
  capitalised, ///< `FirstItem` for `first_item`, as in protobuf's style guide; without underscores
};

/// Chooses a name for every record and enumeration that can be reached from the root. This is the
/// name of its type, in the requested `name_style`. If the type has no name, the name of the member
/// that contains it is used, as `FirstItem`. If an earlier record or enumeration has this name, a
/// number is appended. Each node has one name. Equal enumerations whose types have the same name
/// share one name.
class type_names {
public:
  /// `root_name` is the name of the root. If it is empty, the root has the name of its type, or
  /// "Root" if there is none.
  type_names(const schema& of, std::string_view root_name, name_style style)
      : of_(of), style_(style), names_(of.nodes().size()) {
    if (of.empty()) {
      root_ = root_name;
      return;
    }
    seen_.resize(names_.size());
    const schema_node& root = of.root();
    is_root_named_ = !root_name.empty();
    root_ = is_root_named_             ? root_name
            : root.type_name().empty() ? std::string_view("Root")
                                       : root.type_name();
    const std::string printed = style_name(root_);
    visit(of.root_index(), printed);
  }
  /// Returns the name of the root as the caller or the type specifies it, not changed to the style.
  [[nodiscard]] const std::string& root() const noexcept { return root_; }
  /// Returns the name of the root in the style.
  [[nodiscard]] std::string printed_root() const { return style_name(root_); }
  [[nodiscard]] const std::string& operator[](std::uint32_t node) const noexcept {
    const schema_node& what = of_.nodes()[node];
    return names_[what.attributes.kind == schema_kind::recursion ? what.target : node];
  }
  /// Returns the records and enumerations, each after those that it contains. Each name occurs
  /// once.
  [[nodiscard]] const std::vector<std::uint32_t>& order() const noexcept { return order_; }

private:
  [[nodiscard]] std::string style_name(std::string_view name) const {
    return style_ == name_style::capitalised ? type_name_of(name) : cpp_identifier_of(name);
  }
  /// Recursive to the nesting depth of parts, which is at most 128 in schemas from `read_schema`.
  void visit(std::uint32_t index, const std::string& name) {
    if (seen_[index]) return;
    seen_[index] = true;
    const schema_node& what = of_.nodes()[index];
    const bool is_record = what.attributes.kind == schema_kind::record;
    const bool is_named = is_record || what.attributes.kind == schema_kind::enumeration;
    if (what.attributes.kind == schema_kind::enumeration) {
      const auto [first, is_new] = enumerations_.try_emplace({what.id, what.type_name()}, index);
      const schema_node& known = of_.nodes()[first->second];
      if (!is_new && known.attributes == what.attributes && known.enumerators == what.enumerators) {
        names_[index] = names_[first->second];
        return;
      }
    }
    if (is_named) {
      const bool has_own = !what.type_name().empty() && !(is_root_named_ && index == of_.root_index());
      names_[index] = unique_name(has_own ? style_name(what.type_name()) : name, taken_);
    }
    for (const schema_child& child : what.children) {
      if (of_.node(child).attributes.kind == schema_kind::recursion) continue;
      visit(child.node, is_record ? type_name_of(child.name) : name);
    }
    if (is_named) order_.push_back(index);
  }

  const schema& of_;
  name_style style_;
  std::string root_;
  bool is_root_named_ = false;
  std::vector<std::string> names_;
  std::vector<bool> seen_;
  used_names taken_;
  /// The first node of each enumeration, by fingerprint and name. The schema of a type has one node
  /// for each use of an enumeration.
  std::map<std::pair<std::uint64_t, std::string_view>, std::uint32_t> enumerations_;
  std::vector<std::uint32_t> order_;
};

/// A text that stops growing at a limit.
class limited_text {
public:
  explicit limited_text(std::size_t limit) noexcept : limit_(limit) {}
  limited_text& operator+=(std::string_view text) {
    if (!is_full()) text_ += text;
    return *this;
  }
  limited_text& operator+=(std::uint64_t number) { return *this += std::to_string(number); }
  [[nodiscard]] bool is_full() const noexcept { return text_.size() > limit_; }
  /// Returns the text. If it is longer than the limit, returns only whole lines of it, followed by
  /// the line `more`.
  [[nodiscard]] std::string take(std::string_view more) {
    if (!is_full()) return std::move(text_);
    const std::size_t max_size = limit_ < more.size() ? 0 : limit_ - more.size();
    while (!text_.empty() && (text_.size() > max_size || text_.back() != '\n')) text_.pop_back();
    return text_.append(more);
  }

private:
  std::string text_;
  std::size_t limit_;
};

}}} // namespace ingot::INGOT_V1::detail
