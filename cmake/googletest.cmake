# SPDX-License-Identifier: Apache-2.0
# GoogleTest, compiled with the flags of the tests: other compilers, other word sizes, sanitizers,
# debug containers and a build without exceptions each need a library of their own. Debian ships the
# source (package googletest).
include_guard(GLOBAL)
set(INGOT_GOOGLETEST_DIR /usr/src/googletest CACHE PATH "Source folder of GoogleTest")

if(EXISTS "${INGOT_GOOGLETEST_DIR}/CMakeLists.txt")
  enable_language(C) # its CMake project asks for it
  set(INSTALL_GTEST OFF)
  set(BUILD_GMOCK OFF)
  add_subdirectory(${INGOT_GOOGLETEST_DIR} ${PROJECT_BINARY_DIR}/googletest EXCLUDE_FROM_ALL SYSTEM)
  # With sanitizers and optimisation it would be the slowest file of a leg to compile. Running it
  # takes no time.
  target_compile_options(gtest PRIVATE -O0 -g0 -U_FORTIFY_SOURCE)
  # The sanitizers test ingot, not GoogleTest: without them it takes half the time.
  if(CMAKE_CXX_FLAGS MATCHES "-fsanitize" OR CMAKE_CXX_FLAGS_RELWITHDEBINFO MATCHES "-fsanitize")
    target_compile_options(gtest PRIVATE -fno-sanitize=all)
  endif()
else()
  find_package(GTest REQUIRED GLOBAL)
endif()
