// SPDX-License-Identifier: Apache-2.0
// Validates packed and compact bytes at run time, with a schema. Makes the checks that a reader of
// the described type makes, except those that need more than the description: limits, hooks, the
// order of keys, versions, defaults.
#pragma once

#include <ingot/core/bytes.hpp>
#include <ingot/core/endian.hpp>
#include <ingot/core/error.hpp>
#include <ingot/pack/detail/compact_stream.hpp>
#include <ingot/pack/detail/evolution_layout.hpp>
#include <ingot/pack/detail/level.hpp>

#include <bit>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <utility>

namespace ingot { inline namespace INGOT_V1 { namespace detail {

/// The current depth of a walk, in nested calls and in levels. `unpack` counts levels in the same
/// way. There are at most `max_depth` levels, and at most `max_call_depth` calls, which is 16 calls
/// for each level.
struct nesting {
  static constexpr unsigned max_call_depth = 2048;
  unsigned calls = 0;
  unsigned levels = 0;
  [[nodiscard]] constexpr nesting call() const noexcept { return {calls + 1, levels}; }
  [[nodiscard]] constexpr nesting level() const noexcept { return {calls + 1, levels + 1}; }
};

/// Base of the validators of both profiles. Stores the error, and counts elements that take no
/// bytes: without a limit, a short message could have any number of them.
class evolution_check {
public:
  [[nodiscard]] const error& why() const noexcept { return *r_.why; }
  /// Returns the error of the validation, as `reader_failure` does.
  [[nodiscard]] std::unexpected<error> failure() { return reader_failure(r_); }
  void tell_of(progress_tracker* tracker) noexcept { r_.tracker = tracker; }

protected:
  evolution_check(const packed_layout& layout, bytes_view bytes) : layout_(layout), r_(bytes) {}

  [[nodiscard]] const evolving_node& node(std::uint32_t index) const noexcept {
    return layout_.graph().nodes[index];
  }
  bool fail(errc code, const std::byte* at, std::string_view expected) { return r_.fail(code, at, expected); }
  bool enter(const std::byte* at, nesting depth) {
    return depth.calls < nesting::max_call_depth || fail(errc::too_deep, at, "at most 128 levels of nesting");
  }
  /// As `enter`, for a part that starts a new level.
  bool enter_level(std::uint32_t index, const std::byte* at, nesting depth) {
    if (layout_[index].is_recursive && depth.levels > max_depth) depth.calls = nesting::max_call_depth;
    return enter(at, depth);
  }
  bool in_child(const evolving_node& of, std::size_t k) {
    if (of.is_entry) r_.why->in_member(k == 0 ? "key" : "value");
    else if (of.attributes.kind == schema_kind::record) r_.why->in_member(of.children[k].name);
    else r_.why->in_element(k);
    return false;
  }
  bool in_element(std::uint64_t i) {
    r_.why->in_element(i);
    return false;
  }
  /// Reports that all bytes before `at` are validated, at intervals of about 256 KiB. Returns false
  /// if cancelled.
  bool should_continue(const std::byte* at) {
    if (r_.tracker == nullptr || r_.offset_of(at) < telling_) return true;
    telling_ = r_.offset_of(at) + progress_tracker::step;
    return tell(r_, at);
  }
  bool count_empty(const std::byte* at, std::uint64_t count) {
    if (count > max_empty_elements - r_.empty_elements)
      return fail(errc::too_large, at, "at most 65536 elements of size zero in a message");
    r_.empty_elements += static_cast<std::uint32_t>(count);
    return true;
  }
  /// Checks a scalar of fixed size. `size` is the size in bytes.
  bool check_scalar(const evolving_node& what, const std::byte* at, std::uint64_t size) {
    const schema_attributes& attributes = what.attributes;
    if (attributes.kind == schema_kind::boolean)
      return at[0] <= std::byte{1} || fail(errc::bad_bool, at, "0 or 1");
    if (attributes.kind == schema_kind::enumeration)
      return check_enumerator(what, at, load_number(at, attributes.width));
    if (attributes.kind == schema_kind::bitset) {
      const unsigned used = attributes.extent % 8;
      if (used != 0 && (at[size - 1] >> used) != std::byte{0})
        return fail(errc::bad_padding, at, "zeros after the last bit");
    }
    return true;
  }
  bool check_enumerator(const evolving_node& what, const std::byte* at, std::uint64_t number) {
    number = extend_number(number, what.attributes);
    return what.takes(number) || find_number(what, number) < what.enumerators.size() ||
           r_.fail_enumerator(at, number, what.attributes.has(schema_flag::is_signed),
                              what.attributes.has(schema_flag::is_flags));
  }

