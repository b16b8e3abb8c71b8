// SPDX-License-Identifier: Apache-2.0
// The report on a log that a crash left, and its repair.
#include <ingot/file/recover.hpp>

#include "file/log_tools.hpp"

#include <algorithm>

namespace recover_test {

using namespace file_test;
using ingot::errc;
using ingot::recovery;

TEST(recover, finds_nothing_to_do_in_a_whole_log) {
  simulated_disk disk;
  const written_log whole = log_of(5);
  disk.put("log", whole.bytes);
  for (const auto how : {recovery::report, recovery::truncate}) {
    const auto found = ingot::recover("log", {.how = how}, disk);
    ASSERT_TRUE(found.has_value()) << found.error().message();
    EXPECT_EQ(found->records, 5u);
    EXPECT_EQ(found->valid_bytes, whole.bytes.size());
    EXPECT_EQ(found->lost_bytes, 0u);
    EXPECT_FALSE(found->reason);
  }
  EXPECT_EQ(disk.content("log"), whole.bytes);
}

TEST(recover, reports_lost_bytes_and_cuts_them_off_on_request) {
  const written_log whole = log_of(5);
  for (std::size_t size = whole.ends[3] + 1; size < whole.ends[4]; ++size) {
    simulated_disk disk;
    disk.put("log", ingot::bytes_view(whole.bytes).first(size));
    const auto found = ingot::recover("log", {.how = recovery::report}, disk);
    ASSERT_TRUE(found.has_value()) << found.error().message();
    EXPECT_EQ(found->records, 3u);
    EXPECT_EQ(found->valid_bytes, whole.ends[3]);
    EXPECT_EQ(found->lost_bytes, size - whole.ends[3]);
    ASSERT_TRUE(found->reason);
    EXPECT_EQ(found->reason->code(), errc::truncated);
    EXPECT_EQ(disk.content("log").size(), size) << "reporting changes nothing";

    ASSERT_TRUE(ingot::recover("log", {.how = recovery::truncate}, disk));
    EXPECT_TRUE(std::ranges::equal(disk.content("log"), ingot::bytes_view(whole.bytes).first(whole.ends[3])));
    EXPECT_TRUE(ingot::log_writer<event>::open("log", {}, disk));
  }
}

TEST(recover, tells_damage_from_a_record_that_was_not_finished) {
  const written_log whole = log_of(5);
  const auto code_of = [&](std::size_t at) {
    byte_vector bytes = whole.bytes;
    bytes[at] ^= std::byte{1};
    simulated_disk disk;
    disk.put("log", bytes);
    const auto found = ingot::recover("log", {.how = recovery::report}, disk);
    EXPECT_EQ(found->records, 2u);
    return std::pair(found->reason->code(), found->reason->offset());
  };
  const std::size_t third = whole.ends[2];
  EXPECT_EQ(code_of(third), (std::pair{errc::bad_checksum, std::uint64_t{third + 4}}));
  EXPECT_EQ(code_of(third + 8), (std::pair{errc::bad_checksum, std::uint64_t{third + 8}}));
  EXPECT_EQ(code_of(third + 20), (std::pair{errc::bad_checksum, std::uint64_t{third + 8}}));
  // event 2: 13 bytes in slots and 14 of text, then five zeros
  EXPECT_EQ(code_of(whole.ends[3] - 1), (std::pair{errc::bad_padding, std::uint64_t{third + 16 + 27}}));
}

TEST(recover, of_a_tail_of_zeros_keeps_what_is_before) {
  // The state that some file systems leave if the length of an append reached the disk and its
  // bytes did not.
  const written_log whole = log_of(5);
  for (const std::size_t more : {1U, 8U, 15U, 16U, 17U, 4096U}) {
    byte_vector bytes = whole.bytes;
    bytes.resize(bytes.size() + more);
    simulated_disk disk;
    disk.put("log", bytes);
    const auto found = ingot::recover("log", {.how = recovery::truncate}, disk);
    EXPECT_EQ(found->records, 5u);
    EXPECT_EQ(found->lost_bytes, more);
    EXPECT_EQ(disk.content("log"), whole.bytes);
  }
}

TEST(recover, checks_records_of_any_length_in_bounded_memory) {
  simulated_disk disk;
  std::vector<std::size_t> ends;
  {
    auto log = ingot::log_writer<std::string>::open("log", {}, disk);
    for (const std::size_t length : {1'000'001U, 3U, 262'144U, 300'003U}) {
      ASSERT_TRUE(log->append(std::string(length, 'x')));
      ends.push_back(static_cast<std::size_t>(log->size()));
    }
  }
  troubled_files files(disk);
  EXPECT_EQ(ingot::recover("log", {.how = recovery::report}, files)->records, 4u);
  EXPECT_EQ(ingot::log_writer<std::string>::open("log", {}, files)->records(), 4u);
  EXPECT_LE(files.largest_read, 300'000u);

  const byte_vector whole = disk.content("log");
  const auto why_of = [&](const byte_vector& bytes) {
    disk.put("damaged", bytes);
    const auto found = ingot::recover("damaged", {.how = recovery::report}, disk);
    EXPECT_EQ(found->records, 3u);
    EXPECT_EQ(found->valid_bytes, ends[2]);
    return found->reason->code();
  };
  const auto damaged = [&](std::size_t at) {
    byte_vector bytes = whole;
    bytes[at] ^= std::byte{1};
    return bytes;
  };
  const std::size_t payload = ends[2] + 16;
  for (const std::size_t at : {payload, payload + 262'143, payload + 262'144, payload + 300'002})
    EXPECT_EQ(why_of(damaged(at)), errc::bad_checksum);
  EXPECT_EQ(why_of(damaged(ends[3] - 1)), errc::bad_padding);
  for (const std::size_t size : {payload, payload + 262'144, payload + 300'003, ends[3] - 1})
    EXPECT_EQ(why_of({whole.begin(), whole.begin() + static_cast<std::ptrdiff_t>(size)}), errc::truncated);
}

TEST(recover, is_of_logs_only) {
  simulated_disk disk;
  disk.put("value", file_of(event_of(1)));
  const auto why = ingot::recover("value", {.how = recovery::truncate}, disk).error();
  EXPECT_EQ(why.code(), errc::schema_mismatch);
  EXPECT_EQ(why.expected(), "a log of records");
  EXPECT_EQ(why.found(), "a packed value");
  EXPECT_EQ(ingot::recover("missing", {.how = recovery::report}, disk).error().code(), errc::io);
}

TEST(recover, failing_at_any_call_says_so_and_loses_no_whole_record) {
  const written_log whole = log_of(5);
  for (std::size_t n = 0;; ++n) {
    simulated_disk disk;
    disk.put("log", ingot::bytes_view(whole.bytes).first(whole.ends[5] - 3));
    troubled_files files(disk);
    files.fail_at = n;
    const auto found = ingot::recover("log", {.how = recovery::truncate}, files);
    EXPECT_EQ(files.open_files(), 0);
    EXPECT_EQ(read_all("log", disk).events.size(), 4u);
    if (n >= files.calls.size()) {
      EXPECT_TRUE(found.has_value());
      break;
    }
    EXPECT_TRUE(!found || files.calls[n] == "close") << files.calls[n];
  }
}

} // namespace recover_test
