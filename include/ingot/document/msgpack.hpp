// SPDX-License-Identifier: Apache-2.0
// Reads MessagePack into documents, and writes MessagePack from documents. See
// docs/document-reference.md for the conversion of each type.
#pragma once

#include <ingot/core/buffer.hpp>
#include <ingot/core/bytes.hpp>
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

#include <cstddef>
#include <cstdint>
#include <limits>
#include <string_view>

namespace ingot { inline namespace INGOT_V1 { namespace msgpack {

/// Treatment of text that is not UTF-8. Old writers use the same type for text and bytes.
enum class raw_text : std::uint8_t {
  reject,
  binary, ///< values become bytes; keys are rejected
};

/// Options for reading. With the defaults, no information is lost.
struct read_options {
  /// Treatment of values for which documents have no kind.
  ingot::unsupported_values unsupported_values = ingot::unsupported_values::reject;
  /// Treatment of map keys that are not text.
  ingot::non_text_keys non_text_keys = ingot::non_text_keys::reject;
  /// Treatment of numbers without a fraction.
  ingot::whole_reals whole_reals = ingot::whole_reals::keep;
  /// Treatment of text that is not UTF-8.
  msgpack::raw_text raw_text = msgpack::raw_text::reject;
  /// Treatment of repeated keys.
  key_policy repeated_keys = key_policy::error;
  /// Maximum nesting depth of arrays and maps. An open container takes about 100 bytes of heap
  /// memory and no stack, so any maximum is safe.
  std::uint32_t max_depth = 128;
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

}}} // namespace ingot::INGOT_V1::msgpack

namespace ingot { inline namespace INGOT_V1 { namespace detail::interchange {

/// Splits MessagePack into tokens.
class msgpack_tokens {
public:
  msgpack_tokens(input& in, const msgpack::read_options& options) noexcept
      : in_(in), takes_raw_(options.raw_text == msgpack::raw_text::binary) {}

  [[nodiscard]] bool takes_raw() const noexcept { return takes_raw_; }
  /// Returns true if the first byte of the next value is the first byte of an array.
  [[nodiscard]] bool array_follows() const noexcept {
    if (in_.left() == 0) return false;
    const unsigned first = std::to_integer<unsigned>(*in_.here());
    return (first & 0xf0) == 0x90 || first == 0xdc || first == 0xdd;
  }

  [[nodiscard]] bool next(token& t) noexcept {
    begin_ = in_.at;
    if (in_.left() == 0) return truncated();
    const unsigned first = std::to_integer<unsigned>(*in_.here());
    ++in_.at;
    t.open_end = false;
    if (first < 0x80) return number(t, token::natural, first);
    if (first < 0x90) return number(t, token::map, first & 15);
    if (first < 0xa0) return number(t, token::array, first & 15);
    if (first < 0xc0) return run(t, token::text, first & 31);
    if (first >= 0xe0) return number(t, token::negative, 0xff - first);
    switch (first) {
    case 0xc0: return number(t, token::null, 0);
    case 0xc2:
    case 0xc3: return number(t, token::boolean, first & 1);
    case 0xc4:
    case 0xc5:
    case 0xc6: return length(t, 1u << (first - 0xc4)) && run(t, token::binary, t.number);
    case 0xc7:
    case 0xc8:
    case 0xc9: return length(t, 1u << (first - 0xc7)) && extension(t, t.number);
    case 0xca:
      if (!length(t, 4)) return false;
      return number(t, token::real, single_real::widen(t.number));
    case 0xcb: return length(t, 8) && number(t, token::real, t.number);
    case 0xcc:
    case 0xcd:
    case 0xce:
    case 0xcf: return length(t, 1u << (first - 0xcc)) && number(t, token::natural, t.number);
    case 0xd0:
    case 0xd1:
    case 0xd2:
    case 0xd3: return signed_number(t, 1u << (first - 0xd0));
    case 0xd4:
    case 0xd5:
    case 0xd6:
    case 0xd7:
    case 0xd8: return extension(t, std::uint64_t{1} << (first - 0xd4));
    case 0xd9:
    case 0xda:
    case 0xdb: return length(t, 1u << (first - 0xd9)) && run(t, token::text, t.number);
    case 0xdc:
    case 0xdd: return length(t, 2u << (first - 0xdc)) && number(t, token::array, t.number);
    case 0xde:
    case 0xdf: return length(t, 2u << (first - 0xde)) && number(t, token::map, t.number);
    default: // 0xc1, which is not in use
      return in_.reject(errc::bad_variant, begin_,
                        "a byte that begins a value; msgpackr has 193 with bundleStrings: true", first);
    }
  }

private:
  [[nodiscard]] bool truncated() noexcept { return in_.reject(errc::truncated, begin_, "a whole value"); }
  [[nodiscard]] static bool number(token& t, token::kinds kind, std::uint64_t n) noexcept {
    t.kind = kind;
    t.number = n;
    return true;
  }
  [[nodiscard]] bool length(token& t, unsigned bytes) noexcept {
    if (in_.left() < bytes) return truncated();
    t.number = load_big(in_.here(), bytes);
    in_.at += bytes;
    return true;
  }
  [[nodiscard]] bool signed_number(token& t, unsigned bytes) noexcept {
    if (!length(t, bytes)) return false;
    const unsigned unused = 64 - 8 * bytes;
    const auto whole = static_cast<std::int64_t>(t.number << unused) >> unused;
    if (whole >= 0) return number(t, token::natural, static_cast<std::uint64_t>(whole));
    return number(t, token::negative, static_cast<std::uint64_t>(-1 - whole));
  }
  [[nodiscard]] bool run(token& t, token::kinds kind, std::uint64_t bytes) noexcept {
    if (bytes > in_.left()) return truncated();
    t.kind = kind;
    t.bytes = in_.bytes.subspan(in_.at, static_cast<std::size_t>(bytes));
    in_.at += static_cast<std::size_t>(bytes);
    return true;
  }
  [[nodiscard]] bool extension(token& t, std::uint64_t bytes) noexcept {
    if (in_.left() == 0) return truncated();
    const auto type = static_cast<std::int64_t>(std::to_integer<std::uint64_t>(*in_.here()) << 56) >> 56;
    ++in_.at;
    t.number = static_cast<std::uint64_t>(type);
    return run(t, token::extension, bytes);
  }

