# The installation test: installs, checks the files, then builds and runs the consumer next to this file.
# Run by ctest with -D BINARY_DIR, SOURCE_DIR, VERSION, GENERATOR, COMPILER, FLAGS, CONFIG.

set(work ${BINARY_DIR}/package-test)
set(prefix ${work}/prefix)
file(REMOVE_RECURSE ${prefix} ${work}/build)

function(run)
  execute_process(COMMAND ${ARGN} RESULT_VARIABLE status OUTPUT_VARIABLE output ERROR_VARIABLE output OUTPUT_STRIP_TRAILING_WHITESPACE)
  if(NOT status EQUAL 0)
    list(JOIN ARGN " " command)
    message("${output}")
    message(FATAL_ERROR "failed with ${status}: ${command}")
  endif()
  set(output "${output}" PARENT_SCOPE)
endfunction()

run(${CMAKE_COMMAND} --install ${BINARY_DIR} --prefix ${prefix} --config ${CONFIG})

foreach(file bin/loopsim include/loopsim/version.hpp share/loopsim/scenarios/scenario.schema.json share/man/man1/loopsim.1
        share/bash-completion/completions/loopsim share/zsh/site-functions/_loopsim share/fish/vendor_completions.d/loopsim.fish)
  if(NOT EXISTS ${prefix}/${file})
    message(SEND_ERROR "not installed: ${file}")
  endif()
endforeach()

# The installation is relocatable: its CMake files do not name the source or build tree.
file(GLOB_RECURSE package_files ${prefix}/*.cmake)
foreach(file IN LISTS package_files)
  file(READ ${file} text)
  foreach(dir ${SOURCE_DIR} ${BINARY_DIR})
    string(FIND "${text}" "${dir}/" at)
    if(NOT at EQUAL -1)
      message(SEND_ERROR "${file} names ${dir}")
    endif()
  endforeach()
endforeach()

run(${CMAKE_COMMAND} -S ${CMAKE_CURRENT_LIST_DIR} -B ${work}/build -G ${GENERATOR}
    -DCMAKE_PREFIX_PATH=${prefix} -DCMAKE_CXX_COMPILER=${COMPILER} -DCMAKE_CXX_FLAGS=${FLAGS} -DCMAKE_BUILD_TYPE=${CONFIG})
run(${CMAKE_COMMAND} --build ${work}/build --parallel 2)
run(${work}/build/consumer)
if(NOT output STREQUAL VERSION)
  message(SEND_ERROR "the consumer printed \"${output}\", expected \"${VERSION}\"")
endif()

# The examples of docs/library.md print the output shown there.
foreach(name example sink process)
  run(${work}/build/${name})
  file(READ ${CMAKE_CURRENT_LIST_DIR}/${name}.expected expected)
  string(STRIP "${expected}" expected)
  if(NOT output STREQUAL expected)
    message(SEND_ERROR "${name} printed\n${output}\nexpected\n${expected}")
  endif()
endforeach()
