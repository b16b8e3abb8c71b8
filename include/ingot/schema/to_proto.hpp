// SPDX-License-Identifier: Apache-2.0
// Prints a schema as a .proto file (proto3) for programs that use protobuf. The file describes
// messages with the same members, in protobuf's encoding, not ingot's.
#pragma once

#include <ingot/schema/detail/proto_shape.hpp>
#include <ingot/schema/detail/type_names.hpp>
#include <ingot/schema/schema.hpp>
#include <ingot/schema/schema_print_options.hpp>

#include <cstddef>
#include <cstdint>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace ingot { inline namespace INGOT_V1 {

namespace detail {

/// Prints messages. Some parts can't be a protobuf field, such as a list of lists or a variant in a
/// list. Each such part becomes a separate message, after the message that uses it.
class proto_printer {
public:
  proto_printer(const schema& of, std::string_view name, std::size_t limit)
      : of_(of), names_(of, name, name_style::capitalised), out_(limit) {}

  [[nodiscard]] std::string print() {
    out_ += "syntax = \"proto3\";\n";
    if (of_.lacks_protobuf())
      out_ +=
          "// The type has annotations for protobuf, which this schema doesn't have: fields of theirs have "
          "other numbers or encodings.\n";
    if (of_.empty()) return out_.take("// ...\n");
    visit_parts();
    std::string_view gap = "\n";
    for (const std::string_view each : imports_) {
      out_ += gap;
      out_ += "import \"google/protobuf/";
      out_ += each;
      out_ += ".proto\";\n";
      gap = "";
    }
    for (const std::uint32_t index : names_.order()) taken_.emplace(names_[index], 2);
    for (const std::uint32_t index : names_.order()) {
      const schema_node& what = of_.nodes()[index];
      if (what.attributes.kind == schema_kind::record && !plain_records_.contains(index)) continue;
      if (what.attributes.kind == schema_kind::record) record(index, what);
      else enumeration(index, what);
      finish_wrappers();
    }
    if (of_.root().attributes.kind != schema_kind::record) {
      wrapper(of_.root_index(), unique_name(names_.printed_root(), taken_), {});
      finish_wrappers();
    }
    return out_.take("// ...\n");
  }

private:
  struct field {
    std::string label; ///< "", "optional " or "repeated "
    std::string type;
  };
  struct pending {
    std::uint32_t node;
    std::string name;
    proto_form as;
    bool is_entry; ///< an entry of a map
  };