  input& in_;
  std::size_t begin_ = 0;
  bool takes_raw_;
};

/// Writes MessagePack, each value in as few bytes as possible.
class msgpack_form {
public:
  msgpack_form(output& out, const msgpack::write_options& options) noexcept
      : out_(out), min_real_(options.min_real), reduces_(options.foreign == foreign_values::lossy) {}

  [[nodiscard]] bool null() noexcept { return out_.put(0xc0); }
  [[nodiscard]] bool boolean(bool b) noexcept { return out_.put(b ? 0xc3 : 0xc2); }
  [[nodiscard]] bool natural(std::uint64_t n) noexcept {
    return n < 0x80 ? out_.put(static_cast<unsigned>(n)) : counted(n, 0xcc, 0xcd, 0xce, 0xcf);
  }
  [[nodiscard]] bool integer(std::int64_t i) noexcept {
    if (i >= 0) return natural(static_cast<std::uint64_t>(i));
    const auto bits = static_cast<std::uint64_t>(i);
    if (i >= -32) return out_.put(static_cast<unsigned>(bits & 0xff));
    if (i >= std::numeric_limits<std::int8_t>::min()) return out_.put(0xd0, bits, 1);
    if (i >= std::numeric_limits<std::int16_t>::min()) return out_.put(0xd1, bits, 2);
    if (i >= std::numeric_limits<std::int32_t>::min()) return out_.put(0xd2, bits, 4);
    return out_.put(0xd3, bits, 8);
  }
  [[nodiscard]] bool real(std::uint64_t bits) noexcept {
    const auto single = single_real::narrow(bits);
    if (single && min_real_ != real_width::whole) return out_.put(0xca, *single, 4);
    return out_.put(0xcb, bits, 8);
  }
  [[nodiscard]] bool text(std::string_view t) noexcept {
    const bytes_view bytes = as_bytes_view(t);
    return t.size() < 32 ? out_.put(0xa0 | static_cast<unsigned>(t.size()), 0, 0, bytes)
                         : counted(t.size(), 0xd9, 0xda, 0xdb, none, bytes);
  }
  [[nodiscard]] bool binary(bytes_view b) noexcept { return counted(b.size(), 0xc4, 0xc5, 0xc6, none, b); }
  [[nodiscard]] bool array(std::uint64_t count) noexcept {
    if (out_.size() == marked_at_) [[unlikely]]
      return out_.reject(errc::unsupported, "no array after an extension of one byte that msgpackr has");
    return count < 16 ? out_.put(0x90 | static_cast<unsigned>(count))
                      : counted(count, none, 0xdc, 0xdd, none);
  }
  [[nodiscard]] bool map(std::uint64_t count) noexcept {
    return count < 16 ? out_.put(0x80 | static_cast<unsigned>(count))
                      : counted(count, none, 0xde, 0xdf, none);
  }
  /// Writes wrapped values in their original form: `{"$ext": type, "$value": bytes}` and
  /// `{"$seconds": n, "$nanoseconds": n}`, and wrapped values of CBOR that MessagePack can express.
  [[nodiscard]] unwrapped unwrap(value& v) {
    if (v.size() == 1 && v.find("$simple").is_integer()) return simple(v.find("$simple"));
    if (v.size() != 2) return unwrapped::plain;
    const value type = v.find("$ext");
    const value bytes = v.find("$value");
    if (type.is_integer() && bytes.is_binary()) {
      const auto number = type.as<std::int8_t>();
      if (!number || *number == -1 || is_record_extension(*number, bytes.length())) return unwrapped::plain;
      const auto content = bytes.as<bytes_view>().value_or(bytes_view{});
      if (!extension(*number, content)) return unwrapped::failed;
      if (marks_array(*number) && is_mark(content)) marked_at_ = out_.size();
      return unwrapped::whole;
    }
    if (type.is_integer() && bytes.is_array()) { // an extension with an array after it
      const auto number = type.as<std::int8_t>();
      if (!number || !marks_array(*number)) return unwrapped::plain;
      v = bytes;
      constexpr std::byte mark[1] = {};
      return extension(*number, mark) ? unwrapped::prefix : unwrapped::failed;
    }
    doc::wrapped_value found;
    if (!doc::find_wrapped(doc::access::memory_of(v), doc::access::item_of(v), found))
      return unwrapped::plain;
    return found.is_time ? written(timestamp(found.time.seconds, found.time.nanoseconds))
                         : tagged(v, bytes, found);
  }

private:
  static constexpr unsigned none = 0;

