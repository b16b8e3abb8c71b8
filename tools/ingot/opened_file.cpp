// SPDX-License-Identifier: Apache-2.0
#include "opened_file.hpp"

#include <ingot/core/detail/catch_bad_alloc.hpp>
#include <ingot/document/archive.hpp>
#include <ingot/document/cbor.hpp>
#include <ingot/document/msgpack.hpp>
#include <ingot/document/writer.hpp>
#include <ingot/dynamic/pack.hpp>
#include <ingot/dynamic/validate_any.hpp>
#include <ingot/file/detail/log_file.hpp>
#include <ingot/json/document.hpp>
#include <ingot/protobuf/document.hpp>
#include <ingot/schema/description.hpp>

#include "cli_support.hpp"
#include "mend_file.hpp"
#include "source.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstring>
#include <limits>
#include <memory>
#include <string>
#include <string_view>
#include <utility>

namespace tool {

namespace {

using ingot::bytes_view;
using ingot::errc;
using ingot::error;
using ingot::fail;
using ingot::file_kind;
using ingot::result;

constexpr std::array<std::pair<std::string_view, format>, 12> format_names{{
    {"auto", format::automatic},
    {"json", format::json},
    {"jsonl", format::jsonl},
    {"msgpack", format::msgpack},
    {"cbor", format::cbor},
    {"archive", format::archive},
    {"document", format::document},
    {"ingot", format::ingot},
    {"packed", format::packed},
    {"compact", format::compact},
    {"live", format::live},
    {"protobuf", format::protobuf},
}};

/// Adds the file's name to the path, as the library does. `error_text` removes the name from
/// messages.
[[nodiscard]] std::unexpected<error> about(error err, const std::string& name) {
  return fail(err.in_key(name));
}

template <class T>
[[nodiscard]] std::unique_ptr<T> moved_to_heap(T&& object) {
  return std::make_unique<T>(std::move(object));
}

[[nodiscard]] ingot::max_block_size block_size_for(std::size_t bytes) noexcept {
  // In all formats that are converted to documents, each value takes at least one byte. In a
  // document, a value takes at most 64 bytes.
  const std::uint64_t wanted_size = std::uint64_t{bytes} * 64 + (std::uint64_t{1} << 20);
  return ingot::max_block_size{
      static_cast<std::size_t>(std::min<std::uint64_t>(wanted_size, (std::uint64_t{1} << 31) - 65536))};
}

// Files with ingot's header.

/// Validates those values in a message that have no declared type, and so are stored as archives.
/// Opening a message does not validate these values, but the tool shows all of them.
[[nodiscard]] result<void> check_values(const ingot::dynamic_message& of, const ingot::schema& by) {
  const bool has_any = std::ranges::any_of(by.nodes(), [](const ingot::schema_node& each) {
    return each.attributes.kind == ingot::schema_kind::document;
  });
  return has_any ? ingot::validate_any(of.root()) : result<void>();
}

[[nodiscard]] result<void> open_records(opened& to) {
  auto log = ingot::detail::log_input::open(files(), to.name);
  if (!log) return fail(log.error());
  std::optional<ingot::dynamic_schema> by;
  if (to.schema) {
    auto types = ingot::dynamic_schema::from(*to.schema, to.profile());
    if (!types) return log->file().about(types.error());
    by = std::move(*types);
  }
  for (;;) {
    bytes_view payload;
    const std::uint64_t number = log->records();
    const auto more = by ? log->next(payload, max_record_size) : log->skip();
    if (!more) return fail(more.error());
    if (!*more) break;
    if (!by) continue;
    const auto record = ingot::dynamic_message::open_in_place(payload, *by);
    if (!record) return log->with_file_context(record.error(), number, payload.size());
    if (const auto good = check_values(*record, *to.schema); !good)
      return log->with_file_context(good.error(), number, payload.size());
  }
  to.records = log->records();
  to.lost_bytes = log->lost_bytes();
  to.missing_reason = log->why();
  return {};
}

/// Returns the maximum decompressed size in bytes. The tool does not open files above this limit,
/// because a short untrusted file may claim to expand 32,768 times.
[[nodiscard]] std::size_t max_elements(std::uint64_t bytes_in_file) {
  constexpr std::uint64_t always = std::uint64_t{1} << 30;
  return static_cast<std::size_t>(std::max(always, bytes_in_file * 64));
}

[[nodiscard]] result<void> open_payload(const ingot::detail::input_file& file, opened& to) {
  const auto& info = file.header().info;
  if (info.schema == ingot::schema_form::portable) {
    if (info.schema_size > max_description_size)
      return file.about(error{errc::too_large, file.header().schema_at()}.with_expected(
          "a description of a type of at most 256 KiB"));
    const auto bytes = file.read_schema();
    if (!bytes) return fail(bytes.error());
    auto schema = ingot::read_schema(*bytes);
    if (!schema) {
      error err = schema.error();
      return file.about(err.with_offset(err.offset() + file.header().schema_at()));
    }
    to.schema = moved_to_heap(std::move(*schema));
  }
  if (to.is_log()) return open_records(to);
  // The payload is copied, so that later changes to the file have no effect.
  auto memory = file.map(true, true, true, 0, max_elements(to.bytes));
  if (!memory) return fail(memory.error());
  to.memory = moved_to_heap(std::move(*memory));
  if (info.kind == file_kind::document || info.kind == file_kind::edited_document) {
    auto opened_document = ingot::document::open_in_place(to.memory->payload());
    if (!opened_document) return file.with_file_context(opened_document.error());
    to.document = moved_to_heap(std::move(*opened_document));
  }
  if (to.schema) {
    const auto by = ingot::dynamic_schema::from(*to.schema, to.profile());
    if (!by) return file.about(by.error());
    auto opened_message = ingot::dynamic_message::open_in_place(to.memory->payload(), *by);
    if (!opened_message) return file.with_file_context(opened_message.error());
    if (const auto good = check_values(*opened_message, *to.schema); !good)
      return file.with_file_context(good.error());
    to.message = moved_to_heap(std::move(*opened_message));
  }
  if ((info.kind == file_kind::live || info.kind == file_kind::edited_live) &&
      info.schema == ingot::schema_form::layout) {
    const auto bytes = file.read_schema();
    if (!bytes) return fail(bytes.error());
    const auto layout = ingot::dynamic_layout::open(*bytes);
    if (!layout) {
      error err = layout.error();
      return file.about(err.with_offset(err.offset() + file.header().schema_at()));
    }
    auto block = ingot::dynamic_block::open_in_place(to.memory->payload(), *layout);
    if (!block) return file.with_file_context(block.error());
    to.block = moved_to_heap(std::move(*block));
  }
  return {};
}

[[nodiscard]] result<opened> open_ingot(opened&& to) {
  progress_bar bar(to.name);
  const auto file = ingot::detail::input_file::open(files(), to.name, ingot::file_open_mode::read, bar);
  if (!file) return fail(file.error());
  to.as = format::ingot;
  to.header = file->header();
  const auto size = file->size();
  if (!size) return fail(size.error());
  to.bytes = *size;
  if (const auto done = open_payload(*file, to); !done) return fail(done.error());
  return std::move(to);
}

// All other formats are converted to a document.

[[nodiscard]] ingot::json::read_options json_options(const reading& how) noexcept {
  namespace json = ingot::json;
  json::read_options settings{.max_depth = how.max_depth};
  if (how.repeated_keys == ingot::key_policy::first_wins)
    settings.duplicate_keys = json::duplicate_keys::first_wins;
  if (how.repeated_keys == ingot::key_policy::last_wins)
    settings.duplicate_keys = json::duplicate_keys::last_wins;
  if (how.nearest_integers) settings.large_integers = json::large_integers::nearest;
  if (how.allows_comments) settings.comments = json::comments::allow;
  if (how.allows_commas) settings.trailing_commas = json::trailing_commas::allow;
  return settings;
}
/// Options that MessagePack and CBOR share.
template <class Options>
[[nodiscard]] Options binary_options(const reading& how, progress_bar& bar) noexcept {
  Options settings;
  settings.unsupported_values = how.unsupported_values;
  if (how.spells_keys) settings.non_text_keys = ingot::non_text_keys::as_text;
  if (how.whole_reals) settings.whole_reals = ingot::whole_reals::integers;
  if constexpr (requires { settings.fractions; }) {
    if (how.keeps_fractions) settings.fractions = ingot::fractions::wrap;
  }
  settings.repeated_keys = how.repeated_keys;
  settings.max_depth = how.max_depth;
  settings.progress = bar;
  return settings;
}
/// Replaces the name of a library option in the message by the name of the tool's option. If the
/// message names no option, adds the tool's option.
[[nodiscard]] error with_option(error err, format as) {
  const std::string_view expected = err.expected();
  const bool is_text = as == format::json || as == format::jsonl;
  switch (err.code()) {
  case errc::duplicate_key:
    return err.with_expected("a key that the object does not have yet, or --duplicates");
  case errc::too_deep: return err.with_expected("no more levels than --max-depth");
  case errc::out_of_range:
    if (expected.find("large_integers") != std::string_view::npos)
      return err.with_expected("an integer of 64 bits, or --big-integers nearest");
    break;
  case errc::syntax:
    if (is_text && (err.found().starts_with("//") || err.found().starts_with("/*")))
      return err.with_expected("a value, or --comments");
    break;
  default: break;
  }
  constexpr std::pair<std::string_view, std::string_view> names[] = {
      {": see non_text_keys", ", or --other-keys"}, {": see unsupported_values", ", or --reduce or --wrap"}};
  for (const auto& [ours, option] : names) {
    if (!expected.ends_with(ours)) continue;
    std::string text(expected.substr(0, expected.size() - ours.size()));
    return err.with_expected(text += option);
  }
  return err;
}

/// Names --trailing-commas in the error, if this option lets the reader continue after the error's
/// position.
[[nodiscard]] error with_commas_option(error err, std::string_view text, reading how) {
  const bool is_at_end = err.found() == "']'" || err.found() == "'}'";
  if (err.code() != errc::syntax || !is_at_end || how.allows_commas) return err;
  how.allows_commas = true;
  const auto again = ingot::json::read_document(text, block_size_for(text.size()), json_options(how));
  if (!again && again.error().offset() <= err.offset()) return err;
  return err.with_expected(err.found() == "']'" ? "a value after the comma, or --trailing-commas"
                                                : "a key after the comma, or --trailing-commas");
}

[[nodiscard]] result<ingot::document> read_lines(std::string_view text, const reading& how) {
  ingot::document_writer_options options;
  options.repeated_keys = how.repeated_keys;
  options.max_size = block_size_for(text.size());
  ingot::document_writer to(options);
  to.begin_array();
  std::uint32_t number = 0;
  while (!text.empty()) {
    const std::string_view line = text.substr(0, text.find('\n'));
    text.remove_prefix(std::min(text.size(), line.size() + 1));
    ++number;
    if (line.find_first_not_of(" \t\r") == std::string_view::npos) continue;
    if (const auto events = ingot::json::read_events(to, line, json_options(how)); !events) {
      error err = with_commas_option(events.error(), line, how);
      return fail(err.with_position(number, err.column()));
    }
  }
  to.end();
  return to.finish();
}

/// Names --from jsonl in the error, if the text has a value on each of its first two lines.
[[nodiscard]] error with_lines_option(error err, std::string_view text, const reading& how) {
  if (err.code() != errc::trailing_bytes) return err;
  for (int line = 0; line < 2; ++line) {
    const std::string_view value = text.substr(0, text.find('\n'));
    text.remove_prefix(std::min(text.size(), value.size() + 1));
    if (!ingot::json::read_document(value, block_size_for(value.size()), json_options(how))) return err;
  }
  return err.with_expected("the end of the text, or --from jsonl for a value a line");
}

[[nodiscard]] result<ingot::document> read_document(std::string_view bytes, const reading& how,
                                                    const std::string& name) {
  progress_bar bar(name);
  const bytes_view view = std::as_bytes(std::span(bytes));
  const ingot::max_block_size max_size = block_size_for(bytes.size());
  auto whole = [&]() -> result<ingot::document> {
    switch (how.as) {
    case format::msgpack:
      return ingot::msgpack::read_document(view, max_size,
                                           binary_options<ingot::msgpack::read_options>(how, bar));
    case format::cbor:
      return ingot::cbor::read_document(view, max_size, binary_options<ingot::cbor::read_options>(how, bar));
    case format::archive: return ingot::unarchive(view);
    case format::document: return ingot::document::open(view, {.max_size = max_size});
    case format::jsonl: return read_lines(bytes, how);
    default: {
      auto options = json_options(how);
      options.progress = bar;
      auto read = ingot::json::read_document(bytes, max_size, options);
      if (!read) return fail(with_lines_option(with_commas_option(read.error(), bytes, how), bytes, how));
      return read;
    }
    }
  }();
  if (!whole) return fail(with_option(whole.error(), how.as));
  return whole;
}

/// Converts a protobuf message to a packed value by a schema.
[[nodiscard]] result<opened> open_message(opened&& to, std::string_view bytes, const ingot::schema* by) {
  if (by == nullptr)
    return about(error{errc::unsupported}.with_expected("a schema for the protobuf message, --schema"),
                 to.name);
  const bytes_view view = std::as_bytes(std::span(bytes));
  const auto ready = ingot::dynamic_schema::from(*by);
  if (!ready) return fail(ready.error());
  const auto converted = ingot::protobuf::read_document(view, *by, block_size_for(bytes.size()));
  if (!converted) return about(converted.error(), to.name);
  ingot::pack_document_options packing;
  packing.max_bytes = max_elements(bytes.size());
  const auto packed = ingot::pack_document(*converted, *ready, packing);
  if (!packed) return about(packed.error(), to.name);
  auto message = ingot::dynamic_message::open(*packed, *ready);
  if (!message) return about(message.error(), to.name);
  to.schema = moved_to_heap(ingot::schema(*by));
  to.message = moved_to_heap(std::move(*message));
  return std::move(to);
}

/// Returns the format of a file that begins with `start`; `automatic` if the first bytes don't
/// determine the format.
[[nodiscard]] format format_of_bytes(std::string_view start) noexcept {
  if (start.starts_with("ingF")) return format::ingot;
  if (start.starts_with("ingD")) return format::document;
  if (start.starts_with("ingA")) return format::archive;
  if (start.starts_with("\xD9\xD9\xF7")) return format::cbor; // RFC 8949: self-described CBOR
  return format::automatic;
}

[[nodiscard]] format guess(const std::string& name, std::string_view bytes) noexcept {
  if (const format said = format_of_bytes(bytes); said != format::automatic) return said;
  if (const format said = format_of_name(name); said != format::automatic) return said;
  return format::json;
}

/// Returns the kind of a file of another program by its first bytes; empty text if it is unknown.
[[nodiscard]] std::string_view foreign_kind(std::string_view start) noexcept {
  using namespace std::string_view_literals;
  constexpr std::array<std::pair<std::string_view, std::string_view>, 15> kinds{{
      {"\x89PNG\r\n"sv, "a PNG picture"},
      {"\xFF\xD8\xFF"sv, "a JPEG picture"},
      {"GIF8"sv, "a GIF picture"},
      {"%PDF-"sv, "a PDF document"},
      {"\x1F\x8B"sv, "gzip: decompress it first"},
      {"\x28\xB5\x2F\xFD"sv, "Zstandard: decompress it first"},
      {"\x04\x22\x4D\x18"sv, "LZ4: decompress it first"},
      {"\xFD"
       "7zXZ\0"sv,
       "xz: decompress it first"},
      {"BZh"sv, "bzip2: decompress it first"},
      {"PK\x03\x04"sv, "a ZIP archive: unpack it first"},
      {"\x7F"
       "ELF"sv,
       "an ELF program"},
      {"SQLite format 3\0"sv, "a database of SQLite"},
      {"PAR1"sv, "Parquet"},
      {"<?xml"sv, "XML"},
      {"\xFF\xFE"sv, "text of UTF-16: convert it to UTF-8 first"},
  }};
  for (const auto& [begin, kind] : kinds) {
    if (start.starts_with(begin)) return kind;
  }
  return {};
}

[[nodiscard]] constexpr bool is_blank(char c) noexcept { return c == ' ' || c == '\t' || c == '\r'; }

/// Returns the first lines of a text that are neither empty nor comments (`#`, `;`).
[[nodiscard]] std::array<std::string_view, 2> first_lines(std::string_view text) noexcept {
  std::array<std::string_view, 2> lines;
  text = text.substr(0, 4096);
  for (std::size_t found = 0; found < lines.size() && !text.empty();) {
    std::string_view line = text.substr(0, text.find('\n'));
    text.remove_prefix(std::min(text.size(), line.size() + 1));
    while (!line.empty() && is_blank(line.back())) line.remove_suffix(1);
    while (!line.empty() && is_blank(line.front())) line.remove_prefix(1);
    if (!line.empty() && line.front() != '#' && line.front() != ';') lines[found++] = line;
  }
  return lines;
}

/// Returns the kind of text that is not JSON, by its first lines; empty text if it may be JSON with
/// an error.
[[nodiscard]] std::string_view kind_of_text(std::string_view text, const error& err) noexcept {
  const auto [line, next] = first_lines(text);
  const auto is_control = [](char c) {
    return static_cast<unsigned char>(c) < 0x20 && !is_blank(c) && c != '\n' && c != '\f';
  };
  if (std::ranges::any_of(text.substr(0, 4096), is_control)) return "binary data";
  if (line.empty())
    return text.find_first_not_of(" \t\r\n") == std::string_view::npos ? "white space" : "comments";
  if (line.front() == '<') return "XML or HTML";
  if (line == "---" || line.starts_with("--- ") || line.starts_with("%YAML")) return "YAML";
  const auto is_in = [](char c, std::string_view set) { return set.find(c) != std::string_view::npos; };
  const auto is_name = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
           c == '-' || c == '.' || c == '"' || c == '\'' || c == ' ';
  };
  const auto after_name = [&](std::string_view in) {
    return in.substr(static_cast<std::size_t>(std::ranges::find_if_not(in, is_name) - in.begin()));
  };
  if (line.front() == '[') { // "[section]", and then a line "name = value"
    const bool is_section = line.back() == ']' && line.size() > 2 &&
                            std::ranges::all_of(line.substr(1, line.size() - 2), is_name);
    const bool has_value = !next.empty() && after_name(next).starts_with('=');
    return is_section && has_value ? "TOML or INI" : std::string_view();
  }
  if (is_in(line.front(), "{\"")) return {};
  const std::string_view rest = after_name(line);
  if (rest.starts_with('=')) return "TOML or INI";
  if (rest == ":" || rest.starts_with(": ") || line.starts_with("- ")) return "YAML";
  for (const char separator : {'\t', ';', ','}) {
    const auto count = std::ranges::count(line, separator);
    if (count != 0 && (next.empty() || std::ranges::count(next, separator) == count))
      return separator == '\t' ? "columns with tabs" : "CSV";
  }
  const bool is_first_word = err.code() == errc::syntax && err.line() == 1 && err.column() == 1;
  const bool may_be_json =
      is_in(line.front(), "NI") || (is_in(line.front(), "-0123456789tfn") && !is_first_word);
  return may_be_json ? std::string_view() : "text that is no JSON";
}

/// Names the format of bytes that were taken for JSON, in the error of the JSON reader.
[[nodiscard]] error with_recognised_format(const error& err, std::string_view bytes, reading how,
                                           std::string_view name) {
  error other{errc::not_ingot};
  other.with_expected("JSON, MessagePack, CBOR or a file of ingot's");
  if (bytes.empty()) return other.with_found("no bytes");
  if (const std::string_view kind = foreign_kind(bytes); !kind.empty()) return other.with_found(kind);
  const auto first = static_cast<unsigned char>(bytes.front());
  for (const format as : {format::msgpack, format::cbor}) {
    if (first < 0x80) break; // no array or object of MessagePack and CBOR begins so
    how.as = as;
    how.spells_keys = true;
    if (!read_document(bytes, how, {})) continue;
    return as == format::msgpack ? other.with_expected("JSON, or --from msgpack").with_found("MessagePack")
                                 : other.with_expected("JSON, or --from cbor").with_found("CBOR");
  }
  std::string_view text = bytes;
  if (text.starts_with("\xEF\xBB\xBF")) text.remove_prefix(3); // a byte order mark
  const std::string_view kind = kind_of_text(text, err);
  const bool is_named_json = name.ends_with(".json") || name.ends_with(".jsonc") || name.ends_with(".json5");
  const bool is_certain = !is_named_json || kind == "XML or HTML" || kind == "white space";
  const auto code = err.code();
  const bool is_of_text = code == errc::syntax || code == errc::truncated || code == errc::trailing_bytes ||
                          code == errc::invalid_utf8;
  if (!kind.empty() && is_certain && is_of_text) return other.with_found(kind);
  return err;
}

/// Changes the error of a truncated archive, so that the message does not advise --unchecked, which
/// cannot repair archives.
[[nodiscard]] error with_archive_header(const error& err, format as) {
  if (as != format::archive || err.code() != errc::truncated || !err.expected().ends_with("header says"))
    return err;
  return error(err).with_expected("as many bytes as the archive's header says");
}

[[nodiscard]] std::string first_bytes(const std::string& name) {
  std::string start(4, '\0');
  const int file = files().open(ingot::file_system::here, name.c_str(), ingot::file_open_mode::read, 0);
  if (file < 0) return {};
  const auto got = files().read(file, std::as_writable_bytes(std::span(start.data(), start.size())), 0);
  files().close(file);
  start.resize(got > 0 ? static_cast<std::size_t>(got) : 0);
  return start;
}

} // namespace

