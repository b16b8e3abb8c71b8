// SPDX-License-Identifier: Apache-2.0
// Reads values from files of JSON text.
#pragma once

#include <ingot/core/path_ref.hpp>
#include <ingot/json/document.hpp>
#include <ingot/json/options.hpp>
#include <ingot/json/read.hpp>

#include <cstdint>
#include <string>
#include <string_view>

namespace ingot { inline namespace INGOT_V1 { namespace json {

namespace detail {

/// Returns the whole file, at most `max_bytes` bytes. Errors: `io` with the path and the system's
/// reason, `too_large`, `no_memory`.
[[nodiscard]] result<std::string> read_text_file(path_ref path, std::uint64_t max_bytes);
/// Adds the name of the file to the start of an error's path.
[[nodiscard]] error in_file(error err, path_ref path);

} // namespace detail

/// Reads a `T` from a file of JSON text, as `read` does from text. Takes memory for the whole text.
/// Errors: as `read`, with the file's name at the start of the path
/// (`[saves/hero.json].items[3].id`); `io` with the system's reason; `too_large` beyond the option
/// `max_bytes`.
template <class T>
[[nodiscard]] result<T> read_file(path_ref path, const read_options& options = {}) {
  const result<std::string> text = detail::read_text_file(path, options.max_bytes);
  if (!text) return fail(text.error());
  result<T> out = read<T>(std::string_view{*text}, options);
  if (!out) return fail(detail::in_file(out.error(), path));
  return out;
}

/// Reads a document from a file of JSON text, as `read_document` does from text. Errors: as
/// `read_file<T>`.
[[nodiscard]] result<document> read_file(path_ref path, const read_options& options = {});

}}} // namespace ingot::INGOT_V1::json
