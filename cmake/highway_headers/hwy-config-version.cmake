# The headers are those of the package that the machine that builds has.
set(PACKAGE_VERSION_COMPATIBLE TRUE)
