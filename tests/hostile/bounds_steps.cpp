// SPDX-License-Identifier: Apache-2.0
// Counts executed basic blocks. The compiler inserts a call at the start of each block in files
// that are compiled with -fsanitize-coverage=trace-pc.
#include "hostile/bounds.hpp"

extern "C" void __sanitizer_cov_trace_pc() { ++bounds::steps; }
