// SPDX-License-Identifier: Apache-2.0
// Cursor over the tokens of a text.
//
// The scanning loops rely on two facts. First, the index contains every token. So there is only
// white space between a string and the next token, and the length of a string needs no search.
// Second, the text ends with a bracket, a quote or padding (see `open`). So digits are always
// followed by a byte that is no digit.
#include <ingot/core/detail/float_tests.hpp>
#include <ingot/core/detail/set_float.hpp>
#include <ingot/json/detail/text_reader.hpp>
#include <ingot/reflect/detail/element_cost.hpp>

#include "diagnosis.hpp"
#include "escape.hpp"
#include "number.hpp"
#include "token_index.hpp"
#include "token_number.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <limits>
#include <utility>

namespace ingot { inline namespace INGOT_V1 { namespace json::detail {

namespace {

[[nodiscard]] bool is_space(char c) noexcept { return c == ' ' || c == '\n' || c == '\r' || c == '\t'; }

[[nodiscard]] std::string range_text(const char* what, std::int64_t min, std::uint64_t max) {
  return std::string{what} + " from " + std::to_string(min) + " to " + std::to_string(max);
}

/// Converts the names of NaN and of the infinities to their values.
template <class Float>
[[nodiscard]] bool non_finite_value(std::string_view name, Float& out) noexcept {
  if (name == "NaN") {
    ingot::detail::set_nan(out);
  } else if (name == "Infinity") {
    ingot::detail::set_infinity(out, false);
  } else if (name == "-Infinity") {
    ingot::detail::set_infinity(out, true);
  } else {
    return false;
  }
  return true;
}

} // namespace

text_reader::text_reader(const read_options& options) noexcept : options_(options) {}

text_reader::~text_reader() { token_index::give_back(std::move(index_)); }

bool text_reader::too_much_memory() {
  return fail(errc::too_much_memory, offset(), ingot::detail::within_memory);
}

bool text_reader::open(std::string_view text) {
  constexpr std::string_view byte_order_mark = "\xEF\xBB\xBF";
  constexpr std::size_t padding = 16;
  text_ = text.data();
  size_ = text.size();
  if (size_ > options_.max_bytes) return fail(errc::too_large, 0, "no more bytes than max_bytes");
  memory_left_ = ingot::detail::memory_limit(options_.max_memory, text.size());
  const auto copy = [&] {
    if (text_ == copy_.data()) return;
    copy_.assign(text);
    text_ = copy_.data();
  };
  if (options_.comments == comments::allow) {
    if (!valid_utf8(text)) return fail(find_damage(text)); // comments must be valid UTF-8, too
    copy();
    const std::size_t open_comment = blank_comments(copy_);
    if (open_comment != std::string::npos) {
      return fail(errc::truncated, open_comment, "*/ at the end of the comment", "the end of the text");
    }
  }
  if (options_.trailing_commas == trailing_commas::allow) {
    copy();
    blank_trailing_commas(copy_);
  }
  if (text.starts_with(byte_order_mark)) {
    copy();
    std::fill_n(copy_.begin(), byte_order_mark.size(), ' ');
  }
  std::size_t used = size_;
  while (used > 0 && is_space(text_[used - 1])) --used;
  if (used == 0) return fail(errc::truncated, size_, "a value", "the end of the text");
  if (const char last = text_[used - 1]; last != '}' && last != ']' && last != '"') {
    copy();
    copy_.append(padding, ' ');
    text_ = copy_.data();
  }
  index_ = token_index::borrow();
  switch (index_->build({text_, size_})) {
  case scan::good: break;
  case scan::empty: return fail(errc::truncated, size_, "a value", "the end of the text");
  case scan::too_large: return fail(errc::too_large, 0, "a text below 4 GiB");
  case scan::no_memory: return fail(errc::no_memory, 0, "memory for the index of the text");
  case scan::damaged: return fail(find_damage({text_, size_}));
  }
  at_ = index_->begin();
  last_ = index_->end();
  poll_at_ = options_.progress ? next_ask(at_) : last_;
  guessed_bytes_left_ = std::uint64_t{size_} * 8;
  // Limits the total length of the searches for the ends of lists. Nested lists search the same
  // text again, so the searches could otherwise take quadratic time.
  looks_left_ = std::uint64_t{size_} * 4;
  find_roomy();
  return true;
}

/// Finds the range of tokens before and after which enough bytes can be read: see `is_roomy`.
void text_reader::find_roomy() noexcept {
  constexpr std::size_t before = 16, bytes_after = 64;
  first_roomy_ = roomy_end_ = last_;
  if (size_ < before + bytes_after) return;
  first_roomy_ = std::lower_bound(at_, last_, before);
  roomy_end_ = std::upper_bound(first_roomy_, last_, size_ - bytes_after);
}

bool text_reader::close() {
  if (at_ != last_) return fail(errc::trailing_bytes, *at_, "the end of the text", describe(*at_));
  return options_.progress(size_, size_) || fail(ingot::error{errc::cancelled, size_});
}

/// Returns the token at which progress is reported next. `at` is the first token that is not read
/// yet.
const std::uint32_t* text_reader::next_ask(const std::uint32_t* at) const noexcept {
  constexpr std::size_t step = std::size_t{256} << 10;
  if (at == last_) return last_;
  // A token has at least one byte, so at most `step` tokens must be searched.
  const auto reach = static_cast<std::ptrdiff_t>(std::min(step, static_cast<std::size_t>(last_ - at)));
  return std::lower_bound(at, at + reach, *at + step,
                          [](std::uint32_t token, std::size_t position) { return token < position; });
}

bool text_reader::tell(const std::uint32_t* at) {
  if (at == last_) return true; // `close` reports the whole text
  poll_at_ = next_ask(at);
  reported_ = std::max<std::uint64_t>(reported_, *at);
  return options_.progress(reported_, size_) || fail(ingot::error{errc::cancelled, reported_});
}

/// Continues to poll while tokens are read a second time, because the callback may still cancel.
void text_reader::poll_again() noexcept {
  if (offset() < reported_) poll_at_ = next_ask(at_);
}

step text_reader::next_after_with_progress(char closer) {
  char next = '\0';
  return peek_with_progress(next) ? step_at(next, closer) : step::error;
}

std::string text_reader::describe(std::size_t offset) const { return describe_token({text_, size_}, offset); }

bool text_reader::fail(errc code, std::size_t offset, std::string_view expected, std::string_view found) {
  error_ = ingot::error{code, offset}.with_expected(expected).with_found(found);
  return false;
}

bool text_reader::mismatch(std::string_view expected) {
  const std::size_t where = offset();
  errc code = errc::syntax;
  switch (peek()) {
  case '\0':
    if (at_ == last_) code = errc::truncated;
    break;
  case '{':
  case '[':
  case '"': code = errc::type_mismatch; break;
  case 't':
  case 'f':
  case 'n': {
    const std::string found = describe(where);
    const bool ends = size_ - where <= found.size() || ends_scalar(text_[where + found.size()]);
    if (ends && (found == "true" || found == "false" || found == "null")) code = errc::type_mismatch;
    break;
  }
  default:
    if (scan_number(text_ + where, text_ + size_).end != nullptr) code = errc::type_mismatch;
  }
  return fail(code, where, expected, describe(where));
}

bool text_reader::enter(char bracket, std::string_view expected) {
  if (peek() != bracket) [[unlikely]]
    return mismatch(expected);
  if (depth_ >= options_.max_depth) [[unlikely]] {
    return fail(errc::too_deep, *at_, "at most " + std::to_string(options_.max_depth) + " levels");
  }
  ++depth_;
  ++at_;
  return true;
}

step text_reader::open_array() {
  if (!enter('[', "an array")) return step::error;
  if (peek() != ']') return step::value;
  ++at_;
  --depth_;
  return step::end;
}

step text_reader::open_object() {
  if (!enter('{', "an object")) return step::error;
  if (peek() != '}') return step::value;
  ++at_;
  --depth_;
  return step::end;
}

step text_reader::no_separator(char closer) {
  (void)fail(at_ == last_ ? errc::truncated : errc::syntax, offset(),
             closer == ']' ? "',' or ']'" : "',' or '}'", describe(offset()));
  return step::error;
}

std::string_view text_reader::raw_string(std::size_t open) const noexcept {
  std::size_t close = (at_ + 1 == last_ ? size_ : at_[1]) - 1;
  while (close > open && text_[close] != '"') --close; // skips spaces only
  return {text_ + open + 1, close > open ? close - open - 1 : 0};
}

bool text_reader::unescape(std::string_view raw, std::string& out) {
  out.clear();
  const char* const bad = detail::unescape(raw, &out);
  if (bad == nullptr) return true;
  const auto where = static_cast<std::size_t>(bad - text_);
  const auto left = static_cast<std::size_t>(raw.data() + raw.size() - bad);
  return fail(errc::syntax, where, "a JSON escape (surrogates in pairs)",
              {bad, std::min<std::size_t>(left, 6)});
}

bool text_reader::key(std::string_view& out) {
  if (peek() != '"') [[unlikely]] {
    return fail(at_ == last_ ? errc::truncated : errc::syntax, offset(), "a key in quotes",
                describe(offset()));
  }
  const std::size_t open = *at_;
  out = raw_string(open);
  if (has_escape(out, size_ - open - 1)) [[unlikely]] {
    if (!unescape(out, scratch_)) return false;
    out = scratch_;
  }
  ++at_;
  if (peek() != ':') [[unlikely]] {
    return fail(at_ == last_ ? errc::truncated : errc::syntax, offset(), "':'", describe(offset()));
  }
  ++at_;
  return true;
}

bool text_reader::natural_key(std::uint64_t& out, std::uint64_t max) noexcept {
  if (!is_roomy(at_) || text_[at_[0]] != '"') return false;
  const char* const colon = text_ + at_[1];
  std::uint64_t value = 0;
  if (*colon != ':' || colon[-1] != '"' || !token_natural(colon - 1, at_[1] - at_[0] - 2, value) ||
      value > max)
    return false;
  out = value;
  at_ += 2;
  return true;
}

bool text_reader::string(std::string_view& out) {
  if (peek() != '"') [[unlikely]]
    return mismatch("a string");
  const std::size_t open = *at_;
  out = raw_string(open);
  if (has_escape(out, size_ - open - 1)) [[unlikely]] {
    if (!unescape(out, scratch_)) return false;
    out = scratch_;
  }
  ++at_;
  return true;
}

bool text_reader::string(std::string& out) {
  if (peek() != '"') [[unlikely]]
    return mismatch("a string");
  const std::size_t open = *at_;
  if (assign_short(text_ + open + 1, size_ - open - 1, out)) [[likely]] {
    ++at_;
    return true;
  }
  const std::string_view raw = raw_string(open);
  if (has_escape(raw, size_ - open - 1)) [[unlikely]] {
    if (!unescape(raw, out)) return false;
  } else {
    out.assign(raw);
  }
  ++at_;
  return true;
}

bool text_reader::null() {
  const std::size_t where = offset();
  if (size_ - where < 4 || std::memcmp(text_ + where, "null", 4) != 0 ||
      (size_ - where > 4 && !ends_scalar(text_[where + 4]))) {
    return mismatch("null");
  }
  ++at_;
  return true;
}

bool text_reader::boolean(bool& out) {
  const std::size_t where = offset();
  const std::size_t left = size_ - where;
  const bool yes = left >= 4 && std::memcmp(text_ + where, "true", 4) == 0;
  const bool no = !yes && left >= 5 && std::memcmp(text_ + where, "false", 5) == 0;
  const std::size_t length = yes ? 4 : 5;
  if ((!yes && !no) || (left > length && !ends_scalar(text_[where + length])))
    return mismatch("true or false");
  out = yes;
  ++at_;
  return true;
}

/// Returns the end of the next number if its separator follows directly; otherwise null.
INGOT_INLINE const char* text_reader::plain_end() const noexcept {
  if (!is_roomy(at_)) return nullptr;
  const char* const end = text_ + at_[1];
  return *end == ',' || *end == ']' || *end == '}' ? end : nullptr;
}

bool text_reader::natural(std::uint64_t& out, std::uint64_t max) {
  if (const char* const end = plain_end()) {
    std::uint64_t value = 0;
    if (token_natural(end, at_[1] - at_[0], value) && value <= max) [[likely]] {
      out = value;
      ++at_;
      return true;
    }
  }
  if (at_ == last_) [[unlikely]]
    return mismatch(range_text("an integer", 0, max));
  const std::size_t where = *at_;
  const integer_text number = parse_integer(text_ + where, text_ + size_);
  if (number.status == number_status::good && number.magnitude <= max &&
      (!number.negative || number.magnitude == 0)) [[likely]] {
    out = number.magnitude;
    ++at_;
    return true;
  }
  const std::string expected = range_text("an integer", 0, max);
  if (number.status == number_status::good || number.status == number_status::too_big) {
    return fail(errc::out_of_range, where, expected, describe(where));
  }
  return mismatch(expected);
}

bool text_reader::integer(std::int64_t& out, std::int64_t min, std::int64_t max) {
  if (at_ == last_) [[unlikely]]
    return mismatch(range_text("an integer", min, static_cast<std::uint64_t>(max)));
  const std::size_t where = *at_;
  const integer_text number = parse_integer(text_ + where, text_ + size_);
  const auto lowest = std::uint64_t{0} - static_cast<std::uint64_t>(min); // magnitude of `min`
  const auto highest = static_cast<std::uint64_t>(max);
  if (number.status == number_status::good && number.magnitude <= (number.negative ? lowest : highest))
      [[likely]] {
    out = static_cast<std::int64_t>(number.negative ? std::uint64_t{0} - number.magnitude : number.magnitude);
    ++at_;
    return true;
  }
  const std::string expected = range_text("an integer", min, highest);
  if (number.status == number_status::good || number.status == number_status::too_big) {
    return fail(errc::out_of_range, where, expected, describe(where));
  }
  return mismatch(expected);
}

template <class Float>
bool text_reader::real_of(Float& out) {
  if (const char* const plain = plain_end()) {
    if (token_real(plain, at_[1] - at_[0], out)) [[likely]] {
      ++at_;
      return true;
    }
  }
  if (at_ == last_) [[unlikely]]
    return mismatch("a number");
  const std::size_t where = *at_;
  const number_text number = scan_number(text_ + where, text_ + size_);
  if (number.end == nullptr) [[unlikely]] {
    if (options_.non_finite == non_finite::null && text_[where] == 'n') {
      if (!null()) return false;
      ingot::detail::set_nan(out);
      return true;
    }
    if (options_.non_finite == non_finite::strings) {
      if (text_[where] == '"' && non_finite_value(raw_string(where), out)) {
        ++at_;
        return true;
      }
      return mismatch(R"(a number, "NaN", "Infinity" or "-Infinity")");
    }
    Float ignored{};
    if (text_[where] == '"' && non_finite_value(raw_string(where), ignored))
      return mismatch("a number, or the option json::non_finite::strings");
    if (describe(where) == "null") return mismatch("a number, or the option json::non_finite::null");
    return mismatch("a number");
  }
  if (!real_value(text_ + where, number, out)) [[unlikely]] {
    return fail(errc::out_of_range, where,
                sizeof(Float) == 4 ? "a number below 3.4028236e38 in size (32-bit floating point)"
                                   : "a number below 1.7976931348623159e308 in size (64-bit floating point)",
                describe(where));
  }
  ++at_;
  return true;
}

bool text_reader::real(float& out) { return real_of(out); }
bool text_reader::real(double& out) { return real_of(out); }

bool text_reader::skip_scalar() {
  const std::size_t where = offset();
  switch (peek()) {
  case '"': {
    const std::string_view raw = raw_string(where);
    if (const char* const bad = detail::unescape(raw, nullptr)) {
      return fail(errc::syntax, static_cast<std::size_t>(bad - text_), "a JSON escape (surrogates in pairs)",
                  {bad, 2});
    }
    ++at_;
    return true;
  }
  case 't':
  case 'f': {
    bool ignored = false;
    return boolean(ignored);
  }
  case 'n': return null();
  default: break;
  }
  if (at_ == last_ || scan_number(text_ + where, text_ + size_).end == nullptr) return mismatch("a value");
  ++at_;
  return true;
}

bool text_reader::skip() {
  // The list takes one byte for each open container, so it is never longer than the text.
  std::string open;
  while (true) {
    const char c = peek();
    if (c == '[' || c == '{') {
      ++at_;
      const char closer = c == '[' ? ']' : '}';
      if (peek() == closer) {
        ++at_;
      } else {
        open.push_back(closer);
        std::string_view ignored;
        if (c == '{' && !key(ignored)) return false;
        continue;
      }
    } else if (!skip_scalar()) {
      return false;
    }
    while (true) { // each iteration begins after the end of a value
      if (open.empty()) return true;
      char next = '\0';
      if (!peek_with_progress(next)) return false;
      if (next == ',') {
        ++at_;
        std::string_view ignored;
        if (open.back() == '}' && !key(ignored)) return false;
        break;
      }
      if (next != open.back()) {
        return fail(at_ == last_ ? errc::truncated : errc::syntax, offset(),
                    open.back() == '}' ? "',' or '}'" : "',' or ']'", describe(offset()));
      }
      ++at_;
      open.pop_back();
    }
  }
}

bool text_reader::raw(std::string_view& out) {
  const std::size_t begin = offset();
  if (!skip()) return false;
  std::size_t end = offset();
  while (end > begin && is_space(text_[end - 1])) --end;
  // `end` is now the end of the value: the next token is never part of it.
  out = {text_ + begin, end - begin};
  return true;
}

void text_reader::in_key_at(std::size_t offset) noexcept {
  std::size_t end = offset + 1;
  while (end < size_ && text_[end] != '"') end += text_[end] == '\\' ? 2 : 1;
  error_.in_key({text_ + offset + 1, std::min(end, size_) - offset - 1});
}

/// Returns true if the comma before the bracket at `offset` belongs to the array or object that the
/// bracket closes.
bool text_reader::is_after_trailing_comma(std::size_t offset) const noexcept {
  if (last_ == nullptr || offset >= size_ || (text_[offset] != ']' && text_[offset] != '}')) return false;
  const std::uint32_t* const begin = index_->begin();
  const std::uint32_t* at = std::lower_bound(begin, last_, offset);
  if (at == begin || at == last_ || *at != offset || text_[at[-1]] != ',') return false;
  for (std::size_t depth = 0; at != begin;) {
    const char c = text_[*--at];
    if (c == ']' || c == '}') {
      ++depth;
    } else if (c == '[' || c == '{') {
      if (depth == 0) return (c == '[') == (text_[offset] == ']');
      --depth;
    }
  }
  return false;
}

/// Returns the error. If an option would accept the text, the error names this option.
ingot::error text_reader::explained_error() const noexcept {
  const errc code = error_.code();
  const std::string_view text{text_, size_};
  const auto offset = std::min(static_cast<std::size_t>(error_.offset()), size_);
  if (code == errc::duplicate_key && options_.duplicate_keys == duplicate_keys::error) {
    constexpr std::string_view option = ", or the option json::duplicate_keys";
    std::array<char, 120> joined{};
    const std::string_view expected = error_.expected();
    std::copy(expected.begin(), expected.end(), joined.begin());
    std::copy(option.begin(), option.end(), joined.begin() + expected.size());
    ingot::error named = error_;
    return named.with_expected({joined.data(), expected.size() + option.size()});
  }
  if (code != errc::syntax && code != errc::truncated && code != errc::trailing_bytes) return error_;
  const auto replaced = [&](std::size_t where, std::string_view expected, std::string_view found) {
    ingot::error named{errc::syntax, where};
    named.with_expected(expected).with_found(found);
    if (!error_.path().empty()) named.in_member(error_.path());
    return named;
  };
  if (options_.comments == comments::reject) {
    if (const std::size_t where = find_comment(text, offset); where != size_)
      return replaced(where, "no comments, or the option json::comments::allow", text.substr(where, 2));
  }
  if (code == errc::syntax && options_.trailing_commas == trailing_commas::reject &&
      is_after_trailing_comma(offset))
    return replaced(offset,
                    text_[offset] == ']'
                        ? "a value after the comma, or the option json::trailing_commas::allow"
                        : "a key after the comma, or the option json::trailing_commas::allow",
                    error_.found());
  return error_;
}

ingot::error text_reader::located_error() const noexcept {
  // The path is omitted, because a call is cancelled at an arbitrary position.
  if (error_.code() == errc::cancelled) return ingot::error{errc::cancelled, error_.offset()};
  const ingot::error explained = explained_error();
  const auto offset = std::min(static_cast<std::size_t>(explained.offset()), size_);
  const std::string_view before{text_, offset};
  const auto lines = std::count(before.begin(), before.end(), '\n');
  const std::size_t line_start = before.rfind('\n') + 1; // npos + 1 is 0
  ingot::error located = explained;
  located.with_position(static_cast<std::uint32_t>(lines + 1),
                        static_cast<std::uint32_t>(offset - line_start + 1));
  return located;
}

std::size_t text_reader::scalars_ahead() const noexcept {
  // In a list of scalars, every second token is a comma. So if a token other than a comma follows a
  // scalar, this token closes the list.
  const std::uint32_t* at = at_;
  while (last_ - at > 1 && text_[at[1]] == ',') at += 2;
  if (last_ - at < 2 || text_[at[1]] != ']') return 0;
  return static_cast<std::size_t>(at - at_) / 2 + 1;
}

std::size_t text_reader::elements_expected(mark first, std::size_t count, std::size_t size) noexcept {
  const std::uint32_t* close = at_;
  std::size_t where = offset();
  for (int strings = 0; strings < 64; ++strings) { // a bracket in a string doesn't count
    const auto searched = static_cast<std::size_t>(std::min<std::uint64_t>(size_ - where, looks_left_));
    const auto* const bracket = static_cast<const char*>(std::memchr(text_ + where, ']', searched));
    if (bracket == nullptr) {
      looks_left_ -= searched;
      return 0;
    }
    looks_left_ -= static_cast<std::size_t>(bracket - text_) - where;
    where = static_cast<std::size_t>(bracket - text_);
    // Doubles the range before the binary search: the index is sorted, and most lists are short.
    const auto left = static_cast<std::size_t>(last_ - close);
    std::size_t reach = 16;
    while (reach < left && close[reach] < where) reach *= 2;
    close = std::lower_bound(close + std::min(reach / 2, left), close + std::min(reach, left), where);
    if (close == last_ || *close == where) break;
    ++where;
  }
  const auto ahead = static_cast<std::uint64_t>(close - at_);
  const auto passed = static_cast<std::uint64_t>(at_ - first.at);
  const std::uint64_t more = count * ahead / passed;
  const std::uint64_t wanted = count + more + more / 8 + 1;
  if (wanted > guessed_bytes_left_ / size) return 0;
  guessed_bytes_left_ -= wanted * size;
  return static_cast<std::size_t>(wanted);
}

}}} // namespace ingot::INGOT_V1::json::detail
