# Builds for WebAssembly: 32 bits, WASI, no exceptions, no threads. clang 19, with the C and C++ libraries that Debian 12 has for it:
#
#   apt-get install clang-19 lld-19 wasi-libc libc++-19-dev-wasm32 libc++abi-19-dev-wasm32 libclang-rt-19-dev-wasm32
#   cmake --preset wasm32 && cmake --build --preset wasm32
#
# That C++ library is made without exceptions, so `throw` and `try` do not compile (docs/library.md#webassembly).
set(CMAKE_SYSTEM_NAME Generic)  # CMake 3.25 does not know WASI
set(CMAKE_SYSTEM_PROCESSOR wasm32)
set(CMAKE_CXX_COMPILER clang++-19)
set(CMAKE_CXX_COMPILER_TARGET wasm32-wasi)
set(CMAKE_CXX_FLAGS_INIT -fno-exceptions)
# As much stack as a thread has on Linux, where the linker gives 64 KiB; below the data, so that its end is noticed.
set(CMAKE_EXE_LINKER_FLAGS_INIT "-Wl,-z,stack-size=8388608 -Wl,--stack-first")
