// SPDX-License-Identifier: Apache-2.0
// The loop that reads a message of any type. A table lists the fields of the message, each with the
// function that reads its value.
#pragma once

#include <ingot/core/detail/light_standard.hpp>
#include <ingot/protobuf/detail/deferred_fields.hpp>
#include <ingot/protobuf/detail/wire.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <string_view>

namespace ingot { inline namespace INGOT_V1 { namespace protobuf::detail {

struct reading : wire_reader {
  using wire_reader::wire_reader;
  std::uint32_t number = 0; ///< number of the field that is being read
  deferred_fields later;
};

/// Stores the value at the cursor as a piece (see `field_piece`). `how` creates the value of `out`
/// when all pieces are known.
template <class T>
[[nodiscard]] bool defer(reading& from, T& out, build_field how, wire type, std::uint32_t& state) {
  const bytes_view rest = from.rest();
  if (!from.skip(from.number, type)) return false;
  const bytes_view value = rest.first(rest.size() - from.left());
  from.later.add(out, how, from.levels(), from.number, {value, type, state == 0});
  state = 1;
  return true;
}
/// Calls `take(piece)` with the cursor at each piece.
template <class Take>
[[nodiscard]] bool each_piece(reading& from, const field_pieces& pieces, Take&& take) {
  const std::size_t levels = from.levels();
  from.set_levels(pieces.levels);
  for (const field_piece& piece : pieces.all) {
    const auto outer = from.enter(piece.bytes);
    from.number = pieces.number;
    from.poll_again();
    if (!take(piece)) return false;
    from.leave(outer);
  }
  from.poll_again();
  from.set_levels(levels);
  return true;
}

/// Reads a value at the cursor into an existing object. Requires that the field may have this wire
/// type. `state` is 0 at the start of a message, and counts the elements of an array.
using take_field = bool (*)(reading& from, void* to, wire type, std::uint32_t& state);

struct field {
  static constexpr std::uint32_t unlimited = std::numeric_limits<std::uint32_t>::max();

  std::uint32_t number = 0;
  std::uint32_t index = 0; ///< index of the value's address in the array `to` of `decode_fields`
  unsigned wires = 0;
  std::uint32_t extent = unlimited; ///< number of elements of an array: a message has all or none
  take_field take = nullptr;
  std::string_view name; ///< name of a member; other parts have an index in errors, or no name
  bool is_part = false;
};

INGOT_COLD inline bool name_field(reading& from, const field& in) noexcept {
  if (!in.name.empty()) from.why()->in_member(in.name);
  else if (in.is_part) from.why()->in_element(in.index);
  return false;
}

/// Reads the unread fields of the innermost message. `fields` are sorted by number. Unknown fields
/// are skipped. A known field with another wire type is an error, because such a field belongs to a
/// message of another type.
[[nodiscard]] inline bool decode_fields(reading& from, std::span<const field> fields, void* const* to,
                                        std::uint32_t* states) {
  const std::uint64_t start = from.offset();
  std::size_t next = 0; // index of the expected field: fields are usually in order
  while (!from.done()) {
    std::uint32_t number = 0;
    wire type{};
    if (!from.tag(number, type)) return false;
    if (next >= fields.size() || fields[next].number != number) {
      const auto at = std::lower_bound(fields.begin(), fields.end(), number,
                                       [](const field& each, std::uint32_t n) { return each.number < n; });
      next = static_cast<std::size_t>(at - fields.begin());
    }
    if (next == fields.size() || fields[next].number != number) {
      if (!from.skip(number, type)) return false;
      continue;
    }
    const field& one = fields[next];
    if ((one.wires & mask_of(type)) == 0) [[unlikely]] {
      from.reject_type(one.wires, type, from.offset());
      return name_field(from, one);
    }
    from.number = number;
    if (!one.take(from, to[one.index], type, states[one.index])) return name_field(from, one);
    if (next + 1 < fields.size() && type != wire::bytes) ++next; // the field of a list may repeat
  }
  for (const field& each : fields) {
    if (each.extent == field::unlimited || states[each.index] == 0 || states[each.index] == each.extent)
      continue;
    from.fail(errc::bad_length, start, "as many elements as the array has, or none");
    return name_field(from, each);
  }
  return true;
}

/// As `decode_fields`, for a message that is the value of a field.
[[nodiscard]] inline bool take_message(reading& from, std::span<const field> fields, void* const* to,
                                       std::uint32_t* states) {
  bytes_view body;
  if (!from.run(body) || !from.deeper()) return false;
  const auto outer = from.enter(body);
  const bool good = decode_fields(from, fields, to, states);
  from.leave(outer);
  from.shallower();
  return good;
}

}}} // namespace ingot::INGOT_V1::protobuf::detail
