#!/usr/bin/env bash
# Runs a program for Windows by Debian's wine64, which has no command of its own. Wine's files are in build/wine, so that
# nothing changes at home.
export WINEDEBUG=${WINEDEBUG:--all} WINEPREFIX=${WINEPREFIX:-$(cd "$(dirname "$0")/.." && pwd)/build/wine}
mkdir -p "$WINEPREFIX"
exec /usr/lib/wine/wine64 "$@"
