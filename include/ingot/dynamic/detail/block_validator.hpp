// SPDX-License-Identifier: Apache-2.0
// Validates untrusted bytes as a block, by a description of its type: all checks of the typed
// validation (live/detail/block_validator.hpp and others), except for a type's own `valid`.
//
// A level is a container whose elements are being validated. For the innermost level, the walk
// keeps a list of those objects in the current element that are being validated. An inner container
// drops this list. Afterwards, the container's position is enough to find the objects again: no two
// containers share bytes. So an outer level takes only a few words, and nothing recurses.
#pragma once

#include <ingot/core/detail/progress_poll.hpp>
#include <ingot/core/error.hpp>
#include <ingot/dynamic/detail/container_validator.hpp>
#include <ingot/dynamic/detail/limits.hpp>
#include <ingot/dynamic/detail/validation_stack.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <type_traits>

namespace ingot { inline namespace INGOT_V1 { namespace detail::dyn {

struct failed_objects;

/// Validates a block. Reports the position of a storage to the poll at intervals.
class document_validator : private container_validator {
public:
  using container_validator::failure;
  document_validator(const memory& in, progress_poll& by) noexcept : container_validator(in), by_(by) {}

  /// Validates the block. Requires a valid header. Takes memory: 1/64 of the block for claims, and
  /// at most twice the block and 20 KiB for other data.
  [[nodiscard]] bool validate() { return run() || add_path(); }

private:
  friend struct failed_objects;
  static constexpr unsigned position_bitmap = 48;

  /// An object inside an element; its parts are being validated.
  struct inner {
    std::uint32_t type;
    std::uint64_t position;
    std::uint64_t next; ///< next part; a member of a record counts as two: its value, its limits
  };
  /// A container whose elements are being validated.
  struct level {
    std::uint32_t type;
    bool inside;            ///< an element is being validated; the path of an error contains it
    std::uint64_t position; ///< position of the container
    std::uint64_t next;     ///< next element; flat map: key or value; table, tree: part of an entry
    std::uint64_t data;     ///< position of its storage
    std::uint64_t count;    ///< number of elements
    memory::run elements;
  };

  [[nodiscard]] bool run() {
    if (in_.used >> position_bitmap != 0) // machines have less memory than that
      return reject(errc::too_large, 24, "a block of less than 2^48 bytes");
    if (!begin_claims() || !visit(0, root_position)) return false;
    for (;;) {
      if (!should_continue()) return false;
      if (inner_count_ != 0) {
        if (!step_inner(inner_[inner_count_ - 1])) return false;
      } else {
        if (depth_ == 0) return true;
        if (!step_level()) return false;
      }
    }
  }

  // Errors.

  [[nodiscard]] bool should_continue() {
    return by_.step_should_continue(top_.data) || reject(errc::cancelled, top_.data, {});
  }
  [[nodiscard]] INGOT_COLD bool add_path() {
    if (by_.stopped()) return false;
    for (;;) {
      while (inner_count_ != 0) {
        const inner& f = inner_[--inner_count_];
        const type& of = tables_.types[f.type];
        if (of.kind == dynamic_kind::array) why_->in_element(f.next - 1);
        else if (of.kind == dynamic_kind::pair || is_record(of.kind))
          why_->in_member(member(of, (f.next - 1) / 2).name);
      }
      if (depth_ == 0) return false;
      if (top_.inside && tables_.types[top_.type].kind != dynamic_kind::box)
        why_->in_element(element_number());
      leave();
    }
  }
  [[nodiscard]] std::uint64_t element_number() const noexcept {
    const dynamic_kind kind = tables_.types[top_.type].kind;
    if (is_hash(kind)) return table_.seen;
    if (is_tree(kind)) return tree_.seen;
    return is_flat(kind) ? (top_.next - 1) / 2 : top_.next - 1;
  }

  // Levels.

