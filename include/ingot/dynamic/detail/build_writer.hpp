// SPDX-License-Identifier: Apache-2.0
// Writes a value of a block or a message as a block of a layout. The block is canonical: it has the
// bytes that a program with the type gets from `compact()`.
//
// The writer writes an object at once, and recursively all objects in its bytes. Containers in the
// object are only noted. Then the writer takes the noted containers in order: it allocates the
// storage of a container, and writes the elements in the same way. A container that can contain its
// own type is put off until the outermost such container is complete, as in all walks (see
// recursion.hpp). So the number of noted containers is limited by the depth of types, not of
// values, and by the containers in one object. For types that contain themselves, the number is
// limited by the number of containers that are put off.
#pragma once

#include <ingot/document/archive.hpp>
#include <ingot/document/detail/shape_planner.hpp>
#include <ingot/dynamic/detail/build_fit.hpp>
#include <ingot/dynamic/detail/build_storage.hpp>
#include <ingot/dynamic/detail/cursor.hpp>
#include <ingot/dynamic/detail/nested.hpp>
#include <ingot/schema/detail/circles.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <deque>
#include <utility>
#include <vector>

namespace ingot { inline namespace INGOT_V1 { namespace detail::dyn {

/// Returns for each type of a layout whether it is a container that can contain, at any depth, a
/// container of its own type.
[[nodiscard]] inline std::vector<bool> types_in_circles(const tables& in) {
  return in_circles(in.types.size(), [&](auto&& f) {
    for (std::uint32_t i = 0; i < in.types.size(); ++i) {
      // The parts of an enumeration are names, not types.
      if (in.types[i].kind == dynamic_kind::enumeration) continue;
      for (const part& each : in.parts_of(in.types[i])) f(i, each.type);
    }
  });
}

template <block_policy P>
class block_writer : private container_builder<P> {
  using base_type = container_builder<P>;
  using base_type::begin;
  using base_type::in_;
  using base_type::is_full;
  using base_type::link_free_slots;
  using base_type::no_space;
  using base_type::open_leaf;
  using base_type::reject;
  using base_type::to_;
  using base_type::why_;
  using typename base_type::frame;
  using typename base_type::hashed;
  using typename base_type::task;

public:
  using base_type::failure;
  block_writer(const fresh_block<P>& to, const type_fit& fit)
      : base_type(to), circles_(types_in_circles(to.in())), fit_(fit) {}

  /// Writes the root. O(n log n) for n values if there are hash tables, otherwise O(n).
  [[nodiscard]] bool run(const dynamic_value& root) {
    if (!write(0, root_position, root)) return false;
    for (turn();;) {
      if (tasks_.size() != base()) {
        const task next = tasks_.back();
        tasks_.pop_back();
        if (!start(next)) return false;
      } else if (frames_.empty()) {
        return true;
      } else if (!go_on()) {
        return false;
      }
    }
  }

private:
  [[nodiscard]] std::size_t base() const noexcept { return frames_.empty() ? 0 : frames_.back().base; }
  /// Reverses the tasks of the current element, so that the first task is on top.
  void turn() noexcept { std::reverse(tasks_.begin() + static_cast<std::ptrdiff_t>(base()), tasks_.end()); }

  // Objects.

