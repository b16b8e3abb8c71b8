// SPDX-License-Identifier: Apache-2.0
// Repairs the bytes of a file of ingot's.
#include <ingot/core/endian.hpp>
#include <ingot/dynamic/message.hpp>
#include <ingot/dynamic/validate_any.hpp>
#include <ingot/file/detail/checksum.hpp>
#include <ingot/file/detail/log_file.hpp>
#include <ingot/file/detail/sound_blocks.hpp>
#include <ingot/schema/description.hpp>

#include "damages.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace tool {

namespace {

using ingot::bytes_view;
using ingot::errc;
using ingot::error;
using ingot::load_le;
using ingot::store_le;
using ingot::detail::checksum;
using ingot::detail::file_header;
using ingot::detail::file_header_size;
using ingot::detail::record_head_size;

/// Changes one byte so that `is_sound` returns true, and returns the position of the byte. Returns
/// nothing, and changes nothing, if there is no such byte, or if the search would read more than
/// `left` bytes. Reduces `left` by the bytes read. Tries the changes of one bit first.
template <class Check>
[[nodiscard]] std::optional<std::size_t> restore_byte(std::span<std::byte> bytes, std::uint64_t& left,
                                                      const Check& is_sound) {
  const std::uint64_t size = bytes.size();
  for (const bool by_bit : {true, false}) {
    const std::uint64_t changes = by_bit ? 8 : 255;
    if (size > 0xFFFFFFFF || size * size > left / changes) break;
    left -= size * size * changes;
    for (std::size_t at = 0; at < bytes.size(); ++at) {
      const std::byte before = bytes[at];
      for (unsigned change = 1; change <= changes; ++change) {
        bytes[at] = before ^ static_cast<std::byte>(by_bit ? 1U << (change - 1) : change);
        if (is_sound()) return at;
      }
      bytes[at] = before;
    }
  }
  return {};
}

constexpr std::string_view restored = "restored: with another byte here, the checksum is right";

/// Repairs the bytes of one file of ingot's.
class file_mender {
public:
  file_mender(std::vector<std::byte>& bytes, damages& found, std::uint64_t max_search, spare_schema* spare)
      : bytes_(bytes), found_(found), left_(max_search), spare_(spare) {}

  /// Repairs the parts of the file in order. Returns false at a part without which the next parts
  /// can't be found, and if the payload can't be repaired.
  [[nodiscard]] bool run(bool is_named_ingot) {
    if (!mend_header(is_named_ingot) || !mend_schema()) return false;
    mend_gap();
    if (header_.is_log()) {
      mend_records();
      return true;
    }
    if (!header_.info.is_plain() && !decompress()) return false;
    compare_checksum();
    // The length of the payload is not known. `ingot recover` finds it.
    if (header_.is_edited() && !header_.info.closed) return false;
    const bool is_mended = mend_payload();
    write_header();
    return is_mended;
  }

private:
  /// Maximum size to which a truncated file is extended. A short malicious file may state any size.
  [[nodiscard]] std::uint64_t max_extended() const noexcept {
    return std::max(std::uint64_t{1} << 20, 16 * std::uint64_t{bytes_.size()});
  }
  [[nodiscard]] std::span<std::byte> part(std::uint64_t from, std::uint64_t size) noexcept {
    return std::span(bytes_).subspan(static_cast<std::size_t>(from), static_cast<std::size_t>(size));
  }
  void write_header() { ingot::detail::write_header(header_, bytes_.data()); }
  /// Writes the checksum that the present bytes of the header have.
  void sum_header() { store_le(bytes_.data() + 56, checksum(bytes_view(bytes_).first(56))); }

