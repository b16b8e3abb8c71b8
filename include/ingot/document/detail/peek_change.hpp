// SPDX-License-Identifier: Apache-2.0
// A change of a document that was not validated, in memory that has free bytes after the document.
// The change checks the nodes on the path of the value, and reads no other nodes. A node that needs
// more bytes is copied to the free bytes; the last node of the document becomes longer in place. So
// a new node shares no byte with other nodes, whatever the bytes of the document are. All checks
// come before the first write to the bytes of the document, except to its length. If there is no
// space, the length is restored.
//
// The former bytes of a node, and of values that were replaced or erased, stay in the document and
// belong to no node. The numbers of uses in shapes and long keys may be too large afterwards.
// Editors count these uses again.
#pragma once

#include <ingot/document/detail/core.hpp>
#include <ingot/document/detail/keys.hpp>
#include <ingot/document/detail/node_edit.hpp>
#include <ingot/document/detail/tree.hpp>

#include <cstddef>
#include <cstdint>

namespace ingot { inline namespace INGOT_V1 { namespace detail::doc {

class peek_change {
public:
  /// Begins a change of the document of `used` bytes at `start`. The memory has `capacity` bytes.
  INGOT_COMPILED peek_change(std::byte* start, uint32_t used, uint32_t capacity) noexcept;
  peek_change(const peek_change&) = delete;
  peek_change& operator=(const peek_change&) = delete;
  /// Restores the length of the document, unless a function below has returned `done`.
  INGOT_COMPILED ~peek_change();

  /// Returns the memory in which the nodes of a new value are made. They are in the free bytes.
  [[nodiscard]] core& memory_for_values() noexcept { return core_; }
  /// Returns the length of the document.
  [[nodiscard]] uint32_t used() const noexcept { return core_.used(); }

  // The functions below change the value at a location, as those of `tree` do. They update the
  // location. On other outcomes than `done`, the bytes of the document are unchanged. The outcome
  // is `rejected` if a node on the path is damaged.

  [[nodiscard]] INGOT_COMPILED outcome write(location& at, const item& new_value) noexcept;
  /// Overwrites text or bytes of the kind `kind` in a node of their own. Returns false and changes
  /// nothing if the value has no such node, or if the node is too short.
  [[nodiscard]] INGOT_COMPILED bool overwrite_blob(const location& at, value_kind kind, const void* data,
                                                   std::size_t size) noexcept;
  [[nodiscard]] INGOT_COMPILED outcome insert(location& at, uint32_t index, const item& new_value) noexcept;
  [[nodiscard]] INGOT_COMPILED outcome set(location& at, const document_key& new_key, const item& new_value,
                                           location& member) noexcept;
  [[nodiscard]] INGOT_COMPILED outcome erase(location& at, uint32_t index) noexcept;

private:
  /// The bytes that were the document before the change.
  [[nodiscard]] memory before() const noexcept { return {start_, used_before_}; }
  [[nodiscard]] outcome done() noexcept {
    done_ = true;
    return outcome::done;
  }
  [[nodiscard]] INGOT_COLD INGOT_COMPILED outcome damaged() noexcept;
  [[nodiscard]] INGOT_COMPILED outcome write_root(const item& value) noexcept;
  /// Returns the position of the reference to the node at `position`; 0 if there is no reference.
  /// The reference is in the header if `parent` is 0, otherwise in the node `parent`.
  [[nodiscard]] INGOT_COMPILED uint32_t find_link(uint32_t position, uint32_t parent,
                                                  uint32_t hint) const noexcept;
  /// Makes space in a node for `more`, and sets `position` to its new position. With `may_extend`,
  /// the last node may become longer in place; the caller then needs no other space.
  [[nodiscard]] INGOT_COMPILED outcome make_space(const node& n, const growth& more, bool may_extend,
                                                  uint32_t& position) noexcept;
  /// Computes the bytes that the elements of `n` will have in a heap, and checks the elements. If
  /// `own` is set, the elements also get the keys `keys`.
  [[nodiscard]] INGOT_COMPILED bool measure(const node& n, const key_columns* keys, bool own,
                                            uint32_t dropped, uint64_t& bytes) const noexcept;
  [[nodiscard]] INGOT_COMPILED uint32_t make_array(const item& from) noexcept;
  /// Ends a change that moved a node: `link` then refers to its new position.
  [[nodiscard]] INGOT_COMPILED outcome move(uint32_t link, uint32_t from, uint32_t to) noexcept;

  struct no_owner : storage_owner {
    INGOT_COMPILED no_owner() noexcept;
  };

  std::byte* start_;
  uint32_t used_before_;
  bool done_ = false;
  no_owner owner_;
  core core_;
  /// Keys of a shape that an object has copied. Each long key among them gets one more use.
  key_columns copied_keys_;
  bool has_copied_keys_ = false;
};

}}} // namespace ingot::INGOT_V1::detail::doc

#if defined(INGOT_HEADER_ONLY)
#include <ingot/document/compiled/peek_change.hpp>
#endif
