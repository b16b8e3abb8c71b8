// SPDX-License-Identifier: Apache-2.0
// Annotations: properties of a type beyond its members, such as renames, limits and versions.
//
// Each annotation is a small value of a structural type, so both notations use the same
// annotations:
//
//   C++26:  struct person { [[=ingot::rename("years"), =ingot::range(0, 150)]] int age; };
//   C++23:  // specialise at global scope, before the first use
//           template <> inline constexpr auto ingot::annotations<person> = ingot::annotate(
//               ingot::type(ingot::version(2)),
//               ingot::member<"age">(ingot::rename("years"), ingot::range(0, 150)));
//
// The C++23 notation uses the declared names of members. Specialise `annotations` outside of all
// namespaces, and before the first use of the type with ingot.
#pragma once

#include <ingot/core/detail/float_tests.hpp>
#include <ingot/core/detail/widen_float.hpp>
#include <ingot/reflect/fixed_string.hpp>

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>

namespace ingot { inline namespace INGOT_V1 {

/// The name that a member or enumerator has in schemas, text and `get<"name">`. At most 63 bytes.
struct rename_t {
  char chars[64]{}; ///< the name, without a terminating zero
  std::uint8_t length = 0;
  /// Returns the name.
  [[nodiscard]] constexpr std::string_view view() const noexcept { return {chars, length}; }
};
/// Base of `renamed_from_of`: identifies the annotation for any number of former names.
struct renamed_from_t {};
/// The names of the member in earlier versions of its type. Readers find the member by these names
/// in older packed data (docs/evolution.md).
template <std::size_t N>
struct renamed_from_of : renamed_from_t {
  rename_t names[N]; ///< in any order
};
/// The member is never stored in bytes or text. A reader gives it its default value.
struct skip_t {};
/// The version of the type that introduced the member. Older text may lack the member.
struct since_t {
  std::uint32_t version = 0; ///< version of the type
};
/// Protobuf: the number of the member's field. Without this annotation, the number is the member's
/// position in the type, from 1.
struct field_number_t {
  std::uint32_t number = 0; ///< 1 to 536870911, without 19000 to 19999
};
/// Protobuf: the signed integers of the member are `sint32` or `sint64` (zigzag). These encodings
/// are short for small negative numbers. Without this annotation the integers are `int32` or
/// `int64`. The annotation applies to integers in containers, optionals, variants and tuples, and
/// to the values of maps. It does not apply to the keys of maps, nor to the members of other types.
struct proto_sint_t {};
/// Protobuf: the integers of the member are `fixed32` or `fixed64`; signed integers are `sfixed32`
/// or `sfixed64`. The annotation applies to the same parts as `proto_sint`.
struct proto_fixed_t {};
/// Protobuf: applies `proto_sint` or `proto_fixed` to the keys of a map: `proto_key(proto_sint)`,
/// `proto_key(proto_fixed)`.
struct proto_key_t {
  bool is_fixed = false; ///< true: `proto_fixed`; false: `proto_sint`
};
/// Protobuf: the member is the well-known message of its type: `google.protobuf.Timestamp`,
/// `Duration`, `Value`, a wrapper such as `Int32Value`, or `Any` (docs/protobuf.md). The annotation
/// applies to the same parts as `proto_sint`.
struct proto_well_known_t {};
/// Protobuf: the member is a `google.protobuf.Struct`. The member's C++ type is a document whose
/// value is null or an object.
struct proto_struct_t {};
/// Protobuf: the member is a `google.protobuf.ListValue`. The member's C++ type is a document whose
/// value is null or an array.
struct proto_list_t {};
/// Documents: the member's time points, also those in a list or optional, are written as
/// timestamps, `{"$seconds": s, "$nanoseconds": n}`, instead of counts. Writers of MessagePack and
/// CBOR with `unsupported_values::wrap` write timestamps of those formats. Readers accept
/// timestamps and counts.
struct as_timestamp_t {};
/// Base of `default_value_of`: identifies the annotation for a default of any type.
struct default_value_t {};
/// The default value of the member: a reader uses this value if the input lacks the member. Without
/// this annotation, the value of the member's initialiser is used.
template <class V>
struct default_value_of : default_value_t {
  V value;
};
/// Compact profile: each integer of the member is stored in as few bytes as its value needs. The
/// member is an integer or a sequence of integers.
struct varint_t {};
/// Compact profile: the integers of the member have full width, even if the other integers of the
/// record are varints. Useful for hashes and ids.
struct fixed_t {};
/// Compact profile: a float takes one byte if one byte can hold it exactly. Any other float takes
/// an escape byte, and then its bytes in full.
struct short_float_t {};
/// Compact profile: every float and double of the member is stored in as few bytes as its value
/// needs, without loss. One byte holds a small whole number. A few bytes hold a short decimal (0.1,
/// -273.15) or a value that ends in zero bits. A value takes at most one byte more than its size in
/// memory.
struct tight_float_t {};
/// Compact profile: floats are rounded to multiples of a step, which is `units` times 10^-digits.
/// The bytes contain the number of steps, as a varint.
struct quantize_t {
  std::uint32_t units = 1; ///< units of the last digit, at least 1
  std::uint8_t digits = 0; ///< digits after the point, at most 9
};
/// Compact profile: arrays of three floats are directions, and arrays of four are rotations. Each
/// array is stored as a whole in `bytes` bytes. If `bytes` is 0, a direction takes 4 bytes and a
/// rotation 6.
struct unit_vector_t {
  std::uint8_t bytes = 0; ///< size of the encoding
  /// Returns the annotation for 16 to 64 bits, a multiple of 8. Directions take at most 40 bits,
  /// rotations at least 24.
  consteval unit_vector_t operator()(unsigned bits) const;
};
/// Compact profile, for a type: the type's floats are a position, a rotation and a scale, as
/// described at `transform`.
struct transform_t {
  quantize_t position;    ///< for the array of three floats
  unit_vector_t rotation; ///< for the array of four floats
  quantize_t scale;       ///< for the scale, if there is one
};

/// A bound that compares exactly with every arithmetic type.
struct bound {
  /// Selects the member that holds the bound.
  enum class kind : std::uint8_t { negative, natural, real } which = kind::natural;
  std::int64_t negative = 0; ///< for `kind::negative`
  std::uint64_t natural = 0; ///< for `kind::natural`
  double real = 0;           ///< for `kind::real`

