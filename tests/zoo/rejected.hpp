// SPDX-License-Identifier: Apache-2.0
// Values that readers of their own type reject. The types can have an invalid value in every
// position. `zoo::spoil` puts one into a value: unknown enumerators, numbers out of range, text
// that is too long or not UTF-8.
#pragma once

#include <ingot/reflect/annotations.hpp>
#include <ingot/reflect/hooks.hpp>
#include <ingot/reflect/kind.hpp>
#include <ingot/reflect/members.hpp>

#include "annotated.hpp"
#include "sample.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <expected>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <tuple>
#include <type_traits>
#include <unordered_map>
#include <utility>
#include <variant>
#include <vector>

namespace zoo {

/// Has gaps and a negative enumerator.
enum class level : std::int16_t { low = -3, none = 0, high = 100 };
template <>
struct sampler<level> : one_of<level::low, level::none, level::high> {};
/// Has no gaps.
enum class gear : std::uint8_t { park, back, forth };
template <>
struct sampler<gear> : one_of<gear::park, gear::back, gear::forth> {};
/// Combinations of enumerators are values.
enum class access : std::uint8_t { read = 1, write = 2, run = 8 };
template <>
struct sampler<access> : one_of<access{1}, access{3}, access{11}> {};
/// Zero is not an enumerator.
enum class grade : std::uint8_t { first = 1, second };
template <>
struct sampler<grade> : one_of<grade::first, grade::second> {};

/// Stored as a number, which it may reject.
class odd {
public:
  explicit odd(std::uint16_t number = 1) : number_(number) {}
  [[nodiscard]] std::uint16_t number() const { return number_; }
  friend auto operator<=>(const odd&, const odd&) = default;

private:
  std::uint16_t number_;
};
template <>
struct sampler<odd> {
  static odd make(source& s) { return odd(static_cast<std::uint16_t>(s.between(0, 300) * 2 + 1)); }
};

/// Fixed, without padding: copied as a whole.
struct span_of_days {
  std::int32_t first = 0;
  std::int32_t last = 0;
  [[nodiscard]] bool valid() const { return first <= last; }
};
ZOO_MEMBERS(span_of_days, first, last)
template <>
struct sampler<span_of_days> {
  static span_of_days make(source& s) {
    span_of_days d{rules::integer<std::int32_t>(s), rules::integer<std::int32_t>(s)};
    if (!d.valid()) std::swap(d.first, d.last);
    return d;
  }
};
struct booking {
  span_of_days days;
  std::uint32_t room = 0;
  std::uint32_t guests = 1; ///< 1 to 4
};
ZOO_MEMBERS(booking, days, room, guests)
template <>
struct sampler<booking> {
  static booking make(source& s) {
    return {zoo::make<span_of_days>(s), rules::integer<std::uint32_t>(s),
            static_cast<std::uint32_t>(s.between(1, 4))};
  }
};

/// Enums in every position.
struct switches {
  gear one = gear::park;
  level two = level::none;
  std::array<gear, 3> row{};
  std::vector<level> list;
  std::set<gear> set;
  std::map<level, gear> map;
  std::map<std::string, level> named;
  std::unordered_map<std::int32_t, gear> hashed;
  std::multimap<std::uint8_t, level> repeated;
  std::optional<gear> optional_or_box;
  std::optional<std::optional<level>> twice;
  std::variant<std::uint8_t, gear, std::string> either;
  std::expected<level, gear> outcome;
  std::pair<gear, std::string> pair;
  std::tuple<std::string, level, std::vector<gear>> tuple;
  std::unique_ptr<level> boxed;
  access flags = access::read;
  std::vector<access> more_flags;
  std::vector<std::vector<std::map<std::string, gear>>> deep;
};
ZOO_MEMBERS(switches, one, two, row, list, set, map, named, hashed, repeated, optional_or_box, twice, either,
            outcome, pair, tuple, boxed, flags, more_flags, deep)

/// Limits of every kind.
struct form {
  std::int32_t percent = 0;
  std::vector<double> ratios;
  std::optional<std::int16_t> shift;
  std::array<std::uint8_t, 3> dice{1, 1, 1};
  std::string name;
  std::string text;
  std::vector<std::uint16_t> few;
  std::map<std::string, std::int32_t> table;
};
ZOO_MEMBERS(form, percent, ratios, shift, dice, name, text, few, table)
template <>
struct sampler<form> {
  static form make(source& s) {
    form f;
    f.percent = static_cast<std::int32_t>(s.between(0, 100));
    f.ratios.resize(s.size() % 3);
    for (auto& each : f.ratios) each = static_cast<double>(s.between(0, 64)) / 64 - 0.5;
    if (s.chance(2)) f.shift = static_cast<std::int16_t>(static_cast<int>(s.between(0, 10)) - 5);
    for (auto& each : f.dice) each = static_cast<std::uint8_t>(s.between(1, 6));
    fill(f.name, s);
    f.name.resize(f.name.size() % 5, 'x');
    if (const auto bad = f.name.find_first_of("\x80\xC0"); bad != f.name.npos) f.name.clear();
    for (const char c : f.name) {
      if (static_cast<unsigned char>(c) >= 0x80) {
        f.name = "n";
        break;
      }
    }
    fill(f.text, s);
    f.few.assign(s.size() % 4, 7);
    if (s.chance(2)) f.table.emplace("key", 1);
    return f;
  }
};

/// Members with default values are not stored. Readers would reject the default of `mark`.
struct sparse {
  grade mark{};
  gear at = gear::park;
  std::string note;
  std::vector<level> levels;
};
ZOO_MEMBERS(sparse, mark, at, note, levels)

/// Variable-length enumerators.
struct tiny {
  level of = level::none;
  std::vector<grade> grades;
};
ZOO_MEMBERS(tiny, of, grades)

struct growing {
  gear at = gear::park;
  std::string note;
  std::vector<booking> bookings;
};
ZOO_MEMBERS(growing, at, note, bookings)

struct office {
  std::string name;
  std::vector<booking> bookings;
  std::map<std::string, form> forms;
  std::unordered_map<std::string, span_of_days> closed;
  std::vector<growing> others;
  growing first;
  std::vector<odd> numbers;
  std::map<odd, std::string> rooms;
  std::optional<odd> lucky;
  std::vector<std::tuple<std::uint8_t, sparse>> sparse_ones;
  tiny small;
  odd last{1};
};
ZOO_MEMBERS(office, name, bookings, forms, closed, others, first, numbers, rooms, lucky, sparse_ones, small,
            last)

struct branch {
  gear at = gear::park;
  std::vector<branch> children;
  std::unique_ptr<branch> other;
};
ZOO_MEMBERS(branch, at, children, other)

} // namespace zoo

