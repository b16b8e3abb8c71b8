// SPDX-License-Identifier: Apache-2.0
// A block that is being built by a description of its type. Its storages have the positions that
// they have in a program with the type, because both use the same allocator. The functions of this
// file are needed for all containers. They write the same bytes as the code in the containers' own
// header files.
#pragma once

#include <ingot/core/detail/light_standard.hpp>
#include <ingot/dynamic/detail/memory.hpp>
#include <ingot/live/detail/block_memory.hpp>
#include <ingot/live/validate.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <type_traits>

namespace ingot { inline namespace INGOT_V1 { namespace detail::dyn {

/// The block that is being built. Positions count from its beginning; 0 means no position.
template <block_policy P>
class fresh_block {
public:
  using offset_type = typename P::offset_type;
  static constexpr std::uint64_t offset = sizeof(offset_type);

  /// Reserves memory for the root. If this fails, the object converts to false: `max_bytes` bytes
  /// are too few for the root, or there is no memory.
  fresh_block(const tables& in, std::uint64_t max_bytes) noexcept : in_(&in) {
    const std::uint64_t root = align_up(in.types[0].size, 8) + root_position;
    const std::uint64_t limit = std::min<std::uint64_t>(max_bytes, slot_layout<P>::max_size);
    if (root > limit) return;
    memory_ = block_memory<P>::reserve_slot(static_cast<std::size_t>(limit));
    if (!memory_) return;
    const std::uint64_t usable = std::min<std::uint64_t>(memory_.limit(), limit) / 8 * 8;
    if (root > usable || !memory_.reaches(static_cast<std::size_t>(root))) {
      memory_.block().allocator().start(0, memory_.limit());
      memory_ = {};
      return;
    }
    memory_.block().allocator().start(static_cast<offset_type>(root), static_cast<offset_type>(usable));
    auto& header = *::new (static_cast<void*>(memory_.start())) block_header;
    header.flags =
        static_cast<std::uint8_t>((little_endian ? 0 : block_header::big_endian) |
                                  (offset == 8 ? block_header::wide_offsets : 0) | block_header::attached);
    header.layout_id = in.layout_id;
    header.schema_id = in.schema_id;
    store_offset(sentinel_position - offset, sentinel_position - 2 * offset);
  }
  [[nodiscard]] explicit operator bool() const noexcept { return static_cast<bool>(memory_); }

  /// Returns the finished block. O(1).
  [[nodiscard]] bytes_view bytes() noexcept {
    const std::uint64_t used = memory_.block().allocator().used();
    memory_.block().header().used = used;
    return memory_.shown(static_cast<std::size_t>(used));
  }
  [[nodiscard]] block_memory<P>& owned() noexcept { return memory_; }
  [[nodiscard]] const tables& in() const noexcept { return *in_; }
  [[nodiscard]] std::byte* at(std::uint64_t position) const noexcept {
    return memory_.start() + static_cast<std::size_t>(position);
  }
  /// Returns a reader of the bytes written so far.
  [[nodiscard]] memory reader() const noexcept { return {memory_.start(), memory_.limit(), in_, nullptr}; }

  template <class N>
  void store(std::uint64_t position, N number) const noexcept {
    std::memcpy(at(position), &number, sizeof number);
  }
  void store_offset(std::uint64_t position, std::uint64_t number) const noexcept {
    store(position, static_cast<offset_type>(number));
  }
  /// Stores the `size` low bytes of a number.
  void store_number(std::uint64_t position, std::uint64_t number, std::uint64_t size) const noexcept {
    switch (size) {
    case 1: return store(position, static_cast<std::uint8_t>(number));
    case 2: return store(position, static_cast<std::uint16_t>(number));
    case 4: return store(position, static_cast<std::uint32_t>(number));
    default: return store(position, number);
    }
  }
  void point(std::uint64_t anchor, std::uint64_t to) const noexcept { store_offset(anchor, to - anchor); }
  void point_at_nothing(std::uint64_t anchor) const noexcept { point(anchor, sentinel_position); }

