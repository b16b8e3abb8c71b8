# SPDX-License-Identifier: Apache-2.0
# ingot::json, the text layer: compiled, so that its users need no header of simdjson.
find_package(simdjson QUIET CONFIG)
if(NOT simdjson_FOUND)
  message(FATAL_ERROR "ingot::json needs simdjson (Debian: libsimdjson-dev); configure with -DINGOT_JSON=OFF to do without.")
endif()

if(INGOT_SINGLE_HEADER)
  file(GLOB ingot_json_sources ${ingot_include_dir}/ingot_json*.cpp)
else()
  file(GLOB ingot_json_sources CONFIGURE_DEPENDS src/json/*.cpp)
endif()
add_library(ingot_json ${ingot_json_sources})
add_library(ingot::json ALIAS ingot_json)
set_target_properties(ingot_json PROPERTIES
  EXPORT_NAME json
  VERSION ${PROJECT_VERSION}
  SOVERSION ${PROJECT_VERSION_MAJOR}.${PROJECT_VERSION_MINOR}
  POSITION_INDEPENDENT_CODE ON # users link it into shared libraries, too
)
target_compile_definitions(ingot_json PRIVATE INGOT_COMPILED_PART) # ingot/core/detail/poison.hpp
target_link_libraries(ingot_json PUBLIC ingot PRIVATE simdjson::simdjson $<BUILD_INTERFACE:ingot_warnings>)
ingot_add_other_names(ingot_json)
