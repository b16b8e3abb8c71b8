// SPDX-License-Identifier: Apache-2.0
// Lost bytes are damaged in few places, mostly in one. So the payload is repaired as it is, without
// zeros for the lost bytes, and its values are then where they were.
#include "lost_values.hpp"

#include <ingot/dynamic/byte_map.hpp>
#include <ingot/file/detail/checksum.hpp>
#include <ingot/file/detail/sound_blocks.hpp>
#include <ingot/file/file_info.hpp>
#include <ingot/schema/description.hpp>

#include "byte_path.hpp"
#include "byte_words.hpp"
#include "damages.hpp"
#include "opened_file.hpp"
#include "source.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace tool {

namespace {

using ingot::bytes_view;
using ingot::file_kind;
using ingot::detail::file_header;
using ingot::detail::file_header_size;
using lost_range = ingot::damage_report::range;

/// Finds the first value in each range during a walk over the bytes, which visits them in any
/// order.
class first_values final : public ingot::byte_visitor {
public:
  explicit first_values(std::span<const lost_range> ranges) : ranges_(ranges), found_(ranges.size()) {}

  /// Values after this position are not named.
  void stop_after(std::uint64_t position) noexcept { limit_ = position; }
  void enter(const ingot::byte_step& to) override { path_.enter(to); }
  void leave() override { path_.leave(); }
  void bytes(const ingot::byte_piece& piece) override {
    using enum ingot::byte_use;
    if (piece.use == header || piece.use == padding || piece.use == spare || piece.use == hole) return;
    const std::uint64_t end = piece.offset + piece.length;
    auto range = std::ranges::upper_bound(ranges_, piece.offset, {},
                                          [](const lost_range& each) { return each.offset + each.size; });
    for (; range != ranges_.end() && range->offset < end; ++range) {
      const std::uint64_t at = std::max(piece.offset, range->offset);
      named& best = found_[static_cast<std::size_t>(range - ranges_.begin())];
      if (at < best.at && at <= limit_) best = {at, path_at(piece, at)};
    }
  }
  /// Returns the paths. Requires that the walk has ended.
  [[nodiscard]] std::vector<std::string> paths() && {
    std::vector<std::string> all;
    for (named& each : found_) all.push_back(std::move(each.path));
    return all;
  }

private:
  struct named {
    std::uint64_t at = std::numeric_limits<std::uint64_t>::max();
    std::string path;
  };
  [[nodiscard]] std::string path_at(const ingot::byte_piece& piece, std::uint64_t at) const {
    std::string path = path_.text();
    if (piece.count != 0 && piece.length >= piece.count && !is_text(piece)) {
      const std::uint64_t size = piece.length / piece.count;
      path += '[' + std::to_string(piece.first + (at - piece.offset) / size) + ']';
    }
    return path.empty() ? "." : path;
  }

  std::span<const lost_range> ranges_;
  std::vector<named> found_;
  std::uint64_t limit_ = std::numeric_limits<std::uint64_t>::max();
  byte_path path_;
};

/// Returns the payload before compression. Bytes of blocks that can't be decompressed are zeros.
[[nodiscard]] std::optional<std::vector<std::byte>> payload_of(const file_header& header, bytes_view file) {
  const bytes_view stored = file.subspan(file_header_size, static_cast<std::size_t>(header.info.stored_size));
  if (header.info.is_plain()) return std::vector<std::byte>(stored.begin(), stored.end());
  if (header.info.payload_size > max_decompressed(file.size())) return {};
  std::vector<std::byte> payload(static_cast<std::size_t>(header.info.payload_size));
  if (!ingot::detail::read_sound_blocks(header.info, stored, payload)) return {};
  return payload;
}

void walk_block(std::span<std::byte> payload, bytes_view description, first_values& to) {
  const auto layout = ingot::dynamic_layout::open(description);
  damages found;
  if (!layout || !mend_block(payload, *layout, found)) return;
  if (const auto block = ingot::dynamic_block::open_in_place(payload, *layout))
    static_cast<void>(ingot::map_bytes(to, *block));
}

void walk_message(std::vector<std::byte>& payload, bytes_view description, file_kind kind, first_values& to) {
  if (description.size() > max_description_size) return;
  const auto schema = ingot::read_schema(description);
  if (!schema) return;
  const bool is_compact = kind == file_kind::compact;
  const auto by = ingot::dynamic_schema::from(*schema, is_compact ? ingot::message_profile::compact
                                                                  : ingot::message_profile::pack);
  if (!by) return;
  if (!is_compact) return map_damaged(payload, *by, to);
  damages found;
  if (!mend_message(payload, *by, found)) return;
  // The values after the first damage have other positions.
  const auto offset = [](const damage& each) { return each.why.offset(); };
  if (found.count() != 0) to.stop_after(offset(*std::ranges::min_element(found.listed(), {}, offset)));
  if (const auto message = ingot::dynamic_message::open_in_place(payload, *by))
    static_cast<void>(ingot::map_bytes(to, *message));
}

} // namespace

std::vector<std::string> first_lost_values(const std::string& name, const ingot::damage_report& lost) {
  const std::vector<std::string> none(lost.ranges().size());
  const auto text = read_all(name);
  if (!text || text->size() < file_header_size) return none;
  const bytes_view file = std::as_bytes(std::span(*text));
  const auto header = ingot::detail::read_header(file.first(file_header_size), file.size());
  if (!header || header->is_log() || header->is_edited()) return none;
  const bytes_view description = file.subspan(
      header->info.schema_size == 0 ? file.size() : static_cast<std::size_t>(header->schema_at()),
      header->info.schema_size);
  if (static_cast<std::uint32_t>(ingot::detail::checksum(description)) != header->schema_checksum &&
      !description.empty())
    return none;
  auto payload = payload_of(*header, file);
  if (!payload) return none;
  const auto ranges = lost.ranges();
  const bool is_compact = header->info.kind == file_kind::compact;
  first_values to(is_compact ? ranges.first(1) : ranges);
  if (header->info.kind == file_kind::document) {
    damages found;
    if (!mend_document(*payload, found)) return none;
    if (const auto document = ingot::document::open_in_place(*payload))
      static_cast<void>(ingot::map_bytes(to, *document));
  } else if (header->info.schema == ingot::schema_form::layout) {
    walk_block(*payload, description, to);
  } else if (header->info.schema == ingot::schema_form::portable) {
    walk_message(*payload, description, header->info.kind, to);
  }
  auto paths = std::move(to).paths();
  paths.resize(ranges.size());
  return paths;
}

} // namespace tool
