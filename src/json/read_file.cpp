// SPDX-License-Identifier: Apache-2.0
#include <ingot/core/detail/catch_bad_alloc.hpp>
#include <ingot/json/read_file.hpp>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstddef>
#include <cstdio>
#include <memory>
#include <system_error>

namespace ingot { inline namespace INGOT_V1 { namespace json {

namespace detail {

namespace {

struct closing_file {
  void operator()(std::FILE* file) const noexcept { static_cast<void>(std::fclose(file)); }
};

[[nodiscard]] std::unexpected<error> io_failure(int number, std::string_view wanted, path_ref path,
                                                std::size_t offset) {
  const std::string reason = std::generic_category().message(number);
  return fail(in_file(error{errc::io, offset}.with_expected(wanted).with_found(reason), path));
}

[[nodiscard]] result<std::string> read_whole(path_ref path, std::uint64_t max_bytes) {
  const std::string name(path.text());
  if (name.find('\0') != std::string::npos) return io_failure(EINVAL, "a path without zero bytes", path, 0);
  errno = 0;
  const std::unique_ptr<std::FILE, closing_file> file(std::fopen(name.c_str(), "rb"));
  if (!file) return io_failure(errno, "a file that can be read", path, 0);
  std::string text;
  std::array<char, 16384> piece;
  while (true) {
    errno = 0;
    const std::size_t n = std::fread(piece.data(), 1, piece.size(), file.get());
    if (n < piece.size() && std::ferror(file.get()) != 0)
      return io_failure(errno, "the file's bytes", path, text.size());
    if (n > max_bytes - text.size()) {
      const auto why = error{errc::too_large, static_cast<std::size_t>(max_bytes)}.with_expected(
          "no more bytes than max_bytes");
      return fail(in_file(why, path));
    }
    text.append(piece.data(), n);
    if (n < piece.size()) return text;
  }
}

} // namespace

error in_file(error err, path_ref path) { return err.in_file(path.text()); }

result<std::string> read_text_file(path_ref path, std::uint64_t max_bytes) {
  return ingot::detail::catch_bad_alloc([&] { return read_whole(path, max_bytes); });
}

} // namespace detail

result<document> read_file(path_ref path, const read_options& options) {
  const result<std::string> text = detail::read_text_file(path, options.max_bytes);
  if (!text) return fail(text.error());
  auto out = read_document(*text, options);
  if (!out) return fail(detail::in_file(out.error(), path));
  return out;
}

}}} // namespace ingot::INGOT_V1::json
