// SPDX-License-Identifier: Apache-2.0
// The lower bound: a memcpy of the size of ingot's block of the case, into existing memory.
#include "workload.hpp"

#include <cstring>
#include <utility>

namespace bench {

void enter_records_memcpy(suite& all, const block_sizes& sizes) {
  struct state {
    std::vector<std::byte> from, to;
  };
  const auto enter = [&all](std::string_view name, std::size_t size) {
    auto* const p = &all.make<state>();
    p->from.assign(size, std::byte{'x'});
    p->to.assign(size, std::byte{});
    all.add(
        name, "memcpy", size,
        [p](std::size_t) {
          std::memcpy(p->to.data(), p->from.data(), p->from.size());
          escape(p->to.data());
        },
        [] { return true; });
  };
  enter("open-canonical", sizes.records);
  enter("open-canonical-1k", sizes.few);
  enter("open-canonical-maps", sizes.maps);
  enter("open-edited", sizes.edited);
  enter("open-canonical-copy", sizes.records);
  enter("traverse", sizes.maps);
  enter("serialize", sizes.maps);
  enter("floats-1m", sizes.floats);
  enter("strings-100k", sizes.strings);
}

} // namespace bench
