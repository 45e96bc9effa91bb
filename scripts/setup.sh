#!/usr/bin/env bash
# Installs only the missing packages that targets of the Makefile need, and prints their names.
# Usage: scripts/setup.sh demo|test|bench|view|fuzz|windows|builds|release|check|coverage|instructions|interface|mpi|mutants|tidy|aarch64|ci|web ...
set -euo pipefail
cd "$(dirname "$0")/.."

demo="g++ cmake ninja-build libhwy-dev libcli11-dev nlohmann-json3-dev libfmt-dev libstb-dev liblzma-dev"
test="$demo libgtest-dev librapidcheck-dev pkg-config python3 python3-jsonschema xz-utils"
bench="$demo python3 pkg-config libchipmunk-dev libbox2d-dev libbullet-dev libcgal-dev libboost-dev"
view="$demo libsdl2-dev libimgui-dev fonts-dejavu-core"
web="cmake ninja-build libhwy-dev clang-19 lld-19 wasi-libc libc++-19-dev-wasm32 libc++abi-19-dev-wasm32
  libclang-rt-19-dev-wasm32 binaryen chromium"
fuzz="$test clang libclang-rt-14-dev"
aarch64="cmake ninja-build g++-aarch64-linux-gnu qemu-user libhwy-dev:arm64 libgtest-dev:arm64 librapidcheck-dev:arm64"
windows="$test g++-mingw-w64-x86-64-posix wine64"
libcxx="clang-19 libc++-19-dev libc++abi-19-dev"
builds="$windows emscripten $libcxx clang qemu-user g++-i686-linux-gnu g++-riscv64-linux-gnu
  g++-s390x-linux-gnu"
release="$web $view abigail-tools dpkg-dev pkg-config xz-utils"
coverage="$test clang-19 libclang-rt-19-dev llvm-19"
instructions="$test valgrind"
mutants="$test ccache"  # avoids a second build of the library
check="git python3 clang-format"
tidy="$fuzz clang-tidy"
interface="$demo abigail-tools xz-utils"
mpi="$demo libopenmpi-dev openmpi-bin"
ci="$interface $mpi $windows emscripten $libcxx $view $web $aarch64 $instructions $mutants $check $tidy"

# Node.js for machines whose version is too old for the tools of web/, such as Debian 12; from the npm registry.
node_needed=20
node_version=22.23.3
npm_version=10.9.9
node_x64=sha512-qHnz5tFsHoj/WM+uRENVjWONi5hVvmwrgq8A4V76KpuVNAc4+jwK8x4gwbobE9BtHNg/AKR2583eYorLF/c7ng==
node_arm64=sha512-l3DAHZreylo+p9QXDtsOrjG2JXJqVzYXnAGmIQNOUNARcMppTO2cmewVQP+36tjJnSE+dzpMNtgW+c3oiDvXtA==
npm_any=sha512-1g+6jLQvaIuB4zwvHL7yrXuXcWZwDsCtBX8bbWDqbvJSSr9nPiDDWTHNgwXR27iIcTTW7v3A57hDW9RYv2W4Yg==
export PATH="$PWD/build/node/bin:$PATH"

fail() {
  echo "setup: $1" >&2
  exit 1
}

usage() {
  echo "usage: scripts/setup.sh demo|test|bench|view|fuzz|windows|builds|release|check|coverage|instructions|interface|mpi|mutants|tidy|aarch64|ci|web ..." >&2
  exit 2
}

[ $# -ge 1 ] || usage
packages=""
needs_node=""
needs_arm64=""
for target; do
  case "$target" in
    demo | test | bench | view | fuzz | windows | builds | check | coverage | instructions | interface | mpi | mutants | tidy) packages="$packages ${!target}" ;;
    aarch64) packages="$packages $aarch64" needs_arm64=yes ;;
    web | release) packages="$packages ${!target}" needs_node=yes ;;
    ci) packages="$packages $ci" needs_node=yes needs_arm64=yes ;;
    -h | --help) sed -n '2,3s/^# //p' "scripts/setup.sh"; exit 0 ;;
    *) usage ;;
  esac
done
packages=$(printf '%s\n' $packages | awk '!seen[$0]++' | paste -sd ' ')

node_is_new() {
  [ "$(node -p 'parseInt(process.versions.node)' 2>/dev/null || echo 0)" -ge $node_needed ]
}