  const packed_layout& layout_;
  reader r_;

private:
  std::uint64_t telling_ = progress_tracker::step; ///< position at which progress is reported next
};

/// The events of a walk that only validates. Other classes of events have the same members.
struct no_events {
  /// If false, a walk checks only the lengths, ends and tags of payloads.
  static constexpr bool checks_values = true;
  static constexpr unsigned max_calls = nesting::max_call_depth;
  /// Returns false to stop the walk; called after each element of a list.
  [[nodiscard]] static constexpr bool should_continue() noexcept { return true; }
  /// Returns true to continue after a damaged payload.
  [[nodiscard]] static constexpr bool skips_damage() noexcept { return false; }
  /// Called for a text and for a list of elements of fixed size. The arguments are the node, the
  /// start, and the size in bytes.
  static constexpr void flat(std::uint32_t, const std::byte*, std::uint64_t) noexcept {}
  /// Called for a list whose elements are evolvable or have variable parts, with the node, the
  /// start, the size of the header, and the size of the elements' slots. The slots follow the
  /// header.
  static constexpr void list(std::uint32_t, const std::byte*, std::uint64_t /*header*/,
                             std::uint64_t) noexcept {}
  /// Called for the fixed part of a payload, with the node, start and size in bytes. Some messages
  /// store the size of the fixed part in front of it. The range then begins with the bytes of the
  /// stored size.
  static constexpr void fixed_part(std::uint32_t, const std::byte*, std::uint64_t) noexcept {}
};

/// Walks over packed bytes slot by slot, and over the payload of each slot before the next slot.
/// Validates the bytes, and reports the parts to `Events` in the order of their bytes. Recursive,
/// with at most `max_calls` nested calls.
template <class Events>
class packed_walk : evolution_check {
public:
  packed_walk(const packed_layout& layout, bytes_view bytes, Events events = {})
      : evolution_check(layout, bytes), bytes_(bytes), events_(std::move(events)) {}
  using evolution_check::failure;
  using evolution_check::tell_of;
  using evolution_check::why;

  [[nodiscard]] bool run() {
    if (Events::checks_values && bytes_.size() > 0xFFFFFFFFU)
      return fail(errc::too_large, r_.base, "a message of less than 4 GiB");
    return payload(layout_.graph().root, bytes_.data(), bytes_.size(),
                   {nesting::max_call_depth - Events::max_calls, 0});
  }
  [[nodiscard]] Events& events() noexcept { return events_; }

private:
  /// The tail of a fixed part: its start and its size. The ends of fields are positions relative to
  /// the start. `previous` is the last end that was read.
  struct tail {
    const std::byte* at;
    std::uint64_t size;
    std::uint64_t previous = 0;
  };

