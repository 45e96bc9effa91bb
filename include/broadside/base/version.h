#ifndef BROADSIDE_BASE_VERSION_H
#define BROADSIDE_BASE_VERSION_H

// The version of these headers, for C and C++. CMakeLists.txt reads it here.
#define BROADSIDE_VERSION_MAJOR 0
#define BROADSIDE_VERSION_MINOR 2
#define BROADSIDE_VERSION_PATCH 0

#endif
