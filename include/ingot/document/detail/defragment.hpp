// SPDX-License-Identifier: Apache-2.0
// Defragments a document in place. Nodes move towards the beginning, so that no free bytes are
// between them. Nodes with too many spare bytes become shorter, and references are updated. A
// document is defragmented only between changes, since a change in progress uses positions. For
// each byte that became free, at most sixteen bytes move.
#pragma once

#include <ingot/document/detail/node_edit.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>

namespace ingot { inline namespace INGOT_V1 { namespace detail::doc {

class defragmenter {
public:
  explicit defragmenter(core& in) noexcept : in_(in) {}

  /// Defragments the document. Returns false and changes nothing if more nodes would move than the
  /// log of changes can note, or if there is no memory to note them.
  [[nodiscard]] bool settle() noexcept {
    if (!find_all()) return false;
    std::sort(runs_.data(), runs_.data() + count_,
              [](const run& a, const run& b) { return a.position < b.position; });
    const uint32_t end = assign_positions();
    if (!in_.changes().may_defragment(moves_)) return false;
    if (!in_.changes().reserve_space(moves_)) {
      moves_ = 0;
      return false;
    }
    for (uint32_t i = 0; i < count_; ++i) store(in_.start() + runs_[i].link, runs_[i].to);
    move_all();
    in_.gather(end);
    return true;
  }

  /// Returns the number of nodes that would move; 0 if they were not counted.
  [[nodiscard]] uint32_t moves() const noexcept { return moves_; }
  [[nodiscard]] uint64_t looked_at() const noexcept { return looked_at_; }

private:
  /// A reference and its target. Shapes and long keys have several references.
  struct run {
    uint32_t position;
    uint32_t link; ///< position of the reference
    uint32_t bytes;
    uint32_t size; ///< new size in bytes
    uint32_t to;
    bool values;
  };
  static constexpr uint32_t max_runs = 256;

  [[nodiscard]] bool push(uint32_t position, uint32_t link, bool values) noexcept {
    if (count_ == max_runs) return false;
    runs_[count_++] = {position, link, 0, 0, 0, values};
    return true;
  }
  [[nodiscard]] bool find_all() noexcept {
    const uint32_t root = in_.root();
    if (root >= first_node) static_cast<void>(push(root, offsetof(document_header, root), true));
    for (uint32_t i = 0; i < count_; ++i) {
      if (runs_[i].values ? !look_into(runs_[i]) : !measure(runs_[i])) return false;
    }
    return true;
  }
  /// Measures a node that has no values with references. The long keys of a shape are found through
  /// the objects of the shape.
  [[nodiscard]] bool measure(run& of) const noexcept {
    bytes_node found;
    node shape;
    if (find_bytes(in_.mem(), of.position, node_kind::blob, found) ||
        find_bytes(in_.mem(), of.position, node_kind::long_key, found))
      of.bytes = found.bytes;
    else if (find_node(in_.mem(), of.position, shape)) of.bytes = shape.bytes;
    of.size = of.bytes;
    return true;
  }
  [[nodiscard]] bool look_into(run& of) noexcept {
    node n;
    if (!find_node(in_.mem(), of.position, n)) return false;
    looked_at_ += n.count;
    const auto position_of = [&](const std::byte* at) {
      return n.position + static_cast<uint32_t>(at - n.at);
    };
    if (n.kind == node_kind::shaped) {
      node shape;
      if (!push(n.extra(), n.position + (n.wide ? 16 : 8), false) ||
          !find_node(in_.mem(), n.extra(), shape) || !push_long_keys(shape))
        return false;
    }
    for (uint32_t i = 0; i < n.count; ++i) {
      const element_bytes here = n.at_index(i);
      if (here.left == 0) continue;
      const uint32_t reference =
          // `array` is the first of the four tags of references.
          std::to_integer<uint32_t>(*here.value) - static_cast<uint32_t>(tag::array);
      if (reference < 4 && !push(load<uint32_t>(here.value + 1), position_of(here.value + 1), reference < 2))
        return false;
    }
    if (n.kind == node_kind::object && !push_long_keys(n)) return false;
    const auto needed = static_cast<uint32_t>(columns_size(n.kind, n.wide, n.count)) + n.heap;
    of.bytes = n.bytes;
    of.size = std::min(n.bytes, static_cast<uint32_t>(node_size(needed + needed / max_spare)));
    return true;
  }
  [[nodiscard]] bool push_long_keys(const node& n) noexcept {
    looked_at_ += n.count;
    const std::byte* const hashes = n.hashes();
    for (uint32_t i = 0; i < n.count; ++i) {
      if (length_in(load<uint16_t>(hashes + std::size_t{2} * i)) != 0) continue;
      const std::byte* const record = n.end() - n.cell(i);
      if (std::to_integer<uint8_t>(*record) == long_key_mark &&
          !push(load<uint32_t>(record + 1), n.position + static_cast<uint32_t>(record + 1 - n.at), false))
        return false;
    }
    return true;
  }
  /// Assigns the new positions. Counts the nodes that move and to which handles may refer. Returns
  /// the end of the last node.
  [[nodiscard]] uint32_t assign_positions() noexcept {
    uint32_t end = first_node;
    for (uint32_t i = 0; i < count_; ++i) {
      if (i != 0 && runs_[i].position == runs_[i - 1].position) {
        runs_[i].to = runs_[i - 1].to;
      } else {
        runs_[i].to = end;
        end += runs_[i].size;
        if (runs_[i].values && runs_[i].to != runs_[i].position) ++moves_;
      }
    }
    return end;
  }
  /// Moves the nodes towards the beginning, in their order. No node becomes longer, so no node
  /// overwrites a node that was not yet moved.
  void move_all() noexcept {
    std::byte* const start = in_.start();
    uint32_t before = 0;
    for (uint32_t i = 0; i < count_; ++i) {
      const run& each = runs_[i];
      if (each.position == before) continue;
      before = each.position;
      std::byte* const to = start + each.to;
      if (each.size == each.bytes) {
        if (each.to != each.position) std::memmove(to, start + each.position, each.bytes);
      } else {
        node n;
        static_cast<void>(find_node(in_.mem(), each.position, n));
        const auto columns = static_cast<std::size_t>(columns_size(n.kind, n.wide, n.count));
        std::memmove(to, n.at, columns);
        std::memmove(to + each.size - n.heap, n.end() - n.heap, n.heap);
        std::memset(to + columns, 0, each.size - n.heap - columns);
        write_size(to, n.wide, each.size);
      }
      if (each.values && each.to != each.position) in_.changes().note_defragmented(each.position, each.to);
    }
    in_.changes().note_values();
  }

  core& in_;
  uint32_t count_ = 0;
  uint32_t moves_ = 0;
  uint64_t looked_at_ = 0; ///< number of elements and keys that were visited
  std::array<run, max_runs> runs_;
};

}}} // namespace ingot::INGOT_V1::detail::doc
