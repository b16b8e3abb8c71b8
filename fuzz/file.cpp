// SPDX-License-Identifier: Apache-2.0
// Arbitrary bytes as a file: the target identifies, loads and maps the file as a type of each kind,
// and runs all operations on accepted files. The first byte chooses the type, and how much of the
// header is corrected, since hardly any input would have three right checksums. Other inputs are a
// layout description and a block. They become a file of an older version of a type. Others are a
// payload and two positions: the file is damaged there, and is loaded with zeros for lost bytes.
#include <ingot/core/endian.hpp>
#include <ingot/dynamic/dynamic.hpp>
#include <ingot/file/damage.hpp>
#include <ingot/file/detail/checksum.hpp>
#include <ingot/file/detail/replace_file.hpp>
#include <ingot/file/document_file.hpp>
#include <ingot/file/file_info.hpp>
#include <ingot/file/live_file.hpp>
#include <ingot/file/load.hpp>
#include <ingot/file/map_file.hpp>

#include "document/exercise.hpp"
#include "file/simulated_disk.hpp"
#include "file_zoo.hpp"
#include "fuzz.hpp"
#include "live/operations.hpp"
#include "zoo/live.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <type_traits>

namespace {

using fuzz::bough;

/// Returns true if loading and mapping agree about the file.
template <class T, class View = T>
bool try_file(file_test::simulated_disk& disk, std::uint64_t seed) {
  auto loaded = ingot::load<T>("x", {.checksum = false, .max_bytes = 1U << 20}, disk);
  const bool copy = seed % 2 == 0;
  auto mapped = ingot::map_file<View>("x", {.copy = copy, .max_bytes = 1U << 20}, disk);
  const auto kind = ingot::peek_file("x", disk);
  const bool can_be_mapped =
      kind && kind->kind != ingot::file_kind::compact && (copy || kind->method == ingot::codec::none);
  if (can_be_mapped && loaded.has_value() != mapped.has_value()) return false;
  if (!loaded) return true;
  if constexpr (std::is_same_v<T, ingot::document>) {
    document_test::exercise(**mapped, seed);
    document_test::exercise(*loaded, seed);
  } else if constexpr (requires { loaded->stats(); }) {
    live_test::exercise(*loaded);
    if constexpr (std::is_same_v<T, View>) live_test::exercise(**mapped);
  } else if (mapped) {
    const auto from_view = (**mapped).unpack();
    return from_view && *ingot::pack(*from_view) == *ingot::pack(*loaded);
  }
  return true;
}

/// Loads a file with a description and a block as the current version of the described type.
bool try_older(file_test::simulated_disk& disk, ingot::bytes_view input) {
  using block = ingot::live<fuzz::stem>;
  if (input.size() < 2) return true;
  const std::size_t size = std::min<std::size_t>(
      std::to_integer<std::size_t>(input[0]) | std::to_integer<std::size_t>(input[1]) << 8, input.size() - 2);
  const auto description = input.subspan(2, size);
  const auto payload = input.subspan(2 + size);
  ingot::file_info info;
  info.kind = ingot::file_kind::live;
  info.schema = ingot::schema_form::layout;
  if (const auto layout = ingot::dynamic_layout::open(description)) {
    info.schema_id = layout->schema_id();
    info.layout_id = layout->layout_id();
  }
  if (!ingot::detail::save_payload(disk, "x", info, payload, description, ingot::detail::replacing::fast))
    return true;
  auto now = ingot::load<block>("x", {.max_bytes = 1U << 20}, disk);
  const auto before = ingot::load<ingot::live<fuzz::old_stem>>("x", {.max_bytes = 1U << 20}, disk);
  // If the current version rejects the file, the older version must reject it, too. The exception
  // is a pool from which objects were erased: links into this pool would refer to other objects.
  if (!now) return !before || !(*before)->loose.was_only_filled();
  if (before) {
    if ((*now)->name != (*before)->name || (*now)->rings.size() != (*before)->rings.size() ||
        (*now)->marks.size() != (*before)->marks.size() || (*now)->paths.size() != (*before)->paths.size())
      return false;
    for (const auto& [key, value] : (*before)->marks) {
      const auto at = (*now)->marks.find(key);
      if (at == (*now)->marks.end() || at->second != value) return false;
    }
    for (std::size_t i = 0; i < (*before)->rings.size(); ++i) {
      if ((*now)->rings[i].year != (*before)->rings[i].year) return false;
    }
    const auto* const found = (*now)->loose.get((*now)->first);
    const auto* const was = (*before)->loose.get({(*before)->first.index, (*before)->first.generation});
    if ((found == nullptr) != (was == nullptr) || (found != nullptr && found->year != was->year))
      return false;
    if ((*now)->loose.size() != (*before)->loose.size()) return false;
    for (auto each = (*before)->loose.begin(); each != (*before)->loose.end(); ++each) {
      const auto* const same = (*now)->loose.get({each.ref().index, each.ref().generation});
      if (same == nullptr || same->year != each->year) return false;
    }
  }
  live_test::exercise(*now);
  return true;
}

/// Returns the file of a payload, which the kind of file may not fit.
file_test::byte_vector whole_file(ingot::detail::file_header header, ingot::bytes_view payload, bool pack) {
  header.info.payload_size = payload.size();
  const auto message = ingot::compress(payload, {.method = ingot::codec::lz4, .block = 4096, .threads = 1});
  if (pack && message && (*message)[5] != std::byte{}) {
    header.info.method = ingot::codec::lz4;
    payload = ingot::bytes_view(*message).subspan(24);
  }
  const auto checksums = ingot::detail::add_checksums(header, payload);
  file_test::byte_vector file(64);
  if (!checksums) return file;
  ingot::detail::write_header(header, file.data());
  file.insert(file.end(), payload.begin(), payload.end());
  if (!checksums->empty()) file.resize(static_cast<std::size_t>(header.checksums_at()));
  file.insert(file.end(), checksums->begin(), checksums->end());
  return file;
}

bool is_plausible(const ingot::damage_report& lost, std::uint64_t payload_size) {
  std::uint64_t end = 0;
  std::uint64_t sum = 0;
  for (const auto& each : lost.ranges()) {
    if (each.size == 0 || each.file_size == 0 || (end != 0 && each.offset <= end)) return false;
    end = each.offset + each.size;
    sum += each.size;
  }
  return end <= payload_size && sum <= lost.lost_bytes && lost.lost_bytes <= payload_size &&
         lost.ranges().empty() == (lost.range_count == 0);
}

template <class T>
std::string try_damaged(file_test::simulated_disk& disk) {
  const auto clean = ingot::load<T>("clean", {.max_bytes = 1U << 20}, disk);
  ingot::damage_report lost;
  auto loaded = ingot::load<T>("x", {.max_bytes = 1U << 20, .zero_damaged = &lost, .threads = 1}, disk);
  const auto info = ingot::peek_file("x", disk);
  if (info) {
    const auto found = ingot::find_damage("x", disk);
    if (!found) return "a file can be opened, but its damage can't be found: " + found.error().message();
    if (!is_plausible(*found, info->payload_size)) return "a report of damage contradicts itself";
    if (!is_plausible(lost, info->payload_size)) return "a report of lost bytes contradicts itself";
    if (loaded && lost.lost_bytes < found->lost_bytes) return "damaged bytes were loaded";
    if (loaded && lost.lost_bytes == info->payload_size) return "a file without an undamaged byte was loaded";
  }
  if (loaded && lost.lost_bytes == 0 && !clean) return "damage makes a file valid";
  if (!loaded) return "";
  if constexpr (std::is_same_v<T, ingot::document>) document_test::exercise(*loaded, 1);
  else if constexpr (requires { loaded->stats(); }) live_test::exercise(*loaded);
  return "";
}

} // namespace