  /// Returns a bound with the value of a number.
  template <class N>
    requires std::is_arithmetic_v<N>
  static constexpr bound of(N n) noexcept {
    if constexpr (std::is_floating_point_v<N>) {
      return {kind::real, 0, 0, detail::float_to_double(n)};
    } else if constexpr (std::is_signed_v<N>) {
      return n < 0 ? bound{kind::negative, static_cast<std::int64_t>(n), 0, 0}
                   : bound{kind::natural, 0, static_cast<std::uint64_t>(n), 0};
    } else {
      return {kind::natural, 0, static_cast<std::uint64_t>(n), 0};
    }
  }
  /// Returns true if the bound is greater than `value`. Returns false for NaN, because
  /// `range_t::contains` rejects NaN itself.
  template <class N>
  [[nodiscard]] constexpr bool above(N value) const noexcept {
    if constexpr (std::is_floating_point_v<N>) {
      return detail::compare_floats(detail::float_to_double(value), as_real()) < 0;
    } else {
      switch (which) {
      case kind::negative: return std::cmp_less(value, negative);
      case kind::natural: return std::cmp_less(value, natural);
      default: return detail::compare_floats(static_cast<double>(value), real) < 0;
      }
    }
  }
  /// Returns true if the bound is less than `value`. Returns false for NaN.
  template <class N>
  [[nodiscard]] constexpr bool below(N value) const noexcept {
    if constexpr (std::is_floating_point_v<N>) {
      return detail::compare_floats(detail::float_to_double(value), as_real()) > 0;
    } else {
      switch (which) {
      case kind::negative: return std::cmp_greater(value, negative);
      case kind::natural: return std::cmp_greater(value, natural);
      default: return detail::compare_floats(static_cast<double>(value), real) > 0;
      }
    }
  }

private:
  [[nodiscard]] constexpr double as_real() const noexcept {
    switch (which) {
    case kind::negative: return static_cast<double>(negative);
    case kind::natural: return static_cast<double>(natural);
    default: return real;
    }
  }
};

/// Every reader rejects a value of the member that is NaN or outside of [low, high]. The limits
/// also apply to each element of a sequence.
struct range_t {
  bound low;  ///< the least value in the range
  bound high; ///< the greatest value in the range

