// SPDX-License-Identifier: Apache-2.0
// Which bytes of protobuf's a part of a schema has: proto_type.hpp for types that are known at run time only.
#pragma once

#include <ingot/protobuf/detail/wire.hpp>
#include <ingot/schema/detail/proto_shape.hpp>
#include <ingot/schema/schema.hpp>

#include <cstdint>

namespace ingot::inline v1::protobuf::detail {

/// A node of a schema; a recursion is the record that it means, a duration or time its count.
[[nodiscard]] inline const schema_node& plain_node(const schema& of, std::uint32_t index) noexcept {
  const schema_node* what = &of.nodes()[index];
  while (what->facts.kind == schema_kind::time_point || what->facts.kind == schema_kind::duration)
    what = &of.node(what->children[0]);
  return what->facts.kind == schema_kind::recursion ? of.nodes()[what->target] : *what;
}
[[nodiscard]] inline bool is_scalar_node(const schema_node& what) noexcept {
  switch (what.facts.kind) {
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
  return what.facts.kind == schema_kind::record || what.facts.kind == schema_kind::variant ||
         what.facts.kind == schema_kind::expected || what.facts.kind == schema_kind::tuple;
}
[[nodiscard]] inline wire wire_of_node(const schema_node& what) noexcept {
  if (what.facts.kind == schema_kind::floating) return what.facts.width == 4 ? wire::fixed32 : wire::fixed64;
  return is_scalar_node(what) ? wire::varint : wire::bytes;
}
/// Of a field with whatever label the part has.
[[nodiscard]] inline unsigned wires_of_node(const schema& of, const schema_node& part) noexcept {
  const schema_node* what = &part;
  while (what->facts.kind == schema_kind::optional) {
    const schema_node& inner = plain_node(of, what->children[0].node);
    if (ingot::detail::has_proto_label(of, inner)) return mask_of(wire::bytes);
    what = &inner;
  }
  if (what->facts.kind == schema_kind::complex ||
      (ingot::detail::is_proto_list(*what) && !ingot::detail::is_proto_bytes(of, *what)))
    return mask_of(wire::bytes) | mask_of(wire_of_node(plain_node(of, what->children[0].node)));
  return mask_of(wire_of_node(*what));
}
[[nodiscard]] inline unsigned single_wires_of_node(const schema& of, const schema_node& what) noexcept {
  return ingot::detail::has_proto_label(of, what) ? mask_of(wire::bytes) : wires_of_node(of, what);
}
/// The alternative that a field of a variant or expected has, and the field's number; one without a value has a boolean in its place.
[[nodiscard]] inline bool holds_nothing(const schema_node& what) noexcept {
  return what.facts.kind == schema_kind::expected && what.children.size() == 1;
}

} // namespace ingot::inline v1::protobuf::detail
