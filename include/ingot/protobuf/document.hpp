// SPDX-License-Identifier: Apache-2.0
// Reads protobuf messages as documents, and writes documents as protobuf messages. This needs a
// schema, but no C++ type. The message type is the one that `to_proto` prints for the schema. A C++
// type may have annotations for protobuf. The schemas of packed and compact files contain these
// annotations. Layouts of live blocks do not contain them, so the schema of a layout is rejected if
// the C++ type has annotations for protobuf.
#pragma once

#include <ingot/core/buffer.hpp>
#include <ingot/core/bytes.hpp>
#include <ingot/core/detail/catch_bad_alloc.hpp>
#include <ingot/core/error.hpp>
#include <ingot/document/document.hpp>
#include <ingot/document/writer.hpp>
#include <ingot/dynamic/message.hpp>
#include <ingot/dynamic/pack.hpp>
#include <ingot/protobuf/detail/schema_read.hpp>
#include <ingot/protobuf/detail/schema_write.hpp>
#include <ingot/protobuf/options.hpp>
#include <ingot/schema/schema.hpp>

#include <cstddef>
#include <utility>

namespace ingot { inline namespace INGOT_V1 { namespace protobuf {

namespace detail {
/// Returns the error for a schema that does not specify the encodings of its members.
[[nodiscard]] inline error lacks_annotations() {
  return error{errc::unsupported}.with_expected(
      "a schema with the type's annotations for protobuf, which layouts of live blocks don't have");
}
} // namespace detail

/// Reads a message into a document of the form that `pack_document` takes. Members that are missing
/// from the message are omitted; packing the document sets them to zero. Maps become arrays of
/// pairs, and enumerations become numbers. A member that is itself a document becomes the value of
/// that document. Repeated and unknown fields are treated as by `read`, with one exception: a value
/// that a later value replaces is not checked. `pack_document` checks the other requirements of the
/// schema.
///
/// Errors have offset and path: truncated, bad_length, bad_variant, type_mismatch, out_of_range,
/// invalid_utf8, too_long, bad_padding, too_deep, too_much_memory, those of `unarchive`, too_large
/// (2 GiB; or the document needs more than a million values that the message omits, such as
/// elements of an array in a tuple), schema_mismatch (an empty schema), unsupported (a schema that
/// `lacks_protobuf`), no_space, no_memory, cancelled. `options::progress` is called with the size
/// of the document, as by `document_writer`.
/// O(n log n + messages x members of their types + fields of variants x alternatives): each
/// message, even an empty one, looks up every member of its type, and each field of a variant is
/// compared with the alternatives. Nested messages take no machine stack, but about 50 bytes of
/// memory for each field of the open messages. `max_memory` limits the sum of the document's memory
/// and the memory for reading. The memory for reading counts as 50 bytes for each field of the
/// message.
[[nodiscard]] inline result<document> read_document(bytes_view bytes, const schema& by,
                                                    max_block_size max_size, const options& how = {}) {
  if (by.empty()) return fail(error{errc::schema_mismatch}.with_expected("a schema that is not empty"));
  if (by.lacks_protobuf()) return fail(detail::lacks_annotations());
  if (bytes.size() > detail::max_bytes)
    return fail(error{errc::too_large}.with_expected("a message of less than 2 GiB"));
  return ingot::detail::catch_bad_alloc([&]() -> result<document> {
    document_writer_options options;
    options.max_size = max_size;
    options.progress = how.progress;
    document_writer to(options);
    detail::schema_reading reading(bytes, by, to, how.max_depth);
    bool is_read = false;
    {
      const ingot::detail::doc::memory_bound bound(to,
                                                   ingot::detail::memory_limit(how.max_memory, bytes.size()));
      is_read = reading.run();
    }
    if (!is_read) {
      if (auto stopped = to.finish(); !stopped && stopped.error().code() == errc::cancelled) return stopped;
      return reading.why().failure();
    }
    return to.finish();
  });
}
/// As the overload with `max_size`, for a document that can grow to the default maximum size.
[[nodiscard]] inline result<document> read_document(bytes_view bytes, const schema& by,
                                                    const options& how = {}) {
  return read_document(bytes, by, document::default_max_block_size, how);
}

/// Converts a packed message with this schema to a protobuf message. Returns the bytes that `write`
/// returns for the value of the C++ type. Errors include the path: schema_mismatch (the message has
/// another schema, or the compact profile), unsupported (a schema that `lacks_protobuf`),
/// invalid_utf8, out_of_range and type_mismatch as in `write`, those of `unarchive`, too_large (2
/// GiB), too_deep, no_memory, cancelled. O(bytes), times the nesting depth of messages.
[[nodiscard]] inline result<buffer> write_message(const dynamic_message& from, const schema& by,
                                                  const options& how = {}) {
  if (by.empty() || from.schema().schema_id() != by.id() || from.schema().profile() != message_profile::pack)
    return fail(error{errc::schema_mismatch}.with_expected("a packed message and its schema"));
  if (by.lacks_protobuf()) return fail(detail::lacks_annotations());
  return ingot::detail::catch_bad_alloc([&]() -> result<buffer> {
    detail::schema_writing writing(by, how);
    if (!writing.run(from.root())) return writing.to().failure();
    if (auto finished = writing.to().finish(); !finished) return fail(finished.error());
    return writing.to().out().take();
  });
}

/// Options of `write_document`: a document is packed, and the packed message is written.
struct write_document_options {
  /// Options of the protobuf message.
  options message{};
  /// Options for packing the document.
  pack_document_options packing{};
};

/// Writes a document by a schema. Packs the document first. Errors: as `write_message`, and those
/// of `pack_document`.
[[nodiscard]] inline result<buffer> write_document(const value& from, const schema& by,
                                                   const write_document_options& how = {}) {
  if (by.lacks_protobuf()) return fail(detail::lacks_annotations());
  const auto ready = dynamic_schema::from(by);
  if (!ready) return fail(ready.error());
  const auto packed = pack_document(from, *ready, how.packing);
  if (!packed) return fail(packed.error());
  const auto message = dynamic_message::open_in_place(*packed, *ready);
  if (!message) return fail(message.error());
  return write_message(*message, by, how.message);
}

}}} // namespace ingot::INGOT_V1::protobuf
