# SPDX-License-Identifier: Apache-2.0
# `make package`: a Debian package of the files that `cmake --install` installs. The preset
# `package` sets the prefix to /usr.
install(FILES cmake/debian-copyright DESTINATION ${CMAKE_INSTALL_DOCDIR} RENAME copyright)

# Debian requires a compressed changelog without the time of day in it.
set(ingot_debian_changelog ${PROJECT_BINARY_DIR}/changelog.gz)
string(TIMESTAMP ingot_package_date "%a, %d %b %Y %H:%M:%S +0000" UTC)
file(WRITE ${PROJECT_BINARY_DIR}/changelog
  "ingot (${PROJECT_VERSION}) unstable; urgency=medium\n\n  * See /usr/share/doc/ingot/CHANGELOG.md.gz.\n\n"
  " -- ingot maintainers <maintainers@users.noreply.a-seed-4e654f68.example>  ${ingot_package_date}\n")
configure_file(CHANGELOG.md ${PROJECT_BINARY_DIR}/CHANGELOG.md COPYONLY)
find_program(INGOT_GZIP gzip REQUIRED)
add_custom_target(ingot_package_texts ALL
  COMMAND ${INGOT_GZIP} -9nc changelog > changelog.gz
  COMMAND ${INGOT_GZIP} -9nc CHANGELOG.md > CHANGELOG.md.gz
  WORKING_DIRECTORY ${PROJECT_BINARY_DIR} VERBATIM)
install(FILES ${PROJECT_BINARY_DIR}/changelog.gz ${PROJECT_BINARY_DIR}/CHANGELOG.md.gz DESTINATION ${CMAKE_INSTALL_DOCDIR})

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
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "one C++ type as live memory, packed bytes, document, text and file")
set(CPACK_PACKAGE_DESCRIPTION
  "ingot describes data once, as ordinary C++ structs. The same type is memory\n\
that is its own message, compact portable bytes, those bytes read in place,\n\
text, and a file that loads at the speed of the disk. Untrusted bytes\n\
are validated before they are used.\n\
.\n\
This package has the headers, the libraries ingot, ingot_json and ingot_file, what\n\
CMake and pkg-config need to find them, printers for gdb and lldb, and the\n\
tool ingot, which opens any such file without its type.")
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_STRIP_FILES ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION libdevel)
set(CPACK_DEBIAN_PACKAGE_PRIORITY optional)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON) # libraries that the tool is linked with
set(CPACK_DEBIAN_PACKAGE_CONTROL_STRICT_PERMISSION ON)
# Packages that programs need if they link ingot::json and ingot::file.
set(CPACK_DEBIAN_PACKAGE_RECOMMENDS "libsimdjson-dev, liblz4-dev, libzstd-dev")
set(CPACK_DEBIAN_PACKAGE_SUGGESTS "gdb, pkg-config, cmake")
include(CPack)