  [[nodiscard]] bool mend_header(bool is_named_ingot) {
    if (bytes_.size() < file_header_size) return false;
    const auto head = part(0, file_header_size);
    const auto is_sound = [&] {
      return load_le<std::uint64_t>(head.data() + 56) == checksum(head.first(56));
    };
    if (!is_sound()) {
      if (const auto at = restore_byte(head, left_, is_sound))
        found_.note(error{errc::bad_checksum, *at}.with_expected("the checksum of the header"), restored);
    }
    for (int tries = 0; tries < 8; ++tries) {
      const auto header =
          ingot::detail::read_header(bytes_view(bytes_).first(file_header_size), bytes_.size());
      if (header) {
        header_ = *header;
        found_.set_version(header_.info.version);
        return true;
      }
      if (!mend_field(header.error(), is_named_ingot)) return false;
      sum_header();
    }
    return false;
  }
  /// Repairs the part of the header that `err` is about.
  [[nodiscard]] bool mend_field(const error& err, bool is_named_ingot) {
    std::byte* const at = bytes_.data();
    const bool is_sound = load_le<std::uint64_t>(at + 56) == checksum(bytes_view(bytes_).first(56));
    switch (err.code()) {
    case errc::not_ingot:
      if (!is_named_ingot) return false;
      found_.note(err, "taken as a file of ingot's");
      std::memcpy(at, "ingF", 4);
      return true;
    case errc::wrong_version:
      if (is_sound) return false; // a file of another version is not damaged
      at[4] = std::byte{1};
      if (at[5] <= std::byte{4} && load_le<std::uint64_t>(at + 32) > ingot::detail::payload_part)
        at[4] = std::byte{2};
      found_.note(err, at[4] == std::byte{1} ? "taken as version 1" : "taken as version 2");
      return true;
    case errc::bad_checksum: found_.note(err, "taken as it is"); return true;
    case errc::truncated: return extend(err);
    case errc::trailing_bytes:
      found_.note(err, left_out);
      bytes_.resize(static_cast<std::size_t>(err.offset()));
      return true;
    case errc::bad_length: return err.offset() == 32 && mend_length(err);
    default: return false;
    }
  }
  /// Appends the bytes that a truncated file lacks, as zeros.
  [[nodiscard]] bool extend(const error& err) {
    const std::byte* const at = bytes_.data();
    const auto stored = load_le<std::uint64_t>(at + 32);
    const auto schema = load_le<std::uint32_t>(at + 40);
    file_header header;
    header.info.version = std::to_integer<std::uint8_t>(at[4]);
    header.info.kind = static_cast<ingot::file_kind>(at[5]);
    header.info.columns = at[6] != std::byte{}; // or compressed: both have one more checksum
    header.info.schema_size = schema;
    header.info.stored_size = stored;
    const std::uint64_t limit = max_extended();
    if (stored > limit || schema > limit) return false;
    const std::uint64_t size = header.is_edited()                            ? header.payload_at() + stored
                               : header.is_log()                             ? header.records_at()
                               : schema == 0 && header.checksums_size() == 0 ? file_header_size + stored
                                                                             : header.schema_at() + schema;
    if (size <= bytes_.size() || size > limit) return false;
    found_.note(err, "the missing bytes are zeros");
    bytes_.resize(static_cast<std::size_t>(size));
    return true;
  }
  /// Repairs the lengths of the payload. Without compression the two lengths are equal, and the
  /// length of the file shows which one is damaged.
  [[nodiscard]] bool mend_length(const error& err) {
    std::byte* const at = bytes_.data();
    if (at[6] != std::byte{}) return false;
    const std::vector<std::byte> before(at, at + file_header_size);
    for (const std::size_t good : {std::size_t{24}, std::size_t{32}}) {
      std::memcpy(at + (56 - good), at + good, 8);
      sum_header();
      if (ingot::detail::read_header(bytes_view(bytes_).first(file_header_size), bytes_.size())) {
        found_.note(err, "the length that fits the file");
        return true;
      }
      std::ranges::copy(before, at);
    }
    return false;
  }

