// SPDX-License-Identifier: Apache-2.0
// Data of the CHAR-1 workload: a game character, and how it is filled, edited, read and summed. All
// values are drawn in advance. The code that works on a character is the same for the containers of
// all contenders.
#pragma once

#include "../harness/random.hpp"

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

namespace bench {

struct skill {
  std::uint32_t id;
  std::uint32_t level;
  bool operator==(const skill&) const = default;
};
struct item {
  std::uint32_t id;
  std::uint32_t number;
  std::uint64_t uuid;
  std::uint64_t timestamp;
  bool operator==(const item&) const = default;
};
struct position {
  float x, y, z;
  bool operator==(const position&) const = default;
};

/// `F` defines the containers.
template <class F>
struct equip_of {
  std::uint32_t id;
  std::uint32_t number;
  std::uint64_t uuid;
  std::uint64_t timestamp;
  std::uint32_t level;
  typename F::template vector<float> attributes;
};
template <class F>
struct character_of {
  std::uint64_t id;
  typename F::string name;
  std::uint32_t level;
  float healthpoint;
  float manapoint;
  float speed;
  position pos;
  typename F::template map<std::uint64_t, item> items;
  typename F::template vector<position> path;
  typename F::template vector<float> attributes;
  typename F::template vector<equip_of<F>> equips;
  typename F::template vector<skill> skills;
};

/// Raw random outputs for FILL, read in order; the first eight also choose the name.
class raw_values {
public:
  static constexpr std::size_t count = 504;

