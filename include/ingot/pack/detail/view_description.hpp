// SPDX-License-Identifier: Apache-2.0
// Constants in the program that describe the bytes of views. Debuggers read the constants, because
// debug information has no annotations.
//
// The constants exist for types that are viewed, and only if the program is compiled without
// optimisation or with -DINGOT_DESCRIBE_VIEWS=1. The program itself does not read them.
// docs/debugging.md describes their form.
#pragma once

#include <ingot/core/detail/config.hpp>

#if INGOT_DESCRIBES_VIEWS
#include <ingot/pack/layout.hpp>
#include <ingot/reflect/detail/alternative_names.hpp>
#include <ingot/reflect/detail/parts_of.hpp>
#include <ingot/schema/fingerprint.hpp>
#include <ingot/schema/schema_id.hpp>
namespace ingot { inline namespace INGOT_V1 { namespace detail {
inline constexpr bool describes_views = true;
}}} // namespace ingot::INGOT_V1::detail
#else
namespace ingot { inline namespace INGOT_V1 { namespace detail {
inline constexpr bool describes_views = false;
}}} // namespace ingot::INGOT_V1::detail
#endif

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <type_traits>
#include <utility>

namespace ingot { inline namespace INGOT_V1 { namespace detail {

struct part_description;

/// A child of a part, or an enumerator. Pointers come first, so that there is no padding.
struct child_description {
  const char* name; ///< null for a child without a name
  const part_description* part;
  std::uint32_t name_size;
  std::uint32_t
      /// for a member: its `schema_annotation`s; the upper half contains the size of its unit
      /// vectors
      annotations;
  std::uint32_t
      /// for a quantised member: the step's units; for an enumerator: the lower half of its value
      first;
  std::uint32_t second; ///< the step's digits, or the upper half of the value
};
/// Describes a part of a schema: its attributes (see `schema_attributes`) and its children.
struct part_description {
  static constexpr std::uint32_t begins_with = 0x56'67'6E'69; ///< "ingV" on a little-endian machine
  static constexpr std::uint8_t form = 2;
  const child_description* children;
  std::uint32_t magic;
  std::uint32_t count;
  std::array<std::uint32_t, 2> extent; ///< lower half, upper half
  std::array<std::uint32_t, 2> divisor;
  std::uint8_t kind;
  std::uint8_t width;
  std::uint8_t flags;
  std::uint8_t version;
};
/// The type of a view's static member `ingot_described`. Describes the type that the view reads,
/// and the encoding of the scalars (see `encoding`). `View` is a template parameter, so that each
/// view has its own type of description. Debuggers find the description by this type, because they
/// can't find a static member of a template instance by its name.
template <class View>
struct view_description {
  const part_description* part;
  std::array<std::uint32_t, 2> encoding;
};

#if INGOT_DESCRIBES_VIEWS

// Attribute for data that the compiler must keep although nothing refers to it. If the compiler has
// an attribute for the linker too, the linker also keeps the data.
#if defined(__has_cpp_attribute) && defined(__ELF__) && __has_cpp_attribute(gnu::retain)
#define INGOT_RETAINED [[gnu::used, gnu::retain]]
#else
#define INGOT_RETAINED [[gnu::used]]
#endif

constexpr std::array<std::uint32_t, 2> halves_of(std::uint64_t value) noexcept {
  return {static_cast<std::uint32_t>(value), static_cast<std::uint32_t>(value >> 32)};
}

template <class T>
consteval auto described_as() {
  if constexpr (kind_of<T> == kind::adapted && !document_like<T>)
    return described_as<std::remove_const_t<adapted_t<T>>>();
  else return std::type_identity<T>{};
}
template <class T>
struct description_of;
template <class T>
using description_at = description_of<typename decltype(described_as<std::remove_const_t<T>>())::type>;

template <class T>
consteval std::size_t described_child_count() {
  if constexpr (kind_of<T> == kind::record) return described_member_count<T>();
  else if constexpr (document_like<T>) return 0;
  else if constexpr (kind_of<T> == kind::enumeration) return enumerators<T>.size();
  else {
    return []<class... Ts>(type_pack<Ts...>) { return sizeof...(Ts); }(parts_of<T>());
  }
}

template <class T, std::size_t I>
consteval child_description describe_child() {
  constexpr std::string_view name = public_name_table<T>[I];
  constexpr std::uint64_t word =
      annotations_of<T, I>(); // as in a schema: flags, the step, the unit vector's bytes
  return {name.data(),
          &description_at<member_type<T, I>>::part,
          static_cast<std::uint32_t>(name.size()),
          static_cast<std::uint32_t>((word & 0xFF) | (word >> 48 << 16)),
          static_cast<std::uint32_t>(word >> 8),
          static_cast<std::uint32_t>(word >> 40 & 0xFF)};
}
template <class T>
consteval auto describe_children() {
  std::array<child_description, described_child_count<T>()> all{};
  [[maybe_unused]] std::size_t at = 0;
  if constexpr (kind_of<T> == kind::record) {
    [&]<std::size_t... I>(std::index_sequence<I...>) {
      [[maybe_unused]] const auto one = [&]<std::size_t J>(std::integral_constant<std::size_t, J>) {
        if constexpr (!member_has<T, J, skip_t>) all[at++] = describe_child<T, J>();
      };
      (one(std::integral_constant<std::size_t, I>{}), ...);
    }(std::make_index_sequence<member_count<T>>{});
  } else if constexpr (document_like<T>) {
  } else if constexpr (kind_of<T> == kind::enumeration) {
    for (const auto& each : enumerators<T>) {
      const auto value = halves_of(static_cast<std::uint64_t>(std::to_underlying(each.value)));
      all[at++] = {each.name.data(), nullptr, static_cast<std::uint32_t>(each.name.size()), 0,
                   value[0],         value[1]};
    }
  } else if constexpr (kind_of<T> == kind::variant) {
    [&]<class... Ts>(type_pack<Ts...>) {
      [[maybe_unused]] const auto one = [&](const part_description* part) {
        const std::string_view name = alternative_names<T>[at];
        all[at++] = {
            name.empty() ? nullptr : name.data(), part, static_cast<std::uint32_t>(name.size()), 0, 0, 0};
      };
      (one(&description_at<Ts>::part), ...);
    }(parts_of<T>());
  } else {
    [&]<class... Ts>(type_pack<Ts...>) {
      ((all[at++] = {nullptr, &description_at<Ts>::part, 0, 0, 0, 0}), ...);
    }(parts_of<T>());
  }
  return all;
}
template <class T>
consteval part_description describe_part(const child_description* children) {
  schema_attributes attributes;
  if constexpr (kind_of<T> == kind::record) attributes = record_facts<T>();
  else if constexpr (document_like<T>) attributes = schema_attributes{schema_kind::document};
  else attributes = attributes_of<T>();
  return {children,
          part_description::begins_with,
          static_cast<std::uint32_t>(described_child_count<T>()),
          halves_of(attributes.extent),
          halves_of(attributes.divisor),
          std::to_underlying(attributes.kind),
          attributes.width,
          attributes.flags,
          part_description::form};
}

/// The description of a type. All uses of the type refer to the same object, so a type that
/// contains itself can refer to itself.
template <class T>
struct description_of {
  static const std::array<child_description, described_child_count<T>()> children;
  static const part_description part;
};
template <class T>
constinit const std::array<child_description, described_child_count<T>()> description_of<T>::children =
    describe_children<T>();
template <class T>
constinit const part_description description_of<T>::part =
    describe_part<T>(description_of<T>::children.data());

template <class View, class T>
consteval view_description<View> describe_view(std::uint64_t spelled = 0) {
  return {&description_at<T>::part, halves_of(spelled)};
}

#endif

}}} // namespace ingot::INGOT_V1::detail
