// SPDX-License-Identifier: Apache-2.0
// Reads old values in place, field by field, in both profiles. Checks nothing, because the bytes
// are validated.
#pragma once

#include <ingot/core/bytes.hpp>
#include <ingot/pack/detail/compact_stream.hpp>
#include <ingot/pack/detail/evolution_layout.hpp>
#include <ingot/pack/detail/evolution_validator.hpp>
#include <ingot/schema/detail/resolution.hpp>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <vector>

namespace ingot { inline namespace INGOT_V1 { namespace detail {

/// Reads the packed profile. The position of every field is computed.
class packed_source {
public:
  /// A field of a message. The slot of a part is at `at`, and its payloads start at position
  /// `begin` of `tail`. The bytes of a variable field are those from `begin` to `end` of `tail`.
  struct field {
    const std::byte* at;
    const std::byte* tail;
    std::uint64_t begin;
    std::uint64_t end;
    bool is_opened; ///< true for an evolvable record in a list: its fixed part is at `at`
  };
  struct record_location {
    const evolving_node* node;
    const packed_part* part;
    field fields;
  };
  struct list_range {
    std::uint64_t count;
    std::uint32_t element;
    std::uint64_t stride;
    bool is_evolvable;
    field next;
  };

  packed_source(const packed_layout& layout, bytes_view bytes) : layout_(&layout), bytes_(bytes) {}

  [[nodiscard]] field whole() const { return payload(layout_->graph().root, bytes_.data(), bytes_.size()); }

  [[nodiscard]] std::uint64_t scalar(field& f, std::uint32_t node) const {
    const schema_attributes& attributes = layout_->graph().nodes[node].attributes;
    return extend_number(load_number(f.at, attributes.width), attributes);
  }
  [[nodiscard]] bytes_view bits(field& f, std::uint32_t node) const {
    return {f.at, static_cast<std::size_t>((*layout_)[node].slot)};
  }
  /// Returns the count of a duration or time point (`k` is 0), or part `k` of a complex number.
  [[nodiscard]] field inner(const field& f, std::uint32_t node, std::size_t k) const {
    return {f.at + k * (*layout_)[node].slot, f.tail, f.begin, f.end, false};
  }
  void leave(field&, const field&) const {}
  [[nodiscard]] bytes_view text(field& f, std::uint32_t) const {
    return {f.tail + f.begin, static_cast<std::size_t>(f.end - f.begin)};
  }

  /// Returns the index of the stored alternative, and sets `held` to the alternative's field.
  [[nodiscard]] std::size_t open_tagged(const field& f, std::uint32_t node, field& held) const {
    const std::byte* const at = (*layout_)[node].is_leaf ? f.tail + f.begin : f.at;
    if ((*layout_)[node].is_leaf && f.begin == f.end) return 0;
    const auto tag = std::to_integer<std::size_t>(*at);
    const selected chosen = select_alternative(layout_->graph().nodes[node], tag);
    if (!chosen.holds) return tag;
    const std::uint32_t alternative = layout_->graph().nodes[node].children[chosen.child].node;
    if ((*layout_)[node].is_leaf) held = payload(alternative, at + 1, f.end - f.begin - 1);
    else held = slot(alternative, at + 1, f.tail, f.begin);
    return tag;
  }

  [[nodiscard]] list_range open_list(const field& f, std::uint32_t node) const {
    const std::uint32_t element = layout_->graph().nodes[node].children[0].node;
    const std::byte* const from = f.tail + f.begin;
    const std::uint64_t stride = layout_->stride(element);
    if ((*layout_)[element].is_fixed && stride != 0)
      return {(f.end - f.begin) / stride, element, stride, false, {from, from, 0, 0, false}};
    const bool is_evolvable = layout_->is_evolvable(element);
    const std::byte* const elements = from + (is_evolvable ? 2 : 1) * end_size;
    const std::uint64_t count = load_number(from, end_size);
    return {count, element, stride, is_evolvable, {elements, elements + count * stride, 0, 0, false}};
  }
  [[nodiscard]] list_range open_array(const field& f, std::uint32_t node) const {
    const evolving_node& what = layout_->graph().nodes[node];
    const std::uint32_t element = what.children[0].node;
    return {
        what.attributes.extent, element, (*layout_)[element].slot, false, {f.at, f.tail, f.begin, 0, false}};
  }
  [[nodiscard]] field next(list_range& list) const {
    const field here = list.next;
    list.next.at += list.stride;
    if (list.is_evolvable) {
      list.next.begin = load_number(here.at, end_size);
      return {here.at + end_size, here.tail + here.begin, 0, 0, true};
    }
    const packed_part& part = (*layout_)[list.element];
    if (!part.is_fixed) list.next.begin = load_number(here.at + part.last_end, end_size);
    return slot(list.element, here.at, here.tail, here.begin);
  }
  void done(list_range&, const field&) const {}
  void close(field&, const list_range&) const {}

