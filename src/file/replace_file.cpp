// SPDX-License-Identifier: Apache-2.0
#include <ingot/core/endian.hpp>
#include <ingot/file/detail/checksum.hpp>
#include <ingot/file/detail/replace_file.hpp>

#include "blocks.hpp"
#include "checksum_stream.hpp"
#include "failure.hpp"
#include "path_text.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <chrono>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

namespace ingot { inline namespace INGOT_V1 { namespace detail {

namespace {

/// A file name that is probably unique. It is made from the time and a counter. If a file has this
/// name, the caller tries another name.
class temporary_name {
public:
  temporary_name() noexcept {
    static std::atomic<std::uint32_t> counter{0};
    const auto now = static_cast<std::uint64_t>(std::chrono::steady_clock::now().time_since_epoch().count());
    std::uint64_t rest = now * 0x9E3779B97F4A7C15U + counter.fetch_add(1, std::memory_order_relaxed);
    for (std::size_t i = 0; i < 16; ++i, rest /= 16) text_[prefix + i] = "0123456789abcdef"[rest % 16];
  }
  [[nodiscard]] const char* c_str() const noexcept { return text_.data(); }

private:
  static constexpr std::size_t prefix = 7;
  std::array<char, prefix + 16 + 5> text_{'.', 'i', 'n', 'g', 'o', 't', '-', '0', '0', '0',
                                          '0', '0', '0', '0', '0', '0', '0', '0', '0', '0',
                                          '0', '0', '0', '.', 't', 'm', 'p', '\0'};
};

/// The temporary file and its folder. The destructor removes the file unless it was renamed.
class unfinished_file {
public:
  unfinished_file(file_system& system, path_ref target) noexcept : system_(system), target_(target) {}
  unfinished_file(const unfinished_file&) = delete;
  unfinished_file& operator=(const unfinished_file&) = delete;
  ~unfinished_file() {
    if (file_ >= 0) system_.close(file_);
    if (named_) system_.remove(folder_, name_.c_str());
    if (folder_ >= 0) system_.close(folder_);
  }

