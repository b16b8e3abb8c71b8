// SPDX-License-Identifier: Apache-2.0
// Contenders whose containers are values that allocate with new: the standard ones and Boost's.
#pragma once

#include "workload.hpp"

#include <cstddef>
#include <cstdint>

namespace bench {

/// `F` names vector, map and string; `World` is a map of characters by number.
template <class F, class World = typename F::template map<std::uint64_t, character_of<F>>>
struct plain_backend {
  template <class T>
  struct holder {
    explicit holder(std::size_t) {}
    T value{};
  };
  using character = character_of<F>;
  using items = typename F::template map<std::uint64_t, item>;
  using strings = typename F::template vector<typename F::string>;
  using world = World;

  template <class T>
  static T& root(holder<T>& h) {
    return h.value;
  }
  template <class V>
  static auto& append(V& list) {
    return list.emplace_back();
  }
  static character& add(world& all, std::uint64_t key) { return all.try_emplace(key).first->second; }
  template <class T>
  static void trim(holder<T>&) {}
};

} // namespace bench
