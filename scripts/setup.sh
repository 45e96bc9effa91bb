#!/usr/bin/env bash
# Installs what a target of the Makefile needs and is missing, nothing else, and names it.
# Usage: scripts/setup.sh demo|test|bench|view|ci|web
set -euo pipefail

demo="g++ cmake ninja-build libhwy-dev libcli11-dev nlohmann-json3-dev libfmt-dev libstb-dev liblzma-dev"
test="$demo libgtest-dev librapidcheck-dev python3 python3-jsonschema xz-utils"
bench="$demo python3 pkg-config libchipmunk-dev libbox2d-dev libbullet-dev libcgal-dev libboost-dev"
view="$demo libsdl2-dev libimgui-dev fonts-dejavu-core"
web="cmake ninja-build libhwy-dev clang-19 lld-19 wasi-libc libc++-19-dev-wasm32 libc++abi-19-dev-wasm32
  libclang-rt-19-dev-wasm32 binaryen chromium"
ci="$test $view $web git clang clang-format clang-tidy libclang-rt-14-dev"

usage() {
  echo "usage: scripts/setup.sh demo|test|bench|view|ci|web" >&2
  exit 2
}

[ $# -eq 1 ] || usage
case "$1" in
  demo) packages=$demo ;;
  test) packages=$test ;;
  bench) packages=$bench ;;
  view) packages=$view ;;
  ci) packages=$ci ;;
  web) packages=$web ;;
  -h | --help) sed -n '2,3s/^# //p' "$0"; exit 0 ;;
  *) usage ;;
esac

if ! command -v apt-get >/dev/null || ! command -v dpkg-query >/dev/null; then
  echo "setup: this system has no apt-get. Please install what these Debian packages hold, then go on:" >&2
  echo "  $packages" >&2
  command -v cmake >/dev/null && command -v ninja >/dev/null || exit 1
  command -v "${CXX:-c++}" >/dev/null || command -v g++ >/dev/null || command -v clang++ >/dev/null || exit 1
  exit 0
fi

# Debian's own Node.js is older than the tools of web/ need; one that was installed from elsewhere is as good.
case $1 in
  web | ci)
    if ! command -v npm >/dev/null || [ "$(node -p 'parseInt(process.versions.node)' 2>/dev/null || echo 0)" -lt 20 ]; then
      echo "setup: please install Node.js 20 or newer, with npm (nodejs.org)" >&2
      exit 1
    fi
    ;;
esac

missing=""
for package in $packages; do
  status=$(dpkg-query -W -f='${db:Status-Status}' "$package" 2>/dev/null || true)
  [ "$status" = installed ] || missing="$missing $package"
done
[ -n "$missing" ] || exit 0

as_root=""
if [ "$(id -u)" -ne 0 ]; then
  if ! command -v sudo >/dev/null; then
    echo "setup: missing packages; please run as root: apt-get install$missing" >&2
    exit 1
  fi
  as_root=sudo
fi
echo "setup: installing$missing"
$as_root apt-get update -qq
# sudo clears the environment, so the variable is set behind it.
# shellcheck disable=SC2086
$as_root env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends $missing >/dev/null