template <>
struct ingot::adapt<zoo::odd> {
  static std::uint16_t to(const zoo::odd& o) { return o.number(); }
  static ingot::result<zoo::odd> from(std::uint16_t number) {
    if (number % 2 == 0)
      return ingot::fail(ingot::error{ingot::errc::invalid_value}.with_expected("an odd number"));
    return zoo::odd(number);
  }
};
template <>
inline constexpr auto ingot::annotations<zoo::access> = ingot::annotate(ingot::type(ingot::flags));
template <>
inline constexpr auto ingot::annotations<zoo::booking> =
    ingot::annotate(ingot::member<"guests">(ingot::range(1, 4)));
template <>
inline constexpr auto ingot::annotations<zoo::form> =
    ingot::annotate(ingot::member<"percent">(ingot::range(0, 100)),
                    ingot::member<"ratios">(ingot::range(-0.5, 0.5), ingot::max_size(2)),
                    ingot::member<"shift">(ingot::range(-5, 5)), ingot::member<"dice">(ingot::range(1, 6)),
                    ingot::member<"name">(ingot::max_size(4), ingot::rename("title")),
                    ingot::member<"text">(ingot::utf8), ingot::member<"few">(ingot::max_size(3)),
                    ingot::member<"table">(ingot::max_size(1)));
template <>
inline constexpr auto ingot::annotations<zoo::sparse> = ingot::annotate(ingot::type(ingot::elide_defaults));
template <>
inline constexpr auto ingot::annotations<zoo::tiny> = ingot::annotate(ingot::type(ingot::varint));
template <>
inline constexpr auto ingot::annotations<zoo::growing> = ingot::annotate(ingot::type(ingot::evolvable));

