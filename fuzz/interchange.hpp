// SPDX-License-Identifier: Apache-2.0
// The body of the targets `msgpack` and `cbor`. The first byte chooses the options of reading; the
// rest is read as a document. The document is written, and the result must read as an equal
// document. Then the document is written with sorted members, read and written again. Both times,
// the written bytes must be equal.
#pragma once

#include <ingot/document/document.hpp>
#include <ingot/document/interchange.hpp>

#include "fuzz.hpp"
#include "limits.hpp"

#include <cstdint>
#include <string>
#include <string_view>

namespace fuzz {

/// Writes a document in the other of the two formats. Returns a contradiction if a reader rejects
/// the result; otherwise empty text.
template <class WriteOptions, class Write, class Read>
std::string to_other(const ingot::document& doc, const Write& write, const Read& read) {
  for (const auto foreign : {ingot::foreign_values::reject, ingot::foreign_values::lossy}) {
    WriteOptions how;
    how.unsupported_values = ingot::unsupported_values::wrap;
    how.foreign = foreign;
    const auto written = write(doc, how);
    if (written && !read(*written)) return "what was written in the other format can't be read";
  }
  return {};
}

template <class ReadOptions, class WriteOptions, class Read, class Write>
std::string there_and_back(ingot::bytes_view input, ReadOptions options, const Read& read, const Write& write,
                           ReadOptions options_back) {
  const auto first = read(input, options);
  auto limited = options;
  auto said = read_with_limit(
      64 * std::uint64_t{input.size()},
      [&](std::uint64_t limit) {
        limited.max_memory = limit;
        return read(input, limited);
      },
      [](const ingot::document& a, const ingot::document& b) { return a == b; });
  if (!said.empty()) return said;
  if (!first) return first.error().offset() <= input.size() ? "" : "an error is after the bytes";
  WriteOptions how;
  how.unsupported_values = options.unsupported_values;
  if (options.non_text_keys == ingot::non_text_keys::as_text &&
      options.whole_reals == ingot::whole_reals::integers)
    how.integer_keys = ingot::integer_keys::integers;
  how.max_depth = options.max_depth;
  const auto written = write(*first, how);
  if (!written) return "what was read can't be written: " + written.error().message();
  const auto second = read(*written, options);
  if (!second) return "what was written can't be read: " + second.error().message();
  if (!(*second == *first)) return "another document came back";
  how.order = ingot::member_order::sorted;
  const auto sorted = write(*second, how);
  if (!sorted) return "what was written can't be written sorted";
  const auto third = read(*sorted, options_back);
  if (!third) return "what was written sorted can't be read: " + third.error().message();
  const auto again = write(*third, how);
  return again && *again == *sorted ? "" : "equal documents are different bytes";
}

} // namespace fuzz