std::string fuzz::one_input(ingot::bytes_view input) {
  if (input.empty() || input.size() > 32'768) return {};
  const auto how = std::to_integer<unsigned>(input[0]);
  const auto rest = input.subspan(1);
  file_test::byte_vector file(rest.begin(), rest.end());
  using block = ingot::live<zoo::live_card>;
  if (how % 4 == 2 && (how & 64) != 0) {
    file_test::simulated_disk disk;
    if (!try_older(disk, rest)) return "an older block and what it became disagree";
    if (disk.open_files() != 0) return "a file was not closed";
    return testing::UnitTest::GetInstance()->ad_hoc_test_result().Failed()
               ? "operations on what was loaded disagree"
               : "";
  }
  if ((how & 128) != 0 && rest.size() >= 4) {
    ingot::detail::file_header header;
    header.info.kind = std::array{ingot::file_kind::packed, ingot::file_kind::compact, ingot::file_kind::live,
                                  ingot::file_kind::document}[how % 4];
    if (how % 4 < 2) header.info.schema_id = ingot::schema_id<bough>;
    if (how % 4 == 2) {
      header.info.schema_id = ingot::schema_id<typename block::value_type>;
      header.info.layout_id = ingot::detail::layout_id<typename block::value_type, ingot::narrow_policy>();
    }
    file_test::simulated_disk disk;
    file = whole_file(header, rest.subspan(4), (how & 4) != 0);
    disk.put("clean", file);
    for (const std::size_t at : {0U, 2U}) {
      const std::size_t position = ingot::load_le<std::uint16_t>(rest.data() + at) * file.size() >> 16;
      if (position >= 64) file[position] ^= std::byte{1};
    }
    disk.put("x", file);
    std::string wrong = how % 4 < 2    ? try_damaged<bough>(disk)
                        : how % 4 == 2 ? try_damaged<block>(disk)
                                       : try_damaged<ingot::document>(disk);
    if (wrong.empty() && disk.open_files() != 0) return "a file was not closed";
    if (wrong.empty() && testing::UnitTest::GetInstance()->ad_hoc_test_result().Failed())
      return "operations on what was loaded disagree";
    return wrong;
  }
  if ((how & 8) != 0) { // the rest is a payload
    ingot::detail::file_header header;
    header.info.kind = static_cast<ingot::file_kind>(1 + how % 4);
    if (how % 4 < 2) header.info.schema_id = ingot::schema_id<bough>;
    if (how % 4 == 2) {
      header.info.schema_id = ingot::schema_id<typename block::value_type>;
      header.info.layout_id = ingot::detail::layout_id<typename block::value_type, ingot::narrow_policy>();
    }
    header.info.payload_size = file.size();
    file.insert(file.begin(), 64, std::byte{});
    ingot::detail::write_header(header, file.data());
  } else if ((how & 16) != 0 && file.size() >= 64) { // a file with one corrected checksum
    ingot::store_le(file.data() + 56, ingot::detail::checksum(ingot::bytes_view(file).first(56)));
  }
  file_test::simulated_disk disk;
  disk.put("x", file);
  static_cast<void>(ingot::read_file_schema("x", disk));
  bool agree = true;
  switch (how % 4) {
  case 0:
  case 1: agree = try_file<bough>(disk, how); break;
  case 2:
    agree = (how & 32) != 0 ? try_file<block>(disk, how)
                            : try_file<block, ingot::live_view<zoo::live_card>>(disk, how);
    break;
  default: agree = try_file<ingot::document>(disk, how);
  }
  if (!agree) return "loading and mapping a file disagree";
  if (disk.open_files() != 0) return "a file or a mapping was not closed";
  return testing::UnitTest::GetInstance()->ad_hoc_test_result().Failed()
             ? "operations on what was loaded disagree"
             : "";
}
