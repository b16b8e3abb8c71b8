// SPDX-License-Identifier: Apache-2.0
// FlatBuffers: one builder that is cleared and reused. Reading verifies the message, since all
// other contenders validate input, and copies it into the structs.
#include "monster_generated.h"
#include "workload.hpp"

namespace bench {
namespace {

namespace fb = flatbuffers;

/// Returns the same memory each time, for the case with a buffer of fixed size.
class fixed_allocator : public fb::Allocator {
public:
  std::uint8_t* allocate(std::size_t size) override {
    return size <= memory_.size() ? memory_.data() : nullptr;
  }
  void deallocate(std::uint8_t*, std::size_t) override {}

private:
  std::vector<std::uint8_t> memory_ = std::vector<std::uint8_t>(fixed_capacity);
};

class flatbuffers_codec {
public:
  void write(const monsters& in) { build(builder_, in); }
  std::string written() const { return copy(builder_); }

  bool write_fixed(const monsters& in) {
    build(fixed_, in);
    return true;
  }
  std::string written_fixed() const { return copy(fixed_); }

  bool read(const std::string& message, monsters& out) {
    const auto* bytes = reinterpret_cast<const std::uint8_t*>(message.data());
    fb::Verifier verifier(bytes, message.size());
    if (!bench_flat::VerifyMonstersBuffer(verifier)) return false;
    const auto& all = *bench_flat::GetMonsters(bytes)->data();
    out.resize(all.size());
    for (fb::uoffset_t i = 0; i < all.size(); ++i) get(*all.Get(i), out[i]);
    return true;
  }

private:
  fb::Offset<bench_flat::Weapon> put(fb::FlatBufferBuilder& b, const weapon& w) {
    const auto name = b.CreateString(w.name);
    return bench_flat::CreateWeapon(b, name, w.damage);
  }

  void build(fb::FlatBufferBuilder& b, const monsters& in) {
    b.Clear();
    monsters_.clear();
    for (const auto& m : in) {
      weapons_.clear();
      for (const auto& w : m.weapons) weapons_.push_back(put(b, w));
      const auto weapons = b.CreateVector(weapons_);
      const auto name = b.CreateString(m.name);
      const auto inventory = b.CreateVector(m.inventory);
      const auto equipped = put(b, m.equipped);
      path_.clear();
      for (const auto& p : m.path) path_.emplace_back(p.x, p.y, p.z);
      const auto path = b.CreateVectorOfStructs(path_);
      const bench_flat::Vec3 position(m.position.x, m.position.y, m.position.z);
      monsters_.push_back(bench_flat::CreateMonster(b, &position, m.mana, m.hp, name, inventory,
                                                    static_cast<bench_flat::Colour>(m.colour), weapons,
                                                    equipped, path));
    }
    b.Finish(bench_flat::CreateMonsters(b, b.CreateVector(monsters_)));
  }

  static std::string copy(const fb::FlatBufferBuilder& b) {
    return {reinterpret_cast<const char*>(b.GetBufferPointer()), b.GetSize()};
  }

  static void get(const bench_flat::Weapon& from, weapon& to) {
    to.name.assign(from.name()->c_str(), from.name()->size());
    to.damage = from.damage();
  }
  static void get(const bench_flat::Monster& from, monster& to) {
    to.position = {from.position()->x(), from.position()->y(), from.position()->z()};
    to.mana = from.mana();
    to.hp = from.hp();
    to.name.assign(from.name()->c_str(), from.name()->size());
    to.inventory.assign(from.inventory()->begin(), from.inventory()->end());
    to.colour = static_cast<colour>(from.colour());
    to.weapons.resize(from.weapons()->size());
    for (fb::uoffset_t i = 0; i < from.weapons()->size(); ++i) get(*from.weapons()->Get(i), to.weapons[i]);
    get(*from.equipped(), to.equipped);
    to.path.resize(from.path()->size());
    for (fb::uoffset_t i = 0; i < from.path()->size(); ++i) {
      const auto& p = *from.path()->Get(i);
      to.path[i] = {p.x(), p.y(), p.z()};
    }
  }

  fb::FlatBufferBuilder builder_{fixed_capacity};
  fixed_allocator memory_;
  fb::FlatBufferBuilder fixed_{fixed_capacity, &memory_};
  std::vector<fb::Offset<bench_flat::Monster>> monsters_;
  std::vector<fb::Offset<bench_flat::Weapon>> weapons_;
  std::vector<bench_flat::Vec3> path_;
};

} // namespace

void enter_flatbuffers(suite& all) { enter_monster<flatbuffers_codec>(all, "flatbuffers"); }

} // namespace bench
