// SPDX-License-Identifier: Apache-2.0
// Marks types that `load` also reads from documents, where members are found by name. Declare the
// mark next to the type, like its annotations:
//
//   template <> inline constexpr bool ingot::loads_documents<Character> = true;
//   auto hero = ingot::load<Character>("hero.ingot");   // packed, compact, or a document
#pragma once

#include <ingot/core/detail/config.hpp>

#include <concepts>

namespace ingot { inline namespace INGOT_V1 {

/// True if `load<T>` and `load_into` also accept files that contain documents. Specialise this
/// variable for your own types. Containers of such types then have the mark too.
///
/// The mark must be visible wherever the type is visible, because `load<T>` must be the same
/// function in all files of a program. So including another header can't be the mark: only some
/// files would include the header. The default is false for two reasons. Programs that load only
/// what `save` wrote need not compile code that reads documents. Also, not every packable type has
/// a form in documents.
template <class T>
inline constexpr bool loads_documents = false;

template <class T>
  requires requires { typename T::value_type; } && (!std::same_as<typename T::value_type, T>) &&
               (!requires { typename T::mapped_type; })
inline constexpr bool loads_documents<T> = loads_documents<typename T::value_type>;

template <class T>
  requires requires { typename T::mapped_type; } && (!std::same_as<typename T::mapped_type, T>)
inline constexpr bool loads_documents<T> = loads_documents<typename T::mapped_type>;

}} // namespace ingot::INGOT_V1
