// SPDX-License-Identifier: Apache-2.0
// The messages that tests start from, and the counts that tests keep.
#pragma once

#include "hostile/subjects.hpp"

#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>

#include <gtest/gtest.h>

namespace hostile {

/// Returns the minimum number of mutants for the linked subjects, given the number for all
/// subjects. Some builds of the tests link only a part of the subjects, and a test that tried no
/// mutant would pass.
inline std::size_t min_tries(std::size_t for_all) {
  // more than any single group has, fewer than all together
  constexpr std::size_t max_subjects = 150;
  if (subjects().size() >= max_subjects) return for_all;
  // types differ in size, so a quarter of the share is required
  return for_all * subjects().size() / (4 * max_subjects);
}

/// Set by slow matrix legs: a fixed share of the mutants instead of all.
inline bool sampled() { return std::getenv("INGOT_TEST_SAMPLED") != nullptr; }
/// Set by hand: all mutants, however long they take.
inline bool complete() { return std::getenv("INGOT_TEST_FULL") != nullptr; }

/// Counts mutants and prints the number when the test ends, because "passed" does not say how much
/// was tried.
class tally {
public:
  explicit tally(std::string_view what) : what_(what) {}
  tally(const tally&) = delete;
  ~tally() {
    std::printf("[  counted ] %.*s: %zu tried, %zu accepted, %zu fields seen\n",
                static_cast<int>(what_.size()), what_.data(), tried_, accepted_, fields_);
  }

  /// Passes `bytes` to `s`. The test fails if the library contradicts itself.
  verdict offer(const subject& s, ingot::bytes_view bytes, std::string_view mutation, std::size_t at) {
    const verdict v = s.exercise(bytes);
    ++tried_;
    accepted_ += v.accepted;
    fields_ += v.fields;
    if (!v.consistent() && ++contradictions_ <= 10) {
      ADD_FAILURE() << s.name << ", " << mutation << " " << at << " of " << bytes.size()
                    << " bytes: " << v.contradiction;
    }
    return v;
  }
  [[nodiscard]] std::size_t tried() const { return tried_; }
  [[nodiscard]] std::size_t accepted() const { return accepted_; }
  [[nodiscard]] std::size_t contradictions() const { return contradictions_; }

private:
  std::string_view what_;
  std::size_t tried_ = 0;
  std::size_t accepted_ = 0;
  std::size_t fields_ = 0;
  std::size_t contradictions_ = 0;
};

/// Calls `f(subject, message)` for messages of every type: the emptiest one, and `more` that have
/// contents.
template <class F>
void for_each_message(std::size_t largest, std::uint64_t more, F&& f) {
  for (const subject& s : subjects()) {
    std::uint64_t found = 0;
    for (std::uint64_t seed = 0; seed < 40 && found <= more; ++seed) {
      const message m = s.sample(seed);
      if (m.size() > largest) continue;
      ++found;
      f(s, m);
    }
  }
}

} // namespace hostile
