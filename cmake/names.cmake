# SPDX-License-Identifier: Apache-2.0
# A program may have files that are compiled with -freflection and files that are not. Each sort of
# file calls the libraries under its own names (INGOT_V1 in include/ingot/core/detail/config.hpp).
# So the libraries are compiled a second time, under the names of the other sort. The front end
# remains that of this build, which makes no difference: the libraries contain no types of a
# program.
include(CheckCXXSourceCompiles)

set(INGOT_REFLECTION_NAMES AUTO CACHE STRING
  "Whether the libraries can be linked by files with -freflection and by files without: ON, OFF, or AUTO, where this compiler has the option")
set_property(CACHE INGOT_REFLECTION_NAMES PROPERTY STRINGS AUTO ON OFF)

# Sets ingot_other_names to the value of INGOT_NAMES_OF_REFLECTION for the second compilation, or to
# OFF.
function(ingot_find_other_names)
  set(asks "#if !defined(__cpp_impl_reflection)\n#error\n#endif\nint main() {}\n")
  check_cxx_source_compiles("${asks}" INGOT_REFLECTS)
  set(wanted ${INGOT_REFLECTION_NAMES})
  if(wanted STREQUAL "AUTO")
    set(wanted OFF)
    if(NOT INGOT_REFLECTS) # with INGOT_REFLECTS all files are compiled by reflection already
      # check_cxx_compiler_flag does not work here: the option requires C++26, and a project's own
      # standard would override that.
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

# Compiles the sources of a library, which is otherwise complete, under the other names, too.
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
