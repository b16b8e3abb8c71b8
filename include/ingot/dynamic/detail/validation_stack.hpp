// SPDX-License-Identifier: Apache-2.0
// Stack of words for the containers whose validation has begun. It grows by pieces, so its memory
// is never more than its contents and two pieces.
#pragma once

#include <ingot/core/detail/config.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <new>
#include <utility>

namespace ingot { inline namespace INGOT_V1 { namespace detail::dyn {

class word_stack {
public:
  word_stack() = default;
  word_stack(const word_stack&) = delete;
  word_stack& operator=(const word_stack&) = delete;
  ~word_stack() {
    while (top_ != nullptr) top_ = std::move(top_->below); // destructors would recurse
  }

  /// Pushes a word. Returns false if there is no memory.
  [[nodiscard]] bool push(std::uint64_t word) noexcept {
    if (top_ == nullptr || top_->count == piece::capacity) {
      auto fresh = spare_ != nullptr ? std::move(spare_) : std::unique_ptr<piece>(new (std::nothrow) piece);
      if (fresh == nullptr) return false;
      fresh->below = std::move(top_);
      top_ = std::move(fresh);
    }
    top_->words[top_->count++] = word;
    return true;
  }
  /// Removes and returns the last word. Requires that the stack is not empty.
  [[nodiscard]] std::uint64_t pop() noexcept {
    const std::uint64_t word = top_->words[--top_->count];
    if (top_->count == 0) {
      auto below = std::move(top_->below);
      spare_ = std::move(top_);
      top_ = std::move(below);
    }
    return word;
  }

private:
  struct piece {
    static constexpr std::size_t capacity = 510;
    std::unique_ptr<piece> below;
    std::size_t count = 0;
    std::array<std::uint64_t, capacity> words;
  };
  std::unique_ptr<piece> top_;
  std::unique_ptr<piece> spare_;
};

}}} // namespace ingot::INGOT_V1::detail::dyn
