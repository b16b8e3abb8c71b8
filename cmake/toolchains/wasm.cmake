# SPDX-License-Identifier: Apache-2.0
# WebAssembly with 32-bit addresses: no virtual memory, no threads, no exceptions. Node.js runs the
# programs, through WASI.
set(CMAKE_SYSTEM_NAME Generic) # CMake has no description of WASI
set(CMAKE_SYSTEM_PROCESSOR wasm32)

set(CMAKE_C_COMPILER clang-22)
set(CMAKE_CXX_COMPILER clang++-22)
set(CMAKE_AR llvm-ar-22 CACHE FILEPATH "")
set(CMAKE_RANLIB llvm-ranlib-22 CACHE FILEPATH "")
set(CMAKE_C_COMPILER_TARGET wasm32-wasip1)
set(CMAKE_CXX_COMPILER_TARGET wasm32-wasip1)

# Debian's folders have the former name of the target. Without -nostdlibinc, headers of this machine
# would be found, too.
set(CMAKE_C_FLAGS_INIT "-nostdlibinc -isystem /usr/include/wasm32-wasi")
set(CMAKE_CXX_FLAGS_INIT "-nostdlibinc -isystem /usr/include/wasm32-wasi/c++/v1 -isystem /usr/include/wasm32-wasi")
# Without optimisation a frame of a function may be large, and the default stack has only 64 KiB.
set(CMAKE_EXE_LINKER_FLAGS_INIT "-L/usr/lib/wasm32-wasi -B/usr/lib/wasm32-wasi -Wl,-z,stack-size=4194304 -Wl,--stack-first")
set(CMAKE_CROSSCOMPILING_EMULATOR node --no-warnings ${CMAKE_CURRENT_LIST_DIR}/run_wasm.mjs)

set(CMAKE_FIND_ROOT_PATH /usr/lib/wasm32-wasi)
set(CMAKE_FIND_ROOT_PATH_MODE_PROGRAM NEVER)
set(CMAKE_FIND_ROOT_PATH_MODE_LIBRARY ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_INCLUDE ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_PACKAGE ONLY)
