# Toolchain for Debian's cross compilers, for tools/compare_builds.py: BROADSIDE_MACHINE is i686, riscv64 or s390x.
# Programs are linked statically, so that QEMU needs no libraries of that machine.
set(CMAKE_TRY_COMPILE_PLATFORM_VARIABLES BROADSIDE_MACHINE)
set(CMAKE_SYSTEM_NAME Linux)
set(CMAKE_SYSTEM_PROCESSOR ${BROADSIDE_MACHINE})
set(CMAKE_CXX_COMPILER ${BROADSIDE_MACHINE}-linux-gnu-g++)
set(CMAKE_EXE_LINKER_FLAGS_INIT -static)
if(BROADSIDE_MACHINE STREQUAL "i686")
  set(CMAKE_CXX_FLAGS_INIT "-msse2 -mfpmath=sse")
else()
  set(CMAKE_CROSSCOMPILING_EMULATOR qemu-${BROADSIDE_MACHINE})
endif()
set(hwy_DIR ${CMAKE_CURRENT_LIST_DIR}/highway_headers)
