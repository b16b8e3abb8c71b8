// SPDX-License-Identifier: Apache-2.0
// Divides a live block into runs of records; the records of one kind have the same columns. Finds
// the storages of the block by its layout. A storage is the memory of one container. All elements
// of one type are records of one kind, also in different containers. Other kinds are keys and
// values in the leaves of trees, entries of tables, and headers of storages. All other bytes are in
// runs that are not divided into columns.
#include <ingot/core/detail/cancellable_sort.hpp>
#include <ingot/core/detail/progress_poll.hpp>
#include <ingot/dynamic/detail/byte_map_storage.hpp>
#include <ingot/dynamic/dynamic.hpp>

#include "column_plan.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <type_traits>
#include <utility>
#include <vector>

namespace ingot { inline namespace INGOT_V1 { namespace detail {

namespace {

using dyn::type;

/// The columns of objects of each type. The positions of the members determine the columns.
class block_columns {
public:
  explicit block_columns(const dyn::tables& in) noexcept : in_(in) {}

  /// Appends the columns of a type. Returns false, with `to` unspecified, if there are more columns
  /// or bytes than records may have.
  [[nodiscard]] bool append(std::vector<std::uint16_t>& to, const type& of) const {
    if (of.size > max_stride) return false;
    switch (of.kind) {
    case dynamic_kind::array: return append_array(to, of);
    case dynamic_kind::record:
    case dynamic_kind::pair:
    case dynamic_kind::ref: return append_members(to, of);
    case dynamic_kind::complex: return append_units(to, of.size, of.size / 2);
    case dynamic_kind::optional: {
      const type& value = in_.part_type(of, 0);
      return append(to, value) && append_units(to, 1, 1) && append_units(to, of.size - value.size - 1, 1);
    }
    default: break;
    }
    if (dyn::is_scalar(of.kind)) return append_units(to, of.size, of.size);
    // Columns of bitsets and variants are as wide as the alignment. Columns of types that hold
    // offsets are at most as wide as an offset, because containers consist of offsets and counts.
    const std::uint64_t unit = of.alignment < 8 ? of.alignment : 8;
    return append_units(to, of.size, of.holds_offsets && unit > in_.offset ? in_.offset : unit);
  }
  [[nodiscard]] static bool append_units(std::vector<std::uint16_t>& to, std::uint64_t size,
                                         std::uint64_t unit) {
    if (size == 0) return true;
    if (size % unit != 0) unit = size;
    if (size > max_stride || size / unit > max_columns - to.size()) return false;
    to.insert(to.end(), static_cast<std::size_t>(size / unit), static_cast<std::uint16_t>(unit));
    return true;
  }

private:
  [[nodiscard]] bool append_array(std::vector<std::uint16_t>& to, const type& of) const {
    const type& element = in_.part_type(of, 0);
    if (of.extent == 0 || element.size == 0) return append_units(to, of.size, 1);
    if (of.extent > max_columns || (element.size == 1 && of.extent > max_single_bytes))
      return append_units(to, of.size, of.size);
    for (std::uint64_t i = 0; i < of.extent; ++i) {
      if (!append(to, element)) return false;
    }
    return true;
  }
  [[nodiscard]] bool append_members(std::vector<std::uint16_t>& to, const type& of) const {
    if (of.parts > max_columns) return false;
    const auto parts = in_.parts_of(of);
    std::vector<std::pair<std::uint64_t, std::uint32_t>> members; // in the order of their offsets
    for (const dyn::part& each : parts) {
      if (in_.types[each.type].size != 0 && !in_.types[each.type].has(dyn::is_empty))
        members.emplace_back(each.offset, each.type);
    }
    std::ranges::sort(members);
    std::uint64_t at = 0;
    for (const auto& [offset, index] : members) {
      const type& member = in_.types[index];
      if (offset < at) return false; // the member is inside the padding of a base class
      if (!append_units(to, offset - at, offset - at) || !append(to, member)) return false;
      at = offset + member.size;
    }
    return at <= of.size && append_units(to, of.size - at, of.size - at);
  }
  const dyn::tables& in_;
};

class block_walk {
public:
  block_walk(const dyn::memory& in, progress_poll& by)
      : in_(in), by_(by), tables_(*in.in), offset_(tables_.offset), kinds_(tables_.types.size()) {
    std::vector<std::uint16_t> prefix(2, static_cast<std::uint16_t>(offset_));
    prefix_ = plan_.table.add(std::move(prefix));
  }

