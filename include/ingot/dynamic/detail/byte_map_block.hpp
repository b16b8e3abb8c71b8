// SPDX-License-Identifier: Apache-2.0
// Reports every byte of a validated live block, once. Containers may nest to any depth, so the
// stack of the walk is on the heap. Only objects that are stored directly inside other objects,
// without a container, have a limit: they nest at most 64 deep.
//
// Members of a record may overlap, since compilers put members into the padding of a base. In this
// case the reported bytes of a member end where the next member begins.
#pragma once

#include <ingot/dynamic/detail/byte_map_storage.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace ingot { inline namespace INGOT_V1 { namespace detail::dyn {

class block_byte_walk : private storage_emitter {
public:
  block_byte_walk(const memory& in, byte_visitor& to) : storage_emitter(in, to) { order_members(); }

  /// Reports all bytes. Throws `std::bad_alloc`.
  void run() {
    emit_header();
    const std::uint64_t size = tables_.types[0].size;
    begin_storages(root_position + align_up(size, 8));
    limit_ = root_position + size;
    static_cast<void>(visit({0, 0, root_position}, limit_, false));
    while (!frames_.empty()) step();
    about_ = {};
    say(root_position + size, align_up(size, 8) - size, byte_use::padding, "after the root");
    tell_holes();
  }

private:
  enum class child_kind : std::uint8_t { members, elements, entries };
  /// An object or container whose parts are being visited.
  struct frame {
    spot whole;
    std::uint64_t limit;    ///< end of the bytes that are reported as parts of `whole`
    std::uint64_t next = 0; ///< next part
    /// record: end of the members that were visited, from the record's beginning
    std::uint64_t upto = 0;
    child_kind by;
    bool named;
    bool has_key = false; ///< the key of the entry was visited
  };
  struct member_extent {
    std::uint32_t index;
    std::uint64_t end; ///< end of the bytes that are reported as this member
  };

  /// Sorts the members of records by position.
  void order_members() {
    members_.resize(tables_.parts.size());
    for (const type& of : tables_.types) {
      if (!is_record(of.kind) && of.kind != dynamic_kind::pair) continue;
      member_extent* const first = members_.data() + of.first;
      for (std::uint32_t i = 0; i < of.parts; ++i) first[i] = {i, 0};
      const auto begin = [&](const member_extent& m) { return tables_.parts[of.first + m.index].offset; };
      std::sort(first, first + of.parts, [&](const member_extent& a, const member_extent& b) {
        return begin(a) != begin(b) ? begin(a) < begin(b) : a.index < b.index;
      });
      for (std::uint32_t i = 0; i < of.parts; ++i) {
        const part& each = tables_.parts[of.first + first[i].index];
        first[i].end = each.offset + tables_.types[each.type].size;
        if (i + 1 < of.parts) first[i].end = std::min(first[i].end, begin(first[i + 1]));
      }
    }
  }

  void emit_header() {
    using enum byte_use;
    const unsigned offset = tables_.offset;
    const std::uint64_t prefix = sentinel_position - 2 * std::uint64_t{offset};
    say(0, 4, header, "magic: a live block", byte_number::text);
    say(4, 1, header, "version of the format", byte_number::natural, in_.byte(4));
    say(5, 1, header, "flags: 1 big-endian, 2 wide offsets, 4 an allocator lies before", byte_number::natural,
        in_.byte(5));
    say(6, 2, header, "zero");
    say(8, 8, header, "layout_id", byte_number::id, in_.load<std::uint64_t>(8));
    say(16, 8, header, "schema_id", byte_number::id, in_.load<std::uint64_t>(16));
    say(24, 8, header, "length of the block", byte_number::natural, in_.load<std::uint64_t>(24));
    say(32, prefix - 32, header, "zero");
    say(prefix, offset, header, "capacity of the sentinel, which empty containers lead to",
        byte_number::natural, in_.offset(prefix));
    say(prefix + offset, offset, header, "where it begins", byte_number::place, in_.offset(prefix + offset));
    say(sentinel_position, 8, header, "the sentinel");
  }

