// SPDX-License-Identifier: Apache-2.0
// Prints a schema as text for people. Without names of types and without keys of tags, the text is
// canonical: two schemas have the same text if and only if they are equal.
#pragma once

#include <ingot/reflect/detail/names.hpp>
#include <ingot/schema/detail/part_name.hpp>
#include <ingot/schema/schema_node.hpp>

#include <algorithm>
#include <charconv>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace ingot { inline namespace INGOT_V1 { namespace detail {

/// Prints a part as its kind. If the part has one child, the child follows in the same line
/// ("sequence of ..."). Several children are listed below the part, indented by two. If a record
/// contains itself, the inner occurrence is printed as the path of the record.
class schema_printer {
public:
  schema_printer(std::span<const schema_node> nodes, std::size_t limit, bool with_type_names = false)
      : nodes_(nodes), limit_(limit), with_type_names_(with_type_names), paths_(nodes.size()) {}

  [[nodiscard]] std::string print(std::uint32_t root) {
    part(root, 0);
    out_ += '\n';
    if (out_.size() > limit_) cut();
    return std::move(out_);
  }

private:
  static std::uint64_t bits(const schema_attributes& attributes) {
    return std::uint64_t{attributes.width} * 8;
  }
  void number(std::uint64_t n, bool is_signed = false) {
    char digits[24];
    const auto done = is_signed ? std::to_chars(digits, digits + sizeof digits, static_cast<std::int64_t>(n))
                                : std::to_chars(digits, digits + sizeof digits, n);
    out_.append(digits, done.ptr);
  }
  /// Appends a name. Names that are no identifiers are quoted, since `rename` allows any
  /// characters.
  static void append_name(std::string& out, std::string_view text) {
    const bool plain = !text.empty() && std::all_of(text.begin(), text.end(), is_identifier_char);
    if (plain) {
      out += text;
      return;
    }
    out += '"';
    for (const char c : text) {
      const auto byte = static_cast<unsigned char>(c);
      if (byte < 0x20 || byte == 0x7F) {
        out += "\\x";
        out += "0123456789abcdef"[byte >> 4];
        out += "0123456789abcdef"[byte & 15];
      } else {
        if (c == '"' || c == '\\') out += '\\';
        out += c;
      }
    }
    out += '"';
  }
  void type_name(const schema_node& node) {
    if (!with_type_names_ || node.type_name().empty()) return;
    out_ += ' ';
    append_name(out_, node.type_name());
  }
  void line(std::size_t indent) {
    out_ += '\n';
    out_.append(indent * 2, ' ');
  }
  /// Cuts the text after a whole line, and appends a line "...".
  void cut() {
    const std::size_t max_size = limit_ < 4 ? 0 : limit_ - 4;
    while (!out_.empty() && (out_.size() > max_size || out_.back() != '\n')) out_.pop_back();
    out_ += "...\n";
  }
  /// Prints a child. Returns false if the text has reached its limit.
  bool step(const schema_child& child, std::string_view path, std::size_t indent) {
    const std::size_t length = path_.size();
    path_ += path;
    const bool more = part(child.node, indent);
    path_.resize(length);
    return more;
  }
  bool only_child(const schema_node& node, std::string_view path, std::size_t indent) {
    return node.children.empty() || step(node.children.front(), path, indent);
  }
  void listed_child(const schema_child& child, std::string_view label, std::string_view path,
                    std::size_t indent) {
    line(indent + 1);
    out_ += label;
    out_ += ": ";
    step(child, path, indent + 1);
  }

