// SPDX-License-Identifier: Apache-2.0
// The code of docs/preconditions.md.
#include <ingot/core/hardening.hpp>

#include <cstdio>
#include <cstdlib>

namespace {

void report(const ingot::precondition_violation& broken) noexcept {
  std::fprintf(stderr, "game: %s\n", broken.message);
  std::abort();
}

} // namespace

int main() {
  ingot::set_precondition_handler(report);
  return ingot::set_precondition_handler(nullptr) == report ? 0 : 1;
}
