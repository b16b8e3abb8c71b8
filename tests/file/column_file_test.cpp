// SPDX-License-Identifier: Apache-2.0
// Files whose records were split into columns are files like any other: read by any number of threads, also by those who know another version
// of the type, refused when damaged, and as without where nothing is saved.
#include <ingot/core/endian.hpp>
#include <ingot/file/detail/checksum.hpp>
#include <ingot/file/load.hpp>
#include <ingot/file/map_file.hpp>
#include <ingot/file/save.hpp>

#include "file/column_tools.hpp"
#include "file/file_tools.hpp"

#include <string>

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
  options.compress = {.method = method, .block = page};
  options.columns = true;
  return options;
}
template <class T>
[[nodiscard]] ingot::buffer packed(const T& value) {
  return *ingot::pack(value);
}
void seal(byte_vector& file) {
  const auto stored = static_cast<std::size_t>(ingot::load_le<std::uint64_t>(file.data() + 32));
  ingot::store_le(file.data() + 48, ingot::detail::checksum(bytes_view(file).subspan(64, stored)));
  ingot::store_le(file.data() + 56, ingot::detail::checksum(bytes_view(file).first(56)));
}

TEST(save_columns, loads_by_any_number_of_threads) {
  const auto all = readings(3'000);
  const auto some = travellers(500);
  const std::vector<plain_record> plains(4'000, {{1, 2}, 3, 4}); // which are read where they will be used
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
    EXPECT_EQ(file_of(ada_document(), by(method)), file_of(ada_document(), rows));
    EXPECT_EQ(file_of(live_ada(), by(method)), file_of(live_ada(), rows));
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

struct plain_record_now { // of which `i` is gone, and `added` is new
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

TEST(map_columns, is_refused_or_copied) {
  simulated_disk disk;
  ASSERT_TRUE(ingot::save("r", readings(1'000), by(codec::none), disk));
  const auto refused = ingot::map_file<std::vector<reading>>("r", {}, disk);
  ASSERT_FALSE(refused.has_value());
  EXPECT_EQ(refused.error().code(), errc::unsupported);
  EXPECT_EQ(refused.error().found(), "columns");
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
    std::size_t refused = 0;
    for (std::size_t bit = 64 * 8; bit < 8 * file.size(); bit += bit < 2'000 ? 1 : 97) {
      byte_vector damaged = file;
      damaged[bit / 8] ^= std::byte{1} << bit % 8;
      simulated_disk disk;
      disk.put("x", damaged);
      const auto loaded = ingot::load<std::vector<reading>>("x", {.checksum = false, .threads = 1}, disk);
      if (loaded) {
        EXPECT_EQ(loaded->size(), 120u);
      }
      ++(loaded ? accepted : refused);
      EXPECT_EQ(disk.open_files(), 0u);
    }
    EXPECT_GT(accepted, 10u);
    EXPECT_GT(refused, 10u);
  }
}

TEST(load_columns, names_the_block_that_is_wrong_by_its_place_in_the_file) {
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
