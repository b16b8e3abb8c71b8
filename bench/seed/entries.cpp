// SPDX-License-Identifier: Apache-2.0
// Step 0: entries in a row, searched by their lengths.
#include "workload.hpp"

namespace bench {
namespace {

class entries_in_a_row {
public:
  void open(const std::vector<std::byte>& bytes) {
    begin_ = bytes.data();
    end_ = begin_ + bytes.size();
  }
  [[nodiscard]] std::int64_t find(std::string_view key) const {
    for (seed_record at{begin_}; at.at != end_; at.at += at.size()) {
      if (at.has(key)) return at.value();
    }
    return -1;
  }

private:
  const std::byte* begin_ = nullptr;
  const std::byte* end_ = nullptr;
};

} // namespace

void enter_search_entries(suite& all) { enter_search<entries_in_a_row>(all, "entries", seed_message); }

} // namespace bench
