// SPDX-License-Identifier: Apache-2.0
// Code of a caller that throws at its n-th call: values, iterators, predicates. A test increases n
// until an operation completes.
#pragma once

#include <ingot/core/detail/config.hpp>

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <string_view>

#if INGOT_EXCEPTIONS

namespace live_test {

struct thrown {};

/// Counts down at each call of the caller's code, and throws at zero.
class countdown {
public:
  explicit countdown(std::size_t calls) : left_(calls) {}
  void tick() {
    if (left_ == 0) throw thrown{};
    --left_;
  }

private:
  std::size_t left_;
};

/// Converts to a number or to a text, or throws.
class difficult {
public:
  difficult(countdown& calls, std::uint32_t value, std::string_view text)
      : calls_(&calls), value_(value), text_(text) {}
  template <class N>
    requires(std::same_as<N, std::uint32_t> || std::same_as<N, std::int32_t>)
  operator N() const { // NOLINT(google-explicit-constructor)
    calls_->tick();
    return static_cast<N>(value_);
  }
  operator std::string_view() const { // NOLINT(google-explicit-constructor)
    calls_->tick();
    return text_;
  }

private:
  countdown* calls_;
  std::uint32_t value_;
  std::string_view text_;
};

/// A forward iterator that throws when it is read; copies are free.
template <class T>
class difficult_iterator {
public:
  using value_type = T;
  using difference_type = std::ptrdiff_t;
  using iterator_concept = std::forward_iterator_tag;

  difficult_iterator() = default;
  difficult_iterator(const T* at, countdown& calls) : at_(at), calls_(&calls) {}
  const T& operator*() const {
    calls_->tick();
    return *at_;
  }
  difficult_iterator& operator++() {
    ++at_;
    return *this;
  }
  difficult_iterator operator++(int) {
    auto before = *this;
    ++at_;
    return before;
  }
  friend bool operator==(const difficult_iterator& a, const difficult_iterator& b) { return a.at_ == b.at_; }

private:
  const T* at_ = nullptr;
  countdown* calls_ = nullptr;
};

/// Calls `prepare()`, then `act(calls)`, which may throw after 0, 1, 2 ... calls, then
/// `check(completed)`. Repeats until `act` completes. Returns the number of repetitions.
template <class Prepare, class Act, class Check>
std::size_t throw_at_every_call(Prepare&& prepare, Act&& act, Check&& check) {
  for (std::size_t n = 0; n < 10'000; ++n) {
    prepare();
    countdown calls(n);
    bool through = true;
    try {
      act(calls);
    } catch (const thrown&) {
      through = false;
    }
    check(through);
    if (through) return n + 1;
  }
  return 0;
}

} // namespace live_test

#endif
