// SPDX-License-Identifier: Apache-2.0
// Collects the tables at the beginning of an archive. The table of keys contains all keys of the
// objects in a value, each key once. The table of shapes contains the sets of keys of these
// objects, each set once. Keys ascend by (hash, bytes), sets by (number of keys, keys). So a reader
// can check that no key and no set is repeated.
//
// O(n log n) in the bytes for any input, even if all keys have the same hash.
#pragma once

#include <ingot/core/detail/cancellable_sort.hpp>
#include <ingot/core/detail/light_standard.hpp>
#include <ingot/core/detail/progress_poll.hpp>
#include <ingot/document/detail/tree.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>

namespace ingot { inline namespace INGOT_V1 { namespace detail::doc {

class archive_plan {
public:
  /// A set of keys: the `count` key numbers that begin at index `first` of `ids_`.
  struct shape {
    uint32_t first;
    uint32_t count;
  };

  explicit archive_plan(validated in) noexcept : in_(in) {}

  /// Collects the keys and shapes of `root`. Returns false if there is no memory, or if cancelled.
  /// The poll receives the size of the values that were visited.
  [[nodiscard]] bool take(const item& root, progress_poll& each) noexcept {
    return walk(root, each) && rank_long_keys(each) && number_keys(each) && number_shapes(each);
  }

  [[nodiscard]] uint32_t key_count() const noexcept { return static_cast<uint32_t>(keys_.size()); }
  [[nodiscard]] std::string_view key(uint32_t i) noexcept { return keys_[i]; }
  [[nodiscard]] uint32_t shape_count() const noexcept { return static_cast<uint32_t>(shapes_.size()); }
  [[nodiscard]] const shape& shape_at(uint32_t i) noexcept { return shapes_[i]; }
  [[nodiscard]] const uint32_t* ids(const shape& of) noexcept { return ids_.begin() + of.first; }
  /// Returns the shape number of an object in a second walk. `visit` is the number of objects with
  /// members that this walk has visited before. Requires that values are visited in the order of
  /// `take`: of the values that were found and not yet visited, the last is next.
  [[nodiscard]] uint32_t shape_of_visit(uint32_t visit) noexcept { return numbers_[visits_[visit]]; }

private:
  struct key_entry {
    std::string_view text;
    uint32_t long_key; ///< position of a long key, later its rank among long keys; 0 for other keys
    uint16_t hash;
  };
  struct long_entry {
    std::string_view text;
    uint32_t position;
  };

  [[nodiscard]] bool walk(const item& root, progress_poll& each) noexcept {
    plain_list<uint32_t> left;
    uint64_t seen = 0;
    if (root.is == item::form::node && !left.push(root.position())) return false;
    while (!left.empty()) {
      node n;
      if (!find_node(in_, left.pop(), n)) continue;
      if (n.is_object() && n.count != 0 && !enter(n, each)) return false;
      for (uint32_t i = 0; i < n.count; ++i) {
        const item value = n.value(i);
        if (value.is == item::form::node && !left.push(value.position())) return false;
      }
      seen += 16 + 8 * uint64_t{n.count};
      if (!each.should_continue(seen)) return false;
    }
    return true;
  }
  [[nodiscard]] bool enter(const node& object, progress_poll& poll) noexcept {
    key_columns keys;
    if (!key_columns::of_object(in_, object, keys)) return false;
    // A set of keys in a shape is identified by the position of the keys, which is even. Other sets
    // are identified by a hash of the keys, which is made odd to differ from positions.
    uint32_t known_as = static_cast<uint32_t>(keys.hashes() - in_.start) & ~uint32_t{1};
    if (object.kind == node_kind::object) {
      const auto* const hashes = reinterpret_cast<const char*>(keys.hashes());
      known_as = static_cast<uint32_t>(hash_text(first_seed, hashes, std::size_t{2} * keys.count())) | 1;
    }
    const uint32_t known = known_.find(known_as);
    // If two sets have the same hash, one of these sets may count as new although it is known. The
    // only effect is that its keys are listed again.
    if (known != 0 && same_keys(keys_of(objects_[known - 1]), keys)) return visits_.push(known - 1);
    const auto number = static_cast<uint32_t>(objects_.size());
    return objects_.push(object.position) && known_.set(known_as, number + 1) && visits_.push(number) &&
           list_keys(keys, poll);
  }
  [[nodiscard]] key_columns keys_of(uint32_t position) const noexcept {
    node n;
    key_columns keys;
    if (find_node(in_, position, n)) static_cast<void>(key_columns::of_object(in_, n, keys));
    return keys;
  }
  /// Returns true if both sets have the same keys, stored in the same way.
  [[nodiscard]] static bool same_keys(const key_columns& a, const key_columns& b) noexcept {
    if (a.hashes() == b.hashes()) return true;
    const uint32_t n = a.count();
    if (n != b.count() || std::memcmp(a.hashes(), b.hashes(), std::size_t{2} * n) != 0) return false;
    for (uint32_t i = 0; i < n; ++i) {
      const std::byte* const mine = a.record(i);
      const std::byte* const its = b.record(i);
      if (mine == nullptr || its == nullptr || a.record_size(i) != b.record_size(i) ||
          std::memcmp(mine, its, a.record_size(i)) != 0)
        return false;
    }
    return true;
  }
  [[nodiscard]] bool list_keys(const key_columns& keys, progress_poll& poll) noexcept {
    if (!shapes_.push({static_cast<uint32_t>(entries_.size()), keys.count()})) return false;
    const uint32_t count = keys.count();
    for (uint32_t i = 0; i < count;) {
      for (const auto due = static_cast<uint32_t>(poll.run_end(i, count, 64)); i < due; ++i) {
        key_entry entry{keys.text(i), 0, keys.hash(i)};
        if (keys.is_long(i) && !keys.long_key_position(i, entry.long_key)) return false;
        if (entry.long_key != 0 && long_ranks_.find(entry.long_key) == 0 &&
            (!long_ranks_.set(entry.long_key, 1) || !long_keys_.push({entry.text, entry.long_key})))
          return false;
        if (!entries_.push(entry)) return false;
      }
      if (i < count && !poll.should_continue_now()) return false;
    }
    return true;
  }

