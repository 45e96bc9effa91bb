# Toolchain for 64-bit Windows: Debian's MinGW-w64 with POSIX threads, and Wine to run the programs. Programs are linked
# statically, so that they need no libraries of the compiler.

set(CMAKE_SYSTEM_NAME Windows)
set(CMAKE_SYSTEM_PROCESSOR x86_64)
set(CMAKE_CXX_COMPILER x86_64-w64-mingw32-g++-posix)
set(CMAKE_C_COMPILER x86_64-w64-mingw32-gcc-posix)
set(CMAKE_RC_COMPILER x86_64-w64-mingw32-windres)
set(CMAKE_EXE_LINKER_FLAGS_INIT -static)
set(CMAKE_CROSSCOMPILING_EMULATOR ${CMAKE_CURRENT_LIST_DIR}/../tools/run_wine.sh)
set(hwy_DIR ${CMAKE_CURRENT_LIST_DIR}/highway_headers)
