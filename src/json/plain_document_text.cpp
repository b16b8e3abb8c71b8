// SPDX-License-Identifier: Apache-2.0
// Cells and heaps of a proved document to characters, without a step between. What the document's bytes say of lengths and places was proved;
// what is asked here is room, once an element.
#include "plain_document_text.hpp"

#include <ingot/document/walk.hpp>

#include "format.hpp"
#include "token_index.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstring>
#include <string_view>
#include <vector>

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

namespace ingot::inline v1::json::detail {

namespace plain {

using namespace ingot::detail::doc; // NOLINT(google-build-using-namespace): its names are this file's subject

/// The most that a comma, a key and a value take that are in a heap, with what fixed-size copies write behind them: texts are of up to 127 bytes, six
/// characters each when they are escaped.
constexpr std::size_t escape_bytes = 6;
constexpr std::size_t element_room = escape_bytes * (short_key + short_text) + 64;
/// A text begins here, not in the string: few bytes need none of the room that is asked for while it is not known that they are few.
constexpr std::size_t first_room = 4 * element_room;

class writer {
public:
  writer(std::string& out, proved in, const write_options& options) noexcept
      : out_(out), in_(in), end_of_document_(in.start + in.size), begin_(first_), at_(first_),
        end_(first_ + first_room), max_depth_(options.max_depth), max_size_(options.max_size),
        before_(out.size()), non_finite_(options.non_finite) {}
  writer(const writer&) = delete;
  writer& operator=(const writer&) = delete;
  ~writer() { out_.resize(before_ + written_); }

  [[nodiscard]] bool write(const item& root) {
    if (!put(root) || !run()) return false;
    const auto size = static_cast<std::size_t>(at_ - begin_);
    // Text between quotes of ASCII is well-formed if all of it together is.
    if (size > max_size_ || (not_ascii_ != 0 && !valid_utf8({begin_, size}))) return false;
    if (begin_ == first_) out_.append(begin_, size);
    written_ = size;
    return true;
  }

private:
  /// A container that has not ended.
  struct open_container {
    const std::byte* cells; ///< null: it is wide, or has a shape
    const std::byte* end;   ///< of the node
    uint32_t place;         ///< of the node
    uint32_t next;
    uint32_t count;
    uint32_t ahead; ///< whose node, if it has one, is to be fetched next
    bool object;
  };

  [[nodiscard]] bool run() {
    while (!open_.empty()) {
      open_container& inner = open_.back();
      const bool ended = inner.cells == nullptr ? walk_on(inner)
                         : inner.object         ? members(inner)
                                                : elements(inner);
      if (failed_ || !ready(element_room)) return false;
      if (!ended) continue;
      at_[-1] = open_.back().object ? '}' : ']'; // in place of the last comma
      open_.pop_back();
      if (!open_.empty()) *at_++ = ',';
    }
    return true;
  }

  // Each of these goes on until the container ends, or another begins. Room is there for one element.

  // Where they write is a variable of theirs, which no character that they write may be.