  /// Adds a message that holds only this part, or an entry of this map. Returns the name of the
  /// message.
  std::string wrapped(std::uint32_t index, const std::string& name, const proto_form& as,
                      bool is_entry = false) {
    std::string type_name = unique_name(name, taken_);
    pending_.push_back({index, type_name, as, is_entry});
    return type_name;
  }
  void finish_wrappers() {
    while (!pending_.empty() && !out_.is_full()) {
      const pending next = std::move(pending_.back());
      pending_.pop_back();
      wrapper(next.node, next.name, next.as, next.is_entry);
    }
  }
  void line(std::uint64_t number, const field& as, std::string_view name, std::string_view note = {}) {
    out_ += "  " + as.label + as.type + " ";
    out_ += name;
    out_ += " = " + std::to_string(number) + ";";
    if (!note.empty()) {
      out_ += " // ";
      out_ += note;
    }
    out_ += "\n";
  }
  /// Returns a unique field name. Protobuf derives JSON names from field names, so two field names
  /// must not differ only in case and underscores.
  [[nodiscard]] static std::string field_name(std::string_view name, used_names& taken) {
    const std::string plain = identifier_of(name);
    std::string folded;
    for (const char c : plain) {
      if (c != '_') folded += c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
    }
    const std::string unique = unique_name(folded, taken);
    return unique.size() == folded.size() ? plain : plain + unique.substr(folded.size());
  }
  void record(std::uint32_t index, const schema_node& what) {
    out_ += "\nmessage " + names_[index] + " {\n";
    used_names taken;
    for (std::size_t k = 0; k < what.children.size() && !out_.is_full(); ++k) {
      const schema_child& each = what.children[k];
      const std::string name = field_name(each.name, taken);
      std::string note = note_of(each.node, each.form);
      if (name != each.name) {
        std::string real = "\"";
        real.append(each.name).append(note.empty() ? "\"" : "\", ");
        note.insert(0, real);
      }
      line(number_of_field(what, k), field_of(each.node, names_[index] + type_name_of(each.name), each.form),
           name, note);
    }
    out_ += "}\n";
  }
  void wrapper(std::uint32_t index, const std::string& name, const proto_form& as, bool is_entry = false) {
    const schema_node& what = of_.nodes()[index];
    out_ += "\nmessage " + name + " {\n";
    if (what.attributes.kind == schema_kind::variant || what.attributes.kind == schema_kind::expected) {
      const bool is_expected = what.attributes.kind == schema_kind::expected;
      out_ += "  oneof alternative {\n";
      const bool is_nothing = is_expected && what.children.size() == 1;
      used_names taken;
      if (is_nothing) out_ += "    bool value = 1;\n";
      for (std::size_t k = 0; k < what.children.size(); ++k) {
        const std::size_t number = k + (is_nothing ? 1 : 0);
        const std::string label = is_expected                     ? number == 0 ? "value" : "error"
                                  : what.children[k].name.empty() ? "alternative" + std::to_string(k)
                                                                  : field_name(what.children[k].name, taken);
        out_ += "  ";
        line(number_of_field(number), single(what.children[k].node, name + type_name_of(label), as), label,
             note_of_held(what.children[k], as));
      }
      out_ += "  }\n";
    } else if (what.attributes.kind == schema_kind::tuple) {
      for (std::size_t k = 0; k < what.children.size(); ++k) {
        const std::string label = "part" + std::to_string(k);
        line(number_of_field(k), field_of(what.children[k].node, name + type_name_of(label), as), label,
             note_of(what.children[k].node, as));
      }
    } else if (is_entry) {
      line(1, field_of(what.children[0].node, name + "Key", as.of_key()), "key");
      line(2, field_of(what.children[1].node, name + "Value", as), "value",
           note_of_held(what.children[1], as));
    } else {
      line(1, field_of(index, name + "Value", as), "value", note_of(index, as));
    }
    out_ += "}\n";
  }
  [[nodiscard]] std::string note_of(std::uint32_t index, const proto_form& as) const {
    const schema_node& what = of_.nodes()[index];
    if (known_of(of_, what, as) != known_message::none) return {};
    switch (what.attributes.kind) {
    case schema_kind::duration:
      return "in " + std::to_string(what.attributes.extent) + "/" + std::to_string(what.attributes.divisor) +
             " s";
    case schema_kind::time_point: return "since the epoch, " + note_of(what.children[0].node, {});
    case schema_kind::array: {
      if (is_proto_bytes(of_, what) && of_.node(what.children[0]).attributes.kind == schema_kind::character)
        return "at most " + std::to_string(what.attributes.extent) + " bytes";
      const std::string of_each = note_of_held(what.children[0], as);
      return "exactly " + std::to_string(what.attributes.extent) + (of_each.empty() ? "" : ", ") + of_each;
    }
    case schema_kind::bitset: return std::to_string(what.attributes.extent) + " bits, the lowest first";
    case schema_kind::document: return "a value of any kind: an archive of ingot's";
    case schema_kind::optional:
    case schema_kind::sequence: return note_of_held(what.children[0], as);
    case schema_kind::map:
    case schema_kind::unordered_map: return note_of_held(what.children[1], as);
    default: return {};
    }
  }
  /// Returns the comment about documents if the held part is a document, so that a list of
  /// documents also gets this comment.
  [[nodiscard]] std::string note_of_held(const schema_child& held, const proto_form& as) const {
    return of_.node(held).attributes.kind == schema_kind::document ? note_of(held.node, as) : std::string();
  }
  /// Prints an enumeration. In proto3, the first enumerator must be zero, and enumerators of all
  /// enumerations must have different names.
  void enumeration(std::uint32_t index, const schema_node& what) {
    if (is_proto_integer(what)) return; // `field_of` prints an integer instead
    const std::string& name = names_[index];
    out_ += "\nenum " + name + " {\n";
    // Not a hash set: an untrusted schema could have numbers that all collide in a hash set.
    std::set<std::uint64_t> values;
    bool is_aliased = false;
    for (const schema_enumerator& each : what.enumerators) is_aliased |= !values.insert(each.value).second;
    if (is_aliased) out_ += "  option allow_alias = true;\n";
    const auto put = [&](const std::string& label, std::uint64_t value) {
      const std::string full = unique_name(upper(name) + "_" + upper(label), enumerators_);
      out_ += "  " + full + " = " + std::to_string(static_cast<std::int64_t>(value)) + ";\n";
    };
    if (!values.contains(0)) put("unspecified", 0);
    for (const schema_enumerator& each : what.enumerators) {
      if (each.value == 0) put(identifier_of(each.name), 0);
    }
    for (const schema_enumerator& each : what.enumerators) {
      if (each.value != 0 && !out_.is_full()) put(identifier_of(each.name), each.value);
    }
    out_ += "}\n";
  }
  [[nodiscard]] static std::string upper(std::string_view of) {
    std::string text;
    for (const char c : of) text += c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c;
    return text;
  }

