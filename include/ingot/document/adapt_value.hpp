// SPDX-License-Identifier: Apache-2.0
// Packs a value of any kind as its archive, a list of bytes. With this conversion, packed messages
// in both profiles, views of packed messages, and protobuf messages can contain such values.
#pragma once

#include <ingot/core/error.hpp>
#include <ingot/reflect/hooks.hpp>
#include <ingot/reflect/kind.hpp>

#include <cstddef>
#include <utility>
#include <vector>

namespace ingot { inline namespace INGOT_V1 {

namespace detail::doc {

/// The functions of this type convert documents to archives. archive.hpp defines the type, so that
/// only programs that pack documents compile that header. If such a program does not include
/// archive.hpp, the compiler prints the name of this type.
template <class T>
struct packing_a_document_asks_to_include_ingot_document_archive_hpp;

} // namespace detail::doc

template <detail::document_like T>
struct adapt<T> {
  /// Bytes of the archive.
  using bytes = std::vector<std::byte>;
  /// Type of the document that `from` returns. For a value in a block, the caller then assigns the
  /// document to this value.
  using result_type = typename T::document_type;
  /// Returns the archive of a value. Throws `out_of_space` if there is no memory.
  static bytes to(const T& value) {
    return detail::doc::packing_a_document_asks_to_include_ingot_document_archive_hpp<T>::to(value);
  }
  /// Returns the value of an archive. Errors: those of `unarchive`.
  [[nodiscard]] static result<result_type> from(bytes&& archive) {
    return detail::doc::packing_a_document_asks_to_include_ingot_document_archive_hpp<T>::from(
        std::move(archive));
  }
};

}} // namespace ingot::INGOT_V1