  /// Ranks the long keys by their texts. The texts are compared only here, although many objects
  /// may refer to the same long key.
  [[nodiscard]] bool rank_long_keys(progress_poll& poll) noexcept {
    const auto before = [](const long_entry& a, const long_entry& b) { return a.text < b.text; };
    if (!cancellable_sort(long_keys_.begin(), long_keys_.end(), before, poll)) return false;
    uint32_t rank = 0;
    for (std::size_t i = 0; i < long_keys_.size(); ++i) {
      if (i == 0 || long_keys_[i].text != long_keys_[i - 1].text) ++rank;
      if (!long_ranks_.set(long_keys_[i].position, rank)) return false;
    }
    for (key_entry& each : entries_) {
      if (each.long_key != 0) each.long_key = long_ranks_.find(each.long_key);
    }
    return true;
  }
  [[nodiscard]] bool number_keys(progress_poll& poll) noexcept {
    // Sorts by hash first, since numbers are sorted faster than text. Equal hashes are rare, unless
    // an attacker chose the keys.
    plain_list<uint64_t> order;
    const auto count = static_cast<uint32_t>(entries_.size());
    for (uint32_t i = 0; i < count;) {
      for (const auto due = static_cast<uint32_t>(poll.run_end(i, count, 64)); i < due; ++i) {
        if (!order.push(uint64_t{entries_[i].hash} << 32 | i) || !ids_.push(0)) return false;
      }
      if (i < count && !poll.should_continue_now()) return false;
    }
    if (!cancellable_sort(order.begin(), order.end(), std::less(), poll)) return false;
    const auto entry = [&](uint64_t each) -> const key_entry& {
      return entries_[static_cast<uint32_t>(each)];
    };
    for (uint64_t* from = order.begin(); from != order.end();) {
      uint64_t* to = from + 1;
      while (to != order.end() && *to >> 32 == *from >> 32) ++to;
      if (!poll.step_should_continue()) return false;
      if (to - from > 1) {
        const auto before = [&](uint64_t a, uint64_t b) {
          const key_entry& one = entry(a);
          const key_entry& other = entry(b);
          return one.long_key != 0 && other.long_key != 0 ? one.long_key < other.long_key
                                                          : one.text < other.text;
        };
        if (!cancellable_sort(from, to, before, poll)) return false;
      }
      for (const uint64_t* each = from; each != to; ++each) {
        if ((each == from || !same(entry(each[-1]), entry(*each))) && !keys_.push(entry(*each).text))
          return false;
        ids_[static_cast<uint32_t>(*each)] = static_cast<uint32_t>(keys_.size() - 1);
      }
      from = to;
    }
    entries_.clear();
    return true;
  }
  [[nodiscard]] static bool same(const key_entry& a, const key_entry& b) noexcept {
    return a.long_key != 0 && b.long_key != 0 ? a.long_key == b.long_key : a.text == b.text;
  }
  /// Sorts the sets of keys, and drops repeated sets.
  [[nodiscard]] bool number_shapes(progress_poll& poll) noexcept {
    plain_list<uint32_t> order;
    for (uint32_t i = 0; i < shapes_.size(); ++i) {
      if (!order.push(i) || !numbers_.push(0)) return false;
    }
    const auto compare = [this](uint32_t a, uint32_t b) {
      const shape& one = shapes_[a];
      const shape& other = shapes_[b];
      if (one.count != other.count) return one.count < other.count ? -1 : 1;
      const auto [mine, its] = std::mismatch(ids(one), ids(one) + one.count, ids(other));
      if (mine == ids(one) + one.count) return 0;
      return *mine < *its ? -1 : 1;
    };
    const auto before = [&](uint32_t a, uint32_t b) { return compare(a, b) < 0; };
    if (!cancellable_sort(order.begin(), order.end(), before, poll)) return false;
    plain_list<shape> sorted;
    for (std::size_t i = 0; i < order.size(); ++i) {
      if ((i == 0 || compare(order[i - 1], order[i]) != 0) && !sorted.push(shapes_[order[i]])) return false;
      numbers_[order[i]] = static_cast<uint32_t>(sorted.size() - 1);
    }
    shapes_.clear();
    for (const shape& each : sorted) {
      if (!shapes_.push(each)) return false;
    }
    return true;
  }

  validated in_;
  plain_list<uint32_t> objects_; ///< for each set of keys: position of the first object
  plain_list<uint32_t> visits_;  ///< for each visited object: its set
  plain_list<uint32_t> numbers_; ///< for each set: its shape number
  position_map known_;
  plain_list<key_entry> entries_;
  plain_list<long_entry> long_keys_;
  position_map long_ranks_;
  plain_list<uint32_t> ids_; ///< for each entry: its key number
  plain_list<std::string_view> keys_;
  plain_list<shape> shapes_; ///< in the order of the walk; sorted later
};

}}} // namespace ingot::INGOT_V1::detail::doc
