// SPDX-License-Identifier: Apache-2.0
// Writes a value that was read without its type as text. The module of the same name in
// tests/python writes the same text for the value that the Python reader found. The text contains
// more than JSON: bits of floats, bytes, absent members and null, keys of every kind, and
// ill-formed text.
//
//  ~ nothing, - an absent member, T F
//  7, an integer, character or byte; e7=name, an enumerator (e7, without a name)
//  f0011...  the bits of a double, low byte first (fnan, for any NaN)
//  c and two of those: a complex number
//  d1/1000 and a count: a duration; t and a duration: a time
//  "3:abc text, b3:abc bytes
//  [ ] elements, bits, keys of sets, pairs of maps, each as [ ]; (name=value ...) members
//  V1 and a value: an alternative; X0 and a value, X1 and an error
#pragma once

#include <ingot/document/archive.hpp>
#include <ingot/document/archive_view.hpp>
#include <ingot/document/value_view.hpp>
#include <ingot/dynamic/dynamic.hpp>
#include <ingot/dynamic/parts.hpp>

#include <array>
#include <bit>
#include <charconv>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

namespace readers {

class value_text {
public:
  [[nodiscard]] static std::string of(const ingot::dynamic_value& from) {
    value_text to;
    to.typed(from);
    return std::move(to.out_);
  }
  [[nodiscard]] static std::string of(const ingot::archive_value& root) {
    value_text to;
    to.any(root);
    return std::move(to.out_);
  }
  [[nodiscard]] static std::string of(const ingot::value& root) {
    value_text to;
    to.any(view_of(root));
    return std::move(to.out_);
  }

private:
  using kind = ingot::dynamic_kind;

  [[nodiscard]] static ingot::value_view view_of(const ingot::value& root) {
    namespace doc = ingot::detail::doc;
    return doc::access::make<ingot::value_view>(doc::access::memory_of(root), doc::location{});
  }
  template <class N>
  void number(N value) {
    std::array<char, 24> digits{};
    out_.append(digits.data(), std::to_chars(digits.data(), digits.data() + digits.size(), value).ptr);
  }
  template <class N>
  void integer(N value) {
    number(value);
    out_ += ',';
  }
  void real(double value) {
    if (value != value) {
      out_ += "fnan,";
      return;
    }
    constexpr std::string_view digits = "0123456789abcdef";
    out_ += 'f';
    auto bits = std::bit_cast<std::uint64_t>(value);
    for (int i = 0; i < 8; ++i, bits >>= 8) {
      out_ += digits[bits >> 4 & 15];
      out_ += digits[bits & 15];
    }
  }
  void raw(char what, std::string_view bytes) {
    out_ += what;
    number(bytes.size());
    out_ += ':';
    out_ += bytes;
  }
  /// Appends a code point in UTF-8, surrogates as if they were characters.
  static void append(std::string& to, std::uint32_t code) {
    const auto byte = [&](std::uint32_t b) { to += static_cast<char>(static_cast<unsigned char>(b)); };
    if (code < 0x80) return byte(code);
    if (code < 0x800) byte(0xC0 | code >> 6);
    else if (code < 0x10000) byte(0xE0 | code >> 12), byte(0x80 | (code >> 6 & 0x3F));
    else byte(0xF0 | code >> 18), byte(0x80 | (code >> 12 & 0x3F)), byte(0x80 | (code >> 6 & 0x3F));
    byte(0x80 | (code & 0x3F));
  }
  /// Returns the length of the well-formed character at the beginning, or 0. From the table of the
  /// Unicode standard.
  [[nodiscard]] static std::size_t well_formed(std::string_view text) {
    const auto at = [&](std::size_t i) { return i < text.size() ? static_cast<unsigned char>(text[i]) : 0U; };
    const auto follows = [&](std::size_t i, unsigned low = 0x80, unsigned high = 0xBF) {
      return at(i) >= low && at(i) <= high;
    };
    const unsigned first = at(0);
    if (first < 0x80) return 1;
    if (first >= 0xC2 && first <= 0xDF) return follows(1) ? 2 : 0;
    if (first >= 0xE0 && first <= 0xEF)
      return follows(1, first == 0xE0 ? 0xA0 : 0x80, first == 0xED ? 0x9F : 0xBF) && follows(2) ? 3 : 0;
    if (first >= 0xF0 && first <= 0xF4)
      return follows(1, first == 0xF0 ? 0x90 : 0x80, first == 0xF4 ? 0x8F : 0xBF) && follows(2) && follows(3)
                 ? 4
                 : 0;
    return 0;
  }
  /// Writes ill-formed bytes as the surrogates that Python replaces them by.
  void text(std::string_view from) {
    std::string shown;
    for (std::size_t at = 0; at < from.size();) {
      const std::size_t size = well_formed(from.substr(at));
      if (size == 0) append(shown, 0xDC00U + static_cast<unsigned char>(from[at]));
      else shown.append(from, at, size);
      at += size == 0 ? 1 : size;
    }
    raw('"', shown);
  }
  void text(const ingot::dynamic_value& from) {
    using ingot::detail::dyn::access;
    const auto& in = *access::memory_of(from);
    const auto run = access::text_of(from);
    if (run.width == 1) return text(in.view(run));
    std::string shown;
    std::string units;
    bool has_characters = true;
    for (std::uint64_t i = 0; i < run.units; ++i) {
      std::uint32_t code = in.unit(run, i);
      for (unsigned shift = 0; shift < 32; shift += 8)
        units += static_cast<char>(static_cast<unsigned char>(code >> shift));
      has_characters = has_characters && code <= 0x10FFFF;
      if (run.width == 2 && code >= 0xD800 && code < 0xDC00 && i + 1 < run.units) {
        const std::uint32_t low = in.unit(run, i + 1);
        if (low >= 0xDC00 && low < 0xE000) {
          code = 0x10000 + ((code - 0xD800) << 10) + (low - 0xDC00);
          ++i;
        }
      }
      append(shown, code);
    }
    if (has_characters) raw('"', shown);
    else raw('b', units);
  }