  [[nodiscard]] static unwrapped written(bool good) noexcept {
    return good ? unwrapped::whole : unwrapped::failed;
  }
  [[nodiscard]] unwrapped no_form() noexcept {
    return written(
        out_.reject(errc::unsupported, "a value that MessagePack has a form for: see foreign_values"));
  }
  [[nodiscard]] unwrapped simple(const value& number) {
    return reduces_ && number.value_or(0) == 23 ? written(null()) : no_form(); // `undefined`
  }
  /// Writes the content of a tag of CBOR.
  [[nodiscard]] unwrapped tagged(value& v, const value& content, const doc::wrapped_value& found) {
    doc::reading r(doc::access::memory_of(v));
    const doc::item whole = doc::access::item_of(v);
    switch (found.tag) {
    case cbor_tag::time_text:
    case cbor_tag::time_number:
    case cbor_tag::days:
    case cbor_tag::date_text: {
      instant time;
      bool is_length = false;
      if (doc::read_instant(r, whole, time, is_length))
        return written(timestamp(time.seconds, time.nanoseconds));
      return written(out_.reject(r.why->code(), "a time after the tag of a time"));
    }
    case cbor_tag::bignum:
    case cbor_tag::negative_bignum:
    case cbor_tag::decimal:
    case cbor_tag::bigfloat: {
      doc::item number;
      if (doc::read_wrapped_number(r, whole, reduces_, number)) return written(put(number));
      return written(out_.reject(r.why->code(), "a number that 64 bits hold: see foreign_values"));
    }
    default: break;
    }
    const bool is_set = found.tag == cbor_tag::set && content.is_array();
    if (typed_array form; content.is_binary() && find_typed_array(found.tag, form))
      return written(elements(form, content.as<bytes_view>().value_or(bytes_view{})));
    const bool is_map = found.tag == cbor_tag::map && content.is_object();
    if (!is_set && !is_map && !reduces_) return no_form();
    v = content;
    return unwrapped::prefix;
  }
  [[nodiscard]] bool put(const doc::item& number) noexcept {
    if (number.kind == value_kind::number) return real(number.number);
    return number.kind == value_kind::integer ? integer(number.integer()) : natural(number.number);
  }
  [[nodiscard]] bool elements(const typed_array& form, bytes_view bytes) noexcept {
    if (bytes.size() % form.width != 0)
      return out_.reject(errc::bad_length, "whole elements of a typed array");
    if (!array(bytes.size() / form.width)) return false;
    for (std::size_t at = 0; at < bytes.size(); at += form.width) {
      if (!put(form.element(bytes.data() + at))) return false;
    }
    return true;
  }

