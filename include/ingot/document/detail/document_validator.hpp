// SPDX-License-Identifier: Apache-2.0
// Validates that bytes are a document: everything that can be reached from the root is inside the
// bytes, nothing overlaps, and a lookup finds each key. The number of bytes limits the work: each
// node is read once, even if it is a shared shape or long key. A list of parts to check replaces
// recursion. The stored use counts of shapes and long keys are not trusted, so the uses are counted
// and the counts are overwritten.
#pragma once

#include <ingot/core/detail/pending_error.hpp>
#include <ingot/core/detail/progress_poll.hpp>
#include <ingot/core/error.hpp>
#include <ingot/document/detail/core.hpp>
#include <ingot/document/detail/keys.hpp>
#include <ingot/document/detail/position_map.hpp>
#include <ingot/live/detail/block_validator.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <new>
#include <string_view>

namespace ingot { inline namespace INGOT_V1 { namespace detail::doc {

/// Validates the bytes of a document; one object for one validation. The bytes must be writable,
/// since use counts are written to them.
class document_validator {
public:
  /// `claims` is the end of the first word of a zeroed bitmap that has one bit for eight bytes. The
  /// next words are at lower addresses (see `bitmap_claims`). After validation, the bitmap marks
  /// the bytes in use. `tracker` may be null. After an array or object is validated, the size of
  /// its node is reported to the tracker. The sizes of blobs are not reported, because validation
  /// does not read the text or bytes in a blob. Within a node, the poll is called at each long key,
  /// because the text of a long key is outside the node.
  document_validator(std::byte* start, uint32_t used, std::uint64_t* claims,
                     progress_tracker* tracker = nullptr) noexcept
      : start_(start), in_{start, used}, claims_(claims), work_(16 * uint64_t{used} + 4096),
        tracker_(tracker), poll_(tracker, used) {}

  document_validator(const document_validator&) = delete;
  document_validator& operator=(const document_validator&) = delete;

