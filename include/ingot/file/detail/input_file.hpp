// SPDX-License-Identifier: Apache-2.0
// A file for reading: checks its header, and reads or maps its payload.
#pragma once

#include <ingot/core/buffer.hpp>
#include <ingot/core/bytes.hpp>
#include <ingot/core/detail/progress_tracker.hpp>
#include <ingot/core/error.hpp>
#include <ingot/core/path_ref.hpp>
#include <ingot/core/progress.hpp>
#include <ingot/file/detail/fresh_pages.hpp>
#include <ingot/file/file_info.hpp>
#include <ingot/file/file_system.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <string>
#include <string_view>
#include <utility>

namespace ingot { inline namespace INGOT_V1 {

struct load_options;

namespace detail {

/// Payload of a file in memory. The address of the payload is a multiple of 64. The memory is
/// allocated or mapped.
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
  /// Returns the payload. It may be written to only if the memory was requested as writable.
  [[nodiscard]] std::span<std::byte> payload() const noexcept { return payload_; }

private:
  friend class input_file;
  file_system* system_ = nullptr; ///< null if the memory was allocated
  std::byte* start_ = nullptr;
  std::size_t size_ = 0;
  std::span<std::byte> payload_;
};

/// Kind and type that a file must have.
struct file_identity {
  std::array<file_kind, 2> kinds{file_kind::packed, file_kind::packed}; ///< errors name the 1st
  std::uint64_t schema_id = 0;
  std::uint64_t layout_id = 0;
};

class payload_checker;

/// Checks the kind and type of a file. The error names the expected type and the found type.
/// Accepts another type, or another layout of a block, if the file contains a description in the
/// form `read_by`.
[[nodiscard]] result<void> expect_file(const file_info& info, const file_identity& wanted,
                                       schema_form read_by = schema_form::none);

class input_file {
public:
  /// Opens a file and checks the header against the file's size.
  [[nodiscard]] static result<input_file> open(file_system& system, path_ref path,
                                               file_open_mode mode = file_open_mode::read,
                                               progress_ref progress = {});
  input_file(input_file&& other) noexcept
      : system_(other.system_), path_(std::move(other.path_)), header_(other.header_),
        progress_(other.progress_), in_memory_(other.in_memory_), reported_(other.reported_),
        file_(std::exchange(other.file_, -1)) {}
  input_file(const input_file&) = delete;
  input_file& operator=(const input_file&) = delete;
  /// Closes the file that this object has open, if any, and takes over the file of `other`.
  input_file& operator=(input_file&& other) noexcept;
  ~input_file();

  [[nodiscard]] const file_header& header() const noexcept { return header_; }
  /// Reads the header again, because another process may have edited the file.
  [[nodiscard]] result<void> look_again();
  /// Checks the file as `expect_file` does.
  [[nodiscard]] result<void> expect(const file_identity& wanted,
                                    schema_form read_by = schema_form::none) const;
  /// Returns true if the file has exactly this type and layout; does not check the kind.
  [[nodiscard]] bool is_of(const file_identity& wanted) const noexcept {
    return header_.info.schema_id == wanted.schema_id && header_.info.layout_id == wanted.layout_id;
  }
  /// Returns the length of the payload. Errors: `too_large` if the length exceeds `max_size`.
  /// `limit` is the text that the error has as the expected value.
  [[nodiscard]] result<std::size_t>
  payload_size(std::size_t max_size, std::string_view limit = "no more bytes than the given limit") const;
  /// Reads the payload into `to`, which must have the payload's length. Decompresses the payload
  /// there if necessary. If `check` is true, compares payload and schema with their checksums. Each
  /// piece is compared while the piece is in the processor's cache. If `grows` is not
  /// null, calls `grows->reach` before bytes of a compressed payload are written to `to`.
  [[nodiscard]] result<void> read_payload(std::span<std::byte> to, bool check, unsigned threads = 0,
                                          pages of = pages::fresh, growing_memory* grows = nullptr) const;
  /// As `read_payload`, with the options' checks and threads. If a part of the payload is damaged,
  /// does what `load_options::zero_damaged` says.
  [[nodiscard]] result<void> load_payload(std::span<std::byte> to, const load_options& options) const;
  /// Returns the schema. Compares the schema with its checksum, and the schema's fingerprints with
  /// those of the header. The caller validates the meaning of the schema.
  [[nodiscard]] result<buffer> read_schema() const;
  /// Checks that the padding is zero: the bytes after the payload, or in a log the bytes between
  /// schema and records.
  [[nodiscard]] result<void> check_gap() const;
  /// Compares the schema with its checksum, without storing it.
  [[nodiscard]] result<void> check_schema() const;
  /// Maps the file if its payload has at most `max_size` bytes. If `copy` is true, reads the file
  /// into memory instead.
  [[nodiscard]] result<file_memory> map(bool writable, bool check, bool copy, unsigned threads = 0,
                                        std::size_t max_size = std::numeric_limits<std::size_t>::max()) const;

