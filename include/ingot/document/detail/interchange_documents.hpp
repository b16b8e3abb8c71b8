// SPDX-License-Identifier: Apache-2.0
// Implements `read_document` and the related functions, which convert bytes to a document, to a
// value in a document, or to events.
#pragma once

#include <ingot/core/bytes.hpp>
#include <ingot/core/detail/light_standard.hpp>
#include <ingot/core/error.hpp>
#include <ingot/core/progress.hpp>
#include <ingot/document/detail/interchange_javascript.hpp>
#include <ingot/document/detail/interchange_read.hpp>
#include <ingot/document/detail/interchange_token.hpp>
#include <ingot/document/document.hpp>
#include <ingot/document/interchange.hpp>
#include <ingot/document/writer.hpp>

#include <cstddef>
#include <cstdint>

namespace ingot { inline namespace INGOT_V1 { namespace detail::interchange {

/// Returns the maximum size of a document that is read from `bytes` bytes, at least a megabyte. The
/// maximum reserves address space, not memory.
[[nodiscard]] constexpr max_block_size max_block_size_of(std::size_t bytes, unsupported_values how) noexcept {
  constexpr auto limit = sizeof(void*) == 8 ? static_cast<std::size_t>(doc::max_bytes) : std::size_t{1} << 26;
  // Worst cases: an array in an array takes one byte of the input, but a node of 16 bytes in the
  // document. A wrapped tag takes one byte of the input, but a node with two keys.
  const std::size_t times = how == unsupported_values::wrap ? 96 : 32;
  return {std::max(document::default_max_block_size.bytes, bytes < limit / times ? times * bytes : limit)};
}

/// Emits the first value of `bytes`, and removes the bytes of this value from `bytes`. Passes
/// `total` to the progress callback; the caller must report the end.
template <class Tokens, class Options>
[[nodiscard]] result<void> read_events(bytes_view& bytes, document_events& to, const Options& options,
                                       std::uint64_t total, bool* has_shared = nullptr) {
  input in{.bytes = bytes, .at = 0, .why = {}};
  Tokens tokens(in, options);
  if (!to.good()) return fail(to.why());
  const doc::memory_bound bound(to, memory_limit(options.max_memory, bytes.size()));
  if (!reader<Tokens, Options>(in, tokens, to, options, total).read()) return in.why.failure();
  if (has_shared != nullptr) *has_shared = in.has_shared;
  bytes = bytes.subspan(in.at);
  return {};
}
/// Emits the value of the bytes, which must be exactly one value.
template <class Tokens, class Options>
[[nodiscard]] result<void> read_whole(bytes_view bytes, document_events& to, const Options& options) {
  bytes_view rest = bytes;
  bool has_shared = false;
  auto read = read_events<Tokens>(rest, to, options, bytes.size(), &has_shared);
  if (!read) return read;
  if (rest.empty() && options.progress(bytes.size(), bytes.size())) return read;
  to.abandon();
  if (rest.empty()) return fail(error{errc::cancelled, bytes.size()});
  error trailing(errc::trailing_bytes, bytes.size() - rest.size());
  trailing.with_expected("one value");
  if (has_shared) trailing.with_found(after_shared);
  return fail(trailing);
}
template <class Tokens, class Options>
[[nodiscard]] result<document> read_document(bytes_view bytes, const Options& options,
                                             max_block_size max_size) {
  document_writer to({.repeated_keys = options.repeated_keys, .max_size = max_size});
  if (const auto read = read_whole<Tokens>(bytes, to, options); !read) return fail(read.error());
  return to.finish();
}
template <class Tokens, class Options>
[[nodiscard]] result<document> read_next(bytes_view& bytes, const Options& options, max_block_size max_size) {
  document_writer to({.repeated_keys = options.repeated_keys, .max_size = max_size});
  bytes_view rest = bytes;
  if (const auto read = read_events<Tokens>(rest, to, options, progress_ref::unknown); !read)
    return fail(read.error());
  const std::size_t size = bytes.size() - rest.size();
  if (!options.progress(size, size)) return fail(error{errc::cancelled, size});
  auto decoded = to.finish();
  if (decoded) bytes = rest;
  return decoded;
}

/// Encoded bytes as an `event_source`, so that `value_ref::set` can store their value. `read` gets
/// the result of the decoding.
template <class Tokens, class Options>
struct telling {
  bytes_view bytes;
  const Options& options;
  result<void>& read;

  void write_events(document_events& to) const {
    read = read_whole<Tokens>(bytes, to, options);
    if (!read && to.good()) to.abandon();
  }
  [[nodiscard]] key_policy repeated_keys() const noexcept { return options.repeated_keys; }
};
template <class Tokens, class Options>
[[nodiscard]] result<void> read_into(value_ref to, bytes_view bytes, const Options& options) {
  result<void> read;
  const auto set = to.set(telling<Tokens, Options>{bytes, options, read});
  if (!read) return read;
  if (!set) return fail(set.error());
  return {};
}

}}} // namespace ingot::INGOT_V1::detail::interchange
