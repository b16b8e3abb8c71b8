// SPDX-License-Identifier: Apache-2.0
// Blocks of ingot, validated in place without a copy. `open-canonical-copy` first copies them to
// memory in which they can grow.
#include <ingot/live/hash_map.hpp>
#include <ingot/live/live.hpp>
#include <ingot/live/map.hpp>
#include <ingot/live/string.hpp>
#include <ingot/live/vector.hpp>

#include "workload.hpp"

#include <cstring>
#include <utility>

namespace bench {
namespace {

struct live_record {
  std::uint64_t id;
  bench::sort sort;
  bool active;
  ingot::string name;
  ingot::vector<float> samples;
  ingot::vector<ingot::string> labels;
};
struct live_collection {
  ingot::vector<live_record> records;
  ingot::map<ingot::string, std::uint64_t> ordered;
  ingot::hash_map<ingot::string, std::uint64_t> hashed;
};

using records_block = ingot::live<ingot::vector<live_record>>;
using collection_block = ingot::live<live_collection>;
constexpr ingot::max_block_size max_size{std::size_t{32} << 20};

/// Grows a quarter of all elements beyond their storage and shrinks them, and removes and adds a
/// quarter of the keys. The value stays the same, with another order and free bytes.
void edit(live_collection& all) {
  random_source draw(10);
  for (std::size_t i = 0; i < record_count / 4; ++i) {
    auto& r = all.records[draw.between(0, record_count - 1)];
    const std::string name(r.name.data(), r.name.size());
    r.name += std::string_view("and so much more than fits in what was there for it before");
    r.name = std::string_view(name);
    for (int k = 0; k < 8; ++k) r.samples.push_back(0);
    for (int k = 0; k < 8; ++k) r.samples.pop_back();
    r.labels.emplace_back(std::string_view("a label longer than in place"));
    r.labels.pop_back();
  }
  const auto& from = records_data();
  for (std::size_t i = 0; i < record_count; i += 4) {
    const std::string_view key = from.keys.present[i];
    const std::uint64_t value = from.all.ordered.find(from.keys.present[i])->second;
    all.ordered.erase(key);
    all.hashed.erase(key);
    all.ordered.try_emplace(key, value);
    all.hashed.try_emplace(key, value);
  }
}

/// A copy of a block's bytes, with the alignment of a block.
struct message {
  explicit message(std::span<const std::byte> from) : words(from.size() / 8 + 2), size(from.size()) {
    std::memcpy(bytes().data(), from.data(), size);
  }
  std::span<std::byte> bytes() {
    auto* const start = reinterpret_cast<std::byte*>(words.data());
    return {start + reinterpret_cast<std::uintptr_t>(start) % 16, size};
  }
  std::vector<std::uint64_t> words;
  std::size_t size;
};

template <class Block>
std::size_t enter_open(suite& all, std::string_view name, const Block& block) {
  auto& messages = all.make<std::vector<message>>();
  enter_records_check(all, name, "ingot-live", messages.emplace_back(block.bytes()).bytes(),
                      [](std::span<std::byte> bytes) { return Block::open_in_place(bytes).has_value(); });
  return block.bytes().size();
}

} // namespace

block_sizes enter_records_ingot_live(suite& all) {
  block_sizes sizes;
  const auto canonical = [](auto block, const auto& value) {
    block = value;
    block.compact();
    return block;
  };
  const auto records = canonical(records_block(max_size), records_data().all.records);
  sizes.records = enter_open(all, "open-canonical", records);
  sizes.few = enter_open(all, "open-canonical-1k", canonical(records_block(max_size), records_data().few));
  auto& messages = all.make<std::vector<message>>();
  enter_records_check(all, "open-canonical-copy", "ingot-live",
                      messages.emplace_back(records.bytes()).bytes(), [](std::span<std::byte> bytes) {
                        return records_block::open(bytes, {.max_size = max_size}).has_value();
                      });

  struct state {
    collection_block block{max_size};
  };
  auto* const p = &all.make<state>();
  p->block = records_data().all; // the twin
  edit(*p->block);
  const std::uint64_t sum = checksum(records_data().all);
  const bool edited_right = checksum(*p->block) == sum;
  sizes.edited = enter_open(all, "open-edited", p->block);
  p->block.compact();
  sizes.maps = enter_open(all, "open-canonical-maps", p->block);
  const bool right = edited_right && checksum(*p->block) == sum;

  const auto* const root = &*std::as_const(p->block);
  enter_records_reads(
      all, "ingot-live", sizes.maps, [root] { return read_everything(*root); },
      [root](const std::string& key) { return find_in_both(*root, std::string_view(key)); });
  all.add(
      "serialize", "ingot-live", sizes.maps,
      [p](std::size_t) {
        const auto bytes = p->block.bytes();
        keep(bytes.data());
        keep(bytes.size());
        escape(p);
      },
      [right] { return right; });
  all.add(
      "serialize", "ingot-live-build", sizes.maps,
      [](std::size_t) {
        collection_block copy(max_size);
        copy = records_data().all;
        keep(copy.bytes().size());
      },
      [right] { return right; });

  sizes.floats =
      enter_open(all, "floats-1m", canonical(ingot::live<ingot::vector<float>>(max_size), million_floats()));
  sizes.strings = enter_open(all, "strings-100k",
                             canonical(ingot::live<ingot::vector<ingot::string>>(max_size), short_strings()));
  return sizes;
}

} // namespace bench
