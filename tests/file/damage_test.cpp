// SPDX-License-Identifier: Apache-2.0
// Files with a damaged part: the error names the part, the report lists the lost bytes, and `load`
// gives the rest.
#include <ingot/core/endian.hpp>
#include <ingot/file/damage.hpp>
#include <ingot/file/detail/checksum.hpp>
#include <ingot/file/detail/replace_file.hpp>
#include <ingot/file/open_file.hpp>

#include "file/compressed_tools.hpp"
#include "file/file_tools.hpp"
#include "file/troubled_files.hpp"

namespace damage_test {

using namespace file_test;
using ingot::damage_report;
using ingot::errc;
using ingot::detail::file_header;
using ingot::detail::payload_part;

constexpr std::size_t head = ingot::detail::file_header_size;

using numbers = std::vector<std::uint8_t>;
[[nodiscard]] numbers numbers_of(const byte_vector& bytes) {
  numbers all;
  for (const std::byte each : bytes) all.push_back(std::to_integer<std::uint8_t>(each));
  return all;
}

[[nodiscard]] file_header header_of(const byte_vector& file) {
  const auto header = ingot::detail::read_header(file, file.size());
  EXPECT_TRUE(header.has_value()) << header.error().message();
  return header.value_or(file_header{});
}
/// Updates the header's own checksum.
void seal(byte_vector& file) {
  ingot::store_le(file.data() + 56, ingot::detail::checksum(ingot::bytes_view(file).first(56)));
}
/// Updates the checksum of the table, and then that of the header.
void seal_table(byte_vector& file) {
  const file_header header = header_of(file);
  const auto table = ingot::bytes_view(file).subspan(static_cast<std::size_t>(header.checksums_at()),
                                                     static_cast<std::size_t>(header.checksums_size()));
  ingot::store_le(file.data() + 48, ingot::detail::checksum(table));
  seal(file);
}
[[nodiscard]] byte_vector flipped(byte_vector file, std::size_t at) {
  file[at] ^= std::byte{0x10};
  return file;
}
[[nodiscard]] damage_report damage_of(const byte_vector& file) {
  simulated_disk disk;
  disk.put("x", file);
  const auto found = ingot::find_damage("x", disk);
  EXPECT_TRUE(found.has_value()) << found.error().message();
  EXPECT_EQ(disk.open_files(), 0u);
  return found.value_or(damage_report{});
}
void expect_same(const damage_report& a, const damage_report& b) {
  EXPECT_EQ(a.range_count, b.range_count);
  EXPECT_EQ(a.lost_bytes, b.lost_bytes);
  for (std::size_t i = 0; i < std::min(a.ranges().size(), b.ranges().size()); ++i) {
    EXPECT_EQ(a.ranges()[i].offset, b.ranges()[i].offset);
    EXPECT_EQ(a.ranges()[i].size, b.ranges()[i].size);
    EXPECT_EQ(a.ranges()[i].file_offset, b.ranges()[i].file_offset);
    EXPECT_EQ(a.ranges()[i].file_size, b.ranges()[i].file_size);
  }
}

/// A block of a compressed payload: positions in the file and in the payload.
struct block {
  std::size_t at = 0;
  std::size_t stored = 0;
  std::size_t raw_at = 0;
  std::size_t raw = 0;
};
/// Reads the table of blocks as docs/format.md describes it.
[[nodiscard]] std::vector<block> blocks_of(const byte_vector& file) {
  const file_header header = header_of(file);
  const std::size_t length = ingot::load_le<std::uint32_t>(file.data() + head);
  std::size_t lengths = head + 4;
  if (header.info.columns) lengths += 4 + ingot::load_le<std::uint32_t>(file.data() + head + 4);
  const auto size = static_cast<std::size_t>(header.info.payload_size);
  std::vector<block> all((size + length - 1) / length);
  std::size_t at = lengths + 4 * all.size();
  for (std::size_t i = 0; i < all.size(); ++i) {
    all[i] = {at, ingot::load_le<std::uint32_t>(file.data() + lengths + 4 * i), i * length,
              std::min(length, size - i * length)};
    at += all[i].stored;
  }
  return all;
}

struct kind_of_file {
  const char* name;
  byte_vector file;
  errc (*load)(simulated_disk& disk, std::uint64_t& offset, damage_report* lost);
};
template <class T>
errc load(simulated_disk& disk, std::uint64_t& offset, damage_report* lost) {
  const auto loaded = ingot::load<T>("x", {.zero_damaged = lost, .threads = 1}, disk);
  if (loaded) return errc::cancelled; // no error of these files
  offset = loaded.error().offset();
  return loaded.error().code();
}

struct point {
  std::uint32_t id = 0;
  std::uint16_t x = 0;
  std::uint16_t y = 0;
};

[[nodiscard]] std::vector<kind_of_file> all_kinds() {
  const numbers plain_numbers = numbers_of(noise(40'001));
  const numbers mixed_numbers = numbers_of(mixed(100'000));
  std::vector<std::string> lines(1500, "a line of a list, which is loaded in pieces");
  std::vector<point> points;
  for (std::uint32_t i = 0; i < 30'000; ++i)
    points.push_back(
        {i * i * 2'654'435'761U, static_cast<std::uint16_t>(i % 3), static_cast<std::uint16_t>(i)});
  ingot::document doc = ada_document();
  doc["long"] = std::string(60'000, 'l');
  auto world = live_ada();
  world->name = std::string(50'000, 'n');
  std::vector<kind_of_file> all{
      {"numbers", file_of(plain_numbers), load<numbers>},
      {"without a schema", file_of(plain_numbers, {.schema = false}), load<numbers>},
      {"lines", file_of(lines), load<std::vector<std::string>>},
      {"compact", file_of(lines, {.form = ingot::profile::compact}), load<std::vector<std::string>>},
      {"document", file_of(doc), load<ingot::document>},
      {"block", file_of(world), load<ingot::live<live_hero>>},
      {"columns", file_of(points, {.compress = {.block = 8192}, .columns = true}), load<std::vector<point>>}};
  for (const auto method : {ingot::codec::lz4, ingot::codec::zstd}) {
    if (!ingot::has_codec(method)) continue;
    const ingot::compression how{.method = method, .block = 8192, .threads = 1};
    all.push_back(
        {ingot::to_string(method).data(), file_of(mixed_numbers, {.compress = how}), load<numbers>});
    all.push_back({"columns and a codec", file_of(points, {.compress = how, .columns = true}),
                   load<std::vector<point>>});
  }
  return all;
}

TEST(damage, of_each_byte_is_found_in_the_part_where_it_is) {
  for (const auto& [name, file, load] : all_kinds()) {
    SCOPED_TRACE(name);
    const file_header header = header_of(file);
    EXPECT_EQ(header.info.version, 2);
    ASSERT_GE(header.parts(), 2u);
    expect_same(damage_of(file), {});
    const bool is_plain = header.info.is_plain();
    const auto blocks = is_plain ? std::vector<block>{} : blocks_of(file);
    const std::size_t end = head + static_cast<std::size_t>(header.info.stored_size);
    const auto table = static_cast<std::size_t>(header.checksums_at());
    const auto table_end = table + static_cast<std::size_t>(header.checksums_size());
    const auto lost_all = [&] {
      damage_report all;
      all.range_count = 1;
      all.lost_bytes = header.info.payload_size;
      all.listed[0] = {0, header.info.payload_size, head, header.info.stored_size};
      return all;
    };
    for (std::size_t at = head; at < file.size(); at += at < 200 || at + 200 > end ? 1 : 331) {
      SCOPED_TRACE(at);
      const byte_vector damaged = flipped(file, at);
      simulated_disk disk;
      disk.put("x", damaged);
      std::uint64_t offset = 0;
      const errc why = load(disk, offset, nullptr);
      if (at >= table_end) { // the schema
        EXPECT_EQ(std::pair(why, offset), std::pair(errc::bad_checksum, std::uint64_t{44}));
      } else if (at >= table) {
        EXPECT_EQ(std::pair(why, offset), std::pair(errc::bad_checksum, std::uint64_t{48}));
        expect_same(damage_of(damaged), lost_all());
      } else if (at >= end) {
        EXPECT_EQ(why, errc::bad_padding);
        expect_same(damage_of(damaged), {});
      } else {
        const std::size_t part = head + (at - head) / payload_part * payload_part;
        const std::size_t part_end = std::min(part + payload_part, end);
        EXPECT_EQ(std::pair(why, offset), std::pair(errc::bad_checksum, std::uint64_t{part}));
        damage_report lost;
        if (is_plain) {
          lost.range_count = 1;
          lost.lost_bytes = part_end - part;
          lost.listed[0] = {part - head, part_end - part, part, part_end - part};
        } else if (at < blocks[0].at) { // the table of blocks
          lost = lost_all();
        } else {
          block first;
          block last;
          for (const block& each : blocks) {
            if (each.at + each.stored <= part || each.at >= part_end) continue;
            if (first.raw == 0) first = each;
            last = each;
          }
          lost.range_count = 1;
          lost.lost_bytes = last.raw_at + last.raw - first.raw_at;
          lost.listed[0] = {first.raw_at, lost.lost_bytes, first.at, last.at + last.stored - first.at};
        }
        expect_same(damage_of(damaged), lost);
      }
      if (testing::Test::HasFailure()) return;
    }
  }
}

TEST(damage, of_a_part_leaves_exactly_the_rest) {
  const numbers original = numbers_of(mixed(100'000));
  for (const auto method : {ingot::codec::none, ingot::codec::lz4, ingot::codec::zstd}) {
    if (!ingot::has_codec(method)) continue;
    SCOPED_TRACE(ingot::to_string(method));
    const byte_vector file = file_of(original, {.compress = {.method = method, .block = 8192}});
    const std::size_t begin = method == ingot::codec::none ? head : blocks_of(file)[0].at;
    const std::size_t end = head + static_cast<std::size_t>(header_of(file).info.stored_size);
    for (std::size_t at = begin; at < end; at += 997) {
      SCOPED_TRACE(at);
      simulated_disk disk;
      disk.put("x", flipped(file, at));
      damage_report lost;
      lost.range_count = 99; // cleared
      const auto loaded = ingot::load<numbers>("x", {.checksum = false, .zero_damaged = &lost}, disk);
      ASSERT_TRUE(loaded.has_value()) << loaded.error().message();
      expect_same(lost, damage_of(flipped(file, at)));
      ASSERT_EQ(lost.range_count, 1u);
      numbers rest = original;
      const auto& gone = lost.ranges()[0];
      std::fill_n(rest.begin() + static_cast<std::ptrdiff_t>(gone.offset), gone.size, std::uint8_t{});
      ASSERT_EQ(*loaded, rest);
    }
    simulated_disk disk;
    disk.put("x", file);
    damage_report lost;
    EXPECT_EQ(ingot::load<numbers>("x", {.zero_damaged = &lost}, disk), original);
    expect_same(lost, {});
  }
}

TEST(damage, of_many_parts_is_counted_and_the_first_are_listed) {
  const numbers original(150 * payload_part + 1, 7);
  byte_vector file = file_of(original);
  for (const std::size_t part : {0U, 1U, 150U}) file[head + part * payload_part] ^= std::byte{1};
  const damage_report few = damage_of(file);
  EXPECT_EQ(few.range_count, 2u);
  EXPECT_EQ(few.lost_bytes, 2 * payload_part + 1);
  EXPECT_EQ(few.ranges()[0].size, 2 * payload_part);
  EXPECT_EQ(few.ranges()[1].offset, 150 * payload_part);
  EXPECT_EQ(few.ranges()[1].size, 1u);
  for (std::size_t part = 4; part < 148; part += 2) file[head + part * payload_part + 5] ^= std::byte{1};
  const damage_report many = damage_of(file);
  EXPECT_EQ(many.range_count, 74u);
  EXPECT_EQ(many.lost_bytes, 74 * payload_part + 1);
  ASSERT_EQ(many.ranges().size(), damage_report::max_listed);
  EXPECT_EQ(many.ranges()[63].offset, (4 + 2 * 62) * payload_part);
  simulated_disk disk;
  disk.put("x", file);
  damage_report lost;
  const auto loaded = ingot::load<numbers>("x", {.zero_damaged = &lost}, disk);
  ASSERT_TRUE(loaded.has_value()) << loaded.error().message();
  expect_same(lost, many);
  EXPECT_EQ(std::ranges::count(*loaded, 0), static_cast<std::ptrdiff_t>(many.lost_bytes));
}

TEST(damage, of_everything_or_of_the_only_part_is_an_error_as_before) {
  const numbers original = numbers_of(noise(40'000));
  byte_vector all = file_of(original);
  for (std::size_t part = 0; part < 3; ++part) all[head + part * payload_part] ^= std::byte{1};
  const byte_vector small = flipped(file_of(numbers(payload_part, 1)), head + 5);
  EXPECT_EQ(header_of(small).info.version, 1);
  const byte_vector table =
      flipped(file_of(original), static_cast<std::size_t>(header_of(all).checksums_at()));
  const byte_vector schema = flipped(file_of(original), all.size() - 1);
  const std::array<std::pair<const byte_vector*, std::uint64_t>, 4> files{
      {{&all, head}, {&small, 48}, {&table, 48}, {&schema, 44}}};
  for (const auto& [file, offset] : files) {
    simulated_disk disk;
    disk.put("x", *file);
    damage_report lost;
    const auto loaded = ingot::load<numbers>("x", {.zero_damaged = &lost}, disk);
    ASSERT_FALSE(loaded.has_value());
    EXPECT_EQ(loaded.error().code(), errc::bad_checksum);
    EXPECT_EQ(loaded.error().offset(), offset);
  }
}

TEST(damage, whose_zeros_are_no_value_says_both_reasons) {
  const std::vector<std::string> lines(3000, "a line");
  simulated_disk disk;
  disk.put("x", flipped(file_of(lines), head + 5000)); // an end
  damage_report lost;
  const auto loaded = ingot::load<std::vector<std::string>>("x", {.zero_damaged = &lost}, disk);
  ASSERT_FALSE(loaded.has_value());
  EXPECT_NE(loaded.error().code(), errc::bad_checksum);
  EXPECT_TRUE(loaded.error().expected().ends_with(" (damaged bytes were read as zeros)"))
      << loaded.error().message();
  EXPECT_EQ(lost.range_count, 1u);
  auto doc = ada_document();
  doc["long"] = std::string(60'000, 'l');
  for (const bool is_in_text : {true, false}) { // the text has no nodes
    const byte_vector file = file_of(doc);
    const auto text = static_cast<std::size_t>(
        std::ranges::search(file, byte_vector(40'000, std::byte{'l'})).begin() - file.begin());
    disk.put("x", flipped(file, is_in_text ? text + 30'000 : head + 12));
    const auto opened = ingot::load<ingot::document>("x", {.zero_damaged = &lost}, disk);
    if (is_in_text) {
      ASSERT_TRUE(opened.has_value()) << opened.error().message();
      EXPECT_EQ(*opened->root()["name"].as<std::string_view>(), "Ada");
      const std::string_view rest = *opened->root()["long"].as<std::string_view>();
      EXPECT_EQ(std::ranges::count(rest, '\0'), static_cast<std::ptrdiff_t>(payload_part));
    } else {
      ASSERT_FALSE(opened.has_value());
      EXPECT_TRUE(opened.error().expected().ends_with(" (damaged bytes were read as zeros)"));
    }
  }
}

TEST(damage, of_parts_that_were_swapped_is_damage_of_both) {
  byte_vector file = file_of(numbers_of(noise(50'000)));
  const auto table = static_cast<std::size_t>(header_of(file).checksums_at());
  std::swap_ranges(file.begin() + head, file.begin() + head + payload_part,
                   file.begin() + head + 2 * payload_part);
  const damage_report found = damage_of(file);
  EXPECT_EQ(found.range_count, 2u);
  EXPECT_EQ(found.lost_bytes, 2 * payload_part);
  // With their checksums swapped, too, the table is another one.
  std::swap_ranges(file.begin() + static_cast<std::ptrdiff_t>(table),
                   file.begin() + static_cast<std::ptrdiff_t>(table + 8),
                   file.begin() + static_cast<std::ptrdiff_t>(table + 16));
  simulated_disk disk;
  disk.put("x", file);
  const auto loaded = ingot::load<numbers>("x", {}, disk);
  ASSERT_FALSE(loaded.has_value());
  EXPECT_EQ(loaded.error().code(), errc::bad_checksum);
  EXPECT_EQ(loaded.error().offset(), 48u);
}

TEST(damage, is_named_by_maps_copies_and_files_in_memory) {
  const byte_vector file = flipped(file_of(numbers_of(noise(40'000))), head + 2 * payload_part + 9);
  simulated_disk disk;
  disk.put("x", file);
  const std::string expected = "the checksum of bytes 32832 to 40063";
  for (const bool copy : {false, true}) {
    const auto mapped = ingot::map_file<numbers>("x", {.checksum = true, .copy = copy}, disk);
    ASSERT_FALSE(mapped.has_value());
    EXPECT_EQ(mapped.error().expected(), expected);
    EXPECT_EQ(mapped.error().offset(), head + 2 * payload_part);
  }
  const auto opened = ingot::open_file<numbers>(file, {.checksum = true});
  ASSERT_FALSE(opened.has_value());
  EXPECT_EQ(opened.error().expected(), expected);
  EXPECT_TRUE(ingot::open_file<numbers>(file).has_value());
  byte_vector padding = file_of(numbers_of(noise(40'001)));
  padding[head + 40'003] = std::byte{1};
  EXPECT_EQ(ingot::open_file<numbers>(padding).error().code(), errc::bad_padding);
  disk.put("x", padding);
  EXPECT_EQ(ingot::map_file<numbers>("x", {}, disk).error().code(), errc::bad_padding);
  const byte_vector table = flipped(file_of(numbers_of(noise(40'000))),
                                    static_cast<std::size_t>(header_of(file).checksums_at()) + 8);
  EXPECT_EQ(ingot::open_file<numbers>(table, {.checksum = true}).error().offset(), 48u);
}

/// A compressed file. Block 19 is stored as it was, and block 20 is compressed. If their lengths
/// are swapped in the table of blocks, bytes of block 19 become those of block 20, and no codec
/// notices.
struct file_with_a_table {
  byte_vector file = file_of(numbers_of(mixed(100'000)),
                             {.compress = {.method = ingot::codec::lz4, .block = 4096, .threads = 1}});
  std::vector<block> blocks = blocks_of(file);
  std::size_t lengths = blocks[0].at - 4 * blocks.size();

  void swap(std::span<std::byte> bytes, std::uint64_t from) const {
    const std::size_t at = lengths + 4 * 19 - static_cast<std::size_t>(from);
    std::swap_ranges(bytes.begin() + static_cast<std::ptrdiff_t>(at),
                     bytes.begin() + static_cast<std::ptrdiff_t>(at + 4),
                     bytes.begin() + static_cast<std::ptrdiff_t>(at + 4));
  }
};

TEST(damage, of_a_file_that_changes_between_two_reads_gives_no_wrong_value) {
  if (!ingot::has_codec(ingot::codec::lz4)) GTEST_SKIP() << "this build has no LZ4";
  const file_with_a_table original;
  ASSERT_EQ(original.blocks[19].stored, original.blocks[19].raw);
  ASSERT_LT(original.blocks[20].stored, original.blocks[20].raw);
  ASSERT_GT(original.blocks[19].at, head + payload_part);
  const auto stored = static_cast<std::size_t>(header_of(original.file).info.stored_size);
  simulated_disk disk;
  disk.put("x", flipped(original.file, original.blocks[1].at));
  troubled_files changing(disk);
  bool is_changed = false;
  changing.after_read = [&](std::span<std::byte> bytes, std::uint64_t from) {
    if (from != head || bytes.size() != stored) return;
    original.swap(bytes, from);
    is_changed = true;
  };
  damage_report lost;
  const auto loaded = ingot::load<numbers>("x", {.zero_damaged = &lost, .threads = 1}, changing);
  EXPECT_TRUE(is_changed);
  ASSERT_FALSE(loaded.has_value());
  EXPECT_EQ(loaded.error().code(), errc::bad_checksum);
  EXPECT_EQ(loaded.error().offset(), head);
}

TEST(damage, of_a_table_that_changes_after_its_part_was_read_is_damage_of_everything) {
  if (!ingot::has_codec(ingot::codec::lz4)) GTEST_SKIP() << "this build has no LZ4";
  const file_with_a_table original;
  const file_header header = header_of(original.file);
  simulated_disk disk;
  disk.put("x", flipped(original.file, original.blocks[19].at));
  troubled_files changing(disk);
  bool is_changed = false;
  changing.after_read = [&](std::span<std::byte> bytes, std::uint64_t from) {
    if (from != original.lengths || bytes.size() != 4 * original.blocks.size()) return;
    original.swap(bytes, from);
    is_changed = true;
  };
  const auto found = ingot::find_damage("x", changing);
  EXPECT_TRUE(is_changed);
  ASSERT_TRUE(found.has_value()) << found.error().message();
  EXPECT_EQ(found->lost_bytes, header.info.payload_size);
}

TEST(damage, of_nothing_is_no_range) {
  byte_vector file = file_of(numbers(), {.schema = false});
  file[48] ^= std::byte{1};
  seal(file);
  expect_same(damage_of(file), {});
  simulated_disk disk;
  disk.put("x", file);
  damage_report lost;
  EXPECT_EQ(ingot::load<numbers>("x", {.zero_damaged = &lost}, disk).error().code(), errc::bad_checksum);
}

TEST(damage, of_a_log_or_an_edited_file_is_not_looked_for) {
  simulated_disk disk;
  ASSERT_TRUE(ingot::detail::create_log(disk, "log", {.kind = ingot::file_kind::packed_log}, {}));
  const auto found = ingot::find_damage("log", disk);
  ASSERT_FALSE(found.has_value());
  EXPECT_EQ(found.error().code(), errc::unsupported);
  EXPECT_EQ(ingot::find_damage("nowhere", disk).error().code(), errc::io);
}

TEST(file_of_version_1, with_a_long_payload_is_read_and_has_one_part) {
  const numbers original = numbers_of(noise(40'000));
  byte_vector file = file_of(original, {.schema = false});
  file.resize(head + 40'000);
  file[4] = std::byte{1};
  ingot::store_le(file.data() + 48, ingot::detail::checksum(ingot::bytes_view(file).subspan(head)));
  seal(file);
  simulated_disk disk;
  disk.put("x", file);
  EXPECT_EQ(ingot::load<numbers>("x", {}, disk), original);
  EXPECT_TRUE(ingot::map_file<numbers>("x", {.checksum = true}, disk).has_value());
  disk.put("x", flipped(file, 30'000));
  EXPECT_EQ(ingot::load<numbers>("x", {}, disk).error().offset(), 48u);
  EXPECT_EQ(damage_of(flipped(file, 30'000)).lost_bytes, 40'000u);
}

TEST(file_of_version_2, has_a_table_that_agrees_with_its_header) {
  const byte_vector file = file_of(numbers_of(noise(40'000)));
  const auto code_of = [](const byte_vector& bytes) {
    const auto header = ingot::detail::read_header(bytes, bytes.size());
    return header ? errc::cancelled : header.error().code();
  };
  EXPECT_EQ(code_of(file), errc::cancelled);
  for (std::size_t size = head + 40'000; size < file.size(); ++size)
    EXPECT_EQ(code_of({file.begin(), file.begin() + static_cast<std::ptrdiff_t>(size)}), errc::truncated);
  byte_vector longer = file;
  longer.resize(file.size() + 8);
  EXPECT_EQ(code_of(longer), errc::trailing_bytes);
  for (const unsigned kind : {5U, 6U, 7U, 8U}) { // logs and edited files
    byte_vector other(70'000);
    file_header header;
    header.info.kind = static_cast<ingot::file_kind>(kind);
    ingot::detail::write_header(header, other.data());
    EXPECT_EQ(other[4], std::byte{1});
    other[4] = std::byte{2};
    seal(other);
    EXPECT_EQ(code_of(other), errc::wrong_version);
  }
  for (const std::uint64_t size : {std::uint64_t{0}, std::uint64_t{payload_part}}) { // one part
    byte_vector other = file;
    ingot::store_le(other.data() + 24, size);
    ingot::store_le(other.data() + 32, size);
    seal(other);
    EXPECT_EQ(code_of(other), errc::wrong_version);
  }
  for (const std::uint64_t size : {~std::uint64_t{0}, ~std::uint64_t{0} - 63, std::uint64_t{1} << 63,
                                   std::uint64_t{1} << 62, std::uint64_t{file.size() - head}}) {
    byte_vector other = file;
    ingot::store_le(other.data() + 24, size);
    ingot::store_le(other.data() + 32, size);
    seal(other);
    EXPECT_EQ(code_of(other), errc::truncated) << size;
  }
  byte_vector unknown = file;
  unknown[4] = std::byte{3};
  seal(unknown);
  EXPECT_EQ(code_of(unknown), errc::wrong_version);
}

TEST(file_of_version_2, whose_table_lies_is_rejected) {
  if (!ingot::has_codec(ingot::codec::lz4)) GTEST_SKIP() << "this build has no LZ4";
  const numbers original = numbers_of(mixed(100'000));
  const byte_vector file = file_of(original, {.compress = {.method = ingot::codec::lz4, .block = 8192}});
  const file_header header = header_of(file);
  for (std::uint64_t i = 0; i <= header.parts(); ++i) {
    byte_vector lies = flipped(file, static_cast<std::size_t>(header.checksums_at() + 8 * i));
    seal_table(lies);
    simulated_disk disk;
    disk.put("x", lies);
    const auto loaded = ingot::load<numbers>("x", {}, disk);
    ASSERT_FALSE(loaded.has_value());
    EXPECT_EQ(loaded.error().code(), errc::bad_checksum);
    EXPECT_EQ(loaded.error().offset(), i < header.parts() ? head + i * payload_part : head);
    EXPECT_TRUE(ingot::load<numbers>("x", {.checksum = false}, disk).has_value());
  }
}

} // namespace damage_test
