// SPDX-License-Identifier: Apache-2.0
// Bytes of any kind of block. Each is offered to `open` and to `open_in_place`, which have to
// agree. Accepted blocks are used.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <span>
#include <string_view>

#include <gtest/gtest.h>

namespace live_test {

/// Bytes at an address that is a multiple of 16. The allocation ends at their end, so that
/// sanitizers report reads after it.
class exact_bytes {
public:
  explicit exact_bytes(std::span<const std::byte> from)
      : memory_(static_cast<std::byte*>(std::malloc(from.size() == 0 ? 1 : from.size()))),
        size_(from.size()) {
    if (!from.empty()) std::memcpy(memory_, from.data(), from.size());
  }
  exact_bytes(const exact_bytes&) = delete;
  exact_bytes& operator=(const exact_bytes&) = delete;
  ~exact_bytes() { std::free(memory_); }
  [[nodiscard]] std::span<std::byte> span() { return {memory_, size_}; }
  /// Restores the bytes as they were before a test wrote to them.
  void restore(std::span<const std::byte> from) {
    if (!from.empty()) std::memcpy(memory_, from.data(), from.size());
  }
  [[nodiscard]] bool is_aligned() const { return reinterpret_cast<std::uintptr_t>(memory_) % 16 == 0; }

private:
  std::byte* memory_;
  std::size_t size_;
};

/// Offers bytes and counts the results. `Block` defines how bytes are opened, and what runs on
/// opened and on unchecked bytes. The number distinguishes offers.
template <class Block>
class offering_of {
public:
  explicit offering_of(std::string_view what) : what_(what) {}
  offering_of(const offering_of&) = delete;
  offering_of& operator=(const offering_of&) = delete;
  ~offering_of() {
    std::printf("[  counted ] %.*s: %zu tried, %zu accepted\n", static_cast<int>(what_.size()), what_.data(),
                tried, accepted);
  }

  bool offer(std::span<const std::byte> bytes) {
    ++tried;
    auto opened = Block::open(bytes);
    // Opened in place: the same verdict. A sanitizer reports reads outside.
    exact_bytes there(bytes);
    if (there.is_aligned()) {
      Block::look_at_unvalidated(there.span(), tried);
      there.restore(bytes);
      auto in_place = Block::open_in_place(there.span());
      EXPECT_EQ(opened.has_value(), in_place.has_value());
      if (in_place) Block::use_in_place(*in_place, tried);
    }
    if (!opened) {
      EXPECT_LE(opened.error().offset(), bytes.size()) << opened.error().message();
      return false;
    }
    ++accepted;
    Block::use(*opened, tried);
    return true;
  }

  std::size_t tried = 0;
  std::size_t accepted = 0;

private:
  std::string_view what_;
};

} // namespace live_test
