// SPDX-License-Identifier: Apache-2.0
// Writes values as JSON text.
#pragma once

#include <ingot/core/detail/catch_bad_alloc.hpp>
#include <ingot/core/detail/put_bytes.hpp>
#include <ingot/core/sink.hpp>
#include <ingot/json/detail/untyped.hpp>
#include <ingot/json/detail/write_compound.hpp>
#include <ingot/json/options.hpp>
#include <ingot/json/upgrade.hpp>
#include <ingot/reflect/storable.hpp>

#include <concepts>
#include <cstddef>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

namespace ingot { inline namespace INGOT_V1 { namespace json {

/// Appends `value` to `out` as JSON text (docs/json.md) and returns the number of bytes appended.
/// After an error `out` is unchanged. If a string is not UTF-8, `value` is visited twice, so its
/// hooks may be called twice. The text is UTF-8, and equal values give equal text. `read`
/// of the text returns a value equal to `value`. For a document, or a value in a document, see
/// document.hpp.
template <class T>
[[nodiscard]] result<std::size_t> write_to(std::string& out, const T& value,
                                           const write_options& options = {}) {
  if constexpr (std::is_same_v<T, document>) {
    return detail::write_document(out, value.root(), options);
  } else if constexpr (detail::is_document<T>) {
    return detail::write_document(out, value, options);
  } else {
    static_assert(ingot::detail::require_writable<T>());
    detail::text_writer writer(out, options);
    while (!detail::write_value(writer, value) || !writer.close()) {
      if (!writer.restart()) return fail(writer.final_error());
    }
    return writer.finish();
  }
}

/// Returns `value` as JSON text. Errors: as `write_to`.
template <class T>
[[nodiscard]] result<std::string> write(const T& value, const write_options& options = {}) {
  if constexpr (detail::is_document<T>) {
    return ingot::detail::catch_bad_alloc([&]() -> result<std::string> {
      detail::draft draft;
      if (const auto written = write_to(draft.text(), value, options); !written) return fail(written.error());
      return draft.take();
    });
  }
  detail::draft draft;
  if (const auto written = write_to(draft.text(), value, options); !written) return fail(written.error());
  return draft.take();
}

/// Writes to any sink. The text is completed before any byte is written, so a failure leaves the
/// sink unchanged.
template <sink S, class T>
  requires(!std::same_as<S, std::string>)
[[nodiscard]] result<std::size_t> write_to(S& out, const T& value, const write_options& options = {}) {
  std::string text;
  const auto written = write_to(text, value, options);
  if (!written) return written;
  return ingot::detail::put_bytes(out, as_bytes_view(text));
}

template <class T>
result<void> object_editor::set(std::string_view key, const T& value, const write_options& options) {
  const auto text = write(value, options);
  if (!text) {
    error err = text.error();
    return fail(err.in_member(key));
  }
  set_text(key, *text);
  return {};
}

}}} // namespace ingot::INGOT_V1::json
