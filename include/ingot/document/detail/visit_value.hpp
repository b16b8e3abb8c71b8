// SPDX-License-Identifier: Apache-2.0
// Defines `value::visit`. value.hpp includes this header.
#pragma once

#include <ingot/core/bytes.hpp>
#include <ingot/document/value.hpp> // NOLINT(misc-header-include-cycle): it ends with this header

#include <string_view>
#include <type_traits>

namespace ingot { inline namespace INGOT_V1 {

template <class F>
INGOT_INLINE decltype(auto) value::visit_of(const value& of, F f) {
  const auto from = of.get();
  switch (from.kind) {
  case value_kind::integer: return f(from.integer());
  case value_kind::number: return f(from.real());
  case value_kind::text: return f(detail::doc::text_of(of.mem(), from));
  case value_kind::boolean: return f(from.number != 0);
  case value_kind::null: return f(nullptr);
  case value_kind::large_integer: return f(from.number);
  case value_kind::binary: return f(as_bytes_view(detail::doc::text_of(of.mem(), from)));
  case value_kind::array: return f(of.elements());
  case value_kind::object: return f(of.members());
  case value_kind::absent: break;
  }
  return f();
}

template <class F>
INGOT_INLINE decltype(auto) value::visit(F&& f) const {
  if (fresh_in_heap()) [[likely]] {
    // Does the same as `visit_of`, without reading a whole item first. Tests the tag by
    // comparisons, not by a table: after a mispredicted branch, all instructions would wait for the
    // load from the table.
    using detail::doc::tag;
    const unsigned first = tag_here();
    const auto from_tag = [first](tag t) { return first - static_cast<unsigned>(t); };
    if (first >= static_cast<unsigned>(tag::text))
      return f(std::string_view(reinterpret_cast<const char*>(bytes_ + 1), from_tag(tag::text)));
    if (first >= static_cast<unsigned>(tag::small_integer) || from_tag(tag::int8) < 8)
      return f(detail::doc::read_integer(bytes_));
    if (first == static_cast<unsigned>(tag::real64)) return f(detail::doc::load<double>(bytes_ + 1));
    if (from_tag(tag::packed8) < 4 || first == static_cast<unsigned>(tag::array)) return f(elements());
  } else if (const std::uint32_t cell = cell_here(); cell - 1 < detail::doc::cell_bits(false).special() - 1) {
    return f(detail::doc::read_immediate(cell, false).integer());
  }
  if constexpr (std::is_empty_v<std::remove_cvref_t<F>> &&
                std::is_trivially_copyable_v<std::remove_cvref_t<F>>)
    return apart<&value::visit_of<F>>(f);
  else return apart<&value::visit_of<F&>, F&>(f);
}

}} // namespace ingot::INGOT_V1
