// SPDX-License-Identifier: Apache-2.0
// The command line: its options, and the commands that they run.
#pragma once

namespace tool {

/// Runs the tool and returns the exit code of the process.
int run(int count, const char* const* words);

} // namespace tool
