#!/usr/bin/env bash
# Runs all fuzz targets, one per core at a time, each on a copy of its corpus. Arguments are passed to libFuzzer:
# -max_total_time=60 searches for new inputs, -seed=1 -runs=1000 is reproducible.
# With FUZZ_BUILD=fuzz the targets of build/fuzz are used, which are faster because they have no sanitizers; the inputs
# that reached new code are then run once by the targets of build/sanitize.
# Failing inputs are written to tests/fuzz/open.
set -euo pipefail
cd "$(dirname "$0")/.."
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

fuzz_one() {
  local target=$1 name=${1##*/fuzz_} start=$SECONDS
  local corpus=$scratch/$name log=$scratch/$name.log
  mkdir "$corpus"
  if [ -d "tests/fuzz/corpus/$name" ]; then
    cp "tests/fuzz/corpus/$name"/* "$corpus"
  fi
  local open=tests/fuzz/open/$name
  mkdir -p "$open"
  "$target" "${@:2}" -artifact_prefix="$open"/ -print_final_stats=1 "$corpus" >"$log" 2>&1 ||
    { grep -v NEW_FUNC "$log"; return 1; }
  if [ "$FUZZ_BUILD" != sanitize ]; then
    "build/sanitize/tests/fuzz/fuzz_$name" -runs=0 -artifact_prefix="$open"/ "$corpus" >"$log.sanitized" 2>&1 ||
      { grep -v NEW_FUNC "$log.sanitized"; return 1; }
  fi
  rmdir --ignore-fail-on-non-empty "$open"
  echo "$name: $(sed -n 's/^stat::number_of_executed_units: *//p' "$log") executions, $((SECONDS - start)) s"
}

export scratch FUZZ_BUILD=${FUZZ_BUILD:-sanitize}
export -f fuzz_one
# The largest programs take longest, so they start first: otherwise one would run alone at the end.
ls -S "build/$FUZZ_BUILD"/tests/fuzz/fuzz_* | xargs -P "$(nproc)" -I{} bash -c 'fuzz_one "$@"' _ {} "$@"
