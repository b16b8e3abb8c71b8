// SPDX-License-Identifier: Apache-2.0
// Documents as google.protobuf.Value, Struct and ListValue. Include this header for members with
// the annotation `proto_well_known`, `proto_struct` or `proto_list`.
#pragma once

#include <ingot/core/bytes.hpp>
#include <ingot/core/error.hpp>
#include <ingot/document/archive.hpp>
#include <ingot/document/writer.hpp>
#include <ingot/protobuf/detail/known_values.hpp>
#include <ingot/protobuf/detail/value_read.hpp>
#include <ingot/protobuf/detail/value_write.hpp>

#include <cstdint>
#include <utility>
#include <vector>

namespace ingot { inline namespace INGOT_V1 { namespace protobuf::detail {

template <class T>
struct a_document_as_google_protobuf_value_needs_ingot_protobuf_value_hpp {
  /// A document cannot be extended. So the pieces of a document are merged when all pieces are
  /// known.
  template <known_message What>
  [[nodiscard]] static bool take(reading& from, T& out, wire type, std::uint32_t& state) {
    return defer(from, out, &build<What>, type, state);
  }
  template <known_message What>
  [[nodiscard]] static bool build(reading& from, void* object, const field_pieces& pieces) {
    T& out = *static_cast<T*>(object);
    const std::uint64_t where = from.offset_of(pieces.all.front().bytes);
    std::vector<bytes_view> bodies;
    if (!each_piece(from, pieces, [&](const field_piece&) { return from.run(bodies.emplace_back()); }))
      return false;
    document_writer to;
    value_reading reading(from, to, pieces.levels);
    const auto outer = from.enter(bodies.front());
    from.poll_again(); // the bytes were only skipped before
    from.leave(outer);
    const bool good = reading.run(What, bodies);
    from.poll_again();
    if (!good && reading.failed()) return false;
    result<document> built = to.finish();
    if (!built) {
      error err = built.error();
      from.why() = err.with_offset(where);
      return false;
    }
    out = std::move(*built);
    return true;
  }
  [[nodiscard]] static bool put(wire_writer& to, known_message what, std::uint32_t number, const T& value,
                                bool always) {
    const auto archive = adapt<T>::to(value);
    return put_known_document(to, what, number, archive, always);
  }
};

}}} // namespace ingot::INGOT_V1::protobuf::detail
