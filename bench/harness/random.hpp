// SPDX-License-Identifier: Apache-2.0
// Random values for the workloads. They use only raw outputs of std::mt19937_64, which the standard
// defines exactly, so every machine and every standard library measures the same data.
#pragma once

#include <cstddef>
#include <cstdint>
#include <random>
#include <string>

namespace bench {

/// One raw output per value, in the order of the calls.
class random_source {
public:
  explicit random_source(std::uint64_t seed) : raw_(seed) {}

  std::uint64_t u64() { return raw_(); }
  std::uint32_t u32() { return static_cast<std::uint32_t>(raw_() >> 32); }
  /// Returns a uniform value in first..last, both included.
  std::uint64_t between(std::uint64_t first, std::uint64_t last) {
    return first + raw_() % (last - first + 1);
  }
  template <class Integer>
  Integer number(std::uint64_t first, std::uint64_t last) {
    return static_cast<Integer>(between(first, last));
  }
  /// Returns a value in [0, 1).
  float real() { return static_cast<float>(raw_() >> 40) * 0x1p-24f; }
  double wide() { return static_cast<double>(raw_() >> 11) * 0x1p-53; }
  /// Returns printable ASCII text, space to tilde.
  std::string text(std::size_t length) {
    std::string s(length, ' ');
    for (char& c : s) c = static_cast<char>(between(' ', '~'));
    return s;
  }

private:
  std::mt19937_64 raw_;
};

/// Returns lower-case letters and digits.
inline std::string letters(random_source& draw, std::size_t min_size, std::size_t max_size) {
  std::string text(draw.between(min_size, max_size), 'a');
  for (char& c : text) c = "abcdefghijklmnopqrstuvwxyz0123456789"[draw.between(0, 35)];
  return text;
}

} // namespace bench
