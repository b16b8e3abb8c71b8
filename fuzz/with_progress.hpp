// SPDX-License-Identifier: Apache-2.0
// Validation with a progress callback has its own code. It must accept the same input as validation
// without one, give the same errors for the rest, and leave the same bytes. If it is cancelled, it
// must not change any byte.
#pragma once

#include <ingot/core/bytes.hpp>
#include <ingot/core/error.hpp>
#include <ingot/core/progress.hpp>
#include <ingot/live/receive_buffer.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <new>
#include <span>
#include <string>

namespace fuzz {

/// Bytes at a multiple of 16, which validation in place requires.
class placed_bytes {
public:
  explicit placed_bytes(ingot::bytes_view from)
      : data_(static_cast<std::byte*>(::operator new(from.size() + 1, alignment))), size_(from.size()) {
    if (size_ != 0) std::memcpy(data_, from.data(), size_);
  }
  placed_bytes(const placed_bytes&) = delete;
  placed_bytes& operator=(const placed_bytes&) = delete;
  ~placed_bytes() { ::operator delete(data_, alignment); }

  [[nodiscard]] std::span<std::byte> span() noexcept { return {data_, size_}; }
  [[nodiscard]] bool are(ingot::bytes_view others) noexcept { return std::ranges::equal(span(), others); }

private:
  static constexpr std::align_val_t alignment{16};
  std::byte* data_;
  std::size_t size_;
};

/// Returns the error of a result, or empty text.
template <class T>
std::string verdict(const ingot::result<T>& opened) {
  return opened ? std::string() : opened.error().message();
}

/// Compares validation of a `T` with and without a progress callback, and returns a contradiction
/// or empty text. `seed` chooses the call that cancels one of the runs.
template <class T>
std::string compare_with_progress(ingot::bytes_view bytes, std::uint64_t seed,
                                  ingot::max_block_size max_size) {
  std::size_t reported = 0;
  const auto listen = [&reported](std::uint64_t, std::uint64_t) { return ++reported, true; };
  placed_bytes silent(bytes);
  placed_bytes reporting(bytes);
  const std::string said = verdict(T::open_in_place(silent.span()));
  if (verdict(T::open_in_place(reporting.span(), listen)) != said)
    return "validation with progress says something else";
  if (!reporting.are(silent.span())) return "validation with progress leaves other bytes";

  if (reported != 0) {
    const std::size_t last = static_cast<std::size_t>(seed % reported);
    std::size_t count = 0;
    placed_bytes stopped(bytes);
    const auto opened = T::open_in_place(
        stopped.span(), [&count, last](std::uint64_t, std::uint64_t) { return count++ != last; });
    if (opened || opened.error().code() != ingot::errc::cancelled) return "a stopped validation continues";
    if (!stopped.are(bytes)) return "a stopped validation has changed bytes";
  }
  if (verdict(T::open(bytes, {.max_size = max_size, .progress = listen})) !=
      verdict(T::open(bytes, {.max_size = max_size})))
    return "opening a copy says something else with progress";
  return "";
}

} // namespace fuzz
