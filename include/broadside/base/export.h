#ifndef BROADSIDE_BASE_EXPORT_H
#define BROADSIDE_BASE_EXPORT_H

// BROADSIDE_API stands before what a shared library exports; all else is hidden in it. BROADSIDE_HIDDEN stands
// before a class that is hidden though a class around it is exported. For C and C++.
// CMakeLists.txt defines BROADSIDE_SHARED for a shared library and for those that link it, and CMake itself
// broadside_EXPORTS while it compiles that library.

#if defined(_WIN32) && defined(BROADSIDE_SHARED) && defined(broadside_EXPORTS)
#define BROADSIDE_API __declspec(dllexport)
#elif defined(_WIN32) && defined(BROADSIDE_SHARED)
#define BROADSIDE_API __declspec(dllimport)
#elif defined(__GNUC__)
#define BROADSIDE_API __attribute__((visibility("default")))
#define BROADSIDE_HIDDEN __attribute__((visibility("hidden")))
#else
#define BROADSIDE_API
#endif

#ifndef BROADSIDE_HIDDEN
#define BROADSIDE_HIDDEN
#endif

#endif
