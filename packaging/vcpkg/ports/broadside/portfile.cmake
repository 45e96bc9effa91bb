# An overlay port, which builds the checkout that contains it: docs/install.md.
set(SOURCE_PATH ${CMAKE_CURRENT_LIST_DIR}/../../../..)

vcpkg_check_features(OUT_FEATURE_OPTIONS options FEATURES scene BROADSIDE_BUILD_SCENE)
vcpkg_cmake_configure(SOURCE_PATH ${SOURCE_PATH}
  OPTIONS ${options} -DBROADSIDE_BUILD_APP=OFF -DBROADSIDE_BUILD_EXAMPLES=OFF -DBROADSIDE_BUILD_ANSWERS=OFF)
vcpkg_cmake_install()
vcpkg_cmake_config_fixup(PACKAGE_NAME broadside CONFIG_PATH lib/cmake/broadside)
vcpkg_fixup_pkgconfig()
file(REMOVE_RECURSE ${CURRENT_PACKAGES_DIR}/debug/include ${CURRENT_PACKAGES_DIR}/debug/share)
vcpkg_install_copyright(FILE_LIST ${SOURCE_PATH}/LICENSE)
