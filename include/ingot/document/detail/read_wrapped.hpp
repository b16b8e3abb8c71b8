// SPDX-License-Identifier: Apache-2.0
// Reads values of MessagePack and CBOR for which documents have no kind: times, numbers and arrays
// of numbers. Documents contain such values wrapped in objects (docs/document-reference.md). A
// wrapped value is read as a C++ type with the same meaning.
#pragma once

#include <ingot/core/detail/time_text.hpp>
#include <ingot/document/detail/meaning.hpp>
#include <ingot/document/detail/reading.hpp>
#include <ingot/document/detail/wrapped.hpp>
#include <ingot/reflect/kind.hpp>
#include <ingot/reflect/platform_form.hpp>

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace ingot { inline namespace INGOT_V1 { namespace detail::doc {

[[nodiscard]] INGOT_COLD inline bool reject_time(reading& r, time_outcome why) {
  switch (why) {
  case time_outcome::exact: return true;
  case time_outcome::malformed:
    return r.reject(errc::invalid_value,
                    "a time as ISO 8601 has it, 2023-11-14T22:13:20Z, or a duration, PT1.5S");
  case time_outcome::inexact:
    return r.reject(errc::out_of_range, "a time that the type's period expresses exactly");
  case time_outcome::out_of_range: break;
  }
  return r.reject(errc::out_of_range, "a time within the range of the type");
}
/// Reads an integer, or a big integer that is wrapped in an object. `chars` gets the bytes of an
/// integer that is not wrapped.
[[nodiscard]] inline bool read_wide(reading& r, const item& from, std::byte (&chars)[8],
                                    wide_number& to) noexcept {
  if (from.kind == value_kind::integer || from.kind == value_kind::large_integer) {
    to.negative = from.kind == value_kind::integer && from.integer() < 0;
    interchange::store_big(chars, to.negative ? ~from.number : from.number, sizeof chars);
    to.bytes = chars;
    return true;
  }
  wrapped_value inner;
  if (!find_wrapped(r.in, from, inner) || inner.is_time || inner.content.kind != value_kind::binary ||
      (inner.tag != cbor_tag::bignum && inner.tag != cbor_tag::negative_bignum))
    return false;
  to = {as_bytes_view(text_of(r.in, inner.content)), inner.tag == cbor_tag::negative_bignum};
  return true;
}
/// Reads the array `[exponent, mantissa]` of a decimal fraction or big float.
[[nodiscard]] inline bool read_fraction(reading& r, const item& from, std::byte (&chars)[8],
                                        std::int64_t& exponent, wide_number& mantissa) {
  item parts[2];
  std::size_t count = 0;
  if (!for_each_element(r, from, [&](uint32_t i, const item& each) {
        if (i < 2) parts[i] = each;
        return ++count <= 2 || r.reject(errc::bad_length, "an exponent and a mantissa");
      }))
    return false;
  if (count != 2 || parts[0].kind != value_kind::integer || !read_wide(r, parts[1], chars, mantissa))
    return r.reject(errc::type_mismatch, "an exponent and a mantissa, both integers");
  exponent = parts[0].integer();
  return true;
}
/// Reads a time. Accepts ISO 8601 text, MessagePack's timestamp, and the tags 0, 1, 100 and 1004 of
/// CBOR. Also accepts a decimal fraction (tag 4) in seconds, which Jackson writes for Java's times.
/// Sets `is_length` to true if the value is the text of a duration.
[[nodiscard]] inline bool read_instant(reading& r, const item& from, instant& to, bool& is_length) {
  is_length = false;
  item content = from;
  if (from.kind == value_kind::object) {
    wrapped_value found;
    if (!find_wrapped(r.in, from, found)) return r.mismatch("a time", from.kind);
    if (found.is_time) return to = found.time, true;
    content = found.content;
    const bool is_whole = content.kind == value_kind::integer;
    if (found.tag == cbor_tag::time_number && is_whole) return to = {content.integer(), 0}, true;
    if (found.tag == cbor_tag::time_number && content.kind == value_kind::number)
      return reject_time(r, read_time_number(content.real(), to));
    if (found.tag == cbor_tag::days && is_whole) {
      std::int64_t seconds = 0;
      if (__builtin_mul_overflow(content.integer(), seconds_in_day, &seconds))
        return reject_time(r, time_outcome::out_of_range);
      return to = {seconds, 0}, true;
    }
    if (found.tag == cbor_tag::decimal) {
      std::byte chars[8];
      std::int64_t exponent = 0;
      wide_number mantissa;
      return read_fraction(r, content, chars, exponent, mantissa) &&
             reject_time(r, decimal_time(mantissa, exponent, to));
    }
    if (content.kind != value_kind::text ||
        (found.tag != cbor_tag::time_text && found.tag != cbor_tag::date_text))
      return r.reject(errc::type_mismatch, "a tag of times: 0, 1, 4, 100 or 1004");
    return reject_time(r, read_time_text(text_of(r.in, content), to));
  }
  const std::string_view text = text_of(r.in, content);
  is_length = is_duration_text(text);
  return reject_time(r, is_length ? read_duration_text(text, to) : read_time_text(text, to));
}

/// Reads a time or duration that is stored as text or as an object, not as a count.
template <class T>
[[nodiscard]] INGOT_COLD bool read_time(reading& r, const item& from, T& to) {
  instant found;
  bool is_length = false;
  if constexpr (kind_of<T> == kind::duration) {
    return read_instant(r, from, found, is_length) && reject_time(r, to_duration(found, to));
  } else if constexpr (system_clock_like<typename T::clock>) {
    typename T::duration since{};
    if (!read_instant(r, from, found, is_length)) return false;
    if (is_length) return r.reject(errc::type_mismatch, "a point in time, not a duration");
    if (!reject_time(r, to_duration(found, since))) return false;
    to = T(since);
    return true;
  } else {
    return r.reject(errc::type_mismatch, "a count: the clock of the type has no dates");
  }
}
[[nodiscard]] constexpr bool may_be_time(const item& from) noexcept {
  return from.kind == value_kind::text || from.kind == value_kind::object;
}

/// Reads a number that is wrapped in an object (CBOR's tags 2 to 5) as an integer or real. If
/// `takes_nearest`, also accepts a number with more digits than a double has.
[[nodiscard]] INGOT_COLD inline bool read_wrapped_number(reading& r, const item& from, bool takes_nearest,
                                                         item& to) {
  wrapped_value found;
  if (!find_wrapped(r.in, from, found) || found.is_time) return r.mismatch("a number", from.kind);
  std::byte chars[8];
  wide_number number;
  number_outcome outcome = number_outcome::out_of_range;
  if (found.tag == cbor_tag::bignum || found.tag == cbor_tag::negative_bignum) {
    if (!read_wide(r, from, chars, number))
      return r.reject(errc::type_mismatch, "bytes after the tag of a big integer");
    outcome = wide_integer(number, to);
  } else if (found.tag == cbor_tag::decimal || found.tag == cbor_tag::bigfloat) {
    std::int64_t exponent = 0;
    if (!read_fraction(r, found.content, chars, exponent, number)) return false;
    outcome = found.tag == cbor_tag::decimal ? decimal_number(number, exponent, to)
                                             : binary_number(number, exponent, to);
  } else {
    return r.reject(errc::type_mismatch, "a tag of numbers: 2, 3, 4 or 5");
  }
  if (outcome == number_outcome::exact || (outcome == number_outcome::nearest && takes_nearest)) return true;
  return r.reject(errc::out_of_range, "a number that the type holds");
}

}}} // namespace ingot::INGOT_V1::detail::doc
