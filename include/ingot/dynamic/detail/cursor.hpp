// SPDX-License-Identifier: Apache-2.0
// Iterates over the parts of a validated value: its members, elements or entries, the value of an
// optional, or the alternative of a variant.
#pragma once

#include <ingot/dynamic/detail/memory.hpp>

#include <array>
#include <cstddef>
#include <cstdint>

namespace ingot { inline namespace INGOT_V1 { namespace detail::dyn {

/// Returns true if an optional or a box has a value.
[[nodiscard]] inline bool has_value(const memory& in, const type& of, std::uint64_t position) noexcept {
  if (of.kind == dynamic_kind::optional) return in.byte(position + in.in->part_type(of, 0).size) != 0;
  return in.target(position) != sentinel_position;
}

/// Returns the number of parts that a cursor visits; for text, the number of characters. O(1).
[[nodiscard]] inline std::uint64_t size_of(const memory& in, const type& of,
                                           std::uint64_t position) noexcept {
  switch (of.kind) {
  case dynamic_kind::pair:
  case dynamic_kind::record:
  case dynamic_kind::ref: return of.parts;
  case dynamic_kind::array:
  case dynamic_kind::bitset: return of.extent;
  case dynamic_kind::text: return in.text(of, position).units;
  case dynamic_kind::variant: return 1;
  case dynamic_kind::optional:
  case dynamic_kind::box: return has_value(in, of, position) ? 1 : 0;
  case dynamic_kind::pool: return in.count(position) == 0 ? 0 : in.load<std::uint32_t>(in.target(position));
  default: return is_counted(of.kind) ? in.count(position) : 0;
  }
}

class cursor {
public:
  cursor() = default;
  /// Creates a cursor at the first part. The memory must outlive the cursor.
  cursor(const memory& in, const spot& whole) noexcept
      : in_(&in), of_(&in.in->types[whole.type]), whole_(whole) {
    if (in.message != nullptr) {
      count_ = in.message->size(whole);
      return;
    }
    begin(in, *of_, whole.position);
  }
  /// Creates a cursor over a value in a block.
  cursor(const memory& in, const type& of, std::uint64_t position) noexcept
      : in_(&in), of_(&of), whole_{0, 0, position} {
    begin(in, of, position);
  }

  [[nodiscard]] bool done() const noexcept { return at_ >= end(); }
  void next() noexcept {
    ++index_;
    if (in_->message != nullptr) {
      ++at_;
    } else if (of_->kind == dynamic_kind::pool) {
      at_ = alive_from(at_ + 1);
    } else if (is_hash(of_->kind)) {
      at_ = table().full_from(at_ + 1);
    } else {
      ++at_;
      if (is_tree(of_->kind) && ++rank_ == leaf_count_ && at_ != count_) next_leaf();
    }
  }
  /// Returns the number of parts before the current part.
  [[nodiscard]] std::uint64_t index() const noexcept { return index_; }
  [[nodiscard]] spot value() const noexcept {
    if (in_->message != nullptr) return in_->message->part(whole_, at_);
    return {value_type(), 0, value_position()};
  }
  [[nodiscard]] spot key() const noexcept {
    if (in_->message != nullptr) return in_->message->key(whole_, at_);
    return {key_type(), 0, key_position()};
  }
  [[nodiscard]] bool has_key() const noexcept { return is_map(of_->kind) || is_set(of_->kind); }

  // The functions below are only for blocks.

  /// Returns the current slot in a pool or hash table; for other kinds the index. Links to objects
  /// of a pool store the slot.
  [[nodiscard]] std::uint64_t slot() const noexcept { return at_; }

