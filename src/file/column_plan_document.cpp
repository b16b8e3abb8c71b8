// SPDX-License-Identifier: Apache-2.0
// Finds the nodes of a document, in the order of their positions. Nodes with equal kind, length,
// number of elements and heap size are one kind of records, at any position in the document's tree.
// A long node has smaller records: its cells (words of a fixed size, one for each element), its
// values if all have one length, and packed numbers. Free bytes that look like a node are treated
// as a node. This does no harm, because any bytes can be records.
#include <ingot/document/detail/node.hpp>

#include "column_plan.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <utility>
#include <vector>

namespace ingot { inline namespace INGOT_V1 { namespace detail {

namespace {

/// Maximum length of a node that is one record. In a longer node, each cell and value is a record.
/// Packed numbers of at least `min_packed` bytes are also separate records.
constexpr std::uint32_t longest_node_record = 256;
constexpr std::uint32_t min_packed = 64;
/// Minimum number of similar nodes, or of elements of a node, that are split into columns. If there
/// are fewer, they are stored as plain bytes.
constexpr std::uint32_t min_alike = 16;
/// Maximum length of values that are records, if all values of a node have one length. Longer
/// values are probably texts.
constexpr std::uint32_t longest_element = 16;

class document_nodes {
public:
  document_nodes(bytes_view payload, progress_poll& by) noexcept
      : in_{payload.data(), static_cast<std::uint32_t>(payload.size())}, by_(by) {}

  [[nodiscard]] column_plan go() {
    for_each_node([&](const doc::node& n) {
      if (n.bytes <= longest_node_record) ++alike_[head_of(n)].count;
    });
    for_each_node([&](const doc::node& n) {
      if (n.bytes <= longest_node_record) emit(kind_of(n), n.position, n.bytes);
      else emit_parts(n);
    });
    emit_up_to(in_.size, 0);
    return std::move(plan_);
  }

private:
  /// Kind, length, number of elements and heap size of a node. They are equal in similar nodes.
  using head = std::array<std::uint32_t, 4>;
  struct nodes {
    std::uint32_t count = 0;
    std::optional<std::uint8_t> kind;
  };

  template <class F>
  void for_each_node(F&& f) const {
    for (std::uint32_t position = doc::first_node; position < in_.size && by_.step_should_continue();) {
      doc::node n;
      doc::bytes_node text;
      if (doc::find_node(in_, position, n)) {
        f(std::as_const(n));
        position += n.bytes;
      } else if (doc::find_bytes(in_, position, doc::node_kind::blob, text) ||
                 doc::find_bytes(in_, position, doc::node_kind::long_key, text)) {
        position += text.bytes;
      } else {
        if (in_.size - position < 8) return;
        position += 8;
      }
    }
  }
  [[nodiscard]] static head head_of(const doc::node& n) noexcept {
    return {static_cast<std::uint32_t>(n.kind) | (n.wide ? 8U : 0U), n.bytes, n.count, n.heap};
  }

  /// Adds a run of `kind` that begins at the end of the previous run and ends at `end`. Runs must
  /// be added in the order of their bytes.
  void emit_up_to(std::uint64_t end, std::uint8_t kind) {
    if (end == emitted_) return;
    if (!plan_.runs.empty() && plan_.runs.back().kind == kind)
      plan_.runs.back().end = static_cast<std::size_t>(end);
    else plan_.runs.push_back({static_cast<std::size_t>(end), kind});
    emitted_ = end;
  }
  void emit(std::uint8_t kind, std::uint64_t from, std::uint64_t length) {
    if (kind == 0 || from < emitted_) return;
    const std::size_t stride = plan_.table.stride(kind);
    if (length < stride) return;
    emit_up_to(from, 0);
    emit_up_to(from + length - length % stride, kind);
  }
  [[nodiscard]] std::uint8_t kind_of(const doc::node& n) {
    nodes& those = alike_[head_of(n)];
    if (those.count < min_alike) return 0;
    if (!those.kind) {
      std::vector<std::uint16_t> widths(4, static_cast<std::uint16_t>(n.word()));
      if (doc::head_size(n.kind, n.wide) % 8 != 0) widths.push_back(4);
      widths.insert(widths.end(), n.count, static_cast<std::uint16_t>(n.word()));
      const std::uint32_t cells = doc::head_size(n.kind, n.wide) + n.word() * n.count;
      widths.insert(widths.end(), n.bytes - cells, 1);
      those.kind = plan_.table.add(std::move(widths));
    }
    return *those.kind;
  }
  /// Returns the kind of records that have `columns` columns of the width `width`.
  [[nodiscard]] std::uint8_t kind_of_units(std::uint32_t columns, std::uint16_t width) {
    auto& kind = units_[{columns, width}];
    if (!kind) kind = plan_.table.add(std::vector<std::uint16_t>(columns, width));
    return *kind;
  }
  void emit_parts(const doc::node& n) {
    emit(kind_of_units(1, static_cast<std::uint16_t>(n.word())), n.position + doc::head_size(n.kind, n.wide),
         std::uint64_t{n.word()} * n.count);
    const std::uint32_t heap = n.position + n.bytes - n.heap;
    if (n.count >= min_alike && n.heap % n.count == 0 && n.heap / n.count <= longest_element)
      return n.heap == 0 ? void() : emit(kind_of_units(n.heap / n.count, 1), heap, n.heap);
    if (n.kind == doc::node_kind::shape) return;
    packed_.clear();
    for (std::uint32_t i = 0; i < n.count && by_.step_should_continue(); ++i) {
      const doc::item value = n.value(i);
      const std::uint64_t bytes = std::uint64_t{value.length} << value.shift;
      if (value.is == doc::item::form::packed && bytes >= min_packed)
        packed_.push_back({static_cast<std::uint64_t>(value.bytes - in_.start), bytes,
                           static_cast<std::uint16_t>(1U << value.shift)});
    }
    std::ranges::sort(packed_, {}, &packed::at);
    for (const packed& each : packed_) emit(kind_of_units(1, each.width), each.at, each.bytes);
  }
  struct packed {
    std::uint64_t at;
    std::uint64_t bytes;
    std::uint16_t width;
  };

  doc::memory in_;
  progress_poll& by_;
  column_plan plan_;
  std::map<head, nodes> alike_;
  std::map<std::pair<std::uint32_t, std::uint16_t>, std::optional<std::uint8_t>> units_;
  std::vector<packed> packed_;
  std::uint64_t emitted_ = 0;
};

} // namespace

result<column_plan> plan_document_columns(bytes_view payload, progress_poll* by) {
  if (payload.size() > 0xFFFF'FFFFU) return column_plan{};
  return plan_by(by, [&](auto& who) { return document_nodes(payload, who).go(); });
}

}}} // namespace ingot::INGOT_V1::detail
