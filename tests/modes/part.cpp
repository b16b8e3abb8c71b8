// SPDX-License-Identifier: Apache-2.0
// Compiled once for each mode: INGOT_HARDENING is the mode, and MODE its name.
#include "part.hpp"

#define JOINED(a, b) a##b
#define NAMED(a, b) JOINED(a, b)

int NAMED(index_, MODE)(ingot::live<modes::record>& block) { return block->list[7]; }
// Only mode debug reads the freed memory: its check reports the read.
int NAMED(grow_, MODE)(ingot::live<modes::record>& block) {
  const auto first = block->list.begin();
  for (int i = 0; i < 100; ++i) block->list.push_back(i);
  return INGOT_HARDENING_MODE == INGOT_HARDENING_DEBUG ? *first : 0;
}
int NAMED(shrink_, MODE)(ingot::live<modes::record>& block) {
  const auto first = block->text.begin();
  block->text.clear();
  return INGOT_HARDENING_MODE == INGOT_HARDENING_DEBUG ? *first : 0;
}
int NAMED(compare_, MODE)(ingot::live<modes::record>& block) {
  return block->one.begin() == block->other.begin() ? 1 : 0;
}
