// SPDX-License-Identifier: Apache-2.0
// The alternative without a message: entries are decoded into a std::unordered_map.
#include "workload.hpp"

#include <unordered_map>

namespace bench {
namespace {

struct hash_text {
  using is_transparent = void;
  std::size_t operator()(std::string_view text) const { return std::hash<std::string_view>{}(text); }
};

class decoded {
public:
  void open(const std::vector<std::byte>& bytes) {
    values_.clear();
    seed_for_each(bytes, [&](seed_record at, std::uint32_t) { values_.emplace(at.key(), at.value()); });
  }
  [[nodiscard]] std::int64_t find(std::string_view key) const {
    const auto found = values_.find(key);
    return found == values_.end() ? -1 : found->second;
  }

private:
  std::unordered_map<std::string, std::int64_t, hash_text, std::equal_to<>> values_;
};

} // namespace

void enter_search_unordered_map(suite& all) { enter_search<decoded>(all, "unordered_map", seed_message); }

} // namespace bench
