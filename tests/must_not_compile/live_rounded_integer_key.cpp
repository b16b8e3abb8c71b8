// SPDX-License-Identifier: Apache-2.0
// A look-up among integers by a number that would be rounded first.
// expect: a long double would be rounded to find a key
#include <ingot/live/live.hpp>
#include <ingot/live/map.hpp>

#include <cstdint>

struct prices {
  ingot::map<std::int64_t, int> of;
};
#ifdef MUST_COMPILE
constexpr std::int64_t query = 2;
#else
constexpr long double query = 2.5L;
#endif
int main() {
  const ingot::live<prices> all;
  return all->of.find(query) == all->of.end() ? 0 : 1;
}