  [[nodiscard]] static dynamic_value half(const dynamic_value& complex, std::uint64_t i) noexcept {
    const memory* const in = access::memory_of(complex);
    return access::make(in, in->message->part(access::spot_of(complex), i));
  }
  /// Writes an object. Recurses to the nesting depth of objects, at most 64.
  [[nodiscard]] bool write(std::uint32_t index, std::uint64_t position, const dynamic_value& from) {
    const type& of = in_.types[index];
    if (!from.exists())
      return reject(errc::missing_member,
                    "a value: the message left out a default, which its schema does not say");
    switch (of.kind) {
    case dynamic_kind::boolean:
    case dynamic_kind::integer:
    case dynamic_kind::floating:
    case dynamic_kind::character:
    case dynamic_kind::byte: to_.store_number(position, access::number_of(from), of.size); return true;
    case dynamic_kind::enumeration: return write_enumerator(index, position, from);
    case dynamic_kind::duration:
    case dynamic_kind::time_point: return write(in_.parts[of.first].type, position, access::count_of(from));
    case dynamic_kind::complex: return write_complex(of, position, from);
    case dynamic_kind::bitset: {
      for (std::uint64_t i = 0; i < of.extent; ++i) {
        std::byte& byte = *to_.at(position + byte_of_bits(i / 8, of.alignment));
        if (from.bit(static_cast<std::size_t>(i))) byte |= std::byte{1} << static_cast<unsigned>(i % 8);
      }
      return true;
    }
    case dynamic_kind::array: return write_elements(of, position, from, of.extent);
    case dynamic_kind::pair:
    case dynamic_kind::record:
    case dynamic_kind::ref: {
      cursor at = access::cursor_of(from);
      const memory* const in = access::memory_of(from);
      for (const part& each : in_.parts_of(of)) {
        if (!write(each.type, position + each.offset, access::make(in, at.value()))) {
          if (is_record(of.kind)) why_->in_member(each.name);
          return false;
        }
        at.next();
      }
      return true;
    }
    case dynamic_kind::optional:
    case dynamic_kind::variant:
      if (!circles_[index]) return write_holder(of, position, from);
      [[fallthrough]];
    default: return meet({index, position, from});
    }
  }
  /// Writes an enumerator with the number that its name has in the layout.
  [[nodiscard]] bool write_enumerator(std::uint32_t index, std::uint64_t position,
                                      const dynamic_value& from) {
    std::uint64_t number = access::number_of(from);
    if (const renumbering* const now = fit_.find(index, access::spot_of(from).type, number)) {
      if (now->is_lost) {
        why_ = error{errc::bad_enum}.with_expected("an enumerator of the layout").with_found(now->name);
        return false;
      }
      number = now->to;
    }
    to_.store_number(position, number, in_.types[index].size);
    return true;
  }
  [[nodiscard]] bool write_complex(const type& of, std::uint64_t position, const dynamic_value& from) {
    const memory& in = *access::memory_of(from);
    if (in.message == nullptr) {
      std::memcpy(to_.at(position), in.start + from.position(), static_cast<std::size_t>(of.size));
      return true;
    }
    for (std::uint64_t i = 0; i < 2; ++i)
      to_.store_number(position + i * (of.size / 2), access::number_of(half(from, i)), of.size / 2);
    return true;
  }
  /// Writes adjacent elements. Numbers from a block are copied in one piece.
  [[nodiscard]] bool write_elements(const type& of, std::uint64_t position, const dynamic_value& from,
                                    std::uint64_t count) {
    const std::uint32_t element = in_.parts[of.first].type;
    const type& each = in_.types[element];
    const memory* const in = access::memory_of(from);
    const bool is_number = each.raw != 0 || each.kind == dynamic_kind::floating;
    const bool is_same = each.kind != dynamic_kind::enumeration || !fit_.renumbers();
    if (is_number && is_same && in->message == nullptr && from.kind() != dynamic_kind::pool) {
      const memory::run all = in->elements(access::type_of(from), access::spot_of(from).position);
      if (all.slots == 0) {
        if (count != 0)
          std::memcpy(to_.at(position), in->start + all.base, static_cast<std::size_t>(count * each.size));
        return true;
      }
    }
    cursor at = access::cursor_of(from);
    for (std::uint64_t i = 0; i < count; ++i, at.next()) {
      if (!write(element, position + i * each.size, access::make(in, at.value()))) {
        why_->in_element(i);
        return false;
      }
    }
    return true;
  }
  /// Writes an optional or a variant.
  [[nodiscard]] bool write_holder(const type& of, std::uint64_t position, const dynamic_value& from) {
    if (of.kind == dynamic_kind::optional) {
      if (from.empty()) {
        to_.leave_empty(of, position);
        return true;
      }
      to_.store(position + in_.part_type(of, 0).size, std::uint8_t{1});
      return write(in_.parts[of.first].type, position, from.held());
    }
    const variant_shape shape = variant_of(in_, of);
    const std::size_t index = from.alternative();
    if (of.holds_offsets) to_.point_at_nothing(position);
    to_.store(position + shape.tag, static_cast<std::uint8_t>(index));
    return write(in_.parts[of.first + index].type, position + shape.head, from.held());
  }

  // Containers.

