// SPDX-License-Identifier: Apache-2.0
// Memory with unmapped pages before and after it: an access outside ends the program, in optimised
// code, too.
#pragma once

#include <cstddef>
#include <cstring>
#include <span>

#include <sys/mman.h>
#include <unistd.h>

namespace hostile {

/// Readable pages between two unreadable ones.
class fenced_pages {
public:
  explicit fenced_pages(std::size_t size)
      : page_(static_cast<std::size_t>(sysconf(_SC_PAGESIZE))), inside_((size + page_ - 1) / page_ * page_) {
    void* const all = mmap(nullptr, inside_ + 2 * page_, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (all == MAP_FAILED) return;
    base_ = static_cast<std::byte*>(all);
    if (mprotect(base_ + page_, inside_, PROT_READ | PROT_WRITE) != 0) base_ = nullptr;
  }
  fenced_pages(const fenced_pages&) = delete;
  ~fenced_pages() {
    if (base_ != nullptr) munmap(base_, inside_ + 2 * page_);
  }

  [[nodiscard]] bool ready() const { return base_ != nullptr; }
  /// The bytes, beginning where the readable pages begin.
  std::span<std::byte> at_begin(std::span<const std::byte> bytes) const { return put(base_ + page_, bytes); }
  /// The bytes, ending where the readable pages end.
  std::span<std::byte> at_end(std::span<const std::byte> bytes) const {
    return put(base_ + page_ + inside_ - bytes.size(), bytes);
  }

private:
  static std::span<std::byte> put(std::byte* to, std::span<const std::byte> bytes) {
    if (!bytes.empty()) std::memcpy(to, bytes.data(), bytes.size());
    return {to, bytes.size()};
  }

  std::size_t page_;
  std::size_t inside_;
  std::byte* base_ = nullptr;
};

} // namespace hostile