  /// Checks that the target does not exist, or is a file that may be replaced. Then creates the
  /// temporary file. Returns false if the target exists and `how` is `only_if_new`.
  [[nodiscard]] result<bool> begin(const replacement& how) {
    const path_parts parts = split_path(target_.text());
    if (target_.text().find('\0') != std::string_view::npos)
      return system_failure(-EINVAL, "a path without zero bytes", target_);
    leaf_ = parts.name;
    suffix_ = how.backup;
    if (has_separator(suffix_) || suffix_.find('\0') != std::string_view::npos)
      return system_failure(-EINVAL, "a suffix of a file name, without / and zero bytes", target_);
    if (leaf_.empty() || leaf_ == "." || leaf_ == "..")
      return system_failure(-EISDIR, "the name of a file", target_);
    const std::string folder(parts.folder.empty() ? "." : parts.folder);
    folder_ = retry_eintr([&] { return system_.open_folder(folder.c_str()); });
    if (folder_ < 0) return system_failure(folder_, "a folder to save to", target_);

    file_status old;
    const int found = system_.status(folder_, leaf_.c_str(), old);
    if (found < 0 && found != -ENOENT) return system_failure(found, "to look at the existing file", target_);
    if (found >= 0) {
      if (how.how == replacing::only_if_new) return false;
      if (old.what == file_status::kind::folder)
        return system_failure(-EISDIR, "the name of a file", target_);
      if (old.what != file_status::kind::regular) {
        error err =
            error{errc::io}
                .with_expected("a regular file to replace: resolve links first")
                .with_found(old.what == file_status::kind::link ? "a symbolic link"
                                                                : "something else than a regular file");
        return fail(in_file(err, target_));
      }
    }
    old_ = old;
    replaces_ = found >= 0;
    return create(replaces_, old);
  }
  [[nodiscard]] result<void> write(bytes_view bytes, const writing_progress& progress,
                                   std::uint64_t file_size) {
    // Linux writes at most 2 GiB in one call; smaller steps report progress earlier.
    const std::size_t step = progress.callback ? std::size_t{1} << 18 : std::size_t{1} << 30;
    while (!bytes.empty()) {
      const auto piece = bytes.first(std::min(bytes.size(), step));
      const auto n = retry_eintr([&] { return system_.write(file_, piece, size_); });
      // On a full disk, the system may write no byte and report no error.
      if (n <= 0) return system_failure(n == 0 ? -ENOSPC : n, "all bytes to be written", target_, size_);
      bytes = bytes.subspan(static_cast<std::size_t>(n));
      size_ += static_cast<std::uint64_t>(n);
      if (!progress.callback) continue;
      const std::uint64_t total = progress.total == 0 ? file_size : progress.total;
      const double share = static_cast<double>(size_) / static_cast<double>(file_size);
      const auto rest = static_cast<std::uint64_t>(share * static_cast<double>(total - progress.before));
      if (!progress.callback(size_ == file_size ? total : progress.before + rest, total)) return cancelled();
    }
    return {};
  }
  [[nodiscard]] std::unexpected<error> cancelled() const noexcept {
    error err{errc::cancelled, size_};
    return fail(in_file(err, target_));
  }
  [[nodiscard]] result<bool> finish(replacing how) {
    if (how != replacing::fast) {
      if (const int e = retry_eintr([&] { return system_.sync(file_); }); e < 0)
        return system_failure(e, "the bytes to reach the disk", target_, size_);
    }
    // A file system may report failed writes when the file is closed. EINTR is not such an error,
    // because the file is closed after EINTR.
    const int closed = system_.close(std::exchange(file_, -1));
    if (closed < 0 && closed != -EINTR)
      return system_failure(closed, "the file to be closed", target_, size_);
    if (how == replacing::only_if_new) {
      const int e = retry_eintr([&] { return system_.link(folder_, name_.c_str(), leaf_.c_str()); });
      if (e < 0 && e != -EEXIST) return system_failure(e, "the file to get its name", target_);
      // Removes the temporary name before the folder is synced, so that the name can't come back
      // after a power cut.
      named_ = system_.remove(folder_, name_.c_str()) < 0;
      if (auto lasts = keep_name(); !lasts) return fail(lasts.error());
      return e >= 0;
    } else {
      if (replaces_ && !suffix_.empty()) {
        if (auto is_named = keep_old(how); !is_named) return fail(is_named.error());
      }
      const int e = retry_eintr([&] { return system_.rename(folder_, name_.c_str(), leaf_.c_str()); });
      if (e < 0) return system_failure(e, "the file to get its name", target_);
      named_ = false;
    }
    if (how != replacing::fast) {
      if (auto lasts = keep_name(); !lasts) return fail(lasts.error());
    }
    return true;
  }
  /// Gives the old file its second name, in place of the file that has this name. The old file
  /// keeps its own name, so the folder has a whole file under that name at every moment.
  [[nodiscard]] result<void> keep_old(replacing how) {
    std::string backup = leaf_;
    backup += suffix_;
    file_status earlier;
    const int found = system_.status(folder_, backup.c_str(), earlier);
    if (found < 0 && found != -ENOENT)
      return system_failure(found, "to look at the version that was kept before", target_);
    // A call that was interrupted after the rename has kept the old file already. A rename between
    // two names of one file would do nothing, and would leave the temporary name.
    const bool has_second_name = found >= 0 && earlier.is_same_file(old_) && earlier.names > 1;
    if (!has_second_name) {
      temporary_name second;
      int e = -EEXIST;
      for (int tries = 0; tries < 100 && e == -EEXIST; ++tries) {
        second = {};
        e = retry_eintr([&] { return system_.link(folder_, leaf_.c_str(), second.c_str()); });
      }
      if (e < 0) return system_failure(e, "a second name for the old file", target_);
      e = retry_eintr([&] { return system_.rename(folder_, second.c_str(), backup.c_str()); });
      if (e < 0) {
        system_.remove(folder_, second.c_str());
        return system_failure(e, "the old file to get its second name", target_);
      }
    }
    // Without this sync, a power cut could leave the new file but not the second name of the old
    // file. The interrupted call may not have synced the folder.
    return how == replacing::fast ? result<void>() : keep_name();
  }
  /// Syncs the folder.
  [[nodiscard]] result<void> keep_name() {
    const int e = retry_eintr([&] { return system_.sync(folder_); });
    // File systems that can't sync folders, for example network file systems, return EINVAL.
    if (e < 0 && e != -EINVAL)
      return system_failure(e, "the renamed file to survive a power cut (the folder could not be synced)",
                            target_);
    return {};
  }

private:
  [[nodiscard]] result<bool> create(bool replaces, const file_status& old) {
    constexpr unsigned all = 0666; // the system clears the bits that the process's umask has
    // The saving user owns the new file. If the old file ran with the rights of another user, the
    // new file must not run with the rights of the saving user.
    const unsigned permissions = old.permissions & 0777U;
    int e = -EEXIST;
    for (int tries = 0; tries < 100 && e == -EEXIST; ++tries) {
      name_ = {};
      e = retry_eintr([&] {
        return system_.open(folder_, name_.c_str(), file_open_mode::create,
                            replaces ? permissions & 0700U : all);
      });
    }
    if (e < 0) return system_failure(e, "a temporary file in the folder", target_);
    file_ = e;
    named_ = true;
    if (replaces) return take_over(old.group, permissions);
    return true;
  }
  /// Gives the new file the group and the permissions of the old file. No user may get more rights
  /// to the new file than to the old file.
  [[nodiscard]] result<bool> take_over(unsigned group, unsigned permissions) {
    file_status created;
    if (const int e = system_.status(file_, created); e < 0)
      return system_failure(e, "to learn the group of the temporary file", target_);
    if (created.group != group && retry_eintr([&] { return system_.set_group(file_, group); }) < 0) {
      // The group of the new file gets no rights. Members of the old group now count as other
      // users. So other users get no more rights than the old group had.
      permissions &= 0700U | (permissions >> 3 & 07U);
    }
    const int e = retry_eintr([&] { return system_.set_permissions(file_, permissions); });
    if (e < 0) return system_failure(e, "the permissions of the file replaced", target_);
    return true;
  }

