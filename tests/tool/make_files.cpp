// SPDX-License-Identifier: Apache-2.0
// Writes the files for the tests of the tool into a folder. The tool has no C++ type for them.
#include <ingot/document/archive.hpp>
#include <ingot/document/cbor.hpp>
#include <ingot/document/live_value.hpp>
#include <ingot/document/msgpack.hpp>
#include <ingot/file/detail/input_file.hpp>
#include <ingot/file/detail/replace_file.hpp>
#include <ingot/file/document_file.hpp>
#include <ingot/file/edit_file.hpp>
#include <ingot/file/live_file.hpp>
#include <ingot/file/log_writer.hpp>
#include <ingot/file/save.hpp>
#include <ingot/json/document.hpp>
#include <ingot/live/live.hpp>
#include <ingot/live/map.hpp>
#include <ingot/live/optional.hpp>
#include <ingot/live/string.hpp>
#include <ingot/live/variant.hpp>
#include <ingot/live/vector.hpp>

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace tool_test {

enum class Mood : std::uint8_t { calm, angry };
struct Item {
  std::uint32_t id = 0;
  std::uint32_t count = 0;
};
enum class Rights : std::uint8_t { read = 1, write = 2, run = 4 };
constexpr Rights operator|(Rights a, Rights b) {
  return static_cast<Rights>(static_cast<unsigned>(a) | static_cast<unsigned>(b));
}
struct Door {
  Rights rights{};
  std::vector<Rights> guests;
};
struct Equip {
  Item item;
  std::uint32_t level = 0;
  ingot::vector<float> attributes;
};
struct Character {
  std::uint64_t id = 0;
  ingot::string name;
  Mood mood = Mood::calm;
  float position[3] = {};
  ingot::vector<Equip> equips;
  ingot::map<std::uint64_t, Item> items;
  ingot::map<ingot::string, std::int32_t> scores;
  ingot::optional<double> speed;
  ingot::optional<std::int16_t> mount;
  ingot::variant<std::int32_t, ingot::string> note;
};

/// The value of a packed file.
struct Hero {
  std::uint32_t id = 0;
  std::string name;
  std::vector<std::uint16_t> levels;
};
struct Price {
  std::uint32_t amount = 0;
  std::string currency;
};
struct Rich {
  std::map<std::uint32_t, std::uint32_t> stock;
  std::map<std::string, Price> prices;
  std::optional<std::int32_t> maybe;
  std::variant<std::string, std::int32_t> either;
};
/// Alternatives with names, in two orders.
struct Deposit {
  std::int64_t cents = 0;
};
struct Withdrawal {
  std::int64_t cents = 0;
};
using Ledger = std::vector<std::variant<Deposit, Withdrawal, std::string>>;
using Swapped = std::vector<std::variant<Withdrawal, Deposit, std::string>>;
/// Has values of any kind, in a packed file and in a block.
struct Visit {
  std::chrono::sys_time<std::chrono::nanoseconds> at;
  std::chrono::milliseconds took{};
};
struct Note {
  std::uint32_t id = 0;
  ingot::document extra;
  std::vector<ingot::document> more;
};
struct LiveNote {
  std::uint32_t id = 0;
  ingot::live_value extra;
  ingot::vector<ingot::live_value> more;
};
struct Event {
  std::uint32_t number = 0;
  std::string text;
};

void fill(ingot::live<Character>& hero) {
  hero->id = 7;
  hero->name = "Ada of the \x1b[31mred\x1b[0m house";
  hero->mood = Mood::angry;
  hero->position[0] = 1.5F;
  hero->position[2] = -2.0F;
  for (std::uint32_t i = 0; i < 3; ++i) {
    auto& equip = hero->equips.emplace_back();
    equip.item.id = 8056 + i;
    equip.item.count = 1;
    equip.level = 10 * i;
    for (std::uint32_t k = 0; k < i; ++k) equip.attributes.push_back(0.5F + static_cast<float>(k));
  }
  hero->items.emplace(std::uint64_t{0xda4c}, Item{1, 2});
  hero->items.emplace(std::uint64_t{12}, Item{3, 4});
  hero->scores.emplace("chess", 9);
  hero->scores.emplace("a \"go\".", -3);
  hero->speed = 2.25;
  hero->note.emplace<1>("takes care");
}

constexpr const char* order = R"({
  "id": 7, "price": 3.25, "paid": true, "shipped": null, "large": 18446744073709551615,
  "customer": {"name": "Gr\u00e4fin \u202egnihton", "street/no": "a.b[c]", "~": 1},
  "fills": [100, 250], "lines": [{"sku": "a1", "n": 2}, {"sku": "b2", "n": 1}]
})";

