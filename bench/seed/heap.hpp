// SPDX-License-Identifier: Apache-2.0
// A block of chunks, whose sizes are multiples of 8 bytes. Free chunks are in a list, and
// neighbours are merged when a chunk is freed (boundary tags, after Knuth). `Fit` chooses the chunk
// to allocate. The size is before a chunk; its low bits say if the chunk and the previous one are
// in use.
#pragma once

#include "workload.hpp"

namespace bench {

class seed_heap {
public:
  static constexpr std::uint32_t none = 0;
  static constexpr std::uint32_t min_chunk = 16; // size, next, previous, size at the end

  [[nodiscard]] std::uint32_t word(std::uint32_t at) const {
    std::uint32_t n = 0;
    std::memcpy(&n, block_.data() + at, sizeof n);
    return n;
  }
  [[nodiscard]] std::uint32_t size(std::uint32_t chunk) const { return word(chunk) & ~7U; }
  [[nodiscard]] std::uint32_t next(std::uint32_t chunk) const { return word(chunk + 4); }
  [[nodiscard]] std::uint32_t first() const { return word(0); }
  [[nodiscard]] const std::byte* at(std::uint32_t chunk) const { return block_.data() + chunk; }
  [[nodiscard]] std::byte* content(std::uint32_t chunk) { return block_.data() + chunk + 4; }
  [[nodiscard]] std::size_t bytes() const { return end_ + 4; }

  void clear() {
    // The list's head. Chunks begin at 4 past a multiple of 8, so that contents are aligned.
    block_.assign(8, std::byte{});
    end_ = 12;
    reserve(64);
    put(end_ - 8, none); // the first chunk has no previous one
    put(0, none);
    before_end_ = used;
  }

  /// Allocates a chunk for `bytes`: the one that `fit(heap, size)` chooses from the list, else a
  /// new one at the end.
  template <class Fit>
  std::uint32_t take(std::size_t bytes, Fit fit) {
    const auto wanted = std::max(min_chunk, static_cast<std::uint32_t>((bytes + 4 + 7) & ~std::size_t{7}));
    std::uint32_t chunk = fit(*this, wanted);
    if (chunk == none) {
      chunk = end_;
      reserve(end_ + wanted + 8);
      put(chunk, wanted | used | (before_end_ != 0 ? before_used : 0U));
      end_ += wanted;
      before_end_ = used;
      return chunk;
    }
    unlink(chunk);
    const std::uint32_t all = size(chunk);
    if (all - wanted >= min_chunk) {
      put(chunk, wanted | used | (word(chunk) & before_used));
      insert(chunk + wanted, all - wanted, before_used);
    } else {
      put(chunk, word(chunk) | used);
      tell_next(chunk + all, true);
    }
    return chunk;
  }
  void give(std::uint32_t chunk) {
    std::uint32_t all = size(chunk);
    std::uint32_t before = word(chunk) & before_used;
    if (before == 0) {
      const std::uint32_t left = word(chunk - 4);
      chunk -= left;
      all += left;
      before = word(chunk) & before_used;
      unlink(chunk);
    }
    const std::uint32_t right = chunk + all;
    if (right != end_ && (word(right) & used) == 0) {
      unlink(right);
      all += size(right);
    }
    if (chunk + all == end_) { // the end moves back
      end_ = chunk;
      before_end_ = before != 0 ? used : 0;
      return;
    }
    insert(chunk, all, before);
    tell_next(chunk + all, false);
  }

private:
  static constexpr std::uint32_t used = 1;
  static constexpr std::uint32_t before_used = 2;

  void put(std::uint32_t at, std::uint32_t n) { std::memcpy(block_.data() + at, &n, sizeof n); }
  void reserve(std::size_t bytes) {
    if (block_.size() < bytes) block_.resize(std::max(bytes, block_.size() * 2));
  }
  void tell_next(std::uint32_t chunk, bool in_use) {
    if (chunk == end_) before_end_ = in_use ? used : 0;
    else put(chunk, in_use ? word(chunk) | before_used : word(chunk) & ~before_used);
  }
  void insert(std::uint32_t chunk, std::uint32_t all, std::uint32_t before) {
    put(chunk, all | before);
    put(chunk + all - 4, all);
    const std::uint32_t head = first();
    put(chunk + 4, head);
    put(chunk + 8, none);
    if (head != none) put(head + 8, chunk);
    put(0, chunk);
  }
  void unlink(std::uint32_t chunk) {
    const std::uint32_t after = word(chunk + 4), before = word(chunk + 8);
    if (before == none) put(0, after);
    else put(before + 4, after);
    if (after != none) put(after + 8, before);
  }

  std::vector<std::byte> block_;
  std::uint32_t end_ = 0;
  std::uint32_t before_end_ = 0;
};

/// Texts in this heap, each with an offset and a length.
template <class Fit>
class texts_in_heap {
public:
  void load(const std::vector<std::string>& texts) {
    heap_.clear();
    spans_.assign(texts.size(), {0, 0});
    for (std::size_t i = 0; i < texts.size(); ++i) put(i, texts[i]);
  }
  void set(std::size_t which, std::string_view text) {
    heap_.give(spans_[which].chunk);
    put(which, text);
  }
  [[nodiscard]] std::string_view get(std::size_t which) const {
    return {reinterpret_cast<const char*>(heap_.at(spans_[which].chunk)) + 4, spans_[which].length};
  }
  [[nodiscard]] std::size_t bytes() const { return heap_.bytes() + spans_.size() * sizeof(text_span); }

private:
  struct text_span {
    std::uint32_t chunk, length;
  };
  void put(std::size_t which, std::string_view text) {
    const std::uint32_t chunk = heap_.take(text.size(), Fit{});
    std::memcpy(heap_.content(chunk), text.data(), text.size());
    spans_[which] = {chunk, static_cast<std::uint32_t>(text.size())};
  }
  seed_heap heap_;
  std::vector<text_span> spans_;
};

} // namespace bench
