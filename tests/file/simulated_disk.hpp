// SPDX-License-Identifier: Apache-2.0
// A disk with one folder, in memory, that computes the states after a power cut: all that was
// forced to disk, and any part of the rest. No real disk shows them on demand. Killing a process
// does not either: the system keeps the written data.
#pragma once

#include <ingot/core/bytes.hpp>
#include <ingot/file/file_system.hpp>
#include <ingot/live/detail/system_posix.hpp>

#include <algorithm>
#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <map>
#include <new>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace file_test {

using ingot::file_open_mode;
using ingot::file_status;
using ingot::file_system;

using byte_vector = std::vector<std::byte>;

class simulated_disk final : public file_system {
public:
  /// Number of calls until the power is cut: every further call fails and changes nothing.
  std::size_t power_for = static_cast<std::size_t>(-1);
  std::size_t capacity = static_cast<std::size_t>(-1); ///< bytes in files; more is ENOSPC
  unsigned group = 0;                                  ///< group of new files
  bool forces = true;             ///< false: the disk reports success without forcing anything
  bool tells_files_apart = false; ///< true: the status of a file has its inode and number of names
  std::size_t allocated = 0;      ///< bytes that were requested by allocation

  /// Adds a file that is already durable.
  void put(const std::string& name, ingot::bytes_view bytes) {
    const auto new_inode = static_cast<int>(inodes_.size());
    inodes_.push_back({});
    inodes_.back().content.assign(bytes.begin(), bytes.end());
    inodes_.back().durable = inodes_.back().content;
    names_[name] = new_inode;
    durable_names_[name] = new_inode;
  }
  [[nodiscard]] std::vector<std::string> names() const {
    std::vector<std::string> all;
    for (const auto& [name, number] : names_) all.push_back(name);
    return all;
  }
  /// Names that survive a power cut for certain.
  [[nodiscard]] std::vector<std::string> durable_names() const {
    std::vector<std::string> all;
    for (const auto& [name, number] : durable_names_) all.push_back(name);
    return all;
  }
  /// Contents of a file as a running program sees them.
  [[nodiscard]] const byte_vector& content(const std::string& name) const {
    return inodes_[static_cast<std::size_t>(names_.at(name))].content;
  }
  [[nodiscard]] std::size_t calls() const { return calls_; }
  [[nodiscard]] std::size_t open_files() const { return open_.size() + mapped_ + shared_.size(); }

  /// Returns all possible contents of a file after a power cut now; empty stands for a removed
  /// name. Of many writes that were not forced to disk each of the last four may be present or
  /// lost. With INGOT_TEST_FULL any three writes may also be lost, or be the only ones.
  [[nodiscard]] std::set<byte_vector> after_power_cut(const std::string& name) const {
    std::set<byte_vector> states;
    // Each change of a name is done or not; a file system need not keep their order.
    const std::size_t changes = std::min<std::size_t>(changed_names_.size(), 8);
    for (std::size_t chosen = 0; chosen < std::size_t{1} << changes; ++chosen) {
      auto left = durable_names_;
      for (std::size_t i = 0; i < changes; ++i) {
        if ((chosen >> i & 1) == 0) continue;
        for (const auto& [changed, number] : changed_names_[i]) {
          if (number < 0) left.erase(changed);
          else left[changed] = number;
        }
      }
      const auto found = left.find(name);
      if (found == left.end()) states.insert(byte_vector{});
      else contents_after(inodes_[static_cast<std::size_t>(found->second)], states);
    }
    return states;
  }