  /// Returns true if `value` is in the range. O(1).
  template <class N>
  [[nodiscard]] constexpr bool contains(N value) const noexcept {
    if constexpr (std::is_floating_point_v<N>) {
      if (detail::is_nan(value)) return false;
    }
    return !low.above(value) && !high.below(value);
  }
};
/// Every reader rejects a container with more than `count` elements, or a string with more bytes.
struct max_size_t {
  std::uint64_t count = 0;
};
/// Every reader rejects text that is not UTF-8.
struct utf8_t {};
/// Members may be appended to the type in later versions. Packed bytes contain the size of each
/// object, and the type is never flattened (docs/format.md).
struct evolvable_t {};
/// The version of the type. If the first member of the type is an integer called `version`, readers
/// and writers reject a value of this member that is not `number`.
struct version_t {
  std::uint32_t number = 0; ///< the required value of the member `version`
};
/// For an enum: every number of its underlying type is a value.
struct open_enum_t {};
/// For an enum: its values are zero and all combinations of its enumerators' bits. An enum does not
/// need this annotation if it has an `operator|` that returns the enum.
struct flags_t {};
/// Compact profile: members with the same value as in a default-constructed object are omitted.
struct elide_defaults_t {};
/// Compact profile: the smallest lossless encoding. Has the effect of `varint`, `tight_float` and
/// `elide_defaults` on all members. Other annotations of a member have precedence.
struct tight_t : varint_t, tight_float_t, elide_defaults_t {};
/// The `reflect` function or `INGOT_REFLECT` omits members on purpose (caches, locks).
struct partial_t {};
/// C++26: ingot stores the private members of this class, too.
struct reflectable_t {};

/// \cond The following functions create annotations, for the notations of C++26 and of C++23.
template <std::size_t N>
consteval rename_t rename(const char (&name)[N]) {
  static_assert(N > 1 && N <= 64, "a name has 1 to 63 bytes");
  rename_t result;
  for (std::size_t i = 0; i + 1 < N; ++i) result.chars[i] = name[i];
  result.length = static_cast<std::uint8_t>(N - 1);
  return result;
}
/// Returns the annotation for a member with these former names.
template <std::size_t... N>
consteval auto renamed_from(const char (&... names)[N]) {
  static_assert(sizeof...(N) > 0, "renamed_from takes the member's former names");
  return renamed_from_of<sizeof...(N)>{{}, {rename(names)...}};
}
/// Returns the annotation for a default value.
template <class V>
consteval auto default_value(V value) {
  return default_value_of<V>{{}, value};
}
/// Returns the annotation for a default text.
template <std::size_t N>
consteval auto default_value(const char (&text)[N]) {
  return default_value_of<fixed_string<N>>{{}, text};
}
/// Returns the annotation for a member that version `version` of its type introduced.
consteval since_t since(std::uint32_t version) { return {version}; }
/// Returns the annotation for version `number` of a type.
consteval version_t version(std::uint32_t number) { return {number}; }
namespace rejected {
/// Deliberately not constexpr: a call during constant evaluation is a compile error, and the
/// compiler prints the function's name.
[[noreturn]] void a_field_number_is_from_1_to_536870911_without_19000_to_19999();
} // namespace rejected
/// Returns the annotation for a field number: 1 to 536870911, without 19000 to 19999.
consteval field_number_t field_number(std::uint32_t number) {
  if (number == 0 || number > 536'870'911 || (number >= 19'000 && number <= 19'999))
    rejected::a_field_number_is_from_1_to_536870911_without_19000_to_19999();
  return {number};
}
/// Returns the annotation for keys that are `sint32` or `sint64`.
consteval proto_key_t proto_key(proto_sint_t) { return {false}; }
/// Returns the annotation for keys of fixed width.
consteval proto_key_t proto_key(proto_fixed_t) { return {true}; }
consteval max_size_t max_size(std::uint64_t count) { return {count}; }
/// Returns the annotation for the range [low, high].
template <class L, class H>
consteval range_t range(L low, H high) {
  return {bound::of(low), bound::of(high)};
}
namespace rejected {
/// Deliberately not constexpr: a call during constant evaluation is a compile error, and the
/// compiler prints the function's name.
[[noreturn]] void
a_step_of_quantize_is_a_decimal_number_from_0_000000001_to_4294967295_with_at_most_9_digits_after_the_point();
} // namespace rejected
/// Returns the annotation for a step: a decimal number from 0.000000001 to 4294967295, with at most
/// 9 digits after the point. A value that is read differs from the written value by at most half a
/// step, plus the rounding of the float itself. A unit is one in the last decimal digit of the
/// step: 0.01 for a step of 0.25. Writers reject NaN, infinities and numbers of 2^53 units or more.
consteval quantize_t quantize(double step) {
  double power = 1;
  for (std::uint8_t digits = 0; digits < 10; ++digits, power *= 10) {
    const double scaled = step * power;
    if (!(scaled > 0) || scaled > 4'294'967'295.0) break;
    auto units = static_cast<std::uint32_t>(scaled);
    if (scaled - units >= 0.5) ++units;
    if (units != 0 && static_cast<double>(units) / power == step) return {units, digits};
  }
  rejected::
      a_step_of_quantize_is_a_decimal_number_from_0_000000001_to_4294967295_with_at_most_9_digits_after_the_point();
}
namespace rejected {
/// Deliberately not constexpr: a call during constant evaluation is a compile error, and the
/// compiler prints the function's name.
[[noreturn]] void a_unit_vector_takes_16_24_32_40_48_56_or_64_bits();
} // namespace rejected
consteval unit_vector_t unit_vector_t::operator()(unsigned bits) const {
  if (bits % 8 != 0 || bits < 16 || bits > 64) rejected::a_unit_vector_takes_16_24_32_40_48_56_or_64_bits();
  return {static_cast<std::uint8_t>(bits / 8)};
}
/// An array of three floats is a direction. An array of four floats is a rotation: a unit
/// quaternion, with its components in any order.
///
/// The value that is read differs from the written value by an angle. With n = 2^(bits / 2 - 1) -
/// 1, the angle of a direction is at most asin(sqrt(2) / n): 0.0025 degrees in 32 bits. With n =
/// 2^((bits - 2) / 3 - 1) - 1, the angle of a rotation is at most 2 asin(sqrt(3) / 2n): 0.0061
/// degrees in 48 bits. The rounding of the floats is added to this angle, and can also make the
/// length differ from 1. The quaternions q and -q are the same rotation: readers return the
/// quaternion whose largest component is positive. If several components are largest, the first of
/// them is positive. An array of zeros is stored exactly. Writers reject every other array whose
/// length as a vector differs from 1 by more than 1/128, and arrays with NaN or infinities.
inline constexpr unit_vector_t unit_vector{};
/// Annotates a type with an array of three floats (position), an array of four (rotation) and, if
/// the object is scaled, a float or another array of three (scale). Rounds the position by
/// `quantize(step)`, the rotation by `unit_vector(rotation_bits)` and the scale by
/// `quantize(scale_step)`, with the error bounds of those annotations. The effect is the same as if
/// the members had these annotations. The type may also have members without floats, and members
/// with annotations of their own.
consteval transform_t transform(double step, unsigned rotation_bits = 48, double scale_step = 0.001) {
  return {quantize(step), unit_vector(rotation_bits), quantize(scale_step)};
}
inline constexpr skip_t skip{};                         ///< see `skip_t`
inline constexpr as_timestamp_t as_timestamp{};         ///< see `as_timestamp_t`
inline constexpr varint_t varint{};                     ///< see `varint_t`
inline constexpr fixed_t fixed{};                       ///< see `fixed_t`
inline constexpr short_float_t short_float{};           ///< see `short_float_t`
inline constexpr tight_float_t tight_float{};           ///< see `tight_float_t`
inline constexpr utf8_t utf8{};                         ///< see `utf8_t`
inline constexpr proto_sint_t proto_sint{};             ///< see `proto_sint_t`
inline constexpr proto_fixed_t proto_fixed{};           ///< see `proto_fixed_t`
inline constexpr proto_well_known_t proto_well_known{}; ///< see `proto_well_known_t`
inline constexpr proto_struct_t proto_struct{};         ///< see `proto_struct_t`
inline constexpr proto_list_t proto_list{};             ///< see `proto_list_t`
inline constexpr evolvable_t evolvable{};               ///< see `evolvable_t`
inline constexpr open_enum_t open_enum{};               ///< see `open_enum_t`
inline constexpr flags_t flags{};                       ///< see `flags_t`
inline constexpr elide_defaults_t elide_defaults{};     ///< see `elide_defaults_t`
inline constexpr tight_t tight{};                       ///< see `tight_t`
inline constexpr partial_t partial{};                   ///< see `partial_t`
inline constexpr reflectable_t reflectable{};           ///< see `reflectable_t`
/// \endcond

namespace detail {

/// Returns the size in bytes of an encoded direction (`count` is 3) or rotation (4). `bytes` is
/// `unit_vector_t::bytes`. Returns 0 if an array of `count` floats has no encoding of this size.
constexpr unsigned unit_size_of(unsigned bytes, std::uint64_t count) noexcept {
  if (count == 3) return bytes == 0 ? 4 : bytes >= 2 && bytes <= 5 ? bytes : 0;
  if (count == 4) return bytes == 0 ? 6 : bytes >= 3 && bytes <= 8 ? bytes : 0;
  return 0;
}

struct no_annotation {};

template <class A, class Item>
concept annotation_is = std::derived_from<Item, A>;

/// Returns the first item that is an `A`, or `no_annotation`.
template <class A>
constexpr auto pick() noexcept {
  return no_annotation{};
}
template <class A, class First, class... Rest>
constexpr auto pick(const First& first, const Rest&... rest) noexcept {
  if constexpr (annotation_is<A, First>) {
    return first;
  } else {
    return pick<A>(rest...);
  }
}

template <class... Items>
struct type_entry {
  std::tuple<Items...> items;
};
template <fixed_string Name, class... Items>
struct member_entry {
  static constexpr std::string_view name() noexcept { return Name.view(); }
  std::tuple<Items...> items;
};
template <auto Value, class... Items>
struct enumerator_entry {
  std::tuple<Items...> items;
};

template <class T>
inline constexpr bool is_annotation_entry = false;
template <class... Items>
inline constexpr bool is_annotation_entry<type_entry<Items...>> = true;
template <fixed_string Name, class... Items>
inline constexpr bool is_annotation_entry<member_entry<Name, Items...>> = true;
template <auto Value, class... Items>
inline constexpr bool is_annotation_entry<enumerator_entry<Value, Items...>> = true;

template <class... Entries>
struct annotation_set {
  std::tuple<Entries...> entries;
};

} // namespace detail

/// Annotates the type itself.
template <class... Items>
consteval auto type(Items... items) {
  return detail::type_entry<Items...>{{items...}};
}
/// Annotates the member with the declared name `Name`.
template <fixed_string Name, class... Items>
consteval auto member(Items... items) {
  return detail::member_entry<Name, Items...>{{items...}};
}
/// Annotates an enumerator.
template <auto Value, class... Items>
  requires std::is_enum_v<decltype(Value)>
consteval auto enumerator(Items... items) {
  return detail::enumerator_entry<Value, Items...>{{items...}};
}
/// Collects annotations for `annotations<T>`: results of `type`, `member` and `enumerator`.
template <class... Entries>
consteval auto annotate(Entries... entries) {
  static_assert((detail::is_annotation_entry<Entries> && ...),
                "ingot: annotate takes type(...), member<\"name\">(...) and enumerator<value>(...), and the "
                "annotations in them: an annotation alone does not say what it is for");
  return detail::annotation_set<Entries...>{{entries...}};
}

/// The C++23 notation: specialise this for a type, with `annotate`. The specialisation must be at
/// global scope, outside of all namespaces, and before the first use of the type with ingot:
///
///   // specialise at global scope, before the first use
///   template <>
///   inline constexpr auto ingot::annotations<person> =
///       ingot::annotate(ingot::member<"age">(ingot::range(0, 150)));
template <class T>
inline constexpr auto annotations = annotate();

}} // namespace ingot::INGOT_V1
