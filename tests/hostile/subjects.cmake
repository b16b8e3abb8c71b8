# SPDX-License-Identifier: Apache-2.0
# The readers under attack, compiled once for the tests here and for the fuzz targets that link them.
if(NOT TARGET ingot_hostile_subjects)
  file(GLOB subjects CONFIGURE_DEPENDS ${CMAKE_CURRENT_LIST_DIR}/subjects*.cpp)
  if(INGOT_TEST_SET STREQUAL "leg") # one group of the six, chosen for its variety
    list(FILTER subjects EXCLUDE REGEX "subjects_(scalar|sequence|keyed|game|record|crafted)")
  endif()
  add_library(ingot_hostile_subjects OBJECT EXCLUDE_FROM_ALL ${subjects})
  add_library(ingot_hostile_compact_subjects OBJECT EXCLUDE_FROM_ALL ${CMAKE_CURRENT_LIST_DIR}/compact_subjects.cpp)
  foreach(library ingot_hostile_subjects ingot_hostile_compact_subjects)
    target_include_directories(${library} PUBLIC ${CMAKE_CURRENT_LIST_DIR}/..)
    target_link_libraries(${library} PUBLIC ingot::ingot PRIVATE ingot::warnings)
    # Some 180 types times all operations: -O1 has the inlining that the codecs are built on, in half the time.
    target_compile_options(${library} PRIVATE $<$<NOT:$<CONFIG:Debug>>:-O1>)
  endforeach()
  if(INGOT_TEST_PCH)
    target_precompile_headers(ingot_hostile_subjects PRIVATE ${ingot_precompiled})
    target_precompile_headers(ingot_hostile_compact_subjects REUSE_FROM ingot_hostile_subjects)
  endif()
  target_compile_definitions(ingot_hostile_subjects PRIVATE
    $<$<STREQUAL:${INGOT_TEST_SET},leg>:INGOT_ANNOTATED_SUBJECTS_ONLY>)
endif()
