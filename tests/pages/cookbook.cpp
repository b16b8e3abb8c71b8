// SPDX-License-Identifier: Apache-2.0
// The code of docs/cookbook.md, in one program that ends with 0 if all of it is true. Its argument
// is a folder to write to.
#include <ingot/document/document.hpp>
#include <ingot/document/peek.hpp>
#include <ingot/dynamic/build.hpp>
#include <ingot/dynamic/layout_for.hpp>
#include <ingot/file/compile.hpp>
#include <ingot/file/document_file.hpp>
#include <ingot/file/live_file.hpp>
#include <ingot/file/load.hpp>
#include <ingot/file/map_file.hpp>
#include <ingot/file/save.hpp>
#include <ingot/json/document.hpp>
#include <ingot/live/live.hpp>
#include <ingot/live/live_view.hpp>
#include <ingot/live/map.hpp>
#include <ingot/live/string.hpp>
#include <ingot/live/vector.hpp>
#include <ingot/pack/pack.hpp>
#include <ingot/pack/unpack.hpp>
#include <ingot/schema/description.hpp>

#include <array>
#include <atomic>
#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <map>
#include <span>
#include <string>
#include <vector>

#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

namespace game {

struct Item {
  std::uint32_t id = 0;
  std::uint32_t count = 0;
};
// As it was.
struct Player {
  std::string name;
  std::vector<Item> bag;
  std::map<std::string, std::uint32_t> quests;
};
// Its twin: the same members, in containers that lie in a block.
struct LivePlayer {
  ingot::string name;
  ingot::vector<Item> bag;
  ingot::map<ingot::string, std::uint32_t> quests;
};

bool migrates(const Player& old) {
  static_assert(ingot::schema_id<Player> == ingot::schema_id<LivePlayer>); // the same members

  ingot::live<LivePlayer> player(old, ingot::max_block_size{256 << 10}); // members by name
  player->bag.emplace_back(Item{8, 1}); // code that uses the members stays as it is

  auto handed = ingot::live<LivePlayer>::open(player.bytes()); // on another server: no encoding
  auto packed = ingot::pack(**handed).value();                 // the bytes of old clients,
  auto client = ingot::unpack<Player>(packed);                 // unchanged
  return client && client->bag.size() == old.bag.size() + 1;
}

} // namespace game

namespace market {

struct Level {
  std::int64_t price;
  std::uint64_t size;
};
struct Book {
  std::uint64_t sequence;
  ingot::string symbol;
  ingot::vector<Level> bids;
  ingot::vector<Level> asks;
};

// One writer, one reader. A slot belongs to the writer until `written` passes it, then to the
// reader until `read` passes it.
struct Ring {
  static constexpr std::size_t slots = 64;
  struct Slot {
    alignas(64) std::array<std::byte, 8192> memory;
    std::uint32_t from;
    std::uint32_t length;
  };
  alignas(64) std::atomic<std::uint64_t> written;
  alignas(64) std::atomic<std::uint64_t> read;
  std::array<Slot, slots> slot;
};

bool publish(Ring& ring, std::uint64_t number) {
  if (number - ring.read.load(std::memory_order_acquire) == Ring::slots) return false; // full
  auto& slot = ring.slot[number % Ring::slots];

  auto book = ingot::live<Book>::in(slot.memory); // built where it will be read
  if (!book) return false;
  (*book)->sequence = number;
  (*book)->symbol = "INGT";
  for (std::int64_t i = 0; i < 10; ++i)
    (*book)->bids.push_back({1000 - i, 5}), (*book)->asks.push_back({1001 + i, 5});

  const auto bytes = book->bytes();
  slot.from = static_cast<std::uint32_t>(bytes.data() - slot.memory.data());
  slot.length = static_cast<std::uint32_t>(bytes.size());
  ring.written.store(number + 1, std::memory_order_release);
  return true;
}

std::int64_t follow(Ring& ring, std::uint64_t number) {
  while (ring.written.load(std::memory_order_acquire) <= number) {
  }
  auto& slot = ring.slot[number % Ring::slots];
  if (slot.from > slot.memory.size() || slot.length > slot.memory.size() - slot.from) return -1;
  const ingot::bytes_view bytes(slot.memory.data() + slot.from, slot.length);

  auto book = ingot::live_view<Book>::open(bytes); // validated, in place
  const auto best =
      book && (*book)->sequence == number && !(*book)->bids.empty() ? (*book)->bids[0].price : -1;
  ring.read.store(number + 1, std::memory_order_release);
  return best;
}

bool streams() {
  void* const memory = mmap(nullptr, sizeof(Ring), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED) return false;
  auto& ring = *::new (memory) Ring{};
  constexpr std::uint64_t count = 1000;
  const pid_t writer = fork();
  if (writer < 0) return false;
  if (writer == 0) {
    for (std::uint64_t number = 0; number < count;) number += publish(ring, number) ? 1 : 0;
    _exit(0);
  }
  std::uint64_t right = 0;
  for (std::uint64_t number = 0; number < count; ++number) right += follow(ring, number) == 1000 ? 1 : 0;
  waitpid(writer, nullptr, 0);
  munmap(memory, sizeof(Ring));
  return right == count;
}

} // namespace market

