// SPDX-License-Identifier: Apache-2.0
// Makes a message of a schema from a value of a document, without the C++ type.
// `pack_document(*to_document(message.root()), by)` returns the bytes of the message again, with
// three exceptions: ill-formed text of 16- or 32-bit characters, which a document stores as U+FFFD;
// records with two members of the same name, which C++ types don't have; and keys that contain sets
// or maps, which are rejected.
//
//   numbers, booleans, text     unchanged, if the type holds them; text as wider characters, too
//   enumerations                by name, or by number
//   durations, times            their counts, or an equivalent: text of ISO 8601, or an object that
//                               represents a time or a decimal fraction of CBOR
//   complex numbers             arrays of two
//   records                     objects, members by name; the schema gives the types of members
//   optionals                   null or the value; an optional of an optional: null or an array of
//                               one
//   sequences, sets, arrays     arrays; of std::byte also bytes; arrays and sequences of one-byte
//                               characters also text
//   maps                        objects, whose keys are the text, number or enumerator of each key;
//                               or arrays of pairs. The entries are sorted
//   tuples                      arrays
//   variants, expecteds         an object of one member, whose key is the alternative's tag, or
//                               "value" or "error"
//   bitsets                     text of 0 and 1, the highest bit first
#pragma once

#include <ingot/core/buffer.hpp>
#include <ingot/core/bytes.hpp>
#include <ingot/core/detail/catch_bad_alloc.hpp>
#include <ingot/core/error.hpp>
#include <ingot/document/document.hpp>
#include <ingot/dynamic/detail/pack_compact.hpp>
#include <ingot/dynamic/detail/pack_packed.hpp>
#include <ingot/dynamic/message.hpp>
#include <ingot/dynamic/value_encoder.hpp>

#include <cstddef>
#include <utility>

namespace ingot { inline namespace INGOT_V1 {

namespace detail::dyn {

template <class Writer>
[[nodiscard]] result<buffer> pack_by(const message_tables& types, const value& from,
                                     const pack_document_options& options) {
  return catch_bad_alloc([&]() -> result<buffer> {
    Writer writer(types, options);
    if (!writer.run({from, {}, false})) {
      if (const auto at = writer.cancelled_at()) return fail(error{errc::cancelled, *at});
      return fail(writer.why());
    }
    auto encoded = writer.take();
    if (!options.progress(encoded.size(), encoded.size()))
      return fail(error{errc::cancelled, encoded.size()});
    return encoded;
  });
}

} // namespace detail::dyn

/// Returns the bytes of a message in the schema's profile. If `from` lacks a member, and the record
/// omits defaults in compact messages, the member is omitted. In other records, such a member is
/// zero, empty, absent, the first alternative of a variant, or the schema's version. Does not check
/// `range`, `max_size`, `utf8` and hooks, which schemas do not store. Errors have no offset. They
/// name the path, with the keys of map entries: `items[14].count`. If a key is neither text nor an
/// integer, the index in the document takes its place: `items[2].value.count`. Errors:
/// `type_mismatch`, `out_of_range`, `missing_member`, `unknown_member`, `unknown_enumerator`,
/// `bad_enum`, `bad_variant`, `too_long`, `bad_length`, `duplicate_key`, `wrong_version`,
/// `invalid_utf8`, `not_canonical` (a NaN in a key), `too_large` (4 GiB or the limit), `too_deep`
/// (128 levels), `invalid_value` (a key with sets or maps in it), `schema_mismatch` (a moved-from
/// schema), `no_memory`; `cancelled`. O(n log n) for n values of the document and of the message,
/// plus the members of each record that is written. Keys are written twice; values of equal keys in
/// unordered multimaps are written up to eight times. Takes memory for the bytes, and for a copy of
/// the largest nested containers.
[[nodiscard]] inline result<buffer> pack_document(const value& from, const dynamic_schema& by,
                                                  const pack_document_options& options = {}) {
  using namespace detail::dyn;
  const message_tables* const types = schema_access::tables_of(by);
  if (types == nullptr)
    return fail(error{errc::schema_mismatch}.with_expected("a schema (this one was moved from)"));
  if (!from.exists()) return fail(error{errc::type_mismatch}.with_expected("a value").with_found("nothing"));
  return by.profile() == message_profile::pack ? pack_by<packed_from_document>(*types, from, options)
                                               : pack_by<compact_from_document>(*types, from, options);
}
[[nodiscard]] inline result<buffer> pack_document(const document& from, const dynamic_schema& by,
                                                  const pack_document_options& options = {}) {
  return pack_document(from.root(), by, options);
}

}} // namespace ingot::INGOT_V1
