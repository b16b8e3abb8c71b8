// SPDX-License-Identifier: Apache-2.0
// Text that people edit is compiled into files that programs load, and back into text.
#include <ingot/file/compile.hpp>
#include <ingot/file/map_file.hpp>
#include <ingot/file/open_file.hpp>
#include <ingot/live/pool.hpp>

#include "file/killing.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

namespace compile_test {

using namespace file_test;
using ingot::errc;

struct enemy {
  std::string name;
  std::uint16_t hits = 1;
};
struct level {
  std::string title;
  std::vector<enemy> enemies;
};
struct live_enemy {
  ingot::string name;
  std::uint16_t hits = 1;
};
struct live_level {
  ingot::string title;
  ingot::vector<live_enemy> enemies;
};
struct linked_level {
  ingot::pool<live_enemy> enemies;
  ingot::ref<live_enemy> boss;
  ingot::vector<ingot::vector<ingot::string>> notes;
};

// clang-format off
// [page]
ingot::result<void> build() {
  auto done = ingot::compile<level>("level.json", "level.ingot");                 // packed
  if (done) done = ingot::compile<level>("level.json", "small.ingot", {.file = {.form = ingot::profile::compact}});
  if (done) done = ingot::compile<ingot::live<live_level>>("level.json", "level.live"); // a block
  if (done) done = ingot::compile("level.json", "level.doc");                     // a document
  return done;
}
ingot::result<void> edit() {
  return ingot::decompile<level>("level.ingot", "level.json"); // also from an older version
}
// [page]
// clang-format on

constexpr std::string_view text = R"({
  // the first one
  "title": "Caves, which are deep and dark and cold",
  "enemies": [
    {"name": "bat", "hits": 2},
    {"name": "rat", "hits": 3}
  ]
}
)";

void put_text(simulated_disk& disk, std::string_view what) {
  disk.put("level.json", ingot::as_bytes_view(what));
}

TEST(compile, makes_a_file_that_the_program_loads) {
  simulated_disk disk;
  put_text(disk, text);
  const auto done = ingot::compile<level>("level.json", "level.ingot", {}, disk);
  ASSERT_TRUE(done) << done.error().message();
  const auto loaded = ingot::load<level>("level.ingot", {}, disk);
  ASSERT_TRUE(loaded) << loaded.error().message();
  EXPECT_EQ(loaded->enemies.at(1).name, "rat");
  const auto seen = ingot::map_file<level>("level.ingot", {}, disk);
  ASSERT_TRUE(seen);
  EXPECT_EQ((*seen)->get<"enemies">()[0].get<"hits">(), 2U);
}

TEST(compile, makes_compact_files_blocks_and_documents) {
  simulated_disk disk;
  put_text(disk, text);
  ASSERT_TRUE(
      ingot::compile<level>("level.json", "compact", {.file = {.form = ingot::profile::compact}}, disk));
  EXPECT_EQ(ingot::peek_file("compact", disk)->kind, ingot::file_kind::compact);
  ASSERT_TRUE(ingot::compile<ingot::live<live_level>>("level.json", "live", {}, disk));
  const auto block = ingot::map_file<ingot::live_view<live_level>>("live", {}, disk);
  ASSERT_TRUE(block) << block.error().message();
  EXPECT_EQ((*block)->enemies[1].hits, 3U);
  ASSERT_TRUE(ingot::compile("level.json", "document", {}, disk));
  const auto doc = ingot::load<ingot::document>("document", {}, disk);
  ASSERT_TRUE(doc) << doc.error().message();
  EXPECT_EQ((*doc)["enemies"][1]["name"].as<std::string>().value(), "rat");
}

