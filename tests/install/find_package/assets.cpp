// SPDX-License-Identifier: Apache-2.0
// A library of data. ingot_compile_data generates all of it.
#include "level.ingot.hpp"

namespace assets {
bool are_there() { return !level().empty(); }
} // namespace assets
