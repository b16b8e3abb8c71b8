// SPDX-License-Identifier: Apache-2.0
// Reads CBOR (RFC 8949) into documents, and writes CBOR from documents. See
// docs/document-reference.md for the conversion of each type.
#pragma once

#include <ingot/core/buffer.hpp>
#include <ingot/core/bytes.hpp>
#include <ingot/core/detail/float_tests.hpp>
#include <ingot/core/detail/light_standard.hpp>
#include <ingot/core/detail/time_text.hpp>
#include <ingot/core/error.hpp>
#include <ingot/core/progress.hpp>
#include <ingot/core/read_limits.hpp>
#include <ingot/document/detail/interchange_calls.hpp>
#include <ingot/document/detail/interchange_javascript.hpp>
#include <ingot/document/detail/interchange_numbers.hpp>
#include <ingot/document/detail/interchange_token.hpp>
#include <ingot/document/detail/interchange_write.hpp>
#include <ingot/document/detail/meaning.hpp>
#include <ingot/document/detail/read_wrapped.hpp>
#include <ingot/document/detail/wrapped.hpp>
#include <ingot/document/document.hpp>
#include <ingot/document/interchange.hpp>

#include <bit>
#include <charconv>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>

namespace ingot { inline namespace INGOT_V1 { namespace cbor {

/// Encodings of a value that a reader accepts.
enum class encoding : std::uint8_t {
  any,
  /// Only the core deterministic encoding of RFC 8949, 4.2.1: integers, lengths and reals are as
  /// short as possible, no length is indefinite, keys are sorted by their bytes. Equal values then
  /// have equal bytes, as signatures and hashes require.
  deterministic,
};

/// Options for reading. With the defaults, no information is lost.
struct read_options {
  /// Treatment of values for which documents have no kind.
  ingot::unsupported_values unsupported_values = ingot::unsupported_values::reject;
  /// Treatment of map keys that are not text.
  ingot::non_text_keys non_text_keys = ingot::non_text_keys::reject;
  /// Treatment of numbers without a fraction.
  ingot::whole_reals whole_reals = ingot::whole_reals::keep;
  /// Treatment of decimal fractions and big floats.
  ingot::fractions fractions = ingot::fractions::numbers;
  /// Encodings that are accepted.
  cbor::encoding encoding = cbor::encoding::any;
  /// Treatment of repeated keys.
  key_policy repeated_keys = key_policy::error;
  /// Maximum nesting depth of arrays, maps and wrapped tags. An open container takes about 100
  /// bytes of heap memory and no stack, so any maximum is safe.
  std::uint32_t max_depth = 128;
  /// Maximum number of bytes that are read again for references to strings and shared values (tags
  /// 25 and 29). Each reference counts as 16 further bytes. `unsupported_values::reject` and
  /// `encoding::deterministic` reject references.
  std::size_t max_repeated = std::size_t{1} << 26;
  /// Maximum memory in bytes: for the growth of the document, and for lists of values whose
  /// containers are not complete. If more is needed, the error is `too_much_memory`. The default is
  /// the default of `read_limits`.
  std::uint64_t max_memory = read_limits::by_input;
  /// Reports the bytes read; the callback is called between values. For `read_next`, the total is
  /// `unknown` until the end of the value. If the callback returns false, the call returns
  /// `errc::cancelled` with the offset that was reached.
  progress_ref progress{};
};

/// Options for writing.
struct write_options {
  /// Order of members.
  member_order order = member_order::document;
  /// `wrap` restores values: an object that a reader with `unsupported_values::wrap` created is
  /// written as the original value. With any other choice, this object is written as a map.
  ingot::unsupported_values unsupported_values = ingot::unsupported_values::reject;
  /// With `unsupported_values::wrap`: treatment of wrapped values that come from another format.
  ingot::foreign_values foreign = ingot::foreign_values::reject;
  /// Treatment of keys that are the text of an integer.
  ingot::integer_keys integer_keys = ingot::integer_keys::text;
  /// Minimum width of a real number.
  ingot::real_width min_real = ingot::real_width::shortest;
  /// Maximum size in bytes; a longer result is an error. The document contains a shared key only
  /// once, but the result contains it once for each object.
  std::size_t max_bytes = std::size_t{1} << 30;
  /// Maximum nesting depth of arrays and maps, counted as by `read_options::max_depth`. So with
  /// equal limits, readers accept what writers write.
  std::uint32_t max_depth = 128;
  /// Reports the bytes written; the total is `progress_ref::unknown` until the end. If the callback
  /// returns false, the call returns `errc::cancelled`.
  progress_ref progress{};
};

/// Options for writing the encoding `encoding::deterministic`.
inline constexpr write_options deterministic{.order = member_order::sorted};

}}} // namespace ingot::INGOT_V1::cbor

