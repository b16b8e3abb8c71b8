# SPDX-License-Identifier: Apache-2.0
# Warnings for all targets of this project, and for no target of its users: link privately to
# ingot::warnings.
add_library(ingot_warnings INTERFACE)
add_library(ingot::warnings ALIAS ingot_warnings)

option(INGOT_WERROR "Warnings are errors" ${PROJECT_IS_TOP_LEVEL})

# -Wconversion and -Wshadow are not in -Wextra; in code about byte counts and widths they find real
# mistakes.
target_compile_options(ingot_warnings INTERFACE
  -Wall -Wextra -Wpedantic -Wconversion -Wshadow
  $<$<BOOL:${INGOT_WERROR}>:-Werror>
)
# clang means more by -Wconversion than g++ does, and warns of what libstdc++ 12 does inside its
# algorithms. Where clang compiles tests in g++'s place, to save time, it asks what g++ asks; the
# legs that are about clang ask all of it.
option(INGOT_GCC_WARNINGS "Warn of what g++ warns of, whatever the compiler is" OFF)
if(INGOT_GCC_WARNINGS AND CMAKE_CXX_COMPILER_ID STREQUAL "Clang")
  target_compile_options(ingot_warnings INTERFACE -Wno-sign-conversion -Wno-deprecated-declarations -Wno-unused-but-set-variable)
endif()
