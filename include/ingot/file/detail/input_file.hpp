// SPDX-License-Identifier: Apache-2.0
// A file that is read: its header checked, its payload brought into memory or mapped.
#pragma once

#include <ingot/core/buffer.hpp>
#include <ingot/core/bytes.hpp>
#include <ingot/core/detail/progress_tracker.hpp>
#include <ingot/core/error.hpp>
#include <ingot/core/progress.hpp>
#include <ingot/file/detail/file_system.hpp>
#include <ingot/file/detail/fresh_pages.hpp>
#include <ingot/file/file_info.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <limits>
#include <span>
#include <string_view>
#include <utility>

namespace ingot { inline namespace INGOT_V1 { namespace detail {

/// The payload of a file in memory, at a multiple of 64. Its own, or the system's.
class file_memory {
public:
  file_memory() = default;
  file_memory(file_memory&& other) noexcept { swap(other); }
  file_memory& operator=(file_memory&& other) noexcept {
    file_memory taken(std::move(other));
    swap(taken);
    return *this;
  }
  file_memory(const file_memory&) = delete;
  file_memory& operator=(const file_memory&) = delete;
  ~file_memory();

  void swap(file_memory& other) noexcept {
    std::swap(system_, other.system_);
    std::swap(start_, other.start_);
    std::swap(size_, other.size_);
    std::swap(payload_, other.payload_);
  }
  /// May be written to only if the memory was asked for that.
  [[nodiscard]] std::span<std::byte> payload() const noexcept { return payload_; }

private:
  friend class input_file;
  file_system* system_ = nullptr; ///< null where the memory is our own
  std::byte* start_ = nullptr;
  std::size_t size_ = 0;
  std::span<std::byte> payload_;
};

/// What a type wants of a file.
struct file_identity {
  std::array<file_kind, 2> kinds{file_kind::packed,
                                 file_kind::packed}; ///< the one that is named in errors first
  std::uint64_t schema_id = 0;
  std::uint64_t layout_id = 0;
};

class checksum_stream;

/// Whether a file is of the kind and type that are wanted; names both sides if not. Another type, of blocks also another layout, will do
/// if the file carries a description of it in the form that can be `read_by`.
[[nodiscard]] result<void> expect_file(const file_info& info, const file_identity& wanted,
                                       schema_form read_by = schema_form::none);

class input_file {
public:
  /// Opens, and checks the header against the file's size.
  [[nodiscard]] static result<input_file> open(file_system& system, const std::filesystem::path& path,
                                               open_mode mode = open_mode::read, progress_ref progress = {});
  input_file(input_file&& other) noexcept
      : system_(other.system_), path_(std::move(other.path_)), header_(other.header_),
        progress_(other.progress_), in_memory_(other.in_memory_), told_(other.told_),
        file_(std::exchange(other.file_, -1)) {}
  input_file(const input_file&) = delete;
  input_file& operator=(const input_file&) = delete;
  /// What is opened by then is closed.
  input_file& operator=(input_file&& other) noexcept;
  ~input_file();

  [[nodiscard]] const file_header& header() const noexcept { return header_; }
  /// Reads it once more: somebody else may have edited the file.
  [[nodiscard]] result<void> look_again();
  /// As `expect_file`.
  [[nodiscard]] result<void> expect(const file_identity& wanted,
                                    schema_form read_by = schema_form::none) const;
  /// Whether it is of that very type and layout; the kind is not looked at.
  [[nodiscard]] bool is_of(const file_identity& wanted) const noexcept {
    return header_.info.schema_id == wanted.schema_id && header_.info.layout_id == wanted.layout_id;
  }
  /// The length of the payload, if it may be brought into memory.
  [[nodiscard]] result<std::size_t>
  payload_size(std::size_t most, std::string_view limit = "no more bytes than the given limit") const;
  /// Reads the payload, which is as long as `to`, and decodes it there if it is compressed. With `check` what was read is held against its
  /// checksum, and the schema, too: piece by piece, while each is in the processor's cache. A compressed one may be decoded into memory that `grows`.
  [[nodiscard]] result<void> read_payload(std::span<std::byte> to, bool check, unsigned threads = 0,
                                          pages of = pages::fresh, growing_memory* grows = nullptr) const;
  /// The schema, with its checksum and with the fingerprints that are in the header; its sense is for who reads it.
  [[nodiscard]] result<buffer> read_schema() const;
  /// The zeros that precede the schema, in a log the records.
  [[nodiscard]] result<void> check_gap() const;
  /// The schema against its checksum, without keeping it.
  [[nodiscard]] result<void> check_schema() const;
  /// Maps the file, or, with `copy`, reads it, if the payload has no more bytes than `most`.
  [[nodiscard]] result<file_memory> map(bool writable, bool check, bool copy, unsigned threads = 0,
                                        std::size_t most = std::numeric_limits<std::size_t>::max()) const;

