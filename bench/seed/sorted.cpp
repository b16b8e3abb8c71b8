// SPDX-License-Identifier: Apache-2.0
// Step 3: sorted by hash, with a binary search without branches that depend on the comparison.
#include "workload.hpp"

#include <algorithm>

namespace bench {
namespace {

class sorted_by_hash {
public:
  void open(const std::vector<std::byte>& bytes) {
    begin_ = bytes.data();
    both_.clear();
    seed_for_each(bytes, [&](seed_record at, std::uint32_t offset) {
      both_.push_back((seed_hash(at.key()) >> 32 << 32) | offset);
    });
    std::ranges::sort(both_);
    hashes_.clear();
    offsets_.clear();
    for (const std::uint64_t each : both_) {
      hashes_.push_back(static_cast<std::uint32_t>(each >> 32));
      offsets_.push_back(static_cast<std::uint32_t>(each));
    }
  }
  [[nodiscard]] std::int64_t find(std::string_view key) const {
    const auto wanted = static_cast<std::uint32_t>(seed_hash(key) >> 32);
    const std::uint32_t* first = hashes_.data();
    for (std::size_t left = hashes_.size(); left > 1;) {
      const std::size_t half = left / 2;
      first += first[half - 1] < wanted ? half : 0; // a conditional move
      left -= half;
    }
    for (auto i = static_cast<std::size_t>(first - hashes_.data()); i < hashes_.size(); ++i) {
      if (hashes_[i] != wanted) return -1;
      if (const seed_record at{begin_ + offsets_[i]}; at.has(key)) return at.value();
    }
    return -1;
  }

private:
  const std::byte* begin_ = nullptr;
  std::vector<std::uint64_t> both_;
  std::vector<std::uint32_t> hashes_;
  std::vector<std::uint32_t> offsets_;
};

} // namespace

void enter_search_sorted(suite& all) { enter_search<sorted_by_hash>(all, "sorted", seed_message); }

} // namespace bench
