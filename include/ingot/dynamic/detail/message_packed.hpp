// SPDX-License-Identifier: Apache-2.0
// Values of a validated packed message, by its schema at run time. Finding a part takes two loads.
//
// The lower half of a spot's `position` is the position of the slot. The upper half is the
// beginning of the tail; stored ends count from this beginning. `more` is the beginning of the
// value's own payloads in the tail. A value without a slot is a whole payload. Such a value has
// `no_slot` in the lower half, and its end in `more`.
#pragma once

#include <ingot/dynamic/detail/message_search.hpp>
#include <ingot/dynamic/message_types.hpp>

#include <cstddef>
#include <cstdint>
#include <span>

namespace ingot { inline namespace INGOT_V1 { namespace detail::dyn {

class packed_values final : public message_values {
public:
  packed_values(const message_tables& types, const memory& in) noexcept : t_(&types), in_(&in) {}

  [[nodiscard]] spot whole() const noexcept { return payload(message_tables::root, 0, in_->used); }
  /// Returns the value whose payload is the `size` bytes from position `from` on.
  [[nodiscard]] spot payload(std::uint32_t type, std::uint64_t from, std::uint64_t size) const noexcept {
    const packed_part& part = t_->packed(type);
    if (part.is_leaf) return make(type, no_slot, from, from + size);
    return make(type, from, from + part.fixed_part, 0);
  }

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
    case dynamic_kind::text: {
      const text_run all = text(of);
      return all.units;
    }
    default: return is_list(of.type) ? list(of).count : 0;
    }
  }

  [[nodiscard]] spot part(const spot& of, std::uint64_t i) const noexcept override {
    const type& what = t_->all.types[of.type];
    switch (what.kind) {
    case dynamic_kind::record:
    case dynamic_kind::tuple: return member(of, i);
    case dynamic_kind::array: {
      const std::uint32_t element = t_->of[of.type].element;
      const packed_part& part = t_->packed(element);
      const std::uint64_t at = at_of(of) + i * part.slot;
      return make(element, at, tail_of(of),
                  i == 0 || part.is_fixed ? of.more : load_end(at - part.slot + part.last_end));
    }
    case dynamic_kind::optional:
    case dynamic_kind::variant:
    case dynamic_kind::expected: return held(of);
    case dynamic_kind::duration:
    case dynamic_kind::time_point: return {t_->part_type(of.type, 0), of.more, of.position};
    case dynamic_kind::complex: {
      const std::uint32_t half = t_->part_type(of.type, 0);
      return make(half, at_of(of) + i * t_->packed(half).slot, tail_of(of), of.more);
    }
    default:
      if (!is_list(of.type)) return {};
      const spot element = list(of).element(*this, i);
      return is_map(what.kind) ? member(element, 1) : element;
    }
  }
  [[nodiscard]] spot key(const spot& of, std::uint64_t i) const noexcept override {
    const spot element = list(of).element(*this, i);
    return is_map(t_->all.types[of.type].kind) ? member(element, 0) : element;
  }
  [[nodiscard]] spot find(const spot& of, const query& key) const noexcept override {
    return find_in_message(*in_, of, key);
  }
  [[nodiscard]] std::size_t alternative(const spot& of) const noexcept override { return tag(of); }
  [[nodiscard]] std::uint64_t number(const spot& of) const noexcept override {
    const schema_attributes& attributes = t_->node(of.type).attributes;
    return extend_number(load_number(in_->start + at_of(of), attributes.width), attributes);
  }
  [[nodiscard]] text_run text(const spot& of) const noexcept override {
    const type& what = t_->all.types[of.type];
    if (what.kind == dynamic_kind::array) return {at_of(of), what.extent, 1};
    const auto width = static_cast<unsigned>(t_->all.part_type(what, 0).size);
    const byte_run all = leaf(of);
    return {all.offset, all.length / width, width};
  }
  [[nodiscard]] byte_run own(const spot& of) const noexcept override {
    const packed_part& part = t_->packed(of.type);
    if (has_no_slot(of)) return leaf(of);
    if (is_opened(of)) return {at_of(of) - end_size, end_size + part.fixed_part};
    return {at_of(of), part.slot};
  }
  [[nodiscard]] byte_run tail(const spot& of) const noexcept override {
    const packed_part& part = t_->packed(of.type);
    if (has_no_slot(of) || part.is_fixed) return {};
    // In a list of evolvable records, the end of a record is stored before the record.
    const std::uint64_t end = is_opened(of) ? load_end(at_of(of) - end_size)
                                            : load_end(at_of(of) + (part.is_leaf ? 0 : part.last_end));
    return {tail_of(of) + of.more, end - of.more};
  }
  [[nodiscard]] std::span<const std::uint32_t> with_bytes(const spot& of) const noexcept override {
    return t_->with_bytes(of.type);
  }
  [[nodiscard]] bool is_masked(const spot& of) const noexcept override { return t_->of[of.type].is_masked; }
  [[nodiscard]] bool elides(const spot&) const noexcept override { return false; }

private:
  static constexpr std::uint32_t no_slot = 0xFFFFFFFF;

