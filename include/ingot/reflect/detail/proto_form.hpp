// SPDX-License-Identifier: Apache-2.0
// Computes the protobuf encoding of a member from its annotations.
#pragma once

#include <ingot/reflect/members.hpp>
#include <ingot/reflect/proto_form.hpp>

#include <cstddef>

namespace ingot { inline namespace INGOT_V1 { namespace detail {

template <class T, std::size_t I>
consteval proto_form proto_form_of() {
  proto_form form;
  if constexpr (member_has<T, I, proto_sint_t>) form.number = proto_number::sint;
  if constexpr (member_has<T, I, proto_fixed_t>) {
    static_assert(!member_has<T, I, proto_sint_t>,
                  "ingot::protobuf: a member is either proto_sint or proto_fixed");
    form.number = proto_number::fixed_width;
  }
  if constexpr (member_has<T, I, proto_key_t>)
    form.key = member_get<T, I, proto_key_t>.is_fixed ? proto_number::fixed_width : proto_number::sint;
  static_assert(member_has<T, I, proto_well_known_t> + member_has<T, I, proto_struct_t> +
                        member_has<T, I, proto_list_t> <=
                    1,
                "ingot::protobuf: a member is one of proto_well_known, proto_struct and proto_list");
  if constexpr (member_has<T, I, proto_well_known_t>) form.known = proto_known::well_known;
  else if constexpr (member_has<T, I, proto_struct_t>) form.known = proto_known::structure;
  else if constexpr (member_has<T, I, proto_list_t>) form.known = proto_known::list;
  return form;
}

/// True for a member whose protobuf encoding is changed by an annotation.
template <class T, std::size_t I>
inline constexpr bool has_proto_annotations =
    member_has<T, I, field_number_t> || proto_form_of<T, I>() != proto_form();

}}} // namespace ingot::INGOT_V1::detail
