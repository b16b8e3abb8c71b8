// SPDX-License-Identifier: Apache-2.0
// Allocates the storages of containers whose C++ type is not known, and writes everything in them
// except for the elements.
#pragma once

#include <ingot/core/detail/pending_error.hpp>
#include <ingot/dynamic/detail/build_keys.hpp>
#include <ingot/dynamic/detail/build_memory.hpp>
#include <ingot/dynamic/detail/cursor.hpp>
#include <ingot/live/detail/hash_layout.hpp>
#include <ingot/live/detail/table_seed.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>
#include <utility>
#include <vector>

namespace ingot { inline namespace INGOT_V1 { namespace detail::dyn {

template <block_policy P>
class container_builder {
public:
  [[nodiscard]] std::unexpected<error> failure() { return why_.failure(); }

protected:
  explicit container_builder(const fresh_block<P>& to) noexcept : to_(to), in_(to.in()) {}

  /// A container that is to be written.
  struct task {
    std::uint32_t type;
    std::uint64_t position;
    dynamic_value from;
  };
  struct hashed {
    std::uint64_t hash;
    dynamic_value key;
    dynamic_value value;
  };
  /// A container whose elements are being written.
  struct frame {
    std::uint32_t type = 0;
    bool is_outermost = false; ///< can contain its own type; no other open container can
    unsigned height = 0;       ///< height of a tree
    std::size_t base = 0;      ///< index in `tasks_` of the first container in the current element
    std::uint64_t position = 0;
    std::uint64_t data = 0; ///< position of its storage
    std::uint64_t count = 0;
    std::uint64_t next = 0; ///< next element; in a hash table, next slot
    dynamic_value from;
    cursor at;
    std::array<std::uint64_t, tree_shape::highest + 1> path_nodes{}; ///< tree: node on each level
    std::vector<hashed> order;                                       ///< entries of a hash table
  };

  [[nodiscard]] bool reject(errc code, std::string_view expected) {
    why_ = error{code}.with_expected(expected);
    return false;
  }
  [[nodiscard]] bool no_space() { return reject(errc::no_space, "a block within the limit"); }
  /// Returns the number of elements or slots that need storage.
  [[nodiscard]] static std::uint64_t slots_in(const dynamic_value& from) noexcept {
    return from.kind() == dynamic_kind::pool ? access::memory_of(from)->count(access::spot_of(from).position)
                                             : from.size();
  }
  /// Allocates the whole storage of a container, unless the container is empty.
  [[nodiscard]] bool begin(frame& opened, const task& next, bool& has_storage) {
    const type& of = in_.types[next.type];
    opened.type = next.type;
    opened.position = next.position;
    opened.from = next.from;
    opened.at = access::cursor_of(next.from);
    opened.count = of.kind == dynamic_kind::pool ? slots_in(next.from) : next.from.size();
    if (of.kind == dynamic_kind::optional || of.kind == dynamic_kind::variant) {
      opened.count = 1;
      has_storage = true;
      return true;
    }
    to_.point_at_nothing(next.position);
    if (opened.count == 0) return true;
    has_storage = true;
    const type& first = in_.part_type(of, 0);
    switch (of.kind) {
    case dynamic_kind::box: opened.data = to_.allocate(first.size, first.alignment); break;
    case dynamic_kind::vector: opened.data = allocate(opened.count, first.size, 0, first.alignment); break;
    case dynamic_kind::queue: {
      const queue_shape shape = queue_of(in_, first);
      opened.data = allocate(opened.count, first.size, shape.head, shape.alignment);
      if (opened.data != 0) to_.store_offset(opened.data + to_.offset, opened.count);
      break;
    }
    case dynamic_kind::pool: {
      const pool_shape shape = pool_of(first);
      if (opened.count <= ~std::uint32_t{1})
        opened.data = allocate(opened.count, shape.stride, shape.head, shape.alignment);
      break;
    }
    case dynamic_kind::flat_map:
    case dynamic_kind::flat_set: {
      const flat_shape shape = flat_of(in_, of);
      if (opened.count <= max_elements(in_, shape.slot))
        opened.data = to_.allocate(shape.bytes_for(opened.count), shape.alignment);
      break;
    }
    case dynamic_kind::hash_map:
    case dynamic_kind::hash_set:
      if (!begin_table(opened, of)) return false;
      break;
    default: begin_tree(opened, of);
    }
    if (opened.data == 0) return no_space();
    to_.point(opened.position, opened.data);
    if (of.kind != dynamic_kind::box) to_.store_offset(opened.position + to_.offset, opened.count);
    return true;
  }
  [[nodiscard]] std::uint64_t allocate(std::uint64_t count, std::uint64_t size, std::uint64_t head,
                                       std::uint64_t alignment) const noexcept {
    return count > max_elements(in_, size) ? 0 : to_.allocate(head + count * size, alignment);
  }
  /// Links the free slots of a pool in ascending order.
  void link_free_slots(const frame& f, const type& object) const noexcept {
    const pool_shape shape = pool_of(object);
    const memory written = to_.reader();
    std::uint32_t next = 0;
    for (std::uint64_t i = f.count; i-- != 0;) {
      const std::uint64_t slot = f.data + shape.head + i * shape.stride;
      const auto generation = written.load<std::uint32_t>(slot + shape.generation);
      if (generation % 2 != 0 || generation == 0) continue;
      to_.store(slot, std::exchange(next, static_cast<std::uint32_t>(i + 1)));
    }
    to_.store(f.data + 4, next);
  }