std::string_view to_string(format of) noexcept {
  const auto* const found = std::ranges::find(format_names, of, &std::pair<std::string_view, format>::second);
  return found == format_names.end() ? std::string_view() : found->first;
}

std::optional<format> format_named(std::string_view name) noexcept {
  const auto* const found =
      std::ranges::find(format_names, name, &std::pair<std::string_view, format>::first);
  return found == format_names.end() ? std::nullopt : std::optional(found->second);
}

format format_of_name(std::string_view name) noexcept {
  constexpr std::array<std::pair<std::string_view, format>, 13> ends{{{".json", format::json},
                                                                      {".jsonc", format::json},
                                                                      {".json5", format::json},
                                                                      {".jsonl", format::jsonl},
                                                                      {".ndjson", format::jsonl},
                                                                      {".msgpack", format::msgpack},
                                                                      {".mp", format::msgpack},
                                                                      {".cbor", format::cbor},
                                                                      {".inga", format::archive},
                                                                      {".ingot", format::ingot},
                                                                      {".doc", format::ingot},
                                                                      {".pb", format::protobuf},
                                                                      {".binpb", format::protobuf}}};
  for (const auto& [end, of] : ends) {
    if (name.ends_with(end)) return of;
  }
  return format::automatic;
}

format format_of_source(const std::string& name) {
  return name == "-" ? format::automatic : guess(name, first_bytes(name));
}

