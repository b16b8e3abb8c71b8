// SPDX-License-Identifier: Apache-2.0
// Values for the zoo: `zoo::sample<T>(seed)` makes the same varied value on every machine.
//
// Nothing here uses ingot's reflection: otherwise a mistake in it could make the value, its copy
// and their comparison wrong in the same way. Records list their members with ZOO_MEMBERS instead.
#pragma once

#include <array>
#include <bit>
#include <bitset>
#include <chrono>
#include <complex>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <expected>
#include <filesystem>
#include <limits>
#include <memory>
#include <optional>
#include <random>
#include <string>
#include <tuple>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

/// Names the members of an aggregate in the zoo for `sample` and `equal`.
#define ZOO_MEMBERS(type, ...)                                                                               \
  template <class Self>                                                                                      \
    requires std::same_as<std::remove_const_t<Self>, type>                                                   \
  constexpr auto zoo_members(Self& self) {                                                                   \
    auto& [__VA_ARGS__] = self;                                                                              \
    return std::tie(__VA_ARGS__);                                                                            \
  }

namespace zoo {

/// Source of random numbers: raw outputs of std::mt19937_64, whose bits the standard defines. Seed
/// 0 draws nothing: every number is zero or the minimum, and every container is empty.
class source {
public:
  explicit source(std::uint64_t seed) : raw_(seed), empty_(seed == 0) {}

  std::uint64_t raw() { return empty_ ? 0 : raw_(); }
  /// Uniform in first..last, both included.
  std::uint64_t between(std::uint64_t first, std::uint64_t last) {
    return first + raw() % (last - first + 1);
  }
  bool chance(std::uint64_t one_in) { return !empty_ && raw_() % one_in == 0; }

  /// Returns a number of elements: smaller at greater depth, and 0 at the depth where recursive
  /// types must end.
  std::size_t size() {
    if (empty_ || depth_ >= 5) return 0;
    return static_cast<std::size_t>(between(0, depth_ == 0 ? 9 : depth_ == 1 ? 4 : 2));
  }
  bool filled() { return size() != 0 || (!empty_ && depth_ < 5 && chance(2)); }

  class level {
  public:
    explicit level(source& owner) : owner_(owner) { ++owner_.depth_; }
    level(const level&) = delete;
    ~level() { --owner_.depth_; }

