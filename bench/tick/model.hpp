// SPDX-License-Identifier: Apache-2.0
// Messages of the TICK workload: small and trivially copyable, so that each unnecessary instruction
// counts.
#pragma once

#include "../harness/random.hpp"

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace bench {

/// 12 bytes.
struct vec {
  float x, y, z;
  bool operator==(const vec&) const = default;
};

/// 80 bytes: 20 scalars of four.
struct large {
  std::uint32_t id, group, owner, flags;
  float x, y, z, w;
  std::int32_t left, top, right, bottom;
  float red, green, blue, alpha;
  std::uint32_t created, changed, seen, version;
  bool operator==(const large&) const = default;
};

/// 25 bytes of data, 32 in memory.
struct tick {
  std::uint64_t time;
  double price;
  std::uint32_t size;
  std::uint32_t id;
  std::uint8_t side;
  bool operator==(const tick&) const = default;
};

inline void draw(random_source& r, vec& v) {
  v.x = r.real();
  v.y = r.real();
  v.z = r.real();
}
inline void draw(random_source& r, large& v) {
  for (auto* p : {&v.id, &v.group, &v.owner, &v.flags}) *p = r.u32();
  for (auto* p : {&v.x, &v.y, &v.z, &v.w}) *p = r.real();
  for (auto* p : {&v.left, &v.top, &v.right, &v.bottom}) *p = static_cast<std::int32_t>(r.u32());
  for (auto* p : {&v.red, &v.green, &v.blue, &v.alpha}) *p = r.real();
  for (auto* p : {&v.created, &v.changed, &v.seen, &v.version}) *p = r.u32();
}
inline void draw(random_source& r, tick& v) {
  v.time = r.u64();
  v.price = r.wide();
  v.size = r.u32();
  v.id = r.u32();
  v.side = r.number<std::uint8_t>(0, 1);
}

template <class T>
std::vector<T> draw_many(std::size_t count, std::uint64_t seed) {
  random_source source(seed);
  std::vector<T> all(count);
  for (T& one : all) draw(source, one);
  return all;
}

} // namespace bench
