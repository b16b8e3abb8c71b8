// SPDX-License-Identifier: Apache-2.0
// Prints a schema as JSON Schema (draft 2020-12). The JSON forms of values are those of
// docs/json.md.
#pragma once

#include <ingot/schema/detail/alternative_tags.hpp>
#include <ingot/schema/detail/type_names.hpp>
#include <ingot/schema/schema.hpp>
#include <ingot/schema/schema_print_options.hpp>

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace ingot { inline namespace INGOT_V1 {

namespace detail {

class json_schema_printer {
public:
  json_schema_printer(const schema& of, std::string_view name, std::size_t limit)
      : of_(of), names_(of, name, name_style::as_declared), limit_(limit) {}

  [[nodiscard]] result<std::string> print() {
    out_ = R"({"$schema":"https://json-schema.org/draft/2020-12/schema","title":)";
    text(names_.root());
    if (!of_.empty()) {
      out_ += ",\"$ref\":\"#/$defs/";
      out_ += of_.root().attributes.kind == schema_kind::record ||
                      of_.root().attributes.kind == schema_kind::enumeration
                  ? names_[of_.root_index()]
                  : whole();
      out_ += "\"";
    }
    out_ += ",\"$defs\":{";
    bool is_first = true;
    for (const std::uint32_t index : names_.order()) {
      if (!std::exchange(is_first, false)) out_ += ',';
      text(names_[index]);
      out_ += ':';
      const schema_node& what = of_.nodes()[index];
      if (what.attributes.kind == schema_kind::record) record(what);
      else enumeration(what);
    }
    if (!of_.empty() && names_[of_.root_index()].empty()) {
      if (!is_first) out_ += ',';
      text(whole());
      out_ += ':';
      type(of_.root_index());
      is_first = false;
    }
    tagged_records(is_first);
    out_ += "}}";
    if (out_.size() > limit_) return fail(error{errc::too_large}.with_expected("text within the limit"));
    return std::move(out_);
  }

private:
  /// Returns the name of the root's definition, if the root is neither a record nor an enumeration.
  [[nodiscard]] static std::string whole() { return "$root"; }

  void text(std::string_view of) {
    out_ += '"';
    for (const char c : of) {
      const auto byte = static_cast<unsigned char>(c);
      if (c == '"' || c == '\\') {
        out_ += '\\';
        out_ += c;
      } else if (byte < 0x20) {
        out_ += "\\u00";
        out_ += "0123456789abcdef"[byte >> 4];
        out_ += "0123456789abcdef"[byte & 15];
      } else {
        out_ += c;
      }
    }
    out_ += '"';
  }
  [[nodiscard]] const schema_node& child(const schema_node& of, std::size_t k) const noexcept {
    return of_.node(of.children[k]);
  }
  /// An alternative of a variant with a `tag_key`. Its definition is the record's with one more
  /// member, the tag.
  struct tagged_record {
    std::uint32_t record;
    std::string_view key;
    std::string tag;
  };
  /// Returns the name of an alternative's definition. Each record, key and tag has one definition.
  [[nodiscard]] std::string tagged_name(const schema_node& variant, std::size_t k, std::string&& tag) {
    const schema_node& held = child(variant, k);
    const std::uint32_t record =
        held.attributes.kind == schema_kind::recursion ? held.target : variant.children[k].node;
    const auto [at, is_new] = tagged_numbers_.try_emplace(
        {names_[record], std::pair<std::string, std::string>(variant.tag_key(), tag)}, tagged_.size() + 1);
    if (is_new) tagged_.push_back({record, variant.tag_key(), std::move(tag)});
    return names_[record] + "$" + std::to_string(at->second);
  }
  /// Prints the definitions of tagged alternatives. Their members may refer to more of them.
  void tagged_records(bool is_first) {
    for (std::size_t i = 0; i < tagged_.size(); ++i) {
      if (out_.size() > limit_) return;
      const tagged_record each = tagged_[i];
      if (!std::exchange(is_first, false)) out_ += ',';
      text(names_[each.record] + "$" + std::to_string(i + 1));
      out_ += ':';
      record(of_.nodes()[each.record], &each);
    }
  }
  void record(const schema_node& what, const tagged_record* tagged = nullptr) {
    out_ += R"({"type":"object","properties":{)";
    if (tagged != nullptr) {
      text(tagged->key);
      out_ += ":{\"const\":";
      text(tagged->tag);
      out_ += what.children.empty() ? "}" : "},";
    }
    for (const schema_child& each : what.children) {
      if (out_.size() > limit_) return;
      if (&each != what.children.data()) out_ += ',';
      text(each.name);
      out_ += ':';
      type(each.node);
    }
    const bool has_version_apart = what.attributes.has(schema_flag::is_versioned) &&
                                   (what.children.empty() || what.children[0].name != "version" ||
                                    child(what, 0).attributes.kind != schema_kind::integer);
    if (has_version_apart) {
      if (!what.children.empty() || tagged != nullptr) out_ += ',';
      out_ += "\"$version\":{\"const\":" + std::to_string(what.attributes.extent) + "}";
    }
    out_ += "},\"required\":[";
    bool is_first = true;
    if (tagged != nullptr) {
      text(tagged->key);
      is_first = false;
    }
    if (has_version_apart) {
      if (!std::exchange(is_first, false)) out_ += ',';
      out_ += "\"$version\"";
    }
    for (const schema_child& each : what.children) {
      if (of_.node(each).attributes.kind == schema_kind::optional) continue;
      if (!std::exchange(is_first, false)) out_ += ',';
      text(each.name);
    }
    out_ += "],\"additionalProperties\":false}";
  }
  void enumeration(const schema_node& what) {
    const bool by_number =
        what.attributes.has(schema_flag::is_open) || what.attributes.has(schema_flag::is_flags);
    if (by_number) out_ += "{\"anyOf\":[";
    out_ += "{\"enum\":[";
    for (const schema_enumerator& each : what.enumerators) {
      if (out_.size() > limit_) return;
      if (&each != what.enumerators.data()) out_ += ',';
      text(each.name);
    }
    out_ += "]}";
    if (!by_number) return;
    out_ += ',';
    std::uint64_t bits = 0;
    for (const schema_enumerator& each : what.enumerators) bits |= each.value;
    const bool below_zero = what.attributes.has(schema_flag::is_signed) && bits >> 63 != 0;
    if (what.attributes.has(schema_flag::is_open) || below_zero) integer(what.attributes);
    // JSON Schema can't test bits
    else out_ += R"({"type":"integer","minimum":0,"maximum":)" + std::to_string(bits) + "}";
    out_ += "]}";
  }
  void integer(const schema_attributes& attributes) {
    const bool with_sign = attributes.has(schema_flag::is_signed);
    const unsigned bits = attributes.width * 8U;
    const std::uint64_t largest = ~std::uint64_t{0} >> (64 - bits + (with_sign ? 1 : 0));
    out_ += R"({"type":"integer","minimum":)";
    out_ += with_sign ? std::to_string(-static_cast<std::int64_t>(largest) - 1) : "0";
    out_ += ",\"maximum\":" + std::to_string(largest) + "}";
  }
  void array_of(std::uint32_t element, std::string_view more = {}) {
    out_ += R"({"type":"array","items":)";
    type(element);
    out_ += more;
    out_ += '}';
  }
  /// Prints the form of a tuple: an array of exactly the elements of the tuple.
  void tuple(const schema_node& what) {
    out_ += R"({"type":"array")";
    if (!what.children.empty()) out_ += ",\"prefixItems\":[";
    for (const schema_child& each : what.children) {
      if (&each != what.children.data()) out_ += ',';
      type(each.node);
    }
    if (!what.children.empty()) out_ += ']';
    out_ += ",\"minItems\":" + std::to_string(what.children.size()) + ",\"items\":false}";
  }
  void map(const schema_node& what) {
    const schema_attributes& key = child(what, 0).attributes;
    const bool by_text = key.kind == schema_kind::string; // characters may have any width
    const bool is_object =
        !what.attributes.has(schema_flag::is_multi) &&
        (by_text || key.kind == schema_kind::integer || key.kind == schema_kind::enumeration);
    if (!is_object) {
      out_ += R"({"type":"array","items":)";
      tuple(what);
      out_ += '}';
      return;
    }
    out_ += R"({"type":"object","additionalProperties":)";
    type(what.children[1].node);
    if (key.kind == schema_kind::integer)
      out_ += key.has(schema_flag::is_signed) ? R"(,"propertyNames":{"pattern":"^-?[0-9]+$"})"
                                              : R"(,"propertyNames":{"pattern":"^[0-9]+$"})";
    out_ += '}';
  }
  /// Prints the schema of an object whose only member is `key`.
  void alternative(std::string_view key, const schema_child* of) {
    out_ += R"({"type":"object","properties":{)";
    text(key);
    out_ += ':';
    if (of == nullptr) out_ += R"({"type":"null"})";
    else type(of->node);
    out_ += "},\"required\":[";
    text(key);
    out_ += "],\"additionalProperties\":false}";
  }
  void type(std::uint32_t index) {
    if (out_.size() > limit_) return;
    const schema_node& what = of_.nodes()[index];
    const schema_attributes& attributes = what.attributes;
    switch (attributes.kind) {
    case schema_kind::none: out_ += "false"; return;
    case schema_kind::boolean: out_ += R"({"type":"boolean"})"; return;
    case schema_kind::integer: return integer(attributes);
    case schema_kind::byte: out_ += R"({"type":"integer","minimum":0,"maximum":255})"; return;
    case schema_kind::floating: out_ += R"({"type":"number"})"; return;
    case schema_kind::character: out_ += R"({"type":["string","integer"],"maxLength":1})"; return;
    case schema_kind::enumeration:
    case schema_kind::record:
    case schema_kind::recursion: out_ += "{\"$ref\":\"#/$defs/" + names_[index] + "\"}"; return;
    case schema_kind::duration:
    case schema_kind::time_point: return type(what.children[0].node);
    case schema_kind::complex: return array_of(what.children[0].node, R"(,"minItems":2,"maxItems":2)");
    case schema_kind::bitset: {
      const std::string n = std::to_string(attributes.extent);
      out_ += R"({"type":"string","pattern":"^[01]*$","minLength":)" + n + ",\"maxLength\":" + n + "}";
      return;
    }
    case schema_kind::string:
    case schema_kind::path: out_ += R"({"type":"string"})"; return;
    case schema_kind::document: out_ += "true"; return; // any value
    case schema_kind::sequence: return array_of(what.children[0].node);
    case schema_kind::array: {
      const std::string n = std::to_string(attributes.extent);
      const schema_attributes& element = child(what, 0).attributes;
      if (element.kind == schema_kind::character && element.width == 1) {
        out_ += R"({"type":"string","maxLength":)" + n + "}";
        return;
      }
      return array_of(what.children[0].node, ",\"minItems\":" + n + ",\"maxItems\":" + n);
    }
    case schema_kind::set:
    case schema_kind::unordered_set:
      return array_of(what.children[0].node,
                      attributes.has(schema_flag::is_multi) ? "" : ",\"uniqueItems\":true");
    case schema_kind::map:
    case schema_kind::unordered_map: return map(what);
    case schema_kind::optional:
      out_ += R"({"anyOf":[{"type":"null"},)";
      // A held value may itself be null. The held value is therefore in an array of one element,
      // and differs from the null of an empty optional.
      if (const schema_kind held = child(what, 0).attributes.kind;
          held == schema_kind::optional || held == schema_kind::document)
        array_of(what.children[0].node, R"(,"minItems":1,"maxItems":1)");
      else type(what.children[0].node);
      out_ += "]}";
      return;
    case schema_kind::variant: {
      const alternative_tags tags(what);
      out_ += "{\"oneOf\":[";
      for (std::size_t k = 0; k < what.children.size(); ++k) {
        if (k != 0) out_ += ',';
        if (what.tag_key().empty()) alternative(tags[k], &what.children[k]);
        else out_ += "{\"$ref\":\"#/$defs/" + tagged_name(what, k, std::string(tags[k])) + "\"}";
      }
      out_ += "]}";
      return;
    }
    case schema_kind::expected:
      out_ += "{\"oneOf\":[";
      alternative("value", what.children.size() == 2 ? what.children.data() : nullptr);
      out_ += ',';
      alternative("error", &what.children.back());
      out_ += "]}";
      return;
    case schema_kind::tuple: return tuple(what);
    }
  }

  const schema& of_;
  type_names names_;
  std::size_t limit_;
  std::string out_;
  std::vector<tagged_record> tagged_;
  /// the numbers of the tagged records, by the names of their definitions, their keys and tags
  std::map<std::pair<std::string, std::pair<std::string, std::string>>, std::size_t> tagged_numbers_;
};

} // namespace detail

/// Returns a JSON Schema, on one line, for the output of `json::write` and the input of
/// `json::read` for a type with this schema. Records and enumerations are under `$defs`, by the
/// names of their types, as in `to_cpp`. An alternative of a variant with a `json::tag_key` has a
/// definition of its own, with the tag as a member and a name such as `circle$1`; the form without
/// the `tag_key` does not match. All members that are not optional are required, and so is
/// `$version`. (In JSON, members with a default may be missing, but schemas don't contain
/// defaults.) Errors: `too_large` for more than `max_bytes` bytes.
[[nodiscard]] inline result<std::string> to_json_schema(const schema& described,
                                                        const schema_print_options& options = {}) {
  return detail::json_schema_printer(described, options.name, options.max_bytes).print();
}

}} // namespace ingot::INGOT_V1