  file_system& system_;
  path_ref target_;
  std::string leaf_;
  temporary_name name_;
  std::string_view suffix_;
  file_status old_;
  bool replaces_ = false;
  int folder_ = -1;
  int file_ = -1;
  bool named_ = false;
  std::uint64_t size_ = 0;
};

[[nodiscard]] bytes_view zeros_after(std::uint64_t length) noexcept {
  static constexpr std::array<std::byte, 8> zeros{};
  return bytes_view(zeros).first(static_cast<std::size_t>((8 - length % 8) % 8));
}
[[nodiscard]] std::uint32_t schema_checksum(bytes_view schema) noexcept {
  return schema.empty() ? 0 : static_cast<std::uint32_t>(checksum(schema));
}
[[nodiscard]] result<void> describe(file_header& header, bytes_view schema) {
  if (schema.size() > max_schema_bytes)
    return fail(error{errc::too_large}.with_expected("a schema of at most 16 MiB").with_found(schema.size()));
  header.info.schema_size = static_cast<std::uint32_t>(schema.size());
  if (schema.empty()) header.info.schema = schema_form::none;
  header.schema_checksum = schema_checksum(schema);
  return {};
}

} // namespace

result<bool> replace_file(file_system& system, path_ref name, std::span<const bytes_view> parts,
                          const replacement& how, const writing_progress& progress) {
  unfinished_file file(system, name);
  const auto begun = file.begin(how);
  if (!begun) return begun;
  if (!*begun) { // the writer of the existing file may not have synced the folder
    if (auto lasts = file.keep_name(); !lasts) return fail(lasts.error());
    return false;
  }
  std::uint64_t size = 0;
  for (const bytes_view part : parts) size += part.size();
  for (const bytes_view part : parts) {
    if (auto written = file.write(part, progress, size); !written) return fail(written.error());
  }
  return file.finish(how.how);
}

namespace {

[[nodiscard]] result<column_plan> plan_for(file_kind kind, bytes_view description, bytes_view payload,
                                           progress_poll* by) {
  switch (kind) {
  case file_kind::packed: return plan_columns(description, payload, by);
  case file_kind::live: return plan_live_columns(description, payload, by);
  case file_kind::document: return plan_document_columns(payload, by);
  default: return column_plan{};
  }
}

} // namespace

result<buffer> add_checksums(file_header& header, bytes_view payload, const writing_progress& progress) {
  header.info.version = payload.size() > payload_part ? 2 : 1;
  header.info.stored_size = payload.size();
  buffer table;
  const bool by_parts = header.info.version > 1;
  if (!progress.callback && !by_parts) {
    header.payload_checksum = checksum(payload);
    return table;
  }
  if (!table.resize(static_cast<std::size_t>(header.checksums_size())))
    return fail(error{errc::no_memory}.with_expected("memory for the checksums"));
  static_assert(progress_tracker::step % payload_part == 0);
  std::byte* next = table.data();
  checksum_stream sum;
  for (bytes_view left = payload; !left.empty();) {
    bytes_view piece = left.first(std::min<std::size_t>(left.size(), progress_tracker::step));
    left = left.subspan(piece.size());
    if (!by_parts) sum.add(piece);
    for (; by_parts && !piece.empty(); next += 8) {
      const bytes_view part = piece.first(std::min(piece.size(), payload_part));
      store_le(next, checksum(part));
      piece = piece.subspan(part.size());
    }
    if (!left.empty() && progress.callback && !progress.callback(progress.before, progress.total))
      return fail(errc::cancelled);
  }
  if (by_parts && !header.info.is_plain()) {
    const std::size_t head = block_table::size_in(payload, {header.info.method, header.info.columns},
                                                  static_cast<std::size_t>(header.info.payload_size));
    store_le(next, checksum(payload.first(head)));
  }
  header.payload_checksum = by_parts ? checksum(table) : sum.finish();
  return table;
}

result<void> save_payload(file_system& system, path_ref target, file_info info, bytes_view payload,
                          bytes_view schema, const replacement& how, const compression& compress,
                          const writing_progress& progress, std::optional<bytes_view> columns_by) {
  file_header header{info};
  header.info.method = codec::none;
  header.info.columns = false;
  header.info.payload_size = payload.size();
  buffer blocks;
  const auto after_reading = [&progress](std::uint64_t done, std::uint64_t total) {
    return progress.callback(progress.before + done, progress.before + total);
  };
  const progress_ref reports = progress.callback ? progress_ref(after_reading) : progress_ref();
  writing_progress done{reports};
  if (compress.method != codec::none || columns_by) {
    if (!has_codec(compress.method)) {
      error err = error{errc::unsupported, 6}
                      .with_expected("a library that was built with compression")
                      .with_found(to_string(compress.method));
      return fail(in_file(err, target));
    }
    column_plan plan;
    if (columns_by) {
      const std::uint64_t total = 2 * std::uint64_t{payload.size()};
      progress_tracker none_yet(reports, total);
      progress_poll planning(&none_yet, total);
      auto planned = plan_for(info.kind, *columns_by, payload, &planning);
      none_yet.rethrow();
      if (!planned) {
        error err = planned.error();
        return fail(in_file(err, target));
      }
      plan = std::move(*planned);
    }
    const auto coding = append_smaller(blocks, payload, compress, plan, reports);
    if (!coding) {
      error err = coding.error();
      return fail(in_file(err, target));
    }
    done = {reports, payload.size(), 2 * std::uint64_t{payload.size()}};
    if (!coding->is_none()) {
      header.info.method = coding->method;
      header.info.columns = coding->columns;
      payload = blocks;
    }
  }
  writing_progress summing = done;
  if (summing.total == 0) summing.total = bytes_to_save(payload.size(), schema, compress, false);
  const auto checksums = add_checksums(header, payload, summing);
  if (!checksums) {
    error err = checksums.error();
    return fail(in_file(err, target));
  }
  if (auto described = describe(header, schema); !described) return described;
  std::array<std::byte, file_header_size> head;
  write_header(header, head.data());
  const bool ends = schema.empty() && checksums->empty();
  const std::array<bytes_view, 5> parts{head, payload, ends ? bytes_view{} : zeros_after(payload.size()),
                                        *checksums, schema};
  auto written = replace_file(system, target, parts, how, done);
  if (!written) return fail(written.error());
  return {};
}

std::uint64_t bytes_to_save(std::uint64_t payload, bytes_view schema, const compression& compress,
                            bool columns) noexcept {
  if (compress.method != codec::none || columns) return 2 * payload;
  file_header header;
  header.info.version = payload > payload_part ? 2 : 1;
  header.info.stored_size = payload;
  if (schema.empty() && header.info.version == 1) return file_header_size + payload;
  return header.schema_at() + schema.size();
}

std::unexpected<error> saving_cancelled(path_ref target, std::uint64_t done) noexcept {
  error err{errc::cancelled, done};
  return fail(in_file(err, target));
}

result<void> rename_file(file_system& system, int file, path_ref from_path, path_ref to_name) {
  const std::string to(to_name.text());
  if (to.empty() || has_separator(to) || to == "." || to == ".." || to.find('\0') != std::string::npos)
    return system_failure(-EINVAL, "a name without a folder", to);
  const path_parts from = split_path(from_path.text());
  const std::string leaf(from.name);
  const std::string parent(from.folder.empty() ? "." : from.folder);
  const int folder = retry_eintr([&] { return system.open_folder(parent.c_str()); });
  if (folder < 0) return system_failure(folder, "the folder of the file", from_path);
  const auto renamed = [&]() -> result<void> {
    // Adds the second name before removing the first name. So the file has a name at any time, and
    // no other file loses its name.
    int e = retry_eintr([&] { return system.link(folder, leaf.c_str(), to.c_str()); });
    if (e == -EEXIST) {
      file_status mine;
      file_status theirs;
      const bool is_mine = system.status(file, mine) >= 0 && system.status(folder, to.c_str(), theirs) >= 0 &&
                           mine.names > 1 && mine.is_same_file(theirs);
      if (is_mine) e = 0;
    }
    if (e < 0) return system_failure(e, "a name that no file has yet", path_in(from.folder, to));
    if (e = retry_eintr([&] { return system.remove(folder, leaf.c_str()); }); e < 0)
      return system_failure(e, "the file to lose its name", from_path);
    e = retry_eintr([&] { return system.sync(folder); });
    if (e < 0 && e != -EINVAL)
      return system_failure(e, "the new name to reach the disk", path_in(from.folder, to));
    return {};
  }();
  system.close(folder);
  return renamed;
}

result<bool> create_log(file_system& system, path_ref target, file_info info, bytes_view schema) {
  file_header header{info};
  if (auto described = describe(header, schema); !described) return fail(described.error());
  std::array<std::byte, file_header_size> head;
  write_header(header, head.data());
  const std::array<bytes_view, 3> parts{head, schema, zeros_after(schema.size())};
  return replace_file(system, target, parts, replacing::only_if_new);
}

}}} // namespace ingot::INGOT_V1::detail
