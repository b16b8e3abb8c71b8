// SPDX-License-Identifier: Apache-2.0
// A type with the same name as one of another file, and with other bytes.
#include <ingot/pack/pack.hpp>
#include <ingot/pack/view.hpp>

#include <cstdint>
#include <string>
#include <vector>

void look_at_twin();

namespace {

struct twin {
  std::vector<std::uint64_t> c;
  std::uint16_t d;
};
volatile int seen = 0;

} // namespace

void look_at_twin() {
  const auto bytes = ingot::pack(twin{{1}, 2});
  const auto view = *ingot::view<twin>::open(bytes);
  struct local {
    std::string z;
    std::uint64_t y;
  };
  const auto local_bytes = ingot::pack(local{"of a function", 6});
  const auto local_view = *ingot::view<local>::open(local_bytes);
  seen = view.get<"d">() + (local_view.get<"y">() == 6 ? 0 : 1);
}
