// SPDX-License-Identifier: Apache-2.0
// Each list and each text in the description of the type is one kind of records. The records of all
// containers that the list or text describes have this kind, so similar values are stored together.
#include "column_plan.hpp"

#include <ingot/pack/detail/evolution_layout.hpp>
#include <ingot/pack/detail/evolution_validator.hpp>
#include <ingot/schema/description.hpp>

#include <optional>
#include <utility>

namespace ingot { inline namespace INGOT_V1 { namespace detail {

namespace {

using column_widths = std::vector<std::uint16_t>;

/// Adds the parts of a payload to a plan. Damaged parts, and records of other versions, are treated
/// as bytes.
class column_events {
public:
  static constexpr bool checks_values = false;
  /// Maximum depth of calls: four calls for each of 128 levels. A level is a record or a list of
  /// records. Deeper payloads are treated as bytes, because programs save files in threads that
  /// have small stacks.
  static constexpr unsigned max_calls = 512;

  column_events(const packed_layout& layout, bytes_view payload, progress_poll* by)
      : layout_(layout), payload_(payload), by_(by), kinds_(layout.graph().nodes.size()) {}

  [[nodiscard]] bool should_continue() { return by_ == nullptr || by_->step_should_continue(); }
  [[nodiscard]] bool skips_damage() const noexcept { return by_ == nullptr || !by_->stopped(); }
  void flat(std::uint32_t node, const std::byte* from, std::uint64_t size) {
    if (size != 0) add(kind(node), from, size);
  }
  void list(std::uint32_t node, const std::byte* from, std::uint64_t header, std::uint64_t size) {
    if (!counts_) counts_ = plan_.table.add({end_size});
    add(*counts_, from, header);
    if (size != 0) add(kind(node), from + header, size);
  }
  void fixed_part(std::uint32_t node, const std::byte* from, std::uint64_t size) { flat(node, from, size); }

  /// Returns the plan; bytes at the end that are in no run become a run of bytes.
  [[nodiscard]] column_plan finish() {
    emit(0, payload_.size());
    return std::move(plan_);
  }

private:
  /// Adds a run. Bytes before this run that are in no run become a run of bytes.
  void add(std::uint8_t kind, const std::byte* from, std::uint64_t size) {
    const auto begin = static_cast<std::size_t>(from - payload_.data());
    if (begin != emitted_) emit(0, begin);
    emit(kind, begin + static_cast<std::size_t>(size));
  }
  void emit(std::uint8_t kind, std::size_t end) {
    if (end == emitted_) return;
    if (!plan_.runs.empty() && plan_.runs.back().kind == kind) plan_.runs.back().end = end;
    else plan_.runs.push_back({end, kind});
    emitted_ = end;
  }

  /// Returns the kind of records for the node `index`: the kind of its text, of the elements of its
  /// list, or of its fixed part. Adds this kind when it is first needed.
  [[nodiscard]] std::uint8_t kind(std::uint32_t index) {
    std::optional<std::uint8_t>& known = kinds_[index];
    if (!known) {
      column_widths widths;
      known = append_record(widths, index) ? plan_.table.add(std::move(widths)) : std::uint8_t{0};
    }
    return *known;
  }
  [[nodiscard]] bool append_record(column_widths& to, std::uint32_t index) const {
    const evolving_node& node = layout_.graph().nodes[index];
    if (is_text_kind(node.attributes.kind))
      return append(to, node.attributes.kind == schema_kind::path ? 1 : node.attributes.width);
    if (is_list_kind(node.attributes.kind)) return append_element(to, node.children[0].node);
    return append_element(to, index);
  }
  [[nodiscard]] bool append_element(column_widths& to, std::uint32_t index) const {
    if (layout_.is_evolvable(index)) return append(to, end_size) && append_members(to, index);
    return append_slot(to, index);
  }
  [[nodiscard]] bool append_members(column_widths& to, std::uint32_t index) const {
    for (const evolving_child& child : layout_.graph().nodes[index].children) {
      if (!append_slot(to, child.node)) return false;
    }
    return true;
  }
  /// Appends a column. Returns false if there are more columns than a record may have. The
  /// functions that call this function return false in this case too.
  [[nodiscard]] static bool append(column_widths& to, std::uint64_t width) {
    if (width == 0) return true;
    if (width > max_stride || to.size() == max_columns) return false;
    to.push_back(static_cast<std::uint16_t>(width));
    return true;
  }
  /// Appends the columns of a slot, the fixed part of a value. This function is recursive: the
  /// maximum depth of a description limits the nesting of slots.
  [[nodiscard]] bool append_slot(column_widths& to, std::uint32_t index) const {
    const evolving_node& node = layout_.graph().nodes[index];
    const packed_part& part = layout_[index];
    if (part.is_leaf || part.slot == 0) return append(to, part.slot);
    switch (node.attributes.kind) {
    case schema_kind::record:
    case schema_kind::tuple: return append_members(to, index);
    case schema_kind::duration:
    case schema_kind::time_point: return append_slot(to, node.children[0].node);
    case schema_kind::complex:
      return append_slot(to, node.children[0].node) && append_slot(to, node.children[0].node);
    case schema_kind::array: return append_array(to, node, part);
    case schema_kind::optional:
    case schema_kind::variant:
    case schema_kind::expected: return append_tagged(to, node);
    default: return append(to, part.slot);
    }
  }
  [[nodiscard]] bool append_array(column_widths& to, const evolving_node& node,
                                  const packed_part& whole) const {
    const std::uint32_t index = node.children[0].node;
    const packed_part& element = layout_[index];
    column_widths each;
    if (whole.slot > max_stride || !append_slot(each, index)) return false;
    const std::uint64_t count = node.attributes.extent;
    const bool fits = count <= max_columns / each.size();
    if (element.is_fixed && (!fits || (element.slot == 1 && count > max_single_bytes)))
      return append(to, whole.slot);
    if (count > (max_columns - to.size()) / each.size()) return false;
    for (std::uint64_t i = 0; i < count; ++i) to.insert(to.end(), each.begin(), each.end());
    return true;
  }
  /// Appends the columns of a tagged value, such as a variant: the column of its tag, and the
  /// columns of its longest alternative.
  [[nodiscard]] bool append_tagged(column_widths& to, const evolving_node& node) const {
    if (!append(to, 1)) return false;
    const evolving_child* longest = nullptr;
    for (const evolving_child& each : node.children) {
      if (longest == nullptr || layout_[each.node].slot > layout_[longest->node].slot) longest = &each;
    }
    return longest == nullptr || append_slot(to, longest->node);
  }

  const packed_layout& layout_;
  bytes_view payload_;
  progress_poll* by_;
  column_plan plan_;
  std::vector<std::optional<std::uint8_t>> kinds_; ///< for each node the kind, if it is known
  std::size_t emitted_ = 0;
  std::optional<std::uint8_t> counts_;
};

} // namespace

result<column_plan> plan_columns(bytes_view schema, bytes_view payload, progress_poll* by) {
  const auto described = read_schema(schema);
  if (!described) return fail(described.error());
  const evolving_graph graph = graph_of(*described);
  const packed_layout layout(graph);
  packed_walk<column_events> walk(layout, payload, column_events(layout, payload, by));
  static_cast<void>(walk.run()); // damaged parts are treated as bytes
  if (by != nullptr && by->stopped()) return fail(errc::cancelled);
  return walk.events().finish();
}

}}} // namespace ingot::INGOT_V1::detail
