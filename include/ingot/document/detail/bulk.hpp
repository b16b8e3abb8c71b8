// SPDX-License-Identifier: Apache-2.0
// Makes a container in one step from values that were gathered before. Keys are sorted once, and
// the node has its exact size and the canonical form inside. The nodes of its elements exist
// already, so they are stored before it.
#pragma once

#include <ingot/core/detail/light_standard.hpp>
#include <ingot/document/detail/make_node.hpp>
#include <ingot/document/detail/tree.hpp>
#include <ingot/document/key_order.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>

namespace ingot { inline namespace INGOT_V1 { namespace detail::doc {

/// A value whose container is not complete. Its text and its key are in the bytes of
/// `pending_values`.
struct pending_value {
  uint64_t number = 0; ///< as in an item; for text and packed arrays the start of their bytes
  uint32_t length = 0;
  uint32_t key_at = 0;
  uint32_t key_length = 0;
  uint16_t hash = 0;
  value_kind kind = value_kind::absent; ///< absent: there is only the key
  item::form is : 4 = item::form::plain;
  uint8_t shift : 4 = 0;
};

/// Values of containers that are not complete. Values of an inner container follow those of the
/// outer one.
class pending_values {
public:
  pending_values() = default;
  /// The three lists below share the memory limit `within`.
  explicit pending_values(memory_allowance& within) noexcept
      : values_({&within}), bytes_({&within}), order_({&within}) {}
  pending_values(const pending_values&) = delete;
  pending_values& operator=(const pending_values&) = delete;

  [[nodiscard]] std::size_t size() const noexcept { return values_.size(); }
  [[nodiscard]] std::size_t bytes() const noexcept { return bytes_.size(); }
  [[nodiscard]] pending_value& back() noexcept { return values_[values_.size() - 1]; }
  [[nodiscard]] const pending_value& operator[](std::size_t i) const noexcept { return values_[i]; }

  /// Appends a value without a key; `push_key` appends a key whose value is still absent. Both
  /// return false without memory.
  [[nodiscard]] INGOT_INLINE bool push(const item& value) noexcept {
    pending_value made;
    return keep(value, made) && values_.push(made);
  }
  [[nodiscard]] INGOT_INLINE bool push_key(const document_key& key) noexcept {
    pending_value made;
    made.hash = key.hash();
    const auto text = key.text();
    return keep(text.data(), text.size(), made.key_at) &&
           (made.key_length = static_cast<uint32_t>(text.size()), values_.push(made));
  }
  /// Sets the value of the key that was appended last.
  [[nodiscard]] INGOT_INLINE bool set_back(const item& value) noexcept { return keep(value, back()); }

  [[nodiscard]] item value(std::size_t i) const noexcept { return item_of(values_[i]); }
  [[nodiscard]] std::string_view key(std::size_t i) const noexcept { return key_of(values_[i]); }

  /// Removes the values from `first` on, and releases what they own.
  void drop(core& in, std::size_t first, std::size_t bytes) noexcept {
    for (std::size_t i = first; i < values_.size(); ++i) release_owned(in, item_of(values_[i]));
    forget(first, bytes);
  }
  void forget(std::size_t first, std::size_t bytes) noexcept {
    values_.truncate(first);
    bytes_.truncate(bytes);
  }

