// SPDX-License-Identifier: Apache-2.0
// Guards that undo a change of a container if it was not completed because memory ran out or the
// caller's code threw.
#pragma once

#include <ingot/core/detail/config.hpp>
#include <ingot/core/hardening.hpp>

#include <cstddef>
#include <utility>

namespace ingot { inline namespace INGOT_V1 { namespace detail {

/// The destructor removes the elements that were appended to a sequence since the guard was
/// created, unless `keep` was called.
template <class Storage>
class appended {
public:
  explicit appended(Storage& to) noexcept : to_(to), old_size_(to.size_) {}
  appended(const appended&) = delete;
  appended& operator=(const appended&) = delete;
  INGOT_INLINE ~appended() {
    if (to_.size_ > old_size_) [[unlikely]]
      to_.shrink(old_size_);
  }
  bool keep() noexcept {
    old_size_ = to_.size_;
    return true;
  }

private:
  Storage& to_;
  std::size_t old_size_;
};

/// The destructor releases a storage that was allocated for growth, unless `storage` equals `old`.
template <class Block>
struct spare_storage {
  std::byte* storage;
  std::byte* old;
  spare_storage(std::byte* fresh, std::byte* before) noexcept : storage(fresh), old(before) {}
  spare_storage(const spare_storage&) = delete;
  spare_storage& operator=(const spare_storage&) = delete;
  INGOT_INLINE ~spare_storage() {
    if (storage != old) Block::of(old).release(storage);
  }
};

/// Holds the old content of a container in a block while new content is built in the container.
/// Code that builds the new content may read the old content. The destructor restores the old
/// content, or destroys it after `keep`.
template <class Storage>
class INGOT_DEBUG_TYPE replace_guard {
public:
  explicit replace_guard(Storage& of) noexcept : of_(of), data_(of.at_.data()), size_(of.size_) {
    of.at_.point_at(of.at_.block().sentinel());
    of.size_ = 0;
  }
  replace_guard(const replace_guard&) = delete;
  replace_guard& operator=(const replace_guard&) = delete;
  ~replace_guard() {
    if (!committed_) {
      std::byte* const fresh = of_.at_.data();
      of_.at_.point_at(data_);
      data_ = fresh;
      std::swap(of_.size_, size_);
    }
    Storage::destroy_storage(data_, size_, of_.at_.block());
  }
  bool keep() noexcept { return committed_ = true; }

private:
  Storage& of_;
  std::byte* data_;
  decltype(Storage::size_) size_;
  bool committed_ = false;
};

}}} // namespace ingot::INGOT_V1::detail
