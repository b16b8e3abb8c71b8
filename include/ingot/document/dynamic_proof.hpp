// SPDX-License-Identifier: Apache-2.0
// Proving foreign bytes to be a block by a description of its type: asks what the typed proof asks (check.hpp and the containers'
// own checks), refuses what that refuses, but for what a type's own `valid` would say. Nothing recursive: what is under way lies
// on a list, at most some steps for each storage.
#pragma once

#include <ingot/core/error.hpp>
#include <ingot/document/core.hpp>
#include <ingot/document/dynamic_limits.hpp>
#include <ingot/document/dynamic_table_proof.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>

namespace ingot::inline v1::detail::dyn {

class prover : private table_proof {
public:
  using table_proof::failure;
  explicit prover(const memory& in) noexcept : table_proof(in) {}

  /// Whether the block, whose header was checked, is one. Takes a 64th of the bytes in memory, and what the list takes.
  [[nodiscard]] bool prove() {
    if (!begin_claims()) return false;
    if (!enter(0, root_position)) return false;
    while (!way_.empty()) {
      if (!step()) return add_path();
    }
    return true;
  }

private:
  enum class walk : std::uint8_t { members, run, flat, table, pool, tree };

  /// Of the slots of a pool.
  struct pool_walk {
    std::uint64_t alive;
    std::uint64_t free; ///< those that are in the list of them
  };
  /// An object whose parts are being checked.
  struct frame {
    std::uint32_t type;
    walk what;
    std::uint8_t phase;  ///< of an entry: its key, its value
    bool inside;         ///< a part is looked at, which the path of an error names
    std::uint32_t tree;  ///< in `trees_`
    std::uint64_t place; ///< of the object
    std::uint64_t data;  ///< of its storage
    std::uint64_t next;  ///< the part that comes
    std::uint64_t count; ///< how many there are
    union {
      memory::run elements; ///< of a run
      table_walk table;
      pool_walk pool;
    };
  };
  static_assert(sizeof(frame) <= 112, "many are pushed");

  [[nodiscard]] INGOT_COLD bool add_path() {
    while (!way_.empty()) {
      const frame f = way_.pop();
      if (!f.inside) continue;
      switch (f.what) {
      case walk::members: why_->in_member(member(tables_.types[f.type], (f.next - 1) / 2).name); break;
      case walk::run:
        if (tables_.types[f.type].kind != dynamic_kind::optional &&
            tables_.types[f.type].kind != dynamic_kind::variant &&
            tables_.types[f.type].kind != dynamic_kind::box)
          why_->in_element(f.next - 1);
        break;
      case walk::table: why_->in_element(f.table.seen); break;
      case walk::tree: why_->in_element(trees_[f.tree].seen); break;
      case walk::flat:
      case walk::pool: why_->in_element(f.next - 1); break;
      }
    }
    return false;
  }

  [[nodiscard]] bool push(const frame& f) { return way_.push(f) || no_memory(); }
  [[nodiscard]] bool push_run(std::uint32_t type, std::uint64_t place, const memory::run& elements) {
    if (elements.count == 0 || tables_.types[elements.type].plain) return true;
    frame f{};
    f.type = type;
    f.what = walk::run;
    f.place = place;
    f.count = elements.count;
    f.elements = elements;
    return push(f);
  }
  [[nodiscard]] bool push_object(std::uint32_t type, std::uint64_t place, std::uint32_t object,
                                 std::uint64_t at) {
    memory::run one{};
    one.type = object;
    one.base = at;
    one.count = 1;
    return push_run(type, place, one);
  }

  // Objects.

