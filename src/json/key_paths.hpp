// SPDX-License-Identifier: Apache-2.0
// Stores the sequences of keys in the objects of a text, because records repeat such sequences. If
// an object begins with the keys of a stored sequence, the hashes of these keys are known. If all
// keys of the object are stored, their order is known, too. So the reader need not compute the
// hashes and the order again.
#pragma once

#include <ingot/core/detail/lanes.hpp>
#include <ingot/document/detail/bulk.hpp>
#include <ingot/document/key_order.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>

namespace ingot { inline namespace INGOT_V1 { namespace json::detail {

/// Tree of keys. The parent of a key is the key before it in the object. The size of the tree is
/// limited for any text, because the number of keys, the depth, and the number of siblings have
/// limits. If the tree is full, or if keys don't repeat, the tree is cleared.
class key_paths {
public:
  /// Index of a node of the tree. A node stands for the keys on the path from the root to this
  /// node. `nowhere` is no node.
  using node_id = std::uint32_t;
  static constexpr node_id nowhere = 0;
  static constexpr node_id root = 1;
  static constexpr std::size_t longest_key = ingot::detail::doc::short_key;
  static constexpr std::uint32_t depth_limit = 32;

  /// Clears the tree and begins a new generation. Returns false if there is no memory.
  [[nodiscard]] bool start() noexcept {
    keys_.clear();
    orders_.clear();
    misses_ = 0;
    ++generation_;
    return keys_.push({}) && keys_.push({});
  }
  /// Generation of the current nodes; nodes of another generation count as `nowhere`.
  [[nodiscard]] std::uint32_t generation() const noexcept { return generation_; }

  /// Returns the child of `at` for a key; `nowhere` if there is none. Requires that `at` is not
  /// `nowhere`. `readable` is the number of readable bytes from the key's first byte on.
  [[nodiscard]] INGOT_INLINE node_id find(node_id at, const char* text, std::size_t size,
                                          std::size_t readable) noexcept {
    node_id before = nowhere;
    for (node_id next = keys_[at].first; next != nowhere; next = keys_[next].beside) {
      if (keys_[next].size == size && is_same(keys_[next].text, text, size, readable)) [[likely]] {
        if (before != nowhere) [[unlikely]]
          put_first(at, before, next);
        return next;
      }
      before = next;
    }
    return nowhere;
  }
  /// Adds a child of `at` for a new key of at most `longest_key` bytes. Returns `nowhere` if the
  /// tree can't add the child.
  [[nodiscard]] INGOT_NOINLINE node_id add(node_id at, const char* text, std::size_t size) noexcept {
    if (keys_[at].depth == depth_limit) return nowhere;
    std::uint32_t beside = 0;
    node_id last = nowhere;
    for (node_id next = keys_[at].first; next != nowhere; next = keys_[next].beside) {
      ++beside;
      last = next;
    }
    if (beside >= max_siblings || keys_.size() >= max_keys) {
      if (++misses_ == max_misses) static_cast<void>(start());
      return nowhere;
    }
    key new_key;
    std::memcpy(new_key.text.data(), text, size);
    new_key.hash = ingot::detail::doc::hash_key({text, size});
    new_key.size = static_cast<std::uint8_t>(size);
    new_key.depth = static_cast<std::uint8_t>(keys_[at].depth + 1);
    new_key.above = at;
    const auto here = static_cast<node_id>(keys_.size());
    if (!keys_.push(new_key)) return nowhere;
    // Adds the key after its siblings, so that `find` tries earlier keys first. Earlier keys are
    // more likely to be keys of records; the keys of maps don't repeat.
    (last == nowhere ? keys_[at].first : keys_[last].beside) = here;
    return here;
  }
  [[nodiscard]] std::uint16_t hash(node_id at) const noexcept { return keys_[at].hash; }

  /// Returns the order in which an object stores the keys on the path to `at`, as indexes of these
  /// keys. Returns null if two keys are equal, or if there is no memory.
  [[nodiscard]] const std::uint8_t* order(node_id at) noexcept {
    if (keys_[at].order == unknown && !find_order(at)) return nullptr;
    return &orders_[keys_[at].order];
  }

private:
  static constexpr std::uint32_t unknown = static_cast<std::uint32_t>(-1);
  static constexpr std::uint32_t max_siblings = 8;
  static constexpr std::size_t max_keys = 1024;
  static constexpr std::uint32_t max_misses = 256;

  struct key {
    std::array<char, longest_key> text{};
    std::uint16_t hash = 0;
    std::uint8_t size = 0;
    std::uint8_t depth = 0; ///< number of keys on the path, including this key
    node_id above = nowhere;
    node_id first = nowhere;  ///< first child
    node_id beside = nowhere; ///< next sibling
    std::uint32_t order = unknown;
  };

  /// Moves the found key before its siblings. The next record probably has this key too, so the
  /// next search finds the key first.
  void put_first(node_id at, node_id before, node_id found) noexcept {
    keys_[before].beside = keys_[found].beside;
    keys_[found].beside = keys_[at].first;
    keys_[at].first = found;
  }
  [[nodiscard]] static INGOT_INLINE bool is_same(const std::array<char, longest_key>& known, const char* text,
                                                 std::size_t size,
                                                 [[maybe_unused]] std::size_t readable) noexcept {
#if INGOT_LANES
    if (size <= 16 && readable >= 16) [[likely]] {
      using namespace ingot::detail; // NOLINT(google-build-using-namespace)
      const std::uint32_t same =
          bits_of(load_lanes<byte_lanes>(known.data()) == load_lanes<byte_lanes>(text));
      return (~same & ((std::uint32_t{1} << size) - 1)) == 0;
    }
#endif
    return std::memcmp(known.data(), text, size) == 0;
  }
  [[nodiscard]] INGOT_NOINLINE bool find_order(node_id at) noexcept {
    using namespace ingot::detail::doc; // NOLINT(google-build-using-namespace)
    const std::uint32_t count = keys_[at].depth;
    std::array<std::uint64_t, depth_limit> order{};
    std::array<std::string_view, depth_limit> texts{};
    for (node_id each = at; each != root; each = keys_[each].above) {
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

  ingot::detail::doc::plain_list<key> keys_; ///< key 0 is `nowhere`, key 1 is the root
  ingot::detail::doc::plain_list<std::uint8_t> orders_;
  std::uint32_t misses_ = 0;
  std::uint32_t generation_ = 0;
};

}}} // namespace ingot::INGOT_V1::json::detail