  /// Begins a level for a container, and drops the list of the objects that enclose the container.
  [[nodiscard]] bool open(std::uint32_t index, std::uint64_t position) {
    if (depth_ != 0 && !put_away()) return no_memory();
    ++depth_;
    inner_count_ = 0;
    set_top(index, position, 0);
    top_.inside = false;
    return true;
  }
  void set_top(std::uint32_t index, std::uint64_t position, std::uint64_t next) noexcept {
    const type& of = tables_.types[index];
    top_.type = index;
    top_.position = position;
    top_.next = next;
    top_.data = in_.target(position);
    if (of.kind == dynamic_kind::vector || of.kind == dynamic_kind::queue) {
      top_.elements = in_.elements(of, position);
      top_.count = top_.elements.count;
    } else if (of.kind == dynamic_kind::box) {
      top_.elements = {};
      top_.elements.type = tables_.parts[of.first].type;
      top_.elements.base = top_.data;
      top_.count = 1;
    } else {
      top_.count = in_.count(position);
    }
  }
  [[nodiscard]] bool put_away() {
    const type& of = tables_.types[top_.type];
    bool all = true;
    if (is_hash(of.kind)) {
      all = left_.push(table_.next) && left_.push(table_.free) && left_.push(table_.seen) &&
            left_.push(table_.sum) && left_.push(table_.last) && left_.push(table_.last_hash);
    } else if (is_tree(of.kind)) {
      const saved_tree saved = save(tree_of(tables_, of), tree_);
      all = left_.push(saved.path) && left_.push(saved.last) && left_.push(saved.seen) &&
            left_.push(saved.rank);
    } else if (of.kind == dynamic_kind::pool) {
      all = left_.push(pool_.alive) && left_.push(pool_.free);
    }
    return all && left_.push(top_.next) && left_.push(top_.position << (64 - position_bitmap) | top_.type);
  }
  /// Ends the top level, and restores the list of the objects that enclose the level's container.
  void leave() noexcept {
    const std::uint64_t from = top_.position;
    if (--depth_ == 0) return find_back(0, root_position, from);
    const std::uint64_t word = left_.pop();
    const std::uint64_t next = left_.pop();
    set_top(static_cast<std::uint32_t>(word & ((1U << (64 - position_bitmap)) - 1)),
            word >> (64 - position_bitmap), next);
    top_.inside = true;
    const type& of = tables_.types[top_.type];
    if (is_hash(of.kind)) {
      table_.last_hash = left_.pop();
      table_.last = left_.pop();
      table_.sum = left_.pop();
      table_.seen = left_.pop();
      table_.free = left_.pop();
      table_.next = left_.pop();
      table_.data = top_.data;
    } else if (is_tree(of.kind)) {
      saved_tree saved{};
      saved.rank = left_.pop();
      saved.seen = left_.pop();
      saved.last = left_.pop();
      saved.path = left_.pop();
      load(tree_of(tables_, of), top_.data, saved, tree_);
    } else if (of.kind == dynamic_kind::pool) {
      pool_.free = left_.pop();
      pool_.alive = left_.pop();
    }
    std::uint32_t object = 0;
    const std::uint64_t position = element(object);
    find_back(object, position, from);
  }
  /// Returns the position of the top level's current element, and sets `index` to its type.
  [[nodiscard]] std::uint64_t element(std::uint32_t& index) const noexcept {
    const type& of = tables_.types[top_.type];
    const std::uint32_t first = tables_.parts[of.first].type;
    index = first;
    switch (of.kind) {
    case dynamic_kind::pool: {
      const pool_shape shape = pool_of(tables_.types[first]);
      return top_.data + shape.head + (top_.next - 1) * shape.stride;
    }
    case dynamic_kind::flat_map:
    case dynamic_kind::flat_set: {
      const flat_shape shape = flat_of(tables_, of);
      const std::uint64_t i = (top_.next - 1) / 2;
      if (top_.next % 2 != 0) return top_.data + i * shape.key->size;
      index = tables_.parts[of.first + 1].type;
      return flat_value(shape, i);
    }
    case dynamic_kind::hash_map: index = tables_.parts[of.first + 2].type; [[fallthrough]];
    case dynamic_kind::hash_set:
      return hash_table::of(in_, hash_of(tables_, of), top_.data).entry(table_.next);
    case dynamic_kind::map:
    case dynamic_kind::multimap:
    case dynamic_kind::set: {
      const tree_shape shape = tree_of(tables_, of);
      const tree_node leaf{&in_, &shape, tree_.leaf};
      if (top_.next == key_of_entry) return leaf.key(tree_.rank);
      index = tables_.parts[of.first + 1].type;
      return leaf.value(tree_.rank);
    }
    default: index = top_.elements.type; return top_.elements.at(top_.next - 1);
    }
  }
  /// Lists the objects that enclose a container, outermost first, each with its next part.
  void find_back(std::uint32_t index, std::uint64_t position, std::uint64_t container) noexcept {
    inner_count_ = 0;
    for (;;) {
      const type& of = tables_.types[index];
      inner f{index, position, 1};
      switch (of.kind) {
      case dynamic_kind::array: {
        const type& each = tables_.part_type(of, 0);
        const std::uint64_t i = (container - position) / each.size;
        f.next = i + 1;
        position += i * each.size;
        index = tables_.parts[of.first].type;
        break;
      }
      case dynamic_kind::optional: index = tables_.parts[of.first].type; break;
      case dynamic_kind::variant: {
        const variant_shape shape = variant_of(tables_, of);
        index = tables_.parts[of.first + in_.byte(position + shape.tag)].type;
        position += shape.head;
        break;
      }
      case dynamic_kind::pair:
      case dynamic_kind::record: {
        const auto holders = tables_.holders_of(of);
        const auto next_holder = std::upper_bound(
            holders.begin(), holders.end(), container - position, [&](std::uint64_t query, std::uint32_t i) {
              const part& each = member(of, i);
              return query < each.offset + tables_.types[each.type].holder_begin;
            });
        const std::uint32_t i = *(next_holder - 1);
        f.next = 2 * std::uint64_t{i} + 1;
        index = member(of, i).type;
        position += member(of, i).offset;
        break;
      }
      default: return; // this is the container itself
      }
      inner_[inner_count_++] = f;
    }
  }

