// SPDX-License-Identifier: Apache-2.0
// Appends JSON text to a string. Between the constructor of `text_writer` and the call of `finish`,
// the string's size is its capacity, so that characters are written directly to their positions. At
// the end, also after an error, the size is corrected.
#include <ingot/core/detail/float_tests.hpp>
#include <ingot/core/detail/thread_cache.hpp>
#include <ingot/json/detail/text_writer.hpp>

#include "escape.hpp"
#include "format.hpp"
#include "string_text.hpp"
#include "token_index.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <utility>

namespace ingot { inline namespace INGOT_V1 { namespace json::detail {

namespace {

constexpr std::size_t smallest_growth = 256;
constexpr std::size_t report_interval = std::size_t{256} << 10;
// Number of bytes between validations. These bytes are then still in the processor's cache.
constexpr std::size_t validation_interval = std::size_t{32} << 10;

// Maximum capacity that a thread keeps between texts.
constexpr std::size_t max_spare_text_capacity = std::size_t{64} << 10;
using spare_texts = ingot::detail::thread_cache<std::string, draft>;

} // namespace

draft::draft() noexcept {
  if (std::string* const spare = spare_texts::get()) text_ = std::move(*spare);
  text_.clear();
}

draft::~draft() {
  if (text_.capacity() > max_spare_text_capacity) return;
  if (std::string* const spare = spare_texts::get(); spare != nullptr && text_.capacity() > spare->capacity())
    *spare = std::move(text_);
}

std::string draft::take() {
  if (text_.capacity() > max_spare_text_capacity) return std::move(text_);
  return std::string(text_.data(), text_.size());
}

text_writer::text_writer(std::string& out, const write_options& options)
    : out_(&out), before_(out.size()),
      at_once_(options.invalid_utf8 == invalid_utf8::error ? 0 : ~std::uint32_t{0}), options_(options) {
  begin_ = out.data() + before_;
  at_ = begin_;
  end_ = begin_;
}

text_writer::~text_writer() {
  if (!finished_) out_->resize(before_);
}

bool text_writer::close() {
  if (!validate()) return false;
  if (is_rewritten()) { // a hook returned another string than in the first pass
    return fail(errc::invalid_utf8, "UTF-8, and the same strings when the value is written again",
                "text that was ill-formed the first time");
  }
  if (!cancelled_ && options_.progress(size(), size())) return true;
  (void)fail(ingot::error{errc::cancelled, size()});
  return false;
}

bool text_writer::restart() {
  if (at_once_ != 0 || cancelled_ || validate()) return false;
  reported_ = std::max(reported_, size()); // later reports must not be less than earlier reports
  at_ = begin_;
  end_ = begin_;
  depth_ = 0;
  is_ill_formed_ = false;
  high_ = 0;
  at_once_ = ~std::uint32_t{0};
  validated_ = 0;
  error_ = {};
  return true;
}

// All characters outside of strings are ASCII. So all strings are well-formed if the text is
// well-formed. If the last UTF-8 sequence of the text is incomplete, this sequence is validated
// later, with the text after it.
bool text_writer::validate() noexcept {
  if (at_once_ != 0 || is_ill_formed_) return !is_ill_formed_;
  if (high_ == 0) {
    validated_ = size();
    return true;
  }
  const char* const from = begin_ + validated_;
  const char* to = at_;
  const auto byte_before = [&to] { return static_cast<unsigned char>(to[-1]); };
  for (int i = 0; i < 3 && to != from && (byte_before() & 0xC0) == 0x80; ++i) --to;
  if (to != from && byte_before() >= 0xC0) --to;
  else to = at_;
  is_ill_formed_ = !valid_utf8({from, static_cast<std::size_t>(to - from)});
  validated_ = static_cast<std::size_t>(to - begin_);
  high_ = to != at_ ? 1 : 0;
  return !is_ill_formed_;
}

ingot::error text_writer::final_error() const noexcept {
  // The path is omitted, because a call is cancelled at an arbitrary position.
  if (error_.code() == errc::cancelled) return ingot::error{errc::cancelled, error_.offset()};
  return error_;
}

std::size_t text_writer::finish() {
  const std::size_t written = size();
  out_->resize(before_ + written);
  finished_ = true;
  return written;
}

bool text_writer::tell(std::size_t used) {
  used = std::max(used, reported_);
  if (!cancelled_ && !options_.progress(used, progress_ref::unknown)) {
    (void)fail(ingot::error{errc::cancelled, used});
    cancelled_ = true;
    options_.max_bytes = 0; // so the size check before a document's next value stops the writing
  }
  return !cancelled_;
}

bool text_writer::grow(std::size_t n) {
  const std::size_t used = size();
  if (used - validated_ >= validation_interval) (void)validate();
  if (options_.progress && !cancelled_ && !is_ill_formed_ && used >= reported_ + report_interval) {
    reported_ = used;
    (void)tell(used);
  }
  const std::size_t needed = before_ + used + n;
  // If the string's capacity is large enough, the first growth only uses this capacity.
  std::size_t wanted = out_->capacity();
  if (wanted < needed) wanted = std::max({needed, out_->size() * 2, before_ + smallest_growth});
  if (wanted != out_->size())
    out_->resize_and_overwrite(wanted, [](char*, std::size_t size) { return size; });
  begin_ = out_->data() + before_;
  at_ = begin_ + used;
  end_ = out_->data() + out_->size();
  const bool is_stopped = cancelled_ || is_ill_formed_;
  std::size_t soon = is_stopped ? 0 : used + validation_interval;
  if (options_.progress) soon = std::min(soon, reported_ + report_interval);
  soon = std::max(soon, used + n);
  if (soon < static_cast<std::size_t>(end_ - begin_)) end_ = begin_ + soon;
  return !is_stopped;
}

bool text_writer::fail(errc code, std::string_view expected, std::string_view found) {
  return fail(ingot::error{code, size()}.with_expected(expected).with_found(found));
}

void text_writer::new_line() {
  const std::size_t spaces = std::size_t{depth_} * options_.indent;
  reserve(spaces + 1);
  *at_++ = '\n';
  std::memset(at_, ' ', spaces);
  at_ += spaces;
}

bool text_writer::enter(char bracket) {
  if (depth_ >= options_.max_depth) [[unlikely]] {
    return fail(errc::too_deep, "at most " + std::to_string(options_.max_depth) + " levels");
  }
  ++depth_;
  if (!reserve(1)) return false;
  *at_++ = bracket;
  return true;
}

void text_writer::leave(char open, char close) {
  --depth_;
  if (options_.indent != 0 && at_[-1] != open) new_line();
  reserve(1);
  *at_++ = close;
}

bool text_writer::open_array() { return enter('['); }
void text_writer::close_array() { leave('[', ']'); }
bool text_writer::open_object() { return enter('{'); }
void text_writer::close_object() { leave('{', '}'); }

void text_writer::element() {
  reserve(1);
  if (at_[-1] != '[') *at_++ = ',';
  if (options_.indent != 0) new_line();
}

bool text_writer::key(std::string_view name) {
  if (!reserve(1)) return false;
  if (at_[-1] != '{') *at_++ = ',';
  if (options_.indent != 0) new_line();
  if (!string(name)) return false;
  reserve(2);
  *at_++ = ':';
  if (options_.indent != 0) *at_++ = ' ';
  return true;
}

void text_writer::null() {
  reserve(4);
  std::memcpy(at_, "null", 4);
  at_ += 4;
}

void text_writer::boolean(bool value) {
  reserve(5);
  std::memcpy(at_, value ? "true " : "false", 5);
  at_ += value ? 4 : 5;
}

void text_writer::natural(std::uint64_t value) {
  reserve(max_integer_size);
  at_ = put_natural(at_, value);
}

void text_writer::integer(std::int64_t value) {
  reserve(max_integer_size);
  at_ = put_integer(at_, value);
}

namespace {

template <class Float>
[[nodiscard]] std::string_view non_finite_name(const Float& value) noexcept {
  if (ingot::detail::is_nan(value)) return "NaN";
  return ingot::detail::is_negative(value) ? "-Infinity" : "Infinity";
}

} // namespace

template <class Float>
bool text_writer::real_of(Float value) {
  if (!reserve(max_real_size)) return false;
  if (ingot::detail::is_finite(value)) [[likely]] {
    at_ = put_real(at_, value);
    return true;
  }
  const std::string_view name = non_finite_name(value);
  switch (options_.non_finite) {
  case non_finite::null: null(); return true;
  case non_finite::strings: return string(name);
  default: return fail(errc::out_of_range, "a finite number, or the option json::non_finite", name);
  }
}

bool text_writer::real(float value) { return real_of(value); }
bool text_writer::real(double value) { return real_of(value); }

void text_writer::verbatim(std::string_view text) {
  reserve(text.size());
  at_ = put_text(at_, text);
}

bool text_writer::string(std::string_view value) {
  if (!reserve(value.size() + 2)) return false;
  *at_ = '"';
  std::uint32_t high = 0;
  const std::size_t done = put_unescaped(at_ + 1, value, high);
  if (done != value.size() || (high & at_once_) != 0) [[unlikely]]
    return string_with_escapes(value, done, high);
  high_ |= high;
  at_ += done + 2;
  at_[-1] = '"';
  return true;
}

/// Writes the part of a string after the first `done` bytes, which are already written. `high` is
/// not 0 if one of the written bytes is above 127.
bool text_writer::string_with_escapes(std::string_view value, std::size_t done, std::uint32_t high) {
  const std::size_t start = size();
  at_ += done + 1;
  constexpr std::size_t part = 256; // a bound for the space that is reserved
  for (value.remove_prefix(done); !value.empty(); value.remove_prefix(std::min(part, value.size()))) {
    const std::string_view next = value.substr(0, part);
    high_ |= high; // `reserve` may validate the text, and then needs this value
    reserve(max_escape_size * next.size() + escape_slack);
    at_ = put_escaped(at_, next, high);
  }
  high_ |= high;
  if ((high & at_once_) != 0 && !valid_utf8(since(start + 1))) return ill_formed(since(start + 1), start);
  reserve(1);
  *at_++ = '"';
  return true;
}

// Escapes are ASCII. So the written string is ill-formed exactly if the value is ill-formed.
bool text_writer::ill_formed(std::string_view written, std::size_t start) {
  std::string copy{written};
  std::string_view rest = copy;
  if (options_.invalid_utf8 != invalid_utf8::replace) {
    constexpr std::string_view hex = "0123456789abcdef";
    const auto byte = static_cast<unsigned char>(rest[utf8_prefix(rest)]);
    const std::string found = std::string{"the byte 0x"} + hex[byte >> 4] + hex[byte & 15];
    at_ = begin_ + start;
    return fail(errc::invalid_utf8, "UTF-8, or the option json::invalid_utf8::replace", found);
  }
  at_ = begin_ + start;
  reserve(1);
  *at_++ = '"';
  while (true) {
    constexpr std::string_view replacement = "\xEF\xBF\xBD";
    const std::size_t good = utf8_prefix(rest);
    reserve(good + replacement.size() + 1);
    std::memcpy(at_, rest.data(), good);
    at_ += good;
    if (good == rest.size()) break;
    at_ = put_text(at_, replacement);
    rest.remove_prefix(good + ill_formed_size(rest, good));
  }
  *at_++ = '"';
  return true;
}

}}} // namespace ingot::INGOT_V1::json::detail
