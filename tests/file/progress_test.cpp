// SPDX-License-Identifier: Apache-2.0
// File operations call the progress callback, in order and to the end, and the callback can cancel
// them: then nothing is changed and nothing stays open.
#include <ingot/core/detail/config.hpp>
#include <ingot/core/progress.hpp>
#include <ingot/document/document.hpp>
#include <ingot/file/edit_file.hpp>
#include <ingot/file/load.hpp>
#include <ingot/file/log_writer.hpp>
#include <ingot/file/map_file.hpp>
#include <ingot/file/recover.hpp>
#include <ingot/file/save.hpp>
#include <ingot/live/hash_map.hpp>
#include <ingot/live/live.hpp>
#include <ingot/live/live_view.hpp>
#include <ingot/live/string.hpp>
#include <ingot/live/vector.hpp>
#include <ingot/pack/pack.hpp>
#include <ingot/schema/schema.hpp>

#include "file/compressed_tools.hpp"
#include "file/file_tools.hpp"
#include "progress_tools.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace progress_test {

using namespace file_test;
using ingot::codec;
using ingot::errc;
using ingot::progress_ref;
using ingot_test::listener;

void expect_all(const listener& reported) {
  ASSERT_FALSE(reported.calls.empty());
  EXPECT_TRUE(std::ranges::is_sorted(reported.calls));
  for (const auto& [done, total] : reported.calls) EXPECT_LE(done, total);
  EXPECT_EQ(reported.calls.back().first, reported.calls.back().second);
}

