// SPDX-License-Identifier: Apache-2.0
// A value that its own type would not load is not saved: the earlier file stays, and a log accepts
// the next record.
#include <ingot/file/live_file.hpp>
#include <ingot/file/load.hpp>
#include <ingot/file/log_reader.hpp>
#include <ingot/file/log_writer.hpp>
#include <ingot/file/save.hpp>
#include <ingot/live/vector.hpp>

#include "file/log_tools.hpp"
#include "zoo/rejected.hpp"

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include <gtest/gtest.h>

namespace file_closure_test {

using namespace file_test;
using ingot::errc;
using ingot::profile;

zoo::form with_percent(std::int32_t percent) {
  zoo::form f;
  f.percent = percent;
  return f;
}
void expect_percent(const ingot::error& err, std::string_view found) {
  EXPECT_EQ(err.code(), errc::out_of_range);
  EXPECT_EQ(err.path(), "percent");
  EXPECT_EQ(err.expected(), "a value from 0 to 100");
  EXPECT_EQ(err.found(), found);
}

TEST(file_closure, a_value_that_would_not_be_loaded_is_not_saved) {
  const scratch_folder folder;
  const auto callback = [](std::uint64_t, std::uint64_t) { return true; };
  for (const auto form : {profile::packed, profile::compact}) {
    for (const bool compress : {false, true}) {
      ingot::save_options options;
      options.form = form;
      if (compress) options.compress.method = ingot::codec::lz4;
      const auto path = folder / "file";
      ASSERT_TRUE(ingot::save(path, with_percent(5), options));
      const auto bad = ingot::save(path, with_percent(101), options);
      ASSERT_FALSE(bad);
      expect_percent(bad.error(), "101");
      options.progress = callback;
      expect_percent(ingot::save(path, with_percent(-1), options).error(), "-1");
      EXPECT_EQ(ingot::load<zoo::form>(path).value().percent, 5);
      EXPECT_EQ(folder.names(), std::vector<std::string>{"file"});
      EXPECT_FALSE(ingot::save(folder / "none", with_percent(101), options));
      EXPECT_FALSE(std::filesystem::exists(folder / "none"));
    }
  }
}

struct reading {
  zoo::gear at{};
  ingot::vector<zoo::level> levels;
};

TEST(file_closure, a_block_that_would_not_be_opened_is_not_saved) {
  const scratch_folder folder;
  const auto path = folder / "block";
  ingot::live<reading> block;
  block->levels = {zoo::level::high};
  ASSERT_TRUE(ingot::save(path, block));
  block->levels[0] = zoo::level{7};
  const auto bad = ingot::save(path, block);
  ASSERT_FALSE(bad);
  EXPECT_EQ(bad.error().message(), ingot::live<reading>::open(block.bytes()).error().message());
  EXPECT_EQ(bad.error().path(), "levels[0]");
  EXPECT_EQ((*ingot::load<ingot::live<reading>>(path))->levels[0], zoo::level::high);
}

TEST(file_closure, a_log_takes_no_record_that_would_not_be_read) {
  const scratch_folder folder;
  for (const auto form : {profile::packed, profile::compact}) {
    const auto path = folder / (form == profile::packed ? "packed" : "compact");
    auto log = ingot::log_writer<zoo::form>::open(path, {.form = form});
    ASSERT_TRUE(log);
    ASSERT_TRUE(log->append(with_percent(1)));
    const auto size = log->size();
    const auto bad = log->append(with_percent(101));
    ASSERT_FALSE(bad);
    expect_percent(bad.error(), "101");
    EXPECT_EQ(log->records(), 1U);
    EXPECT_EQ(log->size(), size);
    EXPECT_EQ(std::filesystem::file_size(path), size);
    ASSERT_TRUE(log->append(with_percent(2)));
    auto reader = ingot::log_reader<zoo::form>::open(path);
    ASSERT_TRUE(reader);
    std::vector<std::int32_t> read;
    zoo::form record;
    while (reader->next(record).value()) read.push_back(record.percent);
    EXPECT_EQ(read, (std::vector<std::int32_t>{1, 2}));
  }
}

} // namespace file_closure_test