  private:
    source& owner_;
  };

private:
  std::mt19937_64 raw_;
  bool empty_;
  std::size_t depth_ = 0;
};

/// Specialised for types whose values the functions below can't draw: `static T make(source&)`.
template <class T>
struct sampler {};

template <class T>
concept has_sampler = requires(source& s) {
  { sampler<T>::make(s) } -> std::same_as<T>;
};

/// An enumerator, or one of some values.
template <auto... Values>
struct one_of {
  using type = std::common_type_t<decltype(Values)...>;
  static type make(source& s) {
    constexpr std::array values{Values...};
    return values[static_cast<std::size_t>(s.between(0, values.size() - 1))];
  }
};

template <class T>
void fill(T& value, source& s);

template <class T>
T make(source& s) {
  if constexpr (has_sampler<T>) {
    return sampler<T>::make(s);
  } else {
    T value{};
    fill(value, s);
    return value;
  }
}

namespace rules {

template <class T, template <class...> class Template>
inline constexpr bool is = false;
template <template <class...> class Template, class... Args>
inline constexpr bool is<Template<Args...>, Template> = true;
template <class T>
inline constexpr bool is_bitset = false;
template <std::size_t N>
inline constexpr bool is_bitset<std::bitset<N>> = true;
template <class T>
inline constexpr bool is_array = std::is_bounded_array_v<T>;
template <class T, std::size_t N>
inline constexpr bool is_array<std::array<T, N>> = true;
template <class T>
concept character = std::same_as<T, char> || std::same_as<T, char8_t> || std::same_as<T, char16_t> ||
                    std::same_as<T, char32_t>;
template <class T>
concept text = requires(T& t) {
  typename T::traits_type;
  t.substr();
};
/// Keys may repeat, so every key is inserted twice.
template <class T>
concept multi = requires(T& c, const typename T::value_type& v) {
  { c.insert(v) } -> std::same_as<typename T::iterator>;
};
template <class T>
concept container = requires(T& c) {
  c.begin();
  c.clear();
};

/// Returns a small, negative, extreme or full-width number, so that every length of a
/// variable-length integer occurs.
template <class T>
T integer(source& s) {
  using limits = std::numeric_limits<T>;
  switch (s.between(0, 7)) {
  case 0: return T{};
  case 1: return limits::max();
  case 2: return limits::min();
  case 3: return static_cast<T>(s.between(0, 127));
  case 4: return static_cast<T>(T{} - static_cast<T>(s.between(0, 127)));
  default: return static_cast<T>(s.raw() >> s.between(0, 63));
  }
}

/// Returns a finite number, since some representations lack the others. NaN has its own tests.
template <class T>
T floating(source& s) {
  using limits = std::numeric_limits<T>;
  switch (s.between(0, 9)) {
  case 0: return T{};
  case 1: return -T{};
  case 2: return limits::denorm_min();
  case 3: return -limits::max();
  case 4: return static_cast<T>(s.between(0, 255));
  case 5: return static_cast<T>(s.between(0, 255)) / T{8};
  default: break;
  }
  // Only the last operation rounds, and each number is drawn in its own statement, so that every
  // compiler gives the same value.
  const auto fraction = static_cast<T>(s.raw() >> 40) * T{0x1p-24f} - T{0.5};
  return fraction * static_cast<T>(s.between(1, 100'000));
}

/// Returns a Unicode scalar value, including those that text must escape.
inline char32_t code_point(source& s) {
  switch (s.between(0, 9)) {
  case 0: return static_cast<char32_t>(s.between(0, 0x1F));
  case 1: return U'"';
  case 2: return U'\\';
  case 3: return static_cast<char32_t>(s.between(0x80, 0x7FF));
  case 4: return static_cast<char32_t>(s.between(0xE000, 0xFFFF));
  case 5: return static_cast<char32_t>(s.between(0x10000, 0x10FFFF));
  default: return static_cast<char32_t>(s.between(U' ', U'~'));
  }
}

template <class String>
void append(String& out, char32_t c) {
  using unit = typename String::value_type;
  const auto put = [&](char32_t u) { out.push_back(static_cast<unit>(u)); };
  if constexpr (sizeof(unit) == 1) {
    if (c < 0x80) return put(c);
    if (c >= 0x10000) put(0xF0 | c >> 18), put(0x80 | (c >> 12 & 0x3F));
    else if (c >= 0x800) put(0xE0 | c >> 12);
    if (c >= 0x800) put(0x80 | (c >> 6 & 0x3F));
    else put(0xC0 | c >> 6);
    put(0x80 | (c & 0x3F));
  } else if constexpr (sizeof(unit) == 2) {
    if (c < 0x10000) return put(c);
    put(0xD800 | (c - 0x10000) >> 10);
    put(0xDC00 | ((c - 0x10000) & 0x3FF));
  } else {
    put(c);
  }
}

/// Returns a string. Its length is often near a size at which implementations change their method:
/// 0, one register, the internal buffer, a page.
template <class String>
String string(source& s) {
  constexpr std::array<std::uint64_t, 8> longest{3, 7, 8, 15, 16, 22, 40, 300};
  String out;
  const std::uint64_t n = s.between(0, longest[static_cast<std::size_t>(s.between(0, 7))]);
  const bool plain = s.chance(2);
  for (std::uint64_t i = 0; i < n; ++i)
    append(out, plain ? static_cast<char32_t>(s.between('a', 'z')) : code_point(s));
  return out;
}

template <std::size_t I = 0, class V>
void alternative(V& value, std::size_t index, source& s) {
  if constexpr (I < std::variant_size_v<V>) {
    if (index == I) {
      value.template emplace<I>(make<std::variant_alternative_t<I, V>>(s));
    } else {
      alternative<I + 1>(value, index, s);
    }
  }
}

} // namespace rules

template <class T>
void fill(T& value, source& s) {
  if constexpr (has_sampler<T>) {
    value = sampler<T>::make(s);
  } else if constexpr (requires { zoo_members(value); }) {
    std::apply([&](auto&... members) { (fill(members, s), ...); }, zoo_members(value));
  } else if constexpr (std::same_as<T, bool>) {
    value = s.chance(2);
  } else if constexpr (std::same_as<T, std::byte>) {
    value = static_cast<std::byte>(s.between(0, 255));
  } else if constexpr (rules::character<T>) {
    value = static_cast<T>(sizeof(T) == 1 ? s.between(0, 127) : s.between(0, 0xD7FF));
  } else if constexpr (std::is_integral_v<T>) {
    value = rules::integer<T>(s);
  } else if constexpr (std::is_floating_point_v<T>) {
    value = rules::floating<T>(s);
  } else if constexpr (rules::is<T, std::complex>) {
    const auto real = rules::floating<typename T::value_type>(s);
    value = T{real, rules::floating<typename T::value_type>(s)};
  } else if constexpr (rules::is<T, std::chrono::duration>) {
    value = T{make<typename T::rep>(s)};
  } else if constexpr (rules::is<T, std::chrono::time_point>) {
    value = T{make<typename T::duration>(s)};
  } else if constexpr (rules::is_bitset<T>) {
    for (std::size_t i = 0; i < value.size(); ++i) value[i] = s.chance(2);
  } else if constexpr (std::same_as<T, std::filesystem::path>) {
    const auto first = rules::string<std::u8string>(s);
    value = std::filesystem::path(u8"/" + first.substr(0, first.find(u8'\0'))) / "data.bin";
  } else if constexpr (rules::text<T>) {
    value = rules::string<T>(s);
  } else if constexpr (rules::is_array<T>) {
    for (auto& element : value) fill(element, s);
  } else if constexpr (rules::is<T, std::pair> || rules::is<T, std::tuple>) {
    std::apply([&](auto&... elements) { (fill(elements, s), ...); }, value);
  } else if constexpr (rules::is<T, std::optional>) {
    if (const bool filled = s.filled(); filled) value.emplace(make<typename T::value_type>(s));
  } else if constexpr (rules::is<T, std::unique_ptr>) {
    const bool filled = s.filled();
    const source::level deeper(s);
    if (filled) value = std::make_unique<typename T::element_type>(make<typename T::element_type>(s));
  } else if constexpr (rules::is<T, std::variant>) {
    const source::level deeper(s);
    rules::alternative(
        value, static_cast<std::size_t>(s.filled() ? s.between(0, std::variant_size_v<T> - 1) : 0), s);
  } else if constexpr (rules::is<T, std::expected>) {
    if (s.chance(3)) value = std::unexpected(make<typename T::error_type>(s));
    else if constexpr (!std::is_void_v<typename T::value_type>) value = make<typename T::value_type>(s);
  } else if constexpr (std::is_empty_v<T>) {
    value = T{};
  } else if constexpr (rules::container<T>) {
    const std::size_t n = s.size();
    const source::level deeper(s);
    for (std::size_t i = 0; i < n; ++i) {
      if constexpr (requires { typename T::mapped_type; }) {
        auto key = make<std::remove_const_t<typename T::key_type>>(s);
        if constexpr (rules::multi<T>) {
          value.emplace(key, make<typename T::mapped_type>(s));
        }
        value.emplace(std::move(key), make<typename T::mapped_type>(s));
      } else if constexpr (requires { typename T::key_type; }) {
        auto key = make<std::remove_const_t<typename T::key_type>>(s);
        if constexpr (rules::multi<T>) value.insert(key);
        value.insert(std::move(key));
      } else {
        value.push_back(make<typename T::value_type>(s));
      }
    }
  } else {
    static_assert(rules::container<T>,
                  "the zoo can't draw a value of this type: give it ZOO_MEMBERS or a sampler");
  }
}

/// Returns a value of `T` that depends only on the seed. Seed 0 gives the emptiest value.
template <class T>
T sample(std::uint64_t seed) {
  source s(seed);
  return make<T>(s);
}

} // namespace zoo
