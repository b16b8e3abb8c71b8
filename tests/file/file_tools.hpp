// SPDX-License-Identifier: Apache-2.0
// A folder that is removed after the test, and values for files in it.
#pragma once

#include <ingot/core/bytes.hpp>
#include <ingot/core/endian.hpp>
#include <ingot/document/document.hpp>
#include <ingot/file/detail/checksum.hpp>
#include <ingot/file/document_file.hpp>
#include <ingot/file/live_file.hpp>
#include <ingot/file/load.hpp>
#include <ingot/file/map_file.hpp>
#include <ingot/file/save.hpp>
#include <ingot/live/live.hpp>
#include <ingot/live/map.hpp>
#include <ingot/live/string.hpp>
#include <ingot/live/vector.hpp>

#include "file/simulated_disk.hpp"
#include "file/troubled_files.hpp"
#include "golden_file.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <optional>
#include <sstream>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

namespace file_test {

struct item {
  std::uint32_t id = 0;
  std::uint32_t count = 0;
};
/// A template, since the type decides whether `load` accepts documents.
template <bool LoadsDocuments>
struct hero_that {
  std::string name;
  float position[3] = {};
  std::vector<item> equips;
  std::map<std::string, item> items;
  bool alive = true;
};
using hero = hero_that<false>;
struct live_hero {
  ingot::string name;
  float position[3] = {};
  ingot::vector<item> equips;
  ingot::map<ingot::string, item> items;
  bool alive = true;
};

[[nodiscard]] inline bool operator==(const item& a, const item& b) {
  return a.id == b.id && a.count == b.count;
}
template <class Hero = hero>
[[nodiscard]] Hero ada() {
  return {"Ada, whose name is longer than fits into a string.",
          {1, 2.5F, 3},
          {{7, 1}, {8, 2}},
          {{"rope", {9, 2}}},
          true};
}
[[nodiscard]] inline ingot::live<live_hero> live_ada() { return ingot::live<live_hero>(ada()); }
[[nodiscard]] inline ingot::document ada_document() {
  ingot::document doc;
  doc["name"] = "Ada";
  doc["equips"] = std::vector<int>{7, 8};
  doc["quote"] = std::string(200, 'q');
  return doc;
}

/// A separate folder for each test.
class scratch_folder {
public:
  scratch_folder() : path_(create_in(std::filesystem::temp_directory_path())) {}
  /// Returns a folder in a memory file system if there is one, for tests that create thousands of
  /// files.
  [[nodiscard]] static scratch_folder in_memory() {
    auto created = create_in("/dev/shm");
    return created.empty() ? scratch_folder() : scratch_folder(std::move(created));
  }
  scratch_folder(const scratch_folder&) = delete;
  scratch_folder& operator=(const scratch_folder&) = delete;
  ~scratch_folder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  [[nodiscard]] std::filesystem::path operator/(std::string_view name) const { return path_ / name; }
  [[nodiscard]] const std::filesystem::path& path() const { return path_; }
  [[nodiscard]] std::vector<std::string> names() const {
    std::vector<std::string> all;
    for (const auto& each : std::filesystem::directory_iterator(path_))
      all.push_back(each.path().filename().string());
    std::ranges::sort(all);
    return all;
  }

private:
  explicit scratch_folder(std::filesystem::path created) : path_(std::move(created)) {}
  [[nodiscard]] static std::filesystem::path create_in(const std::filesystem::path& parent) {
    std::string pattern = (parent / "ingot-test-XXXXXX").string();
    const char* const created_path = ::mkdtemp(pattern.data());
    return created_path == nullptr ? std::filesystem::path() : std::filesystem::path(created_path);
  }

  std::filesystem::path path_;
};

[[nodiscard]] inline byte_vector read_file(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  const std::string content{std::istreambuf_iterator<char>(file), {}};
  const auto bytes = ingot::as_bytes_view(content);
  return {bytes.begin(), bytes.end()};
}
inline void write_file(const std::filesystem::path& path, ingot::bytes_view bytes) {
  std::ofstream file(path, std::ios::binary | std::ios::trunc);
  file.write(reinterpret_cast<const char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
}

/// Returns the bytes of the file that `save` creates from a value.
template <class T>
[[nodiscard]] byte_vector file_of(const T& value, const ingot::save_options& options = {}) {
  simulated_disk disk;
  const auto saved = ingot::save("file", value, options, disk);
  EXPECT_TRUE(saved.has_value()) << saved.error().message();
  return saved ? disk.content("file") : byte_vector{};
}

/// Updates all checksums of the payload and of the header. The header may be wrong otherwise.
inline void seal_payload(byte_vector& file) {
  using ingot::load_le;
  using ingot::detail::checksum;
  const ingot::bytes_view all = file;
  const auto stored = static_cast<std::size_t>(load_le<std::uint64_t>(file.data() + 32));
  if (file[4] != std::byte{2}) {
    ingot::store_le(file.data() + 48, checksum(all.subspan(64, stored)));
  } else {
    const std::size_t table = 64 + (stored + 7) / 8 * 8;
    std::size_t at = table;
    for (std::size_t done = 0; done < stored; done += 16384, at += 8)
      ingot::store_le(file.data() + at,
                      checksum(all.subspan(64 + done, std::min<std::size_t>(16384, stored - done))));
    if (file[6] != std::byte{}) {
      const auto raw = static_cast<std::size_t>(load_le<std::uint64_t>(file.data() + 24));
      const std::size_t block = load_le<std::uint32_t>(file.data() + 64);
      std::size_t head = file[6] < std::byte{4} ? 4 : 8 + load_le<std::uint32_t>(file.data() + 68);
      if (block != 0) head += 4 * ((raw + block - 1) / block);
      ingot::store_le(file.data() + at, checksum(all.subspan(64, std::min(head, stored))));
      at += 8;
    }
    ingot::store_le(file.data() + 48, checksum(all.subspan(table, at - table)));
  }
  ingot::store_le(file.data() + 56, checksum(all.first(56)));
}

/// The committed bytes of tests/golden/file_<name>.hex.
[[nodiscard]] inline byte_vector golden(std::string_view name, std::string_view what = {},
                                        std::optional<ingot::bytes_view> now = {}) {
  return ingot_test::golden("file_" + std::string(name), what, now);
}

} // namespace file_test