  /// Checks the description of the type. Returns false if the payload can't be found afterwards.
  [[nodiscard]] bool mend_schema() {
    auto& info = header_.info;
    if (info.schema == ingot::schema_form::none) return true;
    const auto bytes = part(header_.schema_at(), info.schema_size);
    const auto is_sound = [&] {
      return static_cast<std::uint32_t>(checksum(bytes)) == header_.schema_checksum;
    };
    if (!is_sound()) {
      error err = error{errc::bad_checksum, 44}.with_expected("the checksum of the schema");
      if (take_spare(bytes)) found_.note(err, "the schema of the file that --schema names");
      else if (const auto at = restore_byte(bytes, left_, is_sound))
        found_.note(err.with_offset(header_.schema_at() + *at), restored);
      else {
        found_.note(err, "taken as it is");
        if (spare_ != nullptr) {
          spare_->is_rejected = true;
          spare_->has_other_form = has_other_form();
        }
      }
    }
    header_.schema_checksum = static_cast<std::uint32_t>(checksum(bytes));
    std::optional<error> why;
    if (info.schema == ingot::schema_form::layout) {
      auto layout = ingot::dynamic_layout::open(bytes);
      if (!layout) why = layout.error();
      else layout_.emplace(std::move(*layout));
    } else {
      auto schema = ingot::read_schema(bytes);
      if (!schema) why = schema.error();
      else schema_ = std::move(*schema);
    }
    if (!why) {
      take_id(8, info.schema_id, layout_ ? layout_->schema_id() : schema_->id());
      if (layout_) take_id(16, info.layout_id, layout_->layout_id());
      write_header();
      return true;
    }
    error err = *why;
    found_.note(err.with_offset(err.offset() + header_.schema_at()), "left out: the value can't be shown");
    if (header_.is_log() || header_.is_edited()) return false;
    bytes_.resize(static_cast<std::size_t>(info.version > 1 ? header_.schema_at()
                                                            : file_header_size + info.stored_size));
    found_.moved(header_.schema_at());
    info.schema = ingot::schema_form::none;
    info.schema_size = 0;
    header_.schema_checksum = 0;
    write_header();
    return true;
  }
  /// Copies the spare description to `to` if it is the one that the file had.
  [[nodiscard]] bool take_spare(std::span<std::byte> to) const {
    if (spare_ == nullptr || spare_->bytes.size() != to.size()) return false;
    const bytes_view spare = spare_->bytes;
    if (static_cast<std::uint32_t>(checksum(spare)) != header_.schema_checksum && !has_ids(spare))
      return false;
    std::ranges::copy(spare, to.begin());
    return true;
  }
  /// Returns true if the spare description describes the type in the header for the other form.
  [[nodiscard]] bool has_other_form() const {
    if (header_.info.schema == ingot::schema_form::layout) {
      const auto schema = ingot::read_schema(spare_->bytes);
      return schema && schema->id() == header_.info.schema_id;
    }
    const auto layout = ingot::dynamic_layout::open(spare_->bytes);
    return layout && layout->schema_id() == header_.info.schema_id;
  }
  /// Returns true if a description has the ids of the header, whose checksum of the description may
  /// be damaged.
  [[nodiscard]] bool has_ids(bytes_view description) const {
    if (header_.info.schema == ingot::schema_form::layout) {
      const auto layout = ingot::dynamic_layout::open(description);
      return layout && layout->schema_id() == header_.info.schema_id &&
             layout->layout_id() == header_.info.layout_id;
    }
    const auto schema = ingot::read_schema(description);
    return schema && schema->id() == header_.info.schema_id;
  }
  void take_id(std::uint64_t at, std::uint64_t& stored, std::uint64_t described) {
    if (stored == described) return;
    found_.note(error{errc::schema_mismatch, at}.with_expected("the id of the schema in the file"),
                "the id of this schema");
    stored = described;
  }
  void mend_gap() {
    const auto& info = header_.info;
    if (info.schema_size == 0 && info.version == 1 && !header_.is_edited()) return;
    const bool is_first = header_.is_log() || header_.is_edited();
    const std::uint64_t from =
        is_first ? header_.schema_at() + info.schema_size : file_header_size + info.stored_size;
    const std::uint64_t to = header_.is_log() ? header_.records_at()
                             : is_first       ? header_.payload_at()
                                              : header_.checksums_at();
    const auto gap = part(from, std::min<std::uint64_t>(to, bytes_.size()) - from);
    if (std::ranges::all_of(gap, [](std::byte each) { return each == std::byte{}; })) return;
    found_.note(error{errc::bad_padding, from}.with_expected("zeros"), "taken as zeros");
    std::ranges::fill(gap, std::byte{});
  }

