# SPDX-License-Identifier: Apache-2.0
# Makes the single header, its compiled parts, and for each public header a header of the same name
# that includes the single one. All later targets, above all the tests, then use the output of
# `scripts/amalgamate --layer file --into FOLDER`, which users get, too.
set(ingot_include_dir ${CMAKE_CURRENT_BINARY_DIR}/single)
file(GLOB_RECURSE ingot_written CONFIGURE_DEPENDS include/*.hpp src/*)
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${ingot_written} scripts/amalgamate)
execute_process(COMMAND ${CMAKE_CURRENT_SOURCE_DIR}/scripts/amalgamate --layer file --into ${ingot_include_dir} --shims
  COMMAND_ERROR_IS_FATAL ANY)
