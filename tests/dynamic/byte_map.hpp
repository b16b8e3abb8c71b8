// SPDX-License-Identifier: Apache-2.0
// Checks the guarantee of `map_bytes`: it reports every byte once.
#pragma once

#include <ingot/dynamic/byte_map.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace byte_map_test {

/// Counts how often each byte was reported.
class coverage final : public ingot::byte_visitor {
public:
  explicit coverage(std::size_t bytes) : times_(bytes) {}
  void enter(const ingot::byte_step&) override { ++depth_; }
  void leave() override {
    --depth_;
    if (depth_ < 0) wrong_ = "left more often than entered";
  }
  void bytes(const ingot::byte_piece& piece) override {
    if (piece.length == 0) wrong_ = "a piece of no bytes";
    if (piece.offset > times_.size() || piece.length > times_.size() - piece.offset) {
      wrong_ = "a piece outside";
      return;
    }
    for (std::uint64_t i = 0; i < piece.length; ++i) {
      if (++times_[static_cast<std::size_t>(piece.offset + i)] == 2)
        wrong_ = "twice: byte " + std::to_string(piece.offset + i) + ", " + std::string(piece.what);
    }
    of_[static_cast<std::size_t>(piece.use)] += piece.length;
  }
  /// Returns the first error of the report, or an empty string.
  [[nodiscard]] std::string verdict() const {
    if (!wrong_.empty()) return wrong_;
    if (depth_ != 0) return "entered more often than left";
    for (std::size_t i = 0; i < times_.size(); ++i) {
      if (times_[i] == 0) return "not reported: byte " + std::to_string(i);
    }
    return {};
  }
  [[nodiscard]] std::uint64_t of(ingot::byte_use use) const { return of_[static_cast<std::size_t>(use)]; }

private:
  std::vector<std::uint8_t> times_;
  std::array<std::uint64_t, ingot::byte_uses> of_{};
  std::string wrong_;
  int depth_ = 0;
};

template <class From>
[[nodiscard]] coverage cover(const From& from) {
  coverage covered(from.bytes().size());
  if (!ingot::map_bytes(covered, from)) return coverage(1);
  return covered;
}

} // namespace byte_map_test