namespace saves {

struct Save_v1 {
  std::string player;
  std::uint32_t gold = 0;
};
struct Save { // gold became silver, and there are places now
  std::string player;
  std::uint64_t silver = 0;
  std::vector<std::string> places;
};

} // namespace saves

template <>
inline constexpr auto ingot::annotations<saves::Save_v1> = ingot::annotate(ingot::type(ingot::version(1)));
template <>
inline constexpr auto ingot::annotations<saves::Save> = ingot::annotate(ingot::type(ingot::version(2)));
template <>
struct ingot::previous<saves::Save> {
  using type = saves::Save_v1;
  static saves::Save upgrade(saves::Save_v1&& old) { return {std::move(old.player), old.gold * 20ULL, {}}; }
};

namespace saves {

bool survives(const std::filesystem::path& file) {
  if (!ingot::save(file, Save_v1{"Ada", 3})) return false; // two years ago

  auto today = ingot::load<Save>(file); // an old file, or a new one: the same call
  if (!today) return std::puts(today.error().message().c_str()), false;
  today->places.push_back("harbour");

  // The file is then the old one or this one, never half.
  auto saved = ingot::save(file, *today, {.compress = {.method = ingot::codec::zstd}});
  auto again = ingot::load<Save>(file);
  return saved && again && again->silver == 60 && again->places.size() == 1;
}

} // namespace saves

namespace config {

struct Door {
  std::int32_t x = 0, y = 0;
};
struct Level {
  std::string name;
  std::vector<Door> doors;
};

bool builds(const std::filesystem::path& text, const std::filesystem::path& file) {
  auto done = ingot::compile<Level>(text, file);
  if (!done) return std::puts(done.error().message().c_str()), false;
  auto level = ingot::map_file<Level>(file); // in the game: ready at once
  return level && (*level)->get<"doors">().size() == 2;
}

} // namespace config

namespace router {

bool routes(std::span<std::byte> received) {
  auto message = ingot::document_peek::edit(received); // O(1); each step is checked, not all bytes
  if (!message) return false;
  const auto to = (*message)["to"].value_or(std::string_view{});
  if (to.empty()) return false; // no such field, or no document at all
  auto hops = (*message)["hops"];
  return message->set(hops, hops.value_or(0) + 1).has_value(); // in place: the bytes can be sent on
}

} // namespace router

namespace tool {

/// Returns the schema as a program with the type wrote it.
const ingot::buffer& received_schema() {
  static const ingot::buffer bytes = ingot::schema_bytes(ingot::schema_of<config::Level>());
  return bytes;
}
struct LiveDoor {
  std::int32_t x = 0, y = 0;
};
struct LiveLevel {
  ingot::string name;
  ingot::vector<LiveDoor> doors;
};

bool builds_blocks() {
  auto schema = ingot::read_schema(received_schema()); // this program does not have the type
  if (!schema) return std::puts(schema.error().message().c_str()), false;
  auto layout = ingot::layout_for(*schema); // or dynamic_layout::open, if there is a layout
  auto level = ingot::json::read_document(R"({"name": "gate", "doors": [{"x": 1, "y": 2}]})");
  if (!layout || !level) return false;

  auto block = ingot::build_block(*level, *layout, {.missing_is_error = true});
  if (!block) return std::puts(block.error().message().c_str()), false; // by its path
  auto there = ingot::live<LiveLevel>::open(block->bytes());            // a program with the type
  return there && (*there)->doors[0].y == 2;
}

} // namespace tool

int main(int count, char** arguments) {
  const std::filesystem::path folder = count > 1 ? arguments[1] : ".";
  if (!game::migrates({"Ada", {{7, 1}}, {{"bridge", 2}}})) return 1;
  if (!market::streams()) return 2;
  if (!tool::builds_blocks()) return 7;
  if (!saves::survives(folder / "page.save")) return 3;

  std::ofstream(folder / "level.json")
      << R"({"name": "gate", "doors": [{"x": 1, "y": 2}, /* new */ {"x": 3, "y": 4}]})";
  if (!config::builds(folder / "level.json", folder / "level.ingot")) return 4;

  auto sent =
      ingot::json::read_document(R"({"to": "berlin", "hops": 3, "body": {"any": ["thing"]}})").value();
  std::vector<std::byte> received(sent.bytes().begin(), sent.bytes().end());
  if (!router::routes(received)) return 5;
  const auto arrived = ingot::document::open(received);
  if (!arrived || (*arrived)["hops"].value_or(0) != 4) return 6;
  for (const char* name : {"page.save", "level.json", "level.ingot"}) std::filesystem::remove(folder / name);
  return 0;
}
