# The toolchain for WebAssembly: Debian's clang 19 and wasi-libc. A module has neither threads nor exceptions.

set(CMAKE_SYSTEM_NAME Generic)
set(CMAKE_SYSTEM_PROCESSOR wasm32)
set(CMAKE_CXX_COMPILER clang++-19)
set(CMAKE_CXX_COMPILER_TARGET wasm32-wasi)
set(CMAKE_CXX_COMPILER_WORKS ON)  # it comes without an archiver, which the test would need

# Highway is headers alone here: there is one instruction set, and so nothing to choose at run time. Its folder is
# linked to, since beside it are the headers of the machine that builds.
find_path(hwy_headers hwy/highway.h PATHS /usr/include /usr/local/include NO_CMAKE_FIND_ROOT_PATH)
file(MAKE_DIRECTORY ${CMAKE_BINARY_DIR}/headers)
file(CREATE_LINK ${hwy_headers}/hwy ${CMAKE_BINARY_DIR}/headers/hwy SYMBOLIC)
