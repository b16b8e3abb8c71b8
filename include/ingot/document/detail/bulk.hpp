// SPDX-License-Identifier: Apache-2.0
// Makes a container in one step from collected values. The keys are sorted once. The node has
// exactly the size that it needs, and its contents have the canonical form. The nodes of its
// elements already exist.
#pragma once

#include <ingot/core/detail/light_standard.hpp>
#include <ingot/document/detail/core.hpp>
#include <ingot/document/detail/tree.hpp>
#include <ingot/document/key_policy.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>

namespace ingot { inline namespace INGOT_V1 { namespace detail::doc {

/// A value whose container is not complete. Its text and its key are stored in `pending_values`.
struct pending_value {
  uint64_t number = 0; ///< as in an item; for text and packed arrays, the position of the bytes
  uint32_t length = 0;
  uint32_t key_at = 0;
  uint32_t key_length = 0;
  uint16_t hash = 0;
  value_kind kind = value_kind::absent; ///< absent: only the key is known
  item::form is : 4 = item::form::plain;
  uint8_t shift : 4 = 0;
};

/// Values of containers that are not complete. The values of an inner container come after the
/// values of the outer container.
class pending_values {
public:
  pending_values() = default;
  /// The three lists of this object share the memory limit `within`.
  explicit pending_values(memory_allowance& within) noexcept
      : values_({&within}), bytes_({&within}), order_({&within}) {}
  pending_values(const pending_values&) = delete;
  pending_values& operator=(const pending_values&) = delete;

  [[nodiscard]] std::size_t size() const noexcept { return values_.size(); }
  [[nodiscard]] std::size_t bytes() const noexcept { return bytes_.size(); }
  [[nodiscard]] pending_value& back() noexcept { return values_[values_.size() - 1]; }
  [[nodiscard]] const pending_value& operator[](std::size_t i) const noexcept { return values_[i]; }

  /// Appends a value without a key. `push_key` appends a key whose value is still absent. Both
  /// return false if there is no memory.
  [[nodiscard]] INGOT_INLINE bool push(const item& value) noexcept {
    pending_value entry;
    return keep(value, entry) && values_.push(entry);
  }
  [[nodiscard]] INGOT_INLINE bool push_key(const document_key& key) noexcept {
    pending_value entry;
    entry.hash = key.hash();
    const auto text = key.text();
    return keep(text.data(), text.size(), entry.key_at) &&
           (entry.key_length = static_cast<uint32_t>(text.size()), values_.push(entry));
  }
  /// Sets the value for the key that was appended last.
  [[nodiscard]] INGOT_INLINE bool set_back(const item& value) noexcept { return keep(value, back()); }

  [[nodiscard]] item value(std::size_t i) const noexcept { return item_of(values_[i]); }
  [[nodiscard]] std::string_view key(std::size_t i) const noexcept { return key_of(values_[i]); }

  /// Removes the values from index `first` on, and releases the nodes that they own.
  INGOT_COMPILED void drop(core& in, std::size_t first, std::size_t bytes) noexcept;
  void forget(std::size_t first, std::size_t bytes) noexcept {
    values_.truncate(first);
    bytes_.truncate(bytes);
  }

  /// Makes a container of the values from index `first` on, and gives the container the nodes that
  /// these values own. The values remain in the list until `forget`. If an array can be packed, its
  /// bytes are in `storage`. Sets `repeated` to the index of the first member with a repeated key;
  /// npos if there is none. For a repeated key the outcome is `exists`, unless the policy selects a
  /// member. O(n log n). Returns `no_space` also if cancelled.
  [[nodiscard]] INGOT_COMPILED outcome make(core& in, value_kind kind, std::size_t first, key_policy policy,
                                            std::array<std::byte, packed_bytes + 2>& storage, item& new_item,
                                            uint32_t& repeated, progress_poll& each) noexcept;
  /// Makes an array as `make` does.
  [[nodiscard]] INGOT_COMPILED outcome make_array(core& in, std::size_t first,
                                                  std::array<std::byte, packed_bytes + 2>& storage,
                                                  item& new_item) const noexcept;

private:
  [[nodiscard]] static outcome finish(uint32_t position, value_kind kind, item& new_item) noexcept {
    new_item = item::container(kind, position);
    return position != 0 ? outcome::done : outcome::no_space;
  }
  [[nodiscard]] std::string_view key_of(const pending_value& of) const noexcept {
    if (of.key_length == 0) return {};
    return {reinterpret_cast<const char*>(&bytes_[of.key_at]), of.key_length};
  }
  [[nodiscard]] INGOT_INLINE item item_of(const pending_value& from) const noexcept {
    item stored = item::of(from.kind, from.number);
    stored.is = from.is;
    stored.shift = from.shift;
    stored.length = from.length;
    if (from.is == item::form::packed || has_text(from.kind, from.is)) {
      static constexpr std::byte nothing{};
      stored.bytes = from.length == 0 ? &nothing : &bytes_[static_cast<std::size_t>(from.number)];
      stored.number = 0;
    }
    return stored;
  }
  [[nodiscard]] static bool has_text(value_kind kind, item::form is) noexcept {
    return is == item::form::plain && (kind == value_kind::text || kind == value_kind::binary);
  }
  /// Copies bytes of a value or key to the list, up to the maximum size of a document. Sets `at` to
  /// their position.
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
  /// Packs the integers from index `first` on, as the canonical form does. Returns false if the
  /// canonical form does not pack them.
  [[nodiscard]] INGOT_COMPILED bool pack(std::size_t first, std::array<std::byte, packed_bytes + 2>& storage,
                                         item& new_item) const noexcept;

  [[nodiscard]] INGOT_COMPILED uint32_t make_object(core& in, std::size_t first,
                                                    progress_poll& each) noexcept;

  plain_list<pending_value, counted_growth> values_;
  plain_list<std::byte, counted_growth> bytes_;
  plain_list<uint64_t, counted_growth> order_;
};

}}} // namespace ingot::INGOT_V1::detail::doc

#if defined(INGOT_HEADER_ONLY)
#include <ingot/document/compiled/bulk.hpp>
#endif
