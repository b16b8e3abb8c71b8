// SPDX-License-Identifier: Apache-2.0
// Counts the basic blocks that run. The compiler puts a call in front of each in files that are
// compiled with -fsanitize-coverage=trace-pc.
#include "hostile/bounds.hpp"

extern "C" void __sanitizer_cov_trace_pc() { ++bounds::steps; }
