// SPDX-License-Identifier: Apache-2.0
// Converts tokens to nodes. The values of a container are written when the container ends. Until
// then, the values stay in the text, and the reader only adds up the bytes that they need in the
// container's node. So a container is written once, from its last element to its first element.
#include "plain_reader.hpp"

#include <ingot/core/detail/float_tests.hpp>
#include <ingot/document/detail/make_node.hpp>
#include <ingot/document/detail/nodes.hpp>
#include <ingot/document/key_order.hpp>

#include "escape.hpp"
#include "key_paths.hpp"
#include "number.hpp"
#include "pending_value_stack.hpp"
#include "prepared_memory.hpp"
#include "rounding.hpp"

#include <algorithm>
#include <array>
#include <cfloat>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>

namespace ingot { inline namespace INGOT_V1 { namespace json::detail {

namespace plain {

class reader : waiting_values {
public:
  reader(text_reader& from, core& to, std::size_t levels, memory_allowance& within) noexcept
      : waiting_values(from.text_, from.size_, within), in_(to), memory_(to, from.size_), from_(from),
        at_(from.at_), last_(from.last_), poll_at_(from.poll_at_),
        max_depth_(std::min<std::size_t>(levels, from.options_.max_depth)), open_({&within}),
        order_({&within}) {}
  reader(const reader&) = delete;
  reader& operator=(const reader&) = delete;
  ~reader() {
    for (std::size_t i = 0; i < count_; ++i) release_owned(in_, item_of(values_[i]));
  }

  /// Reads the value of the whole text and passes it to `to`. `to` then owns the value.
  [[nodiscard]] plain_reading read(document_events& to) {
    if (!reserve_space() || !paths_.start() || !run() || at_ != last_ || count_ != 1) return not_read();
    if (!event_access::put(to, item_of(values_[0]))) return not_read();
    count_ = 0;
    from_.at_ = at_;
    return plain_reading::read;
  }

private:
  struct open_container {
    std::size_t first; ///< position of the container's values in `values_`
    std::size_t aside; ///< beginning of the container's bytes in `aside_`
    uint64_t heap;     ///< size of the container's values in the heap
    uint64_t wide_heap;
    key_paths::node_id path;
    uint32_t generation; ///< generation of `path`
    bool object;
    bool odd; ///< true if the object has keys that are too long for a heap
  };

  [[nodiscard]] plain_reading not_read() const noexcept {
    if (from_.error_.code() == errc::cancelled) return plain_reading::cancelled;
    from_.back_to(from_.here()); // the slow path reports progress from the beginning
    return plain_reading::odd;
  }
  [[nodiscard]] INGOT_NOINLINE bool tell() {
    if (at_ == last_ || !from_.tell(at_)) return false;
    poll_at_ = from_.poll_at_;
    return true;
  }

  [[nodiscard]] bool run() {
    while (true) {
      if (at_ == last_) return false;
      switch (text_[*at_]) {
      case '{':
      case '[': {
        const bool object = text_[*at_++] == '{';
        if (!begin(object) || at_ == last_) return false;
        if (text_[*at_] != (object ? '}' : ']')) {
          if (object && !key()) return false;
          continue;
        }
        ++at_;
        if (!end()) return false;
        break;
      }
      case '"':
        if (!string()) return false;
        break;
      case 't':
      case 'f':
      case 'n':
        if (!word()) return false;
        break;
      default:
        if (!number()) return false;
      }
      while (true) { // each iteration begins after the end of a value
        if (open_.empty()) return true;
        if (at_ >= poll_at_ && !tell()) [[unlikely]]
          return false;
        const char next = text_[*at_];
        if (next == ',') [[likely]] {
          ++at_;
          if (here_.object && !key()) return false;
          break;
        }
        if (next != (here_.object ? '}' : ']')) return false;
        ++at_;
        if (!end()) return false;
      }
    }
  }

