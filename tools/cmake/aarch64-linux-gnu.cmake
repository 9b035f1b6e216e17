# Cross-compiles for 64-bit ARM with Debian's cross compiler and the libraries of its arm64 packages, unpacked in a
# folder.
#
#   mmdebstrap --variant=extract --architectures=arm64 --skip=check/qemu --include=PACKAGES bookworm FOLDER
#   cmake -D CMAKE_TOOLCHAIN_FILE=tools/cmake/aarch64-linux-gnu.cmake -D LOOPSIM_SYSROOT=FOLDER ...
#
# tests/determinism/builds.py does both. The compiler has its own C library, so FOLDER is not passed as --sysroot; CMake
# only searches it for packages. qemu-aarch64-static -L FOLDER runs the program.
set(CMAKE_SYSTEM_NAME Linux)
set(CMAKE_SYSTEM_PROCESSOR aarch64)
set(CMAKE_CXX_COMPILER aarch64-linux-gnu-g++)
set(CMAKE_LIBRARY_ARCHITECTURE aarch64-linux-gnu)
set(CMAKE_TRY_COMPILE_PLATFORM_VARIABLES LOOPSIM_SYSROOT)

set(CMAKE_FIND_ROOT_PATH ${LOOPSIM_SYSROOT})
set(CMAKE_FIND_ROOT_PATH_MODE_PROGRAM NEVER)
set(CMAKE_FIND_ROOT_PATH_MODE_LIBRARY ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_INCLUDE ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_PACKAGE ONLY)
# The linker searches the folder also for the dependencies of its libraries.
set(CMAKE_EXE_LINKER_FLAGS_INIT "-Wl,-rpath-link,${LOOPSIM_SYSROOT}/lib/aarch64-linux-gnu:${LOOPSIM_SYSROOT}/usr/lib/aarch64-linux-gnu")
