// SPDX-License-Identifier: Apache-2.0
#include <ingot/core/bytes.hpp>
#include <ingot/file/detail/replace_file.hpp>
#include <ingot/file/detail/text_file.hpp>

#include "failure.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdint>
#include <span>

namespace ingot { inline namespace INGOT_V1 { namespace detail {

namespace {

struct closing {
  file_system& system;
  int file;
  closing(file_system& of, int opened) noexcept : system(of), file(opened) {}
  closing(const closing&) = delete;
  closing& operator=(const closing&) = delete;
  ~closing() { system.close(file); }
};

} // namespace

std::unexpected<error> about_file(error err, path_ref path) noexcept { return fail(in_file(err, path)); }

result<std::string> read_text_file(file_system& system, path_ref path, std::size_t max_bytes,
                                   progress_ref progress) {
  const std::string name(path.text());
  if (name.find('\0') != std::string::npos) return system_failure(-EINVAL, "a path without zero bytes", path);
  const int file =
      retry_eintr([&] { return system.open(file_system::here, name.c_str(), file_open_mode::read, 0); });
  if (file < 0) return system_failure(file, "a file that can be read", path);
  const closing close(system, file);
  file_status status;
  if (const int e = system.status(file, status); e < 0)
    return system_failure(e, "to learn how long the file is", path);
  if (status.what == file_status::kind::folder) return system_failure(-EISDIR, "a file", path);
  if (status.what != file_status::kind::regular) return system_failure(-EINVAL, "a regular file", path);
  if (status.size > max_bytes)
    return about_file(
        error{errc::too_large}.with_expected("no more bytes than the given limit").with_found(status.size),
        path);
  std::string text(static_cast<std::size_t>(status.size), '\0');
  const auto bytes = std::as_writable_bytes(std::span(text));
  const std::size_t step = progress ? std::size_t{1} << 18 : bytes.size();
  for (std::size_t done = 0; done < bytes.size();) {
    const auto target = bytes.subspan(done, std::min(step, bytes.size() - done));
    const auto n = retry_eintr([&] { return system.read(file, target, done); });
    if (n < 0) return system_failure(n, "the file's bytes", path, done);
    if (n == 0)
      return about_file(
          error{errc::truncated, done}.with_expected("a file that no program truncates during the call"),
          path);
    done += static_cast<std::size_t>(n);
    if (!progress(done, 2 * std::uint64_t{bytes.size()}))
      return about_file(error{errc::cancelled, done}, path);
  }
  return text;
}

result<void> write_text_file(file_system& system, path_ref path, std::string_view text, bool durable,
                             progress_ref progress) {
  const std::array<bytes_view, 1> parts{as_bytes_view(text)};
  auto written =
      replace_file(system, path, parts, durable ? replacing::durable : replacing::fast, {progress});
  if (!written) return fail(written.error());
  return {};
}

}}} // namespace ingot::INGOT_V1::detail
