// SPDX-License-Identifier: Apache-2.0
// Writes the nodes of a validated document directly as characters. A node has a cell of 2 or 4
// bytes for each element or member, and a heap with values that don't fit in cells. A node with
// cells of 4 bytes is called wide. Lengths and positions in the document are valid. So only the
// space for output is checked, once for each element.
#include "plain_document_text.hpp"

#include <ingot/core/detail/float_tests.hpp>
#include <ingot/document/detail/walk.hpp>

#include "digits_ifma.hpp"
#include "format.hpp"
#include "plain_output.hpp"

#include <algorithm>
#include <cfloat>
#include <cmath>
#include <cstddef>
#include <cstring>
#include <string_view>
#include <vector>

namespace ingot { inline namespace INGOT_V1 { namespace json::detail {

namespace plain {

using namespace ingot::detail::doc; // NOLINT(google-build-using-namespace): used in the whole file

/// Maximum number of members of an object for which no nodes are prefetched, because the nodes of
/// so few members are close to each other.
constexpr uint32_t few_members = 64;
/// Number of bytes that one prefetch loads.
constexpr uint32_t line = 64;
constexpr uint32_t lines = 4;

class writer : plain_output {
public:
  writer(std::string& out, validated in, const write_options& options) noexcept
      : plain_output(out, in.start, in.size, options), in_(in), end_of_document_(in.start + in.size),
        max_depth_(options.max_depth), non_finite_(options.non_finite),
        is_quick_(FLT_EVAL_METHOD == 0 && rounds_to_nearest()), last_fetched_(in.size - line * lines) {}

  [[nodiscard]] plain_text write(const item& root) {
    if (put(root) && run() && finish()) return plain_text::written;
    return cancelled() ? plain_text::cancelled : plain_text::odd;
  }

private:
  /// A container that has not ended.
  struct open_container {
    const std::byte* cells; ///< null if the node is wide or has a shape
    const std::byte* end;   ///< end of the node
    uint32_t position;      ///< position of the node
    uint32_t next;
    uint32_t count;
    uint32_t ahead; ///< next member to prefetch, if it has a node
    char bracket;   ///< opening bracket
    bool wide_array;
    [[nodiscard]] bool is_object() const noexcept { return bracket == '{'; }
  };
  static constexpr char closing = ']' - '[';
  static_assert('{' - '[' == 32 && '{' + closing == '}');
  /// Reason why writing the elements of a container stopped. `at_end`: the container ended.
  /// `at_container`: the caller must begin an inner container. `in_container`: an inner container
  /// has begun. `for_good`: writing failed.
  enum class stopped : uint8_t { at_end, at_container, in_container, for_good };

  // The innermost container and the output position are local variables, so that the compiler can
  // keep them in registers. As members, they could have the addresses of written characters, so
  // each container would have to wait for the stores of the previous container. Functions called
  // from here use the members `at_` and `top_` instead.

  [[nodiscard]] bool run() {
    if (top_ == open_.data()) return true;
    open_container inner = top_[-1];
    char* to = at_;
    uint32_t not_ascii = 0;
    while (true) {
      const std::byte* value = nullptr;
      stopped why = stopped::for_good;
      if (inner.cells == nullptr) [[unlikely]] {
        at_ = to;
        why = go_on(top_[-1]);
        to = at_;
        value = begun_;
        inner = top_[-1];
        if (why == stopped::in_container) continue;
      } else {
        why = inner.bracket == '{' ? members(inner, to, not_ascii, value)
                                   : elements(inner, to, not_ascii, value);
      }
      if (why == stopped::at_container) [[likely]] {
        if (!begin_inner(inner, to, value)) return false;
        continue;
      }
      if (why == stopped::for_good || !ready(to)) return false;
      to[-1] = static_cast<char>(inner.bracket + closing); // replaces the last comma
      *to = ',';
      if (--top_ == open_.data()) break;
      ++to;
      inner = top_[-1];
    }
    at_ = to;
    not_ascii_ |= not_ascii;
    return true;
  }

  // Each of the functions below writes elements until the container ends, or until an inner
  // container begins. Each requires space for one element.

