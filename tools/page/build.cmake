# Builds the page and writes it as C++, and the playground without what playground.cmake puts into it; run by
# CMakeLists.txt here.
#   MODE  OFF: no page; FILE: use GIVEN, a page that was built elsewhere; ON, AUTO: build it with NODE and NPM.
#         AUTO continues without it if npm cannot fetch its packages
cmake_minimum_required(VERSION 3.25)

function(run what)
  execute_process(COMMAND ${ARGN} WORKING_DIRECTORY ${WORK} RESULT_VARIABLE status OUTPUT_VARIABLE output
    ERROR_VARIABLE output TIMEOUT 600)
  set(status ${status} PARENT_SCOPE)
  set(output "${output}" PARENT_SCOPE)
endfunction()

# npm's packages are kept as long as the lock file is unchanged.
function(fetch_packages)
  set(stamp ${WORK}/node_modules/.loopsim-lock)
  file(SHA256 ${SOURCE}/package-lock.json wanted)
  set(there "")
  if(EXISTS ${stamp})
    file(READ ${stamp} there)
  endif()
  if(there STREQUAL wanted)
    return()
  endif()
  run("npm" ${NPM} ci --prefer-offline --ignore-scripts --no-audit --no-fund --fetch-retries=1 --fetch-timeout=60000)
  if(status EQUAL 0)
    file(WRITE ${stamp} ${wanted})
  elseif(MODE STREQUAL "AUTO")
    message("${output}")
    message("warning: npm could not fetch what the page is built with: the program is built without --format html. To try again: "
            "remove ${PAGE} and build")
    set(MODE OFF PARENT_SCOPE)
  else()
    message(FATAL_ERROR "${output}\nnpm could not fetch what the page is built with")
  endif()
endfunction()

function(build_page)
  run("vite" ${NODE} node_modules/vite/bin/vite.js build --logLevel warn)
  if(NOT status EQUAL 0)
    message(FATAL_ERROR "${output}\nVite could not build the page")
  endif()
  file(COPY_FILE ${WORK}/dist/index.html ${PAGE})
  run("vite" ${NODE} node_modules/vite/bin/vite.js build --logLevel warn --mode play)
  if(NOT status EQUAL 0)
    message(FATAL_ERROR "${output}\nVite could not build the playground")
  endif()
endfunction()

if(MODE STREQUAL "ON" OR MODE STREQUAL "AUTO")
  file(MAKE_DIRECTORY ${WORK})
  file(REMOVE_RECURSE ${WORK}/src)
  file(COPY ${SOURCE}/src ${SOURCE}/index.html ${SOURCE}/play.html ${SOURCE}/package.json ${SOURCE}/package-lock.json
    ${SOURCE}/tsconfig.json ${SOURCE}/vite.config.mjs DESTINATION ${WORK})
  fetch_packages()
  if(NOT MODE STREQUAL "OFF")
    build_page()
  endif()
elseif(MODE STREQUAL "FILE")
  file(COPY_FILE ${GIVEN} ${PAGE})
endif()
if(MODE STREQUAL "OFF")
  file(WRITE ${PAGE} "")
endif()

file(READ ${PAGE} bytes HEX)
if(NOT MODE STREQUAL "OFF")
  file(READ ${PAGE} text)
  string(FIND "${text}" "<!--loopsim:data-->" mark)
  if(mark EQUAL -1)
    message(FATAL_ERROR "${PAGE} is no page of loopsim: it has no place for data")
  endif()
endif()
string(REGEX REPLACE "(................................................................)" "\\1\n" bytes "${bytes}")
string(REGEX REPLACE "([0-9a-f][0-9a-f])" "0x\\1," bytes "${bytes}")
file(WRITE ${ASSET} "// Made by tools/page/build.cmake: the bytes of the page.
#include \"tools/page/page_asset.hpp\"

namespace loopsim::cli {
namespace {
constexpr unsigned char kBytes[] = {
${bytes}0};
}  // namespace

std::string_view page_asset() {
  return {reinterpret_cast<const char*>(kBytes), sizeof kBytes - 1};
}

}  // namespace loopsim::cli
")