  void step() {
    frame& f = frames_.back();
    const type& of = tables_.types[f.whole.type];
    byte_step to;
    spot next;
    std::uint64_t limit = 0;
    switch (f.by) {
    case child_kind::members: {
      const std::uint64_t gap = f.whole.position + f.upto;
      limit_ = f.limit;
      about_.typed = access::make(&in_, f.whole);
      if (f.next == of.parts) {
        clip(gap, of.size - f.upto, byte_use::padding, "after the last member");
        return pop();
      }
      const member_extent& m = members_[of.first + static_cast<std::size_t>(f.next++)];
      const part& each = tables_.parts[of.first + m.index];
      if (each.offset > f.upto) clip(gap, each.offset - f.upto, byte_use::padding, "between members");
      f.upto = std::max(f.upto, m.end);
      to.index = m.index;
      to.name = each.name;
      next = {each.type, 0, f.whole.position + each.offset};
      limit = std::min(f.limit, f.whole.position + m.end);
      break;
    }
    case child_kind::elements: {
      const memory::run all = in_.elements(of, f.whole.position);
      if (f.next == all.count) return pop();
      to.is = byte_step::kind::element;
      to.index = static_cast<std::size_t>(f.next);
      next = {all.type, 0, all.at(f.next++)};
      limit = next.position + all.stride;
      if (of.kind == dynamic_kind::array) limit = std::min(limit, f.limit);
      break;
    }
    case child_kind::entries: {
      cursor& at = cursors_.back();
      if (f.has_key) { // the value is next
        at.next();
        f.has_key = false;
      } else if (f.next != 0 && !is_map(of.kind)) {
        at.next();
      }
      ++f.next;
      if (at.done()) {
        cursors_.pop_back();
        return pop();
      }
      return step_entry();
    }
    }
    descend(to, next, limit);
  }
  /// Visits the current element of a container. In a map, visits the key of the entry first, and
  /// then the value. A push may move the frame and its cursor, so neither is used after a push.
  void step_entry() {
    const cursor& at = cursors_.back();
    const type& of = tables_.types[frames_.back().whole.type];
    const spot value = at.value();
    byte_step to;
    to.index = static_cast<std::size_t>(at.index());
    if (!is_map(of.kind)) {
      to.is = byte_step::kind::element;
      if (!is_set(of.kind)) return descend(to, value, value.position + tables_.types[value.type].size);
      to_.enter(to);
      visit_key(value);
      to_.leave();
      return;
    }
    frames_.back().has_key = true;
    const spot key = at.key();
    to.key = access::make(&in_, key);
    to.is = byte_step::kind::key;
    to_.enter(to);
    visit_key(key);
    to_.leave();
    to.is = byte_step::kind::entry;
    descend(to, value, value.position + tables_.types[value.type].size);
  }
  /// Visits a key and everything in it. A key contains no containers except for vectors, queues and
  /// text, nested at most 32 deep.
  void visit_key(const spot& key) {
    const std::size_t depth = frames_.size();
    in_key_ = true;
    static_cast<void>(visit(key, key.position + tables_.types[key.type].size, false));
    while (frames_.size() > depth) step();
    in_key_ = false;
  }
  void descend(const byte_step& to, const spot& part, std::uint64_t limit) {
    to_.enter(to);
    if (!visit(part, limit, true)) to_.leave();
  }
  void pop() {
    const bool named = frames_.back().named;
    frames_.pop_back();
    if (named) to_.leave();
  }

