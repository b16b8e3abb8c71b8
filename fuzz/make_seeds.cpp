// SPDX-License-Identifier: Apache-2.0
// Writes the seed corpora, one valid message per type: `ingot_make_seeds CORPUS_FOLDER`. Run this
// program by hand if the format changes. Inputs that fuzzers have found are next to the seeds,
// under other names. The program does not change them.
#include <ingot/core/endian.hpp>
#include <ingot/document/cbor.hpp>
#include <ingot/document/changes.hpp>
#include <ingot/document/document.hpp>
#include <ingot/document/live_value.hpp>
#include <ingot/document/msgpack.hpp>
#include <ingot/dynamic/layout_of.hpp>
#include <ingot/file/compression.hpp>
#include <ingot/file/detail/checksum.hpp>
#include <ingot/file/detail/log_file.hpp>
#include <ingot/file/detail/replace_file.hpp>
#include <ingot/file/file_info.hpp>
#include <ingot/pack/compact.hpp>
#include <ingot/pack/pack.hpp>
#include <ingot/protobuf/value.hpp>
#include <ingot/protobuf/write.hpp>
#include <ingot/schema/description.hpp>

#include "document/archive_exercise.hpp"
#include "document/offering.hpp"
#include "dynamic/chest.hpp"
#include "dynamic/zoo.hpp"
#include "file/column_tools.hpp"
#include "file_zoo.hpp"
#include "former_versions.hpp"
#include "hostile/crafted.hpp"
#include "hostile/subjects.hpp"
#include "json/tagged_scene.hpp"
#include "protobuf/encoding_types.hpp"
#include "protobuf/letter.hpp"
#include "zoo/annotated.hpp"
#include "zoo/containers.hpp"
#include "zoo/live.hpp"
#include "zoo/records.hpp"
#include "zoo/scalars.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

namespace {

using hostile::message;

constexpr std::size_t largest =
    250; // fuzzers mutate short inputs more often, and soon make long ones themselves

void write(const std::filesystem::path& path, const message& head, const message& body) {
  if (body.size() > largest) return;
  std::filesystem::create_directories(path.parent_path());
  std::ofstream file(path, std::ios::binary);
  for (const message* part : {&head, &body}) {
    file.write(reinterpret_cast<const char*>(part->data()), static_cast<std::streamsize>(part->size()));
  }
}

/// Returns the longest message of moderate size among the first samples of a type.
template <class Sample>
message moderate(Sample&& sample) {
  message best;
  for (std::uint64_t seed = 1; seed < 30; ++seed) {
    message m = sample(seed);
    if (m.size() > best.size() && m.size() <= largest / 2) best = std::move(m);
  }
  return best;
}

template <class T>
message packed(std::uint64_t seed) {
  const auto bytes = ingot::pack(zoo::sample<T>(seed));
  return bytes ? message(bytes->begin(), bytes->end()) : message{};
}

/// Writes seeds for a target. Each seed is the index of a type in one byte, `header` and a message.
struct indexed {
  std::filesystem::path folder;
  message header;
  std::uint8_t next = 0;

  template <class T>
  void add(const std::string& name) {
    message head{std::byte{next++}};
    head.insert(head.end(), header.begin(), header.end());
    write(folder / name, head, moderate(packed<T>));
    write(folder / (name + "_empty"), head, packed<T>(0));
  }
};

} // namespace