  [[nodiscard]] column_plan go() {
    push({0, root_position, 0, 1});
    while (!open_.empty() && by_.step_should_continue()) {
      elements& last = open_.back();
      const std::uint32_t index = last.type;
      const std::uint64_t position = last.at;
      last.at += last.stride;
      if (--last.count == 0) open_.pop_back();
      visit(tables_.types[index], position);
    }
    if (!sort_found()) return {};
    std::uint64_t end = 0;
    for (const found& each : found_) {
      // Skips storages that overlap or exceed the block. A validated block has none.
      if (each.begin < end || each.end > in_.used) continue;
      if (each.begin != end) plan_.runs.push_back({static_cast<std::size_t>(each.begin), 0});
      plan_.runs.push_back({static_cast<std::size_t>(each.end), each.kind});
      end = each.end;
    }
    if (end != in_.used) plan_.runs.push_back({static_cast<std::size_t>(in_.used), 0});
    return std::move(plan_);
  }

private:
  /// Objects whose containers are still to be visited. These objects are in a list instead of on
  /// the stack, because containers nest to any depth.
  struct elements {
    std::uint32_t type;
    std::uint64_t at;
    std::uint64_t stride;
    std::uint64_t count;
  };
  struct found {
    std::uint64_t begin;
    std::uint64_t end;
    std::uint8_t kind;
  };

  [[nodiscard]] bool sort_found() {
    return cancellable_sort(
        found_.data(), found_.data() + found_.size(),
        [](const found& a, const found& b) { return a.begin < b.begin; }, by_);
  }
  [[nodiscard]] std::uint32_t index_of(const type& of) const noexcept {
    return static_cast<std::uint32_t>(&of - tables_.types.begin());
  }
  void push(const elements& those) {
    if (those.count != 0) open_.push_back(those);
  }
  void push(const type& of, std::uint64_t at, std::uint64_t count) {
    if (of.holds_offsets) push({index_of(of), at, of.size, count});
  }

  [[nodiscard]] std::uint8_t kind_of(const type& of) {
    auto& kind = kinds_[index_of(of)];
    if (!kind) {
      std::vector<std::uint16_t> widths;
      kind = block_columns(tables_).append(widths, of) ? plan_.table.add(std::move(widths)) : std::uint8_t{};
    }
    return *kind;
  }
  /// Returns the kind of records that have one column of the width `width`.
  [[nodiscard]] std::uint8_t kind_of_units(std::uint64_t width) {
    if (width == 0 || width > 8) return 0;
    auto& kind = units_[static_cast<std::size_t>(width)];
    if (!kind) kind = plan_.table.add({static_cast<std::uint16_t>(width)});
    return *kind;
  }
  void add(std::uint8_t kind, std::uint64_t from, std::uint64_t length) {
    if (kind != 0 && length >= plan_.table.stride(kind))
      found_.push_back({from, from + length - length % plan_.table.stride(kind), kind});
  }
  void add(const type& of, std::uint64_t from, std::uint64_t count) {
    if (count != 0 && of.size != 0) add(kind_of(of), from, count * of.size);
  }
  void add_prefix(std::uint64_t data) { add(prefix_, data - 2 * offset_, 2 * offset_); }

