// SPDX-License-Identifier: Apache-2.0
// Documents as google.protobuf.Value, Struct and ListValue: include it for members that are
// annotated with `proto_well_known`, `proto_struct` or `proto_list`.
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

namespace ingot::inline INGOT_V1::protobuf::detail {

template <class T>
struct a_document_as_google_protobuf_value_needs_ingot_protobuf_value_hpp {
  /// A message that comes again takes the place of the first.
  [[nodiscard]] static bool take(reading& from, known_message what, T& out) {
    const std::uint64_t where = from.offset();
    bytes_view body;
    if (!from.run(body)) return false;
    document_writer to;
    value_reading reading(from, to, from.levels());
    const bool good = reading.run(what, body);
    if (!good && reading.failed()) return false;
    result<document> made = to.finish();
    if (!made) {
      error why = made.error();
      from.why() = why.with_offset(where);
      return false;
    }
    out = std::move(*made);
    return true;
  }
  [[nodiscard]] static bool put(wire_writer& to, known_message what, std::uint32_t number, const T& value,
                                bool always) {
    const auto archive = adapt<T>::to(value);
    return put_known_document(to, what, number, archive, always);
  }
};

} // namespace ingot::inline INGOT_V1::protobuf::detail
