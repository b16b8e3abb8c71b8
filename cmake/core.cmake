# SPDX-License-Identifier: Apache-2.0
# The layers from core to protobuf. They need only the standard library, and have two forms:
#
#   ingot::ingot        the headers, and a library of the code that does not depend on a program's
#                       types
#   ingot::header_only  the headers alone, which contain that code, too
#
# The single header is always header-only: both targets are then the same.
add_library(ingot_header_only INTERFACE)
add_library(ingot::header_only ALIAS ingot_header_only)
set_target_properties(ingot_header_only PROPERTIES EXPORT_NAME header_only)
target_compile_features(ingot_header_only INTERFACE cxx_std_23)
target_compile_definitions(ingot_header_only INTERFACE INGOT_HEADER_ONLY)
target_sources(ingot_header_only INTERFACE FILE_SET HEADERS BASE_DIRS ${ingot_include_dir} FILES ${ingot_headers})

# Legs of scripts/matrix that test the header-only form turn this on.
option(INGOT_HEADER_ONLY "Make ingot::ingot header-only, as ingot::header_only is" ${INGOT_SINGLE_HEADER})
if(INGOT_HEADER_ONLY)
  add_library(ingot INTERFACE)
  target_link_libraries(ingot INTERFACE ingot_header_only)
else()
  file(GLOB ingot_core_sources CONFIGURE_DEPENDS src/core/*.cpp src/document/*.cpp)
  add_library(ingot ${ingot_core_sources})
  set_target_properties(ingot PROPERTIES
    VERSION ${PROJECT_VERSION}
    SOVERSION ${PROJECT_VERSION_MAJOR}.${PROJECT_VERSION_MINOR}
    POSITION_INDEPENDENT_CODE ON # users link it into shared libraries, too
  )
  target_compile_features(ingot PUBLIC cxx_std_23)
  target_compile_definitions(ingot PRIVATE INGOT_COMPILED_PART) # ingot/core/detail/poison.hpp
  target_link_libraries(ingot PRIVATE $<BUILD_INTERFACE:ingot_warnings>)
  target_sources(ingot PUBLIC FILE_SET HEADERS BASE_DIRS ${ingot_include_dir} FILES ${ingot_headers})
  # The target all_verify_interface_header_sets compiles each header alone; see the leg `headers` of
  # scripts/matrix.
  set_target_properties(ingot PROPERTIES VERIFY_INTERFACE_HEADER_SETS ${PROJECT_IS_TOP_LEVEL})
endif()
add_library(ingot::ingot ALIAS ingot)

# Only for targets of this tree: users of an installed ingot define it for their own files.
set(INGOT_HARDENING "" CACHE STRING
  "Checks of a program's own mistakes (docs/preconditions.md): none, fast, extensive, debug; empty follows NDEBUG and the standard library")
set_property(CACHE INGOT_HARDENING PROPERTY STRINGS "" none fast extensive debug)
if(NOT INGOT_HARDENING STREQUAL "")
  if(NOT INGOT_HARDENING MATCHES "^(none|fast|extensive|debug)$")
    message(FATAL_ERROR "INGOT_HARDENING is none, fast, extensive or debug, not ${INGOT_HARDENING}")
  endif()
  string(TOUPPER ${INGOT_HARDENING} ingot_hardening)
  foreach(form ingot ingot_header_only)
    get_target_property(type ${form} TYPE)
    set(scope PUBLIC)
    if(type STREQUAL "INTERFACE_LIBRARY")
      set(scope INTERFACE)
    endif()
    target_compile_definitions(${form} ${scope} $<BUILD_INTERFACE:INGOT_HARDENING=INGOT_HARDENING_${ingot_hardening}>)
  endforeach()
endif()

if(NOT INGOT_HEADER_ONLY)
  ingot_add_other_names(ingot)
endif()
