// SPDX-License-Identifier: Apache-2.0
// Builds live blocks without their C++ type: from a document, a message or another block, by a
// description of the layout. The blocks are canonical: they have the bytes that a `live<T>` with
// the same value has after `compact()`. Each block is validated before it is returned.
//
// A layout comes from `layout_of<T>()` in a program that has the type, from a file that stores the
// layout with a block, or from `layout_for`, which derives a layout from a schema.
#pragma once

#include <ingot/core/detail/catch_bad_alloc.hpp>
#include <ingot/core/error.hpp>
#include <ingot/core/progress.hpp>
#include <ingot/dynamic/detail/build_fit.hpp>
#include <ingot/dynamic/detail/build_writer.hpp>
#include <ingot/dynamic/detail/graph.hpp>
#include <ingot/dynamic/dynamic.hpp>
#include <ingot/dynamic/message.hpp>
#include <ingot/dynamic/pack.hpp>
#include <ingot/live/detail/growth_progress.hpp>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <utility>

namespace ingot { inline namespace INGOT_V1 {

/// Options of `build_block` and `compact_block`: missing members, unknown members, maximum size,
/// progress.
struct build_block_options {
  /// If true, a member that the object lacks is an error. If false, the member is zero, empty or
  /// absent, because layouts do not store the default values of a program. Optional members may
  /// always be absent.
  bool missing_is_error = false;
  /// If true, members of an object that the record does not have are skipped. If false, they are an
  /// error.
  bool unknown_is_ignored = false;
  /// Maximum size of the block in bytes. If the block needs more, the error is `no_space`. Set a
  /// lower maximum for untrusted layouts, since a layout of a few bytes can request gigabytes of
  /// zeros. The call reserves address space for the maximum, but takes memory only for the bytes
  /// that it writes.
  std::size_t max_bytes = (std::size_t{1} << 31) - 8192;
  /// Progress in bytes of the block. If the source is a document, the call first writes a packed
  /// message of the value. The bytes of this message are counted, too. The total is
  /// `progress_ref::unknown` until the end; `compact_block` reports the size of the source as the
  /// total instead. Validation at the end is not counted. If the callback returns false, the call
  /// returns `errc::cancelled`.
  progress_ref progress{};
};

namespace detail::dyn {

/// Builds a block with offsets of the policy `P`.
template <block_policy P>
[[nodiscard]] result<dynamic_block> build_with(const dynamic_value& from, const dynamic_layout& layout,
                                               std::uint64_t max_size, const type_fit& fit,
                                               progress_ref progress, std::uint64_t total) {
  fresh_block<P> block(layout_access::tables_of(layout), max_size);
  if (!block) {
    const bool fits = layout_access::tables_of(layout).types[0].size + root_position + 8 <= max_size;
    return fits ? fail(error{errc::no_memory}.with_expected("address space for a block"))
                : fail(error{errc::no_space}.with_expected("a max_bytes large enough for the root object"));
  }
  block_writer<P> writer(block, fit);
  growth_progress<P> growth(block.owned(), progress, total);
  const bool filled = writer.run(from);
  if (const auto done = growth.finish(filled); !done)
    return done.error().code() == errc::cancelled ? fail(done.error()) : writer.failure();
  return dynamic_block::open(block.bytes(), layout);
}
/// Builds a block with offsets of the layout's width. Wide blocks need a 64-bit machine.
template <class Narrow = narrow_policy>
[[nodiscard]] result<dynamic_block> build_by_width(const dynamic_value& from, const dynamic_layout& layout,
                                                   std::uint64_t max_size, const type_fit& fit,
                                                   progress_ref progress, std::uint64_t total) {
  if (!layout.is_wide()) return build_with<Narrow>(from, layout, max_size, fit, progress, total);
  if constexpr (sizeof(std::size_t) < sizeof(std::uint64_t))
    return fail(error{errc::unsupported}.with_expected(
        "a block with 32-bit offsets: this machine has 32-bit addresses"));
  else return build_with<wide_policy>(from, layout, max_size, fit, progress, total);
}
[[nodiscard]] inline result<dynamic_block> build(const dynamic_value& from, const dynamic_layout& layout,
                                                 std::uint64_t max_size, progress_ref progress,
                                                 std::uint64_t total = progress_ref::unknown) {
  return catch_bad_alloc([&]() -> result<dynamic_block> {
    type_fit fit(layout_access::tables_of(layout), *access::memory_of(from)->in);
    if (!fit.run(0, access::spot_of(from).type)) return fit.failure();
    return build_by_width(from, layout, max_size, fit, progress, total);
  });
}
/// Returns the schema of a packed message that can hold values of the layout's types. No record of
/// this schema is evolvable.
[[nodiscard]] inline result<dynamic_schema> schema_of_layout(const dynamic_layout& layout) {
  const tables& in = layout_access::tables_of(layout);
  auto created = std::make_shared<const message_tables>(with_archives(graph_of(in)), in.schema_id,
                                                        message_profile::pack);
  if (!created->has_memory) return fail(error{errc::no_memory}.with_expected("memory for a layout's types"));
  if (!created->is_bounded)
    return fail(error{errc::too_large}.with_expected("no type without bytes that holds more than 64 values"));
  return schema_access::make(std::move(created));
}

} // namespace detail::dyn

/// Rewrites a block in canonical form: without free bytes, and with all contents in the order of
/// the members. Equal values of one layout then have equal bytes. Pools keep their slots, so links
/// find the same objects. O(n) for n bytes; O(n log n) for hash tables. Takes memory for the new
/// block and its copy, and for validation (see `dynamic_block::open`). Errors: `no_space` for more
/// than `max_bytes`; `no_memory`; `schema_mismatch` for a block that was moved from.
[[nodiscard]] inline result<dynamic_block> compact_block(const dynamic_block& from,
                                                         const build_block_options& options = {}) {
  if (!from.root().exists())
    return fail(error{errc::schema_mismatch}.with_expected("a block (this one was moved from)"));
  return detail::dyn::build(from.root(), from.layout(), options.max_bytes, options.progress,
                            from.bytes().size());
}

/// Builds a block of the layout from the value of a message or of another block. Records and
/// members must have the same names, and numbers the same widths. Containers may differ within
/// these groups: vectors, queues and pools; optionals and boxes; `map` and `flat_map`; `set` and
/// `flat_set`. For example, an ordered map does not convert to a hash table, nor a set to a vector.
/// Values of any kind convert only to values of any kind.
///
/// Enumerators are matched by name and get the number that the layout has for this name. If the
/// layout lacks the name, the value keeps its number. The error is `bad_enum` if the layout has
/// another enumerator with this number. In keys, and in open enumerations and flags, an enumerator
/// must have equal numbers in the source and in the layout. Otherwise the error is `unsupported`
/// for a key, and `schema_mismatch` for an open enumeration or flags.
///
/// Errors: `schema_mismatch` if the types do not match those of the layout; `missing_member` if a
/// compact message omitted a default, which no schema stores; those of `dynamic_block::open`, such
/// as a member out of its range; `type_mismatch` for an absent value; `no_space`, `no_memory`,
/// `too_large` (too many pairs of types to compare). Complexity and memory are those of
/// `compact_block`.
[[nodiscard]] inline result<dynamic_block> build_block(const dynamic_value& from,
                                                       const dynamic_layout& layout,
                                                       const build_block_options& options = {}) {
  if (!from.exists()) return fail(error{errc::type_mismatch}.with_expected("a value").with_found("nothing"));
  return detail::dyn::build(from, layout, options.max_bytes, options.progress);
}

/// Builds a block of the layout from a document, by the rules of `pack_document`. Checks the limits
/// of members that the layout stores: layouts of `layout_of` have limits, layouts from a schema
/// have none. Does not call a type's own `valid`, which only programs with the type have. Links are
/// stored unchanged, and the pools of the block have no free slots. So links find the right objects
/// if no object was ever erased from the original pool. An optional whose value may itself be null
/// must be an array of one element, as `to_document` writes it. Also takes memory for a packed
/// message of the value, which may be as long as the block. Errors: those of `pack_document`, and
/// those of `build_block` for messages.
[[nodiscard]] inline result<dynamic_block> build_block(const value& from, const dynamic_layout& layout,
                                                       const build_block_options& options = {}) {
  return detail::catch_bad_alloc([&]() -> result<dynamic_block> {
    const auto by = detail::dyn::schema_of_layout(layout);
    if (!by) return fail(by.error());
    pack_document_options how;
    how.missing_is_error = options.missing_is_error;
    how.unknown_is_ignored = options.unknown_is_ignored;
    how.max_bytes = options.max_bytes;
    std::uint64_t before = 0;
    bool is_packed = false;
    const auto still = [&](std::uint64_t done, std::uint64_t total) {
      const bool ends = is_packed && total != progress_ref::unknown;
      return options.progress(before + done, ends ? before + total : progress_ref::unknown);
    };
    const progress_ref progress = options.progress ? progress_ref(still) : progress_ref();
    how.progress = progress;
    const auto packed = pack_document(from, *by, how);
    if (!packed) return fail(packed.error());
    const auto message = dynamic_message::open_in_place(*packed, *by);
    if (!message) return fail(message.error());
    before = packed->size();
    is_packed = true;
    return detail::dyn::build(message->root(), layout, options.max_bytes, progress);
  });
}
[[nodiscard]] inline result<dynamic_block> build_block(const document& from, const dynamic_layout& layout,
                                                       const build_block_options& options = {}) {
  return build_block(from.root(), layout, options);
}

}} // namespace ingot::INGOT_V1
