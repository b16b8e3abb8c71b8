// SPDX-License-Identifier: Apache-2.0
// Data of the MONSTER workload: the types of the usual benchmark (cpp_serializers_benchmark), and
// values whose totals are close to that benchmark's, so that its published sizes can be compared.
#pragma once

#include "../harness/random.hpp"

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace bench {

struct vec3 {
  float x, y, z;
  bool operator==(const vec3&) const = default;
};

enum class colour : std::uint8_t { red, green, blue };

struct weapon {
  std::string name;
  std::int16_t damage;
  bool operator==(const weapon&) const = default;
};

struct monster {
  vec3 position;
  std::int16_t mana;
  std::int16_t hp;
  std::string name;
  std::vector<std::uint8_t> inventory;
  bench::colour colour;
  std::vector<weapon> weapons;
  weapon equipped;
  std::vector<vec3> path;
  bool operator==(const monster&) const = default;
};

using monsters = std::vector<monster>;

/// 249 weapons in lists, 250 path points, 226 inventory bytes, 253 name and 1,486 weapon-name
/// characters, 500 lengths: 6,413 bytes without lengths, 6,913 with lengths of one byte, 8,413 with
/// lengths of four.
inline constexpr std::uint64_t monster_seed = 1879181;

class monster_source {
public:
  explicit monster_source(std::uint64_t seed) : draw_(seed) {}

  monsters fifty() {
    monsters all;
    for (int i = 0; i < 50; ++i) all.push_back(one());
    return all;
  }

private:
  std::size_t length() { return draw_.between(1, 9); }
  vec3 point() {
    vec3 p{};
    p.x = draw_.real();
    p.y = draw_.real();
    p.z = draw_.real();
    return p;
  }
  weapon arm() {
    weapon w{};
    w.name = draw_.text(length());
    w.damage = draw_.number<std::int16_t>(0, 32766);
    return w;
  }
  monster one() {
    monster m{};
    m.position = point();
    m.mana = draw_.number<std::int16_t>(0, 499);
    m.hp = draw_.number<std::int16_t>(0, 999);
    m.name = draw_.text(length());
    m.inventory.resize(length());
    for (auto& item : m.inventory) item = draw_.number<std::uint8_t>(1, 9);
    m.colour = static_cast<colour>(draw_.between(0, 2));
    m.weapons.resize(length());
    for (auto& w : m.weapons) w = arm();
    m.equipped = arm();
    m.path.resize(length());
    for (auto& p : m.path) p = point();
    return m;
  }

  random_source draw_;
};

} // namespace bench
