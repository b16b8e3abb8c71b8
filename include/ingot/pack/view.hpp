// SPDX-License-Identifier: Apache-2.0
// Reading packed bytes where they lie. A view is a few pointers; any field, and any element of any list, is two loads
// away, whatever stands before it.
//
//   auto hero = ingot::view<character>::open(bytes);       // checked once, in time proportional to variable fields
//   hero->get<"name">();                                   // std::string_view into the bytes
//   hero->get<&character::equips>()[3].get<"level">();
//
// Views borrow: they are valid as long as the bytes are, and unchanged.
#pragma once

#include <ingot/core/buffer.hpp>
#include <ingot/core/bytes.hpp>
#include <ingot/core/error.hpp>
#include <ingot/pack/list_view.hpp>
#include <ingot/pack/record_view.hpp>
#include <ingot/pack/tagged_view.hpp>
#include <ingot/pack/unpack.hpp>
#include <ingot/pack/view_field.hpp>

namespace ingot::inline v1 {

/// What a packed `T` is read as: `record_view<T>` for classes and tuples, `list_view<T>` for containers and arrays,
/// `tagged_view<T>` for optional, variant, expected and unique_ptr, `std::string_view` (and its kin) for text, and the
/// value itself for scalars, durations, time points, complex numbers and bitsets. Adapted classes are seen as they
/// are stored.
template <class T>
using view = detail::view_of<T>;

} // namespace ingot::inline v1