  [[nodiscard]] bool begin(bool object) noexcept {
    if (open_.size() >= max_depth_ || !open_.push(here_)) return false;
    if (here_.object) { // the key stays in `values_`, with a null, until the container ends
      slot().is = item::form::plain;
      slot().kind = value_kind::null;
      if (++count_ == capacity_ && !reserve_space()) return false;
    }
    // A text has only one outermost object. So the keys of this object don't repeat, and aren't
    // stored.
    const key_paths::node_id path = open_.size() == 1 ? key_paths::nowhere : key_paths::root;
    here_ = {count_, aside_.size(), 0, 0, path, paths_.generation(), object, false};
    return true;
  }

  /// Returns the position after the closing quote of the string before the token at `end`. Skips
  /// spaces.
  [[nodiscard]] INGOT_NOINLINE std::size_t before_spaces(std::size_t end) const noexcept {
    while (text_[end - 1] != '"') --end;
    return end;
  }
  /// Appends the unescaped text to `aside_`, the buffer for bytes that differ from the text.
  [[nodiscard]] bool unescape(std::string_view raw, std::size_t& at, std::size_t& length) {
    at = aside_.size();
    if (detail::unescape(raw, &aside_) != nullptr || aside_.size() > max_bytes) return false;
    length = aside_.size() - at;
    return true;
  }

  [[nodiscard]] INGOT_INLINE bool key() {
    const std::uint32_t* const at = at_;
    // At least three tokens must follow: the key, the colon, and a token of the value.
    if (last_ - at < 3 || text_[at[0]] != '"' || text_[at[1]] != ':') return false;
    at_ = at + 2;
    const std::size_t open = at[0];
    std::size_t end = at[1];
    if (text_[end - 1] != '"') [[unlikely]]
      end = before_spaces(end);
    const std::size_t length = end - open - 2;
    pending& to = slot();
    const std::size_t readable = size_ - open - 1;
    to.key_aside = false;
    to.key_at = static_cast<uint32_t>(open + 1);
    if (here_.generation == paths_.generation()) [[likely]] {
      // The stored paths contain only keys without escapes, so a key that is found has no escapes.
      // If the object's path is `nowhere`, nothing is found, because `nowhere` has no children.
      const key_paths::node_id next = paths_.find(here_.path, text_ + open + 1, length, readable);
      if (next != key_paths::nowhere) [[likely]] {
        here_.path = next;
        to.key_length = static_cast<uint32_t>(length);
        to.hash = paths_.hash(next);
        return true;
      }
    }
    return other_key(open, length, readable);
  }
  [[nodiscard]] INGOT_NOINLINE bool other_key(std::size_t open, std::size_t length, std::size_t readable) {
    pending& to = slot();
    const char* text = text_ + open + 1;
    if (has_escape({text, length}, readable)) {
      std::size_t at = 0;
      if (!unescape({text, length}, at, length)) return false;
      to.key_aside = true;
      to.key_at = static_cast<uint32_t>(at);
      text = aside_.data() + at;
      here_.path = key_paths::nowhere;
    } else if (here_.path != key_paths::nowhere) {
      here_.path = length <= key_paths::longest_key && here_.generation == paths_.generation()
                       ? paths_.add(here_.path, text, length)
                       : key_paths::nowhere;
    }
    if (length > max_bytes) return false;
    here_.odd = here_.odd || length > short_key;
    to.key_length = static_cast<uint32_t>(length);
    to.hash = hash_key({text, length});
    return true;
  }

