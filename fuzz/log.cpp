// SPDX-License-Identifier: Apache-2.0
// Arbitrary bytes after the header of a log: read, recovered, repaired and appended to. If the
// first byte is odd, the following bytes are lengths and payloads of complete records, and the last
// bytes choose how the file is changed.
#include <ingot/file/log_reader.hpp>
#include <ingot/file/log_writer.hpp>
#include <ingot/file/recover.hpp>

#include "file/simulated_disk.hpp"
#include "file_zoo.hpp"
#include "fuzz.hpp"

#include <cstddef>
#include <cstdint>
#include <string>

namespace {

using entry = fuzz::log_entry;

/// Returns the number of records that a reader reports as complete. Their payloads may be invalid.
std::uint64_t whole_records(file_test::simulated_disk& disk, std::uint64_t& lost) {
  auto log = ingot::log_reader<entry>::open("x", {}, disk);
  if (!log) return 0;
  for (entry each;;) {
    const auto more = log->next(each);
    if (more && !*more) break;
    if (!more && (more.error().code() == ingot::errc::io || more.error().code() == ingot::errc::no_memory ||
                  more.error().code() == ingot::errc::too_large))
      break;
  }
  lost = log->lost_bytes();
  return log->records();
}

} // namespace

std::string fuzz::one_input(ingot::bytes_view input) {
  if (input.empty() || input.size() > 16'384) return {};
  const auto how = std::to_integer<unsigned>(input[0]);
  auto rest = input.subspan(1);
  file_test::simulated_disk disk;
  {
    ingot::file_info info;
    info.kind = (how & 2) != 0 ? ingot::file_kind::compact_log : ingot::file_kind::packed_log;
    info.schema_id = ingot::schema_id<entry>;
    auto output = ingot::detail::log_output::open(disk, "x", info, {}, false);
    if (!output) return "a log can't be made";
    while ((how & 1) != 0 && rest.size() > 4) {
      const std::size_t length = std::to_integer<std::size_t>(rest[0]) % 64;
      rest = rest.subspan(1);
      const auto payload = rest.first(length < rest.size() ? length : rest.size());
      auto* const record = output->begin();
      if (record == nullptr || !record->append(payload) || !output->commit())
        return "a record can't be appended";
      rest = rest.subspan(payload.size());
    }
  }
  file_test::byte_vector file = disk.content("x");
  if ((how & 1) == 0) file.insert(file.end(), rest.begin(), rest.end());
  else if ((how & 4) != 0 && rest.size() >= 3) {
    const std::size_t at =
        64 + (std::to_integer<std::size_t>(rest[0]) * 256 + std::to_integer<std::size_t>(rest[1])) %
                 (file.size() - 63);
    if (at < file.size()) file[at] ^= rest[2];
    if ((how & 8) != 0) file.resize(at);
  }
  disk.put("x", file);

  std::uint64_t lost = 0;
  const std::uint64_t records = whole_records(disk, lost);
  const auto found = ingot::recover("x", {.how = ingot::recovery::report}, disk);
  if (!found) return "a log can be read and not recovered";
  if (found->records != records || found->lost_bytes != lost ||
      found->valid_bytes + found->lost_bytes != file.size())
    return "reader and recovery disagree";
  if (found->reason.has_value() != (lost != 0)) return "there is no reason for the lost bytes";
  if (ingot::log_writer<entry>::open("x", {}, disk).has_value() != (lost == 0))
    return "writer and recovery disagree";
  {
    auto log = ingot::log_writer<entry>::open("x", {.repair = true}, disk);
    if (!log || log->records() != records) return "a log can't be repaired";
    if (!log->append({true, "one more", {1, 2, 3}})) return "nothing can be appended";
  }
  if (whole_records(disk, lost) != records + 1 || lost != 0) return "what was appended is not there";
  if (disk.open_files() != 0) return "a file was not closed";
  return {};
}
