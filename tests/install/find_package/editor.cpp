// SPDX-License-Identifier: Apache-2.0
// A program that uses a library of data. Returns 0 if its data are equal to the file's.
#include "level.ingot.hpp"

namespace assets {
bool are_there();
}

int main() { return assets::are_there() && assets::level().size() > 64 ? 0 : 1; }
