# The program linked with its libraries and the C library: loading nine shared libraries is 2.7 ms of a run of 4 ms.
#
#   LOOPSIM_STATIC   whether that is wanted, and whether it works here: a native release on Linux, with the libraries' archives
#   LOOPSIM_FMT      the {fmt} to link with: fmt::fmt, or the same from its headers, since Debian has no libfmt.a
#
# Include it after find_package(fmt) and what finds ZSTD_LIBRARY, before find_package of Boost's Program_options and of SQLite, of which it
# asks for the archives.
set(LOOPSIM_FMT fmt::fmt)
set(can_be_static OFF)
if(CMAKE_BUILD_TYPE STREQUAL "Release" AND CMAKE_SYSTEM_NAME STREQUAL "Linux" AND NOT CMAKE_CROSSCOMPILING AND
   NOT DEFINED CMAKE_POSITION_INDEPENDENT_CODE AND NOT CMAKE_CXX_FLAGS MATCHES "-fsanitize")
  set(can_be_static ON)
endif()
if(can_be_static)
  find_library(LOOPSIM_STATIC_SQLITE libsqlite3.a)
  find_library(LOOPSIM_STATIC_BOOST_OPTIONS libboost_program_options.a)
  find_library(LOOPSIM_STATIC_ZSTD libzstd.a)
  if(NOT LOOPSIM_STATIC_SQLITE OR NOT LOOPSIM_STATIC_BOOST_OPTIONS OR NOT LOOPSIM_STATIC_ZSTD)
    set(can_be_static OFF)
  endif()
endif()
if(can_be_static AND NOT DEFINED LOOPSIM_STATIC_LINKS)
  get_target_property(headers fmt::fmt INTERFACE_INCLUDE_DIRECTORIES)
  try_compile(LOOPSIM_STATIC_LINKS ${PROJECT_BINARY_DIR}/static_program
    SOURCES ${CMAKE_CURRENT_LIST_DIR}/static_fmt.cpp ${CMAKE_CURRENT_LIST_DIR}/static_fmt_use.cpp
    CMAKE_FLAGS "-DINCLUDE_DIRECTORIES=${headers}"
    LINK_OPTIONS -static -no-pie
    LINK_LIBRARIES ${LOOPSIM_STATIC_SQLITE} ${LOOPSIM_STATIC_BOOST_OPTIONS} m
    CXX_STANDARD 20 CXX_STANDARD_REQUIRED ON)
endif()
option(LOOPSIM_STATIC "Link the program with its libraries and the C library, where that works, so that it starts sooner" ON)
if(NOT can_be_static OR NOT LOOPSIM_STATIC_LINKS)
  set(LOOPSIM_STATIC OFF)
endif()

if(LOOPSIM_STATIC)
  add_library(loopsim_fmt STATIC ${CMAKE_CURRENT_LIST_DIR}/static_fmt.cpp)
  target_compile_features(loopsim_fmt PUBLIC cxx_std_20)
  get_target_property(headers fmt::fmt INTERFACE_INCLUDE_DIRECTORIES)
  target_include_directories(loopsim_fmt SYSTEM PUBLIC ${headers})
  set(LOOPSIM_FMT loopsim_fmt)
  set(Boost_USE_STATIC_LIBS ON)
  set(ZSTD_LIBRARY ${LOOPSIM_STATIC_ZSTD})
  set(SQLite3_LIBRARY ${LOOPSIM_STATIC_SQLITE} CACHE FILEPATH "SQLite" FORCE)
endif()