std::optional<node> opened::root() const {
  if (document) return node(std::as_const(*document).root());
  if (block) return node(block->root());
  if (message) return node(message->root());
  return {};
}

ingot::message_profile opened::profile() const noexcept {
  const file_kind kind = header ? header->info.kind : file_kind::packed;
  return kind == file_kind::compact || kind == file_kind::compact_log ? ingot::message_profile::compact
                                                                      : ingot::message_profile::pack;
}

std::string opened::what() const {
  if (header) return std::string(to_string(header->info.kind));
  switch (as) {
  case format::json: return "JSON";
  case format::jsonl: return "JSON, a value a line";
  case format::msgpack: return "MessagePack";
  case format::cbor: return "CBOR";
  case format::archive: return "the archive of a document";
  case format::protobuf: return "a message of protobuf's";
  default: return "a document's own bytes";
  }
}

result<ingot::document> read_as(const reading& how, std::string_view bytes, const std::string& name) {
  return read_document(bytes, how, name);
}

result<opened> open(const std::string& name, const reading& how, const ingot::schema* by) {
  return ingot::detail::catch_bad_alloc([&]() -> result<opened> {
    if (how.unchecked) {
      omit_unchecked_hint();
      mend_file(name, how);
    }
    opened to;
    to.name = name;
    to.how = how;
    const format as = how.as;
    // Files in ingot's format are not read into memory here, because a log may be as large as a
    // disk.
    if (as == format::ingot || (as == format::automatic && first_bytes(name) == "ingF"))
      return open_ingot(std::move(to));
    const auto bytes = read_all(name);
    if (!bytes) return fail(bytes.error());
    to.as = as == format::automatic ? guess(name, *bytes) : as;
    to.bytes = bytes->size();
    // If only one byte of the header is damaged, the error says so, even for a byte of the magic.
    const auto has_damaged_header = [&] { return has_header(std::as_bytes(std::span(*bytes))); };
    const auto header_error = error{errc::bad_checksum, 56}.with_expected("the checksum of the header");
    if (to.as == format::ingot) {
      auto file = open_ingot(std::move(to));
      const bool is_unrecognised = !file && file.error().code() == errc::not_ingot;
      return is_unrecognised && has_damaged_header() ? about(header_error, name) : std::move(file);
    }
    if (to.as == format::protobuf) return open_message(std::move(to), *bytes, by);
    to.how.as = to.as;
    // files of these names are JSON with comments and trailing commas
    if (to.as == format::json && (name.ends_with(".jsonc") || name.ends_with(".json5")))
      to.how.allows_comments = to.how.allows_commas = true;
    auto parsed = read_document(*bytes, to.how, to.name);
    if (!parsed) {
      const bool is_guess = as == format::automatic && to.as == format::json;
      if (!is_guess) return about(with_archive_header(parsed.error(), to.as), name);
      if (has_damaged_header()) return about(header_error, name);
      return about(with_recognised_format(parsed.error(), *bytes, to.how, name), name);
    }
    to.document = moved_to_heap(std::move(*parsed));
    return to;
  });
}

node root_of(const opened& file) {
  if (const auto root = file.root()) return *root;
  const std::string_view form = file.header && file.header->info.schema == ingot::schema_form::none
                                    ? "save it with its schema"
                                    : "open it with a program that has the type";
  throw failure(sentence(file.name + ": no value to show", "a file that can be read without its type",
                         file.what(), form));
}

} // namespace tool