  bool slot(std::uint32_t index, const std::byte* at, tail& t, nesting depth) {
    const packed_part& part = layout_[index];
    if (part.is_plain || (part.is_fixed && (part.slot == 0 || !Events::checks_values))) return true;
    if (!enter(at, depth)) return false;
    const evolving_node& what = node(index);
    if (part.is_leaf) {
      const std::uint64_t end = load_le<end_type>(at);
      if (end < t.previous || end > t.size)
        return fail(errc::bad_length, at, "an end inside the tail, not before the previous field's");
      const std::uint64_t begin = t.previous;
      t.previous = end;
      return payload(index, t.at + begin, end - begin, depth.call()) || events_.skips_damage();
    }
    switch (what.attributes.kind) {
    case schema_kind::record:
    case schema_kind::tuple: return members(index, at, t, depth);
    case schema_kind::array: {
      const std::uint32_t element = what.children[0].node;
      for (std::uint64_t i = 0; i < what.attributes.extent; ++i) {
        if (!slot(element, at + i * layout_[element].slot, t, depth.call())) return in_element(i);
      }
      return true;
    }
    case schema_kind::optional:
    case schema_kind::variant:
    case schema_kind::expected: {
      const selected held = select_alternative(what, std::to_integer<std::size_t>(at[0]));
      if (!held.exists) return fail(errc::bad_variant, at, "the tag of an alternative");
      std::uint64_t used = 1;
      if (held.holds) {
        const std::uint32_t alternative = what.children[held.child].node;
        if (!slot(alternative, at + 1, t, depth.call())) return false;
        used += layout_[alternative].slot;
      }
      for (; used < part.slot; ++used) {
        if (at[used] != std::byte{0})
          return fail(errc::bad_padding, at + used, "zeros after the alternative");
      }
      return true;
    }
    default: return check_scalar(what, at, part.slot);
    }
  }
  bool members(std::uint32_t index, const std::byte* at, tail& t, nesting depth) {
    const evolving_node& what = node(index);
    const packed_part& part = layout_[index];
    for (const std::uint32_t k : Events::checks_values ? part.checked_members : part.variable_members) {
      if (!slot(what.children[k].node, at + part.offsets[k], t, depth.call())) return in_child(what, k);
    }
    return true;
  }
  bool ends(const tail& t) {
    return t.previous == t.size ||
           fail(errc::bad_length, t.at + t.previous, "the last field to end where its record does");
  }
  /// Checks the fixed part and the tail of a record that stores its size.
  bool evolvable(std::uint32_t index, const std::byte* at, tail t, nesting depth) {
    return members(index, at, t, depth) && ends(t);
  }

