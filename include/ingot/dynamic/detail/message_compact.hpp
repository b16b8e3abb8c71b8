// SPDX-License-Identifier: Apache-2.0
// Values of a validated compact message, by its schema at run time. One pass finds the positions of
// values and stores them in an index. The index has an entry of eight bytes for each part whose
// position depends on the sizes of other values, and for each member of a record with a mask. Such
// a part takes at least one byte of the message, and eight such members take at least one byte of a
// mask. So the size of the index is linear in the size of the message.
//
// The spot of a flat value has its position in `position`. Any other spot has `in_index` in `more`,
// and its first slot in the index in `position`.
#pragma once

#include <ingot/core/detail/progress_poll.hpp>
#include <ingot/dynamic/detail/message_search.hpp>
#include <ingot/dynamic/message_types.hpp>
#include <ingot/pack/detail/compact_stream.hpp>

#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace ingot { inline namespace INGOT_V1 { namespace detail::dyn {

class compact_values final : public message_values {
public:
  compact_values(const message_tables& types, const memory& in) noexcept : t_(&types), in_(&in) {}

  /// Finds all positions. Stops early if `by` is cancelled. The message must have less than 4 GiB.
  /// Throws `std::bad_alloc`.
  void index(progress_poll& by) {
    index_.resize(static_cast<std::size_t>(t_->slots_of(message_tables::root)));
    std::uint64_t at = 0;
    note(message_tables::root, at, 0, by);
    index_.shrink_to_fit();
  }
  [[nodiscard]] spot whole() const noexcept { return make(message_tables::root, 0, 0); }

  [[nodiscard]] std::uint64_t size(const spot& of) const noexcept override {
    const type& what = t_->all.types[of.type];
    switch (what.kind) {
    case dynamic_kind::record:
    case dynamic_kind::tuple: return what.parts;
    case dynamic_kind::array:
    case dynamic_kind::bitset: return what.extent;
    case dynamic_kind::optional:
    case dynamic_kind::variant:
    case dynamic_kind::expected: return selected_in(of).holds ? 1 : 0;
    case dynamic_kind::text: return counted_at(begin(of)).count;
    default: return is_list_kind(t_->node(of.type).attributes.kind) ? counted_at(begin(of)).count : 0;
    }
  }
  [[nodiscard]] spot part(const spot& of, std::uint64_t i) const noexcept override {
    const type& what = t_->all.types[of.type];
    switch (what.kind) {
    case dynamic_kind::record:
    case dynamic_kind::tuple: return member(of, static_cast<std::size_t>(i));
    case dynamic_kind::array: {
      const std::uint32_t element = t_->of[of.type].element;
      if (t_->of[of.type].is_unit) return flat(element + static_cast<std::uint32_t>(i), begin(of));
      if (!is_indexed(of)) return flat(element, of.position + i * t_->of[element].bytes);
      return make(element, of.position + i * t_->slots_of(element), 0);
    }
    case dynamic_kind::optional:
    case dynamic_kind::variant:
    case dynamic_kind::expected: return held(of);
    case dynamic_kind::duration:
    case dynamic_kind::time_point: return flat(t_->part_type(of.type, 0), begin(of));
    case dynamic_kind::complex: return flat(t_->part_type(of.type, 0), begin(of) + i * (what.size / 2));
    default: {
      if (!is_list_kind(t_->node(of.type).attributes.kind)) return {};
      const spot element = element_at(of, i);
      return is_map(what.kind) ? member(element, 1) : element;
    }
    }
  }
  [[nodiscard]] spot key(const spot& of, std::uint64_t i) const noexcept override {
    const spot element = element_at(of, i);
    return is_map(t_->all.types[of.type].kind) ? member(element, 0) : element;
  }
  [[nodiscard]] spot find(const spot& of, const query& key) const noexcept override {
    return find_in_message(*in_, of, key);
  }
  [[nodiscard]] std::size_t alternative(const spot& of) const noexcept override {
    return std::to_integer<std::size_t>(in_->start[begin(of)]);
  }
  [[nodiscard]] std::uint64_t number(const spot& of) const noexcept override {
    const schema_attributes& attributes = t_->node(of.type).attributes;
    const encoding how = t_->of[of.type].how;
    const std::uint64_t at = begin(of);
    if (compact_validator::is_varint(attributes, how)) {
      const std::uint64_t raw = counted_at(at).count;
      return attributes.has(schema_flag::is_signed) ? static_cast<std::uint64_t>(unzigzag(raw)) : raw;
    }
    if (compact_validator::is_spelled_float(attributes, how))
      return float_at(in_->start + at, how, attributes.width);
    return extend_number(load_number(in_->start + at, attributes.width), attributes);
  }
  [[nodiscard]] text_run text(const spot& of) const noexcept override {
    const type& what = t_->all.types[of.type];
    if (what.kind == dynamic_kind::array) return {begin(of), what.extent, 1};
    const counted all = counted_at(begin(of));
    return {all.first, all.count, static_cast<unsigned>(t_->all.part_type(what, 0).size)};
  }
  [[nodiscard]] byte_run own(const spot& of) const noexcept override {
    const std::uint64_t from = begin(of);
    return {from, end(of) - from};
  }
  [[nodiscard]] byte_run tail(const spot&) const noexcept override { return {}; }
  [[nodiscard]] std::span<const std::uint32_t> with_bytes(const spot& of) const noexcept override {
    return t_->with_bytes(of.type);
  }
  [[nodiscard]] bool is_masked(const spot& of) const noexcept override { return t_->of[of.type].is_masked; }
  [[nodiscard]] bool elides(const spot& of) const noexcept override { return t_->of[of.type].elides; }

private:
  static constexpr std::uint32_t in_index = 1;
  static constexpr std::uint32_t left_out = 0xFFFFFFFF; ///< greater than any position
  /// Entry of the index, for a part whose position depends on the sizes of values before it. `at`
  /// is this position. If parts of the part have slots, `first` is the first of these slots.
  struct noted {
    std::uint32_t at;
    std::uint32_t first;
  };
  /// The value of a variable-length integer, and the position after the integer.
  struct counted {
    std::uint64_t count;
    std::uint64_t first;
  };

