// SPDX-License-Identifier: Apache-2.0
// Records that are split into columns before compression are read back unchanged, for any type and
// bytes. Blocks written by hand test the meaning of each byte independently of the writer.
#include <ingot/core/endian.hpp>
#include <ingot/file/compression.hpp>
#include <ingot/file/detail/checksum.hpp>
#include <ingot/pack/pack.hpp>
#include <ingot/schema/description.hpp>

#include "../../bench/load/real_characters.hpp"
#include "file/column_tools.hpp"
#include "file/file_tools.hpp"

#include <algorithm>
#include <cstring>
#include <memory>
#include <string>

namespace column_compression_test {

using namespace file_test;
using ingot::bytes_view;
using ingot::codec;
using ingot::errc;

const std::vector<codec> codecs = codecs_here();
constexpr std::size_t page = 4096;

byte_vector bytes_of(const ingot::buffer& bytes) { return {bytes.begin(), bytes.end()}; }
ingot::buffer split(bytes_view bytes, const ingot::compression& how, bytes_view schema) {
  auto compressed = ingot::compress(bytes, how, {.schema = schema});
  EXPECT_TRUE(compressed.has_value()) << compressed.error().message();
  return compressed ? std::move(*compressed) : ingot::buffer{};
}
template <class T>
ingot::buffer split(const T& value, const ingot::compression& how) {
  return split(*ingot::pack(value), how, ingot::schema_bytes<T>());
}
bool has_columns(bytes_view message) { return (message[5] & std::byte{4}) != std::byte{}; }

/// Checks the round trip for several numbers of threads. Returns the compressed size.
template <class T>
std::size_t round_trip(const T& value, codec method, std::size_t block = page) {
  const auto packed = *ingot::pack(value);
  std::size_t size = 0;
  for (const unsigned threads : {1U, 3U}) {
    const auto message =
        split(packed, {.method = method, .block = block, .threads = threads}, ingot::schema_bytes<T>());
    EXPECT_TRUE(size == 0 || size == message.size()) << "the same whatever the threads";
    size = message.size();
    EXPECT_LE(size, packed.size() + 24);
    const auto back = ingot::decompress(message, packed.size(), {.threads = threads});
    EXPECT_TRUE(back.has_value()) << back.error().message();
    EXPECT_TRUE(back && *back == packed);
  }
  return size;
}

TEST(compress_columns, gives_back_every_number_of_records) {
  for (const codec method : codecs) {
    for (const std::size_t n : {0U, 1U, 15U, 16U, 17U, 100U, 511U, 512U, 513U, 1'000U, 5'000U})
      round_trip(readings(n), method);
    for (const std::size_t n : {0U, 1U, 40U, 700U}) round_trip(travellers(n), method);
  }
}

TEST(compress_columns, gives_back_lists_of_every_width_and_kind) {
  std::vector<std::uint8_t> bytes;
  std::vector<std::int16_t> shorts;
  std::vector<float> floats;
  std::vector<double> doubles;
  std::vector<std::string> texts;
  std::map<std::uint32_t, double> map;
  std::vector<std::array<char, 12>> tags;
  std::vector<std::vector<std::uint32_t>> lists;
  for (std::uint32_t i = 0; i < 3'000; ++i) {
    bytes.push_back(static_cast<std::uint8_t>(i / 7));
    shorts.push_back(static_cast<std::int16_t>(i * 3));
    floats.push_back(static_cast<float>(i % 90));
    doubles.push_back(i % 50 == 0 ? 0.1 * i : 1);
    texts.push_back(std::string(i % 9, static_cast<char>('a' + i % 3)));
    map[i * 5] = i % 4;
    tags.push_back({'t', 'a', 'g', static_cast<char>('0' + i % 10)});
    lists.push_back(std::vector<std::uint32_t>(i % 5, i));
  }
  for (const codec method : codecs) {
    for (const std::size_t block : {page, std::size_t{1} << 20}) {
      round_trip(bytes, method, block);
      round_trip(shorts, method, block);
      round_trip(floats, method, block);
      round_trip(doubles, method, block);
      round_trip(texts, method, block);
      round_trip(map, method, block);
      round_trip(tags, method, block);
      round_trip(lists, method, block);
      round_trip(forest(), method, block);
      round_trip(evolvings(700), method, block);
      round_trip(std::tuple(shorts, texts, doubles), method, block);
    }
  }
}

TEST(compress_columns, makes_records_smaller_than_their_codec_alone_does) {
  const auto values = readings(20'000);
  const auto packed = *ingot::pack(values);
  for (const codec method : codecs) {
    const auto rows = *ingot::compress(packed, {.method = method});
    const auto columns = split(values, {.method = method});
    EXPECT_TRUE(has_columns(columns));
    EXPECT_LT(columns.size(), rows.size() / 2) << to_string(method);
  }
}

TEST(compress_columns, splits_lists_and_texts_in_whatever_they_lie) {
  // Texts of one repeated letter take almost nothing, if the writer finds them.
  const std::string text(40, 'z');
  const auto part = []<class T>(const T& value) {
    return static_cast<double>(split(value, {.block = page}).size()) /
           static_cast<double>(ingot::pack(value)->size());
  };
  EXPECT_LT(part(std::vector<std::optional<std::string>>(200, text)), 0.3);
  EXPECT_LT(part(std::vector<std::variant<int, std::string>>(200, text)), 0.3);
  EXPECT_LT(part(std::vector<evolving>(200, {1, text})), 0.4);
  EXPECT_LT(part(std::vector<std::pair<int, std::array<std::string, 2>>>(200, {1, {text, text}})), 0.3);
  std::vector<std::vector<std::vector<std::vector<std::string>>>> deep(2);
  for (auto& a : deep) {
    a.resize(2);
    for (auto& b : a) b.assign(2, std::vector<std::string>(50, text));
  }
  EXPECT_LT(part(deep), 0.3);
}

TEST(compress_columns, gives_each_column_the_form_that_fits) {
  // Without a codec the message contains the block itself. The block is a run of kind 1 with 1,000
  // records, stored as columns; the form of the column follows.
  const byte_vector drawn = noise(8'000);
  const auto form_of = [&](auto value) {
    std::vector<std::uint32_t> all;
    for (std::uint32_t i = 0; i < 1'000; ++i) all.push_back(value(i));
    const auto message = split(all, {.block = page});
    const std::size_t at = 32 + ingot::load_le<std::uint32_t>(message.data() + 28) + 4;
    const byte_vector start(message.begin() + static_cast<std::ptrdiff_t>(at),
                            message.begin() + static_cast<std::ptrdiff_t>(at) + 5);
    EXPECT_EQ(start, as_bytes({1, 1, 0xE8, 7, 1}));
    return std::to_integer<int>(message[at + 5]);
  };
  const auto draw = [&](std::uint32_t i) { return std::to_integer<std::uint32_t>(drawn[i]); };
  EXPECT_EQ(form_of([](std::uint32_t) { return 7U; }), 4) << "constant";
  EXPECT_EQ(form_of([](std::uint32_t i) { return i % 50 == 0 ? i * 1'000'003 : 7U; }), 3) << "sparse";
  EXPECT_EQ(form_of([&](std::uint32_t i) { return draw(i) % 5 * 1'000'003; }), 5) << "palette";

  // Noise stays in rows, though another list of the block is split.
  std::pair<std::vector<std::uint64_t>, std::vector<std::uint64_t>> both;
  both.first.resize(100);
  both.second.resize(100);
  std::memcpy(both.first.data(), drawn.data(), 800);
  const auto message = split(both, {.block = page});
  const std::size_t block = 32 + ingot::load_le<std::uint32_t>(message.data() + 28) + 4;
  const std::size_t ends = block + 7; // three runs; one record of two ends, two lists
  ASSERT_GT(message.size(), ends + 9 + 801);
  EXPECT_EQ(message[ends], std::byte{0});
  EXPECT_EQ(message[ends + 9], std::byte{0});
  EXPECT_EQ(message[ends + 9 + 801], std::byte{1});
}

TEST(compress_columns, saves_no_byte_that_takes_longer_to_read_than_it_is_worth) {
  // 256 values of 8 bytes as a palette: only eight bytes less than 294 values side by side, and
  // each read needs a lookup.
  const byte_vector drawn = noise(256 * 8);
  std::vector<std::pair<std::uint64_t, std::uint64_t>> all(294);
  for (std::size_t i = 0; i < all.size(); ++i) std::memcpy(&all[i].second, drawn.data() + i % 256 * 8, 8);
  const auto form_of = [&] {
    const auto message = split(all, {.block = std::size_t{2} * page});
    const std::size_t block = 32 + ingot::load_le<std::uint32_t>(message.data() + 28) + 4;
    EXPECT_EQ(message[block + 4],
              std::byte{1}); // one run, of kind 1, of two bytes' number of records; columns
    EXPECT_EQ(message[block + 5], std::byte{4}); // constant, and its value
    return std::to_integer<int>(message[block + 14]);
  };
  EXPECT_EQ(form_of(), 0) << "raw";
  const std::size_t before = all.size();
  for (std::size_t i = before; i < 500; ++i) all.push_back(all[i - 256]);
  EXPECT_EQ(form_of(), 5) << "a palette, where it saves much";
}

TEST(compress_columns, tries_more_records_than_a_few_that_happen_to_be_alike) {
  if (!ingot::has_codec(codec::lz4)) GTEST_SKIP();
  std::vector<std::uint32_t> all;
  for (std::uint32_t i = 0; i < 20'000; ++i) all.push_back(i < 9'800 || i > 10'200 ? i * 1'003 : 7);
  EXPECT_LT(split(all, {.method = codec::lz4}).size(), 4 * all.size() / 20);
}

TEST(compress_columns, of_ends_that_go_back_are_those_bytes) {
  // Elements of an evolvable type each have their end before their data.
  const auto packed = bytes_of(*ingot::pack(std::vector<evolving>(60, {1, std::string(20, 'z')})));
  const bytes_view schema = ingot::schema_bytes<std::vector<evolving>>();
  for (std::size_t at = 8; at + 4 <= 8 + 60 * 12; at += 4) {
    for (const std::uint32_t end : {0U, 1U, 21U, 1'000U}) {
      byte_vector bytes = packed;
      ingot::store_le(bytes.data() + at, end);
      const auto message = ingot::compress(bytes, {}, {.schema = schema});
      ASSERT_TRUE(message.has_value());
      const auto back = ingot::decompress(*message, bytes.size());
      ASSERT_TRUE(back.has_value()) << at;
      EXPECT_TRUE(std::ranges::equal(*back, bytes)) << at;
    }
  }
}

TEST(compress_columns, reaches_the_sizes_that_were_requested) {
  // The record of bench/load: a hundred thousand that count up, and the same number in which half
  // of the members vary.
  std::vector<plain_record> simple;
  std::vector<plain_record> varied;
  const byte_vector drawn = noise(300'000);
  const auto draw = [&](std::size_t i) { return std::to_integer<int>(drawn[i]); };
  for (int i = 0; i < 100'000; ++i) {
    const auto n = static_cast<std::size_t>(3 * i);
    simple.push_back({{}, i % 5, static_cast<float>(i)});
    varied.push_back({{static_cast<float>(draw(n)), static_cast<float>(draw(n + 1))},
                      draw(n + 2) % 64,
                      static_cast<float>(i)});
  }
  for (const codec method : codecs) {
    if (method == codec::none) continue;
    EXPECT_LE(split(simple, {.method = method}).size(), 20'000u);
    EXPECT_LE(split(varied, {.method = method}).size(), 310'000u);
  }
}

TEST(compress_columns, makes_characters_as_games_have_them_small) {
  bench::real_characters characters(7);
  std::vector<bench::std_character> all;
  while (all.size() < 1'000) all.push_back(characters.next());
  const auto packed = static_cast<double>(ingot::pack(all)->size());
  for (const codec method : codecs) {
    if (method == codec::none) continue;
    const ingot::compression how{.method = method, .level = method == codec::lz4 ? 9 : 3};
    const auto message = split(all, how);
    const auto of_rows = static_cast<double>(ingot::compress(*ingot::pack(all), how)->size());
    EXPECT_LE(static_cast<double>(message.size()), (method == codec::lz4 ? 0.31 : 0.28) * packed);
    EXPECT_LE(static_cast<double>(message.size()), 0.75 * of_rows);
    ingot::compression long_blocks = how; // as they consist of many characters
    long_blocks.block = std::size_t{1} << 20;
    EXPECT_LE(static_cast<double>(split(all, long_blocks).size()), 0.28 * packed);
    const auto back = ingot::decompress(message, static_cast<std::size_t>(packed));
    ASSERT_TRUE(back.has_value()) << back.error().message();
    EXPECT_TRUE(*back == *ingot::pack(all));
  }
}

TEST(compress_columns, adds_up_to_24_bytes_to_noise) {
  for (const codec method : codecs) {
    std::vector<std::uint64_t> numbers(10'000);
    const byte_vector bytes = noise(80'000);
    std::memcpy(numbers.data(), bytes.data(), bytes.size());
    EXPECT_EQ(split(numbers, {.method = method}).size(), 80'024u);
    EXPECT_FALSE(has_columns(split(numbers, {.method = method})));
  }
}

TEST(compress_columns, of_bytes_that_are_something_else_are_those_bytes) {
  // The caller supplies the schema; nothing guarantees that it fits.
  const auto packed = bytes_of(*ingot::pack(travellers(60)));
  for (const codec method : codecs) {
    for (const byte_vector& bytes :
         {plain(9'001), noise(5'000), mixed(20'000), byte_vector(7'000), byte_vector{}}) {
      for (const bytes_view schema :
           {ingot::schema_bytes<std::vector<traveller>>(), ingot::schema_bytes<std::vector<tree>>(),
            ingot::schema_bytes<std::vector<evolving>>(), ingot::schema_bytes<int>()})
        EXPECT_EQ(
            bytes_of(*ingot::decompress(split(bytes, {.method = method, .block = page}, schema), 20'000)),
            bytes);
    }
    const auto with_damage = [&](const byte_vector& bytes, bytes_view schema, int change) {
      for (std::size_t i = 0; i < 200; i += 3) {
        byte_vector damaged = bytes;
        damaged[i] ^= static_cast<std::byte>(change);
        const auto message = split(damaged, {.method = method, .block = page}, schema);
        const auto back = ingot::decompress(message, damaged.size());
        ASSERT_TRUE(back.has_value()) << back.error().message();
        EXPECT_EQ(bytes_of(*back), damaged);
      }
    };
    with_damage(packed, ingot::schema_bytes<std::vector<traveller>>(), 0x11);
    with_damage(bytes_of(*ingot::pack(evolvings(60))), ingot::schema_bytes<std::vector<evolving>>(), 0x09);
  }
  EXPECT_FALSE(ingot::compress(packed, {}, {.schema = packed}).has_value()) << "no description at all";
}

TEST(compress_columns, expand_a_byte_within_the_bound) {
  // Constant columns would give blocks of a few bytes, and readers would not accept that these
  // expand to a megabyte.
  for (const codec method : codecs) {
    const auto packed = *ingot::pack(std::vector<std::uint64_t>(1 << 18, 7));
    const auto message = split(packed, {.method = method, .block = 1 << 20},
                               ingot::schema_bytes<std::vector<std::uint64_t>>());
    EXPECT_GE((message.size() - 24) * 32'768, packed.size());
    EXPECT_LE(message.size(), 500u) << "but not by far";
    EXPECT_EQ(*ingot::decompress(message, packed.size()), packed);
  }
}

TEST(compress_columns, makes_blocks_longer_where_there_are_many) {
  // Longer columns are smaller, but threads need several blocks: there are at least 32 if blocks
  // are longer than 256 KiB.
  const auto block_of = [](std::size_t bytes, std::size_t requested = 0) {
    const std::vector<std::uint32_t> all(bytes / 4, 7);
    EXPECT_EQ(ingot::pack(all)->size(), bytes);
    return ingot::load_le<std::uint32_t>(split(all, {.block = requested}).data() + 24);
  };
  constexpr std::size_t mebibyte = std::size_t{1} << 20;
  EXPECT_EQ(block_of(page), mebibyte / 4);
  EXPECT_EQ(block_of(16 * mebibyte - 4), mebibyte / 4);
  EXPECT_EQ(block_of(16 * mebibyte), mebibyte / 2);
  EXPECT_EQ(block_of(32 * mebibyte - 4), mebibyte / 2);
  EXPECT_EQ(block_of(32 * mebibyte), mebibyte);
  EXPECT_EQ(block_of(64 * mebibyte), mebibyte) << "no block of columns is longer";
  EXPECT_EQ(block_of(32 * mebibyte, page), page) << "the requested length";
}

TEST(compress_columns, leaves_records_that_repeat_to_the_codec) {
  // A hundred records, repeated in changing order. Their columns are noise.
  const byte_vector bytes = noise(100 * 256);
  const byte_vector order = noise(2'000);
  std::vector<std::array<std::uint32_t, 64>> all(2'000);
  for (std::size_t i = 0; i < all.size(); ++i)
    std::memcpy(all[i].data(), bytes.data() + std::to_integer<std::size_t>(order[i]) % 100 * 256, 256);
  for (const codec method : codecs) {
    for (const int level : {1, 9}) {
      const auto rows = *ingot::compress(*ingot::pack(all), {.method = method, .level = level});
      const auto columns = split(all, {.method = method, .level = level});
      EXPECT_LE(columns.size(), rows.size() + rows.size() / 100) << to_string(method) << level;
    }
  }
}

/// 2^N lists.
template <int N>
struct many {
  using type = std::pair<typename many<N - 1>::type, typename many<N - 1>::type>;
};
template <>
struct many<0> {
  using type = std::vector<std::array<std::int16_t, 256>>;
};

/// Gives each list an element: a list without elements needs no columns.
template <int N>
void fill(typename many<N>::type& value) {
  if constexpr (N == 0) {
    value.resize(1);
  } else {
    fill<N - 1>(value.first);
    fill<N - 1>(value.second);
  }
}

TEST(compress_columns, writes_no_longer_a_table_than_is_read) {
  // Each kind takes 258 bytes of the table, whose maximum is 2^16 bytes: so some of the 256 kinds
  // stay plain bytes.
  auto value = std::make_unique<many<8>::type>();
  fill<8>(*value);
  auto& first = value->first.first.first.first.first.first.first.first;
  auto& last = value->second.second.second.second.second.second.second.second;
  static_assert(std::is_same_v<std::remove_cvref_t<decltype(last)>, many<0>::type>);
  first.resize(1'200);
  last.resize(20, {1, 2, 3});
  const auto packed = *ingot::pack(*value);
  const auto message = split(packed, {}, ingot::schema_bytes<many<8>::type>());
  EXPECT_TRUE(has_columns(message));
  EXPECT_GT(ingot::load_le<std::uint32_t>(message.data() + 28), 65'000u);
  EXPECT_LT(message.size(), packed.size() / 2);
  const auto back = ingot::decompress(message, packed.size());
  ASSERT_TRUE(back.has_value()) << back.error().message();
  EXPECT_EQ(*back, packed);
}

TEST(decompress_columns, reads_each_form_as_the_page_says) {
  // A table for records of eight bytes, the same in all of them, and a number of 16 bits; the block
  // has twenty records.
  const byte_vector table = as_bytes({1, 2, 8, 2});
  const byte_vector same = as_bytes({11, 12, 13, 14, 15, 16, 17, 18});
  const auto with = [&](const byte_vector& column, const auto& number) {
    // a run of kind 1 with 20 records; columns; the first is constant
    byte_vector block = as_bytes({1, 1, 20, 1, 4});
    block.insert(block.end(), same.begin(), same.end());
    block.insert(block.end(), column.begin(), column.end());
    const auto back = ingot::decompress(crafted(200, table, block), 200);
    ASSERT_TRUE(back.has_value()) << back.error().message();
    for (std::size_t i = 0; i < 20; ++i) {
      EXPECT_TRUE(std::ranges::equal(bytes_view(*back).subspan(10 * i, 8), same));
      EXPECT_EQ(ingot::load_le<std::uint16_t>(back->data() + 10 * i + 8), number(static_cast<int>(i)));
    }
  };
  byte_vector raw = as_bytes({0});
  byte_vector shuffled = as_bytes({1});
  byte_vector deltas = as_bytes({2});
  for (int i = 0; i < 20; ++i) {
    raw.insert(raw.end(), {static_cast<std::byte>(i), std::byte{9}});
    shuffled.push_back(static_cast<std::byte>(i));
    deltas.push_back(std::byte{0xFF});
  }
  shuffled.resize(41, std::byte{9});
  deltas.resize(41, std::byte{0xFF});
  const auto nine = [](int i) { return 0x0900 + i; };
  with(raw, nine);
  with(shuffled, nine);
  with(deltas, [](int i) { return 0xFFFF - i; });
  // All are 0x0102, except the third and the twentieth.
  with(as_bytes({3, 2, 1, 0x04, 0, 0x08, 5, 6, 7, 8}), [](int i) {
    return i == 2 ? 0x0705 : i == 19 ? 0x0806 : 0x0102;
  });
  with(as_bytes({4, 2, 1}), [](int) { return 0x0102; });
  // Three values, two bits for each: 0 1 2 0 in every byte.
  with(as_bytes({5, 2, 2, 1, 0, 2, 0, 3, 0, 0x24, 0x24, 0x24, 0x24, 0x24}), [](int i) {
    return i % 4 == 1 ? 2 : i % 4 == 2 ? 3 : 1;
  });
}

TEST(decompress_columns, puts_runs_of_several_kinds_back_where_they_were) {
  // A byte, two numbers, a byte, two more numbers, a text of one letter; the numbers as rows and as
  // columns.
  const byte_vector table = as_bytes({2, 1, 2, 1, 1});
  byte_vector expected = as_bytes({'a', 1, 0, 2, 0, 'b', 3, 0, 4, 0});
  expected.resize(100, std::byte{'x'});
  for (const byte_vector& numbers :
       {as_bytes({0, 1, 0, 2, 0, 3, 0, 4, 0}), as_bytes({1, 1, 1, 2, 3, 4, 0, 0, 0, 0})}) {
    byte_vector block = as_bytes({5, 0, 1, 0, 1, 2, 1, 2, 1, 2, 90, 0, 'a', 'b'});
    block.insert(block.end(), numbers.begin(), numbers.end());
    for (const int each : {1, 4, int{'x'}}) block.push_back(static_cast<std::byte>(each));
    const auto back = ingot::decompress(crafted(100, table, block), 100);
    ASSERT_TRUE(back.has_value()) << back.error().message();
    EXPECT_EQ(bytes_of(*back), expected);
  }
}

TEST(decompress_columns, rejects_blocks_that_are_not_as_the_page_says) {
  const byte_vector table = as_bytes({1, 1, 2});
  const auto code_of = [&](const byte_vector& block) {
    const auto back = ingot::decompress(crafted(40, table, block), 40);
    return back ? errc{} : back.error().code();
  };
  const auto run = [](std::initializer_list<int> rest) {
    byte_vector block = as_bytes({1, 1, 20});
    const byte_vector more = as_bytes(rest);
    block.insert(block.end(), more.begin(), more.end());
    return block;
  };
  EXPECT_EQ(code_of(run({1, 4, 7, 7})), errc{});
  EXPECT_EQ(code_of(run({1, 4, 7})), errc::bad_length) << "too short";
  EXPECT_EQ(code_of(run({1, 4, 7, 7, 7})), errc::bad_length) << "too long";
  EXPECT_EQ(code_of(run({2, 4, 7, 7})), errc::bad_length) << "neither rows nor columns";
  EXPECT_EQ(code_of(run({1, 6, 7, 7})), errc::bad_length) << "no form";
  EXPECT_EQ(code_of(as_bytes({1, 1, 19, 1, 4, 7, 7})), errc::bad_length) << "too few records";
  EXPECT_EQ(code_of(as_bytes({1, 1, 21, 1, 4, 7, 7})), errc::bad_length) << "too many";
  EXPECT_EQ(code_of(as_bytes({1, 1, 0x94, 0, 1, 4, 7, 7})), errc::bad_length)
      << "a number longer than it need be";
  EXPECT_EQ(code_of(as_bytes({1, 2, 20, 1, 4, 7, 7})), errc::bad_length) << "no such kind";
  EXPECT_EQ(code_of(as_bytes({2, 1, 1, 20, 0, 1, 4, 7, 7})), errc::bad_length) << "a run of none";
  EXPECT_EQ(code_of(as_bytes({0, 1, 4, 7, 7})), errc::bad_length) << "no run";
  EXPECT_EQ(code_of(as_bytes({0xFF, 0xFF, 0xFF, 0xFF, 0x0F, 1})), errc::bad_length) << "more runs than bytes";
  EXPECT_EQ(code_of(run({1, 3, 7, 7, 0, 0, 0})), errc{});
  EXPECT_EQ(code_of(run({1, 3, 7, 7, 0, 0, 0x10, 1, 1})), errc::bad_length) << "a bit after the last";
  EXPECT_EQ(code_of(run({1, 5, 1, 1, 1, 0, 2, 0, 0xFF, 0xFF, 0x0F})), errc{});
  EXPECT_EQ(code_of(run({1, 5, 1, 1, 1, 0, 2, 0, 0xFF, 0xFF, 0x1F})), errc::bad_length)
      << "a bit after the last";
  EXPECT_EQ(code_of(run({1, 5, 2, 1, 1, 0, 2, 0, 3, 0, 0, 0, 0})), errc::bad_length) << "three for one bit";
  EXPECT_EQ(code_of(run({1, 5, 1, 0, 1, 0, 2, 0})), errc::bad_length) << "no bits";
  EXPECT_EQ(code_of(run(
                {1, 5, 1, 9, 1, 0, 2, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0})),
            errc::bad_length)
      << "nine bits";
  EXPECT_EQ(code_of(run({1, 5, 2, 2, 1, 0, 2, 0, 3, 0, 0, 0, 0x30, 0, 0})), errc::bad_length)
      << "the fourth of three";
  byte_vector bytes =
      as_bytes({1, 1, 50, 1, 5, 2, 8, 1, 0, 2, 0, 3, 0}); // a palette of three, an index is a byte
  bytes.resize(bytes.size() + 50, std::byte{2});
  EXPECT_TRUE(ingot::decompress(crafted(100, table, bytes), 100).has_value());
  for (const std::size_t i : {std::size_t{1}, std::size_t{20}, std::size_t{50}}) {
    byte_vector fourth = bytes;
    fourth[fourth.size() - i] = std::byte{3};
    const auto back = ingot::decompress(crafted(100, table, fourth), 100);
    ASSERT_FALSE(back.has_value()) << "the fourth of three";
    EXPECT_EQ(back.error().code(), errc::bad_length);
  }
  EXPECT_EQ(code_of(as_bytes({1, 1, 0x94, 0x80, 0x80, 0x80, 0x10, 1, 4, 7, 7})), errc::bad_length)
      << "a number of more than 32 bits";
}

TEST(decompress_columns, of_a_codec_takes_blocks_of_twice_their_bytes_and_64) {
  // As many runs as bytes: the block has three bytes for each, and two more.
  for (const codec method : codecs) {
    if (method == codec::none) continue; // they would be longer than the result
    for (const std::size_t n : {62U, 63U}) {
      byte_vector block{static_cast<std::byte>(n)};
      block.resize(1 + n, std::byte{0});
      block.resize(1 + 2 * n, std::byte{1});
      block.push_back(std::byte{0});
      block.resize(2 + 3 * n, std::byte{'x'});
      // its only block follows two lengths
      const auto compressed = *ingot::compress(block, {.method = method});
      const byte_vector encoded(compressed.begin() + 24 + 8, compressed.end());
      ASSERT_LT(encoded.size(), n);
      const auto back = ingot::decompress(crafted(n, as_bytes({1, 1, 2}), encoded, method), n);
      if (n == 62) {
        ASSERT_TRUE(back.has_value()) << back.error().message();
        EXPECT_EQ(bytes_of(*back), byte_vector(n, std::byte{'x'}));
      } else {
        ASSERT_FALSE(back.has_value());
        EXPECT_EQ(back.error().code(), errc::bad_length);
      }
    }
  }
}

TEST(decompress_columns, rejects_tables_that_are_not_as_the_page_says) {
  const byte_vector block =
      as_bytes({1, 0, 0xF0, 0xA2, 4, 1, 4, 7}); // the byte 7 repeated: valid for any table
  constexpr std::size_t raw = 70'000;
  const auto with = [&](const byte_vector& table) {
    const auto back = ingot::decompress(crafted(raw, table, block), raw);
    return back ? std::pair{errc{}, std::uint64_t{0}}
                : std::pair{back.error().code(), back.error().offset() - 24 - 8};
  };
  const auto wrong = [](std::uint64_t offset) { return std::pair{errc::bad_length, offset}; };
  const auto of_columns = [](std::initializer_list<int> first, std::size_t columns) {
    byte_vector table = as_bytes(first);
    table.resize(table.size() + columns, std::byte{1});
    return table;
  };
  const auto right = std::pair{errc{}, std::uint64_t{0}};
  EXPECT_EQ(with(as_bytes({1, 1, 2})), right);
  EXPECT_EQ(with({}), std::pair(errc::truncated, std::uint64_t{0}));
  EXPECT_EQ(with(as_bytes({0})), wrong(1));
  EXPECT_EQ(with(as_bytes({1, 0})), wrong(2)) << "no columns";
  EXPECT_EQ(with(as_bytes({1, 1, 0})), wrong(3)) << "of no width";
  EXPECT_EQ(with(as_bytes({1, 2, 2})), wrong(2)) << "fewer than it says";
  EXPECT_EQ(with(as_bytes({2, 1, 2})), wrong(3));
  EXPECT_EQ(with(as_bytes({1, 1, 0x82, 0})), wrong(4)) << "a number longer than it need be";
  EXPECT_EQ(with(as_bytes({1, 2, 0xFE, 0xFF, 3, 1})), right) << "a record of 65,535 bytes";
  EXPECT_EQ(with(as_bytes({1, 2, 0xFF, 0xFF, 3, 1})), wrong(6)) << "a record of 65,536 bytes";
  EXPECT_EQ(with(as_bytes({1, 1, 0x80, 0x80, 4})), wrong(5));
  EXPECT_EQ(with(of_columns({1, 0x80, 2}, 256)), right);
  EXPECT_EQ(with(of_columns({1, 0x81, 2}, 257)), wrong(3)) << "257 columns";
  EXPECT_EQ(with(as_bytes({1, 1, 2, 0})), std::pair(errc::trailing_bytes, std::uint64_t{3}));
  byte_vector longest = as_bytes({254});
  const byte_vector each = of_columns({0x80, 2}, 256);
  for (int i = 0; i < 254; ++i) longest.insert(longest.end(), each.begin(), each.end());
  EXPECT_EQ(with(longest), right) << "65,533 bytes";
  longest[0] = std::byte{255};
  longest.insert(longest.end(), each.begin(), each.end());
  EXPECT_EQ(ingot::decompress(crafted(raw, longest, block), raw).error().code(), errc::bad_length);
  EXPECT_EQ(ingot::decompress(crafted(raw, longest, block), raw).error().offset(), 28u);

  byte_vector message = crafted(raw, as_bytes({1, 1, 2}), block);
  ingot::store_le(message.data() + 28, std::uint32_t{1000});
  seal_message(message);
  EXPECT_EQ(ingot::decompress(message, raw).error().code(), errc::bad_length);
  ingot::store_le(message.data() + 28, std::uint32_t{3});
  ingot::store_le(message.data() + 24, (1U << 20) + 1);
  seal_message(message);
  EXPECT_EQ(ingot::decompress(message, raw).error().code(), errc::bad_length)
      << "blocks of columns are shorter";
}

TEST(decompress_columns, forged_bytes_with_a_right_checksum_writes_inside_its_output) {
  for (const codec method : codecs) {
    const auto packed = *ingot::pack(travellers(100));
    const auto message = bytes_of(
        split(packed, {.method = method, .block = page}, ingot::schema_bytes<std::vector<traveller>>()));
    ASSERT_TRUE(has_columns(message));
    std::size_t accepted = 0;
    std::size_t rejected = 0;
    const std::size_t step = std::getenv("INGOT_TEST_FULL") != nullptr ? 1 : 17;
    for (std::size_t i = 5; i < message.size(); i += i < 400 ? 1 : step) {
      if (i >= 16 && i < 24) continue;
      for (const int change : {0x01, 0xFF}) {
        byte_vector damaged = message;
        damaged[i] ^= static_cast<std::byte>(change);
        seal_message(damaged);
        const auto alone = ingot::decompress(damaged, packed.size(), {.threads = 1});
        const auto together = ingot::decompress(damaged, packed.size(), {.threads = 3});
        ASSERT_EQ(alone.has_value(), together.has_value());
        if (alone) {
          EXPECT_EQ(alone->size(), packed.size());
          EXPECT_EQ(*alone, *together);
        } else {
          EXPECT_EQ(alone.error().message(), together.error().message());
        }
        ++(alone ? accepted : rejected);
      }
    }
    EXPECT_GT(accepted, 50u);
    EXPECT_GT(rejected, 50u);
  }
}

TEST(decompress_columns, rejects_every_prefix_and_every_changed_byte) {
  const auto message = bytes_of(split(readings(300), {.method = codecs.back(), .block = page}));
  ASSERT_TRUE(has_columns(message));
  for (std::size_t size = 0; size < message.size(); ++size)
    EXPECT_FALSE(ingot::decompress(bytes_view(message).first(size), 100'000)) << size;
  for (std::size_t i = 0; i < message.size(); ++i) {
    byte_vector damaged = message;
    damaged[i] ^= std::byte{0x10};
    EXPECT_FALSE(ingot::decompress(damaged, 100'000)) << i;
  }
}

TEST(decompress_columns, names_the_block_that_is_wrong) {
  auto message = bytes_of(split(readings(2'000), {.method = codec::none, .block = page}));
  const std::size_t table = ingot::load_le<std::uint32_t>(message.data() + 28);
  const std::size_t blocks = (static_cast<std::size_t>(*ingot::decompressed_size(message)) + page - 1) / page;
  std::size_t at = 32 + table + 4 * blocks;
  for (std::size_t i = 0; i < 2; ++i)
    at += ingot::load_le<std::uint32_t>(message.data() + 32 + table + 4 * i);
  message[at] = std::byte{0xEE}; // the number of runs of the third
  seal_message(message);
  for (const unsigned threads : {1U, 4U}) {
    const auto why = ingot::decompress(message, 1 << 20, {.threads = threads}).error();
    EXPECT_EQ(why.code(), errc::bad_length);
    EXPECT_EQ(why.offset(), at);
  }
}

TEST(decompress_columns, reads_what_earlier_versions_wrote) {
  const auto packed = *ingot::pack(readings(200));
  for (const codec method : codecs) {
    const std::string name = method == codec::none  ? "message_columns"
                             : method == codec::lz4 ? "message_columns_lz4"
                                                    : "message_columns_zstd";
    const byte_vector now = bytes_of(
        split(packed, {.method = method, .block = page}, ingot::schema_bytes<std::vector<reading>>()));
    const byte_vector then = golden(name, "by columns: 200 readings of tests/file/column_tools.hpp", now);
    const auto back = ingot::decompress(then, packed.size());
    ASSERT_TRUE(back.has_value()) << back.error().message();
    EXPECT_EQ(*back, packed);
  }
}

} // namespace column_compression_test
