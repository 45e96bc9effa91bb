# Installs the library for find_package(broadside), with the components core, scene and distributed, and for pkg-config.

include(CMakePackageConfigHelpers)

install(DIRECTORY include/broadside DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} COMPONENT dev
        PATTERN scene EXCLUDE PATTERN distributed EXCLUDE)
install(FILES LICENSE DESTINATION ${CMAKE_INSTALL_DATADIR}/broadside COMPONENT dev)
set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/broadside)
install(TARGETS broadside EXPORT broadside_core
  RUNTIME COMPONENT lib LIBRARY COMPONENT lib NAMELINK_COMPONENT dev ARCHIVE COMPONENT dev)
if(TARGET broadside_allocator)  # not in the WebAssembly module
  install(TARGETS broadside_allocator EXPORT broadside_core COMPONENT dev)
endif()
install(EXPORT broadside_core NAMESPACE broadside:: DESTINATION ${package_dir} COMPONENT dev)
if(BROADSIDE_BUILD_SCENE)
  install(DIRECTORY include/broadside/scene DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/broadside COMPONENT dev)
  install(FILES scenes/scene.schema.json DESTINATION ${CMAKE_INSTALL_DATADIR}/broadside COMPONENT dev)
  install(TARGETS broadside_scene EXPORT broadside_scene COMPONENT dev)
  install(EXPORT broadside_scene NAMESPACE broadside:: DESTINATION ${package_dir} COMPONENT dev)
endif()

if(BROADSIDE_BUILD_DISTRIBUTED)
  install(DIRECTORY include/broadside/distributed DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/broadside COMPONENT dev)
  install(TARGETS broadside_distributed EXPORT broadside_distributed COMPONENT dev)
  install(EXPORT broadside_distributed NAMESPACE broadside:: DESTINATION ${package_dir} COMPONENT dev)
endif()

configure_package_config_file(cmake/broadsideConfig.cmake.in
  ${CMAKE_CURRENT_BINARY_DIR}/broadsideConfig.cmake INSTALL_DESTINATION ${package_dir})
write_basic_package_version_file(${CMAKE_CURRENT_BINARY_DIR}/broadsideConfigVersion.cmake
  COMPATIBILITY SameMinorVersion)
install(FILES ${CMAKE_CURRENT_BINARY_DIR}/broadsideConfig.cmake
              ${CMAKE_CURRENT_BINARY_DIR}/broadsideConfigVersion.cmake
        DESTINATION ${package_dir} COMPONENT dev)

# Paths are relative to the file, so that the installed folder can be moved. Who links a static library needs what it uses.
set(pkgconfig_dir ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
file(RELATIVE_PATH prefix_from_pkgconfig /${pkgconfig_dir} /)
if(BUILD_SHARED_LIBS)
  set(only_if_static .private)
else()
  set(threads " -pthread")
endif()
configure_file(cmake/broadside.pc.in ${CMAKE_CURRENT_BINARY_DIR}/broadside.pc @ONLY)
install(FILES ${CMAKE_CURRENT_BINARY_DIR}/broadside.pc DESTINATION ${pkgconfig_dir} COMPONENT dev)

# A manual page and a completion for bash, from what --help says; that of `view` is known if the viewer is built.
find_program(PYTHON python3)
if(BROADSIDE_BUILD_APP AND PYTHON AND NOT CMAKE_CROSSCOMPILING AND NOT BROADSIDE_SANITIZE)
  set(manual ${CMAKE_CURRENT_BINARY_DIR}/manual)
  if(TARGET broadside_view)
    set(viewer broadside_view)
  else()
    set(no_viewer --without view)
  endif()
  add_custom_command(OUTPUT ${manual}/broadside.1 ${manual}/broadside
    COMMAND ${CMAKE_COMMAND} -E make_directory ${manual}
    COMMAND ${PYTHON} ${PROJECT_SOURCE_DIR}/tools/make_manual.py $<TARGET_FILE:broadside_app>
            --man ${manual}/broadside.1 --bash ${manual}/broadside ${no_viewer}
    DEPENDS broadside_app ${viewer} ${PROJECT_SOURCE_DIR}/tools/make_manual.py VERBATIM)
  add_custom_target(broadside_manual ALL DEPENDS ${manual}/broadside.1 ${manual}/broadside)
  install(FILES ${manual}/broadside.1 DESTINATION ${CMAKE_INSTALL_MANDIR}/man1 COMPONENT cli)
  install(FILES ${manual}/broadside DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions COMPONENT cli)
endif()

# `cpack -G DEB` makes libbroadside-dev; of a shared library also libbroadside0.2; where the command line is built, broadside.
if(PROJECT_IS_TOP_LEVEL)
  set(CPACK_GENERATOR DEB)
  set(CPACK_PACKAGE_CONTACT "the broadside authors <broadside@users.invalid>")
  set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "${PROJECT_DESCRIPTION}")
  set(CPACK_RESOURCE_FILE_LICENSE ${PROJECT_SOURCE_DIR}/LICENSE)
  set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
  set(CPACK_DEB_COMPONENT_INSTALL ON)
  set(CPACK_COMPONENTS_ALL dev)
  set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
  set(CPACK_DEBIAN_DEV_PACKAGE_NAME libbroadside-dev)
  set(CPACK_DEBIAN_DEV_PACKAGE_SECTION libdevel)
  set(CPACK_DEBIAN_DEV_PACKAGE_DEPENDS libhwy-dev)
  if(BROADSIDE_BUILD_SCENE)
    set(CPACK_DEBIAN_DEV_PACKAGE_RECOMMENDS "nlohmann-json3-dev, liblzma-dev")
  endif()
  if(BUILD_SHARED_LIBS)
    set(shared libbroadside${PROJECT_VERSION_MAJOR}.${PROJECT_VERSION_MINOR})
    list(APPEND CPACK_COMPONENTS_ALL lib)
    set(CPACK_DEBIAN_LIB_PACKAGE_NAME ${shared})
    set(CPACK_DEBIAN_LIB_PACKAGE_SECTION libs)
    set(CPACK_DEBIAN_LIB_PACKAGE_SHLIBDEPS ON)
    set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS_PRIVATE_DIRS ${PROJECT_BINARY_DIR})
    set(CPACK_DEBIAN_PACKAGE_GENERATE_SHLIBS ON)  # and has ldconfig run
    set(CPACK_DEBIAN_PACKAGE_GENERATE_SHLIBS_POLICY "=")
    string(APPEND CPACK_DEBIAN_DEV_PACKAGE_DEPENDS ", ${shared} (= ${PROJECT_VERSION})")
    set(CPACK_DEBIAN_CLI_PACKAGE_DEPENDS "${shared} (= ${PROJECT_VERSION})")
  endif()
  if(BROADSIDE_BUILD_APP)
    list(APPEND CPACK_COMPONENTS_ALL cli)
    set(CPACK_DEBIAN_CLI_PACKAGE_NAME broadside)
    set(CPACK_DEBIAN_CLI_PACKAGE_SECTION devel)
    find_program(DPKG_SHLIBDEPS dpkg-shlibdeps)  # of dpkg-dev
    if(DPKG_SHLIBDEPS)
      set(CPACK_DEBIAN_CLI_PACKAGE_SHLIBDEPS ON)
    endif()
  endif()
  include(CPack)
endif()
