// SPDX-License-Identifier: Apache-2.0
// Values of a block that is read without its type become values of a document: `doc["player"] =
// block["player"]`.
//
//   numbers, booleans, text     as they are; text of wider characters as UTF-8, enumerators by name, durations and times
//                               as their counts
//   records, maps by text       objects; members that are optionals or boxes without a value are left out
//   other maps, pairs           arrays of pairs, and arrays of two
//   sequences, sets, pools      arrays; vectors of std::byte bytes
//   variants                    an object of one member, whose key is the tag of the alternative, as in JSON
//   bitsets, complex            text of 0 and 1, and arrays of two
#pragma once

#include <ingot/core/progress.hpp>
#include <ingot/document/document.hpp>
#include <ingot/document/writer.hpp>
#include <ingot/dynamic/detail/tell.hpp>

#include <cstddef>
#include <cstdint>

namespace ingot { inline namespace INGOT_V1 {

namespace detail::doc {

/// What `build` makes of types, made of types at run time. Every value takes a byte of the document at least.
template <>
inline bool build<dynamic_value>(core& in, const dynamic_value& from, built& to, unsigned depth) {
  inner_events events(in, key_policy::error);
  dyn::teller teller(events, deepest_build - depth, in.limit());
  switch (teller.tell(from)) {
  case dyn::tell_outcome::told: break;
  case dyn::tell_outcome::too_deep:
    return to.refuse(in, error{errc::too_deep}.with_expected("no more than 128 levels"));
  default: return to.fail(outcome::no_space);
  }
  const outcome o = events.take(in, to.value, to.bytes.data());
  return o == outcome::done || to.fail(o);
}

} // namespace detail::doc

/// How documents are made: like `document`, or so that their text is what `json::write` of the type writes,
/// except for the order of what has no order. Then maps whose keys are
/// integers, enumerators or wider text are objects, arrays of one-byte characters are text, and lists of
/// std::byte are arrays of numbers. Where two keys would become the same, it is made like `document`.
using detail::dyn::told_as;

/// Returns a document of the value with everything in it. O(n log n) for n values, with some 100 bytes of
/// memory for each value of a container that is not complete, of which there are never more than bytes below
/// the ceiling. Errors, which are all that can go wrong: `no_space` where the document has no room,
/// `no_memory` or `no_space` where there is no memory, `too_deep` for more than 128 levels. `progress` is
/// told as `document_writer_options` says, and may cause `cancelled`. `set`, `append` and assignment of
/// documents also take such a value; they return `no_space` instead of `no_memory`.
[[nodiscard]] inline result<document> to_document(const dynamic_value& from,
                                                  ceiling most = document::default_ceiling,
                                                  progress_ref progress = {},
                                                  told_as form = told_as::document) {
  using detail::dyn::tell_outcome;
  document_writer_options options;
  options.most = most;
  options.progress = progress;
  document_writer to(options);
  detail::dyn::teller teller(to, detail::doc::deepest_build, most.bytes, form);
  switch (teller.tell(from)) {
  case tell_outcome::told: {
    auto made = to.finish();
    // Two keys of one spelling, as of text that is none, or of a name that is a number.
    if (!made && form == told_as::json && made.error().code() == errc::duplicate_key)
      return to_document(from, most, progress);
    return made;
  }
  case tell_outcome::too_deep: return fail(error{errc::too_deep}.with_expected("at most 128 levels"));
  case tell_outcome::too_many: return fail(error{errc::no_space}.with_expected("room in the document"));
  case tell_outcome::no_memory: break;
  }
  return fail(error{errc::no_memory}.with_expected("memory for unfinished containers"));
}

}} // namespace ingot::INGOT_V1