  [[nodiscard]] bool members(open_container& inner) {
    const std::byte* const cells = inner.cells;
    const std::byte* const end = inner.end;
    const uint32_t count = inner.count;
    char* to = at_;
    for (uint32_t i = inner.next; i != count;) {
      const std::byte* const record = end - load<uint16_t>(cells + std::size_t{2} * i);
      const auto length = std::to_integer<uint32_t>(*record);
      ++i;
      if (length <= short_key) [[likely]] {
        to = string(to, record + 1, length);
      } else {
        at_ = to;
        if (!long_key(inner, i - 1)) return fail();
        to = at_;
      }
      *to++ = ':';
      if (!ready(to)) [[unlikely]]
        return fail();
      const std::byte* const value = record + 1 + (length & 0x7F);
      const auto first = std::to_integer<uint8_t>(*value);
      if (is_node(first)) {
        inner.next = i;
        fetch_ahead(inner);
        at_ = to;
        return begin(load<uint32_t>(value + 1), first == static_cast<uint8_t>(tag::object)) ? false : fail();
      }
      to = in_heap(to, value, first);
      if (to == nullptr) [[unlikely]]
        return fail();
      *to++ = ',';
    }
    at_ = to;
    return true;
  }
  [[nodiscard]] bool elements(open_container& inner) {
    const std::byte* const cells = inner.cells;
    const std::byte* const end = inner.end;
    const uint32_t count = inner.count;
    char* to = at_;
    for (uint32_t i = inner.next; i != count;) {
      const uint32_t c = load<uint16_t>(cells + std::size_t{2} * i);
      ++i;
      if (!ready(to)) [[unlikely]]
        return fail();
      if (c == 0 || c >= cell_bits(false).immediate()) {
        at_ = to;
        if (!put(read_immediate(c, false))) [[unlikely]]
          return fail();
        to = at_;
      } else {
        const std::byte* const value = end - c;
        const auto first = std::to_integer<uint8_t>(*value);
        if (is_node(first)) {
          inner.next = i;
          at_ = to;
          return begin(load<uint32_t>(value + 1), first == static_cast<uint8_t>(tag::object)) ? false
                                                                                              : fail();
        }
        to = in_heap(to, value, first);
        if (to == nullptr) [[unlikely]]
          return fail();
      }
      *to++ = ',';
    }
    at_ = to;
    return true;
  }
  [[nodiscard]] static bool is_node(uint8_t first) noexcept {
    return first == static_cast<uint8_t>(tag::object) || first == static_cast<uint8_t>(tag::array);
  }
  [[nodiscard]] bool walk_on(open_container& inner) {
    container_walk walk;
    if (!walk.enter(in_, node_at(inner.place, inner.object))) return fail();
    while (inner.next != inner.count) {
      const uint32_t i = inner.next++;
      if (inner.object) {
        if (!string(walk.key(i))) return fail();
        *at_++ = ':';
      }
      if (!ready(element_room)) return fail();
      const item value = walk.element(i);
      const std::size_t depth = open_.size();
      if (!put(value)) return fail();
      if (open_.size() != depth) return false;
      *at_++ = ',';
    }
    return true;
  }
  /// Nodes lie in the order of the text that they came from, which is not that of keys: what comes next waits in memory otherwise, and that is half of all
  /// time.
  void fetch_ahead(open_container& inner) const noexcept {
    constexpr uint32_t distance = 4;
    for (const uint32_t until = std::min(inner.count, inner.next + distance); inner.ahead < until;) {
      const uint32_t c = load<uint16_t>(inner.cells + std::size_t{2} * inner.ahead++);
      if (c == 0 || c >= cell_bits(false).immediate()) continue;
      const std::byte* value = inner.end - c;
      if (inner.object) value += key_columns::record_size(value);
      const auto first = std::to_integer<uint8_t>(*value);
      if (first != static_cast<uint8_t>(tag::object) && first != static_cast<uint8_t>(tag::array)) continue;
      const std::byte* const there = in_.start + load<uint32_t>(value + 1);
      __builtin_prefetch(there);
      if (end_of_document_ - there > 64) __builtin_prefetch(there + 64);
    }
  }
  bool fail() noexcept {
    failed_ = true;
    return false;
  }

  [[nodiscard]] static item node_at(uint32_t place, bool object) noexcept {
    return item::at_node(object ? value_kind::object : value_kind::array, place);
  }
  [[nodiscard]] INGOT_NOINLINE bool long_key(const open_container& of, uint32_t i) {
    node n;
    return find_node(in_, of.place, n) && string(key_columns(in_, n).text(i));
  }

  /// The container whose node is at `place`.
  [[nodiscard]] bool begin(uint32_t place, bool object) {
    node n;
    if (open_.size() >= max_depth_ || !find_node(in_, place, n)) return false;
    *at_++ = object ? '{' : '[';
    if (n.count == 0) ++at_; // where the comma of the last element would stand
    const bool plain = !n.wide && n.kind == (object ? node_kind::object : node_kind::array);
    open_.push_back({plain ? n.cells() : nullptr, n.end(), place, 0, n.count, 0, object});
    return true;
  }
  /// Any container. One without node is written at once.
  [[nodiscard]] bool begin(const item& of) {
    const bool object = of.kind == value_kind::object;
    if (of.is == item::form::node) return begin(of.place(), object);
    if (open_.size() >= max_depth_) return false;
    *at_++ = object ? '{' : '[';
    if (of.is == item::form::packed) {
      for (uint32_t i = 0; i < of.length; ++i) {
        if (i != 0) *at_++ = ',';
        if (!ready(element_room)) return false;
        at_ = put_integer(at_, load_packed(of.bytes + (std::size_t{i} << of.shift), of.shift));
      }
    }
    *at_++ = object ? '}' : ']';
    return true;
  }

