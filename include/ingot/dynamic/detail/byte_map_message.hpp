// SPDX-License-Identifier: Apache-2.0
// Reports every byte of a validated packed or compact message, once.
#pragma once

#include <ingot/dynamic/detail/byte_map_storage.hpp>
#include <ingot/dynamic/message_types.hpp>
#include <ingot/pack/detail/compact_stream.hpp>

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

namespace ingot { inline namespace INGOT_V1 { namespace detail::dyn {

class message_byte_walk : private byte_map_emitter {
public:
  message_byte_walk(const message_tables& types, const memory& in, byte_visitor& to)
      : byte_map_emitter(to), t_(types), in_(in), packed_(types.profile == message_profile::pack) {}

  /// Reports all bytes. Throws `std::bad_alloc`.
  void run(const spot& root) {
    static_cast<void>(visit(root, false));
    while (!frames_.empty()) step();
  }

private:
  enum class child_kind : std::uint8_t { members, elements, entries };
  struct frame {
    spot whole;
    std::uint64_t next = 0;
    std::uint64_t count = 0;
    child_kind by;
    bool named;
    bool has_key = false;
  };

  [[nodiscard]] static bool has_slot(const spot& at) noexcept {
    return (at.position & 0xFFFFFFFF) != 0xFFFFFFFF;
  }
  [[nodiscard]] std::uint64_t number_at(std::uint64_t at, unsigned width) const noexcept {
    return load_number(in_.start + at, width);
  }

  void step() {
    frame& f = frames_.back();
    byte_step to;
    spot next;
    if (f.next == f.count) return pop();
    to.index = static_cast<std::size_t>(f.next);
    switch (f.by) {
    case child_kind::members: {
      to.index = in_.message->with_bytes(f.whole)[to.index];
      ++f.next;
      next = in_.message->part(f.whole, to.index);
      if (next.type == spot::nothing) return; // the message omits this member
      const type& of = t_.all.types[f.whole.type];
      to.name = t_.all.parts[of.first + to.index].name;
      if (of.kind != dynamic_kind::record) to.is = byte_step::kind::element;
      break;
    }
    case child_kind::elements:
      to.is = byte_step::kind::element;
      next = in_.message->part(f.whole, f.next++);
      break;
    case child_kind::entries: {
      const spot key = in_.message->key(f.whole, f.next);
      next = in_.message->part(f.whole, f.next++);
      to.key = access::make(&in_, key);
      to.is = byte_step::kind::key;
      to_.enter(to);
      visit_key(key);
      to_.leave();
      to.is = byte_step::kind::entry;
      return descend(to, next);
    }
    }
    if (f.by == child_kind::elements && is_set(t_.all.types[f.whole.type].kind)) {
      to_.enter(to);
      visit_key(next);
      to_.leave();
      return;
    }
    descend(to, next);
  }
  void visit_key(const spot& key) {
    const std::size_t depth = frames_.size();
    const bool before = in_key_;
    in_key_ = true;
    static_cast<void>(visit(key, false));
    while (frames_.size() > depth) step();
    in_key_ = before;
  }
  void descend(const byte_step& to, const spot& part) {
    to_.enter(to);
    if (!visit(part, true)) to_.leave();
  }
  void pop() {
    const bool named = frames_.back().named;
    frames_.pop_back();
    if (named) to_.leave();
  }
  bool push(const spot& whole, std::uint64_t count, child_kind by, bool named) {
    frame f{whole, 0, count, by, named};
    frames_.push_back(f);
    return true;
  }
  bool push_members(const spot& whole, bool named) {
    return push(whole, in_.message->with_bytes(whole).size(), child_kind::members, named);
  }

  /// Reports the bytes of a value, except for those of its parts. If it has parts, pushes a frame
  /// for them and returns true.
  [[nodiscard]] bool visit(spot at, bool named) {
    for (;;) {
      if (t_.occupies_no_bytes(at.type)) return false;
      about_.typed = access::make(&in_, at);
      spot held;
      const bool pushed = packed_ ? visit_packed(at, named, held) : visit_compact(at, named, held);
      if (held.type == spot::nothing) return pushed;
      at = held;
    }
  }

