// SPDX-License-Identifier: Apache-2.0
// A struct with ingot's containers belongs into a block.
// expect: ingot: a function can't return this type
// expect: use ingot::live of the type
// errors: 1
#include <ingot/live/string.hpp>
#include <ingot/pack/unpack.hpp>

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

ingot::result<world> read(ingot::bytes_view bytes) { return ingot::unpack<world>(bytes); }