namespace ingot { inline namespace INGOT_V1 { namespace detail::interchange {

/// Major types: the upper three bits of a first byte.
enum class cbor_major : std::uint8_t { natural, negative, binary, text, array, map, tag, other };

/// Splits CBOR into tokens. Strings of several pieces are joined here, one string at a time.
class cbor_tokens {
public:
  static constexpr bool has_references = true;
  /// Returns true if references are accepted. The deterministic encoding has no references, because
  /// a reference would be a second encoding of its target.
  [[nodiscard]] bool takes_references() const noexcept { return !strict_; }

  cbor_tokens(input& in, const cbor::read_options& options) noexcept
      : in_(in), strict_(options.encoding == cbor::encoding::deterministic) {}

  [[nodiscard]] bool in_order(bytes_view earlier, bytes_view later) const noexcept {
    if (!strict_) return true;
    const int order = std::memcmp(earlier.data(), later.data(), std::min(earlier.size(), later.size()));
    return order < 0 || (order == 0 && earlier.size() < later.size());
  }
  /// Returns true if a big integer with the bytes `number` is accepted. The deterministic encoding
  /// requires that the integer has no shorter encoding.
  [[nodiscard]] bool big_enough(bytes_view number) const noexcept {
    return !strict_ || (number.size() > 8 && number[0] != std::byte{});
  }

