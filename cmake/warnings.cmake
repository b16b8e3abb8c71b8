# SPDX-License-Identifier: Apache-2.0
# What every target of this project is compiled with, and no target of its users: link privately to ingot::warnings.
add_library(ingot_warnings INTERFACE)
add_library(ingot::warnings ALIAS ingot_warnings)

option(INGOT_WERROR "Warnings are errors" ${PROJECT_IS_TOP_LEVEL})

# -Wconversion and -Wshadow are not in -Wextra; in code about byte counts and widths they find real mistakes.
target_compile_options(ingot_warnings INTERFACE
  -Wall -Wextra -Wpedantic -Wconversion -Wshadow
  $<$<BOOL:${INGOT_WERROR}>:-Werror>
)
