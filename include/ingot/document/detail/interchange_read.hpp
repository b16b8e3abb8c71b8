// SPDX-License-Identifier: Apache-2.0
// Reads documents from MessagePack or CBOR. A format decodes the bytes to tokens; the code here
// decides what the tokens mean.
//
// A list of open containers replaces recursion. A length in the input does not cause an allocation
// before that number of bytes was read. Work and memory are proportional to the bytes.
#pragma once

#include <ingot/core/buffer.hpp>
#include <ingot/core/bytes.hpp>
#include <ingot/core/detail/float_tests.hpp>
#include <ingot/core/detail/progress_poll.hpp>
#include <ingot/core/detail/time_text.hpp>
#include <ingot/core/error.hpp>
#include <ingot/core/progress.hpp>
#include <ingot/document/detail/interchange_javascript.hpp>
#include <ingot/document/detail/interchange_keys.hpp>
#include <ingot/document/detail/interchange_meaning.hpp>
#include <ingot/document/detail/interchange_numbers.hpp>
#include <ingot/document/detail/interchange_references.hpp>
#include <ingot/document/detail/interchange_source.hpp>
#include <ingot/document/detail/interchange_token.hpp>
#include <ingot/document/detail/meaning.hpp>
#include <ingot/document/document.hpp>
#include <ingot/document/interchange.hpp>

#include <cstddef>
#include <cstdint>
#include <limits>
#include <string_view>
#include <utility>

namespace ingot { inline namespace INGOT_V1 { namespace detail::interchange {

/// Emits the values that tokens represent as events of a document. `Tokens` has `next(token&)`. If
/// the format can require an order of keys, `Tokens` also has `in_order(earlier, later)`, which
/// compares the bytes of two keys.
template <class Tokens, class Options>
class reader : meaning_reader<Tokens, Options> {
  using base = meaning_reader<Tokens, Options>;

public:
  using base::base;

  /// Reads one value and everything in it.
  [[nodiscard]] bool read() {
    do {
      at_ = in_.at;
      if (at_ >= poll_at_ && !should_continue()) [[unlikely]]
        return false;
      const bool good = !open_.empty() && top().kind == token::map && !top().has_key ? key() : value();
      if (cancelled_) return false;
      if (!good || !to_.good()) return locate(!to_.good());
    } while (!open_.empty());
    return true;
  }

private:
  using base::at_;
  using base::begin_tag;
  using base::cancelled_;
  using base::close_frame;
  using base::content;
  using base::elements;
  using base::follows_references;
  using base::fraction;
  using base::in_;
  using base::is_reference;
  using base::keys_;
  using base::levels_;
  using base::misplaced;
  using base::natural;
  using base::next;
  using base::open_;
  using base::options_;
  using base::poll_at_;
  using base::push;
  using base::real;
  using base::refer;
  using base::referred_string;
  using base::reject;
  using base::should_continue;
  using base::time;
  using base::time_number;
  using base::to_;
  using base::tokens_;
  using base::top;
  using typename base::container;

  /// Counts a complete value. Ends the containers that this value completes.
  bool finished() {
    while (!open_.empty()) {
      container& in = top();
      in.has_key = false;
      ++in.index;
      if (in.open_end || --in.left != 0 || !close()) break;
    }
    return true;
  }
  /// Ends the innermost container. Returns false if the container is rejected; the containers
  /// around it then determine the path of the error.
  bool close() {
    if (top().kind >= token::space) [[unlikely]] {
      close_frame();
      return true;
    }
    --levels_;
    const bool is_large = top().kind == token::map && top().index >= progress_poll::often;
    static_cast<void>(open_.pop());
    if (!is_large) [[likely]]
      return to_.end();
    const listener ask{this};
    listener_poll each(ask);
    const bool ended = doc::event_access::end(to_, each);
    each.rethrow();
    return ended;
  }
  /// Polls while the keys of a large object are being sorted.
  struct listener {
    reader* of;
    [[nodiscard]] bool operator()(std::uint64_t, std::uint64_t) const { return of->should_continue(); }
    [[nodiscard]] explicit operator bool() const noexcept { return static_cast<bool>(of->options_.progress); }
  };
  bool enter(const token& t) {
    // Minimum size of a member or element in bytes.
    const std::uint64_t min_bytes = t.kind == token::map ? 2 : 1;
    if (!t.open_end && t.number > in_.left() / min_bytes)
      return reject(errc::truncated, "as many elements as are counted", t.number);
    if (levels_ >= options_.max_depth) return reject(errc::too_deep, "no more levels than max_depth");
    if (t.kind == token::array) to_.begin_array();
    else to_.begin_object();
    if (!t.open_end && t.number == 0) {
      to_.end();
      return finished();
    }
    return push({t.number, 0, 0, 0, t.kind, t.open_end, false});
  }
  /// Begins an object with the member `"$name": number`, for a value of a kind that documents don't
  /// have.
  bool begin_wrapped(std::string_view name, std::int64_t number) {
    if (levels_ >= options_.max_depth) return reject(errc::too_deep, "no more levels than max_depth");
    to_.begin_object();
    to_.key(name);
    to_.integer(number);
    return true;
  }
  bool end_wrapped(bytes_view bytes) {
    to_.key("$value");
    to_.binary(bytes);
    to_.end();
    return true;
  }