  [[nodiscard]] record_location open_record(const field& f, std::uint32_t node, const resolved_pair&) const {
    field fields = f;
    if (layout_->is_evolvable(node) && !f.is_opened) {
      const std::byte* const at = f.tail + f.begin + end_size;
      fields = {at, at + (*layout_)[node].fixed_part, 0, 0, true};
    }
    return {&layout_->graph().nodes[node], &(*layout_)[node], fields};
  }
  [[nodiscard]] bool has_member(const record_location&, std::size_t) const { return true; }
  [[nodiscard]] field member(record_location& record, std::size_t k) const {
    const std::uint64_t before = record.part->end_before[k];
    const field& f = record.fields;
    return slot(record.node->children[k].node, f.at + record.part->offsets[k], f.tail,
                before == packed_part::none ? f.begin : load_number(f.at + before, end_size));
  }
  void done(record_location&, std::size_t, const field&) const {}
  void close(field&, record_location&) const {}

  /// Returns the slot of a part. If the part is unchanged, its bytes can be copied: the slot, and
  /// the payloads to which the end offsets in the slot refer (`tail_bytes`).
  [[nodiscard]] bytes_view slot_bytes(const field& f, std::uint32_t node) const {
    return {f.at, static_cast<std::size_t>((*layout_)[node].slot)};
  }
  [[nodiscard]] bytes_view tail_bytes(const field& f, std::uint32_t node) const {
    const packed_part& part = (*layout_)[node];
    if (part.is_fixed) return {};
    const std::uint64_t end = part.is_leaf ? f.end : load_number(f.at + part.last_end, end_size);
    return {f.tail + f.begin, static_cast<std::size_t>(end - f.begin)};
  }
  static constexpr bool copies = true;
  static constexpr bool is_message = true; ///< unordered lists have the order that messages require

private:
  [[nodiscard]] field slot(std::uint32_t node, const std::byte* at, const std::byte* tail,
                           std::uint64_t begin) const {
    return {at, tail, begin, (*layout_)[node].is_leaf ? load_number(at, end_size) : 0, false};
  }
  [[nodiscard]] field payload(std::uint32_t node, const std::byte* from, std::uint64_t size) const {
    if ((*layout_)[node].is_leaf) return {from, from, 0, size, false};
    return {from, from + (*layout_)[node].fixed_part, 0, 0, false};
  }

  const packed_layout* layout_;
  bytes_view bytes_;
};

/// Reads the compact profile, in which values follow each other. Reading a field moves the field's
/// position to the end of its value. If the new type has the members in another order than the old
/// type, the positions of all old members are found first.
class compact_source {
public:
  struct field {
    const std::byte* at;
    encoding how;
    bool is_opened; ///< always false: see `packed_source::field`
  };
  struct record_location {
    std::uint32_t index;
    const std::byte* mask;
    stream own;
    encoding how;
    std::size_t reached; ///< index of the next member
    /// positions of all members; empty if the new type has the members in the order of the old type
    std::vector<const std::byte*> positions;
  };
  struct list_range {
    std::uint64_t count;
    field next;
  };

  compact_source(const packed_layout& layout, bytes_view bytes)
      : layout_(&layout), end_(bytes.data() + bytes.size()), bytes_(bytes), walker_(layout, bytes) {}

  [[nodiscard]] field whole() const { return {bytes_.data(), encoding::plain, false}; }