  struct elements {
    std::uint32_t type;
    std::uint64_t count;
    std::uint64_t first;
    std::uint64_t stride;
    std::uint64_t tail;

    [[nodiscard]] spot element(const packed_values& in, std::uint64_t i) const noexcept {
      const std::uint64_t at = first + i * stride;
      const packed_part& part = in.t_->packed(type);
      if (in.t_->of[type].is_opened)
        return make(type, at + end_size, tail, i == 0 ? 0 : in.load_end(at - stride));
      const bool is_first = i == 0 || part.is_fixed;
      return make(type, at, tail, is_first ? 0 : in.load_end(at - stride + part.last_end));
    }
  };

  [[nodiscard]] static spot make(std::uint32_t type, std::uint64_t at, std::uint64_t tail,
                                 std::uint64_t more) noexcept {
    return {type, static_cast<std::uint32_t>(more), at | tail << 32};
  }
  [[nodiscard]] static std::uint64_t at_of(const spot& of) noexcept { return of.position & 0xFFFFFFFF; }
  [[nodiscard]] static std::uint64_t tail_of(const spot& of) noexcept { return of.position >> 32; }
  [[nodiscard]] bool has_no_slot(const spot& of) const noexcept { return at_of(of) == no_slot; }
  [[nodiscard]] bool is_opened(const spot& of) const noexcept { return t_->of[of.type].is_opened; }
  [[nodiscard]] std::uint64_t load_end(std::uint64_t at) const noexcept {
    return load_number(in_->start + at, end_size);
  }
  [[nodiscard]] bool is_list(std::uint32_t type) const noexcept {
    return is_list_kind(t_->node(type).attributes.kind);
  }
  /// Returns the range of the payload of a value whose slot stores the end of this payload.
  [[nodiscard]] byte_run leaf(const spot& of) const noexcept {
    if (has_no_slot(of)) return {tail_of(of), of.more - tail_of(of)};
    return {tail_of(of) + of.more, load_end(at_of(of)) - of.more};
  }
  [[nodiscard]] elements list(const spot& of) const noexcept {
    const byte_run all = leaf(of);
    const std::uint32_t element = t_->of[of.type].element;
    const std::uint64_t stride = t_->of[element].stride;
    if (t_->packed(element).is_fixed && stride != 0)
      return {element, all.length / stride, all.offset, stride, all.offset};
    const std::uint64_t count = load_end(all.offset);
    const std::uint64_t first = all.offset + (t_->of[element].is_opened ? 2 : 1) * end_size;
    return {element, count, first, stride, first + count * stride};
  }
  [[nodiscard]] spot member(const spot& of, std::uint64_t i) const noexcept {
    const auto k = static_cast<std::size_t>(i);
    const packed_part& part = t_->packed(of.type);
    std::uint64_t at = at_of(of);
    std::uint64_t tail = tail_of(of);
    std::uint64_t begin = of.more;
    if (is_opened(of) && !has_no_slot(of)) {
      tail += begin;
      begin = 0;
    } else if (part.is_leaf) {
      // A leaf begins with its size. An element that is a whole payload, such as a key that is
      // being sorted, also begins with its size.
      at = leaf(of).offset + end_size;
      tail = at + part.fixed_part;
      begin = 0;
    }
    const std::uint32_t child = t_->all.parts[t_->all.types[of.type].first + k].type;
    const std::uint64_t before = part.end_before[k];
    return make(child, at + part.offsets[k], tail,
                before == packed_part::none ? begin : load_end(at + before));
  }

  [[nodiscard]] std::size_t tag(const spot& of) const noexcept {
    if (!t_->packed(of.type).is_leaf) return std::to_integer<std::size_t>(in_->start[at_of(of)]);
    const byte_run all = leaf(of);
    return all.length == 0 ? 0 : std::to_integer<std::size_t>(in_->start[all.offset]);
  }
  [[nodiscard]] selected selected_in(const spot& of) const noexcept {
    return select_alternative(t_->node(of.type), tag(of));
  }
  [[nodiscard]] spot held(const spot& of) const noexcept {
    const selected chosen = selected_in(of);
    if (!chosen.holds) return {};
    const std::uint32_t alternative = t_->part_type(of.type, chosen.child);
    if (!t_->packed(of.type).is_leaf) return make(alternative, at_of(of) + 1, tail_of(of), of.more);
    const byte_run all = leaf(of);
    return payload(alternative, all.offset + 1, all.length - 1);
  }

  const message_tables* t_;
  const memory* in_;
};

}}} // namespace ingot::INGOT_V1::detail::dyn
