// SPDX-License-Identifier: Apache-2.0
// Converts tagged values of CBOR, and MessagePack's timestamps, to values with the same meaning in
// a document: text for times, numbers for decimal fractions, arrays for typed arrays.
#pragma once

#include <ingot/core/detail/float_tests.hpp>
#include <ingot/core/detail/time_text.hpp>
#include <ingot/document/detail/interchange_source.hpp>
#include <ingot/document/detail/meaning.hpp>
#include <ingot/document/interchange.hpp>

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <utility>

namespace ingot { inline namespace INGOT_V1 { namespace detail::interchange {

template <class Tokens, class Options>
class meaning_reader : protected token_source<Tokens, Options> {
  using base = token_source<Tokens, Options>;

public:
  using base::base;

protected:
  using base::close_frame;
  using base::content;
  using base::in_;
  using base::levels_;
  using base::misplaced;
  using base::open_;
  using base::options_;
  using base::reject;
  using base::should_continue;
  using base::to_;

  bool natural(std::uint64_t number) {
    if (std::in_range<std::int64_t>(number)) return to_.integer(static_cast<std::int64_t>(number));
    return to_.unsigned_integer(number);
  }
  bool time(const instant& found, bool is_date = false) {
    char chars[max_time_text];
    const std::string_view text(chars, write_time_text(chars, found));
    return to_.text(is_date ? text.substr(0, text.find('T')) : text);
  }
  bool time_number(const token& t, bool is_days) {
    instant found;
    if (t.kind == token::natural || t.kind == token::negative) {
      const auto whole = static_cast<std::int64_t>(t.kind == token::negative ? ~t.number : t.number);
      if (!std::in_range<std::int64_t>(t.number) ||
          __builtin_mul_overflow(whole, is_days ? seconds_in_day : 1, &found.seconds))
        return reject(errc::out_of_range, "a time of 64 bits");
    } else if (t.kind != token::real || is_days) {
      return misplaced(t, "a number after the tag of a time");
    } else if (read_time_number(std::bit_cast<double>(t.number), found) != time_outcome::exact) {
      return reject(errc::out_of_range, "a time of 64 bits");
    }
    return time(found, is_days);
  }
  bool number_token(token& t, wide_number& to, std::array<std::byte, 8>& bytes) {
    const std::size_t outside = open_.size();
    if (!content(t)) return false;
    to.negative = t.kind == token::negative;
    if (t.kind == token::natural || t.kind == token::negative) {
      store_big(bytes.data(), t.number, 8);
      to.bytes = bytes;
      return leave_frames(outside);
    }
    to.negative = t.kind == token::tag && t.number == negative_bignum;
    const bool is_big = to.negative || (t.kind == token::tag && t.number == bignum);
    if (is_big && !content(t)) return false;
    to.bytes = t.bytes;
    if (!is_big || t.kind != token::binary) return misplaced(t, "an exponent and a mantissa");
    return leave_frames(outside);
  }
  /// Called after a value that is no container. Closes the frames that tags for references have
  /// opened around this value. Returns true.
  bool leave_frames(std::size_t outside) {
    while (open_.size() > outside) close_frame();
    return true;
  }
  /// Reads the array `[exponent, mantissa]` after tag 4 or 5.
  bool fraction(std::uint64_t tag) {
    token t;
    wide_number exponent;
    wide_number mantissa;
    std::array<std::byte, 8> bytes;
    if (!content(t)) return false;
    if (t.kind != token::array || t.open_end || t.number != 2)
      return misplaced(t, "an exponent and a mantissa");
    if (!number_token(t, exponent, bytes)) return false;
    if (t.kind > token::negative || t.number > 20'000)
      return reject(errc::out_of_range, "an exponent of a number in range");
    const auto power = static_cast<std::int64_t>(t.kind == token::negative ? ~t.number : t.number);
    if (!number_token(t, mantissa, bytes)) return false;
    if constexpr (requires { options_.fractions; }) {
      if (options_.fractions == fractions::wrap) return wrap_fraction(tag, power, mantissa);
    }
    doc::item new_number;
    const auto outcome = tag == cbor_tag::decimal ? decimal_number(mantissa, power, new_number)
                                                  : binary_number(mantissa, power, new_number);
    if (outcome == number_outcome::out_of_range)
      return reject(errc::out_of_range, "a number within the range of a double");
    if (outcome == number_outcome::nearest && options_.unsupported_values != unsupported_values::lossy)
      return reject(errc::out_of_range,
                    "a number of no more digits than a double has: see unsupported_values");
    return put(new_number);
  }
  /// Emits a fraction as an object, in the form of `unsupported_values::wrap`.
  bool wrap_fraction(std::uint64_t tag, std::int64_t exponent, const wide_number& mantissa) {
    const auto bytes = significant(mantissa.bytes);
    const std::uint64_t magnitude =
        bytes.size() <= 8 ? load_big(bytes.data(), static_cast<unsigned>(bytes.size())) : 0;
    const bool is_big = bytes.size() > 8 || (mantissa.negative && !std::in_range<std::int64_t>(magnitude));
    const std::uint32_t levels = is_big ? 3 : 2;
    if (options_.max_depth < levels || levels_ > options_.max_depth - levels)
      return reject(errc::too_deep, "no more levels than max_depth");
    begin_tag(tag);
    to_.begin_array();
    to_.integer(exponent);
    if (is_big) {
      begin_tag(mantissa.negative ? negative_bignum : bignum);
      to_.binary(bytes);
      to_.end();
    } else if (mantissa.negative) {
      to_.integer(static_cast<std::int64_t>(~magnitude));
    } else {
      natural(magnitude);
    }
    to_.end();
    to_.end();
    return true;
  }
  void begin_tag(std::uint64_t tag) {
    to_.begin_object();
    to_.key("$tag");
    natural(tag);
    to_.key("$value");
  }
  bool real(std::uint64_t bits) {
    if (options_.whole_reals == whole_reals::integers) {
      const auto number = std::bit_cast<double>(bits);
      // 2^53: above it, a double can't hold every integer
      constexpr double largest = 9'007'199'254'740'992;
      // -0.0 does not become an integer
      if (is_finite(number) && number >= -largest && number <= largest && bits != sign_word<double>) {
        const auto whole = static_cast<std::int64_t>(number);
        if (std::bit_cast<std::uint64_t>(static_cast<double>(whole)) == bits) return to_.integer(whole);
      }
    }
    return to_.number_bits(bits);
  }
  bool put(const doc::item& number) {
    if (number.kind == value_kind::number) return real(number.number);
    if (number.kind == value_kind::integer) return to_.integer(number.integer());
    return to_.unsigned_integer(number.number);
  }
  bool elements(const typed_array& form) {
    token t;
    if (!content(t)) return false;
    if (t.kind != token::binary) return misplaced(t, "bytes after the tag of a typed array");
    if (t.bytes.size() % form.width != 0)
      return reject(errc::bad_length, "whole elements of a typed array", t.bytes.size());
    if (levels_ >= options_.max_depth) return reject(errc::too_deep, "no more levels than max_depth");
    to_.begin_array();
    for (std::size_t at = 0; at < t.bytes.size(); at += form.width) {
      if (at % report_interval == 0 && at != 0 && options_.progress && !should_continue()) return false;
      put(form.element(t.bytes.data() + at));
    }
    to_.end();
    return true;
  }
};

}}} // namespace ingot::INGOT_V1::detail::interchange
