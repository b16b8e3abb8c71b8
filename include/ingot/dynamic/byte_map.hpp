// SPDX-License-Identifier: Apache-2.0
// Reports the use of every byte of a block, message or document, for programs that list, count or
// draw bytes without the type. The reported pieces cover all bytes, each byte once.
//
//   struct shares final : ingot::byte_visitor {
//     std::array<std::uint64_t, ingot::byte_uses> of{};
//     void enter(const ingot::byte_step&) override {}
//     void leave() override {}
//     void bytes(const ingot::byte_piece& piece) override {
//       of[std::size_t(piece.use)] += piece.length;
//     }
//   } found;
//   auto done = ingot::map_bytes(found, block); // how many bytes are values, spare or freed
#pragma once

#include <ingot/core/detail/catch_bad_alloc.hpp>
#include <ingot/document/document.hpp>
#include <ingot/dynamic/byte_visitor.hpp>
#include <ingot/dynamic/detail/byte_map_block.hpp>
#include <ingot/dynamic/detail/byte_map_document.hpp>
#include <ingot/dynamic/detail/byte_map_message.hpp>
#include <ingot/dynamic/dynamic.hpp>
#include <ingot/dynamic/message.hpp>

namespace ingot { inline namespace INGOT_V1 {

/// Reports every byte of a block to `to`, once. Values are reported in the order in which a walk
/// from the root meets them. A container's own bytes are reported before its elements, and freed
/// bytes are reported last. O(n) for n bytes. Takes n/64 bytes of memory, and about 100 bytes for
/// each container or record that encloses the current value. Errors: `no_memory`, possibly after a
/// part of the bytes was reported.
[[nodiscard]] inline result<void> map_bytes(byte_visitor& to, const dynamic_block& block) {
  return detail::catch_bad_alloc([&]() -> result<void> {
    if (const auto* const in = detail::dyn::access::memory_of(block.root()); in != nullptr)
      detail::dyn::block_byte_walk(*in, to).run();
    return {};
  });
}

/// Reports every byte of a message. Does not enter members that a compact message omitted, nor
/// members that take no bytes. Enters all elements, even those that take no bytes, so the visitor
/// can count the elements. Complexity and errors are those for blocks.
[[nodiscard]] inline result<void> map_bytes(byte_visitor& to, const dynamic_message& message) {
  return detail::catch_bad_alloc([&]() -> result<void> {
    const dynamic_value root = message.root();
    if (const auto* const in = detail::dyn::access::memory_of(root); in != nullptr)
      detail::dyn::message_byte_walk(*detail::dyn::schema_access::tables_of(message.schema()), *in, to)
          .run(detail::dyn::access::spot_of(root));
    return {};
  });
}

/// Reports every byte of a document. Keys that several objects share are reported with the first of
/// these objects. O(n log n) for nodes of n elements. Memory and errors as for blocks.
[[nodiscard]] inline result<void> map_bytes(byte_visitor& to, const document& from) {
  return detail::catch_bad_alloc([&]() -> result<void> {
    if (!from) return {};
    const bytes_view bytes = from.bytes();
    const detail::doc::validated in{{bytes.data(), static_cast<std::uint32_t>(bytes.size())}};
    detail::doc::document_byte_walk(in, from.root(), to).run();
    return {};
  });
}

}} // namespace ingot::INGOT_V1