  [[nodiscard]] static bool is_indexed(const spot& of) noexcept { return of.more == in_index; }
  [[nodiscard]] static spot flat(std::uint32_t type, std::uint64_t at) noexcept { return {type, 0, at}; }
  /// Makes the spot of the value in a slot. A value without bytes has no slot, and gets the
  /// position `otherwise`.
  [[nodiscard]] spot make(std::uint32_t type, std::uint64_t slot, std::uint64_t otherwise) const noexcept {
    if (!t_->of[type].is_flat) return {type, in_index, slot};
    return flat(type, t_->of[type].bytes == 0 ? otherwise : index_[static_cast<std::size_t>(slot)].at);
  }
  [[nodiscard]] const noted& entry(const spot& of) const noexcept {
    return index_[static_cast<std::size_t>(of.position)];
  }
  [[nodiscard]] std::uint64_t begin(const spot& of) const noexcept {
    return is_indexed(of) ? entry(of).at : of.position;
  }
  [[nodiscard]] counted counted_at(std::uint64_t at) const noexcept {
    std::uint64_t n = 0;
    for (unsigned shift = 0;; shift += 7) {
      const std::uint64_t byte = in_->byte(at++);
      n |= (byte & 0x7F) << shift;
      if (byte < 0x80) return {n, at};
    }
  }
  [[nodiscard]] bool has_member(std::uint64_t mask, std::size_t k) const noexcept {
    return (in_->byte(mask + k / 8) >> k % 8 & 1) != 0;
  }
  [[nodiscard]] std::uint64_t mask_size(std::uint32_t type) const noexcept {
    return (t_->all.types[type].parts + std::uint64_t{7}) / 8;
  }

