// SPDX-License-Identifier: Apache-2.0
// Makes, copies and releases the nodes that values own, at any depth.
#pragma once

#include <ingot/document/detail/core.hpp>

#include <cstddef>
#include <cstdint>

namespace ingot { inline namespace INGOT_V1 { namespace detail::doc {

/// Makes a blob. Returns 0 if there is no space.
[[nodiscard]] INGOT_COMPILED uint32_t make_blob(core& to, const void* data, std::size_t length) noexcept;
/// Copies the nodes that a value owns, within a document or from another document. Text and
/// integers that need no node are copied to `buffer`, which has `packed_bytes + 2` bytes. Returns
/// false if there is no space.
[[nodiscard]] INGOT_COMPILED bool copy_owned(core& to, memory from, item& value, std::byte* buffer) noexcept;
INGOT_COMPILED void release_blob(core& in, uint32_t position) noexcept;
INGOT_COMPILED void release_tree(core& in, uint32_t position) noexcept;
/// Releases the nodes that `value` owned. Requires that the value is no longer stored.
INGOT_INLINE void release_owned(core& in, const item& value) noexcept {
  if (!value.owns_node()) return;
  if (value.is == item::form::blob) release_blob(in, value.position());
  else release_tree(in, value.position());
}
/// Defragments the document, if the log of changes can note all moves.
INGOT_COMPILED void settle(core& in) noexcept;

}}} // namespace ingot::INGOT_V1::detail::doc
