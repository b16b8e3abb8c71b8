// SPDX-License-Identifier: Apache-2.0
// The code of docs/file.md and docs/loading.md; scripts/check_pages.py compares the pages with it.
#include <ingot/file/bulk_vector.hpp>
#include <ingot/file/compression.hpp>
#include <ingot/file/document_file.hpp>
#include <ingot/file/edit_file.hpp>
#include <ingot/file/live_file.hpp>
#include <ingot/file/load.hpp>
#include <ingot/file/log_reader.hpp>
#include <ingot/file/log_writer.hpp>
#include <ingot/file/map_file.hpp>
#include <ingot/file/recover.hpp>
#include <ingot/file/save.hpp>

#include "file/file_tools.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace page_test {

using file_test::scratch_folder;

struct Hero {
  std::string name;
};
struct Player {
  ingot::string name;
};
struct World {
  ingot::vector<Player> players;
};
struct Tick {
  std::uint32_t time;
  float price;
};
struct Event {
  int number = 0;
  std::string text;
};

/// The current folder, meanwhile.
class visit {
public:
  explicit visit(const std::filesystem::path& folder) : before_(std::filesystem::current_path()) {
    std::filesystem::current_path(folder);
  }
  visit(const visit&) = delete;
  visit& operator=(const visit&) = delete;
  ~visit() { std::filesystem::current_path(before_); }

private:
  std::filesystem::path before_;
};

void complain(const std::string& message) { ADD_FAILURE() << message; }

TEST(page_of_files, shows_saving_loading_and_mapping) {
  const scratch_folder folder;
  const visit here(folder.path());
  const Hero hero{"Ada"};
  ingot::live<World> world;
  for (int i = 0; i < 4; ++i) world->players.emplace_back().name = "player";
  ingot::document doc;
  const std::vector<Hero> heroes(100, hero);

  auto saved = ingot::save("hero.ingot", hero); // packed: can be mapped
  if (!saved) return complain(saved.error().message());
  saved = ingot::save("small.ingot", hero, {.form = ingot::profile::compact}); // smaller
  saved = ingot::save("world.ingot", world); // a live<World>, as it lies in memory
  saved = ingot::save("doc.ingot", doc);     // a document
  saved = ingot::save("tiny.ingot", hero, {.compress = {.method = ingot::codec::zstd}});
  saved = ingot::save("heroes.ingot", heroes, {.compress = {.method = ingot::codec::lz4}, .columns = true});

  auto hero_again = ingot::load<Hero>("hero.ingot");                 // result<Hero>
  auto world_again = ingot::load<ingot::live<World>>("world.ingot"); // can grow
  auto doc_again = ingot::load<ingot::document>("doc.ingot");

  auto seen = ingot::map_file<Hero>("hero.ingot"); // any field in O(1): (*seen)->get<"name">()
  auto globe = ingot::map_file<ingot::live_view<World>>("world.ingot"); // (*globe)->players[3].name
  auto draft = ingot::map_file<ingot::live<World>>("world.ingot");      // can be changed

  EXPECT_TRUE(saved.has_value() && ingot::load<Hero>("tiny.ingot") &&
              ingot::load<std::vector<Hero>>("heroes.ingot"));
  ASSERT_TRUE(hero_again && world_again && doc_again && seen && globe && draft);
  EXPECT_EQ((*seen)->get<"name">(), "Ada");
  EXPECT_EQ((*globe)->players[3].name, "player");
  EXPECT_EQ(ingot::load<Hero>("doc.ingot").error().message(),
            "other type at byte 5 ([doc.ingot]): expected a packed value (documents are read only for types "
            "that set `loads_documents`), found a document; read it as the type that wrote it, in the form "
            "that it has");
}

