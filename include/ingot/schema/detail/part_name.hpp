// SPDX-License-Identifier: Apache-2.0
// Short names of a schema's parts for messages: "sequence" without the type of its elements. Also
// cuts long names that come from a schema.
#pragma once

#include <ingot/schema/fingerprint.hpp>

#include <cstddef>
#include <string>
#include <string_view>

namespace ingot { inline namespace INGOT_V1 { namespace detail {

/// Reason why a record can't be read as a record of another type.
inline constexpr std::string_view no_common_member = "no member has the name of one in the other";

/// Returns "open enum " or "flags enum " if numbers without an enumerator can be values; otherwise
/// "enum ".
[[nodiscard]] constexpr std::string_view enumeration_name(const schema_attributes& attributes) noexcept {
  return attributes.has(schema_flag::is_open)    ? "open enum "
         : attributes.has(schema_flag::is_flags) ? "flags enum "
                                                 : "enum ";
}

/// Returns a name, or the beginning of a very long name: schemas from untrusted input must not make
/// error messages long.
[[nodiscard]] inline std::string truncated_name(std::string_view name) {
  constexpr std::size_t max_size = 128;
  if (name.size() <= max_size) return std::string(name);
  std::size_t end = max_size;
  // Don't cut within a UTF-8 character.
  while (end > 0 && (static_cast<unsigned char>(name[end]) & 0xC0) == 0x80) --end;
  return std::string(name.substr(0, end)) + "...";
}
[[nodiscard]] inline std::string part_name(const schema_attributes& attributes) {
  const std::string sign = attributes.has(schema_flag::is_signed) ? "i" : "u";
  const std::string bits = std::to_string(attributes.width * 8);
  const std::string multi = attributes.has(schema_flag::is_multi) ? "multi" : "";
  switch (attributes.kind) {
  case schema_kind::none: break;
  case schema_kind::boolean: return "bool";
  case schema_kind::integer: return sign + bits;
  case schema_kind::floating: return "f" + bits;
  case schema_kind::character: return "char" + bits;
  case schema_kind::byte: return "byte";
  case schema_kind::enumeration: return std::string(enumeration_name(attributes)) + sign + bits;
  case schema_kind::duration:
    return "duration in " + std::to_string(attributes.extent) + "/" + std::to_string(attributes.divisor) +
           " s";
  case schema_kind::time_point: return "time_point";
  case schema_kind::complex: return "complex";
  case schema_kind::bitset: return "bitset of " + std::to_string(attributes.extent);
  case schema_kind::string: return attributes.width == 1 ? "string" : "string" + bits;
  case schema_kind::path: return "path";
  case schema_kind::document: return "document";
  case schema_kind::sequence: return "sequence";
  case schema_kind::array: return "array of " + std::to_string(attributes.extent);
  case schema_kind::set: return multi + "set";
  case schema_kind::unordered_set: return "unordered " + multi + "set";
  case schema_kind::map: return multi + "map";
  case schema_kind::unordered_map: return "unordered " + multi + "map";
  case schema_kind::optional: return "optional";
  case schema_kind::variant: return "variant";
  case schema_kind::expected: return "expected";
  case schema_kind::tuple: return "tuple";
  case schema_kind::record:
    return attributes.has(schema_flag::is_versioned) ? "record version " + std::to_string(attributes.extent)
                                                     : "record";
  case schema_kind::recursion: return "recursion";
  }
  return "nothing";
}

}}} // namespace ingot::INGOT_V1::detail
