// SPDX-License-Identifier: Apache-2.0
#include "workload.hpp"

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <memory>
#include <string>
#include <thread>
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
  static const folder temporary;
  return temporary.path;
}

bool make_cold(const std::filesystem::path& path) {
  // Another process or the other processor may use the pages at the moment. So wait and try again,
  // and finally use a copy of the file, which has other pages.
  for (int copies = 0; copies < 3; ++copies) {
    if (copies != 0) {
      const std::filesystem::path another = path.string() + ".copy";
      std::error_code failed;
      std::filesystem::copy_file(path, another, std::filesystem::copy_options::overwrite_existing, failed);
      if (!failed) std::filesystem::rename(another, path, failed);
      if (failed) return false;
    }
    const open_file file(path);
    ::fdatasync(file.number); // pages that are not on the disk yet would stay in the cache
    for (int tries = 0; tries < 5; ++tries) {
      ::posix_fadvise(file.number, 0, 0, POSIX_FADV_DONTNEED);
      if (resident_pages(file) == 0) return true;
      std::this_thread::sleep_for(std::chrono::milliseconds(1 << tries));
    }
  }
  return false;
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
