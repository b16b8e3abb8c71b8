// SPDX-License-Identifier: Apache-2.0
// Types with every encoding of integers, and with the messages of google.protobuf that members can
// be.
#pragma once

#include <ingot/document/archive.hpp>
#include <ingot/document/document.hpp>
#include <ingot/protobuf/any.hpp>
#include <ingot/reflect/annotations.hpp>

#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <expected>
#include <limits>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <tuple>
#include <utility>
#include <variant>
#include <vector>

namespace encoding_types {

enum class wide : std::int64_t { none = 0, far = -(std::int64_t{1} << 40) };
enum class open : std::int32_t { none = 0, one = 1 };

struct numbers {
  std::int32_t plain32 = 0;
  std::int64_t plain64 = 0;
  std::uint32_t natural32 = 0;
  std::uint64_t natural64 = 0;
  std::int32_t sint32 = 0;
  std::int64_t sint64 = 0;
  std::uint32_t fixed32 = 0;
  std::uint64_t fixed64 = 0;
  std::int32_t sfixed32 = 0;
  std::int64_t sfixed64 = 0;
  std::int8_t narrow = 0;
  std::int16_t narrow_fixed = 0;
  std::vector<std::int32_t> plains;
  std::vector<std::int64_t> sints;
  std::vector<std::uint64_t> fixeds;
  std::array<std::int32_t, 2> sfixeds{};
  std::map<std::int32_t, std::int64_t> map_plain;
  std::map<std::int32_t, std::int64_t> map_sint_fixed;
  std::map<std::uint64_t, std::vector<std::int32_t>> map_fixed;
  std::set<std::int64_t> sint_set;
  std::optional<std::int64_t> maybe;
  std::variant<std::int32_t, std::string, std::int64_t> either;
  std::tuple<std::int32_t, std::uint64_t> pair;
  std::chrono::duration<std::int64_t> count{};
  std::chrono::duration<std::int64_t> count_fixed{};
  wide far = wide::none;
  wide far_sint = wide::none;
  open more = open::none;
  std::vector<open> mores;
};

using nanoseconds = std::chrono::duration<std::int64_t, std::nano>;
using days = std::chrono::duration<std::int32_t, std::ratio<86'400>>;
using time = std::chrono::time_point<std::chrono::system_clock, nanoseconds>;
using seconds_time = std::chrono::time_point<std::chrono::system_clock, std::chrono::duration<std::int64_t>>;

struct known {
  time at;
  nanoseconds wait{};
  days old{};
  std::optional<seconds_time> until;
  std::vector<time> times;
  std::map<std::string, std::chrono::duration<std::int64_t, std::milli>> waits;
  std::variant<std::int32_t, time> either;
  ingot::document value;
  ingot::document structure;
  ingot::document list;
  std::vector<ingot::document> values;
  std::map<std::string, ingot::document> by_name;
  std::optional<ingot::document> maybe;
  std::optional<bool> boolean;
  std::optional<std::int32_t> int32;
  std::optional<std::int64_t> int64;
  std::optional<std::uint32_t> uint32;
  std::unique_ptr<std::uint64_t> uint64;
  std::optional<float> single;
  std::optional<double> real;
  std::optional<std::string> text;
  std::optional<std::vector<std::byte>> bytes;
  ingot::protobuf::any any;
  std::vector<ingot::protobuf::any> anys;
};

/// Classes whose stored values can't be extended.
struct boxed_pair {
  std::int32_t first = 0;
  std::string second;
};
struct boxed {
  boxed_pair in;
};
struct boxed_list {
  std::vector<std::int32_t> in;
};
struct boxed_time {
  time in;
};
/// Has no empty value.
struct made_of_pair {
  explicit made_of_pair(boxed_pair from) : in(std::move(from)) {}
  boxed_pair in;
};
enum class rights : std::uint8_t { none = 0, read = 1, write = 2, run = 8 };

struct classes {
  boxed pair;
  boxed_list list;
  boxed_time at;
  std::optional<boxed> maybe;
  std::unique_ptr<boxed_list> box;
  std::optional<made_of_pair> made;
  std::unique_ptr<made_of_pair> made_box;
  std::variant<std::int32_t, made_of_pair, boxed, ingot::document> either;
  std::expected<boxed, boxed> outcome;
  std::map<std::string, boxed> by_name;
  rights may = rights::none;
  std::vector<rights> all;
  std::map<std::string, rights> named;
};

struct encodings {
  numbers all;
  known messages;
  classes adapted;
};

} // namespace encoding_types

