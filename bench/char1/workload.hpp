// SPDX-License-Identifier: Apache-2.0
// Cases of the CHAR-1 workload for all contenders with containers. A contender's file defines its
// containers. Before anything is timed, its characters must have the checksums that the workload
// defines.
#pragma once

#include "../harness/keep.hpp"
#include "../harness/suite.hpp"
#include "memory.hpp"
#include "model.hpp"

#include <algorithm>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace bench {

/// A contender. `holder<T>(room)` owns a `T` that needs at most `room` bytes; `root` returns it,
/// once before the turns. `append` and `add` create an empty element in place. `trim` returns free
/// memory to the system.
template <class B>
concept char1_backend =
    requires(typename B::template holder<typename B::character>& h, typename B::character& c,
             typename B::strings& s, typename B::world& w, std::uint64_t key) {
      typename B::items; // a map of its own
      { B::root(h) } -> std::same_as<typename B::character&>;
      { B::append(c.equips) };
      { B::append(s) };
      { B::add(w, key) } -> std::same_as<typename B::character&>;
      B::trim(h);
    };

/// Maximum size of one character with its edits, in bytes.
inline constexpr std::size_t character_capacity = 50 * 1024;
/// Number of turns before the data of a case repeats.
inline constexpr std::size_t varied_turns = 256;

template <class B>
bool is_character_correct() {
  for (const auto& e : expected) {
    typename B::template holder<typename B::character> h(character_capacity);
    auto& c = B::root(h);
    fill<B>(c, build_values()[e.seed].data());
    if (std::string_view(c.name.data(), c.name.size()) != e.name || checksum(c) != e.filled) return false;
    for (std::size_t k = 0; k < 1000; ++k) {
      rewrite<B>(c, edits()[k % edit_count]);
      if (k == 0 && checksum(c) != e.edited_once) return false;
    }
    if (checksum(c) != e.edited_often) return false;
  }
  return true;
}

/// The keys of a filled character in an order that the workload does not define: those of seed 0,
/// shuffled.
inline const std::vector<std::uint64_t>& shuffled_keys() {
  static const std::vector<std::uint64_t> keys = [] {
    std::vector<std::uint64_t> all;
    for (std::size_t i = 0; i < 64; ++i) all.push_back(build_values()[0].data()[8 + 5 * i]);
    random_source draw(2);
    for (std::size_t i = all.size(); i > 1; --i) std::swap(all[i - 1], all[draw.between(0, i - 1)]);
    return all;
  }();
  return keys;
}
/// 64 keys for each of 256 turns: at random an item's key or one that no item has.
inline const std::vector<std::uint64_t>& fresh_keys() {
  static const std::vector<std::uint64_t> keys = [] {
    std::vector<std::uint64_t> all;
    random_source draw(3);
    for (std::size_t i = 0; i < 64 * varied_turns; ++i) {
      const std::uint64_t other = draw.u64();
      all.push_back(draw.between(0, 1) == 0 ? other : shuffled_keys()[draw.between(0, 63)]);
    }
    return all;
  }();
  return keys;
}

template <char1_backend B>
void enter_char1_character(suite& all, std::string_view name) {
  struct state {
    typename B::template holder<typename B::character> holder{character_capacity};
    typename B::character* c = &B::root(holder);
  };
  auto* const written = &all.make<state>();
  auto* const read = &all.make<state>();
  const auto* const table = edits().data();
  fill<B>(*written->c, build_values()[0].data());
  fill<B>(*read->c, build_values()[0].data());
  auto* const c = written->c;
  const auto* const r = std::as_const(read->c);
  const auto check = [] { return is_character_correct<B>(); };
  const auto summed = [r] { return checksum(*r) == expected[0].filled; };

  all.add(
      "write", name, 0, [c, table](std::size_t i) { rewrite<B>(*c, table[i % edit_count]), escape(c); },
      check);
  all.add(
      "read", name, 0,
      [r, keys = shuffled_keys().data()](std::size_t) {
        keep(traverse(*r));
        keep(find_all(r->items, keys, 64));
        escape(r);
      },
      summed);
  all.add(
      "finds", name, 0,
      [r, keys = shuffled_keys().data()](std::size_t) {
        keep(find_all(r->items, keys, 64));
        escape(r);
      },
      summed);
  all.add(
      "finds-fresh-keys", name, 0,
      [r, keys = fresh_keys().data()](std::size_t i) {
        keep(find_all(r->items, keys + 64 * (i % varied_turns), 64));
        escape(r);
      },
      summed);
  all.add(
      "build", name, 0,
      [values = build_values().data()](std::size_t i) {
        typename B::template holder<typename B::character> h(character_capacity);
        auto& filled = B::root(h);
        fill<B>(filled, values[i % build_seeds].data());
        escape(&filled);
      },
      check);
  all.add(
      "equips", name, 0, [c, table](std::size_t i) { edit_equips<B>(*c, table[i % edit_count]), escape(c); },
      check);
  all.add(
      "path", name, 0,
      [c, table](std::size_t i) {
        lengthen_path(*c, table[i % edit_count]);
        escape(c);
        shorten_path(*c);
        escape(c);
      },
      check);
}