  void record(std::uint32_t index, std::size_t indent) {
    const schema_node& node = nodes_[index];
    paths_[index] = path_;
    out_ += "record";
    type_name(node);
    if (node.attributes.has(schema_flag::is_versioned)) {
      out_ += " version ";
      number(node.attributes.extent);
    }
    if (node.attributes.has(schema_flag::is_evolvable)) out_ += " evolvable";
    if (node.attributes.has(schema_flag::elides_defaults)) out_ += " elide_defaults";
    if (node.attributes.has(schema_flag::is_varint)) out_ += " varint";
    if (node.attributes.has(schema_flag::is_short_float)) out_ += " short_float";
    if (node.attributes.has(schema_flag::is_tight_float)) out_ += " tight_float";
    for (const schema_child& member : node.children) {
      line(indent + 1);
      std::string path = ".";
      append_name(path, member.name);
      out_.append(path, 1);
      out_ += ": ";
      if (member.has(schema_annotation::is_varint)) out_ += "varint ";
      if (member.has(schema_annotation::is_fixed)) out_ += "fixed ";
      if (member.has(schema_annotation::is_short_float)) out_ += "short_float ";
      if (member.has(schema_annotation::is_tight_float)) out_ += "tight_float ";
      if (member.has(schema_annotation::is_quantized)) out_ += "quantize(" + member.step() + ") ";
      if (member.has(schema_annotation::is_unit_vector)) out_ += member.unit_vector() + " ";
      if (!step(member, path, indent + 1)) return;
    }
  }
  void enumeration(const schema_node& node) {
    const bool is_signed = node.attributes.has(schema_flag::is_signed);
    out_ += enumeration_name(node.attributes);
    out_.pop_back(); // the space
    type_name(node);
    out_ += ' ';
    out_ += is_signed ? 'i' : 'u';
    number(bits(node.attributes));
    out_ += " {";
    for (const schema_enumerator& each : node.enumerators) {
      if (&each != node.enumerators.data()) out_ += ", ";
      append_name(out_, each.name);
      out_ += " = ";
      number(each.value, is_signed);
    }
    out_ += '}';
  }
  void keyed(const schema_node& node, std::size_t indent) {
    for (std::size_t i = 0; i < node.children.size(); ++i) {
      listed_child(node.children[i], i == 0 ? "key" : "value", i == 0 ? "[key]" : "[]", indent);
    }
  }
  void numbered(const schema_node& node, std::size_t indent) {
    for (std::size_t i = 0; i < node.children.size(); ++i) {
      const std::string number = std::to_string(i);
      std::string label = number;
      if (!node.children[i].name.empty()) append_name(label += ' ', node.children[i].name);
      listed_child(node.children[i], label, "." + number, indent);
    }
  }
  void outcome(const schema_node& node, std::size_t indent) {
    for (const schema_child& child : node.children) {
      // the only child of an expected<void, E> is the error
      const bool is_error = &child == &node.children.back();
      listed_child(child, is_error ? "error" : "value", is_error ? ".error" : ".value", indent);
    }
  }

  bool part(std::uint32_t index, std::size_t indent) {
    if (out_.size() > limit_) return false;
    const schema_node& node = nodes_[index];
    const schema_attributes& attributes = node.attributes;
    const std::string_view multi = attributes.has(schema_flag::is_multi) ? "multi" : "";
    switch (attributes.kind) {
    case schema_kind::none: break;
    case schema_kind::boolean: out_ += "bool"; break;
    case schema_kind::byte: out_ += "byte"; break;
    case schema_kind::path: out_ += "path"; break;
    case schema_kind::document: out_ += "document"; break;
    case schema_kind::integer:
      out_ += attributes.has(schema_flag::is_signed) ? 'i' : 'u';
      number(bits(attributes));
      break;
    case schema_kind::floating:
      out_ += 'f';
      number(bits(attributes));
      break;
    case schema_kind::character:
      out_ += "char";
      number(bits(attributes));
      break;
    case schema_kind::string:
      out_ += "string";
      if (attributes.width != 1) number(bits(attributes));
      break;
    case schema_kind::enumeration: enumeration(node); break;
    case schema_kind::bitset:
      out_ += "bitset of ";
      number(attributes.extent);
      break;
    case schema_kind::duration:
      out_ += "duration in ";
      number(attributes.extent);
      out_ += '/';
      number(attributes.divisor);
      out_ += " s as ";
      only_child(node, {}, indent);
      break;
    case schema_kind::time_point:
      out_ += "time_point by ";
      only_child(node, {}, indent);
      break;
    case schema_kind::complex:
      out_ += "complex of ";
      only_child(node, {}, indent);
      break;
    case schema_kind::sequence:
      out_ += "sequence of ";
      only_child(node, "[]", indent);
      break;
    case schema_kind::array:
      out_ += "array of ";
      number(attributes.extent);
      out_ += ' ';
      only_child(node, "[]", indent);
      break;
    case schema_kind::set:
    case schema_kind::unordered_set:
      if (attributes.kind == schema_kind::unordered_set) out_ += "unordered ";
      out_ += multi;
      out_ += "set of ";
      only_child(node, "[]", indent);
      break;
    case schema_kind::map:
    case schema_kind::unordered_map:
      if (attributes.kind == schema_kind::unordered_map) out_ += "unordered ";
      out_ += multi;
      out_ += "map";
      keyed(node, indent);
      break;
    case schema_kind::optional:
      out_ += "optional ";
      only_child(node, {}, indent);
      break;
    case schema_kind::variant:
      out_ += node.attributes.has(schema_flag::names_tags) ? "variant by name" : "variant";
      if (with_type_names_ && !node.tag_key().empty()) append_name(out_ += " tag_key ", node.tag_key());
      numbered(node, indent);
      break;
    case schema_kind::tuple:
      out_ += "tuple";
      numbered(node, indent);
      break;
    case schema_kind::expected:
      out_ += "expected";
      outcome(node, indent);
      break;
    case schema_kind::record: record(index, indent); break;
    case schema_kind::recursion:
      out_ += "the record at ";
      out_ += paths_[node.target].empty() ? std::string_view(".") : std::string_view(paths_[node.target]);
      break;
    }
    return out_.size() <= limit_;
  }

  std::span<const schema_node> nodes_;
  std::size_t limit_;
  bool with_type_names_;
  std::vector<std::string> paths_; ///< for each record: the path at which it was printed last
  std::string path_;
  std::string out_;
};

}}} // namespace ingot::INGOT_V1::detail