template <>
struct ingot::adapt<encoding_types::boxed> {
  static const encoding_types::boxed_pair& to(const encoding_types::boxed& from) noexcept { return from.in; }
  static encoding_types::boxed from(encoding_types::boxed_pair&& stored) { return {std::move(stored)}; }
};
template <>
struct ingot::adapt<encoding_types::made_of_pair> {
  static const encoding_types::boxed_pair& to(const encoding_types::made_of_pair& from) noexcept {
    return from.in;
  }
  static encoding_types::made_of_pair from(encoding_types::boxed_pair&& stored) {
    return encoding_types::made_of_pair(std::move(stored));
  }
};
template <>
struct ingot::adapt<encoding_types::boxed_list> {
  static const std::vector<std::int32_t>& to(const encoding_types::boxed_list& from) noexcept {
    return from.in;
  }
  static encoding_types::boxed_list from(std::vector<std::int32_t>&& stored) { return {std::move(stored)}; }
};
template <>
struct ingot::adapt<encoding_types::boxed_time> {
  static encoding_types::time to(const encoding_types::boxed_time& from) noexcept { return from.in; }
  static encoding_types::boxed_time from(encoding_types::time stored) { return {stored}; }
};
template <>
inline constexpr auto ingot::annotations<encoding_types::rights> = ingot::annotate(ingot::type(ingot::flags));
template <>
inline constexpr auto ingot::annotations<encoding_types::classes> = ingot::annotate(
    ingot::member<"at">(ingot::proto_well_known), ingot::member<"either">(ingot::proto_well_known));
template <>
inline constexpr auto ingot::annotations<encoding_types::open> =
    ingot::annotate(ingot::type(ingot::open_enum));
template <>
inline constexpr auto ingot::annotations<encoding_types::wide> =
    ingot::annotate(ingot::enumerator<encoding_types::wide::far>());
template <>
inline constexpr auto ingot::annotations<encoding_types::numbers> = ingot::annotate(
    ingot::member<"sint32">(ingot::proto_sint), ingot::member<"sint64">(ingot::proto_sint),
    ingot::member<"fixed32">(ingot::proto_fixed), ingot::member<"fixed64">(ingot::proto_fixed),
    ingot::member<"sfixed32">(ingot::proto_fixed), ingot::member<"sfixed64">(ingot::proto_fixed),
    ingot::member<"narrow_fixed">(ingot::proto_fixed), ingot::member<"sints">(ingot::proto_sint),
    ingot::member<"fixeds">(ingot::proto_fixed), ingot::member<"sfixeds">(ingot::proto_fixed),
    ingot::member<"map_sint_fixed">(ingot::proto_fixed, ingot::proto_key(ingot::proto_sint)),
    ingot::member<"map_fixed">(ingot::proto_sint, ingot::proto_key(ingot::proto_fixed)),
    ingot::member<"sint_set">(ingot::proto_sint), ingot::member<"maybe">(ingot::proto_fixed),
    ingot::member<"either">(ingot::proto_sint), ingot::member<"pair">(ingot::proto_fixed),
    ingot::member<"count_fixed">(ingot::proto_fixed), ingot::member<"far_sint">(ingot::proto_sint));
template <>
inline constexpr auto ingot::annotations<encoding_types::known> = ingot::annotate(
    ingot::member<"at">(ingot::proto_well_known), ingot::member<"wait">(ingot::proto_well_known),
    ingot::member<"old">(ingot::proto_well_known), ingot::member<"until">(ingot::proto_well_known),
    ingot::member<"times">(ingot::proto_well_known), ingot::member<"waits">(ingot::proto_well_known),
    ingot::member<"either">(ingot::proto_well_known), ingot::member<"value">(ingot::proto_well_known),
    ingot::member<"structure">(ingot::proto_struct), ingot::member<"list">(ingot::proto_list),
    ingot::member<"values">(ingot::proto_well_known), ingot::member<"by_name">(ingot::proto_well_known),
    ingot::member<"maybe">(ingot::proto_well_known), ingot::member<"boolean">(ingot::proto_well_known),
    ingot::member<"int32">(ingot::proto_well_known), ingot::member<"int64">(ingot::proto_well_known),
    ingot::member<"uint32">(ingot::proto_well_known), ingot::member<"uint64">(ingot::proto_well_known),
    ingot::member<"single">(ingot::proto_well_known), ingot::member<"real">(ingot::proto_well_known),
    ingot::member<"text">(ingot::proto_well_known), ingot::member<"bytes">(ingot::proto_well_known),
    ingot::member<"any">(ingot::proto_well_known), ingot::member<"anys">(ingot::proto_well_known));