  [[nodiscard]] spot member(const spot& of, std::size_t k) const noexcept {
    const message_type& what = t_->of[of.type];
    const dyn::part& each = t_->all.parts[t_->all.types[of.type].first + k];
    if (!is_indexed(of)) return flat(each.type, of.position + each.offset);
    if (what.elides) {
      const std::uint64_t slot = entry(of).first + k;
      const noted& found = index_[static_cast<std::size_t>(slot)];
      if (found.at == left_out) return {};
      if (t_->of[each.type].is_flat) return flat(each.type, found.at);
      return {each.type, in_index, t_->is_leaf(each.type) ? slot : found.first};
    }
    return make(each.type, (what.is_evolvable ? entry(of).first : of.position) + each.offset, begin(of));
  }
  [[nodiscard]] spot element_at(const spot& of, std::uint64_t i) const noexcept {
    const std::uint32_t element = t_->of[of.type].element;
    if (t_->of[element].is_flat)
      return flat(element, counted_at(begin(of)).first + i * t_->of[element].bytes);
    return make(element, entry(of).first + i * t_->slots_of(element), 0);
  }
  [[nodiscard]] selected selected_in(const spot& of) const noexcept {
    return select_alternative(t_->node(of.type), alternative(of));
  }
  [[nodiscard]] spot held(const spot& of) const noexcept {
    const selected chosen = selected_in(of);
    if (!chosen.holds) return {};
    const std::uint32_t type = t_->part_type(of.type, chosen.child);
    return t_->of[type].is_flat ? flat(type, begin(of) + 1) : make(type, entry(of).first, 0);
  }

  /// Returns the end of a value: the end of its last part, if it has parts.
  [[nodiscard]] std::uint64_t end(spot of) const noexcept {
    for (;;) {
      const message_type& what = t_->of[of.type];
      if (!is_indexed(of)) return of.position + what.bytes;
      const schema_attributes& attributes = t_->node(of.type).attributes;
      const std::uint64_t at = begin(of);
      if (what.is_evolvable) {
        const counted all = counted_at(at);
        return all.first + all.count;
      }
      if (is_text_kind(attributes.kind)) {
        const text_run all = text(of);
        return all.position + all.bytes();
      }
      if (compact_validator::is_varint(attributes, what.how)) return counted_at(at).first;
      if (compact_validator::is_spelled_float(attributes, what.how))
        return at + float_length(in_->start + at, what.how, attributes.width);
      spot last;
      if (attributes.kind == schema_kind::array) {
        last = part(of, attributes.extent - 1);
      } else if (is_list_kind(attributes.kind)) {
        const counted all = counted_at(at);
        if (all.count == 0) return all.first;
        last = element_at(of, all.count - 1);
      } else if (is_tagged_kind(attributes.kind)) {
        last = held(of);
        if (last.type == spot::nothing) return at + 1;
      } else {
        last = last_member(of);
        if (last.type == spot::nothing) return at + mask_size(of.type);
      }
      of = last;
    }
  }
  /// Returns the last member that takes bytes.
  [[nodiscard]] spot last_member(const spot& of) const noexcept {
    const auto members = t_->with_bytes(of.type);
    for (auto k = members.rbegin(); k != members.rend(); ++k) {
      const spot found = member(of, *k);
      if (found.type != spot::nothing) return found;
    }
    return {};
  }