  /// Replaces the file by a file without compression. Bytes of damaged blocks become zero.
  [[nodiscard]] bool decompress() {
    auto& info = header_.info;
    if (info.payload_size > max_decompressed(bytes_.size())) return false;
    compare_checksum();
    std::vector<std::byte> payload(static_cast<std::size_t>(info.payload_size));
    const auto lost =
        ingot::detail::read_sound_blocks(info, part(file_header_size, info.stored_size), payload);
    if (!lost) {
      error err = lost.error();
      found_.note(err.with_offset(err.offset() + file_header_size), "the value is lost");
      return false;
    }
    replace_payload(payload);
    is_decompressed_ = true;
    for (const auto& each : *lost) {
      error err = each.why;
      found_.note(err.with_offset(err.offset() + file_header_size)
                      .with_found("damage to bytes " + std::to_string(each.raw_at) + ".." +
                                  std::to_string(each.raw_at + each.raw) + " of the payload"),
                  "these bytes are zeros", file_header_size + each.raw_at);
    }
    return true;
  }
  void compare_checksum() {
    if (header_.is_edited()) return;
    if (header_.info.version > 1) compare_parts();
    const auto stored = part(file_header_size, header_.info.stored_size);
    const auto is_sound = [&] { return checksum(stored) == header_.payload_checksum; };
    if (is_sound()) return;
    if (const auto at = restore_byte(stored, left_, is_sound)) {
      found_.note(
          error{errc::bad_checksum, file_header_size + *at}.with_expected("the checksum of the payload"),
          restored);
      return;
    }
    found_.note(error{errc::bad_checksum, 48}.with_expected("the checksum of the payload"), "taken as it is");
    header_.payload_checksum = checksum(stored);
  }
  /// Compares the parts of the payload with their checksums. Makes the file one of version 1, which
  /// has one checksum.
  void compare_parts() {
    auto& info = header_.info;
    const auto table = part(header_.checksums_at(), header_.checksums_size());
    const auto is_sound = [&] { return checksum(table) == header_.payload_checksum; };
    const error damaged_table =
        error{errc::bad_checksum, 48}.with_expected("the checksum of the table of checksums");
    bool is_known = is_sound();
    if (!is_known) {
      const auto at = restore_byte(table, left_, is_sound);
      is_known = at.has_value();
      error err = damaged_table;
      if (at) found_.note(err.with_offset(header_.checksums_at() + *at), restored);
      else found_.note(err, "no part of the payload is compared");
    }
    for (std::uint64_t i = 0; is_known && i < header_.parts(); ++i) {
      const auto bytes = part(file_header_size + i * ingot::detail::payload_part, header_.part_size(i));
      const auto same = [&] {
        return checksum(bytes) == load_le<std::uint64_t>(table.data() + static_cast<std::size_t>(8 * i));
      };
      if (same()) continue;
      error err = ingot::detail::damaged_part(header_, i);
      const auto at = restore_byte(bytes, left_, same);
      if (at) found_.note(err.with_offset(err.offset() + *at), restored);
      else found_.note(err, "taken as it is");
    }
    const auto first = bytes_.begin() + static_cast<std::ptrdiff_t>(header_.checksums_at());
    found_.moved(header_.checksums_at());
    bytes_.erase(first, first + static_cast<std::ptrdiff_t>(header_.checksums_size()));
    info.version = 1;
    if (info.schema_size == 0) bytes_.resize(static_cast<std::size_t>(file_header_size + info.stored_size));
    header_.payload_checksum = checksum(part(file_header_size, info.stored_size));
    write_header();
  }
  /// Replaces the payload. The new file has no compression.
  void replace_payload(std::span<const std::byte> payload) {
    auto& info = header_.info;
    found_.moved(file_header_size);
    std::vector<std::byte> whole(bytes_.begin(), bytes_.begin() + file_header_size);
    whole.insert(whole.end(), payload.begin(), payload.end());
    std::vector<std::byte> schema;
    if (info.schema_size != 0)
      schema.assign(bytes_.begin() + static_cast<std::ptrdiff_t>(header_.schema_at()), bytes_.end());
    info.method = ingot::codec::none;
    info.columns = false;
    info.payload_size = payload.size();
    info.stored_size = payload.size();
    if (!schema.empty()) whole.resize(static_cast<std::size_t>(header_.schema_at()));
    whole.insert(whole.end(), schema.begin(), schema.end());
    header_.payload_checksum = checksum(payload);
    bytes_ = std::move(whole);
    write_header();
  }
  [[nodiscard]] bool mend_payload() {
    const auto payload = part(header_.payload_at(), header_.info.payload_size);
    if (is_decompressed_) found_.begin_decompressed(header_.payload_at());
    else found_.begin_at(header_.payload_at());
    bool is_mended = true;
    switch (header_.info.kind) {
    case ingot::file_kind::document:
    case ingot::file_kind::edited_document: is_mended = mend_document(payload, found_); break;
    case ingot::file_kind::live:
    case ingot::file_kind::edited_live:
      if (layout_) is_mended = mend_block(payload, *layout_, found_);
      break;
    default:
      if (const auto by = prepared()) {
        std::vector<std::byte> message(payload.begin(), payload.end());
        const std::size_t before = found_.count();
        is_mended = mend_message(message, *by, found_);
        if (is_mended && found_.count() != before) replace_payload(message);
      }
    }
    found_.begin_at(0);
    found_.end_decompressed();
    if (!header_.is_edited())
      header_.payload_checksum = checksum(part(header_.payload_at(), header_.info.payload_size));
    return is_mended;
  }

