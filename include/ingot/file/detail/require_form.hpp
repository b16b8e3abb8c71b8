// SPDX-License-Identifier: Apache-2.0
// If the files of a type have a form whose header is not included, the error of the compiler names
// this header.
#pragma once

#include <ingot/core/bytes.hpp>
#include <ingot/pack/pack.hpp>

namespace ingot { inline namespace INGOT_V1 { namespace detail {

/// Types that can be opened in bytes: blocks, their views, documents.
template <class T>
concept opens_bytes = requires(bytes_view bytes) { T::open_unchecked(bytes); };

/// Requires a type whose files contain packed or compact bytes. Other types have their forms in
/// headers of their own, since most programs don't need them.
template <class T>
consteval bool require_packable_form() {
  constexpr bool is_document = requires { typename T::document_type; };
  static_assert(!is_document, "ingot: include <ingot/file/document_file.hpp> for files of documents");
  if constexpr (!is_document) {
    static_assert(!opens_bytes<T>, "ingot: include <ingot/file/live_file.hpp> for files of live blocks");
    if constexpr (!opens_bytes<T>) static_assert(packable<T>);
  }
  return true;
}

}}} // namespace ingot::INGOT_V1::detail