  [[nodiscard]] bool step_level() {
    switch (tables_.types[top_.type].kind) {
    case dynamic_kind::pool: return step_pool();
    case dynamic_kind::flat_map:
    case dynamic_kind::flat_set: return step_flat();
    case dynamic_kind::hash_map:
    case dynamic_kind::hash_set: return step_table();
    case dynamic_kind::map:
    case dynamic_kind::multimap:
    case dynamic_kind::set: return step_tree();
    default: return step_run();
    }
  }
  bool done() noexcept { return leave(), true; }

  // Objects.

  [[nodiscard]] bool is_plain(std::uint32_t index) const noexcept { return tables_.types[index].plain; }
  [[nodiscard]] const part& member(const type& of, std::uint64_t i) const noexcept {
    return tables_.parts[of.first + static_cast<std::size_t>(i)];
  }
  /// Adds an object to the list, which has space for the deepest nesting of types.
  bool list(std::uint32_t index, std::uint64_t position) noexcept {
    inner_[inner_count_++] = {index, position, 0};
    return true;
  }
  /// Validates an object. If it has parts to validate, only adds it to the list.
  [[nodiscard]] bool visit(std::uint32_t index, std::uint64_t position) {
    const type& of = tables_.types[index];
    if (of.plain) return true;
    switch (of.kind) {
    case dynamic_kind::boolean: return in_.byte(position) <= 1 || reject(errc::bad_bool, position, "0 or 1");
    case dynamic_kind::enumeration:
      return tables_.is_value(of, in_.number(position, of.size, of.has(is_signed))) ||
             reject_enumerator(of, position);
    case dynamic_kind::bitset: return check_bits(of, position);
    case dynamic_kind::array:
    case dynamic_kind::pair:
    case dynamic_kind::record:
    case dynamic_kind::ref: return list(index, position);
    case dynamic_kind::optional: {
      bool has_value = false;
      if (!check_optional(of, position, has_value)) return false;
      return !has_value || is_plain(tables_.parts[of.first].type) || list(index, position);
    }
    case dynamic_kind::variant: return check_variant(of, position) && list(index, position);
    case dynamic_kind::text: return check_string(of, position);
    case dynamic_kind::value: return check_value(position);
    default: return visit_container(index, of, position);
    }
  }
  [[nodiscard]] bool visit_container(std::uint32_t index, const type& of, std::uint64_t position) {
    const bool plain = is_plain(tables_.parts[of.first].type);
    switch (of.kind) {
    case dynamic_kind::vector:
      return check_vector(of, position) && (plain || in_.count(position) == 0 || open(index, position));
    case dynamic_kind::queue:
      return check_queue(of, position) && (plain || in_.count(position) == 0 || open(index, position));
    case dynamic_kind::box: {
      bool has_object = false;
      return check_box(of, position, has_object) && (plain || !has_object || open(index, position));
    }
    case dynamic_kind::pool:
      if (!check_pool(of, position)) return false;
      if (in_.count(position) == 0) return true;
      if (!open(index, position)) return false;
      pool_ = {};
      return true;
    case dynamic_kind::flat_map:
    case dynamic_kind::flat_set:
      return check_flat(of, position) && (in_.count(position) == 0 || open(index, position));
    case dynamic_kind::hash_map:
    case dynamic_kind::hash_set: {
      table_walk begun;
      if (!begin_table(of, position, begun)) return false;
      if (begun.data == 0) return true;
      if (!open(index, position)) return false;
      table_ = begun;
      return true;
    }
    default: {
      tree_walk begun;
      if (!begin_tree(of, position, begun)) return false;
      if (begun.root == 0) return true;
      if (!open(index, position)) return false;
      tree_ = begun;
      return true;
    }
    }
  }
  [[nodiscard]] bool step_inner(inner& f) {
    const type& of = tables_.types[f.type];
    // This object remains the last in the list until another object is added or a level begins.
    const std::size_t objects = inner_count_;
    const std::size_t depth = depth_;
    const auto on_top = [&] { return inner_count_ == objects && depth_ == depth; };
    switch (of.kind) {
    case dynamic_kind::array: {
      const std::uint32_t element = tables_.parts[of.first].type;
      const std::uint64_t stride = tables_.types[element].size;
      while (f.next < of.extent) {
        if (!should_continue() || !visit(element, f.position + f.next++ * stride)) return false;
        if (!on_top()) return true;
      }
      break;
    }
    case dynamic_kind::optional:
      if (f.next++ == 0) return visit(tables_.parts[of.first].type, f.position);
      break;
    case dynamic_kind::variant:
      if (f.next++ == 0) {
        const variant_shape shape = variant_of(tables_, of);
        return visit(tables_.parts[of.first + in_.byte(f.position + shape.tag)].type,
                     f.position + shape.head);
      }
      break;
    default:
      while (f.next < 2 * std::uint64_t{of.parts}) {
        const part& each = member(of, f.next / 2);
        if (f.next++ % 2 != 0) {
          if (each.limits != 0 && !check_limits(each, f.position + each.offset)) return false;
        } else if (!is_plain(each.type)) {
          if (!visit(each.type, f.position + each.offset)) return false;
          if (!on_top()) return true;
        }
      }
    }
    --inner_count_;
    return true;
  }
  [[nodiscard]] bool check_limits(const part& each, std::uint64_t position) {
    limit_failure failure;
    const limit& set = tables_.limits[each.limit];
    if (keeps_limits(in_, tables_.types[each.type], position, each.limits, set, failure)) return true;
    why_ = limit_error(failure, set, position);
    return false;
  }

