// SPDX-License-Identifier: Apache-2.0
// The zoo's scalars and other types of fixed size: numbers, characters, enums, times, and arrays
// and tuples of them.
#pragma once

#include <ingot/reflect/annotations.hpp>

#include "sample.hpp"

#include <memory>

namespace zoo {

/// Closed, without gaps.
enum class colour : std::uint8_t { red, green, blue };
/// Closed, with negative values and gaps.
enum class mood : std::int8_t { furious = -2, sad, calm = 1, happy = 5 };
/// Open: values without an enumerator are data.
enum class permission : std::uint32_t { none = 0, read = 1, write = 2, execute = 4 };
/// Unscoped, without a fixed underlying type.
enum compass { north, east, south, west };
/// Eight bytes, sparse. `annotations` names the enumerators that a scan doesn't find.
enum class distance : std::uint64_t { nowhere = 0, far = std::uint64_t{1} << 40, odd = 1'000'003 };
/// Two enumerators with one value, and names that differ from the identifiers.
enum class priority : std::int16_t { low = 0, lowest = 0, high = 10, urgent = 100 };
enum class answer : bool { no, yes };
/// Closed, with values that don't fit in a byte.
enum class status { ok = 200, moved = 301, not_found = 404 };
/// Flags, because it has an operator.
enum class rights : std::uint8_t { none = 0, read = 1, write = 2, own = 0x83 };
constexpr rights operator|(rights a, rights b) {
  return static_cast<rights>(static_cast<std::uint8_t>(a) | static_cast<std::uint8_t>(b));
}
/// Flags by annotation: signed, and without an enumerator for zero.
enum class weather : std::int16_t { rain = 1, wind = 4, snow = 1 << 10 };

template <>
struct sampler<colour> : one_of<colour::red, colour::green, colour::blue> {};
template <>
struct sampler<mood> : one_of<mood::furious, mood::sad, mood::calm, mood::happy> {};
template <>
struct sampler<permission> {
  static permission make(source& s) { return static_cast<permission>(rules::integer<std::uint32_t>(s)); }
};
template <>
struct sampler<compass> : one_of<north, east, south, west> {};
template <>
struct sampler<distance> : one_of<distance::nowhere, distance::far, distance::odd> {};
template <>
struct sampler<priority> : one_of<priority::low, priority::high, priority::urgent> {};
template <>
struct sampler<status> : one_of<status::ok, status::moved, status::not_found> {};
template <>
struct sampler<rights> {
  static rights make(source& s) { return static_cast<rights>(rules::integer<std::uint8_t>(s) & 0x83); }
};
template <>
struct sampler<weather> {
  static weather make(source& s) { return static_cast<weather>(rules::integer<std::uint16_t>(s) & 0x405); }
};
template <>
struct sampler<answer> : one_of<answer::no, answer::yes> {};

} // namespace zoo

template <>
inline constexpr auto ingot::annotations<zoo::permission> = ingot::annotate(ingot::type(ingot::open_enum));
template <>
inline constexpr auto ingot::annotations<zoo::weather> = ingot::annotate(ingot::type(ingot::flags));
template <>
inline constexpr auto ingot::annotations<zoo::distance> =
    ingot::annotate(ingot::enumerator<zoo::distance::odd>());
template <>
inline constexpr auto ingot::annotations<zoo::priority> =
    ingot::annotate(ingot::enumerator<zoo::priority::high>(ingot::rename("HIGH")),
                    ingot::enumerator<zoo::priority::urgent>(ingot::rename("drop everything")));

namespace zoo {

template <class F>
void for_each_scalar(F&& f) {
  f.template operator()<bool>("bool");
  f.template operator()<std::int8_t>("int8");
  f.template operator()<std::int16_t>("int16");
  f.template operator()<std::int32_t>("int32");
  f.template operator()<std::int64_t>("int64");
  f.template operator()<std::uint8_t>("uint8");
  f.template operator()<std::uint16_t>("uint16");
  f.template operator()<std::uint32_t>("uint32");
  f.template operator()<std::uint64_t>("uint64");
  f.template operator()<float>("float");
  f.template operator()<double>("double");
  f.template operator()<char>("char");
  f.template operator()<char16_t>("char16");
  f.template operator()<char32_t>("char32");
  f.template operator()<std::byte>("byte");
  f.template operator()<colour>("enum_closed");
  f.template operator()<mood>("enum_negative");
  f.template operator()<permission>("enum_open");
  f.template operator()<compass>("enum_unscoped");
  f.template operator()<distance>("enum_sparse");
  f.template operator()<priority>("enum_renamed");
  f.template operator()<answer>("enum_of_bool");
  f.template operator()<status>("enum_of_codes");
  f.template operator()<rights>("enum_of_flags");
  f.template operator()<weather>("enum_annotated_flags");
  f.template operator()<std::complex<float>>("complex_float");
  f.template operator()<std::complex<double>>("complex_double");
  // Only durations that have the same representation in both standard libraries.
  f.template operator()<std::chrono::nanoseconds>("nanoseconds");
  f.template operator()<std::chrono::duration<std::int32_t, std::ratio<1, 60>>>("duration_frames");
  f.template operator()<std::chrono::duration<double>>("duration_double");
  f.template operator()<std::chrono::sys_time<std::chrono::milliseconds>>("time_point");
  f.template operator()<std::bitset<5>>("bitset_5");
  f.template operator()<std::bitset<64>>("bitset_64");
  f.template operator()<std::bitset<77>>("bitset_77");
  f.template operator()<std::array<std::uint32_t, 4>>("array_uint32");
  f.template operator()<std::array<std::uint32_t, 0>>("array_of_none");
  f.template operator()<std::array<std::array<std::int16_t, 3>, 2>>("array_nested");
  f.template operator()<std::array<bool, 7>>("array_bool");
  f.template operator()<std::array<mood, 3>>("array_enum");
  f.template operator()<std::pair<std::uint8_t, double>>("pair");
  f.template operator()<std::tuple<std::int8_t, std::uint64_t, bool, float>>("tuple");
  f.template operator()<std::tuple<>>("tuple_empty");
  f.template operator()<std::optional<std::uint32_t>>("optional_fixed");
  f.template operator()<std::optional<std::optional<bool>>>("optional_nested");
  f.template operator()<std::variant<std::uint8_t, double, std::array<std::uint16_t, 3>>>("variant_fixed");
  f.template operator()<std::variant<std::monostate, std::uint64_t, bool>>("variant_monostate");
  f.template operator()<std::expected<std::uint32_t, colour>>("expected_fixed");
  f.template operator()<std::unique_ptr<std::uint64_t>>("unique_ptr_fixed");
}

} // namespace zoo