  field single(std::uint32_t index, const std::string& name, const proto_form& as) {
    return has_proto_label(of_, of_.nodes()[index]) ? field{{}, wrapped(index, name, as)}
                                                    : field_of(index, name, as);
  }
  [[nodiscard]] static std::string number_name(bool with_sign, bool is_wide, const proto_form& as) {
    const char* const sign = with_sign ? "s" : "";
    std::string type_text;
    if (as.number == proto_number::fixed_width) type_text = std::string(sign) + "fixed";
    else if (as.number == proto_number::sint && with_sign) type_text = "sint";
    else type_text = with_sign ? "int" : "uint";
    return type_text + (is_wide ? "64" : "32");
  }
  [[nodiscard]] static std::string_view known_name(known_message what) noexcept {
    switch (what) {
    case known_message::timestamp: return "google.protobuf.Timestamp";
    case known_message::duration: return "google.protobuf.Duration";
    case known_message::value: return "google.protobuf.Value";
    case known_message::structure: return "google.protobuf.Struct";
    default: return "google.protobuf.ListValue";
    }
  }
  [[nodiscard]] std::string_view known_wrapper_name(const schema_node& held) const noexcept {
    const bool is_wide = held.attributes.width == 8;
    switch (held.attributes.kind) {
    case schema_kind::boolean: return "google.protobuf.BoolValue";
    case schema_kind::integer:
      if (held.attributes.has(schema_flag::is_signed))
        return is_wide ? "google.protobuf.Int64Value" : "google.protobuf.Int32Value";
      return is_wide ? "google.protobuf.UInt64Value" : "google.protobuf.UInt32Value";
    case schema_kind::floating: return is_wide ? "google.protobuf.DoubleValue" : "google.protobuf.FloatValue";
    case schema_kind::string: return "google.protobuf.StringValue";
    default: return "google.protobuf.BytesValue";
    }
  }
  /// Finds the files to import, and the records for which the file has messages.
  void visit_parts() {
    plain_records_.insert(of_.root_index());
    for (const schema_node& each : of_.nodes()) {
      for (const schema_child& child : each.children) {
        if (each.attributes.kind == schema_kind::record) visit(child.node, child.form);
      }
    }
    visit(of_.root_index(), {});
  }
  /// Visits a member and all parts in it, to find records and imports.
  void visit(std::uint32_t index, const proto_form& as) {
    if (as == proto_form() && !visited_.insert(index).second) return;
    const schema_node& what = of_.nodes()[index];
    switch (known_of(of_, what, as)) {
    case known_message::none: break;
    case known_message::timestamp: imports_.insert("timestamp"); return;
    case known_message::duration: imports_.insert("duration"); return;
    default: imports_.insert("struct"); return;
    }
    if (what.attributes.kind == schema_kind::record || what.attributes.kind == schema_kind::recursion) {
      const std::uint32_t record = what.attributes.kind == schema_kind::record ? index : what.target;
      if (as.known == proto_known::well_known && is_known_any(of_, what)) imports_.insert("any");
      else plain_records_.insert(record);
      return;
    }
    if (what.attributes.kind == schema_kind::optional &&
        is_known_wrapper(of_, of_.node(what.children[0]), as))
      imports_.insert("wrappers");
    for (const schema_child& child : what.children) visit(child.node, as);
  }
  field field_of(std::uint32_t index, const std::string& name, const proto_form& as) {
    if (out_.is_full()) return {};
    const schema_node& what = of_.nodes()[index];
    const schema_attributes& attributes = what.attributes;
    const bool with_sign = attributes.has(schema_flag::is_signed);
    if (const known_message known = known_of(of_, what, as); known != known_message::none)
      return {{}, std::string(known_name(known))};
    switch (attributes.kind) {
    case schema_kind::none: return {{}, "bytes"};
    case schema_kind::boolean: return {{}, "bool"};
    case schema_kind::integer: return {{}, number_name(with_sign, attributes.width == 8, as)};
    case schema_kind::character:
    case schema_kind::byte: return {{}, "uint32"};
    case schema_kind::floating: return {{}, attributes.width == 4 ? "float" : "double"};
    case schema_kind::enumeration:
      if (is_proto_integer(what)) return {{}, number_name(with_sign, true, as)};
      return {{}, names_[index]};
    case schema_kind::record:
      if (as.known == proto_known::well_known && is_known_any(of_, what)) return {{}, "google.protobuf.Any"};
      return {{}, names_[index]};
    case schema_kind::recursion: return {{}, names_[index]};
    case schema_kind::duration:
    case schema_kind::time_point: return field_of(what.children[0].node, name, as);
    case schema_kind::complex:
      return {"repeated ", of_.node(what.children[0]).attributes.width == 4 ? "float" : "double"};
    case schema_kind::bitset:
    case schema_kind::document: return {{}, "bytes"};
    case schema_kind::string:
    case schema_kind::path: return {{}, "string"};
    case schema_kind::sequence:
    case schema_kind::array:
    case schema_kind::set:
    case schema_kind::unordered_set:
      if (is_proto_bytes(of_, what)) return {{}, "bytes"};
      return {"repeated ", single(what.children[0].node, name + "Item", as).type};
    case schema_kind::map:
    case schema_kind::unordered_map: return map(index, what, name, as);
    case schema_kind::optional: {
      const std::uint32_t held = what.children[0].node;
      if (is_known_wrapper(of_, of_.nodes()[held], as))
        return {{}, std::string(known_wrapper_name(of_.nodes()[held]))};
      return {"optional ", single(held, name, as).type};
    }
    case schema_kind::variant:
    case schema_kind::expected:
    case schema_kind::tuple: return {{}, wrapped(index, name, as)};
    }
    return {};
  }
  field map(std::uint32_t index, const schema_node& what, const std::string& name, const proto_form& as) {
    if (!has_proto_key(of_, what)) return {"repeated ", wrapped(index, name + "Entry", as, true)};
    return {{},
            "map<" + field_of(what.children[0].node, name, as.of_key()).type + ", " +
                single(what.children[1].node, name + "Value", as).type + ">"};
  }

  const schema& of_;
  type_names names_;
  limited_text out_;
  std::vector<pending> pending_;
  used_names taken_;
  used_names enumerators_;
  std::set<std::string_view> imports_; ///< files of google.protobuf
  std::set<std::uint32_t> visited_;    ///< parts that `visit` visited without annotations
  /// records for which the file needs a message: a record that is google.protobuf.Any at each
  /// occurrence needs none
  std::set<std::uint32_t> plain_records_;
};

} // namespace detail

/// Returns a .proto file with a message that has the members of a type with this schema. Messages
/// and enumerations have the names of their types in protobuf's style: `FirstItem` for
/// `first_item`. Fields are numbered from 1 in order, or have the number of `field_number`. If the
/// schema `lacks_protobuf`, a comment in the file warns that fields may have other numbers and
/// encodings. Distinctions that protobuf does not have (widths below 32 bits, arrays, the order of
/// keys) are lost. Enumerations whose numbers need more than 32 bits become integers. If the file
/// is longer than `max_bytes`, returns its beginning and a line `// ...`.
[[nodiscard]] inline std::string to_proto(const schema& described, const schema_print_options& options = {}) {
  return detail::proto_printer(described, options.name, options.max_bytes).print();
}

}} // namespace ingot::INGOT_V1
