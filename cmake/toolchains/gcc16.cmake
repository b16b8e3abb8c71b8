# SPDX-License-Identifier: Apache-2.0
# g++ 16 with C++26 reflection, made by scripts/toolchain-gcc16. Its programs run with the C library
# of that toolchain.
execute_process(
  COMMAND ${CMAKE_CURRENT_LIST_DIR}/../../scripts/toolchain-gcc16 --path
  OUTPUT_VARIABLE gcc16 OUTPUT_STRIP_TRAILING_WHITESPACE
)
if(NOT gcc16)
  message(FATAL_ERROR "g++ 16 is not there yet: run scripts/toolchain-gcc16 once.")
endif()
cmake_path(GET gcc16 PARENT_PATH gcc16_bin)

set(CMAKE_C_COMPILER ${gcc16_bin}/gcc)
set(CMAKE_CXX_COMPILER ${gcc16})

# Libraries (simdjson) come from the toolchain's own system; tools of the build come from this
# machine.
cmake_path(GET gcc16_bin PARENT_PATH gcc16_home)
set(CMAKE_SYSROOT ${gcc16_home}/root)
set(CMAKE_FIND_ROOT_PATH_MODE_PROGRAM NEVER)
set(CMAKE_FIND_ROOT_PATH_MODE_LIBRARY ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_INCLUDE ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_PACKAGE ONLY)

# CMake 3.25 knows C++26, but not the option of any compiler for it.
set(CMAKE_CXX_STANDARD 26)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_CXX26_STANDARD_COMPILE_OPTION -std=c++26)
set(CMAKE_CXX_FLAGS_INIT -freflection)
