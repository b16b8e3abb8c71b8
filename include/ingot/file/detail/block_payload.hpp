// SPDX-License-Identifier: Apache-2.0
// Reads payloads that are blocks of a live value or of a document. The blocks are read into memory
// in which they can grow.
#pragma once

#include <ingot/core/error.hpp>
#include <ingot/core/progress.hpp>
#include <ingot/file/detail/input_file.hpp>
#include <ingot/file/options.hpp>
#include <ingot/live/detail/slots.hpp>
#include <ingot/live/policy.hpp>

#include <cstddef>
#include <utility>

namespace ingot { inline namespace INGOT_V1 { namespace detail {

/// Returns the length of the file's payload, which is a block of the policy `P`. Errors:
/// `too_large` if the options don't allow this length, or if no block can have this length.
template <block_policy P>
[[nodiscard]] result<std::size_t> block_size(const input_file& file, const load_options& options) {
  constexpr std::size_t limit = slot_layout<P>::limit(std::size_t{1} << slot_pool::largest_class);
  const auto size = file.payload_size(options.max_bytes);
  if (!size) return size;
  return file.payload_size(limit, "no more bytes than a block can have");
}

/// Reads a block or a document into memory that can grow, and validates it. Progress counts each
/// byte when it is read, and again when it is validated.
template <class Handle>
[[nodiscard]] result<Handle> load_and_validate(const input_file& file, const load_options& options,
                                               std::size_t size) {
  file.expect_parts(1);
  auto memory = Handle::receive_buffer(size, options.max_size);
  if (!memory) return file.no_memory();
  if (auto read = file.load_payload(memory.bytes(), options); !read) return fail(read.error());
  const auto report = file.telling_bytes();
  auto opened =
      Handle::open(std::move(memory), file.reports_progress() ? progress_ref(report) : progress_ref());
  if (!opened) return file.rejected(opened.error(), options);
  return opened;
}

}}} // namespace ingot::INGOT_V1::detail