int main(int count, char** arguments) {
  if (count != 2) return 2;
  const std::filesystem::path corpus = arguments[1];
  for (const auto& s : hostile::subjects()) {
    message key(2);
    ingot::store_le(key.data(), hostile::key_of(s.name));
    write(corpus / "unpack" / std::string(s.name), key, moderate(s.sample));
  }

  std::uint8_t index = 0;
  for (const auto& s : hostile::compact_subjects()) {
    const message type{std::byte{index++}};
    write(corpus / "compact" / std::string(s.name), type, moderate(s.sample));
    write(corpus / "compact" / (std::string(s.name) + "_empty"), type, s.sample(0));
  }

  // The order is that of `openers` in view.cpp. Alignment 1, a key of three characters.
  indexed view{corpus / "view", {std::byte{1}, std::byte{3}, std::byte{'a'}, std::byte{'b'}, std::byte{'c'}}};
  view.add<zoo::mixture>("mixture");
  view.add<zoo::nested>("nested");
  view.add<zoo::folder>("folder");
  view.add<zoo::outline>("outline");
  view.add<zoo::network>("network");
  view.add<zoo::invoice>("invoice");
  view.add<std::map<std::string, std::vector<std::string>>>("map_string_vector");
  view.add<std::map<zoo::full_name, std::string>>("map_variable_record");
  view.add<std::multimap<std::int16_t, std::string>>("multimap");
  view.add<std::unordered_map<zoo::grid_cell, float>>("unordered_map_record");
  view.add<std::unordered_multimap<std::string, std::uint16_t>>("unordered_multimap");
  view.add<std::set<std::string>>("set_string");
  view.add<std::map<zoo::rights, std::vector<zoo::weather>>>("map_of_flags");

  // For live.cpp: a block without its header.
  const auto live = [&](const std::string& name, std::uint8_t type, ingot::bytes_view block) {
    const auto body = block.subspan(ingot::detail::root_position);
    std::filesystem::create_directories(corpus / "live");
    std::ofstream file(corpus / "live" / name, std::ios::binary);
    file.put(static_cast<char>(type));
    file.write(reinterpret_cast<const char*>(body.data()), static_cast<std::streamsize>(body.size()));
  };
  const auto cabinet = zoo::make_cabinet();
  ingot::live<zoo::live_cabinet> whole(cabinet);
  live("cabinet", 0, whole.bytes());
  for (int step = 0; step < 8; ++step) { // edits leave free bytes, and storage out of order
    whole->title += " and on";
    whole->numbers.erase(whole->numbers.begin());
    whole->cards.emplace_back().name = "one more card, of a long name";
    whole->hashed["key " + std::to_string(step)].name = "of a card that comes later";
    whole->seen.erase(5 - step);
    live("cabinet_edited_" + std::to_string(step), 0, whole.bytes());
  }
  // Fills a table with four keys that do not fit with the first seed, so that the table has another
  // seed.
  const auto under_another_seed = [](auto& block, auto table) {
    const auto seed = [&] {
      using parts = ingot::detail::hash_parts<int, std::uint32_t>;
      return parts::of(ingot::detail::container_access::anchor_of((*block).*table).data()).head->seed;
    };
    for (int i = 1; i == 1 || seed() == ingot::detail::first_seed; ++i) {
      ((*block).*table) = {i, 2 * i + 100, 3 * i + 1'000, 5 * i + 10'000};
      block.compact();
    }
  };
  under_another_seed(whole, &zoo::live_cabinet::seen);
  live("cabinet_under_another_seed", 0, whole.bytes());
  live("cabinet_empty", 0, ingot::live<zoo::live_cabinet>().bytes());
  ingot::live<zoo::live_card> card;
  card->name = "a name that has a storage";
  live("card", 2, card.bytes());
  struct order { // as in live.cpp
    ingot::string id;
    ingot::live_value extra;
    ingot::vector<ingot::live_value> more;
  };
  ingot::live<order> bought;
  bought->extra["price"] = 3.5;
  bought->extra["tags"] = std::vector<std::string>{"new", "a tag that is longer than most of them"};
  for (int i = 0; i < 4; ++i)
    static_cast<void>(bought->extra.set_at("/rows/-", std::map<std::string, int>{{"id", i}, {"number", -i}}));
  bought->more.emplace_back() = 7;
  bought->more.emplace_back() = std::vector<int>{1, 2, 300};
  bought->more.emplace_back();
  live("order_edited", 3, bought.bytes());
  bought.compact();
  live("order", 3, bought.bytes());
  struct permits { // as in live.cpp
    zoo::rights own{};
    ingot::vector<zoo::weather> days;
    ingot::map<zoo::rights, ingot::string> by_rights;
    ingot::hash_map<zoo::weather, std::uint8_t> hashed;
  };
  ingot::live<permits> allowed;
  allowed->own = static_cast<zoo::rights>(0x81);
  for (const unsigned each : {0U, 1U, 4U, 0x405U}) {
    const auto day = static_cast<zoo::weather>(each);
    allowed->days.push_back(day);
    allowed->hashed.emplace(day, std::uint8_t{7});
    allowed->by_rights.emplace(static_cast<zoo::rights>(each & 0x83), "a text longer than a small one");
  }
  live("permits", 4, allowed.bytes());

  // For changes.cpp: six bytes of parameters, then the units of a patch to a document of
  // everything.
  const auto change = [&](const std::string& name, auto&& edit) {
    ingot::document doc = document_test::everything();
    auto since = ingot::document_snapshot::of(doc).value();
    edit(doc);
    const auto patch = since.changes(doc).value();
    const auto header = ingot::detail::doc::patch_header::read(patch).value();
    std::vector<std::byte> seed(6);
    ingot::store_le(seed.data() + 1, static_cast<std::uint16_t>(header.used / 8 - 2));
    ingot::store_le(seed.data() + 3, static_cast<std::uint16_t>(header.root));
    seed.insert(seed.end(), patch.begin() + ingot::detail::doc::patch_header::size, patch.end());
    std::filesystem::create_directories(corpus / "changes");
    std::ofstream file(corpus / "changes" / name, std::ios::binary);
    file.write(reinterpret_cast<const char*>(seed.data()), static_cast<std::streamsize>(seed.size()));
  };
  change("nothing", [](ingot::document&) {});
  change("number", [](ingot::document& doc) { doc["small"] = 8; });
  change("text", [](ingot::document& doc) { doc["text"] = "a text that is longer than it was"; });
  change("member", [](ingot::document& doc) { doc["new"] = 1; });
  change("erased", [](ingot::document& doc) { static_cast<void>(doc["records"].erase(1)); });
  change("appended",
         [](ingot::document& doc) { static_cast<void>(doc["records"].append(doc["records"][0])); });
  change("renamed", [](ingot::document& doc) { static_cast<void>(doc.root().rename("small", "smaller")); });
  change("several", [](ingot::document& doc) {
    doc["small"] = 1;
    doc["text"] = "";
    static_cast<void>(doc["records"].clear());
  });
  change("compacted", [](ingot::document& doc) { doc.compact(); });
  change("null", [](ingot::document& doc) { doc = nullptr; });

  // For file.cpp: parameters and a payload; the target adds a header.
  const auto payload = [&](const std::string& name, int how, ingot::bytes_view bytes) {
    std::filesystem::create_directories(corpus / "file");
    std::ofstream file(corpus / "file" / name, std::ios::binary);
    file.put(static_cast<char>(how));
    file.write(reinterpret_cast<const char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
  };
  // The same, with the positions of two damaged bytes, and a payload of two parts.
  ingot::document two_parts;
  std::uint32_t state = 1;
  for (int i = 0; i < 200; ++i) { // two parts also if it is compressed
    std::string text(120, static_cast<char>('a' + i % 20));
    for (char& each : std::span(text).first(80)) {
      state = state * 1'664'525 + 1'013'904'223;
      each = static_cast<char>('0' + (state >> 24) % 64);
    }
    two_parts[std::to_string(i)] = text;
  }
  message positions(4);
  positions[1] = std::byte{0xF0};
  const ingot::bytes_view damaged_payload = two_parts.bytes();
  positions.insert(positions.end(), damaged_payload.begin(), damaged_payload.end());
  payload("damaged_document", 128 + 3, positions);
  payload("damaged_compressed", 128 + 4 + 3, positions);
  fuzz::bough bough{true, "trunk", {}, {{"ash", 1}, {"oak", std::nullopt}}, "apple"};
  for (int step = 0; step < 3; ++step) {
    payload("packed_" + std::to_string(step), 8, *ingot::pack(bough));
    payload("compact_" + std::to_string(step), 9, *ingot::compact::pack(bough));
    bough = {false, "bough " + std::to_string(step), {bough, {}}, {{"elm", -300}}, 2.5};
  }
  payload("live", 10, card.bytes());
  // For edited.cpp: parameters and a payload, closed or followed by more bytes.
  const auto edited = [&](const std::string& name, int kind, ingot::bytes_view bytes) {
    std::filesystem::create_directories(corpus / "edited");
    for (const int how : {0, 2, 2 + 8, 2 + 128}) {
      std::ofstream file(corpus / "edited" / (name + "_" + std::to_string(how)), std::ios::binary);
      file.put(static_cast<char>(kind + how));
      file.write(reinterpret_cast<const char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
    }
  };
  edited("live", 0, card.bytes());
  edited("live_empty", 0, ingot::live<zoo::live_card>().bytes());
  payload("live_in_place", 10 + 32, card.bytes());
  payload("live_empty", 10, ingot::live<zoo::live_card>().bytes());
  // A block of an older version: parameters, length of the description, description, block.
  const auto older = [&](const std::string& name, ingot::bytes_view description, ingot::bytes_view block) {
    std::vector<std::byte> all{static_cast<std::byte>(description.size() & 0xFF),
                               static_cast<std::byte>(description.size() >> 8)};
    all.insert(all.end(), description.begin(), description.end());
    all.insert(all.end(), block.begin(), block.end());
    payload(name, 2 + 64, all);
  };
  ingot::live<fuzz::old_stem> stem;
  older("older_empty", ingot::layout_of<fuzz::old_stem>(), stem.bytes());
  stem->name = "a stem whose name is longer than a string";
  for (int i = 0; i < 3; ++i) {
    stem->rings.emplace_back().year = static_cast<std::uint16_t>(2000 + i);
    stem->rings.back().note = "note";
    stem->marks.emplace("mark " + std::to_string(i), static_cast<std::uint8_t>(i));
    stem->paths[static_cast<std::int16_t>(-i)].emplace_back() = "up";
    stem->first = stem->loose.add();
  }
  stem->fruit = std::string("apple");
  stem->core.emplace().of = fuzz::old_wood::elm;
  older("older", ingot::layout_of<fuzz::old_stem>(), stem.bytes());
  stem->loose.erase(stem->first);
  older("older_erased", ingot::layout_of<fuzz::old_stem>(), stem.bytes());
  older("older_as_it_is", ingot::layout_of<fuzz::stem>(), ingot::live<fuzz::stem>().bytes());
  older("older_other", ingot::layout_of<zoo::live_card>(), card.bytes());
  ingot::document small;
  payload("document_null", 11, small.bytes());
  edited("document_null", 1, small.bytes());
  small["list"] = std::vector<int>{1, 2, 70000};
  small["text"] = std::string(200, 'x');
  payload("document", 11, small.bytes());
  edited("document", 1, small.bytes());
  static_cast<void>(small.root().erase("text"));
  payload("document_erased", 11, small.bytes());
  edited("document_erased", 1, small.bytes());
#ifdef INGOT_SEEDS_OF_COMPRESSION
  // For compressed.cpp: parameters and a message; or parameters, a length, and a message without
  // its header.
  for (const auto method : {ingot::codec::none, ingot::codec::lz4, ingot::codec::zstd}) {
    for (const int lines : {0, 3, 700}) {
      std::string text;
      for (int line = 0; line < lines; ++line) text += "line " + std::to_string(line * line % 89) + '\n';
      const auto compressed = *ingot::compress(ingot::as_bytes_view(text), {.method = method, .block = 4096});
      const std::string bytes(reinterpret_cast<const char*>(compressed.data()), compressed.size());
      const auto codec_of_it = static_cast<int>(compressed[5]);
      const std::string name = std::to_string(static_cast<int>(method)) + "_" + std::to_string(lines);
      std::filesystem::create_directories(corpus / "compressed");
      std::ofstream(corpus / "compressed" / ("message_" + name), std::ios::binary)
          << static_cast<char>(2) << bytes;
      if (codec_of_it == 0) continue;
      std::ofstream(corpus / "compressed" / ("file_" + name), std::ios::binary)
          << static_cast<char>(codec_of_it == 1 ? 3 : 1) << static_cast<char>(text.size() & 0xFF)
          << static_cast<char>(text.size() >> 8) << bytes.substr(24);
    }
    const auto columns = [&](const std::string& name, const auto& values, int which) {
      const auto raw = *ingot::pack(values);
      using type = std::remove_cvref_t<decltype(values)>;
      const auto compressed =
          *ingot::compress(raw, {.method = method, .block = 4096}, {.schema = ingot::schema_bytes<type>()});
      const std::string bytes(reinterpret_cast<const char*>(compressed.data()), compressed.size());
      const std::string by = std::to_string(static_cast<int>(method)) + "_" + name;
      std::ofstream(corpus / "compressed" / ("columns_" + by), std::ios::binary)
          << static_cast<char>(2) << bytes;
      const int how = method == ingot::codec::none ? 13 : method == ingot::codec::lz4 ? 7 : 5;
      std::ofstream(corpus / "compressed" / ("columns_file_" + by), std::ios::binary)
          << static_cast<char>(how) << static_cast<char>(raw.size() & 0xFF)
          << static_cast<char>(raw.size() >> 8 & 0xFF) << bytes.substr(24);
      if (method != ingot::codec::none) return;
      std::ofstream(corpus / "compressed" / ("split_" + name), std::ios::binary)
          << static_cast<char>(16 + which)
          << std::string(reinterpret_cast<const char*>(raw.data()), raw.size());
    };
    columns("travellers", file_test::travellers(40), 0);
    columns("readings", file_test::readings(60), 1);
    columns("forest", file_test::forest(), 2);
    columns("evolvings", file_test::evolvings(60), 3);
  }
#endif
#ifdef INGOT_SEEDS_OF_COMPRESSION
  // For mend.cpp: a kind of input, and a document or a whole file. In an edited file, the payload
  // is directly after the schema; the target moves it.
  const auto damaged = [&](const std::string& name, char kind, const std::vector<ingot::bytes_view>& parts) {
    std::filesystem::create_directories(corpus / "mend");
    std::ofstream file(corpus / "mend" / name, std::ios::binary);
    file.put(kind);
    for (const ingot::bytes_view part : parts)
      file.write(reinterpret_cast<const char*>(part.data()), static_cast<std::streamsize>(part.size()));
  };
  using ingot::file_kind;
  const auto file_of = [&](const std::string& name, file_kind kind, std::uint64_t schema_id,
                           std::uint64_t layout_id, ingot::bytes_view payload, ingot::bytes_view schema,
                           ingot::bytes_view blocks = {}, char of_input = '\1') {
    ingot::detail::file_header header;
    header.info.kind = kind;
    header.info.schema_id = schema_id;
    header.info.layout_id = layout_id;
    header.info.schema = layout_id != 0   ? ingot::schema_form::layout
                         : schema.empty() ? ingot::schema_form::none
                                          : ingot::schema_form::portable;
    header.info.schema_size = static_cast<std::uint32_t>(schema.size());
    header.schema_checksum = schema.empty() ? 0 : static_cast<std::uint32_t>(ingot::detail::checksum(schema));
    header.info.payload_size = header.is_log() ? 0 : payload.size();
    header.info.stored_size = header.info.payload_size;
    if (!blocks.empty()) {
      header.info.method = ingot::codec::zstd;
      header.info.stored_size = blocks.size();
      payload = blocks;
    }
    const bool is_first = header.is_log() || header.is_edited();
    ingot::buffer checksums;
    if (!is_first) checksums = *ingot::detail::add_checksums(header, payload);
    header.info.closed = true;
    message start(ingot::detail::file_header_size);
    ingot::detail::write_header(header, start.data());
    const ingot::bytes_view first = is_first ? schema : payload;
    const message gap((8 - first.size() % 8) % 8);
    damaged(name, header.is_edited() ? '\2' : of_input,
            {start, first,
             header.is_edited() || (schema.empty() && checksums.empty()) ? ingot::bytes_view() : gap,
             checksums, is_first ? payload : schema});
  };
  const ingot::bytes_view bough_schema = ingot::schema_bytes<fuzz::bough>();
  const std::uint64_t bough_id = ingot::schema_id<fuzz::bough>;
  file_of("packed", file_kind::packed, bough_id, 0, *ingot::pack(bough), bough_schema);
  file_of("packed_schema", file_kind::packed, bough_id, 0, *ingot::pack(bough), bough_schema, {}, '\3');
  file_of("compact", file_kind::compact, bough_id, 0, *ingot::compact::pack(bough), bough_schema);
  for (const auto kind : {file_kind::live, file_kind::edited_live})
    file_of(kind == file_kind::live ? "live" : "live_edited", kind, ingot::schema_id<fuzz::old_stem>,
            ingot::detail::layout_id<fuzz::old_stem, ingot::narrow_policy>(), stem.bytes(),
            ingot::layout_of<fuzz::old_stem>());
  small["list"] =
      std::vector<std::map<std::string, std::string>>(3, {{std::string(300, 'k'), "v"}, {"k", "w"}});
  small["text"] = std::string(200, 'x');
  file_of("document", file_kind::document, 0, 0, small.bytes(), {});
  file_of("document_edited", file_kind::edited_document, 0, 0, small.bytes(), {});
  file_of("parts", file_kind::document, 0, 0, two_parts.bytes(), {});
  damaged("document_alone", 0, {small.bytes()});
  const std::vector<std::string> lines(400, "a line");
  const auto packed_lines = *ingot::pack(lines);
  const auto compressed_lines = *ingot::compress(packed_lines, {.method = ingot::codec::zstd, .block = 4096});
  file_of("compressed", file_kind::packed, ingot::schema_id<std::vector<std::string>>, 0, packed_lines,
          ingot::schema_bytes<std::vector<std::string>>(), ingot::bytes_view(compressed_lines).subspan(24));
  for (const bool is_compact : {false, true}) {
    message records;
    const ingot::bytes_view schema = ingot::schema_bytes<fuzz::log_entry>();
    for (int step = 0; step < 3; ++step) {
      const fuzz::log_entry entry{true, std::string(static_cast<std::size_t>(5 * step), 't'), {1, 2, 700}};
      const auto bytes = is_compact ? ingot::compact::pack(entry) : ingot::pack(entry);
      const std::uint64_t at = ingot::detail::file_header_size + (schema.size() + 7) / 8 * 8 + records.size();
      message record(ingot::detail::record_head_size + (bytes->size() + 7) / 8 * 8);
      ingot::store_le(record.data(), static_cast<std::uint32_t>(bytes->size()));
      ingot::store_le(record.data() + 4,
                      static_cast<std::uint32_t>(ingot::detail::checksum({record.data(), 4}, at)));
      ingot::store_le(record.data() + 8, ingot::detail::checksum(*bytes, at));
      std::copy(bytes->begin(), bytes->end(), record.begin() + ingot::detail::record_head_size);
      records.insert(records.end(), record.begin(), record.end());
    }
    file_of(is_compact ? "compact_log" : "packed_log",
            is_compact ? file_kind::compact_log : file_kind::packed_log, ingot::schema_id<fuzz::log_entry>, 0,
            records, schema);
  }
#endif
  // For log.cpp: parameters, then for each record a length and a payload; the last bytes choose a
  // byte to change.
  for (int how = 0; how < 16; ++how) {
    std::string records;
    for (int step = 0; step < how / 2 + 1; ++step) {
      const fuzz::log_entry entry{
          step % 2 == 0, std::string(static_cast<std::size_t>(step), 't'), {1, 2, 700}};
      const auto bytes = (how & 2) != 0 ? ingot::compact::pack(entry) : ingot::pack(entry);
      records += static_cast<char>(bytes->size());
      records.append(reinterpret_cast<const char*>(bytes->data()), bytes->size());
    }
    std::filesystem::create_directories(corpus / "log");
    std::ofstream file(corpus / "log" / ("log_" + std::to_string(how)), std::ios::binary);
    file << static_cast<char>(how) << records << static_cast<char>(0) << static_cast<char>(20 + 7 * how)
         << '!';
  }

  // For document.cpp: the document from its root on.
  const auto document = [&](const std::string& name, const ingot::document& doc) {
    const auto body = doc.bytes().subspan(12);
    std::filesystem::create_directories(corpus / "document");
    std::ofstream file(corpus / "document" / name, std::ios::binary);
    file.put(1);
    file.write(reinterpret_cast<const char*>(body.data()), static_cast<std::streamsize>(body.size()));
    // For document_peek.cpp: a seed, the free bytes after the document, and the same bytes.
    std::filesystem::create_directories(corpus / "document_peek");
    std::ofstream peeked(corpus / "document_peek" / name, std::ios::binary);
    peeked.put(static_cast<char>(name.size())).put(static_cast<char>(0x80));
    peeked.write(reinterpret_cast<const char*>(body.data()), static_cast<std::streamsize>(body.size()));
  };
  ingot::document doc;
  document("null", doc);
  doc = "a root of text";
  document("text", doc);
  doc = std::vector<int>{1, 2, 300};
  document("list", doc);
  for (int i = 0; i < 4; ++i)
    static_cast<void>(doc.root().append(std::map<std::string, int>{{"id", i}, {"price", 1000 * i}}));
  document("records", doc);
  doc.compact();
  document("records_compacted", doc);
  doc = std::map<std::string, std::string>{{"key", "value"}, {"long", std::string(140, 'x')}};
  document("object", doc);
  doc["packed"] = std::vector<int>{1, -1};
  doc["real"] = 0.1;
  doc["large"] = ~std::uint64_t{0};
  document("values", doc);
  doc["a key that takes more than thirty-two bytes"] = nullptr;
  document("long_key", doc);
  for (int i = 0; i < 18; ++i) doc["key " + std::to_string(i)] = 100'000 * i;
  document("index", doc);
  for (int i = 0; i < 18; i += 2) static_cast<void>(doc.root().erase("key " + std::to_string(i)));
  document("erased", doc);
  doc["self"] = doc;
  document("nested", doc);
  for (const auto& [name, former] : fuzz::former_documents()) document("former_" + name, former);

  // For archive.cpp: an archive without its header, whose length takes one or two bytes.
  for (const auto& each : archive_test::subjects()) {
    const auto packed = archive_test::archived(each.doc);
    const std::size_t head = packed[6] < std::byte{0x80} ? 7 : 8;
    write(corpus / "archive" / std::string(each.name), {},
          message(packed.begin() + static_cast<std::ptrdiff_t>(head), packed.end()));
  }
  // For msgpack.cpp and cbor.cpp: options and input. Values of every kind, and values that
  // documents lack.
  const auto encoded = [&](const std::string& target, const std::string& name, char how,
                           ingot::bytes_view bytes) {
    std::filesystem::create_directories(corpus / target);
    std::ofstream file(corpus / target / name, std::ios::binary);
    file.put(how);
    file.write(reinterpret_cast<const char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
  };
  const auto both = [&](const std::string& name, const ingot::document& from) {
    const ingot::cbor::write_options wrapped{.unsupported_values = ingot::unsupported_values::wrap};
    encoded("msgpack", name, 2,
            ingot::msgpack::write(from, {.unsupported_values = ingot::unsupported_values::wrap})
                .value_or(ingot::buffer()));
    encoded("cbor", name, 2, ingot::cbor::write(from, wrapped).value_or(ingot::buffer()));
  };
  both("nested", doc);
  doc = std::vector<double>{0.1, 1.5, -0.0, 1e300};
  both("reals", doc);
  doc = std::vector<std::int64_t>{0,          23, 24,  127, 128,  256,    65536,
                                  4294967296, -1, -32, -33, -129, -32769, -2147483649};
  both("integers", doc);
  doc = std::map<std::string, std::vector<std::string>>{{"", {"", std::string(40, 'x')}}, {"key", {}}};
  both("texts", doc);
  doc["$seconds"] = 17179869184;
  doc["$nanoseconds"] = 1;
  both("times", doc);
  doc = std::map<std::string, int>{{"$seconds", 1}, {"$nanoseconds", 500}};
  both("time", doc);
  doc = std::map<std::string, int>{{"$tag", 1}, {"$value", 500}};
  both("tag", doc);
  doc["$value"] = std::vector<std::byte>(10, std::byte{7});
  both("bytes", doc);
  doc["$tag"] = 2;
  both("bignum", doc);
  doc = std::map<std::string, int>{{"$ext", 5}};
  doc["$value"] = std::vector<std::byte>(3, std::byte{7});
  both("extension", doc);
  doc = std::map<std::string, int>{{"$simple", 23}};
  both("undefined", doc);
  const auto plain = [&](const std::string& target, const std::string& name, char how,
                         std::string_view bytes) { encoded(target, name, how, ingot::as_bytes_view(bytes)); };
  using std::string_view_literals::operator""sv;
  plain("cbor", "indefinite", 0, "\x9f\x7f\x61s\x62tr\xff\xbf\x61k\x5f\x41\x01\xff\xff\x80\xff"sv);
  plain("cbor", "tags", 1, "\xd9\xd9\xf7\x82\xc0\x61t\xc4\x82\x20\x19\x6a\xb3"sv);
  plain("cbor", "keys", 3, "\xa6\x01\x02\x20\x03\xf5\x04\xf9\x3c\x00\x05\x41\x06\x07\xf6\x08"sv);
  plain("cbor", "wide", 1,
        "\x82\x3b\xff\xff\xff\xff\xff\xff\xff\xff\xc3\x49\x01\x00\x00\x00\x00\x00\x00\x00\x00"sv);
  plain("msgpack", "longer", 0, "\xdc\x00\x03\xcd\x00\x01\xd9\x01x\xde\x00\x01\xa1k\xd2\xff\xff\xff\xff"sv);
  plain("msgpack", "keys", 3, "\x85\x01\x02\xff\x03\xc3\x04\xca\x3f\x80\x00\x00\x05\xc4\x01\x06\x07"sv);
  plain("msgpack", "raw", 6, "\x92\xa1\xff\xa2\xc3\xbc"sv);
  plain("msgpack", "reduced", 1, "\x92\xd6\xff\x00\x00\x00\x01\xc7\x03\x05\x01\x02\x03"sv);
  // For dynamic.cpp: a block without its header, by itself, and after its description without the
  // hash.
  const auto dynamic = [&]<class T>(const std::string& name, std::uint8_t type, ingot::live<T>& block) {
    std::filesystem::create_directories(corpus / "dynamic");
    for (const bool is_described : {false, true}) {
      const auto body = block.bytes().subspan(ingot::detail::root_position);
      const auto layout = ingot::layout_of<T>().first(ingot::layout_of<T>().size() - 8);
      std::ofstream file(corpus / "dynamic" / (name + (is_described ? "_described" : "")), std::ios::binary);
      file.put(static_cast<char>(is_described ? 6 : type));
      if (is_described) {
        file.put(static_cast<char>(layout.size() & 0xFF)).put(static_cast<char>(layout.size() >> 8));
        file.write(reinterpret_cast<const char*>(layout.data()), static_cast<std::streamsize>(layout.size()));
      }
      file.write(reinterpret_cast<const char*>(body.data()), static_cast<std::streamsize>(body.size()));
    }
  };
  const auto dynamic_of = [&]<class T>(const std::string& name, std::uint8_t type, std::type_identity<T>) {
    ingot::live<T> block;
    fill(*block);
    dynamic(name, type, block);
  };
  using ingot::narrow_policy;
  dynamic_of("singles", 0, std::type_identity<dynamic_zoo::singles<narrow_policy>>());
  dynamic_of("trees", 1, std::type_identity<dynamic_zoo::trees<narrow_policy>>());
  dynamic_of("tables", 2, std::type_identity<dynamic_zoo::tables<narrow_policy>>());
  ingot::live<dynamic_zoo::tables<narrow_policy>> tables;
  fill(*tables);
  under_another_seed(tables, &dynamic_zoo::tables<narrow_policy>::numbers);
  dynamic("tables_under_another_seed", 2, tables);
  dynamic_of("rings", 3, std::type_identity<dynamic_zoo::rings<narrow_policy>>());
  dynamic_of("branch", 4, std::type_identity<dynamic_zoo::branch<narrow_policy>>());
  dynamic_of("limited", 5, std::type_identity<dynamic_zoo::limited>());
  ingot::live<dynamic_zoo::scalars> scalars; // only with its description
  dynamic("scalars", 6, scalars);

  // For dynamic_message.cpp: a message by itself, and one after its description.
  const auto message = [&](const std::string& name, bool is_compact, bool is_described, const auto& value) {
    using type = std::remove_cvref_t<decltype(value)>;
    std::filesystem::create_directories(corpus / "dynamic_message");
    std::ofstream file(corpus / "dynamic_message" / name, std::ios::binary);
    const auto write = [&](ingot::bytes_view bytes) {
      file.write(reinterpret_cast<const char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
    };
    file.put(static_cast<char>((is_compact ? 1 : 0) + (is_described ? 2 : 0)));
    if (is_described) {
      const ingot::bytes_view schema = ingot::schema_bytes<type>();
      file.put(static_cast<char>(schema.size() & 0xFF)).put(static_cast<char>(schema.size() >> 8));
      write(schema);
    }
    const auto bytes = is_compact ? ingot::compact::pack(value) : ingot::pack(value);
    write(ingot::as_bytes_view(bytes.value()));
  };
  message("chest_packed", false, false, dynamic_chest::filled());
  message("chest_compact", true, false, dynamic_chest::filled());
  message("box_packed", false, true, dynamic_chest::filled().nest);
  message("notes_packed", false, true, dynamic_chest::filled().notes);
  message("tastes_compact", true, true, dynamic_chest::filled().tastes);
  message("tally_compact", true, true, dynamic_chest::filled().sums);
  message("labels_packed", false, true, dynamic_chest::filled().by_label);
  message("rows_packed", false, true, dynamic_chest::filled().rows);
  message("choice_compact", true, true, dynamic_chest::filled().choice);
  message("compass_compact", true, true, zoo::sample<hostile::compass>(5));
  message("tagged_packed", false, true, tagged_scene::filled());
  message("tagged_compact", true, true, tagged_scene::filled());

  // For protobuf.cpp: a protobuf message by itself, and one after its description.
  const auto proto = [&](const std::string& name, bool is_described, const auto& value, char kind = '\0') {
    using type = std::remove_cvref_t<decltype(value)>;
    std::filesystem::create_directories(corpus / "protobuf");
    std::ofstream file(corpus / "protobuf" / name, std::ios::binary);
    const auto write = [&](ingot::bytes_view bytes) {
      file.write(reinterpret_cast<const char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
    };
    file.put(is_described ? '\1' : kind);
    if (is_described) {
      const ingot::bytes_view schema = ingot::schema_bytes<type>();
      file.put(static_cast<char>(schema.size() & 0xFF)).put(static_cast<char>(schema.size() >> 8));
      write(schema);
    }
    write(ingot::protobuf::write(value).value());
  };
  proto("chest", false, dynamic_chest::filled());
  proto("box", true, dynamic_chest::filled().nest);
  proto("notes", true, dynamic_chest::filled().notes);
  proto("labels", true, dynamic_chest::filled().by_label);
  proto("choice", true, dynamic_chest::filled().choice);
  proto("rows", true, dynamic_chest::filled().rows);
  proto("letter", false, protobuf_letter::filled_letter(), '\2');
  proto("encodings", false, encoding_types::filled(), '\3');
  proto("encodings_by_schema", true, encoding_types::filled());
  proto("pages", true, protobuf_letter::filled_letter().pages);
  proto("coins", true, dynamic_chest::filled().coins);
  proto("tallies", true, dynamic_chest::filled().sums);

  // For limits.cpp: a reader, a limit above or below the required one, and the input.
  const auto limited = [&](const std::string& name, char reader, std::uint8_t high, ingot::bytes_view bytes) {
    std::filesystem::create_directories(corpus / "limits");
    std::ofstream file(corpus / "limits" / name, std::ios::binary);
    file.put(reader).put('\0').put(static_cast<char>(high));
    file.write(reinterpret_cast<const char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
  };
  const auto chest = dynamic_chest::filled();
  const auto chest_message = ingot::protobuf::write(chest).value();
  const ingot::document texts(std::vector<std::string>(40, "a text"));
  ingot::document part;
  part["name"] = "part";
  part["inside"] = std::vector<int>();
  part["next"] = nullptr;
  part["ordered"] = std::map<std::string, int>{{"one", 1}};
  part["hashed"] = std::vector<int>{1, 2, 3};
  part["numbers"] = std::vector<double>{0.5};
  part["texts"] = std::vector<std::string>(20, "a text");
  for (const std::uint8_t high : {std::uint8_t{1}, std::uint8_t{60}}) {
    const std::string size = high == 1 ? "_little" : "_much";
    limited("chest_packed" + size, 0, high, ingot::pack(chest).value());
    limited("chest_compact" + size, 1, high, ingot::compact::pack(chest).value());
    limited("chest_protobuf" + size, 2, high, chest_message);
    limited(
        "older" + size, 3, high,
        ingot::pack(std::pair(std::vector<std::uint8_t>{1, 2}, std::vector<std::string>{"a", "b"})).value());
    limited("part" + size, 4, high, ingot::msgpack::write(part).value());
    limited("msgpack" + size, 5, high, ingot::msgpack::write(texts).value());
    limited("cbor" + size, 6, high, ingot::cbor::write(texts).value());
    limited("protobuf_by_schema" + size, 7, high, chest_message);
  }

  // For evolve.cpp: messages of pairs of types that are in the zoo. Types of the other pairs begin
  // with the same members: name, id and list.
  for (const std::uint8_t pair : {std::uint8_t{7}, std::uint8_t{0}, std::uint8_t{2}, std::uint8_t{4}}) {
    indexed evolve{corpus / "evolve", {}, pair};
    evolve.add<zoo::sensor_v1>("older_" + std::to_string(pair));
    evolve.next = pair;
    evolve.add<zoo::sensor_v2>("newer_" + std::to_string(pair));
  }
  for (const std::uint8_t pair : {std::uint8_t{8}, std::uint8_t{3}, std::uint8_t{5}}) {
    indexed evolve{corpus / "evolve", {}, pair};
    evolve.add<std::vector<std::vector<zoo::sensor_v1>>>("older_lists_" + std::to_string(pair));
    evolve.next = pair;
    evolve.add<std::vector<zoo::sensor_v2>>("newer_list_" + std::to_string(pair));
  }
}
