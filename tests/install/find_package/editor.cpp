// SPDX-License-Identifier: Apache-2.0
// A user of a library with data: ends with 0 if they are the file's.
#include "level.ingot.hpp"

namespace assets {
bool are_there();
}

int main() { return assets::are_there() && assets::level().size() > 64 ? 0 : 1; }
