// SPDX-License-Identifier: Apache-2.0
// Converts characters of standard containers to FlatBuffers tables.
#pragma once

#include "character_generated.h"
#include "std_model.hpp"

#include <cstddef>
#include <vector>

namespace bench {

/// `equips` is memory that is reused.
inline flatbuffers::Offset<bench_flat::Character>
build_table(flatbuffers::FlatBufferBuilder& builder, const std_character& c,
            std::vector<flatbuffers::Offset<bench_flat::Equip>>& equips) {
  const auto name = builder.CreateString(c.name);
  auto next = c.items.begin();
  const auto items = builder.CreateVectorOfStructs<bench_flat::Item>(
      c.items.size(), [&next](std::size_t, bench_flat::Item* to) {
        const auto& [key, it] = *next++;
        *to = bench_flat::Item(key, it.id, it.number, it.uuid, it.timestamp);
      });
  const auto path = builder.CreateVectorOfStructs(
      reinterpret_cast<const bench_flat::Position*>(c.path.data()), c.path.size());
  const auto attributes = builder.CreateVector(c.attributes);
  equips.clear();
  for (const auto& e : c.equips) {
    const auto list = builder.CreateVector(e.attributes);
    equips.push_back(bench_flat::CreateEquip(builder, e.id, e.number, e.uuid, e.timestamp, e.level, list));
  }
  const auto equip_list = builder.CreateVector(equips);
  const auto skills = builder.CreateVectorOfStructs(
      reinterpret_cast<const bench_flat::Skill*>(c.skills.data()), c.skills.size());
  const bench_flat::Position pos(c.pos.x, c.pos.y, c.pos.z);
  return bench_flat::CreateCharacter(builder, c.id, name, c.level, c.healthpoint, c.manapoint, c.speed, &pos,
                                     items, path, attributes, equip_list, skills);
}

} // namespace bench