  // Hash tables.

  /// Builds the smallest valid hash table. Tries the public seeds first, then the seed of the table
  /// from which the entries come, then random seeds. Uses the first seed with which the table is
  /// valid. In programs with the type, a copy of a hash table gets its seed in this way
  /// (hash_rebuild.hpp).
  [[nodiscard]] bool begin_table(frame& f, const type& of) {
    const hash_shape shape = hash_of(in_, of);
    const memory* const in = access::memory_of(f.from);
    if (f.count > hash_shape::max_entries(max_elements(in_, shape.entry->size + 2))) return no_space();
    f.order.reserve(static_cast<std::size_t>(f.count));
    for (; !f.at.done(); f.at.next())
      f.order.push_back({0, access::make(in, f.at.key()), access::make(in, f.at.value())});
    std::uint64_t home_count = hash_shape::homes_for(f.count);
    for (int size = 0; size < max_sizes && home_count <= max_elements(in_, shape.entry->size + 2);
         ++size, home_count *= 2) {
      f.data = to_.allocate(shape.bytes(home_count), shape.alignment());
      if (f.data == 0 && size != 0) break;
      if (f.data == 0) return no_space();
      const auto fits = [&](std::uint64_t seed) { return lay_out_under(f, shape, home_count, seed); };
      for (std::uint64_t seed = first_seed; seed != 0; seed = next_public_seed(seed)) {
        if (fits(seed)) return true;
      }
      if (const std::uint64_t seed = seed_of(f.from); !is_public_seed(seed) && fits(seed)) return true;
      for (int draws = 0; draws < max_draws; ++draws) {
        if (fits(draw_seed())) return true;
      }
      to_.release(f.data);
    }
    return reject(errc::too_many_collisions, "keys that find places in a table");
  }
  /// Returns the seed of the table from which the entries come. If they do not come from a table in
  /// a block, returns a public seed.
  [[nodiscard]] static std::uint64_t seed_of(const dynamic_value& from) noexcept {
    const memory& in = *access::memory_of(from);
    if (in.message != nullptr || !is_hash(from.kind())) return first_seed;
    const spot at = access::spot_of(from);
    const type& of = in.in->types[at.type];
    return hash_table::of(in, hash_of(*in.in, of), in.target(at.position)).seed();
  }
  [[nodiscard]] bool lay_out_under(frame& f, const hash_shape& shape, std::uint64_t home_count,
                                   std::uint64_t seed) {
    const type& key = *shape.key;
    for (hashed& each : f.order) each.hash = hash_value(seed, in_, key, each.key);
    const std::uint64_t steps = f.data + shape.head + hash_shape::slots(home_count) + 16;
    auto* const at_home = reinterpret_cast<std::uint8_t*>(to_.at(steps));
    if (!entries_fit(at_home, static_cast<std::size_t>(home_count), [&](const auto& count) {
          return std::ranges::all_of(f.order, [&](const hashed& each) { return count(each.hash); });
        }))
      return false;
    std::sort(f.order.begin(), f.order.end(), [&](const hashed& a, const hashed& b) {
      return a.hash != b.hash ? a.hash < b.hash : compare_values(in_, key, a.key, b.key) < 0;
    });
    return lay_out(f, shape, home_count, seed);
  }
  [[nodiscard]] bool lay_out(const frame& f, const hash_shape& shape, std::uint64_t home_count,
                             std::uint64_t seed) const noexcept {
    const std::uint64_t slots = hash_shape::slots(home_count);
    const std::uint64_t tags = f.data + shape.head;
    const std::uint64_t steps = tags + slots + 16;
    std::uint64_t next = 0;
    std::uint64_t displacement = 0;
    bool fits = true;
    for (const hashed& each : f.order) {
      const wide_product wanted = multiply(each.hash, home_count);
      const std::uint64_t slot = std::max<std::uint64_t>(wanted.high, next);
      const std::uint64_t step = slot - wanted.high;
      fits = step < max_probe_length && slot < slots;
      if (!fits) break;
      to_.store(tags + slot, static_cast<std::uint8_t>(wanted.low >> 57 | 0x80));
      to_.store(steps + slot, static_cast<std::uint8_t>(step));
      displacement += step;
      next = slot + 1;
    }
    if (!fits || displacement > hash_shape::max_total_displacement(home_count)) {
      std::memset(to_.at(tags), 0, static_cast<std::size_t>(2 * slots + 16));
      return false;
    }
    to_.store(f.data, seed);
    to_.store_offset(f.data + 8, home_count);
    to_.store_offset(f.data + 8 + to_.offset, displacement);
    return true;
  }

