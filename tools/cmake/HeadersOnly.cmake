# {fmt}, nlohmann/json, xxHash and Boost as headers only, for cross compilation.
#
# /usr/include also has the headers of the host's C library, which the cross compiler must not see. So a separate folder
# links to the headers of these libraries.

set(headers ${PROJECT_BINARY_DIR}/headers)
file(MAKE_DIRECTORY ${headers})
foreach(name fmt nlohmann xxhash.h boost)
  find_path(LOOPSIM_HEADERS_${name} ${name} PATHS /usr/include /usr/local/include NO_DEFAULT_PATH REQUIRED)
  file(CREATE_LINK ${LOOPSIM_HEADERS_${name}}/${name} ${headers}/${name} SYMBOLIC)
endforeach()
set(XXHASH_INCLUDE_DIR ${headers})

set(LOOPSIM_FMT fmt::fmt)
add_library(fmt::fmt INTERFACE IMPORTED)
target_include_directories(fmt::fmt INTERFACE ${headers})
# No format here asks for the locale, which would be a tenth of the program.
target_compile_definitions(fmt::fmt INTERFACE FMT_HEADER_ONLY FMT_STATIC_THOUSANDS_SEPARATOR=',')
add_library(nlohmann_json::nlohmann_json INTERFACE IMPORTED)
target_include_directories(nlohmann_json::nlohmann_json INTERFACE ${headers})
add_library(Boost::headers INTERFACE IMPORTED)
target_include_directories(Boost::headers INTERFACE ${headers})
