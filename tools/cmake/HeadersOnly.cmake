# {fmt}, nlohmann/json and xxHash for another processor: only their headers, which are the same for each.
#
# They stand in /usr/include among those of this machine's C library, which the other processor must not see. So they get a folder of
# links of their own.

set(headers ${PROJECT_BINARY_DIR}/headers)
file(MAKE_DIRECTORY ${headers})
foreach(name fmt nlohmann xxhash.h)
  find_path(LOOPSIM_HEADERS_${name} ${name} PATHS /usr/include /usr/local/include NO_DEFAULT_PATH REQUIRED)
  file(CREATE_LINK ${LOOPSIM_HEADERS_${name}}/${name} ${headers}/${name} SYMBOLIC)
endforeach()
set(XXHASH_INCLUDE_DIR ${headers})

add_library(fmt::fmt INTERFACE IMPORTED)
target_include_directories(fmt::fmt INTERFACE ${headers})
target_compile_definitions(fmt::fmt INTERFACE FMT_HEADER_ONLY)
add_library(nlohmann_json::nlohmann_json INTERFACE IMPORTED)
target_include_directories(nlohmann_json::nlohmann_json INTERFACE ${headers})