  /// Stores the positions of a value and of its parts in the index. The value begins at `at`. Sets
  /// `at` to the end of the value. Recurses as deep as the validation of the message.
  void note(std::uint32_t type, std::uint64_t& at, std::uint64_t slot, progress_poll& by) {
    const message_type& what = t_->of[type];
    const schema_attributes& attributes = t_->node(type).attributes;
    if (t_->is_leaf(type) || what.is_flat) {
      if (t_->slots_of(type) == 0) return;
      index_[static_cast<std::size_t>(slot)].at = static_cast<std::uint32_t>(at);
    }
    if (what.is_flat) {
      at += what.bytes;
    } else if (attributes.kind == schema_kind::array) {
      for (std::uint64_t i = 0; i < attributes.extent && !by.stopped(); ++i)
        note(what.element, at, slot + i * t_->slots_of(what.element), by);
    } else if (attributes.kind == schema_kind::record || attributes.kind == schema_kind::tuple) {
      note_record(type, at, slot, by);
    } else if (is_list_kind(attributes.kind)) {
      const counted all = counted_at(at);
      at = all.first;
      if (t_->of[what.element].is_flat) {
        at += all.count * t_->of[what.element].bytes;
        return;
      }
      const std::uint64_t step = t_->slots_of(what.element);
      const std::uint64_t first = reserve_slots(slot, all.count * step);
      for (std::uint64_t i = 0; i < all.count && by.should_continue(at); ++i)
        note(what.element, at, first + i * step, by);
    } else if (is_tagged_kind(attributes.kind)) {
      const selected chosen = select_alternative(t_->node(type), in_->byte(at++));
      if (!chosen.holds) return;
      const std::uint32_t alternative = t_->part_type(type, chosen.child);
      if (t_->of[alternative].is_flat) at += t_->of[alternative].bytes;
      else note(alternative, at, reserve_slots(slot, t_->slots_of(alternative)), by);
    } else { // text or a variable-length number
      at = end({type, in_index, slot});
    }
  }
  void note_record(std::uint32_t type, std::uint64_t& at, std::uint64_t slot, progress_poll& by) {
    const message_type& what = t_->of[type];
    if (what.elides) return note_masked(type, at, slot, by);
    std::uint64_t first = slot;
    if (what.is_evolvable) {
      at = counted_at(at).first;
      std::uint64_t slots = 0;
      for (const std::uint32_t k : t_->with_bytes(type)) slots += t_->slots_of(t_->part_type(type, k));
      first = reserve_slots(slot, slots);
    }
    for (const std::uint32_t k : t_->with_bytes(type)) {
      const std::uint32_t member = t_->part_type(type, k);
      note(member, at, first, by);
      if (by.stopped()) return;
      first += t_->slots_of(member);
    }
  }
  /// Stores the positions of the members of a record with a mask. Every member has a slot, even if
  /// the message omits the member, so that a member can be found in one step. If the parts of a
  /// member need slots, these slots are appended.
  void note_masked(std::uint32_t type, std::uint64_t& at, std::uint64_t slot, progress_poll& by) {
    const std::uint32_t members = t_->all.types[type].parts;
    const std::uint64_t mask = at;
    const std::uint64_t first = reserve_slots(slot, members);
    at += mask_size(type);
    for (std::uint32_t k = 0; k < members && !by.stopped(); ++k) {
      const bool is_there = has_member(mask, k);
      index_[static_cast<std::size_t>(first + k)].at = is_there ? static_cast<std::uint32_t>(at) : left_out;
      if (!is_there) continue;
      const std::uint32_t member = t_->part_type(type, k);
      if (t_->of[member].is_flat) at += t_->of[member].bytes;
      else
        note(member, at, t_->is_leaf(member) ? first + k : reserve_slots(first + k, t_->slots_of(member)),
             by);
    }
  }
  /// Appends slots for the parts of the value in `slot`, and returns the first of these slots.
  [[nodiscard]] std::uint64_t reserve_slots(std::uint64_t slot, std::uint64_t count) {
    const std::size_t first = index_.size();
    index_[static_cast<std::size_t>(slot)].first = static_cast<std::uint32_t>(first);
    index_.resize(first + static_cast<std::size_t>(count));
    return first;
  }

  const message_tables* t_;
  const memory* in_;
  std::vector<noted> index_;
};

}}} // namespace ingot::INGOT_V1::detail::dyn