  // Packed messages.

  [[nodiscard]] bool visit_packed(const spot& at, bool named, spot& held) {
    const type& of = t_.all.types[at.type];
    const packed_part& part = t_.packed(at.type);
    if (part.is_leaf) return visit_leaf(at, named, held);
    const byte_run own = in_.message->own(at);
    switch (of.kind) {
    case dynamic_kind::record:
    case dynamic_kind::tuple: return push_members(at, named);
    case dynamic_kind::array: {
      const std::uint32_t element = t_.of[at.type].element;
      if (!is_scalar(t_.all.types[element].kind)) {
        if (t_.occupies_no_bytes(element)) return false;
        return push(at, of.extent, child_kind::elements, named);
      }
      say_elements(own.offset, own.length, 0, of.extent);
      return false;
    }
    case dynamic_kind::optional:
    case dynamic_kind::variant:
    case dynamic_kind::expected: {
      emit_tag(of, at, own.offset);
      if (in_.message->size(at) != 0) held = in_.message->part(at, 0);
      const std::uint64_t taken = 1 + (held.type == spot::nothing ? 0 : t_.packed(held.type).slot);
      say(own.offset + taken, own.length - taken, byte_use::spare,
          held.type == spot::nothing ? "space for the value" : "space for longer alternatives");
      return false;
    }
    default: say(own.offset, own.length, stored(), {}); return false;
    }
  }
  void emit_tag(const type& of, const spot& at, std::uint64_t position) {
    say(position, 1, byte_use::tag,
        of.kind == dynamic_kind::optional ? "whether there is a value" : "which alternative",
        byte_number::natural, in_.message->alternative(at));
  }
  /// Visits a value whose bytes are in the tail. The slot of the value stores the end of these
  /// bytes.
  [[nodiscard]] bool visit_leaf(const spot& at, bool named, spot& held) {
    const type& of = t_.all.types[at.type];
    const packed_part& part = t_.packed(at.type);
    byte_run payload = in_.message->own(at);
    if (has_slot(at)) {
      const std::uint64_t slot = payload.offset;
      payload = in_.message->tail(at);
      say(slot, end_size, byte_use::place, "where it ends in the tail", byte_number::place,
          payload.offset + payload.length);
      if (t_.of[at.type].is_opened) return push_members(at, named);
    }
    if (of.kind == dynamic_kind::text) {
      say(payload.offset, payload.length, stored(), {});
      return false;
    }
    if (is_list_kind(t_.node(at.type).attributes.kind)) return visit_list(at, payload, named);
    if (of.kind == dynamic_kind::record) {
      say(payload.offset, end_size, byte_use::count, "size of the fixed part", byte_number::natural,
          part.fixed_part);
      return push_members(at, named);
    }
    if (payload.length == 0) return false;
    emit_tag(of, at, payload.offset);
    if (in_.message->size(at) != 0) held = in_.message->part(at, 0);
    return false;
  }
  [[nodiscard]] bool visit_list(const spot& at, const byte_run& payload, bool named) {
    const std::uint32_t element = t_.of[at.type].element;
    const packed_part& part = t_.packed(element);
    const std::uint64_t stride = t_.of[element].stride;
    const std::uint64_t count = in_.message->size(at);
    if (part.is_fixed && stride != 0) {
      if (is_scalar(t_.all.types[element].kind)) {
        tell_run(at, payload.offset, payload.length, count);
        return false;
      }
    } else {
      say(payload.offset, end_size, byte_use::count, "how many", byte_number::natural, count);
      if (t_.of[element].is_opened)
        say(payload.offset + end_size, end_size, byte_use::count, "size of the fixed part of each",
            byte_number::natural, part.fixed_part);
    }
    return stride != 0 && push_elements(at, count, named);
  }
  bool push_elements(const spot& at, std::uint64_t count, bool named) {
    return push(at, count, is_map(t_.all.types[at.type].kind) ? child_kind::entries : child_kind::elements,
                named);
  }
  void tell_run(const spot& at, std::uint64_t from, std::uint64_t length, std::uint64_t count) {
    about_.typed = access::make(&in_, at);
    const bool before = in_key_;
    in_key_ = in_key_ || is_set(t_.all.types[at.type].kind);
    say_elements(from, length, 0, count);
    in_key_ = before;
  }

