// SPDX-License-Identifier: Apache-2.0
// Characters as on a game's servers. Those of CHAR-1 are raw outputs of a generator, which no
// compressor can reduce. Here values have the ranges, steps and regularities of real data, with
// many different draws:
//
// - ids: accounts in the order of their creation over two years, a few numbers apart
// - names: two to four of 32 syllables
// - levels: 1 to 80, low ones more often; health, mana and base attributes depend on the level
// - positions: in one of 24 zones, on a grid of a 16th of a metre; a path has up to 16 steps of at
//   most four metres
// - items: 20 to 64 in slots of bags, keyed by slot. Each is one of 1,500 things, some much more
//   frequent than others; two thirds can't be stacked. They are taken in sessions with days between
//   them, seconds to minutes apart, half of them together with the previous one. One in eight takes
//   the slot of an earlier item.
// - uuids: 64 bits as services assign them: milliseconds, the number of the server (mostly the
//   character's own, of 32), a counter
// - equips: one for each of eight slots, of eight tiers by level; three to five of eight
//   attributes, in halves
// - skills: four of twelve of the class
//
// All arithmetic is on integers of std::mt19937_64, so that all machines have the same data.
#pragma once

#include "../char1/std_character.hpp"
#include "../harness/random.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace bench {

class real_characters {
public:
  explicit real_characters(std::uint64_t seed) : draw_(seed) {}

  std_character next() {
    std_character c{};
    id_ += draw_.between(1, 4);
    c.id = id_;
    c.name = name();
    // The lower of two draws, since there are more beginners.
    c.level = static_cast<std::uint32_t>(std::min(draw_.between(1, 80), draw_.between(1, 80)));
    const bool rested = one_in(4);
    c.healthpoint = part_of(100 + 12 * c.level, rested);
    c.manapoint = part_of(50 + 8 * c.level, rested);
    constexpr std::array<float, 4> speeds{7, 7, 11.25F, 14};
    c.speed = speeds[draw_.number<std::size_t>(0, 3)];
    c.pos = random_position();
    home_ = draw_.between(0, 31);
    created_ = first_day + id_ * 25; // two years for all 20,000 characters
    add_items(c);
    add_path(c);
    for (std::uint32_t i = 0; i < 16; ++i)
      c.attributes.push_back(static_cast<float>(5 + c.level * (1 + i % 4) / 2 + draw_.between(0, 7)));
    for (std::uint32_t i = 0; i < 8; ++i) c.equips.push_back(equip(i, c.level));
    const std::uint32_t of_class = draw_.number<std::uint32_t>(0, 8) * 12;
    for (std::uint32_t i = 0; i < 4; ++i)
      c.skills.push_back(
          {1 + of_class + i * 3 + draw_.number<std::uint32_t>(0, 2), 1 + std::min(4U, c.level / 16)});
    return c;
  }

private:
  static constexpr std::uint64_t first_day = 1'640'995'200; // in seconds

  bool one_in(std::uint64_t n) { return draw_.between(1, n) == 1; }
  float part_of(std::uint32_t max_value, bool rested) {
    const std::uint64_t percent = rested ? draw_.between(20, 99) : 100;
    return static_cast<float>(max_value * percent / 100);
  }
  /// Returns a multiple of a sixteenth.
  static float sixteenths(std::int64_t n) { return static_cast<float>(n) / 16; }
  std::int64_t around(std::int64_t n) {
    return static_cast<std::int64_t>(draw_.between(0, 2 * static_cast<std::uint64_t>(n))) - n;
  }

  std::string name() {
    static constexpr std::array<std::string_view, 32> syllables{
        "ka",  "ri",  "mor", "dan", "el",  "tha", "vin", "zul", "gar", "sha", "lo",
        "mi",  "dra", "ken", "ul",  "fay", "bel", "ion", "ra",  "the", "os",  "ny",
        "var", "gul", "isa", "bor", "an",  "wyn", "tor", "que", "sol", "ja"};
    std::string drawn;
    for (std::uint64_t n = draw_.between(2, 4); n != 0; --n)
      drawn += syllables[draw_.number<std::size_t>(0, 31)];
    drawn[0] = static_cast<char>(drawn[0] - 'a' + 'A');
    return drawn;
  }
  position random_position() {
    const auto zone = static_cast<std::int64_t>(draw_.between(0, 23));
    x_ = (zone % 6 * 1'024 + around(400)) * 16 + around(8);
    y_ = (zone / 6 * 1'024 + around(400)) * 16 + around(8);
    z_ = zone * 4 * 16 + around(160);
    return here();
  }
  [[nodiscard]] position here() const { return {sixteenths(x_), sixteenths(y_), sixteenths(z_)}; }
  void add_path(std_character& c) {
    for (std::uint64_t n = draw_.between(4, 16); n != 0; --n) {
      x_ += around(64);
      y_ += around(64);
      z_ += around(4);
      c.path.push_back(here());
    }
  }
  /// Returns the number of a thing; lower numbers are more frequent.
  std::uint32_t thing() {
    return static_cast<std::uint32_t>(draw_.between(0, 1'499) * draw_.between(0, 1'499) / 1'499);
  }
  std::uint64_t uuid(std::uint64_t seconds) {
    const std::uint64_t milliseconds = seconds * 1'000 + draw_.between(0, 999);
    const std::uint64_t server = one_in(8) ? draw_.between(0, 31) : home_;
    return milliseconds << 22 | server << 12;
  }
  void add_items(std_character& c) {
    std::vector<item> taken(draw_.number<std::size_t>(20, 64));
    std::uint64_t when = created_;
    std::uint64_t last = 0;
    for (item& one : taken) {
      if (last == 0 || one_in(2)) {
        when += one_in(8) ? draw_.between(40'000, 400'000) : draw_.between(5, 400);
        last = uuid(when);
      } else {
        ++last; // found in the same place
      }
      one.id = 10'000 + thing();
      one.number = one.id % 3 != 0 ? 1 : one_in(2) ? 20 : draw_.number<std::uint32_t>(1, 20);
      one.uuid = last;
      one.timestamp = when;
    }
    for (item& one : taken) {
      if (one_in(8)) std::swap(one, taken[draw_.number<std::size_t>(0, taken.size() - 1)]);
    }
    std::uint64_t slot = 0;
    for (const item& one : taken) {
      c.items.emplace_hint(c.items.end(), slot, one);
      slot += one_in(8) ? draw_.between(2, 6) : 1;
    }
    last_ = when;
  }
  std_equip equip(std::uint32_t slot, std::uint32_t level) {
    std_equip e{};
    const std::uint32_t tier = level / 10;
    e.id = 30'000 + slot * 64 + tier * 8 + draw_.number<std::uint32_t>(0, 7);
    e.number = 1;
    e.timestamp = last_ - draw_.between(0, 200'000);
    e.uuid = uuid(e.timestamp);
    e.level = std::max(1U, level - std::min(level, draw_.number<std::uint32_t>(0, 5)));
    const std::uint64_t some = draw_.between(3, 5);
    for (std::uint64_t i = 0; i < 8; ++i)
      e.attributes.push_back(i < some ? static_cast<float>(tier * 8 + draw_.between(1, 32)) / 2 : 0);
    return e;
  }

  random_source draw_;
  std::uint64_t id_ = 100'000;
  std::uint64_t created_ = 0;
  std::uint64_t last_ = 0;
  std::uint64_t home_ = 0;
  std::int64_t x_ = 0, y_ = 0, z_ = 0;
};

} // namespace bench
