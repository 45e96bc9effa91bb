# The headers are those of the build machine's package.
set(PACKAGE_VERSION_COMPATIBLE TRUE)