  /// Checks an object, or notes that its parts are to be checked.
  [[nodiscard]] bool enter(std::uint32_t index, std::uint64_t place) {
    const type& of = tables_.types[index];
    if (of.plain) return true;
    switch (of.kind) {
    case dynamic_kind::boolean: return in_.byte(place) <= 1 || refuse(errc::bad_bool, place, "0 or 1");
    case dynamic_kind::enumeration:
      return tables_.find(of, in_.number(place, of.size, of.has(is_signed))) != nullptr ||
             refuse(errc::bad_enum, place, "an enumerator");
    case dynamic_kind::bitset: return check_bits(of, place);
    case dynamic_kind::array: return push_run(index, place, in_.elements(of, place));
    case dynamic_kind::pair:
    case dynamic_kind::record:
    case dynamic_kind::ref: {
      frame f{};
      f.type = index;
      f.what = walk::members;
      f.place = place;
      f.count = 2 * std::uint64_t{of.parts};
      return push(f);
    }
    case dynamic_kind::text: return check_string(of, place);
    case dynamic_kind::vector: return enter_vector(index, place);
    case dynamic_kind::optional: return enter_optional(index, place);
    case dynamic_kind::variant: return enter_variant(index, place);
    case dynamic_kind::box: return enter_box(index, place);
    case dynamic_kind::queue: return enter_queue(index, place);
    case dynamic_kind::pool: return enter_pool(index, place);
    case dynamic_kind::flat_map:
    case dynamic_kind::flat_set: return enter_flat(index, place);
    case dynamic_kind::hash_map:
    case dynamic_kind::hash_set: return enter_table(index, place);
    case dynamic_kind::map:
    case dynamic_kind::multimap:
    case dynamic_kind::set: return enter_tree(index, place);
    default: return true;
    }
  }
  [[nodiscard]] bool step() {
    frame& top = way_[way_.size() - 1];
    switch (top.what) {
    case walk::members: return step_members(top);
    case walk::run: return step_run(top);
    case walk::flat: return step_flat(top);
    case walk::table: return step_table(top);
    case walk::pool: return step_pool(top);
    case walk::tree: return step_tree(top);
    }
    return false;
  }
  bool done() {
    static_cast<void>(way_.pop());
    return true;
  }

  [[nodiscard]] const part& member(const type& of, std::uint64_t i) const noexcept {
    return tables_.parts[of.first + static_cast<std::size_t>(i)];
  }
  /// Each member in two turns: the member, then its limits. A frame must not be touched once something was pushed.
  [[nodiscard]] bool step_members(frame& f) {
    const type& of = tables_.types[f.type];
    const std::size_t depth = way_.size();
    while (f.next < f.count) {
      const part& each = member(of, f.next / 2);
      const bool limits = f.next++ % 2 != 0;
      f.inside = true;
      if (limits) {
        if (each.limits != 0 && !check_limits(each, f.place + each.offset)) return false;
      } else if (!tables_.types[each.type].plain) {
        if (!enter(each.type, f.place + each.offset)) return false;
        if (way_.size() != depth) return true;
      }
    }
    return done();
  }
  [[nodiscard]] bool check_limits(const part& each, std::uint64_t place) {
    errc code{};
    std::string_view expected;
    return keeps_limits(in_, tables_.types[each.type], place, each.limits, tables_.limits[each.limit], code,
                        expected) ||
           refuse(code, place, expected);
  }
  [[nodiscard]] bool step_run(frame& f) {
    // As long as nothing is pushed, the frame stays where it is.
    const std::size_t depth = way_.size();
    f.inside = true;
    do {
      if (f.next == f.count) return done();
      if (!enter(f.elements.type, f.elements.at(f.next++))) return false;
    } while (way_.size() == depth);
    return true;
  }