  [[nodiscard]] bool next(token& t) noexcept {
    begin_ = in_.at;
    cbor_major major{};
    if (!head(t, major)) return false;
    switch (major) {
    case cbor_major::natural: t.kind = token::natural; return true;
    case cbor_major::negative: t.kind = token::negative; return true;
    case cbor_major::binary:
    case cbor_major::text:
      t.kind = major == cbor_major::text ? token::text : token::binary;
      return t.open_end ? pieces(t, major) : run(t);
    case cbor_major::array: t.kind = token::array; return true;
    case cbor_major::map: t.kind = token::map; return true;
    case cbor_major::tag: // the tag "this is CBOR" gives a value a second encoding
      t.kind = token::tag;
      return !strict_ || t.number != self_described || longer();
    case cbor_major::other: break;
    }
    return true; // `head` has set the kind
  }

private:
  [[nodiscard]] bool truncated() noexcept { return in_.reject(errc::truncated, begin_, "a whole value"); }
  [[nodiscard]] bool longer() noexcept {
    return in_.reject(errc::not_canonical, begin_, "the shortest form, of definite length");
  }
  /// Reads the first byte of a value, and its argument (RFC 8949): the number in this byte or
  /// directly after it.
  [[nodiscard]] bool head(token& t, cbor_major& major) noexcept {
    if (in_.left() == 0) return truncated();
    const unsigned first = std::to_integer<unsigned>(*in_.here());
    const unsigned low = first & 31;
    major = static_cast<cbor_major>(first >> 5);
    ++in_.at;
    t.open_end = false;
    t.number = low;
    if (low >= 24 && low < 28) {
      const unsigned bytes = 1u << (low - 24);
      if (in_.left() < bytes) return truncated();
      t.number = load_big(in_.here(), bytes);
      in_.at += bytes;
      const std::uint64_t shorter = bytes == 1 ? 23 : (std::uint64_t{1} << (4 * bytes)) - 1;
      if (strict_ && major != cbor_major::other && t.number <= shorter) return longer();
    } else if (low >= 28) {
      const bool may_end_open = major == cbor_major::binary || major == cbor_major::text ||
                                major == cbor_major::array || major == cbor_major::map ||
                                major == cbor_major::other;
      if (low != 31 || !may_end_open)
        return in_.reject(errc::bad_variant, begin_, "a byte that begins a value", first);
      if (strict_ && major != cbor_major::other) return longer();
      t.open_end = true;
    }
    return major != cbor_major::other || other(t, low);
  }
  [[nodiscard]] bool other(token& t, unsigned low) noexcept {
    switch (low) {
    case 20:
    case 21:
      t.kind = token::boolean;
      t.number = low - 20;
      return true;
    case 22: t.kind = token::null; return true;
    case 23: t.kind = token::undefined; return true;
    case 24:
      if (t.number < 32) return in_.reject(errc::bad_variant, begin_, "a simple value from 32 on", t.number);
      t.kind = token::simple;
      return true;
    case 25: return real(t, half_real::widen(t.number), true);
    case 26: {
      const std::uint64_t bits = single_real::widen(t.number);
      return real(t, bits, !half_real::narrow(bits));
    }
    case 27: return real(t, t.number, !single_real::narrow(t.number));
    case 31: t.kind = token::stop; return true;
    default: t.kind = token::simple; return true;
    }
  }
  [[nodiscard]] bool real(token& t, std::uint64_t bits, bool shortest) noexcept {
    t.kind = token::real;
    t.number = bits;
    return shortest || !strict_ || longer();
  }
  [[nodiscard]] bool run(token& t) noexcept {
    if (t.number > in_.left()) return truncated();
    t.bytes = in_.bytes.subspan(in_.at, static_cast<std::size_t>(t.number));
    in_.at += t.bytes.size();
    return true;
  }
  /// Joins the pieces of a string of indefinite length, up to the stop code. Each piece has a
  /// definite length.
  [[nodiscard]] bool pieces(token& t, cbor_major whole) noexcept {
    joined_.clear();
    for (;;) {
      token piece;
      cbor_major major{};
      const std::size_t at = in_.at;
      if (!head(piece, major)) return false;
      if (major == cbor_major::other && piece.kind == token::stop) break;
      if (major != whole || piece.open_end)
        return in_.reject(errc::bad_variant, at, "a piece of the string, or its end");
      if (!run(piece)) return false;
      // RFC 8949, 3.2.3: a piece must not end within a character.
      if (whole == cbor_major::text && !is_text(piece.chars()))
        return in_.reject(errc::invalid_utf8, at, "text that is UTF-8");
      if (!joined_.append(piece.bytes))
        return in_.reject(errc::no_memory, at, "memory for a string in pieces");
    }
    t.open_end = false;
    t.bytes = joined_;
    return true;
  }

  input& in_;
  std::size_t begin_ = 0;
  bool strict_;
  buffer joined_;
};

/// Writes CBOR, each value in as few bytes as possible.
class cbor_form {
public:
  cbor_form(output& out, const cbor::write_options& options) noexcept
      : out_(out), min_real_(options.min_real), reduces_(options.foreign == foreign_values::lossy) {}

