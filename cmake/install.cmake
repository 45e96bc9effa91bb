# Installs the library for find_package(broadside), with the components core and scene, and for pkg-config.

include(CMakePackageConfigHelpers)

install(DIRECTORY include/broadside DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}
        PATTERN scene EXCLUDE)
install(FILES LICENSE DESTINATION ${CMAKE_INSTALL_DATADIR}/broadside)
set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/broadside)
install(TARGETS broadside EXPORT broadside_core)
install(EXPORT broadside_core NAMESPACE broadside:: DESTINATION ${package_dir})
if(BROADSIDE_BUILD_SCENE)
  install(DIRECTORY include/broadside/scene DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/broadside)
  install(FILES scenes/scene.schema.json DESTINATION ${CMAKE_INSTALL_DATADIR}/broadside)
  install(TARGETS broadside_scene EXPORT broadside_scene)
  install(EXPORT broadside_scene NAMESPACE broadside:: DESTINATION ${package_dir})
endif()

configure_package_config_file(cmake/broadsideConfig.cmake.in
  ${CMAKE_CURRENT_BINARY_DIR}/broadsideConfig.cmake INSTALL_DESTINATION ${package_dir})
write_basic_package_version_file(${CMAKE_CURRENT_BINARY_DIR}/broadsideConfigVersion.cmake
  COMPATIBILITY SameMinorVersion)
install(FILES ${CMAKE_CURRENT_BINARY_DIR}/broadsideConfig.cmake
              ${CMAKE_CURRENT_BINARY_DIR}/broadsideConfigVersion.cmake
        DESTINATION ${package_dir})

# Paths are relative to the file, so that the installed folder can be moved. Who links a static library needs what it uses.
set(pkgconfig_dir ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
file(RELATIVE_PATH prefix_from_pkgconfig /${pkgconfig_dir} /)
if(BUILD_SHARED_LIBS)
  set(only_if_static .private)
else()
  set(threads " -pthread")
endif()
configure_file(cmake/broadside.pc.in ${CMAKE_CURRENT_BINARY_DIR}/broadside.pc @ONLY)
install(FILES ${CMAKE_CURRENT_BINARY_DIR}/broadside.pc DESTINATION ${pkgconfig_dir})
