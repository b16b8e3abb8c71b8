# SPDX-License-Identifier: Apache-2.0
# `make package`: Debian packages of the files that `cmake --install` installs, and of the manual.
# The preset `package` sets the prefix to /usr.
#   ingot          the tool, its manual pages and completions
#   libingot-dev   headers, libraries, files for CMake and pkg-config, printers for debuggers
#   libingot-doc   the pages of docs/
set(ingot_packages tool dev doc)
set(ingot_package_of_tool ingot)
set(ingot_package_of_dev libingot-dev)
set(ingot_package_of_doc libingot-doc)

# Debian requires a compressed changelog without the time of day in it.
string(TIMESTAMP ingot_package_date "%a, %d %b %Y %H:%M:%S +0000" UTC)
file(WRITE ${PROJECT_BINARY_DIR}/changelog
  "ingot (${PROJECT_VERSION}) unstable; urgency=medium\n\n  * See CHANGELOG.md.gz in the package libingot-doc.\n\n"
  " -- ingot maintainers <maintainers@users.noreply.a-seed-4e654f68.example>  ${ingot_package_date}\n")
configure_file(CHANGELOG.md ${PROJECT_BINARY_DIR}/CHANGELOG.md COPYONLY)
find_program(INGOT_GZIP gzip REQUIRED)
add_custom_target(ingot_package_texts ALL
  COMMAND ${INGOT_GZIP} -9nc changelog > changelog.gz
  COMMAND ${INGOT_GZIP} -9nc CHANGELOG.md > CHANGELOG.md.gz
  WORKING_DIRECTORY ${PROJECT_BINARY_DIR} VERBATIM)
foreach(part ${ingot_packages})
  set(folder ${CMAKE_INSTALL_DATADIR}/doc/${ingot_package_of_${part}})
  install(FILES cmake/debian-copyright DESTINATION ${folder} RENAME copyright COMPONENT ${part})
  install(FILES ${PROJECT_BINARY_DIR}/changelog.gz DESTINATION ${folder} COMPONENT ${part})
endforeach()
install(FILES ${PROJECT_BINARY_DIR}/CHANGELOG.md.gz README.md SECURITY.md DESTINATION ${folder} COMPONENT doc)
install(DIRECTORY docs DESTINATION ${folder} COMPONENT doc FILES_MATCHING PATTERN *.md PATTERN *.svg PATTERN *.png PATTERN data EXCLUDE PATTERN site EXCLUDE)

# Debian requires compressed manual pages, too. They are written whenever the tool is linked.
if(TARGET ingot_tool AND NOT CMAKE_CROSSCOMPILING)
  add_custom_target(ingot_package_manuals ALL
    COMMAND find ${PROJECT_BINARY_DIR}/manuals/man1 -name "*.1" -exec ${INGOT_GZIP} -9nf {} + VERBATIM)
  add_dependencies(ingot_package_manuals ingot_tool)
endif()

set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME ingot)
set(CPACK_PACKAGE_VENDOR ingot)
set(CPACK_PACKAGE_CONTACT "ingot maintainers <maintainers@users.noreply.a-seed-4e654f68.example>")
# cpack puts a summary of its own before each description, unless that is the default one.
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "${PROJECT_NAME} built using CMake")
set(ingot_summary "one C++ type as live memory, bytes, document, text and file")
set(ingot_description
  "ingot describes data once, as ordinary C++ structs. The same type is memory\n\
that is its own message, compact portable bytes, those bytes read in place,\n\
text, and a file that loads at the speed of the disk. Untrusted bytes\n\
are validated before they are used.\n\
.\n")
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_COMPONENTS_ALL ${ingot_packages})
set(CPACK_COMPONENTS_GROUPING IGNORE) # a package for each part
set(CPACK_DEBIAN_TOOL_PACKAGE_NAME ${ingot_package_of_tool})
set(CPACK_DEBIAN_TOOL_PACKAGE_SECTION utils)
set(CPACK_DEBIAN_TOOL_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_TOOL_PACKAGE_SUGGESTS "libingot-dev, libingot-doc")
set(CPACK_DEBIAN_TOOL_DESCRIPTION
  "${ingot_summary} - tool\n${ingot_description}\
This package has the tool ingot, which shows, checks, converts and edits any\n\
such file without its type.")
set(CPACK_DEBIAN_DEV_PACKAGE_NAME ${ingot_package_of_dev})
set(CPACK_DEBIAN_DEV_PACKAGE_SECTION libdevel)
# Packages that programs need if they link ingot::json and ingot::file.
set(CPACK_DEBIAN_DEV_PACKAGE_RECOMMENDS "libsimdjson-dev, liblz4-dev, libzstd-dev")
set(CPACK_DEBIAN_DEV_PACKAGE_SUGGESTS "ingot, gdb, pkg-config, cmake, libingot-doc")
set(CPACK_DEBIAN_DEV_DESCRIPTION
  "${ingot_summary} - development\n${ingot_description}\
This package has the headers, the static libraries ingot, ingot_json and\n\
ingot_file, what CMake and pkg-config need to find them, and printers for gdb\n\
and lldb.")
set(CPACK_DEBIAN_DOC_PACKAGE_NAME ${ingot_package_of_doc})
set(CPACK_DEBIAN_DOC_PACKAGE_SECTION doc)
set(CPACK_DEBIAN_DOC_PACKAGE_ARCHITECTURE all)
set(CPACK_DEBIAN_DOC_DESCRIPTION
  "${ingot_summary} - manual\n${ingot_description}\
This package has the manual: first steps, guides, the formats byte by byte,\n\
and the reasons for the design.")
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_STRIP_FILES ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_PRIORITY optional)
set(CPACK_DEBIAN_PACKAGE_CONTROL_STRICT_PERMISSION ON)
include(CPack)