  /// The bits behind the last are zero; words are as wide as they are aligned.
  [[nodiscard]] bool check_bits(const type& of, std::uint64_t place) {
    for (std::uint64_t at = 0; at < of.size; ++at) {
      const std::uint64_t byte = byte_of_bits(at, of.alignment);
      const std::uint64_t before = 8 * byte; // bits in front of those of the byte
      const unsigned used =
          before >= of.extent ? 0 : static_cast<unsigned>(std::min<std::uint64_t>(of.extent - before, 8));
      if (in_.byte(place + at) >> used != 0)
        return refuse(errc::bad_padding, place, "zero bits behind the last");
    }
    return true;
  }
  [[nodiscard]] bool check_string(const type& of, std::uint64_t place) {
    const std::uint64_t width = tables_.part_type(of, 0).size;
    const unsigned offset = tables_.offset;
    const std::uint8_t mark = in_.byte(place + 4 * offset - 1U);
    if ((mark & 0x80) == 0) {
      if (!is_sentinel(place)) return false;
      const std::uint64_t most = (3 * offset - 1) / width;
      if (mark > most) return refuse(errc::bad_length, place, "a length that fits in place");
      const std::uint64_t taken = (most - mark) * width;
      return all_zero(place + offset + taken, 3 * offset - 1 - taken) ||
             refuse(errc::bad_padding, place, "zeros behind the text");
    }
    const std::uint64_t size = in_.offset(place + offset);
    if (size > most_of(tables_, width))
      return refuse(errc::bad_length, place, "a length that fits in a block");
    const std::uint64_t data = claim(place, (size + 1) * width, width);
    if (data == nowhere) return false;
    return all_zero(data + size * width, width) || refuse(errc::bad_padding, place, "a zero behind the text");
  }
  [[nodiscard]] bool enter_vector(std::uint32_t index, std::uint64_t place) {
    const type& element = tables_.part_type(tables_.types[index], 0);
    const std::uint64_t count = in_.count(place);
    if (count > most_of(tables_, element.size))
      return refuse(errc::bad_length, place, "a length that fits in a block");
    if (claim(place, count * element.size, element.alignment) == nowhere) return false;
    return push_run(index, place, in_.elements(tables_.types[index], place));
  }
  [[nodiscard]] bool enter_optional(std::uint32_t index, std::uint64_t place) {
    const type& of = tables_.types[index];
    const type& value = tables_.part_type(of, 0);
    const std::uint64_t tail = place + value.size;
    if (in_.byte(tail) > 1) return refuse(errc::bad_variant, tail, "0 or 1 behind an optional value");
    if (!all_zero(tail + 1, of.size - value.size - 1))
      return refuse(errc::bad_padding, tail, "zeros behind an optional value");
    if (in_.byte(tail) == 1) return push_object(index, place, tables_.parts[of.first].type, place);
    return is_vacant(of, value, place) ||
           refuse(errc::bad_padding, place, "zeros, and empty containers, where there is no value");
  }
  [[nodiscard]] bool is_vacant(const type& of, const type& value, std::uint64_t place) const noexcept {
    if (!of.has(has_model)) return all_zero(place, value.size);
    const model& wanted = tables_.models[of.model];
    std::uint64_t from = 0;
    const auto same_to = [&](std::uint64_t to) {
      return to <= from || std::memcmp(wanted.bytes + from, in_.start + place + from,
                                       static_cast<std::size_t>(to - from)) == 0;
    };
    for (std::uint32_t i = 0; i < wanted.count; ++i) {
      const std::uint64_t anchor = tables_.anchors[wanted.first + i];
      if (!same_to(anchor) || in_.target(place + anchor) != sentinel_position) return false;
      from = anchor + tables_.offset;
    }
    return same_to(value.size);
  }
  [[nodiscard]] bool enter_variant(std::uint32_t index, std::uint64_t place) {
    const type& of = tables_.types[index];
    const variant_shape shape = variant_of(tables_, of);
    const std::uint64_t tag = place + shape.tag;
    if (of.holds_offsets && !is_sentinel(place)) return false;
    if (in_.byte(tag) >= of.parts) return refuse(errc::bad_variant, tag, "the index of an alternative");
    if (!all_zero(tag + 1, shape.head - shape.tag - 1))
      return refuse(errc::bad_padding, tag, "zeros behind a variant's index");
    const std::uint32_t held = tables_.parts[of.first + in_.byte(tag)].type;
    const std::uint64_t taken = tables_.types[held].has(is_empty) ? 0 : tables_.types[held].size;
    if (!all_zero(place + shape.head + taken, shape.payload - taken))
      return refuse(errc::bad_padding, place + shape.head, "zeros behind a variant's value");
    return push_object(index, place, held, place + shape.head);
  }
  [[nodiscard]] bool enter_box(std::uint32_t index, std::uint64_t place) {
    const type& object = tables_.part_type(tables_.types[index], 0);
    const std::uint64_t data = claim(place, 0, object.alignment);
    if (data == nowhere) return false;
    if (data == sentinel_position) return true;
    if (in_.capacity(data) < object.size)
      return refuse(errc::bad_length, place, "a storage with room for the object");
    return push_object(index, place, tables_.parts[tables_.types[index].first].type, data);
  }
  [[nodiscard]] bool enter_queue(std::uint32_t index, std::uint64_t place) {
    const type& element = tables_.part_type(tables_.types[index], 0);
    const queue_shape shape = queue_of(tables_, element);
    const std::uint64_t count = in_.count(place);
    if (count > most_of(tables_, element.size))
      return refuse(errc::bad_length, place, "a length that fits in a block");
    const std::uint64_t data =
        claim(place, count == 0 ? 0 : shape.head + count * element.size, shape.alignment);
    if (data == nowhere) return false;
    if (data == sentinel_position) return true;
    // A prefix is as long as the two numbers, so that they are there.
    const std::uint64_t capacity = in_.capacity(data);
    const std::uint64_t first = in_.offset(data);
    const std::uint64_t places = in_.offset(data + tables_.offset);
    if (shape.head > capacity || places > (capacity - shape.head) / element.size || count > places ||
        places == 0 || first >= places)
      return refuse(errc::bad_length, data, "a ring inside the storage, with a place for every element");
    return push_run(index, place, in_.elements(tables_.types[index], place));
  }

