// SPDX-License-Identifier: Apache-2.0
// The parts of a schema at run time, as plain data that tools can walk and representations can carry.
#pragma once

#include <ingot/reflect/detail/proto_form.hpp>
#include <ingot/schema/fingerprint.hpp>

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace ingot { inline namespace INGOT_V1 {

/// An edge of the schema: a member of a record (with a name), an element of a container, or an alternative.
struct schema_child {
  std::string name;              ///< of members, and of alternatives that have one; empty otherwise
  std::uint64_t annotations = 0; ///< for members: bits of `schema_annotation`, and a step
  std::uint32_t node = 0;        ///< index into `schema::nodes()`
  /// For members with a `field_number`: that number; otherwise 0. Descriptions have it;
  /// fingerprints and the comparison of schemas don't cover it.
  std::uint32_t field_number = 0;
  /// For members with other annotations for protobuf: what these say. It is treated as the number.
  detail::proto_form form{};

  [[nodiscard]] bool has(schema_annotation annotation) const noexcept {
    return (annotations & static_cast<std::uint64_t>(annotation)) != 0;
  }
  /// The step of a quantised member, as `quantize` takes it: "0.01".
  [[nodiscard]] std::string step() const {
    std::string text = std::to_string(annotations >> 8 & 0xFFFFFFFF);
    const auto digits = static_cast<std::size_t>(annotations >> 40 & 0xFF);
    if (digits == 0) return text;
    if (text.size() <= digits) text.insert(0, digits + 1 - text.size(), '0');
    return text.insert(text.size() - digits, 1, '.');
  }
  /// The annotation of a `unit_vector` member, as it is written: "unit_vector(32)".
  [[nodiscard]] std::string unit_vector() const {
    const auto bytes = static_cast<unsigned>(annotations >> 48 & 0xFF);
    return bytes == 0 ? "unit_vector" : "unit_vector(" + std::to_string(8 * bytes) + ")";
  }
};

struct schema_enumerator {
  std::string name;
  std::uint64_t value = 0; ///< for signed enumerations the bits, sign-extended

  friend bool operator==(const schema_enumerator&, const schema_enumerator&) = default;
};

/// One part of a schema and everything below it.
struct schema_node {
  schema_attributes attributes;
  std::uint64_t id =
      0; ///< its fingerprint: for the root, and where no group of recursive records is cut, `schema_id`
  std::uint32_t target = 0; ///< recursion: the node of the record that is meant
  std::vector<schema_child> children;
  std::vector<schema_enumerator> enumerators;
};

}} // namespace ingot::INGOT_V1
