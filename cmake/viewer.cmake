# Adds the viewer if its packages are found; BROADSIDE_BUILD_VIEWER can require or disable it.

if(BROADSIDE_BUILD_VIEWER STREQUAL "AUTO" AND NOT PROJECT_IS_TOP_LEVEL)
  return()
endif()
if(NOT BROADSIDE_BUILD_VIEWER)
  return()
endif()

find_package(SDL2 2.0.18 QUIET CONFIG)
find_path(IMGUI_INCLUDE_DIR imgui.h PATH_SUFFIXES imgui)
find_library(IMGUI_LIBRARY imgui)
find_library(STB_LIBRARY stb)  # Debian's Dear ImGui needs its font rasterizer
if(SDL2_FOUND AND IMGUI_INCLUDE_DIR AND IMGUI_LIBRARY AND STB_LIBRARY)
  add_subdirectory(apps/viewer)
elseif(BROADSIDE_BUILD_VIEWER STREQUAL "AUTO")
  message(STATUS "broadside view: left out; it needs SDL2 2.0.18 and Dear ImGui (Debian: libsdl2-dev libimgui-dev libstb-dev)")
else()
  message(FATAL_ERROR "broadside view needs SDL2 2.0.18 and Dear ImGui (Debian: libsdl2-dev libimgui-dev libstb-dev)")
endif()
