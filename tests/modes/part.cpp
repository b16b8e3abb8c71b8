// SPDX-License-Identifier: Apache-2.0
// Compiled once for each mode, of which INGOT_HARDENING is one and MODE the name.
#include "part.hpp"

#define JOINED(a, b) a##b
#define NAMED(a, b) JOINED(a, b)

int NAMED(index_, MODE)(ingot::live<modes::record>& block) { return block->list[7]; }
int NAMED(compare_, MODE)(ingot::live<modes::record>& block) {
  return block->one.begin() == block->other.begin() ? 1 : 0;
}
