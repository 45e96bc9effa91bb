# Toolchain for cross builds for 64-bit ARM: Debian's cross compiler, and QEMU to run the programs. The libraries are
# those of Debian's architecture arm64 (`scripts/setup.sh ci` installs them).

set(CMAKE_SYSTEM_NAME Linux)
set(CMAKE_SYSTEM_PROCESSOR aarch64)
set(CMAKE_CXX_COMPILER aarch64-linux-gnu-g++)
set(CMAKE_CROSSCOMPILING_EMULATOR qemu-aarch64)
set(CMAKE_CXX_FLAGS_INIT -Wno-psabi)  # notes that g++ 9 passed a std::pair of numbers differently