  /// Writes a number in 1, 2, 4 or 8 bytes: the smallest size that is possible. The arguments `one`
  /// to `eight` are the first byte for each size; `none` if the type has no such size.
  [[nodiscard]] bool counted(std::uint64_t n, unsigned one, unsigned two, unsigned four, unsigned eight,
                             bytes_view payload = {}) noexcept {
    if (n <= 0xff && one != none) return out_.put(one, n, 1, payload);
    if (n <= 0xffff && two != none) return out_.put(two, n, 2, payload);
    if (n <= 0xffff'ffff) return out_.put(four, n, 4, payload);
    return eight != none ? out_.put(eight, n, 8, payload)
                         : out_.reject(errc::too_large, "a length of 32 bits");
  }
  [[nodiscard]] bool extension(std::int8_t type, bytes_view bytes) noexcept {
    const auto named = static_cast<std::uint8_t>(type);
    switch (bytes.size()) {
    case 1: return out_.put(0xd4, named, 1, bytes);
    case 2: return out_.put(0xd5, named, 1, bytes);
    case 4: return out_.put(0xd6, named, 1, bytes);
    case 8: return out_.put(0xd7, named, 1, bytes);
    case 16: return out_.put(0xd8, named, 1, bytes);
    default: return counted(bytes.size(), 0xc7, 0xc8, 0xc9, none) && out_.put(named, 0, 0, bytes);
    }
  }
  [[nodiscard]] bool timestamp(std::int64_t seconds, std::uint32_t nanoseconds) noexcept {
    std::byte encoded[12];
    if (seconds < 0 || seconds >= std::int64_t{1} << 34) {
      store_big(encoded, nanoseconds, 4);
      store_big(encoded + 4, static_cast<std::uint64_t>(seconds), 8);
      return extension(-1, encoded);
    }
    const auto whole = static_cast<std::uint64_t>(seconds);
    if (nanoseconds == 0 && whole <= 0xffff'ffff) {
      store_big(encoded, whole, 4);
      return extension(-1, {encoded, 4});
    }
    store_big(encoded, std::uint64_t{nanoseconds} << 34 | whole, 8);
    return extension(-1, {encoded, 8});
  }

  output& out_;
  /// Position at which no array may be written, because a reader would combine the array with the
  /// extension before this position. -1 if there is no such extension.
  std::size_t marked_at_ = static_cast<std::size_t>(-1);
  real_width min_real_;
  bool reduces_;
};

using msgpack_format = format<msgpack_tokens, msgpack_form, msgpack::read_options, msgpack::write_options>;

}}} // namespace ingot::INGOT_V1::detail::interchange

namespace ingot { inline namespace INGOT_V1 { namespace msgpack {

/// `read_document(bytes, max_size, options)` returns a document of the value in the bytes, which
/// must contain exactly one value. The maximum size of the document may be omitted.
inline constexpr detail::interchange::read_document_call<detail::interchange::msgpack_format> read_document{};
/// `read_next(bytes, max_size, options)` returns the first value in the bytes, and moves the
/// beginning of `bytes` to the end of that value.
inline constexpr detail::interchange::read_next_call<detail::interchange::msgpack_format> read_next{};
/// `read_into(value_ref, bytes, options)` overwrites a value inside a document with the value in
/// the bytes, which must contain exactly one value.
inline constexpr detail::interchange::read_into_call<detail::interchange::msgpack_format> read_into{};
/// `read_events(events, bytes, options)` emits the value in the bytes as events.
inline constexpr detail::interchange::read_events_call<detail::interchange::msgpack_format> read_events{};
/// `write_to(sink, value, options)` appends a value or document to a sink, and returns the number
/// of bytes appended.
inline constexpr detail::interchange::write_to_call<detail::interchange::msgpack_format> write_to{};
/// `write(value, options)` returns a value or document as bytes.
inline constexpr detail::interchange::write_call<detail::interchange::msgpack_format> write{};

}}} // namespace ingot::INGOT_V1::msgpack