  // Pools.

  [[nodiscard]] bool enter_pool(std::uint32_t index, std::uint64_t place) {
    const type& object = tables_.part_type(tables_.types[index], 0);
    const pool_shape shape = pool_of(object);
    frame f{};
    f.type = index;
    f.what = walk::pool;
    f.pool = {};
    f.place = place;
    f.count = in_.count(place);
    if (f.count > std::min<std::uint64_t>(most_of(tables_, shape.stride), ~std::uint32_t{1}))
      return refuse(errc::bad_length, place, "a length that fits in a block");
    f.data = claim(place, f.count == 0 ? 0 : shape.head + f.count * shape.stride, shape.alignment);
    if (f.data == nowhere) return false;
    if (f.count == 0) {
      return in_.load<std::uint64_t>(f.data) == 0 ||
             refuse(errc::bad_padding, place, "zeros in a pool that was never used");
    }
    return push(f);
  }
  [[nodiscard]] bool step_pool(frame& f) {
    const std::uint32_t object = tables_.parts[tables_.types[f.type].first].type;
    const type& of = tables_.types[object];
    const pool_shape shape = pool_of(of);
    while (f.next < f.count) {
      const std::uint64_t slot = f.data + shape.head + f.next++ * shape.stride;
      f.inside = true;
      const auto generation = in_.load<std::uint32_t>(slot + shape.generation);
      std::uint64_t taken = of.has(is_empty) ? 0 : of.size;
      if (generation % 2 == 0) taken = generation == 0 ? 0 : sizeof(std::uint32_t);
      if (!all_zero(slot + taken, shape.generation - taken) ||
          !all_zero(slot + shape.generation + 4, shape.stride - shape.generation - 4))
        return refuse(errc::bad_padding, slot, "zeros where no object is");
      if (generation % 2 == 0) {
        f.pool.free += generation != 0 ? 1 : 0;
        continue;
      }
      ++f.pool.alive;
      if (!of.plain) return enter(object, slot);
    }
    f.inside = false;
    return check_free_list(f, shape) && done();
  }
  [[nodiscard]] bool check_free_list(const frame& f, const pool_shape& shape) {
    if (in_.load<std::uint32_t>(f.data) != f.pool.alive)
      return refuse(errc::bad_length, f.data, "as many objects as are alive");
    std::uint64_t free = f.pool.free;
    // All of them once: a list that ends after as many steps has no loop.
    std::uint32_t next = in_.load<std::uint32_t>(f.data + 4);
    for (; free != 0 && next != 0; --free) {
      if (next > f.count) break;
      const std::uint64_t slot = f.data + shape.head + (next - 1) * shape.stride;
      const auto generation = in_.load<std::uint32_t>(slot + shape.generation);
      if (generation % 2 != 0 || generation == 0) break;
      next = in_.load<std::uint32_t>(slot);
    }
    return (free == 0 && next == 0) ||
           refuse(errc::bad_length, f.data + 4, "each free slot once in the list of them");
  }

  // Flat maps.

