// SPDX-License-Identifier: Apache-2.0
// The command line. Parses the options, and runs the command with them.
#pragma once

namespace tool {

/// Runs the tool and returns the exit code of the process.
int run(int count, const char* const* words);

} // namespace tool
