// SPDX-License-Identifier: Apache-2.0
// The compatibility of two schemas also holds for blocks. For random pairs the first schema is laid
// out as a block, which is read by its layout as the second type. Runs all 100,000 pairs with
// INGOT_TEST_FULL, else 2,000.
#include <ingot/dynamic/build.hpp>
#include <ingot/dynamic/layout_for.hpp>
#include <ingot/dynamic/live_evolution.hpp>
#include <ingot/dynamic/schema_for.hpp>
#include <ingot/schema/compatible.hpp>

#include "pack/evolution_pairs.hpp"

#include <cstddef>
#include <cstdint>

#include <gtest/gtest.h>

namespace live_evolution_pairs_test {

using namespace evolution_lab;
namespace dyn = ingot::detail::dyn;

model_schema as_layouts_say(model_schema of) {
  for (schema_node& each : of.nodes) {
    if (each.attributes.kind == schema_kind::record)
      each.attributes.flags &= static_cast<std::uint8_t>(~static_cast<unsigned>(schema_flag::is_evolvable));
  }
  return of;
}

TEST(live_evolution, of_any_pair_reads_exactly_what_is_said_to_be_compatible) {
  std::size_t readable = 0;
  std::size_t rejected = 0;
  std::size_t values = 0;
  for (std::size_t seed = 0; seed < pairs_to_try(); ++seed) {
    dice r(static_cast<dice::result_type>(seed * 2 + 1));
    auto [old, now, should_read] = make_changed(r);
    // A layout does not say that a record is evolvable. A message contains the size of an evolvable
    // record, so such a record takes bytes even without members.
    const model_schema laid_out = as_layouts_say(old);
    const bool has_changed_well = should_read;
    should_read = should_read && !loses_elements(laid_out, now, old.root, now.root);

    const auto before = ingot::read_schema(describe(old)).value();
    const auto after = ingot::read_schema(describe(now)).value();
    const auto layout = ingot::layout_for(before);
    if (!layout) continue; // blocks don't support everything that messages do
    // For one block the layout gives the same schema, and for two blocks the same compatibility as
    // for two messages.
    const auto derived = ingot::schema_for(*layout);
    ASSERT_TRUE(derived) << seed << ": " << derived.error().message();
    if (derived->id() ==
        before.id()) { // records that differ only in annotations are two types with the same layout
      ASSERT_EQ(ingot::layout_for(*derived).value().layout_id(), layout->layout_id()) << seed;
    }
    const auto answer = ingot::compatible(*derived, after);
    ASSERT_EQ(static_cast<bool>(answer), should_read)
        << seed << '\n'
        << answer.to_text() << derived->to_text() << after.to_text();
    if (const auto target = ingot::layout_for(after)) {
      const bool should_be =
          has_changed_well && !loses_elements(laid_out, as_layouts_say(now), old.root, now.root);
      ASSERT_EQ(static_cast<bool>(ingot::compatible(*derived, ingot::schema_for(*target).value())), should_be)
          << seed;
    }
    bool reads = false;
    ingot::detail::evolution_plan plan =
        plan_of(dyn::graph_of(dyn::layout_access::tables_of(*layout)), after, now, reads);
    ASSERT_EQ(reads, should_read) << seed << '\n' << answer.to_text();
    if (!reads) {
      ++rejected;
      continue;
    }
    ++readable;
    plan.before.emplace(plan.from);
    plan.after.emplace(plan.to);
    const auto by = ingot::dynamic_schema::from(before).value();
    for (int i = 0; i < 3; ++i) {
      const value v = make_value(old, old.root, r, 5);
      const byte_vector packed = packed_writer(old).write(old.root, v);
      const auto message = ingot::dynamic_message::open_in_place(packed, by);
      ASSERT_TRUE(message) << seed << ": " << message.error().message();
      const auto block = ingot::build_block(message->root(), *layout);
      ASSERT_TRUE(block) << seed << ": " << block.error().message() << before.to_text();
      ++values;
      const auto bytes = ingot::detail::pack_evolved(plan, *block, nullptr);
      const conversion rules{old, now, false};
      const value expected = rules.convert(old.root, now.root, v);
      ASSERT_EQ(bytes.has_value(), !rules.is_lost) << seed << '\n' << answer.to_text();
      if (!bytes) continue;
      ASSERT_EQ(*bytes, packed_writer(now).write(now.root, expected))
          << seed << '\n'
          << answer.to_text() << before.to_text() << after.to_text();
    }
  }
  EXPECT_GT(readable, pairs_to_try() / 20);
  EXPECT_GT(rejected, pairs_to_try() / 50);
  EXPECT_EQ(values, 3 * readable);
  RecordProperty("readable", static_cast<int>(readable));
  RecordProperty("refused", static_cast<int>(rejected));
}

} // namespace live_evolution_pairs_test
