// SPDX-License-Identifier: Apache-2.0
// Converts values of a block or message that is read without its type to values of a document:
// `doc["player"] = block["player"]`.
//
//   numbers, booleans, text     unchanged; wider text as UTF-8, enumerators by name, combinations
//                               of flags by number, durations and times as their counts
//   records                     objects, without members that are empty optionals or boxes
//   maps whose keys are text    objects; arrays of pairs if the text is wider
//   other maps                  arrays of pairs
//   pairs                       arrays of two elements
//   sequences, sets, pools      arrays; vectors of std::byte are bytes
//   variants                    objects of one member: the key is the alternative's tag, as in JSON
//   bitsets                     text of 0 and 1
//   complex numbers             arrays of two numbers
#pragma once

#include <ingot/core/progress.hpp>
#include <ingot/document/document.hpp>
#include <ingot/document/writer.hpp>
#include <ingot/dynamic/detail/value_emitter.hpp>

#include <cstddef>
#include <cstdint>

namespace ingot { inline namespace INGOT_V1 {

namespace detail::doc {

/// Implements `build` for values whose type is known at run time. Each value takes at least one
/// byte of the document, so `in.limit()` also limits the number of values.
template <>
inline bool build<dynamic_value>(core& in, const dynamic_value& from, built& to, unsigned depth) {
  inner_events events(in, key_policy::error);
  dyn::value_emitter value_emitter(events, deepest_build - depth, in.limit());
  switch (value_emitter.tell(from)) {
  case dyn::emit_status::emitted: break;
  case dyn::emit_status::too_deep:
    return to.reject(in, error{errc::too_deep}.with_expected("no more than 128 levels"));
  default: return to.fail(outcome::no_space);
  }
  const outcome o = events.take(in, to.value, to.bytes.data());
  return o == outcome::done || to.fail(o);
}

} // namespace detail::doc

/// Form of a document. `document` is the form in the table at the beginning of this header. `json`
/// is for documents that are written as JSON: their text is then the text that `json::write` writes
/// for the C++ type, except for the order of members and of unordered containers. In this form:
///
/// - Maps with keys that are integers, enumerators or wider text are objects.
/// - Arrays of one-byte characters are text, and lists of std::byte are arrays of numbers.
/// - The tag of a variant with a `json::tag_key` is a member of the alternative's object.
/// - The version of a record is the member `$version`, unless the record has a member for it.
///
/// `json_name_lists` is as `json`, but combinations of flags are arrays of names, as with
/// `enum_style::name_lists`. If `json` or `json_name_lists` would give two equal keys to one
/// object, the form `document` is used.
using detail::dyn::value_format;

/// Options of `to_document`.
struct to_document_options {
  /// Maximum size of the document.
  max_block_size max_size = document::default_max_block_size;
  /// Form of the document.
  value_format form = value_format::document;
  /// Progress of the writing; see `document_writer_options`. If the callback returns false, the
  /// error is `cancelled`.
  progress_ref progress{};
};

/// Returns a document with the value and everything in it. O(n log n) for n values. Takes about 100
/// bytes of memory for each container that is not complete; their number is less than the number of
/// bytes in `max_size`. Errors (no others): `no_space` if the document is full, `no_memory` or
/// `no_space` if there is no memory, `too_deep` for more than 128 levels, `cancelled`. `set`,
/// `append` and assignment of documents also accept a `dynamic_value`; they return `no_space`
/// instead of `no_memory`.
[[nodiscard]] inline result<document> to_document(const dynamic_value& from,
                                                  const to_document_options& options = {}) {
  using detail::dyn::emit_status;
  const value_format form = options.form;
  document_writer to({.max_size = options.max_size, .progress = options.progress});
  detail::dyn::value_emitter value_emitter(to, detail::doc::deepest_build, options.max_size.bytes, form);
  switch (value_emitter.tell(from)) {
  case emit_status::emitted: {
    auto finished = to.finish();
    // Two keys may become equal: ill-formed texts are changed, and the name of an enumerator may be
    // a number.
    if (!finished && form != value_format::document && finished.error().code() == errc::duplicate_key)
      return to_document(from, {.max_size = options.max_size, .progress = options.progress});
    return finished;
  }
  case emit_status::too_deep: return fail(error{errc::too_deep}.with_expected("at most 128 levels"));
  case emit_status::too_many: return fail(error{errc::no_space}.with_expected("free space in the document"));
  case emit_status::no_memory: break;
  }
  return fail(error{errc::no_memory}.with_expected("memory for unfinished containers"));
}

}} // namespace ingot::INGOT_V1
