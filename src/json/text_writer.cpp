// SPDX-License-Identifier: Apache-2.0
// Appends JSON text to a string. Between the constructor of `text_writer` and the call of `finish`,
// the string's size is its capacity, so that characters are written directly to their positions. At
// the end, also after an error, the size is corrected.
#include <ingot/core/detail/thread_cache.hpp>
#include <ingot/json/detail/text_writer.hpp>

#include "escape.hpp"
#include "format.hpp"
#include "token_index.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <utility>

namespace ingot { inline namespace INGOT_V1 { namespace json::detail {

namespace {

constexpr std::size_t smallest_growth = 256;
constexpr std::size_t report_interval = std::size_t{256} << 10;

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
    : out_(&out), before_(out.size()), options_(options) {
  begin_ = out.data() + before_;
  at_ = begin_;
  end_ = begin_;
}

text_writer::~text_writer() {
  if (!finished_) out_->resize(before_);
}

bool text_writer::close() {
  if (!cancelled_ && options_.progress(size(), size())) return true;
  (void)fail(ingot::error{errc::cancelled, size()});
  return false;
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
  if (!cancelled_ && !options_.progress(used, progress_ref::unknown)) {
    (void)fail(ingot::error{errc::cancelled, used});
    cancelled_ = true;
    options_.max_bytes = 0; // checked before each value of a document
  }
  return !cancelled_;
}

bool text_writer::grow(std::size_t n) {
  const std::size_t used = size();
  if (options_.progress && !cancelled_ && used >= reported_ + report_interval) {
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
  if (!options_.progress) return true;
  const std::size_t soon = cancelled_ ? used + n : std::max(used + n, reported_ + report_interval);
  if (soon < static_cast<std::size_t>(end_ - begin_)) end_ = begin_ + soon;
  return !cancelled_;
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

template <class Float>
bool text_writer::real_of(Float value) {
  if (!reserve(max_real_size)) return false;
  if (std::isfinite(value)) [[likely]] {
    at_ = put_real(at_, value);
    return true;
  }
  const std::string_view name = std::isnan(value) ? "NaN" : value > 0 ? "Infinity" : "-Infinity";
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
  const std::size_t plain = put_plain(at_ + 1, value);
  if (plain != value.size()) [[unlikely]]
    return string_with_escapes(value);
  at_ += plain + 2;
  at_[-1] = '"';
  return true;
}

bool text_writer::string_with_escapes(std::string_view value) {
  const std::size_t start = size();
  reserve(1);
  *at_++ = '"';
  bool ascii = true;
  while (!value.empty()) {
    constexpr std::size_t longest_escape = 6;
    reserve(value.size() + longest_escape);
    const std::size_t plain = put_plain(at_, value);
    at_ += plain;
    value.remove_prefix(plain);
    if (value.empty()) break;
    const char c = value.front();
    value.remove_prefix(1);
    const auto byte = static_cast<unsigned char>(c);
    if (byte >= 0x80) {
      ascii = false;
      *at_++ = c;
      continue;
    }
    at_ = put_escape(at_, byte);
  }
  if (!ascii && !valid_utf8(since(start + 1))) return ill_formed(since(start + 1), start);
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
