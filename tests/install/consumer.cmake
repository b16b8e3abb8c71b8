# SPDX-License-Identifier: Apache-2.0
# The consumer, shared by all ways to get ingot. They provide ingot::ingot and ingot::header_only.
# With WITH_JSON they also provide ingot::json, and with WITH_FILE ingot::file.
enable_testing()

add_executable(consumer ${CMAKE_CURRENT_LIST_DIR}/consumer.cpp)
target_link_libraries(consumer PRIVATE ingot::ingot)
add_test(NAME consumer COMMAND consumer)

# Uses the header-only form, which has no library: this links only if the headers contain all code.
add_executable(header_only_consumer ${CMAKE_CURRENT_LIST_DIR}/consumer.cpp)
target_link_libraries(header_only_consumer PRIVATE ingot::header_only)
add_test(NAME header_only_consumer COMMAND header_only_consumer)

# Both programs in one target, because ctest cleans before each target that it builds.
add_custom_target(consumers DEPENDS consumer header_only_consumer)

if(WITH_JSON)
  add_executable(json_consumer ${CMAKE_CURRENT_LIST_DIR}/json_consumer.cpp)
  target_link_libraries(json_consumer PRIVATE ingot::json)
  add_test(NAME json_consumer COMMAND json_consumer)
endif()

if(WITH_FILE)
  add_executable(file_consumer ${CMAKE_CURRENT_LIST_DIR}/file_consumer.cpp)
  target_link_libraries(file_consumer PRIVATE ingot::file)
  add_test(NAME file_consumer COMMAND file_consumer)
endif()
