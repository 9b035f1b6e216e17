# Packages: two for Debian, and an archive of the program (made by tools/package; see docs/releasing.md).
#
#   loopsim          the program, its completion and manual page, the scenarios
#   libloopsim-dev   the libraries and headers for find_package(loopsim)
#
# Installed files belong to the program package unless install() names the component `development`.
set(CPACK_PACKAGE_NAME loopsim)
set(CPACK_PACKAGE_VENDOR "the loopsim authors")
set(LOOPSIM_MAINTAINER "the loopsim authors <loopsim@localhost>" CACHE STRING "Name and address of who makes the packages")
set(CPACK_PACKAGE_CONTACT "${LOOPSIM_MAINTAINER}")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "${PROJECT_DESCRIPTION}")
set(CPACK_RESOURCE_FILE_LICENSE ${PROJECT_SOURCE_DIR}/LICENSE)
set(CPACK_VERBATIM_VARIABLES ON)
set(CPACK_GENERATOR DEB)
set(CPACK_STRIP_FILES ON)
set(CPACK_INSTALL_DEFAULT_DIRECTORY_PERMISSIONS OWNER_READ OWNER_WRITE OWNER_EXECUTE GROUP_READ GROUP_EXECUTE WORLD_READ WORLD_EXECUTE)
set(CPACK_COMPONENTS_ALL program development)
set(CPACK_COMPONENTS_GROUPING IGNORE)

set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_CONTROL_STRICT_PERMISSION ON)

set(CPACK_DEBIAN_PROGRAM_PACKAGE_NAME loopsim)
set(CPACK_DEBIAN_PROGRAM_PACKAGE_SECTION utils)
set(CPACK_DEBIAN_PROGRAM_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PROGRAM_PACKAGE_SUGGESTS "gnuplot-nox, librsvg2-bin, xdg-utils")
set(CPACK_COMPONENT_PROGRAM_DESCRIPTION "loopsim runs small programs on a simulated event loop of Node.js 4 to 26, with
a virtual clock, and tells which callback runs when, and why. Studies repeat
a program with values varied, on machines that are busy.")

set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_NAME libloopsim-dev)
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_SECTION libdevel)
# The libraries are static: the program that uses them links their dependencies.
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_DEPENDS libfmt-dev)
set(CPACK_COMPONENT_DEVELOPMENT_DESCRIPTION "The headers and static libraries, for CMake's find_package(loopsim).")

include(CPack)
