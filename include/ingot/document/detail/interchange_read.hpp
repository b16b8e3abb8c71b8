// SPDX-License-Identifier: Apache-2.0
// Documents made of MessagePack or CBOR: a format takes the bytes apart into tokens, and what they mean is decided here.
//
// A list of open containers stands in for recursion. Nothing is allocated for a length before as many bytes were seen to be
// there, and what is done and kept is proportional to the bytes.
#pragma once

#include <ingot/core/buffer.hpp>
#include <ingot/core/bytes.hpp>
#include <ingot/core/detail/told_reading.hpp>
#include <ingot/core/error.hpp>
#include <ingot/core/progress.hpp>
#include <ingot/document/detail/interchange_numbers.hpp>
#include <ingot/document/detail/interchange_token.hpp>
#include <ingot/document/document.hpp>
#include <ingot/document/interchange.hpp>
#include <ingot/document/writer.hpp>

#include <algorithm>
#include <bit>
#include <charconv>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <string_view>

namespace ingot::inline v1::detail::interchange {

/// Tells a document what the tokens of some bytes say. `Tokens` has `next(token&)` and, if the format says in which order keys come, `in_order(earlier, later)` of their bytes.
template <class Tokens, class Options>
class reader {
public:
  /// `total`: what is told with how far it is.
  reader(input& in, Tokens& tokens, document_events& to, const Options& options, std::uint64_t total) noexcept
      : in_(in), tokens_(tokens), to_(to), options_(options), total_(total),
        ask_at_(options.progress ? told_each : std::numeric_limits<std::size_t>::max()) {}

  /// One value with all in it.
  [[nodiscard]] bool read() {
    do {
      at_ = in_.at;
      if (at_ >= ask_at_ && !goes_on()) [[unlikely]]
        return false;
      const bool good = !open_.empty() && top().kind == token::map && !top().has_key ? key() : value();
      if (cancelled_) return false;
      if (!good || !to_.good()) return locate(good);
    } while (!open_.empty());
    return true;
  }

private:
  struct container {
    std::uint64_t left;  ///< members or elements to come, or as many as have no end
    std::uint64_t index; ///< of the one that is read
    std::size_t key_at;  ///< where the key of that one begins, and ends
    std::size_t key_end;
    token::kinds kind;
    bool open_end;
    bool has_key; ///< and is to have its value
  };

  [[nodiscard]] container& top() noexcept { return open_[open_.size() - 1]; }
  INGOT_COLD bool goes_on() {
    if (!options_.progress(at_, total_)) {
      in_.why = error{errc::cancelled, at_};
      cancelled_ = true;
      return false;
    }
    ask_at_ = at_ + told_each;
    return true;
  }
  bool refuse(errc code, std::string_view expected) { return in_.refuse(code, at_, expected); }
  bool refuse(errc code, std::string_view expected, std::uint64_t found) {
    return in_.refuse(code, at_, expected, found);
  }