TEST(compile_killed, before_any_call_leaves_the_old_file_or_the_new_one) {
  byte_vector compiled;
  {
    simulated_disk disk;
    put_text(disk, text);
    ASSERT_TRUE(ingot::compile<level>("level.json", "x", {}, disk));
    compiled = disk.content("x");
  }
  const byte_vector old = file_of(ada());
  const commit one{"a text is compiled", old,
                   [](file_system& system, const std::filesystem::path& path, steps& progress) {
                     if (ingot::compile<level>(path.parent_path() / "level.json", path, {}, system))
                       progress.done = 1;
                   },
                   [&](const byte_vector& left, const steps& progress) {
                     return left == compiled || (progress.done == 0 && left == old);
                   },
                   1};
  std::size_t kills = 0;
  kill_everywhere(one, kills, [](const std::filesystem::path& folder) {
    write_file(folder / "level.json", ingot::as_bytes_view(text));
  });
  EXPECT_GE(kills, 12U);
}

TEST(compile, of_the_same_text_gives_the_same_bytes) {
  simulated_disk disk;
  put_text(disk, text);
  const auto twice = [&](auto&& compile) {
    EXPECT_TRUE(compile("a") && compile("b"));
    EXPECT_EQ(disk.content("a"), disk.content("b"));
  };
  twice([&](const char* to) { return ingot::compile<level>("level.json", to, {}, disk); });
  twice([&](const char* to) { return ingot::compile<ingot::live<live_level>>("level.json", to, {}, disk); });
  twice([&](const char* to) { return ingot::compile("level.json", to, {}, disk); });
}

TEST(compile, names_file_line_column_and_member_of_what_is_wrong) {
  simulated_disk disk;
  const auto fails = [&](std::string_view wrong) {
    put_text(disk, wrong);
    disk.put("level.ingot", ingot::as_bytes_view(std::string_view("what was there")));
    const auto typed = ingot::compile<level>("level.json", "level.ingot", {}, disk);
    EXPECT_FALSE(typed);
    const auto live = ingot::compile<ingot::live<live_level>>("level.json", "level.ingot", {}, disk);
    EXPECT_FALSE(live);
    EXPECT_EQ(disk.content("level.ingot").size(), 14U) << "nothing is half done";
    return std::pair(typed.error(), live.error());
  };
  const auto [typed, live] =
      fails("{\"title\": \"\",\n \"enemies\": [{\"name\": \"bat\",\n  \"hits\": 70000}]}");
  for (const auto& why : {typed, live}) {
    EXPECT_EQ(why.code(), errc::out_of_range) << why.message();
    for (const char* part : {"[level.json].enemies[0].hits", "line 3", "column 11"})
      EXPECT_NE(why.message().find(part), std::string::npos) << why.message();
  }
  EXPECT_EQ(fails("{]").first.code(), errc::syntax);
  put_text(disk, "[1, 2");
  const auto untyped = ingot::compile("level.json", "level.ingot", {}, disk);
  ASSERT_FALSE(untyped);
  EXPECT_NE(untyped.error().message().find("level.json"), std::string::npos) << untyped.error().message();
}

