// SPDX-License-Identifier: Apache-2.0
// Compiles text that people edit into files that programs load, and decompiles files into text.
// Needs both libraries, ingot::json and ingot::file.
//
//   ingot::compile<Level>("level.json", "level.ingot"); // as save would write a Level
//   ingot::compile<ingot::live<World>>("world.json", "world.ingot"); // as a block, to be mapped
//   ingot::compile("settings.json", "settings.ingot"); // as a document, without a type
//   std::string text = ingot::decompile<Level>("level.ingot").value();
#pragma once

#include <ingot/core/detail/catch_bad_alloc.hpp>
#include <ingot/core/detail/light_standard.hpp>
#include <ingot/core/error.hpp>
#include <ingot/core/path_ref.hpp>
#include <ingot/core/progress.hpp>
#include <ingot/document/document.hpp>
#include <ingot/dynamic/document.hpp>
#include <ingot/dynamic/dynamic.hpp>
#include <ingot/dynamic/message.hpp>
#include <ingot/file/detail/text_file.hpp>
#include <ingot/file/document_file.hpp>
#include <ingot/file/live_file.hpp>
#include <ingot/file/load.hpp>
#include <ingot/file/options.hpp>
#include <ingot/file/save.hpp>
#include <ingot/json/document.hpp>
#include <ingot/json/options.hpp>
#include <ingot/json/read.hpp>
#include <ingot/json/write.hpp>
#include <ingot/live/detail/fill_block.hpp>
#include <ingot/live/live.hpp>

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

namespace ingot { inline namespace INGOT_V1 {

/// Options of `compile`.
struct compile_options {
  /// Options for reading the text. Comments are allowed, since people write the text.
  json::read_options text{.comments = json::comments::allow};
  /// Options for writing the file, such as `profile::compact`, or no schema.
  save_options file{};
  /// Maximum size of the text in bytes. A longer text is rejected with `too_large` before memory is
  /// allocated.
  std::size_t max_bytes = std::size_t{1} << 30;
  /// Reports the bytes of the text: first the bytes read from the file, then the bytes parsed.
  /// Reading and parsing count equally. `file.progress` reports writing the file.
  progress_ref progress{};
};

/// Options of `decompile`.
struct decompile_options {
  /// Options for writing the text.
  json::write_options text = json::pretty;
  /// Options for reading the file.
  load_options file{};
  /// For text that is written to a file: as `save_options::durable`.
  bool durable = true;
  /// Reports the bytes of text written to a file. `file.progress` reports the bytes read.
  /// `text.progress` reports the bytes of text produced.
  progress_ref progress{};
};

namespace detail {

/// Conversion between text and each type of value.
template <class T>
struct text_form {
  [[nodiscard]] static result<T> read(std::string_view text, const json::read_options& options) {
    return json::read<T>(text, options);
  }
  [[nodiscard]] static result<std::string> write(const T& value, const json::write_options& options) {
    return json::write(value, options);
  }
};
template <>
struct text_form<document> {
  [[nodiscard]] static result<document> read(std::string_view text, const json::read_options& options) {
    auto compiled = json::read_document(text, options);
    // Frees unused bytes, so that equal texts give equal files.
    if (compiled && !compiled->try_compact()) return fail(errc::no_memory);
    return compiled;
  }
  [[nodiscard]] static result<std::string> write(const document& value, const json::write_options& options) {
    return json::write(value, options);
  }
};
template <class Declared, block_policy P>
struct text_form<basic_live<Declared, P>> {
  using block = basic_live<Declared, P>;

