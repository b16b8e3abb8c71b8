# SPDX-License-Identifier: Apache-2.0
# ingot_compile_data: when the program is built, text that people edit becomes a file that the
# program loads or contains.
#
#   ingot_compile_data(TARGET game TYPE game::level HEADER level.hpp
#                      INPUT level.json OUTPUT level.ingot
#                      [FORM packed|compact|live|document] [EMBED assets::level]
#                      [DEPENDS target|file ...] [GENERATOR program])
#
# A program (the generator) is built that has the type, and run on the text: whatever is wrong with
# it is an error of the build, with line, column and member. The file is made again when the text,
# the header or the type's other sources change.
#
# The generator is compiled as TARGET is: with its include folders, definitions, options and
# standard. It waits for what TARGET depends on (add_dependencies) and for headers among TARGET's
# sources that are generated; DEPENDS names further targets and files that it waits for. Several
# targets may have one OUTPUT, if the other arguments are the same.
#
# When cross-compiling, the generator runs in CMAKE_CROSSCOMPILING_EMULATOR. Without an emulator,
# GENERATOR names a program of the machine that builds, for example the generator of a native build.
# It is called with the text, the file to write, and with EMBED perhaps a third name.
#
# OUTPUT is relative to the current binary folder. A document needs no TYPE and no HEADER. With
# EMBED the bytes are in the program, too: "<OUTPUT>.hpp" declares
# `ingot::bytes_view assets::level() noexcept`, the whole file at a multiple of 64, for
# `ingot::open_file`.
include_guard(GLOBAL)

function(ingot_compile_data)
  cmake_parse_arguments(PARSE_ARGV 0 arg "" "TARGET;TYPE;HEADER;INPUT;OUTPUT;FORM;EMBED;GENERATOR" "DEPENDS")
  foreach(library json file)
    if(NOT TARGET ingot::${library})
      message(FATAL_ERROR "ingot_compile_data needs ingot::${library}: find_package(ingot REQUIRED COMPONENTS json file)")
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
  set(arguments "${arg_TYPE} ${header} ${input} ${arg_FORM} ${arg_EMBED} ${arg_GENERATOR}")
  if(TARGET ${name}_file) # another target has the file, too
    get_target_property(made_from ${name}_file INGOT_ARGUMENTS)
    if(NOT made_from STREQUAL arguments)
      get_target_property(maker ${name}_file INGOT_TARGET)
      message(FATAL_ERROR "ingot_compile_data: ${output} is made for ${maker} already, of other arguments: give it another OUTPUT")
    endif()
    get_target_property(folder ${name}_file INGOT_FOLDER)
    ingot_use_data(${arg_TARGET} ${name} "${output}" "${folder}" "${arg_EMBED}")
    return()
  endif()
  if(CMAKE_CROSSCOMPILING AND NOT CMAKE_CROSSCOMPILING_EMULATOR AND NOT arg_GENERATOR)
    message(FATAL_ERROR "ingot_compile_data: no program of ${CMAKE_SYSTEM_NAME} can run while this is built: "
      "set CMAKE_CROSSCOMPILING_EMULATOR, or pass GENERATOR with the generator of a native build")
  endif()

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
  set(generator "${arg_GENERATOR}")
  if(NOT generator)
    set(generator ${name})
    add_executable(${name} EXCLUDE_FROM_ALL "${folder}/generator.cpp")
    set_target_properties(${name} PROPERTIES RUNTIME_OUTPUT_DIRECTORY "${folder}/$<0:>" OUTPUT_NAME generator)
    target_link_libraries(${name} PRIVATE ingot::json ingot::file)
    target_include_directories(${name} PRIVATE $<TARGET_PROPERTY:${arg_TARGET},INCLUDE_DIRECTORIES>)
    target_compile_definitions(${name} PRIVATE $<TARGET_PROPERTY:${arg_TARGET},COMPILE_DEFINITIONS>)
    # Options that change the type (-fshort-enums, -m32, a packing) also change the file that the
    # program expects.
    target_compile_options(${name} PRIVATE $<TARGET_PROPERTY:${arg_TARGET},COMPILE_OPTIONS>)
    target_compile_features(${name} PRIVATE $<TARGET_PROPERTY:${arg_TARGET},COMPILE_FEATURES>)
    target_link_options(${name} PRIVATE $<TARGET_PROPERTY:${arg_TARGET},LINK_OPTIONS>)
    foreach(dependency ${arg_DEPENDS})
      if(TARGET ${dependency})
        add_dependencies(${name} ${dependency})
      else()
        cmake_path(ABSOLUTE_PATH dependency OUTPUT_VARIABLE file)
        set_property(SOURCE "${folder}/generator.cpp" APPEND PROPERTY OBJECT_DEPENDS "${file}")
      endif()
    endforeach()
    # The sources and libraries of TARGET are known at the end of the folder.
    cmake_language(EVAL CODE "cmake_language(DEFER CALL ingot_finish_data ${name} ${arg_TARGET})")
  endif()
  cmake_path(GET output PARENT_PATH parent)
  file(MAKE_DIRECTORY "${parent}")
  add_custom_command(OUTPUT "${output}" ${numbers} COMMAND ${generator} "${input}" "${output}" ${numbers}
    DEPENDS ${generator} "${input}" VERBATIM COMMENT "Compiling ${arg_INPUT}")
  # A separate target makes the file. Otherwise two targets that are built at once would each make
  # it.
  add_custom_target(${name}_file DEPENDS "${output}" ${numbers})
  set_target_properties(${name}_file PROPERTIES INGOT_ARGUMENTS "${arguments}" INGOT_TARGET ${arg_TARGET} INGOT_FOLDER "${folder}")
  if(arg_EMBED)
    ingot_write_embedded("${arg_EMBED}" "${output}" "${folder}" "${numbers}")
  endif()
  ingot_use_data(${arg_TARGET} ${name} "${output}" "${folder}" "${arg_EMBED}")
