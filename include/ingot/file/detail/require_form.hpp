// SPDX-License-Identifier: Apache-2.0
// The form of a type is the class with the functions that `save`, `load` and the other functions
// for files call. If a program uses a type without including the header of its form, the compiler's
// error names the missing header.
#pragma once

#include <ingot/core/bytes.hpp>
#include <ingot/core/error.hpp>
#include <ingot/core/path_ref.hpp>
#include <ingot/file/detail/input_file.hpp>
#include <ingot/file/file_info.hpp>
#include <ingot/file/file_system.hpp>
#include <ingot/file/options.hpp>
#include <ingot/pack/pack.hpp>

namespace ingot { inline namespace INGOT_V1 { namespace detail {

/// Types that can be opened in bytes: blocks, their views, documents.
template <class T>
concept opens_bytes = requires(bytes_view bytes) { T::open_unchecked(bytes); };

/// Requires a type whose files contain packed or compact bytes. Other types have their forms in
/// headers of their own, since most programs don't need them. Returns false after a failed
/// assertion. The caller then uses `no_form` as the form, so that the assertion is the only error.
template <class T>
consteval bool require_packable_form() {
  constexpr bool is_document = requires { typename T::document_type; };
  static_assert(!is_document, "ingot: include <ingot/file/document_file.hpp> for files of documents");
  if constexpr (!is_document) {
    static_assert(!opens_bytes<T>, "ingot: include <ingot/file/live_file.hpp> for files of live blocks");
    if constexpr (!opens_bytes<T>) static_assert(packable<T>);
  }
  return !is_document && !opens_bytes<T>;
}

/// Declares the functions of a form without their definitions.
template <class T>
struct no_form {
  using handle = T;
  static constexpr bool writes_to_memory = false;
  static constexpr bool is_read_whole = true;
  static constexpr schema_form reads_by = schema_form::none;

  [[nodiscard]] static file_identity identity();
  [[nodiscard]] static std::unexpected<error> other(const input_file&, const error&);
  [[nodiscard]] static result<handle> open(bytes_view);
  [[nodiscard]] static result<handle> open_unchecked(bytes_view);
  [[nodiscard]] static result<void> save(file_system&, path_ref, const T&, const save_options&);
  [[nodiscard]] static result<T> load(file_system&, path_ref, const load_options&);
  [[nodiscard]] static result<void> load_into(T&, file_system&, path_ref, const load_options&);
  [[nodiscard]] static result<T> read(const input_file&, const load_options&);
  [[nodiscard]] static result<void> read_into(T&, const input_file&, const load_options&);
};

}}} // namespace ingot::INGOT_V1::detail
