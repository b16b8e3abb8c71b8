// SPDX-License-Identifier: Apache-2.0
// Step 0: new texts go to the end. When the block is twice as long as its contents, they are copied
// to a new block.
#include "workload.hpp"

namespace bench {
namespace {

class bumped {
public:
  void load(const std::vector<std::string>& texts) {
    block_.clear();
    spans_.assign(texts.size(), {0, 0});
    live_ = 0;
    for (std::size_t i = 0; i < texts.size(); ++i) set(i, texts[i]);
  }
  void set(std::size_t which, std::string_view text) {
    live_ += text.size() - spans_[which].length;
    spans_[which] = {static_cast<std::uint32_t>(block_.size()), static_cast<std::uint32_t>(text.size())};
    const auto* from = reinterpret_cast<const std::byte*>(text.data());
    block_.insert(block_.end(), from, from + text.size());
    if (block_.size() > 2 * live_) gather();
  }
  [[nodiscard]] std::string_view get(std::size_t which) const {
    return {reinterpret_cast<const char*>(block_.data()) + spans_[which].at, spans_[which].length};
  }
  [[nodiscard]] std::size_t bytes() const { return block_.size() + spans_.size() * sizeof(text_span); }

private:
  struct text_span {
    std::uint32_t at, length;
  };
  void gather() {
    spare_.clear();
    for (auto& [at, length] : spans_) {
      const std::byte* const from = block_.data() + at;
      at = static_cast<std::uint32_t>(spare_.size());
      spare_.insert(spare_.end(), from, from + length);
    }
    block_.swap(spare_);
  }
  std::vector<std::byte> block_, spare_;
  std::vector<text_span> spans_;
  std::size_t live_ = 0;
};

} // namespace

void enter_space_bump(suite& all) { enter_space<bumped>(all, "bump"); }

} // namespace bench