  /// Writes a container if no other container is noted, and if the elements contain no containers.
  /// Otherwise notes the container.
  [[nodiscard]] bool meet(const task& next) {
    if (tasks_.size() == base() && !holds_containers(in_.types[next.type])) return write_whole(next);
    tasks_.push_back(next);
    return true;
  }
  [[nodiscard]] bool holds_containers(const type& of) const noexcept {
    return std::ranges::any_of(in_.parts_of(of),
                               [&](const part& each) { return in_.types[each.type].holds_offsets; });
  }
  [[nodiscard]] bool write_whole(const task& next) {
    const type& of = in_.types[next.type];
    if (of.kind == dynamic_kind::text) return write_text(of, next);
    if (of.kind == dynamic_kind::value) return write_value(next);
    frame opened;
    bool has_storage = false;
    if (!begin(opened, next, has_storage)) return false;
    if (!has_storage) return true;
    if (of.kind == dynamic_kind::vector && opened.count != 0)
      return write_elements(of, opened.data, opened.from, opened.count) && finish(opened);
    while (!is_done(opened)) {
      if (!step(opened)) return false;
    }
    return finish(opened);
  }
  [[nodiscard]] bool write_text(const type& of, const task& next) {
    const memory& in = *access::memory_of(next.from);
    const text_run text = access::text_of(next.from);
    const std::uint64_t width = in_.part_type(of, 0).size;
    const std::byte* bytes = in.start + text.position;
    std::vector<std::byte> turned;
    if (!little_endian && in.message != nullptr && width != 1) {
      turned.assign(bytes, bytes + text.bytes());
      for (std::size_t i = 0; i < turned.size(); i += static_cast<std::size_t>(width))
        std::reverse(turned.begin() + static_cast<std::ptrdiff_t>(i),
                     turned.begin() + static_cast<std::ptrdiff_t>(i + width));
      bytes = turned.data();
    }
    return to_.write_text(next.position, bytes, text.units, width) || no_space();
  }
  /// Writes a value of any kind as the document that a program with the type writes. Converts the
  /// archive in a message to a document.
  [[nodiscard]] bool write_value(const task& next) {
    const memory& in = *access::memory_of(next.from);
    if (in.message == nullptr) return write_document(next.position, document_at(in, next.from.position()));
    const auto unarchived = unarchive(next.from.value_or(bytes_view()));
    if (!unarchived) {
      why_ = unarchived.error();
      return false;
    }
    return write_document(next.position, doc::access::memory_of(unarchived->root()));
  }
  [[nodiscard]] bool write_document(std::uint64_t position, doc::validated from) {
    to_.point_at_nothing(position);
    if (doc::needs_no_storage(from)) return true;
    doc::core fresh;
    if (!doc::copy_whole(fresh, from)) return reject(errc::no_memory, "memory for a value of any kind");
    const bytes_view canonical = fresh.bytes();
    const std::uint64_t data = to_.allocate(canonical.size(), 8);
    if (data == 0) return no_space();
    std::memcpy(to_.at(data), canonical.data(), canonical.size());
    to_.point(position, data);
    return true;
  }
  [[nodiscard]] bool start(const task& next) {
    const type& of = in_.types[next.type];
    if (of.kind == dynamic_kind::text) return write_text(of, next);
    if (of.kind == dynamic_kind::value) return write_value(next);
    const bool in_circle = circles_[next.type];
    if (in_circle && has_outermost_) {
      put_off_.push_back(next);
      return true;
    }
    if (!enter(next, in_circle)) return false;
    return true;
  }
  [[nodiscard]] bool enter(const task& next, bool is_outermost) {
    frame opened;
    bool has_storage = false;
    if (!begin(opened, next, has_storage)) return false;
    if (!has_storage && !is_outermost) return true;
    opened.is_outermost = is_outermost;
    opened.base = tasks_.size();
    has_outermost_ = has_outermost_ || is_outermost;
    frames_.push_back(std::move(opened));
    return true;
  }
  /// Writes elements of the innermost open container, until an element contains containers. Closes
  /// the container after its last element.
  [[nodiscard]] bool go_on() {
    frame& top = frames_.back();
    while (!is_done(top)) {
      if (!step(top)) return false;
      if (tasks_.size() == top.base) continue;
      turn();
      return true;
    }
    if (!finish(top)) return false;
    const bool was_outermost = top.is_outermost;
    frames_.pop_back();
    if (!was_outermost) return true;
    if (put_off_.empty()) {
      has_outermost_ = false;
      return true;
    }
    const task next = put_off_.front();
    put_off_.pop_front();
    return enter(next, true);
  }

