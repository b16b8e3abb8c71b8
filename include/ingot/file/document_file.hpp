// SPDX-License-Identifier: Apache-2.0
// Files of documents: with this header, `save`, `load` and `map_file` accept a `document`, and
// `load` reads documents as the types that are marked with `loads_documents`.
//
//   #include <ingot/file/document_file.hpp>
//   #include <ingot/file/save.hpp>
//   ingot::save("doc.ingot", doc);
#pragma once

#include <ingot/core/buffer.hpp>
#include <ingot/core/bytes.hpp>
#include <ingot/core/error.hpp>
#include <ingot/core/progress.hpp>
#include <ingot/document/document.hpp>
#include <ingot/file/detail/block_payload.hpp>
#include <ingot/file/detail/file_form.hpp>
#include <ingot/file/detail/input_file.hpp>
#include <ingot/file/file_info.hpp>
#include <ingot/file/loads_documents.hpp>
#include <ingot/file/options.hpp>

#include <span>
#include <utility>

namespace ingot { inline namespace INGOT_V1 { namespace detail {

static_assert(load_options{}.max_size.bytes == document::default_max_block_size.bytes);

template <>
struct file_form<document> {
  static constexpr schema_form reads_by = schema_form::none;

  [[nodiscard]] static file_identity identity() {
    return {{file_kind::document, file_kind::edited_document}, 0, 0};
  }
  [[nodiscard]] static file_info info(const save_options&) {
    file_info info;
    info.kind = file_kind::document;
    return info;
  }
  [[nodiscard]] static embedded_schema schema() { return {}; }
  [[nodiscard]] static result<bytes_view> payload(const document& value, const save_options&, buffer&) {
    if (!value) return fail(error{errc::invalid_value}.with_expected("a document (this one was moved from)"));
    return value.bytes();
  }
  [[nodiscard]] static result<document> read(const input_file& file, const load_options& options) {
    const auto size = block_size<narrow_policy>(file, options);
    if (!size) return fail(size.error());
    if (*size == 0)
      return file.with_file_context(error{errc::truncated}.with_expected("a document's header"));
    return load_and_validate<document>(file, options, *size);
  }
};

template <class T>
struct mapped_form;

template <>
struct mapped_form<document> {
  using handle = document;
  static constexpr bool writes_to_memory = true;
  static constexpr schema_form reads_by = schema_form::none;

  [[nodiscard]] static file_identity identity() { return {{file_kind::document, file_kind::document}, 0, 0}; }
  [[nodiscard]] static result<document> open(std::span<std::byte> payload, progress_ref progress = {}) {
    return document::open_in_place(payload, progress);
  }
  [[nodiscard]] static result<document> open_unchecked(std::span<std::byte> payload) {
    return document::open_in_place_unchecked(payload);
  }
};

template <class T>
struct document_reading;

/// Reads the value of a document as a `T`.
template <class T>
  requires loads_documents<T>
struct document_reading<T> {
  [[nodiscard]] static result<T> read(const input_file& file, const load_options& options) {
    static_assert(file_form<T>::reads_by == schema_form::portable,
                  "ingot: loads_documents is for types whose files hold packed or compact bytes");
    const auto found = file_form<document>::read(file, options);
    if (!found) return fail(found.error());
    auto value = found->root().template as_evolved<T>(
        conversion_options{.max_memory = options.max_memory, .max_collisions = options.max_collisions});
    if (!value) return file.about(value.error());
    return value;
  }
  /// This is a separate function, so that loading other files needs no stack space for a `T`.
  [[nodiscard]] INGOT_NOINLINE static result<void> read_into(T& out, const input_file& file,
                                                             const load_options& options) {
    auto value = read(file, options);
    if (!value) return fail(value.error());
    out = std::move(*value);
    return {};
  }
};

}}} // namespace ingot::INGOT_V1::detail