TEST(page_of_files, shows_what_is_left_of_a_damaged_file) {
  const scratch_folder folder;
  const visit here(folder.path());
  ASSERT_TRUE(ingot::save("ticks.ingot", std::vector<Tick>(10'000, {1, 2})));
  auto file = file_test::read_file("ticks.ingot");
  file[30'000] ^= std::byte{1};
  file_test::write_file("ticks.ingot", file);
  std::vector<std::pair<std::uint64_t, std::uint64_t>> warnings;
  const auto warn = [&](std::uint64_t offset, std::uint64_t size) { warnings.emplace_back(offset, size); };

  ingot::damage_report lost;
  auto ticks = ingot::load<std::vector<Tick>>("ticks.ingot", {.zero_damaged = &lost});
  for (const auto& range : lost.ranges()) warn(range.offset, range.size); // in the payload
  ASSERT_TRUE(ticks.has_value()) << ticks.error().message();
  EXPECT_EQ(warnings, (std::vector{std::pair<std::uint64_t, std::uint64_t>{16'384, 16'384}}));
  EXPECT_EQ(std::ranges::count(*ticks, 0U, &Tick::time), 16'384 / 8);
}

TEST(page_of_files, shows_vectors_in_large_pages) {
  const scratch_folder folder;
  const visit here(folder.path());
  ASSERT_TRUE(ingot::save("ticks.ingot", std::vector<Tick>(400'000, Tick{1700000000, 99.25})));
  auto ticks = ingot::load<ingot::bulk_vector<Tick>>("ticks.ingot"); // saved as any vector of them
  if (!ticks) return complain(ticks.error().message());
  ticks->push_back({1700000060, 99.5}); // a vector as others are
  EXPECT_EQ(ticks->size(), 400'001u);
  EXPECT_EQ(ticks->front().price + ticks->back().price, 198.75F);

  ASSERT_TRUE(ingot::save("monday.ingot", std::vector<Tick>(400'000, Tick{1700000000, 99.25})));
  ASSERT_TRUE(ingot::save("tuesday.ingot", std::vector<Tick>(300'000, Tick{1700086400, 99.75})));
  ingot::bulk_vector<Tick> day;
  for (const auto* path : {"monday.ingot", "tuesday.ingot"}) { // into the same memory
    auto loaded = ingot::load_into(day, path);
    if (!loaded) return complain(loaded.error().message());
  }
  EXPECT_EQ(day.size(), 300'000u);
}

TEST(page_of_files, shows_files_that_are_edited_where_they_are) {
  const scratch_folder folder;
  const visit here(folder.path());
  auto file = ingot::create_edited_file<ingot::live<World>>("world.edit"); // or from a block
  if (!file) return complain(file.error().message());
  (*file)->players.emplace_back().name = "Ada"; // in the file, as soon as the system writes it
  auto closed = file->close();                  // as the destructor does, but returns errors

  file = ingot::edit_file<ingot::live<World>>("world.edit"); // validates; edit_file_unchecked: O(1)
  if (!file) return complain(file.error().message());
  (*file)->players[0].name = "Grace";
  auto saved = ingot::save("world.ingot", **file); // an ordinary file, complete, with a checksum
  EXPECT_TRUE(closed);
  ASSERT_TRUE(saved);
  EXPECT_EQ((*ingot::load<ingot::live<World>>("world.ingot"))->players[0].name, "Grace");
}

TEST(page_of_files, shows_compression_of_messages) {
  const Hero hero{std::string(1'000, 'A')};
  std::vector<std::byte> to(2'000);

  using Heroes = std::vector<Hero>;
  const Heroes heroes(100, hero);

  auto small = ingot::compress(*ingot::pack(hero), {.method = ingot::codec::lz4});
  if (!small) return complain(small.error().message());
  auto bytes = ingot::decompress(*small, 1 << 20);  // at most a mebibyte, else no memory is taken
  auto filled = ingot::decompress_into(to, *small); // into memory of the caller; returns the size

  auto split = ingot::compress(*ingot::pack(heroes), {.method = ingot::codec::lz4},
                               {.schema = ingot::schema_bytes<Heroes>()}); // by columns

  EXPECT_LT(small->size(), 100u);
  ASSERT_TRUE(bytes && filled);
  EXPECT_EQ(*bytes, *ingot::pack(hero));
  EXPECT_EQ(*filled, bytes->size());
  ASSERT_TRUE(split.has_value());
  EXPECT_EQ(*ingot::decompress(*split, 1 << 20), *ingot::pack(heroes));
}

TEST(page_of_files, shows_progress) {
  const scratch_folder folder;
  const visit here(folder.path());
  struct {
    std::vector<std::uint64_t> ends;
    bool show(std::uint64_t done, std::uint64_t total) {
      if (ends.empty() || ends.back() != total) ends.push_back(total);
      return done <= total;
    }
  } bar;
  ingot::live<World> world;
  ingot::result<void> saved;
  ingot::result<ingot::live<World>> world_again;

  auto progress = [&](std::uint64_t done, std::uint64_t total) { return bar.show(done, total); };
  saved = ingot::save("world.ingot", world, {.progress = progress});
  world_again = ingot::load<ingot::live<World>>("world.ingot", {.progress = progress});

  // A block counts as it is read, and once more as it is validated.
  EXPECT_EQ(bar.ends, (std::vector<std::uint64_t>{std::filesystem::file_size("world.ingot"),
                                                  2 * world.bytes().size()}));

  EXPECT_TRUE(saved && world_again);
}

TEST(page_of_files, shows_logs) {
  const scratch_folder folder;
  const visit here(folder.path());
  std::vector<std::string> used;
  const auto use = [&](const Event& event) { used.push_back(event.text); };

  auto log = ingot::log_writer<Event>::open("events.log"); // created if it does not exist
  if (!log) return complain(log.error().message());
  auto done = log->append(Event{7, "started"}); // completely, or not at all
  done = log->sync();                           // from here on it survives a power cut

  auto reader = ingot::log_reader<Event>::open("events.log");
  if (!reader) return complain(reader.error().message());
  for (Event event; reader->next(event).value_or(false);) use(event);

  auto found = ingot::recover("events.log"); // records, valid bytes, lost bytes, and the reason

  EXPECT_TRUE(done.has_value());
  EXPECT_EQ(used, std::vector<std::string>{"started"});
  EXPECT_EQ(found->records, 1u);
}

} // namespace page_test
