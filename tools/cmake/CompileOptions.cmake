# loopsim_compile_options(TARGET): compile options of every target of the project; its users inherit only C++20.

include_guard(GLOBAL)

function(loopsim_compile_options target)
  target_compile_features(${target} PUBLIC cxx_std_20)
  set_target_properties(${target} PROPERTIES CXX_EXTENSIONS OFF)

  # Traces must have the same bytes with every compiler and CPU, so a*b+c must not become a fused multiply-add.
  target_compile_options(${target} PRIVATE -ffp-contract=off)

  target_compile_options(${target} PRIVATE
    -Wall -Wextra -Wpedantic
    -Wshadow -Wconversion -Wsign-conversion -Wdouble-promotion -Wold-style-cast -Wcast-qual -Wcast-align
    -Wnon-virtual-dtor -Woverloaded-virtual -Wextra-semi -Wimplicit-fallthrough -Wformat=2 -Wundef
    $<$<CXX_COMPILER_ID:GNU>:-Wduplicated-cond -Wduplicated-branches -Wlogical-op>)
  # False positives of g++ 12 on std::string concatenation (bugs 105329 and 105651). The asan build finds real errors.
  target_compile_options(${target} PRIVATE
    $<$<CXX_COMPILER_ID:GNU>:-Wno-restrict -Wno-array-bounds -Wno-stringop-overflow -Wno-stringop-overread>)
  if(LOOPSIM_WERROR)
    target_compile_options(${target} PRIVATE -Werror)
  endif()
endfunction()

# loopsim_quick_build(TARGET [WITH]): with LOOPSIM_QUICK_BUILD, precompiles the standard headers, {fmt} and the most used public headers for
# TARGET, or uses those of the target WITH. Parsing headers is most of the compile time of a source. The presets without it
# (asan, tsan, clang: `tools/dev verify`) and linters prove that every source includes what it uses.
# Not precompiled: nlohmann/json and Boost, which few sources use; each source would load 110 to 230 MB instead of 78, half a second.
function(loopsim_quick_build target)
  if(LOOPSIM_QUICK_BUILD AND ARGC GREATER 1)
    target_precompile_headers(${target} REUSE_FROM ${ARGV1})
  elseif(LOOPSIM_QUICK_BUILD)
    target_precompile_headers(${target} PRIVATE
      <algorithm> <array> <bit> <cmath> <cstdint> <deque> <functional> <limits> <map> <memory> <numeric> <optional> <ranges> <set>
      <span> <string> <string_view> <unordered_map> <utility> <variant> <vector> <fmt/format.h>
      ${PROJECT_SOURCE_DIR}/include/loopsim/scenario.hpp ${PROJECT_SOURCE_DIR}/include/loopsim/trace.hpp)
  endif()
endfunction()

# loopsim_optimise_less(SOURCE...): with LOOPSIM_QUICK_BUILD, compiles sources off the hot path with -Og: 40 % less compile time. Its
# warnings about std::optional are false positives. Not for WebAssembly, which shall be small, and not where nothing is optimised: it
# would be more, and the precompiled header another.
function(loopsim_optimise_less)
  if(LOOPSIM_QUICK_BUILD AND NOT LOOPSIM_WASM AND NOT CMAKE_CXX_FLAGS_RELEASE MATCHES "-O0")
    set_source_files_properties(${ARGN} PROPERTIES COMPILE_OPTIONS "-Og;$<$<CXX_COMPILER_ID:GNU>:-Wno-maybe-uninitialized>")
  endif()
endfunction()

# loopsim_compile_together(TARGET NAME SOURCE...): with LOOPSIM_QUICK_BUILD, compiles sources off the hot path as one, so that what they
# include is read once; without those that another call has. Two sources with the same name in an unnamed namespace cannot be compiled
# together.
# Not CMake's unity build, which leaves out every source that has options of its own, and of everything made slower code: W1 and W2p lost
# 6 %.
function(loopsim_compile_together target name)
  if(NOT LOOPSIM_QUICK_BUILD)
    return()
  endif()
  set(together ${CMAKE_CURRENT_BINARY_DIR}/${target}_${name}.cpp)
  set(includes)
  foreach(source IN LISTS ARGN)
    file(REAL_PATH ${source} source BASE_DIRECTORY ${CMAKE_CURRENT_SOURCE_DIR})
    get_source_file_property(is_elsewhere ${source} HEADER_FILE_ONLY)
    if(is_elsewhere)
      continue()
    endif()
    string(APPEND includes "#include \"${source}\"\n")
    set_source_files_properties(${source} PROPERTIES HEADER_FILE_ONLY ON)
    get_source_file_property(options ${source} COMPILE_OPTIONS)
  endforeach()
  file(CONFIGURE OUTPUT ${together} CONTENT "${includes}" @ONLY)
  target_sources(${target} PRIVATE ${together})
  if(options)
    set_source_files_properties(${together} PROPERTIES COMPILE_OPTIONS "${options}") # those of its last source
  endif()
endfunction()

# loopsim_compile_more_together(TARGET NAME SOURCE...): the same for sources on the hot path, where nothing is optimised and so no code can
# become slower: the sanitized build of tests/determinism, of which reading what is included was most.
function(loopsim_compile_more_together target name)
  if(CMAKE_CXX_FLAGS_RELEASE MATCHES "-O0")
    loopsim_compile_together(${target} ${name} ${ARGN})
  endif()
endfunction()
