// SPDX-License-Identifier: Apache-2.0
// Standard containers: the base of the ratios. They can't be sent. Among the encoders, a copy of
// the struct takes their place, which is the minimum cost of decoding into a struct.
#include "std_model.hpp"
#include "wire.hpp"

#include <vector>

namespace bench {
namespace {

void enter(suite& all) {
  enter_char1<std_backend>(all, "std");
  auto& sources = all.make<std::vector<std_character>>();
  for (std::uint64_t seed = 0; seed < wire_sources; ++seed) sources.push_back(make_std_character(seed));
  for (const char* name : {"encode-decode-nocopy", "encode-decode-1copy", "encode-decode-2copy",
                           "encode-decode-checked", "adopt"}) {
    all.add(
        name, "std", 0,
        [from = sources.data()](std::size_t i) {
          const std_character copy = from[i % wire_sources];
          keep(copy.id);
          escape(&copy);
        },
        [] { return true; });
  }
  auto& world = all.make<std_backend::world>();
  for (std::uint64_t seed = 0; seed < world_size; ++seed) {
    auto character = make_std_character(seed, 20);
    const auto id = character.id;
    world.try_emplace(id, std::move(character));
  }
  for (const char* name : {"compact-copy", "compact-inplace"}) {
    all.add(
        name, "std", 0,
        [from = &world](std::size_t) {
          const auto copy = *from;
          escape(&copy);
        },
        [] { return true; });
  }
}

} // namespace

const char1_contender char1_std{"std", enter, hold_characters<std_backend>};

} // namespace bench