  /// Adds a value to the innermost container; if there is none, the value is the root. Stores
  /// `number` instead of the item's number.
  [[nodiscard]] INGOT_INLINE bool add(const item& value, uint64_t number, bool is_aside = false) noexcept {
    pending& to = slot();
    to.number = number;
    to.length = value.length;
    to.head = 0;
    to.kind = value.kind;
    to.is = value.is;
    to.shift = value.shift;
    to.is_aside = is_aside;
    if (here_.object) {
      to.size = value_size(value);
      here_.heap += short_key_bytes(to.hash, to.key_length) + to.size;
    } else {
      to.key_at = immediate_cell(value, false);
      to.size = to.key_at != 0 || value.kind == value_kind::null ? 0 : value_size(value);
      here_.heap += to.size;
      here_.wide_heap += cell_heap_size(value, true);
    }
    return ++count_ != capacity_ || reserve_space();
  }
  [[nodiscard]] INGOT_NOINLINE bool add(const item& value) noexcept { return add(value, value.number); }
  /// Adds a value that a node stores as the byte `head` and a number.
  [[nodiscard]] INGOT_INLINE bool add(const item& value, uint8_t head, uint32_t size) noexcept {
    if (!here_.object || !ingot::detail::little_endian) return add(value);
    pending& to = slot();
    to.number = value.number;
    to.length = 0;
    to.size = size;
    to.head = head;
    to.kind = value.kind;
    to.is = value.is;
    to.shift = 0;
    to.is_aside = false;
    here_.heap += short_key_bytes(to.hash, to.key_length) + size;
    return ++count_ != capacity_ || reserve_space();
  }
  [[nodiscard]] INGOT_INLINE bool add_integer(std::int64_t n) noexcept {
    if (is_small(n))
      return add(item::of(n), static_cast<uint8_t>(static_cast<int>(tag::small_integer) + (n - min_small)),
                 1);
    const unsigned bytes = integer_bytes(n);
    return add(item::of(n), static_cast<uint8_t>(bytes), 1 + bytes);
  }
  [[nodiscard]] INGOT_INLINE bool add_real(double d) noexcept {
    const item value = item::of(d);
    return is_float(value.number) ? add(value) : add(value, static_cast<uint8_t>(tag::real64), 9);
  }

  [[nodiscard]] INGOT_INLINE bool string() {
    const std::size_t open = *at_++;
    std::size_t end = at_ == last_ ? size_ : *at_;
    if (text_[end - 1] != '"') [[unlikely]]
      end = before_spaces(end);
    const std::size_t length = end - open - 2;
    const char* const text = text_ + open + 1;
    if (has_escape({text, length}, size_ - open - 1)) [[unlikely]]
      return escaped({text, length});
    if (length > short_text) [[unlikely]]
      return blob({text, length});
    return add(item::text(value_kind::text, text, static_cast<uint32_t>(length)), open + 1);
  }
  [[nodiscard]] INGOT_NOINLINE bool escaped(std::string_view raw) {
    std::size_t at = 0;
    std::size_t length = 0;
    if (!unescape(raw, at, length)) return false;
    if (length <= short_text)
      return add(item::text(value_kind::text, aside_.data() + at, static_cast<uint32_t>(length)), at, true);
    const bool stored = blob({aside_.data() + at, length});
    aside_.resize(at);
    return stored;
  }
  [[nodiscard]] INGOT_NOINLINE bool blob(std::string_view text) {
    const uint32_t position = make_blob(in_, text.data(), text.size());
    return position != 0 && add(item::at_node(value_kind::text, position, true));
  }

