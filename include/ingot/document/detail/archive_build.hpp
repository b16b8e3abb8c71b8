// SPDX-License-Identifier: Apache-2.0
// Builds a document from a validated archive. Objects with the same keys share a shape (a node that
// contains these keys) if they also share a shape in the canonical form of a document. Each long
// key is stored once. So a small archive becomes a small document.
#pragma once

#include <ingot/core/detail/progress_poll.hpp>
#include <ingot/core/error.hpp>
#include <ingot/document/detail/archive_read.hpp>
#include <ingot/document/detail/bulk.hpp>
#include <ingot/document/detail/make_node.hpp>
#include <ingot/document/detail/shape_planner.hpp>

#include <array>
#include <cstddef>
#include <cstdint>

namespace ingot { inline namespace INGOT_V1 { namespace detail::doc {

/// Receives the events of an `archive_walk` over a value. Requires that an earlier walk has read
/// the value and counted the uses of each shape. If there is no space, the nodes built so far
/// remain until the caller destroys the document.
class archive_builder {
public:
  archive_builder(core& in, archive_tables& tables, progress_poll& each) noexcept
      : in_(in), tables_(tables), poll_(each) {}

  [[nodiscard]] INGOT_INLINE bool scalar(const item& value) noexcept {
    if (value.length <= short_text) return values_.push(value) || stop(errc::no_memory);
    const uint32_t position = make_blob(in_, value.bytes, value.length);
    if (position == 0) return stop(errc::no_space);
    return values_.push(item::at_node(value.kind, position, true)) || stop(errc::no_memory);
  }
  [[nodiscard]] bool begin_array() noexcept { return begin(value_kind::array, npos); }
  [[nodiscard]] bool begin_object(uint32_t shape) noexcept { return begin(value_kind::object, shape); }
  // Nothing to do: the shape contains the keys.
  [[nodiscard]] static constexpr bool key(uint32_t) noexcept { return true; }
  [[nodiscard]] bool end() noexcept {
    const open_container ended = open_.pop();
    std::array<std::byte, packed_bytes + 2> storage;
    item closed;
    if (ended.kind == value_kind::object) {
      const auto count = static_cast<uint32_t>(values_.size() - ended.first);
      const uint32_t position = count == 0 ? 0 : make_object(ended, count);
      if (count != 0 && position == 0) return stop(why_);
      closed = item::container(value_kind::object, position);
    } else {
      if (values_.make_array(in_, ended.first, storage, closed) != outcome::done) return stop(errc::no_space);
    }
    values_.forget(ended.first, ended.bytes);
    return values_.push(closed) || stop(errc::no_memory);
  }

  /// Makes the received value the root of the document. Requires that the document is empty.
  [[nodiscard]] bool finish() noexcept {
    location root;
    return tree(in_).write(root, values_.value(0)) == outcome::done || stop(errc::no_space);
  }
  [[nodiscard]] errc why() const noexcept { return why_; }

private:
  struct open_container {
    std::size_t first; ///< index of its first value
    std::size_t bytes; ///< start of the bytes of its values
    uint32_t shape;
    value_kind kind;
  };
  bool stop(errc why) noexcept {
    why_ = why;
    return false;
  }
  /// Sets the error for a failed allocation outside of the document. Returns 0 instead of a
  /// position.
  [[nodiscard]] uint32_t no_memory() noexcept {
    why_ = errc::no_memory;
    return 0;
  }
  [[nodiscard]] bool begin(value_kind kind, uint32_t shape) noexcept {
    return open_.push({values_.size(), values_.bytes(), shape, kind}) || stop(errc::no_memory);
  }
  [[nodiscard]] hashed_key key_of(const archive_shape& shape, uint32_t member) noexcept {
    const document_key& key = tables_.key(tables_.id(shape, member));
    return {key.text(), key.hash()};
  }
  /// Returns the size of the hashes and keys of a shape in bytes.
  [[nodiscard]] uint64_t bytes_of(const archive_shape& shape) noexcept {
    uint64_t bytes = 0;
    for (uint32_t i = 0; i < shape.count; ++i) {
      bytes += 2 + key_of(shape, i).stored().size();
    }
    return bytes;
  }
  template <class Value>
  [[nodiscard]] uint32_t make_keyed(node_kind kind, const archive_shape& shape, const Value& value) noexcept {
    return make_keyed_node(
        in_, kind, shape.count, [&](uint32_t i) { return key_of(shape, i); },
        [&](uint32_t i, const hashed_key& key) { return long_key(tables_.id(shape, i), key); }, value, poll_);
  }
  [[nodiscard]] uint32_t long_key(uint32_t id, const hashed_key& key) noexcept {
    uint32_t position = long_keys_.find(id + 1);
    if (position != 0) {
      use_long_key(in_, position);
    } else {
      position = make_long_key(in_, key.text);
      if (position != 0 && !long_keys_.set(id + 1, position)) return no_memory();
    }
    return position;
  }
  [[nodiscard]] uint32_t make_object(const open_container& ended, uint32_t count) noexcept {
    const archive_shape& shape = tables_.shape(ended.shape);
    const auto value = [&](uint32_t i) { return values_.value(ended.first + i); };
    uint32_t shared = shapes_.find(ended.shape + 1);
    if (shared == 0) {
      if (!pays_to_share(tables_.uses(shape), bytes_of(shape), count))
        return make_keyed(node_kind::object, shape, value);
      shared = make_keyed(node_kind::shape, shape, value);
      if (shared == 0) return 0;
      if (!shapes_.set(ended.shape + 1, shared)) return no_memory();
    }
    const uint32_t object_position = make_plain_node(in_, node_kind::shaped, count, value);
    if (object_position != 0) use_shape(in_, object_position, shared);
    return object_position;
  }

  core& in_;
  archive_tables& tables_;
  progress_poll& poll_; ///< can cancel the build; `why` then has no meaning
  pending_values values_;
  plain_list<open_container> open_;
  position_map shapes_;    ///< from the number of a shape, plus 1, to its position
  position_map long_keys_; ///< from the number of a long key, plus 1, to its position
  errc why_ = errc::no_space;
};

}}} // namespace ingot::INGOT_V1::detail::doc
