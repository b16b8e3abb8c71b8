# SPDX-License-Identifier: Apache-2.0
# A program may have files that are compiled with -freflection and files that are not. Each kind
# calls the libraries under names of its own (INGOT_V1 in include/ingot/core/detail/config.hpp), so
# the libraries are compiled once more, under the names of the other kind. The front end of that
# second time is this build's: no type of a program is known to the libraries.
include(CheckCXXSourceCompiles)

set(INGOT_REFLECTION_NAMES AUTO CACHE STRING
  "Whether the libraries can be linked by files with -freflection and by files without: ON, OFF, or AUTO, where this compiler has the option")
set_property(CACHE INGOT_REFLECTION_NAMES PROPERTY STRINGS AUTO ON OFF)

# ingot_other_names: OFF, or what INGOT_NAMES_OF_REFLECTION is the second time.
function(ingot_find_other_names)
  set(asks "#if !defined(__cpp_impl_reflection)\n#error\n#endif\nint main() {}\n")
  check_cxx_source_compiles("${asks}" INGOT_REFLECTS)
  set(wanted ${INGOT_REFLECTION_NAMES})
  if(wanted STREQUAL "AUTO")
    set(wanted OFF)
    if(NOT INGOT_REFLECTS) # with INGOT_REFLECTS all files are compiled by reflection already
      # Not by check_cxx_compiler_flag: the option goes with C++26 only, and a project's own
      # standard would be the last word.
      set(source ${CMAKE_CURRENT_BINARY_DIR}/CMakeFiles/ingot_has_reflection.cpp)
      file(WRITE ${source} "${asks}")
      execute_process(COMMAND ${CMAKE_CXX_COMPILER} -std=c++26 -freflection -fsyntax-only ${source}
        RESULT_VARIABLE failed OUTPUT_QUIET ERROR_QUIET)
      if(NOT failed)
        set(wanted ON)
      endif()
    endif()
  endif()
  set(other OFF)
  if(wanted)
    set(other 1)
    if(INGOT_REFLECTS)
      set(other 0)
    endif()
  endif()
  set(ingot_other_names ${other} PARENT_SCOPE)
endfunction()
ingot_find_other_names()

# Adds the sources of a library, which is otherwise complete, under the other names.
function(ingot_add_other_names library)
  if(ingot_other_names STREQUAL "OFF")
    return()
  endif()
  set(other ${library}_other_names)
  get_target_property(sources ${library} SOURCES)
  add_library(${other} OBJECT ${sources})
  foreach(property LINK_LIBRARIES INCLUDE_DIRECTORIES COMPILE_DEFINITIONS COMPILE_FEATURES POSITION_INDEPENDENT_CODE)
    get_target_property(value ${library} ${property})
    if(value)
      set_property(TARGET ${other} PROPERTY ${property} ${value})
    endif()
  endforeach()
  target_compile_definitions(${other} PRIVATE INGOT_NAMES_OF_REFLECTION=${ingot_other_names})
  target_sources(${library} PRIVATE $<TARGET_OBJECTS:${other}>)
endfunction()
