#!/usr/bin/env bash
# Makes all that a release carries, in out/release: the sources, the Debian packages, the npm package, the interface of
# the shared library as abidw describes it, notes, and checksums. Makes no tag and publishes nothing.
# Usage: tools/release.sh
set -euo pipefail
cd "$(dirname "$0")/.."
version=$(sed -nE 's/^#define BROADSIDE_VERSION_(MAJOR|MINOR|PATCH) ([0-9]+)$/\2/p' include/broadside/base/version.h | paste -sd .)
out=out/release
log=build/release.log

fail() {
  echo "release: $1" >&2
  exit 1
}

quietly() {
  "$@" >"$log" 2>&1 || { cat "$log" >&2; fail "$1 failed"; }
}

[ -z "$(git status --porcelain --untracked-files=no)" ] || fail "there are changes that are not committed"
grep -qE "^## $version - [0-9]{4}-[0-9]{2}-[0-9]{2}$" CHANGELOG.md || fail "CHANGELOG.md has no section \"## $version - DATE\""
[ "$(node -p 'require("./web/package/package.json").version')" = "$version" ] || fail "web/package/package.json has another version than $version"

mkdir -p build
rm -rf "$out"
mkdir -p "$out"
git archive --format=tar --prefix="broadside-$version/" HEAD | gzip -9n >"$out/broadside-$version.tar.gz"
awk -v version="$version" '/^## /{ on = ($2 == version) } on' CHANGELOG.md >"$out/notes-$version.md"

echo "release: the Debian packages"
packages=build/release-packages
quietly cmake -G Ninja -B $packages -DCMAKE_BUILD_TYPE=Release -DCMAKE_INSTALL_PREFIX=/usr -DBUILD_SHARED_LIBS=ON \
  -DBROADSIDE_BUILD_EXAMPLES=OFF -DBROADSIDE_UNITY_BUILD=ON
quietly cmake --build $packages
libraries=$(sed -n 's/^CMAKE_INSTALL_LIBDIR:PATH=//p' $packages/CMakeCache.txt)
quietly sh tests/consumer/debs.sh cpack $packages "${CXX:-c++}" tests/consumer/project/main.cpp "$libraries/pkgconfig" "$version"
quietly cpack -G DEB --config $packages/CPackConfig.cmake -B $packages/made
mv $packages/made/*.deb "$out"

echo "release: the interface of the shared library"
quietly tools/check_interface.sh
cp build/interface/libbroadside.abi "$out/libbroadside-$version.abi"

echo "release: the npm package"
quietly make --no-print-directory web-package
(cd web/package && npm pack --silent --pack-destination "../../$out") >/dev/null

(cd "$out" && sha256sum -- * >SHA256SUMS)
echo "release: broadside $version of $(git rev-parse --short HEAD) in $out"
ls -l "$out" | awk 'NR > 1 { printf "  %9d  %s\n", $5, $9 }'
