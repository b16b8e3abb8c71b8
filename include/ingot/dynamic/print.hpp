// SPDX-License-Identifier: Apache-2.0
// Prints values of a block that is read without its C++ type. The text equals that of the typed
// block; see live/print.hpp.
#pragma once

#include <ingot/core/detail/light_standard.hpp>
#include <ingot/core/detail/widen_float.hpp>
#include <ingot/document/detail/core.hpp>
#include <ingot/document/detail/value_print.hpp>
#include <ingot/dynamic/value.hpp>
#include <ingot/live/print.hpp>

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

namespace ingot { inline namespace INGOT_V1 {

namespace detail::dyn {

class printer {
public:
  explicit printer(std::size_t limit) noexcept : limit_(limit) {}

  [[nodiscard]] std::string print(const dynamic_value& value) {
    bool whole = begin(value);
    while (whole && !path_.empty() && out_.size() <= limit_) whole = step(path_[path_.size() - 1]);
    if (!whole || out_.size() > limit_) {
      out_.resize(std::min(out_.size(), limit_));
      out_ += "...";
    }
    return std::move(out_);
  }

private:
  struct frame {
    dynamic_value of;
    cursor at;
    bool has_key; ///< the key of the entry was written
  };

  [[nodiscard]] static bool is_compound(dynamic_kind kind) noexcept {
    return kind == dynamic_kind::array || kind == dynamic_kind::pair || kind == dynamic_kind::tuple ||
           is_record(kind) || is_counted(kind);
  }
  [[nodiscard]] static std::string_view brackets(dynamic_kind kind) noexcept {
    if (kind == dynamic_kind::pair || kind == dynamic_kind::tuple) return "()";
    return is_record(kind) || is_map(kind) || is_set(kind) ? "{}" : "[]";
  }
  /// Writes a scalar, or begins a value with parts. Returns false if there is no memory for the
  /// stack.
  [[nodiscard]] bool begin(const dynamic_value& shown) {
    const dynamic_value value = through(shown);
    const auto kind = value.kind();
    if (!is_compound(kind)) {
      scalar(value);
      return true;
    }
    out_ += brackets(kind)[0];
    return path_.push({value, access::cursor_of(value), false});
  }
  [[nodiscard]] bool step(frame& f) {
    const memory* const in = access::memory_of(f.of);
    const auto kind = f.of.kind();
    if (f.at.done()) {
      out_ += brackets(kind)[1];
      static_cast<void>(path_.pop());
      return true;
    }
    if (f.has_key) {
      out_ += ": ";
    } else {
      if (f.at.index() != 0) out_ += ", ";
      if (is_record(kind)) out_.append(f.of.member_name(static_cast<std::size_t>(f.at.index()))).append(": ");
      if (is_map(kind)) {
        f.has_key = true;
        return begin(access::make(in, f.at.key()));
      }
    }
    f.has_key = false;
    const dynamic_value part = access::make(in, f.at.value());
    f.at.next(); // first, since a push may move the frame
    return begin(part);
  }
  void scalar(const dynamic_value& value) {
    switch (value.kind()) {
    case dynamic_kind::boolean: out_ += value.value_or(false) ? "true" : "false"; return;
    case dynamic_kind::floating: return real(value);
    case dynamic_kind::character:
    case dynamic_kind::byte: return print_number(out_, static_cast<std::uint32_t>(integer(value)));
    case dynamic_kind::enumeration:
      if (const std::string_view name = value.enumerator(); !name.empty()) {
        out_ += name;
        return;
      }
      [[fallthrough]];
    case dynamic_kind::integer:
      if (access::type_of(value).has(is_signed)) print_number(out_, integer(value));
      else print_number(out_, static_cast<std::uint64_t>(integer(value)));
      return;
    case dynamic_kind::duration:
    case dynamic_kind::time_point: return scalar(access::count_of(value));
    case dynamic_kind::complex: return complex(value);
    case dynamic_kind::bitset:
      for (std::size_t i = value.size(); i-- != 0 && out_.size() <= limit_;) out_ += value.bit(i) ? '1' : '0';
      return;
    case dynamic_kind::text: return text(value);
    case dynamic_kind::value: return doc::print_value(out_, value.any());
    default: out_ += "none"; return;
    }
  }
  /// Returns the number in 64 bits, sign-extended if it is signed.
  [[nodiscard]] static std::int64_t integer(const dynamic_value& value) noexcept {
    return static_cast<std::int64_t>(access::number_of(value));
  }
  void real(const dynamic_value& value) {
    const double number = value.value_or(0.0);
    if (access::type_of(value).size == 4) print_number(out_, nearest_float<float>(number));
    else print_number(out_, number);
  }
  void complex(const dynamic_value& value) {
    const auto [re, im] = value.complex();
    const auto part = [&](double number) {
      if (access::type_of(value).size == 8) print_number(out_, nearest_float<float>(number));
      else print_number(out_, number);
    };
    part(re);
    out_ += '+';
    part(im);
    out_ += 'i';
  }
  void text(const dynamic_value& value) {
    const memory& in = *access::memory_of(value);
    const text_run run = access::text_of(value);
    if (run.width == 1) return print_text(out_, in.view(run).substr(0, limit_));
    out_ += '[';
    for (std::uint64_t i = 0; i < run.units && out_.size() <= limit_; ++i) {
      if (i != 0) out_ += ", ";
      print_number(out_, in.unit(run, i));
    }
    out_ += ']';
  }

  std::size_t limit_;
  std::string out_;
  doc::plain_list<frame> path_;
};

} // namespace detail::dyn

/// Returns the value as one line of text; `none` if it is absent. If the text is longer than
/// `max_bytes`, it is truncated and ends with `...`. O(n) for n bytes of text.
[[nodiscard]] inline std::string to_string(const dynamic_value& value,
                                           std::size_t max_bytes = std::size_t{1} << 20) {
  return detail::dyn::printer(max_bytes).print(value);
}

/// Writes `to_string(value)` to a stream. The condition tests `write` and not `<<`: compilers check
/// the condition at each `<<` in ingot, and clang rejects a condition that depends on itself.
template <class Stream>
  requires requires(Stream& stream, std::string_view text) { stream.write(text.data(), std::ptrdiff_t{}); }
Stream& operator<<(Stream& stream, const dynamic_value& value) {
  stream << std::string_view(to_string(value));
  return stream;
}

}} // namespace ingot::INGOT_V1
