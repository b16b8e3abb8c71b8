// SPDX-License-Identifier: Apache-2.0
// Lists are decoded in pieces while their file is read. This is not observable: the value and every
// error are those of `unpack` for the whole payload.
#include <ingot/file/load.hpp>
#include <ingot/file/save.hpp>
#include <ingot/pack/unpack.hpp>

#include "file/file_tools.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <type_traits>
#include <vector>

namespace streamed_list_test {

using namespace file_test;

struct tick {
  std::uint32_t id = 0;
  float price = 0;
  bool operator==(const tick&) const = default;
};
/// With a byte that may be invalid, and padding in memory.
struct order {
  std::uint64_t id = 0;
  bool bought = false;
  std::optional<std::uint16_t> venue;
  bool operator==(const order&) const = default;
};
/// With ends at every kind of position: in an array, a nested member, a pair.
struct player {
  std::uint32_t id = 0;
  std::string names[2];
  struct {
    std::vector<tick> ticks;
    bool alive = false;
  } record;
  std::pair<std::string, std::optional<std::string>> notes;
  std::map<std::string, std::uint8_t> items;
};
[[nodiscard]] bool operator==(const player& a, const player& b) {
  return a.id == b.id && a.names[0] == b.names[0] && a.names[1] == b.names[1] &&
         a.record.ticks == b.record.ticks && a.record.alive == b.record.alive && a.notes == b.notes &&
         a.items == b.items;
}

[[nodiscard]] tick make(std::uint32_t n, tick) { return {n * 7919, static_cast<float>(n) / 4}; }
[[nodiscard]] order make(std::uint32_t n, order) {
  return {n * 7919, n % 3 == 0, n % 2 == 0 ? std::optional<std::uint16_t>(std::uint16_t(n)) : std::nullopt};
}
[[nodiscard]] player make(std::uint32_t n, player) {
  player p;
  p.id = n;
  p.names[0] = std::string(n % 40, 'a');
  p.names[1] = std::string(n % 7, 'b');
  for (std::uint32_t i = 0; i < n % 5; ++i) p.record.ticks.push_back(make(i, tick{}));
  p.record.alive = n % 2 == 0;
  p.notes = {std::string(n % 17, 'c'), n % 3 == 0 ? std::optional(std::string(n % 30, 'd')) : std::nullopt};
  if (n % 4 == 0) p.items = {{"rope", 1}, {"torch", 2}};
  return p;
}
template <class T>
[[nodiscard]] std::vector<T> make_list(std::size_t count) {
  std::vector<T> all;
  for (std::uint32_t n = 0; n < count; ++n) all.push_back(make(n, T{}));
  return all;
}

/// Loads a file of the disk `in`. If requested, each read returns only a few bytes.
template <class List>
[[nodiscard]] ingot::result<List> load_from(simulated_disk& disk,
                                            std::size_t max_bytes = troubled_files::never) {
  troubled_files files(disk);
  files.max_bytes = max_bytes;
  return ingot::load<List>("file", {}, files);
}
template <class List>
[[nodiscard]] simulated_disk disk_with(const List& list) {
  simulated_disk disk;
  EXPECT_TRUE(ingot::save("file", list, {}, disk).has_value());
  return disk;
}

static_assert(ingot::detail::is_streamed<std::vector<tick>> &&
              ingot::detail::is_streamed<std::vector<order>> &&
              ingot::detail::is_streamed<std::vector<player>> &&
              ingot::detail::is_streamed<std::vector<std::string>>);
static_assert(!ingot::detail::is_streamed<std::vector<bool>> &&
              !ingot::detail::is_streamed<std::map<int, int>> && !ingot::detail::is_streamed<std::string>);

template <class T>
void come_back(std::initializer_list<std::size_t> counts) {
  for (const std::size_t count : counts) {
    const auto list = make_list<T>(count);
    auto disk = disk_with(list);
    for (const std::size_t max_bytes : {troubled_files::never, std::size_t{1009}}) {
      const auto loaded = load_from<std::vector<T>>(disk, max_bytes);
      ASSERT_TRUE(loaded.has_value()) << count << ": " << loaded.error().message();
      ASSERT_TRUE(*loaded == list) << count;
    }
    // into existing memory
    for (const std::size_t before : {std::size_t{0}, count / 2, count + 3}) {
      auto warm = make_list<T>(before);
      ASSERT_TRUE(ingot::load_into(warm, "file", {}, disk).has_value());
      ASSERT_TRUE(warm == list) << count << " into " << before;
    }
  }
}

constexpr std::size_t step = ingot::detail::payload_stream::step;

TEST(streamed_list, records_come_back_whatever_their_number) {
  come_back<tick>({0, 1, step / 8 - 1, step / 8, step / 8 + 1, 3 * step / 8 + 5});
}
TEST(streamed_list, records_with_padding_come_back_whatever_their_number) {
  come_back<order>({0, 1, step / 12 - 1, step / 12, step / 12 + 1, 2 * step / 12 + 5});
}
TEST(streamed_list, records_with_texts_and_lists_come_back_whatever_their_number) {
  come_back<player>({0, 1, 2, 900, 2'000});
}

TEST(streamed_list, an_element_may_be_longer_than_what_is_read_at_once) {
  std::vector<std::string> list;
  for (const std::size_t size :
       {3 * step, std::size_t{0}, std::size_t{15}, step, std::size_t{1}, 2 * step + 1})
    list.push_back(std::string(size, static_cast<char>('a' + list.size())));
  auto disk = disk_with(list);
  EXPECT_EQ(load_from<std::vector<std::string>>(disk).value(), list);
}

TEST(streamed_list, no_more_is_read_at_once_than_fits_into_the_cache) {
  auto disk = disk_with(make_list<player>(4'000));
  troubled_files files(disk);
  ASSERT_TRUE(ingot::load<std::vector<player>>("file", {}, files).has_value());
  EXPECT_LE(files.largest_read, ingot::detail::pages_step);
}

TEST(streamed_list, records_as_they_are_in_memory_are_read_straight_into_the_list) {
  using ingot::detail::pages_step;
  const auto list = make_list<tick>(5 * pages_step / (2 * sizeof(tick)));
  auto disk = disk_with(list);
  troubled_files files(disk);
  const auto loaded = ingot::load<std::vector<tick>>("file", {}, files);
  ASSERT_TRUE(loaded.has_value());
  EXPECT_TRUE(*loaded == list);
  EXPECT_EQ(files.largest_read,
            pages_step); // data that would be copied from other memory comes in shorter pieces
}

/// Does not initialise its elements.
template <class T>
struct raw_allocator : std::allocator<T> {
  template <class U>
  struct rebind {
    using other = raw_allocator<U>;
  };
  template <class U>
  void construct(U* at) {
    ::new (static_cast<void*>(at)) U;
  }
  template <class U, class... Args>
    requires(sizeof...(Args) != 0)
  void construct(U* at, Args&&... args) {
    std::construct_at(at, std::forward<Args>(args)...);
  }
};
TEST(streamed_list, memory_that_may_stay_uninitialised_is_read_into_at_once) {
  const std::vector<std::uint32_t> list(step, 7);
  auto disk = disk_with(list);
  const auto loaded = load_from<std::vector<std::uint32_t, raw_allocator<std::uint32_t>>>(disk);
  ASSERT_TRUE(loaded.has_value());
  EXPECT_TRUE(std::ranges::equal(*loaded, list));
  static_assert(
      ingot::detail::resizes_uninitialized<std::vector<std::uint32_t, raw_allocator<std::uint32_t>>>);
  static_assert(!ingot::detail::resizes_uninitialized<std::vector<std::uint32_t>>);
}

/// Flips each bit of each payload: loading gives the result of `unpack` for the same bytes, with
/// offsets from the beginning of the file.
template <class T>
void agree(std::size_t count) {
  const auto file = file_of(make_list<T>(count));
  constexpr std::size_t header = ingot::detail::file_header_size;
  const std::size_t payload = ingot::pack(make_list<T>(count))->size();
  simulated_disk disk;
  std::size_t accepted = 0;
  for (std::size_t bit = 0; bit < payload * 8; ++bit) {
    auto bytes = file;
    bytes[header + bit / 8] ^= static_cast<std::byte>(1U << bit % 8);
    disk.put("file", bytes);
    const auto loaded = ingot::load<std::vector<T>>("file", {.checksum = false}, disk);
    const auto unpacked = ingot::unpack<std::vector<T>>(ingot::bytes_view(bytes).subspan(header, payload));
    ASSERT_EQ(loaded.has_value(), unpacked.has_value()) << "bit " << bit;
    if (loaded) {
      // Compares bytes, since a flipped float may be NaN.
      ASSERT_TRUE(ingot::pack(*loaded).value() == ingot::pack(*unpacked).value()) << "bit " << bit;
      ++accepted;
    } else {
      ASSERT_EQ(loaded.error().code(), unpacked.error().code()) << "bit " << bit;
      ASSERT_EQ(loaded.error().offset(), unpacked.error().offset() + header) << "bit " << bit;
      ASSERT_EQ(loaded.error().path(), "[file]" + std::string(unpacked.error().path())) << "bit " << bit;
    }
  }
  EXPECT_NE(accepted, 0U);
  EXPECT_TRUE((accepted != payload * 8) || (std::is_same_v<T, tick>));
}
TEST(streamed_list, flipped_bits_are_rejected_as_unpack_rejects_them) {
  agree<tick>(3);
  agree<order>(3);
  agree<player>(6);
}

TEST(streamed_list, compressed_lists_come_back) {
  if (!ingot::has_codec(ingot::codec::lz4)) GTEST_SKIP() << "built without LZ4";
  const auto come_back_compressed = []<class T>(const std::vector<T>& list) {
    simulated_disk disk;
    ASSERT_TRUE(ingot::save("file", list, {.compress = {.method = ingot::codec::lz4, .block = 4096}}, disk)
                    .has_value());
    ASSERT_LT(disk.content("file").size(), ingot::pack(list)->size());
    EXPECT_TRUE(load_from<std::vector<T>>(disk).value() == list);
  };
  come_back_compressed(std::vector<tick>(10'000, tick{7, 2}));
  come_back_compressed(std::vector<order>(10'000, order{7, true, 2}));
  come_back_compressed(make_list<player>(300));
}

// Elements of a compressed list are created while the blocks before theirs are decoded. If all were
// created first, the disk and the other processor would wait; if too late, a thread would decode
// into memory that does not exist yet.
TEST(streamed_list, elements_of_compressed_lists_are_decoded_as_their_blocks_come) {
  if (!ingot::has_codec(ingot::codec::lz4)) GTEST_SKIP() << "built without LZ4";
  struct odd { // no block ends at the end of an element
    std::uint32_t words[3];
    bool operator==(const odd&) const = default;
  };
  std::vector<odd> list(40'000);
  for (std::uint32_t i = 0; i < list.size(); ++i) list[i] = {{i / 16, i / 64, 7}};
  for (std::uint32_t i = 20'000; i < 24'000; ++i)
    // blocks that are stored uncompressed
    list[i] = {{i * 2654435761U, i * 40503U * i, i * 97'531U}};
  for (const bool columns : {false, true}) {
    simulated_disk disk;
    ASSERT_TRUE(ingot::save("file", list,
                            {.compress = {.method = ingot::codec::lz4, .block = 16384}, .columns = columns},
                            disk)
                    .has_value());
    for (const unsigned threads : {1U, 2U, 5U}) {
      for (const std::size_t before :
           {std::size_t{0}, std::size_t{9}, list.size() - 1, list.size(), list.size() + 7}) {
        std::vector<odd> warm(before, odd{{1, 2, 3}});
        std::vector<std::size_t> sizes;
        const auto watch = [&](std::uint64_t, std::uint64_t) {
          sizes.push_back(warm.size());
          return true;
        };
        const auto loaded = ingot::load_into(warm, "file", {.threads = threads, .progress = watch}, disk);
        ASSERT_TRUE(loaded.has_value()) << loaded.error().message();
        ASSERT_TRUE(warm == list) << threads << " threads into " << before;
        EXPECT_TRUE(std::ranges::is_sorted(sizes));
        std::size_t steps = 0;
        for (std::size_t i = 1; i < sizes.size(); ++i) steps += sizes[i] != sizes[i - 1];
        EXPECT_EQ(steps > 10, before < list.size()) << "all at once, or what is there is not read into";
      }
    }
  }
}

TEST(streamed_list, damage_is_found_by_the_checksum_where_the_value_stays_one) {
  auto bytes = file_of(make_list<tick>(20));
  bytes[ingot::detail::file_header_size + 1] ^= std::byte{1};
  simulated_disk disk;
  disk.put("file", bytes);
  const auto loaded = ingot::load<std::vector<tick>>("file", {}, disk);
  ASSERT_FALSE(loaded.has_value());
  EXPECT_EQ(loaded.error().code(), ingot::errc::bad_checksum);
}

TEST(streamed_list, what_is_between_the_list_and_the_schema_is_zero) {
  const auto bytes = file_of(make_list<order>(21));
  simulated_disk whole;
  whole.put("file", bytes);
  const auto info = ingot::peek_file("file", whole);
  ASSERT_TRUE(info.has_value());
  const auto end = static_cast<std::size_t>(ingot::detail::file_header_size + info->payload_size);
  ASSERT_GT(info->schema_size, 0U);
  ASSERT_NE(end % 8, 0U) << "there is nothing in between";
  for (const bool checksum : {true, false}) {
    for (std::size_t at = end; at % 8 != 0; ++at) {
      auto damaged = bytes;
      damaged[at] = std::byte{1};
      simulated_disk disk;
      disk.put("file", damaged);
      const auto loaded = ingot::load<std::vector<order>>("file", {.checksum = checksum}, disk);
      ASSERT_FALSE(loaded.has_value()) << at;
      EXPECT_EQ(loaded.error().code(), ingot::errc::bad_padding);
    }
  }
}

TEST(streamed_list, a_file_that_fails_or_ends_while_it_is_read_is_an_error) {
  auto disk = disk_with(make_list<player>(900));
  troubled_files counting(disk);
  ASSERT_TRUE(ingot::load<std::vector<player>>("file", {}, counting).has_value());
  for (std::size_t call = 0; call < counting.calls.size(); ++call) {
    if (counting.calls[call] != "read") continue;
    troubled_files files(disk);
    files.fail_at = call;
    const auto loaded = ingot::load<std::vector<player>>("file", {}, files);
    ASSERT_FALSE(loaded.has_value()) << call;
    EXPECT_EQ(loaded.error().code(), ingot::errc::io) << call;
    EXPECT_EQ(files.open_files(), 0);
  }
}

TEST(streamed_list, a_payload_above_the_limit_is_rejected_before_it_is_read) {
  auto disk = disk_with(make_list<tick>(20));
  const auto loaded = ingot::load<std::vector<tick>>("file", {.max_bytes = 159}, disk);
  ASSERT_FALSE(loaded.has_value());
  EXPECT_EQ(loaded.error().code(), ingot::errc::too_large);
}

} // namespace streamed_list_test