  // Elements. The objects and containers in an element are finished before the next element.

  [[nodiscard]] bool step_run() {
    const std::size_t depth = depth_;
    top_.inside = true;
    while (top_.next != top_.count) {
      if (!should_continue() || !visit(top_.elements.type, top_.elements.at(top_.next++))) return false;
      if (inner_count_ != 0 || depth_ != depth) return true;
    }
    return done();
  }
  [[nodiscard]] bool step_pool() {
    const std::uint32_t object = tables_.parts[tables_.types[top_.type].first].type;
    const type& of = tables_.types[object];
    const pool_shape shape = pool_of(of);
    while (top_.next < top_.count) {
      if (!should_continue()) return false;
      const std::uint64_t slot = top_.data + shape.head + top_.next++ * shape.stride;
      top_.inside = true;
      bool has_object = false;
      if (!check_pool_slot(of, shape, slot, pool_, has_object)) return false;
      if (has_object && !of.plain) return visit(object, slot);
    }
    top_.inside = false;
    return check_free_list(top_.data, top_.count, shape, pool_) && done();
  }
  [[nodiscard]] std::uint64_t flat_value(const flat_shape& shape, std::uint64_t i) const noexcept {
    return top_.data + shape.values_at(shape.capacity_for(in_.capacity(top_.data))) + i * shape.value->size;
  }
  [[nodiscard]] bool step_flat() {
    const type& of = tables_.types[top_.type];
    const flat_shape shape = flat_of(tables_, of);
    if (top_.next == 2 * top_.count) return done();
    const std::uint64_t i = top_.next / 2;
    const std::uint64_t key = top_.data + i * shape.key->size;
    top_.inside = true;
    if (top_.next++ % 2 == 0) return visit(tables_.parts[of.first].type, key);
    if (!check_flat_key(*shape.key, key, i == 0)) return false;
    if (shape.value == nullptr || shape.value->plain) return true;
    return visit(tables_.parts[of.first + 1].type, flat_value(shape, i));
  }
  [[nodiscard]] bool step_table() {
    const type& of = tables_.types[top_.type];
    const hash_table table = hash_table::of(in_, hash_of(tables_, of), top_.data);
    const part& entry = tables_.parts[of.first + (of.kind == dynamic_kind::hash_map ? 2 : 0)];
    for (;;) {
      if (!should_continue()) return false;
      if (top_.next != 0) {
        if (!check_slot(table_, table)) return false;
        top_.next = 0;
        top_.inside = false;
      }
      if (!next_slot(table_, table, top_.count)) return false;
      if (table_.next == table.slots) return done();
      top_.next = 1;
      top_.inside = true;
      if (!is_plain(entry.type)) return visit(entry.type, table.entry(table_.next));
    }
  }
  enum entry_part : std::uint64_t { key_of_entry = 1, value_of_entry = 2 };
  [[nodiscard]] bool step_tree() {
    const type& of = tables_.types[top_.type];
    const tree_shape shape = tree_of(tables_, of);
    tree_walk& t = tree_;
    const tree_node leaf{&in_, &shape, t.leaf};
    if (top_.next == key_of_entry) {
      if (!check_key(shape, t, leaf.key(t.rank))) return false;
      top_.next = value_of_entry;
      if (shape.value != nullptr && !shape.value->plain)
        return visit(tables_.parts[of.first + 1].type, leaf.value(t.rank));
    }
    if (top_.next == value_of_entry) {
      top_.next = 0;
      top_.inside = false;
      ++t.rank;
      ++t.seen;
    }
    if (t.leaf != nowhere) {
      const unsigned count = leaf.count();
      if (shape.key->raw != 0 && shape.key->plain && (shape.value == nullptr || shape.value->plain)) {
        t.seen += count; // plain entries: `check_leaf` checked their order
      } else if (t.rank < count) {
        top_.next = key_of_entry;
        top_.inside = true;
        return visit(tables_.parts[of.first].type, leaf.key(t.rank));
      }
      t.leaf = nowhere;
    }
    bool more = false;
    if (!next_leaf(shape, t, more)) return false;
    if (more) return true;
    return t.seen == top_.count
               ? done()
               : reject(errc::bad_length, top_.position, "a size that is the number of entries");
  }

  progress_poll& by_;
  level top_{};
  std::size_t depth_ = 0; ///< number of levels
  std::size_t inner_count_ = 0;
  std::array<inner, deepest_type + 1> inner_;
  table_walk table_{}; ///< only the walk for the top level's kind is in use
  pool_walk pool_{};
  tree_walk tree_{};
  word_stack left_; ///< levels below the top
};

}}} // namespace ingot::INGOT_V1::detail::dyn
