# SPDX-License-Identifier: Apache-2.0
# The readers under attack, compiled once for the tests here and for the fuzz targets.
if(NOT TARGET ingot_hostile_subjects)
  file(GLOB subjects CONFIGURE_DEPENDS ${CMAKE_CURRENT_LIST_DIR}/subjects*.cpp)
  add_library(ingot_hostile_subjects OBJECT ${subjects})
  if(INGOT_TEST_SET STREQUAL "leg") # one group of the six, chosen for its variety
    list(FILTER subjects EXCLUDE REGEX "subjects_(scalar|sequence|keyed|game|record|crafted)")
  endif()
  target_include_directories(ingot_hostile_subjects PUBLIC ${CMAKE_CURRENT_LIST_DIR}/..)
  target_link_libraries(ingot_hostile_subjects PUBLIC ingot::ingot PRIVATE ingot::warnings)
  # Some 180 types times all operations: -O1 has the inlining that the codecs are built on, in half the time.
  target_compile_definitions(ingot_hostile_subjects PRIVATE
    $<$<STREQUAL:${INGOT_TEST_SET},leg>:INGOT_ANNOTATED_SUBJECTS_ONLY>)
  target_compile_options(ingot_hostile_subjects PRIVATE $<$<NOT:$<CONFIG:Debug>>:-O1>)
endif()
