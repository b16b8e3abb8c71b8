# SPDX-License-Identifier: Apache-2.0
# Files that `cmake --install` installs: headers, the libraries, the tool, printers for debuggers,
# and the files by which CMake and pkg-config find them.
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)

# Parts that can be installed alone (cmake --install --component): `tool`, and `dev` for the rest.
set(CMAKE_INSTALL_DEFAULT_COMPONENT_NAME dev)

set(ingot_package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/ingot)

# ingot::json and ingot::file have separate export sets. Only that of json depends on simdjson, and
# find_package(ingot) without components must not depend on it.
install(TARGETS ingot ingot_header_only EXPORT ingot-targets FILE_SET HEADERS DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
install(EXPORT ingot-targets NAMESPACE ingot:: DESTINATION ${ingot_package_dir})
foreach(layer json file)
  if(TARGET ingot_${layer})
    install(TARGETS ingot_${layer} EXPORT ingot-${layer}-targets)
    install(EXPORT ingot-${layer}-targets NAMESPACE ingot:: DESTINATION ${ingot_package_dir})
  endif()
endforeach()

if(TARGET ingot_tool)
  install(TARGETS ingot_tool RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR} COMPONENT tool)
  if(NOT CMAKE_CROSSCOMPILING) # manual pages, made by the tool from its own description
    set(ingot_manuals ${PROJECT_BINARY_DIR}/manuals)
    install(DIRECTORY ${ingot_manuals}/man1 DESTINATION ${CMAKE_INSTALL_MANDIR} COMPONENT tool)
    install(FILES ${ingot_manuals}/ingot.bash DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions RENAME ingot COMPONENT tool)
    install(FILES ${ingot_manuals}/_ingot DESTINATION ${CMAKE_INSTALL_DATADIR}/zsh/site-functions COMPONENT tool)
    install(FILES ${ingot_manuals}/ingot.fish DESTINATION ${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d COMPONENT tool)
  endif()
endif()

# Printers for debuggers. A release archive lacks them.
if(EXISTS ${PROJECT_SOURCE_DIR}/tools/debug)
  file(GLOB ingot_printers CONFIGURE_DEPENDS tools/debug/ingot*)
  install(
    FILES ${ingot_printers}
    DESTINATION ${CMAKE_INSTALL_DATADIR}/ingot/debug
  )
endif()

# The module, as source: each project that imports it compiles it with its own compiler.
if(EXISTS ${PROJECT_SOURCE_DIR}/modules)
  install(FILES modules/ingot.cppm DESTINATION ${CMAKE_INSTALL_DATADIR}/ingot/modules)
endif()

configure_package_config_file(cmake/ingot-config.cmake.in ingot-config.cmake INSTALL_DESTINATION ${ingot_package_dir})
# Before 1.0 a minor version may change interfaces, so only the same minor version is compatible.
write_basic_package_version_file(ingot-config-version.cmake COMPATIBILITY SameMinorVersion)
install(
  FILES ${PROJECT_BINARY_DIR}/ingot-config.cmake ${PROJECT_BINARY_DIR}/ingot-config-version.cmake cmake/ingot-compile-data.cmake
  DESTINATION ${ingot_package_dir}
)

if(TARGET ingot_file AND INGOT_COMPRESSION)
  install(FILES cmake/ingot-compression.cmake DESTINATION ${ingot_package_dir})
  set(ingot_file_requires ", liblz4, libzstd")
endif()

# pkg-config has no generator expressions for paths. Paths relative to the .pc file remain correct
# when the prefix is moved.
file(RELATIVE_PATH ingot_pc_prefix
  ${CMAKE_INSTALL_FULL_LIBDIR}/pkgconfig ${CMAKE_INSTALL_PREFIX})
if(INGOT_HEADER_ONLY)
  set(ingot_pc_flags " -DINGOT_HEADER_ONLY")
else()
  set(ingot_pc_library "Libs: -L\${libdir} -lingot")
endif()
foreach(package ingot ingot-json ingot-file)
  string(REPLACE - _ library ${package})
  if(TARGET ${library})
    configure_file(cmake/${package}.pc.in ${PROJECT_BINARY_DIR}/${package}.pc @ONLY)
    install(FILES ${PROJECT_BINARY_DIR}/${package}.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
  endif()
endforeach()
