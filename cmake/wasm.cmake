# Toolchain for WebAssembly: Debian's clang 19 and wasi-libc, without threads and exceptions.

set(CMAKE_SYSTEM_NAME Generic)
set(CMAKE_SYSTEM_PROCESSOR wasm32)
set(CMAKE_CXX_COMPILER clang++-19)
set(CMAKE_CXX_COMPILER_TARGET wasm32-wasi)
set(CMAKE_CXX_COMPILER_WORKS ON)  # skips CMake's compiler test, which needs an archiver
set(hwy_DIR ${CMAKE_CURRENT_LIST_DIR}/highway_headers)
