# SPDX-License-Identifier: Apache-2.0
# GoogleTest, compiled with the flags of the tests. Other compilers, word sizes, sanitizers, debug
# containers and builds without exceptions each need their own library. Debian has the source
# (package googletest).
include_guard(GLOBAL)
set(INGOT_GOOGLETEST_DIR /usr/src/googletest CACHE PATH "Source folder of GoogleTest")

if(EXISTS "${INGOT_GOOGLETEST_DIR}/CMakeLists.txt")
  enable_language(C) # its CMake project asks for it
  set(INSTALL_GTEST OFF)
  set(BUILD_GMOCK OFF)
  if(CMAKE_SYSTEM_PROCESSOR STREQUAL "wasm32")
    set(gtest_disable_pthreads ON)
  endif()
  add_subdirectory(${INGOT_GOOGLETEST_DIR} ${PROJECT_BINARY_DIR}/googletest EXCLUDE_FROM_ALL SYSTEM)
  # With sanitizers and optimisation, this file would take longest of all files of a leg to compile.
  # It runs for a short time only.
  target_compile_options(gtest PRIVATE -O0 -g0 -U_FORTIFY_SOURCE)
  # Its own options would turn exceptions on, which need a library that WebAssembly has not.
  if(CMAKE_SYSTEM_PROCESSOR STREQUAL "wasm32")
    target_compile_options(gtest PRIVATE -fno-exceptions)
    target_compile_options(gtest_main PRIVATE -fno-exceptions)
    target_compile_definitions(gtest PUBLIC GTEST_HAS_STREAM_REDIRECTION=0) # needs dup
    target_sources(gtest PRIVATE ${CMAKE_CURRENT_LIST_DIR}/toolchains/wasm_stack_guard.c)
  endif()
  # The sanitizers test ingot and not GoogleTest. Without them GoogleTest compiles in half the time.
  if(CMAKE_CXX_FLAGS MATCHES "-fsanitize" OR CMAKE_CXX_FLAGS_RELWITHDEBINFO MATCHES "-fsanitize")
    target_compile_options(gtest PRIVATE -fno-sanitize=all)
  endif()
else()
  find_package(GTest REQUIRED GLOBAL)
endif()
