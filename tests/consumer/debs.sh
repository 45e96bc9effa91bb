#!/bin/sh
# Makes the Debian packages, unpacks them, and uses what is in them: the command line, its manual page and completion,
# and the library by pkg-config.
# Usage: debs.sh CPACK BUILD_FOLDER COMPILER SOURCE FOLDER_OF_PC_FILES VERSION
set -eu
here=$(cd "$(dirname "$0")" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
"$1" -G DEB --config "$2/CPackConfig.cmake" -B "$work/made" >"$work/log" 2>&1 || { cat "$work/log"; exit 1; }
for package in libbroadside-dev broadside; do
  ls "$work/made/${package}_$6"_*.deb >/dev/null
done
export LD_LIBRARY_PATH="$work/unpacked/usr/$(dirname "$5")"  # if the library is shared
for deb in "$work"/made/*.deb; do
  echo "$(basename "$deb"): $(stat -c %s "$deb") bytes; depends on: $(dpkg-deb -f "$deb" Depends)"
  dpkg-deb -x "$deb" "$work/unpacked"
done
[ "$("$work/unpacked/usr/bin/broadside" --version)" = "broadside $6" ] || { echo "the command line has another version"; exit 1; }
manual=$work/unpacked/usr/share/man/man1/broadside.1
view=$("$work/unpacked/usr/bin/broadside" view --help >"$work/log" 2>&1 && echo view || true)  # if the viewer is built
for command in run pairs compare generate $view scenes; do
  grep -q "^\\.SH BROADSIDE $(echo $command | tr a-z A-Z)\$" "$manual" || { echo "the manual page lacks $command"; exit 1; }
done
for option in $("$work/unpacked/usr/bin/broadside" run --help | sed -n 's/^  \(--[a-z-]*\).*/\1/p'); do
  grep -q -- "$(echo "$option" | sed 's/-/\\\\-/g')" "$manual" || { echo "the manual page lacks $option"; exit 1; }
  grep -q -- " $option[ \"]" "$work/unpacked/usr/share/bash-completion/completions/broadside" ||
    { echo "the completion lacks $option"; exit 1; }
done
sh "$here/pkg_config.sh" "$3" "$4" "$work/unpacked/usr/$5" "$6"