  bool key() {
    token t;
    bool is_tagged = false;
    do {
      if (!next(t)) return false;
      if (t.kind == token::tag && t.number == string_reference && follows_references()) {
        if (!referred_string(t)) return false;
        break;
      }
      is_tagged = is_tagged || (t.kind == token::tag && t.number != self_described);
    } while (t.kind == token::tag &&
             (t.number == self_described || options_.unsupported_values == unsupported_values::lossy));
    container& in = top();
    if (t.kind == token::stop && in.open_end && in_.at - at_ == 1) {
      return !close() || finished();
    }
    if constexpr (requires { tokens_.in_order(in_.bytes, in_.bytes); }) {
      const auto earlier = in_.bytes.subspan(in.key_at, in.key_end - in.key_at);
      if (in.index != 0 && !tokens_.in_order(earlier, in_.bytes.subspan(at_, in_.at - at_)))
        return reject(errc::unsorted_keys, "keys in deterministic order");
    }
    in.key_at = at_;
    in.key_end = in_.at;
    std::string_view name;
    if (is_tagged && t.kind != token::stop) // a key without its tag would be another key
      return reject(errc::type_mismatch, "a key without a tag");
    if (!key_text(t, name)) return false;
    in.has_key = true;
    to_.key(name);
    return true;
  }
  /// If an extension of msgpackr caused the error, adds an explanation to the error. Returns false.
  INGOT_COLD bool explain(const token& t) {
    if (t.kind == token::extension) {
      const auto known = name_of_extension(static_cast<std::int64_t>(t.number), t.bytes);
      if (!known.empty()) in_.why->with_found(known);
    } else if (in_.has_shared && (t.kind == token::array || t.kind == token::map)) {
      in_.why->with_found(after_shared);
    }
    return false;
  }
  bool key_text(const token& t, std::string_view& name) {
    if (t.kind == token::text) {
      name = t.chars();
      if (!is_text(name)) return reject(errc::invalid_utf8, "a key that is UTF-8");
      if (options_.unsupported_values != unsupported_values::wrap || !is_reserved_key(name)) [[likely]]
        return true;
      return keys_.escape(name, name) || reject(errc::no_memory, "memory for a key");
    }
    if (t.kind == token::stop) return reject(errc::bad_variant, "a key");
    if (options_.non_text_keys == non_text_keys::reject) {
      reject(errc::type_mismatch, "a key that is text: see non_text_keys");
      return explain(t);
    }
    if (keys_.spell(t, options_.unsupported_values, name)) return true;
    reject(errc::type_mismatch, "a key that is text or another scalar");
    return explain(t);
  }
  bool value() {
    for (;;) {
      token t;
      if (!next(t)) return false;
      switch (t.kind) {
      case token::array:
      case token::map: return enter(t);
      case token::stop:
        if (open_.empty() || !top().open_end || top().kind != token::array || in_.at - at_ != 1)
          return reject(errc::bad_variant, "a value");
        return !close() || finished();
      case token::tag: {
        bool again = false;
        if (!tagged(t.number, again)) return false;
        if (again) continue;
        return true;
      }
      case token::extension:
        if constexpr (requires { tokens_.array_follows(); }) {
          const auto type = static_cast<std::int64_t>(t.number);
          if (marks_array(type) && is_mark(t.bytes) && tokens_.array_follows()) [[unlikely]] {
            if (const bool is_read = options_.unsupported_values == unsupported_values::wrap ||
                                     options_.unsupported_values == unsupported_values::lossy;
                is_read ||
                (options_.unsupported_values == unsupported_values::plain && type == set_extension))
              return marked(t);
          }
        }
        [[fallthrough]];
      default: return scalar(t) && finished();
      }
    }
  }
  /// Reads the array that follows an extension of msgpackr. The extension determines what the array
  /// means.
  bool marked(const token& t) {
    if (options_.unsupported_values != unsupported_values::wrap) {
      token array;
      return next(array) && enter(array);
    }
    if (levels_ >= options_.max_depth) return reject(errc::too_deep, "no more levels than max_depth");
    begin_wrapped("$ext", static_cast<std::int64_t>(t.number));
    to_.key("$value");
    return push({1, 0, 0, 0, token::tag, false, false});
  }
  bool scalar(const token& t) {
    switch (t.kind) {
    case token::null: return to_.null();
    case token::boolean: return to_.boolean(t.number != 0);
    case token::natural: return natural(t.number);
    case token::negative: return negative(t.number);
    case token::real: return real(t.number);
    case token::text:
      if (is_text(t.chars())) return to_.text(t.chars());
      if constexpr (requires { tokens_.takes_raw(); }) {
        if (tokens_.takes_raw()) return to_.binary(t.bytes);
      }
      return reject(errc::invalid_utf8, "text that is UTF-8");
    case token::binary: return to_.binary(t.bytes);
    case token::undefined:
      if (options_.unsupported_values == unsupported_values::reject ||
          options_.unsupported_values == unsupported_values::plain)
        return reject(errc::type_mismatch, "no `undefined`: see unsupported_values");
      if (options_.unsupported_values == unsupported_values::wrap) return simple(23);
      to_.null();
      return true;
    case token::simple:
      if (options_.unsupported_values != unsupported_values::wrap)
        return reject(errc::type_mismatch, "no simple values: see unsupported_values", t.number);
      return simple(static_cast<std::int64_t>(t.number));
    default: return extension(t);
    }
  }
  bool negative(std::uint64_t number) {
    if (std::in_range<std::int64_t>(number)) return to_.integer(-1 - static_cast<std::int64_t>(number));
    std::byte wide[8];
    store_big(wide, number, 8);
    return wide_integer(wide, true);
  }
  bool simple(std::int64_t number) {
    if (!begin_wrapped("$simple", number)) return false;
    to_.end();
    return true;
  }
  /// Emits an integer that does not fit in 64 bits: `number`, or -1 - `number` if `is_negative`.
  bool wide_integer(bytes_view number, bool is_negative) {
    number = significant(number);
    if (options_.unsupported_values == unsupported_values::reject ||
        options_.unsupported_values == unsupported_values::plain)
      return reject(errc::out_of_range, "an integer of 64 bits: see unsupported_values");
    if (options_.unsupported_values == unsupported_values::wrap) {
      return begin_wrapped("$tag", is_negative ? negative_bignum : bignum) && end_wrapped(number);
    }
    const double nearest = nearest_real(number, is_negative);
    if (!is_finite(nearest)) return reject(errc::out_of_range, "an integer within the range of a double");
    to_.number(nearest);
    return true;
  }
  bool integer(bytes_view number, bool is_negative) {
    number = significant(number);
    if (number.size() > 8) return wide_integer(number, is_negative);
    const std::uint64_t magnitude = load_big(number.data(), static_cast<unsigned>(number.size()));
    if (is_negative) return negative(magnitude);
    natural(magnitude);
    return true;
  }
  INGOT_COLD bool reject_record(const encoder_advice& why) {
    reject(errc::unsupported, why.expected);
    in_.why->with_found(why.found);
    return false;
  }
  /// Reads a value after a tag. Sets `again` to true if the caller must read the value as if it had
  /// no tag.
  bool tagged(std::uint64_t number, bool& again) {
    if (number == bignum || number == negative_bignum) {
      token t;
      if (!content(t)) return false;
      if (t.kind != token::binary) return reject(errc::type_mismatch, "bytes after the tag of a big integer");
      if constexpr (requires { tokens_.big_enough(t.bytes); }) {
        if (!tokens_.big_enough(t.bytes))
          return reject(errc::not_canonical, "the shortest form of an integer");
      }
      return integer(t.bytes, number == negative_bignum) && finished();
    }
    again = true;
    if (number == self_described) return true;
    if (options_.unsupported_values == unsupported_values::reject)
      return reject(errc::type_mismatch, "no tags: see unsupported_values", number);
    if ((is_reference(number) || number == string_reference) && !follows_references())
      return reject(errc::not_canonical, "no references");
    if (is_reference(number)) return refer(number);
    again = false;
    if (number == string_reference) {
      token t;
      return referred_string(t) && scalar(t) && finished();
    }
    if (is_record_tag(number)) return reject_record(advice_on_tag(number));
    if (options_.unsupported_values != unsupported_values::wrap) return meaning(number, again);
    if (levels_ >= options_.max_depth) return reject(errc::too_deep, "no more levels than max_depth");
    begin_tag(number);
    return push({1, 0, 0, 0, token::tag, false, false});
  }
  /// Reads a tagged value, and emits an untagged value with the same meaning.
  bool meaning(std::uint64_t number, bool& again) {
    token t;
    switch (number) {
    case cbor_tag::time_number:
    case cbor_tag::days: return content(t) && time_number(t, number == cbor_tag::days) && finished();
    case cbor_tag::time_text:
    case cbor_tag::date_text:
      if (!content(t)) return false;
      return (t.kind == token::text || misplaced(t, "text after the tag of a date")) && scalar(t) &&
             finished();
    case cbor_tag::decimal:
    case cbor_tag::bigfloat: return fraction(number) && finished();
    case cbor_tag::set:
      if (!content(t)) return false;
      return t.kind == token::array ? enter(t) : misplaced(t, "an array after the tag of a set");
    case cbor_tag::map:
      if (!content(t)) return false;
      return t.kind == token::map ? enter(t) : misplaced(t, "a map after the tag of a map");
    default: break;
    }
    if (typed_array form; find_typed_array(number, form)) return elements(form) && finished();
    again = options_.unsupported_values == unsupported_values::lossy;
    return again || reject(errc::type_mismatch,
                           "a tag that documents have a form for: see unsupported_values", number);
  }
  bool extension(const token& t) {
    const auto type = static_cast<std::int64_t>(t.number);
    if (is_record_extension(type, t.bytes.size()))
      return reject_record(
          {"values that refer to no others: write them with useRecords: false", "a record of msgpackr"});
    if (options_.unsupported_values == unsupported_values::reject ||
        (options_.unsupported_values == unsupported_values::plain && type != -1)) {
      const bool is_nothing = is_undefined(type, t.bytes);
      in_.reject(errc::type_mismatch, at_,
                 is_nothing ? "no `undefined`: see unsupported_values"
                            : "no extension types: see unsupported_values");
      in_.why->with_found(keys_.decimal(type < 0 ? 0 - t.number : t.number, type < 0));
      return explain(t);
    }
    if (type == -1) return timestamp(t.bytes);
    in_.has_shared = in_.has_shared || marks_shared(type, t.bytes.size());
    if (options_.unsupported_values == unsupported_values::wrap)
      return begin_wrapped("$ext", type) && end_wrapped(t.bytes);
    if (is_undefined(type, t.bytes)) {
      to_.null();
      return true;
    }
    to_.binary(t.bytes);
    return true;
  }
  /// Reads MessagePack's type -1. Its forms: seconds since 1970 in 32 bits; nanoseconds and seconds
  /// in 30 and 34 bits; nanoseconds and seconds in 32 and 64 bits.
  bool timestamp(bytes_view bytes) {
    std::uint64_t nanoseconds = 0;
    std::uint64_t seconds = 0;
    if (bytes.size() == 4) {
      seconds = load_big(bytes.data(), 4);
    } else if (bytes.size() == 8) {
      const std::uint64_t both = load_big(bytes.data(), 8);
      nanoseconds = both >> 34;
      seconds = both & ((std::uint64_t{1} << 34) - 1);
    } else if (bytes.size() == 12) {
      nanoseconds = load_big(bytes.data(), 4);
      seconds = load_big(bytes.data() + 4, 8);
    } else {
      return reject(errc::bad_length, "a timestamp of 4, 8 or 12 bytes", bytes.size());
    }
    if (nanoseconds > 999'999'999)
      return reject(errc::out_of_range, "fewer than 1000000000 nanoseconds", nanoseconds);
    const auto whole = static_cast<std::int64_t>(seconds);
    if (options_.unsupported_values == unsupported_values::wrap) {
      if (!begin_wrapped("$seconds", whole)) return false;
      to_.key("$nanoseconds");
      natural(nanoseconds);
      to_.end();
    } else {
      return time({whole, static_cast<std::uint32_t>(nanoseconds)});
    }
    return true;
  }

  /// Adds the path to the error. If `is_rejected`, the error is from the events, otherwise from the
  /// tokens.
  INGOT_COLD bool locate(bool is_rejected) {
    if (is_rejected) {
      in_.why = to_.why();
      in_.why->with_offset(at_);
    }
    error located = *in_.why; // copied, since reading keys again may set another error
    for (std::size_t i = open_.size(); i-- > 0;) {
      const container& in = open_[i];
      if (in.kind == token::array) located.in_element(in.index);
      else if (in.kind == token::tag) located.in_member("$value");
      if (in.kind != token::map || !in.has_key) continue;
      in_.at = in.key_at;
      token t;
      std::string_view name;
      do {
        if (!tokens_.next(t)) break;
      } while (t.kind == token::tag && t.number != string_reference);
      if (t.kind == token::tag && !referred_string(t)) continue;
      if (!key_text(t, name)) continue;
      if (t.kind == token::text) located.in_member(name);
      else located.in_key(name);
    }
    in_.why = located;
    return false;
  }
};

}}} // namespace ingot::INGOT_V1::detail::interchange
