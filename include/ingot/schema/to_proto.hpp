// SPDX-License-Identifier: Apache-2.0
// A schema as a .proto file (proto3) for programs that speak protobuf: messages with the same members. It describes protobuf's own bytes, not
// ingot's.
#pragma once

#include <ingot/schema/detail/type_names.hpp>
#include <ingot/schema/schema.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace ingot::inline v1 {

namespace detail {

/// What protobuf has no field for, a list of lists, a variant in a list, becomes a message of its own, which stands behind what it was made for.
class proto_printer {
public:
  proto_printer(const schema& of, std::string_view name, std::size_t limit)
      : of_(of), names_(of, name), root_(type_name_of(name)), out_(limit) {}

  [[nodiscard]] std::string print() {
    out_ += "syntax = \"proto3\";\n";
    if (of_.empty()) return out_.take("// ...\n");
    for (const std::uint32_t index : names_.order()) taken_.emplace(names_[index], 2);
    for (const std::uint32_t index : names_.order()) {
      const schema_node& what = of_.nodes()[index];
      if (what.facts.kind == schema_kind::record) record(index, what);
      else enumeration(index, what);
      finish_wrappers();
    }
    if (of_.root().facts.kind != schema_kind::record) {
      wrapper(of_.root_index(), unique_name(root_, taken_));
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
  };

  /// A message that holds the part alone.
  std::string wrapped(std::uint32_t index, const std::string& name) {
    std::string made = unique_name(name, taken_);
    pending_.push_back({index, made});
    return made;
  }
  void finish_wrappers() {
    while (!pending_.empty() && !out_.is_full()) {
      const pending next = std::move(pending_.back());
      pending_.pop_back();
      wrapper(next.node, next.name);
    }
  }
  void line(std::uint64_t number, const field& as, std::string_view name, std::string_view note = {}) {
    out_ += "  " + as.label + as.type + " ";
    out_ += name;
    out_ += " = " + std::to_string(number_of_field(number)) + ";";
    if (!note.empty()) {
      out_ += " // ";
      out_ += note;
    }
    out_ += "\n";
  }
  /// From 1, without those that protobuf keeps for itself.
  [[nodiscard]] static std::uint64_t number_of_field(std::uint64_t i) noexcept {
    return i < 18999 ? i + 1 : i + 1001;
  }

  /// Protobuf makes JSON names of fields, which differ in more than case and underscores.
  [[nodiscard]] static std::string field_name(std::string_view name, given_names& taken) {
    const std::string plain = identifier_of(name);
    std::string folded;
    for (const char c : plain) {
      if (c != '_') folded += c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
    }
    const std::string made = unique_name(folded, taken);
    return made.size() == folded.size() ? plain : plain + made.substr(folded.size());
  }
  void record(std::uint32_t index, const schema_node& what) {
    out_ += "\nmessage " + names_[index] + " {\n";
    given_names taken;
    for (std::size_t k = 0; k < what.children.size() && !out_.is_full(); ++k) {
      const schema_child& each = what.children[k];
      const std::string name = field_name(each.name, taken);
      std::string note = note_of(each.node);
      if (name != each.name) {
        std::string real = "\"";
        real.append(each.name).append(note.empty() ? "\"" : "\", ");
        note.insert(0, real);
      }
      line(k, field_of(each.node, names_[index] + type_name_of(each.name)), name, note);
    }
    out_ += "}\n";
  }
  void wrapper(std::uint32_t index, const std::string& name) {
    const schema_node& what = of_.nodes()[index];
    out_ += "\nmessage " + name + " {\n";
    if (what.facts.kind == schema_kind::variant || what.facts.kind == schema_kind::expected) {
      const bool is_expected = what.facts.kind == schema_kind::expected;
      out_ += "  oneof alternative {\n";
      const bool is_nothing = is_expected && what.children.size() == 1;
      if (is_nothing) out_ += "    bool value = 1;\n";
      for (std::size_t k = 0; k < what.children.size(); ++k) {
        const std::size_t number = k + (is_nothing ? 1 : 0);
        const std::string label =
            is_expected ? number == 0 ? "value" : "error" : "alternative" + std::to_string(k);
        out_ += "  ";
        line(number, single(what.children[k].node, name + type_name_of(label)), label);
      }
      out_ += "  }\n";
    } else if (what.facts.kind == schema_kind::tuple) {
      for (std::size_t k = 0; k < what.children.size(); ++k) {
        const std::string label = "part" + std::to_string(k);
        line(k, field_of(what.children[k].node, name + type_name_of(label)), label,
             note_of(what.children[k].node));
      }
    } else if (is_map(what)) {
      line(0, field_of(what.children[0].node, name + "Key"), "key");
      line(1, field_of(what.children[1].node, name + "Value"), "value");
    } else {
      line(0, field_of(index, name + "Value"), "value", note_of(index));
    }
    out_ += "}\n";
  }
  [[nodiscard]] static bool is_map(const schema_node& what) noexcept {
    return what.facts.kind == schema_kind::map || what.facts.kind == schema_kind::unordered_map;
  }
  [[nodiscard]] std::string note_of(std::uint32_t index) const {
    const schema_node& what = of_.nodes()[index];
    switch (what.facts.kind) {
    case schema_kind::duration:
      return "in " + std::to_string(what.facts.extent) + "/" + std::to_string(what.facts.divisor) + " s";
    case schema_kind::time_point: return "since the epoch, " + note_of(what.children[0].node);
    case schema_kind::array: return "exactly " + std::to_string(what.facts.extent);
    case schema_kind::bitset: return std::to_string(what.facts.extent) + " bits, the lowest first";
    default: return {};
    }
  }
  [[nodiscard]] static bool is_wide(const schema_node& what) noexcept {
    const bool with_sign = what.facts.has(schema_flag::is_signed);
    return std::any_of(what.enumerators.begin(), what.enumerators.end(), [&](const schema_enumerator& each) {
      return with_sign ? static_cast<std::int64_t>(each.value) != static_cast<std::int32_t>(each.value)
                       : each.value > 0x7FFFFFFF;
    });
  }
  /// The first enumerator of proto3 is zero, and names are unique among all enumerations.
  void enumeration(std::uint32_t index, const schema_node& what) {
    if (is_wide(what) || what.enumerators.empty()) return; // its number, see `field_of`
    const std::string& name = names_[index];
    out_ += "\nenum " + name + " {\n";
    std::set<std::uint64_t> values; // sorted, for a schema may choose numbers that share a bucket
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
    std::string made;
    for (const char c : of) made += c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c;
    return made;
  }

  /// Whether the part is a field that has a label, or a map: neither can be in a list, in a map, or left out.
  [[nodiscard]] bool has_label(std::uint32_t index) const noexcept {
    const schema_node& what = of_.nodes()[index];
    switch (what.facts.kind) {
    case schema_kind::sequence:
    case schema_kind::array:
    case schema_kind::set:
    case schema_kind::unordered_set: return of_.node(what.children[0]).facts.kind != schema_kind::byte;
    case schema_kind::complex:
    case schema_kind::optional:
    case schema_kind::map:
    case schema_kind::unordered_map: return true;
    default: return false;
    }
  }
  field single(std::uint32_t index, const std::string& name) {
    return has_label(index) ? field{{}, wrapped(index, name)} : field_of(index, name);
  }
  field field_of(std::uint32_t index, const std::string& name) {
    if (out_.is_full()) return {};
    const schema_node& what = of_.nodes()[index];
    const schema_facts& facts = what.facts;
    const bool with_sign = facts.has(schema_flag::is_signed);
    switch (facts.kind) {
    case schema_kind::none: return {{}, "bytes"};
    case schema_kind::boolean: return {{}, "bool"};
    case schema_kind::integer:
      return {{}, std::string(with_sign ? "sint" : "uint") + (facts.width == 8 ? "64" : "32")};
    case schema_kind::character:
    case schema_kind::byte: return {{}, "uint32"};
    case schema_kind::floating: return {{}, facts.width == 4 ? "float" : "double"};
    case schema_kind::enumeration:
      if (is_wide(what) || what.enumerators.empty()) return {{}, with_sign ? "sint64" : "uint64"};
      return {{}, names_[index]};
    case schema_kind::record:
    case schema_kind::recursion: return {{}, names_[index]};
    case schema_kind::duration:
    case schema_kind::time_point: return field_of(what.children[0].node, name);
    case schema_kind::complex:
      return {"repeated ", of_.node(what.children[0]).facts.width == 4 ? "float" : "double"};
    case schema_kind::bitset: return {{}, "bytes"};
    case schema_kind::string:
    case schema_kind::path: return {{}, "string"};
    case schema_kind::sequence:
    case schema_kind::array:
    case schema_kind::set:
    case schema_kind::unordered_set:
      if (of_.node(what.children[0]).facts.kind == schema_kind::byte) return {{}, "bytes"};
      return {"repeated ", single(what.children[0].node, name + "Item").type};
    case schema_kind::map:
    case schema_kind::unordered_map: return map(index, what, name);
    case schema_kind::optional: return {"optional ", single(what.children[0].node, name).type};
    case schema_kind::variant:
    case schema_kind::expected:
    case schema_kind::tuple: return {{}, wrapped(index, name)};
    }
    return {};
  }
  field map(std::uint32_t index, const schema_node& what, const std::string& name) {
    const schema_facts& key = of_.node(what.children[0]).facts;
    const bool has_plain_key = key.kind == schema_kind::integer || key.kind == schema_kind::boolean ||
                               (key.kind == schema_kind::string && key.width == 1);
    if (what.facts.has(schema_flag::is_multi) || !has_plain_key)
      return {"repeated ", wrapped(index, name + "Entry")};
    return {{},
            "map<" + field_of(what.children[0].node, name).type + ", " +
                single(what.children[1].node, name + "Value").type + ">"};
  }

  const schema& of_;
  type_names names_;
  std::string root_;
  limited_text out_;
  std::vector<pending> pending_;
  given_names taken_;
  given_names enumerators_;
};

} // namespace detail

/// A .proto file whose message `name` has the members of a type that has the schema, numbered from 1 in their order. What schemas tell apart and protobuf does
/// not (widths below 32 bits, arrays, order of keys) is lost; enumerations whose numbers need more than 32 bits are integers. Of more than `limit`
/// bytes a beginning and a line `// ...`.
[[nodiscard]] inline std::string to_proto(const schema& described, std::string_view name = "Root",
                                          std::size_t limit = schema::default_text_limit) {
  return detail::proto_printer(described, name, limit).print();
}

} // namespace ingot::inline v1
