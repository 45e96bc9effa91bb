# Header-only Highway with one instruction set, for target machines without a package. Only the folder hwy/ is linked,
# because its parent also contains the other headers of the build machine.
find_path(hwy_headers hwy/highway.h PATHS /usr/include /usr/local/include NO_CMAKE_FIND_ROOT_PATH REQUIRED)
file(MAKE_DIRECTORY ${CMAKE_BINARY_DIR}/headers)
file(CREATE_LINK ${hwy_headers}/hwy ${CMAKE_BINARY_DIR}/headers/hwy SYMBOLIC)
if(NOT TARGET hwy::hwy)
  add_library(hwy::hwy INTERFACE IMPORTED)
  target_include_directories(hwy::hwy INTERFACE ${CMAKE_BINARY_DIR}/headers)
  target_compile_definitions(hwy::hwy INTERFACE HWY_COMPILE_ONLY_STATIC)
endif()
