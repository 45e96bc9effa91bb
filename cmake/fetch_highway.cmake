# Fetches Highway where it is not installed, as systems without packages of it need. FETCHCONTENT_SOURCE_DIR_HWY names a
# folder with its sources instead.
message(STATUS "Highway is not installed: it is fetched, and built with broadside")
include(FetchContent)
set(HWY_ENABLE_CONTRIB OFF CACHE BOOL "")
set(HWY_ENABLE_EXAMPLES OFF CACHE BOOL "")
set(HWY_ENABLE_TESTS OFF CACHE BOOL "")
set(HWY_ENABLE_INSTALL ${BROADSIDE_INSTALL} CACHE BOOL "")
set(HWY_FORCE_STATIC_LIBS ON CACHE BOOL "")
set(CMAKE_POSITION_INDEPENDENT_CODE ON)  # for where broadside is a shared library
FetchContent_Declare(hwy GIT_REPOSITORY https://github.com/google/highway.git GIT_TAG 1.2.0 GIT_SHALLOW ON)
FetchContent_MakeAvailable(hwy)
if(NOT TARGET hwy::hwy)
  add_library(hwy::hwy ALIAS hwy)
endif()
