// SPDX-License-Identifier: Apache-2.0
#include "damaged_payload.hpp"

#include <ingot/core/detail/catch_bad_alloc.hpp>
#include <ingot/core/endian.hpp>
#include <ingot/file/detail/checksum.hpp>
#include <ingot/file/detail/sound_blocks.hpp>
#include <ingot/file/options.hpp>

#include "blocks.hpp"
#include "checksum_stream.hpp"

#include <algorithm>
#include <array>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

namespace ingot { inline namespace INGOT_V1 {
namespace detail {

namespace {

/// Adds ranges to a report, in order. Ranges that touch become one.
class damage_lister {
public:
  explicit damage_lister(damage_report& to) noexcept : to_(to) {}

  void add(const damage_report::range& lost) noexcept {
    if (lost.size == 0) return; // an empty payload has nothing to lose
    const bool touches = to_.range_count != 0 && lost.offset == end_;
    end_ = lost.offset + lost.size;
    to_.lost_bytes += lost.size;
    if (!touches) ++to_.range_count;
    if (to_.range_count > damage_report::max_listed) return;
    auto& listed = to_.listed[static_cast<std::size_t>(to_.range_count - 1)];
    if (!touches) listed = lost;
    else listed.size += lost.size;
    listed.file_size = lost.file_offset + lost.file_size - listed.file_offset;
  }

private:
  damage_report& to_;
  std::uint64_t end_ = 0;
};

/// Compares the payload of a file with its checksums.
class damage_finder {
public:
  /// `stored` is the payload as it lies in the file; empty if it is to be read from the file.
  damage_finder(const input_file& file, bytes_view stored) noexcept
      : file_(file), header_(file.header()), stored_(stored) {}

  /// Returns the damaged bytes of the stored payload. All of them if they have one checksum, or if
  /// the table of checksums is damaged.
  [[nodiscard]] result<std::vector<stored_range>> find() {
    const std::uint64_t size = header_.info.stored_size;
    std::vector<stored_range> damaged;
    if (header_.info.version < 2) {
      const auto sum = checksum_of_all();
      if (!sum) return fail(sum.error());
      if (*sum != header_.payload_checksum) damaged.push_back({0, size});
      return damaged;
    }
    if (!table_.resize(static_cast<std::size_t>(header_.checksums_size()))) return file_.no_memory();
    if (auto got = file_.read({table_.data(), table_.size()}, header_.checksums_at()); !got)
      return fail(got.error());
    if (checksum(table_) != header_.payload_checksum) {
      damaged.push_back({0, size});
      return damaged;
    }
    std::vector<std::byte> storage(stored_.empty() ? payload_part : 0);
    for (std::uint64_t i = 0; i < header_.parts(); ++i) {
      const std::uint64_t at = i * payload_part;
      const auto bytes = get(at, header_.part_size(i), storage);
      if (!bytes) return fail(bytes.error());
      if (checksum(*bytes) == sum_of(i)) continue;
      if (!damaged.empty() && damaged.back().at + damaged.back().size == at)
        damaged.back().size += bytes->size();
      else damaged.push_back({at, bytes->size()});
    }
    return damaged;
  }

  /// Reads the table of the blocks of a compressed payload. Returns no table if the table is
  /// damaged. Requires that `find` did not find all bytes damaged.
  [[nodiscard]] result<std::optional<block_table>> blocks() {
    const block_coding coding{header_.info.method, header_.info.columns};
    std::vector<std::byte> first_storage(coding.head_size());
    const auto first = get(0, coding.head_size(), first_storage);
    if (!first) return fail(first.error());
    auto table = block_table::begin(coding, header_.info.stored_size,
                                    static_cast<std::size_t>(header_.info.payload_size), first->data());
    if (!table) return std::optional<block_table>();
    buffer rest;
    if (!rest.resize(table->rest_size())) return file_.no_memory();
    const std::span<std::byte> rest_bytes(rest.data(), rest.size());
    // The bytes in memory are those that are decompressed: the file may have changed since.
    const auto read = get(first->size(), rest_bytes.size(), rest_bytes);
    if (!read) return fail(read.error());
    if (read->data() != rest_bytes.data()) copy_bytes(rest.data(), read->data(), read->size());
    checksum_stream sum;
    sum.add(*first);
    sum.add(rest_bytes);
    if (sum.finish() != sum_of(header_.parts()) || !table->take(std::move(rest)))
      return std::optional<block_table>();
    return std::optional(std::move(*table));
  }

private:
  [[nodiscard]] std::uint64_t sum_of(std::uint64_t part) const noexcept {
    return load_le<std::uint64_t>(table_.data() + static_cast<std::size_t>(8 * part));
  }
  [[nodiscard]] result<bytes_view> get(std::uint64_t at, std::size_t size,
                                       std::span<std::byte> storage) const {
    if (!stored_.empty()) return stored_.subspan(static_cast<std::size_t>(at), size);
    if (auto got = file_.read(storage.first(size), file_header_size + at); !got) return fail(got.error());
    return storage.first(size);
  }
  [[nodiscard]] result<std::uint64_t> checksum_of_all() const {
    std::vector<std::byte> storage(stored_.empty() ? payload_part : 0);
    checksum_stream sum;
    const std::uint64_t size = header_.info.stored_size;
    for (std::uint64_t done = 0; done < size;) {
      const auto bytes =
          get(done, static_cast<std::size_t>(std::min<std::uint64_t>(size - done, payload_part)), storage);
      if (!bytes) return fail(bytes.error());
      sum.add(*bytes);
      done += bytes->size();
    }
    return sum.finish();
  }

