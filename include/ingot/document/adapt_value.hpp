// SPDX-License-Identifier: Apache-2.0
// A value of any kind in packed bytes: its archive, as a list of bytes. That gives both profiles, their views
// and protobuf's bytes.
#pragma once

#include <ingot/core/error.hpp>
#include <ingot/reflect/hooks.hpp>
#include <ingot/reflect/kind.hpp>

#include <cstddef>
#include <utility>
#include <vector>

namespace ingot { inline namespace INGOT_V1 {

namespace detail::doc {

/// It is defined in archive.hpp, so that whoever does not pack documents need not compile it. Its name is
/// what the compiler tells whoever packs one without including that.
template <class T>
struct packing_a_document_asks_to_include_ingot_document_archive_hpp;

} // namespace detail::doc

template <detail::document_like T>
struct adapt<T> {
  using bytes = std::vector<std::byte>;
  /// A value in a block is assigned a document.
  using made_type = typename T::document_type;
  /// Throws `out_of_space` without memory.
  static bytes to(const T& value) {
    return detail::doc::packing_a_document_asks_to_include_ingot_document_archive_hpp<T>::to(value);
  }
  [[nodiscard]] static result<made_type> from(bytes&& archive) {
    return detail::doc::packing_a_document_asks_to_include_ingot_document_archive_hpp<T>::from(
        std::move(archive));
  }
};

}} // namespace ingot::INGOT_V1
