# SPDX-License-Identifier: Apache-2.0
# ingot::file: compiled, so that its users need no header of xxHash or of the system.
#
# xxHash's header is enough for every target machine: its code is compiled into the library, which
# then needs no other library of xxHash at run time.
find_path(INGOT_XXHASH_INCLUDE xxhash.h NO_CMAKE_FIND_ROOT_PATH)
if(NOT INGOT_XXHASH_INCLUDE)
  message(FATAL_ERROR "ingot::file needs xxHash (Debian: libxxhash-dev); configure with -DINGOT_FILE=OFF to do without.")
endif()
# The header is copied to a folder of its own. Otherwise its folder would also give the other
# headers of this machine to a build for another machine.
configure_file(${INGOT_XXHASH_INCLUDE}/xxhash.h ${CMAKE_CURRENT_BINARY_DIR}/xxhash/xxhash.h COPYONLY)

# LZ4 and Zstandard are separate libraries. Without them ingot::file supports all files except
# compressed ones.
option(INGOT_COMPRESSION "Build ingot::file with compression (needs LZ4 and Zstandard)" ON)
if(INGOT_COMPRESSION)
  include(cmake/ingot-compression.cmake)
  if(NOT TARGET ingot::lz4 OR NOT TARGET ingot::zstd)
    message(FATAL_ERROR "ingot::file needs LZ4 and Zstandard (Debian: liblz4-dev, libzstd-dev); configure with -DINGOT_COMPRESSION=OFF to do without compression.")
  endif()
endif()
set(THREADS_PREFER_PTHREAD_FLAG ON)
find_package(Threads REQUIRED)

if(INGOT_SINGLE_HEADER)
  file(GLOB ingot_file_sources ${ingot_include_dir}/ingot_file*.cpp)
else()
  file(GLOB ingot_file_sources CONFIGURE_DEPENDS src/file/*.cpp)
endif()
add_library(ingot_file ${ingot_file_sources})
# In a unity build, the other files would be compiled with this file's instructions.
set_source_files_properties(src/file/checksum_avx2.cpp ${ingot_include_dir}/ingot_file_avx2.cpp PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON)
add_library(ingot::file ALIAS ingot_file)
set_target_properties(ingot_file PROPERTIES
  EXPORT_NAME file
  VERSION ${PROJECT_VERSION}
  SOVERSION ${PROJECT_VERSION_MAJOR}.${PROJECT_VERSION_MINOR}
  POSITION_INDEPENDENT_CODE ON # users link it into shared libraries, too
)
target_include_directories(ingot_file SYSTEM PRIVATE ${CMAKE_CURRENT_BINARY_DIR}/xxhash)
# For files of more than 2 GiB where a long has 32 bits.
target_compile_definitions(ingot_file PRIVATE _FILE_OFFSET_BITS=64)
target_compile_definitions(ingot_file PRIVATE INGOT_COMPILED_PART) # ingot/core/detail/poison.hpp
target_link_libraries(ingot_file PUBLIC ingot PRIVATE Threads::Threads $<BUILD_INTERFACE:ingot_warnings>)
if(INGOT_COMPRESSION)
  target_link_libraries(ingot_file PRIVATE ingot::lz4 ingot::zstd)
else()
  target_compile_definitions(ingot_file PRIVATE INGOT_WITHOUT_COMPRESSION)
endif()
ingot_add_other_names(ingot_file)
