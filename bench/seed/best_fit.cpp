// SPDX-License-Identifier: Apache-2.0
// Step 2: takes the smallest free chunk that is large enough.
#include "heap.hpp"

namespace bench {
namespace {

struct best_fit {
  std::uint32_t operator()(const seed_heap& heap, std::uint32_t wanted) const {
    std::uint32_t best = seed_heap::none;
    std::uint32_t best_size = ~0U;
    for (std::uint32_t chunk = heap.first(); chunk != seed_heap::none; chunk = heap.next(chunk)) {
      const std::uint32_t size = heap.size(chunk);
      if (size < wanted || size >= best_size) continue;
      best = chunk;
      best_size = size;
      if (size == wanted) break;
    }
    return best;
  }
};

} // namespace

void enter_space_best_fit(suite& all) { enter_space<texts_in_heap<best_fit>>(all, "best-fit"); }

} // namespace bench
