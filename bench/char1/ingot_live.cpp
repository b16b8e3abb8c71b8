// SPDX-License-Identifier: Apache-2.0
// ingot: each holder is one block. Cases with the bytes of a block are in ingot_live_wire.cpp.
#include "ingot_live.hpp"

namespace bench {
namespace {

void enter(suite& all) {
  enter_char1<live_backend>(all, "ingot-live");
  enter_ingot_live_wire(all);
}

} // namespace

const char1_contender char1_ingot_live{"ingot-live", enter, hold_characters<live_backend>};

} // namespace bench