  [[nodiscard]] std::uint64_t scalar(field& f, std::uint32_t node) {
    const schema_attributes& attributes = layout_->graph().nodes[node].attributes;
    if (compact_validator::is_varint(attributes, f.how)) {
      const std::uint64_t raw = varint(f);
      return attributes.has(schema_flag::is_signed) ? static_cast<std::uint64_t>(unzigzag(raw)) : raw;
    }
    if (compact_validator::is_spelled_float(attributes, f.how)) {
      const std::uint64_t bits = float_at(f.at, f.how, attributes.width);
      if (!spells(f.how, encoding::unit_part)) f.at += float_length(f.at, f.how, attributes.width);
      return bits;
    }
    const std::uint64_t n = load_number(f.at, attributes.width);
    f.at += attributes.width;
    return extend_number(n, attributes);
  }
  [[nodiscard]] bytes_view bits(field& f, std::uint32_t node) {
    const bytes_view bytes(f.at, static_cast<std::size_t>((*layout_)[node].slot));
    f.at += bytes.size();
    return bytes;
  }
  /// Returns a part of a duration or complex number. Its encoding is plain, because annotations do
  /// not apply to such parts.
  [[nodiscard]] field inner(const field& f, std::uint32_t node, std::size_t k) const {
    return {f.at + k * (*layout_)[node].slot, encoding::plain, false};
  }
  void leave(field& f, const field& sub) const { f.at = sub.at; }
  [[nodiscard]] bytes_view text(field& f, std::uint32_t node) {
    const schema_attributes& attributes = layout_->graph().nodes[node].attributes;
    const std::uint64_t units = varint(f);
    const bytes_view bytes(f.at, static_cast<std::size_t>(
                                     units * (attributes.kind == schema_kind::path ? 1 : attributes.width)));
    f.at += bytes.size();
    return bytes;
  }
  [[nodiscard]] std::size_t open_tagged(const field& f, std::uint32_t, field& held) const {
    held = {f.at + 1, f.how, false};
    return std::to_integer<std::size_t>(*f.at);
  }
  [[nodiscard]] list_range open_list(const field& f, std::uint32_t) {
    field here = f;
    const std::uint64_t count = varint(here);
    return {count, here};
  }
  [[nodiscard]] list_range open_array(const field& f, std::uint32_t node) const {
    const evolving_node& what = layout_->graph().nodes[node];
    const auto count = static_cast<unsigned>(what.attributes.extent);
    const unsigned size = compact_validator::unit_bytes(layout_->graph(), what, f.how);
    if (size != 0) return {count, {f.at, unit_part_of(count, size, 0), false}};
    return {what.attributes.extent, f};
  }
  [[nodiscard]] field next(list_range& list) const { return list.next; }
  /// Moves `list` to the next element. All numbers of a unit vector are at the position of the
  /// vector. So the position moves only after the last number, to the end of the vector.
  void done(list_range& list, const field& read) const {
    list.next.at = read.at;
    if (!spells(list.next.how, encoding::unit_part)) return;
    const encoding part = list.next.how;
    const unsigned index = unit_index_in(part) + 1;
    if (index == unit_count_in(part)) list.next.at += unit_size_in(part);
    list.next.how = unit_part_of(unit_count_in(part), unit_size_in(part), index);
  }
  void close(field& f, const list_range& list) const { f.at = list.next.at; }

  [[nodiscard]] record_location open_record(const field& f, std::uint32_t node, const resolved_pair& pair) {
    record_location record{node, nullptr, {}, f.how, 0, {}};
    stream in{f.at, end_};
    static_cast<void>(walker_.record_head(node, in, record.own, record.mask));
    std::uint32_t last = 0;
    bool in_order = true;
    for (const resolved_link& link : pair.links) {
      if (link.source == resolved_link::none) continue;
      in_order &= link.source >= last;
      last = link.source;
    }
    if (!in_order) {
      for (std::size_t k = 0; k < children(node).size(); ++k) {
        record.positions.push_back(record.own.at);
        skip(record, k);
      }
    }
    return record;
  }
  [[nodiscard]] bool has_member(const record_location& record, std::size_t k) const {
    return record.mask == nullptr || (record.mask[k / 8] >> (k % 8) & std::byte{1}) != std::byte{0};
  }
  [[nodiscard]] field member(record_location& record, std::size_t k) {
    const encoding how = compact_validator::encoding_of(layout_->graph().nodes[record.index], k, record.how);
    if (!record.positions.empty()) return {record.positions[k], how, false};
    for (; record.reached < k; ++record.reached) skip(record, record.reached);
    return {record.own.at, how, false};
  }
  void done(record_location& record, std::size_t k, const field& read) const {
    if (!record.positions.empty()) return;
    record.own.at = read.at;
    record.reached = k + 1;
  }
  void close(field& f, record_location& record) {
    if (record.positions.empty()) {
      for (; record.reached < children(record.index).size(); ++record.reached) skip(record, record.reached);
    }
    f.at = record.own.at;
  }

  static constexpr bool copies = false;
  static constexpr bool is_message = true;

private:
  [[nodiscard]] const std::vector<evolving_child>& children(std::uint32_t node) const {
    return layout_->graph().nodes[node].children;
  }
  void skip(record_location& record, std::size_t k) {
    if (!has_member(record, k)) return;
    const evolving_node& what = layout_->graph().nodes[record.index];
    walker_.pass_over(what.children[k].node, record.own, compact_validator::encoding_of(what, k, record.how));
  }
  [[nodiscard]] static std::uint64_t varint(field& f) noexcept {
    std::uint64_t n = 0;
    for (unsigned shift = 0;; shift += 7) {
      const auto byte = std::to_integer<std::uint64_t>(*f.at++);
      n |= (byte & 0x7F) << shift;
      if (byte < 0x80) return n;
    }
  }

  const packed_layout* layout_;
  const std::byte* end_;
  bytes_view bytes_;
  compact_validator walker_;
};

}}} // namespace ingot::INGOT_V1::detail
