# Builds for WebAssembly: 32 bits, WASI, no exceptions, no threads. Needs clang 19 and its libraries from Debian 12:
#
#   apt-get install clang-19 lld-19 wasi-libc libc++-19-dev-wasm32 libc++abi-19-dev-wasm32 libclang-rt-19-dev-wasm32 binaryen
#   cmake --preset wasm32 && cmake --build --preset wasm32
#
# clang runs binaryen's wasm-opt on what it has linked where that is there: a seventh less, and other bytes.
#
# That C++ library is built without exceptions, so `throw` and `try` do not compile (docs/library.md#webassembly). Nothing asks for types at
# run time, and their names would be fetched by every browser.
set(CMAKE_SYSTEM_NAME Generic)  # CMake 3.25 does not know WASI
set(CMAKE_SYSTEM_PROCESSOR wasm32)
set(CMAKE_C_COMPILER clang-19)
set(CMAKE_C_COMPILER_TARGET wasm32-wasi)
set(CMAKE_CXX_COMPILER clang++-19)
set(CMAKE_CXX_COMPILER_TARGET wasm32-wasi)
set(CMAKE_CXX_FLAGS_INIT "-fno-exceptions -fno-rtti")
# 8 MiB of stack, as a thread has on Linux (wasm-ld's default: 64 KiB), placed below the data so that overflow traps.
set(CMAKE_EXE_LINKER_FLAGS_INIT "-Wl,-z,stack-size=8388608 -Wl,--stack-first")
# Archives have no index, which wasm-ld does not need: Debian's llvm-ar is of LLVM 14, and cannot read what clang 19 leaves to be optimised
# by the linker.
foreach(language C CXX)
  set(CMAKE_${language}_ARCHIVE_CREATE "<CMAKE_AR> qcS <TARGET> <LINK_FLAGS> <OBJECTS>")
  set(CMAKE_${language}_ARCHIVE_APPEND "<CMAKE_AR> qS <TARGET> <LINK_FLAGS> <OBJECTS>")
  set(CMAKE_${language}_ARCHIVE_FINISH "")
endforeach()