// Cancelled after each number of calls, until a call is not cancelled.
template <class Call>
void stop_everywhere(std::size_t min_calls, std::string_view where, Call&& call) {
  for (std::size_t stop_at = 0;; ++stop_at) {
    std::vector<std::pair<std::uint64_t, std::uint64_t>> calls;
    auto listen = [&](std::uint64_t done, std::uint64_t total) {
      calls.emplace_back(done, total);
      return calls.size() <= stop_at;
    };
    const auto done = call(ingot::progress_ref(listen));
    EXPECT_TRUE(std::ranges::is_sorted(calls));
    if (done) {
      EXPECT_GE(calls.size(), min_calls);
      EXPECT_EQ(calls.back().first, calls.back().second);
      return;
    }
    EXPECT_EQ(done.error().code(), errc::cancelled) << done.error().message();
    EXPECT_EQ(done.error().path(), where);
    EXPECT_EQ(calls.size(), stop_at + 1);
  }
}
TEST(compile, tells_how_far_it_is_and_can_be_stopped) {
  simulated_disk disk;
  std::string much = R"({"title": ")" + std::string(700'000, 'x') + R"(", "enemies": []})";
  put_text(disk, much);
  stop_everywhere(4, "[level.json]", [&](ingot::progress_ref progress) {
    const auto done = ingot::compile<level>("level.json", "out", {.progress = progress}, disk);
    EXPECT_EQ(disk.names().size(), done ? 2U : 1U);
    return done;
  });
  const auto before = disk.content("level.json");
  const auto decompiled = [&]<class T>(ingot::progress_ref reading, ingot::progress_ref writing) {
    const auto done =
        ingot::decompile<T>("out", "level.json", {.file = {.progress = reading}, .progress = writing}, disk);
    EXPECT_TRUE(done || disk.content("level.json") == before);
    EXPECT_EQ(disk.open_files(), 0U);
    return done;
  };
  // A file that is read without its type reports progress, too.
  stop_everywhere(3, "[out]", [&](ingot::progress_ref p) { return decompiled.operator()<level>(p, {}); });
  disk.put("level.json", before);
  stop_everywhere(3, "[out]",
                  [&](ingot::progress_ref p) { return decompiled.operator()<ingot::document>(p, {}); });
  disk.put("level.json", before);
  stop_everywhere(3, "[level.json]",
                  [&](ingot::progress_ref p) { return decompiled.operator()<level>({}, p); });
}

TEST(compile, takes_no_memory_for_texts_beyond_the_limit_and_no_folders) {
  simulated_disk disk;
  put_text(disk, text);
  const auto large = ingot::compile<level>("level.json", "x", {.max_bytes = text.size() - 1}, disk);
  ASSERT_FALSE(large);
  EXPECT_EQ(large.error().code(), errc::too_large);
  EXPECT_TRUE(ingot::compile<level>("level.json", "x", {.max_bytes = text.size()}, disk));
  const auto missing = ingot::compile<level>("missing.json", "x", {}, disk);
  ASSERT_FALSE(missing);
  EXPECT_EQ(missing.error().code(), errc::io);
  EXPECT_EQ(disk.open_files(), 0U);
}

TEST(decompile, gives_a_text_that_compiles_to_the_same_file) {
  simulated_disk disk;
  put_text(disk, text);
  ASSERT_TRUE(ingot::compile<level>("level.json", "a", {}, disk));
  ASSERT_TRUE(ingot::decompile<level>("a", "level.json", {}, disk));
  ASSERT_TRUE(ingot::compile<level>("level.json", "b", {}, disk));
  EXPECT_EQ(disk.content("a"), disk.content("b"));
  EXPECT_EQ(disk.content("level.json").back(), std::byte{'\n'});

  ASSERT_TRUE(ingot::compile<ingot::live<live_level>>("level.json", "a", {}, disk));
  const auto block = ingot::decompile<ingot::live<live_level>>("a", {.text = {}}, disk);
  ASSERT_TRUE(block) << block.error().message();
  EXPECT_NE(block->find(R"({"name":"rat","hits":3})"), std::string::npos) << *block;
}

TEST(decompile, needs_no_type_where_the_file_describes_it) {
  simulated_disk disk;
  put_text(disk, text);
  ASSERT_TRUE(ingot::compile<level>("level.json", "packed", {}, disk));
  ASSERT_TRUE(
      ingot::compile<level>("level.json", "compact", {.file = {.form = ingot::profile::compact}}, disk));
  ASSERT_TRUE(ingot::compile<ingot::live<live_level>>("level.json", "live", {}, disk));
  ASSERT_TRUE(ingot::compile("level.json", "document", {}, disk));
  for (const char* name : {"packed", "compact", "live", "document"}) {
    ASSERT_TRUE(ingot::decompile(name, "level.json", {}, disk)) << name;
    const auto back = ingot::compile<level>("level.json", "again", {}, disk);
    ASSERT_TRUE(back) << name << ": " << back.error().message();
    EXPECT_EQ(disk.content("again"), disk.content("packed")) << name;
  }
  put_text(disk, text);
  ASSERT_TRUE(ingot::compile<level>("level.json", "alone", {.file = {.schema = false}}, disk));
  const auto alone = ingot::decompile("alone", {}, disk);
  ASSERT_FALSE(alone);
  EXPECT_EQ(alone.error().code(), errc::schema_mismatch) << "it can't be read without its type";
}

