# SPDX-License-Identifier: Apache-2.0
# ingot_compile_data: text that people edit becomes a file that the program loads, or holds, when the program is built.
#
#   ingot_compile_data(TARGET game TYPE game::level HEADER level.hpp INPUT level.json OUTPUT level.ingot
#                      [FORM packed|compact|live|document] [EMBED assets::level])
#
# A program is built that has the type, and run on the text: whatever is wrong with it is an error of the build, with line, column and
# member. The file is made anew when the text, the header or the type's other sources change.
#
# OUTPUT is relative to the current binary folder. A document needs no TYPE and no HEADER. With EMBED the bytes are in the program, too:
# "<OUTPUT>.hpp" declares `ingot::bytes_view assets::level() noexcept`, the whole file at a multiple of 64, for `ingot::open_file`.
include_guard(GLOBAL)

function(ingot_compile_data)
  cmake_parse_arguments(PARSE_ARGV 0 arg "" "TARGET;TYPE;HEADER;INPUT;OUTPUT;FORM;EMBED" "")
  foreach(library json file)
    if(NOT TARGET ingot::${library})
      message(FATAL_ERROR "ingot_compile_data needs ingot::${library}: find_package(ingot COMPONENTS json file)")
    endif()
  endforeach()
  if(arg_UNPARSED_ARGUMENTS)
    message(FATAL_ERROR "ingot_compile_data: unknown arguments: ${arg_UNPARSED_ARGUMENTS}")
  endif()
  if(NOT arg_FORM)
    set(arg_FORM packed)
  endif()
  set(needed TARGET INPUT OUTPUT)
  if(NOT arg_FORM STREQUAL "document")
    list(APPEND needed TYPE HEADER)
  endif()
  foreach(argument ${needed})
    if(NOT arg_${argument})
      message(FATAL_ERROR "ingot_compile_data needs ${argument}")
    endif()
  endforeach()

  set(profile packed)
  set(what "${arg_TYPE}")
  if(arg_FORM STREQUAL "compact")
    set(profile compact)
  elseif(arg_FORM STREQUAL "live")
    set(what "ingot::live<${arg_TYPE}>")
  elseif(arg_FORM STREQUAL "document")
    set(what ingot::document)
  elseif(NOT arg_FORM STREQUAL "packed")
    message(FATAL_ERROR "ingot_compile_data: FORM is packed, compact, live or document, not ${arg_FORM}")
  endif()
  set(header "")
  if(arg_HEADER)
    set(header "#include \"${arg_HEADER}\"")
    cmake_path(ABSOLUTE_PATH arg_HEADER OUTPUT_VARIABLE beside)
    if(EXISTS "${beside}")
      set(header "#include \"${beside}\"")
    endif()
  endif()
  cmake_path(ABSOLUTE_PATH arg_INPUT OUTPUT_VARIABLE input)
  cmake_path(ABSOLUTE_PATH arg_OUTPUT BASE_DIRECTORY "${CMAKE_CURRENT_BINARY_DIR}" OUTPUT_VARIABLE output)
  string(MD5 name "${output}")
  set(name ingot_data_${name})
  set(folder "${CMAKE_CURRENT_BINARY_DIR}/${name}")

  set(numbers "")
  if(arg_EMBED)
    include(CheckCXXSourceCompiles)
    check_cxx_source_compiles([=[
#if !defined(__has_embed)
#error
#elif !__has_embed(__FILE__)
#error
#endif
int main() {}
]=] INGOT_COMPILER_HAS_EMBED)
    if(NOT INGOT_COMPILER_HAS_EMBED)
      set(numbers "${folder}/bytes.inc")
    endif()
  endif()

  file(CONFIGURE OUTPUT "${folder}/generator.cpp" @ONLY CONTENT [=[
// Written by ingot_compile_data.
@header@
#include <ingot/file/compile.hpp>

#include <cstdio>
#include <fstream>

int main(int count, char** arguments) {
  if (count < 3) return 2;
  const auto done = ingot::compile<@what@>(arguments[1], arguments[2], {.file = {.form = ingot::profile::@profile@}});
  if (!done) {
    std::fprintf(stderr, "%s\n", done.error().message().c_str());
    return 1;
  }
  if (count < 4) return 0;
  std::ifstream bytes(arguments[2], std::ios::binary);
  std::ofstream numbers(arguments[3]);
  for (int column = 0; bytes.peek() != std::ifstream::traits_type::eof(); ++column)
    numbers << bytes.get() << (column % 32 == 31 ? ",\n" : ",");
  numbers.close();
  return bytes.good() || bytes.eof() ? (numbers ? 0 : 1) : 1;
}
]=])
  add_executable(${name} EXCLUDE_FROM_ALL "${folder}/generator.cpp")
  set_target_properties(${name} PROPERTIES RUNTIME_OUTPUT_DIRECTORY "${folder}/$<0:>" OUTPUT_NAME generator)
  target_link_libraries(${name} PRIVATE ingot::json ingot::file)
  target_include_directories(${name} PRIVATE $<TARGET_PROPERTY:${arg_TARGET},INCLUDE_DIRECTORIES>)
  target_compile_definitions(${name} PRIVATE $<TARGET_PROPERTY:${arg_TARGET},COMPILE_DEFINITIONS>)
  cmake_path(GET output PARENT_PATH parent)
  file(MAKE_DIRECTORY "${parent}")
  add_custom_command(OUTPUT "${output}" ${numbers} COMMAND ${name} "${input}" "${output}" ${numbers}
    DEPENDS ${name} "${input}" VERBATIM COMMENT "Compiling ${arg_INPUT}")
  target_sources(${arg_TARGET} PRIVATE "${output}")
  set_source_files_properties("${output}" PROPERTIES HEADER_FILE_ONLY ON GENERATED ON)
  if(NOT arg_EMBED)
    return()
  endif()

  string(REGEX MATCH "^(.*)::([^:]+)$" qualified "${arg_EMBED}")
  set(symbol "${arg_EMBED}")
  set(open "")
  set(close "")
  if(qualified)
    set(symbol "${CMAKE_MATCH_2}")
    set(open "namespace ${CMAKE_MATCH_1} {")
    set(close "}")
  endif()
  cmake_path(GET output FILENAME leaf)
  file(CONFIGURE OUTPUT "${folder}/include/${leaf}.hpp" @ONLY CONTENT [=[
// Written by ingot_compile_data.
#pragma once
#include <ingot/core/bytes.hpp>
@open@
/// The file @leaf@, as it was compiled from text.
[[nodiscard]] ingot::bytes_view @symbol@() noexcept;
@close@
]=])
  set(embedded "#embed \"${output}\"")
  if(numbers)
    set(embedded "#include \"${numbers}\"")
  endif()
  file(CONFIGURE OUTPUT "${folder}/embedded.cpp" @ONLY CONTENT [=[
// Written by ingot_compile_data.
#include "@leaf@.hpp"
#include <span>
#if defined(__clang__)
#pragma clang diagnostic ignored "-Wc23-extensions"
#endif
namespace {
alignas(64) constexpr unsigned char bytes_of_@symbol@[] = {
@embedded@
};
} // namespace
@open@
ingot::bytes_view @symbol@() noexcept { return std::as_bytes(std::span(bytes_of_@symbol@)); }
@close@
]=])
  target_sources(${arg_TARGET} PRIVATE "${folder}/embedded.cpp")
  set_source_files_properties("${folder}/embedded.cpp" PROPERTIES OBJECT_DEPENDS "${output}" SKIP_UNITY_BUILD_INCLUSION ON)
  target_include_directories(${arg_TARGET} PRIVATE "${folder}/include")
  target_link_libraries(${arg_TARGET} PRIVATE ingot::ingot)
endfunction()
