#pragma once

// clang-format off
// The macros of other headers that a program may include before broadside: <windows.h> without NOMINMAX, <X11/Xlib.h>,
// Qt without QT_NO_KEYWORDS, Unreal, and some C libraries. Macros rename what follows, so the standard library comes
// first, as it would through those headers.

#include <algorithm>
#include <array>
#include <bit>
#include <cassert>
#include <cmath>
#include <compare>
#include <concepts>
#include <functional>
#include <iosfwd>
#include <iterator>
#include <limits>
#include <map>
#include <memory>
#include <new>
#include <numeric>
#include <optional>
#include <random>
#include <set>
#include <span>
#include <sstream>
#include <string>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <unordered_map>
#include <utility>
#include <variant>
#include <vector>
#include <atomic>
#include <mutex>
#include <thread>
#include <condition_variable>
#include <exception>
#include <cfloat>

// <windows.h> without NOMINMAX
#define min(a, b) (((a) < (b)) ? (a) : (b))
#define max(a, b) (((a) > (b)) ? (a) : (b))
#define near
#define far
#define small char
#define IN
#define OUT
#define ERROR 0
#define DELETE (0x00010000L)
#define interface struct
#define TRUE 1
#define FALSE 0
#define CALLBACK
#define DrawText DrawTextA
#define GetObject GetObjectA
#define rad1 0x0490
#define NEAR
#define FAR
#define CONST const
#define STRICT 1
#define DOMAIN 1
#define OVERFLOW 3
#define UNDERFLOW 4
// <X11/X.h>, <X11/Xlib.h>
#define None 0L
#define Always 2
#define Success 0
#define Bool int
#define Status int
#define True 1
#define False 0
#define Above 0
#define Below 1
#define Complex 0
#define Nonconvex 1
#define Convex 2
#define Unsorted 0
#define CursorShape 0
#define KeyPress 2
#define KeyRelease 3
#define FocusIn 9
#define FocusOut 10
#define Expose 12
#define GrayScale 1
#define DestroyAll 0
#define ClipByChildren 0
// Qt without QT_NO_KEYWORDS
#define emit
#define signals public
#define slots
#define foreach(variable, container) for (variable : container)
#define forever for (;;)
// Unreal
#define check(expression) ((void)(expression))
#define verify(expression) ((void)(expression))
#define ensure(expression) (expression)
#define TEXT(x) L##x
#define PI (3.1415926535897932f)
#define UE_LOG(...)
// Others: Arduino, Cocoa, glibc, Ruby
#define major(d) (d)
#define minor(d) (d)
#define makedev(a, b) (a)
#define unix 1
#define linux 1
#define B0 0
#define nil nullptr
#define Nil nullptr
#define YES 1
#define NO 0
#define require(x) (x)
#define assume(x)
#define likely(x) (x)
#define unlikely(x) (x)
