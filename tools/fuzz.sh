#!/usr/bin/env bash
# Runs all fuzz targets of build/sanitize, as many at a time as there are cores, each on a copy of its corpus.
# Arguments go to libFuzzer: -max_total_time=60 looks for something new, -seed=1 -runs=1000 does the same each time.
# Inputs that fail are written to tests/fuzz/open.
set -euo pipefail
cd "$(dirname "$0")/.."
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

fuzz_one() {
  local target=$1 name=${1##*/fuzz_}
  local corpus=$scratch/$name log=$scratch/$name.log
  mkdir "$corpus"
  if [ -d "tests/fuzz/corpus/$name" ]; then
    cp "tests/fuzz/corpus/$name"/* "$corpus"
  fi
  local open=tests/fuzz/open/$name
  mkdir -p "$open"
  "$target" "${@:2}" -artifact_prefix="$open"/ -print_final_stats=1 "$corpus" >"$log" 2>&1 ||
    { grep -v NEW_FUNC "$log"; return 1; }
  rmdir --ignore-fail-on-non-empty "$open"
  echo "$name: $(sed -n 's/^stat::number_of_executed_units: *//p' "$log") executions"
}

export scratch
export -f fuzz_one
printf '%s\n' build/sanitize/tests/fuzz/fuzz_* | xargs -P "$(nproc)" -I{} bash -c 'fuzz_one "$@"' _ {} "$@"