  /// Makes a container of the values from `first` on and gives it what they own. The values stay in
  /// the list until `forget`. An array is packed into `room` if possible. `repeated` becomes the
  /// number of the first member with a repeated key, or npos. Then the outcome is `exists`, unless
  /// the policy says which member counts. O(n log n). Returns `no_space` also if cancelled.
  [[nodiscard]] outcome make(core& in, value_kind kind, std::size_t first, key_policy policy,
                             std::array<std::byte, packed_bytes + 2>& room, item& made, uint32_t& repeated,
                             progress_poll& each) noexcept {
    repeated = npos;
    if (kind == value_kind::array) return make_array(in, first, room, made);
    const std::size_t count = values_.size() - first;
    made = item::of(kind, 0);
    if (count == 0) return outcome::done;
    if (count > max_bytes / 4) return outcome::no_space;
    order_.clear();
    uint64_t* const order = order_.extend(count);
    if (order == nullptr) return outcome::no_space;
    for (std::size_t i = 0; i < count; ++i) order[i] = ordered(values_[first + i].hash, i);
    const auto key_at = [&](uint32_t i) { return key_of(values_[first + i]); };
    const auto drop_one = [&](uint32_t dropped) {
      pending_value& lost = values_[first + dropped];
      release_owned(in, item_of(lost));
      lost.kind = value_kind::null; // so that a later drop releases nothing twice
      lost.is = item::form::plain;
    };
    const key_order_result sorted =
        sort_keys(order, static_cast<uint32_t>(count), key_at, policy, drop_one, each);
    if (each.stopped()) return outcome::no_space;
    repeated = sorted.repeated;
    if (repeated != npos && policy == key_policy::error) return outcome::exists;
    order_.truncate(sorted.count);
    return finish(make_object(in, first, each), kind, made);
  }
  /// Makes an array as `make` does.
  [[nodiscard]] outcome make_array(core& in, std::size_t first, std::array<std::byte, packed_bytes + 2>& room,
                                   item& made) const noexcept {
    const std::size_t count = values_.size() - first;
    made = item::of(value_kind::array, 0);
    if (count == 0 || pack(first, room, made)) return outcome::done;
    if (count > max_bytes / 4) return outcome::no_space;
    const uint32_t place = make_plain_node(in, node_kind::array, static_cast<uint32_t>(count),
                                           [&](uint32_t i) { return item_of(values_[first + i]); });
    return finish(place, value_kind::array, made);
  }

private:
  [[nodiscard]] static outcome finish(uint32_t place, value_kind kind, item& made) noexcept {
    made = item::container(kind, place);
    return place != 0 ? outcome::done : outcome::no_space;
  }
  [[nodiscard]] std::string_view key_of(const pending_value& of) const noexcept {
    if (of.key_length == 0) return {};
    return {reinterpret_cast<const char*>(&bytes_[of.key_at]), of.key_length};
  }
  [[nodiscard]] INGOT_INLINE item item_of(const pending_value& from) const noexcept {
    item made = item::of(from.kind, from.number);
    made.is = from.is;
    made.shift = from.shift;
    made.length = from.length;
    if (from.is == item::form::packed || has_text(from.kind, from.is)) {
      static constexpr std::byte nothing{};
      made.bytes = from.length == 0 ? &nothing : &bytes_[static_cast<std::size_t>(from.number)];
      made.number = 0;
    }
    return made;
  }
  [[nodiscard]] static bool has_text(value_kind kind, item::form is) noexcept {
    return is == item::form::plain && (kind == value_kind::text || kind == value_kind::binary);
  }
  /// Keeps bytes of pending values and keys, up to the maximum size of a document.
  [[nodiscard]] INGOT_INLINE bool keep(const void* data, std::size_t size, uint32_t& at) noexcept {
    if (size > max_bytes - bytes_.size()) return false;
    at = static_cast<uint32_t>(bytes_.size());
    if (size == 0) return true;
    std::byte* const to = bytes_.extend(size);
    if (to == nullptr) return false;
    std::memcpy(to, data, size);
    return true;
  }
  [[nodiscard]] INGOT_INLINE bool keep(const item& value, pending_value& to) noexcept {
    uint64_t number = value.number;
    if (value.is == item::form::packed || has_text(value.kind, value.is)) {
      uint32_t at = 0;
      if (!keep(value.bytes, std::size_t{value.length} << value.shift, at)) return false;
      number = at;
    }
    to.number = number;
    to.length = value.length;
    to.kind = value.kind;
    to.is = value.is;
    to.shift = static_cast<uint8_t>(value.shift & 3U);
    return true;
  }
  /// Packs the integers from `first` on as the canonical form does. Returns false if it does not
  /// pack them.
  [[nodiscard]] bool pack(std::size_t first, std::array<std::byte, packed_bytes + 2>& room,
                          item& made) const noexcept {
    const std::size_t count = values_.size() - first;
    if (count > packed_bytes) return false;
    std::int64_t least = 0;
    std::int64_t most = 0;
    for (std::size_t i = first; i < values_.size(); ++i) {
      if (values_[i].kind != value_kind::integer) return false;
      const auto n = static_cast<std::int64_t>(values_[i].number);
      least = std::min(least, n);
      most = std::max(most, n);
    }
    const uint8_t shift = packed_shift(least, most);
    if (count << shift > packed_bytes) return false;
    for (std::size_t i = 0; i < count; ++i)
      store_packed(room.data() + (i << shift), static_cast<std::int64_t>(values_[first + i].number), shift);
    made = item::text(value_kind::array, room.data(), static_cast<uint32_t>(count));
    made.is = item::form::packed;
    made.shift = shift;
    return true;
  }

  [[nodiscard]] uint32_t make_object(core& in, std::size_t first, progress_poll& each) noexcept {
    const auto member = [&](uint32_t i) -> const pending_value& {
      return values_[first + static_cast<uint32_t>(order_[i])];
    };
    return make_keyed_node(
        in, node_kind::object, static_cast<uint32_t>(order_.size()),
        [&](uint32_t i) { return hashed_key{key_of(member(i)), member(i).hash}; },
        [&](uint32_t, const hashed_key& key) { return make_long_key(in, key.text); },
        [&](uint32_t i) { return item_of(member(i)); }, each);
  }

  plain_list<pending_value, counted_growth> values_;
  plain_list<std::byte, counted_growth> bytes_;
  plain_list<uint64_t, counted_growth> order_;
};

}}} // namespace ingot::INGOT_V1::detail::doc
