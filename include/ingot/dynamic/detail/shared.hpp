// SPDX-License-Identifier: Apache-2.0
// Tables of a description, shared by all handles to its layout: a std::shared_ptr that is made
// without exceptions.
#pragma once

#include <ingot/dynamic/detail/types.hpp>

#include <atomic>
#include <cstddef>
#include <new>

namespace ingot { inline namespace INGOT_V1 { namespace detail::dyn {

class shared_tables {
public:
  /// Makes empty tables; null if there is no memory.
  [[nodiscard]] static shared_tables make() noexcept { return shared_tables(new (std::nothrow) counted); }

  // A move copies, so that a moved-from handle still has its tables.
  shared_tables(const shared_tables& other) noexcept : made_(other.made_) { share(); }
  shared_tables& operator=(const shared_tables& other) noexcept {
    other.share();
    leave();
    made_ = other.made_;
    return *this;
  }
  ~shared_tables() { leave(); }

  [[nodiscard]] explicit operator bool() const noexcept { return made_ != nullptr; }
  [[nodiscard]] const tables* get() const noexcept { return &made_->in; }
  [[nodiscard]] const tables* operator->() const noexcept { return &made_->in; }
  /// Returns the tables for filling, before they are shared.
  [[nodiscard]] tables& fill() const noexcept { return made_->in; }

private:
  struct counted {
    tables in;
    std::atomic<std::size_t> users{1};
  };
  explicit shared_tables(counted* made) noexcept : made_(made) {}

  void share() const noexcept {
    if (made_ != nullptr) made_->users.fetch_add(1, std::memory_order_relaxed);
  }
  void leave() const noexcept {
    if (made_ != nullptr && made_->users.fetch_sub(1, std::memory_order_acq_rel) == 1) delete made_;
  }

  counted* made_;
};

}}} // namespace ingot::INGOT_V1::detail::dyn
