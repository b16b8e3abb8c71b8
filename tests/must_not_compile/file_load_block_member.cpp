// SPDX-License-Identifier: Apache-2.0
// A struct with ingot's containers is loaded into a block.
// expect: ingot: a function can't return this type
// expect: use ingot::live of the type
// errors: 1
#include <ingot/file/load.hpp>
#include <ingot/live/string.hpp>

#ifdef MUST_COMPILE
#include <string>
struct world {
  std::string name;
};
#else
struct world {
  ingot::string name;
};
#endif

ingot::result<world> read() { return ingot::load<world>("world.ingot"); }
