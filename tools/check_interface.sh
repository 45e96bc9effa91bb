#!/usr/bin/env bash
# Compares the interface of the shared library (functions, layouts of types) with that of the last release of the same
# first two numbers, in packaging/interface. What is new is fine; what a program linked to that release would miss is not.
# Usage: tools/check_interface.sh [--renew]      --renew: describe the interface anew, for a release
set -euo pipefail
cd "$(dirname "$0")/.."
version=$(sed -nE 's/^#define BROADSIDE_VERSION_(MAJOR|MINOR) ([0-9]+)$/\2/p' include/broadside/base/version.h | paste -sd .)
released=packaging/interface/libbroadside-$version.abi.xz
build=build/interface
log=$build.log
new=$build/libbroadside.abi

quietly() {
  "$@" >"$log" 2>&1 || { cat "$log" >&2; exit 1; }
}

mkdir -p build
# Without optimization nothing is inlined, so that all is described that the headers declare.
quietly cmake -G Ninja -B "$build" -DCMAKE_BUILD_TYPE=Release "-DCMAKE_CXX_FLAGS_RELEASE=-O0 -g" \
  -DCMAKE_CXX_FLAGS=-DHWY_COMPILE_ONLY_STATIC -DBUILD_SHARED_LIBS=ON -DBROADSIDE_UNITY_BUILD=ON \
  -DBROADSIDE_BUILD_APP=OFF -DBROADSIDE_BUILD_SCENE=OFF -DBROADSIDE_BUILD_EXAMPLES=OFF -DCMAKE_DISABLE_PRECOMPILE_HEADERS=ON
quietly cmake --build "$build" --target broadside
abidw --headers-dir include --drop-private-types --exported-interfaces-only --no-corpus-path --no-comp-dir-path \
  --no-show-locs --no-parameter-names --out-file "$new" "$build/libbroadside.so"

if [ "${1:-}" = --renew ]; then
  mkdir -p "$(dirname "$released")"
  xz -9 -c "$new" >"$released"
  echo "interface: $released describes the library"
  exit
fi
if [ ! -f "$released" ]; then
  echo "interface: no release $version yet, so nothing to compare with"
  exit
fi
xz -dc "$released" >"$build/released.abi"
# Its exit status is a set of bits: 1 an error, 2 wrong usage, 4 a difference, 8 one that breaks programs.
status=0
abidiff --no-added-syms "$build/released.abi" "$new" >"$log" 2>&1 || status=$?
if [ $status != 0 ]; then
  cat "$log"
  echo "interface: programs linked to release $version would break: take this back, or begin a new version" \
    "(the numbers in base/version.h and the inline namespace)" >&2
  exit 1
fi
echo "interface: as in release $version, or more"
