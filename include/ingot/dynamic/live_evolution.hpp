// SPDX-License-Identifier: Apache-2.0
// Reads live blocks of an older version of a type, or of a machine that lays it out differently, as what the
// type is now, by the description of the layout that is kept beside them. docs/evolution.md says what may
// have changed.
#pragma once

#include <ingot/core/bytes.hpp>
#include <ingot/core/detail/guard_memory.hpp>
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

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

namespace ingot { inline namespace INGOT_V1 {

namespace detail {

/// The members of a proved block as a packed message of the plan's type.
[[nodiscard]] inline result<std::vector<std::byte>>
pack_evolved(const evolution_plan& plan, const dynamic_block& block, told_reading* told) {
  return evolution_writer<dyn::live_source>(
             plan, dyn::live_source(*plan.before, *dyn::access::memory_of(block.root())), told,
             block.bytes().size(), memory_limit(read_limits::by_input, block.bytes().size()))
      .run();
}

/// A block of a packed message. It grows further than `most` where the message asks for that.
template <class Declared, block_policy P>
[[nodiscard]] result<basic_live<Declared, P>> unpack_block(bytes_view message, ceiling most,
                                                           told_reading* told) {
  auto made =
      fill_block<Declared, P>(std::max(most.bytes, message.size()), [&](basic_live<Declared, P>& block) {
        return guard_memory([&] { return unpack_told(*block, message, trailing::refused, told); });
      });
  if (!made) return fail(made.error().with_offset(0));
  return made;
}

} // namespace detail

/// A way from blocks of one layout to a `live<Declared>`. It is made once and used for any number
/// of blocks, by any number of threads at a time. Copies are cheap, and moving is copying: one that
/// was moved from is as good as before.
template <class Declared, block_policy P = narrow_policy>
class live_evolution {
  using T = typename basic_live<Declared, P>::value_type;

public:
  using block_type = basic_live<Declared, P>;

  live_evolution(const live_evolution&) noexcept = default;
  live_evolution& operator=(const live_evolution&) noexcept = default;
  ~live_evolution() = default;

  /// Makes the way from blocks of that layout. Errors: `other_type` if they cannot be read as the type, with
  /// the path of the first obstacle, what was written and what should be read there; that may be a pool that
  /// no longer is one although links are read. `no_memory`. Where both layouts are the same, there is nothing
  /// to make.
  [[nodiscard]] static result<live_evolution> from(const dynamic_layout& before) {
    return detail::guard_memory([&]() -> result<live_evolution> {
      live_evolution made(before);
      if (before.schema_id() == schema_id<T> && before.layout_id() == detail::layout_id<T, P>()) return made;
      auto plan =
          detail::plan_evolution<T>(detail::dyn::graph_of(detail::dyn::layout_access::tables_of(before)));
      if (!plan) return fail(plan.error());
      if (const auto kept = detail::dyn::links_are_kept(**plan); !kept) return fail(kept.error());
      made.plan_ = std::move(*plan);
      return made;
    });
  }
  /// The same from the bytes of a description, which are proved first.
  [[nodiscard]] static result<live_evolution> from(bytes_view description) {
    const auto before = dynamic_layout::open(description);
    if (!before) return fail(before.error());
    return from(*before);
  }

  /// Whether there is nothing to do, because the layouts are the same: opening is then `live<T>::open`.
  [[nodiscard]] bool is_direct() const noexcept { return plan_ == nullptr; }

  /// Opens a block of that layout, which nobody may change meanwhile. First it is proved as what it was, like
  /// `dynamic_block::open` does it; errors then name the byte and the old path. Then it is read as what it is
  /// now, into a block of its own, which can grow to `most`, or further if it is larger; what the type
  /// refuses is then named by the new path, with offset 0.
  ///
  /// Links: a `ref` stays as it is, and objects of a `pool` keep the links to them as long as no object was
  /// ever erased from it; a pool from which one was is an error, `other_layout`, which names the member. What
  /// an upgrade leaves in a pool must also have been added one after the other, otherwise it is
  /// `invalid_value`. Other errors: `too_deep` when values nest deeper than 128 levels, which messages do
  /// not; `too_large` when they would be more than 4 GiB as a message; `no_memory`. Work and memory are a
  /// constant of the type times the bytes; the keys of hash tables count times the logarithm of their number,
  /// and what lies in maps in maps, or is upgraded inside what is upgraded, times its depth.
  [[nodiscard]] result<block_type> open(bytes_view bytes, ceiling most = block_type::default_ceiling) const {
    return open_by(bytes, most, nullptr);
  }
  /// The same, telling `progress`, which can stop it (`cancelled`). Each byte counts three times: for being
  /// proved, which is one step, for being written as a message of the new type, and for being read from that.
  [[nodiscard]] result<block_type> open(bytes_view bytes, ceiling most, progress_ref progress) const {
    const std::uint64_t size = bytes.size();
    detail::told_reading told(progress, 0, size, 3 * size);
    auto made = open_by(bytes, most, progress ? &told : nullptr);
    if (!made) return made;
    if (auto heard = told.finish(); !heard) return fail(heard.error());
    return made;
  }

private:
  friend struct detail::evolution_access;

  [[nodiscard]] result<block_type> open_by(bytes_view bytes, ceiling most, detail::told_reading* told) const {
    if (is_direct()) return block_type::open(bytes, most);
    return detail::guard_memory([&]() -> result<block_type> {
      const auto block = dynamic_block::open_in_place(bytes, before_);
      if (!block) return fail(block.error());
      if (told != nullptr) told->next_part();
      const auto message = detail::pack_evolved(*plan_, *block, told);
      if (!message) return fail(message.error());
      if (told != nullptr) told->next_part();
      return detail::unpack_block<Declared, P>(*message, most, told);
    });
  }
  explicit live_evolution(const dynamic_layout& before) : before_(before) {}

  dynamic_layout before_;
  std::shared_ptr<const detail::evolution_plan> plan_; ///< none where there is nothing to do
};

}} // namespace ingot::INGOT_V1
