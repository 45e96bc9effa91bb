#!/usr/bin/env bash
# Runs a program for Windows by Debian's wine64, which has no command of its own. Wine's files are in build/wine, so that
# nothing changes at home.
export WINEDEBUG=${WINEDEBUG:--all} WINEPREFIX=${WINEPREFIX:-$(cd "$(dirname "$0")/.." && pwd)/build/wine}
mkdir -p "$WINEPREFIX"
# The first program starts Wine's server and the last one ends it: of two that start at the same time, or just at its end, one
# fails. So a server is started before, by one at a time, and stays for a minute. It keeps no output of programs open.
flock -o "$WINEPREFIX/lock" sh -c '/usr/lib/wine/wineserver64 -p60; /usr/lib/wine/wine64 wineboot' </dev/null >/dev/null 2>&1
exec /usr/lib/wine/wine64 "$@"