  /// A value is there: so may be the end of what it is in.
  bool finished() {
    while (!open_.empty()) {
      container& in = top();
      in.has_key = false;
      ++in.index;
      if (in.open_end || --in.left != 0 || !close()) break;
    }
    return true;
  }
  /// False when what ended is refused; then all around it still says where that was.
  bool close() {
    const bool is_large = top().kind == token::map && top().index >= asked_by<listener>::often;
    static_cast<void>(open_.pop());
    if (!is_large) [[likely]]
      return to_.end();
    asked_by<listener> each({this});
    return doc::event_access::end(to_, each);
  }
  /// Whoever waits is asked while the keys of a large object are sorted.
  struct listener {
    reader* of;
    [[nodiscard]] bool operator()() const { return of->goes_on(); }
    [[nodiscard]] explicit operator bool() const noexcept { return static_cast<bool>(of->options_.progress); }
  };
  bool enter(const token& t) {
    const std::uint64_t least = t.kind == token::map ? 2 : 1; // bytes that a member or element takes
    if (!t.open_end && t.number > in_.left() / least)
      return refuse(errc::truncated, "as many elements as are counted", t.number);
    if (open_.size() >= options_.max_depth) return refuse(errc::too_deep, "no more levels than max_depth");
    if (t.kind == token::array) to_.begin_array();
    else to_.begin_object();
    if (!t.open_end && t.number == 0) {
      to_.end();
      return finished();
    }
    return open_.push({t.number, 0, 0, 0, t.kind, t.open_end, false}) ||
           refuse(errc::no_memory, "memory for the open containers");
  }
  /// `{"$name": number` of a value that documents have no kind for.
  bool begin_wrapped(std::string_view name, std::int64_t number) {
    if (open_.size() >= options_.max_depth) return refuse(errc::too_deep, "no more levels than max_depth");
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
      if (!tokens_.next(t)) return false;
      is_tagged = is_tagged || (t.kind == token::tag && t.number != self_described);
    } while (t.kind == token::tag && (t.number == self_described || options_.extras == extras::reduce));
    container& in = top();
    if (t.kind == token::stop && in.open_end && in_.at - at_ == 1) {
      return !close() || finished();
    }
    if constexpr (requires { tokens_.in_order(in_.bytes, in_.bytes); }) {
      const auto earlier = in_.bytes.subspan(in.key_at, in.key_end - in.key_at);
      if (in.index != 0 && !tokens_.in_order(earlier, in_.bytes.subspan(at_, in_.at - at_)))
        return refuse(errc::unsorted_keys, "keys in deterministic order");
    }
    in.key_at = at_;
    in.key_end = in_.at;
    std::string_view name;
    if (is_tagged && t.kind != token::stop) // without its tag it would be another key
      return refuse(errc::type_mismatch, "a key without a tag");
    if (!key_text(t, name)) return false;
    in.has_key = true;
    to_.key(name);
    return true;
  }
  bool key_text(const token& t, std::string_view& name) {
    if (t.kind == token::text) {
      name = t.chars();
      if (!is_text(name)) return refuse(errc::invalid_utf8, "a key that is UTF-8");
      return options_.extras != extras::wrap || !name.starts_with('$') || !stands_for_extras(name) ||
             refuse(errc::invalid_value, "a key other than those that extras::wrap uses");
    }
    if (t.kind == token::stop) return refuse(errc::bad_variant, "a key");
    if (options_.other_keys == other_keys::refuse)
      return refuse(errc::type_mismatch, "a key that is text: see other_keys");
    return spell(t, name) || refuse(errc::type_mismatch, "a key that is text or another scalar");
  }
  /// Keys by which a writer knows what was wrapped, and that a map of the bytes' own would be mistaken by.
  [[nodiscard]] static bool stands_for_extras(std::string_view name) noexcept {
    return name == "$tag" || name == "$simple" || name == "$ext" || name == "$seconds";
  }
  /// As CBOR's diagnostic notation does.
  bool spell(const token& t, std::string_view& name) {
    if (t.kind == token::binary) {
      constexpr std::string_view digits = "0123456789abcdef";
      spelled_.clear();
      const auto room = spelled_.prepare(2 * t.bytes.size() + 3);
      if (room.empty()) return false;
      auto* to = reinterpret_cast<char*>(room.data());
      *to++ = 'h';
      *to++ = '\'';
      for (const std::byte b : t.bytes) {
        *to++ = digits[std::to_integer<unsigned>(b) >> 4];
        *to++ = digits[std::to_integer<unsigned>(b) & 15];
      }
      *to = '\'';
      name = {reinterpret_cast<const char*>(room.data()), 2 * t.bytes.size() + 3};
      return true;
    }
    switch (t.kind) {
    case token::null: name = "null"; return true;
    case token::undefined: name = "undefined"; return options_.extras != extras::refuse;
    case token::boolean: name = t.number != 0 ? "true" : "false"; return true;
    case token::natural: name = decimal(t.number); return true;
    case token::negative:
      if (t.number == std::numeric_limits<std::uint64_t>::max()) name = "-18446744073709551616";
      else name = decimal(t.number + 1, true);
      return true;
    case token::real: name = decimal(std::bit_cast<double>(t.number)); return true;
    default: return false;
    }
  }
  [[nodiscard]] std::string_view decimal(std::uint64_t number, bool negative = false) noexcept {
    chars_[0] = '-';
    const auto end = std::to_chars(chars_ + 1, chars_ + sizeof chars_, number).ptr;
    return {chars_ + (negative ? 0 : 1), end};
  }
  [[nodiscard]] std::string_view decimal(double number) noexcept {
    if (number != number) return "NaN";
    if (number - number != 0) return number < 0 ? "-Infinity" : "Infinity";
    auto* end = std::to_chars(chars_, chars_ + sizeof chars_ - 2, number).ptr; // at most 24
    if (std::string_view(chars_, end).find_first_of(".e") == std::string_view::npos) {
      *end++ = '.'; // or it would be an integer
      *end++ = '0';
    }
    return {chars_, end};
  }

