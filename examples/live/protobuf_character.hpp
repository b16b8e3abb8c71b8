// SPDX-License-Identifier: Apache-2.0
// A character between the server's own struct and the message that Protocol Buffers generate.
#pragma once

#include "../demo/world.hpp"
#include "character.pb.h"

namespace live_demo {

inline void to_protobuf(const demo::Character& from, live_demo_proto::Character& to) {
  to.set_id(from.id);
  to.set_name(from.name);
  to.set_level(from.level);
  to.set_healthpoint(from.healthpoint);
  to.set_manapoint(from.manapoint);
  to.set_speed(from.speed);
  const auto place = [](const demo::Position& p, live_demo_proto::Position& q) {
    q.set_x(p.x);
    q.set_y(p.y);
    q.set_z(p.z);
  };
  place(from.pos, *to.mutable_pos());
  auto& items = *to.mutable_items();
  for (const auto& [key, item] : from.items) {
    auto& out = items[key];
    out.set_id(item.id);
    out.set_number(item.number);
    out.set_uuid(item.uuid);
    out.set_timestamp(item.timestamp);
  }
  for (const auto& p : from.path) place(p, *to.add_path());
  to.mutable_attributes()->Assign(from.attributes.begin(), from.attributes.end());
  for (const auto& e : from.equips) {
    auto& out = *to.add_equips();
    out.set_id(e.id);
    out.set_number(e.number);
    out.set_uuid(e.uuid);
    out.set_timestamp(e.timestamp);
    out.set_level(e.level);
    out.mutable_attributes()->Assign(e.attributes.begin(), e.attributes.end());
  }
  for (const auto& s : from.skills) {
    auto& out = *to.add_skills();
    out.set_id(s.id);
    out.set_level(s.level);
  }
}

inline void from_protobuf(const live_demo_proto::Character& from, demo::Character& to) {
  to.id = from.id();
  to.name = from.name();
  to.level = from.level();
  to.healthpoint = from.healthpoint();
  to.manapoint = from.manapoint();
  to.speed = from.speed();
  to.pos = {from.pos().x(), from.pos().y(), from.pos().z()};
  for (const auto& [key, item] : from.items()) {
    to.items.emplace(key, demo::Item{item.id(), item.number(), item.uuid(), item.timestamp()});
  }
  for (const auto& p : from.path()) to.path.push_back({p.x(), p.y(), p.z()});
  to.attributes.assign(from.attributes().begin(), from.attributes().end());
  for (const auto& e : from.equips()) {
    to.equips.push_back({e.id(), e.number(), e.uuid(), e.timestamp(), e.level(),
                         std::vector<float>(e.attributes().begin(), e.attributes().end())});
  }
  for (const auto& s : from.skills()) to.skills.push_back({s.id(), s.level()});
}

} // namespace live_demo