  [[nodiscard]] INGOT_INLINE stopped members(open_container& inner, char*& to, uint32_t& not_ascii,
                                             const std::byte*& value) {
    while (inner.next != inner.count) {
      const std::byte* const record = inner.end - load<uint16_t>(inner.cells + std::size_t{2} * inner.next);
      const uint32_t hash = load<uint16_t>(inner.cells + std::size_t{2} * (inner.count + inner.next));
      const uint32_t size = key_bytes(hash, record);
      value = record + size;
      ++inner.next;
      if (length_in(hash) != 0) [[likely]] {
        to = key(to, record, size, not_ascii);
      } else if (std::to_integer<uint8_t>(*record) != long_key_mark) {
        to = key(to, record + 1, size - 1, not_ascii);
      } else {
        at_ = to;
        if (!long_key(inner.position, inner.next - 1)) return stopped::for_good;
        to = at_;
        *to++ = ':';
      }
      if (!ready(to)) [[unlikely]]
        return stopped::for_good;
      const auto first = std::to_integer<uint8_t>(*value);
      // Tests the most common kinds first, with as few comparisons as possible.
      if (first >= static_cast<uint8_t>(tag::text)) {
        to = text(to, value, first, not_ascii);
      } else if (first - 1U < static_cast<unsigned>(tag::uint64)) {
        to = integer(to, value, first);
      } else {
        if (is_node(first)) return stopped::at_container;
        to = other(to, value, first);
        if (to == nullptr) [[unlikely]]
          return stopped::for_good;
      }
      *to++ = ',';
    }
    return stopped::at_end;
  }
  [[nodiscard]] INGOT_INLINE stopped elements(open_container& inner, char*& to, uint32_t& not_ascii,
                                              const std::byte*& value) {
    while (inner.next != inner.count) {
      const uint32_t c = load<uint16_t>(inner.cells + std::size_t{2} * inner.next);
      ++inner.next;
      if (!ready(to)) [[unlikely]]
        return stopped::for_good;
      if (c == 0 || c >= cell_bits(false).immediate()) {
        at_ = to;
        if (!put(read_immediate(c, false))) [[unlikely]]
          return stopped::for_good;
        to = at_;
      } else {
        value = inner.end - c;
        const auto first = std::to_integer<uint8_t>(*value);
        if (first >= static_cast<uint8_t>(tag::text)) {
          to = text(to, value, first, not_ascii);
        } else if (first - 1U < static_cast<unsigned>(tag::uint64)) {
          to = integer(to, value, first);
        } else {
          if (is_node(first)) return stopped::at_container;
          to = other(to, value, first);
          if (to == nullptr) [[unlikely]]
            return stopped::for_good;
        }
      }
      *to++ = ',';
    }
    return stopped::at_end;
  }
  [[nodiscard]] static bool is_node(uint8_t first) noexcept {
    return first == static_cast<uint8_t>(tag::object) || first == static_cast<uint8_t>(tag::array);
  }
  // The functions below get no references to the local variables of the loop in `run`. With a
  // reference, a variable would be in memory instead of a register.

  [[nodiscard]] INGOT_NOINLINE stopped go_on(open_container& inner) {
    return inner.wide_array ? wide_elements(inner) : walk_on(inner);
  }
  /// As `elements()`, for a wide array. Most arrays of this size contain containers. If a container
  /// must begin, stores its value in `begun_`.
  [[nodiscard]] INGOT_NOINLINE stopped wide_elements(open_container& inner) {
    const std::byte* const cells = in_.start + inner.position + head_size(node_kind::array, true);
    while (inner.next != inner.count) {
      const uint32_t c = load<uint32_t>(cells + std::size_t{4} * inner.next);
      ++inner.next;
      if (!ready()) return stopped::for_good;
      if (c == 0 || c >= cell_bits(true).immediate()) {
        if (!put(read_immediate(c, true))) return stopped::for_good;
      } else {
        const std::byte* const value = inner.end - c;
        if (is_node(std::to_integer<uint8_t>(*value))) {
          begun_ = value;
          return stopped::at_container;
        }
        uint32_t size = 0;
        if (!put(ingot::detail::doc::read_value(value, c, size))) return stopped::for_good;
      }
      *at_++ = ',';
    }
    return stopped::at_end;
  }
  [[nodiscard]] INGOT_NOINLINE stopped walk_on(open_container& inner) {
    container_walk walk;
    if (!walk.enter(in_, node_at(inner.position, inner.is_object()))) return stopped::for_good;
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
      if (top_ != top) return stopped::in_container;
      *at_++ = ',';
    }
    return stopped::at_end;
  }
  /// Prefetches the nodes of the next members. Members are in the order of the hashes of their
  /// keys, but their nodes are in the order of the source text. So in a large object the next node
  /// is far away.
  INGOT_NOINLINE void fetch_nodes(open_container& inner) const noexcept {
    constexpr uint32_t distance = 4;
    for (const uint32_t until = std::min(inner.count, inner.next + distance); inner.ahead < until;) {
      const std::byte* value = inner.end - load<uint16_t>(inner.cells + std::size_t{2} * inner.ahead);
      value += key_bytes(load<uint16_t>(inner.cells + std::size_t{2} * (inner.count + inner.ahead)), value);
      ++inner.ahead;
      if (!is_node(std::to_integer<uint8_t>(*value))) continue;
      const std::byte* const there = in_.start + load<uint32_t>(value + 1);
      __builtin_prefetch(there);
      if (end_of_document_ - there > 64) __builtin_prefetch(there + 64);
    }
  }
  /// Prefetches bytes after `position`. A document that was read from a text stores its nodes in
  /// the order of the text, except for the order of members. So the next 16 KiB will be needed
  /// soon.
  INGOT_INLINE void fetch_along(uint32_t position) noexcept {
    constexpr uint32_t distance = 16384;
    if (in_.size <= distance) return;
    const uint32_t ahead = fetched_ - position;
    if (ahead >= distance) [[likely]] {
      // `position` is outside of the prefetched range. If `position` is a little before the range,
      // the bytes after `position` were prefetched earlier. If `position` is far away, prefetching
      // restarts there at the next call. It does not restart now, because the next position may be
      // in the old range again.
      if (ahead > 4 * distance) fetched_ = position;
      return;
    }
    const std::byte* const there = in_.start + std::min(fetched_, last_fetched_);
    for (uint32_t i = 0; i != lines; ++i) __builtin_prefetch(there + std::size_t{line} * i);
    fetched_ += line * lines;
  }