  /// Reads as many bytes as there is room for, from that byte of the file on.
  [[nodiscard]] result<void> read(std::span<std::byte> to, std::uint64_t from) const;
  /// The same, but that the file may end before; says how many there were.
  [[nodiscard]] result<std::size_t> read_up_to(std::span<std::byte> to, std::uint64_t from) const;
  /// Tells whoever waits, but not again what is read once more; `cancelled` if they no longer wait.
  [[nodiscard]] result<void> report(std::uint64_t done, std::uint64_t total) const {
    if (done <= told_) return {};
    told_ = done;
    if (progress_(done, total)) return {};
    return about(error{errc::cancelled, done});
  }
  /// What is done with the payload in memory counts as well, so many times as it has bytes. To be said before it is read.
  void expect_parts(unsigned parts) const noexcept { in_memory_ = parts * header_.info.payload_size; }
  /// The bytes that whoever waits is told of.
  [[nodiscard]] std::uint64_t to_be_told() const noexcept { return header_.info.stored_size + in_memory_; }
  [[nodiscard]] bool reports_progress() const noexcept { return static_cast<bool>(progress_); }
  /// For what is done in memory, once the payload is there.
  [[nodiscard]] progress_tracker telling() const noexcept {
    return {progress_, header_.info.stored_size, header_.info.payload_size, to_be_told()};
  }
  /// The same for what tells of the payload's bytes itself. Not `behind` reading there was nothing to tell of before.
  [[nodiscard]] auto telling_bytes(bool behind = true) const noexcept {
    return [told = progress_, before = behind ? header_.info.stored_size : 0,
            total = header_.info.payload_size](std::uint64_t done, std::uint64_t) {
      return told(before + done, before + total);
    };
  }
  /// Tells nobody any more.
  void forget_progress() noexcept { progress_ = {}; }
  /// How long the file is now.
  [[nodiscard]] result<std::uint64_t> size() const;
  /// Returns true if the path no longer leads to this file: it was renamed, replaced or deleted.
  /// Errors: `io`.
  [[nodiscard]] result<bool> is_renamed() const;

  [[nodiscard]] file_system& system() const noexcept { return *system_; }
  [[nodiscard]] const std::filesystem::path& path() const noexcept { return path_; }
  [[nodiscard]] int descriptor() const noexcept { return file_; }
  /// False if it was moved from.
  [[nodiscard]] bool is_open() const noexcept { return file_ >= 0; }

  /// An error about the payload becomes one about the file: with its path, counted from the file's first byte.
  [[nodiscard]] std::unexpected<error> with_file_context(error err) const noexcept;
  /// The same for one whose offset is the file's already.
  [[nodiscard]] std::unexpected<error> about(error err) const noexcept;
  /// Without memory for the payload.
  [[nodiscard]] std::unexpected<error> no_memory() const noexcept;

private:
  input_file(file_system& system, const std::filesystem::path& path, int file)
      : system_(&system), path_(path), file_(file) {}
  [[nodiscard]] result<file_header> read_header_of(std::uint64_t file_size) const;
  /// Nobody edits the file as long as this is open, and nobody has since it was opened.
  [[nodiscard]] result<void> hold_still() const;
  /// In bounded memory.
  [[nodiscard]] result<std::uint64_t> checksum_of(std::uint64_t from, std::uint64_t size) const;
  /// The payload as it lies in the file against its checksum, without keeping it.
  [[nodiscard]] result<void> check_stored() const;
  [[nodiscard]] std::unexpected<error> other_payload() const noexcept;
  [[nodiscard]] result<void> read_compressed(std::span<std::byte> to, checksum_stream* sum, unsigned threads,
                                             pages of, growing_memory* grows) const;
  file_system* system_;
  std::filesystem::path path_;
  file_header header_;
  progress_ref progress_;
  mutable std::uint64_t in_memory_ = 0; ///< bytes that count beside those in the file
  mutable std::uint64_t told_ = 0;      ///< the bytes that whoever waits was told of
  int file_;
};

}}} // namespace ingot::INGOT_V1::detail
