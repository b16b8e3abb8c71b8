// SPDX-License-Identifier: Apache-2.0
// Changes a value of a live struct in place, with the same handles as for documents. Data that
// handles need is stored outside of the block while this object lives.
#pragma once

#include <ingot/core/detail/light_standard.hpp>
#include <ingot/document/detail/core.hpp>
#include <ingot/document/member_ref.hpp>
#include <ingot/live/detail/block.hpp>

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace ingot { inline namespace INGOT_V1 {

template <block_policy P>
class basic_live_value;

/// Result of `edit` of a value in a live struct. Handles from this object follow their values
/// through all changes made through this object, as handles of a document do. The handles end when
/// this object is destroyed. While this object lives, the value must not be changed in any other
/// way. Its struct must not be moved either, because the value would move with the struct. The
/// block is valid at any time and may be sent. Creating this object is O(1). Destroying it is O(1),
/// or O(bytes) if half of the bytes were freed, because the value is then compacted.
template <block_policy P>
class [[nodiscard]] basic_value_edit : detail::doc::storage_owner {
public:
  basic_value_edit(const basic_value_edit&) = delete;
  basic_value_edit& operator=(const basic_value_edit&) = delete;
  ~basic_value_edit() {
    release_left();
    // `open` rejects a count of freed bytes above the document's size. The document may have become
    // smaller than the count, so the count is bounded here.
    of_.freed_ = static_cast<typename P::offset_type>(
        std::min<std::uint64_t>(freed_before_ + core_.freed(), core_.used()));
    of_.put_in_order();
  }

  /// Returns a handle to the root of the value.
  [[nodiscard]] value_ref root() noexcept {
    return detail::doc::access::make<value_ref>(&core_, detail::doc::location{});
  }
  [[nodiscard]] member_ref operator[](const document_key& key) noexcept { return root()[key]; }
  [[nodiscard]] value_ref operator[](std::size_t index) noexcept { return root()[index]; }
  [[nodiscard]] value_ref at(std::string_view pointer) { return root().at(pointer); }
  [[nodiscard]] value_ref find(const document_key& key) noexcept { return root().find(key); }
  template <detail::doc::text_of_key Text>
  [[nodiscard]] value_ref find(const Text& text) noexcept {
    return root().find(text);
  }
  [[nodiscard]] bool contains(const document_key& key) noexcept { return root().contains(key); }

private:
  friend class basic_live_value<P>;
  using block_type = detail::block_ref<P>;
  struct left_storage {
    std::byte* bytes;
  };

  /// Begins the editing of `of`. Requires that `of` has a storage.
  explicit basic_value_edit(basic_live_value<P>& of) noexcept
      : storage_owner{&lengthen_storage, &why_not}, of_(of), freed_before_(of.freed_) {
    std::byte* const start = of.at_.data();
    const auto used = detail::doc::load<std::uint32_t>(start + offsetof(detail::doc::document_header, used));
    core_.lodge(start, used, storage_capacity(start), *this);
    // The block may be sent during editing, and is invalid if `freed_` exceeds the document's size.
    // The document may shrink, so `freed_` is 0 until the editing ends: 0 is valid for every size.
    of.freed_ = 0;
  }

  [[nodiscard]] static std::uint32_t storage_capacity(std::byte* storage) noexcept {
    const std::size_t capacity = block_type::capacity_of(storage);
    return static_cast<std::uint32_t>(capacity < detail::doc::max_bytes ? capacity : detail::doc::max_bytes);
  }
  [[nodiscard]] static out_of_space_reason why_not(const storage_owner& by) noexcept {
    return static_cast<const basic_value_edit&>(by).of_.at_.failure();
  }
  [[nodiscard]] static bool lengthen_storage(storage_owner& by, detail::doc::core& of, std::uint64_t bytes,
                                             bool again) noexcept {
    return static_cast<basic_value_edit&>(by).lengthen_to(of, bytes, again);
  }
  /// Enlarges the storage to one and a half times the required size or, if that fails, to the
  /// required size. The storage may move. The argument of the caller's change may be in the old
  /// storage, which is therefore kept until the next change.
  [[nodiscard]] bool lengthen_to(detail::doc::core& of, std::uint64_t min_size, bool again) noexcept {
    if (!again) release_left();
    if (min_size > detail::doc::max_bytes) return false;
    const auto block = of_.at_.block();
    const std::uint64_t used = of.used();
    const std::uint64_t more = min_size + min_size / 2;
    const std::uint64_t wanted = more > detail::doc::max_bytes ? min_size : more;
    std::byte* const old = of.start();
    if (block.extend(old, static_cast<std::size_t>(wanted)) ||
        block.extend(old, static_cast<std::size_t>(min_size))) {
      of.move_to(old, storage_capacity(old));
      return true;
    }
    if (!left_.push({old})) return false;
    std::byte* storage = block.allocate(static_cast<std::size_t>(wanted), 8);
    if (storage == nullptr) storage = block.allocate(static_cast<std::size_t>(min_size), 8);
    if (storage == nullptr) {
      static_cast<void>(left_.pop());
      return false;
    }
    std::memcpy(storage, old, static_cast<std::size_t>(used));
    of_.at_.point_at(storage);
    of.move_to(storage, storage_capacity(storage));
    return true;
  }
  void release_left() noexcept {
    while (!left_.empty()) of_.at_.block().release(left_.pop().bytes);
  }

  basic_live_value<P>& of_;
  std::uint64_t freed_before_;
  detail::doc::core core_;
  detail::doc::plain_list<left_storage> left_;
};

}} // namespace ingot::INGOT_V1
