# find_package(broadside) defines broadside::broadside, and broadside::scene if it was built.

include(CMakePackageConfigHelpers)

install(TARGETS ${BROADSIDE_TARGETS} EXPORT broadside_targets)
install(DIRECTORY include/broadside DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}
        PATTERN scene EXCLUDE)
if(BROADSIDE_BUILD_SCENE)
  install(DIRECTORY include/broadside/scene DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/broadside)
  install(FILES scenes/scene.schema.json DESTINATION ${CMAKE_INSTALL_DATADIR}/broadside)
endif()
install(FILES LICENSE DESTINATION ${CMAKE_INSTALL_DATADIR}/broadside)

set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/broadside)
configure_package_config_file(cmake/broadsideConfig.cmake.in
  ${CMAKE_CURRENT_BINARY_DIR}/broadsideConfig.cmake INSTALL_DESTINATION ${package_dir})
write_basic_package_version_file(${CMAKE_CURRENT_BINARY_DIR}/broadsideConfigVersion.cmake
  COMPATIBILITY SameMinorVersion)
install(EXPORT broadside_targets NAMESPACE broadside:: DESTINATION ${package_dir})
install(FILES ${CMAKE_CURRENT_BINARY_DIR}/broadsideConfig.cmake
              ${CMAKE_CURRENT_BINARY_DIR}/broadsideConfigVersion.cmake
        DESTINATION ${package_dir})
