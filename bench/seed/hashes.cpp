// SPDX-License-Identifier: Apache-2.0
// Step 2: a hash beside each offset; entries are looked at only where it is the key's.
#include "workload.hpp"

namespace bench {
namespace {

class by_hashes {
public:
  void open(const std::vector<std::byte>& bytes) {
    begin_ = bytes.data();
    offsets_.clear();
    hashes_.clear();
    for (seed_place at{begin_}; at.at != begin_ + bytes.size(); at.at += at.size()) {
      offsets_.push_back(static_cast<std::uint32_t>(at.at - begin_));
      hashes_.push_back(static_cast<std::uint32_t>(seed_hash(at.key()) >> 32));
    }
  }
  [[nodiscard]] std::int64_t find(std::string_view key) const {
    const auto wanted = static_cast<std::uint32_t>(seed_hash(key) >> 32);
    for (std::size_t i = 0; i < hashes_.size(); ++i) {
      if (hashes_[i] != wanted) continue;
      if (const seed_place at{begin_ + offsets_[i]}; at.has(key)) return at.value();
    }
    return -1;
  }

private:
  const std::byte* begin_ = nullptr;
  std::vector<std::uint32_t> offsets_;
  std::vector<std::uint32_t> hashes_;
};

} // namespace

void enter_search_hashes(suite& all) { enter_search<by_hashes>(all, "hashes", seed_message); }

} // namespace bench
