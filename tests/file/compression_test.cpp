// SPDX-License-Identifier: Apache-2.0
// Compression and back, for any bytes, codec and number of threads: the result is exactly what was
// written.
#include <ingot/core/endian.hpp>
#include <ingot/file/compression.hpp>
#include <ingot/file/detail/checksum.hpp>
#include <ingot/pack/pack.hpp>
#include <ingot/pack/unpack.hpp>

#include "file/compressed_tools.hpp"
#include "file/file_tools.hpp"

#include <algorithm>
#include <cstring>
#include <memory>
#include <string>

namespace compression_test {

using namespace file_test;
using ingot::bytes_view;
using ingot::codec;
using ingot::errc;

constexpr codec codecs[] = {codec::lz4, codec::zstd};
constexpr std::size_t page = 4096;

byte_vector bytes_of(const ingot::buffer& bytes) { return {bytes.begin(), bytes.end()}; }
ingot::buffer compressed(bytes_view bytes, const ingot::compression& how) {
  auto compressed_bytes = ingot::compress(bytes, how);
  EXPECT_TRUE(compressed_bytes.has_value()) << compressed_bytes.error().message();
  return compressed_bytes ? std::move(*compressed_bytes) : ingot::buffer{};
}
byte_vector as_bytes(std::initializer_list<int> numbers) {
  byte_vector bytes;
  for (const int each : numbers) bytes.push_back(static_cast<std::byte>(each));
  return bytes;
}
/// Updates the message's own checksum: otherwise nothing after it would be tested.
void seal(byte_vector& message) {
  byte_vector rest(message.begin(), message.begin() + 16);
  rest.insert(rest.end(), message.begin() + 24, message.end());
  ingot::store_le(message.data() + 16, ingot::detail::checksum(rest));
}
/// Returns a handmade message.
byte_vector crafted(codec method, std::uint64_t raw, const byte_vector& stored) {
  byte_vector message = as_bytes({'i', 'n', 'g', 'Z', 1, static_cast<int>(method)});
  message.resize(24);
  ingot::store_le(message.data() + 8, raw);
  message.insert(message.end(), stored.begin(), stored.end());
  seal(message);
  return message;
}
std::uint32_t number_at(bytes_view bytes, std::size_t at) {
  return ingot::load_le<std::uint32_t>(bytes.data() + at);
}

TEST(compress, gives_back_every_length_around_a_block) {
  for (const codec method : codecs) {
    for (const unsigned threads : {1U, 3U}) {
      for (const std::size_t size :
           {std::size_t{0}, std::size_t{1}, page - 1, page, page + 1, 2 * page, 9 * page + 17}) {
        for (const byte_vector& bytes : {plain(size), noise(size), mixed(size)}) {
          const auto message = compressed(bytes, {.method = method, .block = page, .threads = threads});
          EXPECT_EQ(ingot::decompressed_size(message), size);
          const auto back = ingot::decompress(message, size, {.threads = threads});
          ASSERT_TRUE(back.has_value()) << back.error().message();
          EXPECT_EQ(bytes_of(*back), bytes);
          byte_vector target(size + 3, std::byte{0x5A});
          EXPECT_EQ(ingot::decompress_into(target, message, {.threads = threads}), size);
          EXPECT_TRUE(std::ranges::equal(bytes, bytes_view(target).first(size)));
          EXPECT_EQ(target[size], std::byte{0x5A});
        }
      }
    }
  }
}

TEST(compress, makes_plain_data_small_and_adds_24_bytes_to_noise) {
  for (const codec method : codecs) {
    EXPECT_LT(compressed(plain(100'000), {.method = method}).size(), 10'000u);
    EXPECT_EQ(compressed(noise(100'000), {.method = method}).size(), 100'024u);
    EXPECT_EQ(compressed({}, {.method = method}).size(), 24u);
  }
  EXPECT_EQ(compressed(plain(1'000), {}).size(), 1'024u) << "no codec was requested";
}

TEST(compress, keeps_a_block_as_it_is_that_does_not_shrink) {
  for (const codec method : codecs) {
    const byte_vector bytes = mixed(8 * page);
    const auto message = compressed(bytes, {.method = method, .block = page});
    ASSERT_EQ(number_at(message, 24), page);
    for (std::size_t block = 0; block < 8; ++block)
      EXPECT_EQ(number_at(message, 28 + 4 * block) == page, block % 2 == 1) << block;
  }
}

TEST(compress, stores_a_block_unchanged_that_saves_less_than_requested) {
  for (const codec method : codecs) {
    byte_vector bytes = noise(3 * page);
    std::fill_n(bytes.begin() + 100, 500, std::byte{});        // an eighth of the first block
    std::fill_n(bytes.begin() + page + 100, 900, std::byte{}); // a fifth of the second
    std::fill_n(bytes.begin() + 2 * page, page, std::byte{});
    const auto unchanged_blocks = [&](const ingot::compression& how) {
      const auto message = compressed(bytes, how);
      EXPECT_EQ(ingot::decompress(message, bytes.size()).value_or(ingot::buffer{}).size(), bytes.size());
      std::size_t whole = 0;
      for (std::size_t block = 0; block < 3; ++block)
        whole += number_at(message, 28 + 4 * block) == page ? 1 : 0;
      return whole;
    };
    EXPECT_EQ(unchanged_blocks({.method = method, .block = page}), 1U);
    EXPECT_EQ(unchanged_blocks({.method = method, .block = page, .min_saving_percent = 0}), 0U);
    EXPECT_EQ(unchanged_blocks({.method = method, .block = page, .min_saving_percent = 50}), 2U);
    EXPECT_EQ(unchanged_blocks({.method = method, .block = page, .min_saving_percent = 1000}), 2U)
        << "90 is the most";
  }
}

TEST(compress, of_the_same_bytes_is_the_same_whatever_the_threads) {
  const byte_vector bytes = mixed(40 * page + 5);
  for (const codec method : codecs) {
    const auto alone = compressed(bytes, {.method = method, .block = page, .threads = 1});
    for (const unsigned threads : {0U, 2U, 7U, 1'000U})
      EXPECT_EQ(compressed(bytes, {.method = method, .block = page, .threads = threads}), alone);
  }
}

TEST(compress, takes_levels_to_their_ends_and_beyond) {
  const byte_vector bytes = mixed(3 * page);
  for (const codec method : codecs) {
    for (const int level : {std::numeric_limits<int>::min(), -3, 1, 3, 9, std::numeric_limits<int>::max()}) {
      const auto message = compressed(bytes, {.method = method, .level = level, .block = page});
      const auto back = ingot::decompress(message, bytes.size());
      ASSERT_TRUE(back.has_value()) << back.error().message();
      EXPECT_EQ(bytes_of(*back), bytes);
    }
    EXPECT_LT(compressed(bytes, {.method = method, .level = 9}).size(),
              compressed(bytes, {.method = method, .level = -7}).size());
  }
}

TEST(compress, block_length_is_rounded_up) {
  const byte_vector bytes = plain(3 * page);
  EXPECT_EQ(number_at(compressed(bytes, {.method = codec::lz4, .block = 1}), 24), page);
  EXPECT_EQ(number_at(compressed(bytes, {.method = codec::lz4, .block = std::size_t{1} << 30}), 24),
            1U << 26);
}

TEST(compress, takes_blocks_of_256_KiB_if_nothing_is_said) {
  // with columns, bytes of this length would get longer blocks
  const byte_vector bytes(std::size_t{33} << 20);
  EXPECT_EQ(number_at(compressed(bytes, {.method = codec::lz4}), 24), 1U << 18);
  EXPECT_EQ(number_at(compressed(plain(page), {.method = codec::lz4, .block = 0}), 24), 1U << 18);
}

TEST(compress, by_a_codec_that_is_none_is_an_error) {
  EXPECT_EQ(ingot::compress({}, {.method = codec{3}}).error().code(), errc::unsupported);
  EXPECT_FALSE(ingot::has_codec(codec{3}));
  EXPECT_TRUE(ingot::has_codec(codec::none) && ingot::has_codec(codec::lz4) && ingot::has_codec(codec::zstd));
  EXPECT_EQ(ingot::to_string(codec::zstd), "Zstandard");
  EXPECT_EQ(ingot::to_string(codec{3}), "another compression");
}

TEST(decompress, takes_no_memory_beyond_the_limit) {
  // A gibibyte of zeros would be a short message; here only the header claims one.
  for (const codec method : codecs) {
    auto message = bytes_of(compressed(plain(100'000), {.method = method}));
    EXPECT_EQ(ingot::decompress(message, 99'999).error().code(), errc::too_large);
    byte_vector target(99'999);
    EXPECT_EQ(ingot::decompress_into(target, message).error().code(), errc::no_space);
    const std::uint64_t max_raw = (message.size() - 24) * (method == codec::lz4 ? 255 : 32'768);
    for (const std::uint64_t raw : {2 * max_raw, ~std::uint64_t{0}, std::uint64_t{1} << 63}) {
      ingot::store_le(message.data() + 8, raw);
      seal(message);
      EXPECT_EQ(ingot::decompress(message, std::numeric_limits<std::size_t>::max()).error().code(),
                errc::bad_length);
    }
  }
}

TEST(decompress, rejects_every_prefix_and_every_changed_byte) {
  for (const codec method : codecs) {
    const auto message = bytes_of(compressed(mixed(2 * page + 100), {.method = method, .block = page}));
    const std::size_t step = std::getenv("INGOT_TEST_FULL") != nullptr ? 1 : 7;
    for (std::size_t size = 0; size < message.size(); size += size < 100 ? 1 : step)
      EXPECT_FALSE(ingot::decompress(bytes_view(message).first(size), 100'000)) << size;
    for (std::size_t i = 0; i < message.size(); i += i < 100 ? 1 : step) {
      byte_vector damaged = message;
      damaged[i] ^= std::byte{0x10};
      EXPECT_FALSE(ingot::decompress(damaged, 100'000)) << i;
    }
  }
}

TEST(decompress, forged_bytes_with_a_right_checksum_writes_inside_its_output) {
  // Deliberate changes: every value of every control byte, and changes all over the blocks. An
  // accepted result has the required length; the sanitizer detects the rest.
  for (const codec method : codecs) {
    const auto message = bytes_of(compressed(mixed(2 * page + 100), {.method = method, .block = page}));
    std::size_t accepted = 0;
    std::size_t rejected = 0;
    const std::size_t step = std::getenv("INGOT_TEST_FULL") != nullptr ? 1 : 13;
    for (std::size_t i = 4; i < message.size(); i += i < 100 ? 1 : step) {
      if (i >= 16 && i < 24) continue;
      for (const int change : {0x01, 0x80, 0xFF}) {
        byte_vector damaged = message;
        damaged[i] ^= static_cast<std::byte>(change);
        seal(damaged);
        const auto alone = ingot::decompress(damaged, 100'000, {.threads = 1});
        const auto together = ingot::decompress(damaged, 100'000, {.threads = 3});
        ASSERT_EQ(alone.has_value(), together.has_value());
        if (!alone) {
          EXPECT_EQ(alone.error().message(), together.error().message());
          ++rejected;
          continue;
        }
        EXPECT_EQ(alone->size(), 2 * page + 100);
        ++accepted;
      }
    }
    EXPECT_GT(accepted, 100u) << "blocks that are stored unchanged may have any bytes";
    EXPECT_GT(rejected, 100u);
  }
}

TEST(decompress, names_the_first_block_that_is_wrong) {
  for (const codec method : codecs) {
    auto message = bytes_of(compressed(plain(20 * page), {.method = method, .block = page}));
    std::size_t at = 28 + 4 * 20;
    std::size_t seventh = 0;
    for (std::size_t block = 0; block < 20; ++block) {
      if (block == 7) seventh = at;
      const std::size_t length = number_at(message, 28 + 4 * block);
      if (block >= 7) std::memset(message.data() + at, 0xFF, length);
      at += length;
    }
    ASSERT_EQ(at, message.size());
    seal(message);
    for (const unsigned threads : {1U, 2U, 5U}) {
      const auto why = ingot::decompress(message, 20 * page, {.threads = threads}).error();
      EXPECT_EQ(why.code(), errc::bad_length);
      EXPECT_EQ(why.offset(), seventh);
    }
  }
}

TEST(decompress, holds_lengths_of_blocks_against_each_other_and_the_whole) {
  const auto whole = bytes_of(compressed(mixed(4 * page), {.method = codec::lz4, .block = page}));
  const auto with = [&](std::size_t at, std::uint32_t number) {
    byte_vector changed = whole;
    ingot::store_le(changed.data() + at, number);
    seal(changed);
    return ingot::decompress(changed, 4 * page).error().code();
  };
  const std::uint32_t first = number_at(whole, 28);
  EXPECT_EQ(with(24, 4095), errc::bad_length);
  EXPECT_EQ(with(24, (1U << 26) + 1), errc::bad_length);
  EXPECT_EQ(with(24, 0), errc::bad_length);
  EXPECT_EQ(with(28, 0), errc::bad_length);
  EXPECT_EQ(with(28, page + 1), errc::bad_length);
  EXPECT_EQ(with(28, 0xFFFF'FFFF), errc::bad_length);
  EXPECT_EQ(with(28, 8), errc::bad_length) << "4096 bytes are more than LZ4 makes of 8";
  EXPECT_EQ(with(28, first - 1), errc::trailing_bytes);
  EXPECT_EQ(with(28, first + 1), errc::truncated);
  byte_vector longer = whole;
  longer.push_back({});
  seal(longer);
  EXPECT_EQ(ingot::decompress(longer, 4 * page).error().code(), errc::trailing_bytes);
  EXPECT_EQ(ingot::decompress(longer, 4 * page).error().offset(), whole.size());
}

TEST(decompress, rejects_blocks_that_are_fewer_than_the_head_promises) {
  for (const codec method : codecs) {
    const byte_vector stored = as_bytes({0, 0x10, 0, 0}); // blocks of 4096 bytes, and none
    for (std::size_t size = 0; size <= 4; ++size) {
      const byte_vector message =
          crafted(method, 100, {stored.begin(), stored.begin() + static_cast<std::ptrdiff_t>(size)});
      const auto why = ingot::decompress(message, 1'000).error();
      EXPECT_EQ(why.code(), errc::truncated) << size << ": " << why.message();
      EXPECT_EQ(why.offset(), 24 + size);
    }
  }
}

TEST(decompress, rejects_a_message_that_is_no_shorter_than_what_it_was_created_from) {
  byte_vector stored = as_bytes({0, 0x10, 0, 0, 44, 1, 0, 0}); // one block of 300 bytes
  const byte_vector bytes = noise(300);
  stored.insert(stored.end(), bytes.begin(), bytes.end());
  EXPECT_EQ(ingot::decompress(crafted(codec::lz4, 300, stored), 1'000).error().code(), errc::bad_length);
}

TEST(decompress, rejects_what_zstandard_wrote_before_its_format_was_settled) {
  // "A" repeated a hundred times, written by version 0.7, which the library may still read. Another
  // library need not, and would read other bytes.
  const byte_vector frame =
      as_bytes({0x27, 0xB5, 0x2F, 0xFD, 0x20, 100, 0x80, 0x00, 0x64, 0x41, 0xC0, 0x00, 0x00});
  byte_vector stored = as_bytes({0, 0x10, 0, 0, static_cast<int>(frame.size()), 0, 0, 0});
  stored.insert(stored.end(), frame.begin(), frame.end());
  EXPECT_EQ(ingot::decompress(crafted(codec::zstd, 100, stored), 1'000).error().code(), errc::bad_length);
}

TEST(decompress, rejects_frames_of_zstandard_that_are_no_block) {
  // A skippable frame before the block: if the reader allowed any frame, the whole would decode to
  // the right bytes.
  const byte_vector bytes = plain(page + 1'000);
  const auto whole = bytes_of(compressed(bytes, {.method = codec::zstd, .block = page}));
  byte_vector with = whole;
  const byte_vector skipped{std::byte{0x50}, std::byte{0x2A}, std::byte{0x4D}, std::byte{0x18}, std::byte{1},
                            std::byte{},     std::byte{},     std::byte{},     std::byte{7}};
  const std::size_t second = 28 + 8 + number_at(whole, 28);
  for (const std::size_t at : {std::size_t{36}, second, whole.size()}) {
    with = whole;
    with.insert(with.begin() + static_cast<std::ptrdiff_t>(at), skipped.begin(), skipped.end());
    const std::size_t entry = at == 36 ? 28 : 32;
    ingot::store_le(with.data() + entry,
                    static_cast<std::uint32_t>(number_at(whole, entry) + skipped.size()));
    seal(with);
    EXPECT_EQ(ingot::decompress(with, 100'000).error().code(), errc::bad_length) << at;
  }
}

TEST(decompress, of_other_bytes_says_whose_they_are_not) {
  const std::string text = "{\"json\": 1, \"and\": \"more than a head\"}";
  EXPECT_EQ(ingot::decompress(ingot::as_bytes_view(text), 100).error().code(), errc::not_ingot);
  EXPECT_EQ(ingot::decompress({}, 100).error().code(), errc::truncated);
  auto message = bytes_of(compressed(plain(100), {}));
  const auto with = [&](std::size_t at, int value) {
    byte_vector changed = message;
    changed[at] = static_cast<std::byte>(value);
    seal(changed);
    return ingot::decompress(changed, 1'000).error();
  };
  EXPECT_EQ(with(4, 2).code(), errc::wrong_version);
  EXPECT_EQ(with(5, 3).code(), errc::bad_variant);
  EXPECT_EQ(with(5, 1).code(), errc::bad_length) << "without a codec as many bytes are there as before";
  EXPECT_EQ(with(6, 1).code(), errc::bad_padding);
  EXPECT_EQ(with(7, 1).code(), errc::bad_padding);
  EXPECT_EQ(with(8, 99).code(), errc::bad_length);
}

TEST(decompress, reads_what_earlier_versions_wrote) {
  // Libraries may write other bytes in the future. The meaning of these must never change.
  const byte_vector bytes = mixed(page + 100);
  for (const codec method : codecs) {
    const std::string name = method == codec::lz4 ? "message_lz4" : "message_zstd";
    const byte_vector now = bytes_of(
        compressed(bytes, {.method = method, .level = method == codec::lz4 ? 9 : 19, .block = page}));
    const byte_vector then =
        golden(name, "compressed: the text and the noise of tests/file/compressed_tools.hpp", now);
    const auto back = ingot::decompress(then, bytes.size());
    ASSERT_TRUE(back.has_value()) << back.error().message();
    EXPECT_EQ(bytes_of(*back), bytes);
  }
}

} // namespace compression_test
