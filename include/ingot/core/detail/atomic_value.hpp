// SPDX-License-Identifier: Apache-2.0
// A value that several threads read and write: the parts of std::atomic and std::atomic_ref that
// ingot uses. With g++ and clang, <atomic> is not included, because compiling <atomic> takes a
// fifth of the time that <map>, <string> and <vector> take together.
#pragma once

#include <ingot/core/detail/config.hpp>

#if !defined(__GNUC__) && !defined(__clang__)
#include <atomic>
#endif

namespace ingot { inline namespace INGOT_V1 { namespace detail {

/// An atomic integer, bool or pointer. Loads acquire, stores release, and read-modify-write
/// operations do both, unless the name of a function says otherwise. Some 32-bit machines need a
/// library for atomic operations on 8 bytes. So only mode `debug` uses values of 8 bytes.
template <class T>
class atomic_value {
public:
  constexpr atomic_value() noexcept = default;
  constexpr explicit atomic_value(T value) noexcept : value_(value) {}
  atomic_value(const atomic_value&) = delete;
  atomic_value& operator=(const atomic_value&) = delete;

#if defined(__GNUC__) || defined(__clang__)
  [[nodiscard]] T load() const noexcept { return __atomic_load_n(&value_, __ATOMIC_ACQUIRE); }
  [[nodiscard]] T load_relaxed() const noexcept { return __atomic_load_n(&value_, __ATOMIC_RELAXED); }
  void store(T value) noexcept { __atomic_store_n(&value_, value, __ATOMIC_RELEASE); }
  T exchange(T value) noexcept { return __atomic_exchange_n(&value_, value, __ATOMIC_ACQ_REL); }
  T fetch_add(T more) noexcept { return __atomic_fetch_add(&value_, more, __ATOMIC_ACQ_REL); }
  /// Stores `to` if the value equals `from`. Otherwise sets `from` to the value.
  bool compare_exchange(T& from, T to) noexcept {
    return __atomic_compare_exchange_n(&value_, &from, to, false, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE);
  }

private:
  // some machines align integers of 8 bytes to 4 bytes only, and can't write such integers
  // atomically
  alignas(sizeof(T)) T value_ = T{};
#else
  [[nodiscard]] T load() const noexcept { return value_.load(std::memory_order_acquire); }
  [[nodiscard]] T load_relaxed() const noexcept { return value_.load(std::memory_order_relaxed); }
  void store(T value) noexcept { value_.store(value, std::memory_order_release); }
  T exchange(T value) noexcept { return value_.exchange(value, std::memory_order_acq_rel); }
  T fetch_add(T more) noexcept { return value_.fetch_add(more, std::memory_order_acq_rel); }
  bool compare_exchange(T& from, T to) noexcept {
    return value_.compare_exchange_strong(from, to, std::memory_order_acq_rel, std::memory_order_acquire);
  }

private:
  std::atomic<T> value_{T{}};
#endif
};

/// Stores `to` in an object that may have this value already. Several threads may call this
/// function for one object at the same time, all with the same value. Each thread returns after it
/// has written or read the value.
template <class T>
inline void bring_to(T& object, T to) noexcept {
#if defined(__GNUC__) || defined(__clang__)
  T seen = __atomic_load_n(&object, __ATOMIC_ACQUIRE);
  if (seen != to) __atomic_compare_exchange_n(&object, &seen, to, false, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE);
#else
  const std::atomic_ref<T> shared(object);
  T seen = shared.load(std::memory_order_acquire);
  if (seen != to)
    shared.compare_exchange_strong(seen, to, std::memory_order_acq_rel, std::memory_order_acquire);
#endif
}

}}} // namespace ingot::INGOT_V1::detail
