// SPDX-License-Identifier: Apache-2.0
// Finds the names of members with the help of the compiler. A pointer to a member of an object can
// be a template argument, and the signature of a function with such arguments contains the members'
// names. One signature gives all names of a type. It compiles several times faster than one
// signature for each member.
#pragma once

#include <ingot/core/detail/config.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace ingot { inline namespace INGOT_V1 { namespace detail {

/// The type of `name_source`. That variable is never defined: only addresses inside it are used,
/// and no value is read.
template <class T>
struct name_holder {
  T value;
};
#if defined(__clang__)
#pragma clang diagnostic push
// clang warns for local types that the variable is undefined, although no value is read
#pragma clang diagnostic ignored "-Wundefined-internal"
#endif
template <class T>
extern const name_holder<T> name_source;
#if defined(__clang__)
#pragma clang diagnostic pop
#endif

constexpr bool is_identifier_char(char c) noexcept {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '$' ||
         static_cast<unsigned char>(c) >= 0x80;
}

/// Returns the identifier at the end of `text`, without closing brackets:
/// `(& source.value.my::type::age)` -> `age`.
constexpr std::string_view trailing_identifier(std::string_view text) noexcept {
  std::size_t end = text.size();
  while (end > 0 && !is_identifier_char(text[end - 1])) --end;
  std::size_t begin = end;
  while (begin > 0 && is_identifier_char(text[begin - 1])) --begin;
  return text.substr(begin, end - begin);
}

/// Lengths of the text before and after the identifier in an entry of a list. The next entry of the
/// same class has the same lengths, so that it need not be parsed: constant evaluation takes about
/// a microsecond for each character, and the identifier is a tenth of its entry.
struct entry_shape {
  std::size_t prefix = 0;
  std::size_t suffix = 0;
};

/// Removes `length` characters and the following separator from a list: ", ", or the "," of
/// Microsoft's compiler.
constexpr void remove_entry(std::string_view& list, std::size_t length) noexcept {
  list.remove_prefix(length);
  if (!list.empty()) list.remove_prefix(1);
  if (!list.empty() && list[0] == ' ') list.remove_prefix(1);
}
/// Removes the first entry of a list and returns it.
constexpr std::string_view decode_entry(std::string_view& list) noexcept {
  std::size_t depth = 0;
  std::size_t i = 0;
  for (; i < list.size() && (depth > 0 || list[i] != ','); ++i) {
    const char c = list[i];
    if (c == '{' || c == '<' || c == '(' || c == '[') ++depth;
    if (c == '}' || c == ')' || c == ']' || (c == '>' && i > 0 && list[i - 1] != '-')) --depth;
  }
  const std::string_view entry = list.substr(0, i);
  remove_entry(list, i);
  return entry;
}
/// Removes the first entry of a list and returns its identifier, if the entry differs from `model`,
/// the previous entry, only in its identifier. Otherwise returns an empty text.
constexpr std::string_view take_alike(std::string_view& list, std::string_view model,
                                      entry_shape shape) noexcept {
  if (model.empty() || list.size() <= shape.prefix + shape.suffix) return {};
  // Compares only the end of the prefix. The end contains the name of the class, so an entry of
  // another class is detected.
  for (std::size_t i = shape.prefix; i > 0 && i + 12 > shape.prefix; --i) {
    if (list[i - 1] != model[i - 1]) return {};
  }
  if (list[0] != model[0]) return {};
  std::size_t end = shape.prefix;
  while (end < list.size() && is_identifier_char(list[end])) ++end;
  for (std::size_t i = 0; i < shape.suffix; ++i) {
    if (end + i >= list.size() || list[end + i] != model[model.size() - shape.suffix + i]) return {};
  }
  const std::size_t after = end + shape.suffix;
  if (end == shape.prefix || (after != list.size() && list[after] != ',')) return {};
  const std::string_view name = list.substr(shape.prefix, end - shape.prefix);
  remove_entry(list, after);
  return name;
}
template <std::size_t N>
constexpr std::array<std::string_view, N> split_identifiers(std::string_view list) noexcept {
  std::array<std::string_view, N> names{};
  std::string_view model;
  entry_shape shape;
  for (std::size_t n = 0; n < N; ++n) {
    names[n] = take_alike(list, model, shape);
    if (!names[n].empty()) continue;
    model = decode_entry(list);
    names[n] = trailing_identifier(model);
    shape.prefix = static_cast<std::size_t>(names[n].data() - model.data());
    shape.suffix = model.size() - shape.prefix - names[n].size();
  }
  return names;
}

