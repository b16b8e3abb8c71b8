// SPDX-License-Identifier: Apache-2.0
// A world of characters on two area servers. At every tick some walk over the border: their bytes
// are handed over, and the other server has them as its own, ready to be edited. Measures a
// crossing with ingot, Protocol Buffers and MessagePack.
#pragma once

#include "../demo/peers.hpp"
#include "character.hpp"
#include "clock.hpp"
#include "protobuf_character.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdio>
#include <cstring>
#include <string>
#include <utility>
#include <vector>

namespace live_demo {

/// The characters on each server; the order of crossing is the same for all formats.
template <class Unit>
struct area_servers {
  std::vector<Unit> here;
  std::vector<Unit> there;
};

/// Returns microseconds per crossing, the median of the ticks. `cross` makes the arriving unit from
/// the leaving one.
template <class Unit, class Cross>
double tick_world(area_servers<Unit>& servers, std::size_t ticks, std::size_t crossing, Cross&& cross) {
  std::vector<double> times;
  for (std::size_t tick = 0; tick < ticks; ++tick) {
    auto& from = tick % 2 == 0 ? servers.here : servers.there;
    auto& to = tick % 2 == 0 ? servers.there : servers.here;
    const std::size_t count = std::min(crossing, from.size());
    times.push_back(nanoseconds([&] {
                      for (std::size_t i = 0; i < count; ++i) {
                        to.push_back(cross(from.back()));
                        from.pop_back();
                      }
                    }) /
                    1000 / static_cast<double>(count));
  }
  std::nth_element(times.begin(), times.begin() + static_cast<std::ptrdiff_t>(times.size() / 2), times.end());
  return times[times.size() / 2];
}

inline Hero cross_live(const Hero& leaving) {
  const auto bytes = leaving.bytes(); // the bytes that a network would carry
  auto buffer = Hero::receive_buffer(bytes.size(), hero_ceiling);
  std::memcpy(buffer.data(), bytes.data(), bytes.size());
  return must(Hero::open(std::move(buffer)));
}
inline Hero cross_trusted(const Hero& leaving) {
  const auto bytes = leaving.bytes();
  auto buffer = Hero::receive_buffer(bytes.size(), hero_ceiling);
  std::memcpy(buffer.data(), bytes.data(), bytes.size());
  return must(Hero::open_unchecked(std::move(buffer)));
}
inline demo::Character cross_protobuf(const demo::Character& leaving) {
  live_demo_proto::Character message;
  to_protobuf(leaving, message);
  const std::string bytes = message.SerializeAsString();
  live_demo_proto::Character received;
  require(received.ParseFromString(bytes), "Protocol Buffers read what they wrote");
  demo::Character arrived;
  from_protobuf(received, arrived);
  return arrived;
}
inline demo::Character cross_msgpack(const demo::Character& leaving) {
  msgpack::sbuffer bytes;
  msgpack::packer<msgpack::sbuffer> out(bytes);
  demo::to_msgpack(out, leaving);
  demo::Character arrived;
  const auto handle = msgpack::unpack(bytes.data(), bytes.size());
  demo::from_msgpack(handle.get(), arrived);
  return arrived;
}

inline void migration(std::size_t characters, std::size_t crossing, std::size_t ticks) {
  std::printf(
      "\nA world of %zu characters on two area servers, %zu of them crossing at every tick\n  %-44s %14s\n",
      characters, crossing, "as", "us a crossing");
  const auto row = [](const char* name, double us) { std::printf("  %-44s %14.2f\n", name, us); };

  area_servers<demo::Character> plain;
  for (std::uint64_t seed = 0; seed < characters; ++seed) plain.here.push_back(demo::make_character(seed));
  const demo::Character last = plain.here.back();

  {
    area_servers<Hero> servers;
    for (const demo::Character& each : plain.here) servers.here.emplace_back(each, hero_ceiling);
    row("ingot live, validated", tick_world(servers, ticks, crossing, cross_live));
    row("ingot live, between servers that trust", tick_world(servers, ticks, crossing, cross_trusted));
    const Hero& again = servers.here.size() == characters ? servers.here.back() : servers.there.front();
    require(again == Hero(last, hero_ceiling), "the last character is unchanged");
  }
  const auto proof = [&](const area_servers<demo::Character>& servers) {
    require((servers.here.size() == characters ? servers.here.back() : servers.there.front()) == last,
            "the last character is unchanged");
  };
  row("MessagePack, and the server's structs", tick_world(plain, ticks, crossing, cross_msgpack));
  proof(plain);
  row("Protocol Buffers, and the server's structs", tick_world(plain, ticks, crossing, cross_protobuf));
  proof(plain);
}

} // namespace live_demo
