// SPDX-License-Identifier: Apache-2.0
// SEED: the gain of each step on the path from entries in a row to a document, measured alone. Two
// questions:
//
// - search: N keys of 4 to 12 characters, each with a number; a turn finds one that exists.
//   `search-N` has the index of the step ready. A turn of `search-N-ops-K` starts with the received
//   bytes and looks up K keys, so it includes the time to make the index.
// - space: N texts of 4 to 60 characters in one block; a turn replaces one by a text of another
//   length. `space-N` is the time. `space-N-ops-K` is the size of the block, as the mean over K
//   turns, compared with the texts plus an offset and a length each.
#pragma once

#include "../harness/keep.hpp"
#include "../harness/random.hpp"
#include "../harness/suite.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace bench {

inline constexpr std::array<std::size_t, 4> seed_sizes{8, 32, 128, 1024};
inline constexpr std::array<std::size_t, 4> search_operations{1, 16, 256, 4096};
inline constexpr std::array<std::size_t, 3> space_operations{100, 1'000, 20'000};

inline std::string seed_text(random_source& draw, std::size_t min_size, std::size_t max_size) {
  std::string text(draw.between(min_size, max_size), 'a');
  for (char& c : text) c = "abcdefghijklmnopqrstuvwxyz0123456789"[draw.between(0, 35)];
  return text;
}

struct seed_entry {
  std::string key;
  std::int64_t value;
};
inline std::vector<seed_entry> seed_entries(std::size_t n) {
  random_source draw(n);
  std::set<std::string> taken;
  std::vector<seed_entry> all;
  while (all.size() < n) {
    std::string key = seed_text(draw, 4, 12);
    if (taken.insert(key).second)
      all.push_back({std::move(key), static_cast<std::int64_t>(draw.between(0, 1U << 30))});
  }
  return all;
}
/// Returns indices of the entries to look up, in order.
inline std::vector<std::uint32_t> seed_lookups(std::size_t n) {
  random_source draw(n + 1);
  std::vector<std::uint32_t> all(4096);
  for (auto& each : all) each = static_cast<std::uint32_t>(draw.between(0, n - 1));
  return all;
}

/// Returns the received bytes: for each entry the length of the key, the key and the value.
inline std::vector<std::byte> seed_message(const std::vector<seed_entry>& entries) {
  std::vector<std::byte> bytes;
  for (const auto& [key, value] : entries) {
    const std::size_t at = bytes.size();
    bytes.resize(at + 1 + key.size() + sizeof value);
    bytes[at] = static_cast<std::byte>(key.size());
    std::memcpy(bytes.data() + at + 1, key.data(), key.size());
    std::memcpy(bytes.data() + at + 1 + key.size(), &value, sizeof value);
  }
  return bytes;
}
/// An entry in these bytes.
struct seed_record {
  const std::byte* at;
  [[nodiscard]] std::size_t key_size() const { return std::to_integer<std::size_t>(*at); }
  [[nodiscard]] std::string_view key() const { return {reinterpret_cast<const char*>(at) + 1, key_size()}; }
  [[nodiscard]] bool has(std::string_view key) const {
    return key_size() == key.size() && std::memcmp(at + 1, key.data(), key.size()) == 0;
  }
  [[nodiscard]] std::int64_t value() const {
    std::int64_t n = 0;
    std::memcpy(&n, at + 1 + key_size(), sizeof n);
    return n;
  }
  [[nodiscard]] std::size_t size() const { return 1 + key_size() + sizeof(std::int64_t); }
};

/// Calls `f` with each entry of these bytes and its offset.
template <class F>
void seed_for_each(const std::vector<std::byte>& bytes, F&& f) {
  const std::byte* const begin = bytes.data();
  for (seed_record at{begin}; at.at != begin + bytes.size(); at.at += at.size())
    f(at, static_cast<std::uint32_t>(at.at - begin));
}

/// Returns the hash of a key, for all steps that use hashes: two words of up to 16 characters,
/// multiplied.
inline std::uint64_t seed_hash(std::string_view key) {
  std::uint64_t first = 0, last = 0;
  if (key.size() >= 8) {
    std::memcpy(&first, key.data(), 8);
    std::memcpy(&last, key.data() + key.size() - 8, 8);
  } else {
    std::uint32_t low = 0, high = 0; // keys have at least four characters
    std::memcpy(&low, key.data(), 4);
    std::memcpy(&high, key.data() + key.size() - 4, 4);
    first = low;
    last = high;
  }
  std::uint64_t mixed = (first ^ (last * 0x9E3779B97F4A7C15U) ^ key.size()) * 0xD6E8FEB86659FD93U;
  mixed ^= mixed >> 32;
  return mixed * 0xD6E8FEB86659FD93U;
}

/// The offset of each entry, and in parallel the upper bits of its key's hash.
template <class Hash>
class seed_hashes {
public:
  void open(const std::vector<std::byte>& bytes) {
    begin_ = bytes.data();
    offsets_.clear();
    hashes_.clear();
    seed_for_each(bytes, [&](seed_record at, std::uint32_t offset) {
      offsets_.push_back(offset);
      hashes_.push_back(hash_of(at.key()));
    });
  }

protected:
  static Hash hash_of(std::string_view key) {
    return static_cast<Hash>(seed_hash(key) >> (64 - 8 * sizeof(Hash)));
  }