  [[nodiscard]] bool validate() noexcept {
    if (!validate_nodes()) return false;
    write_uses();
    return true;
  }
  /// Validates the bytes without writing to them, because the caller may reject them later for
  /// another reason. A caller that accepts the bytes must call `write_uses` afterwards.
  [[nodiscard]] bool validate_unwritten() noexcept { return validate_nodes(); }
  void write_uses() noexcept {
    for (const uint32_t counter : uses_) store(start_ + counter, uint32_t{0});
    for (const uint32_t counter : uses_) store(start_ + counter, load<uint32_t>(start_ + counter) + 1);
  }
  /// Validates bytes that can't be written, so the stored use counts must be correct.
  [[nodiscard]] bool validate_unmodified() noexcept { return validate_nodes() && check_uses(); }
  /// Returns the reason why the bytes were rejected. Requires that the progress callback has not
  /// cancelled.
  [[nodiscard]] const error& reason() noexcept {
    if (!is_rejected_) static_cast<void>(reject(errc::bad_length, first_node, "a node"));
    return *why_;
  }
  /// Returns the error, which may be a cancellation. Throws the exception of the callback, if any.
  [[nodiscard]] std::unexpected<error> failure() {
    if (poll_.stopped()) return tracker_->cancelled();
    static_cast<void>(reason());
    return why_.failure();
  }

private:
  INGOT_COLD bool reject(errc code, uint32_t at, std::string_view expected) noexcept {
    if (!is_rejected_) why_ = error{code, at}.with_expected(expected);
    is_rejected_ = true;
    return false;
  }
  bool claim(uint32_t position, uint32_t bytes) noexcept {
    return claims_.take(position, bytes) || reject(errc::overlap, position, "a node that overlaps no other");
  }
  /// Allocates the bitmap for shared nodes, if it is missing.
  [[nodiscard]] bool begin_sharing(uint32_t from) noexcept {
    if (!shared_) shared_.reset(new (std::nothrow) std::uint64_t[in_.size / 512 + 1]{});
    return shared_ != nullptr || reject(errc::no_memory, from, "memory for a bitmap (1/64 of the bytes)");
  }
  /// Notes a use of a shared node. Counts are written after everything is validated, so rejected
  /// bytes stay unchanged.
  [[nodiscard]] bool note_use(uint32_t counter) noexcept {
    return uses_.push(counter) || reject(errc::no_memory, counter, "memory to count uses of shared nodes");
  }
  [[nodiscard]] bool validate_nodes() noexcept {
    static_cast<void>(claims_.take(0, first_node));
    const auto root = load<uint32_t>(start_ + offsetof(document_header, root));
    if (root <= root_empty_object) return true;
    if (!check_root(root)) return false;
    uint64_t done = 0; // size of the nodes that are validated
    while (near_count_ != 0) {
      node n;
      // Takes the nodes of `left_` first, so `left_` is empty when `near_` becomes empty.
      const uint32_t position = left_.empty() ? near_[--near_count_] : left_.pop();
      if (!find_node(in_, position, n) || !check_node(n)) return false;
      done += n.bytes;
      if (!poll_.should_continue(done)) return false;
    }
    return check_postponed();
  }
  [[nodiscard]] bool check_uses() noexcept {
    std::sort(uses_.begin(), uses_.end());
    for (const uint32_t *each = uses_.begin(), *next = each; each != uses_.end(); each = next) {
      while (next != uses_.end() && *next == *each) ++next;
      if (load<uint32_t>(start_ + *each) != static_cast<uint32_t>(next - each))
        return reject(errc::bad_length, *each, "the number of objects that use these keys");
    }
    return true;
  }
  /// Returns true if this is the first reference to a shared node.
  [[nodiscard]] bool first_use(uint32_t position) noexcept {
    std::uint64_t& word = shared_[position / 512];
    const std::uint64_t bit = std::uint64_t{1} << position / 8 % 64;
    const bool first = (word & bit) == 0;
    word |= bit;
    return first;
  }
  bool check_root(uint32_t root) {
    node n;
    if (!find_node(in_, root, n) || n.kind == node_kind::shape)
      return reject(errc::bad_length, offsetof(document_header, root), "the root's node");
    if (n.kind == node_kind::single) {
      if (n.count != 1) return reject(errc::bad_length, root, "a root of one value");
      const item value = n.value(0);
      if (value.kind == value_kind::null || value.kind == value_kind::array ||
          value.kind == value_kind::object)
        return reject(errc::bad_variant, root, "a scalar or text");
    }
    return claim(root, n.bytes) && check_node(n);
  }
  bool enter(uint32_t position) noexcept {
    if (near_count_ < near_.size()) {
      near_[near_count_++] = position;
      return true;
    }
    return left_.push(position) ||
           reject(errc::no_memory, position, "memory for the list of parts left to check");
  }