  [[nodiscard]] bool is_done(const frame& f) const noexcept { return f.next == f.count; }
  [[nodiscard]] bool step(frame& f) {
    const type& of = in_.types[f.type];
    const std::uint64_t i = f.next++;
    const memory* const in = access::memory_of(f.from);
    const auto element = [&](std::uint64_t head, std::uint64_t stride) {
      const dynamic_value value = access::make(in, f.at.value());
      f.at.next();
      return write(in_.parts[of.first].type, f.data + head + i * stride, value);
    };
    const type& first = in_.part_type(of, 0);
    switch (of.kind) {
    case dynamic_kind::optional:
    case dynamic_kind::variant: return write_holder(of, f.position, f.from);
    case dynamic_kind::box:
    case dynamic_kind::vector: return element(0, first.size);
    case dynamic_kind::queue: return element(queue_of(in_, first).head, first.size);
    case dynamic_kind::pool: return step_pool(f, first, i);
    case dynamic_kind::flat_map:
    case dynamic_kind::flat_set: {
      const flat_shape shape = flat_of(in_, of);
      const std::uint64_t values = shape.values_at(shape.capacity_for(to_.capacity(f.data)));
      const std::uint64_t value = shape.value == nullptr ? 0 : f.data + values + i * shape.value->size;
      return write_entry(f, of, f.data + i * shape.key->size, value);
    }
    case dynamic_kind::hash_map:
    case dynamic_kind::hash_set: {
      const memory written = to_.reader();
      const hash_table table = hash_table::of(written, hash_of(in_, of), f.data);
      const std::uint64_t slot = table.full_from(f.height == 0 ? 0 : f.path_nodes[0]);
      f.height = 1;
      f.path_nodes[0] = slot + 1;
      const hashed& entry = f.order[static_cast<std::size_t>(i)];
      const std::uint64_t position = table.entry(slot);
      return write(in_.parts[of.first].type, position, entry.key) &&
             (!is_map(of.kind) ||
              write(in_.parts[of.first + 1].type, position + table.shape.value_at, entry.value));
    }
    default: return step_tree(f, of);
    }
  }
  /// Writes the entry at the cursor; an entry of a set has no value.
  [[nodiscard]] bool write_entry(frame& f, const type& of, std::uint64_t key, std::uint64_t value) {
    const memory* const in = access::memory_of(f.from);
    const bool done =
        write(in_.parts[of.first].type, key, access::make(in, f.at.key())) &&
        (!is_map(of.kind) || write(in_.parts[of.first + 1].type, value, access::make(in, f.at.value())));
    f.at.next();
    return done;
  }
  [[nodiscard]] bool finish(frame& f) {
    const type& of = in_.types[f.type];
    if (of.kind == dynamic_kind::pool && f.count != 0) link_free_slots(f, in_.part_type(of, 0));
    return true;
  }

  // Pools. A pool keeps all slots, including free ones, so that links find the same objects. Other
  // containers become pools without free slots.

  [[nodiscard]] bool step_pool(frame& f, const type& object, std::uint64_t i) {
    const pool_shape shape = pool_of(object);
    const std::uint64_t slot = f.data + shape.head + i * shape.stride;
    const memory* const in = access::memory_of(f.from);
    std::uint32_t generation = 1;
    if (f.from.kind() == dynamic_kind::pool) {
      const pool_shape there = pool_of(in->in->part_type(access::type_of(f.from), 0));
      generation = in->load<std::uint32_t>(in->target(access::spot_of(f.from).position) + there.head +
                                           i * there.stride + there.generation);
    }
    to_.store(slot + shape.generation, generation);
    if (generation % 2 == 0) return true;
    const memory written = to_.reader();
    to_.store(f.data, written.load<std::uint32_t>(f.data) + 1);
    const dynamic_value value = access::make(in, f.at.value());
    f.at.next();
    return write(in_.parts[in_.types[f.type].first].type, slot, value);
  }
  [[nodiscard]] bool step_tree(frame& f, const type& of) {
    const tree_shape shape = tree_of(in_, of);
    const memory written = to_.reader();
    if (is_full(written, f.path_nodes[0]) && !open_leaf(f, shape)) return no_space();
    const tree_node leaf{&written, &shape, f.path_nodes[0]};
    const unsigned rank = leaf.count();
    const std::uint64_t key = leaf.position + shape.keys_at() + std::uint64_t{rank} * shape.key->size;
    const std::uint64_t value = shape.value == nullptr ? 0
                                                       : leaf.position + shape.values_at(leaf.capacity()) +
                                                             std::uint64_t{rank} * shape.value->size;
    to_.store(leaf.position, static_cast<std::uint8_t>(rank + 1));
    return write_entry(f, of, key, value);
  }

  std::vector<bool> circles_;
  const type_fit& fit_;
  std::vector<task> tasks_;
  std::vector<frame> frames_;
  /// Containers that can contain their own type. They are put off until the outermost such
  /// container is complete.
  std::deque<task> put_off_;
  bool has_outermost_ = false;
};

}}} // namespace ingot::INGOT_V1::detail::dyn