  /// Fills `to` with the bytes of the file from position `from` on.
  [[nodiscard]] result<void> read(std::span<std::byte> to, std::uint64_t from) const;
  /// As `read`, but stops at the end of the file; returns the number of bytes read.
  [[nodiscard]] result<std::size_t> read_up_to(std::span<std::byte> to, std::uint64_t from) const;
  /// Reports progress. Does nothing if `done` or more bytes were reported before, because bytes may
  /// be read twice. Errors: `cancelled` if the callback returns false.
  [[nodiscard]] result<void> report(std::uint64_t done, std::uint64_t total) const {
    if (done <= reported_) return {};
    reported_ = done;
    if (progress_(done, total)) return {};
    return about(error{errc::cancelled, done});
  }
  /// Announces that reading the payload will be followed by `parts` passes over it in memory. Call
  /// this before the payload is read. In the progress, each pass counts as many bytes as the
  /// payload has.
  void expect_parts(unsigned parts) const noexcept { in_memory_ = parts * header_.info.payload_size; }
  /// Returns the total of the progress reports.
  [[nodiscard]] std::uint64_t progress_total() const noexcept {
    return header_.info.stored_size + in_memory_;
  }
  [[nodiscard]] bool reports_progress() const noexcept { return static_cast<bool>(progress_); }
  /// Returns a tracker for work in memory, after the payload was read.
  [[nodiscard]] progress_tracker telling() const noexcept {
    return progress_tracker(progress_, progress_total(), header_.info.payload_size, header_.info.stored_size);
  }
  /// Returns a callback for functions that report the payload's bytes themselves. Pass false as
  /// `after_reading` if no reading was reported before.
  [[nodiscard]] auto telling_bytes(bool after_reading = true) const noexcept {
    return [callback = progress_, before = after_reading ? header_.info.stored_size : 0,
            total = header_.info.payload_size](std::uint64_t done, std::uint64_t) {
      return callback(before + done, before + total);
    };
  }
  /// Stops progress reports.
  void forget_progress() noexcept { progress_ = {}; }
  /// Returns the current length of the file.
  [[nodiscard]] result<std::uint64_t> size() const;
  /// Returns true if the path no longer refers to this file, because the file was renamed, replaced
  /// or deleted. Errors: `io`.
  [[nodiscard]] result<bool> is_renamed() const;

  [[nodiscard]] file_system& system() const noexcept { return *system_; }
  [[nodiscard]] const std::string& path() const noexcept { return path_; }
  [[nodiscard]] int descriptor() const noexcept { return file_; }
  /// Returns false if the object was moved from.
  [[nodiscard]] bool is_open() const noexcept { return file_ >= 0; }

  /// Converts an error about the payload to an error about the file: adds the path, and makes the
  /// offset count from the file's first byte.
  [[nodiscard]] std::unexpected<error> with_file_context(error err) const noexcept;
  /// As `with_file_context`, for an error of validating the payload. Adds that damaged bytes were
  /// read as zeros, if the options asked for that.
  [[nodiscard]] std::unexpected<error> rejected(error err, const load_options& options) const noexcept;
  /// Adds the path to an error whose offset already counts from the file's first byte.
  [[nodiscard]] std::unexpected<error> about(error err) const noexcept;
  /// Returns the error for a payload that does not fit in memory.
  [[nodiscard]] std::unexpected<error> no_memory() const noexcept;

private:
  input_file(file_system& system, std::string&& path, int file) noexcept
      : system_(&system), path_(std::move(path)), file_(file) {}
  [[nodiscard]] result<file_header> read_header_of(std::uint64_t file_size) const;
  /// Locks the file against editing while this object has it open. Checks that the file was not
  /// edited since it was opened.
  [[nodiscard]] result<void> hold_still() const;
  /// Returns the checksum of bytes of the file. Uses bounded memory.
  [[nodiscard]] result<std::uint64_t> checksum_of(std::uint64_t from, std::uint64_t size) const;
  /// Compares the bytes of the payload in the file with their checksums, without storing these
  /// bytes.
  [[nodiscard]] result<void> check_stored() const;
  [[nodiscard]] result<void> read_compressed(std::span<std::byte> to, payload_checker* checker,
                                             unsigned threads, pages of, growing_memory* grows) const;
  file_system* system_;
  std::string path_;
  file_header header_;
  progress_ref progress_;
  mutable std::uint64_t in_memory_ = 0; ///< bytes that passes in memory add to the progress
  mutable std::uint64_t reported_ = 0;  ///< bytes reported as progress
  int file_;
};

} // namespace detail
}} // namespace ingot::INGOT_V1