  bool check_node(const node& n) {
    if (!n.wide && (n.count > narrow_count || n.heap > narrow_heap))
      return reject(errc::bad_length, n.position, "no more in a narrow node than its words can count");
    if (n.kind == node_kind::shaped && !check_shape(n)) return false;
    return has_keys(n.kind) ? check_members(n) : check_values(n);
  }
  bool check_shape(const node& n) {
    const uint32_t position = n.extra();
    node shape;
    if (!find_node(in_, position, shape) || shape.kind != node_kind::shape || shape.count != n.count)
      return reject(errc::bad_length, n.position, "the object's shape");
    if (!begin_sharing(position) || !note_use(position + (shape.wide ? 16 : 8))) return false;
    if (!first_use(position)) return true;
    return claim(position, shape.bytes) && check_node(shape);
  }
  bool check_long_key(uint32_t from, uint32_t position, uint16_t hash) {
    bytes_node key;
    if (!find_bytes(in_, position, node_kind::long_key, key) || key.length <= short_key)
      return reject(errc::bad_length, from, "a long key");
    if (load<uint16_t>(key.at + 2) != hash) return reject(errc::unsorted_keys, from, "the key's hash");
    if (!begin_sharing(position) || !note_use(position + 12)) return false;
    if (!first_use(position)) return true;
    if (!poll_.step_should_continue()) return false;
    if (!claim(position, key.bytes)) return false;
    return document_key(key.text()).hash() == hash || reject(errc::unsorted_keys, position, "the key's hash");
  }
  /// Checks an object's members, or a shape's keys. The hash in the column must be the hash of the
  /// key, and each key must follow the previous key in order.
  bool check_members(const node& n) {
    const key_columns keys(in_, n);
    const std::byte* const cells = n.cells();
    const std::byte* const hashes = n.hashes();
    const bool values = n.kind == node_kind::object;
    uint32_t hash_before = 0;
    uint32_t in_order = 0;
    bool ordered = true;
    const std::byte* const end = n.end();
    for (uint32_t i = 0; i < n.count; ++i) {
      const uint32_t cell = load_word(cells + std::size_t{n.word()} * i, n.wide);
      const uint32_t hash = load<uint16_t>(hashes + std::size_t{2} * i);
      if (cell - 1 >= n.heap) [[unlikely]]
        return reject(errc::bad_length, n.position, "a member in the node's heap");
      const std::byte* const record = end - cell;
      uint32_t before = length_in(hash);
      if (before != 0) [[likely]] {
        if (before > cell) [[unlikely]]
          return reject(errc::bad_length, n.position, "a member in the node's heap");
        if (hash_words(words_before(record, before, missing_bytes(before)), before) != hash) [[unlikely]]
          return reject(errc::unsorted_keys, n.position, "the keys' hashes");
      } else {
        before = key_bytes(hash, record);
        if (before - 1 >= cell || !check_other_key(n, keys, i))
          return reject(errc::bad_length, n.position, "a member in the node's heap");
      }
      if (values && before == cell) [[unlikely]]
        return reject(errc::bad_length, n.position, "a member in the node's heap");
      if (hash <= hash_before && i != 0 && !check_neighbours(n, keys, i)) [[unlikely]]
        return false;
      hash_before = hash;
      uint32_t size = 0;
      if (values) {
        const tag_meaning meaning = tag_meanings[std::to_integer<uint8_t>(record[before])];
        size = meaning.size;
        if (!meaning.plain || size > cell - before) [[unlikely]] {
          const item value = meaning.plain ? item{} : read_other_value(record + before, cell - before, size);
          if (value.kind == value_kind::absent)
            return reject(errc::bad_variant, n.position, "a value of the node's heap");
          if (value.owns_node() && !check_owned(n, value)) return false;
        }
      }
      // In a canonical node, each member ends where the previous member begins.
      ordered = ordered && cell == in_order + before + size;
      in_order = cell;
    }
    return ordered || check_apart(n);
  }
  /// Checks a key whose length is not in its hash.
  INGOT_NOINLINE bool check_other_key(const node& n, const key_columns& keys, uint32_t i) {
    uint32_t position = 0;
    if (keys.long_key_position(i, position)) return check_long_key(n.position, position, keys.hash(i));
    std::string_view text;
    if (!keys.text(i, text) || text.size() > short_key)
      return reject(errc::bad_length, n.position, "a key inside its node, of a length that keys can have");
    return hash_key(text) == keys.hash(i) || reject(errc::unsorted_keys, n.position, "the keys' hashes");
  }
  /// Checks that key `i` follows the previous key, if the hashes are not enough to decide the
  /// order.
  INGOT_NOINLINE bool check_neighbours(const node& n, const key_columns& keys, uint32_t i) noexcept {
    if (keys.hash(i) != keys.hash(i - 1))
      return reject(errc::unsorted_keys, n.position, "keys in the order of hash and bytes");
    uint32_t position = 0;
    uint32_t previous_position = 0;
    const bool both = keys.long_key_position(i - 1, previous_position) && keys.long_key_position(i, position);
    if (both && ascending_.find(previous_position) == position) return true;
    const std::string_view before = keys.text(i - 1);
    const std::string_view text = keys.text(i);
    if (both) {
      // Long keys are shared, so a few of them may form many pairs. `ascending_` stores only the
      // last pair of each key, so other pairs are compared again. When the comparisons have read
      // more bytes than the document's size allows, further pairs are postponed until
      // `check_postponed`.
      const uint64_t common = std::min(before.size(), text.size());
      if (common > work_)
        return postponed_.push({n.position, previous_position, position}) ||
               reject(errc::no_memory, n.position, "memory for a list of long keys");
      const auto differs = std::ranges::mismatch(before, text);
      work_ -= static_cast<uint64_t>(differs.in1 - before.begin());
    }
    if (!(before < text)) return equal_or_unsorted(n, before, text);
    return !both || ascending_.set(previous_position, position) ||
           reject(errc::no_memory, n.position, "memory for a list of long keys");
  }
  /// Compares the pairs of long keys that `check_neighbours` postponed. Sorts the keys by merging,
  /// so that each text is read O(log n) times, and then compares ranks instead of texts. O(bytes *
  /// log n) for n keys and any pairs.
  [[nodiscard]] INGOT_COLD bool check_postponed() {
    if (postponed_.empty()) return true;
    const auto no_memory = [&] {
      return reject(errc::no_memory, postponed_[0].node, "memory for a list of long keys");
    };
    plain_list<uint32_t> keys;
    uint32_t* const merged = keys.extend(4 * postponed_.size());
    if (merged == nullptr) return no_memory();
    std::size_t count = 0;
    for (const key_pair& each : postponed_) keys[count++] = each.before, keys[count++] = each.after;
    uint32_t* from = keys.begin();
    uint32_t* to = from + count;
    std::sort(from, from + count);
    count = static_cast<std::size_t>(std::unique(from, from + count) - from);
    const auto text = [&](uint32_t position) {
      bytes_node key;
      return find_bytes(in_, position, node_kind::long_key, key) ? key.text() : std::string_view{};
    };
    for (std::size_t run = 1; run < count; run *= 2) {
      for (std::size_t at = 0; at < count; at += 2 * run) {
        std::size_t a = at;
        std::size_t b = std::min(at + run, count);
        const std::size_t end_a = b;
        const std::size_t end_b = std::min(b + run, count);
        for (std::size_t i = at; i < end_b; ++i) {
          if (!poll_.step_should_continue()) return false;
          const bool first = b == end_b || (a != end_a && text(from[a]) <= text(from[b]));
          to[i] = first ? from[a++] : from[b++];
        }
      }
      std::swap(from, to);
    }
    position_map ranks;
    uint32_t rank = 1;
    for (std::size_t i = 0; i < count; ++i) {
      if (i != 0 && text(from[i - 1]) != text(from[i])) ++rank;
      if (!ranks.set(from[i], rank)) return no_memory();
    }
    for (const key_pair& each : postponed_) {
      const uint32_t before = ranks.find(each.before);
      const uint32_t after = ranks.find(each.after);
      if (before == after) return reject(errc::duplicate_key, each.node, "each key once");
      if (before > after)
        return reject(errc::unsorted_keys, each.node, "keys in the order of hash and bytes");
    }
    return true;
  }
  INGOT_COLD bool equal_or_unsorted(const node& n, std::string_view a, std::string_view b) noexcept {
    return a == b ? reject(errc::duplicate_key, n.position, "each key once")
                  : reject(errc::unsorted_keys, n.position, "keys in the order of hash and bytes");
  }

