// SPDX-License-Identifier: Apache-2.0
// What the verbs write: a file, so that its name leads to the old bytes or to all of the new ones; or standard output, where it is called `-`.
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

/// JSON, as it is but for what a terminal would obey, if one gets it; other bytes a terminal does not get.
void write_text(output& to, const std::string& name, std::string_view text);
void write_bytes(output& to, const std::string& name, ingot::bytes_view bytes);
/// A file of ingot's: header, payload and schema. Compressed, by the codec and level, where that makes it smaller; on standard output never.
void write_ingot(output& to, const std::string& name, const ingot::file_info& info, ingot::bytes_view payload,
                 ingot::bytes_view schema, const ingot::compression& how = {});

struct writing_options {
  std::uint32_t indent = 2; ///< of JSON
  bool reduce = false;      ///< what a format has no form for becomes what is nearest, instead of an error
  ingot::unsupported_values unsupported_values = ingot::unsupported_values::reject; ///< whether objects with `$` keys are what they stand for
  bool integer_keys = false; ///< of MessagePack and CBOR: keys that spell an integer are one
  bool wide_reals = false;   ///< 8 bytes for each
  std::uint32_t max_depth = 128;
  ingot::compression compress{}; ///< of a file of ingot's
  bool columns = false;          ///< in one
};

/// JSON of a value, for files.
[[nodiscard]] std::string json_of(const ingot::value& from, const writing_options& options);

/// A document in one of the formats that take any.
void write_document(output& to, const std::string& name, const ingot::document& from, format as,
                    const writing_options& options);

} // namespace tool
