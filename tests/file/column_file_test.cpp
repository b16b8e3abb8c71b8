// SPDX-License-Identifier: Apache-2.0
// Files whose records are split into columns behave as all other files. Any number of threads can
// read them, and so can programs with another version of the type. Damaged ones are rejected. If
// columns save nothing, the file is the same as without them.
#include <ingot/core/endian.hpp>
#include <ingot/document/archive.hpp>
#include <ingot/document/live_value.hpp>
#include <ingot/dynamic/layout_of.hpp>
#include <ingot/file/detail/checksum.hpp>
#include <ingot/file/detail/input_file.hpp>
#include <ingot/file/detail/replace_file.hpp>
#include <ingot/file/document_file.hpp>
#include <ingot/file/live_file.hpp>
#include <ingot/file/load.hpp>
#include <ingot/file/map_file.hpp>
#include <ingot/file/save.hpp>
#include <ingot/live/box.hpp>
#include <ingot/live/flat_map.hpp>
#include <ingot/live/flat_set.hpp>
#include <ingot/live/hash_map.hpp>
#include <ingot/live/hash_set.hpp>
#include <ingot/live/live.hpp>
#include <ingot/live/live_view.hpp>
#include <ingot/live/map.hpp>
#include <ingot/live/multimap.hpp>
#include <ingot/live/optional.hpp>
#include <ingot/live/pool.hpp>
#include <ingot/live/queue.hpp>
#include <ingot/live/set.hpp>
#include <ingot/live/string.hpp>
#include <ingot/live/variant.hpp>
#include <ingot/live/vector.hpp>

#include "file/column_tools.hpp"
#include "file/file_tools.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>
#include <string>
#include <vector>