  bool check_values(const node& n) noexcept {
    uint32_t in_order = 0;
    bool ordered = true;
    for (uint32_t i = 0; i < n.count; ++i) {
      uint32_t size = 0;
      const item value = n.value(i, size);
      if (value.kind == value_kind::absent)
        return reject(errc::bad_variant, n.position, "a value of the node's heap");
      if (value.owns_node() && !check_owned(n, value)) return false;
      if (size == 0) continue;
      ordered = ordered && n.cell(i) == in_order + size;
      in_order = n.cell(i);
    }
    return ordered || check_apart(n);
  }
  /// Checks that the elements of a heap have no byte in common.
  bool check_apart(const node& n) noexcept {
    const std::size_t words = n.heap / 64 + 1;
    while (taken_.size() < words) {
      if (!taken_.push(0)) return reject(errc::no_memory, n.position, "memory for a bitmap of a heap");
    }
    std::fill_n(taken_.begin(), words, std::uint64_t{0});
    // Counted from the end of the heap, an element takes the bytes [cell - size, cell).
    for (uint32_t i = 0; i < n.count; ++i) {
      const element_bytes here = n.at_index(i);
      // Each element was validated before: it is a value whose tag determines the size.
      const uint32_t size =
          here.before + (here.left != 0 && n.kind != node_kind::shape ? size_in_heap(here.value) : 0);
      if (size == 0) continue;
      const uint32_t cell = n.cell(i);
      uint32_t at = cell - size;
      if (at % 64 + size <= 64) [[likely]] {
        const std::uint64_t mask = ~std::uint64_t{0} >> (64 - size) << at % 64;
        if ((taken_[at / 64] & mask) != 0)
          return reject(errc::overlap, n.position, "values that do not overlap");
        taken_[at / 64] |= mask;
        continue;
      }
      while (at < cell) {
        const uint32_t bit = at % 64;
        const uint32_t bits = std::min(64 - bit, cell - at);
        const std::uint64_t mask = (bits == 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << bits) - 1) << bit;
        if ((taken_[at / 64] & mask) != 0)
          return reject(errc::overlap, n.position, "values that do not overlap");
        taken_[at / 64] |= mask;
        at += bits;
      }
    }
    return true;
  }
  bool check_owned(const node& n, const item& value) noexcept {
    const uint32_t position = value.position();
    if (value.is == item::form::blob) {
      bytes_node blob;
      if (!find_bytes(in_, position, node_kind::blob, blob))
        return reject(errc::bad_length, n.position, "a reference to text or bytes");
      return claim(position, blob.bytes);
    }
    node child;
    if (!find_node(in_, position, child) || !child.is_container() ||
        child.is_object() != (value.kind == value_kind::object))
      return reject(errc::bad_length, n.position, "a reference to a node");
    return claim(position, child.bytes) && enter(position);
  }

  /// Two long keys with the same hash; `before` must precede `after` in order.
  struct key_pair {
    uint32_t node;
    uint32_t before;
    uint32_t after;
  };

  std::byte* start_;
  memory in_;
  bitmap_claims claims_;
  /// Bitmap of the shapes and long keys that were found; one bit for eight bytes.
  std::unique_ptr<std::uint64_t[]> shared_;
  uint64_t work_;                 ///< bytes of long keys that may still be compared now
  std::array<uint32_t, 16> near_; ///< nodes to validate, after the nodes in `left_`
  uint32_t near_count_ = 0;
  plain_list<uint32_t> left_;
  position_map ascending_; ///< for a long key: the last key that is known to follow it
  plain_list<key_pair> postponed_;
  plain_list<uint32_t> uses_; ///< position of the counter, for each reference
  plain_list<std::uint64_t> taken_;
  pending_error why_;
  bool is_rejected_ = false;
  progress_tracker* tracker_; ///< null if there are no progress reports
  progress_poll poll_;
};

}}} // namespace ingot::INGOT_V1::detail::doc
