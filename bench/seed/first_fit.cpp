// SPDX-License-Identifier: Apache-2.0
// Step 1: freed memory is used again. Takes the first free chunk that is large enough.
#include "heap.hpp"

namespace bench {
namespace {

struct first_fit {
  std::uint32_t operator()(const seed_heap& heap, std::uint32_t wanted) const {
    std::uint32_t chunk = heap.first();
    while (chunk != seed_heap::none && heap.size(chunk) < wanted) chunk = heap.next(chunk);
    return chunk;
  }
};

} // namespace

void enter_space_first_fit(suite& all) { enter_space<texts_in_heap<first_fit>>(all, "first-fit"); }

} // namespace bench
