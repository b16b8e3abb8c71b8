// SPDX-License-Identifier: Apache-2.0
// Prints a schema as C++ for people: structs of standard types that have this schema. Types without
// a name get generated names.
#pragma once

#include <ingot/schema/detail/type_names.hpp>
#include <ingot/schema/schema.hpp>
#include <ingot/schema/schema_print_options.hpp>

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace ingot { inline namespace INGOT_V1 {

namespace detail {

class cpp_printer {
public:
  cpp_printer(const schema& of, std::string_view name, std::size_t limit)
      : of_(of), names_(of, name, name_style::as_declared), limit_(limit), out_(limit) {}

  [[nodiscard]] std::string print() {
    if (of_.empty()) return "// nothing\n";
    for (const std::uint32_t index : names_.order()) {
      const std::string& name = names_[index];
      types_.emplace(name, 0);
      const std::size_t end = name.find_last_not_of("0123456789") + 1;
      const std::size_t run = end - (name.substr(0, end).find_last_not_of('_') + 1);
      if (run >= suffix_.size()) suffix_.assign(run + 1, '_');
    }
    std::vector<bool> is_recursive(of_.nodes().size());
    for (const schema_node& each : of_.nodes()) {
      if (each.attributes.kind == schema_kind::recursion) is_recursive[each.target] = true;
    }
    for (const std::uint32_t index : names_.order()) {
      if (is_recursive[index]) (out_ += "struct ") += names_[index] + ";\n";
    }
    for (const std::uint32_t index : names_.order()) {
      const schema_node& what = of_.nodes()[index];
      if (what.attributes.kind == schema_kind::record) record(index, what);
      else enumeration(index, what);
    }
    const schema_kind kind = of_.root().attributes.kind;
    if (kind != schema_kind::record && kind != schema_kind::enumeration) {
      (out_ += "using ") += names_.printed_root() + " = ";
      type(of_.root_index());
      out_ += ";\n";
    }
    tag_keys();
    return out_.take("// ...\n");
  }

private:
  /// Returns the C++ name of a member or enumerator. The name differs from the names of all
  /// generated types: in C++ a member can't have the same name as the type of another member.
  [[nodiscard]] std::string plain(std::string_view name, used_names& taken) const {
    std::string identifier = cpp_identifier_of(name);
    const bool is_taken = taken.contains(identifier) || types_.contains(identifier);
    if (is_taken && !identifier.ends_with(suffix_)) identifier += suffix_;
    return unique_name(identifier, taken);
  }
  /// Appends the name in the data as a comment, if it differs from the C++ name.
  void note(std::string_view name, std::string_view here) {
    if (name == here) return;
    out_ += " // \"";
    out_ += name;
    out_ += "\"";
  }
  /// Appends the name of a type as a comment, if C++ can't have the name.
  void note_type(std::uint32_t index, const schema_node& what) {
    if (!what.type_name().empty() && cpp_identifier_of(what.type_name()) != what.type_name())
      note(what.type_name(), names_[index]);
  }
  void record(std::uint32_t index, const schema_node& what) {
    const schema_attributes& attributes = what.attributes;
    (out_ += "struct ") += names_[index] + " {";
    note_type(index, what);
    std::string notes;
    const auto add = [&](bool holds, const std::string& text) {
      if (holds) notes += (notes.empty() ? "" : ", ") + text;
    };
    add(attributes.has(schema_flag::is_versioned), "version " + std::to_string(attributes.extent));
    add(attributes.has(schema_flag::is_evolvable), "evolvable");
    add(attributes.has(schema_flag::elides_defaults), "elide_defaults");
    add(attributes.has(schema_flag::is_varint), "varint");
    add(attributes.has(schema_flag::is_short_float), "short_float");
    add(attributes.has(schema_flag::is_tight_float), "tight_float");
    if (!notes.empty()) out_ += " // " + notes;
    out_ += "\n";
    used_names taken;
    for (const schema_child& child : what.children) {
      if (out_.is_full()) return;
      out_ += "  ";
      type(child.node);
      const std::string name = plain(child.name, taken);
      out_ += " " + name + ";";
      note(child.name, name);
      if (child.has(schema_annotation::is_varint)) out_ += " // varint";
      if (child.has(schema_annotation::is_fixed)) out_ += " // fixed";
      if (child.has(schema_annotation::is_short_float)) out_ += " // short_float";
      if (child.has(schema_annotation::is_tight_float)) out_ += " // tight_float";
      if (child.has(schema_annotation::is_quantized)) out_ += " // quantize(" + child.step() + ")";
      if (child.has(schema_annotation::is_unit_vector)) out_ += " // " + child.unit_vector();
      out_ += "\n";
    }
    out_ += "};\n";
  }
  void enumeration(std::uint32_t index, const schema_node& what) {
    const bool with_sign = what.attributes.has(schema_flag::is_signed);
    (out_ += "enum class ") += names_[index] + " : ";
    integer(what.attributes);
    out_ += what.attributes.has(schema_flag::is_open)    ? " { // open"
            : what.attributes.has(schema_flag::is_flags) ? " { // flags"
                                                         : " {";
    note_type(index, what);
    out_ += "\n";
    used_names taken;
    for (const schema_enumerator& each : what.enumerators) {
      if (out_.is_full()) return;
      const std::string name = plain(each.name, taken);
      out_ += "  " + name + " = ";
      out_ += with_sign ? std::to_string(static_cast<std::int64_t>(each.value)) : std::to_string(each.value);
      out_ += ",";
      note(each.name, name);
      out_ += "\n";
    }
    out_ += "};\n";
  }
  /// Prints the specialisation of `json::tag_key` for each variant that has a key, as a comment: a
  /// specialisation must not be in a namespace.
  void tag_keys() {
    used_names printed;
    for (const schema_node& each : of_.nodes()) {
      if (each.tag_key().empty() || out_.is_full()) continue;
      limited_text whole = std::exchange(out_, limited_text(limit_));
      out_ += "// template <> inline constexpr std::string_view ingot::json::tag_key<";
      several("std::variant", each);
      out_ += "> = \"";
      for (const char& c : each.tag_key()) {
        if (c == '"' || c == '\\') out_ += "\\";
        out_ += std::string_view(&c, 1);
      }
      out_ += "\";\n";
      const std::string line = std::exchange(out_, std::move(whole)).take({});
      if (printed.try_emplace(line, 0).second) out_ += line;
    }
  }
  void integer(const schema_attributes& attributes) {
    out_ += attributes.has(schema_flag::is_signed) ? "std::int" : "std::uint";
    out_ += std::uint64_t{attributes.width} * 8;
    out_ += "_t";
  }
  void several(std::string_view name, const schema_node& what) {
    (out_ += name) += "<";
    for (const schema_child& child : what.children) {
      if (&child != what.children.data()) out_ += ", ";
      // The name of an alternative becomes a comment, unless it could end the comment.
      if (!child.name.empty() && child.name.find('*') == std::string::npos)
        ((out_ += "/* ") += child.name) += " */ ";
      type(child.node);
    }
    out_ += ">";
  }
  void type(std::uint32_t index) {
    if (out_.is_full()) return;
    const schema_node& what = of_.nodes()[index];
    const schema_attributes& attributes = what.attributes;
    const std::string multi = attributes.has(schema_flag::is_multi) ? "multi" : "";
    switch (attributes.kind) {
    case schema_kind::none: return;
    case schema_kind::boolean: out_ += "bool"; return;
    case schema_kind::integer: return integer(attributes);
    case schema_kind::floating: out_ += attributes.width == 4 ? "float" : "double"; return;
    case schema_kind::character:
      out_ += attributes.width == 1 ? "char" : attributes.width == 2 ? "char16_t" : "char32_t";
      return;
    case schema_kind::byte: out_ += "std::byte"; return;
    case schema_kind::enumeration:
    case schema_kind::record:
    case schema_kind::recursion: out_ += names_[index]; return;
    case schema_kind::duration:
      out_ += "std::chrono::duration<";
      type(what.children[0].node);
      out_ += ", std::ratio<";
      out_ += attributes.extent;
      out_ += ", ";
      out_ += attributes.divisor;
      out_ += ">>";
      return;
    case schema_kind::time_point: return several("std::chrono::sys_time", what);
    case schema_kind::complex: return several("std::complex", what);
    case schema_kind::bitset:
      out_ += "std::bitset<";
      out_ += attributes.extent;
      out_ += ">";
      return;
    case schema_kind::string:
      out_ += attributes.width == 1   ? "std::string"
              : attributes.width == 2 ? "std::u16string"
                                      : "std::u32string";
      return;
    case schema_kind::path: out_ += "std::filesystem::path"; return;
    case schema_kind::document: out_ += "ingot::document"; return;
    case schema_kind::sequence: return several("std::vector", what);
    case schema_kind::array:
      out_ += "std::array<";
      type(what.children[0].node);
      out_ += ", ";
      out_ += attributes.extent;
      out_ += ">";
      return;
    case schema_kind::set: return several("std::" + multi + "set", what);
    case schema_kind::unordered_set: return several("std::unordered_" + multi + "set", what);
    case schema_kind::map: return several("std::" + multi + "map", what);
    case schema_kind::unordered_map: return several("std::unordered_" + multi + "map", what);
    case schema_kind::optional: { // std::optional can't hold an incomplete type
      const bool is_pointer = of_.node(what.children[0]).attributes.kind == schema_kind::recursion;
      return several(is_pointer ? "std::unique_ptr" : "std::optional", what);
    }
    case schema_kind::variant: return several("std::variant", what);
    case schema_kind::expected:
      if (what.children.size() == 2) return several("std::expected", what);
      out_ += "std::expected<void, ";
      type(what.children[0].node);
      out_ += ">";
      return;
    case schema_kind::tuple: return several(what.children.size() == 2 ? "std::pair" : "std::tuple", what);
    }
  }

  const schema& of_;
  type_names names_;
  used_names types_; ///< only the names count, not their numbers
  /// Underscores that `plain` appends to a name that a type already has. No type's name ends with
  /// so many underscores (before its number, if the name ends with a number). So the new name
  /// differs from the names of all types, even if a number is appended.
  std::string suffix_ = "_";
  std::size_t limit_;
  limited_text out_;
};

} // namespace detail

/// Returns C++ code for a type with this schema. The code defines the schema's records and
/// enumerations, each before the type that holds it. They have the names of their types, without
/// namespaces; if two types have the same name, a number is appended. Types without a name are
/// named after members. Comments contain ingot's annotations, names that are not identifiers, and
/// the specialisations of `json::tag_key` at the end.
/// If the standard library's headers are included, the code compiles in a namespace, unless a
/// record contains itself by other means than pointers and vectors. If the code is longer than
/// `max_bytes`, returns its beginning and a line `// ...`. O(nodes, and the length of the code).
[[nodiscard]] inline std::string to_cpp(const schema& described, const schema_print_options& options = {}) {
  return detail::cpp_printer(described, options.name, options.max_bytes).print();
}

}} // namespace ingot::INGOT_V1