  [[nodiscard]] INGOT_INLINE bool number() {
    const char* const first = text_ + *at_;
    const char* const limit = text_ + size_;
    const bool negative = *first == '-';
    const char* const whole = first + (negative ? 1 : 0);
    uint64_t value = 0;
    const char* end = take_digits(whole, limit, value);
    const auto digits = end - whole;
    if (digits == 0 || (*whole == '0' && digits != 1)) return false;
    if (ends_scalar(*end)) {
      constexpr uint64_t lowest = uint64_t{1} << 63;
      // -0 is a double. An integer beyond 64 bits is also a double, if the options allow this.
      if (!fits_64_bits(whole, end, value) || (negative && (value == 0 || value > lowest))) [[unlikely]]
        return other_number(first);
      ++at_;
      if (!negative && value >= lowest) return add(item::of(value), static_cast<uint8_t>(tag::uint64), 9);
      return add_integer(static_cast<std::int64_t>(negative ? uint64_t{0} - value : value));
    }
    if (*end != '.') return other_number(first);
    const char* const point = end;
    end = take_digits(point + 1, limit, value);
    const auto decimals = end - point - 1;
    if (decimals == 0 || decimals > 22 || digits + decimals > 19 || value > uint64_t{1} << 53 ||
        !ends_scalar(*end) || FLT_EVAL_METHOD != 0 || !rounds_to_nearest())
      return other_number(first);
    // Both operands are exact, so the quotient is rounded only once.
    const double size =
        static_cast<double>(value) / ingot::detail::rounded_if_fast(exact_powers_of_ten[decimals]);
    ++at_;
    return add_real(ingot::detail::with_sign(size, negative));
  }
  [[nodiscard]] INGOT_NOINLINE bool other_number(const char* first) {
    const char* const limit = text_ + size_;
    const number_text parts = scan_number(first, limit);
    double value = 0;
    if (parts.end == nullptr || !real_value(first, parts, value)) return false;
    const integer_text whole = parse_integer(first, limit);
    const bool beyond = whole.status == number_status::too_big ||
                        (whole.status == number_status::good && whole.magnitude != 0);
    if (beyond && from_.options_.large_integers == large_integers::error) return false;
    ++at_;
    return add(item::of(value));
  }
  [[nodiscard]] INGOT_INLINE bool word() noexcept {
    const char* const first = text_ + *at_;
    if (size_ - *at_ < 6) [[unlikely]]
      return last_word();
    const bool is_false = std::memcmp(first, "false", 5) == 0;
    if (!ends_scalar(first[is_false ? 5 : 4])) return false;
    ++at_;
    if (is_false) return add(item::of(false), static_cast<uint8_t>(tag::no), 1);
    if (std::memcmp(first, "null", 4) == 0) return add(item::null(), static_cast<uint8_t>(tag::null), 1);
    return std::memcmp(first, "true", 4) == 0 && add(item::of(true), static_cast<uint8_t>(tag::yes), 1);
  }
  /// As `word`, for the end of the text.
  [[nodiscard]] INGOT_NOINLINE bool last_word() noexcept {
    const std::string_view rest(text_ + *at_, size_ - *at_);
    const auto is = [&](std::string_view name) {
      return rest.starts_with(name) && (rest.size() == name.size() || ends_scalar(rest[name.size()]));
    };
    ++at_;
    if (is("true")) return add(item::of(true));
    if (is("false")) return add(item::of(false));
    return is("null") && add(item::null());
  }

  [[nodiscard]] INGOT_INLINE bool end() {
    std::array<std::byte, packed_bytes + 2> storage;
    const std::size_t first = here_.first;
    const auto count = static_cast<uint32_t>(count_ - first);
    if (count_ - first > max_bytes / 4) return false;
    item container = item::of(here_.object ? value_kind::object : value_kind::array, 0);
    bool packed = false;
    if (count != 0) {
      uint32_t position = 0;
      if (here_.object) {
        position = make_object(first, count);
      } else {
        packed = pack(first, count, storage, container);
        if (!packed) position = make_array(first, count);
      }
      if (!packed) {
        if (position == 0) return false;
        container = item::at_node(container.kind, position);
      }
    }
    count_ = first;
    aside_.resize(here_.aside);
    here_ = open_.pop();
    if (here_.object) --count_; // removes the key from `values_`
    if (!packed) {
      if (container.is == item::form::plain) return add(container);
      return add(container,
                 static_cast<uint8_t>(container.kind == value_kind::object ? tag::object : tag::array), 5);
    }
    const std::size_t at = aside_.size();
    aside_.append(reinterpret_cast<const char*>(storage.data()),
                  std::size_t{container.length} << container.shift);
    return add(container, at, true);
  }

