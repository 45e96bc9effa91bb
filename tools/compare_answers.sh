#!/usr/bin/env bash
# Compares what the native library and the WebAssembly ones, with SIMD and without, answer to the same questions next to
# the inputs at which answers change: a hash for each of CHUNKS (260) chunks of some 4,000 questions.
# Needs the presets test, wasm and wasm-plain to be configured.
set -euo pipefail
cd "$(dirname "$0")/.."
chunks=${1:-260}
export PATH="$PWD/build/node/bin:$PATH"  # where setup.sh had to fetch Node.js
answers=$(mktemp -d)
trap 'rm -rf "$answers"' EXIT
cmake --build build/test --target broadside_decision_hashes >"$answers/build" || { cat "$answers/build"; exit 1; }
build/test/tests/broadside_decision_hashes "$chunks" >"$answers/native"
for preset in wasm wasm-plain; do
  cmake --build "build/$preset" --target broadside_decision_hashes >"$answers/build" || { cat "$answers/build"; exit 1; }
  node --no-warnings tools/run_wasi.mjs "build/$preset/adapters/wasm/broadside_decision_hashes.wasm" "$chunks" >"$answers/$preset"
  if ! diff "$answers/native" "$answers/$preset" >"$answers/difference"; then
    head -20 "$answers/difference"
    echo "$preset answers differently from the native library"
    exit 1
  fi
done
echo "WebAssembly answers as the native library: $(tail -1 "$answers/native"), $chunks chunks"
