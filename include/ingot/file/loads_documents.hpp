// SPDX-License-Identifier: Apache-2.0
// Which types `load` also makes of documents, whose members are found by name. Said beside the type, as its annotations are:
//
//   template <> inline constexpr bool ingot::loads_documents<Character> = true;
//   auto hero = ingot::load<Character>("hero.ingot");   // packed, compact, or a document
#pragma once

#include <concepts>

namespace ingot::inline v1 {

/// Whether `load<T>` and `load_into` take files of documents, too: for types of your own that you say it of, and for containers of such. It is the type that
/// says so, and not a header that some files of a program include and others don't: `load<T>` has to be the same function in all of them. So
/// it must be seen wherever the type is. The default is false: who loads what `save` was given need not compile how each type is read out of documents,
/// and not all types that can be packed have a form there.
template <class T>
inline constexpr bool loads_documents = false;

template <class T>
  requires requires { typename T::value_type; } && (!std::same_as<typename T::value_type, T>) &&
               (!requires { typename T::mapped_type; })
inline constexpr bool loads_documents<T> = loads_documents<typename T::value_type>;

template <class T>
  requires requires { typename T::mapped_type; } && (!std::same_as<typename T::mapped_type, T>)
inline constexpr bool loads_documents<T> = loads_documents<typename T::mapped_type>;

} // namespace ingot::inline v1