endfunction()

# Makes the target depend on the file, and adds the file to its sources. Embedded data become part
# of the program.
function(ingot_use_data target name output folder embed)
  add_dependencies(${target} ${name}_file)
  target_sources(${target} PRIVATE "${output}")
  set_source_files_properties("${output}" PROPERTIES HEADER_FILE_ONLY ON GENERATED ON)
  if(NOT embed)
    return()
  endif()
  target_sources(${target} PRIVATE "${folder}/embedded.cpp")
  set_source_files_properties("${folder}/embedded.cpp" PROPERTIES OBJECT_DEPENDS "${output}" SKIP_UNITY_BUILD_INCLUSION ON)
  # Users of a library may call its function for the bytes.
  get_target_property(type ${target} TYPE)
  set(scope PUBLIC)
  if(type STREQUAL "EXECUTABLE")
    set(scope PRIVATE)
  endif()
  target_include_directories(${target} ${scope} "$<BUILD_INTERFACE:${folder}/include>")
  target_link_libraries(${target} ${scope} ingot::ingot)
endfunction()

# Makes the generator depend on everything that the target depends on.
function(ingot_finish_data name target)
  get_target_property(dependencies ${target} MANUALLY_ADDED_DEPENDENCIES)
  foreach(dependency ${dependencies})
    if(TARGET ${dependency} AND NOT dependency MATCHES "^ingot_data_")
      add_dependencies(${name} ${dependency})
    endif()
  endforeach()
  foreach(property CXX_STANDARD CXX_EXTENSIONS MSVC_RUNTIME_LIBRARY)
    get_target_property(value ${target} ${property})
    if(NOT value MATCHES "NOTFOUND$")
      set_target_properties(${name} PROPERTIES ${property} "${value}")
    endif()
  endforeach()
  get_target_property(sources ${target} SOURCES)
  get_target_property(folder ${target} BINARY_DIR)
  foreach(source ${sources})
    if(NOT source MATCHES "\\.(h|hh|hpp|hxx|inc|inl|ipp)$" OR source MATCHES "^\\$<")
      continue()
    endif()
    cmake_path(ABSOLUTE_PATH source BASE_DIRECTORY "${folder}")
    get_source_file_property(is_generated "${source}" TARGET_DIRECTORY ${target} GENERATED)
    if(is_generated)
      target_sources(${name} PRIVATE "${source}")
    endif()
  endforeach()
endfunction()

# Writes "<leaf>.hpp", which declares the bytes, and the source file that contains them.
function(ingot_write_embedded embed output folder numbers)
  set(arg_EMBED "${embed}")
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
endfunction()