  /// Reports the bytes of an object up to `limit`, except for those of its parts. If it has parts,
  /// pushes a frame for them and returns true.
  [[nodiscard]] bool visit(spot at, std::uint64_t limit, bool named) {
    for (;;) {
      const type& of = tables_.types[at.type];
      limit_ = limit;
      about_.typed = access::make(&in_, at);
      if (of.has(is_empty)) {
        clip(at.position, of.size, byte_use::padding, "an object without members");
        return false;
      }
      switch (of.kind) {
      case dynamic_kind::pair:
      case dynamic_kind::record:
      case dynamic_kind::ref: return push({at, limit, 0, 0, child_kind::members, named});
      case dynamic_kind::array:
        if (of.extent == 0) { // an array without elements takes bytes, too
          clip(at.position, of.size, byte_use::padding, "an array without elements");
          return false;
        }
        if (!is_scalar(tables_.part_type(of, 0).kind))
          return push({at, limit, 0, 0, child_kind::elements, named});
        tell_elements(at.position, tables_.part_type(of, 0).size, of.extent);
        return false;
      case dynamic_kind::optional: {
        const type& value = tables_.part_type(of, 0);
        const std::uint64_t tail = at.position + value.size;
        clip(tail, 1, byte_use::tag, "whether there is a value", byte_number::natural, in_.byte(tail));
        clip(tail + 1, of.size - value.size - 1, byte_use::padding, "after an optional's mark");
        if (in_.byte(tail) == 0) {
          clip(at.position, value.size, byte_use::spare, "space for the value");
          return false;
        }
        limit = std::min(limit, tail);
        at.type = tables_.parts[of.first].type;
        continue;
      }
      case dynamic_kind::variant: {
        const variant_shape shape = variant_of(tables_, of);
        const std::uint8_t which = in_.byte(at.position + shape.tag);
        const part& held = tables_.parts[of.first + which];
        const type& value = tables_.types[held.type];
        const std::uint64_t taken = value.has(is_empty) ? 0 : value.size;
        const std::uint64_t begin = at.position + shape.head;
        if (of.holds_offsets)
          clip(at.position, tables_.offset, byte_use::place,
               "to the sentinel, by which alternatives find the block", byte_number::place,
               in_.target(at.position));
        clip(at.position + shape.tag, 1, byte_use::tag, "which alternative", byte_number::natural, which);
        clip(at.position + shape.tag + 1, shape.head - shape.tag - 1, byte_use::padding,
             "in front of the value");
        clip(begin + taken, shape.payload - taken, byte_use::spare, "space for longer alternatives");
        if (taken == 0) return false;
        limit = std::min(limit, begin + taken);
        at = {held.type, 0, begin};
        continue;
      }
      case dynamic_kind::box: {
        tell_anchor(at.position);
        const std::uint64_t data = in_.target(at.position);
        if (data == sentinel_position) return false;
        const type& object = tables_.part_type(of, 0);
        begin_storage(data);
        say(data + object.size, in_.capacity(data) - object.size, byte_use::spare, "after the object");
        at = {tables_.parts[of.first].type, 0, data};
        limit = data + object.size;
        continue;
      }
      case dynamic_kind::text: tell_text(of, at.position); return false;
      case dynamic_kind::value: emit_value(at.position); return false;
      case dynamic_kind::bitset: clip(at.position, of.size, stored(), {}); return false;
      default: break;
      }
      if (is_scalar(of.kind)) {
        clip(at.position, of.size, stored(), {});
        return false;
      }
      if (!tell_container(of, at.position)) return false;
      if (of.kind == dynamic_kind::vector || of.kind == dynamic_kind::queue)
        return push({at, limit, 0, 0, child_kind::elements, named});
      cursors_.emplace_back(in_, of, at.position);
      return push({at, limit, 0, 0, child_kind::entries, named});
    }
  }
  bool push(const frame& f) {
    frames_.push_back(f);
    return true;
  }

  std::vector<member_extent> members_;
  std::vector<frame> frames_;
  std::vector<cursor> cursors_; ///< cursors of the frames that visit entries
};

}}} // namespace ingot::INGOT_V1::detail::dyn