  [[nodiscard]] bool put(const item& value) {
    switch (value.kind) {
    case value_kind::array:
    case value_kind::object: return begin(value);
    case value_kind::null: word("null"); return true;
    case value_kind::boolean: value.number != 0 ? word("true") : word("false"); return true;
    case value_kind::integer: at_ = put_integer(at_, value.integer()); return true;
    case value_kind::large_integer: at_ = put_natural(at_, value.number); return true;
    case value_kind::number: {
      char* const to = real(at_, value.real());
      if (to != nullptr) at_ = to;
      return to != nullptr;
    }
    case value_kind::text: return string(text_of(in_, value));
    default: return false;
    }
  }
  /// A value that is no node of cells; null when it can't be written.
  [[nodiscard]] INGOT_INLINE char* in_heap(char* to, const std::byte* value, uint8_t first) {
    if (first >= static_cast<uint8_t>(tag::text))
      return string(to, value + 1, first - static_cast<uint32_t>(tag::text));
    if (first >= static_cast<uint8_t>(tag::small) || first - 1U < static_cast<unsigned>(tag::int64))
      return put_integer(to, read_integer(value));
    if (first == static_cast<uint8_t>(tag::uint64)) return put_natural(to, load<uint64_t>(value + 1));
    if (first == static_cast<uint8_t>(tag::real64)) return real(to, load<double>(value + 1));
    if (first == static_cast<uint8_t>(tag::real32))
      return real(to, static_cast<double>(load<float>(value + 1)));
    uint32_t size = 0;
    at_ = to;
    const item other =
        ingot::detail::doc::read_value(value, static_cast<uint32_t>(end_of_document_ - value), size);
    return put(other) ? at_ : nullptr;
  }

  template <std::size_t N>
  void word(const char (&text)[N]) noexcept {
    std::memcpy(at_, text, N - 1);
    at_ += N - 1;
  }
  [[nodiscard]] INGOT_NOINLINE char* other_real(char* to, double d) noexcept {
    if (non_finite_ == non_finite::error) return nullptr;
    at_ = to;
    if (non_finite_ == non_finite::null) word("null");
    else if (std::isnan(d)) word("\"NaN\"");
    else if (d > 0) word("\"Infinity\"");
    else word("\"-Infinity\"");
    return at_;
  }
  /// A double stays one: what looks like an integer would be read as one.
  [[nodiscard]] char* real(char* to, double d) {
    if (!std::isfinite(d)) [[unlikely]]
      return other_real(to, d);
    char* const end = put_real(to, d);
    // From 2^53 on all are whole.
    const bool whole =
        std::abs(d) >= 9'007'199'254'740'992.0 || static_cast<double>(static_cast<std::int64_t>(d)) == d;
    if (!whole || std::string_view(to, static_cast<std::size_t>(end - to)).find_first_of(".e") !=
                      std::string_view::npos)
      return end;
    std::memcpy(end, ".0", 2);
    return end + 2;
  }

