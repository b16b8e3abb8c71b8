// SPDX-License-Identifier: Apache-2.0
// Reading a log: up to the last whole record that remains.
#include <ingot/file/log_reader.hpp>

#include "file/log_tools.hpp"

#include <algorithm>

namespace log_reader_test {

using namespace file_test;
using ingot::errc;

TEST(log_reader, follows_a_log_that_is_written_to) {
  const scratch_folder folder;
  auto writer = ingot::log_writer<event>::open(folder / "log");
  auto reader = ingot::log_reader<event>::open(folder / "log");
  ASSERT_TRUE(reader.has_value()) << reader.error().message();
  event read;
  for (std::uint64_t i = 0; i < 10; ++i) {
    EXPECT_FALSE(reader->next(read).value());
    EXPECT_EQ(reader->lost_bytes(), 0u);
    ASSERT_TRUE(writer->append(event_of(i)));
    EXPECT_TRUE(reader->next(read).value());
    EXPECT_EQ(read, event_of(i));
  }
  EXPECT_EQ(reader->records(), 10u);
}

TEST(log_reader, follows_to_the_log_that_has_the_path_when_its_own_was_renamed) {
  const scratch_folder folder;
  auto writer = ingot::log_writer<event>::open(folder / "log");
  auto reader = ingot::log_reader<event>::open(folder / "log", {.follow = true});
  auto other = ingot::log_reader<event>::open(folder / "log");
  event read;
  std::uint64_t next = 0;
  const auto read_on = [&](std::uint64_t end) {
    for (; next < end; ++next) {
      ASSERT_TRUE(reader->next(read).value_or(false)) << next;
      EXPECT_EQ(read, event_of(next));
    }
    EXPECT_FALSE(reader->next(read).value());
  };
  for (std::uint64_t i = 0; i < 12; ++i) {
    // The reader is at the end, in the middle, or before the first record of the log that is
    // rotated.
    ASSERT_TRUE(writer->append(event_of(i)));
    if (i == 2) read_on(3);
    if (i == 5) {
      ASSERT_TRUE(writer->rotate("log.1"));
    }
    if (i == 6) read_on(7);
    if (i == 8) {
      ASSERT_TRUE(writer->rotate("log.2"));
    }
  }
  read_on(12);
  EXPECT_EQ(reader->records(), 3u) << "of the log that has the path";

  // Without the option a reader stays with its log, and reports why there are no more records.
  while (other->next(read).value_or(false)) {
  }
  EXPECT_EQ(other->records(), 6u);
  EXPECT_EQ(other->is_renamed().value(), true);
  ASSERT_TRUE(other->reopen());
  EXPECT_TRUE(other->next(read).value_or(false));
  EXPECT_EQ(read, event_of(9));

  // Between the old log and the new one there is no file for a moment, which is not an error.
  std::filesystem::rename(folder / "log", folder / "log.3");
  EXPECT_FALSE(reader->next(read).value());
  EXPECT_EQ(reader->reopen().error().code(), ingot::errc::io);
  auto again = ingot::log_writer<event>::open(folder / "log");
  ASSERT_TRUE(again->append(event_of(12)));
  read_on(13);
}

TEST(log_reader, does_not_leave_a_renamed_log_whose_end_is_damaged) {
  const scratch_folder folder;
  {
    auto writer = ingot::log_writer<event>::open(folder / "log");
    for (std::uint64_t i = 0; i < 2; ++i) ASSERT_TRUE(writer->append(event_of(i)));
  }
  auto reader = ingot::log_reader<event>::open(folder / "log", {.follow = true});
  std::filesystem::resize_file(folder / "log", std::filesystem::file_size(folder / "log") - 1);
  std::filesystem::rename(folder / "log", folder / "old");
  ASSERT_TRUE(ingot::log_writer<event>::open(folder / "log")->append(event_of(7)));
  event read;
  EXPECT_TRUE(reader->next(read).value());
  EXPECT_FALSE(reader->next(read).value());
  EXPECT_GT(reader->lost_bytes(), 0u);
  ASSERT_TRUE(reader->reopen());
  EXPECT_TRUE(reader->next(read).value());
  EXPECT_EQ(read, event_of(7));
}

TEST(log_reader, reads_a_record_that_was_not_whole_once_it_is) {
  const written_log whole = log_of(3);
  const scratch_folder folder;
  for (std::size_t size = whole.ends[2]; size < whole.ends[3]; ++size) {
    write_file(folder / "log", ingot::bytes_view(whole.bytes).first(size));
    auto reader = ingot::log_reader<event>::open(folder / "log");
    event read;
    EXPECT_TRUE(reader->next(read).value() && reader->next(read).value());
    EXPECT_FALSE(reader->next(read).value());
    EXPECT_EQ(reader->lost_bytes(), size - whole.ends[2]);
    write_file(folder / "log", whole.bytes);
    EXPECT_TRUE(reader->next(read).value());
    EXPECT_EQ(read, event_of(2));
    EXPECT_EQ(reader->lost_bytes(), 0u);
  }
}

TEST(log_reader, forgets_the_part_of_a_record_that_a_writer_took_back) {
  // A failed append has left a part of a record, which the reader has read ahead; then another
  // append succeeds.
  const written_log three = log_of(3);
  byte_vector bytes(three.bytes.begin(), three.bytes.begin() + static_cast<std::ptrdiff_t>(three.ends[2]));
  written_log other;
  {
    simulated_disk disk;
    disk.put("log", bytes);
    auto log = ingot::log_writer<event>::open("log", {}, disk);
    ASSERT_TRUE(log->append({7, std::string(500, 'x'), true}));
    other.bytes = disk.content("log");
  }
  const scratch_folder folder;
  write_file(folder / "log", ingot::bytes_view(other.bytes).first(three.ends[2] + 200));
  auto reader = ingot::log_reader<event>::open(folder / "log");
  event read;
  ASSERT_TRUE(reader->next(read).value() && reader->next(read).value());
  write_file(folder / "log", three.bytes);
  EXPECT_TRUE(reader->next(read).value()) << reader->lost_bytes() << " lost bytes";
  EXPECT_EQ(read, event_of(2));
}

TEST(log_reader, sees_an_end_where_a_writer_took_a_record_back_while_it_was_read) {
  const written_log whole = log_of(3);
  for (std::size_t left = whole.ends[1]; left < whole.ends[3]; ++left) {
    simulated_disk disk;
    disk.put("log", whole.bytes);
    troubled_files files(disk);
    auto reader = ingot::log_reader<event>::open("log", {}, files);
    const int file = disk.open(simulated_disk::here, "log", ingot::file_open_mode::append, 0);
    files.before_read = [&] { EXPECT_EQ(disk.truncate(file, left), 0); };
    event read;
    const std::size_t records = left < whole.ends[2] ? 1 : 2;
    for (std::size_t i = 0; i < records; ++i) EXPECT_TRUE(reader->next(read).value());
    const auto more = reader->next(read);
    ASSERT_TRUE(more.has_value()) << more.error().message();
    EXPECT_FALSE(*more);
    EXPECT_EQ(reader->lost_bytes(), left - whole.ends[records]);
    EXPECT_EQ(disk.truncate(file, whole.ends[records]), 0);
    EXPECT_GT(
        disk.write(file, ingot::bytes_view(whole.bytes).subspan(whole.ends[records]), whole.ends[records]),
        0);
    EXPECT_TRUE(reader->next(read).value());
    EXPECT_EQ(read, event_of(records));
    disk.close(file);
  }
}

TEST(log_reader, stops_at_the_last_whole_record_wherever_the_log_was_cut) {
  for (const auto form : {ingot::profile::packed, ingot::profile::compact}) {
    const written_log whole = log_of(20, {.form = form});
    for (std::size_t size = 0; size <= whole.bytes.size(); ++size) {
      simulated_disk disk;
      disk.put("log", ingot::bytes_view(whole.bytes).first(size));
      const auto back = read_all("log", disk);
      EXPECT_EQ(back.failed, size < whole.ends[0]);
      if (back.failed) continue;
      const auto ended =
          static_cast<std::size_t>(std::ranges::upper_bound(whole.ends, size) - whole.ends.begin());
      EXPECT_EQ(back.events.size(), ended - 1) << size;
      EXPECT_TRUE(in_order(back.events));
      EXPECT_EQ(back.lost_bytes, size - whole.ends[ended - 1]);
    }
  }
}

TEST(log_reader, stops_before_a_record_with_a_flipped_bit) {
  for (const auto form : {ingot::profile::packed, ingot::profile::compact}) {
    const written_log whole = log_of(12, {.form = form});
    for (std::size_t bit = 0; bit < 8 * whole.bytes.size(); ++bit) {
      byte_vector damaged = whole.bytes;
      damaged[bit / 8] ^= std::byte{1} << bit % 8;
      simulated_disk disk;
      disk.put("log", damaged);
      const auto back = read_all("log", disk);
      EXPECT_EQ(back.failed, bit / 8 < whole.ends[0]) << "header and schema";
      if (back.failed) continue;
      const auto before =
          static_cast<std::size_t>(std::ranges::upper_bound(whole.ends, bit / 8) - whole.ends.begin()) - 1;
      ASSERT_EQ(back.events.size(), before) << "bit " << bit;
      EXPECT_TRUE(in_order(back.events));
      EXPECT_EQ(back.lost_bytes, whole.bytes.size() - whole.ends[before]);
    }
  }
}

TEST(log_reader, takes_a_record_for_none_where_it_was_not_written) {
  // Two records of equal length change places: each is whole, but neither is the one that was
  // appended at that position.
  simulated_disk disk;
  std::size_t size = 0;
  {
    auto log = ingot::log_writer<std::uint64_t>::open("log", {}, disk);
    for (std::uint64_t i = 0; i < 3; ++i) ASSERT_TRUE(log->append(i));
    size = static_cast<std::size_t>(log->size());
  }
  byte_vector bytes = disk.content("log");
  const auto second = bytes.begin() + static_cast<std::ptrdiff_t>(size) - 48;
  std::swap_ranges(second, second + 24, second + 24);
  disk.put("swapped", bytes);
  auto reader = ingot::log_reader<std::uint64_t>::open("swapped", {}, disk);
  std::uint64_t value = 7;
  EXPECT_TRUE(reader->next(value).value());
  EXPECT_EQ(value, 0u);
  EXPECT_FALSE(reader->next(value).value());
  EXPECT_EQ(reader->lost_bytes(), 48u);
}

TEST(log_reader, continues_after_a_whole_record_that_is_no_value) {
  const scratch_folder folder;
  ASSERT_TRUE(ingot::log_writer<event>::open(folder / "log"));
  {
    ingot::file_info info;
    info.kind = ingot::file_kind::packed_log;
    info.schema_id = ingot::schema_id<event>;
    auto output = ingot::detail::log_output::open(ingot::system_files(), folder / "log", info, {}, false);
    ASSERT_TRUE(output.has_value()) << output.error().message();
    for (const bool bad : {false, true, false}) {
      auto* const record = output->begin();
      ASSERT_TRUE(ingot::pack_to(*record, event_of(3)));
      if (bad) record->data()[16 + 12] = std::byte{9}; // the bool, after a number and an end
      ASSERT_TRUE(output->commit());
    }
  }
  auto reader = ingot::log_reader<event>::open(folder / "log");
  event read;
  EXPECT_TRUE(reader->next(read).value());
  const auto bad = reader->next(read);
  ASSERT_FALSE(bad.has_value());
  EXPECT_EQ(bad.error().code(), errc::bad_bool);
  EXPECT_TRUE(bad.error().path().ends_with("log][1].good")) << bad.error().path();
  const byte_vector bytes = read_file(folder / "log");
  EXPECT_EQ(bytes[static_cast<std::size_t>(bad.error().offset())], std::byte{9}) << "counted in the file";
  EXPECT_TRUE(reader->next(read).value());
  EXPECT_EQ(read, event_of(3));
  EXPECT_FALSE(reader->next(read).value());
}

TEST(log_reader, rejects_a_schema_that_was_damaged_and_what_should_be_zeros_after_it) {
  simulated_disk disk;
  ingot::file_info info;
  info.kind = ingot::file_kind::packed_log;
  info.schema = ingot::schema_form::portable;
  info.schema_id = ingot::schema_id<event>;
  ASSERT_TRUE(ingot::detail::log_output::open(disk, "log", info,
                                              ingot::as_bytes_view(std::string_view("types")), false));
  ASSERT_TRUE(ingot::log_writer<event>::open("log", {}, disk)->append(event_of(0)));
  EXPECT_EQ(read_all("log", disk).events.size(), 1u);
  for (std::size_t at = 64; at < 72; ++at) {
    byte_vector bytes = disk.content("log");
    bytes[at] ^= std::byte{1};
    disk.put("damaged", bytes);
    const auto code = at < 69 ? errc::bad_checksum : errc::bad_padding;
    EXPECT_EQ(ingot::log_reader<event>::open("damaged", {}, disk).error().code(), code);
    EXPECT_EQ(ingot::log_writer<event>::open("damaged", {}, disk).error().code(), code);
    EXPECT_EQ(ingot::recover("damaged", {.how = ingot::recovery::truncate}, disk).error().code(), code);
  }
}

TEST(log_reader, takes_no_memory_for_a_record_beyond_the_limit) {
  simulated_disk disk;
  {
    auto log = ingot::log_writer<std::string>::open("log", {}, disk);
    for (const std::size_t length : {90U, 900'000U, 9U}) ASSERT_TRUE(log->append(std::string(length, 'x')));
  }
  troubled_files files(disk);
  auto reader = ingot::log_reader<std::string>::open("log", {.max_record = 800'000}, files);
  std::string read;
  EXPECT_TRUE(reader->next(read).value());
  for (int again = 0; again < 2; ++again) {
    const auto rejected = reader->next(read);
    ASSERT_FALSE(rejected.has_value());
    EXPECT_EQ(rejected.error().code(), errc::too_large);
  }
  EXPECT_LE(files.largest_read, 300'000u);
  auto larger = ingot::log_reader<std::string>::open("log", {.max_record = 900'100}, files);
  for (const std::size_t length : {90U, 900'000U, 9U}) {
    EXPECT_TRUE(larger->next(read).value());
    EXPECT_EQ(read.size(), length);
  }
}

TEST(log_reader, of_another_file_names_it) {
  simulated_disk disk;
  disk.put("value", file_of(event_of(1)));
  EXPECT_EQ(ingot::log_reader<event>::open("value", {}, disk).error().found(), "a packed value");
  disk.put("log", log_of(1).bytes);
  EXPECT_EQ(ingot::log_reader<item>::open("log", {}, disk).error().code(), errc::schema_mismatch);
  EXPECT_EQ(ingot::log_reader<event>::open("missing", {}, disk).error().code(), errc::io);
}

TEST(log_reader, fails_where_the_system_does_and_is_not_at_an_end_then) {
  const written_log whole = log_of(5);
  for (std::size_t n = 0;; ++n) {
    simulated_disk disk;
    disk.put("log", whole.bytes);
    troubled_files files(disk);
    files.fail_at = n;
    const auto back = read_all("log", files);
    EXPECT_EQ(files.open_files(), 0);
    if (n >= files.calls.size()) {
      EXPECT_EQ(back.events.size(), 5u);
      break;
    }
    EXPECT_TRUE(back.failed || files.calls[n] == "close");
    EXPECT_TRUE(in_order(back.events));
  }
}

} // namespace log_reader_test