  // Compact messages. The walk visits values in the order of their bytes.

  void emit_here(std::uint64_t length, byte_use use, std::string_view what,
                 byte_number is = byte_number::none, std::uint64_t number = 0) {
    if (length == 0) return;
    say(at_, length, use, what, is, number);
    at_ += length;
  }
  struct counted {
    std::uint64_t count = 0;
    std::uint64_t bytes = 0;
  };
  [[nodiscard]] counted counted_here() const noexcept {
    counted counter;
    for (unsigned shift = 0;; shift += 7) {
      const std::uint64_t byte = in_.byte(at_ + counter.bytes++);
      counter.count |= (byte & 0x7F) << shift;
      if (byte < 0x80) return counter;
    }
  }
  void tell_count(std::string_view what) {
    const counted n = counted_here();
    emit_here(n.bytes, byte_use::count, what, byte_number::natural, n.count);
  }

  [[nodiscard]] bool visit_compact(const spot& at, bool named, spot& held) {
    const type& of = t_.all.types[at.type];
    const message_type& how = t_.of[at.type];
    const schema_attributes& attributes = t_.node(at.type).attributes;
    if (of.kind == dynamic_kind::text) {
      tell_count("characters");
      emit_here(in_.message->text(at).bytes(), stored(), {});
      return false;
    }
    if (is_list_kind(attributes.kind)) {
      const std::uint64_t count = counted_here().count;
      tell_count("how many");
      const message_type& element = t_.of[how.element];
      if (t_.occupies_no_bytes(how.element)) return false;
      if (!element.is_flat || !is_scalar(t_.all.types[how.element].kind))
        return push_elements(at, count, named);
      const std::uint64_t length = count * element.bytes;
      tell_run(at, at_, length, count);
      at_ += length;
      return false;
    }
    switch (of.kind) {
    case dynamic_kind::record:
    case dynamic_kind::tuple:
      if (how.is_evolvable) tell_count("bytes of the record");
      if (how.elides) emit_here((of.parts + std::uint64_t{7}) / 8, byte_use::tag, "which members are there");
      return push_members(at, named);
    case dynamic_kind::array: {
      if (t_.occupies_no_bytes(how.element)) return false;
      if (how.is_unit) { // the numbers of the array are encoded together
        emit_here(how.bytes, stored(), "unit vector");
        return false;
      }
      if (!how.is_flat || !is_scalar(t_.all.types[how.element].kind))
        return push(at, of.extent, child_kind::elements, named);
      say_elements(at_, how.bytes, 0, of.extent);
      at_ += how.bytes;
      return false;
    }
    case dynamic_kind::optional:
    case dynamic_kind::variant:
    case dynamic_kind::expected:
      emit_tag(of, at, at_);
      ++at_;
      if (in_.message->size(at) != 0) held = in_.message->part(at, 0);
      return false;
    default: break;
    }
    std::uint64_t length = how.bytes;
    if (compact_validator::is_varint(attributes, how.how)) length = counted_here().bytes;
    else if (compact_validator::is_spelled_float(attributes, how.how))
      length = float_length(in_.start + at_, how.how, attributes.width);
    emit_here(length, stored(), {});
    return false;
  }

  const message_tables& t_;
  const memory& in_;
  bool packed_;
  std::uint64_t at_ = 0; ///< end of the bytes that were reported; only for compact messages
  std::vector<frame> frames_;
};

}}} // namespace ingot::INGOT_V1::detail::dyn