TEST(decompile, of_any_damaged_file_is_an_error_or_harmless) {
  simulated_disk disk;
  put_text(disk, text);
  ASSERT_TRUE(ingot::compile<level>("level.json", "packed", {}, disk));
  ASSERT_TRUE(
      ingot::compile<level>("level.json", "compact", {.file = {.form = ingot::profile::compact}}, disk));
  ASSERT_TRUE(ingot::compile<ingot::live<live_level>>("level.json", "live", {}, disk));
  for (const char* name : {"packed", "compact", "live"}) {
    byte_vector bytes = disk.content(name);
    for (std::size_t i = 0; i < bytes.size(); ++i) {
      bytes[i] ^= std::byte{2};
      disk.put("x", bytes);
      EXPECT_FALSE(ingot::decompile("x", {}, disk)) << name << ' ' << i;
      static_cast<void>(ingot::decompile("x", {.file = {.checksum = false}}, disk));
      bytes[i] ^= std::byte{2};
    }
  }
}

TEST(compile_page, shows_what_is_compiled_here_and_does_it) {
  const auto text_of = [](const char* name) {
    std::ifstream file(INGOT_SOURCE_DIR "/" + std::string(name));
    return std::string(std::istreambuf_iterator<char>(file), {});
  };
  const std::string source = text_of("tests/file/compile_test.cpp");
  constexpr std::string_view mark = "\n// [page]\n";
  const std::size_t begin = source.find(mark) + mark.size();
  const std::string example = source.substr(begin, source.find(mark, begin) - begin);
  EXPECT_NE(text_of("docs/compile.md").find("\n" + example + "\n```"), std::string::npos) << example;

  const scratch_folder folder;
  const std::filesystem::path before = std::filesystem::current_path();
  std::filesystem::current_path(folder.path());
  std::ofstream("level.json") << text;
  const auto built = build();
  EXPECT_TRUE(built) << built.error().message();
  EXPECT_TRUE(edit());
  EXPECT_TRUE(ingot::map_file<level>("level.ingot") && ingot::load<ingot::document>("level.doc"));
  std::filesystem::current_path(before);
}

TEST(open_file, sees_a_file_that_is_in_memory) {
  simulated_disk disk;
  put_text(disk, text);
  ASSERT_TRUE(ingot::compile<level>("level.json", "packed", {}, disk));
  ASSERT_TRUE(ingot::compile<ingot::live<live_level>>("level.json", "live", {}, disk));
  const byte_vector& packed = disk.content("packed");
  const auto seen = ingot::open_file<level>(packed, {.checksum = true});
  ASSERT_TRUE(seen) << seen.error().message();
  EXPECT_EQ((*seen)->get<"enemies">()[1].get<"name">(), "rat");
  EXPECT_EQ((**seen).get<"enemies">().size(), 2U);
  EXPECT_EQ((*ingot::open_file_unchecked<level>(packed))->get<"enemies">().size(), 2U);
  EXPECT_EQ(ingot::unpack<level>(seen->payload())->enemies.size(), 2U);
  const byte_vector& live = disk.content("live"); // at a multiple of 16, as all allocated memory
  const auto block = ingot::open_file<ingot::live_view<live_level>>(live);
  ASSERT_TRUE(block) << block.error().message();
  EXPECT_EQ((*block)->enemies[0].name, "bat");
  const auto other = ingot::open_file<enemy>(packed);
  ASSERT_FALSE(other);
  EXPECT_EQ(other.error().code(), errc::schema_mismatch);
  EXPECT_EQ(ingot::open_file<level>(live).error().code(), errc::schema_mismatch);
}

