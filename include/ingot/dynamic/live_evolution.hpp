// SPDX-License-Identifier: Apache-2.0
// Reads live blocks of an older version of a type, or of a machine with another layout, as the
// current type. The caller must have the description of the old layout, which is stored with the
// blocks. docs/evolution.md lists the supported changes.
#pragma once

#include <ingot/core/bytes.hpp>
#include <ingot/core/detail/catch_bad_alloc.hpp>
#include <ingot/core/detail/light_standard.hpp>
#include <ingot/core/error.hpp>
#include <ingot/core/progress.hpp>
#include <ingot/dynamic/detail/graph.hpp>
#include <ingot/dynamic/detail/live_links.hpp>
#include <ingot/dynamic/detail/live_source.hpp>
#include <ingot/dynamic/dynamic.hpp>
#include <ingot/live/detail/fill_block.hpp>
#include <ingot/live/detail/layout_id.hpp>
#include <ingot/live/live.hpp>
#include <ingot/pack/detail/evolution_plan.hpp>
#include <ingot/pack/detail/evolution_writer.hpp>
#include <ingot/pack/evolution.hpp>
#include <ingot/pack/unpack.hpp>
#include <ingot/schema/schema_id.hpp>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

namespace ingot { inline namespace INGOT_V1 {

namespace detail {

/// Returns the members of a validated block as a packed message of the plan's type.
[[nodiscard]] inline result<std::vector<std::byte>>
pack_evolved(const evolution_plan& plan, const dynamic_block& block, progress_tracker* tracker) {
  return evolution_writer<dyn::live_source>(
             plan, dyn::live_source(*plan.before, *dyn::access::memory_of(block.root())), tracker,
             block.bytes().size(), memory_limit(read_limits::by_input, block.bytes().size()))
      .run();
}

/// Builds a block from a packed message. The maximum size of the block is `max_size`, or the size
/// of the message if that is larger.
template <class Declared, block_policy P>
[[nodiscard]] result<basic_live<Declared, P>> unpack_block(bytes_view message, max_block_size max_size,
                                                           progress_tracker* tracker) {
  auto packed =
      fill_block<Declared, P>(std::max(max_size.bytes, message.size()), [&](basic_live<Declared, P>& block) {
        return catch_bad_alloc(
            [&] { return unpack_with_progress(*block, message, trailing::reject, tracker); });
      });
  if (!packed) return fail(packed.error().with_offset(0));
  return packed;
}

} // namespace detail

/// Converts blocks of one layout to `live<Declared>`. One object converts any number of blocks, on
/// any number of threads at a time. Copying is cheap. A move is a copy, so a moved-from object
/// remains usable.
template <class Declared, block_policy P = narrow_policy>
class live_evolution {
  using T = typename basic_live<Declared, P>::value_type;

public:
  /// Type of the blocks that `open` returns.
  using block_type = basic_live<Declared, P>;

  live_evolution(const live_evolution&) noexcept = default;
  live_evolution& operator=(const live_evolution&) noexcept = default;
  ~live_evolution() = default;

  /// Prepares the conversion of blocks of the layout `before`. If both layouts are equal, there is
  /// nothing to prepare. Errors: `no_memory`; `schema_mismatch` if the blocks cannot be read as the
  /// type, with the path of the first obstacle, the written type and the expected type. If the type
  /// reads links, a pool that the type lacks or declares as another sequence is also an obstacle.
  [[nodiscard]] static result<live_evolution> from(const dynamic_layout& before) {
    return detail::catch_bad_alloc([&]() -> result<live_evolution> {
      live_evolution created(before);
      if (before.schema_id() == schema_id<T> && before.layout_id() == detail::layout_id<T, P>())
        return created;
      auto plan = detail::plan_evolution(detail::dyn::graph_of(detail::dyn::layout_access::tables_of(before)),
                                         detail::graph_of_type(detail::draw_type<T>));
      if (!plan) return fail(plan.error());
      if (const auto links = detail::dyn::preserves_links(**plan); !links) return fail(links.error());
      created.plan_ = std::move(*plan);
      return created;
    });
  }
  /// Validates a description, then prepares the conversion of blocks with this description. Errors:
  /// those of the other overload and of `dynamic_layout::open`.
  [[nodiscard]] static result<live_evolution> from(bytes_view description) {
    const auto before = dynamic_layout::open(description);
    if (!before) return fail(before.error());
    return from(*before);
  }

  /// Returns true if the layouts are equal. `open` then converts nothing and equals
  /// `live<T>::open`.
  [[nodiscard]] bool is_identity() const noexcept { return plan_ == nullptr; }

  /// Opens a block of the old layout. The bytes of the block must not change during the call. First
  /// validates the block like `dynamic_block::open`; errors of the validation have the offset
  /// in the block and the path in the old type. Then converts the values to the current type, in a
  /// new block whose maximum size is `options.max_size`, or more if its contents need more. If the
  /// current type rejects a value, the error has the path in this type and the offset 0.
  ///
  /// Links: a `ref` stays unchanged, and links to objects of a `pool` stay valid if no object was
  /// ever erased from the pool. A pool with an erased object is an error, `layout_mismatch`, which
  /// names the member. An upgrade must fill pools by adding objects one after the other; otherwise
  /// the error is `invalid_value`. Other errors: `too_deep` if values nest more than 128 levels
  /// deep, the maximum for messages; `too_large` if the values need more than 4 GiB as a message;
  /// `no_memory`.
  ///
  /// Time and memory are O(n) for n bytes, with a factor that depends on the type. The time for the
  /// n keys of a hash table is O(n log n). Maps inside maps, and upgrades inside upgrades, add a
  /// factor of their depth.
  ///
  /// Progress counts each byte three times: when it is validated (in one step), when it is written
  /// as a message of the new type, and when it is read from this message.
  [[nodiscard]] result<block_type> open(bytes_view bytes, const block_options& options = {}) const {
    const std::uint64_t size = bytes.size();
    detail::progress_tracker tracker(options.progress, 3 * size, size);
    auto opened = open_by(bytes, options.max_size, options.progress ? &tracker : nullptr);
    if (!opened) return opened;
    if (auto reported = tracker.finish(); !reported) return fail(reported.error());
    return opened;
  }

private:
  friend struct detail::evolution_access;

  [[nodiscard]] result<block_type> open_by(bytes_view bytes, max_block_size max_size,
                                           detail::progress_tracker* tracker) const {
    if (is_identity()) return block_type::open(bytes, {.max_size = max_size});
    return detail::catch_bad_alloc([&]() -> result<block_type> {
      const auto block = dynamic_block::open_in_place(bytes, before_);
      if (!block) return fail(block.error());
      if (tracker != nullptr) tracker->begin_pass();
      const auto message = detail::pack_evolved(*plan_, *block, tracker);
      if (!message) return fail(message.error());
      if (tracker != nullptr) tracker->begin_pass();
      return detail::unpack_block<Declared, P>(*message, max_size, tracker);
    });
  }
  explicit live_evolution(const dynamic_layout& before) : before_(before) {}

  dynamic_layout before_;
  std::shared_ptr<const detail::evolution_plan> plan_; ///< null if the layouts are equal
};

}} // namespace ingot::INGOT_V1