  /// Visits the containers of an object. This function is recursive: objects nest in the bytes of
  /// one object to a depth of at most 64.
  void visit(const type& of, std::uint64_t position) {
    if (!of.holds_offsets) return;
    switch (of.kind) {
    case dynamic_kind::record:
    case dynamic_kind::pair:
      for (const std::uint32_t member : tables_.holders_of(of)) {
        const dyn::part& each = tables_.parts[of.first + member];
        visit(tables_.types[each.type], position + each.offset);
      }
      return;
    case dynamic_kind::array: {
      const type& element = tables_.part_type(of, 0);
      return push(element, position, of.extent);
    }
    case dynamic_kind::optional: {
      const type& value = tables_.part_type(of, 0);
      if (in_.byte(position + value.size) != 0) visit(value, position);
      return;
    }
    case dynamic_kind::variant: {
      const dyn::variant_shape shape = dyn::variant_of(tables_, of);
      return visit(tables_.part_type(of, in_.byte(position + shape.tag)), position + shape.head);
    }
    case dynamic_kind::text: return visit_text(of, position);
    default: break;
    }
    const std::uint64_t data = in_.target(position);
    if (data == sentinel_position) return;
    add_prefix(data);
    visit_storage(of, position, data);
  }
  void visit_text(const type& of, std::uint64_t position) {
    if ((in_.byte(position + 4 * offset_ - 1) & 0x80U) == 0) return;
    const dyn::text_run text = in_.text(of, position);
    add_prefix(text.position);
    add(kind_of_units(text.width), text.position, text.bytes() + text.width);
  }
  void visit_storage(const type& of, std::uint64_t position, std::uint64_t data) {
    const type& first = tables_.part_type(of, 0);
    switch (of.kind) {
    case dynamic_kind::box: add(first, data, 1); return push(first, data, 1);
    case dynamic_kind::vector:
      add(first, data, in_.count(position));
      return push(first, data, in_.count(position));
    case dynamic_kind::queue: {
      const dyn::memory::run all = in_.elements(of, position);
      add(first, all.base, all.slots);
      const std::uint64_t till_end = std::min(all.count, all.slots - all.first);
      push(first, all.base + all.first * all.stride, till_end);
      return push(first, all.base, all.count - till_end);
    }
    case dynamic_kind::flat_map:
    case dynamic_kind::flat_set: {
      const dyn::flat_shape shape = dyn::flat_of(tables_, of);
      const std::uint64_t n = in_.count(position);
      add(*shape.key, data, n);
      push(*shape.key, data, n);
      if (shape.value == nullptr) return;
      const std::uint64_t values = data + shape.values_at(shape.capacity_for(in_.capacity(data)));
      add(*shape.value, values, n);
      return push(*shape.value, values, n);
    }
    case dynamic_kind::hash_map:
    case dynamic_kind::hash_set: return visit_table(of, data);
    case dynamic_kind::pool: return visit_pool(first, position, data);
    case dynamic_kind::map:
    case dynamic_kind::set:
    case dynamic_kind::multimap: {
      const dyn::tree_shape shape = dyn::tree_of(tables_, of);
      return visit_node({&in_, &shape, data});
    }
    default: return;
    }
  }
  void visit_table(const type& of, std::uint64_t data) {
    const auto table = dyn::hash_table::of(in_, dyn::hash_of(tables_, of), data);
    add(kind_of_units(1), table.tag_position(0), table.slots);
    add(*table.shape.entry, table.entry(0), table.slots);
    if (!table.shape.entry->holds_offsets) return;
    for (std::uint64_t slot = table.full_from(0); slot < table.slots && by_.step_should_continue();
         slot = table.full_from(slot + 1))
      push(*table.shape.entry, table.entry(slot), 1);
  }
  void visit_pool(const type& object, std::uint64_t position, std::uint64_t data) {
    const dyn::pool_shape shape = dyn::pool_of(object);
    const std::uint64_t slots = in_.count(position);
    auto& kind = pools_[index_of(object)];
    if (!kind) {
      std::vector<std::uint16_t> widths;
      const bool fits = block_columns(tables_).append(widths, object) &&
                        block_columns::append_units(widths, shape.generation - object.size, 1) &&
                        block_columns::append_units(widths, 4, 4) &&
                        block_columns::append_units(widths, shape.stride - shape.generation - 4, 4);
      kind = fits ? plan_.table.add(std::move(widths)) : std::uint8_t{};
    }
    add(*kind, data + shape.head, slots * shape.stride);
    if (!object.holds_offsets) return;
    for (std::uint64_t i = 0; i < slots && by_.step_should_continue(); ++i) {
      const std::uint64_t slot = data + shape.head + i * shape.stride;
      if (in_.load<std::uint32_t>(slot + shape.generation) % 2 != 0) push(object, slot, 1);
    }
  }
  /// Visits a node of a tree and the nodes below it. This function is recursive: trees have a
  /// height of at most 16.
  void visit_node(const dyn::tree_node& node) {
    const dyn::tree_shape& shape = *node.shape;
    const unsigned capacity = node.capacity();
    if (node.level() != 0) {
      add(kind_of_units(8), node.position, 8);
      if (shape.is_plain())
        add(kind_of_units(shape.key->raw), node.position + 8, std::uint64_t{capacity} * shape.key->raw);
      add(kind_of_units(offset_), node.position + shape.links_at(capacity),
          std::uint64_t{node.count()} * offset_);
      for (unsigned i = 0; i < node.count() && by_.step_should_continue(); ++i) {
        const dyn::tree_node child = node.child(i);
        if (child.level() == 0 && shape.front() != 0) add_prefix(child.position);
        visit_node(child);
      }
      return;
    }
    add(kind_of_units(8), node.position, shape.keys_at());
    add(*shape.key, node.position + shape.keys_at(), capacity);
    if (shape.value != nullptr) add(*shape.value, node.position + shape.values_at(capacity), capacity);
    for (unsigned i = 0; i < node.count() && by_.step_should_continue(); ++i) {
      push(*shape.key, node.key(i), 1);
      if (shape.value != nullptr) push(*shape.value, node.value(i), 1);
    }
  }

  const dyn::memory& in_;
  progress_poll& by_;
  const dyn::tables& tables_;
  std::uint64_t offset_;
  column_plan plan_;
  /// Kind of the records of each type, if the kind is already known.
  std::vector<std::optional<std::uint8_t>> kinds_;
  std::array<std::optional<std::uint8_t>, 9> units_;
  /// Kinds of the slots of pools, by the type of the objects in the slots.
  std::map<std::uint32_t, std::optional<std::uint8_t>> pools_;
  std::uint8_t prefix_ = 0;
  std::vector<elements> open_;
  std::vector<found> found_;
};

} // namespace

result<column_plan> plan_live_columns(bytes_view layout, bytes_view payload, progress_poll* by) {
  const auto described = dynamic_layout::open(layout);
  if (!described) { // for example a type with more parts than a description can have
    if (described.error().code() == errc::no_memory) return fail(described.error());
    return column_plan{};
  }
  const auto proving = [by](std::uint64_t, std::uint64_t) { return by->should_continue_now(); };
  const auto block = dynamic_block::open_in_place(payload, *described,
                                                  by != nullptr ? progress_ref(proving) : progress_ref());
  if (!block && block.error().code() == errc::cancelled) return fail(errc::cancelled);
  if (!block) return column_plan{};
  const dyn::memory* const in = dyn::access::memory_of(block->root());
  if (in == nullptr) return column_plan{};
  return plan_by(by, [&](auto& who) { return block_walk(*in, who).go(); });
}

}}} // namespace ingot::INGOT_V1::detail
