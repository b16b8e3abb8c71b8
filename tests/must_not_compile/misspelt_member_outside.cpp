// SPDX-License-Identifier: Apache-2.0
// A misspelt name in INGOT_REFLECT outside of the class, in a program that uses the class more than
// once: one error.
// expect: misspelt_member
// expect: heatlh
// lines by g++: 40
#include <ingot/pack/pack.hpp>
#include <ingot/pack/unpack.hpp>
#include <ingot/pack/view.hpp>

#include <string>

struct player {
  std::string name;
  int health = 0;
};
#ifdef MUST_COMPILE
INGOT_REFLECT(player, name, health)
#else
INGOT_REFLECT(player, name, heatlh)
#endif
auto write(const player& value) { return ingot::pack(value); }
auto read(ingot::bytes_view bytes) { return ingot::unpack<player>(bytes); }
auto look(ingot::bytes_view bytes) { return ingot::view<player>::open(bytes); }
