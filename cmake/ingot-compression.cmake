# SPDX-License-Identifier: Apache-2.0
# Targets ingot::lz4 and ingot::zstd: the compression libraries of ingot::file. Only one of Debian's
# packages has files for CMake. The build uses this file. It is also installed, for projects that
# link a static ingot::file.
foreach(codec lz4 zstd)
  if(NOT TARGET ingot::${codec})
    string(TOUPPER ${codec} upper)
    find_path(INGOT_${upper}_INCLUDE ${codec}.h)
    find_library(INGOT_${upper}_LIBRARY ${codec})
    mark_as_advanced(INGOT_${upper}_INCLUDE INGOT_${upper}_LIBRARY)
    if(INGOT_${upper}_INCLUDE AND INGOT_${upper}_LIBRARY)
      add_library(ingot::${codec} UNKNOWN IMPORTED GLOBAL)
      set_target_properties(ingot::${codec} PROPERTIES
        IMPORTED_LOCATION ${INGOT_${upper}_LIBRARY} INTERFACE_INCLUDE_DIRECTORIES ${INGOT_${upper}_INCLUDE})
    endif()
  endif()
endforeach()
