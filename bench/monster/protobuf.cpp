// SPDX-License-Identifier: Apache-2.0
// Protocol Buffers: from the structs into its message objects, then to bytes, and back in the same
// way. The message objects are kept between turns, which saves their allocations.
#include "monster.pb.h"
#include "workload.hpp"

namespace bench {
namespace {

void put(const vec3& from, bench_proto::Vec3& to) {
  to.set_x(from.x);
  to.set_y(from.y);
  to.set_z(from.z);
}
void put(const weapon& from, bench_proto::Weapon& to) {
  to.set_name(from.name);
  to.set_damage(from.damage);
}
void put(const monster& from, bench_proto::Monster& to) {
  put(from.position, *to.mutable_position());
  to.set_mana(from.mana);
  to.set_hp(from.hp);
  to.set_name(from.name);
  to.set_inventory(from.inventory.data(), from.inventory.size());
  to.set_colour(static_cast<bench_proto::Colour>(from.colour));
  for (const auto& w : from.weapons) put(w, *to.add_weapons());
  put(from.equipped, *to.mutable_equipped());
  for (const auto& p : from.path) put(p, *to.add_path());
}
void get(const bench_proto::Vec3& from, vec3& to) { to = {from.x(), from.y(), from.z()}; }
void get(const bench_proto::Weapon& from, weapon& to) {
  to.name = from.name();
  to.damage = static_cast<std::int16_t>(from.damage());
}
void get(const bench_proto::Monster& from, monster& to) {
  get(from.position(), to.position);
  to.mana = static_cast<std::int16_t>(from.mana());
  to.hp = static_cast<std::int16_t>(from.hp());
  to.name = from.name();
  to.inventory.assign(from.inventory().begin(), from.inventory().end());
  to.colour = static_cast<colour>(from.colour());
  to.weapons.resize(static_cast<std::size_t>(from.weapons_size()));
  for (int i = 0; i < from.weapons_size(); ++i) get(from.weapons(i), to.weapons[static_cast<std::size_t>(i)]);
  get(from.equipped(), to.equipped);
  to.path.resize(static_cast<std::size_t>(from.path_size()));
  for (int i = 0; i < from.path_size(); ++i) get(from.path(i), to.path[static_cast<std::size_t>(i)]);
}

class protobuf_codec {
public:
  void write(const monsters& in) {
    fill(in);
    out_.SerializeToString(&buffer_);
  }
  std::string written() const { return buffer_; }

  bool write_fixed(const monsters& in) {
    fill(in);
    fixed_size_ = out_.ByteSizeLong();
    return out_.SerializeToArray(fixed_.data(), static_cast<int>(fixed_.size()));
  }
  std::string written_fixed() const { return {fixed_.data(), fixed_size_}; }

  bool read(const std::string& message, monsters& out) {
    if (!in_.ParseFromString(message)) return false;
    out.resize(static_cast<std::size_t>(in_.monsters_size()));
    for (int i = 0; i < in_.monsters_size(); ++i) get(in_.monsters(i), out[static_cast<std::size_t>(i)]);
    return true;
  }

private:
  void fill(const monsters& in) {
    out_.Clear();
    for (const auto& m : in) put(m, *out_.add_monsters());
  }

  bench_proto::Monsters out_;
  bench_proto::Monsters in_;
  std::string buffer_;
  std::vector<char> fixed_ = std::vector<char>(fixed_capacity);
  std::size_t fixed_size_ = 0;
};

} // namespace

void enter_protobuf(suite& all) { enter_monster<protobuf_codec>(all, "protobuf"); }

} // namespace bench
