# The toolchain for WebAssembly: Debian's clang 19 and wasi-libc. A module has neither threads nor exceptions.

set(CMAKE_SYSTEM_NAME Generic)
set(CMAKE_SYSTEM_PROCESSOR wasm32)
set(CMAKE_CXX_COMPILER clang++-19)
set(CMAKE_CXX_COMPILER_TARGET wasm32-wasi)
set(CMAKE_CXX_COMPILER_WORKS ON)  # it comes without an archiver, which the test would need
set(hwy_DIR ${CMAKE_CURRENT_LIST_DIR}/highway_headers)