  /// Packs the integers of an array if the canonical form of this array is packed. Otherwise
  /// returns false.
  [[nodiscard]] INGOT_INLINE bool pack(std::size_t first, uint32_t count,
                                       std::array<std::byte, packed_bytes + 2>& storage,
                                       item& packed_item) const noexcept {
    if (count > packed_bytes) return false;
    std::int64_t smallest = 0;
    std::int64_t largest = 0;
    for (uint32_t i = 0; i < count; ++i) {
      const pending& each = values_[first + i];
      if (each.kind != value_kind::integer) return false;
      smallest = std::min(smallest, static_cast<std::int64_t>(each.number));
      largest = std::max(largest, static_cast<std::int64_t>(each.number));
    }
    const uint8_t shift = packed_shift(smallest, largest);
    if (count << shift > packed_bytes) return false;
    for (uint32_t i = 0; i < count; ++i)
      store_packed(storage.data() + (std::size_t{i} << shift),
                   static_cast<std::int64_t>(values_[first + i].number), shift);
    packed_item = item::text(value_kind::array, storage.data(), count);
    packed_item.is = item::form::packed;
    packed_item.shift = shift;
    return true;
  }

  /// Prepares memory for a node of `bytes`.
  INGOT_INLINE void prepare(uint64_t bytes) noexcept {
    if (memory_.ends_before(bytes)) [[unlikely]]
      memory_.prepare(bytes, at_ == last_ ? 0 : size_ - *at_);
  }
  [[nodiscard]] uint32_t make_array(std::size_t first, uint32_t count) noexcept {
    if (canonically_wide(node_kind::array, count, here_.heap, here_.wide_heap))
      return make_plain_node(in_, node_kind::array, count,
                             [&](uint32_t i) { return item_of(values_[first + i]); });
    uint64_t bytes = node_size(columns_size(node_kind::array, false, count) + here_.heap);
    prepare(bytes);
    const uint32_t position = in_.allocate(bytes);
    if (position == 0) return 0;
    std::byte* const start = in_.start() + position;
    auto left = static_cast<uint32_t>(here_.heap);
    write_head(start, node_kind::array, false, static_cast<uint32_t>(bytes), count, left);
    std::byte* const cells = start + head_size(node_kind::array, false);
    const std::byte* const end = start + bytes;
    std::byte* to = start + bytes - left;
    for (uint32_t i = count; i-- != 0;) {
      const pending& each = values_[first + i];
      store(cells + std::size_t{2} * i, static_cast<uint16_t>(each.size != 0 ? left : each.key_at));
      if (each.size == 0) continue;
      put(to, end, each);
      to += each.size;
      left -= each.size;
    }
    return position;
  }