  bool payload(std::uint32_t index, const std::byte* from, std::uint64_t size, nesting depth) {
    if (!enter_level(index, from, depth)) return false;
    const evolving_node& what = node(index);
    const packed_part& part = layout_[index];
    const schema_attributes& attributes = what.attributes;
    if (is_text_kind(attributes.kind)) {
      if (attributes.kind != schema_kind::path && size % attributes.width != 0)
        return fail(errc::bad_length, from, "whole characters");
      events_.flat(index, from, size);
      return true;
    }
    if (is_list_kind(attributes.kind)) return list(index, from, size, depth.level());
    if (layout_.is_evolvable(index)) {
      if (size < end_size) return fail(errc::truncated, from, "the size of a record");
      const std::uint64_t present = load_le<end_type>(from);
      if (present != part.fixed_part || present > size - end_size)
        return fail(errc::bad_length, from, "the size of the record as its schema has it");
      events_.fixed_part(index, from, end_size + present);
      const std::byte* const at = from + end_size;
      return evolvable(index, at, {at + present, size - end_size - present}, depth.level());
    }
    if (part.is_leaf) { // a tagged value
      if (size == 0) {
        return attributes.kind == schema_kind::optional ||
               fail(errc::truncated, from, "the tag of an alternative");
      }
      const auto tag = std::to_integer<std::size_t>(from[0]);
      const selected held = select_alternative(what, tag);
      if (!held.exists || (attributes.kind == schema_kind::optional && tag == 0))
        return fail(errc::bad_variant, from, "the tag of an alternative");
      if (held.holds) return payload(what.children[held.child].node, from + 1, size - 1, depth.level());
      return size == 1 || fail(errc::trailing_bytes, from + 1, "no bytes after the tag");
    }
    if (size < part.fixed_part) return fail(errc::truncated, from + size, "more bytes of the fixed part");
    events_.fixed_part(index, from, part.fixed_part);
    tail t{from + part.fixed_part, size - part.fixed_part};
    return slot(index, from, t, depth.call()) &&
           (t.previous == t.size || fail(errc::trailing_bytes, t.at + t.previous, "the end of the message"));
  }
  bool list(std::uint32_t index, const std::byte* from, std::uint64_t size, nesting depth) {
    const std::uint32_t element = node(index).children[0].node;
    const packed_part& part = layout_[element];
    const std::uint64_t stride = layout_.stride(element);
    if (part.is_fixed && stride != 0) {
      if (size % stride != 0) return fail(errc::bad_length, from, "whole elements");
      events_.flat(index, from, size);
      if (part.is_plain || !Events::checks_values) return true;
      tail none{from + size, 0};
      for (std::uint64_t i = 0; i < size / stride; ++i) {
        if (!slot(element, from + i * stride, none, depth.call())) return in_element(i);
        if (!should_continue(from + i * stride)) return false;
      }
      return true;
    }
    const bool is_evolvable = layout_.is_evolvable(element);
    const std::uint64_t header = is_evolvable ? 2 * end_size : end_size;
    if (size < header) return fail(errc::truncated, from, "the count of a list");
    const std::uint64_t count = load_le<end_type>(from);
    const std::uint64_t left = size - header;
    if (stride == 0) {
      return count_empty(from, count) &&
             (left == 0 || fail(errc::bad_length, from + header, "no bytes after the count"));
    }
    if (is_evolvable && load_le<end_type>(from + end_size) != part.fixed_part)
      return fail(errc::bad_length, from + end_size, "the size of the record as its schema has it");
    if (count > left / stride)
      return fail(errc::bad_length, from, "no more elements than there are bytes for");
    events_.list(index, from, header, count * stride);
    const std::byte* const elements = from + header;
    tail t{elements + count * stride, left - count * stride};
    for (std::uint64_t i = 0; i < count; ++i) {
      const std::byte* const at = elements + i * stride;
      if (is_evolvable) {
        const std::uint64_t end = load_le<end_type>(at);
        if (end < t.previous || end > t.size)
          return fail(errc::bad_length, at, "an end inside the tail, not before the previous element's") ||
                 in_element(i);
        if (!evolvable(element, at + end_size, {t.at + t.previous, end - t.previous}, depth.call()))
          return in_element(i);
        t.previous = end;
      } else if (!slot(element, at, t, depth.call())) {
        return in_element(i);
      }
      if (!should_continue(at + t.previous)) return false;
      if (!events_.should_continue()) return fail(errc::cancelled, at, "no cancellation");
    }
    return ends(t);
  }

  bytes_view bytes_;
  INGOT_NO_UNIQUE_ADDRESS Events events_;
};
using packed_validator = packed_walk<no_events>;

/// Validates the compact profile. `walk` also finds the end of a value in validated bytes.
class compact_validator : evolution_check {
public:
  compact_validator(const packed_layout& layout, bytes_view bytes)
      : evolution_check(layout, bytes), bytes_(bytes) {}
  using evolution_check::failure;
  using evolution_check::tell_of;
  using evolution_check::why;

  [[nodiscard]] bool run() {
    stream in{bytes_.data(), bytes_.data() + bytes_.size()};
    return walk(layout_.graph().root, in, encoding::plain, {}) &&
           (in.left() == 0 || fail(errc::trailing_bytes, in.at, "the end of the message"));
  }

