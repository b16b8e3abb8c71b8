// SPDX-License-Identifier: Apache-2.0
// Step 1: offsets of all entries, so that the next entry is known before the current one is read.
#include "workload.hpp"

namespace bench {
namespace {

class by_offsets {
public:
  void open(const std::vector<std::byte>& bytes) {
    begin_ = bytes.data();
    offsets_.clear();
    seed_for_each(bytes, [&](seed_record, std::uint32_t offset) { offsets_.push_back(offset); });
  }
  [[nodiscard]] std::int64_t find(std::string_view key) const {
    for (const std::uint32_t offset : offsets_) {
      if (const seed_record at{begin_ + offset}; at.has(key)) return at.value();
    }
    return -1;
  }

private:
  const std::byte* begin_ = nullptr;
  std::vector<std::uint32_t> offsets_;
};

} // namespace

void enter_search_offsets(suite& all) { enter_search<by_offsets>(all, "offsets", seed_message); }

} // namespace bench