  [[nodiscard]] static result<block> read(std::string_view text, const json::read_options& options) {
    return fill_block<Declared, P>(std::max(block::default_max_block_size.bytes, 4 * text.size()),
                                   [&](block& fresh) -> result<void> {
                                     if (auto read = json::read_into(*fresh, text, options); !read)
                                       return fail(read.error());
                                     if (!fresh.try_compact()) return fail(errc::no_memory);
                                     return {};
                                   });
  }
  [[nodiscard]] static result<std::string> write(const block& value, const json::write_options& options) {
    return json::write(*value, options);
  }
};

/// Loads a value without its type, by the description of the type that the file contains.
[[nodiscard]] inline result<document> load_described(const input_file& file, const load_options& options) {
  const file_info& info = file.header().info;
  const auto description = file.read_schema();
  if (!description) return fail(description.error());
  const auto bytes = read_bytes(file, options);
  if (!bytes) return fail(bytes.error());
  const auto described = [&](const auto& value) -> result<document> {
    if (!value) return file.with_file_context(value.error());
    auto converted = to_document(value->root());
    if (!converted) return file.with_file_context(converted.error());
    return converted;
  };
  if (info.kind == file_kind::live) {
    const auto layout = dynamic_layout::open(as_bytes_view(*description));
    if (!layout) return file.about(layout.error());
    return described(dynamic_block::open_in_place(*bytes, *layout));
  }
  const auto by = dynamic_schema::open(as_bytes_view(*description), info.kind == file_kind::compact
                                                                        ? message_profile::compact
                                                                        : message_profile::pack);
  if (!by) return file.about(by.error());
  return described(dynamic_message::open_in_place(*bytes, *by));
}
[[nodiscard]] inline bool is_described(const file_info& info) noexcept {
  switch (info.kind) {
  case file_kind::packed:
  case file_kind::compact: return info.schema == schema_form::portable;
  case file_kind::live: return info.schema == schema_form::layout;
  default: return false;
  }
}

} // namespace detail

/// Reads a JSON text and saves its value as `save` saves a `T`: a packable type as packed or
/// compact bytes, a `live` as a block without free bytes, and a `document` as a document. Without a
/// template argument, saves a document. Equal texts give equal files. If the type has upgrades for
/// older texts, the upgrades are applied (docs/json.md).
///
/// Errors: as `json::read`, with the path of the text file, line, column and member; `too_large` if
/// the text is longer than the options allow; `io`; as `save`. After an error the file `to` is
/// unchanged.
template <class T = document>
[[nodiscard]] result<void> compile(path_ref from, path_ref to, const compile_options& options = {},
                                   file_system& system = system_files()) {
  return detail::catch_bad_alloc([&]() -> result<void> {
    const auto text = detail::read_text_file(system, from, options.max_bytes, options.progress);
    if (!text) return fail(text.error());
    const std::uint64_t size = text->size();
    std::uint64_t max_done = size; // maximum reported so far: reports must not decrease
    const auto understood = [&](std::uint64_t done, std::uint64_t total) {
      max_done = std::max(max_done, size + done);
      return options.text.progress(done, total) && options.progress(max_done, 2 * size);
    };
    json::read_options by = options.text;
    if (options.progress) by.progress = understood;
    auto value = detail::text_form<T>::read(*text, by);
    if (!value) return detail::about_file(value.error(), from);
    return save(to, *value, options.file, system);
  });
}

/// Returns the text of a file that `load<T>` can read, including files of an older version of the
/// type. The default `T`, `document`, also accepts any other file that contains a description of
/// its type. The text of such a file has variants and maps in the form that documents have (see
/// `to_document`). `json::read` of the type does not accept this form.
///
/// Errors: as `load` and `json::write`.
template <class T = document>
[[nodiscard]] result<std::string> decompile(path_ref from, const decompile_options& options = {},
                                            file_system& system = system_files()) {
  return detail::catch_bad_alloc([&]() -> result<std::string> {
    const auto value = [&]() -> result<T> {
      if constexpr (std::is_same_v<T, document>) {
        const auto file = detail::input_file::open(system, from, file_open_mode::read, options.file.progress);
        if (!file) return fail(file.error());
        if (detail::is_described(file->header().info)) return detail::load_described(*file, options.file);
      }
      return ingot::load<T>(from, options.file, system);
    }();
    if (!value) return fail(value.error());
    auto text = detail::text_form<T>::write(*value, options.text);
    if (!text) return detail::about_file(text.error(), from);
    return text;
  });
}

/// Writes the text of a file to the file `to`. Replaces the file `to` as `save` does. The text ends
/// with a newline. Errors: as the overload that returns the text, and `io`.
template <class T = document>
[[nodiscard]] result<void> decompile(path_ref from, path_ref to, const decompile_options& options = {},
                                     file_system& system = system_files()) {
  return detail::catch_bad_alloc([&]() -> result<void> {
    auto text = decompile<T>(from, options, system);
    if (!text) return fail(text.error());
    if (!text->ends_with('\n')) *text += '\n';
    return detail::write_text_file(system, to, *text, options.durable, options.progress);
  });
}

}} // namespace ingot::INGOT_V1