  /// Writes a value of any kind, by its view of a document or an archive.
  template <class View>
  void any(const View& of) { // NOLINT(misc-no-recursion): messages here are short
    using ingot::value_kind;
    switch (of.kind()) {
    case value_kind::boolean: out_ += of.value_or(false) ? 'T' : 'F'; break;
    case value_kind::integer: integer(of.value_or(std::int64_t{0})); break;
    case value_kind::large_integer: integer(of.value_or(std::uint64_t{0})); break;
    case value_kind::number: real(of.value_or(0.0)); break;
    case value_kind::text: text(of.value_or(std::string_view())); break;
    case value_kind::binary: raw('b', as_text(of.value_or(ingot::bytes_view()))); break;
    case value_kind::array:
      out_ += '[';
      for (const auto each : of.elements()) any(each);
      out_ += ']';
      break;
    case value_kind::object:
      out_ += '[';
      for (const auto [key, value] : of.members()) {
        out_ += '[';
        text(key);
        any(value);
        out_ += ']';
      }
      out_ += ']';
      break;
    default: out_ += '~';
    }
  }
  [[nodiscard]] static std::string_view as_text(ingot::bytes_view bytes) {
    return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
  }

  [[nodiscard]] static bool may_be_null(const ingot::dynamic_value& of) {
    return of.kind() == kind::optional || of.kind() == kind::box || of.is_any();
  }
  void whole_number(const ingot::dynamic_value& from) {
    using ingot::detail::dyn::access;
    const std::uint64_t bits = access::number_of(from);
    if (access::type_of(from).has(ingot::detail::dyn::is_signed)) number(static_cast<std::int64_t>(bits));
    else number(bits);
  }
  void parts(const ingot::dynamic_value&
                 from) { // NOLINT(misc-no-recursion): depth is limited, or messages are short
    const bool has_keys = ingot::detail::dyn::is_map(from.kind());
    const bool has_names =
        // a link's two numbers have different names in different descriptions
        from.kind() == kind::record;
    out_ += has_names ? '(' : '[';
    for (const auto& part : from.parts()) {
      if (has_names) {
        text(part.name);
        out_ += '=';
      }
      if (has_keys) {
        out_ += '[';
        typed(part.key);
      }
      if (has_names && !part.value.exists()) out_ += '-';
      else typed(part.value);
      if (has_keys) out_ += ']';
    }
    out_ += has_names ? ')' : ']';
  }
  void typed(const ingot::dynamic_value&
                 from) { // NOLINT(misc-no-recursion): depth is limited, or messages are short
    using ingot::detail::dyn::access;
    if (from.kind() == kind::value) return any(from.any());
    if (from.is_any()) {
      const auto opened = ingot::unarchive(from.value_or(ingot::bytes_view()));
      if (opened) any(view_of(std::as_const(*opened).root()));
      else out_ += "?";
      return;
    }
    switch (from.kind()) {
    case kind::absent: out_ += '~'; return;
    case kind::boolean: out_ += from.value_or(false) ? 'T' : 'F'; return;
    case kind::integer:
    case kind::character:
    case kind::byte:
      whole_number(from);
      out_ += ',';
      return;
    case kind::enumeration:
      out_ += 'e';
      whole_number(from);
      if (const auto name = from.enumerator(); !name.empty()) {
        out_ += '=';
        out_ += name;
      }
      out_ += ',';
      return;
    case kind::floating: real(from.value_or(0.0)); return;
    case kind::complex:
      out_ += 'c';
      real(from.complex().first);
      real(from.complex().second);
      return;
    case kind::time_point:
      out_ += 't';
      typed(access::count_of(from));
      return;
    case kind::duration:
      out_ += 'd';
      number(from.period().first);
      out_ += '/';
      number(from.period().second);
      out_ += ':';
      typed(access::count_of(from));
      return;
    case kind::text: text(from); return;
    case kind::bitset:
      out_ += '[';
      for (std::size_t i = 0; i < from.size(); ++i) out_ += from.bit(i) ? 'T' : 'F';
      out_ += ']';
      return;
    case kind::optional:
    case kind::box: {
      const auto held = from.held();
      const bool in_list = held.exists() && may_be_null(held);
      if (in_list) out_ += '[';
      typed(held);
      if (in_list) out_ += ']';
      return;
    }
    case kind::variant:
    case kind::expected:
      out_ += from.kind() == kind::variant ? 'V' : 'X';
      integer(from.alternative());
      typed(from.held());
      return;
    default: parts(from);
    }
  }

  std::string out_;
};

} // namespace readers
