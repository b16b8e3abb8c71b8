// SPDX-License-Identifier: Apache-2.0
// The tool `ingot`: looks into any file of ingot's, changes it, and turns it into other forms. docs/tool.md is its page.
#include "command_line.hpp"

int main(int count, char** words) { return tool::run(count, words); }
