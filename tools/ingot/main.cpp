// SPDX-License-Identifier: Apache-2.0
// The tool `ingot`: inspects, changes and converts ingot's files. See docs/tool.md.
#include "command_line.hpp"

int main(int count, char** words) { return tool::run(count, words); }
