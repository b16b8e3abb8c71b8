// SPDX-License-Identifier: Apache-2.0
// The protobuf wire format for parts of a schema. proto_type.hpp has the same functions for C++
// types.
#pragma once

#include <ingot/protobuf/detail/wire.hpp>
#include <ingot/schema/detail/proto_shape.hpp>
#include <ingot/schema/schema.hpp>

#include <cstdint>

namespace ingot { inline namespace INGOT_V1 { namespace protobuf::detail {

using ingot::proto_form;
using ingot::proto_known;
using ingot::proto_number;
using ingot::detail::known_message;

/// Returns the node `index`. If the node is a recursion, returns the record to which the recursion
/// refers. If the node is a duration or a time, returns the node of its count.
[[nodiscard]] inline const schema_node& plain_node(const schema& of, std::uint32_t index) noexcept {
  const schema_node* what = &of.nodes()[index];
  while (what->attributes.kind == schema_kind::time_point || what->attributes.kind == schema_kind::duration)
    what = &of.node(what->children[0]);
  return what->attributes.kind == schema_kind::recursion ? of.nodes()[what->target] : *what;
}
[[nodiscard]] inline bool is_scalar_node(const schema_node& what) noexcept {
  switch (what.attributes.kind) {
  case schema_kind::boolean:
  case schema_kind::integer:
  case schema_kind::floating:
  case schema_kind::character:
  case schema_kind::byte:
  case schema_kind::enumeration: return true;
  default: return false;
  }
}
[[nodiscard]] inline bool is_message_node(const schema_node& what) noexcept {
  return what.attributes.kind == schema_kind::record || what.attributes.kind == schema_kind::variant ||
         what.attributes.kind == schema_kind::expected || what.attributes.kind == schema_kind::tuple;
}
/// A part of a schema, with the annotations of the member that contains this part.
struct schema_part {
  std::uint32_t node = 0;
  proto_form as{};
};
[[nodiscard]] inline known_message known_of(const schema& of, const schema_part& part) noexcept {
  return ingot::detail::known_of(of, of.nodes()[part.node], part.as);
}
[[nodiscard]] inline bool is_scalar_part(const schema& of, const schema_part& part) noexcept {
  return is_scalar_node(plain_node(of, part.node)) && known_of(of, part) == known_message::none;
}
/// Returns the wire type of a scalar.
[[nodiscard]] inline wire wire_of_scalar(const schema_node& what, const proto_form& as) noexcept {
  if (what.attributes.kind == schema_kind::floating)
    return what.attributes.width == 4 ? wire::fixed32 : wire::fixed64;
  if (as.number != proto_number::fixed_width || !ingot::detail::is_proto_number(what)) return wire::varint;
  return what.attributes.width == 8 || what.attributes.kind == schema_kind::enumeration ? wire::fixed64
                                                                                        : wire::fixed32;
}
/// Returns true if an optional has its value in a separate message.
[[nodiscard]] inline bool is_held_wrapped(const schema& of, const schema_part& held) noexcept {
  return ingot::detail::has_proto_label(of, plain_node(of, held.node)) ||
         ingot::detail::is_known_wrapper(of, of.nodes()[held.node], held.as);
}
/// Returns the wire types that a field of this part may have.
[[nodiscard]] inline unsigned wires_of_part(const schema& of, schema_part part) noexcept {
  const schema_node* what = &plain_node(of, part.node);
  while (what->attributes.kind == schema_kind::optional) {
    part.node = what->children[0].node;
    if (is_held_wrapped(of, part)) return mask_of(wire::bytes);
    what = &plain_node(of, part.node);
  }
  unsigned wires = mask_of(wire::bytes);
  if (what->attributes.kind == schema_kind::complex ||
      (ingot::detail::is_proto_list(*what) && !ingot::detail::is_proto_bytes(of, *what))) {
    const schema_part element{what->children[0].node, part.as};
    if (is_scalar_part(of, element)) wires |= mask_of(wire_of_scalar(plain_node(of, element.node), part.as));
  } else if (is_scalar_part(of, part)) {
    wires = mask_of(wire_of_scalar(*what, part.as));
  }
  return wires;
}
[[nodiscard]] inline unsigned single_wires_of_part(const schema& of, const schema_part& part) noexcept {
  return ingot::detail::has_proto_label(of, plain_node(of, part.node)) ? mask_of(wire::bytes)
                                                                       : wires_of_part(of, part);
}
/// Returns true for an `expected` without a value type. In a message, a boolean field takes the
/// place of the value.
[[nodiscard]] inline bool holds_nothing(const schema_node& what) noexcept {
  return what.attributes.kind == schema_kind::expected && what.children.size() == 1;
}

}}} // namespace ingot::INGOT_V1::protobuf::detail