  const input_file& file_;
  const file_header& header_;
  bytes_view stored_;
  buffer table_;
};

[[nodiscard]] bool is_whole(const std::vector<stored_range>& damaged, std::uint64_t size) noexcept {
  return damaged.size() == 1 && damaged[0].size == size;
}
[[nodiscard]] damage_report::range all_of_payload(const file_info& info) noexcept {
  return {0, info.payload_size, file_header_size, info.stored_size};
}

} // namespace

result<void> read_undamaged(const input_file& file, std::span<std::byte> to, const error& why,
                            damage_report& lost) {
  const file_info& info = file.header().info;
  damage_lister lister(lost);
  buffer storage; // contains a compressed payload
  std::span<std::byte> stored = to;
  if (!info.is_plain()) {
    if (!storage.resize(static_cast<std::size_t>(info.stored_size))) return file.no_memory();
    stored = {storage.data(), storage.size()};
  }
  if (auto got = file.read(stored, file_header_size); !got) return got;
  damage_finder finder(file, stored);
  const auto damaged = finder.find();
  if (!damaged) return fail(damaged.error());
  if (damaged->empty() || is_whole(*damaged, info.stored_size)) return fail(why);
  if (info.is_plain()) {
    for (const auto& each : *damaged) {
      const auto bytes = to.subspan(static_cast<std::size_t>(each.at), static_cast<std::size_t>(each.size));
      std::ranges::fill(bytes, std::byte{});
      lister.add({each.at, each.size, file_header_size + each.at, each.size});
    }
  } else {
    const auto table = finder.blocks();
    if (!table) return fail(table.error());
    if (!*table) return fail(why);
    const auto blocks = read_sound_blocks(info, stored, to, *damaged);
    if (!blocks) return file.with_file_context(blocks.error());
    if (blocks->size() == (*table)->count()) return fail(why);
    for (const auto& each : *blocks)
      lister.add({each.raw_at, each.raw, file_header_size + each.why.offset(), each.stored});
  }
  if (auto on = file.report(info.stored_size, file.progress_total()); !on) return on;
  if (auto zeros = file.check_gap(); !zeros) return zeros;
  return file.check_schema();
}

result<void> input_file::load_payload(std::span<std::byte> to, const load_options& options) const {
  damage_report* const lost = options.zero_damaged;
  if (lost != nullptr) *lost = {};
  auto read = read_payload(to, options.checksum || lost != nullptr, options.threads);
  if (read || lost == nullptr || header_.is_edited() || read.error().code() != errc::bad_checksum)
    return read;
  return read_undamaged(*this, to, read.error(), *lost);
}

std::unexpected<error> input_file::rejected(error err, const load_options& options) const noexcept {
  if (options.zero_damaged != nullptr && options.zero_damaged->lost_bytes != 0) {
    constexpr std::string_view hint = " (damaged bytes were read as zeros)";
    constexpr std::size_t max_length = 80; // maximum length of `expected` in an error
    std::array<char, max_length> text{};
    const auto before = err.expected().substr(0, max_length - hint.size());
    std::ranges::copy(hint, std::ranges::copy(before, text.begin()).out);
    err.with_expected({text.data(), before.size() + hint.size()});
  }
  return with_file_context(err);
}

} // namespace detail

result<damage_report> find_damage(path_ref path, file_system& system) {
  using namespace detail;
  return catch_bad_alloc([&]() -> result<damage_report> {
    const auto file = input_file::open(system, path);
    if (!file) return fail(file.error());
    const file_info& info = file->header().info;
    if (file->header().is_log() || file->header().is_edited())
      return file->about(error{errc::unsupported, 5}
                             .with_expected("a file with a checksum of its payload")
                             .with_found(to_string(info.kind)));
    damage_finder finder(*file, {});
    const auto damaged = finder.find();
    if (!damaged) return fail(damaged.error());
    damage_report lost;
    damage_lister lister(lost);
    const bool is_all = is_whole(*damaged, info.stored_size);
    if (info.is_plain() || is_all || damaged->empty()) {
      for (const auto& each : *damaged)
        lister.add(is_all ? all_of_payload(info)
                          : damage_report::range{each.at, each.size, file_header_size + each.at, each.size});
      return lost;
    }
    const auto table = finder.blocks();
    if (!table) return fail(table.error());
    if (!*table) {
      lister.add(all_of_payload(info));
      return lost;
    }
    auto next = damaged->begin();
    auto block = (*table)->first();
    for (std::size_t i = 0; i < (*table)->count(); ++i, block = (*table)->next(block)) {
      while (next != damaged->end() && next->at + next->size <= block.at) ++next;
      if (next == damaged->end()) break;
      if (next->at < block.at + block.stored)
        lister.add({block.raw_at, block.raw, file_header_size + block.at, block.stored});
    }
    return lost;
  });
}

}} // namespace ingot::INGOT_V1
