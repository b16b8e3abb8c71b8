// SPDX-License-Identifier: Apache-2.0
// Values of a packed message that was not validated. Each access is checked. A damaged value is
// zero or empty.
#pragma once

#include <ingot/core/error.hpp>
#include <ingot/dynamic/message_types.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <utility>

namespace tool {

/// Reads a packed message as `ingot::detail::dyn::packed_values` does, which explains the fields of
/// a spot. All bytes of the slot of a spot are inside the message. A spot that is `lost` has no
/// bytes: its parts are lost, and its number is zero.
class checked_packed final : public ingot::detail::dyn::message_values {
public:
  using spot = ingot::detail::dyn::spot;
  using byte_run = ingot::detail::dyn::byte_run;
  using text_run = ingot::detail::dyn::text_run;
  using errc = ingot::errc;
  using dynamic_kind = ingot::dynamic_kind;

  checked_packed(const ingot::detail::dyn::message_tables& types,
                 const ingot::detail::dyn::memory& in) noexcept
      : t_(&types), in_(&in) {}

  /// Returns the damage that the last calls found; the first one if there are several.
  [[nodiscard]] std::optional<ingot::error> take_fault() const { return std::exchange(fault_, std::nullopt); }

  [[nodiscard]] const std::byte* start() const noexcept { return in_->start; }
  [[nodiscard]] spot whole() const noexcept { return payload(tables::root, 0, in_->used); }

  [[nodiscard]] std::uint64_t size(const spot& of) const noexcept override {
    const auto& what = t_->all.types[of.type];
    switch (what.kind) {
    case dynamic_kind::record:
    case dynamic_kind::tuple: return what.parts;
    case dynamic_kind::array: return what.extent;
    case dynamic_kind::bitset: return is_lost(of) ? 0 : what.extent;
    case dynamic_kind::optional:
    case dynamic_kind::variant:
    case dynamic_kind::expected: return selected_in(of).holds ? 1 : 0;
    case dynamic_kind::text: return text(of).units;
    default: return is_list(of.type) ? list(of).count : 0;
    }
  }
  [[nodiscard]] spot part(const spot& of, std::uint64_t i) const noexcept override {
    const auto& what = t_->all.types[of.type];
    switch (what.kind) {
    case dynamic_kind::record:
      // the default of a version is the version of the schema
      if (i == 0 && t_->has_version_member(of.type) && !has_version(of)) return {};
      return member(of, i);
    case dynamic_kind::tuple: return member(of, i);
    case dynamic_kind::array: {
      const std::uint32_t element = t_->of[of.type].element;
      if (is_lost(of)) return lost(element);
      const auto& part = t_->packed(element);
      const std::uint64_t at = at_of(of) + i * part.slot;
      if (i == 0 || part.is_fixed) return make(element, at, tail_of(of), of.more);
      return after(element, at, tail_of(of), at - part.slot + part.last_end);
    }
    case dynamic_kind::optional:
    case dynamic_kind::variant:
    case dynamic_kind::expected: return held(of);
    case dynamic_kind::duration:
    case dynamic_kind::time_point: return {t_->part_type(of.type, 0), of.more, of.position};
    case dynamic_kind::complex: {
      const std::uint32_t half = t_->part_type(of.type, 0);
      if (is_lost(of)) return lost(half);
      return make(half, at_of(of) + i * t_->packed(half).slot, tail_of(of), of.more);
    }
    default:
      if (!is_list(of.type)) return {};
      const spot found = list(of).element(*this, i);
      return ingot::detail::dyn::is_map(what.kind) ? member(found, 1) : found;
    }
  }
  [[nodiscard]] spot key(const spot& of, std::uint64_t i) const noexcept override {
    const spot found = list(of).element(*this, i);
    return ingot::detail::dyn::is_map(t_->all.types[of.type].kind) ? member(found, 0) : found;
  }
  [[nodiscard]] spot find(const spot&, const ingot::detail::dyn::query&) const noexcept override {
    return {};
  }
  [[nodiscard]] std::size_t alternative(const spot& of) const noexcept override { return tag(of); }
  [[nodiscard]] std::uint64_t number(const spot& of) const noexcept override {
    const auto& what = t_->node(of.type);
    const auto& attributes = what.attributes;
    const bool is_enumeration = attributes.kind == ingot::schema_kind::enumeration;
    const auto& type = t_->all.types[of.type];
    const auto substitute = [&]() -> std::uint64_t {
      return is_enumeration && !t_->all.is_value(type, 0) && type.parts != 0
                 ? t_->all.enumerators_of(type)[0].value
                 : 0;
    };
    if (is_lost(of)) return substitute();
    const std::uint64_t stored = ingot::detail::load_number(in_->start + at_of(of), attributes.width);
    const std::uint64_t found = ingot::detail::extend_number(stored, attributes);
    if (attributes.kind == ingot::schema_kind::boolean && found > 1) {
      fault(errc::bad_bool, at_of(of), "0 or 1");
      return 0;
    }
    if (is_enumeration && !t_->all.is_value(type, found)) {
      fault(errc::bad_enum, at_of(of), "an enumerator");
      return substitute();
    }
    return found;
  }
  [[nodiscard]] text_run text(const spot& of) const noexcept override {
    const auto& what = t_->all.types[of.type];
    if (what.kind == dynamic_kind::array)
      return {is_lost(of) ? 0 : at_of(of), is_lost(of) ? 0 : what.extent, 1};
    const auto width = static_cast<unsigned>(t_->all.part_type(what, 0).size);
    const byte_run all = leaf(of);
    if (all.length % width != 0) fault(errc::bad_length, all.offset, "whole characters");
    return {all.offset, all.length / width, width};
  }
  [[nodiscard]] byte_run own(const spot& of) const noexcept override {
    if (is_lost(of)) return {};
    return has_no_slot(of) ? leaf(of) : byte_run{at_of(of), t_->packed(of.type).slot};
  }
  [[nodiscard]] byte_run tail(const spot& of) const noexcept override {
    return has_no_slot(of) || !t_->packed(of.type).is_leaf ? byte_run{} : leaf(of);
  }
  [[nodiscard]] std::span<const std::uint32_t> with_bytes(const spot& of) const noexcept override {
    return t_->with_bytes(of.type);
  }
  [[nodiscard]] bool is_masked(const spot& of) const noexcept override { return t_->of[of.type].is_masked; }
  [[nodiscard]] bool elides(const spot&) const noexcept override { return false; }

private:
  using tables = ingot::detail::dyn::message_tables;
  static constexpr std::uint32_t no_slot = 0xFFFFFFFF;
  static constexpr std::uint64_t end_size = ingot::detail::end_size;