  /// A text in a heap, for which there is room however it is written.
  [[nodiscard]] INGOT_INLINE char* string(char* at, const std::byte* text, uint32_t size) {
#if defined(__SSE2__)
    // Of all but the document's last texts more bytes may be looked at, and there is room for them.
    if (static_cast<std::size_t>(end_of_document_ - text) >= short_text + 16) [[likely]] {
      const __m128i quote = _mm_set1_epi8('"');
      const __m128i slash = _mm_set1_epi8('\\');
      const __m128i control = _mm_set1_epi8(0x1F);
      char* const to = at + 1;
      uint32_t i = 0;
      while (true) {
        const __m128i bytes = _mm_loadu_si128(reinterpret_cast<const __m128i*>(text + i));
        _mm_storeu_si128(reinterpret_cast<__m128i*>(to + i), bytes);
        const __m128i special =
            _mm_or_si128(_mm_cmpeq_epi8(_mm_min_epu8(bytes, control), bytes),
                         _mm_or_si128(_mm_cmpeq_epi8(bytes, quote), _mm_cmpeq_epi8(bytes, slash)));
        auto escaped = static_cast<uint32_t>(_mm_movemask_epi8(special));
        auto high = static_cast<uint32_t>(_mm_movemask_epi8(bytes));
        const uint32_t left = size - i;
        if (left <= 16) {
          const uint32_t mine = (uint32_t{1} << left) - 1;
          if ((escaped & mine) != 0) [[unlikely]]
            break;
          not_ascii_ |= high & mine;
          *at = '"';
          to[size] = '"';
          return to + size + 1;
        }
        if (escaped != 0) [[unlikely]]
          break;
        not_ascii_ |= high;
        i += 16;
      }
    }
#endif
    *at++ = '"';
    at = escape(at, {reinterpret_cast<const char*>(text), size});
    *at++ = '"';
    return at;
  }
  /// Any text. Afterwards there is room for an element.
  [[nodiscard]] INGOT_NOINLINE bool string(std::string_view text) {
    constexpr std::size_t part = 4096;
    *at_++ = '"';
    for (; !text.empty(); text.remove_prefix(std::min(part, text.size()))) {
      if (!ready(escape_bytes * std::min(part, text.size()))) return false;
      at_ = escape(at_, text.substr(0, part));
    }
    *at_++ = '"';
    return ready(element_room);
  }
  /// What stands between the quotes.
  [[nodiscard]] INGOT_NOINLINE char* escape(char* to, std::string_view text) {
    while (true) {
      const std::size_t plain = put_plain(to, text);
      to += plain;
      text.remove_prefix(plain);
      if (text.empty()) return to;
      const auto byte = static_cast<unsigned char>(text.front());
      text.remove_prefix(1);
      if (byte >= 0x80) {
        not_ascii_ = 1;
        *to++ = static_cast<char>(byte);
      } else {
        to = put_escape(to, byte);
      }
    }
  }

  [[nodiscard]] INGOT_INLINE bool ready(std::size_t n) {
    if (static_cast<std::size_t>(end_ - at_) >= n) [[likely]]
      return true;
    return grow(n);
  }
  /// That there is room for an element from `to` on, which then is where the same is.
  [[nodiscard]] INGOT_INLINE bool ready(char*& to) {
    if (static_cast<std::size_t>(end_ - to) >= element_room) [[likely]]
      return true;
    at_ = to;
    const bool grown = grow(element_room);
    to = at_;
    return grown;
  }
  /// From the first room to the string, or to more of it. What is written is at most some elements more than may be.
  [[nodiscard]] INGOT_NOINLINE bool grow(std::size_t n) {
    const auto used = static_cast<std::size_t>(at_ - begin_);
    if (used > max_size_) return false;
    const std::size_t needed = before_ + used + n;
    std::size_t wanted = out_.capacity();
    if (wanted < needed) wanted = std::max({needed, out_.size() * 2, before_ + 2 * used});
    out_.resize_and_overwrite(wanted, [](char*, std::size_t size) { return size; });
    char* const to = out_.data() + before_;
    if (begin_ == first_) std::memcpy(to, begin_, used);
    begin_ = to;
    at_ = begin_ + used;
    std::size_t room = out_.size() - before_;
    // Behind the limit whoever wants room has to ask, and is refused.
    if (room > max_size_ && room - max_size_ > n) room = max_size_ + n;
    end_ = begin_ + room;
    return true;
  }

  std::string& out_;
  proved in_;
  const std::byte* end_of_document_;
  char first_[first_room];
  char* begin_;
  char* at_;
  char* end_;
  std::size_t max_depth_;
  std::size_t max_size_;
  std::size_t before_;
  std::size_t written_ = 0;
  json::non_finite non_finite_;
  uint32_t not_ascii_ = 0; ///< whether a byte was above 127
  bool failed_ = false;
  std::vector<open_container> open_;
};

} // namespace plain

bool write_plain(std::string& out, ingot::detail::doc::proved in, const ingot::detail::doc::item& root,
                 const write_options& options) {
  return plain::writer(out, in, options).write(root);
}

} // namespace ingot::inline v1::json::detail
