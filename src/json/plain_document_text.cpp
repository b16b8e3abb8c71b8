// SPDX-License-Identifier: Apache-2.0
// Cells and heaps of a proved document to characters, without a step between. What the document's bytes say of lengths and places was proved;
// what is asked here is room, once an element.
#include "plain_document_text.hpp"

#include <ingot/document/walk.hpp>

#include "format.hpp"
#include "token_index.hpp"

#include <algorithm>
#include <cfloat>
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
/// What is looked at of a text in a heap, which has fewer bytes.
constexpr std::size_t long_look = short_text + 16;
/// Their nodes are near each other.
constexpr uint32_t few_members = 64;
/// What is fetched at once, of the memory that comes next.
constexpr uint32_t line = 64;
constexpr uint32_t lines = 4;

class writer {
public:
  writer(std::string& out, proved in, const write_options& options) noexcept
      : out_(out), in_(in), end_of_document_(in.start + in.size),
        last_long_look_(in.size >= long_look ? end_of_document_ - long_look : nullptr), begin_(first_),
        at_(first_), last_ready_(first_ + (first_room - element_room)), end_(first_ + first_room),
        max_depth_(options.max_depth), max_size_(options.max_size), before_(out.size()),
        non_finite_(options.non_finite), is_quick_(FLT_EVAL_METHOD == 0 && rounds_to_nearest()),
        last_fetched_(in.size - line * lines) {}
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
    char bracket;   ///< that began it
    [[nodiscard]] bool is_object() const noexcept { return bracket == '{'; }
  };
  static constexpr char closing = ']' - '[';
  static_assert('{' - '[' == 32 && '{' + closing == '}');
  /// What stopped the elements of a container.
  enum class stopped : uint8_t { at_end, at_container, for_good };

  [[nodiscard]] bool run() {
    uint32_t not_ascii = 0;
    while (top_ != open_.data()) {
      open_container& inner = top_[-1];
      const char bracket = inner.bracket;
      const stopped why = inner.cells == nullptr ? walk_on(inner)
                          : bracket == '{'       ? members(inner, not_ascii)
                                                 : elements(inner, not_ascii);
      if (why == stopped::for_good || !ready()) return false;
      if (why == stopped::at_container) continue;
      at_[-1] = static_cast<char>(bracket + closing); // in place of the last comma
      *at_ = ',';
      --top_;
      at_ += top_ != open_.data() ? 1 : 0;
    }
    not_ascii_ |= not_ascii;
    return true;
  }

  // Each of these goes on until the container ends, or another begins. Room is there for one element.

  // Where they write is a variable of theirs, which no character that they write may be.

  [[nodiscard]] INGOT_INLINE stopped members(open_container& inner, uint32_t& not_ascii) {
    const std::byte* const cells = inner.cells;
    const std::byte* const end = inner.end;
    const uint32_t count = inner.count;
    char* to = at_;
    for (uint32_t i = inner.next; i != count;) {
      const std::byte* const record = end - load<uint16_t>(cells + std::size_t{2} * i);
      const auto length = std::to_integer<uint32_t>(*record);
      const std::byte* value = record + 1;
      ++i;
      if (length <= short_key) [[likely]] {
        to = key(to, record + 1, length);
        value += length;
      } else {
        at_ = to;
        if (!long_key(inner, i - 1)) return stopped::for_good;
        to = at_;
        *to++ = ':';
        value += length & 0x7F;
      }
      if (!ready(to)) [[unlikely]]
        return stopped::for_good;
      const auto first = std::to_integer<uint8_t>(*value);
      if (is_node(first)) {
        inner.next = i;
        fetch_ahead(inner);
        at_ = to;
        return begin_inner(value, first);
      }
      to = in_heap(to, value, first, not_ascii);
      if (to == nullptr) [[unlikely]]
        return stopped::for_good;
      *to++ = ',';
    }
    at_ = to;
    return stopped::at_end;
  }
  [[nodiscard]] INGOT_INLINE stopped elements(open_container& inner, uint32_t& not_ascii) {
    const std::byte* const cells = inner.cells;
    const std::byte* const end = inner.end;
    const uint32_t count = inner.count;
    char* to = at_;
    for (uint32_t i = inner.next; i != count;) {
      const uint32_t c = load<uint16_t>(cells + std::size_t{2} * i);
      ++i;
      if (!ready(to)) [[unlikely]]
        return stopped::for_good;
      if (c == 0 || c >= cell_bits(false).immediate()) {
        at_ = to;
        if (!put(read_immediate(c, false))) [[unlikely]]
          return stopped::for_good;
        to = at_;
      } else {
        const std::byte* const value = end - c;
        const auto first = std::to_integer<uint8_t>(*value);
        if (is_node(first)) {
          inner.next = i;
          at_ = to;
          return begin_inner(value, first);
        }
        to = in_heap(to, value, first, not_ascii);
        if (to == nullptr) [[unlikely]]
          return stopped::for_good;
      }
      *to++ = ',';
    }
    at_ = to;
    return stopped::at_end;
  }
  [[nodiscard]] static bool is_node(uint8_t first) noexcept {
    return first == static_cast<uint8_t>(tag::object) || first == static_cast<uint8_t>(tag::array);
  }
  [[nodiscard]] INGOT_NOINLINE stopped walk_on(open_container& inner) {
    container_walk walk;
    if (!walk.enter(in_, node_at(inner.place, inner.is_object()))) return stopped::for_good;
    while (inner.next != inner.count) {
      const uint32_t i = inner.next++;
      if (inner.is_object()) {
        if (!string(walk.key(i))) return stopped::for_good;
        *at_++ = ':';
      }
      if (!ready()) return stopped::for_good;
      const item value = walk.element(i);
      const open_container* const top = top_;
      if (!put(value)) return stopped::for_good;
      if (top_ != top) return stopped::at_container;
      *at_++ = ',';
    }
    return stopped::at_end;
  }
  /// Members are in the order of their keys' hashes, their nodes in that of the text that they came from: when they are many, what comes next is far
  /// away.
  INGOT_INLINE void fetch_ahead(open_container& inner) const noexcept {
    if (inner.count > few_members) [[unlikely]]
      fetch_nodes(inner);
  }
  INGOT_NOINLINE void fetch_nodes(open_container& inner) const noexcept {
    constexpr uint32_t distance = 4;
    for (const uint32_t until = std::min(inner.count, inner.next + distance); inner.ahead < until;) {
      const std::byte* value = inner.end - load<uint16_t>(inner.cells + std::size_t{2} * inner.ahead++);
      value += key_columns::record_size(value);
      if (!is_node(std::to_integer<uint8_t>(*value))) continue;
      const std::byte* const there = in_.start + load<uint32_t>(value + 1);
      __builtin_prefetch(there);
      if (end_of_document_ - there > 64) __builtin_prefetch(there + 64);
    }
  }
  /// What a text was read into lies as it stood there, up to the order of members: what is in the next 16 KiB will be needed soon.
  INGOT_INLINE void fetch_along(uint32_t place) noexcept {
    constexpr uint32_t distance = 16384;
    if (in_.size <= distance) return;
    const uint32_t ahead = fetched_ - place;
    if (ahead >= distance) [[likely]] {
      // It went back, and that has been fetched; or elsewhere, and whether it stays there is not known.
      if (ahead > 4 * distance) fetched_ = place;
      return;
    }
    const std::byte* const there = in_.start + std::min(fetched_, last_fetched_);
    for (uint32_t i = 0; i != lines; ++i) __builtin_prefetch(there + std::size_t{line} * i);
    fetched_ += line * lines;
  }

  [[nodiscard]] static item node_at(uint32_t place, bool object) noexcept {
    return item::at_node(object ? value_kind::object : value_kind::array, place);
  }
  [[nodiscard]] INGOT_NOINLINE bool long_key(const open_container& of, uint32_t i) {
    node n;
    return find_node(in_, of.place, n) && string(key_columns(in_, n).text(i));
  }

  [[nodiscard]] INGOT_INLINE stopped begin_inner(const std::byte* value, uint8_t first) {
    return begin(load<uint32_t>(value + 1), first == static_cast<uint8_t>(tag::object))
               ? stopped::at_container
               : stopped::for_good;
  }
  /// The container whose node is at `place`.
  [[nodiscard]] INGOT_INLINE bool begin(uint32_t place, bool object) {
    if (top_ == last_) [[unlikely]] {
      if (!make_room()) return false;
    }
    fetch_along(place);
    const char bracket = object ? '{' : '[';
    *at_++ = bracket;
    const std::byte* const at = in_.start + place;
    const auto first = std::to_integer<uint8_t>(*at);
    if (first == static_cast<uint8_t>(object ? node_kind::object : node_kind::array)) [[likely]] {
      const uint32_t count = load<uint16_t>(at + 4);
      *top_++ = {at + head_size(node_kind::object, false),
                 at + std::size_t{8} * load<uint16_t>(at + 2),
                 place,
                 0,
                 count,
                 0,
                 bracket};
      at_ += count == 0 ? 1 : 0; // where the comma of the last element would stand
      return true;
    }
    return begin_other(place, bracket);
  }
  [[nodiscard]] INGOT_NOINLINE bool begin_other(uint32_t place, char bracket) {
    node n;
    if (!find_node(in_, place, n)) return false;
    if (n.count == 0) ++at_;
    *top_++ = {nullptr, n.end(), place, 0, n.count, 0, bracket};
    return true;
  }
  [[nodiscard]] std::size_t depth() const noexcept {
    return top_ == nullptr ? 0 : static_cast<std::size_t>(top_ - open_.data());
  }
  [[nodiscard]] INGOT_NOINLINE bool make_room() {
    const std::size_t open = depth();
    if (open >= max_depth_) return false;
    open_.resize(std::min(2 * open + 16, max_depth_));
    top_ = open_.data() + open;
    last_ = open_.data() + open_.size();
    return true;
  }
  /// Any container. One without node is written at once.
  [[nodiscard]] bool begin(const item& of) {
    const bool object = of.kind == value_kind::object;
    if (of.is == item::form::node) return begin(of.place(), object);
    if (depth() >= max_depth_) return false;
    *at_++ = object ? '{' : '[';
    if (of.is == item::form::packed) {
      for (uint32_t i = 0; i < of.length; ++i) {
        if (i != 0) *at_++ = ',';
        if (!ready()) return false;
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
  [[nodiscard]] INGOT_INLINE char* in_heap(char* to, const std::byte* value, uint8_t first,
                                           uint32_t& not_ascii) {
    if (first >= static_cast<uint8_t>(tag::text))
      return string(to, value + 1, first - static_cast<uint32_t>(tag::text), not_ascii);
    if (first - static_cast<unsigned>(tag::int64) <= 1U) {
      // Numbers that have all bits are as often above 2^63 as below: which it is, is not asked.
      static_assert(static_cast<int>(tag::uint64) == static_cast<int>(tag::int64) + 1);
      const auto is_signed =
          static_cast<uint64_t>(std::int64_t{first} - static_cast<int>(tag::uint64)); // all bits, or none
      const auto n = load<uint64_t>(value + 1);
      const uint64_t negative = uint64_t{0} - (n >> 63 & is_signed);
      *to = '-';
      to += negative & 1;
      return put_natural(to, (n ^ negative) - negative);
    }
    if (first >= static_cast<uint8_t>(tag::small)) return put_integer(to, read_integer(value));
    if (first - 1U < static_cast<unsigned>(tag::int64))
      return put_integer(to, load_integer(value + 1, first));
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
  /// A double stays one: what looks like an integer would be read as one.
  [[nodiscard]] INGOT_INLINE char* real(char* to, double d) noexcept {
    if (is_quick_) [[likely]] {
      if (char* const end = put_everyday_real<whole_number::with_point>(to, d)) [[likely]]
        return end;
    }
    return other_real(to, d);
  }
  [[nodiscard]] INGOT_NOINLINE char* other_real(char* to, double d) noexcept {
    if (!std::isfinite(d)) return no_number(to, d);
    char* const end = put_real(to, d);
    if (std::string_view(to, static_cast<std::size_t>(end - to)).find_first_of(".e") !=
        std::string_view::npos)
      return end;
    std::memcpy(end, ".0", 2);
    return end + 2;
  }
  [[nodiscard]] char* no_number(char* to, double d) noexcept {
    if (non_finite_ == non_finite::error) return nullptr;
    at_ = to;
    if (non_finite_ == non_finite::null) word("null");
    else if (std::isnan(d)) word("\"NaN\"");
    else if (d > 0) word("\"Infinity\"");
    else word("\"-Infinity\"");
    return at_;
  }

  /// A key in a heap, and its colon.
  [[nodiscard]] INGOT_INLINE char* key(char* at, const std::byte* text, uint32_t size) {
#if defined(__SSE2__)
    if (size <= 16 && text <= last_long_look_) [[likely]] {
      const __m128i bytes = _mm_loadu_si128(reinterpret_cast<const __m128i*>(text));
      _mm_storeu_si128(reinterpret_cast<__m128i*>(at + 1), bytes);
      // Signed: bytes above 127 are below space, too.
      const __m128i other = _mm_or_si128(_mm_cmplt_epi8(bytes, _mm_set1_epi8(0x20)),
                                         _mm_or_si128(_mm_cmpeq_epi8(bytes, _mm_set1_epi8('"')),
                                                      _mm_cmpeq_epi8(bytes, _mm_set1_epi8('\\'))));
      if ((static_cast<uint32_t>(_mm_movemask_epi8(other)) & ((uint32_t{1} << size) - 1)) == 0) [[likely]] {
        *at = '"';
        at += size + 1;
        std::memcpy(at, "\":", 2);
        return at + 2;
      }
    }
#endif
    return other_key(at, text, size);
  }
  [[nodiscard]] INGOT_NOINLINE char* other_key(char* at, const std::byte* text, uint32_t size) {
    at = string(at, text, size, not_ascii_);
    *at++ = ':';
    return at;
  }
  /// A text in a heap, for which there is room however it is written.
  [[nodiscard]] INGOT_INLINE char* string(char* at, const std::byte* text, uint32_t size,
                                          [[maybe_unused]] uint32_t& not_ascii) {
#if defined(__SSE2__)
    // Of all but the document's last texts more bytes may be looked at, and there is room for them.
    if (text <= last_long_look_) [[likely]] {
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
          not_ascii |= high & mine;
          *at = '"';
          to[size] = '"';
          return to + size + 1;
        }
        if (escaped != 0) [[unlikely]]
          break;
        not_ascii |= high;
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
      if (!ready(escape_bytes * std::min(part, text.size()) + 1)) return false; // and the quote behind them
      at_ = escape(at_, text.substr(0, part));
    }
    *at_++ = '"';
    return ready();
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
  /// For an element.
  [[nodiscard]] INGOT_INLINE bool ready() {
    if (at_ <= last_ready_) [[likely]]
      return true;
    return grow(element_room);
  }
  /// The same from `to` on, which then is where it is.
  [[nodiscard]] INGOT_INLINE bool ready(char*& to) {
    if (to <= last_ready_) [[likely]]
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
    last_ready_ = end_ - element_room; // whoever asks for less has written more than an element
    return true;
  }

  std::string& out_;
  proved in_;
  const std::byte* end_of_document_;
  const std::byte* last_long_look_; ///< up to where that many bytes may be looked at; null: nowhere
  char first_[first_room];
  char* begin_;
  char* at_;
  char* last_ready_; ///< up to where there is room for an element
  char* end_;
  std::size_t max_depth_;
  std::size_t max_size_;
  std::size_t before_;
  std::size_t written_ = 0;
  json::non_finite non_finite_;
  uint32_t not_ascii_ = 0; ///< whether a byte was above 127
  bool is_quick_;          ///< numbers of everyday size may be written by two operations
  uint32_t fetched_ = 0;   ///< the place up to which memory was fetched ahead
  uint32_t last_fetched_;  ///< from which there is less than is fetched at once
  std::vector<open_container> open_;
  open_container* top_ = nullptr; ///< behind the innermost
  open_container* last_ = nullptr;
};

} // namespace plain

bool write_plain(std::string& out, ingot::detail::doc::proved in, const ingot::detail::doc::item& root,
                 const write_options& options) {
  return plain::writer(out, in, options).write(root);
}

} // namespace ingot::inline v1::json::detail
