// SPDX-License-Identifier: Apache-2.0
// Reads text into documents. The fast path stores no path for errors. After an error, the tokens
// before the error are read again to find the path.
#include "document_reader.hpp"

#include <ingot/core/detail/catch_bad_alloc.hpp>
#include <ingot/core/detail/progress_poll.hpp>
#include <ingot/json/detail/read_value.hpp>
#include <ingot/json/document.hpp>

#include "diagnosis.hpp"
#include "number.hpp"
#include "plain_reader.hpp"
#include "token_index.hpp"

#include <algorithm>
#include <string>
#include <vector>

namespace ingot { inline namespace INGOT_V1 { namespace json {

namespace detail {

bool document_reader::run() {
  const std::size_t outside = to_.depth();
  while (true) {
    const char c = in_.peek();
    if (c == '{' || c == '[') {
      if (to_.depth() - outside >= in_.options_.max_depth) [[unlikely]] {
        return in_.fail(errc::too_deep, in_.offset(),
                        "at most " + std::to_string(in_.options_.max_depth) + " levels");
      }
      ++in_.at_;
      const bool object = c == '{';
      if (!(object ? to_.begin_object() : to_.begin_array())) return stopped();
      if (in_.peek() != (object ? '}' : ']')) {
        if (object && !key()) return false;
        continue;
      }
      ++in_.at_;
      if (!end()) return false;
    } else if (!scalar(c)) {
      return false;
    }
    while (true) { // each iteration begins after the end of a value
      if (to_.depth() == outside) return true;
      const bool object = to_.container() == value_kind::object;
      char next = '\0';
      if (!in_.peek_with_progress(next)) return false;
      if (next == ',') {
        ++in_.at_;
        if (object && !key()) return false;
        break;
      }
      if (next != (object ? '}' : ']')) [[unlikely]] {
        static_cast<void>(in_.no_separator(object ? '}' : ']'));
        return false;
      }
      ++in_.at_;
      if (!end()) [[unlikely]]
        return false;
    }
  }
}

bool document_reader::end() {
  if (!in_.options_.progress) [[likely]]
    return to_.end() || stopped();
  const text_reader::listener ask{&in_, in_.at_ - 1};
  ingot::detail::listener_poll each(ask);
  const bool ended = ingot::detail::doc::event_access::end(to_, each);
  each.rethrow();
  return ended || (!each.stopped() && stopped());
}

bool document_reader::key() {
  std::string_view text;
  if (!in_.key(text)) return false;
  return to_.key(text) || stopped();
}

bool document_reader::scalar(char first) {
  bool accepted = false;
  switch (first) {
  case '"': {
    std::string_view text;
    if (!in_.string(text)) return false;
    accepted = to_.text(text);
    break;
  }
  case 't':
  case 'f': {
    bool yes = false;
    if (!in_.boolean(yes)) return false;
    accepted = to_.boolean(yes);
    break;
  }
  case 'n':
    if (!in_.null()) return false;
    accepted = to_.null();
    break;
  default: return number();
  }
  return accepted || stopped();
}

bool document_reader::number() {
  if (in_.at_ == in_.last_) return in_.mismatch("a value");
  const char* const at = in_.text_ + *in_.at_;
  const char* const end = in_.text_ + in_.size_;
  const integer_text whole = parse_integer(at, end);
  if (whole.status == number_status::good && (!whole.negative || whole.magnitude != 0)) [[likely]] {
    constexpr std::uint64_t lowest = std::uint64_t{1} << 63;
    if (!whole.negative || whole.magnitude <= lowest) {
      ++in_.at_;
      const bool accepted = whole.negative
                                ? to_.integer(static_cast<std::int64_t>(std::uint64_t{0} - whole.magnitude))
                                : to_.unsigned_integer(whole.magnitude);
      return accepted || stopped();
    }
  }
  const number_text parts = scan_number(at, end);
  if (parts.end == nullptr) return in_.mismatch("a value");
  // -0 is a double, because an integer would lose its sign.
  const bool beyond =
      whole.status == number_status::too_big || (whole.status == number_status::good && whole.magnitude != 0);
  if (beyond && in_.options_.large_integers == large_integers::error) {
    return in_.fail(errc::out_of_range, in_.offset(),
                    "an integer of 64 bits, or the option json::large_integers", in_.describe(in_.offset()));
  }
  double value = 0;
  if (!real_value(at, parts, value)) {
    return in_.fail(errc::out_of_range, in_.offset(),
                    "a number below 1.7976931348623159e308 in size (64-bit floating point)",
                    in_.describe(in_.offset()));
  }
  ++in_.at_;
  return to_.number(value) || stopped();
}

bool document_reader::stopped() {
  error err = to_.why();
  const bool repeated =
      err.code() == errc::duplicate_key && to_.repeated_member() != ingot::detail::doc::npos;
  return in_.fail(err.with_offset(repeated ? repeated_key() : in_.last_offset()));
}

/// Returns the position of the repeated key in the object that ended with the last token.
std::size_t document_reader::repeated_key() const {
  const std::uint32_t* at = in_.at_ - 1;
  const auto is = [this](std::uint32_t position, char one, char other) {
    return in_.text_[position] == one || in_.text_[position] == other;
  };
  std::size_t inside = 0;
  for (;; --at) { // back to the opening bracket of the object, which always exists
    if (is(*at, '}', ']')) ++inside;
    else if (is(*at, '{', '[') && --inside == 0) break;
  }
  std::size_t left = to_.repeated_member();
  for (++at; left != 0; ++at) {
    if (is(*at, '{', '[')) ++inside;
    else if (is(*at, '}', ']')) --inside;
    else if (in_.text_[*at] == ',' && inside == 0) --left;
  }
  return *at;
}

void document_reader::add_path() {
  struct level {
    bool object;
    std::uint32_t key;
    std::uint64_t index;
  };
  std::vector<level> levels;
  const auto error_position = in_.error_.offset();
  for (const std::uint32_t* at = first_; at != in_.last_ && *at < error_position; ++at) {
    switch (in_.text_[*at]) {
    case '{':
    case '[': levels.push_back({in_.text_[*at] == '{', at + 1 != in_.last_ ? at[1] : *at, 0}); break;
    case '}':
    case ']':
      if (!levels.empty()) levels.pop_back();
      break;
    case ',':
      if (levels.empty()) break;
      ++levels.back().index;
      if (at + 1 != in_.last_) levels.back().key = at[1];
      break;
    default: break;
    }
  }
  for (; !levels.empty(); levels.pop_back()) {
    const level& inner = levels.back();
    if (!inner.object) {
      in_.error_.in_element(inner.index);
    } else if (inner.key < error_position && in_.text_[inner.key] == '"') {
      std::size_t end = inner.key + std::size_t{1};
      while (end < in_.size_ && in_.text_[end] != '"') end += in_.text_[end] == '\\' ? 2 : 1;
      in_.error_.in_member({in_.text_ + inner.key + 1, std::min(end, in_.size_) - inner.key - 1});
    }
  }
}

namespace {

using ingot::detail::doc::memory_bound;

[[nodiscard]] bool read_all(text_reader& from, std::string_view text, document_events& to) {
  // If `to` has an error of an earlier text, no event of this text is emitted.
  if (!to.good()) return from.fail(error(to.why()));
  if (!from.open(text)) return to.abandon();
  memory_bound bound(to, ingot::detail::memory_limit(from.options().max_memory, text.size()));
  switch (read_plain(from, to)) {
  case plain_reading::read: return from.close() || to.abandon();
  case plain_reading::cancelled: return to.abandon();
  default: bound.restart(); return (document_reader(from, to).read() && from.close()) || to.abandon();
  }
}

/// As `read_all`, but throws no exceptions. Reports missing memory as an error, also to the events.
[[nodiscard]] result<bool> read_guarded(text_reader& from, std::string_view text, document_events& to) {
  auto complete = ingot::detail::catch_bad_alloc([&]() -> result<bool> { return read_all(from, text, to); });
  if (!complete) to.abandon(errc::no_memory);
  return complete;
}

[[nodiscard]] key_policy policy_of(duplicate_keys policy) noexcept {
  switch (policy) {
  case duplicate_keys::last_wins: return key_policy::last_wins;
  case duplicate_keys::first_wins: return key_policy::first_wins;
  default: return key_policy::error;
  }
}

/// A source of events for assigning the value of a text to a value of a document.
struct telling_text {
  text_reader& from;
  std::string_view text;
  bool& good;
  [[nodiscard]] key_policy repeated_keys() const noexcept { return policy_of(from.options().duplicate_keys); }
  void write_events(document_events& to) const {
    if (const auto complete = read_guarded(from, text, to); !complete) good = from.fail(complete.error());
    else good = *complete;
  }
};

} // namespace

bool read_document_value(text_reader& from, document& out) {
  const std::size_t where = from.offset();
  // A text may contain many values that are read into documents. Each document would reserve
  // address space for all of the text after the beginning of its value. So if much text follows,
  // the value is skipped first to find its length. An error in the skipped value is found again
  // when the value is read.
  std::size_t length = from.text().size() - std::min(where, from.text().size());
  if (max_block_size_for(length).bytes > document::default_max_block_size.bytes) {
    const auto start = from.here();
    if (from.skip()) length = from.offset() - where;
    else if (from.error().code() == errc::cancelled) return false;
    from.back_to(start);
  }
  // `to` needs no check and no maximum depth: the reader stops at the first event that fails, and
  // limits the depth itself.
  document_writer to(
      {.repeated_keys = policy_of(from.options().duplicate_keys), .max_size = max_block_size_for(length)});
  {
    const memory_bound bound(to, from.memory_left());
    if (!document_reader(from, to).read()) return false;
  }
  auto parsed = to.finish();
  if (!parsed) {
    error err = parsed.error();
    return from.fail(err.with_offset(where));
  }
  if (!from.take_memory(parsed->bytes().size())) return false;
  out = std::move(*parsed);
  return true;
}

} // namespace detail

void literal::write_events(document_events& to) const {
  read_options options;
  options.max_depth = static_cast<std::uint32_t>(-1);
  detail::text_reader from(options);
  // The text was checked at compile time. Reading can fail only if space or memory is missing, and
  // the events report this error.
  [[maybe_unused]] const auto complete = detail::read_guarded(from, text_, to);
}

max_block_size max_block_size_for(std::size_t text_bytes) noexcept {
  // The worst case is `[[[[`: it needs a node of 16 bytes for each pair of brackets.
  constexpr std::size_t largest = static_cast<std::size_t>(ingot::detail::doc::max_bytes);
  const std::size_t needed = text_bytes < largest / 8 - 1024 ? 8 * text_bytes + 4096 : largest;
  return {std::max(document::default_max_block_size.bytes, needed)};
}

result<document> read_document(std::string_view text, const read_options& options) {
  return read_document(text, max_block_size_for(text.size()), options);
}

result<document> read_document(std::string_view text, max_block_size max_size, const read_options& options) {
  return ingot::detail::catch_bad_alloc([&]() -> result<document> {
    detail::text_reader from(options);
    document_writer to({.repeated_keys = detail::policy_of(options.duplicate_keys), .max_size = max_size});
    if (!detail::read_all(from, text, to)) return fail(from.located_error());
    return to.finish();
  });
}

result<void> read_events(document_events& to, std::string_view text, const read_options& options) {
  return ingot::detail::catch_bad_alloc([&]() -> result<void> {
    detail::text_reader from(options);
    const auto complete = detail::read_guarded(from, text, to);
    if (!complete) return fail(complete.error());
    if (!*complete) return fail(from.located_error());
    return {};
  });
}

result<void> read_into(const value_ref& to, std::string_view text, const read_options& options) {
  return ingot::detail::catch_bad_alloc([&]() -> result<void> {
    detail::text_reader from(options);
    bool good = true;
    value_ref there = to;
    const auto set = there.set(detail::telling_text{from, text, good});
    if (!good) return fail(from.located_error());
    return set;
  });
}

}}} // namespace ingot::INGOT_V1::json
