// SPDX-License-Identifier: Apache-2.0
// Memory that runs out when a test requests it, for programs that are linked with
// failing_memory.cpp.
#pragma once

#include <cstddef>

namespace failing {

/// Controls the replaced operator new and realloc. Off while a test prepares and while GoogleTest
/// works.
struct state {
  bool active = false;
  bool for_ever = false; ///< true: all allocations from the n-th on fail; false: the n-th alone
  std::size_t fail_at = 0;
  std::size_t count = 0;
  std::size_t alive = 0; ///< allocations of operator new that were not freed
  bool measures = false;
  std::size_t bytes = 0; ///< bytes in use that were allocated since the measurement began
  std::size_t peak = 0;  ///< the maximum of `bytes`
};
extern state memory;

} // namespace failing
