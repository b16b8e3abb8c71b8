// SPDX-License-Identifier: Apache-2.0
// Shares the tables of a description between all handles to its layout. Like std::shared_ptr, but
// created without exceptions.
#pragma once

#include <ingot/dynamic/detail/types.hpp>

#include <atomic>
#include <cstddef>
#include <new>

namespace ingot { inline namespace INGOT_V1 { namespace detail::dyn {

class shared_tables {
public:
  /// Creates empty tables; null if there is no memory.
  [[nodiscard]] static shared_tables make() noexcept { return shared_tables(new (std::nothrow) counted); }

  // A move copies, so that a moved-from handle still has its tables.
  shared_tables(const shared_tables& other) noexcept : shared_(other.shared_) { share(); }
  shared_tables& operator=(const shared_tables& other) noexcept {
    other.share();
    leave();
    shared_ = other.shared_;
    return *this;
  }
  ~shared_tables() { leave(); }

  [[nodiscard]] explicit operator bool() const noexcept { return shared_ != nullptr; }
  [[nodiscard]] const tables* get() const noexcept { return &shared_->in; }
  [[nodiscard]] const tables* operator->() const noexcept { return &shared_->in; }
  /// Returns the tables, so that the caller can fill them. Call this only before the tables are
  /// shared.
  [[nodiscard]] tables& fill() const noexcept { return shared_->in; }

private:
  struct counted {
    tables in;
    std::atomic<std::size_t> users{1};
  };
  explicit shared_tables(counted* shared) noexcept : shared_(shared) {}

  void share() const noexcept {
    if (shared_ != nullptr) shared_->users.fetch_add(1, std::memory_order_relaxed);
  }
  void leave() const noexcept {
    if (shared_ != nullptr && shared_->users.fetch_sub(1, std::memory_order_acq_rel) == 1) delete shared_;
  }

  counted* shared_;
};

}}} // namespace ingot::INGOT_V1::detail::dyn