  [[nodiscard]] bool null() noexcept { return out_.put(0xf6); }
  [[nodiscard]] bool boolean(bool b) noexcept { return out_.put(b ? 0xf5 : 0xf4); }
  [[nodiscard]] bool natural(std::uint64_t n) noexcept { return head(cbor_major::natural, n); }
  [[nodiscard]] bool integer(std::int64_t i) noexcept {
    return i < 0 ? head(cbor_major::negative, static_cast<std::uint64_t>(-1 - i))
                 : natural(static_cast<std::uint64_t>(i));
  }
  [[nodiscard]] bool real(std::uint64_t bits) noexcept {
    const auto half = half_real::narrow(bits);
    if (half && min_real_ == real_width::shortest) return out_.put(0xf9, *half, 2);
    const auto single = single_real::narrow(bits);
    if (single && min_real_ != real_width::whole) return out_.put(0xfa, *single, 4);
    return out_.put(0xfb, bits, 8);
  }
  [[nodiscard]] bool text(std::string_view t) noexcept {
    return head(cbor_major::text, t.size(), as_bytes_view(t));
  }
  [[nodiscard]] bool binary(bytes_view b) noexcept { return head(cbor_major::binary, b.size(), b); }
  [[nodiscard]] bool array(std::uint64_t count) noexcept { return head(cbor_major::array, count); }
  [[nodiscard]] bool map(std::uint64_t count) noexcept { return head(cbor_major::map, count); }
  /// Writes wrapped values in their original form: `{"$tag": number, "$value": anything}` and
  /// `{"$simple": number}`, and wrapped values of MessagePack that CBOR can express.
  [[nodiscard]] unwrapped unwrap(value& v) {
    if (v.size() == 1) {
      const value simple = v.find("$simple");
      const auto number = simple.value_or(std::uint64_t{24}); // default 24: no simple value
      if (number > 255 || (number >= 24 && number < 32)) return unwrapped::plain;
      // The simple values 20 to 22 are false, true and null. Documents have their own kinds for
      // these values, so no reader wraps them. An object with one of these numbers is an ordinary
      // object.
      if (number >= 20 && number < 23) return unwrapped::plain;
      const bool written =
          number < 24 ? out_.put(0xe0 | static_cast<unsigned>(number)) : out_.put(0xf8, number, 1);
      return written ? unwrapped::whole : unwrapped::failed;
    }
    const value tag = v.find("$tag");
    const value content = v.find("$value");
    if (v.size() == 2 && v.find("$ext").is_integer() && (content.is_binary() || content.is_array()))
      return extension(v, content, v.find("$ext").value_or(std::int64_t{-1}));
    if (doc::wrapped_value found;
        doc::find_wrapped(doc::access::memory_of(v), doc::access::item_of(v), found) && found.is_time)
      return time(found.time) ? unwrapped::whole : unwrapped::failed;
    if (v.size() != 2 || !tag.is_integer() || !content.exists()) return unwrapped::plain;
    const auto number = tag.as<std::uint64_t>();
    if (!number) return unwrapped::plain;
    if (is_resolved_tag(*number)) return unwrapped::plain; // no reader wraps this tag in an object
    if (*number == bignum || *number == negative_bignum) {
      if (!content.is_binary()) return unwrapped::plain;
      const bytes_view big = significant(content.as<bytes_view>().value_or(bytes_view{}));
      const auto major = *number == bignum ? cbor_major::natural : cbor_major::negative;
      const bool written = big.size() <= 8
                               ? head(major, load_big(big.data(), static_cast<unsigned>(big.size())))
                               : head(cbor_major::tag, *number) && binary(big);
      return written ? unwrapped::whole : unwrapped::failed;
    }
    v = content;
    return head(cbor_major::tag, *number) ? unwrapped::prefix : unwrapped::failed;
  }

private:
  /// Writes a wrapped extension of MessagePack: a set under CBOR's tag for sets. Any other
  /// extension is written as its array or bytes with `foreign_values::lossy`, otherwise rejected.
  [[nodiscard]] unwrapped extension(value& v, const value& content, std::int64_t type) {
    const auto written = [](bool good) { return good ? unwrapped::whole : unwrapped::failed; };
    if (content.is_array()) {
      if (!marks_array(type)) return unwrapped::plain;
      const bool is_set = type == set_extension;
      if (is_set || reduces_) {
        v = content;
        return !is_set || head(cbor_major::tag, cbor_tag::set) ? unwrapped::prefix : unwrapped::failed;
      }
    } else if (reduces_) {
      const auto bytes = content.as<bytes_view>().value_or(bytes_view{});
      return written(is_undefined(type, bytes) ? out_.put(0xf7) : binary(bytes));
    }
    return written(out_.reject(errc::unsupported, "a value that CBOR has a form for: see foreign_values"));
  }
  /// Writes a time: as a number of seconds if a double represents the time exactly, otherwise as
  /// text.
  [[nodiscard]] bool time(const instant& from) noexcept {
    if (from.nanoseconds == 0) return head(cbor_major::tag, cbor_tag::time_number) && integer(from.seconds);
    // Converts the digits of the time to a double. The sum of the seconds and the nanoseconds would
    // be rounded differently on some machines.
    char chars[max_time_text];
    std::string_view digits(chars, write_duration_text(chars, from)); // -PT1.5S
    const bool is_negative = digits[0] == '-';
    digits = digits.substr(is_negative ? 3 : 2);
    double number = 0;
    static_cast<void>(std::from_chars(digits.data(), digits.data() + digits.size() - 1, number));
    number = ingot::detail::with_sign(number, is_negative);
    instant again;
    if (read_time_number(number, again) == time_outcome::exact && again == from)
      return head(cbor_major::tag, cbor_tag::time_number) && real(std::bit_cast<std::uint64_t>(number));
    const std::string_view shown(chars, write_time_text(chars, from));
    if (shown[0] == '-' || shown[0] == '+') // RFC 3339 has no signed years
      return out_.reject(errc::out_of_range, "a time with nanoseconds within the years 0 to 9999");
    return head(cbor_major::tag, cbor_tag::time_text) && text(shown);
  }
  [[nodiscard]] bool head(cbor_major major, std::uint64_t n, bytes_view payload = {}) noexcept {
    const unsigned first = static_cast<unsigned>(major) << 5;
    if (n < 24) return out_.put(first | static_cast<unsigned>(n), 0, 0, payload);
    if (n <= 0xff) return out_.put(first | 24, n, 1, payload);
    if (n <= 0xffff) return out_.put(first | 25, n, 2, payload);
    if (n <= 0xffff'ffff) return out_.put(first | 26, n, 4, payload);
    return out_.put(first | 27, n, 8, payload);
  }

  output& out_;
  real_width min_real_;
  bool reduces_;
};

using cbor_format = format<cbor_tokens, cbor_form, cbor::read_options, cbor::write_options>;

}}} // namespace ingot::INGOT_V1::detail::interchange

namespace ingot { inline namespace INGOT_V1 { namespace cbor {

/// `read_document(bytes, max_size, options)` returns a document of the value in the bytes, which
/// must contain exactly one value. The maximum size of the document may be omitted.
inline constexpr detail::interchange::read_document_call<detail::interchange::cbor_format> read_document{};
/// `read_next(bytes, max_size, options)` returns the first value in the bytes, and moves the
/// beginning of `bytes` to the end of that value. Use it for sequences (RFC 8742).
inline constexpr detail::interchange::read_next_call<detail::interchange::cbor_format> read_next{};
/// `read_into(value_ref, bytes, options)` overwrites a value inside a document with the value in
/// the bytes, which must contain exactly one value.
inline constexpr detail::interchange::read_into_call<detail::interchange::cbor_format> read_into{};
/// `read_events(events, bytes, options)` emits the value in the bytes as events.
inline constexpr detail::interchange::read_events_call<detail::interchange::cbor_format> read_events{};
/// `write_to(sink, value, options)` appends a value or document to a sink, and returns the number
/// of bytes appended. With `deterministic`, the encoding is RFC 8949's core deterministic encoding.
inline constexpr detail::interchange::write_to_call<detail::interchange::cbor_format> write_to{};
/// `write(value, options)` returns a value or document as bytes.
inline constexpr detail::interchange::write_call<detail::interchange::cbor_format> write{};

}}} // namespace ingot::INGOT_V1::cbor
