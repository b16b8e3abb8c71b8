// SPDX-License-Identifier: Apache-2.0
#include "payload_checker.hpp"

#include <ingot/core/endian.hpp>
#include <ingot/file/detail/checksum.hpp>

#include <algorithm>

namespace ingot { inline namespace INGOT_V1 { namespace detail {

result<void> payload_checker::add(bytes_view bytes) {
  if (header_.info.version < 2) {
    sum_.add(bytes);
    return {};
  }
  while (!bytes.empty()) {
    const std::size_t length = header_.part_size(part_);
    const bytes_view piece = bytes.first(std::min(bytes.size(), length - filled_));
    bytes = bytes.subspan(piece.size());
    if (piece.size() == length) {
      if (auto same = compare(checksum(piece)); !same) return same;
      continue;
    }
    if (filled_ == 0) sum_.restart();
    sum_.add(piece);
    filled_ += piece.size();
    if (filled_ != length) continue;
    filled_ = 0;
    if (auto same = compare(sum_.finish()); !same) return same;
  }
  return {};
}

result<void> payload_checker::compare(std::uint64_t sum) {
  const std::size_t at = static_cast<std::size_t>(8 * part_ % window_.size());
  if (at == 0) {
    const std::uint64_t done = 8 * part_;
    const auto next = std::span(window_).first(
        static_cast<std::size_t>(std::min<std::uint64_t>(window_.size(), header_.checksums_size() - done)));
    if (auto got = read(next, header_.checksums_at() + done); !got) return got;
    table_.add(next);
  }
  if (load_le<std::uint64_t>(window_.data() + at) != sum) return blame();
  ++part_;
  return {};
}

result<void> payload_checker::finish() {
  if (header_.info.version < 2) {
    if (sum_.finish() == header_.payload_checksum) return {};
    return about(error{errc::bad_checksum, 48}.with_expected("the checksum of the payload"));
  }
  // The checksum of a compressed payload's head may be the first one of another window.
  if (const std::uint64_t parts = 8 * header_.parts();
      parts % window_.size() == 0 && parts != header_.checksums_size()) {
    const auto last = std::span(window_).first(8);
    if (auto got = read(last, header_.checksums_at() + parts); !got) return got;
    table_.add(last);
  }
  return table_.finish() == header_.payload_checksum ? result<void>() : damaged_table();
}

result<void> payload_checker::check_head(bytes_view first, bytes_view rest) const {
  if (header_.info.version < 2) return {};
  std::array<std::byte, 8> stored{};
  if (auto got = read(stored, header_.checksums_at() + 8 * header_.parts()); !got) return got;
  checksum_stream sum;
  sum.add(first);
  sum.add(rest);
  if (sum.finish() == load_le<std::uint64_t>(stored.data())) return {};
  return about(error{errc::bad_checksum, file_header_size}.with_expected(
      "the checksum of the bytes before the first block"));
}

result<void> payload_checker::blame() const {
  checksum_stream all;
  std::array<std::byte, 1024> storage{};
  const std::uint64_t size = header_.checksums_size();
  for (std::uint64_t done = 0; done < size;) {
    const auto piece = std::span(storage).first(
        static_cast<std::size_t>(std::min<std::uint64_t>(storage.size(), size - done)));
    if (auto got = read(piece, header_.checksums_at() + done); !got) return got;
    all.add(piece);
    done += piece.size();
  }
  if (all.finish() != header_.payload_checksum) return damaged_table();
  return about(damaged_part(header_, part_));
}

std::unexpected<error> payload_checker::damaged_table() const noexcept {
  return about(error{errc::bad_checksum, 48}.with_expected("the checksum of the table of checksums"));
}

result<void> payload_checker::read(std::span<std::byte> to, std::uint64_t from) const {
  if (file_ != nullptr) return file_->read(to, from);
  copy_bytes(to.data(), in_memory_.data() + static_cast<std::size_t>(from), to.size());
  return {};
}

std::unexpected<error> payload_checker::about(const error& err) const noexcept {
  return file_ != nullptr ? file_->about(err) : fail(err);
}

}}} // namespace ingot::INGOT_V1::detail
