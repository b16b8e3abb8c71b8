// SPDX-License-Identifier: Apache-2.0
// Reads values from JSON text.
#pragma once

#include <ingot/json/detail/read_record.hpp>
#include <ingot/json/detail/untyped.hpp>
#include <ingot/json/options.hpp>
#include <ingot/json/upgrade.hpp>
#include <ingot/reflect/storable.hpp>

#include <concepts>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

namespace ingot { inline namespace INGOT_V1 { namespace json {

/// Reads a `T` from JSON text (docs/json.md). The whole text must be one value. Anything that could
/// silently lose a value is an error, unless the options allow it. Errors have line, column, byte
/// offset, path, what was expected and what was found. O(n); takes up to 4 bytes of memory for each
/// byte of text, in addition to the memory of the value.
template <class T>
[[nodiscard]] result<T> read(std::string_view text, const read_options& options = {}) {
  static_assert(ingot::detail::require_storable<T>());
  detail::text_reader reader(options);
  if constexpr (std::is_default_constructible_v<T>) {
    result<T> out{};
    if (!reader.open(text) || !detail::read_value(reader, *out) || !reader.close())
      out = fail(reader.located_error());
    return out;
  } else {
    result<T> out = fail(errc::invalid_value);
    const auto take = [&out](T&& value) { out = std::move(value); };
    if (!reader.open(text) || !detail::read_new<T>(reader, take) || !reader.close())
      out = fail(reader.located_error());
    return out;
  }
}

/// Reads into an existing object and reuses its memory. Members that are missing from the text are
/// reset, or kept with `missing_keys::keep`. After an error the object is valid and holds a part of
/// the text. Errors: as `read`.
template <class T>
  requires(!detail::is_document<T>)
[[nodiscard]] result<void> read_into(T& out, std::string_view text, const read_options& options = {}) {
  static_assert(ingot::detail::require_storable<T>());
  detail::text_reader reader(options);
  reader.set_fresh(false);
  if (!reader.open(text) || !detail::read_value(reader, out) || !reader.close())
    return fail(reader.located_error());
  return {};
}

/// Reads the text of a result, or returns the result's error, so that calls can be chained.
template <class T, std::same_as<result<std::string>> Text>
[[nodiscard]] result<T> read(const Text& text, const read_options& options = {}) {
  if (!text) return fail(text.error());
  return read<T>(std::string_view{*text}, options);
}

template <class T>
result<T> object_editor::get(std::string_view key, const read_options& options) const {
  const auto found = text(key);
  if (!found) {
    error err(errc::missing_member);
    return fail(err.in_member(key));
  }
  auto value = read<T>(*found, options);
  if (!value) value.error().in_member(key);
  return value;
}

}}} // namespace ingot::INGOT_V1::json
