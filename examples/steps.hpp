#pragma once

#include <charconv>
#include <cstdio>
#include <cstdlib>
#include <cstring>

/// Returns the value of `--steps N`, the only option of the examples, or `otherwise` if it is not given.
inline int steps_of(int argc, char** argv, int otherwise) {
  if (argc == 1) {
    return otherwise;
  }
  int steps = -1;
  if (argc == 3 && std::strcmp(argv[1], "--steps") == 0) {
    const char* end = argv[2] + std::strlen(argv[2]);
    if (std::from_chars(argv[2], end, steps).ptr != end) {
      steps = -1;
    }
  }
  if (steps < 1) {
    std::fprintf(stderr, "usage: %s [--steps N], with N from 1\n", argv[0]);
    std::exit(2);
  }
  return steps;
}
