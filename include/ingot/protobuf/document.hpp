// SPDX-License-Identifier: Apache-2.0
// Protobuf's bytes without a type: by a schema, as documents. The message is the one that `to_proto` prints of the schema; a schema that was read
// from a file doesn't say `field_number`, so that its members are numbered by their places.
#pragma once

#include <ingot/core/bytes.hpp>
#include <ingot/core/detail/guard_memory.hpp>
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
#include <vector>

namespace ingot::inline v1::protobuf {

/// A document of a message, as `pack_document` takes it: members that the message lacks are left out, and are zero when it is packed; maps are arrays of
/// pairs, enumerations numbers, values of any kind what they are. What `read` says of fields that come twice and of unknown ones holds here, too, but that a
/// value of which another one takes the place is not looked at. Errors carry offset and path: truncated,
/// bad_length, bad_variant, out_of_range, invalid_utf8, too_long, bad_padding, too_deep, what `unarchive` says, unsupported (groups), too_large (2 GiB; more than a million zeros of arrays in
/// tuples), other_type (an empty schema), no_space, no_memory. What else schemas say, `pack_document` checks. O(n log n + messages x members of their types + fields of alternatives x alternatives),
/// as each message is asked for each member of its type, also one without a byte; takes no machine stack by the depth of
/// messages, and memory for the fields of the messages that it is in, some 50 bytes each.
[[nodiscard]] inline result<document> read_document(bytes_view bytes, const schema& by,
                                                    const options& how = {},
                                                    ceiling most = document::default_ceiling) {
  if (by.empty()) return fail(error{errc::other_type}.with_expected("a schema that is not empty"));
  if (bytes.size() > detail::most_bytes)
    return fail(error{errc::too_large}.with_expected("a message of less than 2 GiB"));
  return ingot::detail::guard_memory([&]() -> result<document> {
    document_writer_options options;
    options.most = most;
    document_writer to(options);
    detail::schema_reading reading(bytes, by, to, how.max_depth);
    if (!reading.run()) return reading.why().failure();
    return to.finish();
  });
}

/// The bytes of a message of a packed message, whose schema it is: those that `write` gives of the type. Errors name the path: other_type (another schema
/// than the message's, or the compact profile), invalid_utf8, what `unarchive` says, too_large (2 GiB), too_deep, no_memory. O(bytes), times the depth of messages in each other.
[[nodiscard]] inline result<std::vector<std::byte>> write_message(const dynamic_message& from,
                                                                  const schema& by, const options& how = {}) {
  if (by.empty() || from.schema().schema_id() != by.id() || from.schema().profile() != message_profile::pack)
    return fail(error{errc::other_type}.with_expected("a packed message and its schema"));
  return ingot::detail::guard_memory([&]() -> result<std::vector<std::byte>> {
    detail::schema_writing writing(by, how.max_depth);
    if (!writing.run(from.root())) return writing.to().why().failure();
    return std::move(writing.to().out());
  });
}

/// The same of a document, which becomes a packed message on the way. Also errors of `pack_document`.
[[nodiscard]] inline result<std::vector<std::byte>>
write_document(const value& from, const schema& by, const options& how = {},
               const pack_document_options& packing = {}) {
  const auto ready = dynamic_schema::from(by);
  if (!ready) return fail(ready.error());
  const auto packed = pack_document(from, *ready, packing);
  if (!packed) return fail(packed.error());
  const auto message = dynamic_message::open_in_place(*packed, *ready);
  if (!message) return fail(message.error());
  return write_message(*message, by, how);
}

} // namespace ingot::inline v1::protobuf
