// SPDX-License-Identifier: Apache-2.0
// The parts of a schema at run time, as plain data that tools can visit and store.
#pragma once

#include <ingot/reflect/proto_form.hpp>
#include <ingot/schema/fingerprint.hpp>

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace ingot { inline namespace INGOT_V1 {

/// An edge from a part to a part in it: a member of a record (with a name), an element of a
/// container, or an alternative.
struct schema_child {
  /// name of a member, or of an alternative that has a name; otherwise empty
  std::string name;
  std::uint64_t annotations = 0; ///< for members: bits of `schema_annotation`, and their arguments
  std::uint32_t node = 0;        ///< index into `schema::nodes()`
  /// The field number that a member specifies by `field_number`; otherwise 0. Descriptions contain
  /// this number; fingerprints and the comparison of schemas ignore it.
  std::uint32_t field_number = 0;
  /// The annotations for protobuf that a member has, except the field number. Descriptions contain
  /// these annotations; fingerprints and the comparison of schemas ignore them.
  proto_form form{};

  /// Returns true if the member has the annotation.
  [[nodiscard]] bool has(schema_annotation annotation) const noexcept {
    return (annotations & static_cast<std::uint64_t>(annotation)) != 0;
  }
  /// Returns the step of a quantised member, such as "0.01", in the form of `quantize`'s argument.
  [[nodiscard]] std::string step() const {
    std::string text = std::to_string(annotations >> 8 & 0xFFFFFFFF);
    const auto digits = static_cast<std::size_t>(annotations >> 40 & 0xFF);
    if (digits == 0) return text;
    if (text.size() <= digits) text.insert(0, digits + 1 - text.size(), '0');
    return text.insert(text.size() - digits, 1, '.');
  }
  /// Returns the annotation of a `unit_vector` member in C++ notation, such as "unit_vector(32)".
  [[nodiscard]] std::string unit_vector() const {
    const auto bytes = static_cast<unsigned>(annotations >> 48 & 0xFF);
    return bytes == 0 ? "unit_vector" : "unit_vector(" + std::to_string(8 * bytes) + ")";
  }
};

/// An enumerator of an enumeration.
struct schema_enumerator {
  std::string name;
  std::uint64_t value = 0; ///< sign-extended if the enumeration is signed

  friend bool operator==(const schema_enumerator&, const schema_enumerator&) = default;
};

/// One part of a schema and everything below it.
struct schema_node {
  schema_attributes attributes; ///< all properties except the children
  /// Fingerprint of the part. It is the `schema_id` of the part's type, except for parts inside a
  /// group of recursive records.
  std::uint64_t id = 0;
  /// For a record or an enumeration: name of the C++ type, without namespaces and template
  /// arguments; empty if the type has no name. For a variant whose tag is a member in JSON: the key
  /// of this member, `json::tag_key`. Otherwise empty. Descriptions contain this name; fingerprints
  /// and the comparison of schemas ignore it.
  std::string name;
  /// recursion: the node of the record to which the recursion refers
  std::uint32_t target = 0;
  std::vector<schema_child> children;         ///< in the order listed in `schema_kind`
  std::vector<schema_enumerator> enumerators; ///< for an enumeration: ascending by value

  /// Returns `name` of a record or an enumeration, otherwise an empty text.
  [[nodiscard]] std::string_view type_name() const noexcept {
    return attributes.kind == schema_kind::variant ? std::string_view() : name;
  }
  /// Returns `name` of a variant, otherwise an empty text.
  [[nodiscard]] std::string_view tag_key() const noexcept {
    return attributes.kind == schema_kind::variant ? name : std::string_view();
  }
};

}} // namespace ingot::INGOT_V1
