// SPDX-License-Identifier: Apache-2.0
// Cases of the MONSTER workload, and the frame for each contender's file. Each contender first
// verifies on all 512 vectors that its output reads back equal.
#pragma once

#include "../harness/keep.hpp"
#include "../harness/suite.hpp"
#include "model.hpp"

#include <concepts>
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace bench {

inline constexpr std::size_t varied_count = 512;

/// Returns 512 vectors. The plain cases use only the first one, which a branch predictor learns;
/// the `-varied` cases use all in turn.
inline const std::vector<monsters>& monster_data() {
  static const std::vector<monsters> data = [] {
    std::vector<monsters> all;
    monster_source source(monster_seed);
    for (std::size_t i = 0; i < varied_count; ++i) all.push_back(source.fifty());
    return all;
  }();
  return data;
}

/// A contender: writes a vector into a buffer that it keeps, and reads one back. `written()`
/// returns a copy of the last output. It is not timed, nor is the construction of the codec.
template <class C>
concept monster_codec = requires(C codec, const monsters& in, monsters& out, const std::string& message) {
  codec.write(in);
  { codec.written() } -> std::same_as<std::string>;
  { codec.read(message, out) } -> std::same_as<bool>;
};

/// A contender that can also write into memory of fixed size.
template <class C>
concept fixed_monster_codec = monster_codec<C> && requires(C codec, const monsters& in) {
  { codec.write_fixed(in) } -> std::same_as<bool>;
  { codec.written_fixed() } -> std::same_as<std::string>;
};

/// Larger than any contender's output for one vector.
inline constexpr std::size_t fixed_capacity = 64 * 1024;

template <monster_codec C>
void enter_monster(suite& all, std::string_view name) {
  struct state {
    C codec;
    std::vector<std::string> messages;
    monsters warm;
  };
  const auto* const data = monster_data().data();
  auto* const p = &all.make<state>();
  for (std::size_t i = 0; i < varied_count; ++i) {
    p->codec.write(data[i]);
    p->messages.push_back(p->codec.written());
  }
  const std::size_t bytes = p->messages[0].size();

  const auto round_trips = [data, p] {
    for (std::size_t i = 0; i < varied_count; ++i) {
      monsters fresh;
      if (!p->codec.read(p->messages[i], fresh) || fresh != data[i]) return false;
      if (!p->codec.read(p->messages[i], p->warm) || p->warm != data[i]) return false;
      p->codec.write(data[i]);
      if (p->codec.written() != p->messages[i]) return false;
    }
    return true;
  };

  for (const bool varied : {false, true}) {
    const std::string suffix = varied ? "-varied" : "";
    const std::size_t mask = varied ? varied_count - 1 : 0;
    all.add(
        "ser" + suffix, name, bytes,
        [data, p, mask](std::size_t i) {
          p->codec.write(data[i & mask]);
          escape(p);
        },
        round_trips);
    if constexpr (fixed_monster_codec<C>) {
      all.add(
          "ser-fixed" + suffix, name, bytes,
          [data, p, mask](std::size_t i) {
            keep(p->codec.write_fixed(data[i & mask]));
            escape(p);
          },
          [data, p] {
            monsters back;
            for (std::size_t i = 0; i < varied_count; ++i) {
              if (!p->codec.write_fixed(data[i])) return false;
              if (!p->codec.read(p->codec.written_fixed(), back) || back != data[i]) return false;
            }
            return true;
          });
    }
    all.add(
        "des-warm" + suffix, name, bytes,
        [p, mask](std::size_t i) {
          keep(p->codec.read(p->messages[i & mask], p->warm));
          escape(&p->warm);
        },
        round_trips);
    all.add(
        "des-fresh" + suffix, name, bytes,
        [p, mask](std::size_t i) {
          monsters fresh;
          keep(p->codec.read(p->messages[i & mask], fresh));
          escape(&fresh);
        },
        round_trips);
  }
}

// One function per contender, each in the file of its name.
void enter_cereal(suite& all);
void enter_boost(suite& all);
void enter_msgpack(suite& all);
void enter_protobuf(suite& all);
void enter_flatbuffers(suite& all);
void enter_ingot_pack(suite& all);
void enter_ingot_compact(suite& all);
void enter_memcpy(suite& all);
void enter_native(suite& all);
void enter_null(suite& all);

} // namespace bench
