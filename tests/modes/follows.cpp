// SPDX-License-Identifier: Apache-2.0
// Checks the mode of a file that doesn't define INGOT_HARDENING. EXPECTED is the mode.
#include <ingot/core/hardening.hpp>

static_assert(INGOT_HARDENING_MODE == EXPECTED);
