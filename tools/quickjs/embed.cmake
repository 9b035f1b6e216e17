# Writes JavaScript files as C++: FILES (a list; the first one is first) to OUT, as what FUNCTION returns. Their names are those
# below that one of the folders ROOTS which they are in.
cmake_minimum_required(VERSION 3.25)
set(rows "")
set(arrays "")
set(number 0)
foreach(path IN LISTS FILES)
  foreach(root IN LISTS ROOTS)
    cmake_path(IS_PREFIX root ${path} is_there)
    if(is_there)
      file(RELATIVE_PATH name ${root} ${path})
    endif()
  endforeach()
  string(REGEX REPLACE "\\.js$" "" name ${name})
  file(READ ${path} bytes HEX)
  string(REGEX REPLACE "(................................................................)" "\\1\n" bytes "${bytes}")
  string(REGEX REPLACE "([0-9a-f][0-9a-f])" "0x\\1," bytes "${bytes}")
  string(APPEND arrays "constexpr unsigned char k${number}[] = {\n${bytes}0};\n")
  string(APPEND rows "    LibraryFile{\"${name}\", {reinterpret_cast<const char*>(k${number}), sizeof k${number} - 1}},\n")
  math(EXPR number "${number} + 1")
endforeach()
file(WRITE ${OUT} "// Made by tools/quickjs/embed.cmake.
#include \"sim/quickjs/library_asset.hpp\"

namespace loopsim::quickjs {
namespace {
${arrays}}  // namespace

std::span<const LibraryFile> ${FUNCTION}() {
  static const LibraryFile kFiles[] = {
${rows}  };
  return kFiles;
}

}  // namespace loopsim::quickjs
")
