// SPDX-License-Identifier: Apache-2.0
// Repairs a copy of a damaged live block. The validation of the library finds the first damaged
// object; this object becomes zero or empty, and the block is validated again. If an object is
// still invalid, the object that contains it is replaced.
#include <ingot/core/detail/widen_float.hpp>
#include <ingot/dynamic/detail/failed_objects.hpp>

#include "damages.hpp"

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <vector>

namespace tool {

namespace {

namespace dyn = ingot::detail::dyn;
using ingot::errc;
using ingot::error;

class block_mender {
public:
  block_mender(std::span<std::byte> bytes, const ingot::dynamic_layout& layout)
      : bytes_(bytes), layout_(layout), in_(dyn::layout_access::tables_of(layout)),
        memory_{bytes.data(), bytes.size(), &in_} {}

  /// Writes the header that a block of this length has. Returns false if the bytes are too short.
  [[nodiscard]] bool mend_header(damages& found) {
    using ingot::detail::block_header;
    if (bytes_.size() < ingot::detail::root_position + dyn::align_up(in_.types[0].size, 8) ||
        bytes_.size() % 8 != 0)
      return false;
    block_header header;
    std::memcpy(&header, bytes_.data(), sizeof header);
    block_header expected;
    expected.flags = static_cast<std::uint8_t>((header.flags & block_header::attached) |
                                               (ingot::detail::little_endian ? 0 : block_header::big_endian) |
                                               (layout_.is_wide() ? block_header::wide_offsets : 0));
    expected.layout_id = layout_.layout_id();
    expected.schema_id = layout_.schema_id();
    expected.used = bytes_.size();
    const std::size_t prefix = ingot::detail::sentinel_position - 2 * std::size_t{in_.offset};
    std::memcpy(reinterpret_cast<std::byte*>(&expected) + prefix + in_.offset, &prefix, in_.offset);
    if (std::memcmp(&header, &expected, sizeof header) == 0) return true;
    const auto opened = ingot::dynamic_block::open_in_place(bytes_, layout_);
    if (opened) return true;
    found.note(opened.error(), "taken as the header of a block of this type and length");
    std::memcpy(bytes_.data(), &expected, sizeof expected);
    return true;
  }
  /// Replaces the innermost damaged object that was not replaced before. Returns false if there is
  /// no such object.
  [[nodiscard]] bool replace_failed() {
    for (const dyn::block_object& each : dyn::failed_objects::of(memory_)) {
      if (std::ranges::find(replaced_, each) != replaced_.end()) continue;
      replaced_.push_back(each);
      if (clear(each)) return true;
    }
    return false;
  }
  void clear_root() { static_cast<void>(clear({0, ingot::detail::root_position, nullptr})); }

private:
  [[nodiscard]] bool clear(const dyn::block_object& object) {
    const dyn::type& of = in_.types[object.type];
    const std::uint64_t size = bytes_.size();
    if (object.position < ingot::detail::root_position || object.position > size ||
        of.size > size - object.position)
      return false;
    std::memset(at(object.position), 0, static_cast<std::size_t>(of.size));
    fill(of, object.position);
    if (object.member != nullptr) keep_range(*object.member, of, object.position);
    return true;
  }
  [[nodiscard]] std::byte* at(std::uint64_t position) const noexcept {
    return bytes_.data() + static_cast<std::size_t>(position);
  }
  /// Stores the low bytes of a number in the byte order of the machine, which is that of the block.
  void store(std::uint64_t position, std::uint64_t number, std::uint64_t size) const noexcept {
    for (std::uint64_t i = 0; i < size; ++i) {
      const std::uint64_t byte = ingot::detail::little_endian ? i : size - 1 - i;
      *at(position + i) = static_cast<std::byte>(number >> 8 * byte);
    }
  }
  void point_at_nothing(std::uint64_t anchor) const noexcept {
    store(anchor, ingot::detail::sentinel_position - anchor, in_.offset);
  }
  /// Gives an object whose bytes are zero its default value. Recurses to the nesting depth of
  /// objects, at most 64.
  void fill(const dyn::type& of, std::uint64_t position) {
    using enum ingot::dynamic_kind;
    switch (of.kind) {
    case boolean:
    case integer:
    case floating:
    case character:
    case byte:
    case complex:
    case bitset:
    case duration:
    case time_point: return;
    case enumeration:
      if (!in_.is_value(of, 0) && of.parts != 0) store(position, in_.enumerators_of(of)[0].value, of.size);
      return;
    case array: {
      const dyn::type& element = in_.part_type(of, 0);
      if (element.plain) return;
      for (std::uint64_t i = 0; i < of.extent; ++i) fill(element, position + i * element.size);
      return;
    }
    case pair:
    case record:
    case ref:
      for (const dyn::part& each : in_.parts_of(of)) {
        const dyn::type& type = in_.types[each.type];
        fill(type, position + each.offset);
        keep_range(each, type, position + each.offset);
      }
      return;
    case optional: return leave_empty(of, position);
    case variant: {
      const dyn::variant_shape shape = dyn::variant_of(in_, of);
      if (of.holds_offsets) point_at_nothing(position);
      return fill(in_.part_type(of, 0), position + shape.head);
    }
    case text: {
      const std::uint64_t inline_capacity = (3 * std::uint64_t{in_.offset} - 1) / in_.part_type(of, 0).size;
      point_at_nothing(position);
      return store(position + 4 * std::uint64_t{in_.offset} - 1, inline_capacity, 1);
    }
    default: point_at_nothing(position);
    }
  }
  void leave_empty(const dyn::type& of, std::uint64_t position) {
    if (!of.has(dyn::has_model)) return;
    const dyn::model& vacant = in_.models[of.model];
    std::memcpy(at(position), vacant.bytes, static_cast<std::size_t>(in_.part_type(of, 0).size));
    for (std::uint32_t i = 0; i < vacant.count; ++i)
      point_at_nothing(position + in_.anchors[vacant.first + i]);
  }
  /// Replaces a zero that is outside of the member's range by the bound that is nearer to zero.
  void keep_range(const dyn::part& each, const dyn::type& of, std::uint64_t position) {
    if ((each.limits & dyn::has_range) == 0) return;
    const dyn::limit& set = in_.limits[each.limit];
    ingot::detail::limit_failure unused;
    if (dyn::in_range(memory_, of, position, set, unused)) return;
    const ingot::bound& nearest = set.low.above(0) ? set.low : set.high;
    using enum ingot::bound::kind;
    if (of.kind == ingot::dynamic_kind::floating) {
      const double number = nearest.which == real       ? nearest.real
                            : nearest.which == negative ? static_cast<double>(nearest.negative)
                                                        : static_cast<double>(nearest.natural);
      if (of.size == 4) store(position, ingot::detail::narrow_float(std::bit_cast<std::uint64_t>(number)), 4);
      else store(position, std::bit_cast<std::uint64_t>(number), 8);
    } else if (of.raw != 0 && nearest.which != real) {
      store(position,
            nearest.which == negative ? static_cast<std::uint64_t>(nearest.negative) : nearest.natural,
            of.size);
    }
  }

  std::span<std::byte> bytes_;
  const ingot::dynamic_layout& layout_;
  const dyn::tables& in_;
  dyn::memory memory_;
  std::vector<dyn::block_object> replaced_;
};

} // namespace

bool mend_block(std::span<std::byte> bytes, const ingot::dynamic_layout& layout, damages& found) {
  block_mender mender(bytes, layout);
  if (!mender.mend_header(found)) return false;
  // Each pass reads the whole block.
  constexpr std::uint64_t max_bytes_read = std::uint64_t{1} << 29;
  const std::uint64_t passes = std::clamp<std::uint64_t>(max_bytes_read / bytes.size(), 8, 1000);
  for (std::uint64_t i = 0; i < passes; ++i) {
    const auto opened = ingot::dynamic_block::open_in_place(bytes, layout);
    if (opened) return true;
    found.note(opened.error(), "shown as zero or empty");
    if (!mender.replace_failed()) return false;
  }
  mender.clear_root();
  const auto opened = ingot::dynamic_block::open_in_place(bytes, layout);
  if (!opened) return false;
  found.note(error{errc::bad_length, ingot::detail::root_position}.with_expected("fewer damaged objects"),
             "the value is lost");
  return true;
}

} // namespace tool
