// SPDX-License-Identifier: Apache-2.0
// Memory that is its own message, on the way: through three processes, and to and fro between two
// servers.
#include "journey.hpp"
#include "migration.hpp"

#include <cstdio>
#include <string_view>

int main(int argc, char** argv) {
  // As a test: the comparisons, not the timing.
  const bool quick = argc > 1 && std::string_view(argv[1]) == "--quick";
  if (!live_demo::journey()) {
    std::fputs("demo: a process of the journey failed\n", stderr);
    return 1;
  }
  live_demo::migration(quick ? 100 : 10'000, quick ? 10 : 1000, quick ? 4 : 20);
}