  explicit raw_values(std::uint64_t seed) : raw_(count) {
    random_source draw(seed);
    for (auto& r : raw_) r = draw.u64();
  }
  [[nodiscard]] const std::uint64_t* data() const { return raw_.data(); }

private:
  std::vector<std::uint64_t> raw_;
};

class raw_cursor {
public:
  explicit raw_cursor(const std::uint64_t* at) : at_(at) {}
  std::uint64_t u64() { return *at_++; }
  std::uint32_t u32() { return static_cast<std::uint32_t>(*at_++ >> 32); }
  float real() { return static_cast<float>(*at_++ >> 40) * 0x1p-24f; }

private:
  const std::uint64_t* at_;
};

inline constexpr std::size_t build_seeds = 300;

/// Returns the values of the seeds 0..299.
inline const std::vector<raw_values>& build_values() {
  static const std::vector<raw_values> all = [] {
    std::vector<raw_values> values;
    for (std::uint64_t seed = 0; seed < build_seeds; ++seed) values.emplace_back(seed);
    return values;
  }();
  return all;
}

inline constexpr std::string_view charset = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789";

/// The values that one RW iteration writes.
struct edit {
  struct equip_values {
    std::uint32_t id;
    std::uint64_t uuid;
    std::uint32_t number;
    std::uint64_t timestamp;
    std::uint32_t level;
    std::array<float, 8> attributes;
  };
  position pos;
  std::array<equip_values, 4> equips;
  std::array<position, 8> path;
  float attribute;
  std::uint64_t key;
  item thing;
};

inline constexpr std::size_t edit_count = 256;

template <class Draw>
position draw_position(Draw& draw) {
  position p{};
  p.x = draw.real();
  p.y = draw.real();
  p.z = draw.real();
  return p;
}
template <class Draw>
item draw_item(Draw& draw) {
  item it{};
  it.id = draw.u32();
  it.uuid = draw.u64();
  it.number = draw.u32();
  it.timestamp = draw.u64();
  return it;
}
/// Draws the five scalars of an equip, either the contender's or the table's.
template <class Draw, class Equip>
void draw_equip(Draw& draw, Equip& e) {
  e.id = draw.u32();
  e.uuid = draw.u64();
  e.number = draw.u32();
  e.timestamp = draw.u64();
  e.level = draw.u32();
}

inline const std::array<edit, edit_count>& edits() {
  static const std::array<edit, edit_count> table = [] {
    std::array<edit, edit_count> all{};
    random_source draw(1);
    for (auto& e : all) {
      e.pos = draw_position(draw);
      for (auto& q : e.equips) {
        draw_equip(draw, q);
        for (auto& a : q.attributes) a = draw.real();
      }
      for (auto& p : e.path) p = draw_position(draw);
      e.attribute = draw.real();
      e.key = draw.u64();
      e.thing = draw_item(draw);
    }
    return all;
  }();
  return table;
}

/// Fills a character. `B::append(list)` adds an empty element at the end, in place, and returns it.
template <class B, class C>
void fill(C& c, const std::uint64_t* raw, bool prealloc = false) {
  std::array<char, 8> name{};
  for (std::size_t i = 0; i < name.size(); ++i) name[i] = charset[raw[i] % charset.size()];
  c.name.assign(std::string_view(name.data(), name.size()));
  if (prealloc) {
    c.path.resize(16);
    c.attributes.resize(16);
    c.equips.reserve(8);
    c.skills.reserve(4);
  }
  raw_cursor draw(raw);
  c.id = draw.u64();
  c.level = draw.u32();
  c.healthpoint = draw.real();
  c.manapoint = draw.real();
  c.speed = draw.real();
  c.pos = draw_position(draw);
  for (int i = 0; i < 64; ++i) {
    const std::uint64_t key = draw.u64();
    c.items.try_emplace(key, draw_item(draw));
  }
  for (std::size_t i = 0; i < 16; ++i) {
    if (prealloc) c.path[i] = draw_position(draw);
    else c.path.push_back(draw_position(draw));
  }
  for (std::size_t i = 0; i < 16; ++i) {
    if (prealloc) c.attributes[i] = draw.real();
    else c.attributes.push_back(draw.real());
  }
  for (int i = 0; i < 8; ++i) {
    auto& e = B::append(c.equips);
    draw_equip(draw, e);
    for (int k = 0; k < 8; ++k) e.attributes.push_back(draw.real());
  }
  for (int i = 0; i < 4; ++i) {
    skill s{};
    s.id = draw.u32();
    s.level = draw.u32();
    c.skills.push_back(s);
  }
}

// The steps of an RW iteration that are also timed alone.

template <class B, class C>
void edit_equips(C& c, const edit& e) {
  for (const auto& q : e.equips) {
    c.equips.pop_back();
    auto& added = B::append(c.equips);
    added.id = q.id;
    added.number = q.number;
    added.uuid = q.uuid;
    added.timestamp = q.timestamp;
    added.level = q.level;
    added.attributes.assign(q.attributes.data(), q.attributes.data() + q.attributes.size());
  }
}
template <class C>
void lengthen_path(C& c, const edit& e) {
  for (const auto& p : e.path) c.path.push_back(p);
}
template <class C>
void shorten_path(C& c) {
  for (int i = 0; i < 8; ++i) c.path.pop_back();
}
template <class M>
void edit_items(M& items, std::uint64_t key, const item& thing) {
  items.try_emplace(key, thing);
  items.erase(key);
}

template <class B, class C>
void rewrite(C& c, const edit& e) {
  c.level += 1;
  c.healthpoint += 1;
  c.manapoint += 1;
  c.speed += 1;
  c.pos = e.pos;
  edit_equips<B>(c, e);
  lengthen_path(c, e);
  c.attributes.push_back(e.attribute);
  edit_items(c.items, e.key, e.thing);
  shorten_path(c);
  c.attributes.pop_back();
  c.speed -= 1;
  c.manapoint -= 1;
  c.healthpoint -= 1;
  c.level -= 1;
}

/// Sums of READ. Floats have several sums, with one for those of lists, so that additions don't
/// wait for each other. One chain of additions would take the same time with any containers, and
/// hide their cost.
struct totals {
  std::uint64_t whole = 0;
  float x = 0, y = 0, z = 0, rest = 0;
  bool operator==(const totals&) const = default;
};

template <class L>
float sum_of(const L& numbers) {
  float sum = 0;
  for (const float number : numbers) sum += number;
  return sum;
}
inline void add(totals& sum, const position& p) {
  sum.x += p.x;
  sum.y += p.y;
  sum.z += p.z;
}

template <class C>
totals traverse(const C& c) {
  totals sum;
  sum.whole = c.id + c.level;
  sum.rest = c.healthpoint + c.manapoint + c.speed;
  for (const char letter : c.name) sum.whole += static_cast<std::uint8_t>(letter);
  add(sum, c.pos);
  for (auto&& [key, it] : c.items) sum.whole += key + it.id + it.number + it.uuid + it.timestamp;
  for (const auto& p : c.path) add(sum, p);
  sum.rest += sum_of(c.attributes);
  for (const auto& e : c.equips) {
    sum.whole += e.id + e.number + e.uuid + e.timestamp + e.level;
    sum.rest += sum_of(e.attributes);
  }
  for (const auto& s : c.skills) sum.whole += s.id + s.level;
  return sum;
}
template <class M>
std::uint64_t find_all(const M& items, const std::uint64_t* keys, std::size_t count) {
  std::uint64_t sum = 0;
  for (std::size_t i = 0; i < count; ++i) {
    const auto found = items.find(keys[i]);
    if (found != items.end()) sum += found->second.id;
  }
  return sum;
}

/// FNV-1a with the offset basis that the workload defines.
class fnv {
public:
  void number(std::uint64_t value, int bytes = 8) {
    for (int i = 0; i < bytes; ++i) sum_ = (sum_ ^ (value >> 8 * i & 0xFF)) * 1099511628211U;
  }
  void number(std::uint32_t value) { number(value, 4); }
  void number(float value) { number(std::bit_cast<std::uint32_t>(value), 4); }
  [[nodiscard]] std::uint64_t sum() const { return sum_; }

private:
  std::uint64_t sum_ = 1469598103934665603U;
};

template <class C>
std::uint64_t checksum(const C& c) {
  fnv hash;
  const auto point = [&hash](const position& p) {
    hash.number(p.x);
    hash.number(p.y);
    hash.number(p.z);
  };
  hash.number(c.id);
  for (const char letter : c.name) hash.number(static_cast<std::uint8_t>(letter), 1);
  hash.number(c.level);
  for (const float f : {c.healthpoint, c.manapoint, c.speed}) hash.number(f);
  point(c.pos);
  hash.number(std::uint64_t{c.items.size()});
  for (auto&& [key, it] : c.items) {
    hash.number(std::uint64_t{key});
    hash.number(it.id);
    hash.number(it.uuid);
    hash.number(it.number);
    hash.number(it.timestamp);
  }
  hash.number(std::uint64_t{c.path.size()});
  for (const auto& p : c.path) point(p);
  hash.number(std::uint64_t{c.attributes.size()});
  for (const float a : c.attributes) hash.number(a);
  hash.number(std::uint64_t{c.equips.size()});
  for (const auto& e : c.equips) {
    hash.number(e.id);
    hash.number(e.uuid);
    hash.number(e.number);
    hash.number(e.timestamp);
    hash.number(e.level);
    hash.number(std::uint64_t{e.attributes.size()});
    for (const float a : e.attributes) hash.number(a);
  }
  hash.number(std::uint64_t{c.skills.size()});
  for (const auto& s : c.skills) {
    hash.number(s.id);
    hash.number(s.level);
  }
  return hash.sum();
}

/// Expected sums, which are the same for all contenders.
struct expected_sums {
  std::uint64_t seed;
  std::string_view name;
  std::uint64_t filled, edited_once, edited_often;
};
inline constexpr std::array<expected_sums, 2> expected{
    {{0, "mlvUQAfG", 0xfe19592edcebaf5a, 0x3d3f6a83306fd16c, 0x58f29824ffd8c013},
     {1, "sqIEmvsd", 0x734519cec5b985ce, 0x03d3d97807532852, 0xc72ecd3a71ce2c91}}};

} // namespace bench