/// Step 5 of an RW iteration, on a map of `size` items, with many different keys before they
/// repeat.
template <char1_backend B>
void enter_char1_map(suite& all, std::string_view name, std::size_t size) {
  static constexpr std::size_t key_count = 16'384;
  struct state {
    std::vector<std::uint64_t> keys;
    std::vector<typename B::template holder<typename B::items>> holder;
  };
  auto* const p = &all.make<state>();
  auto* const items = &B::root(p->holder.emplace_back(64 * 1024 + 128 * size));
  random_source draw(4);
  std::uint64_t sum = 0;
  for (std::size_t i = 0; i < size; ++i) {
    const std::uint64_t key = draw.u64();
    const item thing = draw_item(draw);
    if (items->try_emplace(key, thing).second) sum += key ^ thing.uuid;
  }
  for (std::size_t i = 0; i < key_count; ++i) p->keys.push_back(draw.u64());
  all.add(
      "map-" + std::to_string(size), name, 0,
      [items, keys = p->keys.data()](std::size_t i) {
        const std::uint64_t key = keys[i % key_count];
        const auto half = static_cast<std::uint32_t>(key);
        edit_items(*items, key, item{half, half, key, key});
        escape(items);
      },
      [items, p, size, sum] {
        for (const std::uint64_t key : p->keys) edit_items(*items, key, item{});
        std::uint64_t now = 0;
        for (auto&& [key, it] : *items) now += key ^ it.uuid;
        return items->size() == size && now == sum;
      });
}

/// 8,000 texts of 32 to 95 characters. Half of them are empty at any time: each turn frees one and
/// fills another.
template <char1_backend B>
void enter_char1_holes(suite& all, std::string_view name) {
  static constexpr std::size_t count = 8'000;
  static constexpr std::size_t steps = 16'384;
  struct state {
    std::vector<typename B::template holder<typename B::strings>> holder;
    std::vector<std::uint32_t> filled, empty; // indices of texts
    std::vector<std::pair<std::uint32_t, std::uint32_t>>
        at; // for each turn: index in both lists, and how much to cut from the text
    std::string text = std::string(96, 'x');
  };
  auto* const p = &all.make<state>();
  auto* const texts = &B::root(p->holder.emplace_back(4 << 20));
  random_source draw(5);
  for (std::size_t i = 0; i < count; ++i)
    B::append(*texts).assign(std::string_view(p->text).substr(draw.between(1, 64)));
  const auto forget = [](auto& text) {
    text.clear();
    text.shrink_to_fit();
  };
  for (std::uint32_t i = 0; i < count; ++i) p->filled.push_back(i);
  for (std::size_t i = count; i > 1; --i) std::swap(p->filled[i - 1], p->filled[draw.between(0, i - 1)]);
  for (std::size_t i = 0; i < count / 2; ++i) {
    forget((*texts)[p->filled.back()]);
    p->empty.push_back(p->filled.back());
    p->filled.pop_back();
  }
  for (std::size_t i = 0; i < steps; ++i) {
    p->at.emplace_back(draw.between(0, count / 2 - 1), draw.between(1, 64));
  }
  const auto turn = [texts, p, forget](std::size_t i) {
    const auto [at, cut] = p->at[i % steps];
    std::swap(p->filled[at], p->empty[at]); // each list is in random order
    forget((*texts)[p->empty[at]]);
    (*texts)[p->filled[at]].assign(std::string_view(p->text).substr(cut));
    escape(texts);
  };
  all.add("holes-8000", name, 0, turn, [turn, texts, p] {
    for (std::size_t i = 0; i < steps; ++i) turn(i);
    std::size_t filled = 0;
    for (const auto& text : *texts) filled += text.empty() ? 0 : 1;
    const auto [at, cut] = p->at[steps - 1];
    const auto& last = (*texts)[p->filled[at]];
    return filled == count / 2 &&
           std::string_view(last.data(), last.size()) == std::string_view(p->text).substr(cut);
  });
}

template <char1_backend B>
void enter_char1(suite& all, std::string_view name) {
  enter_char1_character<B>(all, name);
  for (const std::size_t size : {64, 1'000, 50'000}) enter_char1_map<B>(all, name, size);
  enter_char1_holes<B>(all, name);
}

/// Runs in a child process for the memory cases: creates 10,000 characters, each in a holder of its
/// own, or all in a map.
template <char1_backend B>
memory_taken hold_characters(memory_of what) {
  static_cast<void>(edits());
  const std::size_t before = resident_bytes();
  memory_taken result;
  const auto make = [&result](auto& c, const raw_values& raw, std::size_t rounds) {
    fill<B>(c, raw.data());
    for (std::size_t k = 0; k < rounds; ++k) rewrite<B>(c, edits()[k % edit_count]);
    result.checksum ^= checksum(c);
  };
  if (what == memory_of::world) {
    typename B::template holder<typename B::world> h(std::size_t{256} << 20);
    auto& world = B::root(h);
    for (std::uint64_t seed = 0; seed < memory_units; ++seed) {
      const raw_values raw(seed);
      make(B::add(world, raw.data()[0]), raw, 20);
    }
    B::trim(h);
    result.bytes = resident_bytes() - before;
    escape(&world);
  } else {
    std::vector<typename B::template holder<typename B::character>> all;
    all.reserve(memory_units);
    for (std::uint64_t seed = 0; seed < memory_units; ++seed) {
      auto& h = all.emplace_back(character_capacity);
      make(B::root(h), raw_values(seed), what == memory_of::edited ? 20 : 0);
    }
    for (auto& h : all) B::trim(h);
    result.bytes = resident_bytes() - before;
    escape(all.data());
  }
  return result;
}

/// A contender for `main`, defined in the file of its name.
struct char1_contender {
  std::string_view name;
  void (*enter)(suite&);
  memory_taken (*hold)(memory_of);
};
extern const char1_contender char1_std;
extern const char1_contender char1_boost;
extern const char1_contender char1_boost_flat;
extern const char1_contender char1_boost_interprocess;
extern const char1_contender char1_ingot_live;

void enter_char1_null(suite& all);

} // namespace bench