namespace column_file_test {

using namespace file_test;
using ingot::bytes_view;
using ingot::codec;
using ingot::errc;
using ingot::save_options;

const std::vector<codec> codecs = codecs_here();
constexpr std::size_t page = 4096;

[[nodiscard]] save_options by(codec method) {
  save_options options;
  options.compress = {.method = method, .block = page, .min_saving_percent = 2};
  options.columns = true;
  return options;
}
template <class T>
[[nodiscard]] ingot::buffer packed(const T& value) {
  return *ingot::pack(value);
}
void seal(byte_vector& file) { seal_payload(file); }

TEST(save_columns, loads_by_any_number_of_threads) {
  const auto all = readings(3'000);
  const auto some = travellers(500);
  // which are read directly into their destination
  const std::vector<plain_record> plains(4'000, {{1, 2}, 3, 4});
  for (const codec method : codecs) {
    simulated_disk disk;
    ASSERT_TRUE(ingot::save("r", all, by(method), disk));
    ASSERT_TRUE(ingot::save("t", some, by(method), disk));
    ASSERT_TRUE(ingot::save("p", plains, by(method), disk));
    const auto info = ingot::peek_file("r", disk);
    ASSERT_TRUE(info.has_value());
    EXPECT_TRUE(info->columns && !info->is_plain());
    EXPECT_EQ(info->method, method);
    EXPECT_EQ(info->payload_size, packed(all).size());
    EXPECT_LT(info->stored_size, info->payload_size / 3 * 2);
    for (const unsigned threads : {0U, 1U, 3U}) {
      const auto r = ingot::load<std::vector<reading>>("r", {.threads = threads}, disk);
      ASSERT_TRUE(r.has_value()) << r.error().message();
      EXPECT_EQ(packed(*r), packed(all));
      const auto t = ingot::load<std::vector<traveller>>("t", {.threads = threads}, disk);
      ASSERT_TRUE(t.has_value()) << t.error().message();
      EXPECT_EQ(packed(*t), packed(some));
      std::vector<plain_record> p;
      ASSERT_TRUE(ingot::load_into(p, "p", {.threads = threads}, disk));
      EXPECT_EQ(packed(p), packed(plains));
    }
    EXPECT_EQ(disk.open_files(), 0u);
  }
}

TEST(save_columns, of_what_has_no_records_or_is_no_smaller_is_the_file_that_it_was) {
  std::vector<std::uint64_t> numbers(5'000);
  const byte_vector bytes = noise(40'000);
  std::memcpy(numbers.data(), bytes.data(), bytes.size());
  for (const codec method : codecs) {
    save_options rows = by(method);
    rows.columns = false;
    EXPECT_EQ(file_of(numbers, by(method)), file_of(numbers, rows));
    EXPECT_EQ(file_of(std::uint32_t{7}, by(method)), file_of(std::uint32_t{7}, rows));
    EXPECT_EQ(file_of(ingot::document(), by(method)), file_of(ingot::document(), rows));
    save_options compact = by(method);
    save_options compact_rows = rows;
    compact.form = compact_rows.form = ingot::profile::compact;
    EXPECT_EQ(file_of(readings(100), compact), file_of(readings(100), compact_rows));
  }
}

TEST(save_columns, needs_no_description_in_the_file) {
  const auto all = readings(500);
  save_options options = by(codecs.back());
  options.schema = false;
  simulated_disk disk;
  ASSERT_TRUE(ingot::save("r", all, options, disk));
  EXPECT_TRUE(ingot::peek_file("r", disk)->columns);
  EXPECT_TRUE(ingot::read_file_schema("r", disk)->empty());
  EXPECT_EQ(packed(*ingot::load<std::vector<reading>>("r", {}, disk)), packed(all));
}

struct part {
  std::uint32_t id = 0;
  std::int16_t worn = 0;
  ingot::string name;
  ingot::vector<float> weights;
};
struct place {
  double x = 0;
  char mark = ' ';
  bool operator==(const place&) const = default;
};
/// Containers of every kind, nested, with other members next to them in records.
struct warehouse {
  std::uint8_t first = 1;
  ingot::vector<part> parts;
  ingot::map<std::uint64_t, part> by_number;
  ingot::map<ingot::string, std::uint16_t> by_name;
  ingot::set<std::int32_t> numbers;
  ingot::multimap<std::uint16_t, place> many;
  ingot::hash_map<std::uint32_t, ingot::vector<place>> places;
  ingot::hash_set<std::uint64_t> seen;
  ingot::flat_map<std::uint32_t, part> flat;
  ingot::flat_set<std::int16_t> small;
  ingot::queue<part> waiting;
  ingot::pool<part> pooled;
  ingot::optional<ingot::vector<std::uint32_t>> maybe;
  ingot::variant<std::uint32_t, ingot::vector<place>> either;
  ingot::box<part> boxed;
  std::array<ingot::vector<std::uint16_t>, 3> three;
  char code[12] = {};
};
void fill(part& to, std::uint32_t i) {
  to.id = i;
  to.worn = static_cast<std::int16_t>(i % 5);
  to.name = i % 2 == 0 ? "short" : "a name that is too long in place";
  for (std::uint32_t k = 0; k < i % 7; ++k) to.weights.push_back(static_cast<float>(k));
}
[[nodiscard]] ingot::live<warehouse> stored(std::uint32_t n) {
  ingot::live<warehouse> built;
  for (std::uint32_t i = 0; i < n; ++i) {
    fill(built->parts.emplace_back(), i);
    fill(built->by_number[i * 3], i);
    built->by_name[std::to_string(i) + (i % 3 == 0 ? " is a long key" : "")] = static_cast<std::uint16_t>(i);
    built->numbers.insert(static_cast<std::int32_t>(i) - 50);
    built->many.emplace(static_cast<std::uint16_t>(i / 3), place{i / 2.0, 'm'});
    built->places[i].push_back({1.0 * i, 'x'});
    built->seen.insert(i);
    fill(built->flat[i], i);
    built->small.insert(static_cast<std::int16_t>(i));
    fill(built->waiting.emplace_back(), i);
    if (i % 4 == 0) built->waiting.pop_front();
    const auto link = built->pooled.add();
    fill(*built->pooled.get(link), i);
    if (i % 5 == 0) built->pooled.erase(link);
    built->three[i % 3].push_back(static_cast<std::uint16_t>(i));
  }
  built->maybe.emplace().assign(n, 7);
  built->either.emplace<1>().assign(n, place{2, 'y'});
  fill(built->boxed.emplace(), 3);
  return built;
}

/// The payload of the file "x" before it was split. (Opening a block may change unused bytes.)
[[nodiscard]] byte_vector payload_of(simulated_disk& disk, unsigned threads) {
  const auto file = ingot::detail::input_file::open(disk, "x");
  if (!file) return {};
  byte_vector back(static_cast<std::size_t>(file->header().info.payload_size));
  const auto read = file->read_payload(back, true, threads);
  EXPECT_TRUE(read.has_value()) << read.error().message();
  return back;
}

TEST(save_columns, of_blocks_is_the_block_byte_by_byte) {
  for (const bool dense : {false, true}) { // with free bytes and without
    auto all = stored(600);
    if (dense) all.compact();
    for (const codec method : codecs) {
      save_options rows = by(method);
      rows.columns = false;
      simulated_disk disk;
      ASSERT_TRUE(ingot::save("x", all, by(method), disk));
      EXPECT_TRUE(ingot::peek_file("x", disk)->columns);
      EXPECT_LT(disk.content("x").size(), file_of(all, rows).size() * 3 / 4);
      for (const unsigned threads : {1U, 3U}) {
        EXPECT_TRUE(std::ranges::equal(payload_of(disk, threads), all.bytes()));
        const auto back = ingot::load<ingot::live<warehouse>>("x", {.threads = threads}, disk);
        ASSERT_TRUE(back.has_value()) << back.error().message();
        EXPECT_EQ((*back)->by_number.at(60).weights.size(), 6u);
      }
      const auto seen = ingot::map_file<ingot::live_view<warehouse>>("x", {.copy = true}, disk);
      ASSERT_TRUE(seen.has_value());
      EXPECT_EQ((**seen)->parts[9].name, "a name that is too long in place");
    }
  }
}

[[nodiscard]] ingot::document orders(int n) {
  ingot::document doc;
  doc["orders"] = std::vector<int>{};
  for (int i = 0; i < n; ++i) {
    auto order = doc["orders"].append(nullptr).value();
    order["number"] = 100'000 + i;
    order["price"] = i / 4.0;
    order["paid"] = i % 3 == 0;
    order["at"] = std::vector<double>{i * 0.5, 2.5};
    order["tags"] = std::vector<int>{i, 2, 3};
    order["note"] = i % 50 == 0 ? std::string(300, 'n') : "short";
  }
  doc["numbers"] = std::vector<std::int64_t>(3'000, 1'000'000'000'000);
  std::vector<double> ramp;
  for (int i = 0; i < 3'000; ++i) ramp.push_back(i + 0.25);
  doc["ramp"] = ramp;
  return doc;
}

TEST(save_columns, of_documents_is_the_document_byte_by_byte) {
  for (const bool dense : {false, true}) {
    auto all = orders(1'500);
    for (int i = 0; i < 400; ++i)
      static_cast<void>(all["orders"].erase(std::size_t{3} * static_cast<std::size_t>(i % 300)));
    if (dense) all.compact();
    for (const codec method : codecs) {
      save_options rows = by(method);
      rows.columns = false;
      simulated_disk disk;
      ASSERT_TRUE(ingot::save("x", all, by(method), disk));
      EXPECT_TRUE(ingot::peek_file("x", disk)->columns);
      EXPECT_LT(disk.content("x").size(), file_of(all, rows).size() * 3 / 4);
      EXPECT_TRUE(std::ranges::equal(payload_of(disk, 1), all.bytes()));
      const auto back = ingot::load<ingot::document>("x", {}, disk);
      ASSERT_TRUE(back.has_value()) << back.error().message();
      EXPECT_EQ(back->root(), all.root());
    }
  }
}

/// Records that contain values of any kind, and their form in a block.
struct order {
  std::uint32_t id = 0;
  ingot::document extra;
  std::uint64_t at = 0;
};
struct live_order {
  std::uint32_t id = 0;
  ingot::live_value extra;
  std::uint64_t at = 0;
};
struct live_orders {
  ingot::vector<live_order> all;
  ingot::map<ingot::string, ingot::live_value> named;
};
[[nodiscard]] std::vector<order> different_orders(std::uint32_t n) {
  std::vector<order> all_orders(n);
  for (std::uint32_t i = 0; i < n; ++i) {
    all_orders[i].id = 1'000 + i;
    all_orders[i].at = 1'700'000'000 + i;
    if (i % 4 == 0) continue; // null
    all_orders[i].extra["price"] = i / 4.0;
    all_orders[i].extra["note"] = i % 50 == 1 ? std::string(300, 'n') : "short";
    if (i % 3 == 0) all_orders[i].extra["tags"] = std::vector<std::uint32_t>{i, 2, 3};
  }
  return all_orders;
}
TEST(save_columns, of_records_with_values_of_any_kind) {
  const auto all = different_orders(600);
  ingot::live<live_orders> block;
  for (const order& each : all) {
    auto& to = block->all.emplace_back();
    to.id = each.id;
    to.at = each.at;
    to.extra = each.extra;
  }
  block->named["first"] = all[1].extra;
  for (const codec method : codecs) {
    save_options rows = by(method);
    rows.columns = false;
    for (const save_options& how : {rows, by(method)}) {
      simulated_disk disk;
      ASSERT_TRUE(ingot::save("p", all, how, disk));
      ASSERT_TRUE(ingot::save("x", block, how, disk));
      EXPECT_EQ(ingot::peek_file("p", disk)->columns, how.columns);
      EXPECT_EQ(ingot::peek_file("x", disk)->columns, how.columns);
      EXPECT_TRUE(std::ranges::equal(payload_of(disk, 1), block.bytes()));
      for (const unsigned threads : {1U, 3U}) {
        const auto p = ingot::load<std::vector<order>>("p", {.threads = threads}, disk);
        ASSERT_TRUE(p.has_value()) << p.error().message();
        EXPECT_EQ(packed(*p), packed(all));
        const auto x = ingot::load<ingot::live<live_orders>>("x", {.threads = threads}, disk);
        ASSERT_TRUE(x.has_value()) << x.error().message();
        EXPECT_EQ(*x, block);
        ASSERT_EQ((*x)->all.size(), all.size());
        EXPECT_EQ((*x)->all[51].extra["note"].length(), 300U);
        EXPECT_EQ((*x)->named.at("first")["price"].as<double>(), 0.25);
      }
    }
    if (method != codec::none) {
      EXPECT_LT(file_of(all, by(method)).size(), file_of(all, rows).size());
    }
  }
}

/// The writer may supply a wrong schema: the bytes are restored unchanged.
TEST(save_columns, of_bytes_that_are_no_block_and_no_document) {
  const auto block = stored(40);
  const auto document = orders(60);
  const auto layout = ingot::layout_of<warehouse>();
  const auto round = [&](ingot::file_kind kind, bytes_view payload) {
    simulated_disk disk;
    ingot::file_info info;
    info.kind = kind;
    if (kind == ingot::file_kind::live) info.schema = ingot::schema_form::layout;
    const bool live = kind == ingot::file_kind::live;
    const auto saved = ingot::detail::save_payload(disk, "x", info, payload, live ? layout : bytes_view{},
                                                   ingot::detail::replacing::fast, {.method = codec::lz4}, {},
                                                   live ? layout : bytes_view{});
    ASSERT_TRUE(saved.has_value()) << saved.error().message();
    EXPECT_TRUE(std::ranges::equal(payload_of(disk, 1), payload));
  };
  for (std::uint32_t seed = 0; seed < 40; ++seed) {
    byte_vector damaged(block.bytes().begin(), block.bytes().end());
    byte_vector torn(document.bytes().begin(), document.bytes().end());
    for (std::uint32_t k = 0; k < 4; ++k) {
      damaged[(seed * 7919 + k * 104'729) % damaged.size()] ^= std::byte{0x41};
      torn[(seed * 7919 + k * 104'729) % torn.size()] ^= std::byte{0x41};
    }
    round(ingot::file_kind::live, damaged);
    round(ingot::file_kind::document, torn);
    round(ingot::file_kind::document, bytes_view(torn).first(torn.size() - seed));
    round(ingot::file_kind::document, noise(1'000 + seed));
  }
}

struct plain_record_now { // `i` is removed, and `added` is new
  float vec[4];
  double f;
  std::uint16_t added = 7;
};
TEST(load_columns, as_another_version_of_the_type) {
  std::vector<plain_record> before;
  for (int i = 0; i < 2'000; ++i) before.push_back({{1, 2, 3, 4}, i, static_cast<float>(i)});
  for (const codec method : codecs) {
    simulated_disk disk;
    ASSERT_TRUE(ingot::save("p", before, by(method), disk));
    const auto now = ingot::load<std::vector<plain_record_now>>("p", {}, disk);
    ASSERT_TRUE(now.has_value()) << now.error().message();
    ASSERT_EQ(now->size(), 2'000u);
    EXPECT_EQ((*now)[1'999].f, 1'999.0);
    EXPECT_EQ((*now)[1'999].added, 7);
  }
}

TEST(map_columns, is_rejected_or_copied) {
  simulated_disk disk;
  ASSERT_TRUE(ingot::save("r", readings(1'000), by(codec::none), disk));
  const auto rejected = ingot::map_file<std::vector<reading>>("r", {}, disk);
  ASSERT_FALSE(rejected.has_value());
  EXPECT_EQ(rejected.error().code(), errc::unsupported);
  EXPECT_EQ(rejected.error().found(), "columns");
  const auto copied = ingot::map_file<std::vector<reading>>("r", {.checksum = true, .copy = true}, disk);
  ASSERT_TRUE(copied.has_value()) << copied.error().message();
  EXPECT_EQ((*copied)->size(), 1'000u);
  EXPECT_EQ((**copied)[999].get<&reading::time>(), readings(1'000)[999].time);
}

TEST(load_columns, notices_every_flipped_bit_and_every_cut) {
  for (const codec method : codecs) {
    const byte_vector file = file_of(readings(120), by(method));
    for (std::size_t bit = 0; bit < 8 * file.size();
         bit += std::getenv("INGOT_TEST_FULL") != nullptr ? 1 : 61) {
      byte_vector damaged = file;
      damaged[bit / 8] ^= std::byte{1} << bit % 8;
      simulated_disk disk;
      disk.put("x", damaged);
      EXPECT_FALSE(ingot::load<std::vector<reading>>("x", {.threads = 1}, disk)) << bit;
    }
    for (std::size_t size = 0; size < file.size(); size += size < 100 ? 1 : 53) {
      simulated_disk disk;
      disk.put("x", bytes_view(file).first(size));
      EXPECT_EQ(ingot::load<std::vector<reading>>("x", {}, disk).error().code(), errc::truncated) << size;
    }
  }
}

TEST(load_columns, without_checksums_gives_values_or_an_error) {
  for (const codec method : codecs) {
    const byte_vector file = file_of(readings(120), by(method));
    std::size_t accepted = 0;
    std::size_t rejected = 0;
    for (std::size_t bit = 64 * 8; bit < 8 * file.size(); bit += bit < 2'000 ? 1 : 97) {
      byte_vector damaged = file;
      damaged[bit / 8] ^= std::byte{1} << bit % 8;
      simulated_disk disk;
      disk.put("x", damaged);
      const auto loaded = ingot::load<std::vector<reading>>("x", {.checksum = false, .threads = 1}, disk);
      if (loaded) {
        EXPECT_EQ(loaded->size(), 120u);
      }
      ++(loaded ? accepted : rejected);
      EXPECT_EQ(disk.open_files(), 0u);
    }
    EXPECT_GT(accepted, 10u);
    EXPECT_GT(rejected, 10u);
  }
}

TEST(load_columns, names_the_wrong_block_by_its_position_in_the_file) {
  save_options options = by(codec::none);
  options.schema = false;
  byte_vector file = file_of(readings(2'000), options);
  const std::size_t table = ingot::load_le<std::uint32_t>(file.data() + 68);
  const std::size_t blocks = (packed(readings(2'000)).size() + page - 1) / page;
  const std::size_t lengths = 72 + table;
  std::size_t at = lengths + 4 * blocks;
  for (std::size_t i = 0; i < 3; ++i) at += ingot::load_le<std::uint32_t>(file.data() + lengths + 4 * i);
  file[at] = std::byte{0xEE};
  seal(file);
  simulated_disk disk;
  disk.put("x", file);
  const auto why = ingot::load<std::vector<reading>>("x", {}, disk).error();
  EXPECT_EQ(why.code(), errc::bad_length);
  EXPECT_EQ(why.offset(), at);
  EXPECT_EQ(why.path(), "[x]");
  EXPECT_EQ(why.found(), "columns");
}

TEST(load_columns, takes_no_memory_beyond_what_the_bytes_can_become) {
  byte_vector file = file_of(readings(2'000), by(codecs.back()));
  const std::uint64_t stored = ingot::load_le<std::uint64_t>(file.data() + 32);
  for (const std::uint64_t raw : {(stored + 1) * 32'768, ~std::uint64_t{0}}) {
    ingot::store_le(file.data() + 24, raw);
    seal(file);
    simulated_disk disk;
    disk.put("x", file);
    const auto why = ingot::load<std::vector<reading>>("x", {}, disk).error();
    EXPECT_EQ(why.code(), errc::bad_length);
    EXPECT_EQ(why.offset(), 32u);
  }
}

TEST(load_columns, reads_what_earlier_versions_wrote) {
  if (!ingot::has_codec(codec::lz4)) GTEST_SKIP();
  std::vector<std::pair<std::uint32_t, std::int16_t>> pairs;
  for (std::int16_t i = 0; i < 40; ++i)
    pairs.emplace_back(1'000'000 + 250 * i, static_cast<std::int16_t>(i % 3));
  save_options options = by(codec::lz4);
  options.schema = false;
  const byte_vector then = golden("columns", "a file by columns: forty pairs, 1000000 + 250 i and i mod 3",
                                  file_of(pairs, options));
  simulated_disk disk;
  disk.put("x", then);
  const auto loaded = ingot::load<decltype(pairs)>("x", {}, disk);
  ASSERT_TRUE(loaded.has_value()) << loaded.error().message();
  EXPECT_EQ(*loaded, pairs);
}

} // namespace column_file_test
