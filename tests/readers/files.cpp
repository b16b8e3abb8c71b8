// SPDX-License-Identifier: Apache-2.0
// Whole files in memory, opened and read by the tool's own code: the answers of `ingot validate`
// and `ingot get`.
#include "files.hpp"

#include <ingot/file/file_system.hpp>

#include "opened_file.hpp"
#include "readers/value_text.hpp"
#include "records.hpp"
#include "source.hpp"

#include <algorithm>
#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <new>
#include <span>
#include <string>

namespace readers {

namespace {

/// A file system with one read-only file, which has every name.
class one_file final : public ingot::file_system {
public:
  ingot::bytes_view content;

  int open_folder(const char*) noexcept override { return -ENOENT; }
  int open(int, const char*, ingot::file_open_mode mode, unsigned) noexcept override {
    return mode == ingot::file_open_mode::read ? 3 : -EROFS;
  }
  int close(int) noexcept override { return 0; }
  std::int64_t read(int, std::span<std::byte> to, std::uint64_t from) noexcept override {
    if (from >= content.size()) return 0;
    const auto rest = content.subspan(static_cast<std::size_t>(from));
    const std::size_t size = std::min(to.size(), rest.size());
    std::memcpy(to.data(), rest.data(), size);
    return static_cast<std::int64_t>(size);
  }
  std::int64_t write(int, ingot::bytes_view, std::uint64_t) noexcept override { return -EROFS; }
  int sync(int) noexcept override { return -EROFS; }
  int truncate(int, std::uint64_t) noexcept override { return -EROFS; }
  int rename(int, const char*, const char*) noexcept override { return -EROFS; }
  int link(int, const char*, const char*) noexcept override { return -EROFS; }
  int remove(int, const char*) noexcept override { return -EROFS; }
  int status(int, ingot::file_status& out) noexcept override {
    out.what = ingot::file_status::kind::regular;
    out.size = content.size();
    out.permissions = 0444;
    return 0;
  }
  int status(int, const char*, ingot::file_status& out) noexcept override { return status(3, out); }
  int set_permissions(int, unsigned) noexcept override { return -EROFS; }
  int set_group(int, unsigned) noexcept override { return -EROFS; }
  int lock(int) noexcept override { return 0; }
  int map(int, std::size_t size, bool, std::byte*& start) noexcept override {
    start = static_cast<std::byte*>(std::aligned_alloc(4096, (size + 4095) / 4096 * 4096));
    if (start == nullptr) return -ENOMEM;
    const std::size_t there = std::min(size, content.size());
    std::memcpy(start, content.data(), there);
    std::memset(start + there, 0, (size + 4095) / 4096 * 4096 - there);
    return 0;
  }
  void unmap(std::byte* start, std::size_t) noexcept override { std::free(start); }
};

one_file the_file;

[[nodiscard]] std::string text_of_node(const tool::node& of) {
  if (of.holder().exists()) return value_text::of(of.holder());
  return value_text::of(*of.as_value());
}

} // namespace

file_answer read_file(ingot::bytes_view bytes) {
  the_file.content = bytes;
  file_answer said;
  const auto file = tool::open("file", tool::format::automatic);
  if (!file) {
    said.why = file.error().message();
    return said;
  }
  said.opened = true;
  said.is_log = file->is_log();
  said.records = file->records;
  said.whole = !file->missing_reason && file->is_validated();
  if (file->missing_reason) said.why = file->missing_reason->message();
  if (!file->is_validated()) return said;
  if (!file->is_log()) {
    said.text = text_of_node(*file->root());
    return said;
  }
  said.text = "[";
  for (tool::records at(*file); at.next();) said.text += text_of_node(at.value());
  said.text += "]";
  return said;
}

} // namespace readers

ingot::file_system& tool::files() { return readers::the_file; }

ingot::result<std::string> tool::read_all(const std::string&) {
  const auto& all = readers::the_file.content;
  return std::string(reinterpret_cast<const char*>(all.data()), all.size());
}

ingot::result<void> tool::read_instead(const std::string&, ingot::bytes_view) {
  return ingot::fail(ingot::errc::unsupported); // the readers never set `reading::unchecked`
}
