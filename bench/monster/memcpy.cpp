// SPDX-License-Identifier: Apache-2.0
// The bound for writing and reading these bytes: a copy of as much as ingot's packed message has.
#include "workload.hpp"

#include <cstring>

namespace bench {
namespace {

/// Returns the size of the packed message: u32 ends and counts, in addition to 6,413 bytes of
/// payload.
std::size_t packed_size(const monsters& all) {
  std::size_t size = 4;
  for (const auto& m : all) {
    size += 39 + 4 + m.name.size() + m.inventory.size() + m.equipped.name.size() + 12 * m.path.size();
    for (const auto& w : m.weapons) size += 6 + w.name.size();
  }
  return size;
}

} // namespace

void enter_memcpy(suite& all) {
  struct state {
    std::vector<std::string> messages;
    std::vector<char> target = std::vector<char>(fixed_capacity);
  };
  auto* const p = &all.make<state>();
  for (const auto& one : monster_data()) p->messages.emplace_back(packed_size(one), 'x');
  const auto nothing_to_check = [] { return true; };
  for (const char* name : {"ser", "ser-fixed", "des-warm", "des-fresh"}) {
    for (const bool varied : {false, true}) {
      const std::size_t mask = varied ? varied_count - 1 : 0;
      all.add(
          std::string(name) + (varied ? "-varied" : ""), "memcpy", p->messages[0].size(),
          [p, mask](std::size_t i) {
            const auto& message = p->messages[i & mask];
            std::memcpy(p->target.data(), message.data(), message.size());
            escape(p->target.data());
          },
          nothing_to_check);
    }
  }
}

} // namespace bench
