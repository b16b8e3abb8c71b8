// SPDX-License-Identifier: Apache-2.0
// Files of four modes in one program: each checks what its own mode checks, in any order of
// linking. If functions of two modes had the same name, the linker would keep one of them, and the
// files of the other mode would use it.
#include <ingot/core/hardening.hpp>

#include "part.hpp"

#include <cstdio>

#include <sys/wait.h>
#include <unistd.h>

namespace {

constexpr int reported = 42;
void report(const ingot::precondition_violation&) noexcept { ::_exit(reported); }

int wrong = 0;
void expect(bool reports, int (*call)(ingot::live<modes::record>&), const char* name) {
  ingot::live<modes::record> block;
  block->list.reserve(16);
  block->list = {1, 2, 3, 4, 5};
  block->one = {1};
  block->other = {2};
  block->text = "a text that is longer than short ones are";
  const pid_t child = ::fork();
  if (child == 0) {
    static_cast<void>(call(block));
    ::_exit(0);
  }
  int status = 0;
  ::waitpid(child, &status, 0);
  if (WIFEXITED(status) && WEXITSTATUS(status) == (reports ? reported : 0)) return;
  ++wrong;
  std::printf("wrong: %s, status %#x\n", name, static_cast<unsigned>(status));
}

} // namespace

int main() {
  ingot::set_precondition_handler(report);
  // A sanitizer reports what the mode `none` doesn't check.
  if (INGOT_SANITIZED == 0) expect(false, index_none, "index_none");
  expect(true, index_fast, "index_fast");
  expect(true, index_extensive, "index_extensive");
  expect(true, index_debug, "index_debug");
  expect(false, compare_none, "compare_none");
  expect(false, compare_fast, "compare_fast");
  expect(true, compare_extensive, "compare_extensive");
  expect(true, compare_debug, "compare_debug");
  expect(false, grow_none, "grow_none");
  expect(false, grow_fast, "grow_fast");
  expect(false, grow_extensive, "grow_extensive");
  expect(true, grow_debug, "grow_debug");
  expect(false, shrink_none, "shrink_none");
  expect(false, shrink_fast, "shrink_fast");
  expect(false, shrink_extensive, "shrink_extensive");
  expect(true, shrink_debug, "shrink_debug");
  return wrong;
}
