// SPDX-License-Identifier: Apache-2.0
#include "writing.hpp"

#include <ingot/document/archive.hpp>
#include <ingot/document/cbor.hpp>
#include <ingot/document/msgpack.hpp>
#include <ingot/file/detail/checksum.hpp>
#include <ingot/file/detail/replace_file.hpp>
#include <ingot/json/document.hpp>

#include "source.hpp"
#include "text.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <string>
#include <string_view>

namespace tool {

namespace {

using ingot::bytes_view;
using ingot::detail::replacing;

[[nodiscard]] std::string_view text_of(bytes_view bytes) noexcept {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

void replace(const std::string& name, bytes_view bytes) {
  const signal_blocker until_done;
  progress_bar bar(name, &until_done);
  const std::array<bytes_view, 1> parts{bytes};
  value_of(ingot::detail::replace_file(files(), name, parts, replacing::durable, {bar}), name);
}

/// Returns the document without free bytes, so that equal documents have equal bytes.
[[nodiscard]] ingot::document canonical(const ingot::document& from, const std::string& name) {
  ingot::document copied(from.root(), max_document_size);
  progress_bar bar(name);
  value_of(copied.try_compact(bar), name);
  return copied;
}

} // namespace

void write_text(output& to, const std::string& name, std::string_view text) {
  if (name == "-") to << (to.is_terminal() ? printable_json(text) : std::string(text));
  else replace(name, std::as_bytes(std::span(text)));
}

void write_bytes(output& to, const std::string& name, bytes_view bytes) {
  if (name == "-") to.binary(text_of(bytes));
  else replace(name, bytes);
}

void write_ingot(output& to, const std::string& name, const ingot::file_info& info, bytes_view payload,
                 bytes_view schema, const ingot::compression& how) {
  ingot::detail::file_header header{info};
  header.info.method = ingot::codec::none;
  header.info.columns = false;
  // In files for editing in place, the payload has another position. A file that is written here
  // can't be edited in place. So its kind becomes the kind of a file that `save` writes.
  if (info.kind == ingot::file_kind::edited_live) header.info.kind = ingot::file_kind::live;
  if (info.kind == ingot::file_kind::edited_document) header.info.kind = ingot::file_kind::document;
  if (name != "-") {
    const signal_blocker until_done;
    progress_bar bar(name, &until_done);
    // The payload's description determines the columns. So a payload without a description is not
    // split. Documents describe themselves.
    const bool columns = info.columns && (!schema.empty() || header.info.kind == ingot::file_kind::document);
    value_of(ingot::detail::save_payload(files(), name, header.info, payload, schema, replacing::durable, how,
                                         {.callback = bar}, columns ? std::optional(schema) : std::nullopt),
             name);
    return;
  }
  header.info.payload_size = payload.size();
  header.info.schema_size = static_cast<std::uint32_t>(schema.size());
  const auto checksums = value_of(ingot::detail::add_checksums(header, payload), name);
  header.schema_checksum = schema.empty() ? 0 : static_cast<std::uint32_t>(ingot::detail::checksum(schema));
  std::array<std::byte, ingot::detail::file_header_size> head;
  ingot::detail::write_header(header, head.data());
  to.binary(text_of(head));
  to.binary(text_of(payload));
  if (schema.empty() && checksums.empty()) return;
  to.binary(std::string((8 - payload.size() % 8) % 8, '\0'));
  to.binary(text_of(checksums));
  to.binary(text_of(schema));
}

std::string json_of(const ingot::value& from, const writing_options& options) {
  namespace json = ingot::json;
  json::write_options how{.key_order = json::key_order::sorted,
                          .indent = options.indent,
                          .max_depth = 1U << 30,
                          .max_bytes = std::numeric_limits<std::size_t>::max()};
  if (options.reduce) {
    how.non_finite = json::non_finite::strings;
    how.invalid_utf8 = json::invalid_utf8::replace;
    how.binary = json::binary_style::base64;
  }
  auto encoded_text = json::write(from, how);
  if (encoded_text) return std::move(*encoded_text);
  ingot::error err = encoded_text.error();
  const auto code = err.code();
  const bool has_no_form = code == ingot::errc::out_of_range || code == ingot::errc::type_mismatch ||
                           code == ingot::errc::invalid_utf8;
  // The error names an option of the library. Its offset is in the JSON, which is not written.
  const std::string_view reduce = has_no_form && !options.reduce ? ", or --reduce" : "";
  const std::string_view expected = err.expected().substr(0, err.expected().find(", or the option "));
  err.with_expected(std::string(expected).append(reduce));
  std::string text = err.message();
  const std::string offset = " at byte " + std::to_string(err.offset());
  if (const auto at = text.find(offset); at != std::string::npos) text.erase(at, offset.size());
  throw failure(text);
}

/// Options that MessagePack and CBOR share.
template <class Options>
[[nodiscard]] static Options binary_options(const writing_options& options) noexcept {
  Options result_options;
  result_options.unsupported_values = options.unsupported_values;
  if (options.reduce) result_options.foreign = ingot::foreign_values::lossy;
  if (options.integer_keys) result_options.integer_keys = ingot::integer_keys::integers;
  if (options.wide_reals) result_options.min_real = ingot::real_width::whole;
  result_options.max_depth = options.max_depth;
  return result_options;
}
/// Returns the bytes of `encoded`. If `encoded` is an error, throws this error with the name of the
/// tool's option in the message.
[[nodiscard]] static ingot::buffer binary_of(ingot::result<ingot::buffer>&& encoded) {
  if (encoded) return std::move(*encoded);
  ingot::error err = encoded.error();
  constexpr std::string_view ours = ": see foreign_values";
  if (err.code() == ingot::errc::too_deep) err.with_expected("no more levels than --max-depth");
  if (err.expected().ends_with(ours)) {
    std::string text(err.expected().substr(0, err.expected().size() - ours.size()));
    err.with_expected(text += ", or --reduce");
  }
  throw failure(err);
}

void write_document(output& to, const std::string& name, const ingot::document& from, format as,
                    const writing_options& options) {
  switch (as) {
  case format::json: return write_text(to, name, json_of(from.root(), options) + '\n');
  case format::jsonl: {
    if (!from.root().is_array())
      return write_text(to, name, json_of(from.root(), {.indent = 0, .reduce = options.reduce}) + '\n');
    std::string lines;
    for (const auto& each : from.root().elements())
      lines += json_of(each, {.indent = 0, .reduce = options.reduce}) + '\n';
    return write_text(to, name, lines);
  }
  case format::msgpack:
    return write_bytes(
        to, name,
        binary_of(ingot::msgpack::write(from, binary_options<ingot::msgpack::write_options>(options))));
  case format::cbor:
    return write_bytes(
        to, name, binary_of(ingot::cbor::write(from, binary_options<ingot::cbor::write_options>(options))));
  case format::archive: return write_bytes(to, name, value_of(ingot::archive(from)));
  case format::document: return write_bytes(to, name, canonical(from, name).bytes());
  default: {
    ingot::file_info info;
    info.kind = ingot::file_kind::document;
    info.columns = options.columns;
    return write_ingot(to, name, info, canonical(from, name).bytes(), {}, options.compress);
  }
  }
}

} // namespace tool
