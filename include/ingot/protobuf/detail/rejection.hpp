// SPDX-License-Identifier: Apache-2.0
// Detects values that `protobuf::read` of their type would reject. Writing such a value gives the
// error that reading it would give.
#pragma once

#include <ingot/core/detail/config.hpp>
#include <ingot/core/error.hpp>
#include <ingot/pack/detail/rejection.hpp>
#include <ingot/protobuf/detail/proto_type.hpp>

#include <cstddef>

namespace ingot { inline namespace INGOT_V1 { namespace protobuf::detail {

/// The checks and errors of readers of protobuf messages.
struct written_form : ingot::detail::rejection_form {
  static constexpr ingot::detail::reader_checks checks{.valid_of_any_class = true};

  /// Visits the elements of a list in the order in which they are written: those of unordered
  /// containers are sorted by their bytes.
  template <class List, class F>
  static void for_each(const List& list, F&& f) {
    if constexpr (kind_of<List> == kind::unordered_map || kind_of<List> == kind::unordered_set) {
      for_each_by_bytes(list, f);
    } else {
      for (const auto& item : list) f(item);
    }
  }
  template <class List, class F>
  static void for_each_by_bytes(const List& list, F&& f); // defined with the writer

  template <class Map>
  static constexpr ingot::detail::enumerator_position position_of_key =
      ingot::detail::enumerator_position::member;
  template <class E>
  INGOT_COLD static error enumerator_error(E value, ingot::detail::enumerator_position where) noexcept {
    // A member that is zero is not written, so a reader reports it as missing.
    if (where == ingot::detail::enumerator_position::member && value == E{})
      return error{errc::missing_member}.with_expected(
          "a value: the field is missing, and zero is not an enumerator");
    return ingot::detail::bad_enumerator(value);
  }
  template <class Tagged>
  INGOT_COLD static void name_held(error& err, std::size_t index) {
    if constexpr (kind_of<Tagged> == kind::variant) err.in_element(index);
    else if constexpr (kind_of<Tagged> == kind::expected) err.in_member(index == 0 ? "value" : "error");
  }
};

}}} // namespace ingot::INGOT_V1::protobuf::detail
