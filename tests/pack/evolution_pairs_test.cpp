// SPDX-License-Identifier: Apache-2.0
// Random pairs of schemas. The second is made from the first by changes that are known to be
// readable or known not to be. `compatible` knows which, and its answer agrees with reading, value
// by value. Runs all 100,000 pairs with INGOT_TEST_FULL, else 2,000.
#include <ingot/pack/evolution.hpp>

#include "pack/evolution_pairs.hpp"

#include <cstddef>

#include <gtest/gtest.h>

namespace evolution_pairs_test {

using namespace evolution_lab;

TEST(evolution, of_any_pair_reads_exactly_what_is_said_to_be_compatible) {
  std::size_t readable = 0;
  std::size_t rejected = 0;
  std::size_t values = 0;
  std::size_t emptied = 0;
  std::size_t lost = 0;
  for (std::size_t seed = 0; seed < pairs_to_try(); ++seed) {
    dice r(static_cast<dice::result_type>(seed * 2 + 1));
    auto [old, now, should_read] = make_changed(r);

    if (should_read && loses_elements(old, now, old.root, now.root)) {
      should_read = false;
      ++emptied;
    }

    const auto before = ingot::read_schema(describe(old));
    const auto after = ingot::read_schema(describe(now));
    ASSERT_TRUE(before.has_value() && after.has_value()) << seed;
    bool reads = false;
    ingot::detail::evolution_plan plan = plan_of(ingot::detail::graph_of(*before), *after, now, reads);
    const ingot::compatibility answer = ingot::compatible(*before, *after);
    ASSERT_EQ(reads, static_cast<bool>(answer)) << seed;
    ASSERT_EQ(reads, should_read) << seed << '\n'
                                  << answer.to_text() << before->to_text() << after->to_text();
    if (!reads) {
      ++rejected;
      continue;
    }
    ++readable;
    plan.before.emplace(plan.from);
    plan.after.emplace(plan.to);
    for (int i = 0; i < 3; ++i, ++values) {
      const value v = make_value(old, old.root, r, 5);
      const byte_vector packed = packed_writer(old).write(old.root, v);
      const byte_vector compacted = compact_writer(old).write(old.root, v);
      for (const bool is_compact : {false, true}) {
        ingot::result<byte_vector> bytes{};
        if (is_compact) {
          ingot::detail::compact_validator check(*plan.before, compacted);
          ASSERT_TRUE(check.run()) << seed << ": " << check.why().message() << before->to_text();
          bytes =
              ingot::detail::evolution_writer(plan, ingot::detail::compact_source(*plan.before, compacted))
                  .run();
        } else {
          ingot::detail::packed_validator check(*plan.before, packed);
          ASSERT_TRUE(check.run()) << seed << ": " << check.why().message() << before->to_text();
          bytes =
              ingot::detail::evolution_writer(plan, ingot::detail::packed_source(*plan.before, packed)).run();
        }
        const conversion rules{old, now, is_compact};
        const value expected = rules.convert(old.root, now.root, v);
        ASSERT_EQ(bytes.has_value(), !rules.is_lost) << seed << '\n' << answer.to_text();
        if (!bytes) {
          ++lost;
          ASSERT_FALSE(answer.reads_every_value()) << seed;
          continue;
        }
        ASSERT_EQ(*bytes, packed_writer(now).write(now.root, expected))
            << seed << (is_compact ? " compact\n" : " packed\n") << answer.to_text() << before->to_text()
            << after->to_text();
        ASSERT_EQ(packed_reader(now, *bytes).read(now.root), expected) << seed;
      }
    }
  }
  EXPECT_GT(readable, pairs_to_try() / 3);
  EXPECT_GT(rejected, pairs_to_try() / 10);
  EXPECT_GT(lost, pairs_to_try() / 100);
  if (pairs_to_try() == 100'000) {
    EXPECT_GT(emptied, 0U);
  }
  EXPECT_EQ(values, 3 * readable);
}

} // namespace evolution_pairs_test
