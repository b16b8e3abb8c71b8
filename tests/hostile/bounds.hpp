// SPDX-License-Identifier: Apache-2.0
// Measures readers, and compares them with the table "Bounds" of SECURITY.md.
#pragma once

#include <ingot/core/error.hpp>

#include "flat_shapes.hpp"
#include "hostile/failing_memory.hpp"
#include "small_stack.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <type_traits>
#include <unordered_set>
#include <utility>
#include <vector>

#include <gtest/gtest.h>
#include <pthread.h>

namespace bounds {

inline std::uint64_t work = 0;  ///< comparisons of keys, and bytes of text that they read
inline std::uint64_t steps = 0; ///< executed basic blocks of code that headers define

struct key {
  std::uint64_t number = 0;
  friend bool operator==(const key& a, const key& b) noexcept {
    ++work;
    return a.number == b.number;
  }
};
struct less {
  bool operator()(const key& a, const key& b) const noexcept {
    ++work;
    return a.number < b.number;
  }
  bool operator()(const std::string& a, const std::string& b) const noexcept {
    const auto [x, y] = std::mismatch(a.begin(), a.end(), b.begin(), b.end());
    work += 1 + static_cast<std::uint64_t>(x - a.begin()) / 8; // as memcmp compares
    return std::lexicographical_compare(x, a.end(), y, b.end());
  }
};
struct greater {
  bool operator()(const key& a, const key& b) const noexcept { return less{}(b, a); }
};
struct one_hash {
  std::size_t operator()(const key&) const noexcept { return 1; }
};
struct good_hash {
  std::size_t operator()(const key& k) const noexcept { return k.number; }
};

// Containers whose contents a sender can choose.

using hashed = std::unordered_set<key, good_hash>;
using colliding = std::unordered_set<key, one_hash>;
using ordered = std::set<key, less>;
using descending = std::set<key, greater>;
using texts = std::set<std::string, less>;
using empties = std::vector<std::vector<std::string>>;
struct part {
  std::vector<int> of;
};
using parts = std::vector<part>;
struct node {
  std::vector<node> inside;
};

/// Calls `f(type to read, name, value)` for each value of the hostile set, scaled by `times`.
template <class F>
void for_each_hostile_value(std::size_t times, const F& f) {
  const std::uint64_t many = 1'000 * times;
  hashed keys;
  descending downwards;
  ordered upwards;
  texts prefixed;
  for (std::uint64_t i = 0; i < many; ++i) {
    keys.insert({i});
    downwards.insert({i});
    upwards.insert({i});
  }
  for (std::size_t i = 0; i < 40 * times; ++i)
    prefixed.insert(std::string(2'000, 'a') + std::to_string(10'000 + i));
  f(std::type_identity<colliding>(), "colliding", keys);
  f(std::type_identity<descending>(), "descending", upwards);
  f(std::type_identity<ordered>(), "ascending", downwards);
  f(std::type_identity<texts>(), "long equal prefixes", prefixed);
  f(std::type_identity<empties>(), "many empties", empties(5'000 * times));
  f(std::type_identity<parts>(), "many empty records", parts(5'000 * times));
  f(std::type_identity<std::vector<int>>(), "wide", std::vector<int>(5'000 * times));
  f(std::type_identity<std::string>(), "one huge", std::string(50'000 * times, 'x'));
  std::vector<node> many_deep;
  for (std::size_t k = 0; k < 10 * times; ++k) {
    node deep;
    for (int i = 0; i < 29; ++i) {
      node outer;
      outer.inside.push_back(std::move(deep));
      deep = std::move(outer);
    }
    many_deep.push_back(std::move(deep));
  }
  f(std::type_identity<node>(), "deep", node{std::move(many_deep)});
}

/// Texts of the same shapes. One is as deep as readers of text allow.
inline std::vector<std::string> hostile_texts(std::size_t times) {
  std::vector<std::string> documents(6);
  const int many = static_cast<int>(2'000 * times);
  for (int i = 0; i < many; ++i) {
    documents[0] += i == 0 ? "[[]" : ",[]";
    documents[1] += i == 0 ? "[{}" : ",{}";
    documents[2] += i == 0 ? "[1" : ",1";
    documents[3] += (i == 0 ? "{\"" : ",\"") + std::to_string(99'999 - i) + "\":\"\"";
  }
  for (std::size_t i = 0; i < 3; ++i) documents[i] += ']';
  documents[3] += '}';
  for (int i = 0; i < 15 * static_cast<int>(times); ++i) {
    documents[4] += (i == 0 ? "[" : ",") + std::string(127, '[') + std::string(127, ']');
    documents[5] += (i == 0 ? "{\"" : ",\"") + std::string(2'000, 'a') + std::to_string(i) + "\":1";
  }
  documents[4] += ']';
  documents[5] += '}';
  return documents;
}

/// Calls `f` on a thread whose stack is filled with a pattern, and returns how many bytes were
/// overwritten.
template <class F>
std::size_t stack_of(const F& f) {
  constexpr std::size_t size = std::size_t{1} << 19;
  static const std::string painted(64, '\x5A');
  const std::unique_ptr<std::byte[]> stack(new std::byte[size]);
  std::memset(stack.get(), 0x5A, size);
  pthread_attr_t attributes;
  pthread_attr_init(&attributes);
  pthread_attr_setstack(&attributes, stack.get(), size);
  pthread_t thread{};
  const auto call = [](void* of) -> void* {
    (*static_cast<const F*>(of))();
    return nullptr;
  };
  EXPECT_EQ(pthread_create(&thread, &attributes, call, const_cast<F*>(&f)), 0);
  pthread_join(thread, nullptr);
  pthread_attr_destroy(&attributes);
  std::size_t untouched = 0;
  constexpr std::size_t step = 64;
  while (untouched < size && std::memcmp(&stack[untouched], painted.data(), step) == 0) untouched += step;
  return size - untouched;
}

struct measured {
  double work = 0;
  double memory = 0;
  double steps = 0;
  std::size_t stack = 0;

  void add(const measured& other) {
    work = std::max(work, other.work);
    memory = std::max(memory, other.memory);
    steps = std::max(steps, other.steps);
    stack = std::max(stack, other.stack);
  }
};

/// Measures one call of `f`, which reads `length` bytes and returns a result.
template <class F>
void measure_call(measured& worst, std::size_t length, const char* reader, const char* what, const F& f) {
  const auto size = static_cast<double>(length);
  std::uint64_t compared = 0;
  std::uint64_t ran = 0;
  std::size_t peak = 0;
  const auto read = [&] {
    work = 0;
    steps = 0;
    flat_shapes::moved = 0;
    failing::memory.bytes = failing::memory.peak = 0;
    failing::memory.measures = true;
    const auto outcome = f();
    failing::memory.measures = false;
    peak = failing::memory.peak;
    compared = work + flat_shapes::moved;
    ran = steps;
    if (!outcome) {
      const ingot::errc code = outcome.error().code();
      EXPECT_TRUE(code == ingot::errc::too_many_collisions || code == ingot::errc::too_much_memory ||
                  code == ingot::errc::too_deep)
          << reader << ' ' << what << ' ' << outcome.error().message();
    }
  };
  worst.stack = std::max(worst.stack, stack_of(read));
  worst.work = std::max(worst.work, static_cast<double>(compared) / size);
  worst.memory = std::max(worst.memory, static_cast<double>(peak) / size);
  worst.steps = std::max(worst.steps, static_cast<double>(ran) / size);
}

/// Returns the cells of a reader's row in SECURITY.md.
inline std::vector<std::string> row_of(const std::string& reader) {
  std::ifstream page(INGOT_SOURCE_DIR "/SECURITY.md");
  bool in_bounds = false;
  for (std::string line; std::getline(page, line);) {
    if (line.starts_with("## ")) in_bounds = line == "## Bounds";
    if (!in_bounds || !line.starts_with("| " + reader + " |")) continue;
    std::vector<std::string> cells;
    for (std::size_t at = 2, end = 0; (end = line.find(" | ", at)) != std::string::npos; at = end + 3)
      cells.push_back(line.substr(at, end - at));
    return cells;
  }
  ADD_FAILURE() << reader << " has no row in SECURITY.md";
  return std::vector<std::string>(6, "0");
}

/// Returns the limits of a reader in SECURITY.md: work and memory for each byte, and stack in KiB.
inline std::array<double, 3> promised(const std::string& reader) {
  const auto cells = row_of(reader);
  std::array<double, 3> numbers{};
  for (std::size_t i = 0; i < numbers.size(); ++i) numbers[i] = std::strtod(cells.at(i + 2).c_str(), nullptr);
  return numbers;
}

inline void expect_within(const measured& worst, const char* reader) {
  const auto [work_limit, memory_limit, stack_limit] = promised(reader);
  EXPECT_LE(worst.work, work_limit);
  EXPECT_LE(worst.memory, memory_limit);
  if (std::getenv("INGOT_SHOW_BOUNDS") != nullptr)
    std::printf("%-34s work %6.2f memory %7.2f stack %6.1f steps %8.1f\n", reader, worst.work, worst.memory,
                static_cast<double>(worst.stack) / 1024, worst.steps);
#ifndef INGOT_TEST_WIDE_FRAMES
  EXPECT_LE(static_cast<double>(worst.stack) / 1024, stack_limit);
#else
  static_cast<void>(stack_limit);
#endif
}

/// Measures one reader: its costs for each input, and for an input of the same shape that is four
/// times as large. The cost for each byte may grow slightly with the size, as lists grow by
/// doubling and trees by a level; quadratic work would cost four times as much for each byte.
class row {
public:
  static constexpr std::array<std::size_t, 2> sizes{1, 4};

  /// `counts_steps`: true if the whole reader is in headers, whose basic blocks are counted.
  explicit row(const char* reader, bool counts_steps = true)
      : reader_(reader), is_linear_(row_of(reader)[1] == "n"), counts_steps_(counts_steps) {}

  /// Measures a call of `f`, which reads `length` bytes.
  template <class F>
  void measure(std::size_t times, const std::string& what, std::size_t length, const F& f) {
    measured of;
    measure_call(of, length, reader_, what.c_str(), f);
    worst_.add(of);
    if (times == 1) {
      small_[what] = of;
      return;
    }
    const measured& before = small_.at(what);
    // log n alone gives a factor of 1.2, from 1,000 on
    const double factor = is_linear_ ? 1.5 : 1.8;
    if (counts_steps_) {
      EXPECT_LE(of.steps, factor * before.steps + 1) << reader_ << ' ' << what;
    }
    EXPECT_LE(of.work, factor * before.work + 1) << reader_ << ' ' << what;
    EXPECT_LE(of.memory, 2.2 * before.memory + 1) << reader_ << ' ' << what;
    EXPECT_LE(of.stack, before.stack + 4096) << reader_ << ' ' << what;
  }
  void expect() const {
    expect_within(worst_, reader_);
    EXPECT_GE(worst_.steps + worst_.memory, 0.1) << "nothing was measured";
  }

private:
  const char* reader_;
  bool is_linear_;
  bool counts_steps_;
  measured worst_;
  std::map<std::string, measured> small_;
};

} // namespace bounds
