// SPDX-License-Identifier: Apache-2.0
// The zoo's types with more than members: annotations, versions, hooks, and classes of other
// libraries.
//
// `customer` and `preferences` have their annotations in both forms. So compiling the zoo with and
// without C++26 reflection shows if both forms agree.
#pragma once

#include <ingot/core/error.hpp>
#include <ingot/reflect/annotations.hpp>
#include <ingot/reflect/hooks.hpp>

#include "records.hpp"
#include "sample.hpp"

#include <charconv>

#if INGOT_REFLECTION
#define ZOO_NOTE(...) [[__VA_ARGS__]]
#else
#define ZOO_NOTE(...)
#endif

namespace zoo {

struct customer {
  ZOO_NOTE(= ingot::rename("years"), = ingot::range(0, 150)) std::uint16_t age = 0;
  ZOO_NOTE(= ingot::max_size(40), = ingot::utf8) std::string name;
  ZOO_NOTE(= ingot::varint) std::uint64_t visits = 0;
  ZOO_NOTE(= ingot::varint) std::int32_t balance = 0;
  ZOO_NOTE(= ingot::varint) std::vector<std::int64_t> purchases;
  ZOO_NOTE(= ingot::fixed) std::uint32_t fingerprint = 0;
  ZOO_NOTE(= ingot::short_float) float discount = 0;
  ZOO_NOTE(= ingot::short_float) double weight = 0;
  ZOO_NOTE(= ingot::skip) std::string cached_greeting = "hello";
  ZOO_NOTE(= ingot::range(-1.0, 1.0)) std::vector<float> tastes;
  ZOO_NOTE(= ingot::since(2), = ingot::default_value("none")) std::string coupon = "none";
};
ZOO_MEMBERS(customer, age, name, visits, balance, purchases, fingerprint, discount, weight, cached_greeting,
            tastes, coupon)
template <>
struct sampler<customer> {
  static customer make(source& s) {
    customer c;
    c.age = static_cast<std::uint16_t>(s.between(0, 150));
    c.name = rules::string<std::string>(s);
    if (c.name.size() > 40) c.name.assign(40, 'n'); // a cut at another position might not be UTF-8
    fill(c.visits, s);
    fill(c.balance, s);
    fill(c.purchases, s);
    fill(c.fingerprint, s);
    fill(c.discount, s);
    fill(c.weight, s);
    c.tastes.resize(s.size());
    for (auto& taste : c.tastes) taste = static_cast<float>(s.between(0, 256)) / 128 - 1;
    fill(c.coupon, s);
    return c;
  }
};

/// Most members have their defaults.
struct ZOO_NOTE(= ingot::elide_defaults) preferences {
  bool sound = true;
  std::uint8_t volume = 50;
  std::string language = "en";
  std::optional<std::uint32_t> colour_depth;
  point window{640, 480};
  std::vector<std::string> recent;
};
ZOO_MEMBERS(preferences, sound, volume, language, colour_depth, window, recent)
template <>
struct sampler<preferences> {
  static preferences make(source& s) {
    preferences p;
    std::apply([&](auto&... members) { ((s.chance(3) ? fill(members, s) : void()), ...); }, zoo_members(p));
    return p;
  }
};

/// A type that expects a version in its first member.
struct save_header {
  std::uint16_t version = 3;
  std::string title;
  std::uint32_t length = 0;
};
ZOO_MEMBERS(save_header, version, title, length)
template <>
struct sampler<save_header> {
  static save_header make(source& s) {
    save_header h;
    fill(h.title, s);
    fill(h.length, s);
    return h;
  }
};

/// A member called version of a type that expects none: plain data.
struct package {
  std::string name;
  std::uint32_t version = 0;
};
ZOO_MEMBERS(package, name, version)

/// One type, before and after members were appended.
struct sensor_v1 {
  std::uint32_t id = 0;
  std::string place;
};
ZOO_MEMBERS(sensor_v1, id, place)
struct sensor_v2 {
  std::uint32_t id = 0;
  std::string place;
  double offset = 0.5;
  std::vector<std::string> tags;
};
ZOO_MEMBERS(sensor_v2, id, place, offset, tags)

/// Evolvable without variable members.
struct reading {
  std::uint64_t time = 0;
  float value = 0;
};
ZOO_MEMBERS(reading, time, value)

struct network {
  std::string name;
  sensor_v2 gateway;
  std::vector<sensor_v2> sensors;
  std::map<std::uint32_t, reading> latest;
  std::optional<reading> alarm;
  reading first;
  std::uint8_t after = 0;
};
ZOO_MEMBERS(network, name, gateway, sensors, latest, alarm, first, after)

/// With a predicate that every reader calls.
struct interval {
  std::int32_t low = 0;
  std::int32_t high = 0;
  [[nodiscard]] bool valid() const { return low <= high; }
};
ZOO_MEMBERS(interval, low, high)
template <>
struct sampler<interval> {
  static interval make(source& s) {
    auto i = interval{rules::integer<std::int32_t>(s), rules::integer<std::int32_t>(s)};
    if (!i.valid()) std::swap(i.low, i.high);
    return i;
  }
};

/// With a member that is computed from the others.
struct rectangle {
  std::uint16_t width = 0;
  std::uint16_t height = 0;
  std::uint32_t area = 0; ///< skipped
  void after_load() { area = std::uint32_t{width} * height; }
};
ZOO_MEMBERS(rectangle, width, height, area)
template <>
struct sampler<rectangle> {
  static rectangle make(source& s) {
    rectangle r;
    fill(r.width, s);
    fill(r.height, s);
    r.after_load();
    return r;
  }
};

/// A foreign class stored as an integer.
class money {
public:
  money() = default;
  explicit money(std::int64_t cents) : cents_(cents) {}
  [[nodiscard]] std::int64_t cents() const { return cents_; }
  friend bool operator==(const money&, const money&) = default;

private:
  std::int64_t cents_ = 0;
};
template <>
struct sampler<money> {
  static money make(source& s) { return money(rules::integer<std::int64_t>(s)); }
};

/// A foreign class without a default constructor, stored as text, which it may reject.
class serial_number {
public:
  explicit serial_number(std::uint32_t number) : number_(number) {}
  [[nodiscard]] std::uint32_t number() const { return number_; }
  friend bool operator==(const serial_number&, const serial_number&) = default;

private:
  std::uint32_t number_;
};
template <>
struct sampler<serial_number> {
  static serial_number make(source& s) {
    return serial_number(static_cast<std::uint32_t>(s.between(0, 999'999)));
  }
};

/// A foreign class stored as a record.
class celsius {
public:
  explicit celsius(double degrees = 0) : degrees_(degrees) {}
  [[nodiscard]] double degrees() const { return degrees_; }
  friend bool operator==(const celsius& a, const celsius& b) { return equal_bits(a.degrees_, b.degrees_); }

private:
  static bool equal_bits(double a, double b) {
    return std::bit_cast<std::uint64_t>(a) == std::bit_cast<std::uint64_t>(b);
  }
  double degrees_;
};
struct stored_celsius {
  double degrees;
  std::string unit;
};
template <>
struct sampler<celsius> {
  static celsius make(source& s) { return celsius(rules::floating<double>(s)); }
};

/// Adapted classes as members, elements and keys' values.
struct invoice {
  money total;
  serial_number number{1};
  std::vector<money> items;
  std::vector<serial_number> copies;
  std::optional<celsius> storage;
  std::map<std::string, money> discounts;
};
ZOO_MEMBERS(invoice, total, number, items, copies, storage, discounts)

} // namespace zoo

template <>
struct ingot::adapt<zoo::money> {
  static std::int64_t to(const zoo::money& m) { return m.cents(); }
  static zoo::money from(std::int64_t cents) { return zoo::money(cents); }
};
template <>
struct ingot::adapt<zoo::serial_number> {
  static std::string to(const zoo::serial_number& n) { return "SN-" + std::to_string(n.number()); }
  static ingot::result<zoo::serial_number> from(const std::string& text) {
    std::uint32_t number = 0;
    const char* const end = text.data() + text.size();
    if (text.starts_with("SN-")) {
      const auto [at, problem] = std::from_chars(text.data() + 3, end, number);
      if (problem == std::errc{} && at == end) return zoo::serial_number(number);
    }
    return std::unexpected(ingot::error::make(ingot::errc::invalid_value).with_expected("SN- and a number"));
  }
};
template <>
struct ingot::adapt<zoo::celsius> {
  static zoo::stored_celsius to(const zoo::celsius& c) { return {c.degrees(), "C"}; }
  static zoo::celsius from(const zoo::stored_celsius& stored) { return zoo::celsius(stored.degrees); }
};

#if !INGOT_REFLECTION
template <>
inline constexpr auto ingot::annotations<zoo::customer> = ingot::annotate(
    ingot::member<"age">(ingot::rename("years"), ingot::range(0, 150)),
    ingot::member<"name">(ingot::max_size(40), ingot::utf8), ingot::member<"visits">(ingot::varint),
    ingot::member<"balance">(ingot::varint), ingot::member<"purchases">(ingot::varint),
    ingot::member<"fingerprint">(ingot::fixed), ingot::member<"discount">(ingot::short_float),
    ingot::member<"weight">(ingot::short_float), ingot::member<"cached_greeting">(ingot::skip),
    ingot::member<"tastes">(ingot::range(-1.0, 1.0)),
    ingot::member<"coupon">(ingot::since(2), ingot::default_value("none")));
template <>
inline constexpr auto ingot::annotations<zoo::preferences> =
    ingot::annotate(ingot::type(ingot::elide_defaults));
#endif
template <>
inline constexpr auto ingot::annotations<zoo::save_header> = ingot::annotate(ingot::type(ingot::version(3)));
template <>
inline constexpr auto ingot::annotations<zoo::sensor_v1> = ingot::annotate(ingot::type(ingot::evolvable));
template <>
inline constexpr auto ingot::annotations<zoo::sensor_v2> = ingot::annotate(ingot::type(ingot::evolvable));
template <>
inline constexpr auto ingot::annotations<zoo::reading> = ingot::annotate(ingot::type(ingot::evolvable));
template <>
inline constexpr auto ingot::annotations<zoo::rectangle> =
    ingot::annotate(ingot::member<"area">(ingot::skip));

namespace zoo {

/// Calls `f` for one type of each kind: for test configurations that compile slowly.
template <class F>
void for_each_annotated_sample(F&& f) {
  f.template operator()<customer>("customer");
  f.template operator()<std::vector<preferences>>("vector_preferences");
  f.template operator()<save_header>("save_header");
  f.template operator()<std::vector<sensor_v2>>("vector_sensor_v2");
  f.template operator()<network>("network");
  f.template operator()<rectangle>("rectangle");
  f.template operator()<std::map<std::uint8_t, serial_number>>("map_serial_number");
  f.template operator()<invoice>("invoice");
}
template <class F>
void for_each_annotated(F&& f) {
  for_each_annotated_sample(f);
  f.template operator()<preferences>("preferences");
  f.template operator()<std::vector<customer>>("vector_customer");
  f.template operator()<package>("package");
  f.template operator()<sensor_v1>("sensor_v1");
  f.template operator()<sensor_v2>("sensor_v2");
  f.template operator()<reading>("reading");
  f.template operator()<std::vector<sensor_v1>>("vector_sensor_v1");
  f.template operator()<std::vector<reading>>("vector_reading");
  f.template operator()<std::array<reading, 2>>("array_reading");
  f.template operator()<interval>("interval");
  f.template operator()<std::vector<rectangle>>("vector_rectangle");
  f.template operator()<money>("money");
  f.template operator()<serial_number>("serial_number");
  f.template operator()<celsius>("celsius");
  f.template operator()<std::vector<serial_number>>("vector_serial_number");
}

} // namespace zoo