  int open_folder(const char* path) noexcept override {
    if (!powered()) return -EIO;
    if (std::strcmp(path, ".") != 0) return -ENOENT;
    open_[next_] = folder;
    return next_++;
  }
  int open(int, const char* name, file_open_mode mode, unsigned permissions) noexcept override {
    if (!powered()) return -EIO;
    const auto found = names_.find(name);
    if (mode == file_open_mode::create) {
      if (found != names_.end()) return -EEXIST;
      inodes_.push_back({});
      inodes_.back().permissions = permissions;
      inodes_.back().group = group;
      const auto new_inode = static_cast<int>(inodes_.size()) - 1;
      change({{name, new_inode}});
      open_[next_] = new_inode;
      return next_++;
    }
    if (found == names_.end()) return -ENOENT;
    open_[next_] = found->second;
    return next_++;
  }
  int close(int file) noexcept override {
    write_back();
    open_.erase(file);
    return powered() ? 0 : -EIO;
  }
  std::int64_t read(int file, std::span<std::byte> to, std::uint64_t from) noexcept override {
    if (!powered()) return -EIO;
    write_back();
    const auto& content = of(file).content;
    if (from >= content.size()) return 0;
    const std::size_t n = std::min<std::size_t>(to.size(), content.size() - static_cast<std::size_t>(from));
    if (n != 0) std::memcpy(to.data(), content.data() + from, n);
    return static_cast<std::int64_t>(n);
  }
  std::int64_t write(int file, ingot::bytes_view bytes, std::uint64_t to) noexcept override {
    if (!powered()) return -EIO;
    inode& i = of(file);
    const std::size_t available = free_bytes();
    const std::size_t end = static_cast<std::size_t>(to) + bytes.size();
    if (end > i.content.size() && end - i.content.size() > available) {
      if (available == 0) return -ENOSPC;
      bytes = bytes.first(std::min(bytes.size(), available));
    }
    apply(i.content, {to, {bytes.begin(), bytes.end()}, false});
    i.unsynced.push_back({to, {bytes.begin(), bytes.end()}, false});
    return static_cast<std::int64_t>(bytes.size());
  }
  int sync(int file) noexcept override {
    if (!powered()) return -EIO;
    write_back();
    if (!forces) return 0;
    if (open_.at(file) == folder) {
      durable_names_ = names_;
      changed_names_.clear();
    } else {
      inode& i = of(file);
      i.durable = i.content;
      i.unsynced.clear();
    }
    return 0;
  }
  int truncate(int file, std::uint64_t size) noexcept override {
    if (!powered()) return -EIO;
    write_back();
    inode& i = of(file);
    apply(i.content, {size, {}, true});
    i.unsynced.push_back({size, {}, true});
    return 0;
  }
  int rename(int, const char* from, const char* to) noexcept override {
    if (!powered()) return -EIO;
    if (!names_.contains(from)) return -ENOENT;
    const auto replaced = names_.find(to);
    if (replaced != names_.end() && replaced->second == names_.at(from)) return 0; // as in POSIX
    change({{to, names_.at(from)}, {from, -1}});
    return 0;
  }
  int link(int, const char* from, const char* to) noexcept override {
    if (!powered()) return -EIO;
    if (!names_.contains(from)) return -ENOENT;
    if (names_.contains(to)) return -EEXIST;
    change({{to, names_.at(from)}});
    return 0;
  }
  int remove(int, const char* name) noexcept override {
    if (!powered()) return -EIO;
    if (!names_.contains(name)) return -ENOENT;
    change({{name, -1}});
    return 0;
  }
  int status(int file, file_status& out) noexcept override {
    if (!powered()) return -EIO;
    out = status_of(open_.at(file));
    return 0;
  }
  int status(int, const char* name, file_status& out) noexcept override {
    if (!powered()) return -EIO;
    const auto found = names_.find(name);
    if (found == names_.end()) return -ENOENT;
    out = status_of(found->second);
    return 0;
  }
  int set_permissions(int file, unsigned permissions) noexcept override {
    if (!powered()) return -EIO;
    of(file).permissions = permissions;
    return 0;
  }
  int set_group(int file, unsigned number) noexcept override {
    if (!powered()) return -EIO;
    of(file).group = number;
    return 0;
  }
  int lock(int) noexcept override { return powered() ? 0 : -EIO; }
  /// A copy: the mapping does not follow the file. It begins at a page, and so does the memory
  /// after it, for the sanitizer.
  int map(int file, std::size_t size, bool, std::byte*& start) noexcept override {
    if (!powered()) return -EIO;
    const auto& content = of(file).content;
    start = static_cast<std::byte*>(::operator new(size, std::align_val_t{4096}));
    std::memset(start, 0, size);
    std::memcpy(start, content.data(), std::min(size, content.size()));
    ++mapped_;
    return 0;
  }
  int lock_shared(int) noexcept override { return powered() ? 0 : -EIO; }
  int allocate(int file, std::uint64_t from, std::uint64_t size) noexcept override {
    if (!powered()) return -EIO;
    write_back();
    inode& i = of(file);
    const auto end = static_cast<std::size_t>(from + size);
    allocated += static_cast<std::size_t>(size);
    if (end <= i.content.size()) return 0;
    // If the size does not fit, a part is allocated, as on ext4: the file grows by all the
    // available space.
    const std::size_t reached = std::min(end, i.content.size() + free_bytes());
    apply(i.content, {reached, {}, true});
    i.unsynced.push_back({reached, {}, true});
    return reached == end ? 0 : -ENOSPC;
  }
  /// A copy as well, which is written back to the file before each access to the file.
  int map_shared(int file, std::uint64_t from, std::size_t size, std::byte* start) noexcept override {
    if (!powered()) return -EIO;
    const auto& content = of(file).content;
    const auto at = static_cast<std::size_t>(from);
    if (at < content.size()) std::memcpy(start, content.data() + at, std::min(size, content.size() - at));
    shared_[start] = {open_.at(file), at};
    return 0;
  }
  void unmap(std::byte* start, std::size_t size) noexcept override {
    if (shared_.contains(start)) {
      write_back();
      shared_.erase(start);
      ingot::detail::system::unreserve(start, size);
      return;
    }
    --mapped_;
    ::operator delete(start, std::align_val_t{4096});
  }

private:
  static constexpr int folder = -1;
  struct change_of_content {
    std::uint64_t at;
    byte_vector bytes;
    bool is_length;
  };
  struct inode {
    byte_vector content{};
    byte_vector durable{};
    std::vector<change_of_content> unsynced{};
    unsigned permissions = 0644;
    unsigned group = 0;
  };

