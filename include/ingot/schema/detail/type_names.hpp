// SPDX-License-Identifier: Apache-2.0
// Names for the records and enumerations of a schema. Schemas contain no names of types, so records
// and enumerations get the names of the members in which they are first found.
#pragma once

#include <ingot/schema/schema.hpp>

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

/// Chooses a name for every record and enumeration that can be reached from the root. Each node has
/// one name, and equal enumerations share a name.
class type_names {
public:
  type_names(const schema& of, std::string_view root_name) : of_(of), names_(of.nodes().size()) {
    if (of.empty()) return;
    seen_.resize(names_.size());
    visit(of.root_index(), type_name_of(root_name));
  }
  [[nodiscard]] const std::string& operator[](std::uint32_t node) const noexcept {
    const schema_node& what = of_.nodes()[node];
    return names_[what.attributes.kind == schema_kind::recursion ? what.target : node];
  }
  /// Returns the records and enumerations, each after those that it contains. Each name occurs
  /// once.
  [[nodiscard]] const std::vector<std::uint32_t>& order() const noexcept { return order_; }

private:
  /// Recursive to the nesting depth of parts, which is at most 128 in schemas from `read_schema`.
  void visit(std::uint32_t index, const std::string& name) {
    if (seen_[index]) return;
    seen_[index] = true;
    const schema_node& what = of_.nodes()[index];
    const bool is_record = what.attributes.kind == schema_kind::record;
    const bool is_named = is_record || what.attributes.kind == schema_kind::enumeration;
    if (what.attributes.kind == schema_kind::enumeration) {
      const auto [first, is_new] = enumerations_.try_emplace(what.id, index);
      const schema_node& known = of_.nodes()[first->second];
      if (!is_new && known.attributes == what.attributes && known.enumerators == what.enumerators) {
        names_[index] = names_[first->second];
        return;
      }
    }
    if (is_named) names_[index] = unique_name(name, taken_);
    for (const schema_child& child : what.children) {
      if (of_.node(child).attributes.kind == schema_kind::recursion) continue;
      visit(child.node, is_record ? type_name_of(child.name) : name);
    }
    if (is_named) order_.push_back(index);
  }

  const schema& of_;
  std::vector<std::string> names_;
  std::vector<bool> seen_;
  used_names taken_;
  /// The first node of each enumeration, by fingerprint. The schema of a type has one node for each
  /// use of an enumeration.
  std::map<std::uint64_t, std::uint32_t> enumerations_;
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
