/* SPDX-License-Identifier: Apache-2.0 */
/* Debian compiles the run-time library of clang for WebAssembly with stack protectors, but wasi-libc
   has none of the two symbols that these need. The engine protects return addresses by itself. */
#include <stdint.h>

uintptr_t __stack_chk_guard = 0x5bd1e995u; /* NOLINT */

_Noreturn void __stack_chk_fail(void) { __builtin_trap(); } /* NOLINT */
