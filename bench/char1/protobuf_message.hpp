// SPDX-License-Identifier: Apache-2.0
// Converts characters of standard containers to Protocol Buffers messages and back.
#pragma once

#include "character.pb.h"
#include "std_model.hpp"

namespace bench {

inline void put_message(const position& from, bench_proto::Position& to) {
  to.set_x(from.x);
  to.set_y(from.y);
  to.set_z(from.z);
}
template <class From, class To>
void put_thing(const From& from, To& to) {
  to.set_id(from.id);
  to.set_number(from.number);
  to.set_uuid(from.uuid);
  to.set_timestamp(from.timestamp);
}
template <class From, class To>
void get_thing(const From& from, To& to) {
  to.id = from.id();
  to.number = from.number();
  to.uuid = from.uuid();
  to.timestamp = from.timestamp();
}
inline position get_position(const bench_proto::Position& from) { return {from.x(), from.y(), from.z()}; }

inline void build_message(const std_character& c, bench_proto::Character& m) {
  m.set_id(c.id);
  m.set_name(c.name);
  m.set_level(c.level);
  m.set_healthpoint(c.healthpoint);
  m.set_manapoint(c.manapoint);
  m.set_speed(c.speed);
  put_message(c.pos, *m.mutable_pos());
  auto& items = *m.mutable_items();
  for (const auto& [key, it] : c.items) put_thing(it, items[key]);
  for (const auto& p : c.path) put_message(p, *m.add_path());
  m.mutable_attributes()->Add(c.attributes.begin(), c.attributes.end());
  for (const auto& e : c.equips) {
    auto& to = *m.add_equips();
    put_thing(e, to);
    to.set_level(e.level);
    to.mutable_attributes()->Add(e.attributes.begin(), e.attributes.end());
  }
  for (const auto& s : c.skills) {
    auto& to = *m.add_skills();
    to.set_id(s.id);
    to.set_level(s.level);
  }
}

inline std_character from_message(const bench_proto::Character& m) {
  std_character c{
      m.id(), m.name(), m.level(), m.healthpoint(), m.manapoint(), m.speed(), get_position(m.pos()), {}, {},
      {},     {},       {}};
  for (const auto& [key, it] : m.items()) get_thing(it, c.items[key]);
  for (const auto& p : m.path()) c.path.push_back(get_position(p));
  c.attributes.assign(m.attributes().begin(), m.attributes().end());
  for (const auto& from : m.equips()) {
    auto& e = c.equips.emplace_back();
    get_thing(from, e);
    e.level = from.level();
    e.attributes.assign(from.attributes().begin(), from.attributes().end());
  }
  for (const auto& s : m.skills()) c.skills.push_back({s.id(), s.level()});
  return c;
}

} // namespace bench
