// SPDX-License-Identifier: Apache-2.0
// Makes live blocks without their type: from a document, a message or another block, by a description of the
// layout. The blocks are canonical, byte for byte what `live<T>` has for the same value after `compact()`,
// and are proved before anybody gets them.
//
// A layout comes from `layout_of<T>()` in a program that has the type, from a file with a block in it, or
// from `layout_for`, which makes one of a schema.
#pragma once

#include <ingot/core/detail/guard_memory.hpp>
#include <ingot/core/error.hpp>
#include <ingot/core/progress.hpp>
#include <ingot/dynamic/detail/build_fit.hpp>
#include <ingot/dynamic/detail/build_writer.hpp>
#include <ingot/dynamic/detail/graph.hpp>
#include <ingot/dynamic/dynamic.hpp>
#include <ingot/dynamic/message.hpp>
#include <ingot/dynamic/pack.hpp>
#include <ingot/live/detail/told_growth.hpp>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <utility>

namespace ingot { inline namespace INGOT_V1 {

/// What becomes of members that a document lacks or has too many, and how large a block may become.
struct build_block_options {
  /// A member that an object lacks is zero, empty or absent if this is `false`, an error if it is `true`.
  /// Optional members may always be absent. No layout says what a program's own defaults are.
  bool missing_is_error = false;
  /// A member of an object that the record lacks is passed over, instead of being an error.
  bool unknown_is_ignored = false;
  /// A larger block is `no_space`. A layout of a few bytes can ask for gigabytes of zeros, so whoever has it
  /// from strangers sets a limit of their own. That much address space is set aside meanwhile; memory is
  /// taken as it is used.
  std::uint64_t max_bytes = (std::uint64_t{1} << 31) - 8192;
  /// Is told how many bytes of the block there are; if it is made of a document, it is first told of those of
  /// a packed message of the same value, which count as much. How many there will be is
  /// `progress_ref::unknown` until the end; only `compact_block` expects as many as there were. The proof at
  /// the end is not counted. If it says no, the call returns `errc::cancelled`.
  progress_ref progress{};
};

namespace detail::dyn {

/// By the layout's own offsets.
template <block_policy P>
[[nodiscard]] result<dynamic_block> build_with(const dynamic_value& from, const dynamic_layout& layout,
                                               std::uint64_t most, const type_fit& fit, progress_ref told,
                                               std::uint64_t total) {
  fresh_block<P> made(layout_access::tables_of(layout), most);
  if (!made) {
    const bool fits = layout_access::tables_of(layout).types[0].size + root_position + 8 <= most;
    return fits ? fail(error{errc::no_memory}.with_expected("address space for a block"))
                : fail(error{errc::no_space}.with_expected("a max_bytes large enough for the root object"));
  }
  block_writer<P> writer(made, fit);
  told_growth<P> growth(made.owned(), told, total);
  const bool filled = writer.run(from);
  if (const auto done = growth.finish(filled); !done)
    return done.error().code() == errc::cancelled ? fail(done.error()) : writer.failure();
  return dynamic_block::open(made.bytes(), layout);
}
/// Wide blocks are for machines of 64 bits.
template <class Narrow = narrow_policy>
[[nodiscard]] result<dynamic_block> build_by_width(const dynamic_value& from, const dynamic_layout& layout,
                                                   std::uint64_t most, const type_fit& fit, progress_ref told,
                                                   std::uint64_t total) {
  if (!layout.is_wide()) return build_with<Narrow>(from, layout, most, fit, told, total);
  if constexpr (sizeof(std::size_t) < sizeof(std::uint64_t))
    return fail(error{errc::unsupported}.with_expected(
        "a block with 32-bit offsets: this machine has 32-bit addresses"));
  else return build_with<wide_policy>(from, layout, most, fit, told, total);
}
[[nodiscard]] inline result<dynamic_block> build(const dynamic_value& from, const dynamic_layout& layout,
                                                 std::uint64_t most, progress_ref told,
                                                 std::uint64_t total = progress_ref::unknown) {
  return guard_memory([&]() -> result<dynamic_block> {
    type_fit fit(layout_access::tables_of(layout), *access::memory_of(from)->in);
    if (!fit.run(0, access::spot_of(from).type)) return fit.failure();
    return build_by_width(from, layout, most, fit, told, total);
  });
}
/// What a message of the layout's types would be: packed, its records as they are.
[[nodiscard]] inline result<dynamic_schema> schema_of_layout(const dynamic_layout& layout) {
  const tables& in = layout_access::tables_of(layout);
  auto made = std::make_shared<const message_tables>(with_archives(graph_of(in)), in.schema_id,
                                                     message_profile::pack);
  if (!made->has_memory) return fail(error{errc::no_memory}.with_expected("memory for a layout's types"));
  if (!made->is_bounded)
    return fail(error{errc::too_large}.with_expected("no type without bytes that holds more than 64 values"));
  return schema_access::make(std::move(made));
}

} // namespace detail::dyn

/// Rewrites a block in canonical form: without holes, with everything in the order of its members, so that
/// equal values of one layout are equal bytes. Pools keep their slots, so that links find what they found.
/// O(n) for n bytes, in tables O(n log n). Takes memory for the new block and its copy, and what
/// `dynamic_block::open` takes. Errors: `no_space` for more than `max_bytes`; `no_memory`.
[[nodiscard]] inline result<dynamic_block> compact_block(const dynamic_block& from,
                                                         const build_block_options& options = {}) {
  if (!from.root().exists())
    return fail(error{errc::other_type}.with_expected("a block (this one was moved from)"));
  return detail::dyn::build(from.root(), from.layout(), options.max_bytes, options.progress,
                            from.bytes().size());
}

/// Makes a block of the layout with the value of a message or of another block. Records and members must have
/// the same names, and numbers the same widths. What holds them need not be of the same brand: vectors,
/// queues and pools become each other as the layout has it, so do optionals and boxes, `map` and `flat_map`,
/// `set` and `flat_set`; but no ordered map becomes a table, and no set a vector. Values of any kind become
/// values of any kind. Enumerators go by their names, whatever their numbers in the layout are; one whose
/// name is not there keeps its number, unless that is another enumerator's (`bad_enum`). In keys, and in open
/// enumerations, they must have the same numbers (`unsupported`). Errors: `other_type` when the types are not
/// those of the layout; `missing_member` where a compact message left out a default, which no schema knows;
/// what `dynamic_block::open` refuses, such as a member out of its range; `no_space`, `no_memory`,
/// `too_large` (types that meet each other in too many pairs). The rest is as for `compact_block`.
[[nodiscard]] inline result<dynamic_block> build_block(const dynamic_value& from,
                                                       const dynamic_layout& layout,
                                                       const build_block_options& options = {}) {
  if (!from.exists()) return fail(error{errc::type_mismatch}.with_expected("a value").with_found("nothing"));
  return detail::dyn::build(from, layout, options.max_bytes, options.progress);
}

/// Makes a block of the layout with what a document says, by the rules of `pack_document`, with its errors
/// and those of `build_block`. Limits of members hold as far as the layout has them (`layout_of` describes
/// them, a schema does not); a type's own `valid` is code that only programs with the type have. Links of a
/// document into a pool are those of a pool without free slots. The value of an optional whose value may
/// itself be null lies in an array of one, as `to_document` has it. Also takes memory for a packed message of
/// the value, of at most as many bytes as the block may have.
[[nodiscard]] inline result<dynamic_block> build_block(const value& from, const dynamic_layout& layout,
                                                       const build_block_options& options = {}) {
  return detail::guard_memory([&]() -> result<dynamic_block> {
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
    const progress_ref told = options.progress ? progress_ref(still) : progress_ref();
    how.progress = told;
    const auto packed = pack_document(from, *by, how);
    if (!packed) return fail(packed.error());
    const auto message = dynamic_message::open_in_place(*packed, *by);
    if (!message) return fail(message.error());
    before = packed->size();
    is_packed = true;
    return detail::dyn::build(message->root(), layout, options.max_bytes, told);
  });
}
[[nodiscard]] inline result<dynamic_block> build_block(const document& from, const dynamic_layout& layout,
                                                       const build_block_options& options = {}) {
  return build_block(from.root(), layout, options);
}

}} // namespace ingot::INGOT_V1
