# Toolchain for Debian's Emscripten, for tools/compare_builds.py: programs in C++ for the web that use the library. (The
# package for JavaScript needs no Emscripten: cmake/wasm.cmake.)

include(/usr/share/emscripten/cmake/Modules/Platform/Emscripten.cmake)
set(CMAKE_CROSSCOMPILING_EMULATOR node --no-experimental-fetch)
set(CMAKE_EXE_LINKER_FLAGS_INIT -sALLOW_MEMORY_GROWTH)
set(hwy_DIR ${CMAKE_CURRENT_LIST_DIR}/highway_headers)