  [[nodiscard]] uint32_t make_object(std::size_t first, uint32_t count) {
    if (here_.path != key_paths::nowhere && here_.generation == paths_.generation()) [[likely]] {
      const std::uint8_t* const order = paths_.order(here_.path);
      return order == nullptr ? 0 : make_object(first, count, order);
    }
    order_.clear();
    uint64_t* const order = order_.extend(count);
    if (order == nullptr) return 0;
    for (uint32_t i = 0; i < count; ++i) order[i] = ordered(values_[first + i].hash, i);
    if (count >= ingot::detail::progress_poll::often && from_.options_.progress) [[unlikely]]
      return make_polling(first, count, order);
    const key_order_result sorted = sort_keys(
        order, count, [&](uint32_t i) { return key_of(values_[first + i]); }, key_policy::error,
        [](uint32_t) {});
    return sorted.repeated != npos ? 0 : make_object(first, count, order);
  }
  /// Creates an object with so many members that sorting them must poll for cancellation.
  [[nodiscard]] INGOT_COLD uint32_t make_polling(std::size_t first, uint32_t count, uint64_t* order) {
    const text_reader::listener ask{&from_, at_ - 1};
    ingot::detail::listener_poll each(ask);
    const key_order_result sorted = sort_keys(
        order, count, [&](uint32_t i) { return key_of(values_[first + i]); }, key_policy::error,
        [](uint32_t) {}, each);
    uint32_t created = 0;
    if (!each.stopped() && sorted.repeated == npos)
      created =
          is_narrow(count) ? make_object(first, count, order) : make_large_object(first, count, order, each);
    each.rethrow();
    return created;
  }
  [[nodiscard]] bool is_narrow(uint32_t count) const noexcept {
    return !here_.odd && fits_narrow(count, here_.heap);
  }
  template <class Order>
  [[nodiscard]] uint32_t make_large_object(std::size_t first, uint32_t count, const Order* order,
                                           ingot::detail::progress_poll& each) noexcept {
    const auto member = [&](uint32_t i) -> const pending& {
      return values_[first + static_cast<uint32_t>(order[i])];
    };
    return make_keyed_node(
        in_, node_kind::object, count,
        [&](uint32_t i) { return hashed_key{key_of(member(i)), member(i).hash}; },
        [&](uint32_t, const hashed_key& key) { return make_long_key(in_, key.text); },
        [&](uint32_t i) { return item_of(member(i)); }, each);
  }
  template <class Order>
  [[nodiscard]] INGOT_INLINE uint32_t make_object(std::size_t first, uint32_t count,
                                                  const Order* order) noexcept {
    const auto member = [&](uint32_t i) -> const pending& {
      return values_[first + static_cast<uint32_t>(order[i])];
    };
    if (!is_narrow(count)) [[unlikely]] {
      ingot::detail::progress_poll no_callback;
      return make_large_object(first, count, order, no_callback);
    }
    uint64_t bytes = node_size(columns_size(node_kind::object, false, count) + here_.heap);
    prepare(bytes);
    const uint32_t position = in_.allocate(bytes);
    if (position == 0) return 0;
    std::byte* const start = in_.start() + position;
    auto left = static_cast<uint32_t>(here_.heap);
    write_head(start, node_kind::object, false, static_cast<uint32_t>(bytes), count, left);
    std::byte* const cells = start + head_size(node_kind::object, false);
    std::byte* const hashes = cells + std::size_t{2} * count;
    const std::byte* const end = start + bytes;
    std::byte* to = start + bytes - left;
    for (uint32_t i = count; i-- != 0;) {
      const pending& each = member(i);
      store(cells + std::size_t{2} * i, static_cast<uint16_t>(left));
      store(hashes + std::size_t{2} * i, each.hash);
      if (length_in(each.hash) == 0) [[unlikely]]
        *to++ = static_cast<std::byte>(each.key_length + 1);
      copy(to, end, each.key_at, each.key_aside, each.key_length);
      to += each.key_length;
      put(to, end, each);
      to += each.size;
      left -= short_key_bytes(each.hash, each.key_length) + each.size;
    }
    return position;
  }
  core& in_;
  prepared_memory memory_;
  text_reader& from_;
  const std::uint32_t* at_;
  const std::uint32_t* last_;
  const std::uint32_t* poll_at_; ///< token at which progress is reported next
  std::size_t max_depth_;        ///< minimum of two limits: of the options and of the receiver
  /// Innermost open container; unused for the root.
  open_container here_{0, 0, 0, 0, key_paths::nowhere, 0, false, false};
  plain_list<open_container, counted_growth> open_; ///< containers around `here_`
  plain_list<uint64_t, counted_growth> order_;
  key_paths paths_;
};

} // namespace plain

plain_reading read_plain(text_reader& from, document_events& to) {
  using events = ingot::detail::doc::event_access;
  return plain::reader(from, events::core_of(to), events::levels_left(to), events::allowance_of(to)).read(to);
}

}}} // namespace ingot::INGOT_V1::json::detail
