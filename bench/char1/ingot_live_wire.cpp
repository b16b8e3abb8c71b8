// SPDX-License-Identifier: Apache-2.0
// ingot's blocks as messages: handing their bytes over, turning received bytes into a character
// that can grow, their sizes, and rewriting them without free bytes.
#include "ingot_live.hpp"
#include "wire.hpp"

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <utility>
#include <vector>

namespace bench {
namespace {

using live = ingot::live<live_character>;
constexpr ingot::max_block_size max_size{character_capacity};

live make_live(std::uint64_t seed, std::size_t rounds, bool prealloc = false) {
  live block(max_size);
  fill<live_backend>(*block, build_values()[seed].data(), prealloc);
  for (std::size_t k = 0; k < rounds; ++k) rewrite<live_backend>(*block, edits()[k % edit_count]);
  return block;
}

struct blocks {
  std::vector<live> sources;
  std::vector<std::vector<std::byte>> messages; // the bytes of each source
  std::vector<std::byte> sent = std::vector<std::byte>(character_capacity);

  /// Copies received bytes into a new block, before they are read: the one copy that every receiver
  /// makes.
  static live::receive_buffer_type receive(byte_span bytes) {
    auto memory = live::receive_buffer(bytes.size(), max_size);
    std::memcpy(memory.data(), bytes.data(), bytes.size());
    escape(memory.data());
    return memory;
  }
  static std::uint64_t take(byte_span bytes) {
    const auto got = live::open_unchecked(receive(bytes));
    return got ? (*got)->id : 0;
  }
  static std::uint64_t take_checked(byte_span bytes) {
    const auto got = live::open(receive(bytes));
    return got ? (*got)->id : 0;
  }
  byte_span send(byte_span bytes) {
    std::memcpy(sent.data(), bytes.data(), bytes.size());
    escape(sent.data());
    return {sent.data(), bytes.size()};
  }
};

void enter_transport(suite& all) {
  auto* const p = &all.make<blocks>();
  for (std::uint64_t seed = 0; seed < wire_sources; ++seed) {
    const auto bytes = p->sources.emplace_back(make_live(seed, 0)).bytes();
    p->messages.emplace_back(bytes.begin(), bytes.end());
  }
  const std::size_t bytes = p->sources[0].bytes().size();
  const auto round_trips = [p] {
    for (const auto& source : p->sources) {
      const auto trusted = live::open_unchecked(blocks::receive(source.bytes()));
      const auto opened = live::open(blocks::receive(source.bytes()));
      if (!trusted || !opened || checksum(**trusted) != checksum(*source) ||
          checksum(**opened) != checksum(*source))
        return false;
      if (blocks::take(source.bytes()) != source->id || blocks::take_checked(source.bytes()) != source->id)
        return false;
    }
    return true;
  };
  // The block itself is moved; no bytes are copied.
  all.add(
      "encode-decode-nocopy", "ingot-live", bytes,
      [p](std::size_t i) {
        live& source = p->sources[i % wire_sources];
        keep(source.bytes().size());
        live other(std::move(source));
        escape(&other);
        keep(other->id);
        source = std::move(other);
      },
      round_trips);
  all.add(
      "encode-decode-1copy", "ingot-live", bytes,
      [p](std::size_t i) { keep(blocks::take(p->sources[i % wire_sources].bytes())); }, round_trips);
  all.add(
      "encode-decode-2copy", "ingot-live", bytes,
      [p](std::size_t i) { keep(blocks::take(p->send(p->sources[i % wire_sources].bytes()))); }, round_trips);
  all.add(
      "encode-decode-checked", "ingot-live", bytes,
      [p](std::size_t i) { keep(blocks::take_checked(p->sources[i % wire_sources].bytes())); }, round_trips);
  all.add(
      "adopt", "ingot-live", bytes,
      [messages = p->messages.data()](std::size_t i) { keep(blocks::take(messages[i % wire_sources])); },
      round_trips);
}

void enter_handover(suite& all, std::string_view name, std::size_t size) {
  using text = ingot::live<ingot::vector<std::byte>>;
  auto& holders = all.make<std::vector<text>>();
  holders.emplace_back(ingot::max_block_size{size + 64 * 1024});
  text* const block = &holders.back();
  (*block)->resize(size - 128);
  all.add(
      name, "ingot-live", block->size(),
      [block](std::size_t) {
        const auto bytes = block->bytes();
        keep(bytes.data());
        keep(bytes.size());
        escape(block);
      },
      [block, size] { return block->bytes().size() <= size && block->bytes().size() + 128 > size; });
}

/// Rewrites the map of a block after edits: 256 characters, 20 RW iterations each.
void enter_compaction(suite& all) {
  using world = ingot::live<live_backend::world>;
  constexpr std::size_t max_world = std::size_t{8} << 20;
  struct state {
    std::vector<world> edited, in_span;
    std::vector<std::byte> span = std::vector<std::byte>(max_world);
  };
  auto* const p = &all.make<state>();
  world& edited = p->edited.emplace_back(ingot::max_block_size{max_world});
  for (std::uint64_t seed = 0; seed < world_size; ++seed) {
    auto& c = live_backend::add(*edited, build_values()[seed].data()[0]);
    fill<live_backend>(c, build_values()[seed].data());
    for (std::size_t k = 0; k < 20; ++k) rewrite<live_backend>(c, edits()[k]);
  }
  world canonical(edited);
  canonical.compact();
  const std::size_t bytes = canonical.size();
  const auto same = [&canonical](const world& other) {
    const auto a = canonical.bytes();
    const auto b = other.bytes();
    return a.size() == b.size() && std::memcmp(a.data(), b.data(), a.size()) == 0 && canonical == other;
  };
  all.add(
      "compact-copy", "ingot-live", bytes,
      [from = &edited](std::size_t) {
        world fresh(ingot::max_block_size{max_world});
        keep(fresh.try_assign(std::as_const(**from)));
        escape(&*fresh);
      },
      [&] {
        world fresh(ingot::max_block_size{max_world});
        return fresh.try_assign(std::as_const(*edited)) && same(fresh);
      });
  auto placed = world::in(p->span);
  if (placed && placed->try_assign(std::as_const(*edited))) p->in_span.push_back(std::move(*placed));
  all.add(
      "compact-inplace", "ingot-live", bytes,
      [list = &p->in_span](std::size_t) { keep(list->front().try_compact()); },
      [&] { return !p->in_span.empty() && p->in_span.front().try_compact() && same(p->in_span.front()); });
  for (const char* name : {"compact-copy", "compact-inplace"}) {
    all.target(name, "ingot-live", {.ns = static_cast<double>(bytes) / 0.7});
  }
}

/// Adds the sizes of blocks. The compacted form of an edited character is compared with the
/// encoders' sizes.
void enter_block_sizes(suite& all) {
  for (const bool prealloc : {false, true}) {
    const std::string name = prealloc ? "size-prealloc" : "size-trimmed";
    live filled = make_live(0, 0, prealloc);
    live edited = make_live(0, 1000, prealloc);
    filled.trim();
    edited.trim();
    all.add_measured(name + "-filled", "ingot-live", filled.bytes().size(), {});
    all.add_measured(name, "ingot-live", edited.bytes().size(), {});
    filled.compact();
    edited.compact();
    if (edited.size() != filled.size() || checksum(*edited) != expected[0].edited_often) {
      std::fputs("char1 size: ingot-live is not the same size after edits and compact()\n", stderr);
      std::exit(EXIT_FAILURE);
    }
    if (prealloc) continue;
    enter_sizes(all, "ingot-live", edited.bytes());
  }
}

} // namespace

void enter_ingot_live_wire(suite& all) {
  enter_transport(all);
  enter_handover(all, "handover-1k", std::size_t{1} << 10);
  enter_handover(all, "handover-1m", std::size_t{1} << 20);
  enter_handover(all, "handover-1g", std::size_t{1} << 30);
  for (const char* name : {"handover-1k", "handover-1m", "handover-1g"}) {
    all.base(name, "null");
    all.target(name, "ingot-live", {.ns = 3});
  }
  enter_compaction(all);
  enter_block_sizes(all);
}

} // namespace bench
