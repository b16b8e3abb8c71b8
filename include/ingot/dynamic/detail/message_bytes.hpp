// SPDX-License-Identifier: Apache-2.0
// Writes the packed bytes of a part of a message. The message may have either profile. The order of
// unordered containers is the order of these bytes.
#pragma once

#include <ingot/dynamic/detail/message_search.hpp>
#include <ingot/dynamic/message_types.hpp>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>
#include <vector>

namespace ingot { inline namespace INGOT_V1 { namespace detail::dyn {

/// Writes the packed bytes of a part. Recurses as deep as the validation of the message. Parts that
/// a compact message omits are unknown, so zeros are written for them. Throws `std::bad_alloc`.
class message_bytes {
public:
  message_bytes(const message_tables& types, const memory& in, std::vector<std::byte>& to) noexcept
      : t_(types), in_(in), out_(to) {}

  /// Appends the part's payload.
  void payload(const spot& of) {
    const packed_part& part = t_.packed(of.type);
    if (part.is_leaf) return leaf(of);
    const std::size_t at = grow(part.fixed_part);
    slot(of, at, out_.size());
  }

private:
  [[nodiscard]] std::size_t grow(std::uint64_t n) {
    const std::size_t at = out_.size();
    out_.resize(at + static_cast<std::size_t>(n));
    return at;
  }
  void put(std::size_t at, std::uint64_t n, std::size_t width = end_size) {
    store_number(out_.data() + at, n, width);
  }
  void append(std::string_view bytes) {
    const auto* const first = reinterpret_cast<const std::byte*>(bytes.data());
    out_.insert(out_.end(), first, first + bytes.size());
  }
  void slot(const spot& of, std::size_t at, std::size_t tail) {
    if (of.type == spot::nothing) return;
    const packed_part& part = t_.packed(of.type);
    if (part.is_leaf) {
      leaf(of);
      return put(at, out_.size() - tail);
    }
    const schema_attributes& attributes = t_.node(of.type).attributes;
    switch (attributes.kind) {
    case schema_kind::record:
    case schema_kind::tuple:
      for (const std::uint32_t k : part.with_slots)
        slot(in_.message->part(of, k), at + static_cast<std::size_t>(part.offsets[k]), tail);
      return;
    case schema_kind::array: {
      if (part.slot == 0) return;
      const std::uint64_t stride = part.slot / attributes.extent;
      for (std::uint64_t i = 0; i < attributes.extent; ++i)
        slot(in_.message->part(of, i), at + static_cast<std::size_t>(i * stride), tail);
      return;
    }
    case schema_kind::duration:
    case schema_kind::time_point: return slot(in_.message->part(of, 0), at, tail);
    case schema_kind::complex:
      slot(in_.message->part(of, 0), at, tail);
      return slot(in_.message->part(of, 1), at + static_cast<std::size_t>(part.slot / 2), tail);
    case schema_kind::bitset: {
      const byte_run bits = in_.message->own(of);
      if (bits.length != 0)
        std::memcpy(out_.data() + at, in_.start + bits.offset, static_cast<std::size_t>(bits.length));
      return;
    }
    case schema_kind::optional:
    case schema_kind::variant:
    case schema_kind::expected:
      put(at, in_.message->alternative(of), 1);
      if (in_.message->size(of) != 0) slot(in_.message->part(of, 0), at + 1, tail);
      return;
    default: return put(at, in_.message->number(of), attributes.width);
    }
  }
  void leaf(const spot& of) {
    const schema_kind kind = t_.node(of.type).attributes.kind;
    if (is_text_kind(kind)) return append(in_.view(in_.message->text(of)));
    if (is_list_kind(kind)) return list(of);
    if (kind == schema_kind::record) { // a record begins with its size
      const std::uint64_t size = t_.packed(of.type).fixed_part;
      put(grow(end_size), size);
      return record(of, grow(size));
    }
    const bool holds = in_.message->size(of) != 0;
    if (kind == schema_kind::optional && !holds) return;
    put(grow(1), in_.message->alternative(of), 1);
    if (holds) payload(in_.message->part(of, 0));
  }
  void record(const spot& of, std::size_t at) {
    const packed_part& part = t_.packed(of.type);
    const std::size_t tail = out_.size();
    for (const std::uint32_t k : part.with_slots)
      slot(in_.message->part(of, k), at + static_cast<std::size_t>(part.offsets[k]), tail);
  }
  void list(const spot& of) {
    const std::uint32_t element = t_.of[of.type].element;
    const packed_part& part = t_.packed(element);
    const std::uint64_t stride = t_.of[element].stride;
    const bool says_size = t_.of[element].is_evolvable;
    const bool is_map = is_map_kind(t_.node(of.type).attributes.kind);
    const std::uint64_t count = in_.message->size(of);
    if (!part.is_fixed || stride == 0) put(grow(end_size), count);
    if (says_size) put(grow(end_size), part.fixed_part);
    const std::size_t first = grow(count * stride);
    const std::size_t tail = out_.size();
    for (std::uint64_t i = 0; stride != 0 && i < count; ++i) {
      const std::size_t at = first + static_cast<std::size_t>(i * stride);
      if (is_map) {
        slot(in_.message->key(of, i), at + static_cast<std::size_t>(part.offsets[0]), tail);
        slot(in_.message->part(of, i), at + static_cast<std::size_t>(part.offsets[1]), tail);
      } else if (says_size) {
        record(in_.message->part(of, i), at + end_size);
        put(at, out_.size() - tail);
      } else {
        slot(in_.message->part(of, i), at, tail);
      }
    }
  }

  const message_tables& t_;
  const memory& in_;
  std::vector<std::byte>& out_;
};

}}} // namespace ingot::INGOT_V1::detail::dyn