  // Trees.

  void begin_tree(frame& f, const type& of) const noexcept {
    const tree_shape shape = tree_of(in_, of);
    std::uint64_t children = (f.count + tree_shape::fanout - 1) / tree_shape::fanout;
    f.height = children > 1 ? 1 : 0;
    for (; children > tree_shape::fanout; ++f.height)
      children = (children + tree_shape::fanout - 1) / tree_shape::fanout;
    if (f.height > tree_shape::highest) return;
    const std::uint64_t capacity = f.height == 0 ? f.count : align_up(children, 4);
    f.data = to_.allocate(f.height == 0 ? shape.leaf_size(capacity) : shape.inner_size(capacity),
                          shape.leaf_alignment());
    if (f.data == 0) return;
    if (f.height == 0) to_.begin_leaf(shape, f.data, static_cast<unsigned>(capacity));
    else to_.begin_inner(shape, f.data, static_cast<unsigned>(capacity), f.height);
    f.path_nodes[f.height] = f.data;
  }
  [[nodiscard]] bool is_full(const memory& written, std::uint64_t node) const noexcept {
    return node == 0 || written.byte(node) == written.byte(node + 1);
  }
  /// Begins the next leaf. First allocates the inner nodes above it that don't exist yet, parents
  /// before children.
  [[nodiscard]] bool open_leaf(frame& f, const tree_shape& shape) const noexcept {
    const memory written = to_.reader();
    const std::uint64_t full = f.path_nodes[0];
    unsigned level = 1;
    while (level <= f.height && is_full(written, f.path_nodes[level])) ++level;
    if (level > f.height) return false;
    for (; level != 0; --level) {
      const std::uint64_t parent = f.path_nodes[level];
      const std::uint64_t fresh = to_.allocate_node(shape, level - 1);
      if (fresh == 0) return false;
      if (level == 1) to_.begin_leaf(shape, fresh, tree_shape::fanout);
      else to_.begin_inner(shape, fresh, tree_shape::fanout, level - 1);
      const unsigned count = written.byte(parent);
      if (shape.is_plain() && count != 0) {
        const unsigned raw = shape.key->raw;
        std::memcpy(to_.at(parent + 8 + std::uint64_t{count - 1} * raw),
                    to_.at(full + shape.keys_at() + (tree_shape::fanout - 1) * raw), raw);
      }
      const tree_node node{&written, &shape, parent};
      to_.store_offset(node.link_at(count), fresh - parent);
      to_.store(parent, static_cast<std::uint8_t>(count + 1));
      f.path_nodes[level - 1] = fresh;
    }
    return true;
  }

  const fresh_block<P>& to_;
  const tables& in_;
  pending_error why_;
};

}}} // namespace ingot::INGOT_V1::detail::dyn
