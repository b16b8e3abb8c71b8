// SPDX-License-Identifier: Apache-2.0
// Options of the functions that print a schema for another language.
#pragma once

#include <ingot/schema/schema.hpp>

#include <cstddef>
#include <string_view>

namespace ingot { inline namespace INGOT_V1 {

/// Options of `to_cpp`, `to_proto` and `to_json_schema`.
struct schema_print_options {
  /// Name of the whole type. If it is empty, this is the type's name, or "Root" for a type without
  /// a name.
  std::string_view name{};
  /// Maximum length of the text in bytes.
  std::size_t max_bytes = schema::default_text_limit;
};

}} // namespace ingot::INGOT_V1
