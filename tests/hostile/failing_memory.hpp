// SPDX-License-Identifier: Apache-2.0
// Memory that runs out when a test says so. A program that is linked with failing_memory.cpp has it.
#pragma once

#include <cstddef>

namespace failing {

/// What the replaced operator new, and realloc, do. Off while a test prepares and while GoogleTest works.
struct state {
  bool active = false;
  bool for_ever = false; ///< from the n-th on, not the n-th alone
  std::size_t fail_at = 0;
  std::size_t count = 0;
  std::size_t alive = 0; ///< what operator new gave and nobody gave back
  bool measures = false;
  std::size_t bytes = 0; ///< that are in use of those that were asked for since it measures
  std::size_t most = 0;  ///< of them at a time
};
extern state memory;

} // namespace failing
