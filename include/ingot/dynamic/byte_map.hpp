// SPDX-License-Identifier: Apache-2.0
// Where every byte of a block, message or document goes. Whoever looks at bytes without their type, to list,
// count or draw them, is told of pieces that cover all of the bytes, each of them once.
//
//   struct shares final : ingot::byte_visitor {
//     std::array<std::uint64_t, ingot::byte_uses> of{};
//     void enter(const ingot::byte_step&) override {}
//     void leave() override {}
//     void bytes(const ingot::byte_piece& piece) override { of[std::size_t(piece.use)] += piece.length; }
//   } found;
//   auto done = ingot::map_bytes(block, found); // how much of it are values, room, holes
#pragma once

#include <ingot/core/detail/guard_memory.hpp>
#include <ingot/document/document.hpp>
#include <ingot/dynamic/byte_visitor.hpp>
#include <ingot/dynamic/detail/byte_map_block.hpp>
#include <ingot/dynamic/detail/byte_map_document.hpp>
#include <ingot/dynamic/detail/byte_map_message.hpp>
#include <ingot/dynamic/dynamic.hpp>
#include <ingot/dynamic/message.hpp>

namespace ingot { inline namespace INGOT_V1 {

/// Tells `to` of every byte of a block once: values in the order of the tree, what belongs to a container
/// before its elements, holes at the end. O(bytes). Takes a 64th of the bytes in memory, and some 100 bytes
/// for each container or record around a value. Errors: `no_memory`, before everything was told.
[[nodiscard]] inline result<void> map_bytes(const dynamic_block& block, byte_visitor& to) {
  return detail::guard_memory([&]() -> result<void> {
    if (const auto* const in = detail::dyn::access::memory_of(block.root()); in != nullptr)
      detail::dyn::block_byte_walk(*in, to).run();
    return {};
  });
}

/// The same for a message. In compact messages, members that were left out are not entered. Nor is anything
/// that takes no bytes, except for elements, whose number among the others says that they are there.
[[nodiscard]] inline result<void> map_bytes(const dynamic_message& message, byte_visitor& to) {
  return detail::guard_memory([&]() -> result<void> {
    const dynamic_value root = message.root();
    if (const auto* const in = detail::dyn::access::memory_of(root); in != nullptr)
      detail::dyn::message_byte_walk(*detail::dyn::schema_access::tables_of(message.schema()), *in, to)
          .run(detail::dyn::access::spot_of(root));
    return {};
  });
}

/// The same for a document. Keys that several objects share are told with the first of these. O(n log n) for
/// nodes of n elements.
[[nodiscard]] inline result<void> map_bytes(const document& from, byte_visitor& to) {
  return detail::guard_memory([&]() -> result<void> {
    if (!from) return {};
    const bytes_view bytes = from.bytes();
    const detail::doc::proved in{{bytes.data(), static_cast<std::uint32_t>(bytes.size())}};
    detail::doc::document_byte_walk(in, from.root(), to).run();
    return {};
  });
}

}} // namespace ingot::INGOT_V1
