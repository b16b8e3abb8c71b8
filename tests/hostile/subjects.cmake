# SPDX-License-Identifier: Apache-2.0
# The tested readers, compiled once for the tests here and for the fuzz targets.
if(NOT TARGET ingot_hostile_subjects)
  file(GLOB subjects CONFIGURE_DEPENDS ${CMAKE_CURRENT_LIST_DIR}/subjects*.cpp)
  if(INGOT_TEST_SET STREQUAL "leg") # a sample of the most varied one of the seven groups
    list(FILTER subjects EXCLUDE REGEX "subjects_(scalar|sequence|keyed|game|record|crafted)")
  endif()
  add_library(ingot_hostile_subjects OBJECT EXCLUDE_FROM_ALL ${subjects})
  add_library(ingot_hostile_compact_subjects OBJECT EXCLUDE_FROM_ALL ${CMAKE_CURRENT_LIST_DIR}/compact_subjects.cpp)
  foreach(library ingot_hostile_subjects ingot_hostile_compact_subjects)
    target_include_directories(${library} PUBLIC ${CMAKE_CURRENT_LIST_DIR}/..)
    target_link_libraries(${library} PUBLIC ingot::ingot PRIVATE ingot::warnings)
    target_compile_definitions(${library} PUBLIC $<$<STREQUAL:${INGOT_TEST_SET},leg>:INGOT_SUBJECTS_SAMPLE>)
  endforeach()
  if(INGOT_FUZZ AND INGOT_TEST_SET STREQUAL "leg") # see fuzz/CMakeLists.txt
    set(INGOT_HOSTILE_OPTIONS -O0)
  elseif(INGOT_FUZZ)
    set(INGOT_HOSTILE_OPTIONS -O1)
  endif()
  target_compile_options(ingot_hostile_subjects PRIVATE ${INGOT_HOSTILE_OPTIONS})
  # One group is compiled with the options of users.
  if(NOT INGOT_TEST_SET STREQUAL "leg" AND INGOT_HOSTILE_OPTIONS MATCHES "FORCES_INLINING=0")
    set_source_files_properties(${CMAKE_CURRENT_LIST_DIR}/subjects_annotated.cpp TARGET_DIRECTORY ingot_hostile_subjects
      PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON SKIP_PRECOMPILE_HEADERS ON COMPILE_OPTIONS -UINGOT_FORCES_INLINING)
  endif()
  if(INGOT_FUZZ)
    target_compile_options(ingot_hostile_compact_subjects PRIVATE ${INGOT_HOSTILE_OPTIONS})
  else()
    target_compile_options(ingot_hostile_compact_subjects PRIVATE ${INGOT_TEST_OPTIONS})
  endif()
  # On a leg there are only two files, for which a precompiled header costs more than it saves.
  if(INGOT_TEST_PCH AND NOT INGOT_TEST_SET STREQUAL "leg")
    target_precompile_headers(ingot_hostile_subjects PRIVATE ${ingot_precompiled})
  endif()
endif()
