// SPDX-License-Identifier: Apache-2.0
// One document, edited for a long time without compaction: its value stays correct, its size stays
// in proportion, and its memory stays flat.
//
// INGOT_SOAK_EDITS in the environment is the number of edits (default: 500,000; 10^8 take some
// minutes).
#include <ingot/document/document.hpp>

#include "document/exercise.hpp"

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include <gtest/gtest.h>

namespace document_soak_test {

using namespace document_test;
using ingot::document;
using ingot::value_ref;

struct row_twin {
  std::string title;
  std::vector<std::int64_t> cells;
  std::optional<std::string> note;
};
struct ledger_twin {
  std::vector<row_twin> rows;
  std::map<std::string, std::int64_t> totals;
};

/// Maximum number of each kind of entry, so that the document has a maximum size.
constexpr std::size_t max_size = 48;

/// Returns up to 60 characters, and sometimes enough for a node of its own.
std::string text(dice& random) {
  return std::string(random() % 32 == 0 ? random() % 400 : random() % 60,
                     static_cast<char>('a' + random() % 26));
}

void edit_rows(value_ref rows, ledger_twin& twin, dice& random) {
  if (twin.rows.size() < max_size && (twin.rows.empty() || random() % 3 == 0)) {
    twin.rows.push_back({text(random), {1, 2, 3}, {}});
    auto row = rows.append(std::map<std::string, int>{});
    ASSERT_TRUE(row->set("title", twin.rows.back().title));
    ASSERT_TRUE(row->set("cells", twin.rows.back().cells));
    return;
  }
  const std::size_t at = random() % twin.rows.size();
  row_twin& t = twin.rows[at];
  value_ref row = rows[at];
  switch (random() % 7) {
  case 0:
    twin.rows.erase(twin.rows.begin() + static_cast<std::ptrdiff_t>(at));
    ASSERT_TRUE(rows.erase(at));
    break;
  case 1:
    t.title = text(random);
    ASSERT_TRUE(row.find("title").set(t.title));
    break;
  case 2:
  case 3:
    if (t.cells.size() == max_size) {
      t.cells.clear();
      ASSERT_TRUE(row.find("cells").clear());
    }
    t.cells.push_back(static_cast<std::int64_t>(random() >> random() % 64 >> 1));
    ASSERT_TRUE(row.find("cells").append(t.cells.back()));
    break;
  case 4:
    if (t.cells.empty()) break;
    t.cells.erase(t.cells.begin());
    ASSERT_TRUE(row.find("cells").erase(std::size_t{0}));
    break;
  case 5:
    t.note = text(random);
    ASSERT_TRUE(row.set("note", *t.note));
    break;
  default: ASSERT_EQ(row.erase("note"), t.note.has_value()); t.note.reset();
  }
}
void edit_totals(value_ref totals, ledger_twin& twin, dice& random) {
  const auto number = random() % (2 * max_size);
  std::string key = "key " + std::to_string(number);
  if (number % 16 == 0) key.append(40, 'k');
  if (random() % 3 == 0) {
    ASSERT_EQ(totals.erase(key), twin.totals.erase(key) != 0);
  } else {
    twin.totals[key] = static_cast<std::int64_t>(random() >> random() % 64 >> 1);
    ASSERT_TRUE(totals.set(key, twin.totals[key]));
  }
}
void expect_same(const document& doc, const ledger_twin& twin) {
  const auto rows = doc.find("rows");
  ASSERT_EQ(rows.size(), twin.rows.size());
  for (std::size_t i = 0; i < twin.rows.size(); ++i) {
    ASSERT_EQ(rows[i]["title"].as<std::string>(), twin.rows[i].title);
    ASSERT_EQ(rows[i]["cells"].as<std::vector<std::int64_t>>(), twin.rows[i].cells);
    ASSERT_EQ(rows[i].contains("note"), twin.rows[i].note.has_value());
    if (twin.rows[i].note) {
      ASSERT_EQ(rows[i]["note"].as<std::string>(), *twin.rows[i].note);
    }
  }
  using totals_type = std::map<std::string, std::int64_t>;
  ASSERT_EQ(doc.find("totals").as<totals_type>(), twin.totals);
}
/// Returns the resident pages of this program, or nothing if the system doesn't report them.
std::optional<long> resident_pages() {
  std::FILE* const file = std::fopen("/proc/self/statm", "r");
  if (file == nullptr) return {};
  long all = 0;
  long resident = 0;
  const int read = std::fscanf(file, "%ld %ld", &all, &resident);
  std::fclose(file);
  return read == 2 ? std::optional(resident) : std::nullopt;
}

TEST(document_soak, stays_right_and_in_proportion) {
  const char* const requested = std::getenv("INGOT_SOAK_EDITS");
  const std::size_t edits = requested != nullptr ? std::strtoul(requested, nullptr, 10)
                            : sampled()          ? 20'000
                                                 : 500'000;
  const std::size_t look = std::max<std::size_t>(edits / 500, 1'000);
  dice random(35);
  document doc;
  ledger_twin twin;
  doc["rows"] = std::vector<int>{};
  doc["totals"] = std::map<std::string, int>{};
  value_ref rows = doc.root().find("rows");
  value_ref totals = doc.root().find("totals");
  std::size_t largest = 0;
  double worst = 0;
  std::optional<long> pages;
  for (std::size_t i = 1; i <= edits && !HasFailure(); ++i) {
    if (random() % 3 != 0) edit_rows(rows, twin, random);
    else edit_totals(totals, twin, random);
    // A handle ends after some 2,000 moves of other values
    if (!rows.exists()) rows = doc.root().find("rows");
    if (!totals.exists()) totals = doc.root().find("totals");
    largest = std::max(largest, doc.bytes().size());
    if (i % look != 0) continue;
    SCOPED_TRACE(i);
    expect_same(doc, twin);
    const auto opened = document::open(doc.bytes());
    ASSERT_TRUE(opened.has_value()) << opened.error().message();
    const document compact(doc);
    ASSERT_TRUE(compact == doc);
    worst = std::max(worst,
                     static_cast<double>(doc.bytes().size()) / static_cast<double>(compact.bytes().size()));
    if (i == edits / 10 / look * look) pages = resident_pages();
  }
  std::printf("[  counted ] %zu edits, at most %zu bytes, %.1f times what was left after compaction\n", edits,
              largest, worst);
  EXPECT_LT(worst, 4);
  if (const auto now = resident_pages(); now && pages) {
    EXPECT_LT(*now - *pages, 1'024) << "pages of memory more than after a tenth of the edits";
  }
}

} // namespace document_soak_test