  struct elements {
    std::uint32_t type = 0;
    std::uint64_t count = 0;
    std::uint64_t first = 0;
    std::uint64_t stride = 0;
    std::uint64_t tail = 0;

    [[nodiscard]] spot element(const checked_packed& in, std::uint64_t i) const noexcept {
      if (i >= count) return lost(type);
      const std::uint64_t at = first + i * stride;
      const auto& part = in.t_->packed(type);
      const bool is_opened = in.t_->of[type].is_opened;
      if (i == 0 || (part.is_fixed && !is_opened)) return make(type, is_opened ? at + end_size : at, tail, 0);
      if (is_opened) return in.after(type, at + end_size, tail, at - stride);
      return in.after(type, at, tail, at - stride + part.last_end);
    }
  };

  [[nodiscard]] static spot make(std::uint32_t type, std::uint64_t at, std::uint64_t tail,
                                 std::uint64_t more) noexcept {
    return {type, static_cast<std::uint32_t>(more), at | tail << 32};
  }
  [[nodiscard]] static spot lost(std::uint32_t type) noexcept { return {type, 0, ~std::uint64_t{0}}; }
  [[nodiscard]] static bool is_lost(const spot& of) noexcept { return of.position == ~std::uint64_t{0}; }
  [[nodiscard]] static std::uint64_t at_of(const spot& of) noexcept { return of.position & 0xFFFFFFFF; }
  [[nodiscard]] static std::uint64_t tail_of(const spot& of) noexcept { return of.position >> 32; }
  [[nodiscard]] static bool has_no_slot(const spot& of) noexcept { return at_of(of) == no_slot; }
  [[nodiscard]] bool is_list(std::uint32_t type) const noexcept {
    return ingot::detail::is_list_kind(t_->node(type).attributes.kind);
  }
  void fault(errc code, std::uint64_t at, std::string_view expected) const noexcept {
    if (!fault_) fault_ = ingot::error{code, static_cast<std::size_t>(at)}.with_expected(expected);
  }
  [[nodiscard]] std::uint64_t load_end(std::uint64_t at) const noexcept {
    return ingot::detail::load_number(in_->start + at, end_size);
  }
  /// Returns a value whose payload begins at the end that is stored at `end_at`.
  [[nodiscard]] spot after(std::uint32_t type, std::uint64_t at, std::uint64_t tail,
                           std::uint64_t end_at) const noexcept {
    const std::uint64_t begin = load_end(end_at);
    if (begin <= in_->used - tail) return make(type, at, tail, begin);
    fault(errc::bad_length, end_at, "an end inside the tail, not before the previous field's");
    return lost(type);
  }
  /// Returns the value whose payload is the `size` bytes from position `from` on.
  [[nodiscard]] spot payload(std::uint32_t type, std::uint64_t from, std::uint64_t size) const noexcept {
    const auto& part = t_->packed(type);
    if (part.is_leaf) return make(type, no_slot, from, from + size);
    if (part.fixed_part <= size) return make(type, from, from + part.fixed_part, 0);
    fault(errc::truncated, from, "more bytes of the fixed part");
    return lost(type);
  }
  [[nodiscard]] byte_run leaf(const spot& of) const noexcept {
    if (is_lost(of)) return {};
    if (has_no_slot(of)) return {tail_of(of), of.more - tail_of(of)};
    const std::uint64_t end = load_end(at_of(of));
    if (end >= of.more && end <= in_->used - tail_of(of)) return {tail_of(of) + of.more, end - of.more};
    fault(errc::bad_length, at_of(of), "an end inside the tail, not before the previous field's");
    return {};
  }
  [[nodiscard]] elements list(const spot& of) const noexcept {
    elements found;
    found.type = t_->of[of.type].element;
    const byte_run all = leaf(of);
    const auto& part = t_->packed(found.type);
    found.stride = t_->of[found.type].stride;
    found.first = all.offset;
    if (part.is_fixed && found.stride != 0) {
      if (all.length % found.stride != 0) fault(errc::bad_length, all.offset, "whole elements");
      found.count = all.length / found.stride;
      found.tail = all.offset;
      return found;
    }
    if (all.length == 0 && (is_lost(of) || fault_)) return found;
    const bool is_opened = t_->of[found.type].is_opened;
    const std::uint64_t header = (is_opened ? 2 : 1) * end_size;
    if (all.length < header) {
      fault(errc::truncated, all.offset, "the count of a list");
      return found;
    }
    const std::uint64_t count = load_end(all.offset);
    const std::uint64_t left = all.length - header;
    const std::uint64_t limit = found.stride == 0 ? ingot::max_empty_elements : left / found.stride;
    if (count > limit) {
      fault(errc::bad_length, all.offset, "no more elements than there are bytes for");
      return found;
    }
    if (is_opened && load_end(all.offset + end_size) != part.fixed_part)
      fault(errc::bad_length, all.offset + end_size, "the size of the record as its schema has it");
    found.count = count;
    found.first = all.offset + header;
    found.tail = found.first + count * found.stride;
    return found;
  }
  [[nodiscard]] bool has_version(const spot& of) const noexcept {
    const spot version = member(of, 0);
    if (is_lost(version) || number(version) == t_->node(of.type).attributes.extent) return !is_lost(version);
    fault(errc::wrong_version, at_of(version), "the version that the schema names");
    return false;
  }
  [[nodiscard]] spot member(const spot& of, std::uint64_t i) const noexcept {
    const auto k = static_cast<std::size_t>(i);
    const std::uint32_t child = t_->all.parts[t_->all.types[of.type].first + k].type;
    if (is_lost(of)) return lost(child);
    const auto& part = t_->packed(of.type);
    std::uint64_t at = at_of(of);
    std::uint64_t tail = tail_of(of);
    std::uint64_t begin = of.more;
    if (t_->of[of.type].is_opened && !has_no_slot(of)) {
      tail += begin;
      begin = 0;
    } else if (part.is_leaf) {
      const byte_run all = leaf(of);
      if (all.length < end_size + part.fixed_part) {
        fault(errc::truncated, all.offset, "the record as its schema has it");
        return lost(child);
      }
      if (load_end(all.offset) != part.fixed_part)
        fault(errc::bad_length, all.offset, "the size of the record as its schema has it");
      at = all.offset + end_size;
      tail = at + part.fixed_part;
      begin = 0;
    }
    const std::uint64_t before = part.end_before[k];
    if (before == ingot::detail::packed_part::none) return make(child, at + part.offsets[k], tail, begin);
    return after(child, at + part.offsets[k], tail, at + before);
  }
  [[nodiscard]] std::size_t tag(const spot& of) const noexcept {
    if (is_lost(of)) return 0;
    const bool is_leaf = t_->packed(of.type).is_leaf;
    const byte_run all = is_leaf ? leaf(of) : byte_run{at_of(of), 1};
    if (all.length == 0) return 0;
    const auto stored = std::to_integer<std::size_t>(in_->start[all.offset]);
    if (ingot::detail::select_alternative(t_->node(of.type), stored).exists) return stored;
    fault(errc::bad_variant, all.offset, "the tag of an alternative");
    return 0;
  }
  [[nodiscard]] ingot::detail::selected selected_in(const spot& of) const noexcept {
    return ingot::detail::select_alternative(t_->node(of.type), tag(of));
  }
  [[nodiscard]] spot held(const spot& of) const noexcept {
    const ingot::detail::selected chosen = selected_in(of);
    if (!chosen.holds) return {};
    const std::uint32_t alternative = t_->part_type(of.type, chosen.child);
    if (is_lost(of)) return lost(alternative);
    if (!t_->packed(of.type).is_leaf) return make(alternative, at_of(of) + 1, tail_of(of), of.more);
    const byte_run all = leaf(of);
    if (all.length == 0) return lost(alternative);
    return payload(alternative, all.offset + 1, all.length - 1);
  }

  const tables* t_;
  const ingot::detail::dyn::memory* in_;
  mutable std::optional<ingot::error> fault_;
};

} // namespace tool
