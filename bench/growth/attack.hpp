// SPDX-License-Identifier: Apache-2.0
// The cost of insertions into a hash table with keys that an attacker chose to collide, compared
// with the same number of ordinary keys.
#pragma once

#include <ingot/live/hash_map.hpp>
#include <ingot/live/live.hpp>
#include <ingot/live/string.hpp>

#include "../harness/keep.hpp"
#include "../harness/suite.hpp"

#include <bit>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

namespace bench {

/// Makes keys of texts or numbers. Chosen keys collide under the public seed of tables.
class attack {
public:
  explicit attack(suite& all);

private:
  struct texts {
    using key = std::string;
    ingot::hash_map<ingot::string, std::uint64_t> all;
  };
  struct numbers {
    using key = std::uint64_t;
    ingot::hash_map<std::uint64_t, std::uint64_t> all;
  };

  static std::uint64_t drawn(std::size_t i) {
    std::uint64_t z = (i + 1) * 0x9E3779B97F4A7C15;
    z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9;
    z = (z ^ z >> 27) * 0x94D049BB133111EB;
    return z ^ z >> 31;
  }
  static std::string text(std::uint64_t first, std::uint64_t second) {
    std::string chars;
    for (const std::uint64_t half : {first, second}) {
      for (unsigned byte = 0; byte < 8; ++byte) chars += static_cast<char>(half >> 8 * byte & 0xFF);
    }
    return chars;
  }
  /// Returns 16 bytes. One half makes a factor zero for any other half.
  static std::string zeroing(std::size_t i) {
    const std::uint64_t s = ingot::detail::first_seed ^ 16 * ingot::detail::text_factor;
    return i % 2 == 0 ? text(s, drawn(i)) : text(drawn(i), std::rotl(s, 32));
  }
  /// As `zeroing`, but at the end of 1,184 bytes.
  static std::string long_zeroing(std::size_t i) {
    std::string key;
    std::uint64_t s = ingot::detail::first_seed ^ 1'184 * ingot::detail::text_factor;
    for (std::size_t k = 0; k < 73; ++k) {
      const std::uint64_t x = drawn(148 * i + 2 * k);
      const std::uint64_t y = drawn(148 * i + 2 * k + 1);
      key += text(x, y);
      s = ingot::detail::fold(s, x, y);
    }
    return key + text(s, drawn(i));
  }

  template <class Key>
  auto make(std::size_t count, Key key) {
    auto& keys = all_.make<std::vector<decltype(key(count))>>();
    for (std::size_t i = 0; i < count; ++i) keys.push_back(key(i));
    return &keys;
  }
  template <class T, class Keys>
  void enter(const std::string& name, std::string_view contender, const Keys* keys) {
    all_.base(name, "ordinary");
    const auto fill = [keys](ingot::live<T>& block) {
      std::uint64_t i = 0;
      for (const auto& key : *keys) block->all.try_emplace(key, i++);
    };
    all_.add(
        name, contender, 0,
        [fill](std::size_t) {
          ingot::live<T> block(ingot::max_block_size{std::size_t{256} << 20});
          fill(block);
          escape(&block);
        },
        [fill, keys] {
          ingot::live<T> block(ingot::max_block_size{std::size_t{256} << 20});
          fill(block);
          std::uint64_t i = 0;
          for (const auto& key : *keys) {
            const auto* const value = block->all.get_if(key);
            if (value == nullptr || *value != i++) return false;
          }
          return block->all.size() == keys->size();
        });
  }
  void goals(const std::string& name, std::initializer_list<std::string_view> contenders) {
    for (const std::string_view each : contenders) all_.target(name, each, {.ratio = 4});
  }

  suite& all_;
};

inline attack::attack(suite& all) : all_(all) {
  for (const std::size_t count : {std::size_t{1'000}, std::size_t{30'000}, std::size_t{1'000'000}}) {
    const std::string name = "insert-" + std::to_string(count);
    if (!all.wants(name)) continue;
    enter<texts>(name, "ordinary",
                 make(count, [](std::size_t i) { return text(drawn(2 * i), drawn(2 * i + 1)); }));
    enter<texts>(name, "zeroing", make(count, zeroing));
    // The last keys collide, when all others have to move.
    enter<texts>(name, "late", make(count, [count](std::size_t i) {
                   return i < count - 100 ? text(drawn(2 * i), drawn(2 * i + 1)) : zeroing(i);
                 }));
    goals(name, {"zeroing", "late"});
    enter<numbers>(name + "-numbers", "ordinary", make(count, [](std::size_t i) { return drawn(i); }));
    enter<numbers>(name + "-numbers", "multiples",
                   make(count, [count](std::size_t i) { return std::uint64_t{i} * (count + count / 4); }));
    goals(name + "-numbers", {"multiples"});
  }
  for (const std::size_t count : {std::size_t{300}, std::size_t{10'000}}) {
    const std::string name = "insert-long-" + std::to_string(count);
    if (!all.wants(name)) continue;
    enter<texts>(name, "ordinary", make(count, [](std::size_t i) {
                   std::string key;
                   for (std::size_t k = 0; k < 74; ++k)
                     key += text(drawn(148 * i + 2 * k), drawn(148 * i + 2 * k + 1));
                   return key;
                 }));
    enter<texts>(name, "zeroing", make(count, long_zeroing));
    goals(name, {"zeroing"});
  }
}

} // namespace bench