std::string text(std::size_t size) {
  const byte_vector bytes = mixed(size);
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

/// Repeats the call, cancelled a little later each time, until it is not cancelled.
template <class Call>
void stop_everywhere(const Call& call, std::size_t min_calls) {
  for (std::size_t n = 0;; n = ingot_test::next_stop(n)) {
    listener reported{.stop_at = n};
    const auto done = call(progress_ref(reported));
    if (done) {
      expect_all(reported);
      EXPECT_GE(reported.calls.size(), min_calls);
      return;
    }
    EXPECT_EQ(done.error().code(), errc::cancelled);
    EXPECT_EQ(done.error().path(), "[x]");
    EXPECT_EQ(reported.calls.size(), n + 1) << "no call after the callback has returned false";
  }
}

TEST(progress, an_empty_reference_always_continues) {
  EXPECT_TRUE(progress_ref()(1, 2));
  EXPECT_FALSE(progress_ref());
  static_assert(!std::is_constructible_v<progress_ref, int>);
}

TEST(progress, of_saving_is_reported_and_a_save_that_is_stopped_leaves_the_old_file) {
  const std::string value = text(1'000'000);
  for (const codec method : {codec::none, codec::lz4, codec::zstd}) {
    for (const unsigned threads : {1U, 3U}) {
      simulated_disk disk;
      disk.put("x", file_of(ada()));
      const byte_vector before = disk.content("x");
      stop_everywhere(
          [&](progress_ref progress) {
            auto saved = ingot::save(
                "x", value,
                {.compress = {.method = method, .block = 1 << 17, .threads = threads}, .progress = progress},
                disk);
            EXPECT_EQ(disk.content("x") == before, !saved);
            EXPECT_EQ(disk.names(), std::vector<std::string>{"x"});
            EXPECT_EQ(disk.open_files(), 0u);
            return saved;
          },
          threads == 1 && method != codec::none ? 10 : 4);
      EXPECT_EQ(ingot::load<std::string>("x", {}, disk), value);
    }
  }
}

TEST(progress, of_messages_in_memory_is_reported_and_stopped_returns_nothing) {
  struct record {
    std::uint64_t number;
    double price;
  };
  std::vector<record> records(60'000);
  for (std::size_t i = 0; i < records.size(); ++i) records[i] = {i * i, static_cast<double>(i) / 8};
  const ingot::buffer packed = ingot::pack(records).value();
  const auto schema = ingot::schema_bytes<std::vector<record>>();
  const auto stop = [](std::uint64_t size, const auto& call) {
    for (std::size_t n = 0;; n = ingot_test::next_stop(n)) {
      listener reported{.stop_at = n};
      const auto done = call(progress_ref(reported));
      if (done) {
        expect_all(reported);
        EXPECT_EQ(reported.calls.back().first, size);
        EXPECT_GE(reported.calls.size(), 5U);
        return;
      }
      ASSERT_EQ(done.error().code(), errc::cancelled) << done.error().message();
      EXPECT_EQ(reported.calls.size(), n + 1) << "no call after the callback has returned false";
    }
  };
  for (const codec method : {codec::lz4, codec::zstd}) {
    for (const unsigned threads : {1U, 3U}) {
      for (const bool columns : {false, true}) {
        const ingot::compression how{.method = method, .block = 1 << 16, .threads = threads};
        const auto described = columns ? ingot::bytes_view(schema) : ingot::bytes_view();
        const ingot::buffer message = ingot::compress(packed, how, {.schema = described}).value();
        // with several threads one reports, and may have compressed only one block
        if (threads == 1) {
          stop(packed.size(), [&](progress_ref progress) {
            auto compressed_message =
                ingot::compress(packed, how, {.schema = described, .progress = progress});
            EXPECT_TRUE(!compressed_message || std::ranges::equal(*compressed_message, message));
            return compressed_message;
          });
        }
        stop(message.size(), [&](progress_ref progress) {
          auto restored =
              ingot::decompress(message, packed.size(), {.threads = threads, .progress = progress});
          EXPECT_TRUE(!restored || std::ranges::equal(*restored, packed));
          return restored;
        });
        byte_vector target(packed.size());
        stop(message.size(), [&](progress_ref progress) {
          return ingot::decompress_into(target, message, {.threads = threads, .progress = progress});
        });
        EXPECT_TRUE(std::ranges::equal(target, packed));
      }
    }
  }
  listener reported;
  ASSERT_TRUE(ingot::compress({}, {.method = codec::lz4}, {.progress = reported}));
  EXPECT_TRUE(reported.calls.empty());
}

TEST(progress, of_loading_is_reported_and_a_load_that_is_stopped_leaves_nothing_open) {
  const std::string value = text(1'000'000);
  for (const codec method : {codec::none, codec::lz4, codec::zstd}) {
    simulated_disk disk;
    ASSERT_TRUE(ingot::save("x", value, {.compress = {.method = method, .block = 1 << 17}}, disk));
    for (const unsigned threads : {1U, 3U}) {
      stop_everywhere(
          [&](progress_ref progress) {
            auto loaded = ingot::load<std::string>("x", {.threads = threads, .progress = progress}, disk);
            EXPECT_EQ(disk.open_files(), 0u);
            EXPECT_TRUE(!loaded || *loaded == value);
            return loaded;
          },
          4);
    }
    stop_everywhere(
        [&](progress_ref progress) {
          return ingot::map_file<std::string>("x", {.copy = true, .progress = progress}, disk);
        },
        4);
    EXPECT_EQ(disk.open_files(), 0u);
  }
}

TEST(progress, of_lists_that_are_decoded_as_they_are_read_is_reported_once) {
  simulated_disk disk;
  const std::vector<std::uint64_t> numbers(100'000, 7);
  const std::vector<std::string> texts(300, text(2'000));
  const std::vector<bool> flags(300'000, true);
  const auto check = [&]<class T>(const T& value) {
    for (const codec method : {codec::none, codec::lz4}) {
      ASSERT_TRUE(ingot::save("x", value, {.compress = {.method = method, .block = 1 << 16}}, disk));
      stop_everywhere(
          [&](progress_ref progress) {
            auto loaded = ingot::load<T>("x", {.progress = progress}, disk);
            EXPECT_TRUE(!loaded || *loaded == value);
            return loaded;
          },
          2);
    }
  };
  check(numbers);
  check(texts);
  check(flags);
  // An invalid file is read once more, for the error message.
  byte_vector file = file_of(std::vector<bool>(600'000, true), {.schema = false});
  file[ingot::detail::file_header_size + 599'999] = std::byte{7};
  disk.put("x", file);
  listener reported;
  EXPECT_EQ(
      ingot::load<std::vector<bool>>("x", {.checksum = false, .progress = reported}, disk).error().code(),
      errc::bad_bool);
  EXPECT_TRUE(std::ranges::is_sorted(reported.calls));
  EXPECT_EQ(reported.calls.back().first, 600'000u);
  EXPECT_EQ(std::ranges::adjacent_find(reported.calls), reported.calls.end());
}

struct page {
  std::string text;
  std::uint32_t number = 0;
  bool operator==(const page&) const = default;
};
struct book {
  std::uint32_t year = 0;
  std::vector<page> pages;
  bool operator==(const book&) const = default;
};
struct new_page {
  std::string text;
  std::uint64_t number = 0;
};
struct new_book {
  std::vector<new_page> pages;
  std::uint32_t year = 0;
};

// Decoding a payload that was read as a whole takes longer than reading it.
TEST(progress, of_decoding_in_memory_follows_that_of_reading) {
  book value{1, {}};
  for (std::uint32_t n = 0; n < 20'000; ++n) value.pages.push_back({std::string(n % 100, 'x'), n});
  for (const auto form : {ingot::profile::packed, ingot::profile::compact}) {
    for (const codec method : {codec::none, codec::lz4}) {
      simulated_disk disk;
      ASSERT_TRUE(ingot::save("x", value, {.form = form, .compress = {.method = method}}, disk));
      const ingot::file_info info = ingot::peek_file("x", disk).value();
      const auto error_text = [&](unsigned parts, std::size_t min_reports, const auto& load) {
        stop_everywhere(
            [&](progress_ref progress) {
              const auto counted = [&](std::uint64_t done, std::uint64_t total) {
                EXPECT_EQ(total, info.stored_size + parts * info.payload_size);
                return progress(done, total);
              };
              return load(progress_ref(counted));
            },
            min_reports);
      };
      const std::size_t steps = info.payload_size / (std::size_t{256} << 10) - 1;
      ASSERT_GE(steps, 3U);
      error_text(1, steps + 1, [&](progress_ref progress) {
        auto loaded = ingot::load<book>("x", {.progress = progress}, disk);
        EXPECT_TRUE(!loaded || *loaded == value);
        return loaded;
      });
      book target;
      error_text(1, steps + 1, [&](progress_ref progress) {
        return ingot::load_into(target, "x", {.progress = progress}, disk);
      });
      EXPECT_TRUE(target == value);
      error_text(3, 3 * steps + 1, [&](progress_ref progress) {
        auto loaded = ingot::load<new_book>("x", {.progress = progress}, disk);
        EXPECT_TRUE(!loaded || loaded->pages.size() == value.pages.size());
        return loaded;
      });
      new_book newer;
      error_text(3, 3 * steps + 1, [&](progress_ref progress) {
        return ingot::load_into(newer, "x", {.progress = progress}, disk);
      });
      EXPECT_EQ(newer.pages.back().number, 19'999U);
      EXPECT_EQ(disk.open_files(), 0U);
    }
  }
}

/// Checks the totals. Before the first byte the total may be unknown.
template <class Call>
void stop_everywhere_of(std::uint64_t total, std::size_t min_calls, const Call& call) {
  stop_everywhere(
      [&](progress_ref progress) {
        const auto counted = [&](std::uint64_t done, std::uint64_t all) {
          EXPECT_TRUE(all == total || (all == progress_ref::unknown && done == 0));
          return progress(done, all);
        };
        return call(progress_ref(counted));
      },
      min_calls);
}

/// Saves with columns: the callback is polled during planning, which reports no bytes. The file
/// equals that of a call without callback.
template <class T>
void plan_everywhere(const T& value, std::size_t min_calls) {
  simulated_disk disk;
  ingot::save_options options{.compress = {.method = codec::lz4, .threads = 1}, .columns = true};
  ASSERT_TRUE(ingot::save("x", value, options, disk));
  const byte_vector silent = disk.content("x");
  disk.put("x", file_of(ada()));
  const byte_vector before = disk.content("x");
  std::size_t max_same = 0; // consecutive calls without new progress
  const auto save = [&](progress_ref progress) {
    std::size_t same = 0;
    std::uint64_t last = 0;
    const auto counted = [&](std::uint64_t done, std::uint64_t total) {
      same = done == last && total != progress_ref::unknown ? same + 1 : 0;
      last = done;
      max_same = std::max(max_same, same);
      return progress(done, total);
    };
    options.progress = counted;
    auto saved = ingot::save("x", value, options, disk);
    EXPECT_EQ(disk.content("x") == (saved ? silent : before), true);
    EXPECT_EQ(disk.names(), std::vector<std::string>{"x"});
    EXPECT_EQ(disk.open_files(), 0u);
    return saved;
  };
  stop_everywhere(save, min_calls);
  EXPECT_GE(max_same, min_calls);
}

TEST(progress, of_the_plan_of_columns_is_reported_before_compression) {
  book value{1, {}};
  for (std::uint32_t n = 0; n < 20'000; ++n) value.pages.push_back({std::string(n % 20, 'x'), n});
  plan_everywhere(value, 20'000 / 4096);

  ingot::live<ingot::hash_map<std::uint32_t, ingot::string>> block(ingot::max_block_size{16 << 20});
  for (std::uint32_t n = 0; n < 20'000; ++n) block->try_emplace(n).first->second.assign(std::string(40, 'y'));
  plan_everywhere(block, 5 * 20'000 / 4096);

  ingot::document doc(ingot::max_block_size{16 << 20});
  struct item {
    std::uint32_t number = 0;
    std::string name;
  };
  doc = std::vector<item>(20'000, {7, "somebody"});
  plan_everywhere(doc, 2 * 20'000 / 4096);
}

TEST(progress, of_the_checksum_of_memory_is_reported_before_writing) {
  ingot::live<ingot::vector<std::uint64_t>> block(ingot::max_block_size{16 << 20});
  block->resize(500'000);
  simulated_disk disk;
  listener reported;
  ASSERT_TRUE(ingot::save("x", block, {.progress = reported}, disk));
  const auto reports_of_zero =
      std::ranges::count(reported.calls, 0U, [](const auto& each) { return each.first; });
  EXPECT_EQ(reports_of_zero, 4'000'000 >> 18);
  expect_all(reported);
}

TEST(progress, of_packing_what_is_saved_is_reported_ahead_of_writing_it) {
  book value{1, {}};
  for (std::uint32_t n = 0; n < 20'000; ++n) value.pages.push_back({std::string(n % 100, 'x'), n});
  for (const codec method : {codec::none, codec::lz4}) {
    for (const bool schema : {false, true}) {
      simulated_disk disk;
      disk.put("x", file_of(ada()));
      const byte_vector before = disk.content("x");
      const ingot::buffer packed = ingot::pack(value).value();
      const std::size_t steps = packed.size() / (std::size_t{256} << 10) - 1;
      ingot::save_options options{.schema = schema, .compress = {.method = method, .block = 1 << 17}};
      const byte_vector silent = file_of(value, options);
      const auto save = [&](progress_ref progress) {
        options.progress = progress;
        auto saved = ingot::save("x", value, options, disk);
        EXPECT_EQ(disk.content("x") == before, !saved);
        EXPECT_EQ(disk.names(), std::vector<std::string>{"x"});
        EXPECT_EQ(disk.open_files(), 0u);
        EXPECT_EQ(disk.content("x") == silent, saved.has_value())
            << "with and without progress the result is the same";
        return saved;
      };
      stop_everywhere_of(packed.size() +
                             (method == codec::none ? silent.size() : 2 * std::uint64_t{packed.size()}),
                         2 * steps, save);
      // The number of compact bytes is not known in advance.
      disk.put("x", before);
      options.form = ingot::profile::compact;
      const byte_vector compact =
          file_of(value, {.form = ingot::profile::compact, .schema = schema, .compress = options.compress});
      listener reported;
      options.progress = reported;
      ASSERT_TRUE(ingot::save("x", value, options, disk));
      EXPECT_TRUE(disk.content("x") == compact);
      EXPECT_EQ(reported.calls.front().second, progress_ref::unknown);
      EXPECT_EQ(reported.calls.back().first, reported.calls.back().second);
      EXPECT_TRUE(std::ranges::is_sorted(reported.calls, {}, [](const auto& each) { return each.first; }));
      const auto known = std::ranges::find_if(
          reported.calls, [](const auto& each) { return each.second != progress_ref::unknown; });
      for (auto each = known; each != reported.calls.end(); ++each)
        EXPECT_EQ(each->second, reported.calls.back().second);
      for (std::size_t n = 0; n < reported.calls.size(); ++n) {
        disk.put("x", before);
        listener stops{.stop_at = n};
        options.progress = stops;
        EXPECT_EQ(ingot::save("x", value, options, disk).error().code(), errc::cancelled);
        EXPECT_EQ(stops.calls.size(), n + 1);
        EXPECT_EQ(disk.content("x"), before);
        EXPECT_EQ(disk.names(), std::vector<std::string>{"x"});
      }
    }
  }
}

struct town {
  ingot::vector<ingot::string> names;
  ingot::hash_map<std::uint32_t, std::uint32_t> numbers;
};

TEST(progress, of_blocks_and_documents_is_reported_as_they_are_read_and_as_they_are_validated) {
  ingot::document doc(ingot::max_block_size{64 << 20});
  doc["text"] = text(600'000);
  doc["list"] = std::vector<std::string>{};
  for (int i = 0; i < 12'000; ++i)
    EXPECT_TRUE(doc.root().at("/list").append("a text of thirty letters or so"));
  ingot::live<town> block(ingot::max_block_size{64 << 20});
  for (std::uint32_t i = 0; i < 12'000; ++i) {
    block->names.push_back("a text of thirty letters or so, and then some more");
    block->numbers[i] = i;
  }
  const auto check = [&]<class Handle>(std::type_identity<Handle>, const auto& value, std::size_t passes,
                                       std::size_t root) {
    const auto same = [&](const Handle& seen) {
      if constexpr (std::is_same_v<Handle, ingot::live_view<town>>) EXPECT_TRUE(seen->names == value->names);
      else EXPECT_TRUE(seen == value);
    };
    for (const codec method : {codec::none, codec::lz4}) {
      simulated_disk disk;
      ASSERT_TRUE(ingot::save("x", value, {.compress = {.method = method, .block = 1 << 17}}, disk));
      const ingot::file_info info = ingot::peek_file("x", disk).value();
      const std::uint64_t all = info.stored_size + info.payload_size;
      if constexpr (!std::is_same_v<Handle, ingot::live_view<town>>) {
        stop_everywhere_of(all, passes + 3, [&](progress_ref progress) {
          auto loaded = ingot::load<Handle>("x", {.progress = progress}, disk);
          EXPECT_EQ(disk.open_files(), 0u);
          EXPECT_TRUE(!loaded || loaded->max_size() >= info.payload_size);
          return loaded;
        });
      }
      stop_everywhere_of(all, passes + 3, [&](progress_ref progress) {
        auto copied = ingot::map_file<Handle>("x", {.copy = true, .progress = progress}, disk);
        if (copied) same(**copied);
        return copied;
      });
      if (method != codec::none) continue;
      for (const bool checksum : {false, true}) {
        stop_everywhere_of(
            checksum ? all : info.payload_size, passes + (checksum ? 3 : 0), [&](progress_ref progress) {
              auto mapped = ingot::map_file<Handle>("x", {.checksum = checksum, .progress = progress}, disk);
              if (mapped) same(**mapped);
              else EXPECT_EQ(disk.open_files(), 0u);
              return mapped;
            });
      }
      byte_vector damaged = disk.content("x");
      damaged[ingot::detail::file_header_size + root] ^= std::byte{0x55};
      disk.put("x", damaged);
      const auto silent = ingot::map_file<Handle>("x", {}, disk);
      const auto with_progress = ingot::map_file<Handle>("x", {.progress = listener{}}, disk);
      ASSERT_FALSE(silent || with_progress);
      EXPECT_EQ(with_progress.error().message(), silent.error().message());
      EXPECT_EQ(ingot::map_file<Handle>("x", {.checksum = true, .progress = listener{}}, disk).error().code(),
                errc::bad_checksum);
    }
  };
  check(std::type_identity<ingot::document>{}, doc, 2, 12);
  check(std::type_identity<ingot::live<town>>{}, block, 3, 64);
  check(std::type_identity<ingot::live_view<town>>{}, block, 3, 64);
}

TEST(progress, of_editing_a_file_is_reported_and_stopped_it_is_as_it_was) {
  ingot::document doc = ada_document();
  doc["text"] = text(600'000);
  simulated_disk disk;
  stop_everywhere(
      [&](progress_ref progress) {
        auto created = ingot::create_edited_file("x", doc, {.progress = progress}, disk);
        EXPECT_EQ(disk.names().size(), created ? 1U : 0U);
        return created ? created->close() : ingot::result<void>(ingot::fail(created.error()));
      },
      3);
  const byte_vector before = disk.content("x");
  stop_everywhere(
      [&](progress_ref progress) {
        auto opened = ingot::edit_file<ingot::document>("x", {.progress = progress}, disk);
        EXPECT_TRUE(opened || disk.content("x") == before);
        const auto done = opened ? opened->close() : ingot::result<void>(ingot::fail(opened.error()));
        EXPECT_EQ(disk.open_files(), 0U);
        return done;
      },
      3);
}

TEST(progress, of_the_validation_of_an_edited_file_is_reported_and_stopped_it_is_as_it_was) {
  simulated_disk disk;
  ingot::live<town> block(ingot::max_block_size{64 << 20});
  for (std::uint32_t i = 0; i < 12'000; ++i)
    block->names.push_back("a text of thirty letters or so, and then some more");
  for (std::uint32_t i = 0; i < 12'000; i += 7) block->names[i] = "short"; // has free bytes
  ASSERT_TRUE(ingot::create_edited_file("x", block, {}, disk).value().close());
  const byte_vector before = disk.content("x");
  const auto size = ingot::peek_file("x", disk).value().payload_size;
  stop_everywhere_of(2 * size, 4, [&](progress_ref progress) {
    auto opened = ingot::edit_file<ingot::live<town>>("x", {.progress = progress}, disk);
    EXPECT_TRUE(opened || disk.content("x") == before);
    if (!opened) {
      EXPECT_EQ(disk.open_files(), 0U);
      return ingot::result<void>(ingot::fail(opened.error()));
    }
    EXPECT_TRUE(**opened == block);
    (*opened)->names.push_back("it can grow");
    return opened->close();
  });
  EXPECT_EQ((*ingot::edit_file<ingot::live<town>>("x", {}, disk).value())->names.size(), 12'001U);
}

TEST(progress, recover_and_log_reader_report_progress) {
  simulated_disk disk;
  auto log = ingot::log_writer<std::string>::open("x", {}, disk);
  ASSERT_TRUE(log.has_value()) << log.error().message();
  for (const std::size_t size : {10U, 700'000U, 20U, 300'000U}) {
    ASSERT_TRUE(log->append(text(size)));
  }
  const auto recover = [&](progress_ref progress) {
    return ingot::recover("x", {.how = ingot::recovery::truncate, .progress = progress}, disk);
  };
  stop_everywhere(recover, 4);
  stop_everywhere(
      [&](progress_ref progress) {
        return ingot::log_writer<std::string>::open("x", {.progress = progress}, disk);
      },
      4);
  auto cut_off = disk.content("x");
  cut_off.resize(cut_off.size() - 9);
  disk.put("x", cut_off);
  stop_everywhere(recover, 4);
  EXPECT_LT(disk.content("x").size(), 800'000u) << "cut when no callback stopped it";
}

#if INGOT_EXCEPTIONS
TEST(progress, may_throw_and_leaves_as_little) {
  const std::string value = text(1'000'000);
  simulated_disk disk;
  const auto throws = [](std::uint64_t, std::uint64_t) -> bool { throw 7; };
  for (const codec method : {codec::none, codec::lz4}) {
    disk.put("x", file_of(value, {.compress = {.method = method, .block = 1 << 16}}));
    const byte_vector before = disk.content("x");
    for (const unsigned threads : {1U, 3U}) {
      EXPECT_THROW(
          static_cast<void>(ingot::load<std::string>("x", {.threads = threads, .progress = throws}, disk)),
          int);
      EXPECT_THROW(
          static_cast<void>(ingot::save(
              "x", value,
              {.compress = {.method = method, .block = 1 << 16, .threads = threads}, .progress = throws},
              disk)),
          int);
      EXPECT_EQ(disk.names(), std::vector<std::string>{"x"});
      EXPECT_EQ(disk.content("x"), before);
      EXPECT_EQ(disk.open_files(), 0u);
    }
  }
}
#endif

} // namespace progress_test