TEST(open_file, says_of_a_compressed_file_that_it_is_for_loading) {
  simulated_disk disk;
  level large;
  large.title = std::string(10'000, 'x');
  const auto saved =
      ingot::save("packed", large, {.compress = {.method = ingot::codec::lz4, .level = 1}}, disk);
  if (!saved && saved.error().code() == errc::unsupported) GTEST_SKIP() << saved.error().message();
  ASSERT_TRUE(saved) << saved.error().message();
  const auto seen = ingot::open_file<level>(disk.content("packed"));
  ASSERT_FALSE(seen);
  EXPECT_EQ(seen.error().code(), errc::unsupported);
}

TEST(open_file, rejects_what_was_cut_off_or_damaged) {
  simulated_disk disk;
  for (const bool schema : {true, false}) {
    put_text(disk, text);
    ASSERT_TRUE(ingot::compile<level>("level.json", "packed", {.file = {.schema = schema}}, disk));
    byte_vector bytes = disk.content("packed");
    for (std::size_t i = 0; i < bytes.size(); ++i)
      EXPECT_FALSE(ingot::open_file<level>(ingot::bytes_view(bytes).first(i))) << i;
    for (std::size_t i = 0; i < bytes.size(); ++i) {
      bytes[i] ^= std::byte{4};
      EXPECT_FALSE(ingot::open_file<level>(bytes, {.checksum = true})) << i;
      static_cast<void>(ingot::open_file<level>(bytes));
      bytes[i] ^= std::byte{4};
    }
    bytes.push_back({});
    EXPECT_FALSE(ingot::open_file<level>(bytes));
  }
}

TEST(compile, pools_keep_their_links_or_are_not_written) {
  simulated_disk disk;
  put_text(disk, R"({"enemies": [{"name": "bat", "hits": 2}, {"name": "rat", "hits": 3}], "notes": [],
                     "boss": {"index": 1, "generation": 1}})");
  ASSERT_TRUE(ingot::compile<ingot::live<linked_level>>("level.json", "live", {}, disk));
  auto block = ingot::load<ingot::live<linked_level>>("live", {}, disk);
  ASSERT_TRUE(block) << block.error().message();
  ASSERT_NE((*block)->enemies.get((*block)->boss), nullptr);
  EXPECT_EQ((*block)->enemies.get((*block)->boss)->name, "rat");
  const auto again = ingot::decompile<ingot::live<linked_level>>("live", {}, disk);
  ASSERT_TRUE(again);
  put_text(disk, *again);
  ASSERT_TRUE(ingot::compile<ingot::live<linked_level>>("level.json", "same", {}, disk));
  EXPECT_EQ(disk.content("same"), disk.content("live"));

  // if it were read from text, the other enemy would take the position of the erased one
  (*block)->enemies.erase((*block)->enemies.begin());
  ASSERT_TRUE(ingot::save("erased", *block, {}, disk));
  const auto erased = ingot::decompile<ingot::live<linked_level>>("erased", {}, disk);
  ASSERT_FALSE(erased);
  EXPECT_NE(erased.error().message().find("enemies"), std::string::npos) << erased.error().message();
}

// also if the reader can't detect a full block
TEST(compile, a_text_may_become_a_block_of_many_times_its_size) {
  std::string many = R"({"enemies": [], "boss": {"index": 0, "generation": 0}, "notes": [["",""])";
  for (int i = 0; i < 30'000; ++i) many += ",[\"\",\"\"]";
  simulated_disk disk;
  put_text(disk, many + "]}");
  EXPECT_TRUE(ingot::compile<ingot::live<linked_level>>("level.json", "live", {}, disk));
}

} // namespace compile_test
