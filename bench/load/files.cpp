// SPDX-License-Identifier: Apache-2.0
#include "workload.hpp"

#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <string>
#include <vector>

#include <fcntl.h>
#include <malloc.h>
#include <sys/mman.h>
#include <unistd.h>

namespace bench {

namespace {

struct folder {
  std::filesystem::path path;
  folder() {
    std::string pattern = (std::filesystem::temp_directory_path() / "ingot-bench-load-XXXXXX").string();
    if (::mkdtemp(pattern.data()) == nullptr) {
      std::fprintf(stderr, "cannot make a folder for the files\n");
      std::exit(EXIT_FAILURE);
    }
    path = pattern;
  }
  ~folder() {
    std::error_code ignored;
    std::filesystem::remove_all(path, ignored);
  }
};

struct open_file {
  int number;
  std::size_t size;
  explicit open_file(const std::filesystem::path& path)
      : number(::open(path.c_str(), O_RDONLY)), size(std::filesystem::file_size(path)) {}
  ~open_file() { ::close(number); }
};

std::size_t resident_pages(const open_file& file) {
  if (file.size == 0) return 0;
  void* const at = ::mmap(nullptr, file.size, PROT_READ, MAP_SHARED, file.number, 0);
  std::vector<unsigned char> pages((file.size + 4095) / 4096);
  ::mincore(at, file.size, pages.data());
  ::munmap(at, file.size);
  std::size_t there = 0;
  for (const unsigned char page : pages) there += page & 1;
  return there;
}

} // namespace

const std::filesystem::path& load_folder() {
  static const folder made;
  return made.path;
}

void make_cold(const std::filesystem::path& path) {
  const open_file file(path);
  ::fdatasync(file.number); // pages that are not on the disk yet would stay
  for (int tries = 0; tries < 3; ++tries) {
    ::posix_fadvise(file.number, 0, 0, POSIX_FADV_DONTNEED);
    if (resident_pages(file) == 0) return;
  }
  std::fprintf(stderr, "%s stays in the system's memory: point TMPDIR to a folder on a disk\n", path.c_str());
  std::exit(EXIT_FAILURE);
}

void make_warm(const std::filesystem::path& path) {
  const open_file file(path);
  if (resident_pages(file) == (file.size + 4095) / 4096) return;
  const file_bytes read(path);
  keep(read.data());
}

void release_memory() { ::malloc_trim(0); }

file_bytes::file_bytes(const std::filesystem::path& path) {
  const open_file file(path);
  memory_ = std::make_unique_for_overwrite<std::byte[]>(file.size);
  while (size_ < file.size) {
    const auto n =
        ::pread(file.number, memory_.get() + size_, file.size - size_, static_cast<::off_t>(size_));
    if (n <= 0) break;
    size_ += static_cast<std::size_t>(n);
  }
}

void write_bytes(const std::filesystem::path& path, const void* bytes, std::size_t size) {
  std::filebuf file;
  file.open(path, std::ios::out | std::ios::binary | std::ios::trunc);
  file.sputn(static_cast<const char*>(bytes), static_cast<std::streamsize>(size));
}

} // namespace bench
