// SPDX-License-Identifier: Apache-2.0
// The fingerprint of a type, computed by the compiler. Two programs can read each other's bytes if
// the fingerprints of their types are equal.
//
// The fingerprint covers the meaning of the bytes, not the C++ notation. Member names, kinds,
// widths, order, enumerators and versions count. Names of C++ types don't count, nor do kinds of
// containers in memory. So a struct with `std::` members and a struct with the same members in
// ingot's containers have the same fingerprint. docs/format.md has the normative text.
#pragma once

#include <ingot/reflect/detail/alternative_names.hpp>
#include <ingot/reflect/detail/lossy_options.hpp>
#include <ingot/reflect/detail/own_name.hpp>
#include <ingot/reflect/detail/tag_key.hpp>
#include <ingot/reflect/detail/version_key.hpp>
#include <ingot/reflect/kind.hpp>
#include <ingot/reflect/storable.hpp>
#include <ingot/reflect/variant_names.hpp>
#include <ingot/schema/detail/field_numbers.hpp>
#include <ingot/schema/detail/walk.hpp>
#include <ingot/schema/fingerprint.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <type_traits>
#include <utility>

namespace ingot { inline namespace INGOT_V1 {
namespace detail {

consteval std::uint8_t flag_if(bool condition, schema_flag flag) {
  return condition ? static_cast<std::uint8_t>(flag) : std::uint8_t{0};
}

template <class T>
consteval schema_attributes record_facts() {
  schema_attributes attributes{schema_kind::record};
  attributes.flags =
      static_cast<std::uint8_t>(flag_if(type_has<T, evolvable_t>, schema_flag::is_evolvable) |
                                flag_if(type_has<T, version_t>, schema_flag::is_versioned) |
                                flag_if(type_has<T, elide_defaults_t>, schema_flag::elides_defaults) |
                                flag_if(type_has<T, varint_t>, schema_flag::is_varint) |
                                flag_if(type_has<T, short_float_t>, schema_flag::is_short_float) |
                                flag_if(type_has<T, tight_float_t>, schema_flag::is_tight_float));
  if constexpr (type_has<T, version_t>) attributes.extent = type_get<T, version_t>.number;
  return attributes;
}

template <class T>
consteval schema_attributes attributes_of() {
  constexpr kind what = kind_of<T>;
  constexpr auto size = static_cast<std::uint8_t>(sizeof(T) & 0xFF); // for scalars
  if constexpr (what == kind::boolean) return {schema_kind::boolean, size};
  else if constexpr (what == kind::integer)
    return {schema_kind::integer, size, flag_if(std::is_signed_v<T>, schema_flag::is_signed)};
  else if constexpr (what == kind::floating) return {schema_kind::floating, size};
  else if constexpr (what == kind::character) return {schema_kind::character, size};
  else if constexpr (what == kind::byte) return {schema_kind::byte, size};
  else if constexpr (what == kind::enumeration) {
    return {schema_kind::enumeration, size,
            static_cast<std::uint8_t>(
                flag_if(std::is_signed_v<std::underlying_type_t<T>>, schema_flag::is_signed) |
                flag_if(enum_is_open<T>, schema_flag::is_open) |
                flag_if(enum_is_flags<T>, schema_flag::is_flags))};
  } else if constexpr (what == kind::duration) {
    return {schema_kind::duration, 0, 0, static_cast<std::uint64_t>(T::period::num),
            static_cast<std::uint64_t>(T::period::den)};
  } else if constexpr (what == kind::time_point) return {schema_kind::time_point};
  else if constexpr (what == kind::complex) return {schema_kind::complex};
  else if constexpr (what == kind::bitset) return {schema_kind::bitset, 0, 0, T{}.size()};
  else if constexpr (what == kind::string)
    return {schema_kind::string, static_cast<std::uint8_t>(sizeof(typename T::value_type))};
  else if constexpr (what == kind::path) return {schema_kind::path};
  else if constexpr (what == kind::sequence) return {schema_kind::sequence};
  else if constexpr (what == kind::array) return {schema_kind::array, 0, 0, array_size<T>};
  else if constexpr (what == kind::set)
    return {schema_kind::set, 0, flag_if(is_multi<T>, schema_flag::is_multi)};
  else if constexpr (what == kind::unordered_set)
    return {schema_kind::unordered_set, 0, flag_if(is_multi<T>, schema_flag::is_multi)};
  else if constexpr (what == kind::map)
    return {schema_kind::map, 0, flag_if(is_multi<T>, schema_flag::is_multi)};
  else if constexpr (what == kind::unordered_map)
    return {schema_kind::unordered_map, 0, flag_if(is_multi<T>, schema_flag::is_multi)};
  else if constexpr (what == kind::optional || what == kind::box) return {schema_kind::optional};
  else if constexpr (what == kind::variant)
    return {schema_kind::variant, 0, flag_if(names_alternatives<T>, schema_flag::names_tags)};
  else if constexpr (what == kind::expected) return {schema_kind::expected};
  else if constexpr (what == kind::tuple) return {schema_kind::tuple};
  else return {};
}

template <class T>
consteval std::size_t described_member_count() {
  return []<std::size_t... I>(std::index_sequence<I...>) {
    return ((member_has<T, I, skip_t> ? std::size_t{0} : std::size_t{1}) + ... + std::size_t{0});
  }(std::make_index_sequence<member_count<T>>{});
}

/// True if a member may have annotations. Most types have no annotations: this saves their search,
/// which would take longer than the rest of the description.
template <class T, std::size_t I>
inline constexpr bool may_be_annotated =
    INGOT_REFLECTION || entry_count<T> != 0 || entry_count<member_origin<T, I>> != 0;

template <class T, std::size_t I>
consteval std::uint64_t annotations_of() {
  if constexpr (may_be_annotated<T, I>) {
    std::uint64_t bits = 0;
    if (member_has<T, I, varint_t>) bits |= static_cast<std::uint8_t>(schema_annotation::is_varint);
    if (member_has<T, I, fixed_t>) bits |= static_cast<std::uint8_t>(schema_annotation::is_fixed);
    if (member_has<T, I, short_float_t>) bits |= static_cast<std::uint8_t>(schema_annotation::is_short_float);
    if (member_has<T, I, tight_float_t>) bits |= static_cast<std::uint8_t>(schema_annotation::is_tight_float);
    if constexpr (has_lossy_member<T>) {
      constexpr lossy_options lost = lossy_options_of<T, I>();
      if (lost.is_quantized) {
        bits |= static_cast<std::uint8_t>(schema_annotation::is_quantized);
        bits |= static_cast<std::uint64_t>(lost.step.units) << 8;
        bits |= static_cast<std::uint64_t>(lost.step.digits) << 40;
      }
      if (lost.is_unit_vector) {
        bits |= static_cast<std::uint8_t>(schema_annotation::is_unit_vector);
        bits |= static_cast<std::uint64_t>(lost.unit.bytes) << 48;
      }
    }
    return bits;
  } else {
    return 0;
  }
}

template <class T>
constexpr described_part describe(schema_walk& walk);

/// A stored member of a record. This struct is no template, so that one function,
/// `describe_record`, reads the tables of all types.
struct described_member {
  std::string_view name;
  std::uint64_t annotations = 0;
  type_describer describe = nullptr;
  const proto_form* form = nullptr; ///< null: without annotations for protobuf
  std::uint32_t number = 0;         ///< field number of protobuf; 0: none specified
};
template <class T, std::size_t I>
inline constexpr proto_form form_of_member = proto_form_of<T, I>();

template <class T, std::size_t I>
constexpr void add_described(described_member*& to) {
  if constexpr (!member_has<T, I, skip_t>) {
    described_member& member = *to++;
    member = {member_name<T, I>, annotations_of<T, I>(), describe<member_type<T, I>>};
    if constexpr (member_has<T, I, field_number_t>) member.number = field_number_table<T>[I];
    if constexpr (may_be_annotated<T, I>) {
      if constexpr (form_of_member<T, I> != proto_form()) member.form = &form_of_member<T, I>;
    }
  }
}
/// The members of a record, and one more element, so that the array is never empty.
template <class T>
using described_member_table = std::array<described_member, described_member_count<T>() + 1>;
/// The type is not `auto`, because the initialiser for a record that contains itself refers to this
/// variable.
template <class T>
inline constexpr described_member_table<T> described_members =
    []<std::size_t... I>(std::index_sequence<I...>) {
      described_member_table<T> all{};
      [[maybe_unused]] described_member* to = all.data();
      (add_described<T, I>(to), ...);
      return all;
    }(std::make_index_sequence<member_count<T>>{});

/// Returns the name of a type in descriptions. Returns empty text for a name that descriptions
/// don't accept, such as a name with control characters.
template <class T>
constexpr std::string_view described_type_name() {
  const std::string_view name = declared_class_name<T>();
  return is_plain_name(name) ? name : std::string_view();
}

/// Describes a record. `type` identifies the type during the walk. `type` and `type_name` are no
/// part of the fingerprint.
INGOT_NOINLINE constexpr described_part describe_record(schema_walk& walk, std::string_view type,
                                                        std::string_view (*type_name)(),
                                                        const schema_attributes& attributes,
                                                        const described_member* member, std::size_t count) {
  described_part part;
  if (walk.find(type, part)) return part;
  part_writer record(walk, attributes, count);
  record.type_name(type_name);
  const std::uint32_t position = walk.enter(type, record.node());
  for (; count != 0; --count, ++member) {
    record.member(member->name, member->annotations, member->describe(walk));
    if (member->number != 0) record.field_number(member->number);
    if (member->form != nullptr) record.form(*member->form);
  }
  return walk.leave(position, record.finish());
}
INGOT_NOINLINE constexpr described_part describe_children(schema_walk& walk,
                                                          const schema_attributes& attributes,
                                                          const type_describer* child, std::size_t count) {
  part_writer writer(walk, attributes, count);
  for (; count != 0; --count, ++child) writer.child((*child)(walk));
  return writer.finish();
}
template <class... Ts>
constexpr described_part describe_parts(schema_walk& walk, const schema_attributes& attributes,
                                        type_pack<Ts...>) {
  if constexpr (sizeof...(Ts) == 0) {
    return describe_children(walk, attributes, nullptr, 0);
  } else {
    constexpr type_describer children[]{describe<std::remove_const_t<Ts>>...};
    return describe_children(walk, attributes, children, sizeof...(Ts));
  }
}
template <class V, class... Ts>
constexpr described_part describe_alternatives(schema_walk& walk, type_pack<Ts...>) {
  part_writer writer(walk, attributes_of<V>(), sizeof...(Ts));
  if constexpr (!json::tag_key<V>.empty()) {
    static_assert(require_tag_key<V>());
    writer.tag_key(json::tag_key<V>);
  }
  std::size_t i = 0;
  (writer.alternative(alternative_names<V>[i++], describe<std::remove_const_t<Ts>>(walk)), ...);
  return writer.finish();
}
template <class T>
constexpr described_part describe_enumeration(schema_walk& walk) {
  part_writer writer(walk, attributes_of<T>(), enumerators<T>.size());
  writer.type_name(described_type_name<T>);
  for (const auto& each : enumerators<T>) {
    // Sign-extended, so that the value does not depend on the width: the hash already contains the
    // width.
    writer.enumerator(static_cast<std::uint64_t>(std::to_underlying(each.value)), each.name);
  }
  return writer.finish();
}

template <class T>
constexpr described_part describe(schema_walk& walk) {
  if constexpr (kind_of<T> == kind::record) {
    static_assert(require_version_key<T>());
    return describe_record(walk, type_tag<T>(), described_type_name<T>, record_facts<T>(),
                           described_members<T>.data(), described_member_count<T>());
  } else if constexpr (document_like<T>)
    return describe_parts(walk, schema_attributes{schema_kind::document}, type_pack<>());
  else if constexpr (kind_of<T> == kind::adapted) return describe<adapted_t<T>>(walk);
  else if constexpr (kind_of<T> == kind::enumeration) return describe_enumeration<T>(walk);
  else if constexpr (kind_of<T> == kind::variant) return describe_alternatives<T>(walk, parts_of<T>());
  else return describe_parts(walk, attributes_of<T>(), parts_of<T>());
}

template <class T>
inline constexpr bool names_can_be_described = [] {
  schema_walk walk;
  walk.look_at_names();
  describe<T>(walk);
  return walk.names_are_plain();
}();
template <class T>
consteval bool require_describable() {
  static_assert(require_storable<T>());
  static_assert(names_can_be_described<T>, "ingot: names of members and enumerators, and the tag_key of a "
                                           "variant, are carried in descriptions as UTF-8 without control "
                                           "characters: give this one another name by ingot::rename");
  return true;
}

} // namespace detail

/// The fingerprint of `T`. Types with equal fingerprints have the same packed bytes, in both
/// profiles, and the same text. The fingerprint does not cover default values, `since`, and
/// annotations that only limit values (`range`, `max_size`, `utf8`).
template <class T>
inline constexpr std::uint64_t schema_id = [] {
  static_assert(detail::require_storable<T>());
  detail::schema_walk walk;
  return detail::describe<std::remove_const_t<T>>(walk).id;
}();

}} // namespace ingot::INGOT_V1