  [[nodiscard]] static item node_at(uint32_t position, bool object) noexcept {
    return item::at_node(object ? value_kind::object : value_kind::array, position);
  }
  [[nodiscard]] INGOT_NOINLINE bool long_key(uint32_t position, uint32_t i) {
    node n;
    return find_node(in_, position, n) && string(key_columns(in_, n).text(i));
  }

  /// Makes the container at the position in `value` the innermost container.
  [[nodiscard]] INGOT_INLINE bool begin_inner(open_container& inner, char*& to, const std::byte* value) {
    top_[-1].next = inner.next;
    if (inner.bracket == '{' && inner.count > few_members) [[unlikely]]
      fetch_nodes(top_[-1]);
    if (top_ == last_) [[unlikely]] {
      if (!reserve_space()) return false;
    }
    const auto position = load<uint32_t>(value + 1);
    fetch_along(position);
    const bool object = std::to_integer<uint8_t>(*value) == static_cast<uint8_t>(tag::object);
    *to++ = object ? '{' : '[';
    const std::byte* const at = in_.start + position;
    if (is_narrow(at, object)) [[likely]] {
      inner = narrow(at, position, object);
      *top_++ = inner;
      // The closing bracket replaces the last comma. An empty container has no comma, so one byte
      // is left for the bracket.
      to += inner.count == 0 ? 1 : 0;
      return true;
    }
    at_ = to;
    if (!begin_other(position, object)) return false;
    to = at_;
    inner = top_[-1];
    return true;
  }
  [[nodiscard]] static INGOT_INLINE bool is_narrow(const std::byte* at, bool object) noexcept {
    return std::to_integer<uint8_t>(*at) ==
           static_cast<uint8_t>(object ? node_kind::object : node_kind::array);
  }
  [[nodiscard]] static INGOT_INLINE open_container narrow(const std::byte* at, uint32_t position,
                                                          bool object) noexcept {
    return {at + head_size(node_kind::object, false),
            at + std::size_t{8} * load<uint16_t>(at + 2),
            position,
            0,
            load<uint16_t>(at + 4),
            0,
            object ? '{' : '[',
            false};
  }
  /// Begins the container whose node is at `position`.
  [[nodiscard]] INGOT_NOINLINE bool begin(uint32_t position, bool object) {
    if (top_ == last_ && !reserve_space()) return false;
    *at_++ = object ? '{' : '[';
    const std::byte* const at = in_.start + position;
    if (!is_narrow(at, object)) return begin_other(position, object);
    *top_++ = narrow(at, position, object);
    at_ += top_[-1].count == 0 ? 1 : 0;
    return true;
  }
  [[nodiscard]] INGOT_NOINLINE bool begin_other(uint32_t position, bool object) {
    node n;
    if (!find_node(in_, position, n)) return false;
    if (n.count == 0) ++at_;
    *top_++ = {nullptr, n.end(), position,           0,
               n.count, 0,       object ? '{' : '[', n.wide && n.kind == node_kind::array};
    return true;
  }
  [[nodiscard]] std::size_t depth() const noexcept {
    return top_ == nullptr ? 0 : static_cast<std::size_t>(top_ - open_.data());
  }
  [[nodiscard]] INGOT_NOINLINE bool reserve_space() {
    const std::size_t open = depth();
    if (open >= max_depth_) return false;
    open_.resize(std::min(2 * open + 16, max_depth_));
    top_ = open_.data() + open;
    last_ = open_.data() + open_.size();
    return true;
  }
  /// Begins any container. A container without a node is empty, so this function writes all of it.
  [[nodiscard]] bool begin(const item& of) {
    const bool object = of.kind == value_kind::object;
    if (of.is == item::form::node) return begin(of.position(), object);
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
  [[nodiscard]] INGOT_INLINE char* text(char* to, const std::byte* value, uint8_t first,
                                        uint32_t& not_ascii) {
    return string(to, value + 1, first - static_cast<uint32_t>(tag::text), not_ascii);
  }
  [[nodiscard]] INGOT_INLINE char* integer(char* to, const std::byte* value, uint8_t first) const noexcept {
    if (first >= static_cast<uint8_t>(tag::int64)) {
      // Numbers of 64 bits are as often above 2^63 as below. So this code does not branch on the
      // sign.
      static_assert(static_cast<int>(tag::uint64) == static_cast<int>(tag::int64) + 1);
      // Is -1 (all bits set) for `int64`, and 0 for `uint64`.
      const auto is_signed = static_cast<uint64_t>(std::int64_t{first} - static_cast<int>(tag::uint64));
      const auto n = load<uint64_t>(value + 1);
      const uint64_t negative = uint64_t{0} - (n >> 63 & is_signed);
      *to = '-';
      to += negative & 1;
      return natural(to, (n ^ negative) - negative);
    }
    const std::int64_t n = load_integer(value + 1, first);
    const uint64_t negative = uint64_t{0} - (static_cast<uint64_t>(n) >> 63);
    *to = '-';
    to += negative & 1;
    return natural(to, (static_cast<uint64_t>(n) ^ negative) - negative);
  }
  /// Writes a value that is no text, no node with cells, and no integer whose bytes follow its tag.
  /// Returns null if the value can't be written.
  [[nodiscard]] INGOT_INLINE char* other(char* to, const std::byte* value, uint8_t first) {
    if (first == static_cast<uint8_t>(tag::real32))
      return real(to, static_cast<double>(load<float>(value + 1)));
    if (first == static_cast<uint8_t>(tag::real64)) return real(to, load<double>(value + 1));
    if (first >= static_cast<uint8_t>(tag::small_integer)) return put_integer(to, read_integer(value));
    uint32_t size = 0;
    at_ = to;
    const item any =
        ingot::detail::doc::read_value(value, static_cast<uint32_t>(end_of_document_ - value), size);
    return put(any) ? at_ : nullptr;
  }

  template <std::size_t N>
  void word(const char (&text)[N]) noexcept {
    std::memcpy(at_, text, N - 1);
    at_ += N - 1;
  }
  [[nodiscard]] INGOT_INLINE char* natural(char* to, uint64_t n) const noexcept {
    return has_ifma_ ? put_natural_ifma(to, n) : put_natural(to, n);
  }
  /// Writes a double with a point or an exponent. A number without a point or an exponent would be
  /// read as an integer.
  [[nodiscard]] INGOT_INLINE char* real(char* to, double d) noexcept {
    if (is_quick_) [[likely]] {
      constexpr auto whole = whole_number::with_point;
      char* const end =
          has_ifma_ ? put_everyday_real<whole, sixteen_digits_ifma>(to, d) : put_everyday_real<whole>(to, d);
      if (end != nullptr) [[likely]]
        return end;
    }
    return other_real(to, d);
  }
  [[nodiscard]] INGOT_NOINLINE char* other_real(char* to, double d) noexcept {
    if (!ingot::detail::is_finite(d)) return no_number(to, d);
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
    else if (ingot::detail::is_nan(d)) word("\"NaN\"");
    else if (!ingot::detail::is_negative(d)) word("\"Infinity\"");
    else word("\"-Infinity\"");
    return at_;
  }

  validated in_;
  const std::byte* end_of_document_;
  std::size_t max_depth_;
  json::non_finite non_finite_;
  bool is_quick_; ///< true if `put_everyday_real` may be used
  const bool has_ifma_ = has_ifma();
  uint32_t fetched_ = 0;  ///< end of the memory already prefetched
  uint32_t last_fetched_; ///< last position after which a whole step can be prefetched
  std::vector<open_container> open_;
  open_container* top_ = nullptr; ///< points after the innermost open container
  open_container* last_ = nullptr;
  const std::byte* begun_ = nullptr; ///< value in a wide array: the container that begins next
};

} // namespace plain

plain_text write_plain(std::string& out, ingot::detail::doc::validated in,
                       const ingot::detail::doc::item& root, const write_options& options) {
  return plain::writer(out, in, options).write(root);
}

}}} // namespace ingot::INGOT_V1::json::detail
