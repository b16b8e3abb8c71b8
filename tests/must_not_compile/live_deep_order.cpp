// SPDX-License-Identifier: Apache-2.0
// The <=> of a type that contains itself would need stack for each level of the block.
// expect: a type that holds itself has no <=>
// expect: branch
#include <ingot/live/live.hpp>
#include <ingot/live/vector.hpp>

#include <compare>

#ifdef MUST_COMPILE
struct leaf {
  int value = 0;
  friend std::strong_ordering operator<=>(const leaf&, const leaf&) = default;
};
struct branch {
  int value = 0;
  ingot::vector<leaf> leaves;
#else
struct branch {
  int value = 0;
  ingot::vector<branch> leaves;
#endif
  friend std::strong_ordering operator<=>(const branch&, const branch&) = default;
  friend bool operator==(const branch&, const branch&) = default;
};

bool compare(const ingot::live<branch>& a, const ingot::live<branch>& b) { return (*a <=> *b) == 0; }
