// SPDX-License-Identifier: Apache-2.0
// Finds the objects of a document that share a shape in canonical form. These are objects with the
// same keys, if storing the keys once takes fewer bytes. Long keys with the same text become one
// long key.
#pragma once

#include <ingot/core/detail/cancellable_sort.hpp>
#include <ingot/core/detail/light_standard.hpp>
#include <ingot/document/detail/copy.hpp>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>

namespace ingot { inline namespace INGOT_V1 { namespace detail::doc {

/// Returns true if `uses` objects with the same `keys` keys get a shape. In each of these objects,
/// the keys with their hashes take `bytes` bytes. A shape takes a node of its own, with a head of
/// 12 bytes and a cell for each key. Each object takes 4 bytes for the reference.
[[nodiscard]] constexpr bool pays_to_share(uint64_t uses, uint64_t bytes, uint64_t keys) noexcept {
  return uses > 1 && (uses - 1) * bytes > 16 + 4 * uses + 2 * keys;
}

class census {
public:
  census(memory in, progress_tracker* filling) noexcept : in_(in), each_(filling) {}

  /// Makes the plan. Returns false if there is no memory, or if cancelled.
  [[nodiscard]] bool take(shape_plan& plan) noexcept {
    return walk() && plan_long_keys(plan) && plan_shapes(plan);
  }

private:
  struct object_entry {
    uint64_t hash;
    uint32_t position;
    uint32_t order; ///< number of the object in the order of the walk
  };
  struct key_entry {
    uint32_t position;
    uint32_t order;
  };

