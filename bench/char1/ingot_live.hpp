// SPDX-License-Identifier: Apache-2.0
// The character of ingot's containers.
#pragma once

#include <ingot/live/live.hpp>
#include <ingot/live/map.hpp>
#include <ingot/live/string.hpp>
#include <ingot/live/vector.hpp>

#include "workload.hpp"

#include <cstddef>
#include <cstdint>

namespace bench {

struct live_family {
  template <class T>
  using vector = ingot::vector<T>;
  template <class K, class V>
  using map = ingot::map<K, V>;
  using string = ingot::string;
};
using live_character = character_of<live_family>;

struct live_backend {
  template <class T>
  struct holder {
    explicit holder(std::size_t capacity) : block(ingot::max_block_size{capacity}) {}
    ingot::live<T> block;
  };
  using character = live_character;
  using items = ingot::map<std::uint64_t, item>;
  using strings = ingot::vector<ingot::string>;
  using world = ingot::map<std::uint64_t, character>;

  template <class T>
  static T& root(holder<T>& h) {
    return *h.block;
  }
  template <class V>
  static auto& append(V& list) {
    return list.emplace_back();
  }
  static character& add(world& all, std::uint64_t key) { return all.try_emplace(key).first->second; }
  template <class T>
  static void trim(holder<T>& h) {
    h.block.compact(); // free bytes that filling left go back to the system, too
    h.block.trim();
  }
};

void enter_ingot_live_wire(suite& all);

} // namespace bench
