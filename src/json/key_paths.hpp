// SPDX-License-Identifier: Apache-2.0
// Which keys follow each other in the objects of a text. Records repeat them: who finds a key where it was found before knows its hash, and at
// the end the order of all, without computing either.
#pragma once

#include <ingot/document/detail/bulk.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

namespace ingot { inline namespace INGOT_V1 { namespace json::detail {

/// A tree of keys, each below the one that it followed. What a text can make of it is bounded: so many keys, few below each other or beside
/// each other; when it is full, or keys don't repeat, it begins anew.
class key_paths {
public:
  /// A place in the tree: the keys from the root to it. `nowhere` knows nothing.
  using place = std::uint32_t;
  static constexpr place nowhere = 0;
  static constexpr place root = 1;
  static constexpr std::size_t longest_key = ingot::detail::doc::short_key;
  static constexpr std::uint32_t depth_limit = 32;

  /// False without memory.
  [[nodiscard]] bool start() noexcept {
    keys_.clear();
    orders_.clear();
    misses_ = 0;
    ++generation_;
    return keys_.push({}) && keys_.push({});
  }
  /// Of the places that it gives; those of another are `nowhere`.
  [[nodiscard]] std::uint32_t generation() const noexcept { return generation_; }

  /// Where a key leads from `at`, which is not `nowhere`; `nowhere` when it didn't come before. `readable` is how many bytes from its first on may be looked at.
  [[nodiscard]] INGOT_INLINE place find(place at, const char* text, std::size_t size,
                                        std::size_t readable) noexcept {
    place before = nowhere;
    for (place next = keys_[at].first; next != nowhere; next = keys_[next].beside) {
      if (keys_[next].size == size && is_same(keys_[next].text, text, size, readable)) [[likely]] {
        if (before != nowhere) [[unlikely]]
          put_first(at, before, next);
        return next;
      }
      before = next;
    }
    return nowhere;
  }
  /// The same for one that didn't come before, of at most `longest_key` bytes; `nowhere` when the tree doesn't take it.
  [[nodiscard]] INGOT_NOINLINE place add(place at, const char* text, std::size_t size) noexcept {
    if (keys_[at].depth == depth_limit) return nowhere;
    std::uint32_t beside = 0;
    place last = nowhere;
    for (place next = keys_[at].first; next != nowhere; next = keys_[next].beside) {
      ++beside;
      last = next;
    }
    if (beside >= most_beside || keys_.size() >= max_keys) {
      if (++misses_ == most_misses) static_cast<void>(start());
      return nowhere;
    }
    key made;
    std::memcpy(made.text.data(), text, size);
    made.hash = ingot::detail::doc::hash_key({text, size});
    made.size = static_cast<std::uint8_t>(size);
    made.depth = static_cast<std::uint8_t>(keys_[at].depth + 1);
    made.above = at;
    const auto here = static_cast<place>(keys_.size());
    if (!keys_.push(made)) return nowhere;
    // Behind the others: keys of records came before, and those that are names of something don't come again.
    (last == nowhere ? keys_[at].first : keys_[last].beside) = here;
    return here;
  }
  [[nodiscard]] std::uint16_t hash(place at) const noexcept { return keys_[at].hash; }

  /// In which order an object has the keys that lead to `at`, by their numbers; null when they are not all different, or without memory.
  [[nodiscard]] const std::uint8_t* order(place at) noexcept {
    if (keys_[at].order == unknown && !find_order(at)) return nullptr;
    return &orders_[keys_[at].order];
  }

private:
  static constexpr std::uint32_t unknown = static_cast<std::uint32_t>(-1);
  static constexpr std::uint32_t most_beside = 8;
  static constexpr std::size_t max_keys = 1024;
  static constexpr std::uint32_t most_misses = 256;

  struct key {
    std::array<char, longest_key> text{};
    std::uint16_t hash = 0;
    std::uint8_t size = 0;
    std::uint8_t depth = 0; ///< keys that lead to it, with itself
    place above = nowhere;
    place first = nowhere;  ///< below it
    place beside = nowhere; ///< the next below the same
    std::uint32_t order = unknown;
  };

  /// Records follow each other: the key that came is looked for first the next time.
  void put_first(place at, place before, place found) noexcept {
    keys_[before].beside = keys_[found].beside;
    keys_[found].beside = keys_[at].first;
    keys_[at].first = found;
  }
  [[nodiscard]] static INGOT_INLINE bool is_same(const std::array<char, longest_key>& known, const char* text,
                                                 std::size_t size,
                                                 [[maybe_unused]] std::size_t readable) noexcept {
#if defined(__SSE2__)
    if (size <= 16 && readable >= 16) [[likely]] {
      const __m128i mine = _mm_loadu_si128(reinterpret_cast<const __m128i*>(known.data()));
      const __m128i its = _mm_loadu_si128(reinterpret_cast<const __m128i*>(text));
      const auto same = static_cast<std::uint32_t>(_mm_movemask_epi8(_mm_cmpeq_epi8(mine, its)));
      return (~same & ((std::uint32_t{1} << size) - 1)) == 0;
    }
#endif
    return std::memcmp(known.data(), text, size) == 0;
  }
  [[nodiscard]] INGOT_NOINLINE bool find_order(place at) noexcept {
    using namespace ingot::detail::doc; // NOLINT(google-build-using-namespace)
    const std::uint32_t count = keys_[at].depth;
    std::array<std::uint64_t, depth_limit> order{};
    std::array<std::string_view, depth_limit> texts{};
    for (place each = at; each != root; each = keys_[each].above) {
      const std::uint32_t i = keys_[each].depth - 1U;
      texts[i] = {keys_[each].text.data(), keys_[each].size};
      order[i] = ordered(keys_[each].hash, i);
    }
    const key_order_result sorted = sort_keys(
        order.data(), count, [&](std::uint32_t i) { return texts[i]; }, key_policy::error,
        [](std::uint32_t) {});
    if (sorted.repeated != npos) return false;
    const auto begin = static_cast<std::uint32_t>(orders_.size());
    std::uint8_t* const to = orders_.extend(count);
    if (to == nullptr) return false;
    for (std::uint32_t i = 0; i < count; ++i) to[i] = static_cast<std::uint8_t>(order[i]);
    keys_[at].order = begin;
    return true;
  }

  ingot::detail::doc::plain_list<key> keys_; ///< the first is `nowhere`, the second the root
  ingot::detail::doc::plain_list<std::uint8_t> orders_;
  std::uint32_t misses_ = 0;
  std::uint32_t generation_ = 0;
};

}}} // namespace ingot::INGOT_V1::json::detail
