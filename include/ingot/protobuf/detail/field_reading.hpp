// SPDX-License-Identifier: Apache-2.0
// Collects the fields of a message, for readers that look up each field by its number.
#pragma once

#include <ingot/core/bytes.hpp>
#include <ingot/core/error.hpp>
#include <ingot/document/detail/core.hpp>
#include <ingot/protobuf/detail/wire.hpp>
#include <ingot/reflect/detail/element_cost.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace ingot { inline namespace INGOT_V1 { namespace protobuf::detail {

class field_reading {
public:
  field_reading(bytes_view whole, std::size_t levels, ingot::detail::doc::memory_allowance& memory) noexcept
      : in_(whole, options{.max_depth = static_cast<std::uint32_t>(levels)}), levels_(levels),
        memory_(memory) {}

  [[nodiscard]] ingot::detail::pending_error& why() noexcept { return in_.why(); }

protected:
  /// One field in a message.
  struct occurrence {
    std::uint64_t bits;   ///< value of a scalar
    std::uint64_t offset; ///< start of the value
    bytes_view bytes;     ///< value of a field that is no scalar
    wire type;
    std::uint32_t number;
    std::uint64_t piece; ///< number of the message piece that contains the field
  };
  using occurrences = std::vector<occurrence>;
  bool fail(errc code, std::uint64_t offset, std::string_view expected) noexcept {
    failed_ = true;
    return in_.fail(code, offset, expected);
  }
  /// Collects the fields of a message, in order. The message has several pieces if the field that
  /// contains the message occurs several times.
  [[nodiscard]] bool parse(const occurrences& pieces, std::size_t depth, occurrences& out) {
    failed_ = true; // if this function fails, the error is in the reader
    if (depth > levels_)
      return fail(errc::too_deep, pieces.empty() ? 0 : pieces.front().offset,
                  "messages nested no deeper than options::max_depth");
    in_.set_levels(levels_ - depth);
    for (const occurrence& piece : pieces) {
      ++pieces_;
      const auto outer = in_.enter(piece.bytes);
      while (!in_.done()) {
        occurrence found{};
        if (!in_.tag(found.number, found.type)) return false;
        found.offset = in_.offset();
        found.piece = pieces_;
        if (!value(found)) return false;
        if (counted_fields_ == 0) [[unlikely]] {
          if (!memory_.take(fields_at_a_time * sizeof found))
            return fail(errc::too_much_memory, found.offset, ingot::detail::within_memory);
          counted_fields_ = fields_at_a_time;
        }
        --counted_fields_;
        out.push_back(found);
      }
      in_.leave(outer);
    }
    failed_ = false;
    return true;
  }
  [[nodiscard]] bool value(occurrence& found) {
    switch (found.type) {
    case wire::varint: return in_.varint(found.bits);
    case wire::fixed64: return in_.fixed(found.bits);
    case wire::fixed32: {
      std::uint32_t bits = 0;
      if (!in_.fixed(bits)) return false;
      found.bits = bits;
      return true;
    }
    case wire::bytes: return in_.run(found.bytes);
    default: return in_.skip(found.number, found.type); // groups; a known field is never a group
    }
  }
  /// Adds an occurrence to `out`. Error: `type_mismatch` for a wire type that is not in `wires`.
  [[nodiscard]] bool pick_one(const occurrence& each, unsigned wires, occurrences& out) {
    if ((wires & mask_of(each.type)) == 0) [[unlikely]] {
      failed_ = true;
      return in_.reject_type(wires, each.type, each.offset);
    }
    out.push_back(each);
    return true;
  }
  [[nodiscard]] bool pick(const occurrences& from, std::uint32_t number, unsigned wires, occurrences& out) {
    for (const occurrence& each : from) {
      if (each.number == number && !pick_one(each, wires, out)) return false;
    }
    return true;
  }
  /// As `pick`, but requires that the fields are sorted by number.
  [[nodiscard]] bool find(const occurrences& from, std::uint32_t number, unsigned wires, occurrences& out) {
    auto at = std::lower_bound(from.begin(), from.end(), number,
                               [](const occurrence& each, std::uint32_t n) { return each.number < n; });
    for (; at != from.end() && at->number == number; ++at) {
      if (!pick_one(*at, wires, out)) return false;
    }
    return true;
  }
  /// Sorts by number. Fields with equal numbers keep their order: they are also sorted by their
  /// offsets.
  static void sort(occurrences& fields) {
    std::sort(fields.begin(), fields.end(), [](const occurrence& a, const occurrence& b) {
      return a.number != b.number ? a.number < b.number : a.offset < b.offset;
    });
  }

  /// Takes the occurrences of an array's field in all pieces of a message (see `parse`). Returns
  /// only the occurrences in the last piece that has the field: an array has a fixed size, so a
  /// later piece replaces its elements, and does not append to them. Ignores empty packed fields.
  [[nodiscard]] static occurrences of_last_piece(occurrences all) {
    std::erase_if(all, [](const occurrence& each) { return each.type == wire::bytes && each.bytes.empty(); });
    auto first = all.begin();
    if (!all.empty()) {
      const std::uint64_t last = all.back().piece;
      first =
          std::find_if(all.begin(), all.end(), [&](const occurrence& each) { return each.piece == last; });
    }
    all.erase(all.begin(), first);
    return all;
  }
  /// As `of_last_piece`, for messages and texts. Empty messages and texts are also elements.
  [[nodiscard]] static occurrences of_last_messages(const occurrences& all) {
    return {std::find_if(all.begin(), all.end(),
                         [&](const occurrence& each) { return each.piece == all.back().piece; }),
            all.end()};
  }

  /// Memory is counted for this number of fields at a time.
  static constexpr std::uint32_t fields_at_a_time = 32;

  wire_reader in_;
  std::size_t levels_;
  ingot::detail::doc::memory_allowance& memory_; ///< limit for the memory of the collected fields
  std::uint32_t counted_fields_ = fields_at_a_time;
  std::uint64_t pieces_ = 0;
  bool failed_ = false; ///< true if the error is in the reader, false if it is in the events
};

}}} // namespace ingot::INGOT_V1::protobuf::detail
