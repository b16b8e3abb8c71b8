// SPDX-License-Identifier: Apache-2.0
// Containers and whole blocks as text for people: `<<` to std::ostream and, if the standard library
// has it, std::format.
//
//   {id: 7, name: "Ada", tags: ["a", "b"], items: {3: {count: 1}}, mount: none}
//
// Text that programs read should be JSON instead.
#pragma once

#include <ingot/core/detail/float_chars.hpp>
#include <ingot/live/live.hpp>
#include <ingot/live/live_view.hpp>
#include <ingot/live/string.hpp>
#include <ingot/reflect/enums.hpp>

#include <charconv>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#if defined(__cpp_lib_format)
#include <format>
#endif

namespace ingot { inline namespace INGOT_V1 {

namespace detail {

inline void print_text(std::string& out, std::string_view text) {
  constexpr std::string_view digits = "0123456789abcdef";
  out += '"';
  for (const char c : text) {
    const auto code = static_cast<unsigned char>(c);
    if (c == '"' || c == '\\') (out += '\\') += c;
    else if (code < 0x20 || code == 0x7F) ((out += "\\x") += digits[code / 16]) += digits[code % 16];
    else out += c;
  }
  out += '"';
}
template <class N>
void print_number(std::string& out, N number) {
  char digits[32];
  if constexpr (std::is_floating_point_v<N>)
    out.append(digits, float_to_chars(digits, digits + sizeof digits, number).ptr);
  else out.append(digits, std::to_chars(digits, digits + sizeof digits, number).ptr);
}

template <class T>
void print_value(std::string& out, const T& value);

template <class C>
void print_entries(std::string& out, const C& entries, char open, char close) {
  const char* separator = "";
  out += open;
  for (const auto& entry : entries) {
    out += separator;
    separator = ", ";
    if constexpr (kind_of<C> == kind::map || kind_of<C> == kind::unordered_map) {
      print_value(out, entry.first);
      out += ": ";
      print_value(out, entry.second);
    } else {
      print_value(out, entry);
    }
  }
  out += close;
}
template <class T>
void print_record(std::string& out, const T& object) {
  const char* separator = "";
  out += '{';
  for_each_member(object, [&]<class I, class M>(I, const M& member) {
    out.append(separator).append(member_name<T, I::value>).append(": ");
    separator = ", ";
    print_value(out, member);
  });
  out += '}';
}

/// Prints a value that was validated or created in this process. Rejects recursive types at compile
/// time, because printing recurses.
template <class T>
void print_value(std::string& out, const T& value) {
  constexpr kind what = memory_kind_of<T>;
  if constexpr (live_container<T>) {
    static_assert(!contains_itself<T>,
                  "ingot: a type that holds itself is written as JSON, which bounds its depth");
  }
  if constexpr (what == kind::boolean) out += value ? "true" : "false";
  else if constexpr (what == kind::integer || what == kind::floating) print_number(out, value);
  else if constexpr (what == kind::character || what == kind::byte)
    print_number(out, static_cast<std::uint32_t>(value));
  else if constexpr (what == kind::enumeration) {
    if (const std::string_view name = enum_name(value); !name.empty()) out += name;
    else print_number(out, std::to_underlying(value));
  } else if constexpr (what == kind::duration) print_number(out, value.count());
  else if constexpr (what == kind::time_point) print_number(out, value.time_since_epoch().count());
  else if constexpr (what == kind::complex) {
    print_value(out, value.real());
    out += '+';
    print_value(out, value.imag());
    out += 'i';
  } else if constexpr (what == kind::bitset) {
    for (std::size_t i = value.size(); i-- > 0;) out += value[i] ? '1' : '0';
  } else if constexpr (what == kind::string) {
    if constexpr (sizeof(typename T::value_type) == 1) {
      print_text(out, {reinterpret_cast<const char*>(value.data()), value.size()});
    } else {
      print_entries(out, std::basic_string_view<typename T::value_type>(value), '[', ']');
    }
  } else if constexpr (what == kind::map || what == kind::unordered_map || what == kind::set ||
                       what == kind::unordered_set) {
    print_entries(out, value, '{', '}');
  } else if constexpr (what == kind::sequence || what == kind::array) {
    print_entries(out, value, '[', ']');
  } else if constexpr (what == kind::optional || what == kind::box) {
    if (value) print_value(out, *value);
    else out += "none";
  } else if constexpr (what == kind::tuple) {
    out += '(';
    print_value(out, value.first);
    out += ", ";
    print_value(out, value.second);
    out += ')';
  } else if constexpr (what == kind::record) {
    print_record(out, value);
  } else if constexpr (document_like<T>) {
    value.print_to(out);
  } else if constexpr (requires { value.visit([](const auto&) {}); }) {
    value.visit([&](const auto& alternative) { print_value(out, alternative); });
  } else {
    static_assert(requires { value.index; }, "ingot: a type that can't be printed");
    print_number(out, value.index);
  }
}

template <class T>
concept printable_block = requires(const T& block) {
  typename T::value_type;
  { block.bytes() } -> std::same_as<bytes_view>;
  *block;
};

/// Returns true if `T` contains a recursive type.
template <class T>
constexpr bool nests_freely(visited_types& seen) {
  constexpr auto any = []<class... Ts>(visited_types& met, type_pack<Ts...>) {
    return (nests_freely<std::remove_cv_t<Ts>>(met) || ...);
  };
  if constexpr (live_container<T>) {
    return contains_itself<T> || (seen.add(type_tag<T>()) && any(seen, typename T::live_parts{}));
  } else if constexpr (is_array_like<T>) {
    return nests_freely<std::remove_cv_t<element_t<T>>>(seen);
  } else if constexpr (is_specialization<T, std::pair>) {
    return any(seen, type_pack<typename T::first_type, typename T::second_type>{});
  } else if constexpr (kind_of<T> == kind::record) {
    return seen.add(type_tag<T>()) && []<std::size_t... I>(visited_types& met, std::index_sequence<I...>) {
      return (nests_freely<std::remove_cv_t<member_type<T, I>>>(met) || ...);
    }(seen, std::make_index_sequence<member_count<T>>{});
  } else {
    return false;
  }
}
/// Restricts `<<` and std::format to types that these functions can print. Other types are left to
/// other printers, such as those of test frameworks.
template <class T>
concept printable = (printable_block<T> || (live_container<T> && kind_of<T> != kind::string)) && [] {
  visited_types seen;
  if constexpr (live_container<T>) return !nests_freely<T>(seen);
  else return !nests_freely<std::remove_cv_t<typename T::value_type>>(seen);
}();

} // namespace detail

/// Returns the value as one line of text. O(n) for a value of n bytes. Throws std::bad_alloc.
template <class T>
  requires(detail::live_container<T> || detail::printable_block<T>)
[[nodiscard]] std::string to_string(const T& value) {
  std::string out;
  if constexpr (detail::live_container<T>) detail::print_value(out, value);
  else detail::print_value(out, *value);
  return out;
}

template <class Stream, class T>
  requires(detail::printable<T> && requires(Stream& stream, std::string_view text) { stream << text; })
Stream& operator<<(Stream& stream, const T& value) {
  stream << std::string_view(to_string(value));
  return stream;
}

}} // namespace ingot::INGOT_V1

#if defined(__cpp_lib_format)
template <class Char, ingot::block_policy P>
struct std::formatter<ingot::basic_string<Char, P>, Char>
    : std::formatter<std::basic_string_view<Char>, Char> {
  /// Formats the text like a std::string_view.
  auto format(const ingot::basic_string<Char, P>& text, auto& context) const {
    return std::formatter<std::basic_string_view<Char>, Char>::format(text.view(), context);
  }
};
template <class T>
  requires ingot::detail::printable<T>
struct std::formatter<T, char> : std::formatter<std::string_view, char> {
  /// Formats the value as `to_string` prints it.
  auto format(const T& value, auto& context) const {
    return std::formatter<std::string_view, char>::format(ingot::to_string(value), context);
  }
};
#endif
