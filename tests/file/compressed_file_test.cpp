// SPDX-License-Identifier: Apache-2.0
// Compressed files: any number of threads read back what was saved. Damage, false lengths and
// system errors are reported as for any other file.
#include <ingot/core/endian.hpp>
#include <ingot/file/detail/checksum.hpp>
#include <ingot/file/load.hpp>
#include <ingot/file/map_file.hpp>
#include <ingot/file/save.hpp>

#include "file/compressed_tools.hpp"
#include "file/file_tools.hpp"

#include <optional>
#include <string>
#include <string_view>

namespace compressed_file_test {

using namespace file_test;
using ingot::bytes_view;
using ingot::codec;
using ingot::compression;
using ingot::errc;

constexpr codec codecs[] = {codec::lz4, codec::zstd};
constexpr std::size_t page = 4096;

std::string text_of(const byte_vector& bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}
compression by(codec method) { return {.method = method, .block = page}; }
void seal(byte_vector& file) {
  ingot::store_le(file.data() + 56, ingot::detail::checksum(bytes_view(file).first(56)));
}
hero crowd() {
  hero value = ada();
  for (std::uint32_t i = 0; i < 5'000; ++i) value.equips.push_back({i, 1});
  return value;
}

TEST(save_compressed, loads_as_every_kind_by_any_number_of_threads) {
  ingot::live<live_hero> world = live_ada();
  for (std::uint32_t i = 0; i < 5'000; ++i) world->equips.push_back({i, 1});
  ingot::document doc = ada_document();
  doc["text"] = text_of(mixed(20 * page));
  for (const codec method : codecs) {
    simulated_disk disk;
    for (const auto form : {ingot::profile::packed, ingot::profile::compact}) {
      ASSERT_TRUE(ingot::save("hero", crowd(), {.form = form, .compress = by(method)}, disk));
      EXPECT_EQ(ingot::peek_file("hero", disk)->method, method);
      for (const unsigned threads : {0U, 1U, 3U, 100U}) {
        const auto back = ingot::load<hero>("hero", {.threads = threads}, disk);
        ASSERT_TRUE(back.has_value()) << back.error().message();
        EXPECT_EQ(back->equips, crowd().equips);
        EXPECT_EQ(back->items, crowd().items);
      }
      hero warm;
      ASSERT_TRUE(ingot::load_into(warm, "hero", {}, disk));
      EXPECT_EQ(warm.equips, crowd().equips);
    }
    ASSERT_TRUE(ingot::save("world", world, {.compress = by(method)}, disk));
    ASSERT_TRUE(ingot::save("doc", doc, {.compress = by(method)}, disk));
    for (const unsigned threads : {1U, 3U}) {
      auto world_again = ingot::load<ingot::live<live_hero>>("world", {.threads = threads}, disk);
      ASSERT_TRUE(world_again.has_value()) << world_again.error().message();
      EXPECT_TRUE(*world_again == world);
      (*world_again)->equips.push_back({1, 1});
      const auto doc_again = ingot::load<ingot::document>("doc", {.threads = threads}, disk);
      ASSERT_TRUE(doc_again.has_value()) << doc_again.error().message();
      EXPECT_TRUE(*doc_again == doc);
    }
    EXPECT_EQ(disk.open_files(), 0u);
  }
}

TEST(save_compressed, gives_back_every_length_around_a_block) {
  for (const codec method : codecs) {
    for (const std::size_t size : {std::size_t{0}, std::size_t{1}, std::size_t{100}, page - 1, page, page + 1,
                                   2 * page, 33 * page + 17}) {
      for (const byte_vector& bytes : {plain(size), noise(size), mixed(size)}) {
        simulated_disk disk;
        const std::string value = text_of(bytes);
        ASSERT_TRUE(ingot::save("x", value, {.compress = by(method)}, disk));
        for (const unsigned threads : {1U, 4U})
          EXPECT_EQ(ingot::load<std::string>("x", {.threads = threads}, disk), value);
      }
    }
  }
}

TEST(save_compressed, both_lengths_can_be_peeked) {
  simulated_disk disk;
  const std::string value = text_of(plain(100'000));
  for (const codec method : codecs) {
    ASSERT_TRUE(ingot::save("x", value, {.compress = {.method = method}}, disk));
    const auto info = ingot::peek_file("x", disk);
    ASSERT_TRUE(info.has_value()) << info.error().message();
    EXPECT_EQ(info->method, method);
    EXPECT_EQ(info->payload_size, 100'000u);
    EXPECT_LT(info->stored_size, 10'000u);
    EXPECT_LT(disk.content("x").size(), 10'100u);
    EXPECT_FALSE(ingot::read_file_schema("x", disk)->empty());
  }
}

TEST(save_compressed, of_what_does_not_become_smaller_is_the_file_that_it_was) {
  const std::string value = text_of(noise(100'000));
  for (const codec method : codecs) {
    EXPECT_EQ(file_of(value, {.compress = {.method = method}}), file_of(value));
    EXPECT_EQ(file_of(std::uint32_t{7}, {.compress = {.method = method}}), file_of(std::uint32_t{7}));
  }
  EXPECT_EQ(ingot::save("x", value, {.compress = {.method = codec{9}}}).error().code(), errc::unsupported);
}

TEST(save_compressed, failing_at_any_call_leaves_the_old_file) {
  const byte_vector before = file_of(ada());
  for (std::size_t n = 0;; ++n) {
    simulated_disk disk;
    disk.put("hero", before);
    troubled_files files(disk);
    files.fail_at = n;
    files.max_bytes = 1'000;
    const auto saved = ingot::save("hero", crowd(), {.durable = false, .compress = by(codec::lz4)}, files);
    if (n >= files.calls.size()) {
      EXPECT_TRUE(saved.has_value());
      break;
    }
    if (files.calls[n] == "close" && saved) continue;
    EXPECT_EQ(disk.content("hero"), before);
    EXPECT_EQ(disk.names(), std::vector<std::string>{"hero"});
  }
}

TEST(map_compressed, is_rejected_or_copied) {
  simulated_disk disk;
  ASSERT_TRUE(ingot::save("hero", crowd(), {.compress = by(codec::zstd)}, disk));
  ASSERT_TRUE(ingot::save("world", live_ada(), {.compress = by(codec::lz4)}, disk));
  const auto rejected = ingot::map_file<hero>("hero", {}, disk);
  ASSERT_FALSE(rejected.has_value());
  EXPECT_EQ(rejected.error().message(),
            "unsupported at byte 6 ([hero]): expected a file without compression, "
            "or map_options::copy, found Zstandard; this call or this build of "
            "the library can't do it: use one that can");
  EXPECT_EQ(ingot::map_file_unchecked<hero>("hero", {}, disk).error().code(), errc::unsupported);
  EXPECT_EQ(ingot::map_file<hero>("hero", {.copy = true, .max_bytes = 1'000}, disk).error().code(),
            errc::too_large);
  const auto copied = ingot::map_file<hero>("hero", {.checksum = true, .copy = true}, disk);
  ASSERT_TRUE(copied.has_value()) << copied.error().message();
  EXPECT_EQ((*copied)->get<&hero::equips>().size(), crowd().equips.size());
  EXPECT_EQ(reinterpret_cast<std::uintptr_t>(copied->payload().data()) % 64, 0u);
  auto world = ingot::map_file_unchecked<ingot::live<live_hero>>("world", {.copy = true}, disk);
  ASSERT_TRUE(world.has_value()) << world.error().message();
  (*world)->equips[0].count = 9;
  EXPECT_EQ(disk.open_files(), 0u);
}

TEST(load_compressed, takes_no_memory_beyond_the_limit_or_beyond_what_the_codec_can_do) {
  simulated_disk disk;
  const std::string value = text_of(plain(100'000));
  for (const codec method : codecs) {
    byte_vector file = file_of(value, {.schema = false, .compress = {.method = method}});
    disk.put("x", file);
    EXPECT_TRUE(ingot::load<std::string>("x", {.max_bytes = 100'000}, disk));
    EXPECT_EQ(ingot::load<std::string>("x", {.max_bytes = 99'999}, disk).error().code(), errc::too_large);
    const std::uint64_t max_raw = (file.size() - 64) * (method == codec::lz4 ? 255 : 32'768);
    for (const std::uint64_t raw : {max_raw + 32'768, ~std::uint64_t{0}}) {
      ingot::store_le(file.data() + 24, raw);
      seal(file);
      disk.put("x", file);
      EXPECT_EQ(ingot::load<std::string>("x", {}, disk).error().code(), errc::bad_length);
      EXPECT_EQ(ingot::load<std::string>("x", {}, disk).error().offset(), 32u);
    }
  }
}

TEST(load_compressed, holds_the_fields_of_the_header_against_each_other) {
  const byte_vector file = file_of(text_of(plain(10'000)), {.schema = false, .compress = by(codec::lz4)});
  const std::uint64_t stored = file.size() - 64;
  const auto with = [&](std::size_t at, std::uint64_t value, std::size_t size) {
    byte_vector changed = file;
    for (std::size_t i = 0; i < size; ++i) changed[at + i] = static_cast<std::byte>(value >> 8 * i);
    seal(changed);
    const auto header = ingot::detail::read_header(changed, changed.size());
    return header ? std::optional<errc>() : header.error().code();
  };
  EXPECT_EQ(with(6, 1, 1), std::nullopt);
  EXPECT_EQ(with(6, 0, 1), errc::bad_length);
  EXPECT_EQ(with(6, 3, 1), errc::bad_variant);
  EXPECT_EQ(with(6, 255, 1), errc::bad_variant);
  EXPECT_EQ(with(24, stored, 8), errc::bad_length);
  EXPECT_EQ(with(24, stored + 1, 8), std::nullopt) << "as far as the header goes";
  EXPECT_EQ(with(24, 0, 8), errc::bad_length);
  EXPECT_EQ(with(32, stored + 1, 8), errc::truncated);
  EXPECT_EQ(with(32, stored - 1, 8), errc::trailing_bytes);
  EXPECT_EQ(with(32, 0, 8), errc::bad_length);
  EXPECT_EQ(with(32, ~std::uint64_t{0}, 8), errc::bad_length);
  byte_vector log(64);
  ingot::detail::file_header header;
  header.info.kind = ingot::file_kind::packed_log;
  header.info.method = codec::lz4;
  ingot::detail::write_header(header, log.data());
  EXPECT_EQ(ingot::detail::read_header(log, 64).error().code(), errc::bad_variant);
}

/// The distance of damaged bits: some bits of every byte, or all.
std::size_t bit_step() { return std::getenv("INGOT_TEST_FULL") != nullptr ? 1 : 3; }
/// Two blocks and a schema: one compressed block, one of noise.
byte_vector small_file(codec method) { return file_of(text_of(mixed(page + 150)), {.compress = by(method)}); }

TEST(load_compressed, rejects_every_file_that_was_cut_short) {
  for (const codec method : codecs) {
    const byte_vector file = small_file(method);
    for (std::size_t size = 0; size < file.size(); ++size) {
      simulated_disk disk;
      disk.put("x", bytes_view(file).first(size));
      const auto loaded = ingot::load<std::string>("x", {}, disk);
      ASSERT_FALSE(loaded.has_value()) << size;
      EXPECT_EQ(loaded.error().code(), errc::truncated);
      EXPECT_EQ(loaded.error().offset(), size);
    }
  }
}

TEST(load_compressed, notices_every_flipped_bit) {
  for (const codec method : codecs) {
    const byte_vector file = small_file(method);
    for (std::size_t bit = 0; bit < 8 * file.size(); bit += bit_step()) {
      byte_vector damaged = file;
      damaged[bit / 8] ^= std::byte{1} << bit % 8;
      simulated_disk disk;
      disk.put("x", damaged);
      const auto loaded = ingot::load<std::string>("x", {.threads = 1}, disk);
      ASSERT_FALSE(loaded.has_value()) << bit;
      const errc code = loaded.error().code();
      EXPECT_TRUE(bit < 32   ? code == errc::not_ingot
                  : bit < 40 ? code == errc::wrong_version
                             : code == errc::bad_checksum || code == errc::bad_padding)
          << bit << ": " << loaded.error().message();
    }
  }
}

TEST(load_compressed, without_checksums_gives_as_many_bytes_as_were_saved_or_an_error) {
  for (const codec method : codecs) {
    const byte_vector file = small_file(method);
    std::size_t accepted = 0;
    std::size_t rejected = 0;
    for (std::size_t bit = 64 * 8; bit < 8 * file.size(); bit += bit_step()) {
      byte_vector damaged = file;
      damaged[bit / 8] ^= std::byte{1} << bit % 8;
      simulated_disk disk;
      disk.put("x", damaged);
      const auto loaded =
          ingot::load<std::string>("x", {.checksum = false, .threads = bit % 64 == 0 ? 2U : 1U}, disk);
      EXPECT_EQ(disk.open_files(), 0u);
      if (loaded) {
        EXPECT_EQ(loaded->size(), page + 150);
      }
      ++(loaded ? accepted : rejected);
    }
    EXPECT_GT(accepted, 300u) << "of noise, and of text in the codec";
    EXPECT_GT(rejected, 30u);
  }
}

TEST(load_compressed, names_the_wrong_block_by_its_position_in_the_file) {
  for (const codec method : codecs) {
    byte_vector file = file_of(text_of(plain(8 * page)), {.schema = false, .compress = by(method)});
    std::size_t at = 64 + 4 + 8 * 4;
    for (std::size_t block = 0; block < 5; ++block)
      at += ingot::load_le<std::uint32_t>(file.data() + 68 + 4 * block);
    std::fill_n(file.begin() + static_cast<std::ptrdiff_t>(at), 8, std::byte{0xFF});
    seal_payload(file);
    simulated_disk disk;
    disk.put("x", file);
    for (const unsigned threads : {1U, 3U}) {
      const auto loaded = ingot::load<std::string>("x", {.threads = threads}, disk);
      ASSERT_FALSE(loaded.has_value());
      EXPECT_EQ(loaded.error().code(), errc::bad_length);
      EXPECT_EQ(loaded.error().offset(), at);
      EXPECT_EQ(loaded.error().path(), "[x]");
    }
  }
}

TEST(load_compressed, names_the_same_whatever_the_threads_when_reading_fails_after_a_wrong_block) {
  constexpr std::size_t block = 1 << 16;
  byte_vector file = file_of(text_of(plain(8 * block)),
                             {.schema = false, .compress = {.method = codec::lz4, .block = block}});
  std::size_t end = 64 + 4 + 8 * 4;
  for (std::size_t i = 0; i < 3; ++i) end += ingot::load_le<std::uint32_t>(file.data() + 68 + 4 * i);
  std::fill_n(file.begin() + static_cast<std::ptrdiff_t>(end) - 8, 8,
              std::byte{0xFF}); // at the end of the third
  const auto message = [&](std::size_t n, unsigned threads) {
    simulated_disk disk;
    disk.put("x", file);
    troubled_files files(disk);
    files.fail_at = n;
    const auto loaded = ingot::load<std::string>("x", {.checksum = false, .threads = threads}, files);
    return loaded ? std::string() : std::string(loaded.error().message());
  };
  for (std::size_t n = 3; n < 16; ++n) {
    const std::string alone = message(n, 1);
    for (int again = 0; again < 10; ++again) EXPECT_EQ(message(n, 8), alone) << n;
  }
}

TEST(load_compressed, rejects_a_payload_that_is_too_short_for_the_length_of_a_block) {
  byte_vector file = file_of(text_of(plain(10'000)), {.compress = by(codec::lz4)});
  const auto stored = static_cast<std::ptrdiff_t>(ingot::load_le<std::uint64_t>(file.data() + 32));
  // The zeros and the schema after it could be read as the rest of the length.
  file.erase(file.begin() + 64 + 3, file.begin() + 64 + (stored + 7) / 8 * 8);
  file.insert(file.begin() + 64 + 3, 5, std::byte{});
  ingot::store_le(file.data() + 24, std::uint64_t{100});
  ingot::store_le(file.data() + 32, std::uint64_t{3});
  seal_payload(file);
  simulated_disk disk;
  disk.put("x", file);
  const auto why = ingot::load<std::string>("x", {}, disk).error();
  EXPECT_EQ(why.code(), errc::truncated) << why.message();
  EXPECT_EQ(why.offset(), 67u);
}

TEST(load_compressed, rejects_wrong_block_lengths) {
  const byte_vector whole = file_of(text_of(plain(4 * page)), {.schema = false, .compress = by(codec::lz4)});
  const auto with = [&](std::size_t at, std::uint32_t number) {
    byte_vector file = whole;
    ingot::store_le(file.data() + at, number);
    seal_payload(file);
    simulated_disk disk;
    disk.put("x", file);
    const auto why = ingot::load<std::string>("x", {}, disk).error();
    EXPECT_EQ(why.path(), "[x]");
    EXPECT_TRUE(why.offset() >= 64 && why.offset() <= whole.size()) << why.offset();
    return why.code();
  };
  EXPECT_EQ(with(64, 100), errc::bad_length);
  EXPECT_EQ(with(64, page * 1'000), errc::trailing_bytes) << "one block then, and more bytes than it has";
  EXPECT_EQ(with(68, 0), errc::bad_length);
  EXPECT_EQ(with(72, page + 1), errc::bad_length);
  EXPECT_EQ(with(72, page), errc::truncated);
}

TEST(load_compressed, that_fails_at_any_call_is_an_error_and_leaves_nothing_open) {
  const byte_vector file = small_file(codec::lz4);
  for (const unsigned threads : {1U, 2U}) {
    for (std::size_t n = 0;; ++n) {
      simulated_disk disk;
      disk.put("x", file);
      troubled_files files(disk);
      files.fail_at = n;
      const auto loaded = ingot::load<std::string>("x", {.threads = threads}, files);
      EXPECT_EQ(files.open_files(), 0);
      if (n >= files.calls.size()) {
        EXPECT_TRUE(loaded.has_value());
        EXPECT_GE(n, 8u);
        break;
      }
      if (files.calls[n] == "close") continue;
      ASSERT_FALSE(loaded.has_value()) << files.calls[n];
      EXPECT_EQ(loaded.error().code(), errc::io);
      EXPECT_EQ(loaded.error().found(), "Input/output error");
    }
  }
}

TEST(load_compressed, takes_signals_and_short_reads_as_they_come) {
  for (const codec method : codecs) {
    simulated_disk disk;
    disk.put("x", small_file(method));
    troubled_files files(disk);
    files.interrupts = true;
    files.max_bytes = 3;
    EXPECT_EQ(ingot::load<std::string>("x", {.threads = 2}, files), text_of(mixed(page + 150)));
  }
}

TEST(load_compressed, of_a_file_that_becomes_shorter_meanwhile_is_an_error) {
  const byte_vector file = small_file(codec::lz4);
  for (const std::size_t left : {std::size_t{64}, std::size_t{70}, std::size_t{90}, file.size() - 1}) {
    simulated_disk disk;
    disk.put("x", file);
    troubled_files files(disk);
    int descriptor = -1;
    files.before_read = [&] { // before the header is read
      descriptor = disk.open(simulated_disk::here, "x", file_open_mode::append, 0);
      files.before_read = [&] { EXPECT_EQ(disk.truncate(descriptor, left), 0); };
    };
    const auto loaded = ingot::load<std::string>("x", {}, files);
    disk.close(descriptor);
    ASSERT_FALSE(loaded.has_value());
    EXPECT_EQ(loaded.error().code(), errc::truncated);
    EXPECT_EQ(loaded.error().offset(), left);
  }
}

} // namespace compressed_file_test