  /// Copies the records that are whole. The bytes between them are left out.
  void mend_records() {
    std::vector<std::byte> whole(bytes_.begin(),
                                 bytes_.begin() + static_cast<std::ptrdiff_t>(header_.records_at()));
    std::uint64_t at = header_.records_at();
    std::optional<error> damaged; // the damage of the bytes that are being skipped
    const auto note_gap = [&](std::string_view effect) {
      const std::size_t first = found_.listed().size();
      found_.note(*damaged, effect);
      found_.lost(first);
      damaged.reset();
    };
    const auto skip = [&](const error& err) {
      if (!damaged) damaged = err;
      at += 8;
    };
    const auto by = prepared();
    std::uint64_t number = 0;
    while (at < bytes_.size()) {
      const std::uint64_t left = bytes_.size() - at;
      if (left < record_head_size) {
        skip(error{errc::truncated, bytes_.size()}.with_expected("the 16 bytes of a record's head"));
        break;
      }
      const auto head = part(at, record_head_size);
      const auto length = load_le<std::uint32_t>(head.data());
      if (load_le<std::uint32_t>(head.data() + 4) !=
          static_cast<std::uint32_t>(checksum(bytes_view(head).first(4), at))) {
        skip(error{errc::bad_checksum, at + 4}.with_expected("the checksum of a record's length"));
        continue;
      }
      const std::uint64_t end = record_head_size + (std::uint64_t{length} + 7) / 8 * 8;
      if (end > left) {
        skip(error{errc::truncated, bytes_.size()}
                 .with_expected("as many bytes as the record has")
                 .with_found(left));
        continue;
      }
      if (damaged) note_gap("the bytes up to the next record are left out");
      const std::size_t first = found_.listed().size();
      found_.begin_record(number, at, whole.size());
      if (add_record(whole, at, length, by ? &*by : nullptr)) ++number;
      else found_.lost(first);
      found_.end_record();
      at += end;
    }
    if (damaged) note_gap("the bytes after the last record are left out");
    bytes_ = std::move(whole);
    write_header();
  }
  [[nodiscard]] ingot::message_profile profile() const noexcept {
    const auto kind = header_.info.kind;
    return kind == ingot::file_kind::compact || kind == ingot::file_kind::compact_log
               ? ingot::message_profile::compact
               : ingot::message_profile::pack;
  }
  /// Returns the schema, prepared for the messages of the file.
  [[nodiscard]] std::optional<ingot::dynamic_schema> prepared() const {
    if (!schema_) return {};
    auto by = ingot::dynamic_schema::from(*schema_, profile());
    return by ? std::optional(std::move(*by)) : std::nullopt;
  }
  /// Appends a record to `whole`. A damaged record is kept if it can be repaired; otherwise returns
  /// false.
  [[nodiscard]] bool add_record(std::vector<std::byte>& whole, std::uint64_t at, std::uint32_t length,
                                const ingot::dynamic_schema* by) {
    const auto payload = part(at + record_head_size, length);
    const auto is_sound = [&] {
      return load_le<std::uint64_t>(part(at + 8, 8).data()) == checksum(payload, at);
    };
    if (!is_sound()) {
      error err = error{errc::bad_checksum, at + 8}.with_expected("the checksum of a record");
      if (const auto byte = restore_byte(payload, left_, is_sound)) {
        found_.note(err.with_offset(at + record_head_size + *byte), restored);
      } else {
        found_.note(err, by == nullptr ? "the record is left out" : "taken as it is");
        if (by == nullptr) return false;
      }
    }
    std::vector<std::byte> record(payload.begin(), payload.end());
    if (by != nullptr) {
      found_.begin_at(at + record_head_size);
      const std::size_t before = found_.count();
      const bool is_mended = mend_message(record, *by, found_);
      found_.begin_at(0);
      if (!is_mended) return false;
      if (found_.count() != before) found_.moved(whole.size() + record_head_size);
    }
    const std::uint64_t to = whole.size();
    const auto size = static_cast<std::uint32_t>(record.size());
    whole.resize(static_cast<std::size_t>(to + record_head_size + (std::uint64_t{size} + 7) / 8 * 8));
    std::byte* const head = whole.data() + to;
    store_le(head, size);
    store_le(head + 4, static_cast<std::uint32_t>(checksum({head, 4}, to)));
    std::ranges::copy(record, head + record_head_size);
    store_le(head + 8, checksum({head + record_head_size, size}, to));
    return true;
  }

  std::vector<std::byte>& bytes_;
  damages& found_;
  std::uint64_t left_;  ///< bytes that the searches for damaged bytes may still read
  spare_schema* spare_; ///< may be null
  file_header header_;
  bool is_decompressed_ = false; ///< the payload of the file was compressed
  std::optional<ingot::dynamic_layout> layout_;
  std::optional<ingot::schema> schema_;
};

} // namespace

bool has_header(bytes_view bytes) {
  if (bytes.size() < file_header_size) return false;
  std::vector<std::byte> head(bytes.begin(), bytes.begin() + file_header_size);
  const auto is_sound = [&] {
    return load_le<std::uint64_t>(head.data() + 56) == checksum(bytes_view(head).first(56));
  };
  std::uint64_t left = max_search;
  return restore_byte(head, left, is_sound) && std::memcmp(head.data(), "ingF", 4) == 0;
}

bool mend_bytes(std::vector<std::byte>& bytes, bool is_named_ingot, damages& found,
                std::uint64_t max_bytes_searched, spare_schema* spare) {
  return file_mender(bytes, found, max_bytes_searched, spare).run(is_named_ingot);
}

} // namespace tool
