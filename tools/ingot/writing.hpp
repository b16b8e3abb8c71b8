// SPDX-License-Identifier: Apache-2.0
// Output of the commands: a file, or standard output if the name is `-`. When a file is replaced,
// its name always refers to all of the old bytes or to all of the new bytes.
#pragma once

#include <ingot/core/bytes.hpp>
#include <ingot/document/document.hpp>
#include <ingot/file/compression.hpp>
#include <ingot/file/file_info.hpp>

#include "cli_support.hpp"
#include "node.hpp"
#include "opened_file.hpp"

#include <cstdint>
#include <string>
#include <string_view>

namespace tool {

/// Writes JSON, or bytes of another format. On a terminal, control characters of JSON are escaped,
/// and bytes of another format are an error.
void write_text(output& to, const std::string& name, std::string_view text);
void write_bytes(output& to, const std::string& name, ingot::bytes_view bytes);
/// Writes a file in ingot's format: header, payload and schema. Compresses the payload as `how`
/// says, if the compressed payload is smaller. Standard output is never compressed.
void write_ingot(output& to, const std::string& name, const ingot::file_info& info, ingot::bytes_view payload,
                 ingot::bytes_view schema, const ingot::compression& how = {});

struct writing_options {
  std::uint32_t indent = 2; ///< JSON
  /// Replaces a value that the format can't represent by the nearest value that it can represent.
  /// If false, such a value is an error.
  bool reduce = false;
  /// Encoding of objects with `$` keys.
  ingot::unsupported_values unsupported_values = ingot::unsupported_values::reject;
  /// MessagePack and CBOR: keys that are integers in the form of text become integers.
  bool integer_keys = false;
  bool wide_reals = false; ///< 8 bytes for each floating-point number
  std::uint32_t max_depth = 128;
  ingot::compression compress{}; ///< only for files in ingot's format
  bool columns = false;          ///< only for files in ingot's format
};

/// Returns JSON of a value, for files.
[[nodiscard]] std::string json_of(const ingot::value& from, const writing_options& options);

/// Writes a document in one of the formats that can hold any document.
void write_document(output& to, const std::string& name, const ingot::document& from, format as,
                    const writing_options& options);

} // namespace tool
