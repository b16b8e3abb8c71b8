// SPDX-License-Identifier: Apache-2.0
// The command line: what can be said, and what is done then.
#pragma once

namespace tool {

/// Returns what the process returns.
int run(int count, const char* const* words);

} // namespace tool
