#!/bin/sh
# Compiles and runs a program with the flags that pkg-config gives for the installed library.
# Usage: pkg_config.sh COMPILER SOURCE FOLDER_OF_PC_FILES VERSION
set -eu
export PKG_CONFIG_PATH="$3"
version=$(pkg-config --modversion broadside)
[ "$version" = "$4" ] || { echo "pkg-config finds version $version instead of $4"; exit 1; }
program=$(mktemp)
trap 'rm -f "$program"' EXIT
"$1" -std=c++20 -O0 -DLEAKED_OPTIONS='""' -DEXPECTED_VERSION="\"$4\"" "$2" -o "$program" $(pkg-config --cflags --libs broadside)
"$program"