  bool value() {
    for (;;) {
      token t;
      if (!tokens_.next(t)) return false;
      switch (t.kind) {
      case token::array:
      case token::map: return enter(t);
      case token::stop:
        if (open_.empty() || !top().open_end || top().kind != token::array || in_.at - at_ != 1)
          return refuse(errc::bad_variant, "a value");
        return !close() || finished();
      case token::tag: {
        bool again = false;
        if (!tagged(t.number, again)) return false;
        if (again) continue;
        return true;
      }
      default: return scalar(t) && finished();
      }
    }
  }
  bool scalar(const token& t) {
    switch (t.kind) {
    case token::null: to_.null(); return true;
    case token::boolean: to_.boolean(t.number != 0); return true;
    case token::natural: natural(t.number); return true;
    case token::negative: return negative(t.number);
    case token::real: to_.number_bits(t.number); return true;
    case token::text:
      if (is_text(t.chars())) {
        to_.text(t.chars());
        return true;
      }
      if constexpr (requires { tokens_.takes_raw(); }) {
        if (tokens_.takes_raw()) {
          to_.binary(t.bytes);
          return true;
        }
      }
      return refuse(errc::invalid_utf8, "text that is UTF-8");
    case token::binary: to_.binary(t.bytes); return true;
    case token::undefined:
      if (options_.extras == extras::refuse) return refuse(errc::type_mismatch, "no `undefined`: see extras");
      if (options_.extras == extras::wrap) return simple(23);
      to_.null();
      return true;
    case token::simple:
      if (options_.extras != extras::wrap)
        return refuse(errc::type_mismatch, "no simple values: see extras", t.number);
      return simple(static_cast<std::int64_t>(t.number));
    default: return extension(t);
    }
  }
  void natural(std::uint64_t number) {
    if (std::in_range<std::int64_t>(number)) to_.integer(static_cast<std::int64_t>(number));
    else to_.unsigned_integer(number);
  }
  bool negative(std::uint64_t number) {
    if (std::in_range<std::int64_t>(number)) {
      to_.integer(-1 - static_cast<std::int64_t>(number));
      return true;
    }
    std::byte wide[8];
    store_big(wide, number, 8);
    return wide_integer(wide, true);
  }
  bool simple(std::int64_t number) {
    if (!begin_wrapped("$simple", number)) return false;
    to_.end();
    return true;
  }
  /// A natural number, or -1 minus it, that 64 bits don't hold.
  bool wide_integer(bytes_view number, bool is_negative) {
    number = significant(number);
    if (options_.extras == extras::refuse)
      return refuse(errc::out_of_range, "an integer of 64 bits: see extras");
    if (options_.extras == extras::wrap) {
      return begin_wrapped("$tag", is_negative ? negative_bignum : bignum) && end_wrapped(number);
    }
    const double nearest = nearest_real(number, is_negative);
    if (nearest - nearest != 0) return refuse(errc::out_of_range, "an integer within the range of a double");
    to_.number(nearest);
    return true;
  }
  bool integer(bytes_view number, bool is_negative) {
    number = significant(number);
    if (number.size() > 8) return wide_integer(number, is_negative);
    const std::uint64_t small = load_big(number.data(), static_cast<unsigned>(number.size()));
    if (is_negative) return negative(small);
    natural(small);
    return true;
  }
  /// What a tag says of the value behind it. `again` when that value is to be read as if there were no tag.
  bool tagged(std::uint64_t number, bool& again) {
    if (number == bignum || number == negative_bignum) {
      token t;
      if (!tokens_.next(t)) return false;
      if (t.kind != token::binary)
        return refuse(errc::type_mismatch, "bytes behind the tag of a big integer");
      if constexpr (requires { tokens_.big_enough(t.bytes); }) {
        if (!tokens_.big_enough(t.bytes))
          return refuse(errc::not_canonical, "the shortest form of an integer");
      }
      return integer(t.bytes, number == negative_bignum) && finished();
    }
    again = true;
    if (number == self_described || options_.extras == extras::reduce) return true;
    if (options_.extras == extras::refuse) return refuse(errc::type_mismatch, "no tags: see extras", number);
    again = false;
    if (open_.size() >= options_.max_depth) return refuse(errc::too_deep, "no more levels than max_depth");
    to_.begin_object();
    to_.key("$tag");
    natural(number);
    to_.key("$value");
    return open_.push({1, 0, 0, 0, token::tag, false, false}) ||
           refuse(errc::no_memory, "memory for the open containers");
  }
  bool extension(const token& t) {
    const auto type = static_cast<std::int64_t>(t.number);
    if (options_.extras == extras::refuse) {
      in_.refuse(errc::type_mismatch, at_, "no extension types: see extras");
      in_.why->with_found(decimal(type < 0 ? 0 - t.number : t.number, type < 0));
      return false;
    }
    if (type == -1) return timestamp(t.bytes);
    if (options_.extras == extras::wrap) return begin_wrapped("$ext", type) && end_wrapped(t.bytes);
    to_.binary(t.bytes);
    return true;
  }
  /// MessagePack's type -1: seconds since 1970 and nanoseconds in 32 bits, 30 and 34, or 32 and 64.
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
      return refuse(errc::bad_length, "a timestamp of 4, 8 or 12 bytes", bytes.size());
    }
    if (nanoseconds > 999'999'999)
      return refuse(errc::out_of_range, "fewer than 1000000000 nanoseconds", nanoseconds);
    const auto whole = static_cast<std::int64_t>(seconds);
    if (options_.extras == extras::wrap) {
      if (!begin_wrapped("$seconds", whole)) return false;
      to_.key("$nanoseconds");
      natural(nanoseconds);
      to_.end();
    } else if (nanoseconds == 0) {
      to_.integer(whole);
    } else {
      to_.number(static_cast<double>(whole) + static_cast<double>(nanoseconds) / 1e9);
    }
    return true;
  }

  /// Gives the failure its path. `read` says that what was read is good, and the document isn't.
  INGOT_COLD bool locate(bool read) {
    if (read) {
      in_.why = to_.why();
      in_.why->with_offset(at_);
    }
    error located = *in_.why; // keys are read once more, and could be refused then
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
      } while (t.kind == token::tag);
      if (!key_text(t, name)) continue;
      if (t.kind == token::text) located.in_member(name);
      else located.in_key(name);
    }
    in_.why = located;
    return false;
  }

  input& in_;
  Tokens& tokens_;
  document_events& to_;
  const Options& options_;
  doc::plain_list<container> open_;
  std::uint64_t total_;
  std::size_t ask_at_;
  std::size_t at_ = 0; ///< of what is read now
  bool cancelled_ = false;
  buffer spelled_;
  char chars_[32];
};