  struct shared_memory {
    int inode;
    std::size_t from;
  };
  /// Writes back mapped memory that was changed: the system may write it at any time.
  void write_back() {
    for (const auto& [start, of] : shared_) {
      inode& i = inodes_[static_cast<std::size_t>(of.inode)];
      if (i.content.size() <= of.from) continue;
      const std::span<const std::byte> now(start, i.content.size() - of.from);
      const auto there = std::span(i.content).subspan(of.from);
      if (std::memcmp(now.data(), there.data(), now.size()) == 0) continue;
      std::ranges::copy(now, there.begin());
      i.unsynced.push_back({of.from, {now.begin(), now.end()}, false});
    }
  }
  [[nodiscard]] std::size_t free_bytes() const {
    std::size_t used = 0;
    for (const auto& [name, each] : names_) used += inodes_[static_cast<std::size_t>(each)].content.size();
    return capacity - std::min(capacity, used);
  }
  [[nodiscard]] bool powered() noexcept { return calls_++ < power_for; }
  [[nodiscard]] inode& of(int file) { return inodes_[static_cast<std::size_t>(open_.at(file))]; }
  [[nodiscard]] file_status status_of(int number) const {
    const inode& i = inodes_[static_cast<std::size_t>(number)];
    file_status status{file_status::kind::regular, i.content.size(), i.permissions, i.group};
    if (!tells_files_apart) return status;
    status.node = static_cast<std::uint64_t>(number);
    status.names = 0;
    for (const auto& [name, each] : names_) status.names += each == number ? 1U : 0U;
    return status;
  }
  void change(std::vector<std::pair<std::string, int>> names) {
    for (const auto& [name, number] : names) {
      if (number < 0) names_.erase(name);
      else names_[name] = number;
    }
    changed_names_.push_back(std::move(names));
  }
  static void apply(byte_vector& content, const change_of_content& change) {
    const auto at = static_cast<std::size_t>(change.at);
    if (change.is_length) {
      content.resize(at);
      return;
    }
    if (content.size() < at + change.bytes.size()) content.resize(at + change.bytes.size());
    std::ranges::copy(change.bytes, content.begin() + static_cast<std::ptrdiff_t>(at));
  }
  /// Adds the states in which any of the last writes are present, one of them in part: cut at a
  /// sector, or its length alone.
  static void contents_after(const inode& i, std::set<byte_vector>& states) {
    states.insert(i.durable);
    const std::size_t writes = i.unsynced.size();
    const std::size_t last = std::min<std::size_t>(writes, 4);
    for (std::size_t chosen = 0; chosen < std::size_t{1} << last; ++chosen) {
      std::vector<bool> there(writes, true);
      for (std::size_t k = 0; k < last; ++k) there[writes - last + k] = (chosen >> k & 1) != 0;
      torn_contents(i, there, writes - last, states);
    }
    if (std::getenv("INGOT_TEST_FULL") == nullptr) return; // NOLINT(concurrency-mt-unsafe)
    for (std::size_t a = 0; a < writes; ++a) {
      for (std::size_t b = a; b < writes; ++b) {
        for (std::size_t c = b; c < writes; ++c) {
          for (const bool lost : {false, true}) {
            std::vector<bool> there(writes, lost);
            there[a] = there[b] = there[c] = !lost;
            torn_contents(i, there, 0, states);
          }
        }
      }
    }
  }
  /// Adds the states with these writes, in which one write from `first` on may be partial: its
  /// beginning, or with INGOT_TEST_FULL its end. Missing bytes keep their earlier value, or are
  /// zero if there was none.
  static void torn_contents(const inode& i, const std::vector<bool>& there, std::size_t first,
                            std::set<byte_vector>& states) {
    // NOLINTNEXTLINE(concurrency-mt-unsafe)
    const bool ends_too = std::getenv("INGOT_TEST_FULL") != nullptr;
    for (std::size_t torn = first; torn <= there.size(); ++torn) {
      const std::size_t length = torn < there.size() && there[torn] ? i.unsynced[torn].bytes.size() : 0;
      for (const std::size_t sector : {512U, 4096U}) {
        for (std::size_t cut = 0; cut < length; cut += sector) {
          states.insert(content_with(i, there, torn, 0, cut));
          if (ends_too) states.insert(content_with(i, there, torn, cut, length));
        }
      }
    }
    states.insert(content_with(i, there, there.size(), 0, 0));
  }
  /// Returns the content with only the bytes from `from` to `to` of the write `torn`.
  [[nodiscard]] static byte_vector content_with(const inode& i, const std::vector<bool>& there,
                                                std::size_t torn, std::size_t from, std::size_t to) {
    byte_vector content = i.durable;
    for (std::size_t k = 0; k < there.size(); ++k) {
      if (!there[k]) continue;
      const change_of_content& change = i.unsynced[k];
      if (k != torn) {
        apply(content, change);
        continue;
      }
      const auto at = static_cast<std::size_t>(change.at);
      if (content.size() < at + change.bytes.size()) content.resize(at + change.bytes.size());
      std::copy(change.bytes.begin() + static_cast<std::ptrdiff_t>(from),
                change.bytes.begin() + static_cast<std::ptrdiff_t>(to),
                content.begin() + static_cast<std::ptrdiff_t>(at + from));
    }
    return content;
  }

  std::vector<inode> inodes_;
  std::map<std::string, int> names_;
  std::map<std::string, int> durable_names_;
  std::vector<std::vector<std::pair<std::string, int>>> changed_names_;
  std::map<int, int> open_;
  std::map<std::byte*, shared_memory> shared_;
  int next_ = 3;
  std::size_t calls_ = 0;
  std::size_t mapped_ = 0;
};

} // namespace file_test