namespace encoding_types {

inline numbers extremes() {
  using limits32 = std::numeric_limits<std::int32_t>;
  using limits64 = std::numeric_limits<std::int64_t>;
  numbers value;
  value.plain32 = limits32::min();
  value.plain64 = limits64::min();
  value.natural32 = std::numeric_limits<std::uint32_t>::max();
  value.natural64 = std::numeric_limits<std::uint64_t>::max();
  value.sint32 = limits32::min();
  value.sint64 = limits64::min();
  value.fixed32 = std::numeric_limits<std::uint32_t>::max();
  value.fixed64 = std::numeric_limits<std::uint64_t>::max();
  value.sfixed32 = limits32::min();
  value.sfixed64 = limits64::min();
  value.narrow = -128;
  value.narrow_fixed = -32'768;
  value.plains = {limits32::min(), -1, 0, 1, limits32::max()};
  value.sints = {limits64::min(), -1, 0, 1, limits64::max()};
  value.fixeds = {0, 1, std::numeric_limits<std::uint64_t>::max()};
  value.sfixeds = {-1, limits32::max()};
  value.map_plain = {{-1, limits64::min()}, {5, 0}};
  value.map_sint_fixed = {{limits32::min(), -1}, {0, 0}, {7, limits64::max()}};
  value.map_fixed = {{0, {}}, {std::numeric_limits<std::uint64_t>::max(), {-1, 64}}};
  value.sint_set = {-64, 64};
  value.maybe = -2;
  value.either = std::int64_t{-3};
  value.pair = {-4, 5};
  value.count = std::chrono::duration<std::int64_t>(-6);
  value.count_fixed = std::chrono::duration<std::int64_t>(-7);
  value.far = wide::far;
  value.far_sint = wide::far;
  value.more = static_cast<open>(-1'000'000);
  value.mores = {open::one, static_cast<open>(limits32::max())};
  return value;
}
inline known messages() {
  known value;
  value.at = time(nanoseconds(1'700'000'000'123'456'789));
  value.wait = nanoseconds(-1'500'000'000);
  value.old = days(-3);
  value.until = seconds_time(std::chrono::duration<std::int64_t>(-62'135'596'800));
  value.times = {time(nanoseconds(-1)), time(), time(nanoseconds::min()), time(nanoseconds::max())};
  value.waits["half"] = std::chrono::duration<std::int64_t, std::milli>(500);
  value.waits["none"];
  value.either = time(nanoseconds(5));
  value.value = ingot::document(std::vector<double>{0.5, -3, 1e300});
  value.structure["name"] = "x";
  value.structure["deep"] = std::map<std::string, std::vector<int>>{{"list", {1, -2}}, {"none", {}}};
  value.list = ingot::document(std::vector<std::string>{"", "a"});
  value.values.resize(3);
  value.values[1] = ingot::document(true);
  value.values[2] = value.structure;
  value.by_name["none"];
  value.by_name["count"] = ingot::document(std::int64_t{1} << 53);
  value.maybe.emplace();
  value.boolean = false;
  value.int32 = -1;
  value.int64 = std::numeric_limits<std::int64_t>::min();
  value.uint32 = 0;
  value.uint64 = std::make_unique<std::uint64_t>(std::numeric_limits<std::uint64_t>::max());
  value.single = -0.0F;
  value.real = 0.5;
  value.text = "";
  value.bytes = {std::byte{0}};
  value.any = {"type.googleapis.com/google.protobuf.Int32Value", {std::byte{8}, std::byte{1}}};
  value.anys.resize(2);
  return value;
}
inline classes adapted() {
  classes value;
  value.pair.in = {-1, "a"};
  value.list.in = {1, -2};
  value.at.in = time(nanoseconds(-1));
  value.maybe = boxed{{2, "b"}};
  value.box = std::make_unique<boxed_list>();
  value.box->in = {3};
  value.made.emplace(boxed_pair{4, "c"});
  value.made_box = std::make_unique<made_of_pair>(boxed_pair{5, "d"});
  value.either.emplace<1>(boxed_pair{6, "e"});
  value.outcome = std::unexpected(boxed{{7, "f"}});
  value.by_name["g"] = {{8, "g"}};
  value.may = static_cast<rights>(11);
  value.all = {rights::run, rights::none, static_cast<rights>(3)};
  value.named["h"] = static_cast<rights>(9);
  return value;
}
inline encodings filled() { return {extremes(), messages(), adapted()}; }

} // namespace encoding_types