  const std::byte* begin_ = nullptr;
  std::vector<std::uint32_t> offsets_;
  std::vector<Hash> hashes_;
};

/// Adds a step of searching. `C` has `open(bytes)`, which prepares its index, and `find(key)`,
/// which returns the value or -1. `bytes_of` encodes the entries.
template <class C, class Bytes>
void enter_search(suite& all, std::string_view who, Bytes bytes_of) {
  for (const std::size_t n : seed_sizes) {
    if (!all.wants("search-" + std::to_string(n), true)) continue;
    auto& entries = all.make<std::vector<seed_entry>>();
    entries = seed_entries(n);
    auto& lookups = all.make<std::vector<std::uint32_t>>();
    lookups = seed_lookups(n);
    auto& bytes = all.make<std::vector<std::byte>>();
    const auto encoded = bytes_of(entries);
    bytes.assign(encoded.begin(), encoded.end());
    auto& ready = all.make<C>();
    ready.open(bytes);
    const auto check = [&] {
      C trial;
      trial.open(bytes);
      for (const auto& [key, value] : entries) {
        if (trial.find(key) != value) return false;
      }
      return trial.find("not there") == -1 && trial.find("nowhere") == -1;
    };
    const std::string name = "search-" + std::to_string(n);
    all.add(
        name, who, bytes.size(),
        [e = entries.data(), which = lookups.data(), p = &ready](std::size_t i) {
          keep(p->find(e[which[i % 4096]].key));
        },
        check);
    for (const std::size_t k : search_operations) {
      auto& opened = all.make<C>();
      all.add(
          name + "-ops-" + std::to_string(k), who, bytes.size(),
          [e = entries.data(), which = lookups.data(), p = &opened, &bytes, k](std::size_t i) {
            p->open(bytes);
            std::int64_t sum = 0;
            for (std::size_t j = 0; j < k; ++j) sum += p->find(e[which[(i + j) % 4096]].key);
            keep(sum);
          },
          check);
    }
  }
}

struct space_operation {
  std::uint32_t which;
  std::string text;
};
inline std::vector<std::string> space_texts(std::size_t n) {
  random_source draw(n + 2);
  std::vector<std::string> all(n);
  for (auto& each : all) each = seed_text(draw, 4, 60);
  return all;
}
inline std::vector<space_operation> space_table(std::size_t n) {
  random_source draw(n + 3);
  std::vector<space_operation> all(4096);
  for (auto& each : all) {
    each.which = static_cast<std::uint32_t>(draw.between(0, n - 1));
    each.text = seed_text(draw, 4, 60);
  }
  return all;
}

/// Adds a step of finding space. `C` has `load(texts)`, `set(which, text)`, `get(which)` and
/// `bytes()`, the size of its block.
template <class C>
void enter_space(suite& all, std::string_view who) {
  for (const std::size_t n : seed_sizes) {
    const std::string name = "space-" + std::to_string(n);
    if (!all.wants(name, true)) continue;
    auto& table = all.make<std::vector<space_operation>>();
    table = space_table(n);
    const auto texts = space_texts(n);
    auto& store = all.make<C>();
    store.load(texts);
    all.add(
        name, who, 0,
        [t = table.data(), p = &store](std::size_t i) { p->set(t[i % 4096].which, t[i % 4096].text); },
        [&] {
          C trial;
          trial.load(texts);
          auto right = texts;
          for (std::size_t i = 0; i < 3 * table.size(); ++i) {
            const auto& [which, text] = table[i % table.size()];
            trial.set(which, text);
            right[which] = text;
            if (trial.get((which + 1) % n) != right[(which + 1) % n]) return false;
          }
          for (std::size_t i = 0; i < n; ++i) {
            if (trial.get(i) != right[i]) return false;
          }
          return true;
        });
    for (const std::size_t k : space_operations) {
      C counted;
      counted.load(texts);
      std::size_t total = 0, now = 0, block = 0;
      std::vector<std::size_t> lengths;
      for (const auto& each : texts) now += lengths.emplace_back(each.size());
      // a mean, since some blocks grow until they are compacted
      for (std::size_t i = 0; i < k; ++i) {
        const auto& [which, text] = table[i % table.size()];
        counted.set(which, text);
        now += text.size() - std::exchange(lengths[which], text.size());
        total += now + 8 * n;
        block += counted.bytes();
      }
      const std::string counts = name + "-ops-" + std::to_string(k);
      if (who == "bump") all.add_measured(counts, "texts", total / k, {});
      all.add_measured(counts, who, block / k, {});
    }
  }
}

void enter_search_entries(suite& all);
void enter_search_offsets(suite& all);
void enter_search_hashes(suite& all);
void enter_search_sorted(suite& all);
void enter_search_lanes(suite& all);
void enter_search_unordered_map(suite& all);
void enter_search_ingot(suite& all);
void enter_space_bump(suite& all);
void enter_space_first_fit(suite& all);
void enter_space_best_fit(suite& all);
void enter_space_prefetch(suite& all);
void enter_space_ingot(suite& all);
void enter_checks(suite& all);

} // namespace bench
