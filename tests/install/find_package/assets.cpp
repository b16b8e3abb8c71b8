// SPDX-License-Identifier: Apache-2.0
// A library of data: all of it is written by ingot_compile_data.
#include "level.ingot.hpp"

namespace assets {
bool are_there() { return !level().empty(); }
} // namespace assets
