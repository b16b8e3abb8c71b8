// SPDX-License-Identifier: Apache-2.0
// Reads packed bytes in place. A view consists of a few pointers. Access to a field, or to an
// element of a list, takes two loads. The bytes before the field are not read.
//
//   auto hero = ingot::view<character>::open(bytes);  // validated once: O(n) for n variable fields
//   hero->get<"name">();                              // std::string_view into the bytes
//   hero->get<&character::equips>()[3].get<"level">();
//
// Views borrow: they are valid while the bytes exist unchanged.
#pragma once

#include <ingot/core/buffer.hpp>
#include <ingot/core/bytes.hpp>
#include <ingot/core/error.hpp>
#include <ingot/pack/list_view.hpp>
#include <ingot/pack/record_view.hpp>
#include <ingot/pack/tagged_view.hpp>
#include <ingot/pack/unpack.hpp>
#include <ingot/pack/view_field.hpp>

namespace ingot { inline namespace INGOT_V1 {

/// The view type of a packed `T`: `record_view<T>` for classes and tuples, `list_view<T>` for
/// containers and arrays, `tagged_view<T>` for optional, variant, expected and unique_ptr. Text of
/// one-byte characters is a `std::basic_string_view`, other text a `list_view<T>`. Scalars,
/// durations, time points, complex numbers and bitsets are the value itself. Adapted classes are
/// viewed in their stored form.
template <class T>
using view = detail::view_of<T>;

}} // namespace ingot::INGOT_V1
