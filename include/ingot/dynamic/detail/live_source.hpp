// SPDX-License-Identifier: Apache-2.0
// Reads old values in a live block, field by field. Requires that the block is validated; nothing
// is checked here.
#pragma once

#include <ingot/core/bytes.hpp>
#include <ingot/core/endian.hpp>
#include <ingot/document/detail/archive_write.hpp>
#include <ingot/dynamic/detail/cursor.hpp>
#include <ingot/dynamic/detail/memory.hpp>
#include <ingot/dynamic/detail/nested.hpp>
#include <ingot/live/detail/block.hpp>
#include <ingot/pack/detail/evolution_layout.hpp>
#include <ingot/schema/detail/resolution.hpp>

#include <cstddef>
#include <cstdint>
#include <deque>
#include <vector>

namespace ingot { inline namespace INGOT_V1 { namespace detail::dyn {

/// Source of an evolution that reads live blocks; the sources for messages are `packed_source` and
/// `compact_source`. The nodes of the graph have the indices of the layout's types; see `graph_of`.
class live_source {
public:
  /// Position of a value; for an entry of a map, positions of its key and its value.
  struct field {
    std::uint64_t position = 0;
    std::uint64_t value = 0;
  };
  struct record_location {
    std::uint32_t node;
    field at;
  };
  struct list_range {
    std::uint64_t count;
    cursor at;
    bytes_view bytes; ///< the elements, if they have the same bytes in messages; else empty
    bool keeps_links; ///< true if links to the elements stay valid
  };

  live_source(const packed_layout& layout, const memory& in) : graph_(&layout.graph()), in_(&in) {}

  [[nodiscard]] field whole() const { return {root_position, 0}; }

  [[nodiscard]] std::uint64_t scalar(const field& f, std::uint32_t node) const {
    const schema_attributes& attributes = graph_->nodes[node].attributes;
    return in_->number(f.position, attributes.width, attributes.has(schema_flag::is_signed));
  }
  [[nodiscard]] bytes_view bits(const field& f, std::uint32_t node) {
    const type& of = in_->in->types[node];
    buffer_.assign(static_cast<std::size_t>(of.extent / 8 + (of.extent % 8 != 0)), std::byte{});
    for (std::size_t i = 0; i < buffer_.size(); ++i)
      buffer_[i] = in_->start[f.position + byte_of_bits(i, of.alignment)];
    return buffer_;
  }
  [[nodiscard]] field inner(const field& f, std::uint32_t node, std::size_t k) const {
    return {f.position + k * graph_->nodes[node].attributes.width, 0};
  }
  void leave(field&, const field&) const {}
  [[nodiscard]] bytes_view text(const field& f, std::uint32_t node) {
    const text_run text = in_->text(in_->in->types[node], f.position);
    const auto size = static_cast<std::size_t>(text.bytes());
    if (text.width == 1 || little_endian) return {in_->start + text.position, size};
    buffer_.resize(size);
    for (std::size_t i = 0; i < size; i += text.width)
      store_number(buffer_.data() + i, in_->unit(text, i / text.width), text.width);
    return buffer_;
  }
  [[nodiscard]] std::size_t open_tagged(const field& f, std::uint32_t node, field& held) const {
    const type& of = in_->in->types[node];
    const cursor at(*in_, of, f.position);
    if (at.done()) return 0;
    held = {at.value_position(), 0};
    return of.kind == dynamic_kind::variant ? at.alternative() : 1;
  }

  [[nodiscard]] list_range open_list(const field& f, std::uint32_t node) const {
    const type& of = in_->in->types[node];
    if (of.kind == dynamic_kind::value) return open_archive(f, of);
    list_range list{size_of(*in_, of, f.position), cursor(*in_, of, f.position), {}, true};
    if (of.kind == dynamic_kind::pool) list.keeps_links = was_only_filled(of, f.position);
    const type& element = in_->in->part_type(of, 0);
    const bool is_number = element.kind >= dynamic_kind::boolean && element.kind <= dynamic_kind::enumeration;
    if (of.kind == dynamic_kind::vector && is_number && (little_endian || element.size == 1))
      list.bytes = {in_->start + in_->elements(of, f.position).base,
                    static_cast<std::size_t>(list.count * element.size)};
    return list;
  }
  [[nodiscard]] list_range open_array(const field& f, std::uint32_t node) const {
    const type& of = in_->in->types[node];
    return {of.extent, cursor(*in_, of, f.position), {}, true};
  }
  [[nodiscard]] field next(list_range& list) const {
    const field here = list.at.has_key() ? field{list.at.key_position(), list.at.value_position()}
                                         : field{list.at.value_position(), 0};
    list.at.next();
    return here;
  }
  [[nodiscard]] static bytes_view run(const list_range& list) noexcept { return list.bytes; }
  void done(list_range&, const field&) const {}
  void close(field&, const list_range&) const {}

  [[nodiscard]] record_location open_record(const field& f, std::uint32_t node, const resolved_pair&) const {
    return {node, f};
  }
  [[nodiscard]] bool has_member(const record_location&, std::size_t) const { return true; }
  [[nodiscard]] field member(const record_location& record, std::size_t k) const {
    if (graph_->nodes[record.node].is_entry) return {k == 0 ? record.at.position : record.at.value, 0};
    const type& of = in_->in->types[record.node];
    return {record.at.position + in_->in->parts[of.first + k].offset, 0};
  }
  void done(record_location&, std::size_t, const field&) const {}
  void close(field&, record_location&) const {}

  static constexpr bool copies = false;
  static constexpr bool is_message = false;

private:
  /// Opens a value of any kind as a list of bytes. The bytes are an archive of the value, because
  /// messages store such values as archives.
  [[nodiscard]] list_range open_archive(const field& f, const type& of) const {
    const doc::validated in = document_at(*in_, f.position);
    doc::archive_writer writer(in);
    if (!writer.write(doc::read_root(in))) throw_out_of_space(out_of_space_reason::no_memory);
    archives_.emplace_back(writer.bytes().begin(), writer.bytes().end());
    const bytes_view archive(archives_.back());
    return {archive.size(), cursor(*in_, of, f.position), archive, true};
  }
  /// Returns true if no object was ever erased from the pool. The links to the objects then stay
  /// valid if the objects are added to a new pool in order.
  [[nodiscard]] bool was_only_filled(const type& of, std::uint64_t position) const {
    const pool_shape shape = pool_of(in_->in->part_type(of, 0));
    const std::uint64_t slots = in_->count(position);
    const std::uint64_t first = in_->target(position) + shape.head + shape.generation;
    for (std::uint64_t i = 0; i < slots; ++i) {
      if (in_->load<std::uint32_t>(first + i * shape.stride) != 1) return false;
    }
    return true;
  }

  const evolving_graph* graph_;
  const memory* in_;
  std::vector<std::byte> buffer_;
  /// Archives to which open lists refer. They stay valid, because a deque does not move its
  /// elements.
  mutable std::deque<std::vector<std::byte>> archives_;
};

}}} // namespace ingot::INGOT_V1::detail::dyn