if ! command -v apt-get >/dev/null || ! command -v dpkg-query >/dev/null; then
  echo "setup: this system has no apt-get. Please install what these Debian packages hold, then go on:" >&2
  echo "  $packages" >&2
  command -v cmake >/dev/null && command -v ninja >/dev/null || exit 1
  command -v "${CXX:-c++}" >/dev/null || command -v g++ >/dev/null || command -v clang++ >/dev/null || exit 1
  [ -z "$needs_node" ] || { node_is_new && command -v npm >/dev/null; } ||
    fail "please install Node.js $node_needed or newer, with npm (nodejs.org)"
  exit 0
fi

if [ -n "$needs_node" ] && ! command -v npm >/dev/null; then
  packages="$packages npm"
fi

# A package name without an architecture means the one of this machine, even if other architectures are installed.
native=$(dpkg --print-architecture)
is_installed() {
  local of="$native|all"
  [[ $1 != *:* ]] || of=${1#*:}
  dpkg-query -W -f='${db:Status-Status} ${Architecture}\n' "$1" 2>/dev/null | grep -qxE "installed ($of)"
}
missing=""
for package in $packages; do
  is_installed "$package" || missing="$missing $package"
done

install_packages() {
  local as_root="" add_arm64=""
  if [ -n "$needs_arm64" ] && [[ $missing == *:arm64* ]] && [ "$native" != arm64 ] &&
    ! dpkg --print-foreign-architectures | grep -qx arm64; then
    add_arm64=yes
  fi
  if [ "$(id -u)" -ne 0 ]; then
    command -v sudo >/dev/null ||
      fail "missing packages; please run as root: ${add_arm64:+dpkg --add-architecture arm64 && }apt-get update && apt-get install$missing"
    as_root=sudo
  fi
  echo "setup: installing$missing"
  [ -z "$add_arm64" ] || $as_root dpkg --add-architecture arm64
  $as_root apt-get update -qq || fail "apt-get update failed (see above); these packages are missing:$missing"
  # sudo clears the environment, so the variable is set after it.
  # shellcheck disable=SC2086
  $as_root env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends $missing >/dev/null ||
    fail "apt-get could not install (see above):$missing"
}
[ -z "$missing" ] || install_packages

# Unpacks a package of the npm registry after checking its hash: fetch NAME@VERSION INTEGRITY FOLDER.
fetch() {
  local file log=$PWD/build/node.log
  if ! file=$(cd build/node.new && npm pack --loglevel=error --fetch-retries=1 "$1" 2>"$log"); then
    local reason
    reason=$(grep -m 1 -oE '(request to|No matching).*' "$log" || head -n 1 "$log")
    fail "Node.js $node_needed or newer is missing, and npm could not fetch $1: $reason"
  fi
  [ "$(sha512sum <"build/node.new/$file")" = "$(base64 -d <<<"${2#sha512-}" | od -An -v -tx1 | tr -d ' \n')  -" ] ||
    fail "$1 of the npm registry is not the file that we know: its SHA-512 differs"
  mkdir -p "$3"
  tar -xzf "build/node.new/$file" -C "$3" --strip-components=1 --no-same-owner --exclude=package/include
  rm "build/node.new/$file"
}

install_node() {
  local machine
  case $(uname -m) in
    x86_64) machine=x64 ;;
    aarch64) machine=arm64 ;;
    *) fail "please install Node.js $node_needed or newer, with npm (nodejs.org)" ;;
  esac
  local integrity=node_$machine
  echo "setup: fetching Node.js $node_version into build/node, since $(node --version 2>/dev/null || echo none) is too old"
  rm -rf build/node.new build/node
  mkdir -p build/node.new
  fetch "node-linux-$machine@$node_version" "${!integrity}" build/node.new
  fetch "npm@$npm_version" "$npm_any" build/node.new/lib/node_modules/npm
  ln -s ../lib/node_modules/npm/bin/npm-cli.js build/node.new/bin/npm
  ln -s ../lib/node_modules/npm/bin/npx-cli.js build/node.new/bin/npx
  mv build/node.new build/node
  hash -r
  node_is_new || fail "Node.js $node_version does not run on this machine"
}
[ -z "$needs_node" ] || node_is_new || install_node