namespace zoo {

/// Calls f.template operator()<T>(name) for each of the types above.
template <class F>
void for_each_rejected(F&& f) {
  f.template operator()<level>("level");
  f.template operator()<booking>("booking");
  f.template operator()<std::vector<span_of_days>>("vector_span_of_days");
  f.template operator()<switches>("switches");
  f.template operator()<form>("form");
  f.template operator()<sparse>("sparse");
  f.template operator()<std::vector<tiny>>("vector_tiny");
  f.template operator()<growing>("growing");
  f.template operator()<office>("office");
  f.template operator()<branch>("branch");
  f.template operator()<std::map<odd, level>>("map_odd_level");
}

/// Changes the `at`-th scalar or text of a value to any value that its type can hold. Keys stay
/// unchanged, since a container could lose an element. Counts `at` down; if it is not negative
/// afterwards, nothing has changed.
template <class T>
void spoil(T& value, int& at, source& s) {
  using namespace ingot;
  constexpr kind k = kind_of<T>;
  if (at < 0) return;
  if constexpr (std::is_same_v<T, odd>) {
    if (at-- == 0) value = odd(static_cast<std::uint16_t>(s.between(0, 600)));
  } else if constexpr (k == kind::enumeration) {
    using under = std::underlying_type_t<T>;
    if (at-- == 0) {
      // An enum without a fixed type can hold only values in the bits of its enumerators.
      if constexpr (!std::is_same_v<under, bool> && detail::fixed_enum<T>)
        value = static_cast<T>(s.chance(3) ? static_cast<under>(s.between(0, 5)) : rules::integer<under>(s));
    }
  } else if constexpr (k == kind::integer) {
    if (at-- == 0) value = rules::integer<T>(s);
  } else if constexpr (k == kind::floating) {
    if (at-- == 0) value = rules::floating<T>(s);
  } else if constexpr (k == kind::string) {
    if (at-- == 0) {
      if constexpr (requires { value.push_back('x'); }) {
        constexpr std::array<std::string_view, 4> bad{"\xC3", "\xED\xA0\x80", "\xFF", "x"};
        const auto& tail = bad[static_cast<std::size_t>(s.between(0, 3))];
        for (std::uint64_t n = s.between(0, 5); n-- > 0;) value.push_back('x');
        for (const char c : tail) value.push_back(static_cast<typename T::value_type>(c));
      }
    }
  } else if constexpr (k == kind::record) {
    for_each_member(value, [&]<class I, class M>(I, M& member) {
      if constexpr (!member_has<T, I::value, skip_t>) spoil(member, at, s);
    });
  } else if constexpr (k == kind::tuple) {
    std::apply([&](auto&... parts) { (spoil(parts, at, s), ...); }, value);
  } else if constexpr (k == kind::array) {
    for (auto& each : value) spoil(each, at, s);
  } else if constexpr (k == kind::sequence) {
    using element = typename T::value_type;
    if (at == 0 && s.chance(4)) {
      if constexpr (std::is_default_constructible_v<element> && requires { value.resize(4); }) {
        value.resize(value.size() + 4);
      }
    }
    if constexpr (!std::is_same_v<element, bool>) {
      for (auto& each : value) spoil(each, at, s);
    }
  } else if constexpr (k == kind::map || k == kind::unordered_map) {
    for (auto& entry : value) spoil(entry.second, at, s);
  } else if constexpr (k == kind::optional || k == kind::box) {
    if (value) spoil(*value, at, s);
  } else if constexpr (k == kind::variant) {
    std::visit([&](auto& held) { spoil(held, at, s); }, value);
  } else if constexpr (k == kind::expected) {
    if (!value.has_value()) spoil(value.error(), at, s);
    else if constexpr (!std::is_void_v<typename T::value_type>) spoil(*value, at, s);
  }
}

/// Calls `f` with samples of `T`, most of them with one changed part.
template <class T, class F>
void for_each_spoiled(std::uint64_t seeds, F&& f) {
  for (std::uint64_t seed = 0; seed < seeds; ++seed) {
    f(sample<T>(seed));
    for (int part = 0; part < 60; ++part) {
      T value = sample<T>(seed);
      source s(seed * 1000 + static_cast<std::uint64_t>(part) + 1);
      int at = part;
      spoil(value, at, s);
      if (at >= 0) break; // the value has no more parts
      f(value);
    }
  }
}

} // namespace zoo