[[nodiscard]] bool write(const std::filesystem::path& to, ingot::bytes_view bytes) {
  std::ofstream out(to, std::ios::binary);
  out.write(reinterpret_cast<const char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
  return out.good();
}

/// Writes an archive of 70 objects that share two keys of 400,000 bytes with the same beginning.
bool write_shared_keys(const std::filesystem::path& to) {
  ingot::document large(ingot::max_block_size{std::size_t{1} << 26});
  const std::string key(400'000, 'k');
  const std::string other = key + "2";
  large = std::vector<int>{};
  for (int i = 0; i < 70; ++i) {
    auto each = large.root().append(nullptr);
    if (!each || !each->set(key, i) || !each->set(other, "x") || !each->set("id", i)) return false;
  }
  const auto archived = ingot::archive(large);
  return archived && write(to, *archived);
}

/// Writes a file as a program leaves it that ended while it edited the file: the length in the
/// value's own header is out of date, and bytes follow the value.
[[nodiscard]] bool leave(const std::filesystem::path& from, const std::filesystem::path& to,
                         std::size_t length_at) {
  std::ifstream in(from, std::ios::binary);
  std::vector<char> bytes{std::istreambuf_iterator<char>(in), {}};
  auto* const start = reinterpret_cast<std::byte*>(bytes.data());
  auto header = ingot::detail::read_header({start, 64}, bytes.size());
  if (!header) return false;
  header->info.closed = false;
  ingot::detail::write_header(*header, start);
  bytes[static_cast<std::size_t>(header->payload_at()) + length_at] = 0x40;
  bytes[static_cast<std::size_t>(header->payload_at()) + length_at + 1] = 0;
  bytes.resize(bytes.size() + 10'000);
  return write(to, std::as_bytes(std::span(bytes)));
}

/// Returns true if everything was written.
[[nodiscard]] bool make(const std::filesystem::path& folder) {
  ingot::live<Character> hero;
  fill(hero);
  const auto doc = ingot::json::read_document(order);
  if (!doc) return false;
  const Hero pressed{3, std::string(2000, 'a'), {}};
  const Hero packed{3, "Bob", {1, 2, 3}};
  const ingot::save_options by_columns{.compress = {.method = ingot::codec::lz4}, .columns = true};
  const Rich rich{{{7, 1}, {9, 2}}, {{"a", {1, "EUR"}}, {"b", {2, "USD"}}}, {}, 4};
  const Door door{Rights::read | Rights::run, {Rights::write, Rights{}, Rights{7}}};
  bool done = ingot::save(folder / "hero.ingot", hero).has_value() &&
              ingot::save(folder / "bare.ingot", hero, {.schema = false}).has_value() &&
              ingot::save(folder / "order.ingot", *doc).has_value() &&
              ingot::save(folder / "rich.ingot", rich).has_value() &&
              ingot::save(folder / "ledger.ingot", Ledger{Deposit{5}, Withdrawal{7}, "note"}).has_value() &&
              ingot::save(folder / "swapped.ingot", Swapped()).has_value() &&
              ingot::save(folder / "pressed.ingot", pressed, {.compress = {.method = ingot::codec::zstd}})
                  .has_value() &&
              ingot::save(folder / "packed.ingot", packed).has_value() &&
              ingot::save(folder / "visit.ingot", Visit{}).has_value() &&
              ingot::save(folder / "door.ingot", door).has_value() &&
              ingot::save(folder / "columns.ingot", std::vector<Hero>(500, packed), by_columns).has_value() &&
              ingot::save(folder / "compact.ingot", packed, {.form = ingot::profile::compact}).has_value();
  Note note{.id = 5, .extra = {}, .more = {}};
  note.extra["price"] = 3.5;
  note.extra["tags"] = std::vector<std::string>{"new", "blue"};
  note.more.emplace_back() = 4;
  note.more.emplace_back() = "text";
  ingot::live<LiveNote> live_note;
  live_note->id = note.id;
  live_note->extra = note.extra;
  for (const ingot::document& each : note.more) live_note->more.emplace_back() = each;
  done = done && ingot::save(folder / "note.ingot", note).has_value() &&
         ingot::save(folder / "livenote.ingot", live_note).has_value();
  ingot::document worn = *doc; // with free bytes in place of a text
  worn["note"] = std::string(200, 'x');
  worn["tail"] = "after it.";
  worn["note"] = "short";
  done = done && ingot::save(folder / "worn.ingot", worn).has_value();
  done = done && ingot::create_edited_file(folder / "order.edit", *doc).has_value() &&
         ingot::create_edited_file(folder / "hero.edit", hero).has_value() &&
         leave(folder / "order.edit", folder / "left_order.edit", 8) &&
         leave(folder / "hero.edit", folder / "left_hero.edit", 24);
  ingot::document brief; // shorter than the header of a block
  brief["id"] = 7;
  done = done && ingot::create_edited_file(folder / "brief.edit", brief).has_value() &&
         leave(folder / "brief.edit", folder / "left_brief.edit", 8);
  ingot::file_info info; // with a description that is longer than the tool accepts
  info.schema = ingot::schema_form::portable;
  info.schema_id = 1;
  std::vector<std::byte> endless((std::size_t{1} << 18) + 1);
  endless[8] = std::byte{1}; // the fingerprint, equal to the header's
  done = done && ingot::detail::save_payload(ingot::system_files(), folder / "endless.ingot", info, {},
                                             endless, ingot::detail::replacing::fast)
                     .has_value();
  const auto json = ingot::json::write(*doc);
  const auto archived = ingot::archive(*doc);
  const auto msgpack = ingot::msgpack::write(*doc);
  const auto cbor = ingot::cbor::write(*doc);
  if (!json || !archived || !msgpack || !cbor) return false;
  done = done && write(folder / "order.json", std::as_bytes(std::span(*json))) &&
         write(folder / "order.inga", *archived) && write_shared_keys(folder / "shared.inga") &&
         write(folder / "order.msgpack", *msgpack) && write(folder / "order.cbor", *cbor) &&
         write(folder / "order.bytes", doc->bytes());
  auto log = ingot::log_writer<Event>::open(folder / "events.log");
  if (!log) return false;
  for (std::uint32_t i = 0; i < 3; ++i) done = done && log->append({i, "event"}).has_value();
  return done;
}

// Files with one exchanged part and correct checksums.

struct parts {
  ingot::file_info info;
  ingot::buffer payload;
  ingot::buffer schema;
};
[[nodiscard]] ingot::result<parts> take_apart(const std::filesystem::path& from) {
  const auto file = ingot::detail::input_file::open(ingot::system_files(), from);
  if (!file) return ingot::fail(file.error());
  parts found;
  found.info = file->header().info;
  if (!found.payload.resize(static_cast<std::size_t>(found.info.payload_size)))
    return ingot::fail(ingot::errc::no_memory);
  if (auto got = file->read_payload({found.payload.data(), found.payload.size()}, true, 0); !got)
    return ingot::fail(got.error());
  auto schema = file->read_schema();
  if (!schema) return ingot::fail(schema.error());
  found.schema = std::move(*schema);
  return found;
}
[[nodiscard]] bool take(bool schema, const std::filesystem::path& from, const std::filesystem::path& to) {
  const auto all = take_apart(from);
  return all && write(to, schema ? all->schema : all->payload);
}
[[nodiscard]] bool put(bool schema, const std::filesystem::path& from, const std::filesystem::path& part,
                       const std::filesystem::path& to) {
  const auto all = take_apart(from);
  if (!all) return false;
  std::ifstream in(part, std::ios::binary);
  const std::string text(std::istreambuf_iterator<char>(in), {});
  const ingot::bytes_view bytes = std::as_bytes(std::span(text));
  return ingot::detail::save_payload(ingot::system_files(), to, all->info, schema ? all->payload : bytes,
                                     schema ? bytes : all->schema, ingot::detail::replacing::fast)
      .has_value();
}

} // namespace tool_test

int main(int count, char** words) {
  const std::string first = count > 1 ? words[1] : "";
  bool done = false;
  if (count == 2) done = tool_test::make(first);
  else if (count == 5 && first == "--take") done = tool_test::take(words[2][0] == '1', words[3], words[4]);
  else if (count == 6 && first == "--put")
    done = tool_test::put(words[2][0] == '1', words[3], words[4], words[5]);
  else
    static_cast<void>(
        std::fputs("usage: make_files FOLDER, or --take 0|1 FILE PART, --put 0|1 FILE PART TO\n", stderr));
  return done ? 0 : 1;
}
