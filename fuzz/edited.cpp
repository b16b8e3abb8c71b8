// SPDX-License-Identifier: Apache-2.0
// Arbitrary bytes as a file that is edited in place. The file is closed, or a crash has left it
// open. A rejected file is unchanged. An accepted file is edited with all operations, and can be
// opened again. The first byte chooses the kind, the number of bytes after the payload, and the
// header. The header matches the payload, or is the next 64 bytes with a corrected checksum.
#include <ingot/core/endian.hpp>
#include <ingot/file/detail/checksum.hpp>
#include <ingot/file/edit_file.hpp>

#include "document/exercise.hpp"
#include "file/simulated_disk.hpp"
#include "fuzz.hpp"
#include "live/operations.hpp"
#include "zoo/live.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <type_traits>

namespace {

constexpr std::size_t beginning = 65536;

template <class T>
std::string try_edited(file_test::simulated_disk& disk, std::uint64_t seed) {
  const file_test::byte_vector before = disk.content("x");
  {
    auto file = ingot::edit_file<T>("x", {.repair = true}, disk);
    if (!file) {
      if (disk.content("x") != before) return "a file that was refused was changed";
      return disk.allocated == 0 ? "" : "a file that was refused took space on the disk";
    }
    if constexpr (std::is_same_v<T, ingot::document>) document_test::exercise(**file, seed);
    else live_test::exercise(**file);
    if (const auto closed = file->close(); !closed) return "not closed: " + closed.error().message();
  }
  const auto again = ingot::edit_file<T>("x", {}, disk);
  if (!again) return "what was edited is refused: " + again.error().message();
  return again->was_closed() ? "" : "what was closed says that it was not";
}

} // namespace

std::string fuzz::one_input(ingot::bytes_view input) {
  if (input.empty() || input.size() > 32'768) return {};
  using block = ingot::live<zoo::live_card>;
  const auto how = std::to_integer<unsigned>(input[0]);
  const bool is_document = (how & 1) != 0;
  auto payload = input.subspan(1);
  file_test::byte_vector file(beginning);
  if ((how & 4) != 0 && payload.size() >= 64) {
    std::ranges::copy(payload.first(64), file.begin());
    payload = payload.subspan(64);
    ingot::store_le(file.data() + 56, ingot::detail::checksum(ingot::bytes_view(file).first(56)));
  } else {
    ingot::detail::file_header header;
    header.info.kind = is_document ? ingot::file_kind::edited_document : ingot::file_kind::edited_live;
    if (!is_document) {
      header.info.schema_id = ingot::schema_id<typename block::value_type>;
      header.info.layout_id = ingot::detail::layout_id<typename block::value_type, ingot::narrow_policy>();
    }
    header.info.closed = (how & 2) == 0;
    header.info.payload_size = payload.size();
    ingot::detail::write_header(header, file.data());
  }
  file.insert(file.end(), payload.begin(), payload.end());
  if ((how & 2) != 0) file.resize(file.size() + std::size_t{41} * (how >> 3));
  file_test::simulated_disk disk;
  disk.put("x", file);
  auto why = is_document ? try_edited<ingot::document>(disk, how) : try_edited<block>(disk, how);
  if (!why.empty()) return why;
  if (disk.open_files() != 0) return "a file or a mapping was not closed";
  return testing::UnitTest::GetInstance()->ad_hoc_test_result().Failed()
             ? "operations on what is edited disagree"
             : "";
}