  [[nodiscard]] std::uint32_t key_type() const noexcept { return in_->in->parts[of_->first].type; }
  [[nodiscard]] std::uint64_t key_position() const noexcept {
    if (is_flat(of_->kind)) return data_ + at_ * in_->in->part_type(*of_, 0).size;
    if (is_hash(of_->kind)) return table().entry(at_);
    const tree_shape shape = tree_of(*in_->in, *of_);
    return tree_node{in_, &shape, leaf_}.key(rank_);
  }
  /// Returns the type of the value; for a set, the type of the key.
  [[nodiscard]] std::uint32_t value_type() const noexcept {
    switch (of_->kind) {
    case dynamic_kind::pair:
    case dynamic_kind::record:
    case dynamic_kind::ref: return member().type;
    case dynamic_kind::variant: return in_->in->parts[of_->first + alternative()].type;
    default: return in_->in->parts[of_->first + (is_map(of_->kind) ? 1 : 0)].type;
    }
  }
  [[nodiscard]] std::uint64_t value_position() const noexcept {
    const tables& all = *in_->in;
    switch (of_->kind) {
    case dynamic_kind::pair:
    case dynamic_kind::record:
    case dynamic_kind::ref: return whole_.position + member().offset;
    case dynamic_kind::array:
    case dynamic_kind::vector:
    case dynamic_kind::queue: return run_.at(at_);
    case dynamic_kind::text: {
      const text_run text = in_->text(*of_, whole_.position);
      return text.position + at_ * text.width;
    }
    case dynamic_kind::optional: return whole_.position;
    case dynamic_kind::variant: return whole_.position + variant_of(all, *of_).head;
    case dynamic_kind::box: return in_->target(whole_.position);
    case dynamic_kind::pool: {
      const pool_shape shape = pool_of(all.part_type(*of_, 0));
      return data_ + shape.head + at_ * shape.stride;
    }
    case dynamic_kind::flat_map: {
      const flat_shape shape = flat_of(all, *of_);
      return data_ + shape.values_at(shape.capacity_for(in_->capacity(data_))) + at_ * shape.value->size;
    }
    case dynamic_kind::hash_map: {
      const hash_table entries = table();
      return entries.entry(at_) + entries.shape.value_at;
    }
    case dynamic_kind::map:
    case dynamic_kind::multimap: {
      const tree_shape shape = tree_of(all, *of_);
      return tree_node{in_, &shape, leaf_}.value(rank_);
    }
    default: return key_position();
    }
  }
  /// Returns the index of a variant's alternative.
  [[nodiscard]] std::size_t alternative() const noexcept {
    return in_->byte(whole_.position + variant_of(*in_->in, *of_).tag);
  }

private:
  void begin(const memory& in, const type& of, std::uint64_t position) noexcept {
    switch (of.kind) {
    case dynamic_kind::pair:
    case dynamic_kind::record:
    case dynamic_kind::ref: count_ = of.parts; return;
    case dynamic_kind::array:
    case dynamic_kind::vector:
    case dynamic_kind::queue:
      run_ = in.elements(of, position);
      count_ = run_.count;
      return;
    case dynamic_kind::text: count_ = in.text(of, position).units; return;
    case dynamic_kind::variant: count_ = 1; return;
    case dynamic_kind::optional:
    case dynamic_kind::box: count_ = has_value(in, of, position) ? 1 : 0; return;
    default: break;
    }
    if (!is_counted(of.kind)) return;
    count_ = in.count(position);
    data_ = in.target(position);
    if (count_ == 0) return;
    if (of.kind == dynamic_kind::pool) at_ = alive_from(0);
    else if (is_hash(of.kind)) at_ = table().full_from(0);
    else if (is_tree(of.kind)) descend();
  }
  [[nodiscard]] const part& member() const noexcept {
    return in_->in->parts[of_->first + static_cast<std::size_t>(at_)];
  }
  [[nodiscard]] std::uint64_t end() const noexcept {
    return is_hash_here() ? (count_ == 0 ? 0 : table().slots) : count_;
  }
  [[nodiscard]] bool is_hash_here() const noexcept {
    return of_ != nullptr && in_->message == nullptr && is_hash(of_->kind);
  }
  [[nodiscard]] hash_table table() const noexcept {
    return hash_table::of(*in_, hash_of(*in_->in, *of_), data_);
  }
  [[nodiscard]] std::uint64_t alive_from(std::uint64_t slot) const noexcept {
    const pool_shape shape = pool_of(in_->in->part_type(*of_, 0));
    while (slot < count_ &&
           in_->load<std::uint32_t>(data_ + shape.head + slot * shape.stride + shape.generation) % 2 == 0)
      ++slot;
    return slot;
  }

  // Trees. For each level, `path_` has a nibble that contains the number of the current child. The
  // lowest nibble belongs to level 1.

  void descend() noexcept {
    const tree_shape shape = tree_of(*in_->in, *of_);
    tree_node node{in_, &shape, data_};
    for (unsigned level = node.level(); level != 0; --level) node = node.child(nibble(level));
    leaf_ = node.position;
    leaf_count_ = node.count();
    rank_ = 0;
  }
  void next_leaf() noexcept {
    const tree_shape shape = tree_of(*in_->in, *of_);
    tree_node node{in_, &shape, data_};
    unsigned turn = 0; // lowest level where another child follows
    for (unsigned level = node.level(); level != 0; --level) {
      if (nibble(level) + 1 < node.count()) turn = level;
      node = node.child(nibble(level));
    }
    if (turn == 0) return; // can't happen: more entries follow
    path_ = ((path_ >> 4 * (turn - 1)) + 1) << 4 * (turn - 1);
    descend();
  }
  [[nodiscard]] unsigned nibble(unsigned level) const noexcept {
    return static_cast<unsigned>(path_ >> 4 * (level - 1) & 15);
  }

  const memory* in_ = nullptr;
  const type* of_ = nullptr;
  spot whole_;
  std::uint64_t at_ = 0; ///< current part: its index or its slot
  std::uint64_t index_ = 0;
  std::uint64_t count_ = 0;
  std::uint64_t data_ = 0;
  memory::run run_{};
  std::uint64_t path_ = 0;
  std::uint64_t leaf_ = 0;
  unsigned leaf_count_ = 0;
  unsigned rank_ = 0;
};

}}} // namespace ingot::INGOT_V1::detail::dyn