template <auto... Args>
constexpr std::string_view signature_of_values() noexcept {
  return INGOT_SIGNATURE;
}

/// The number of characters before and after the arguments in every signature. g++ writes `{a, b}`
/// after the pack's name, clang `<a, b>`. Microsoft's compiler has no names of parameters, and
/// writes `signature_of_values<a,b>(void) noexcept`.
struct signature_frame {
  std::size_t before;
  std::size_t after;
};
/// Returns the frame of the signature of `signature_of_values<>`.
constexpr signature_frame frame_of(std::string_view empty) noexcept {
  constexpr std::string_view parameter = "Args = ";
  constexpr std::string_view function = "signature_of_values<";
  const std::size_t found = empty.find(parameter);
  const std::size_t before =
      found != std::string_view::npos ? found + parameter.size() + 1 : empty.find(function) + function.size();
  return {before, empty.size() - before};
}
inline constexpr signature_frame frame_of_values = frame_of(signature_of_values<>());
constexpr std::string_view signature_arguments(std::string_view signature,
                                               const signature_frame& frame = frame_of_values) noexcept {
  return signature.substr(frame.before, signature.size() - frame.before - frame.after);
}

/// Returns the text in a signature from the only template argument on. `parameter` is `T = `, the
/// name of the parameter as g++ and clang write it; `function` is `type_tag<`, the name of the
/// function, after which Microsoft's compiler writes the argument and, for a class or enum, its
/// keyword.
constexpr std::string_view from_argument(std::string_view signature, std::string_view parameter,
                                         std::string_view function) noexcept {
  const std::size_t found = signature.find(parameter);
  if (found != std::string_view::npos) return signature.substr(found + parameter.size());
  signature.remove_prefix(signature.find(function) + function.size());
  for (const std::string_view keyword : {"class ", "struct ", "enum ", "union "}) {
    if (signature.starts_with(keyword)) return signature.substr(keyword.size());
  }
  return signature;
}
/// Returns the argument at the beginning of the text that `from_argument` returns.
constexpr std::string_view leading_argument(std::string_view text) noexcept {
  // g++ may append "; alias = ...". If a class is declared in a template function, the name of the
  // class may contain the template arguments of the function in brackets.
  constexpr std::string_view end_of_function = ">(void)";
  const std::size_t last = text.rfind(end_of_function);
  if (last != std::string_view::npos && text.back() != ']') return text.substr(0, last);
  std::size_t depth = 0;
  std::size_t end = 0;
  for (; end < text.size() && !(depth == 0 && (text[end] == ';' || text[end] == ']')); ++end) {
    if (text[end] == '[') ++depth;
    else if (text[end] == ']') --depth;
  }
  return text.substr(0, end);
}

/// Copies of names in one array, so that the program contains the names and not the signatures from
/// which they came.
template <std::size_t Bytes, std::size_t N>
struct name_table {
  std::array<char, Bytes == 0 ? 1 : Bytes> chars{};
  std::array<std::uint32_t, N + 1> ends{};

  constexpr std::string_view operator[](std::size_t i) const noexcept {
    return {chars.data() + ends[i], ends[i + 1] - ends[i]};
  }
};
template <std::size_t N>
constexpr std::size_t total_length(const std::array<std::string_view, N>& names) noexcept {
  std::size_t total = 0;
  for (const auto& name : names) total += name.size();
  return total;
}
template <std::size_t Bytes, std::size_t N>
constexpr name_table<Bytes, N> make_name_table(const std::array<std::string_view, N>& names) noexcept {
  name_table<Bytes, N> table;
  std::uint32_t at = 0;
  for (std::size_t i = 0; i < N; ++i) {
    for (const char c : names[i]) table.chars[at++] = c;
    table.ends[i + 1] = at;
  }
  return table;
}

/// `member_7`: replaces a name that is not available.
template <std::size_t I>
struct numbered_name {
  static constexpr std::size_t digits = I < 10 ? 1 : I < 100 ? 2 : 3;
  char chars[7 + digits] = {'m', 'e', 'm', 'b', 'e', 'r', '_'};
  consteval numbered_name() {
    for (std::size_t n = I, at = 7 + digits; at-- > 7; n /= 10) chars[at] = static_cast<char>('0' + n % 10);
  }
};
template <std::size_t I>
inline constexpr numbered_name<I> numbered{};

}}} // namespace ingot::INGOT_V1::detail