  /// Returns the position of a new storage of zeros; 0 if there is no space.
  [[nodiscard]] std::uint64_t allocate(std::uint64_t bytes, std::uint64_t alignment) const noexcept {
    if (bytes > slot_layout<P>::max_size) return 0;
    const std::byte* const allocated =
        memory_.block().allocate(static_cast<std::size_t>(bytes), static_cast<std::size_t>(alignment));
    return allocated == nullptr ? 0 : static_cast<std::uint64_t>(allocated - memory_.start());
  }
  void release(std::uint64_t storage) const noexcept { memory_.block().release(at(storage)); }
  [[nodiscard]] std::uint64_t capacity(std::uint64_t storage) const noexcept {
    return block_ref<P>::capacity_of(at(storage));
  }
  /// Returns the position of a new tree node; 0 if there is no space. The root has another size and
  /// is not allocated here.
  [[nodiscard]] std::uint64_t allocate_node(const tree_shape& shape, unsigned level) const noexcept {
    const std::uint64_t bytes = shape.run_size(level);
    if (bytes > slot_layout<P>::max_size / 2) return 0;
    auto& allocator = memory_.block().allocator();
    const std::uint64_t front = level == 0 ? shape.front() : 0;
    const auto size = static_cast<offset_type>(bytes);
    const auto run = front != 0 ? allocator.allocate_aligned(size) : allocator.allocate(size);
    if (!run) return 0;
    if (front == 0) std::memset(at(run.at), 0, 2 * offset);
    return run.at + front;
  }

  /// Writes an optional without a value. The containers in it become empty, and all other bytes
  /// remain zero. Requires that all bytes of the optional are zero.
  void leave_empty(const type& optional, std::uint64_t position) const noexcept {
    if (!optional.has(has_model)) return;
    const model& vacant = in_->models[optional.model];
    const type& value = in_->part_type(optional, 0);
    std::memcpy(at(position), vacant.bytes, static_cast<std::size_t>(value.size));
    for (std::uint32_t i = 0; i < vacant.count; ++i)
      point_at_nothing(position + in_->anchors[vacant.first + i]);
  }

  /// Writes text of `units` characters of `width` bytes, in the byte order of this machine.
  [[nodiscard]] bool write_text(std::uint64_t position, const std::byte* from, std::uint64_t units,
                                std::uint64_t width) const noexcept {
    const std::uint64_t inline_capacity = (3 * offset - 1) / width;
    const std::uint64_t mark = position + 4 * offset - 1;
    if (units <= inline_capacity) {
      point_at_nothing(position);
      if (units != 0) std::memcpy(at(position + offset), from, static_cast<std::size_t>(units * width));
      store(mark, static_cast<std::uint8_t>(inline_capacity - units));
      return true;
    }
    if (units > max_elements(*in_, width)) return false;
    const std::uint64_t data = allocate((units + 1) * width, width);
    if (data == 0) return false;
    std::memcpy(at(data), from, static_cast<std::size_t>(units * width));
    point(position, data);
    store_offset(position + offset, units);
    store(mark, std::uint8_t{0x80});
    return true;
  }

  // Nodes of trees. Requires that all bytes of the node are zero.

  void begin_leaf(const tree_shape& shape, std::uint64_t leaf, unsigned capacity) const noexcept {
    store(leaf + 1, static_cast<std::uint8_t>(capacity));
    if (shape.has_order()) store(leaf + 8, slot_order::identity);
    fill(shape, leaf + shape.keys_at(), capacity);
  }
  void begin_inner(const tree_shape& shape, std::uint64_t node, unsigned capacity,
                   unsigned level) const noexcept {
    store(node + 1, static_cast<std::uint8_t>(capacity));
    store(node + 2, static_cast<std::uint8_t>(level));
    fill(shape, node + 8, capacity);
  }

private:
  /// Fills unused keys with the largest number.
  void fill(const tree_shape& shape, std::uint64_t position, unsigned count) const noexcept {
    if (!shape.is_plain()) return;
    const unsigned raw = shape.key->raw;
    const std::uint64_t largest = ~std::uint64_t{0} >> (64 - 8 * raw) >> (shape.key->raw_signed ? 1 : 0);
    for (unsigned i = 0; i < count; ++i) store_number(position + std::uint64_t{i} * raw, largest, raw);
  }

  const tables* in_;
  block_memory<P> memory_;
};

}}} // namespace ingot::INGOT_V1::detail::dyn