  static encoding encoding_of(const evolving_node& of, std::size_t k, encoding outer) noexcept {
    if (of.attributes.kind != schema_kind::record) return outer;
    const std::uint64_t own = of.children[k].annotations;
    const auto says = [&](schema_annotation a) { return (own & static_cast<std::uint64_t>(a)) != 0; };
    if (says(schema_annotation::is_fixed)) return encoding::plain;
    const bool varint = says(schema_annotation::is_varint);
    std::uint64_t mine = std::to_underlying(encoding_from(varint, says(schema_annotation::is_short_float),
                                                          says(schema_annotation::is_tight_float)));
    if (says(schema_annotation::is_quantized)) mine = with_quantum((varint ? 1U : 0U) | 8U, quantum_in(own));
    if (says(schema_annotation::is_unit_vector))
      mine = with_unit_vector(mine, static_cast<unsigned>(own >> 48 & 0xFF));
    if (mine != 0) return static_cast<encoding>(mine);
    return encoding_from(of.attributes.has(schema_flag::is_varint),
                         of.attributes.has(schema_flag::is_short_float),
                         of.attributes.has(schema_flag::is_tight_float));
  }
  static bool is_varint(const schema_attributes& attributes, encoding how) noexcept {
    return spells(how, encoding::varint) && attributes.width > 1 &&
           (attributes.kind == schema_kind::integer || attributes.kind == schema_kind::enumeration);
  }
  /// Returns true for a float whose size depends on its value.
  static bool is_spelled_float(const schema_attributes& attributes, encoding how) noexcept {
    return (static_cast<unsigned>(how) & 0x2E) != 0 && attributes.kind == schema_kind::floating;
  }
  /// Returns the size in bytes of the array `of` if it is encoded as a unit vector; otherwise 0.
  static unsigned unit_bytes(const evolving_graph& in, const evolving_node& of, encoding how) noexcept {
    if (!spells(how, encoding::unit_vector) || of.attributes.kind != schema_kind::array) return 0;
    return in.child(of, 0).attributes.kind == schema_kind::floating ? unit_size(how, of.attributes.extent)
                                                                    : 0;
  }

