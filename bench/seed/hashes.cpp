// SPDX-License-Identifier: Apache-2.0
// Step 2: a hash next to each offset. An entry is read only if the hash is the key's.
#include "workload.hpp"

namespace bench {
namespace {

class by_hashes : public seed_hashes<std::uint32_t> {
public:
  [[nodiscard]] std::int64_t find(std::string_view key) const {
    const auto wanted = hash_of(key);
    for (std::size_t i = 0; i < hashes_.size(); ++i) {
      if (hashes_[i] != wanted) continue;
      if (const seed_record at{begin_ + offsets_[i]}; at.has(key)) return at.value();
    }
    return -1;
  }
};

} // namespace

void enter_search_hashes(suite& all) { enter_search<by_hashes>(all, "hashes", seed_message); }

} // namespace bench
