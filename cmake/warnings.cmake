# SPDX-License-Identifier: Apache-2.0
# Warnings for all targets of this project, and for no target of its users: targets link
# ingot::warnings privately.
add_library(ingot_warnings INTERFACE)
add_library(ingot::warnings ALIAS ingot_warnings)

option(INGOT_WERROR "Warnings are errors" ${PROJECT_IS_TOP_LEVEL})

# -Wconversion and -Wshadow are not in -Wextra; in code about byte counts and widths they find real
# mistakes.
target_compile_options(ingot_warnings INTERFACE
  -Wall -Wextra -Wpedantic -Wconversion -Wshadow
  $<$<BOOL:${INGOT_WERROR}>:-Werror>
)
# clang's -Wconversion warns of more than g++'s, also of code in libstdc++ 12. If clang compiles
# tests in place of g++, to save time, it only gets the warnings of g++. Legs that test clang get
# all warnings.
option(INGOT_GCC_WARNINGS "Warn of what g++ warns of, whatever the compiler is" OFF)
if(INGOT_GCC_WARNINGS AND CMAKE_CXX_COMPILER_ID STREQUAL "Clang")
  target_compile_options(ingot_warnings INTERFACE -Wno-sign-conversion -Wno-deprecated-declarations -Wno-unused-but-set-variable)
endif()
