// SPDX-License-Identifier: Apache-2.0
// The bounds. `memcpy` copies the bytes of a file from a mapping into memory that was not zeroed.
// `vector-copy` copies the vector, which is in memory. `read` and `read-bulk` read the file into
// fresh memory of small pages and of large ones, without using it: no loader can be faster. The
// file of the records is their memory; that of the characters is their packed bytes, which are not
// decoded.
#include <ingot/core/buffer.hpp>
#include <ingot/file/bulk_vector.hpp>
#include <ingot/pack/pack.hpp>

#include "workload.hpp"

#include <algorithm>
#include <cstring>
#include <memory>
#include <span>

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

namespace bench {
namespace {

template <class Record>
class record_memory {
public:
  void save(const std::vector<Record>& values, const std::filesystem::path& path) const {
    write_bytes(path, values.data(), values.size() * sizeof(Record));
  }
  [[nodiscard]] std::optional<std::unique_ptr<Record[]>> load(const std::filesystem::path& path) const {
    const std::size_t size = record_count * sizeof(Record);
    auto to = std::make_unique_for_overwrite<Record[]>(record_count);
    const int file = ::open(path.c_str(), O_RDONLY);
    void* const from = ::mmap(nullptr, size, PROT_READ, MAP_PRIVATE, file, 0);
    ::close(file);
    if (from == MAP_FAILED) return std::nullopt;
    std::memcpy(static_cast<void*>(to.get()), from, size);
    ::munmap(from, size);
    return to;
  }
  [[nodiscard]] record_sum sum(const std::unique_ptr<Record[]>& values) const {
    return sum_records(std::span(values.get(), record_count));
  }
};

/// The system's part of loading: reads the file into fresh memory.
template <class Record, class List>
class read_alone {
public:
  void save(const std::vector<Record>& values, const std::filesystem::path& path) const {
    write_bytes(path, values.data(), values.size() * sizeof(Record));
  }
  [[nodiscard]] std::optional<List> load(const std::filesystem::path& path) const {
    constexpr std::size_t piece = 256 * 1024;
    const std::size_t size = record_count * sizeof(Record);
    std::optional<List> to(record_count);
    auto* const at = reinterpret_cast<std::byte*>(to->data());
    const int file = ::open(path.c_str(), O_RDONLY);
    for (std::size_t done = 0; done < size;) {
      const auto n = ::pread(file, at + done, std::min(piece, size - done), static_cast<::off_t>(done));
      if (n <= 0) {
        to.reset();
        break;
      }
      done += static_cast<std::size_t>(n);
    }
    ::close(file);
    return to;
  }
  [[nodiscard]] record_sum sum(const List& values) const {
    return sum_records(std::span(values.data(), record_count));
  }
};
/// Memory from the program's allocator, not zeroed.
template <class Record>
class small_pages {
public:
  explicit small_pages(std::size_t count) : memory_(std::make_unique_for_overwrite<Record[]>(count)) {}
  [[nodiscard]] Record* data() { return memory_.get(); }
  [[nodiscard]] const Record* data() const { return memory_.get(); }

private:
  std::unique_ptr<Record[]> memory_;
};

/// Sums the copied bytes as numbers, since there are no characters to read.
class character_memory {
public:
  void save(const std::vector<std_character>& values, const std::filesystem::path& path) {
    const auto packed = ingot::pack(values);
    size_ = packed->size();
    sum_ = sum_characters(values);
    write_bytes(path, packed->data(), packed->size());
  }
  [[nodiscard]] std::optional<std::unique_ptr<std::byte[]>> load(const std::filesystem::path& path) const {
    auto to = std::make_unique_for_overwrite<std::byte[]>(size_);
    const int file = ::open(path.c_str(), O_RDONLY);
    void* const from = ::mmap(nullptr, size_, PROT_READ, MAP_PRIVATE, file, 0);
    ::close(file);
    if (from == MAP_FAILED) return std::nullopt;
    std::memcpy(to.get(), from, size_);
    ::munmap(from, size_);
    return to;
  }
  [[nodiscard]] totals sum(const std::unique_ptr<std::byte[]>& bytes) const {
    std::uint64_t all = 0;
    for (std::size_t i = 0; i + 8 <= size_; i += 8) {
      std::uint64_t word = 0;
      std::memcpy(&word, bytes.get() + i, 8);
      all += word;
    }
    keep(all);
    return sum_;
  }

private:
  std::size_t size_ = 0;
  totals sum_;
};

/// Uses no file.
template <class Values, class Sum, Sum (*Summed)(const Values&)>
class copied_vector {
public:
  void save(const Values& values, const std::filesystem::path& path) {
    values_ = &values;
    write_bytes(path, "", 0);
  }
  [[nodiscard]] std::optional<Values> load(const std::filesystem::path&) const { return *values_; }
  [[nodiscard]] Sum sum(const Values& values) const { return Summed(values); }

private:
  const Values* values_ = nullptr;
};

template <class Record>
void enter_records(suite& all, const record_data<Record>& data) {
  using records = std::vector<Record>;
  for (const std::string_view variant : load_variant_names) {
    enter_load<record_memory<Record>>(all, data, "memcpy", variant);
    enter_load<copied_vector<records, record_sum, sum_records<records>>>(all, data, "vector-copy", variant,
                                                                         {}, enter_what::warm);
  }
  enter_load<read_alone<Record, small_pages<Record>>>(all, data, "read");
  enter_load<read_alone<Record, ingot::bulk_vector<Record>>>(all, data, "read-bulk");
}

} // namespace

void enter_load_native(suite& all, const record_data<load_record>& data) {
  enter_records(all, data);
  if (data.name == "simple") enter_save<record_memory<load_record>>(all, data, "memcpy");
}
void enter_load_native(suite& all, const record_data<padded_record>& data) { enter_records(all, data); }
void enter_load_native(suite& all, const character_data& data) {
  using characters = std::vector<std_character>;
  for (const std::string_view variant : load_variant_names) {
    enter_load<character_memory>(all, data, "memcpy", variant);
    enter_load<copied_vector<characters, totals, sum_characters<characters>>>(all, data, "vector-copy",
                                                                              variant, {}, enter_what::warm);
  }
}

} // namespace bench
