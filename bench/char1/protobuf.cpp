// SPDX-License-Identifier: Apache-2.0
// Protocol Buffers: the message built from the struct on an arena, serialised into memory kept between turns, and
// parsed into a message on an arena, which is what its programs work with; parsing always checks.
#include "character.pb.h"
#include "wire.hpp"

#include <google/protobuf/arena.h>

namespace bench {
namespace {

namespace pb = google::protobuf;

void put(const position& from, bench_proto::Position& to) {
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
position get(const bench_proto::Position& from) { return {from.x(), from.y(), from.z()}; }

class codec {
public:
  byte_span encode(const std_character& c) {
    pb::Arena arena(options());
    auto& m = *pb::Arena::CreateMessage<bench_proto::Character>(&arena);
    build(c, m);
    const std::size_t size = m.ByteSizeLong();
    m.SerializeWithCachedSizesToArray(reinterpret_cast<std::uint8_t*>(buffer_.data()));
    return {buffer_.data(), size};
  }
  std::uint64_t take(byte_span bytes) {
    pb::Arena arena(options());
    auto& m = *pb::Arena::CreateMessage<bench_proto::Character>(&arena);
    return m.ParseFromArray(bytes.data(), static_cast<int>(bytes.size())) ? m.id() : 0;
  }
  std::uint64_t take_checked(byte_span bytes) { return take(bytes); }
  std::uint64_t checksum(byte_span bytes) {
    bench_proto::Character m;
    if (!m.ParseFromArray(bytes.data(), static_cast<int>(bytes.size()))) return 0;
    std_character c{
        m.id(), m.name(), m.level(), m.healthpoint(), m.manapoint(), m.speed(), get(m.pos()), {}, {},
        {},     {},       {}};
    for (const auto& [key, it] : m.items()) get_thing(it, c.items[key]);
    for (const auto& p : m.path()) c.path.push_back(get(p));
    c.attributes.assign(m.attributes().begin(), m.attributes().end());
    for (const auto& from : m.equips()) {
      auto& e = c.equips.emplace_back();
      get_thing(from, e);
      e.level = from.level();
      e.attributes.assign(from.attributes().begin(), from.attributes().end());
    }
    for (const auto& s : m.skills()) c.skills.push_back({s.id(), s.level()});
    return bench::checksum(c);
  }

private:
  /// The arena's first block is kept too.
  pb::ArenaOptions options() {
    pb::ArenaOptions o;
    o.initial_block = block_.data();
    o.initial_block_size = block_.size();
    return o;
  }

  static void build(const std_character& c, bench_proto::Character& m) {
    m.set_id(c.id);
    m.set_name(c.name);
    m.set_level(c.level);
    m.set_healthpoint(c.healthpoint);
    m.set_manapoint(c.manapoint);
    m.set_speed(c.speed);
    put(c.pos, *m.mutable_pos());
    auto& items = *m.mutable_items();
    for (const auto& [key, it] : c.items) put_thing(it, items[key]);
    for (const auto& p : c.path) put(p, *m.add_path());
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

  std::vector<char> block_ = std::vector<char>(64 * 1024);
  std::vector<std::byte> buffer_ = std::vector<std::byte>(character_room);
};

} // namespace

void enter_char1_protobuf(suite& all) { enter_wire<codec>(all, "protobuf"); }

} // namespace bench