  /// Moves `in` to the end of a value in validated bytes. Resets the count of empty elements: the
  /// validation has counted them, and this function may pass over the same value several times.
  void pass_over(std::uint32_t index, stream& in, encoding how) {
    r_.empty_elements = 0;
    static_cast<void>(walk(index, in, how, {}));
  }
  /// Moves `in` to the end of the value, and validates it.
  bool walk(std::uint32_t index, stream& in, encoding how, nesting depth) {
    const packed_part& part = layout_[index];
    if (part.is_zero_size) return true;
    const evolving_node& what = node(index);
    const schema_attributes& attributes = what.attributes;
    const bool is_level =
        is_list_kind(attributes.kind) || is_tagged_kind(attributes.kind) || layout_.is_evolvable(index);
    if (!(is_level ? enter_level(index, in.at, depth) : enter(in.at, depth))) return false;
    if (is_varint(attributes, how)) return varint(what, in);
    if (is_spelled_float(attributes, how)) return spelled_float(attributes, in, how);
    switch (attributes.kind) {
    case schema_kind::string:
    case schema_kind::path: {
      const std::byte* const from = in.at;
      const std::uint64_t width = attributes.kind == schema_kind::path ? 1 : attributes.width;
      std::uint64_t units = 0;
      if (!read_varint(r_, in, units)) return false;
      if (units > in.left() / width)
        return fail(errc::bad_length, from, "a length within the bytes that are left");
      in.at += units * width;
      return true;
    }
    case schema_kind::sequence:
    case schema_kind::document:
    case schema_kind::set:
    case schema_kind::unordered_set:
    case schema_kind::map:
    case schema_kind::unordered_map: return list(what.children[0].node, in, how, depth.level());
    case schema_kind::array:
      if (const unsigned size = unit_bytes(layout_.graph(), what, how); size != 0) {
        std::uint64_t code = 0;
        return read_unit_code(r_, in, static_cast<std::size_t>(attributes.extent), size, code);
      }
      for (std::uint64_t i = 0; i < attributes.extent; ++i) {
        if (!walk(what.children[0].node, in, how, depth.call())) return in_element(i);
      }
      return true;
    case schema_kind::optional:
    case schema_kind::variant:
    case schema_kind::expected: {
      if (in.left() == 0) return fail_truncated(r_, in);
      const selected held = select_alternative(what, std::to_integer<std::size_t>(*in.at));
      if (!held.exists) return fail(errc::bad_variant, in.at, "the tag of an alternative");
      ++in.at;
      return !held.holds || walk(what.children[held.child].node, in, how, depth.level());
    }
    case schema_kind::tuple:
    case schema_kind::record:
      return record(index, in, how, layout_.is_evolvable(index) ? depth.level() : depth);
    default:
      if (in.left() < part.slot) return fail_truncated(r_, in);
      if (!check_scalar(what, in.at, part.slot)) return false;
      in.at += part.slot;
      return true;
    }
  }
  /// Reads the head of a record. Sets `own` to the bytes of the members, and `mask` to the mask of
  /// stored members, or to null if the record has no mask.
  bool record_head(std::uint32_t index, stream& in, stream& own, const std::byte*& mask) {
    const evolving_node& what = node(index);
    own = in;
    mask = nullptr;
    if (layout_.is_evolvable(index)) {
      std::uint64_t size = 0;
      const std::byte* const from = in.at;
      if (!read_varint(r_, in, size)) return false;
      if (size > in.left()) return fail(errc::bad_length, from, "a length within the bytes that are left");
      own = {in.at, in.at + size};
    } else if (what.attributes.has(schema_flag::elides_defaults) &&
               what.attributes.kind == schema_kind::record) {
      const std::size_t n = what.children.size();
      const std::size_t size = (n + 7) / 8;
      if (in.left() < size) return fail_truncated(r_, in);
      if (n % 8 != 0 && (in.at[size - 1] >> (n % 8)) != std::byte{0})
        return fail(errc::bad_padding, in.at + size - 1, "zeros after the last member's bit");
      mask = in.at;
      own.at += size;
    }
    return true;
  }

private:
  bool record(std::uint32_t index, stream& in, encoding how, nesting depth) {
    const evolving_node& what = node(index);
    stream own{};
    const std::byte* mask = nullptr;
    if (!record_head(index, in, own, mask)) return false;
    for (const std::uint32_t k : layout_[index].with_compact_bytes) {
      if (mask != nullptr && (mask[k / 8] >> (k % 8) & std::byte{1}) == std::byte{0}) continue;
      if (!walk(what.children[k].node, own, encoding_of(what, k, how), depth.call()))
        return in_child(what, k);
    }
    if (layout_.is_evolvable(index) && own.at != own.end)
      return fail(errc::bad_length, own.at, "the end of the record as its schema has it");
    in.at = own.at;
    return true;
  }
  bool list(std::uint32_t element, stream& in, encoding how, nesting depth) {
    const std::byte* const from = in.at;
    std::uint64_t count = 0;
    if (!read_varint(r_, in, count)) return false;
    if (layout_[element].is_zero_size) return count_empty(from, count);
    if (count > in.left()) return fail(errc::bad_length, from, "a length within the bytes that are left");
    for (std::uint64_t i = 0; i < count; ++i) {
      if (!walk(element, in, how, depth.call())) return in_element(i);
      if (!should_continue(in.at)) return false;
    }
    return true;
  }
  bool varint(const evolving_node& what, stream& in) {
    const std::byte* const from = in.at;
    std::uint64_t raw = 0;
    if (!read_varint(r_, in, raw)) return false;
    const unsigned bits = what.attributes.width * 8U;
    const bool fits = bits == 64 || raw >> bits == 0; // zigzag keeps the number of bits
    const bool is_signed = what.attributes.has(schema_flag::is_signed);
    const std::uint64_t number = is_signed ? static_cast<std::uint64_t>(unzigzag(raw)) : raw;
    if (!fits) return r_.fail_integer(from, number, what.attributes.width, is_signed);
    return what.attributes.kind != schema_kind::enumeration || check_enumerator(what, from, number);
  }
  bool spelled_float(const schema_attributes& attributes, stream& in, encoding how) {
    std::uint64_t bits = 0;
    return attributes.width == 4 ? read_float_bits<4>(r_, in, how, bits)
                                 : read_float_bits<8>(r_, in, how, bits);
  }

  bytes_view bytes_;
};

}}} // namespace ingot::INGOT_V1::detail
