# Compile options of every target of the project. Warnings and sanitizers do not leak to users. -ffp-contract=off makes
# results equal on every machine. -fno-math-errno changes no result: std::sqrt becomes one instruction, without the call
# that would set errno. -fno-fast-math undoes the -ffast-math of a project around this one: it would lose NaN.

add_library(broadside_build_options INTERFACE)
if(MSVC)
  # Visual Studio 2022 or newer: there /fp:precise contracts nothing. Not tried: no MSVC is at hand.
  target_compile_options(broadside_build_options INTERFACE /fp:precise)
else()
  target_compile_options(broadside_build_options INTERFACE -fno-fast-math -ffp-contract=off -fno-math-errno)
endif()
if(PROJECT_IS_TOP_LEVEL AND NOT MSVC)
  target_compile_options(broadside_build_options INTERFACE
    -Wall -Wextra -Wpedantic -Wconversion -Wshadow -Werror
    $<$<CXX_COMPILER_ID:Clang>:-Wdocumentation>
    # std::stable_sort of libstdc++ 12 calls a deprecated function, which newer versions of clang report.
    $<$<AND:$<CXX_COMPILER_ID:Clang>,$<VERSION_GREATER_EQUAL:$<CXX_COMPILER_VERSION>,15>>:-Wno-deprecated-declarations>)
endif()
if(BROADSIDE_SANITIZE)
  # The assertions find an index beyond the end of a vector that has the memory for it.
  target_compile_options(broadside_build_options INTERFACE
    -fsanitize=${BROADSIDE_SANITIZE} -fno-sanitize-recover=all -fno-omit-frame-pointer -D_GLIBCXX_ASSERTIONS)
  target_link_options(broadside_build_options INTERFACE -fsanitize=${BROADSIDE_SANITIZE})
  if(BROADSIDE_SANITIZE MATCHES memory)
    target_compile_options(broadside_build_options INTERFACE
      -fsanitize-ignorelist=${CMAKE_CURRENT_LIST_DIR}/memory_sanitizer.txt)
  endif()
endif()
function(broadside_configure_library target)
  target_compile_features(${target} PUBLIC cxx_std_20)
  target_include_directories(${target} PUBLIC
    $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/include>
    $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
  target_link_libraries(${target} PRIVATE $<BUILD_INTERFACE:broadside_build_options>)
  # Programs that link with -Wl,--gc-sections contain only the functions that they use: a quarter less.
  if(NOT MSVC)
    target_compile_options(${target} PRIVATE -ffunction-sections -fdata-sections)
  endif()
  if(BROADSIDE_BUILD_FUZZ)
    # Coverage feedback from the library; without it the fuzzers would see only their own branches.
    target_compile_options(${target} PRIVATE -fsanitize=fuzzer-no-link)
  endif()
  # Sources of different folders use the same names for local functions: see `broadside_unite_sources`.
  set_target_properties(${target} PROPERTIES CXX_EXTENSIONS OFF POSITION_INDEPENDENT_CODE ON UNITY_BUILD OFF)
endfunction()

# Compiles up to eight sources of a folder as one, because most of the time goes into reading their headers. Kernels
# stay apart, because Highway includes them once for each instruction set; so do `main.cpp`, which holds what stb has one
# copy of, `allocation_watch.cpp`, whose `new` and `delete` g++ takes for wrong beside their callers, and sources with
# options of their own (CMake sees to that) and those of BROADSIDE_APART.
function(broadside_unite_sources target)
  get_target_property(sources ${target} SOURCES)
  list(FILTER sources EXCLUDE REGEX "(kernels?|main|allocation_watch)\\.cpp$")
  if(BROADSIDE_APART)
    list(REMOVE_ITEM sources ${BROADSIDE_APART})
  endif()
  foreach(source IN LISTS sources)
    cmake_path(GET source PARENT_PATH folder)
    string(MAKE_C_IDENTIFIER "${folder}" group)
    math(EXPR number "${count_of_${group}} + 0")
    math(EXPR part "${number} / 8")
    math(EXPR count_of_${group} "${number} + 1")
    set_source_files_properties(${source} PROPERTIES UNITY_GROUP ${group}_${part})
  endforeach()
  set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_MODE GROUP)
endfunction()