  [[nodiscard]] bool enter_flat(std::uint32_t index, std::uint64_t place) {
    const flat_shape shape = flat_of(tables_, tables_.types[index]);
    frame f{};
    f.type = index;
    f.what = walk::flat;
    f.place = place;
    f.count = in_.count(place);
    if (f.count > most_of(tables_, shape.slot))
      return refuse(errc::bad_length, place, "a length that fits in a block");
    f.data = claim(place, shape.bytes_for(f.count), shape.alignment);
    if (f.data == nowhere) return false;
    return f.count == 0 || push(f);
  }
  [[nodiscard]] bool step_flat(frame& f) {
    const type& of = tables_.types[f.type];
    const flat_shape shape = flat_of(tables_, of);
    if (f.phase == 0) {
      if (f.next == f.count) return done();
      f.phase = 1;
      f.inside = true;
      return enter(tables_.parts[of.first].type, f.data + f.next++ * shape.key->size);
    }
    const std::uint64_t i = f.next - 1;
    const std::uint64_t key = f.data + i * shape.key->size;
    if (!is_normal(in_, key, *shape.key))
      return refuse(errc::not_canonical, key, "a key without NaN and negative zero");
    if (i != 0) {
      const int order = compare(in_, key - shape.key->size, in_, key, *shape.key);
      if (order == 0) return refuse(errc::duplicate_key, key, "each key once");
      if (order > 0) return refuse(errc::unsorted_keys, key, "keys in ascending order");
    }
    f.phase = 0;
    if (shape.value == nullptr || shape.value->plain) return true;
    const std::uint64_t values = f.data + shape.values_at(shape.room_in(in_.capacity(f.data)));
    return enter(tables_.parts[of.first + 1].type, values + i * shape.value->size);
  }

  // Tables and trees.

  [[nodiscard]] bool enter_table(std::uint32_t index, std::uint64_t place) {
    frame f{};
    f.type = index;
    f.what = walk::table;
    f.place = place;
    return begin_table(tables_.types[index], place, f.table) && (f.table.data == 0 || push(f));
  }
  [[nodiscard]] bool step_table(frame& f) {
    const type& of = tables_.types[f.type];
    const hash_table table = hash_table::of(in_, hash_of(tables_, of), f.table.data);
    const part& entry = tables_.parts[of.first + (of.kind == dynamic_kind::hash_map ? 2 : 0)];
    for (;;) {
      if (f.phase == 1) {
        if (!check_slot(f.table, table)) return false;
        f.phase = 0;
        f.inside = false;
      }
      if (!next_slot(f.table, table, in_.count(f.place))) return false;
      if (f.table.next == table.slots) return done();
      f.phase = 1;
      f.inside = true;
      if (!tables_.types[entry.type].plain) return enter(entry.type, table.entry(f.table.next));
    }
  }

  [[nodiscard]] bool enter_tree(std::uint32_t index, std::uint64_t place) {
    tree_walk t;
    if (!begin_tree(tables_.types[index], place, t)) return false;
    if (t.root == 0) return true;
    frame f{};
    f.type = index;
    f.what = walk::tree;
    f.place = place;
    f.tree = static_cast<std::uint32_t>(trees_.size());
    return (trees_.push(t) || no_memory()) && push(f);
  }
  [[nodiscard]] bool step_tree(frame& f) {
    const type& of = tables_.types[f.type];
    const tree_shape shape = tree_of(tables_, of);
    tree_walk& t = trees_[f.tree];
    const tree_node leaf{&in_, &shape, t.leaf};
    switch (f.phase) {
    case 1:
      if (!check_key(shape, t, leaf.key(t.rank))) return false;
      f.phase = 2;
      if (shape.value != nullptr && !shape.value->plain)
        return enter(tables_.parts[of.first + 1].type, leaf.value(t.rank));
      [[fallthrough]];
    case 2:
      f.phase = 0;
      f.inside = false;
      ++t.rank;
      ++t.seen;
      break;
    default: break;
    }
    if (t.leaf != nowhere) {
      const unsigned count = leaf.count();
      if (shape.key->raw != 0 && shape.key->plain && (shape.value == nullptr || shape.value->plain)) {
        t.seen += count; // numbers, whose order was checked
      } else if (t.rank < count) {
        f.phase = 1;
        f.inside = true;
        return enter(tables_.parts[of.first].type, leaf.key(t.rank));
      }
      t.leaf = nowhere;
    }
    bool more = false;
    if (!next_leaf(shape, t, more)) return false;
    if (more) return true;
    if (t.seen != in_.count(f.place))
      return refuse(errc::bad_length, f.place, "a size that is the number of entries");
    static_cast<void>(trees_.pop()); // of frames the last that has a tree
    return done();
  }

  doc::plain_list<frame> way_;
  doc::plain_list<tree_walk> trees_;
};

} // namespace ingot::inline v1::detail::dyn
