#!/usr/bin/env bash
# Runs all random tests and comparisons for a long time: up to 40 minutes on two cores, plus the builds.
# Usage: tools/trust.sh [SEED]
# Stops at the first failure; failing inputs are in tests/simulator/open and tests/fuzz/open.
set -euo pipefail
cd "$(dirname "$0")/.."
seed=${1:-1}
cores=$(nproc)
changes=(--count 40 --seed "$seed")  # of the library: the sources that change are built apart
tests=build/test/tests/broadside_tests
mkdir -p build

source tools/step.sh

build() {
  local log=build/trust.log
  cmake --preset "$1" >"$log" && cmake --build --preset "$1" "${@:2}" >"$log" || { cat "$log"; return 1; }
}

# Runs tests of a preset that is built, and shows their output on failure.
tests_of() {
  local log=build/trust-$1.log
  ctest --test-dir "build/$1" -j"$cores" --no-tests=error --output-on-failure "${@:2}" >"$log" 2>&1 || { cat "$log"; return 1; }
  grep '^100% tests passed' "$log"
}

# Leaves out long scenes, many bodies, some techniques and what counts work: they find no memory errors that the others
# do not. The programs are left out, too: what they read is untrusted, and the tests and fuzz targets of the readers are
# here. CI runs fewer.
sanitized() {
  local long='Settings/Bounce.*hz_240*:Settings/Bounce.*hz_60*:Settings/Bounce.*restitution_0*:Settings/Bounce.*restitution_50*'
  long+=':WorldSoak.*:QueryTree.misses_no_hit'
  long+=':*cells_least*:*cells_greatest*:*cells_too_large*:*cells_flat*:*bounds_a_point*:*bounds_elsewhere*:*OrderCost*'
  long+=':RefusalOfRunners.without_*:FirstWorldOutOfMemory.*:WorldRefusals.the_number_of_threads_is_read_by_*'
  long+=':Kinds/Threads.*on_a_line_*:Kinds/Threads.*zero_size:Kinds/Threads.*clustered:Kinds/Threads.*mixed_sizes'
  long+=':WorldNames.a_million_*:WorldRefusals.a_new_listener_reaches_bodies_of_any_number_of_kinds'
  long+=':Techniques/WorldOutOfMemory.*brute*:Techniques/WorldOutOfMemory.*sweep*:Techniques/WorldOutOfMemory.*/u*:Techniques/WorldOutOfMemory.*tree'
  long+=':Techniques/WorldOutOfMemory.*hash_grid:*cells_too_small*:World/QuietStep.*:ForComparison/Tree.visits_*:HashGrid.holds_large_*'
  long+=':SlidePromises.gaps_*:Cast.a_corner_beside_*'
  GTEST_FILTER="-$long" BROADSIDE_BULLET_CASES=20000 BROADSIDE_DAMAGES=1000 \
    tests_of sanitize -E 'SharedTrace|^cli\.|^viewer\.|concurrency|^tools\.|^scene\.schema$|NOT_BUILT|Trace.packed_bytes_that_announce'
}

# The tests of boxes and pairs with NEON; comparing the builds covers shapes, queries, worlds and all techniques. Leaves out
# the tests that are slow under QEMU and do not depend on ARM (16 million boxes, failing allocations, techniques without
# kernels), and the tests of threads, because QEMU uses the memory model of this machine.
arm() {
  local long='FindPairs.more_different_x*:*Memory*:NeighborhoodPrograms.*:*Threads.*:ThreadPool.*:RefusalOfRunners.*'
  long+=':RefusalOfFilters.*:*OrderCost*'
  long+=':*hash_grid*:*uniform_grid*:*tree:*sweep_and_prune:HashGrid.*:UniformGrid.*:ForComparison/*'
  GTEST_FILTER="-$long" tests_of aarch64 -R '^broadside_tests'
}

memory() {
  build/memory/tests/answers/broadside_answers 6 5000 >build/memory/answers
  echo "$(wc -l <build/memory/answers) answers"
}

simulate() {
  local pids=() process
  for ((process = 0; process < cores; ++process)); do
    build/test/tests/broadside_simulator --seed $(((seed * cores + process) * 1000000)) --seconds 180 --steps 400 | tail -n 1 &
    pids+=($!)
  done
  for process in "${pids[@]}"; do
    wait "$process"
  done
}

damages() {
  BROADSIDE_DRAWS=$seed BROADSIDE_DAMAGES=1000000 "$tests" --gtest_brief=1 --gtest_filter='Damage.*'
  BROADSIDE_DRAWS=$seed BROADSIDE_DAMAGES=1000000 build/test/tests/scene/broadside_scene_tests --gtest_brief=1 --gtest_filter='TraceDamage.*'
}

# Runs beside the coverage tests and the fuzz targets, which take as long.
others() {
  step "10^6 damages of snapshots, recordings and traces" damages
  step "10^6 bullets" env BROADSIDE_DRAWS="$seed" BROADSIDE_BULLET_CASES=1000000 "$tests" --gtest_brief=1 --gtest_filter='WorldBullets.*'
  step "memory that was never written" memory
  step "all builds" python3 tools/compare_builds.py --built
  step "64-bit ARM: broadside_tests under QEMU" arm
  step "most tests with AddressSanitizer and UndefinedBehaviorSanitizer" sanitized
}

# No command here may be followed by `||` or `&&`: `set -e` would then ignore failures within `step`.
side_by_side() {
  set -m  # a process group of its own, for `stop_others`
  others &
  local beside=$!
  set +m
  step "lines and branches that the tests run, on other draws of their properties" \
    python3 tools/measure_coverage.py --seed "$seed"
  step "2 x 10^6 inputs for each fuzz target, or 2 minutes" \
    env FUZZ_BUILD=fuzz bash tools/fuzz.sh -seed="$seed" -runs=2000000 -max_total_time=120
  wait "$beside"
}

# Stops background jobs after a failure, with the programs that they run.
stop_others() {
  local job
  for job in $(jobs -p); do
    kill -- "-$job" 2>/dev/null || kill "$job" 2>/dev/null || true
  done
}
trap stop_others EXIT

build test --target broadside_tests broadside_simulator broadside_scene_tests
build sanitize --target broadside_tests broadside_scene_tests tests/c/all tests/linking/all fuzz_targets
build aarch64
build fuzz --target fuzz_targets
build memory
step "all builds, built" python3 tools/compare_builds.py --build-only
step "the tests that count lines, built" python3 tools/measure_coverage.py --build-only
step "the tests that must notice changes, built" python3 tools/mutate.py "${changes[@]}" --build-only
start=$SECONDS
step "worlds and programs drawn from seeds" simulate
side_by_side
step "changes of the library that tests must notice" python3 tools/mutate.py "${changes[@]}" --least 0.8 --quick
echo "all of it held for seed $seed: $(((SECONDS - start) / 60)) min $(((SECONDS - start) % 60)) s"