/// How far the document of values in so many bytes can grow, and a megabyte at least. That is addresses, not memory.
[[nodiscard]] constexpr ceiling ceiling_of(std::size_t bytes, extras how) noexcept {
  constexpr auto far = sizeof(void*) == 8 ? static_cast<std::size_t>(doc::most_bytes) : std::size_t{1} << 26;
  // An array in an array is a byte, and a node of 16; wrapped, a tag is a byte, and a node with two keys.
  const std::size_t times = how == extras::wrap ? 96 : 32;
  return {std::max(document::default_ceiling.bytes, bytes < far / times ? times * bytes : far)};
}

/// Tells the first value of the bytes, and moves them behind it. Whoever listens hears of `total` bytes, and of the end from the caller.
template <class Tokens, class Options>
[[nodiscard]] result<void> read_events(bytes_view& bytes, document_events& to, const Options& options,
                                       std::uint64_t total) {
  input in{.bytes = bytes, .at = 0, .why = {}};
  Tokens tokens(in, options);
  if (!to.good()) return fail(to.why());
  if (!reader<Tokens, Options>(in, tokens, to, options, total).read()) return in.why.failure();
  bytes = bytes.subspan(in.at);
  return {};
}
/// Tells the one value that the bytes are.
template <class Tokens, class Options>
[[nodiscard]] result<void> read_whole(bytes_view bytes, document_events& to, const Options& options) {
  bytes_view rest = bytes;
  auto read = read_events<Tokens>(rest, to, options, bytes.size());
  if (!read) return read;
  if (rest.empty() && options.progress(bytes.size(), bytes.size())) return read;
  to.abandon();
  if (rest.empty()) return fail(error{errc::cancelled, bytes.size()});
  return fail(error{errc::trailing_bytes, bytes.size() - rest.size()}.with_expected("one value"));
}
template <class Tokens, class Options>
[[nodiscard]] result<document> read_document(bytes_view bytes, const Options& options, ceiling most) {
  document_writer to({.repeated_keys = options.repeated_keys, .most = most});
  if (const auto read = read_whole<Tokens>(bytes, to, options); !read) return fail(read.error());
  return to.finish();
}
template <class Tokens, class Options>
[[nodiscard]] result<document> read_next(bytes_view& bytes, const Options& options, ceiling most) {
  document_writer to({.repeated_keys = options.repeated_keys, .most = most});
  bytes_view rest = bytes;
  if (const auto read = read_events<Tokens>(rest, to, options, progress_ref::unknown); !read)
    return fail(read.error());
  const std::size_t size = bytes.size() - rest.size();
  if (!options.progress(size, size)) return fail(error{errc::cancelled, size});
  auto made = to.finish();
  if (made) bytes = rest;
  return made;
}

/// What sets a value to the value of some bytes.
template <class Tokens, class Options>
struct telling {
  bytes_view bytes;
  const Options& options;
  result<void>& read;

  void write_events(document_events& to) const {
    read = read_whole<Tokens>(bytes, to, options);
    if (!read && to.good()) to.abandon();
  }
  [[nodiscard]] key_policy repeated_keys() const noexcept { return options.repeated_keys; }
};
template <class Tokens, class Options>
[[nodiscard]] result<void> read_into(value_ref to, bytes_view bytes, const Options& options) {
  result<void> read;
  const auto set = to.set(telling<Tokens, Options>{bytes, options, read});
  if (!read) return read;
  if (!set) return fail(set.error());
  return {};
}

} // namespace ingot::inline v1::detail::interchange
