// SPDX-License-Identifier: Apache-2.0
// A look-up by a number that would be rounded first.
// expect: a long double would be rounded to find a key
#include <ingot/live/live.hpp>
#include <ingot/live/map.hpp>

struct prices {
  ingot::map<double, int> of;
};
#ifdef MUST_COMPILE
constexpr double query = 0.1;
#else
constexpr long double query = 0.1L;
#endif
int main() {
  const ingot::live<prices> all;
  return all->of.find(query) == all->of.end() ? 0 : 1;
}
