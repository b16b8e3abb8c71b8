// SPDX-License-Identifier: Apache-2.0
// One block, edited for a long time: its value stays correct, its size stays in proportion, and its
// memory stays flat.
//
// INGOT_SOAK_EDITS in the environment is the number of edits (default: 10^6; 10^8 take some
// minutes).
#include <ingot/live/hash_map.hpp>
#include <ingot/live/live.hpp>
#include <ingot/live/map.hpp>
#include <ingot/live/optional.hpp>
#include <ingot/live/string.hpp>
#include <ingot/live/vector.hpp>

#include "live/block_tools.hpp"
#include "live/dice.hpp"

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <map>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include <gtest/gtest.h>

namespace soak_test {

using ingot::live;
using live_test::dice;

struct row {
  ingot::string title;
  ingot::vector<std::uint32_t> cells;
  ingot::optional<ingot::string> note;
};
struct ledger {
  ingot::vector<row> rows;
  ingot::map<std::uint32_t, ingot::string> names;
  ingot::hash_map<ingot::string, std::uint64_t> totals;
};
struct row_twin {
  std::string title;
  std::vector<std::uint32_t> cells;
  std::optional<std::string> note;
};
struct ledger_twin {
  std::vector<row_twin> rows;
  std::map<std::uint32_t, std::string> names;
  std::unordered_map<std::string, std::uint64_t> totals;
};

/// Maximum number of each kind of entry, so that the block has a maximum size.
constexpr std::size_t max_size = 64;

std::string text(dice& random) { return std::string(random() % 60, static_cast<char>('a' + random() % 26)); }

void edit_rows(live<ledger>& block, ledger_twin& twin, dice& random) {
  if (twin.rows.size() < max_size && (twin.rows.empty() || random() % 3 == 0)) {
    twin.rows.push_back({text(random), {1, 2, 3}, {}});
    block->rows.emplace_back(twin.rows.back());
    return;
  }
  const std::size_t at = random() % twin.rows.size();
  row_twin& t = twin.rows[at];
  row& r = block->rows[at];
  switch (random() % 6) {
  case 0:
    twin.rows.erase(twin.rows.begin() + static_cast<std::ptrdiff_t>(at));
    block->rows.erase(block->rows.begin() + static_cast<std::ptrdiff_t>(at));
    break;
  case 1: r.title = t.title = text(random); break;
  case 2:
    if (t.cells.size() == max_size) t.cells.clear(), r.cells.clear();
    t.cells.push_back(static_cast<std::uint32_t>(random()));
    r.cells.push_back(t.cells.back());
    break;
  case 3:
    t.cells.resize(random() % max_size);
    r.cells.resize(t.cells.size());
    break;
  case 4:
    t.note = text(random);
    r.note = *t.note;
    break;
  default: t.note.reset(), r.note.reset();
  }
}
void edit_tables(live<ledger>& block, ledger_twin& twin, dice& random) {
  const auto key = static_cast<std::uint32_t>(random() % (2 * max_size));
  const std::string name = "a name of some length, " + std::to_string(key);
  switch (random() % 4) {
  case 0:
    twin.names.erase(key);
    block->names.erase(key);
    break;
  case 1:
    twin.names[key] = text(random);
    block->names[key] = twin.names[key];
    break;
  case 2:
    twin.totals.erase(name);
    block->totals.erase(name);
    break;
  default: ++twin.totals[name]; ++block->totals[name];
  }
}
bool same(const ledger& l, const ledger_twin& twin) {
  return std::ranges::equal(l.rows, twin.rows,
                            [](const row& a, const row_twin& b) {
                              return a.title == b.title && std::ranges::equal(a.cells, b.cells) &&
                                     a.note.has_value() == b.note.has_value() &&
                                     (!b.note || *a.note == *b.note);
                            }) &&
         std::ranges::equal(
             l.names, twin.names,
             [](const auto& a, const auto& b) { return a.first == b.first && a.second == b.second; }) &&
         l.totals.size() == twin.totals.size() && std::ranges::all_of(twin.totals, [&](const auto& entry) {
           const auto found = l.totals.find(entry.first);
           return found != l.totals.end() && (*found).second == entry.second;
         });
}

TEST(live_soak, a_block_edited_for_long_holds_what_it_should_in_memory_that_stays_flat) {
  const char* setting = std::getenv("INGOT_SOAK_EDITS");
  const std::uint64_t edits = setting != nullptr ? std::strtoull(setting, nullptr, 10) : 1'000'000;
  live<ledger> block;
  ledger_twin twin;
  dice random(35);
  std::size_t settled = 0; // size after the first fill
  for (std::uint64_t i = 1; i <= edits; ++i) {
    if (random() % 2 == 0) edit_rows(block, twin, random);
    else edit_tables(block, twin, random);
    if (i % 200'000 != 0) continue;
    ASSERT_TRUE(same(*block, twin)) << "after " << i;
    live_test::expect_accounted(block, block.size() / 64);
    const auto opened = live<ledger>::open(block.bytes());
    ASSERT_TRUE(opened.has_value()) << opened.error().message();
    // Freed memory is reused: the block stays near the size of its first fill, and near the size of
    // its value with capacity to grow.
    if (settled == 0) settled = block.size();
    EXPECT_LT(block.size(), settled + settled / 2) << "after " << i;
    live<ledger> compact(block);
    compact.compact();
    EXPECT_LT(2 * block.size(), 5 * compact.size()) << "after " << i;
  }
  std::printf("[  counted ] soak: %llu edits, %zu bytes in use\n", static_cast<unsigned long long>(edits),
              block.size());
}

} // namespace soak_test
