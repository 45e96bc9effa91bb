#!/usr/bin/env bash
# Draws the pictures of docs/narrow-phase.md: each pairing of the built-in scene `shapes`, and all of them.
# Usage: draw_pairings.sh [BINARY [FOLDER]]
set -euo pipefail
root=$(cd "$(dirname "$0")/.." && pwd)
binary=${1:-$root/build/release/apps/broadside/broadside}
folder=${2:-$root/docs/pictures/pairings}
kinds=(circle box capsule segment polygon mask)
columns=7
field=12 # side of a pairing's field in the scene

draw() {
  "$binary" run shapes --steps 1 --technique brute-force --quiet --picture "$@"
}

mkdir -p "$folder"
draw "$folder/all.svg"
place=0
for ((i = 0; i < ${#kinds[@]}; ++i)); do
  for ((j = i; j < ${#kinds[@]}; ++j)); do
    x=$((place % columns * field))
    y=$((place / columns * field))
    draw "$folder/${kinds[i]}-${kinds[j]}.svg" --picture-width 320 --view $x $y $((x + field)) $((y + field))
    place=$((place + 1))
  done
done
