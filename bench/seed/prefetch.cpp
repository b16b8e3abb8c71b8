// SPDX-License-Identifier: Apache-2.0
// Step 3: the smallest chunk, as in step 2, with a prefetch of the next chunk while the current one
// is read.
#include "heap.hpp"

namespace bench {
namespace {

struct fetched_best_fit {
  std::uint32_t operator()(const seed_heap& heap, std::uint32_t wanted) const {
    std::uint32_t best = seed_heap::none;
    std::uint32_t best_size = ~0U;
    for (std::uint32_t chunk = heap.first(); chunk != seed_heap::none;) {
      const std::uint32_t next = heap.next(chunk);
#if defined(__GNUC__)
      __builtin_prefetch(heap.at(next));
#endif
      const std::uint32_t size = heap.size(chunk);
      if (size >= wanted && size < best_size) {
        best = chunk;
        best_size = size;
        if (size == wanted) break;
      }
      chunk = next;
    }
    return best;
  }
};

} // namespace

void enter_space_prefetch(suite& all) { enter_space<texts_in_heap<fetched_best_fit>>(all, "prefetch"); }

} // namespace bench
