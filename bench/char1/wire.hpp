// SPDX-License-Identifier: Apache-2.0
// From a live character to bytes that another process can use, and from received bytes to a
// character whose id is read: the cases `encode-decode-*`, and the size of the bytes.
#pragma once

#include "../harness/keep.hpp"
#include "../harness/suite.hpp"
#include "std_model.hpp"

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace bench {

using byte_span = std::span<const std::byte>;

/// Number of different characters, used in turn.
inline constexpr std::size_t wire_sources = 16;
/// Number of characters in one map for the cases `compact-*`, with 20 RW iterations each.
inline constexpr std::size_t world_size = 256;

/// An encoder of the struct. `encode` returns bytes that are valid until the next call. `take`
/// converts them to the form that a program works with; `take_checked` validates them first. Both
/// return the id. `checksum` reads all values.
template <class C>
concept wire_codec = requires(C codec, const std_character& c, byte_span bytes) {
  { codec.encode(c) } -> std::same_as<byte_span>;
  { codec.take(bytes) } -> std::same_as<std::uint64_t>;
  { codec.take_checked(bytes) } -> std::same_as<std::uint64_t>;
  { codec.checksum(bytes) } -> std::same_as<std::uint64_t>;
};

/// Adds the sizes of an encoded character, plain and compressed, as `size`, `size-zlib6`,
/// `size-lz4`, `size-zstd`.
void enter_sizes(suite& all, std::string_view name, byte_span bytes);

template <wire_codec C>
void enter_wire(suite& all, std::string_view name) {
  struct state {
    C codec;
    std::vector<std_character> sources;
    std::vector<std::byte> sent = std::vector<std::byte>(character_capacity);
    std::vector<std::byte> received = std::vector<std::byte>(character_capacity);

    byte_span copy(byte_span bytes, std::vector<std::byte>& to) {
      std::memcpy(to.data(), bytes.data(), bytes.size());
      escape(to.data());
      return {to.data(), bytes.size()};
    }
  };
  auto* const p = &all.make<state>();
  for (std::uint64_t seed = 0; seed < wire_sources; ++seed) p->sources.push_back(make_std_character(seed));
  const std::size_t bytes = p->codec.encode(p->sources[0]).size();
  const auto round_trips = [p] {
    for (const auto& c : p->sources) {
      const auto got = p->copy(p->codec.encode(c), p->received);
      if (p->codec.take(got) != c.id || p->codec.take_checked(got) != c.id ||
          p->codec.checksum(got) != checksum(c))
        return false;
    }
    return true;
  };
  all.add(
      "encode-decode-nocopy", name, bytes,
      [p](std::size_t i) { keep(p->codec.take(p->codec.encode(p->sources[i % wire_sources]))); },
      round_trips);
  all.add(
      "encode-decode-1copy", name, bytes,
      [p](std::size_t i) {
        keep(p->codec.take(p->copy(p->codec.encode(p->sources[i % wire_sources]), p->received)));
      },
      round_trips);
  all.add(
      "encode-decode-2copy", name, bytes,
      [p](std::size_t i) {
        const auto sent = p->copy(p->codec.encode(p->sources[i % wire_sources]), p->sent);
        keep(p->codec.take(p->copy(sent, p->received)));
      },
      round_trips);
  all.add(
      "encode-decode-checked", name, bytes,
      [p](std::size_t i) {
        keep(p->codec.take_checked(p->copy(p->codec.encode(p->sources[i % wire_sources]), p->received)));
      },
      round_trips);
  enter_sizes(all, name, p->codec.encode(make_std_character(0, 1000)));
}

// The encoders, one function per contender, each in the file of its name.
void enter_char1_msgpack(suite& all);
void enter_char1_protobuf(suite& all);
void enter_char1_flatbuffers(suite& all);
void enter_char1_capnproto(suite& all);
void enter_char1_ingot_pack(suite& all);

} // namespace bench