  [[nodiscard]] bool walk() noexcept {
    const auto root = load<uint32_t>(in_.start + offsetof(document_header, root));
    plain_list<uint32_t> left;
    if (root >= first_node && !left.push(root)) return false;
    while (!left.empty()) {
      if (!each_.step_should_continue()) return false;
      const uint32_t position = left.pop();
      node n;
      if (!find_node(in_, position, n)) continue;
      key_columns keys;
      if (n.is_object() && key_columns::of_object(in_, n, keys) && !enter(position, keys)) return false;
      for (uint32_t i = 0; i < n.count; ++i) {
        const item value = n.value(i);
        if (value.is == item::form::node && !left.push(value.position())) return false;
      }
    }
    return true;
  }
  [[nodiscard]] bool enter(uint32_t position, const key_columns& keys) noexcept {
    const auto* const hashes = reinterpret_cast<const char*>(keys.hashes());
    const uint64_t hash = hash_text(first_seed, hashes, std::size_t{2} * keys.count());
    if (keys.count() != 0 && !objects_.push({hash, position, static_cast<uint32_t>(objects_.size())}))
      return false;
    for (uint32_t i = 0; i < keys.count(); ++i) {
      if (!each_.step_should_continue()) return false;
      uint32_t key = 0;
      if (!keys.is_long(i) || !keys.long_key_position(i, key) || seen_keys_.find(key) != 0) continue;
      if (!seen_keys_.set(key, 1) || !long_keys_.push({key, static_cast<uint32_t>(long_keys_.size())}))
        return false;
    }
    return true;
  }
  [[nodiscard]] key_columns keys_of(uint32_t position) const noexcept {
    node n;
    key_columns keys;
    if (find_node(in_, position, n)) static_cast<void>(key_columns::of_object(in_, n, keys));
    return keys;
  }
  [[nodiscard]] int compare_keys(uint32_t a, uint32_t b) const noexcept {
    const key_columns one = keys_of(a);
    const key_columns other = keys_of(b);
    if (one.hashes() == other.hashes()) return 0;
    if (one.count() != other.count()) return one.count() < other.count() ? -1 : 1;
    for (uint32_t i = 0; i < one.count(); ++i) {
      uint32_t mine = 0;
      uint32_t its = 0;
      if (one.is_long(i) && other.is_long(i) && one.long_key_position(i, mine) &&
          other.long_key_position(i, its)) {
        // Compares the ranks that `plan_long_keys` has assigned. Comparing the texts here would
        // take long, because many objects may refer to one long key.
        if (ranks_.find(mine) != ranks_.find(its)) return ranks_.find(mine) < ranks_.find(its) ? -1 : 1;
        continue;
      }
      if (const int order = one.text(i).compare(other.text(i)); order != 0) return order;
    }
    return 0;
  }
  /// Returns the end of the objects that have the same keys as the object at `from`.
  [[nodiscard]] object_entry* same_keys(object_entry* from, const object_entry* end) noexcept {
    object_entry* to = from + 1;
    while (to != end && compare_keys(to->position, from->position) == 0 && each_.step_should_continue()) ++to;
    return to;
  }
  [[nodiscard]] bool sort_by_keys(object_entry* from, object_entry* to) noexcept {
    const auto before = [this](const object_entry& a, const object_entry& b) {
      const int order = compare_keys(a.position, b.position);
      return order != 0 ? order < 0 : a.order < b.order;
    };
    return cancellable_sort(from, to, before, each_);
  }
  [[nodiscard]] bool plan_shapes(shape_plan& plan) noexcept {
    if (objects_.size() < 2) return true;
    const auto by_hash = [](const object_entry& a, const object_entry& b) {
      return a.hash != b.hash ? a.hash < b.hash : a.order < b.order;
    };
    if (!cancellable_sort(objects_.begin(), objects_.end(), by_hash, each_)) return false;
    object_entry* end = objects_.begin();
    for (object_entry* from = end; from != objects_.end();) {
      // True for the first object with this hash. Objects with the same hash usually have the same
      // keys, so they are sorted by keys only if necessary.
      const bool is_first = from == end;
      while (end != objects_.end() && end->hash == from->hash) ++end;
      object_entry* to = same_keys(from, end);
      if (is_first && to != end) {
        if (!sort_by_keys(from, end)) return false;
        to = same_keys(from, end);
      }
      if (!each_.step_should_continue()) return false;
      const key_columns keys = keys_of(from->position);
      uint64_t bytes = 0; // size of hashes and keys
      for (uint32_t i = 0; i < keys.count(); ++i) bytes += 2 + keys.record_size(i);
      if (pays_to_share(static_cast<uint64_t>(to - from), bytes, keys.count())) {
        for (const object_entry* each = from; each != to; ++each) {
          if (!each_.step_should_continue() || !plan.objects.set(each->position, from->position))
            return false;
        }
      }
      from = to;
    }
    return true;
  }
  [[nodiscard]] std::string_view long_text(uint32_t position) const noexcept {
    bytes_node key;
    return find_bytes(in_, position, node_kind::long_key, key) ? key.text() : std::string_view{};
  }
  [[nodiscard]] bool plan_long_keys(shape_plan& plan) noexcept {
    const auto before = [this](const key_entry& a, const key_entry& b) {
      const int order = long_text(a.position).compare(long_text(b.position));
      return order != 0 ? order < 0 : a.order < b.order;
    };
    if (!cancellable_sort(long_keys_.begin(), long_keys_.end(), before, each_)) return false;
    for (std::size_t i = 0, first = 0; i < long_keys_.size(); ++i) {
      if (!each_.step_should_continue()) return false;
      if (long_text(long_keys_[i].position) != long_text(long_keys_[first].position)) first = i;
      else if (i != first && !plan.long_keys.set(long_keys_[i].position, long_keys_[first].position))
        return false;
      if (!ranks_.set(long_keys_[i].position, static_cast<uint32_t>(first + 1))) return false;
    }
    return true;
  }

  memory in_;
  growth_poll each_;
  plain_list<object_entry> objects_;
  plain_list<key_entry> long_keys_;
  position_map seen_keys_;
  position_map ranks_; ///< for each long key: its rank in the order of the texts
};

/// Returns true if a value in a block needs no storage: it is null, or a moved-from document.
[[nodiscard]] inline bool needs_no_storage(memory from) noexcept {
  return from.start == nullptr || load<uint32_t>(from.start + offsetof(document_header, root)) == root_null;
}
/// Copies a document to a new slot, in canonical form. Used when a value in a block is assigned, or
/// when its block is rewritten. Returns false if there is no memory.
[[nodiscard]] inline bool copy_whole(core& to, memory from) noexcept {
  auto fresh =
      block_memory<narrow_policy>::reserve_slot(std::max<std::size_t>(2 * std::size_t{from.size}, 4096));
  if (!fresh) return false;
  to.begin(std::move(fresh));
  shape_plan plan;
  return census(from, to.filling()).take(plan) && copy_document(to, from, plan);
}

}}} // namespace ingot::INGOT_V1::detail::doc
